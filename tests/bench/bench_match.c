/*
 * bench_match [--json] [GAME...] - what a move costs in `referee match`.
 *
 * Games with random moves are recorded first; then null bots play the same
 * games again. Beside each run, in the same minute, stands the same number of
 * round trips without a referee, ping_pong.c: with plain read and write (the
 * limit, A), and with libevent's raw events (the floor). Absolute figures move
 * with the machine and the minute, ratios much less. Each figure is a median.
 * The bots count their moves, and time is taken at the beginning and near the
 * end of a run, so that starting up, which is measured on its own, is no part.
 *
 * Run it in the build folder.
 */

#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REFEREE   "referee/referee"
#define NULL_BOT  "tests/bench/null_bot"
#define PING_PONG "tests/bench/ping_pong"
#define SEED      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

enum {
    GAMES = 4,
    CROWDS = 3,
    ROUNDS_MAX = 9,
    ALONE_ROUNDS = 5,
    MOVES = 20000,   /* of a run, one game at a time */
    RECORDED = 1000, /* games */
    STARTS = 100     /* games with bots that are started anew */
};

static const struct {
    const char *name, *set;
} games[GAMES] = {
    {"rondo",         NULL          },
    {"axio-rota",     NULL          },
    {"second-chance", NULL          },
    {"axiom",         "maxplies=100"},
};

static const struct {
    int games, rounds;
} crowds[CROWDS] = {
    {2,    3},
    {100,  3},
    {1000, 1},
};

/* In memory if possible: the disk is not what we measure. */
static char folder[40] = "/dev/shm/bench-match.XXXXXX";

/* For records, one after the other: where files were deleted, ext4 takes long
 * to make new ones. */
static int folders;

/* The games to play again. */

struct played {
    int game;
    int games;              /* of a long run, one at a time */
    int upto[RECORDED + 1]; /* moves in so many games */
    double move_bytes;      /* mean */
};

/* "@1,w play 1 c1:2": the move, if this seat sees it whole. */
static const char *own_move(const char *line, int *seat)
{
    const char *blank = line[0] == '@' ? strchr(line, ' ') : line - 1;
    char seen;

    if (!blank || strncmp(blank + 1, "play ", 5) != 0)
        return NULL;
    seen = blank[6];
    *seat = seen - '1';
    if (line[0] == '@' && !memchr(line, seen, (size_t)(blank - line)))
        return NULL;
    return blank + 8;
}

static void take_game(struct played *p, int number, FILE *out)
{
    char line[8200], moves[2][1 << 16] = {"", ""};
    size_t len[2] = {0, 0};
    FILE *in;

    snprintf(line, sizeof line, "%s/%d/game-%06d.rec", folder, folders, number);
    in = fopen(line, "r");
    if (!in)
        die("%s is missing", line);
    p->upto[number] = p->upto[number - 1];
    while (fgets(line, sizeof line, in)) {
        int seat, n;
        const char *move = own_move(line, &seat);

        if (!move)
            continue;
        n = (int)strcspn(move, "\n");
        len[seat] +=
            (size_t)snprintf(moves[seat] + len[seat],
                             sizeof moves[seat] - len[seat], " %.*s", n, move);
        p->move_bytes += n;
        p->upto[number]++;
    }
    fclose(in);
    for (int seat = 0; seat < 2; seat++)
        fprintf(out, "game-%06d %d%s\n", number, seat + 1, moves[seat]);
}

static void add_match(struct command *c, const struct played *p, int count,
                      int at_once)
{
    add(c, REFEREE);
    add(c, "match");
    add(c, "--quiet");
    add(c, "--game=%s", games[p->game].name);
    if (games[p->game].set)
        add(c, "--set=%s", games[p->game].set);
    add(c, "--seed=" SEED);
    add(c, "--games=%d", count);
    add(c, "--concurrency=%d", at_once);
}

