/* The files that contain the grades. */

#include "cmd/grade/course.h"
#include "cmd/ladder/view.h"

#include "base/text.h"
#include "cmd/lib/files.h"
#include "store/pack.h"
#include "web/page.h"
#include "web/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 256 << 20, PLACE_TEXT = 120 };

#define PLACE_TITLE "place on the ladder"

static bool write_json(const json_t *json, const char *path, struct err *err)
{
    char *text = json_dumps(json, JSON_INDENT(2));
    bool ok = disk_write(path, text, strlen(text), err);

    free(text);
    return ok;
}

static void add_place(const json_t *place, struct buf *out)
{
    buf_char(out, ',');
    if (view_has(place, "place"))
        buf_add(out, "%lld", view_int(place, "place"));
    buf_add(out, ",%lld", view_int(place, "points"));
}

/* One row for each student, one column for each level. */
static void write_csv(const json_t *grades, struct buf *out)
{
    size_t i, k;
    json_t *student, *level;

    buf_str(out, "name,points,version,handed_in");
    json_array_foreach(json_object_get(grades, "levels"), k, level)
        buf_add(out, ",%s", view_text(level, "name"));
    if (view_has(grades, "places"))
        buf_str(out, ",place,place_points");
    buf_str(out, ",problem\n");
    json_array_foreach(json_object_get(grades, "students"), i, student)
    {
        const json_t *levels = json_object_get(student, "levels");

        buf_add(out, "%s,%lld,%s,%s", view_text(student, "name"),
                view_int(student, "points"), view_text(student, "version"),
                view_text(student, "handed_in"));
        for (k = 0; k < json_array_size(json_object_get(grades, "levels")); k++)
            buf_add(out, ",%s",
                    view_text(json_array_get(levels, k), "verdict"));
        if (view_has(grades, "places"))
            add_place(json_object_get(student, "place"), out);
        buf_str(out, ",\"");
        for (const char *c = view_text(student, "problem"); *c; c++)
            buf_add(out, *c == '"' ? "\"\"" : "%c", *c);
        buf_str(out, "\"\n");
    }
}

/* A sentence for a student about a level. */
static void explain(const json_t *trial, struct buf *out)
{
    const char *verdict = view_text(trial, "verdict");

    buf_add(out, "%lld won, %lld tied, %lld lost of %lld games: ",
            view_int(trial, "wins"), view_int(trial, "ties"),
            view_int(trial, "losses"), view_int(trial, "games"));
    if (strcmp(verdict, "passed") == 0)
        buf_str(out, "better than this level");
    else if (strcmp(verdict, "failed") == 0)
        buf_str(out, "not better than this level");
    else
        buf_str(out, "too close to tell from these games");
    if (view_int(trial, "forfeits") > 0)
        buf_add(out, "; %lld of the losses by forfeit (%s)",
                view_int(trial, "forfeits"), view_text(trial, "fault"));
}

/* "place 2 of 9 students, ..." */
static void explain_place(const json_t *grades, const json_t *place,
                          char text[PLACE_TEXT])
{
    const json_t *places = json_object_get(grades, "places");

    if (view_has(place, "place"))
        snprintf(text, PLACE_TEXT,
                 "place %lld of %lld students, rating %lld after %lld games",
                 view_int(place, "place"), view_int(places, "students"),
                 view_int(place, "rating"), view_int(place, "games"));
    else
        snprintf(text, PLACE_TEXT, "no rating on the ladder, so no place");
}

/* A case that passes if it gave points. */
static void add_place_case(const json_t *grades, const json_t *student,
                           struct buf *out)
{
    const json_t *place = json_object_get(student, "place");
    long long points = view_int(place, "points");
    const char *kind = points > 0 ? "system-out" : "failure";
    char text[PLACE_TEXT];

    explain_place(grades, place, text);
    buf_add(out, "<testcase name=\"" PLACE_TITLE "\"><%s>%lld points: %s", kind,
            points, text);
    buf_add(out, "</%s></testcase>\n", kind);
}

