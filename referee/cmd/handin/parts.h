#ifndef REFEREE_CMD_HANDIN_PARTS_H
#define REFEREE_CMD_HANDIN_PARTS_H

/*
 * parts.h - a hand-in on its way; for the files of handin/ only.
 *
 * Each stage returns true if the next one follows. Otherwise it has either
 * refused the hand-in, which is a verdict, or given up, which is not.
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
    struct buf said;           /* output of this stage's program */
    struct buf stages;         /* all stages, as lines of JSON */
    struct err ours;           /* why there is no verdict, or "" */
    char fresh[DISK_PATH_MAX]; /* where it is until it has a version */
    char folder[DISK_PATH_MAX];
};

/* A stage has ended: report and keep it, with the program's output. */
void told(struct way *way, const char *stage, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Refuse: the owner's fault. Always false. */
bool refuse(struct way *way, const char *stage, const char *text);

/* Give up: our own fault, or the machine's. Always false. */
bool give_up(struct way *way, const struct err *why);

/* stages.c */
bool stage_ladders(struct way *way); /* does the owner want it to play there? */
bool stage_build(struct way *way);
bool stage_check(struct way *way);
bool stage_play(struct way *way);

#endif
