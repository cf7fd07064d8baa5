#include "played.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

/* "ID genmove SEAT" and "= MOVE" with their line feeds. */
enum { GENMOVE_BYTES = 15, ANSWER_BYTES = 4, LINE_BYTES = 20 };

struct played played[GAMES] = {
    [0].name = "rondo",  [0].recorded = 3000,        [1].name = "axio-rota",
    [1].recorded = 5000, [2].name = "second-chance", [2].recorded = 5000,
    [3].name = "axiom",  [3].recorded = 3000,        [3].set = "maxplies=100",
};

int recorded;

char folder[40] = "/dev/shm/bench.XXXXXX";

const char *new_folder(void)
{
    static char path[TEXT_MAX];
    static int count;

    snprintf(path, sizeof path, "%s/%d", folder, ++count);
    return path;
}

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

/* The moves of both seats, with a blank before each. */
struct both {
    char text[2][1 << 13];
    size_t len[2];
};

static struct both *all; /* of every game */

static void take_move(struct both *b, int seat, const char *move, int n)
{
    size_t room = sizeof b->text[seat] - b->len[seat];

    if ((size_t)n + 2 > room)
        die("a game is too long");
    b->len[seat] +=
        (size_t)snprintf(b->text[seat] + b->len[seat], room, " %.*s", n, move);
}

/* "about match=game-000012 start=...": which one, or 0. */
static int number_of(const char *line)
{
    static const char about[] = "about match=game-";

    return strncmp(line, about, strlen(about)) == 0 ? atoi(line + strlen(about))
                                                    : 0;
}

/* The moves of all games in the file, whose numbers go up to `count`. */
static void take_games(struct played *p, const char *path, int count)
{
    char line[8200];
    int game = 1;
    FILE *in = fopen(path, "r");

    if (!in)
        die("%s is missing", path);
    while (fgets(line, sizeof line, in)) {
        int seat, n, number = number_of(line);
        const char *move = own_move(line, &seat);

        if (number > count)
            die("%s has more than %d games", path, count);
        if (number)
            game = number;
        if (!move)
            continue;
        n = (int)strcspn(move, "\n");
        take_move(&all[game - 1], seat, move, n);
        p->move_bytes += n;
        p->upto[game]++;
    }
    fclose(in);
}

void find_records(const char *records, glob_t *files)
{
    char pattern[TEXT_MAX + 16];

    snprintf(pattern, sizeof pattern, "%s/*.rec", records);
    if (glob(pattern, 0, NULL, files) != 0)
        die("%s: there is no such file", pattern);
}

/* The file that null_bot.c describes. */
static void write_file(const char *path, int count)
{
    FILE *out = fopen(path, "w");
    size_t width = 20;

    if (!out)
        die("%s cannot be written", path);
    for (int i = 0; i < 2 * count; i++)
        if (all[i / 2].len[i % 2] + 1 > width)
            width = all[i / 2].len[i % 2] + 1;
    fprintf(out, "%*s\n", -(int)width + 1, "");
    rewind(out);
    fprintf(out, "%zu %d", width, count);
    fseek(out, (long)width, SEEK_SET);
    for (int i = 0; i < 2 * count; i++)
        fprintf(out, "%-*s\n", (int)width - 1, all[i / 2].text[i % 2] + 1);
    if (fclose(out) != 0)
        die("%s cannot be written", path);
}

void write_moves(struct played *p, const char *records, int count)
{
    glob_t files;

    all = calloc((size_t)count, sizeof *all);
    if (!all)
        die("out of memory");
    p->move_bytes = 0;
    memset(p->upto, 0, sizeof p->upto);
    find_records(records, &files);
    for (size_t i = 0; i < files.gl_pathc; i++)
        take_games(p, files.gl_pathv[i], count);
    globfree(&files);
    for (int i = 1; i <= count; i++)
        p->upto[i] += p->upto[i - 1];
    if (p->upto[count] == 0)
        die("%s: the records have no moves", records);
    p->move_bytes /= p->upto[count];
    snprintf(p->moves, sizeof p->moves, "%.*s.moves", TEXT_MAX - 10, records);
    write_file(p->moves, count);
    free(all);
}