static void record_games(struct played *p, int game)
{
    struct command c = {0};
    char path[TEXT_MAX];
    FILE *out;

    *p = (struct played){.game = game};
    add_match(&c, p, RECORDED, 2);
    add(&c, "--records=%s/%d", folder, ++folders);
    add(&c, NULL_BOT);
    add(&c, NULL_BOT);
    run_whole(&c, "/dev/null", false);
    forget(&c);
    snprintf(path, sizeof path, "%s/moves", folder);
    out = fopen(path, "w");
    for (int i = 1; i <= RECORDED; i++)
        take_game(p, i, out);
    fputc('\0', out);
    fclose(out);
    p->move_bytes /= p->upto[RECORDED];
    while (p->games < RECORDED && p->upto[p->games] < MOVES)
        p->games++;
}

/* Runs. */

enum { PLAIN = 0, RECORDS = 1, LEGAL = 2, RESTART = 4, STRACE = 8 };

static void add_bots(struct command *c, int flags)
{
    const char *legal = flags & LEGAL ? "-l " : "";

    if (flags & RECORDS)
        add(c, "--records=%s/%d", folder, ++folders);
    if (flags & RESTART) {
        add(c, "--config=%s/restart.ini", folder);
        return;
    }
    for (int i = 0; i < 2; i++)
        add(c, "%s %s-c %s/count %s/moves", NULL_BOT, legal, folder, folder);
}

static void add_play(struct command *c, const struct played *p, int count,
                     int at_once, int flags)
{
    if (flags & STRACE) {
        add(c, "strace");
        add(c, "-c");
        add(c, "-o");
        add(c, "%s/calls", folder);
    }
    add_match(c, p, count, at_once);
    add_bots(c, flags);
}

static struct cost play(const struct played *p, int count, int at_once,
                        int flags)
{
    struct command c = {0};
    struct cost cost;

    add_play(&c, p, count, at_once, flags);
    cost = run_whole(&c, "/dev/null", at_once == 1);
    forget(&c);
    return cost;
}

/* By move, in the middle of a run. */
static struct cost per_move(const struct played *p, int count, int at_once,
                            int flags)
{
    uint64_t moves = (uint64_t)p->upto[count];
    struct command c = {0};
    struct cost cost;

    add_play(&c, p, count, at_once, flags);
    cost = run(&c, "/dev/null", at_once == 1, moves / 4, moves * 9 / 10);
    forget(&c);
    cost.wall_us /= (double)cost.moves;
    cost.cpu_us /= (double)cost.moves;
    return cost;
}

/* The floor: ping_pong says itself what the trips cost. */
static struct cost ping_pong(struct command *c, bool one_core)
{
    char path[TEXT_MAX];
    struct cost cost;
    FILE *file;

    snprintf(path, sizeof path, "%s/out", folder);
    run_whole(c, path, one_core);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%lf %lf", &cost.wall_us, &cost.cpu_us) != 2)
        die("%s has no figures", path);
    fclose(file);
    forget(c);
    return cost;
}

/* "ID genmove SEAT" and "= MOVE", with their line feeds. */
static struct cost trips(const struct played *p, const char *how, int count,
                         int at_once)
{
    struct command c = {0};
    struct cost cost;

    add(&c, PING_PONG);
    add(&c, "%s", how);
    add(&c, "%d", count);
    add(&c, "%d", 15);
    add(&c, "%.0f", p->move_bytes + 4);
    add(&c, "%d", at_once);
    cost = ping_pong(&c, at_once == 1);
    cost.wall_us /= count;
    cost.cpu_us /= count;
    return cost;
}

/* The total of strace's table: share, seconds, us a call, calls, errors. */
static double calls(void)
{
    char line[256], path[TEXT_MAX];
    double total = -1, share, seconds, us, n;
    FILE *in;

    snprintf(path, sizeof path, "%s/calls", folder);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (strstr(line, " total") &&
            sscanf(line, "%lf %lf %lf %lf", &share, &seconds, &us, &n) == 4)
            total = n;
    if (in)
        fclose(in);
    return total;
}

