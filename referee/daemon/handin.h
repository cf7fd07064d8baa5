#ifndef REFEREE_DAEMON_HANDIN_H
#define REFEREE_DAEMON_HANDIN_H

/*
 * handin.h - one hand-in, and the process that checks whether it is fit to
 * play.
 *
 *     WAITS --handin_start()--> RUNS --the process ends--> OVER
 *
 * The process is "referee admit". It prints each stage as a line of JSON, which
 * becomes lines for the owner: a word that protocol.md lists, and a text.
 */

#include "base/lines.h"
#include "base/sha256.h"
#include "run/child.h"
#include "run/loop.h"
#include "store/shelf.h"

#include <event2/event.h>

enum handin_state { HANDIN_WAITS, HANDIN_RUNS, HANDIN_OVER };

enum handin_end {
    HANDIN_NO_VERDICT, /* not yet; or for no fault of the bot */
    HANDIN_IS_FIT,
    HANDIN_IS_UNFIT
};

enum { HANDIN_NAME_MAX = 32, HANDIN_DIGEST_HEX = 2 * SHA256_BYTES };

struct handin;

struct handin_owner {
    void (*on_told)(void *owner, struct handin *handin);
    /* The hand-in may be freed in this call. */
    void (*on_over)(void *owner, struct handin *handin);
};

struct handin {
    const struct handin_owner *calls;
    void *owner;
    char name[HANDIN_NAME_MAX + 1];
    char path[DISK_PATH_MAX];
    /* digest of the archive, or "" if an organiser put it there */
    char sent[HANDIN_DIGEST_HEX + 1];
    enum handin_state state;
    enum handin_end end;
    char version[VERSION_HEX + 1]; /* if it is fit */
    struct lines told;             /* "KIND TEXT" */

    /* The process. */
    struct loop *loop;
    struct child child;
    struct event *has_output, *has_error, *has_news;
    struct alarm limit;
    struct buf output; /* the beginning of a line */
    struct buf error;  /* its standard error */

    /* The reception's own. */
    /* it is fit, but the configuration is not yet read again */
    bool waits_to_play;
    struct handin *next;
};

struct handin *handin_new(const char *name, const char *path, const char *sent,
                          const struct handin_owner *calls, void *owner);

/* A running process is ended. */
void handin_free(struct handin *handin);

/* `config` is the path of referee.ini. */
bool handin_start(struct handin *handin, struct loop *loop, const char *config,
                  int64_t limit_us, struct err *err) MUST_CHECK;

/* One more line for its owner. */
void handin_tell(struct handin *handin, const char *kind, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* A line of verdict.jsonl, or of "referee admit --json". */
void handin_take_stage(struct handin *handin, const char *json);

#endif
