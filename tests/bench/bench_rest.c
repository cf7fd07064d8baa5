/* bench_rest.c - what is no move: starting bots, writing and replaying records.
 */

#include "figures.h"
#include "match/seal.h"
#include "parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Starting. */

enum { STARTS = 100, SHORT_GAMES = 2000 };

/* A game of axiom that ends after its first move. */
static void make_short_game(struct played *p)
{
    static const char first[] = "S-1,0,2U/-1,0,1S"; /* a legal one */
    char path[TEXT_MAX];
    FILE *out;

    *p = (struct played){.name = "axiom", .set = "maxplies=1"};
    snprintf(p->moves, sizeof p->moves, "%s/short.moves", folder);
    out = fopen(p->moves, "w");
    if (!out)
        die("%s cannot be written", p->moves);
    fprintf(out, "%-19s\n%-19s\n%-19s\n", "20 1", first, first);
    fclose(out);
    snprintf(path, sizeof path, "%s/restart.ini", folder);
    out = fopen(path, "w");
    fprintf(out, "[match]\nbots = a b\n");
    for (int i = 0; i < 2; i++)
        fprintf(out, "[bot %c]\ncommand = %s %s\nrestart = yes\n", 'a' + i,
                NULL_BOT, p->moves);
    fclose(out);
}

/* By game, without what a match costs once. */
static struct cost by_game(const struct played *p, int games, bool restart,
                           const char *walls)
{
    struct cost cost = {0};

    for (int sign = 1, count = games + 1; sign >= -1; sign -= 2, count = 1) {
        struct command c = {0};
        struct cost once;

        add_play(&c, p, count, 1, PLAIN);
        if (restart) {
            c.argc -= 2; /* its bots */
            add(&c, "--config=%s/restart.ini", folder);
            add(&c, "--walls=%s", walls);
        }
        once = run_whole(&c, "/dev/null", ONE_CORE);
        cost.wall_us += sign * once.wall_us / games;
        cost.cpu_us += sign * once.cpu_us / games;
    }
    return cost;
}

static struct cost floor_start(void)
{
    struct command c = {0};
    struct cost cost;

    add(&c, PING_PONG);
    add(&c, "start");
    add(&c, "%d", 2 * STARTS);
    add(&c, NULL_BOT);
    cost = ping_pong(&c, ONE_CORE);
    cost.wall_us /= 2 * STARTS;
    cost.cpu_us /= 2 * STARTS;
    return cost;
}

static void sample_start(const char *row, const struct cost *c, double by)
{
    sample("start", row, "ms", c->wall_us / by / 1000);
    sample("start", row, "cpu ms", c->cpu_us / by / 1000);
}

/* What a bot costs that is started anew for every game. */
static void sample_bot(const struct played *p, const char *row,
                       const char *walls, const struct cost *stay)
{
    struct cost anew = by_game(p, STARTS, true, walls);

    anew.wall_us -= stay->wall_us;
    anew.cpu_us -= stay->cpu_us;
    sample_start(row, &anew, 2);
}

void bench_start(void)
{
    struct played p;

    make_short_game(&p);
    for (int i = 0; i < rounds_or(5); i++) {
        struct cost floor = floor_start(), stay, anew, whole;

        stay = by_game(&p, SHORT_GAMES, false, "none");
        anew = by_game(&p, STARTS, true, "none");
        whole = play(&p, 1, 1, PLAIN);
        sample_start("bot, floor", &floor, 1);
        sample_start("game, bots stay", &stay, 1);
        sample_start("game, bots start anew", &anew, 1);
        anew.wall_us -= stay.wall_us;
        anew.cpu_us -= stay.cpu_us;
        sample_start("bot", &anew, 2);
        sample_bot(&p, "bot, limits", "limits", &stay);
        sample_bot(&p, "bot, landlock", "landlock", &stay);
        sample_bot(&p, "bot, bwrap", "bwrap", &stay);
        sample_start("match of one game", &whole, 1);
    }
}

/* Records. */

enum { WRITTEN = 200 };

/* As many files, as long as those of the game, in this folder. */
static double write_plain(const char *where, size_t len, bool durable)
{
    char *bytes = calloc(1, len);
    double start = now_s();

    if (!bytes)
        die("out of memory");
    for (int i = 0; i < WRITTEN; i++) {
        char path[TEXT_MAX];
        int fd;

        snprintf(path, sizeof path, "%.400s/plain-%d", where, i);
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd == -1 || write(fd, bytes, len) != (ssize_t)len ||
            (durable && fdatasync(fd) != 0))
            die("%s: %s", path, strerror(errno));
        close(fd);
    }
    free(bytes);
    return WRITTEN / (now_s() - start);
}

