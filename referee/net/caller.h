#ifndef REFEREE_NET_CALLER_H
#define REFEREE_NET_CALLER_H

/*
 * caller.h - a login without a bot: lines to a server, and its news.
 *
 *     DIALLING --> SECURING (TLS) --> LOGGING_IN --> JOINED --> DONE
 *         |             |                  |            |
 *         +-------------+------ failed ----+------------+-----> DONE
 */

#include "net/dial.h"
#include "net/tls_client.h"

enum { CALLER_LINE_MAX = 4096, CALLER_HELD_MAX = 64 << 10 };

/* As whom, and where. */
struct caller_config {
    const struct address *address;
    const struct tls_client *tls; /* NULL: without */
    const char *name, *token;
    bool plain_token;       /* send the token itself */
    const char *invitation; /* the token is its code, this is its id; or NULL */
    const char *requests;   /* behind the proof, such as "submit" */
    int64_t login_us;       /* until the login has been asked for */
};

struct caller_owner {
    /* The nonce of the login, which is then answered; false: it is not, and the
     * caller is done. Or NULL. */
    bool (*on_nonce)(void *owner, const char *nonce);
    /* "# KIND TEXT" */
    void (*on_told)(void *owner, const char *kind, const char *text);
    /* Less than half of CALLER_HELD_MAX is still to be sent. */
    void (*on_room)(void *owner);
    /* It is over, and why; the owner frees the caller, but not in here.
     * `joined`: the login had been answered. */
    void (*on_done)(void *owner, bool joined, const char *why);
};

enum caller_phase {
    CALLER_DIALLING,
    CALLER_SECURING,
    CALLER_LOGGING_IN,
    CALLER_JOINED,
    CALLER_DONE
};

struct caller {
    const struct caller_config *config;
    struct loop *loop;
    const struct caller_owner *calls;
    void *owner;
    enum caller_phase phase;
    struct dial dial;
    struct bufferevent *net;
    struct event *limit;
};

struct caller *caller_new(struct loop *loop, const struct caller_config *config,
                          const struct caller_owner *calls, void *owner);
void caller_free(struct caller *caller);

/* A line without its line feed; how many bytes are still to be sent. */
size_t caller_say(struct caller *caller, const char *line, size_t len);

#endif
