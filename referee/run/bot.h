#ifndef REFEREE_RUN_BOT_H
#define REFEREE_RUN_BOT_H

/*
 * bot.h - a bot program that is running: its process, its talk, its stderr.
 *
 *     RUNNING --bot_quit()--> QUITTING --limit--> TERMINATED --limit--> KILLED
 *        |                        |                   |                   |
 *        +------------------------+--- all of it has ended ---------------+
 *                                                     |
 *                                                     v
 *                                                   ENDED
 *
 * The listener of its peer (peer.h) gets each line, and is told once when the
 * bot is lost. When all its processes have ended, the bot calls on_ended();
 * after that it may be freed. A bot is lost when its output has ended and its
 * exit status is known, or does not arrive soon. So a bot may print its move
 * and exit, and the move counts.
 */

#include "match/record.h"
#include "run/child.h"
#include "run/cores.h"
#include "run/link.h"
#include "run/peer.h"
#include "run/stderr_tally.h"

#include <stdio.h>

enum {
    BOT_LAST_WORDS = 4096, /* of stderr, kept for the report of a fault */
};

struct bot_config {
    const char *name;
    char *const *argv;
    const char *directory;
    char *const *environment;
    int64_t quit_us;           /* from quit to TERM, and from TERM to KILL */
    int64_t log_max;           /* bytes of stderr in one log */
    bool counts_cpu;           /* one of its clocks counts CPU time */
    bool restarts;             /* started anew for every game */
    const struct walls *walls; /* NULL: none */
    int cores;                 /* cores of its own, if the loop hands out any */
    bool freezes;              /* freeze it while it has nothing to answer */
    struct stderr_tally *tally; /* counts its stderr, if not NULL */
    FILE *talk_log;             /* gets every line, if not NULL */
};

enum bot_phase {
    BOT_RUNNING,
    BOT_QUITTING,
    BOT_TERMINATED,
    BOT_KILLED,
    BOT_ENDED
};

struct bot {
    struct peer peer; /* first: see bot_of() */
    enum bot_phase phase;
    bool lost; /* the listener has been told */
    /* All its processes have ended. May be NULL. */
    void (*on_ended)(void *owner, struct bot *bot);
    void *owner; /* for on_ended() */
    struct link link;
    struct talk talk;

    const struct bot_config *config;
    struct loop *loop;
    struct child child;
    struct core_share share; /* of the processors */
    bool output_ended;       /* end of its standard output */
    bool error_ended;        /* end of its standard error */
    int start_error;         /* the program could not be run */
    struct event *news;      /* of the guard */
    struct event *has_stderr;
    struct event *timer;    /* NULL until it is set */
    struct event *has_tick; /* NULL until its CPU time is watched */
    int tick;               /* a timer, or -1 */

    bool is_frozen;
    int64_t frozen_cpu_us; /* CPU time used when it was frozen, */
    int64_t outside_us;    /* used while frozen, */
    /* and the part that the record shows; -1: nothing */
    int64_t told_outside_us;

    struct event *has_notice; /* of its walls; NULL: nobody listens */
    int notices;
    const char *last_notice;

    size_t shown; /* unsent bytes that are already in the talk log */

    struct buf log_path; /* where stderr goes, or empty */
    int log;             /* opened when there is something to log */
    int64_t logged;
    char *last_words; /* BOT_LAST_WORDS and a NUL; NULL if there were none */
    size_t last_len;
};

static inline struct bot *bot_of(struct peer *peer)
{
    return (struct bot *)peer;
}

/* The caller sets on_ended() and frees it after that. */
struct bot *bot_new(struct loop *loop, const struct bot_config *config,
                    struct err *err);
void bot_free(struct bot *bot);

/*
 * From now on, write stderr to this file, which is created on demand. "":
 * discard it.
 */
void bot_set_log(struct bot *bot, const char *path);

/* Write what the talk holds. True if all of it is written. */
bool bot_flush(struct bot *bot);

/* Send quit, or end it at once. */
void bot_quit(struct bot *bot);
void bot_kill(struct bot *bot);

/* The last whole lines that it wrote to stderr, made readable; "" if none. */
const char *bot_last_words(const struct bot *bot);

#endif
