/* The grades as one document; every file is made from it. */

#include "cmd/grade/course.h"
#include "cmd/ladder/view.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *level_json(const struct course *course, int k)
{
    const struct level *level = course->level[k];

    return json_pack("{s:s, s:i, s:s*, s:s}", "name", level->entry.name,
                     "points", level->points, "command",
                     level->is_hidden ? NULL : level->entry.command, "digest",
                     course->contest.player[k].digest);
}

static json_t *game_id(const struct course *course, int student, int level,
                       int game)
{
    char id[64];

    if (game < 0)
        return NULL;
    trial_game_id(course, student, level, game, id);
    return json_string(id);
}

static json_t *trial_json(const struct course *course, int i, int k)
{
    const struct trial *t = &course->student[i].trial[k];
    int games = t->wins + t->ties + t->losses;
    bool passed = t->test.verdict == ANYTIME_BETTER;

    return json_pack(
        "{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:s*, s:o*, s:o*}", "level",
        course->level[k]->entry.name, "verdict", trial_word(t), "points",
        passed ? course->level[k]->points : 0, "games", games, "wins", t->wins,
        "ties", t->ties, "losses", t->losses, "forfeits", t->forfeits, "fault",
        t->fault, "won", game_id(course, i, k, t->won), "lost",
        game_id(course, i, k, t->lost));
}

/* NULL if places were not requested. */
static json_t *place_json(const struct course *course, const struct student *s)
{
    if (!course->places)
        return NULL;
    if (!s->is_ranked)
        return json_pack("{s:i}", "points", 0);
    return json_pack("{s:i, s:i, s:i, s:i}", "place", s->place, "points",
                     s->place_points, "rating", (int)lround(s->rating), "games",
                     s->ladder_games);
}

static json_t *student_json(const struct course *course, int i)
{
    const struct student *s = &course->student[i];
    json_t *levels = json_array();
    int points = 0;

    for (int k = 0; k < course->levels && s->player >= 0; k++) {
        json_t *trial = trial_json(course, i, k);

        points += (int)json_integer_value(json_object_get(trial, "points"));
        json_array_append_new(levels, trial);
    }
    return json_pack("{s:s, s:s*, s:s*, s:s*, s:i, s:o, s:o*}", "name", s->name,
                     "version", s->version, "handed_in", s->at, "problem",
                     s->why[0] ? s->why : NULL, "points",
                     points + s->place_points, "levels", levels, "place",
                     place_json(course, s));
}

static json_t *places_json(const struct course *course)
{
    json_t *points = json_array();
    int ranked = 0;

    if (!course->places) {
        json_decref(points);
        return NULL;
    }
    for (int i = 0; i < course->places->count; i++)
        json_array_append_new(points, json_integer(course->places->points[i]));
    for (int i = 0; i < course->students; i++)
        ranked += course->student[i].is_ranked;
    return json_pack("{s:s, s:o, s:i}", "ladder", course->places->ladder,
                     "points", points, "students", ranked);
}

json_t *course_json(const struct course *course)
{
    json_t *levels = json_array(), *students = json_array();
    char seed[2 * SEED_BYTES + 1];
    int most = 0;

    text_hex(seed, course->contest.seed, SEED_BYTES);
    for (int k = 0; k < course->levels; k++) {
        json_array_append_new(levels, level_json(course, k));
        most += course->level[k]->points;
    }
    if (course->places)
        most += course->places->points[0];
    for (int i = 0; i < course->students; i++)
        json_array_append_new(students, student_json(course, i));
    return json_pack(
        "{s:s, s:s, s:s, s:s*, s:i, s:i, s:s, s:i, s:o, s:o, s:o*}", "course",
        course->name, "game", course->contest.game->name, "time", course->time,
        "deadline", course->deadline, "budget", course->budget, "confidence",
        course->confidence, "seed", seed, "max_points", most, "levels", levels,
        "students", students, "places", places_json(course));
}

/* Changes since the previous grading. */

static const json_t *named(const json_t *array, const char *key,
                           const char *name)
{
    size_t i;
    json_t *item;

    json_array_foreach(array, i, item) if (strcmp(view_text(item, key), name) ==
                                           0) return item;
    return NULL;
}

