#include "cmd/workers/report.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEADY = 3, GAMES_MIN = 20, MOVES_MIN = 100 };

static const double rare = 1e-4, odd_pace = 2;

/* A bot of an event on one worker: sums over its seats. */
struct row {
    const char *worker, *event, *bot;
    double seats, points, squares, late, moves, used_ms;
};

/* A unit played by two workers. */
struct pair {
    const char *first, *second, *names, *bot; /* "": no difference */
    const char *differs;
};

struct facts {
    struct pg_rows *of_rows, *of_pairs;
    struct row *row;
    struct pair *pair;
    int rows, pairs;
};

/* "ranks=1,2 names=a,b left=-,time moves=17,16 used_ms=120,3000" */
static const char rows_sql[] =
    "WITH game AS (SELECT worker, event,"
    "  string_to_array(substring(summary FROM 'ranks=([^ ]*)'), ',')::int[] r,"
    "  string_to_array(substring(summary FROM 'names=([^ ]*)'), ',') n,"
    "  string_to_array(substring(summary FROM 'left=([^ ]*)'), ',') l,"
    "  string_to_array(substring(summary FROM 'moves=([^ ]*)'), ',')::int[] m,"
    "  string_to_array(substring(summary FROM 'used_ms=([^ ]*)'), ',')::bigint[]"
    "   u FROM referee.games WHERE day > current_date - $1::int"
    "   AND summary LIKE 'ranks=%used_ms=%'),"
    " seat AS (SELECT worker, event, n[i] AS bot, l[i] AS why, m[i] AS moves,"
    "  u[i] AS used, (SELECT coalesce(avg(CASE WHEN o > r[i] THEN 1"
    "   WHEN o = r[i] THEN 0.5 ELSE 0 END), 0) FROM unnest(r) WITH ORDINALITY"
    "   AS x(o, j) WHERE j <> i) AS points"
    "  FROM game, generate_subscripts(n, 1) AS i)"
    " SELECT worker, event, bot, count(*), sum(points), sum(points * points),"
    "  count(*) FILTER (WHERE why = 'time'), sum(moves), sum(used)"
    " FROM seat GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";

static const char pairs_sql[] =
    "SELECT first_worker, second_worker, names, coalesce(bot, ''),"
    " coalesce(differs, '') FROM referee.twins"
    " WHERE done > now() - make_interval(days => $1::int) ORDER BY done";

static bool ask(struct pg *pg, const char *sql, struct pg_rows **rows,
                struct err *err)
{
    char days[16];
    const struct pg_value value = PG_TEXT(days);

    snprintf(days, sizeof days, "%d", REPORT_DAYS);
    return pg_run(pg, sql, &value, 1, rows, err);
}

static bool read_facts(struct pg *pg, struct facts *f, struct err *err)
{
    if (!ask(pg, rows_sql, &f->of_rows, err) ||
        !ask(pg, pairs_sql, &f->of_pairs, err))
        return false;
    f->rows = pg_count(f->of_rows);
    f->pairs = pg_count(f->of_pairs);
    f->row = must_alloc(calloc((size_t)f->rows + 1, sizeof *f->row));
    f->pair = must_alloc(calloc((size_t)f->pairs + 1, sizeof *f->pair));
    for (int i = 0; i < f->rows; i++)
        f->row[i] =
            (struct row){pg_text(f->of_rows, i, 0), pg_text(f->of_rows, i, 1),
                         pg_text(f->of_rows, i, 2), pg_real(f->of_rows, i, 3),
                         pg_real(f->of_rows, i, 4), pg_real(f->of_rows, i, 5),
                         pg_real(f->of_rows, i, 6), pg_real(f->of_rows, i, 7),
                         pg_real(f->of_rows, i, 8)};
    for (int i = 0; i < f->pairs; i++)
        f->pair[i] = (struct pair){
            pg_text(f->of_pairs, i, 0), pg_text(f->of_pairs, i, 1),
            pg_text(f->of_pairs, i, 2), pg_text(f->of_pairs, i, 3),
            pg_text(f->of_pairs, i, 4)};
    return true;
}

static void forget_facts(struct facts *f)
{
    pg_free(f->of_rows);
    pg_free(f->of_pairs);
    free(f->row);
    free(f->pair);
}

/* Moves. */

static bool plays_in(const struct pair *p, const char *bot)
{
    char word[64];

    snprintf(word, sizeof word, " %.60s ", bot);
    return strstr(p->names, word) != NULL;
}

static bool is_by(const struct pair *p, const char *worker)
{
    return strcmp(p->first, worker) == 0 || strcmp(p->second, worker) == 0;
}

/* Comparisons of this bot between other workers; -1: it differed there. */
static int steadiness(const struct facts *f, const char *bot,
                      const char *worker)
{
    int same = 0;

    for (int i = 0; i < f->pairs; i++) {
        const struct pair *p = &f->pair[i];

        if (is_by(p, worker) || !plays_in(p, bot))
            continue;
        if (strcmp(p->bot, bot) == 0)
            return -1;
        same += !*p->differs;
    }
    return same;
}

static void compare_moves(const struct facts *f, const char *worker,
                          json_t *out, json_t *odd)
{
    int compared = 0, differ = 0, steady = 0;
    const char *bot = "";
    char text[200];

    for (int i = 0; i < f->pairs; i++) {
        const struct pair *p = &f->pair[i];

        if (!is_by(p, worker))
            continue;
        compared++;
        differ += *p->differs != '\0';
        if (*p->bot && steadiness(f, p->bot, worker) >= STEADY) {
            steady++;
            bot = p->bot;
        }
    }
    json_object_set_new(out, "compared", json_integer(compared));
    json_object_set_new(out, "differ", json_integer(differ));
    if (steady == 0)
        return;
    snprintf(text, sizeof text,
             "moves: %d of %d units that it and another worker played differ "
             "by a bot that never differs elsewhere, such as %s",
             steady, compared, bot);
    json_array_append_new(odd, json_string(text));
}

