#ifndef REFEREE_DAEMON_HTTP_STATE_H
#define REFEREE_DAEMON_HTTP_STATE_H

/*
 * http_state.h - the inside of the HTTP server; for the http*.c files only.
 */

#include "daemon/http.h"

#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/listener.h>

/*
 * evhttp neither counts its connections nor limits how long a request may take.
 * So we make the bufferevents, hold a reference to each, and check them
 * regularly: evhttp has freed one that has no callbacks.
 */
struct guest {
    struct bufferevent *bev;
    int64_t since_us;        /* when it came, or made its last request */
    char origin[ORIGIN_MAX]; /* "": nobody has asked for it yet */
    bool has_asked;
    bool is_leaving;
};

/* A guest whose answer is a stream. */
struct http_stream {
    struct http *http;
    struct bufferevent *bev;
    struct evhttp_request *request;
    char origin[ORIGIN_MAX]; /* of the client */
    void (*on_gone)(void *arg);
    void *arg;
    bool is_late; /* it will be dropped */
    struct http_stream *next;
};

struct http {
    struct evhttp *evhttp;
    struct evconnlistener *listener;
    struct loop *loop;
    struct alarm look;
    struct event *full; /* activated when a guest has sent INPUT_MAX */
    const struct http_calls *calls;
    void *owner;
    struct http_metrics *metrics;
    struct buf answer;
    struct guest guest[2 * HTTP_CONNECTIONS_MAX]; /* guests that are leaving */
    int guests;
    struct http_stream *streams;
};

void http_set_header(struct evhttp_request *request, const char *name,
                     const char *value);
void http_set_safety(struct evhttp_request *request);

/* Close it. To evhttp it looks like a timeout. */
void http_hang_up(struct bufferevent *bev);

/* http_streams.c: drop readers that have fallen behind. */
void http_drop_streams(struct http *http);

#endif
