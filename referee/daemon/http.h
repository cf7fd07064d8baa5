#ifndef REFEREE_DAEMON_HTTP_H
#define REFEREE_DAEMON_HTTP_H

/*
 * http.h - the daemon's ear for monitors and pages: GET /healthz, GET /metrics
 * and, if the owner answers them, GET /api/...
 *
 * Nothing that is asked here changes anything. A request is small (no body,
 * few headers) and complete within seconds, or its connection is closed; there
 * are few connections at once, the next ones wait in the kernel's queue. Every
 * address is a row of a table in http.c.
 *
 * The owner's process must ignore SIGPIPE.
 */

#include "base/buf.h"
#include "run/loop.h"

#include <event2/keyvalq_struct.h>

enum {
    HTTP_CONNECTIONS_MAX = 32,
    HTTP_HEADERS_MAX = 4 << 10, /* bytes; 0.4 ms, if they are many */
    HTTP_BODY_MAX = 1 << 10,    /* it is read, but not used */
    HTTP_ANSWER_MAX = 4 << 20,
};

/* GET /api/PATH?QUERY, while it is answered. */
struct http_ask {
    const char *path;    /* decoded */
    const char *address; /* of who asks */
    struct evkeyvalq *query;
    const char *type; /* of the answer; JSON unless it is changed */
};

/* The value of a key in the query, or NULL. */
const char *http_value(const struct http_ask *ask, const char *key);

/* What is asked of the owner; it must not free the http in these. */
struct http_calls {
    bool (*is_healthy)(void *owner); /* false: it starts or stops */
    void (*write_metrics)(void *owner, struct buf *out);
    /* Returns the status code; may be NULL. */
    int (*answer_api)(void *owner, struct http_ask *ask, struct buf *out);
};

extern const char http_plain_type[];

struct http;

/* Listen. Port 0 takes any that is free. NULL and a reason if it fails. */
struct http *http_new(struct loop *loop, const char *address, int port,
                      const struct http_calls *calls, void *owner,
                      struct err *err);
void http_free(struct http *http);

int http_port(const struct http *http);
int http_connections(const struct http *http);

#endif