/* Results, forfeits and times. */

/* The same bot on all other workers. */
static struct row elsewhere(const struct facts *f, const struct row *r)
{
    struct row sum = {0};

    for (int i = 0; i < f->rows; i++) {
        const struct row *o = &f->row[i];

        if (strcmp(o->worker, r->worker) == 0 || strcmp(o->bot, r->bot) != 0 ||
            strcmp(o->event, r->event) != 0)
            continue;
        sum.seats += o->seats;
        sum.points += o->points;
        sum.squares += o->squares;
        sum.late += o->late;
        sum.moves += o->moves;
        sum.used_ms += o->used_ms;
    }
    return sum;
}

/* Two-sided, from the normal distribution. */
static double chance_of_points(const struct row *a, const struct row *b)
{
    double n = a->seats + b->seats, mean = (a->points + b->points) / n;
    double variance = (a->squares + b->squares) / n - mean * mean;
    double d = a->points / a->seats - b->points / b->seats;

    if (variance <= 0)
        return 1;
    return erfc(fabs(d) / sqrt(2 * variance * (1 / a->seats + 1 / b->seats)));
}

/* The probability of at least k of n, with share p. */
static double binomial_tail(double k, double n, double p)
{
    double below = 0;

    for (double i = 0; i < k; i++)
        below += exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) +
                     i * log(p) + (n - i) * log1p(-p));
    return below >= 1 ? 0 : 1 - below;
}

static void compare_points(const struct row *r, const struct row *o,
                           json_t *odd)
{
    char text[200];

    if (r->seats < GAMES_MIN || o->seats < GAMES_MIN ||
        chance_of_points(r, o) >= rare)
        return;
    snprintf(text, sizeof text,
             "points: %s has %.0f %% on %s here (%.0f games), and %.0f %% "
             "elsewhere (%.0f games)",
             r->bot, 100 * r->points / r->seats, r->event, r->seats,
             100 * o->points / o->seats, o->seats);
    json_array_append_new(odd, json_string(text));
}

static void tell_late(double late, double expected, double seats,
                      double others_late, double others, json_t *odd)
{
    double share = (others_late + 1) / (others + 2);
    char text[200];

    if (seats < GAMES_MIN || others < GAMES_MIN ||
        binomial_tail(late, seats, share) >= rare)
        return;
    snprintf(text, sizeof text,
             "time: %.0f of %.0f seats were lost on time, where %.1f would be "
             "as many as elsewhere",
             late, seats, expected);
    json_array_append_new(odd, json_string(text));
}

static void tell_pace(double pace, double moves, json_t *odd)
{
    char text[200];

    if (moves < MOVES_MIN || (pace < odd_pace && pace > 1 / odd_pace))
        return;
    snprintf(text, sizeof text,
             "pace: bots take %.2f times as long for a move as elsewhere",
             pace);
    json_array_append_new(odd, json_string(text));
}

static void compare_rows(const struct facts *f, const char *worker, json_t *out,
                         json_t *odd)
{
    double seats = 0, late = 0, others = 0, others_late = 0, expected = 0;
    double moves = 0, used = 0, usual = 0, pace;

    for (int i = 0; i < f->rows; i++) {
        const struct row *r = &f->row[i];
        struct row o;

        if (strcmp(r->worker, worker) != 0)
            continue;
        o = elsewhere(f, r);
        seats += r->seats;
        late += r->late;
        if (o.seats == 0)
            continue;
        others += o.seats;
        others_late += o.late;
        expected += r->seats * o.late / o.seats;
        if (o.moves > 0 && o.used_ms > 0) {
            moves += r->moves;
            used += r->used_ms;
            usual += r->moves * o.used_ms / o.moves;
        }
        compare_points(r, &o, odd);
    }
    pace = usual > 0 ? used / usual : 1;
    json_object_set_new(out, "seats", json_real(seats));
    json_object_set_new(out, "late", json_real(late));
    json_object_set_new(out, "late_expected", json_real(expected));
    json_object_set_new(out, "pace", json_real(pace));
    tell_late(late, expected, seats, others_late, others, odd);
    tell_pace(pace, moves, odd);
}

/* Every worker's report. */

static json_t *report_on(const struct facts *f, const char *worker,
                         double speed)
{
    json_t *odd = json_array();
    json_t *out = json_pack("{s:s, s:f}", "name", worker, "speed", speed);

    compare_moves(f, worker, out, odd);
    compare_rows(f, worker, out, odd);
    json_object_set_new(out, "odd", odd);
    return out;
}

json_t *workers_report(struct pg *pg, struct err *err)
{
    struct facts facts = {0};
    struct pg_rows *names = NULL;
    json_t *all = NULL;

    if (read_facts(pg, &facts, err) &&
        pg_run(pg, "SELECT name, speed FROM referee.workers ORDER BY name",
               NULL, 0, &names, err)) {
        all = json_array();
        for (int i = 0; i < pg_count(names); i++)
            json_array_append_new(all, report_on(&facts, pg_text(names, i, 0),
                                                 pg_real(names, i, 1)));
    }
    pg_free(names);
    forget_facts(&facts);
    return all;
}
