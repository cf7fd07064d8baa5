#include "base/text.h"
#include "cmd/check/advice.h"
#include "cmd/check/parts.h"
#include "cmd/check/play.h"
#include "cmd/lib/term.h"

#include <stdio.h>
#include <string.h>

enum {
    FAULTS_MAX = 3, /* faulty games, then stop this kind */
    GAMES_MIN = 6,
    VALUE_BYTES = 64,
    AFTER_FIRST_US = 30000, /* does the bot end after its first game? */
    LONG_BYTES = 8 << 10,   /* such a game may send far longer lines */
};

/* How long a slow bot may spend on one kind of game. */
static const int64_t budget_us = 60000000;

/* The results of the games of one kind. */
struct series {
    struct check *check;
    const struct game *game;
    bool chosen;
    int wanted; /* games */
    int done, refused, gave_up, faults;
    unsigned whys; /* number of faults already explained */
    bool cut;      /* time ran out before all games were played */
    int moves, timed;
    int64_t total_us, max_us; /* number of timed moves */
    size_t longest;           /* longest line sent to the bot */
    struct played last;
    struct buf before; /* the record of the previous game */
    char value[OPTIONS_MAX][VALUE_BYTES];
    char name[256]; /* of the setup: "seats=2 seat=1 board=red" */
    char id[64];
    uint8_t seed[SEED_BYTES];
    int64_t until_us;
    struct progress progress;
};

/* Setups: every number of seats, every seat and every built-in value. */

/* Seat 1 with every number of seats, then seat 2, and so on. */
static void choose_seats(const struct game *game, int i, struct plan *plan)
{
    for (int seat = 0;; seat = (seat + 1) % game->max_seats) {
        int least = seat + 1 > game->min_seats ? seat + 1 : game->min_seats;
        int n = game->max_seats - least + 1;

        if (i < n) {
            plan->seat = seat;
            plan->setup.seats = least + i;
            return;
        }
        i -= n;
    }
}

static int seatings(const struct game *game)
{
    int n = 0;

    for (int seats = game->min_seats; seats <= game->max_seats; seats++)
        n += seats;
    return n;
}

static int values_of(const struct game_option *option)
{
    const char *word;
    int n = 0;

    while (option->values && words_at(option->values, n, &word))
        n++;
    return n > 0 ? n : 1;
}

static int games_for_all(const struct game *game)
{
    int n = seatings(game);

    for (int k = 0; game->options && game->options[k].name; k++)
        if (values_of(&game->options[k]) > n)
            n = values_of(&game->options[k]);
    return n > GAMES_MIN ? n : GAMES_MIN;
}

/* The first game uses all defaults; later ones cycle through the values. */
static void choose_options(struct series *s, int i, struct plan *plan)
{
    const struct game *game = s->game;
    struct setup plain = plan->setup;
    struct err err;

    for (int k = 0; game->options && game->options[k].name; k++) {
        int n = values_of(&game->options[k]);
        const char *word = NULL;
        size_t len;

        if (n == 1)
            continue;
        len = words_at(game->options[k].values, (i + i / seatings(game)) % n,
                       &word);
        snprintf(s->value[k], VALUE_BYTES, "%.*s", (int)len, word);
        plan->setup.option[k] = s->value[k];
    }
    if (!game_accepts(game, &plan->setup, &err))
        plan->setup = plain;
}

static void name_setup(struct series *s, const struct plan *plan)
{
    int n = snprintf(s->name, sizeof s->name, "seats=%d seat=%d",
                     plan->setup.seats, plan->seat + 1);

    for (int k = 0; s->game->options && s->game->options[k].name; k++)
        if (plan->setup.option[k] && n < (int)sizeof s->name)
            n += snprintf(s->name + n, sizeof s->name - (size_t)n, " %s=%s",
                          s->game->options[k].name, plan->setup.option[k]);
}

/*
 * Show every kind of time control to bots that know time, none of them tighter.
 */
