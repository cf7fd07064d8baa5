/* The standings, and the results of each entrant against each other. */

#include "league/schedule_parts.h"

#include <string.h>

enum { STILL_IN = -1 };

/* How far an entrant came in a knockout: more is better. */
struct progress {
    int rounds; /* played or sat out; one more if it went on from the last */
    int main;   /* 1: not at the table for the third place */
    int place;  /* at its last table, counted down */
};

struct table {
    const struct schedule *schedule;
    struct standing of[SCHEDULE_ENTRANTS_MAX]; /* by entrant */
    struct progress progress[SCHEDULE_ENTRANTS_MAX];
};

/* A bye is worth as much as winning all games against all opponents. */
static int bye_points(const struct schedule *s)
{
    return 2 * s->config.games * (s->config.seats - 1);
}

static void add_points(struct table *t, const struct pairing *p)
{
    for (int i = 0; i < p->seats; i++) {
        struct standing *of = &t->of[p->entrant[i]];

        of->points += pairing_points(p, i);
        of->possible += 2 * p->done * (p->seats - 1);
    }
}

/* It counts when the others have played too. */
static void add_bye(struct table *t, const struct pairing *p)
{
    const struct schedule *s = t->schedule;
    struct standing *of = &t->of[p->entrant[0]];

    if (p->round == s->round && s->open > 0)
        return;
    of->byes++;
    if (s->config.format != FORMAT_SWISS)
        return;
    of->points += bye_points(s);
    of->possible += bye_points(s);
}

/* All points must be known. */
static void add_tie_breaks(struct table *t, const struct pairing *p)
{
    for (int i = 0; i < p->seats; i++)
        for (int j = 0; j < p->seats; j++) {
            struct standing *of = &t->of[p->entrant[i]];
            int points = t->of[p->entrant[j]].points;

            if (i == j || p->done == 0)
                continue;
            of->buchholz += points;
            of->sonneborn += (int64_t)p->points[i][j] * points;
        }
}

static void add_bye_tie_breaks(struct standing *of, const struct schedule *s)
{
    if (s->config.format != FORMAT_SWISS)
        return;
    of->buchholz += of->byes * (s->config.seats - 1) * of->points;
    of->sonneborn += (int64_t)of->byes * bye_points(s) * of->points;
}

/* A later pairing overwrites what an earlier one said. */
static void note_progress(struct table *t, const struct pairing *p)
{
    bool over = p->done == p->games;
    int order[SEATS_MAX];

    pairing_order(p, order);
    for (int i = 0; i < p->seats; i++) {
        int e = p->entrant[order[i]];
        bool goes_on = over && (p->seats == 1 || i < p->goes_on);
        bool is_out = over && !goes_on;

        t->progress[e] = (struct progress){
            .rounds = p->round + (goes_on && !p->is_third_place),
            .main = !p->is_third_place,
            .place = is_out || (over && p->is_third_place) ? -i : 0};
        t->of[e].out = is_out || p->is_third_place ? p->round : STILL_IN;
    }
}

static int compare(int a, int b)
{
    return (a > b) - (a < b);
}

/* Positive if a advanced farther. */
static int compare_progress(const struct progress *a, const struct progress *b)
{
    if (a->rounds != b->rounds)
        return compare(a->rounds, b->rounds);
    if (a->main != b->main)
        return compare(a->main, b->main);
    return compare(a->place, b->place);
}

/* Of the share of what was possible, without fractions. */
static int compare_shares(const struct standing *a, const struct standing *b)
{
    int64_t left = (int64_t)a->points * (b->possible ? b->possible : 1);
    int64_t right = (int64_t)b->points * (a->possible ? a->possible : 1);

    return (left > right) - (left < right);
}

static int compare_points(const struct table *t, const struct standing *a,
                          const struct standing *b)
{
    int by_points = t->schedule->config.format == FORMAT_GAUNTLET
                        ? compare_shares(a, b)
                        : compare(a->points, b->points);

    if (by_points)
        return by_points;
    if (a->buchholz != b->buchholz)
        return compare(a->buchholz, b->buchholz);
    return (a->sonneborn > b->sonneborn) - (a->sonneborn < b->sonneborn);
}

/* Positive if a stands above b, 0 if only the seeds can tell. */
static int compare_standings(const struct table *t, const struct standing *a,
                             const struct standing *b)
{
    if (t->schedule->config.format == FORMAT_KNOCKOUT)
        return compare_progress(&t->progress[a->entrant],
                                &t->progress[b->entrant]);
    return compare_points(t, a, b);
}

static void sort(const struct table *t, struct standing *out)
{
    bool shared = t->schedule->config.format == FORMAT_KNOCKOUT;

    for (int e = 0; e < t->schedule->config.entrants; e++) {
        int at = e;

        for (; at > 0 && compare_standings(t, &t->of[e], &out[at - 1]) > 0;
             at--)
            out[at] = out[at - 1];
        out[at] = t->of[e];
    }
    for (int i = 0; i < t->schedule->config.entrants; i++)
        out[i].place =
            i > 0 && shared && compare_standings(t, &out[i], &out[i - 1]) == 0
                ? out[i - 1].place
                : i + 1;
}

void schedule_standings(const struct schedule *s, struct standing *standings)
{
    const struct pairing *end = s->pairing + s->pairings;
    struct table t = {.schedule = s};

    for (int e = 0; e < s->config.entrants; e++)
        t.of[e] = (struct standing){.entrant = e, .out = STILL_IN};
    for (const struct pairing *p = s->pairing; p < end; p++) {
        if (p->seats == 1)
            add_bye(&t, p);
        else
            add_points(&t, p);
        if (s->config.format == FORMAT_KNOCKOUT)
            note_progress(&t, p);
    }
    for (const struct pairing *p = s->pairing; p < end; p++)
        add_tie_breaks(&t, p);
    for (int e = 0; e < s->config.entrants; e++)
        add_bye_tie_breaks(&t.of[e], s);
    sort(&t, standings);
}

void schedule_crosstable(const struct schedule *s, int *points, int *games)
{
    int n = s->config.entrants;
    size_t bytes = (size_t)n * (size_t)n * sizeof *points;

    memset(points, 0, bytes);
    memset(games, 0, bytes);
    for (const struct pairing *p = s->pairing; p < s->pairing + s->pairings;
         p++)
        for (int i = 0; i < p->seats; i++)
            for (int j = 0; j < p->seats; j++) {
                int cell = p->entrant[i] * n + p->entrant[j];

                if (i == j)
                    continue;
                points[cell] += p->points[i][j];
                games[cell] += p->done;
            }
}