/* JUnit's format, which every build server displays. */
static void write_junit(const json_t *grades, struct buf *out)
{
    bool has_places = view_has(grades, "places");
    size_t i, k;
    json_t *student, *trial;
    struct buf text;

    buf_init(&text, 4096);
    buf_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    json_array_foreach(json_object_get(grades, "students"), i, student)
    {
        const json_t *levels = json_object_get(student, "levels");

        buf_add(out, "<testsuite name=\"%s\" tests=\"%zu\">\n",
                view_text(student, "name"),
                (json_array_size(levels) ? json_array_size(levels) : 1) +
                    has_places);
        if (json_array_size(levels) == 0) {
            buf_str(out, "<testcase name=\"hand-in\"><failure>");
            html_text(out, view_text(student, "problem"));
            buf_str(out, "</failure></testcase>\n");
        }
        json_array_foreach(levels, k, trial)
        {
            bool passed = strcmp(view_text(trial, "verdict"), "passed") == 0;

            buf_reset(&text);
            explain(trial, &text);
            buf_add(out, "<testcase name=\"%s\">%s", view_text(trial, "level"),
                    passed ? "<system-out>" : "<failure>");
            html_text(out, text.text);
            buf_add(out, "%s</testcase>\n",
                    passed ? "</system-out>" : "</failure>");
        }
        if (has_places)
            add_place_case(grades, student, out);
        buf_str(out, "</testsuite>\n");
    }
    buf_str(out, "</testsuites>\n");
    buf_release(&text);
}

static void add_place_test(const json_t *grades, const json_t *student,
                           json_t *tests)
{
    const json_t *places = json_object_get(grades, "places");
    const json_t *place = json_object_get(student, "place");
    char text[PLACE_TEXT];

    if (!places)
        return;
    explain_place(grades, place, text);
    json_array_append_new(
        tests, json_pack("{s:s, s:I, s:O, s:s}", "name", PLACE_TITLE, "score",
                         (json_int_t)view_int(place, "points"), "max_score",
                         json_array_get(json_object_get(places, "points"), 0),
                         "output", text));
}

/* Gradescope's results.json: a test for each level. */
static json_t *gradescope_json(const json_t *grades, const json_t *student)
{
    json_t *tests = json_array(), *trial;
    size_t k;
    struct buf text;

    buf_init(&text, 4096);
    json_array_foreach(json_object_get(student, "levels"), k, trial)
    {
        const json_t *level =
            json_array_get(json_object_get(grades, "levels"), k);

        buf_reset(&text);
        explain(trial, &text);
        json_array_append_new(
            tests,
            json_pack("{s:s, s:I, s:I, s:s}", "name", view_text(trial, "level"),
                      "score", (json_int_t)view_int(trial, "points"),
                      "max_score", (json_int_t)view_int(level, "points"),
                      "output", text.text));
    }
    buf_release(&text);
    add_place_test(grades, student, tests);
    return json_pack("{s:I, s:s, s:s, s:o}", "score",
                     (json_int_t)view_int(student, "points"), "output",
                     view_text(student, "problem"), "visibility", "visible",
                     "tests", tests);
}

/* The games that a student's page links to. */

static bool add_game(struct page *page, struct pack *pack, const char *id,
                     struct err *err)
{
    const struct packed *packed = pack_find(pack, id);
    struct steps steps;
    json_t *document;
    struct buf text;
    char *copy;
    bool ok;

    if (!packed)
        return true;
    buf_init(&text, FILE_BYTES_MAX);
    steps_init(&steps, AUDIENCE_REFEREE);
    ok = pack_read(pack, packed, &text, err);
    copy = ok ? strdup(text.text) : NULL; /* reading splits it in place */
    ok = ok && steps_read(&steps, id, 0, text.text, text.len, &document, err);
    if (ok)
        page_add(page, document, id, copy);
    free(copy);
    steps_release(&steps);
    buf_release(&text);
    return ok;
}

static bool write_games(struct pack *pack, const json_t *student,
                        const char *path, bool *any, struct err *err)
{
    static const char *const kinds[] = {"lost", "won"};
    struct page page;
    struct buf out;
    json_t *trial;
    bool ok = true;
    size_t k;

    page_init(&page);
    json_array_foreach(json_object_get(student, "levels"), k,
                       trial) for (int i = 0; i < 2 && ok;
                                   i++) if (json_object_get(trial, kinds[i]))
        ok = add_game(&page, pack, view_text(trial, kinds[i]), err);
    *any = page_count(&page) > 0;
    if (ok && *any) {
        buf_init(&out, FILE_BYTES_MAX);
        page_write(&page, &out);
        ok = disk_write(path, out.text, out.len, err);
        buf_release(&out);
    }
    page_release(&page);
    return ok;
}

/* A student's bot's thinking time, from the records of its games. */

struct times {
    int64_t moves, sum_us, most_us;
};

static void add_clock(const char *line, int own, struct times *t)
{
    long long used;
    int seat;

    if (sscanf(line, "@- clock %d %*s used=%lld", &seat, &used) != 2 ||
        seat != own)
        return;
    t->moves++;
    t->sum_us += used;
    t->most_us = used > t->most_us ? used : t->most_us;
}