static bool same(const json_t *a, const json_t *b, const char *key)
{
    const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);

    return x == y || json_equal(x, y); /* json_equal(NULL, NULL) is 0 */
}

/* "level 3: failed, now passed", with the reason. */
static void compare_levels(const json_t *before, const json_t *grades,
                           const json_t *old, const json_t *new,
                           struct buf *out)
{
    size_t i;
    json_t *trial;

    json_array_foreach(json_object_get(new, "levels"), i, trial)
    {
        const char *level = view_text(trial, "level");
        const json_t *was =
            named(json_object_get(old, "levels"), "level", level);
        const json_t *a = named(json_object_get(before, "levels"), "name",
                                level),
                     *b = named(json_object_get(grades, "levels"), "name",
                                level);

        if (was && json_equal(was, trial))
            continue;
        buf_add(out, "; level %s: %s, now %s%s", level,
                was ? view_text(was, "verdict") : "not there",
                view_text(trial, "verdict"),
                a && !same(a, b, "digest")   ? " (the level's bot changed)"
                : a && !same(a, b, "points") ? " (its points changed)"
                                             : "");
        if (was && same(was, trial, "verdict"))
            buf_add(out, " (%lld of %lld games won, now %lld of %lld)",
                    view_int(was, "wins"), view_int(was, "games"),
                    view_int(trial, "wins"), view_int(trial, "games"));
    }
    json_array_foreach(json_object_get(old, "levels"), i,
                       trial) if (!named(json_object_get(new, "levels"),
                                         "level", view_text(trial, "level")))
        buf_add(out, "; level %s: %s, no longer played",
                view_text(trial, "level"), view_text(trial, "verdict"));
}

static void compare_places(const json_t *old, const json_t *new,
                           struct buf *out)
{
    const json_t *was = json_object_get(old, "place"),
                 *now = json_object_get(new, "place");

    if (same(was, now, "place") && same(was, now, "points"))
        return;
    buf_str(out, "; place on the ladder: ");
    if (view_has(now, "place"))
        buf_add(out, "%lld", view_int(now, "place"));
    else
        buf_str(out, "none");
    if (view_has(was, "place"))
        buf_add(out, ", was %lld", view_int(was, "place"));
    else
        buf_str(out, ", had none");
}

static void compare_student(const json_t *before, const json_t *grades,
                            const json_t *new, struct lines *out)
{
    const char *name = view_text(new, "name");
    const json_t *old =
        named(json_object_get(before, "students"), "name", name);
    long long points = json_integer_value(json_object_get(new, "points"));
    struct buf why;

    if (!old) {
        tell(out, EVERYONE, "%s: %lld points; was not graded before", name,
             points);
        return;
    }
    if (json_equal(old, new))
        return;
    buf_init(&why, 4096);
    if (!same(old, new, "version"))
        buf_add(&why, "; version %s, was %s",
                *view_text(new, "version") ? view_text(new, "version") : "none",
                *view_text(old, "version") ? view_text(old, "version")
                                           : "none");
    compare_levels(before, grades, old, new, &why);
    compare_places(old, new, &why);
    tell(out, EVERYONE, "%s: %lld points, were %lld%s", name, points,
         (long long)json_integer_value(json_object_get(old, "points")),
         why.len ? why.text : "");
    buf_release(&why);
}

void grades_compare(const json_t *before, const json_t *grades,
                    struct lines *out)
{
    static const char *const rules[] = {
        "game", "time", "deadline", "confidence", "budget", "seed", "places"};
    size_t i;
    json_t *student;

    if (!before)
        return;
    for (i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!same(before, grades, rules[i]))
            tell(out, EVERYONE, "the course: %s changed", rules[i]);
    json_array_foreach(json_object_get(grades, "students"), i, student)
        compare_student(before, grades, student, out);
    json_array_foreach(json_object_get(before, "students"), i,
                       student) if (!named(json_object_get(grades, "students"),
                                           "name", view_text(student, "name")))
        tell(out, EVERYONE, "%s: no longer there", view_text(student, "name"));
}
