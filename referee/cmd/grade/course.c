/* The course file, and its students. */

#include "cmd/grade/course.h"

#include "base/alloc.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cmd/handin/recipe.h"
#include "cmd/lib/bot_cores.h"
#include "cmd/lib/game_keys.h"
#include "cmd/lib/luggage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET_MAX = 100000, POINTS_MAX = 1000000, CONCURRENCY_MAX = 4000 };

static const int64_t quit_us = 2000000;

/* The file after reading and before checking. */
struct parsed {
    struct course course; /* first: the caller gets this part */
    const struct course_args *args;
    struct ini ini;
    struct parsed_game game;
    struct time_control control;
    const char *records, *seed, *walls;
    int cores;
};

static void *begin_course(struct ini *ini, const char *name, struct err *err)
{
    return ini->user;
}

static void *begin_level(struct ini *ini, const char *name, struct err *err)
{
    struct parsed *d = ini->user;
    struct level *level;

    if (d->course.levels == LEVELS_MAX) {
        fail(err, "more than %d sections [level NAME]", LEVELS_MAX);
        return NULL;
    }
    level = pool_take(ini->pool, sizeof *level);
    level->entry.name = name;
    d->course.level[d->course.levels++] = level;
    return level;
}

static bool read_control(const struct ini_value *v, struct err *err)
{
    struct parsed *d = v->ini->user;
    struct buf text;

    if (!time_control_parse(v->text, &d->control, err))
        return false;
    buf_init(&text, 80);
    time_control_write(&d->control, &text);
    d->course.time = pool_text(v->ini->pool, text.text);
    buf_release(&text);
    return true;
}

static void *begin_places(struct ini *ini, const char *name, struct err *err)
{
    struct parsed *d = ini->user;

    if (!d->course.places)
        d->course.places = pool_take(ini->pool, sizeof(struct places));
    return d->course.places;
}

#define PARSED struct parsed

static const struct ini_key course_keys[] = {
    KEY("name", "TEXT", "course", "the title of all reports",
        INI_TEXT(PARSED, course.name)),
    GAME_KEYS(PARSED),
    KEY("time", "CONTROL", "move:1s", "time control of every seat",
        .read = read_control),
    KEY("handins", "FOLDER", "handins",
        "the folder of the hand-ins; \"referee admit\" fills it",
        INI_TEXT(PARSED, course.handins)),
    KEY("deadline", "TIME", NULL, "later hand-ins do not count (default: none)",
        INI(PARSED, course.deadline, ini_date)),
    KEY("budget", "N", "200",
        "at most this many games of a student per "
        "level",
        INI_INT(PARSED, course.budget, 2, BUDGET_MAX)),
    KEY("confidence", "PERCENT", "95", "how sure a verdict must be, in percent",
        INI_INT(PARSED, course.confidence, 50, 99)),
    KEY("seed", "TEXT", "course", "any text; it determines all deals",
        INI_TEXT(PARSED, seed)),
    KEY("records", "FOLDER", "grading",
        "for records and logs; games that are already there are not played "
        "again",
        INI_TEXT(PARSED, records)),
    KEY("out", "FOLDER", "grades", "for the grades",
        INI_TEXT(PARSED, course.out)),
    KEY("concurrency", "N", "1", "games played at once",
        INI_INT(PARSED, course.contest.concurrency, 1, CONCURRENCY_MAX)),
    KEY("walls", "limits|landlock|bwrap|auto", "auto",
        "walls around the students' bots; auto is the strongest that works "
        "here",
        INI_CHOICE(PARSED, walls)),
    KEY("cores", "N", NULL, "processor cores reserved for each bot",
        INI_INT(PARSED, cores, 1, BOT_CORES_MAX)),
    KEY("illegal", "forfeit|retry:N", "forfeit",
        "what happens after an illegal move",
        INI(PARSED, course.contest.retries, read_illegal)),
    LIMIT_KEYS(PARSED, course.contest),
    {0},
};

static const struct ini_key level_keys[] = {
    KEY("points", "N", "10", "for a bot that beats this level",
        INI_INT(struct level, points, 0, POINTS_MAX)),
    KEY("command", "COMMAND", NULL, "the command that starts the level's bot",
        INI_TEXT(struct level, entry.command)),
    KEY("directory", "FOLDER", NULL, "the folder in which it is started",
        INI_TEXT(struct level, entry.directory)),
    KEY("hidden", "yes|no", "no", "do not show its command in the reports",
        INI_YES(struct level, is_hidden)),
    KEY("digest", "HEX", NULL,
        "the beginning of the digest that the level's bot must have, so "
        "that it stays the same bot; grades.json has it",
        INI_TEXT(struct level, digest)),
    {0},
};

