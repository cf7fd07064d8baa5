#ifndef REFEREE_RUN_PEER_H
#define REFEREE_RUN_PEER_H

/*
 * peer.h - a player at a table: one of our programs, or a remote one.
 *
 * A table knows its seats only as peers. The kind of a peer decides how bytes
 * reach it. Clocks and rules are the same for all.
 */

#include "match/fault.h"
#include "match/talk.h"

struct peer;

struct peer_kind {
    /* Write what the talk holds. True if everything is written. */
    bool (*flush)(struct peer *peer);
    /* CPU time used so far; 0 if unknown. */
    int64_t (*cpu_us)(struct peer *peer);
    /* A clock that counts CPU time starts or stops. */
    void (*watch_cpu)(struct peer *peer, bool on);
    /*
     * Network travel time, which is not charged to the bot; 0 for our own
     * programs.
     */
    int64_t (*travel_us)(struct peer *peer);
    /* It has failed and is no longer needed: end it. */
    void (*cut_off)(struct peer *peer);
};

/*
 * The listener of a peer: the table at which it sits, or its owner between
 * games. A bot is never away; only a table gets remarks.
 */
struct peer_owner {
    void (*on_line)(void *owner, struct peer *peer, char *line, size_t len);
    void (*on_sent)(void *owner, struct peer *peer);
    /* For good. */
    void (*on_lost)(void *owner, struct peer *peer, enum why why,
                    const char *detail);
    /*
     * Away: the connection broke. Back: it is connected again, with a new talk.
     */
    void (*on_away)(void *owner, struct peer *peer);
    void (*on_back)(void *owner, struct peer *peer);
    /* For the record: a word and a text. */
    void (*on_remark)(void *owner, struct peer *peer, const char *word,
                      const char *text);
};

struct peer {
    const struct peer_kind *kind;
    struct talk *talk;
    const struct peer_owner *calls; /* NULL: nobody listens now */
    void *owner;
};

static inline void peer_listen(struct peer *peer,
                               const struct peer_owner *calls, void *owner)
{
    peer->calls = calls;
    peer->owner = owner;
}

#endif
