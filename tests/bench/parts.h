#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

/* parts.h - the parts of the bench; each takes its samples, round by round. */

#include "played.h"

extern int rounds;      /* 0: as many as the part likes */
extern bool measured[]; /* games */

static inline int rounds_or(int preset)
{
    return rounds ? rounds : preset;
}

/* A row "GAME, WHAT": time and CPU of a move, and how they stand to A. */
void sample_moves(const char *table, const char *game, const char *what,
                  const struct cost *cost, const struct cost *a);

void bench_limit(void);
void bench_moves(void);
void bench_tcp(void);
void bench_crowd(void);
void bench_start(void);
void bench_records(void);
void bench_replay(void);
void bench_instructions(void);

#endif
