#ifndef BENCH_PLAYED_H
#define BENCH_PLAYED_H

/*
 * played.h - games that were recorded, and are played again by null bots.
 */

#include "run.h"

#include <glob.h>

#define REFEREE   "referee/referee"
#define NULL_BOT  "tests/bench/null_bot"
#define PING_PONG "tests/bench/ping_pong"
#define SAME_DEAL "tests/bench/same_deal.so"

enum { GAMES = 4, RECORDED_MAX = 5000, MOVES = 40000 };

struct played {
    const char *name, *set;     /* of the game; an option, or NULL */
    int recorded;               /* games */
    int games;                  /* of them have MOVES moves */
    int upto[RECORDED_MAX + 1]; /* moves in so many games */
    double move_bytes;          /* mean */
    char moves[TEXT_MAX];       /* the file for the null bots */
    char records[TEXT_MAX];     /* their folder */
};

extern struct played played[GAMES];
extern int recorded; /* games of each, if not 0 */

/* Where everything lies; in memory if possible: the disk is not measured. */
extern char folder[40];

/* A name for a folder that is not there yet. */
const char *new_folder(void);

/* Play games with random moves. */
void record_games(struct played *played);

/* RECORDS/ *.rec; there is at least one. */
void find_records(const char *records, glob_t *files);

/* Write the moves of all games that are in these for the null bots. */
void write_moves(struct played *played, const char *records, int count);

enum {
    PLAIN = 0,
    RECORD = 1,
    LEGAL = 2,
    EVERYTHING = 4,
    STRACE = 8,    /* its table goes to FOLDER/calls */
    CALLGRIND = 16 /* its words go to FOLDER/callgrind */
};

/* Let null bots play them again, on one core if one at a time; the cost of all
 * of it. */
struct cost play(const struct played *played, int count, int at_once,
                 int flags);

/* By move, in the middle of a run. */
struct cost play_moves(const struct played *played, int count, int at_once,
                       int flags, enum cores cores);

/* The command line of that, for those who want more. */
void add_play(struct command *command, const struct played *played, int count,
              int at_once, int flags);

/* The limit, by round trip: plain read and write of `n` children in turn, with
 * lines of the same length, or of 20 bytes where `played` is NULL. */
struct cost limit(const struct played *played, const char *kind, int count,
                  int n, enum cores cores);

/* The floor: the same null bots in libevent's raw events, without a referee. */
struct cost floor_of(const struct played *played, const char *kind, int count,
                     int at_once, enum cores cores);

/* The figures that ping_pong prints. */
struct cost ping_pong(struct command *command, enum cores cores);

#endif