/* Mean length of a record. */
static size_t record_len(const struct played *p)
{
    off_t sum = 0;
    glob_t files;

    find_records(p->records, &files);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct stat st;

        if (stat(files.gl_pathv[i], &st) != 0)
            die("%s is missing", files.gl_pathv[i]);
        sum += st.st_size;
    }
    globfree(&files);
    return (size_t)(sum / p->recorded);
}

/* `match` syncs once, before it prints the table. */
static struct cost write_by_match(const struct played *p, const char *where)
{
    struct command c = {0};
    struct cost cost;

    add_play(&c, p, WRITTEN, 2, PLAIN);
    if (where)
        add(&c, "--records=%s", where);
    cost = run_whole(&c, "/dev/null", ALL_CORES);
    forget(&c);
    return cost;
}

static double per_second(const struct cost *cost)
{
    return WRITTEN / (cost->wall_us / 1e6);
}

static double cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Signing and chaining, by game; and what it adds to the CPU time of a game in
 * the referee and its bots, which answer at once. */
static void sample_seals(const struct played *p, const struct cost *written)
{
    uint8_t seed[crypto_sign_SEEDBYTES] = {1}, hash[SHA256_BYTES] = {2};
    struct chain chain = {.name = "bench"};
    struct signing_key key;
    struct buf text;
    double start, us;

    signing_key_make(&key, seed);
    buf_init(&text, 1 << 20);
    start = cpu_s();
    for (int i = 0; i < WRITTEN; i++) {
        struct seal seal;

        buf_reset(&text);
        seal_make(&seal, &chain, hash, &key);
        seal_append(&seal, &text);
        chain_add(&chain, &seal);
    }
    us = 1e6 * (cpu_s() - start) / WRITTEN;
    buf_release(&text);
    sample("records", p->name, "seal, us", us);
    sample("records", p->name, "seal, % cpu",
           100 * us * WRITTEN / written->cpu_us);
}

static void measure_records(const struct played *p, const char *disk)
{
    char where[TEXT_MAX];
    size_t len = record_len(p);
    struct cost none, written, synced;
    static int runs;

    sample("records", p->name, "bytes", (double)len);
    sample("records", p->name, "plain", write_plain(disk, len, false));
    sample("records", p->name, "plain, durable", write_plain(disk, len, true));
    none = write_by_match(p, NULL);
    sample("records", p->name, "match, none", per_second(&none));
    written = write_by_match(p, new_folder());
    sample("records", p->name, "match, in memory", per_second(&written));
    sample_seals(p, &written);
    snprintf(where, sizeof where, "%.400s/%d", disk, ++runs);
    synced = write_by_match(p, where);
    sample("records", p->name, "match, synced at end", per_second(&synced));
}

/* In the build folder, which is on a disk. */
void bench_records(void)
{
    char disk[] = "bench.XXXXXX", text[64];

    if (!mkdtemp(disk))
        die("%s: %s", disk, strerror(errno));
    for (int g = 0; g < GAMES; g++)
        for (int i = 0; measured[g] && i < rounds_or(3); i++)
            measure_records(&played[g], disk);
    snprintf(text, sizeof text, "rm -rf %s", disk);
    if (system(text) != 0)
        fprintf(stderr, "bench: %s could not be removed\n", disk);
}

/* Replay. */

enum { REPLAYED = 25000 }; /* at least */

/* All records of the game, again and again. */
void bench_replay(void)
{
    for (int g = 0; g < GAMES; g++) {
        const struct played *p = &played[g];
        int times = (REPLAYED + p->recorded - 1) / p->recorded;
        double games = (double)times * p->recorded;
        double moves = (double)times * p->upto[p->recorded];
        struct command c = {0};
        double wall_s = 0, cpu_s = 0;

        if (!measured[g])
            continue;
        add(&c, REFEREE);
        add(&c, "replay");
        add(&c, "--quiet");
        add(&c, "%s", p->records);
        for (int i = 0; i < times; i++) {
            struct cost cost = run_whole(&c, "/dev/null", ALL_CORES);

            wall_s += cost.wall_us / 1e6;
            cpu_s += cost.cpu_us / 1e6;
        }
        forget(&c);
        sample("replay", p->name, "games", games);
        sample("replay", p->name, "s", wall_s);
        sample("replay", p->name, "games/s", games / wall_s);
        sample("replay", p->name, "moves/s", moves / wall_s);
        sample("replay", p->name, "cpu us/move", 1e6 * cpu_s / moves);
    }
}