static void add_record(const char *text, const char *name, struct times *t)
{
    int own = 0;

    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        char who[BOT_NAME_MAX + 1];
        int seat;

        if (sscanf(text, "seat %d name=%32s", &seat, who) == 2 &&
            strcmp(who, name) == 0)
            own = seat;
        else if (own > 0 && text[0] == '@')
            add_clock(text, own, t);
    }
}

static bool measure_trial(const struct course *course, struct pack *pack, int i,
                          int k, struct times *t, struct err *err)
{
    const struct trial *trial = &course->student[i].trial[k];
    struct buf text;
    bool ok = true;

    buf_init(&text, FILE_BYTES_MAX);
    for (int game = 0; ok && game < 2 * trial->counted; game++) {
        const struct packed *packed;
        char id[64];

        trial_game_id(course, i, k, game, id);
        packed = pack_find(pack, id);
        buf_reset(&text);
        ok = !packed || pack_read(pack, packed, &text, err);
        if (ok && packed && text.len > 0)
            add_record(text.text, course->student[i].name, t);
    }
    buf_release(&text);
    return ok;
}

/* Only for the page: timings differ between gradings. */
static bool add_times(const struct course *course, struct pack *pack, int i,
                      json_t *student, struct err *err)
{
    size_t k;
    json_t *trial;

    json_array_foreach(json_object_get(student, "levels"), k, trial)
    {
        struct times t = {0};

        if (!measure_trial(course, pack, i, (int)k, &t, err))
            return false;
        if (t.moves > 0)
            json_object_set_new(
                trial, "time",
                json_pack("{s:f, s:f}", "mean_ms",
                          (double)t.sum_us / 1000 / (double)t.moves, "most_ms",
                          (double)t.most_us / 1000));
    }
    return true;
}

static bool write_page(const struct course *course, struct pack *pack,
                       const json_t *grades, int i, bool has_games,
                       struct err *err)
{
    json_t *student = json_deep_copy(
        json_array_get(json_object_get(grades, "students"), (size_t)i));
    char path[DISK_PATH_MAX];
    struct buf page;
    bool ok;

    buf_init(&page, FILE_BYTES_MAX);
    ok = add_times(course, pack, i, student, err);
    if (ok)
        student_page(grades, student, has_games, &page);
    snprintf(path, sizeof path, "%s/students/%s.html", course->out,
             view_text(student, "name"));
    ok = ok && disk_write(path, page.text, page.len, err);
    buf_release(&page);
    json_decref(student);
    return ok;
}

static bool write_student(const struct course *course, struct pack *pack,
                          const json_t *grades, int i, const json_t *student,
                          struct err *err)
{
    const char *name = view_text(student, "name");
    json_t *results = gradescope_json(grades, student);
    char path[DISK_PATH_MAX];
    bool ok, has_games;

    snprintf(path, sizeof path, "%s/gradescope/%s.json", course->out, name);
    ok = write_json(results, path, err);
    json_decref(results);
    snprintf(path, sizeof path, "%s/students/%s-games.html", course->out, name);
    ok = ok && write_games(pack, student, path, &has_games, err);
    return ok && write_page(course, pack, grades, i, has_games, err);
}

static bool write_tables(const struct course *course, const json_t *grades,
                         struct err *err)
{
    char path[DISK_PATH_MAX];
    struct buf out;
    bool ok;

    buf_init(&out, FILE_BYTES_MAX);
    write_csv(grades, &out);
    snprintf(path, sizeof path, "%s/grades.csv", course->out);
    ok = disk_write(path, out.text, out.len, err);
    buf_reset(&out);
    write_junit(grades, &out);
    snprintf(path, sizeof path, "%s/junit.xml", course->out);
    ok = ok && disk_write(path, out.text, out.len, err);
    buf_release(&out);
    snprintf(path, sizeof path, "%s/grades.json", course->out);
    return ok && write_json(grades, path, err);
}

bool grades_write(const struct course *course, const json_t *grades,
                  struct err *err)
{
    static const char *const folders[] = {"", "/gradescope", "/students"};
    struct pack *pack;
    json_t *student;
    bool ok = true;
    size_t i;

    for (i = 0; i < sizeof folders / sizeof *folders && ok; i++) {
        char path[DISK_PATH_MAX];

        snprintf(path, sizeof path, "%s%s", course->out, folders[i]);
        ok = disk_folder(path, err);
    }
    pack =
        ok ? pack_open(course->contest.folder, true, 1, NULL, NULL, err) : NULL;
    if (!pack)
        return false;
    json_array_foreach(json_object_get(grades, "students"), i, student) if (ok)
        ok = write_student(course, pack, grades, (int)i, student, err);
    pack_close(pack);
    return ok && write_tables(course, grades, err);
}