static void add_match(struct command *c, const struct played *p, int count,
                      int at_once)
{
    add(c, REFEREE);
    add(c, "match");
    add(c, "--quiet");
    add(c, "--game=%s", p->name);
    if (p->set)
        add(c, "--set=%s", p->set);
    add(c, "--seed=" SEED);
    add(c, "--games=%d", count);
    add(c, "--concurrency=%d", at_once);
}

void record_games(struct played *p)
{
    struct command c = {0};

    snprintf(p->records, sizeof p->records, "%s", new_folder());
    if (recorded)
        p->recorded = recorded;
    add_match(&c, p, p->recorded, 2);
    add(&c, "--records=%s", p->records);
    add(&c, NULL_BOT);
    add(&c, NULL_BOT);
    run_whole(&c, "/dev/null", ALL_CORES);
    forget(&c);
    write_moves(p, p->records, p->recorded);
    while (p->games < p->recorded && p->upto[p->games] < MOVES)
        p->games++;
}

void add_play(struct command *c, const struct played *p, int count, int at_once,
              int flags)
{
    if (flags & STRACE) {
        add(c, "strace");
        add(c, "-c");
        add(c, "-o");
        add(c, "%s/calls", folder);
    }
    if (flags & CALLGRIND) {
        add(c, "valgrind");
        add(c, "--tool=callgrind");
        add(c, "--callgrind-out-file=/dev/null");
        add(c, "--log-file=%s/callgrind", folder);
    }
    add_match(c, p, count, at_once);
    if (flags & RECORD)
        add(c, "--records=%s", new_folder());
    for (int i = 0; i < 2; i++)
        add(c, "%s%s%s -c %s/count %s", NULL_BOT, flags & LEGAL ? " -l" : "",
            flags & EVERYTHING ? " -a" : "", folder, p->moves);
}

struct cost play(const struct played *p, int count, int at_once, int flags)
{
    struct command c = {0};
    struct cost cost;

    add_play(&c, p, count, at_once, flags);
    cost = run_whole(&c, "/dev/null", at_once == 1 ? ONE_CORE : ALL_CORES);
    forget(&c);
    return cost;
}

struct cost play_moves(const struct played *p, int count, int at_once,
                       int flags, enum cores cores)
{
    uint64_t moves = (uint64_t)p->upto[count];
    struct command c = {0};
    struct cost cost;

    add_play(&c, p, count, at_once, flags);
    cost = run(&c, "/dev/null", cores, moves / 4, moves * 9 / 10);
    forget(&c);
    cost.wall_us /= (double)cost.moves;
    cost.cpu_us /= (double)cost.moves;
    return cost;
}

struct cost ping_pong(struct command *c, enum cores cores)
{
    char path[TEXT_MAX];
    struct cost cost = {0};
    FILE *file;

    snprintf(path, sizeof path, "%s/out", folder);
    run_whole(c, path, cores);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%lf %lf", &cost.wall_us, &cost.cpu_us) != 2)
        die("%s has no figures", path);
    fclose(file);
    forget(c);
    return cost;
}

static struct cost by_trip(struct command *c, enum cores cores, int count)
{
    struct cost cost = ping_pong(c, cores);

    cost.wall_us /= count;
    cost.cpu_us /= count;
    return cost;
}

struct cost limit(const struct played *p, const char *kind, int count, int n,
                  enum cores cores)
{
    struct command c = {0};

    add(&c, PING_PONG);
    add(&c, "%s", kind);
    add(&c, "turns");
    add(&c, "%d", count);
    add(&c, "%d", n);
    add(&c, "%d", p ? GENMOVE_BYTES : LINE_BYTES);
    add(&c, "%.0f", p ? p->move_bytes + ANSWER_BYTES : LINE_BYTES);
    return by_trip(&c, cores, count);
}

struct cost floor_of(const struct played *p, const char *kind, int count,
                     int at_once, enum cores cores)
{
    struct command c = {0};

    add(&c, PING_PONG);
    add(&c, "%s", kind);
    add(&c, "events");
    add(&c, "%d", count);
    add(&c, "%d", at_once);
    add(&c, NULL_BOT);
    add(&c, "-r");
    add(&c, "-c%s/count", folder);
    add(&c, "%s", p->moves);
    return by_trip(&c, cores, count);
}
