/* The games of a course: choose the next one, and count its result. */

#include "base/sha256.h"
#include "base/text.h"
#include "cmd/grade/course.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct play {
    struct course *course;
    struct contest_run run;
    bool is_shown; /* on a terminal */
    int games;
};

static int deals_max(const struct course *course)
{
    return course->budget / 2;
}

static bool is_open(const struct course *course, const struct trial *trial)
{
    return trial->test.verdict == ANYTIME_OPEN &&
           trial->counted < deals_max(course);
}

const char *trial_word(const struct trial *trial)
{
    switch (trial->test.verdict) {
    case ANYTIME_BETTER:
        return "passed";
    case ANYTIME_NOT_BETTER:
        return "failed";
    default:
        return "undecided";
    }
}

/*
 * A game's name comes from its players. A later grading finds it by name, and
 * plays only what has changed.
 */
static void write_stem(const struct course *course, int student, int level,
                       char stem[32])
{
    const struct student *s = &course->student[student];
    const char *const words[] = {s->name, s->version,
                                 course->level[level]->entry.name,
                                 course->contest.player[level].digest};
    unsigned char bytes[SHA256_BYTES];
    struct sha256 hash;
    char hex[2 * 12 + 1];

    sha256_begin(&hash);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        sha256_add(&hash, words[i], strlen(words[i]) + 1);
    sha256_end(&hash, bytes);
    text_hex(hex, bytes, 12);
    snprintf(stem, 32, "%s-", hex);
}

enum { ID_DIGITS = 4 };

void trial_game_id(const struct course *course, int student, int level,
                   int game, char id[64])
{
    char stem[32];

    write_stem(course, student, level, stem);
    snprintf(id, 64, "%s%0*d", stem, ID_DIGITS, game + 1);
}

/* The open trial with the fewest games, so that all trials progress alike. */
static struct trial *next_trial(struct course *course, int *student, int *level)
{
    struct trial *least = NULL;

    for (int i = 0; i < course->students; i++)
        for (int k = 0; k < course->levels; k++) {
            struct trial *trial = &course->student[i].trial[k];

            if (course->student[i].player < 0 || !is_open(course, trial) ||
                trial->handed_out == deals_max(course) ||
                (least && trial->handed_out >= least->handed_out))
                continue;
            least = trial;
            *student = i;
            *level = k;
        }
    return least;
}

static enum unit_answer next_unit(void *owner, struct contest_unit *unit)
{
    struct play *play = owner;
    struct course *course = play->course;
    int student = 0, level = 0;
    struct trial *trial = next_trial(course, &student, &level);

    if (!trial)
        return UNIT_WAS_LAST;
    *unit = (struct contest_unit){
        .first = 2 * trial->handed_out,
        .games = 2,
        .digits = ID_DIGITS,
        .player = {course->student[student].player, level},
        .tag = student * LEVELS_MAX + level};
    write_stem(course, student, level, unit->stem);
    snprintf(unit->deal, sizeof unit->deal, "deal %d", ++trial->handed_out);
    return UNIT_IS_READY;
}

static void on_move(void *owner, int player, int64_t used_us)
{
}

static void count_game(struct trial *trial, int number)
{
    const struct trial_game *game = &trial->game[number];

    trial->wins += game->outcome == WON_IT;
    trial->ties += game->outcome == TIED_IT;
    trial->losses += game->outcome == LOST_IT;
    if (game->outcome == WON_IT && trial->won < 0)
        trial->won = number;
    if (game->outcome == LOST_IT && trial->lost < 0)
        trial->lost = number;
    if (game->why < 0)
        return;
    trial->forfeits++;
    if (!trial->fault)
        trial->fault = why_word((enum why)game->why);
}

static double score_of(const struct trial_game *game)
{
    return (game->outcome - LOST_IT) / 2.0;
}

/*
 * Deals count in order, not in the order in which they end, so that a grade
 * does not depend on the speed of the machine. A void game is nobody's fault,
 * and its deal does not count.
 */
static void count_deals(const struct course *course, struct trial *trial)
{
    while (is_open(course, trial)) {
        const struct trial_game *game = &trial->game[2 * trial->counted];

        if (game[0].outcome == NOT_OVER || game[1].outcome == NOT_OVER)
            return;
        trial->counted++;
        if (game[0].outcome == IS_VOID || game[1].outcome == IS_VOID)
            continue;
        count_game(trial, 2 * trial->counted - 2);
        count_game(trial, 2 * trial->counted - 1);
        anytime_add(&trial->test,
                    (score_of(&game[0]) + score_of(&game[1])) / 2);
    }
}

static void show(const struct play *play)
{
    const struct course *course = play->course;
    char workers[WORKERS_TEXT];
    int open = 0, all = 0;

    if (!play->is_shown)
        return;
    contest_workers(&play->run, workers);
    for (int i = 0; i < course->students; i++)
        for (int k = 0; k < course->levels; k++) {
            all += course->student[i].player >= 0;
            open += course->student[i].player >= 0 &&
                    is_open(course, &course->student[i].trial[k]);
        }
    fprintf(stderr, "\r\033[K%s: %d games%s, %d of %d verdicts", course->name,
            play->games, workers, all - open, all);
}

static void on_game(void *owner, const struct game_report *r)
{
    struct play *play = owner;
    struct course *course = play->course;
    const struct student *student = &course->student[r->unit->tag / LEVELS_MAX];
    struct trial *trial = &course->student[r->unit->tag / LEVELS_MAX]
                               .trial[r->unit->tag % LEVELS_MAX];
    int own = r->player[0] == student->player ? 0 : 1;
    struct trial_game *game = &trial->game[r->number];

    game->why = r->left[own] && r->why[own] != WHY_RESIGN
                    ? (signed char)r->why[own]
                    : -1;
    game->outcome = r->is_void                         ? IS_VOID
                    : r->rank[own] < r->rank[1 - own]  ? WON_IT
                    : r->rank[own] == r->rank[1 - own] ? TIED_IT
                                                       : LOST_IT;
    play->games++;
    count_deals(course, trial);
    show(play);
}

static const struct contest_owner calls = {next_unit, on_move, on_game};

/* What must not change while the games are kept. */
static void describe(const void *what, struct buf *out)
{
    const struct course *course = what;

    describe_game(&course->contest, out);
    buf_add(out, "time %s\n", course->time);
}

static void wipe(void *owner)
{
    const struct play *play = owner;

    if (play->is_shown)
        fputs("\r\033[K", stderr);
}

bool course_play(struct course *course, bool quiet, int *signal,
                 struct err *err)
{
    struct folder_args about = {
        "grading", course->contest.folder, true, true, describe, course};
    struct play play = {.course = course,
                        .is_shown = !quiet && isatty(STDERR_FILENO)};
    bool ok;

    if (!folder_open(&about, &course->contest, err))
        return false;
    play.run.workers = course->workers;
    play.run.wipe = wipe;
    ok = contest_play(&play.run, &course->contest, &calls, &play, err);
    if (play.is_shown)
        fputs("\r\033[K", stderr);
    folder_sync(course->contest.folder);
    *signal = play.run.signal;
    return ok;
}
