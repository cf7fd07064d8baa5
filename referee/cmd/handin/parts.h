#ifndef REFEREE_CMD_HANDIN_PARTS_H
#define REFEREE_CMD_HANDIN_PARTS_H

/*
 * parts.h - a hand-in on its way; for the files of handin/ only.
 *
 * Each stage returns true if the next one follows. If not, it has refused the
 * hand-in, which is a verdict, or given up, which is none.
 */

#include "base/pool.h"
#include "cmd/handin/admit.h"
#include "cmd/handin/recipe.h"

struct way {
    const struct admission *a;
    struct verdict_of_handin *verdict;
    struct pool pool;
    struct recipe recipe;
    struct unpacked sums;
    const struct ladder_config *wanted[SERVE_LADDERS_MAX];
    int wanteds;
    struct buf said;           /* by the program of this stage */
    struct buf stages;         /* all of them, as lines of JSON */
    struct err ours;           /* why nobody can say how good it is, or "" */
    char fresh[DISK_PATH_MAX]; /* where it is until it has a version */
    char folder[DISK_PATH_MAX];
};

/* A stage is done: tell and keep it, with what the program said. */
void told(struct way *way, const char *stage, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The owner's fault. Always false. */
bool refuse(struct way *way, const char *stage, const char *text);

/* Our own fault, or the machine's. Always false. */
bool give_up(struct way *way, const struct err *why);

/* stages.c */
bool stage_ladders(struct way *way); /* where does it want to play? */
bool stage_build(struct way *way);
bool stage_check(struct way *way);
bool stage_play(struct way *way);

#endif
