#ifndef REFEREE_NET_H
#define REFEREE_NET_H

/*
 * net.h - a bot that has come over the network.
 *
 *     accepted --> LOGIN --proof--> GREETING --version--> IDLE <----> PLAYING
 *                    |                 |                   |             |
 *                    | limit, lie      | limit             | lost        | lost
 *                    v                 v                   v             v
 *                  gone              gone                gone           AWAY
 *                                                                      |   |
 *                                         PLAYING <--- another login --+   |
 *                                                                          |
 *                                            gone <------ grace ends ------+
 *
 * A net outlives its connection: one that breaks in a game is AWAY, and the
 * next login of the same name takes it up again. It plays as the version that
 * it had said before it was chosen; what it says when it is back counts later.
 */

#include "host/handshake.h"
#include "host/link.h"
#include "host/peer.h"
#include "host/serve.h"
#include "host/tcp.h"

enum net_phase { NET_LOGIN, NET_GREETING, NET_IDLE, NET_PLAYING, NET_AWAY };

enum { NET_ADDRESS_MAX = 64 };

struct net;

/* What the server hears. It frees a net in on_gone() only. */
struct net_owner {
    /* Is this the answer to the nonce? Fill in nothing, only judge. */
    bool (*on_login)(void *owner, struct net *net, const char *name,
                     const char *proof);
    /* Who it is, is known. False if it is not to be greeted: a game waits for
     * it, and net_take_up() was called; or it must go, and net_end() was. */
    bool (*on_known)(void *owner, struct net *net);
    /* It has said its version, and may play now. */
    void (*on_ready)(void *owner, struct net *net);
    /* Connection and all: free it. */
    void (*on_gone)(void *owner, struct net *net, const char *why);
};

struct net {
    struct peer peer; /* what a table sees of it */
    struct loop *loop;
    const struct net_owner *calls;
    void *owner;
    enum net_phase phase;
    enum listener_kind kind;
    char address[NET_ADDRESS_MAX];
    char origin[ORIGIN_MAX]; /* of that address */
    char name[BOT_NAME_MAX + 1];
    char version[TALK_TITLE_MAX + 1]; /* in this game */
    char nonce[NONCE_HEX + 1];
    struct talk talk;
    struct handshake *handshake; /* before its link, if it comes over TLS */
    struct link link;
    int fd;              /* -1 while it is away, or over TLS */
    struct event *timer; /* for the login, the greeting, or the grace */
    struct event *gone;  /* made active to be freed from the loop */
    struct event *away;  /* and to be parted from its connection */
    const char *why_gone;
    int64_t since_us; /* waiting, or away */
    int64_t travel_cap_us;
    int64_t greet_us; /* how long it may take to say its version */
    int64_t grace_us; /* how long it may stay away */
    int games;
    int64_t begun_us; /* when it came, or began its last game */

    /* The server's. */
    void *game;         /* while it plays */
    bool has_tried;     /* to log in */
    bool queued;        /* it is in the queue */
    const void *ladder; /* on which it is the entrant of this number; or NULL */
    int entrant;
    struct net *next;
};

/* The descriptor belongs to it then, and what is to be TLS over it, or NULL. */
struct net *net_new(struct handshakes *handshakes, enum listener_kind kind,
                    int fd, SSL *tls, const char *address, int64_t login_us,
                    const struct net_owner *calls, void *owner);
/* One that is AWAY, as if its connection had just broken in this game. */
struct net *net_new_away(struct loop *loop, const char *name, int64_t grace_us,
                         void *game, const struct net_owner *calls,
                         void *owner);
void net_free(struct net *net);

/* A game begins for it, and ends. */
void net_seat(struct net *net, void *game);
void net_unseat(struct net *net);

/* The connection of `from`, which has just logged in, goes over to `net`. */
void net_take_up(struct net *net, struct net *from);

/* Close it; on_gone() follows from the loop, again if it must wait. */
void net_end(struct net *net, const char *why);
void net_drop(struct net *net);

/* Round-trip time as the kernel measures it; 0 if it does not. */
int64_t net_rtt_us(const struct net *net);

#endif
