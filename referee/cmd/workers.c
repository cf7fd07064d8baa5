/* referee workers - show who plays for this front, and how well. */

#include "base/paint.h"
#include "cmd/cmd.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/database.h"
#include "cmd/lib/term.h"
#include "cmd/workers/report.h"
#include "many/schema.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static bool as_json, odd;
static const char *drain, *resume;
static int odd_ones; /* workers, in the report */

static const struct opt opts[] = {
    {"drain", "NAME", "give this worker no more work", OPT_TEXT, &drain, 0, 0},
    {"resume", "NAME", "give it work again, even if it was blocked", OPT_TEXT,
     &resume, 0, 0},
    {"report", NULL, "compare the workers with each other", OPT_FLAG, &odd, 0,
     0},
    {"json", NULL, "print it as JSON", OPT_FLAG, &as_json, 0, 0},
    {0},
};

static long long number(const json_t *worker, const char *key)
{
    return json_integer_value(json_object_get(worker, key));
}

static double rate(const json_t *worker)
{
    double hours = (double)number(worker, "up_s") / 3600;

    return hours > 0 ? (double)number(worker, "games") / hours : 0;
}

/* The state in one word. */
static const char *state_of(const json_t *worker)
{
    if (json_is_string(json_object_get(worker, "blocked")))
        return "blocked";
    if (!json_is_true(json_object_get(worker, "there")))
        return "away";
    if (json_is_true(json_object_get(worker, "drains")))
        return "drains";
    return number(worker, "playing") > 0 ? "plays" : "waits";
}

static int by_rank(const char *state)
{
    if (strcmp(state, "blocked") == 0)
        return PAINT_RED;
    return strcmp(state, "plays") == 0 || strcmp(state, "waits") == 0
               ? PAINT_GREEN
               : PAINT_YELLOW;
}

static void add_worker(const json_t *w, bool colour, struct buf *out)
{
    const char *state = state_of(w);
    int room = 8 - (int)strlen(state);

    buf_add(out, "%-24s ", view_text(w, "name"));
    painted(out, colour, (enum paint)by_rank(state), state);
    buf_add(out, "%*s%4lld/%-4lld %5.0f %7lld s %9lld %8.0f %6lld %5lld\n",
            room, "", number(w, "playing"), number(w, "slots"),
            json_number_value(json_object_get(w, "speed")), number(w, "beat_s"),
            number(w, "games"), rate(w), number(w, "forfeits"),
            number(w, "given_back") + number(w, "expired") + number(w, "late") +
                number(w, "refused"));
}

static void add_failures(const json_t *workers, struct buf *out)
{
    const json_t *w;
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)workers, i, w)
    {
        if (*view_text(w, "blocked"))
            buf_add(out, "%s is blocked: %s\n", view_text(w, "name"),
                    view_text(w, "blocked"));
        else if (*view_text(w, "last_failure"))
            buf_add(out, "%s failed last: %s\n", view_text(w, "name"),
                    view_text(w, "last_failure"));
        if (number(w, "refused") + number(w, "late") + number(w, "expired") > 0)
            buf_add(out,
                    "%s: %lld returned, %lld expired, %lld late, %lld "
                    "refused\n",
                    view_text(w, "name"), number(w, "given_back"),
                    number(w, "expired"), number(w, "late"),
                    number(w, "refused"));
    }
}

static void show(const json_t *workers)
{
    bool colour = term_colours(stdout);
    const json_t *w;
    struct buf out;
    size_t i;

    if (json_array_size(workers) == 0) {
        puts("no worker was seen in the last day");
        return;
    }
    buf_init(&out, 1 << 24);
    paint(&out, colour, PAINT_BOLD);
    buf_add(&out, "%-24s %-8s%9s %5s %9s %9s %8s %6s %5s", "worker", "state",
            "games", "speed", "heard of", "played", "an hour", "forf.",
            "fail.");
    paint(&out, colour, PAINT_PLAIN);
    buf_char(&out, '\n');
    json_array_foreach((json_t *)(uintptr_t)workers, i, w)
        add_worker(w, colour, &out);
    add_failures(workers, &out);
    fputs(out.text, stdout);
    buf_release(&out);
}

static double real(const json_t *worker, const char *key)
{
    return json_number_value(json_object_get(worker, key));
}