static double calls_per_move(const struct played *p, int flags)
{
    enum { FEW = 2 };
    const int many = FEW + p->games / 10;
    double few_calls, many_calls;

    if (system("strace -c -o /dev/null true 2>/dev/null") != 0)
        return -1;
    play(p, FEW, 1, flags | STRACE);
    few_calls = calls();
    play(p, many, 1, flags | STRACE);
    many_calls = calls();
    return (many_calls - few_calls) / (p->upto[many] - p->upto[FEW]);
}

/* Medians. */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const double *values, int count)
{
    double sorted[ROUNDS_MAX];

    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    return sorted[count / 2];
}

/* The median of a figure over the rounds; of a ratio, in each round. */
static double wall(const struct cost *c, const struct cost *by, int count)
{
    double values[ROUNDS_MAX];

    for (int i = 0; i < count; i++)
        values[i] = by ? c[i].wall_us / by[i].wall_us : c[i].wall_us;
    return median(values, count);
}

static double cpu(const struct cost *c, const struct cost *by, int count)
{
    double values[ROUNDS_MAX];

    for (int i = 0; i < count; i++)
        values[i] = by ? c[i].cpu_us / by[i].cpu_us : c[i].cpu_us;
    return median(values, count);
}

/* What is found. */

struct alone {
    double limit_us, limit_cpu_us;     /* A */
    double floor_wall, floor_cpu;      /* over A */
    double wall_us, cpu_us, wall, cpu; /* the referee, and over A */
    double record_cpu;                 /* records over none */
    double legal_wall, legal_cpu_us;   /* with legal_moves */
    double calls, record_calls;        /* system calls a move; -1 unknown */
};

struct crowd {
    double rate, floor_rate, share; /* moves a second */
    double cpu_us, cpu;             /* by move, and over the floor's */
    double kib;                     /* by game; -1 if they are too few */
};

struct found {
    const char *game;
    double moves_per_game, move_bytes;
    struct alone alone;
    struct crowd crowd[CROWDS];
};

static struct found found[GAMES];
static int found_count;
static double start_ms, start_cpu_ms, floor_start_ms, run_ms;

static void bench_alone(const struct played *p, struct alone *o)
{
    enum { N = ALONE_ROUNDS };
    struct cost limit[N], floor[N], plain[N], record[N], legal[N];
    int count = p->upto[p->games];

    for (int i = 0; i < N; i++) {
        limit[i] = trips(p, "blocking", count, 1);
        plain[i] = per_move(p, p->games, 1, PLAIN);
        record[i] = per_move(p, p->games, 1, RECORDS);
        floor[i] = trips(p, "events", count, 1);
        legal[i] = per_move(p, p->games, 1, LEGAL);
    }
    *o = (struct alone){.limit_us = wall(limit, NULL, N),
                        .limit_cpu_us = cpu(limit, NULL, N),
                        .floor_wall = wall(floor, limit, N),
                        .floor_cpu = cpu(floor, limit, N),
                        .wall_us = wall(plain, NULL, N),
                        .cpu_us = cpu(plain, NULL, N),
                        .wall = wall(plain, limit, N),
                        .cpu = cpu(plain, limit, N),
                        .record_cpu = cpu(record, plain, N),
                        .legal_wall = wall(legal, limit, N),
                        .legal_cpu_us = cpu(legal, NULL, N),
                        .calls = calls_per_move(p, PLAIN),
                        .record_calls = calls_per_move(p, RECORDS)};
}

static void bench_crowd(const struct played *p, int at_once, int rounds,
                        struct crowd *o)
{
    struct cost floor[ROUNDS_MAX], plain[ROUNDS_MAX];
    int count = at_once > p->games ? at_once : p->games;
    double one = play(p, 2, 1, PLAIN).rss_kib;

    for (int i = 0; i < rounds; i++) {
        floor[i] = trips(p, "events", p->upto[count], at_once);
        plain[i] = per_move(p, count, at_once, PLAIN);
    }
    *o = (struct crowd){.rate = 1e6 / wall(plain, NULL, rounds),
                        .floor_rate = 1e6 / wall(floor, NULL, rounds),
                        .share = wall(floor, plain, rounds),
                        .cpu_us = cpu(plain, NULL, rounds),
                        .cpu = cpu(plain, floor, rounds),
                        .kib = -1};
    if (at_once >= 100)
        o->kib = (plain[0].rss_kib - one) / (at_once - 1);
}

