/* Points for the place on a ladder. */

#include "cmd/grade/course.h"

#include "base/text.h"
#include "cmd/lib/data.h"

#include <stdlib.h>
#include <string.h>

bool places_read_points(const struct ini_value *v, struct err *err)
{
    struct places *places = v->to;
    const char *at = v->text;

    for (places->count = 0; !at_end(at); places->count++) {
        if (places->count == PLACES_MAX)
            return fail(err, "more than %d numbers", PLACES_MAX);
        if (!take_int(&at, 0, PLACE_POINTS_MAX,
                      &places->points[places->count]) ||
            (*at && *at != ' '))
            return fail(err,
                        "points are numbers with blanks between them, for the "
                        "first place, the second and so on: 10 6 3, not "
                        "\"%.40s\"",
                        v->text);
        at += strspn(at, " ");
    }
    return places->count > 0 || fail(err, "say at least one number");
}

static struct student *find_student(struct course *course, const char *name)
{
    for (int i = 0; i < course->students; i++)
        if (strcmp(course->student[i].name, name) == 0)
            return &course->student[i];
    return NULL;
}

/* The graded version, and no other of the same name. */
static bool note_standing(void *arg, const struct index_standing *row)
{
    struct student *student = find_student(arg, row->name);

    if (student && student->version && row->is_rated &&
        strcmp(student->version, row->text) == 0) {
        student->is_ranked = true;
        student->rating = row->elo;
        student->ladder_games = (int)row->games;
    }
    return true;
}

static void give_places(struct course *course)
{
    for (int i = 0; i < course->students; i++) {
        struct student *s = &course->student[i];

        if (!s->is_ranked)
            continue;
        s->place = 1;
        for (int k = 0; k < course->students; k++)
            s->place += course->student[k].is_ranked &&
                        course->student[k].rating > s->rating;
        if (s->place <= course->places->count)
            s->place_points = course->places->points[s->place - 1];
    }
}

static struct rate_anchor anchor_of(void *arg, const char *ladder)
{
    return data_anchor(arg, ladder);
}

struct wanted_ladder {
    const char *name;
    bool is_there;
};

static bool note_ladder(void *arg, const struct index_ladder *row)
{
    struct wanted_ladder *wanted = arg;

    wanted->is_there |= strcmp(row->name, wanted->name) == 0;
    return true;
}

static bool read_standings(struct course *course, const char *index_path,
                           struct err *err)
{
    struct index *index = index_open(index_path, INDEX_READ, err);
    struct wanted_ladder wanted = {.name = course->places->ladder};
    bool ok = index && index_ladders(index, note_ladder, &wanted, err) &&
              (wanted.is_there ||
               fail(err, "there are no games on a ladder called %s",
                    course->places->ladder)) &&
              index_standings(index, course->places->ladder, note_standing,
                              course, err);

    index_close(index);
    return ok;
}

bool course_places(struct course *course, struct err *err)
{
    struct data_folder data;
    bool ok;

    if (!course->places)
        return true;
    ok = data_find(&data, course->places->data, err);
    if (ok) {
        ok = rate_stale(data.index, course->places->ladder, anchor_of, &data,
                        err) &&
             read_standings(course, data.index, err);
        data_release(&data);
    }
    if (!ok)
        return fail_at(err, "[places]");
    give_places(course);
    return true;
}
