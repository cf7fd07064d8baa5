/*
 * bench_store DB [GAMES [BOTS]] - what an index costs with many games in it.
 *
 * Fills a new index with games between bots whose strengths are known, then
 * asks it what people ask, and fits the ratings. Each question is asked of
 * many bots, in a new connection with nothing cached by SQLite: the middle and
 * the slowest of them are told.
 */

#include "store/index.h"
#include "store/rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PER_COMMIT = 1000, TIMES = 25, PAGE = 50 };

static const char *path;
static int games = 1000000, bots = 1000;
static struct err err;

static void must(bool ok)
{
    if (ok)
        return;
    fprintf(stderr, "bench_store: %s\n", err.text);
    exit(1);
}

static double read_clock(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static double cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static uint64_t seed = 1;

static double chance(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Strengths spread over 800 points; every bot has played as two versions. */
static void fill_seat(struct summary_seat *seat, int bot, int version)
{
    snprintf(seat->name, sizeof seat->name, "bot%04d", bot);
    snprintf(seat->version, sizeof seat->version,
             "%016llx%016llx%016llx%016llx",
             (unsigned long long)bot * 0x9e3779b97f4a7c15, bot * 77ULL,
             (unsigned long long)version * 0xbf58476d1ce4e5b9, 5ULL);
}

static struct game_summary some_game(int i)
{
    struct game_summary b = {.status = SUMMARY_FINISHED,
                             .game = game_find("rondo"),
                             .seats = 2,
                             .event = "main",
                             .part = i % 2 + 1,
                             .parts = 2,
                             .reason = "end",
                             .moves = 60};
    int one = (int)(chance() * bots), two = (int)(chance() * (bots - 1));
    double gap = 800.0 * (one - two) / bots;
    bool wins = chance() < 1 / (1 + pow(10, -gap / 400));
    time_t when = 1763287200 + i / 2;
    struct tm tm;

    two += two >= one;
    gmtime_r(&when, &tm);
    strftime(b.start, sizeof b.start, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
    snprintf(b.id, sizeof b.id, "main-%.8s-%07d", b.start + 2, i);
    snprintf(b.unit, sizeof b.unit, "main-%07d", i / 2);
    fill_seat(&b.seat[0], one, 1);
    fill_seat(&b.seat[1], two, 1);
    b.seat[0].rank = wins ? 1 : 2;
    b.seat[1].rank = wins ? 2 : 1;
    if (i % 100 == 0)
        strcpy(b.seat[wins].why, "time");
    return b;
}

static void fill(void)
{
    struct index *index = index_open(path, INDEX_BUILD, &err);
    double start = now(), cpu_start = cpu();
    struct stat st;

    must(index != NULL);
    for (int i = 0; i < games; i++) {
        struct game_summary b = some_game(i);
        char where[128];
        bool is_new;

        if (i % PER_COMMIT == 0)
            must(index_begin(index, &err));
        snprintf(where, sizeof where, "records/main/20261116/%s.rec", b.id);
        must(index_add(index, &b, where, &is_new, &err));
        if ((i + 1) % PER_COMMIT == 0 || i + 1 == games)
            must(index_commit(index, &err));
    }
    index_close(index);
    stat(path, &st);
    printf("filled with %d games of %d bots in %.1f s (CPU %.1f s): %.0f "
           "games/s, %.0f bytes each\n",
           games, bots, now() - start, cpu() - cpu_start,
           games / (now() - start), (double)st.st_size / games);
}

static int64_t rows;

static bool count_standing(void *arg, const struct index_standing *row)
{
    return ++rows;
}

static bool count_opponent(void *arg, const struct index_opponent *row)
{
    return ++rows;
}

static bool count_ladder(void *arg, const struct index_ladder *row)
{
    return ++rows;
}

static bool count_result(void *arg, const struct index_result *row)
{
    return ++rows;
}

static char last_id[SUMMARY_WORD_MAX + 1];

static bool count_game(void *arg, const struct index_game *row)
{
    snprintf(last_id, sizeof last_id, "%s", row->id);
    return ++rows;
}

/* The questions; each of a bot. */

static bool ask_ladders(struct index *x, const char *bot)
{
    return index_ladders(x, count_ladder, NULL, &err);
}

static bool ask_standings(struct index *x, const char *bot)
{
    return index_standings(x, "main", count_standing, NULL, &err);
}

static bool ask_games(struct index *x, const char *bot)
{
    struct index_page page = {"main", bot, NULL, PAGE};

    return index_games(x, &page, count_game, NULL, &err);
}

static bool ask_more_games(struct index *x, const char *bot)
{
    struct index_page page = {"main", bot, NULL, PAGE};

    if (!index_games(x, &page, count_game, NULL, &err))
        return false;
    rows = 0;
    page = (struct index_page){"main", bot, last_id, PAGE};
    return index_games(x, &page, count_game, NULL, &err);
}

static bool ask_opponents(struct index *x, const char *bot)
{
    return index_opponents(x, "main", bot, 1000, count_opponent, NULL, &err);
}

static bool ask_recent(struct index *x, const char *bot)
{
    struct index_page page = {"main", NULL, NULL, PAGE};

    return index_games(x, &page, count_game, NULL, &err);
}

static bool ask_id(struct index *x, const char *bot)
{
    return index_game(x, last_id, count_game, NULL, &err);
}

static bool ask_results(struct index *x, const char *bot)
{
    return index_results(x, "main", count_result, NULL, &err);
}

static const struct question {
    const char *name;
    bool (*ask)(struct index *x, const char *bot);
    int times;
} questions[] = {
    {"the ladders", ask_ladders, TIMES},
    {"standings of the ladder", ask_standings, TIMES},
    {"a bot's last games", ask_games, TIMES},
    {"two pages of them", ask_more_games, TIMES},
    {"a bot's opponents", ask_opponents, TIMES},
    {"the ladder's last games", ask_recent, TIMES},
    {"a game by its id", ask_id, TIMES},
    {"all results, when it starts", ask_results, 3},
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void measure(const struct question *q)
{
    double ms[TIMES], cpu_ms[TIMES];

    for (int i = 0; i < q->times; i++) {
        struct index *index = index_open(path, INDEX_READ, &err);
        char bot[16];
        double start, cpu_start;

        must(index != NULL);
        snprintf(bot, sizeof bot, "bot%04d", i * 37 % bots);
        rows = 0;
        start = now();
        cpu_start = cpu();
        must(q->ask(index, bot));
        ms[i] = (now() - start) * 1000;
        cpu_ms[i] = (cpu() - cpu_start) * 1000;
        index_close(index);
    }
    qsort(ms, (size_t)q->times, sizeof *ms, by_size);
    qsort(cpu_ms, (size_t)q->times, sizeof *cpu_ms, by_size);
    printf("%-32s %9lld %10.2f %10.2f %10.2f\n", q->name, (long long)rows,
           ms[q->times / 2], ms[q->times - 1], cpu_ms[q->times / 2]);
}

static void fit(void)
{
    struct index *index = index_open(path, INDEX_WRITE, &err);
    double start = now(), cpu_start = cpu();

    must(index != NULL);
    must(rate_ladder(index, "main", &(struct rate_anchor){"bot0500", 1500},
                     RATE_VERSIONS_MAX, &err));
    printf("fit of %d games of %d bots: %.2f s (CPU %.2f s)\n", games, bots,
           now() - start, cpu() - cpu_start);
    index_close(index);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    path = argv[1];
    if (argc > 2)
        games = atoi(argv[2]);
    if (argc > 3)
        bots = atoi(argv[3]);
    if (access(path, F_OK) == -1)
        fill();
    fit();
    printf("%-32s %9s %10s %10s %10s\n", "", "rows", "middle ms", "slowest",
           "CPU ms");
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        measure(&questions[i]);
    return 0;
}