static void write_config(void)
{
    char path[TEXT_MAX];
    FILE *out;

    snprintf(path, sizeof path, "%s/restart.ini", folder);
    out = fopen(path, "w");
    fprintf(out, "[match]\nbots = a b\n");
    for (int i = 0; i < 2; i++)
        fprintf(out, "[bot %c]\ncommand = %s %s/moves\nrestart = yes\n",
                'a' + i, NULL_BOT, folder);
    fclose(out);
}

/* With bots that start for every game, less the same without, by bot. */
static void bench_start(const struct played *p)
{
    enum { N = 3, BOTS = 2 * (STARTS - 1) };
    struct cost floor[N], start[N], fixed[N];

    for (int i = 0; i < N; i++) {
        struct command c = {0};
        struct cost keep = play(p, STARTS, 1, PLAIN);

        start[i] = play(p, STARTS, 1, RESTART);
        start[i].wall_us = (start[i].wall_us - keep.wall_us) / BOTS;
        start[i].cpu_us = (start[i].cpu_us - keep.cpu_us) / BOTS;
        fixed[i] = play(p, 1, 1, PLAIN);
        add(&c, PING_PONG);
        add(&c, "start");
        add(&c, "%d", BOTS);
        add(&c, NULL_BOT);
        floor[i] = ping_pong(&c, true);
        floor[i].wall_us /= BOTS;
    }
    start_ms = wall(start, NULL, N) / 1000;
    start_cpu_ms = cpu(start, NULL, N) / 1000;
    floor_start_ms = wall(floor, NULL, N) / 1000;
    run_ms = wall(fixed, NULL, N) / 1000;
}

/* Tables. */

static const char *number(double value, char *text)
{
    if (value < 0)
        strcpy(text, "-");
    else
        sprintf(text, "%.1f", value);
    return text;
}

static void print_alone(void)
{
    char calls_text[32], record_text[32];

    printf("One game at a time, on one core. A: two children in turn, plain "
           "read and write.\n\n");
    printf("%-14s %15s %15s %23s %7s %13s %12s\n", "", "A us", "floor / A",
           "referee us", "/ A", "legal_moves", "calls/move");
    printf("%-14s %7s %7s %7s %7s %7s %7s %7s %7s %7s %6s %6s %5s %6s\n",
           "game", "wall", "cpu", "wall", "cpu", "moves/s", "wall", "cpu",
           "wall", "cpu", "wall/A", "cpu us", "plain", "record");
    for (int i = 0; i < found_count; i++) {
        const struct alone *a = &found[i].alone;

        printf("%-14s %7.1f %7.1f %7.2f %7.2f %7.0f %7.1f %7.1f %7.2f %7.2f "
               "%6.2f %6.1f %5s %6s\n",
               found[i].game, a->limit_us, a->limit_cpu_us, a->floor_wall,
               a->floor_cpu, 1e6 / a->wall_us, a->wall_us, a->cpu_us, a->wall,
               a->cpu, a->legal_wall, a->legal_cpu_us,
               number(a->calls, calls_text),
               number(a->record_calls, record_text));
    }
    printf("\nRecords cost, in CPU of the referee:");
    for (int i = 0; i < found_count; i++)
        printf("%s %s %+.0f %%", i ? "," : "", found[i].game,
               100 * (found[i].alone.record_cpu - 1));
    printf("\n");
}

