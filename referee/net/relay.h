#ifndef REFEREE_NET_RELAY_H
#define REFEREE_NET_RELAY_H

/*
 * relay.h - one connection to a server, and the bot that plays over it.
 *
 *     DIALLING --> SECURING --> LOGGING_IN --> JOINED --> LEAVING --> DONE
 *         |         (TLS)            |            |          ^
 *         +-----------+--------------+--- failed -|----------|------> DONE
 *                                                 +- an end -+
 *
 * The relay logs in for the bot, then starts it and carries bytes both ways,
 * whatever they are. It holds what one side does not take, up to a limit, and
 * then stops reading the other side. When one side has ended, the other still
 * gets every byte that was on its way, and the bot gets some time to end. News
 * for the bot's owner, lines that begin with '#', are taken out of what the
 * server sends.
 */

#include "net/dial.h"
#include "net/tls_client.h"
#include "run/child.h"

struct relay_config {
    const struct address *address;
    const struct tls_client *tls; /* NULL: without TLS */
    const char *name;
    const char *token;
    bool plain_token;    /* send the token itself */
    const char *ladders; /* "a,b": where alone it plays; NULL: anywhere */
    char *const *argv;
    int64_t login_us; /* from the start until the login is asked for */
    int64_t quit_us;  /* from the end of input to TERM, and from TERM to KILL */
};

enum relay_end {
    RELAY_ENDED,   /* it played until one side ended it */
    RELAY_FAILED,  /* no connection, or no login */
    RELAY_REFUSED, /* the login was refused */
    RELAY_LOST,    /* the connection broke */
    RELAY_BOT_DIED,
    RELAY_NO_BOT, /* the program cannot be run */
};

struct relay_owner {
    /* A sentence for people. */
    void (*on_news)(void *owner, const char *text);
    /*
     * News for the bot's owner: a kind, as in protocol.md, and a sentence for
     * people.
     */
    void (*on_told)(void *owner, const char *kind, const char *text);
    /* From the bot's stderr. Returns false to be asked again later. */
    bool (*on_stderr)(void *owner, const char *bytes, size_t len);
    /* It is over. The owner frees the relay, but not in this call. */
    void (*on_done)(void *owner, enum relay_end end, const char *why);
};

enum relay_phase {
    RELAY_DIALLING,
    RELAY_SECURING,
    RELAY_LOGGING_IN,
    RELAY_JOINED,
    RELAY_LEAVING,
    RELAY_DONE
};

enum relay_bot {
    RELAY_BOT_NONE,
    RELAY_BOT_RUNS,
    RELAY_BOT_QUITS,
    RELAY_BOT_TERMINATED,
    RELAY_BOT_KILLED
};

enum { RELAY_STDERR_MAX = 4096, RELAY_BYE_MAX = 200 };

struct relay {
    const struct relay_config *config;
    struct loop *loop;
    const struct relay_owner *calls;
    void *owner;
    enum relay_phase phase;
    struct dial dial;
    struct event *limit;

    struct bufferevent *net; /* the server */
    bool connection_ended;   /* nothing more will come from it */
    bool connection_broken;  /* and nothing more can be sent */
    bool connection_closed;  /* we have said goodbye */
    int64_t login_us;        /* when it was answered */
    int64_t in_bytes, out_bytes;
    bool tells;                  /* the server has told news */
    char bye[RELAY_BYE_MAX + 1]; /* why the server ends it, or "" */
    bool is_within;              /* a line to the bot is unfinished */
    bool bot_is_within;          /* a line from the bot is unfinished */
    bool wants_to_leave;

    struct child child;
    enum relay_bot bot;
    int bot_error;                 /* the program could not be run */
    struct bufferevent *to, *from; /* its pipes; NULL when they are closed */
    struct event *news;
    struct event *bot_timer;
    struct event *has_stderr;
    struct event *stderr_pause;
    char stderr_bytes[RELAY_STDERR_MAX];
    size_t stderr_len; /* not taken by the owner yet */

    enum relay_end end;
    struct err why;
};

struct relay *relay_new(struct loop *loop, const struct relay_config *config,
                        const struct relay_owner *calls, void *owner);
void relay_free(struct relay *relay);

/* Play the current game, if any, to its end. Then the same as relay_stop(). */
void relay_leave(struct relay *relay);

/* Close the connection and end the bot. on_done() follows. */
void relay_stop(struct relay *relay);

/* The same without waiting. */
void relay_kill(struct relay *relay);

#endif
