/* bench_moves.c - the limit, and what a move costs beside it. */

#include "figures.h"
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bench_limit(void)
{
    static const char *const kinds[] = {"pipe", "tcp"};
    char row[40];

    for (int i = 0; i < rounds_or(5); i++)
        for (int k = 0; k < 2; k++)
            for (int n = 1; n <= 2; n++)
                for (int one = 0; one < 2; one++) {
                    struct cost c =
                        limit(NULL, kinds[k], one ? MOVES : MOVES / 4, n,
                              one ? ONE_CORE : ALL_CORES);

                    snprintf(row, sizeof row, "%s, %d %s%s", kinds[k], n,
                             n == 1 ? "child" : "children",
                             one ? ", on one core" : "");
                    sample("limit", row, "trips/s", 1e6 / c.wall_us);
                    sample("limit", row, "us", c.wall_us);
                    sample("limit", row, "cpu us", c.cpu_us);
                }
}

/* strace's total: "100.00 SECONDS US_A_CALL CALLS ERRORS total". */
static void read_calls(const char *line, double *most)
{
    double calls;

    if (strstr(line, " total") && sscanf(line, "%*f %*f %*f %lf", &calls) == 1)
        *most = calls;
}

/* Of the processes that callgrind sees, the referee has the most. */
static void read_instructions(const char *line, double *most)
{
    static const char word[] = "Collected :";
    const char *at = strstr(line, word);
    double count = at ? strtod(at + strlen(word), NULL) : 0;

    if (at && !(count <= *most))
        *most = count;
}

static double read_count(int flags)
{
    char line[256], path[TEXT_MAX];
    double count = NAN;
    FILE *in;

    snprintf(path, sizeof path, "%s/%s", folder,
             flags & STRACE ? "calls" : "callgrind");
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (flags & STRACE)
            read_calls(line, &count);
        else
            read_instructions(line, &count);
    if (in)
        fclose(in);
    return count;
}

/* Two runs, so that what a run costs once is no part. */
static double count_by_move(const struct played *p, int flags, int few,
                            int many)
{
    double first;

    play(p, few, 1, flags);
    first = read_count(flags);
    play(p, many, 1, flags);
    return (read_count(flags) - first) / (p->upto[many] - p->upto[few]);
}

static double calls_by_move(const struct played *p, int flags)
{
    if (system("strace -c -o /dev/null true 2>/dev/null") != 0)
        return NAN;
    return count_by_move(p, flags | STRACE, 2, 2 + p->games / 10);
}

void bench_instructions(void)
{
    enum { FEW = 5, MANY = 25 };
    bool there = system("valgrind --version >/dev/null 2>&1") == 0;

    for (int g = 0; g < GAMES; g++)
        for (int i = 0; measured[g] && i < 2; i++)
            sample("instructions", played[g].name, i ? "record" : "no record",
                   there ? count_by_move(&played[g],
                                         CALLGRIND | (i ? RECORD : PLAIN), FEW,
                                         MANY)
                         : NAN);
}

void sample_moves(const char *table, const char *game, const char *what,
                  const struct cost *c, const struct cost *a)
{
    char row[40];

    snprintf(row, sizeof row, "%s%s%s", game, *what ? ", " : "", what);
    sample(table, row, "moves/s", 1e6 / c->wall_us);
    sample(table, row, "us", c->wall_us);
    sample(table, row, "cpu us", c->cpu_us);
    if (a != c) {
        sample(table, row, "us/A", c->wall_us / a->wall_us);
        sample(table, row, "cpu/A", c->cpu_us / a->cpu_us);
    }
}

static const struct {
    const char *name;
    int flags;
} variants[] = {
    {"", PLAIN},
    {"record", RECORD},
    {"record, everything", RECORD | EVERYTHING},
    {"record, legal_moves", RECORD | LEGAL},
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static void measure_moves(const struct played *p)
{
    int count = p->upto[p->games];
    struct cost a = limit(p, "pipe", count, 2, ONE_CORE);
    struct cost floor = floor_of(p, "pipe", count, 1, ONE_CORE);
    struct cost plain = {0};
    char row[40];

    sample_moves("moves", p->name, "A", &a, &a);
    sample_moves("moves", p->name, "floor", &floor, &a);
    for (int i = 0; i < VARIANTS; i++) {
        struct cost c = play_moves(p, p->games, 1, variants[i].flags, ONE_CORE);

        sample_moves("moves", p->name, variants[i].name, &c, &a);
        if (variants[i].flags == PLAIN)
            plain = c;
        if (variants[i].flags != RECORD)
            continue;
        snprintf(row, sizeof row, "%s, record", p->name);
        sample("moves", row, "cpu of record %",
               100 * (c.cpu_us / plain.cpu_us - 1));
    }
}

static void count_calls(const struct played *p)
{
    for (int i = 0; i < VARIANTS; i++) {
        char row[40];

        snprintf(row, sizeof row, "%s%s%s", p->name,
                 *variants[i].name ? ", " : "", variants[i].name);
        sample("moves", row, "calls", calls_by_move(p, variants[i].flags));
    }
}

/* Round by round, so that a bad minute spoils no game's median. */
void bench_moves(void)
{
    for (int i = 0; i < rounds_or(7); i++)
        for (int g = 0; g < GAMES; g++)
            if (measured[g])
                measure_moves(&played[g]);
    for (int g = 0; g < GAMES; g++)
        if (measured[g])
            count_calls(&played[g]);
}

/* Many at once. */

enum { CROWD_MOVES = 60000 };

/* Enough moves, and not only the first game of each pair of bots. */
static int games_for(const struct played *p, int at_once)
{
    int count = p->games;

    while (count < p->recorded &&
           (count < 3 * at_once || p->upto[count] < CROWD_MOVES))
        count++;
    return at_once == 1 ? p->games : count;
}

static void measure_crowd(const struct played *p, int at_once)
{
    int count = games_for(p, at_once);
    struct cost floor = floor_of(p, "pipe", p->upto[count], at_once, ALL_CORES);
    struct cost c = play_moves(p, count, at_once, RECORD, ALL_CORES);
    char row[40];

    snprintf(row, sizeof row, "%s, %d", p->name, at_once);
    sample("crowd", row, "moves/s", 1e6 / c.wall_us);
    sample("crowd", row, "floor", 1e6 / floor.wall_us);
    sample("crowd", row, "share", floor.wall_us / c.wall_us);
    sample("crowd", row, "cpu us", c.cpu_us);
    sample("crowd", row, "cpu/floor", c.cpu_us / floor.cpu_us);
    if (at_once >= 50) {
        sample("crowd", row, "MiB", c.rss_kib / 1024);
        sample("crowd", row, "KiB/game", c.rss_kib / at_once);
    }
}

void bench_crowd(void)
{
    static const int crowds[] = {1, 2, 50, 100, 500, 1000};

    for (int i = 0; i < rounds_or(3); i++)
        for (int g = 0; g < GAMES; g++)
            for (size_t k = 0; k < sizeof crowds / sizeof *crowds; k++)
                if (measured[g])
                    measure_crowd(&played[g], crowds[k]);
}
