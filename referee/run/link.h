#ifndef REFEREE_RUN_LINK_H
#define REFEREE_RUN_LINK_H

/*
 * link.h - bytes to and from a bot, over a pair of descriptors.
 *
 * Reading: one read per wake-up, of limited size, which is cut into lines; so
 * a bot that floods gets its turn and no more. Only a line that has not ended
 * is kept, and few bots ever write half a line. Writing: at once, straight
 * from the talk; only if the kernel takes no more does the link wait for it.
 * Raw events, not bufferevents, which cost 1.8 times the CPU; only TLS is left
 * to libevent's bufferevent, behind the same functions.
 */

#include "match/talk.h"
#include "run/loop.h"

#include <event2/bufferevent.h>

struct link;

/*
 * What the owner hears. It must not close the link in any of these; only a
 * login, which is one line, may go over to another owner in on_line().
 */
struct link_owner {
    /* A line without its line feed, with room for a NUL at len. */
    void (*on_line)(void *owner, char *line, size_t len);
    /* Nothing more will come; `flood` if a line was too long. */
    void (*on_end)(void *owner, bool flood);
    /* Bytes that had waited for room, or for TLS, are written. */
    void (*on_sent)(void *owner);
};

struct link {
    struct loop *loop;
    struct talk *talk;
    const struct link_owner *calls;
    void *owner;
    int in, out;
    struct event *can_read;
    struct event *can_write; /* NULL until the kernel takes no more */
    struct bufferevent *tls; /* in the place of these */
    bool waits;              /* can_write is armed */
    bool deaf;               /* writing failed: nobody reads any more */
    struct buf rest;         /* the beginning of a line */
};

/* The descriptors stay the owner's, as do loop and talk. */
void link_open(struct link *link, struct loop *loop, struct talk *talk, int in,
               int out, const struct link_owner *calls, void *owner);

/* The same over TLS; the bufferevent goes over to the link. */
void link_open_tls(struct link *link, struct loop *loop, struct talk *talk,
                   struct bufferevent *tls, const struct link_owner *calls,
                   void *owner);
void link_close(struct link *link);

/* Write what the talk holds. True if all of it is written. */
bool link_flush(struct link *link);

/* Write no more; the owner closes the descriptor. */
void link_stop_writing(struct link *link);

/* Read all that is there, now: what a bot has printed before it ended. */
void link_look(struct link *link);

#endif