static void choose_time(const struct series *s, int i, struct time_control *t)
{
    static const struct {
        enum time_system system;
        int extra, count; /* extra in limits */
    } controls[] = {
        {TIME_MOVE, 0, 0},  {TIME_FISCHER, 1, 0},  {TIME_BYOYOMI, 1, 3},
        {TIME_DELAY, 1, 0}, {TIME_CANADIAN, 5, 5}, {TIME_BRONSTEIN, 1, 0},
        {TIME_NONE, 0, 0},
    };
    unsigned knows = 1u << COMMAND_TIME_SETTINGS | 1u << COMMAND_TIME_LEFT;
    int n = s->check->wants & knows
                ? i % (int)(sizeof controls / sizeof *controls)
                : 0;
    int64_t limit = s->check->limit_us;

    *t = (struct time_control){.system = controls[n].system,
                               .main_us = limit,
                               .extra_us = controls[n].extra * limit,
                               .count = controls[n].count};
    if (t->system == TIME_NONE)
        t->main_us = 0;
}

/* SHA-256 of the seed, the game's name and a number. */
static void seed_game(struct series *s, int i)
{
    crypto_hash_sha256_state state;
    char text[80];
    int n = snprintf(text, sizeof text, "%.40s %d", s->game->name, i);

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, s->check->seed, SEED_BYTES);
    crypto_hash_sha256_update(&state, (const unsigned char *)text,
                              (unsigned long long)n);
    crypto_hash_sha256_final(&state, s->seed);
}

static void make_plan(struct series *s, int i, enum twist twist,
                      struct plan *plan)
{
    *plan = (struct plan){
        .game = s->game,
        .id = s->id,
        .seed = s->seed,
        .seed_is_chosen = s->check->seed_is_chosen,
        .start_us = s->check->start_us,
        .limit_us = s->check->limit_us,
        .until_us = s->until_us,
        .twist = twist,
        .shuffle = i % 2 == 1,
        .quitter = -1,
    };
    seed_game(s, i);
    choose_seats(s->game, i % seatings(s->game), plan);
    choose_options(s, i, plan);
    choose_time(s, i, &plan->time);
    if (plan->setup.seats > 2 && i % 3 == 2)
        plan->quitter = (plan->seat + 1) % plan->setup.seats;
    name_setup(s, plan);
    snprintf(s->id, sizeof s->id, "check-%.32s-%d", s->game->name, i + 1);
}

/* Findings. */

static void report(struct series *s, const struct finding *f)
{
    progress_done(&s->progress);
    report_add(&s->check->report, f);
}

static const char *const twist_names[] = {
    [TWIST_NONE] = "game",
    [TWIST_BREAK_OFF] = "interrupted game",
    [TWIST_REJECT_MOVE] = "rejected",
    [TWIST_LONG_LINE] = "long line",
};

/* The name of the check that the bot failed. */
static const char *name_of_fault(const struct played *p, enum twist twist)
{
    static const char *const names[WHYS] = {
        [WHY_ILLEGAL] = "illegal move",  [WHY_TIME] = "time",
        [WHY_START] = "new_game",        [WHY_REFUSE] = "new_game",
        [WHY_EXIT] = "end of the bot",   [WHY_INPUT] = "input",
        [WHY_FLOOD] = "too much output", [WHY_PROTOCOL] = "protocol",
    };

    if (twist != TWIST_NONE)
        return twist_names[twist];
    return p->ending == ENDING_UNSETTLED ? "after the game" : names[p->why];
}

static void add_sentence(char *text, size_t size, const char *sentence)
{
    size_t n = strlen(text);

    snprintf(text + n, size - n, "%s%s", n ? ". " : "", sentence);
}

static void explain(struct series *s, const struct plan *plan,
                    struct finding *f)
{
    struct exam *e = &s->check->exam;
    const struct played *p = &s->last;

    if (p->ending == ENDING_UNSETTLED) {
        advise(e, p->outcome, f);
    } else if (p->why == WHY_ILLEGAL) {
        exam_quote(e, f);
        advise_illegal(&p->record, &s->before, plan->seat, p->detail, f);
    } else {
        advise_leaver(e, p->why, p->detail, f);
    }
    if (plan->twist == TWIST_LONG_LINE)
        add_sentence(f->hint, sizeof f->hint,
                     "A legal_moves line of 1 MiB was sent, as the protocol "
                     "allows. Does the bot read into a buffer of fixed "
                     "size? (Go: call Scanner.Buffer)");
    else if (plan->twist == TWIST_REJECT_MOVE)
        add_sentence(f->hint, sizeof f->hint,
                     "After rejected, another genmove comes: answer it");
}

