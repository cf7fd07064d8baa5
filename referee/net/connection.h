#ifndef REFEREE_NET_CONNECTION_H
#define REFEREE_NET_CONNECTION_H

/*
 * connection.h - a bot that plays over the network.
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
 * One that hands a bot in is SUBMITTING instead of GREETING, until it is gone:
 * it never plays. Nor does a newcomer who brings an invitation: it is
 * REGISTERING until its new name counts.
 *
 * A connection outlives its descriptor. If it breaks in a game it is AWAY, and
 * the next login of the same name continues it. It plays as the version that it
 * had stated before it was chosen. A version stated after its return counts for
 * later games.
 */

#include "match/login.h"
#include "match/match.h"
#include "net/handshake.h"
#include "net/tcp.h"
#include "run/link.h"
#include "run/peer.h"

enum connection_phase {
    CONNECTION_LOGIN,
    CONNECTION_GREETING,
    CONNECTION_SUBMITTING,
    CONNECTION_REGISTERING,
    CONNECTION_IDLE,
    CONNECTION_PLAYING,
    CONNECTION_AWAY
};

enum {
    CONNECTION_ADDRESS_MAX = 64,
    CONNECTION_REFUSAL_MAX = 240,
    CONNECTION_LADDERS_MAX = 400,
    CONNECTION_INVITATION_MAX = 16
};

struct connection;

/* How a connection came in. */
enum listener_kind { LISTEN_TCP, LISTEN_TLS, LISTEN_UNIX };

/* What the server is told. It frees a connection only in on_gone(). */
struct connection_owner {
    /* Is this the answer to the nonce? If not, `refusal` may say why. */
    bool (*on_login)(void *owner, struct connection *connection,
                     const char *name, const char *proof);
    /*
     * The name is known. Returns false if the bot is not to be greeted: a game
     * is waiting for it and connection_take_up() was called, or it must go and
     * connection_end() was called.
     */
    bool (*on_known)(void *owner, struct connection *connection);
    /* It has said its version, and may play now. */
    void (*on_ready)(void *owner, struct connection *connection);
    /* The same with the code of an invitation, for a name that is new. */
    bool (*on_invited)(void *owner, struct connection *connection,
                       const char *name, const char *proof);
    /* It is logged in to hand a bot in. What it says then; and there is room
     * for news again. */
    void (*on_submitter)(void *owner, struct connection *connection);
    void (*on_submission)(void *owner, struct connection *connection,
                          char *line, size_t len);
    void (*on_room)(void *owner, struct connection *connection);
    /* It is gone for good: free it. */
    void (*on_gone)(void *owner, struct connection *connection,
                    const char *why);
};

struct connection {
    struct peer peer; /* how a table sees it */
    struct loop *loop;
    const struct connection_owner *calls;
    void *owner;
    enum connection_phase phase;
    enum listener_kind kind;
    char address[CONNECTION_ADDRESS_MAX];
    char origin[ORIGIN_MAX]; /* of that address */
    char name[BOT_NAME_MAX + 1];
    char version[TALK_TITLE_MAX + 1]; /* in this game */
    char nonce[NONCE_HEX + 1];
    struct talk talk;
    struct handshake *handshake; /* before its link, if it uses TLS */
    struct link link;
    int fd;              /* -1 while it is away, or over TLS */
    struct event *timer; /* for the login, the greeting, or the grace */
    struct event *gone;  /* made active so that the loop frees it */
    struct event *away;  /* the same, to part it from its connection */
    const char *why_gone;
    char refusal[CONNECTION_REFUSAL_MAX]; /* of its login, or "" */
    int64_t since_us;                     /* waiting or away */
    int64_t travel_cap_us;
    int64_t greet_us; /* limit for saying its version */
    int64_t grace_us; /* limit for staying away */
    int games;
    int64_t begun_us; /* when it arrived, or began its last game */
    bool wants_news;  /* its owner wants news */
    bool submits;     /* it hands a bot in, and never plays */
    char invitation[CONNECTION_INVITATION_MAX]; /* its id, or "" */
    char ladders[CONNECTION_LADDERS_MAX]; /* the only ones for it, or "" */
    bool leaves; /* it has asked to leave after its game */

    /* For the server. */
    void *game;         /* while it plays */
    bool has_tried;     /* to log in */
    bool queued;        /* it is in the queue */
    uint32_t told;      /* why it waits, as it was last told; or 0 */
    const void *ladder; /* on which it is the entrant of this number; or NULL */
    int entrant;
    int64_t careless_us; /* until then it plays on any ladder */
    void *visit;         /* of one that is submitting */
    struct connection *next;
};

/* It takes over the descriptor, and the TLS to run on it, or NULL. */
struct connection *connection_new(struct handshakes *handshakes,
                                  enum listener_kind kind, int fd, SSL *tls,
                                  const char *address, int64_t login_us,
                                  const struct connection_owner *calls,
                                  void *owner);
/* A connection that is AWAY, as if it had just broken in this game. */
struct connection *connection_new_away(struct loop *loop, const char *name,
                                       int64_t grace_us, void *game,
                                       const struct connection_owner *calls,
                                       void *owner);
void connection_free(struct connection *connection);

/* A game begins for it, and ends. */
void connection_seat(struct connection *connection, void *game);
void connection_unseat(struct connection *connection);

/*
 * `connection` takes over the descriptor of `from`, which has just logged in.
 */
void connection_take_up(struct connection *connection, struct connection *from);

/*
 * A line of news for the bot's owner, if the owner has asked for news: a word
 * that protocol.md lists, and text for people.
 */
void connection_tell(struct connection *connection, const char *kind,
                     const char *fmt, ...) PRINTF_LIKE(3, 4);

/* False: it does not read, and a line of news would be dropped. */
bool connection_has_room(const struct connection *connection);

/* Close it. on_gone() follows from the loop, and again if it must wait. */
void connection_end(struct connection *connection, const char *why);
void connection_drop(struct connection *connection);

/* Round-trip time as the kernel measures it; 0 if it does not. */
int64_t connection_rtt_us(const struct connection *connection);

#endif
