#ifndef REFEREE_DAEMON_HTTP_H
#define REFEREE_DAEMON_HTTP_H

/*
 * http.h - the daemon's HTTP server, for monitors, programs and browsers. It
 * serves GET /healthz and GET /metrics; the owner answers /api/... and pages.
 *
 * GET changes nothing. POST is for /api/ only, and only from a page of this
 * server; a browser names the page's site in "Origin". A request must be small
 * (no body, few headers) and complete within seconds, or its connection is
 * closed. Few connections are served at once. If one more arrives, the one that
 * has been silent longest is closed, of the address with the most connections.
 *
 * An answer may become a stream of server-sent events instead. Streams have a
 * limit of their own and no deadline. If there are too many, the address with
 * the most streams loses one. A reader that does not keep up is dropped;
 * browsers reconnect by themselves and say where they were.
 *
 * The owner's process must ignore SIGPIPE.
 */

#include "base/buf.h"
#include "daemon/metrics.h"
#include "net/proxy.h"
#include "run/loop.h"

#include <event2/keyvalq_struct.h>

enum {
    HTTP_CONNECTIONS_MAX = 32,
    HTTP_HEADERS_MAX = 4 << 10, /* bytes; this many take 0.4 ms */
    HTTP_BODY_MAX = 1 << 10,
    HTTP_ANSWER_MAX = 4 << 20,
    HTTP_STREAMS_MAX = 1024,
    HTTP_ETAG_MAX = 40,
    /* bytes that a stream's reader may leave unread, */
    HTTP_UNREAD_MAX = 256 << 10,
    HTTP_KERNEL_MAX = 64 << 10, /* beside those that the kernel keeps */
};

/* Status codes for which libevent has no names. */
#define HTTP_FORBIDDEN 403
#define HTTP_CONFLICT  409

struct http;

/* GET or POST /PATH?QUERY, while it is answered. */
struct http_ask {
    const char *path;   /* decoded, without its first slash; after /api/ */
    const char *target; /* the whole of it, as it was asked */
    char address[PROXY_ADDRESS_MAX]; /* of the client, behind any proxies */
    struct evkeyvalq *query;
    const char *type; /* of the answer: JSON or HTML unless it is changed */
    /* our name as the browser knows it, "name:port"; or NULL */
    const char *host;
    const char *last_event; /* Last-Event-ID of a returning stream, or NULL */
    const char *key;        /* Referee-Key: whose seat it is, or NULL */
    const char *token;      /* Referee-Token: whose bot it is, or NULL */
    const char *body;       /* of a POST, as text; NULL: it is no POST */
    bool is_private;        /* caches must keep it for this client only */
    bool is_fixed;          /* the answer never changes under this address */

    /* http.c's own. */
    struct http *http;
    struct evhttp_request *request;
    bool is_stream;
    char etag[HTTP_ETAG_MAX];
};

/* The value of a key in the query, or NULL. */
const char *http_value(const struct http_ask *ask, const char *key);

/*
 * What the server asks its owner, which must not free the http in these calls.
 */
struct http_calls {
    const char *(*complaint)(void *owner); /* why nobody can play, or NULL */
    void (*write_metrics)(void *owner, struct buf *out);
    /* Whose X-Forwarded-For counts. */
    const struct proxies *(*proxies)(void *owner);
    /* These return the status code. Both may be NULL. */
    int (*answer_api)(void *owner, struct http_ask *ask, struct buf *out);
    int (*answer_page)(void *owner, struct http_ask *ask, struct buf *out);
};

/*
 * Streams. http_stream() starts one as the answer to `ask`; the status code
 * that is then returned does not count. NULL if there are too many. on_gone()
 * is called once, when the stream has ended for any reason. After that the
 * pointer is invalid.
 */
struct http_stream;

struct http_stream *http_stream(struct http_ask *ask,
                                void (*on_gone)(void *arg), void *arg);

/* Send events. A reader that is too far behind is dropped soon. */
void http_stream_send(struct http_stream *stream, const struct buf *events);
void http_stream_end(struct http_stream *stream);

extern const char http_plain_type[];

/*
 * Listen. Port 0 takes any that is free. What happens is counted in `metrics`,
 * which is borrowed. NULL and a reason if it fails.
 */
struct http *http_new(struct loop *loop, const char *address, int port,
                      const struct http_calls *calls, void *owner,
                      struct http_metrics *metrics, struct err *err);
void http_free(struct http *http);

int http_port(const struct http *http);
int http_connections(const struct http *http); /* without streams */

#endif