/* A line that this game never comes close to is only a remark. */
static void report_fault(struct series *s, const struct plan *plan)
{
    const struct played *p = &s->last;
    unsigned bit = 1u << (p->ending == ENDING_UNSETTLED ? WHYS : (int)p->why);
    enum verdict verdict =
        plan->twist == TWIST_LONG_LINE && s->longest < LONG_BYTES
            ? VERDICT_REMARK
            : VERDICT_FAULT;
    struct finding f;

    s->faults++;
    if (p->why == WHY_TIME || p->why == WHY_START ||
        p->outcome == OUTCOME_SILENT)
        s->faults = FAULTS_MAX; /* each one costs the time limit */
    if (plan->twist == TWIST_NONE && s->whys & bit)
        return;
    s->whys |= bit;
    finding_begin(&f, verdict, name_of_fault(p, plan->twist), "in game %d (%s)",
                  s->check->exam.games, s->name);
    explain(s, plan, &f);
    report(s, &f);
}

/* It was still running when the last game ended. */
static bool ended_between_games(struct series *s)
{
    struct exam *e = &s->check->exam;
    struct finding f;

    if (!e->bot || !e->lost || e->games == 0)
        return false;
    finding_begin(&f, VERDICT_FAULT, "next game", "after a game");
    advise(e, OUTCOME_LOST, &f);
    f.where = "6.2";
    snprintf(f.wanted, sizeof f.wanted,
             "a bot that plays game after game until quit");
    if (!*f.last_words)
        snprintf(f.hint, sizeof f.hint,
                 "the bot exits after a game: keep reading, because another "
                 "new_game may follow; exit on quit or at the end of the "
                 "input");
    s->faults = FAULTS_MAX;
    report(s, &f);
    exam_end(e);
    return true;
}

static void count_time(struct series *s, const struct played *p)
{
    s->total_us += p->total_us;
    s->timed += p->moves;
    if (p->max_us > s->max_us)
        s->max_us = p->max_us;
    if (p->longest > s->longest)
        s->longest = p->longest;
}

static void tally(struct series *s, const struct plan *plan)
{
    const struct played *p = &s->last;

    s->moves += p->moves;
    if (plan->twist != TWIST_LONG_LINE)
        count_time(s, p);
    s->done += p->ending == ENDING_PLAYED || p->ending == ENDING_GAVE_UP;
    s->gave_up += p->ending == ENDING_GAVE_UP;
    s->refused += p->ending == ENDING_REFUSED;
    s->cut = s->cut ||
             (p->ending == ENDING_CUT_OFF && plan->twist != TWIST_BREAK_OFF);
}

/* Play one game, and report at once what needs reporting. */
static bool play(struct series *s, int i, enum twist twist)
{
    struct check *c = s->check;
    struct plan plan;
    struct buf record = s->before;

    if (ended_between_games(s) || !check_is_up(c))
        return false;
    make_plan(s, i, twist, &plan);
    s->before = s->last.record;
    s->last.record = record;
    play_game(&c->exam, &plan, &s->last);
    tally(s, &plan);
    if (s->last.ending == ENDING_FAILED || s->last.ending == ENDING_UNSETTLED) {
        report_fault(s, &plan);
        exam_end(&c->exam);
        return false;
    }
    if (c->exam.games == 1 && exam_is_up(&c->exam))
        exam_wait(&c->exam, AFTER_FIRST_US);
    return true;
}

/* Summaries. */

static void report_games(struct series *s)
{
    const struct game *g = s->game;
    char seats[40];
    struct finding f;

    if (s->done == 0)
        return;
    snprintf(seats, sizeof seats, "%d to %d", g->min_seats, g->max_seats);
    finding_begin(&f, s->cut ? VERDICT_REMARK : VERDICT_PASSED, "games",
                  "%d to the end, %d move%s%s; %s seats%s", s->done, s->moves,
                  s->moves == 1 ? "" : "s", s->faults ? "" : ", all legal",
                  g->min_seats < g->max_seats ? seats : strchr(seats, 'o') + 2,
                  s->cut ? "; the bot was too slow for more" : "");
    report_add(&s->check->report, &f);
}

static void report_speed(struct series *s)
{
    struct check *c = s->check;
    struct finding f;

    if (s->timed == 0)
        return;
    finding_begin(&f,
                  s->max_us > c->limit_us / 2 ? VERDICT_REMARK : VERDICT_PASSED,
                  "speed", "%s a move on average, %s at most",
                  short_time(s->total_us / s->timed), short_time(s->max_us));
    if (f.verdict == VERDICT_REMARK)
        snprintf(f.hint, sizeof f.hint,
                 "more than half of the limit of %s: on a busy machine that "
                 "may be too much",
                 short_time(c->limit_us));
    report_add(&c->report, &f);
}