static void show_report(const json_t *report)
{
    const json_t *w, *text;
    size_t i, k;

    printf("%-24s %8s %6s %7s %7s %8s %6s %6s\n", "worker", "compared",
           "differ", "seats", "on time", "expected", "pace", "speed");
    json_array_foreach((json_t *)(uintptr_t)report, i, w)
        printf("%-24s %8lld %6lld %7.0f %7.0f %8.1f %6.2f %6.0f\n",
               view_text(w, "name"), number(w, "compared"), number(w, "differ"),
               real(w, "seats"), real(w, "late"), real(w, "late_expected"),
               real(w, "pace"), real(w, "speed"));
    json_array_foreach((json_t *)(uintptr_t)report, i, w)
        json_array_foreach(json_object_get(w, "odd"), k, text) printf(
            "%s is odd: %s\n", view_text(w, "name"), json_string_value(text));
}

/* Exit with code 1 if a worker is odd. */
static bool print_report(struct pg *pg, struct err *err)
{
    json_t *report = workers_report(pg, err);
    const json_t *w;
    size_t i;

    if (!report)
        return false;
    if (as_json) {
        json_dumpf(report, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        show_report(report);
    }
    json_array_foreach(report, i, w) odd_ones +=
        json_array_size(json_object_get(w, "odd")) > 0;
    json_decref(report);
    return true;
}

static bool print_all(struct pg *pg, struct err *err)
{
    struct pg_rows *rows;
    json_t *workers;

    if (!pg_run(pg, "SELECT them FROM referee.figures()", NULL, 0, &rows, err))
        return false;
    workers = json_loads(pg_text(rows, 0, 0), 0, NULL);
    if (as_json) {
        json_dumpf(workers, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        show(workers);
    }
    json_decref(workers);
    pg_free(rows);
    return true;
}

static bool change(struct pg *pg, const char *name, const char *sql,
                   const char *done, struct err *err)
{
    const struct pg_value value = PG_TEXT(name);
    struct pg_rows *rows;
    bool is_there;

    if (!pg_run(pg, sql, &value, 1, &rows, err))
        return false;
    is_there = pg_count(rows) > 0;
    pg_free(rows);
    if (!is_there)
        return fail(err,
                    "there is no worker \"%.40s\"; \"referee workers\" lists "
                    "them",
                    name);
    printf("%s %s\n", name, done);
    return true;
}

static bool act(struct pg *pg, struct err *err)
{
    int version;

    if (!schema_version(pg, &version, err) || !schema_fits(version, err))
        return false;
    if (drain)
        return change(pg, drain,
                      "UPDATE referee.workers SET drains = true"
                      " WHERE name = $1 RETURNING 1",
                      "takes no more work; it finishes its games", err);
    if (resume)
        return change(pg, resume,
                      "UPDATE referee.workers SET drains = false,"
                      " blocked = NULL WHERE name = $1 RETURNING 1",
                      "may take work again", err);
    return odd ? print_report(pg, err) : print_all(pg, err);
}

static int run(int argc, char **argv)
{
    struct pg *pg;
    struct err err;
    bool ok;

    if (argc != 1)
        return complain("workers takes one database: referee workers CONFIG, "
                        "or postgresql://...");
    if ((drain != NULL) + (resume != NULL) + odd > 1)
        return complain("use only one of --drain, --resume and --report");
    pg = database_open(argv[0], &err);
    ok = pg && act(pg, &err);
    pg_close(pg);
    return !ok ? complain_of(&err) : odd_ones > 0;
}

const struct subcommand cmd_workers = {
    .name = "workers",
    .args = "CONFIG|URL [--drain NAME|--resume NAME|--report] [--json]",
    .about = "show the workers on other machines",
    .more =
        "Lists the workers that have played for the fronts of a shared\n"
        "database in the last day: what each is playing, its speed, when it\n"
        "was last seen, its games in total and per hour, the seats forfeited\n"
        "in them, and how often it failed, with the last reason. A worker\n"
        "that delivered a wrong record is blocked until --resume.\n\n"
        "--report compares each worker with all others by the games of the\n"
        "last 7 days, and exits with 1 if one is odd.",
    .opts = opts,
    .run = run,
};
