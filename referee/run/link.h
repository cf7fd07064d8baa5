#ifndef REFEREE_RUN_LINK_H
#define REFEREE_RUN_LINK_H

/*
 * link.h - bytes to and from a bot, over a pair of descriptors.
 *
 * Reading: each wake-up makes one read of limited size and cuts it into lines,
 * so a bot that floods gets its turn and no more. The link stores only an
 * unfinished line, and few bots ever write half a line. Writing: bytes go
 * straight from the talk to the kernel. The link waits for the descriptor only
 * when the kernel accepts no more. The link uses raw events because
 * bufferevents cost 1.8 times the CPU. TLS is left to libevent's bufferevent,
 * behind the same functions.
 */

#include "match/talk.h"
#include "run/loop.h"

#include <event2/bufferevent.h>

struct link;

/*
 * What the owner is told. It must not close the link in these calls. The one
 * exception is a login, which is one line: on_line() may give the link to
 * another owner.
 */
struct link_owner {
    /* A line without its line feed. There is room for a NUL at len. */
    void (*on_line)(void *owner, char *line, size_t len);
    /* No more bytes will come. `flood` is set if a line was too long. */
    void (*on_end)(void *owner, bool flood);
    /* Bytes that had waited for room, or for TLS, are now written. */
    void (*on_sent)(void *owner);
};

struct link {
    struct loop *loop;
    struct talk *talk;
    const struct link_owner *calls;
    void *owner;
    int in, out;
    struct event *can_read;
    struct event *can_write; /* NULL until the kernel first accepts no more */
    struct bufferevent *tls; /* replaces the two events above */
    bool waits;              /* can_write is armed */
    bool deaf;       /* writing failed: the other side no longer reads */
    struct buf rest; /* the beginning of a line */
};

/* The owner keeps the descriptors, the loop and the talk. */
void link_open(struct link *link, struct loop *loop, struct talk *talk, int in,
               int out, const struct link_owner *calls, void *owner);

/* The same over TLS. The link takes over the bufferevent. */
void link_open_tls(struct link *link, struct loop *loop, struct talk *talk,
                   struct bufferevent *tls, const struct link_owner *calls,
                   void *owner);
void link_close(struct link *link);

/* Write what the talk holds. True if everything is written. */
bool link_flush(struct link *link);

/* Stop writing. The owner closes the descriptor. */
void link_stop_writing(struct link *link);

/* Read everything available now: what a bot printed before it ended. */
void link_look(struct link *link);

#endif