static void report_resignations(struct series *s)
{
    struct finding f;

    if (s->gave_up == 0)
        return;
    finding_begin(&f, s->moves > 0 ? VERDICT_REMARK : VERDICT_FAULT, "resign",
                  s->moves > 0 ? "in %d of %d games"
                               : "in %d of %d games, without a single move",
                  s->gave_up, s->done);
    if (s->moves == 0) {
        f.where = "6.2";
        snprintf(f.wanted, sizeof f.wanted, "moves");
        snprintf(f.hint, sizeof f.hint,
                 "a bot gets legal_moves, state and events only if it lists "
                 "them in answer to list_commands");
    }
    report_add(&s->check->report, &f);
}

static void report_refusals(struct series *s)
{
    struct finding f;

    if (s->refused == 0)
        return;
    finding_begin(&f, VERDICT_REMARK, "new_game",
                  "%d of %d games refused, such as %.150s", s->refused,
                  s->wanted, s->name);
    report_add(&s->check->report, &f);
}

/* The bot does not support this game. */
static void report_not_played(struct series *s)
{
    struct finding f;

    finding_begin(&f, s->chosen ? VERDICT_FAULT : VERDICT_PASSED, "new_game",
                  "the bot does not play %s", s->game->name);
    exam_quote(&s->check->exam, &f);
    if (s->chosen) {
        f.where = "6.2";
        snprintf(f.wanted, sizeof f.wanted, "\"=\" when the bot is ready");
        snprintf(f.hint, sizeof f.hint,
                 "\"?\" in answer to new_game means that the bot does not want "
                 "to play; is the name of the game spelt \"%s\"?",
                 s->game->name);
    } else {
        f.quotes = 0;
    }
    report(s, &f);
}

/* The special games. */

static bool lists(const struct series *s, enum command command)
{
    return (s->check->wants >> command & 1) != 0;
}

/* The first setup with opponents. */
static bool play_twisted(struct series *s, enum twist twist)
{
    bool ok = play(s, s->game->min_seats == 1 ? 1 : 0, twist);

    progress_done(&s->progress);
    return ok;
}

static void check_broken_off(struct series *s)
{
    if (play_twisted(s, TWIST_BREAK_OFF) && s->last.ending == ENDING_CUT_OFF)
        report_ok(&s->check->report, "interrupted game",
                  "void after %d moves; the bot continues", s->last.moves);
}

static void check_rejected(struct series *s)
{
    if (lists(s, COMMAND_REJECTED) && play_twisted(s, TWIST_REJECT_MOVE) &&
        s->last.twisted)
        report_ok(&s->check->report, "rejected", "the bot moves again");
}

static void check_long_line(struct series *s)
{
    if (lists(s, COMMAND_LEGAL_MOVES) && play_twisted(s, TWIST_LONG_LINE) &&
        s->last.twisted)
        report_ok(&s->check->report, "long line",
                  "1 MiB is read; the longest line so far had %zu bytes",
                  s->longest);
}

static void play_all(struct series *s)
{
    for (int i = 0; i < s->wanted && s->faults < FAULTS_MAX && !s->cut; i++) {
        play(s, i, TWIST_NONE);
        if (i == 0 && s->refused)
            return;
        if (i == 0 && s->faults == 0)
            check_broken_off(s);
        progress_show(&s->progress, (size_t)i + 1);
    }
    if (s->faults == 0 && !s->cut)
        check_rejected(s);
    if (s->faults == 0 && !s->cut)
        check_long_line(s);
}

void check_game(struct check *c, const struct game *game, bool chosen)
{
    struct series s = {.check = c,
                       .game = game,
                       .chosen = chosen,
                       .wanted = c->games ? c->games : games_for_all(game),
                       .until_us = c->games ? NEVER : now_us() + budget_us};

    report_section(&c->report, game->name);
    buf_init(&s.last.record, 64 << 20);
    buf_init(&s.before, 64 << 20);
    progress_begin(&s.progress, game->name, (size_t)s.wanted);
    play_all(&s);
    progress_done(&s.progress);
    if (s.refused == 1 && s.done == 0 && s.faults == 0) {
        report_not_played(&s);
    } else {
        c->kinds++;
        report_refusals(&s);
        report_resignations(&s);
        report_games(&s);
        report_speed(&s);
    }
    buf_release(&s.last.record);
    buf_release(&s.before);
}
