/*
 * bench [-g GAMES] [-j FILE] [-r ROUNDS] [PART...] [GAME...] - what the
 * referee costs.
 *
 * Games with random moves are recorded first; then null bots play the same
 * games again. Beside each run, in the same minute, stands the same number of
 * round trips without a referee, ping_pong.c: with plain read and write, and
 * children that only answer (the limit, A), and with the same null bots in
 * libevent's raw events (the floor). Absolute figures move
 * with the machine and the minute, ratios much less; they are taken round by
 * round. A figure is the median of the rounds, and behind it in brackets
 * stands half of the way between their quartiles.
 *
 * The bots count their moves, and time is taken in the middle of a run, so
 * that starting up, which is measured on its own, is no part of a move.
 *
 * Run it in the build folder.
 */

#include "figures.h"
#include "parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int rounds;
bool measured[GAMES];

static const char of_limit[] =
    "The limit A: a parent and its children in turn, plain read and write, "
    "lines of\n20 bytes each way. \"on one core\": all of them are bound to "
    "it.";
static const char of_moves[] =
    "A move, one game at a time, on one core. A: the limit with two children "
    "and lines\nas long as the game's; floor: the null bots in libevent's raw "
    "events. The referee\nchecks the rules; \"record\": it writes a record "
    "too; \"everything\": the bots want all events\nand times; "
    "\"legal_moves\": they want those. cpu: of the parent or the referee "
    "alone.\ncalls: system calls of the referee by move.";
static const char of_tcp[] =
    "The same over loopback TCP, in `referee serve`, which always keeps "
    "records and an\nindex over them. durable: as is its default, no result "
    "is told before its record is\nsynced, by another thread.";
static const char of_crowd[] =
    "Many games at once, two bots each, on all cores, with records. floor: the "
    "same bots\nin libevent's raw events. share: of the floor's moves a "
    "second.";
static const char of_start[] =
    "Start, greet and reap a bot; and a game of one move, with bots that stay "
    "and with\nbots that start anew. floor: fork, exec, one line each way, "
    "wait.";
static const char of_records[] =
    "Records of whole games a second: written by a plain C program, and by "
    "`referee\nmatch`, two at once, beside playing them. durable: each synced "
    "to the disk.";
static const char of_instructions[] =
    "Instructions of the referee by move, one game at a time, counted by "
    "callgrind: the\nsame on a busy machine.";
static const char of_replay[] = "Records that are played again and verified.";

static const struct part {
    const char *name;
    const char *title;
    void (*run)(void);
} parts[] = {
    {"limit", of_limit, bench_limit},
    {"moves", of_moves, bench_moves},
    {"tcp", of_tcp, bench_tcp},
    {"crowd", of_crowd, bench_crowd},
    {"start", of_start, bench_start},
    {"records", of_records, bench_records},
    {"replay", of_replay, bench_replay},
    {"instructions", of_instructions, bench_instructions},
};

enum { PARTS = sizeof parts / sizeof *parts };

static bool asked[PARTS];

/* A word of the command line: a part, or a game. */
static bool choose(const char *word)
{
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, word) == 0)
            return asked[i] = true;
    for (int i = 0; i < GAMES; i++)
        if (strcmp(played[i].name, word) == 0)
            return measured[i] = true;
    return false;
}

static void all_if_none(bool *chosen, int count)
{
    for (int i = 0; i < count; i++)
        if (chosen[i])
            return;
    for (int i = 0; i < count; i++)
        chosen[i] = true;
}

static void make_folder(void)
{
    char path[TEXT_MAX];

    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/bench.XXXXXX")))
        die("%s: %s", folder, strerror(errno));
    snprintf(path, sizeof path, "%s/count", folder);
    count_moves(path);
}

static void remove_folder(void)
{
    char text[TEXT_MAX];

    snprintf(text, sizeof text, "rm -rf %s", folder);
    if (system(text) != 0)
        fprintf(stderr, "bench: %s could not be removed\n", folder);
}

static void save_json(const char *path)
{
    FILE *out = fopen(path, "w");

    if (!out)
        die("%s: %s", path, strerror(errno));
    write_json(out);
    if (fclose(out) != 0)
        die("%s: %s", path, strerror(errno));
}

static void run_parts(void)
{
    for (int i = 0; i < GAMES; i++)
        if (measured[i]) {
            fprintf(stderr, "recording %s ...\n", played[i].name);
            record_games(&played[i]);
        }
    for (int i = 0; i < PARTS; i++)
        if (asked[i]) {
            fprintf(stderr, "%s ...\n", parts[i].name);
            parts[i].run();
            printf("\n%s\n\n", parts[i].title);
            print_table(parts[i].name);
            fflush(stdout);
        }
}

int main(int argc, char **argv)
{
    const char *json = NULL;
    int option;

    while ((option = getopt(argc, argv, "g:j:r:")) != -1)
        if (option == 'j')
            json = optarg;
        else if (option == 'r')
            rounds = atoi(optarg);
        else if (option == 'g' && atoi(optarg) <= RECORDED_MAX)
            recorded = atoi(optarg);
        else
            return 2;
    for (; optind < argc; optind++)
        if (!choose(argv[optind]))
            die("\"%s\" is no part and no game", argv[optind]);
    all_if_none(asked, PARTS);
    all_if_none(measured, GAMES);
    make_folder();
    atexit(remove_folder);
    run_parts();
    if (json)
        save_json(json);
    return 0;
}
