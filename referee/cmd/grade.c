/* referee grade - grade the bots that students submitted. */

#include "cmd/cmd.h"
#include "cmd/grade/course.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/term.h"

#include <stdio.h>
#include <string.h>

enum { CONCURRENCY_MAX = 4000 };

static struct course_args args;
static const char *fill, *roster, *column = "Grade";
static bool regrade, quiet, as_json, as_csv, only_check, help_config;

static const struct opt opts[] = {
    {"out", "FOLDER", "folder for the grades (default: as in the file)",
     OPT_TEXT, &args.out, 0, 0},
    {"handins", "FOLDER", "folder of the hand-ins (default: as in the file)",
     OPT_TEXT, &args.handins, 0, 0},
    {"concurrency", "N", "games played at once", OPT_INT, &args.concurrency, 1,
     CONCURRENCY_MAX},
    {"fill", "FILE",
     "print this CSV file of a learning platform with the points filled in",
     OPT_TEXT, &fill, 0, 0},
    {"column", "TITLE",
     "the beginning of the title of its column for the "
     "points (default Grade)",
     OPT_TEXT, &column, 0, 0},
    {"roster", "FILE",
     "CSV file of name,student: each student's name on the platform", OPT_TEXT,
     &roster, 0, 0},
    {"regrade", NULL, "replace grades that differ from those already written",
     OPT_FLAG, &regrade, 0, 0},
    {"json", NULL, "print the grades as JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "print the grades as CSV", OPT_FLAG, &as_csv, 0, 0},
    WORKERS_OPTS(args.workers),
    {"quiet", NULL, "no progress line", OPT_FLAG, &quiet, 0, 0},
    {"check", NULL, "only check the file, and report all mistakes", OPT_FLAG,
     &only_check, 0, 0},
    {"help-config", NULL, "list the sections and keys of the file", OPT_FLAG,
     &help_config, 0, 0},
    {0},
};

static int show_help(void)
{
    struct buf help;

    buf_init(&help, 1 << 16);
    course_help(&help);
    fputs(help.text, stdout);
    buf_release(&help);
    return 0;
}

/* Prints its own errors; NULL if the file has a mistake. */
static struct course *read_course(const char *path)
{
    struct course *course = NULL;
    struct lines remarks;
    bool right;

    lines_init(&remarks, COURSE_REMARKS_BYTES);
    right = course_read(path, &args, &course, &remarks);
    for (size_t i = 0; i < remarks.count; i++)
        complain("%s", lines_text(&remarks, i));
    lines_release(&remarks);
    return right ? course : NULL;
}

static void print_table(const json_t *grades)
{
    size_t i, k;
    json_t *student, *trial, *level;

    printf("%-20s %6s", "name", "points");
    json_array_foreach(json_object_get(grades, "levels"), k, level)
        printf("  %-10.20s", view_text(level, "name"));
    putchar('\n');
    json_array_foreach(json_object_get(grades, "students"), i, student)
    {
        printf("%-20s %6lld", view_text(student, "name"),
               view_int(student, "points"));
        json_array_foreach(json_object_get(student, "levels"), k, trial)
            printf("  %-10s", view_text(trial, "verdict"));
        if (view_has(json_object_get(student, "place"), "place"))
            printf("  place %lld",
                   view_int(json_object_get(student, "place"), "place"));
        if (view_has(student, "problem"))
            printf("  %s", view_text(student, "problem"));
        putchar('\n');
    }
}

static bool print_file(const struct course *course, const char *name,
                       struct err *err)
{
    char path[DISK_PATH_MAX];
    struct buf text;
    bool ok;

    snprintf(path, sizeof path, "%s/%s", course->out, name);
    buf_init(&text, 256 << 20);
    ok = disk_read(path, &text, err);
    if (ok)
        fwrite(text.text, 1, text.len, stdout);
    buf_release(&text);
    return ok;
}

static bool print_filled(const json_t *grades, struct err *err)
{
    struct buf out;
    bool ok;

    buf_init(&out, 256 << 20);
    ok = grades_fill(grades, fill, roster, column, &out, err);
    if (ok)
        fwrite(out.text, 1, out.len, stdout);
    buf_release(&out);
    return ok;
}

static bool print_result(const struct course *course, const json_t *grades,
                         struct err *err)
{
    if (fill)
        return print_filled(grades, err);
    if (as_json)
        return print_file(course, "grades.json", err);
    if (as_csv)
        return print_file(course, "grades.csv", err);
    print_table(grades);
    return true;
}

/* The previous grades; NULL if there were none. */
static json_t *read_old(const struct course *course)
{
    char path[DISK_PATH_MAX];

    snprintf(path, sizeof path, "%s/grades.json", course->out);
    return json_load_file(path, 0, NULL);
}

/* How many there are. */
static size_t tell_changes(const json_t *before, const json_t *grades)
{
    struct lines changes;
    size_t count;

    lines_init(&changes, COURSE_REMARKS_BYTES);
    grades_compare(before, grades, &changes);
    for (size_t i = 0; i < changes.count; i++)
        fprintf(stderr, "%s\n", lines_text(&changes, i));
    count = changes.count;
    lines_release(&changes);
    return count;
}

/* Grades may have been handed out: others take their place only if asked. */
static int hand_out(const struct course *course, const json_t *before,
                    const json_t *grades)
{
    struct err err;

    if (tell_changes(before, grades) > 0 && !regrade) {
        fprintf(stderr,
                "referee: the grades in %s differ as listed above, and stay as "
                "they are; --regrade replaces them\n",
                course->out);
        return 1;
    }
    if (!grades_write(course, grades, &err) ||
        !print_result(course, grades, &err))
        return complain_of(&err);
    return 0;
}

static int grade(struct course *course)
{
    json_t *before = read_old(course), *grades = NULL;
    int code = 0, signal = 0;
    struct err err;

    if (!course_play(course, quiet, &signal, &err)) {
        code = complain_of(&err);
    } else if (signal) {
        code = 128 + signal;
        fputs("referee: stopped; run the same command to continue\n", stderr);
    } else if (!course_places(course, &err)) {
        code = complain_of(&err);
    } else {
        grades = course_json(course);
        code = hand_out(course, before, grades);
    }
    json_decref(grades);
    json_decref(before);
    return code;
}

/* A mistake is told before hours of games, not after them. */
static bool rehearse_fill(const struct course *course, struct err *err)
{
    json_t *list = json_array();
    json_t *grades = json_pack("{s:o}", "students", list);
    struct buf out;
    bool ok;

    for (int i = 0; i < course->students; i++)
        json_array_append_new(
            list, json_pack("{s:s}", "name", course->student[i].name));
    buf_init(&out, 256 << 20);
    ok = grades_fill(grades, fill, roster, column, &out, err);
    buf_release(&out);
    json_decref(grades);
    return ok;
}

static int run(int argc, char **argv)
{
    struct course *course;
    struct err err;
    int code = 0;

    if (help_config)
        return show_help();
    if (argc != 1)
        return complain("grade takes one file: referee grade COURSE.ini");
    if (as_json + as_csv + (fill != NULL) > 1)
        return complain(
            "--json, --csv and --fill cannot be combined: choose one");
    if (roster && !fill)
        return complain("--roster belongs to --fill FILE, the file of your "
                        "learning platform");
    course = read_course(argv[0]);
    if (!course)
        return 2;
    if (fill && !rehearse_fill(course, &err))
        code = complain("--fill: %s", err.text);
    else if (only_check)
        printf("%s is correct: %d students, %d levels, at most %d games\n",
               argv[0], course->students, course->levels,
               course->students * course->levels * course->budget);
    else
        code = grade(course);
    course_free(course);
    return code;
}

const struct subcommand cmd_grade = {
    .name = "grade",
    .args = "COURSE.ini [OPTION...]",
    .about = "grade the bots of a course",
    .more =
        "Every student's last valid version before the deadline plays bots\n"
        "of known strength, the levels, until it is clear whether it is\n"
        "better. Writes grades.csv, grades.json, junit.xml, a results.json\n"
        "for Gradescope and a page for each student.\n"
        "\n"
        "If the command is interrupted, run it again to continue. Later it\n"
        "plays only what has changed and explains every difference, but\n"
        "replaces the grades only with --regrade. The same seed gives the\n"
        "same grades if the bots themselves are deterministic. Exit code 1:\n"
        "the grades differ and were not replaced.\n"
        "\n"
        "Examples:\n"
        "  referee grade --check course.ini\n"
        "  referee grade course.ini --concurrency 8\n"
        "  referee grade course.ini --regrade\n"
        "  referee grade course.ini --fill moodle.csv --column Grade > "
        "upload.csv",
    .opts = opts,
    .run = run,
};