#define PLACES struct places

static const struct ini_key places_keys[] = {
    KEY("data", "FOLDER", "data", "the data folder of the server, or its file",
        INI_TEXT(PLACES, data)),
    KEY("ladder", "NAME", NULL, "the ladder whose places count",
        INI_TEXT(PLACES, ladder)),
    KEY("points", "N N...", NULL,
        "for the first place among the students, the second and so on",
        .read = places_read_points),
    {0},
};

static const struct ini_kind kinds[] = {
    {"course", NULL, "what is graded, and how", course_keys, begin_course},
    {"level", "NAME", "a bot that students must beat", level_keys, begin_level},
    {"places", NULL,
     "points by the place on a ladder, which depends on the other students; "
     "without it there are none",
     places_keys, begin_places},
    {0},
};

static bool add_player(struct parsed *d, struct bot_entry *entry, int *number,
                       struct err *err)
{
    struct contest_config *c = &d->course.contest;

    entry->restart = true; /* no game may depend on earlier ones */
    entry->quit_us = quit_us;
    entry->cores = d->cores;
    if (!player_make(entry, &d->control, &d->course.pool,
                     &c->player[c->players], err))
        return false;
    if (d->args->workers.given &&
        !player_pack(&c->player[c->players], entry, &d->course.pool, err))
        return false;
    *number = c->players++;
    return true;
}

/* Levels. */

/* Is this the bot that the organiser used to grade others? */
static void check_digest(struct parsed *d, const struct ini_section *s,
                         const char *digest)
{
    const struct level *level = s->to;

    if (level->digest &&
        strncmp(level->digest, digest, strlen(level->digest)) != 0)
        ini_mistake(&d->ini, ini_line(s, "digest"),
                    "digest: the bot of [level %s] has changed: it is now "
                    "%.16s, not %.16s",
                    s->name, digest, level->digest);
}

static void check_level(struct parsed *d, const struct ini_section *s)
{
    struct level *level = s->to;
    struct err err;
    int number;

    if (!is_bot_name(s->name))
        ini_mistake(&d->ini, s->line,
                    "the name of a level has 1 to 32 letters, digits or "
                    "._+-, not \"%.40s\"",
                    s->name);
    if (!level->entry.command)
        ini_mistake(&d->ini, s->line,
                    "[level %s] has no command; for example: command = "
                    "referee bot --level 3",
                    s->name);
    else if (!add_player(d, &level->entry, &number, &err))
        ini_mistake(&d->ini, ini_line(s, "command"), "%s", err.text);
    else
        check_digest(d, s, d->course.contest.player[number].digest);
}

static void check_levels(struct parsed *d)
{
    for (const struct ini_section *s = d->ini.first; s; s = s->next)
        if (strcmp(s->kind->name, "level") == 0)
            check_level(d, s);
    if (d->course.levels == 0)
        ini_mistake(&d->ini, 0,
                    "there is no [level NAME]: name at least one bot that "
                    "students must beat");
}

static void check_places(struct parsed *d)
{
    const struct ini_section *s = ini_find(&d->ini, "places", "");
    const struct places *places = d->course.places;

    if (!s)
        return;
    if (!places->ladder)
        ini_mistake(&d->ini, s->line,
                    "[places] has no ladder; say whose places count, such as "
                    "ladder = rondo");
    if (places->count == 0)
        ini_mistake(&d->ini, s->line,
                    "[places] has no points; say for example points = 10 6 3");
}

/* Students. */

static bool start_version(struct parsed *d, struct student *student,
                          struct err *err)
{
    struct pool *pool = &d->course.pool;
    struct bot_entry *entry = pool_take(pool, sizeof *entry);
    char path[DISK_PATH_MAX], *folder;
    struct recipe recipe;

    shelf_path(d->course.handins, student->name, student->version, path);
    folder = pool_text(pool, path);
    if (!recipe_read(folder, pool, &recipe, err))
        return false;
    *entry = (struct bot_entry){.name = student->name,
                                .command = recipe.command,
                                .directory = folder,
                                .version = student->version,
                                .wall.kind = d->walls,
                                .is_foreign = true};
    return add_player(d, entry, &student->player, err);
}