static void print_crowds(void)
{
    char kib[32];

    printf("\nMany games at once, on all cores.\n\n");
    printf("%-14s %6s %9s %9s %7s %7s %7s %9s\n", "game", "games", "moves/s",
           "floor", "share", "cpu us", "/ floor", "KiB/game");
    for (int i = 0; i < found_count; i++)
        for (int k = 0; k < CROWDS; k++) {
            const struct crowd *c = &found[i].crowd[k];

            printf("%-14s %6d %9.0f %9.0f %7.2f %7.1f %7.2f %9s\n",
                   found[i].game, crowds[k].games, c->rate, c->floor_rate,
                   c->share, c->cpu_us, c->cpu, number(c->kib, kib));
        }
    printf("\nStart, greet and reap a bot: %.2f ms (floor %.2f ms), CPU of the "
           "referee %.2f ms.\n"
           "A whole match of one game: %.1f ms.\n",
           start_ms, floor_start_ms, start_cpu_ms, run_ms);
}

static void print_json(void)
{
    printf("{\"start_ms\": %.3f, \"start_cpu_ms\": %.3f, "
           "\"floor_start_ms\": %.3f, \"run_ms\": %.1f, \"games\": [",
           start_ms, start_cpu_ms, floor_start_ms, run_ms);
    for (int i = 0; i < found_count; i++) {
        const struct found *f = &found[i];
        const struct alone *a = &f->alone;

        printf("%s\n {\"game\": \"%s\", \"moves_per_game\": %.1f, "
               "\"move_bytes\": %.1f,\n  \"limit_us\": %.2f, "
               "\"limit_cpu_us\": %.2f, \"floor_wall\": %.3f, "
               "\"floor_cpu\": %.3f,\n  \"wall_us\": %.2f, \"cpu_us\": %.2f, "
               "\"wall\": %.3f, \"cpu\": %.3f,\n  \"record_cpu\": %.3f, "
               "\"legal_wall\": %.3f, \"legal_cpu_us\": %.2f,\n  "
               "\"calls\": %.2f, \"record_calls\": %.2f,\n  \"at_once\": [",
               i ? "," : "", found[i].game, f->moves_per_game, f->move_bytes,
               a->limit_us, a->limit_cpu_us, a->floor_wall, a->floor_cpu,
               a->wall_us, a->cpu_us, a->wall, a->cpu, a->record_cpu,
               a->legal_wall, a->legal_cpu_us, a->calls, a->record_calls);
        for (int k = 0; k < CROWDS; k++)
            printf("%s\n   {\"games\": %d, \"rate\": %.0f, \"floor_rate\": "
                   "%.0f, \"share\": %.3f, \"cpu_us\": %.2f, \"cpu\": %.3f, "
                   "\"kib\": %.1f}",
                   k ? "," : "", crowds[k].games, f->crowd[k].rate,
                   f->crowd[k].floor_rate, f->crowd[k].share,
                   f->crowd[k].cpu_us, f->crowd[k].cpu, f->crowd[k].kib);
        printf("]}");
    }
    printf("]}\n");
}

static void bench_game(int game)
{
    static struct played p;
    struct found *f = &found[found_count++];

    fprintf(stderr, "%s ...\n", games[game].name);
    f->game = games[game].name;
    record_games(&p, game);
    f->moves_per_game = (double)p.upto[RECORDED] / RECORDED;
    f->move_bytes = p.move_bytes;
    bench_alone(&p, &f->alone);
    for (int k = 0; k < CROWDS; k++)
        bench_crowd(&p, crowds[k].games, crowds[k].rounds, &f->crowd[k]);
    if (start_ms == 0)
        bench_start(&p);
}

static bool is_among(const char *name, char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    char text[TEXT_MAX];
    bool json = false;

    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/match.XXXXXX")))
        die("%s: %s", folder, strerror(errno));
    snprintf(text, sizeof text, "%s/count", folder);
    count_moves(text);
    write_config();
    if (argc > 1 && strcmp(argv[1], "--json") == 0) {
        json = true;
        argc--, argv++;
    }
    for (int i = 0; i < GAMES; i++)
        if (argc == 1 || is_among(games[i].name, argv + 1))
            bench_game(i);
    if (json) {
        print_json();
    } else {
        print_alone();
        print_crowds();
    }
    snprintf(text, sizeof text, "rm -rf %s", folder);
    return system(text) != 0;
}