static void choose_version(struct parsed *d, struct student *student,
                           const json_t *history)
{
    const char *version = history_playing(history, d->course.deadline);
    struct err why;

    if (!version) {
        snprintf(student->why, sizeof student->why, "%s",
                 json_array_size(history) > 0
                     ? "no hand-in before the deadline was accepted"
                     : "nothing was handed in");
        return;
    }
    student->version = pool_text(&d->course.pool, version);
    student->at =
        pool_text(&d->course.pool, history_accepted_at(history, version));
    if (!start_version(d, student, &why))
        snprintf(student->why, sizeof student->why, "%.199s", why.text);
}

static bool add_student(struct parsed *d, const char *name, struct err *err)
{
    struct student *student = &d->course.student[d->course.students++];
    json_t *history;

    student->name = pool_text(&d->course.pool, name);
    student->player = -1;
    if (!shelf_history(d->course.handins, name, &history, err))
        return false;
    choose_version(d, student, history);
    json_decref(history);
    for (int i = 0; i < d->course.levels; i++) {
        struct trial *trial = &student->trial[i];

        anytime_init(&trial->test, 1 - d->course.confidence / 100.0);
        trial->lost = trial->won = -1;
        trial->game = pool_take(&d->course.pool,
                                (size_t)d->course.budget * sizeof *trial->game);
    }
    return true;
}

static void check_students(struct parsed *d, const struct ini_section *s)
{
    struct disk_names names = {0};
    struct err err;
    bool ok = shelf_names(d->course.handins, &names, &err);

    if (ok && names.count == 0)
        ok = fail(&err,
                  "there are no students in %.200s; \"referee admit\" puts "
                  "the hand-ins there",
                  d->course.handins);
    if (ok && names.count > STUDENTS_MAX)
        ok = fail(&err, "more than %d students", STUDENTS_MAX);
    d->course.student =
        pool_take(&d->course.pool, (names.count + 1) * sizeof(struct student));
    for (size_t i = 0; ok && i < names.count; i++)
        ok = add_student(d, names.name[i], &err);
    if (!ok)
        ini_mistake(&d->ini, ini_line(s, "handins"), "handins: %s", err.text);
    disk_names_free(&names);
}

static void take_args(struct parsed *d)
{
    if (d->args->out)
        d->course.out = d->args->out;
    if (d->args->handins)
        d->course.handins = d->args->handins;
    if (d->args->concurrency)
        d->course.contest.concurrency = d->args->concurrency;
    d->course.workers = d->args->workers;
    if (d->course.workers.given && !d->args->concurrency)
        d->course.contest.concurrency = WORKERS_AT_ONCE;
    d->course.budget -= d->course.budget % 2; /* both seats */
}

static void check_course(struct parsed *d, const struct ini_section *s)
{
    struct contest_config *c = &d->course.contest;

    take_args(d);
    if (!d->game.seats)
        d->game.seats = 2;
    parsed_game_check(&d->ini, s, "[course]", &d->game);
    if (d->game.seats != 2)
        ini_mistake(&d->ini, ini_line(s, "seats"),
                    "seats: a student and a level make 2 seats, not %d",
                    d->game.seats);
    c->game = d->game.game;
    c->setup = d->game.setup;
    c->folder = d->records;
    c->seed_is_chosen = true;
    if (!text_unhex(c->seed, SEED_BYTES, d->seed))
        sha256_of(d->seed, strlen(d->seed), c->seed);
    c->player = pool_take(&d->course.pool,
                          (LEVELS_MAX + STUDENTS_MAX) * sizeof *c->player);
    check_levels(d);
    check_places(d);
    if (d->ini.mistakes == 0)
        check_students(d, s);
}

bool course_read(const char *path, const struct course_args *args,
                 struct course **out, struct lines *remarks)
{
    struct parsed *d = must_alloc(calloc(1, sizeof *d));
    const struct ini_section *s;
    bool right;

    d->args = args;
    ini_read(&d->ini, path, kinds, d, &d->course.pool);
    s = ini_find(&d->ini, "course", "");
    if (s)
        check_course(d, s);
    else if (d->ini.mistakes == 0)
        ini_mistake(&d->ini, 0,
                    "there is no [course]; \"referee grade --help-config\" "
                    "lists its keys");
    ini_report(&d->ini, remarks);
    right = d->ini.mistakes == 0;
    if (right)
        *out = &d->course;
    else
        course_free(&d->course);
    return right;
}

void course_free(struct course *course)
{
    struct pool pool = course->pool;

    free(course);
    pool_release(&pool);
}

void course_help(struct buf *out)
{
    ini_help(kinds, out);
}
