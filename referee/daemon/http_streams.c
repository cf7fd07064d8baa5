/* Streams of server-sent events: answers that do not end. */

#include "daemon/http_state.h"

#include "base/alloc.h"

#include <event2/buffer.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char stream_type[] = "text/event-stream";

static void take_stream(struct http_stream *stream)
{
    struct http_stream **at = &stream->http->streams;

    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    stream->http->metrics->streams--;
}

/*
 * evhttp closes the connection. If the client closed it first, evhttp has given
 * up the request, and we must free it.
 */
static void on_stream_closed(struct evhttp_connection *connection, void *me)
{
    struct http_stream *stream = me;

    take_stream(stream);
    stream->on_gone(stream->arg);
    if (!evhttp_request_get_connection(stream->request))
        evhttp_send_reply_end(stream->request);
    bufferevent_decref(stream->bev);
    free(stream);
}

/* A stream is no longer a guest: it has no deadline. */
static void take_from_guests(struct http *http, const struct bufferevent *bev)
{
    for (int i = 0; i < http->guests; i++)
        if (http->guest[i].bev == bev) {
            http->guest[i] = http->guest[--http->guests];
            return;
        }
}

static int streams_of(const struct http *http, const char *origin)
{
    int count = 0;

    for (const struct http_stream *s = http->streams; s; s = s->next)
        count += !s->is_late && strcmp(s->origin, origin) == 0;
    return count;
}

static int by_origin(const void *a, const void *b)
{
    const struct http_stream *x = *(struct http_stream *const *)a;
    const struct http_stream *y = *(struct http_stream *const *)b;

    return strcmp(x->origin, y->origin);
}

/* A stream of the address that has the most streams. */
static struct http_stream *most_common(const struct http *http)
{
    struct http_stream *all[HTTP_STREAMS_MAX], *most = NULL;
    int count = 0, best = 0;

    for (struct http_stream *s = http->streams; s; s = s->next)
        if (!s->is_late && count < HTTP_STREAMS_MAX)
            all[count++] = s;
    qsort(all, (size_t)count, sizeof *all, by_origin);
    for (int i = 0, from = 0; i < count; i++) {
        if (by_origin(&all[i], &all[from]) != 0)
            from = i;
        if (i - from + 1 > best) {
            best = i - from + 1;
            most = all[i];
        }
    }
    return most;
}

/*
 * A newcomer takes a place only from an address with more places than its own.
 */
static bool has_room_for(struct http *http, const char *origin)
{
    struct http_stream *most;

    if (http->metrics->streams < HTTP_STREAMS_MAX)
        return true;
    most = most_common(http);
    if (http->metrics->streams >= 2 * HTTP_STREAMS_MAX || !most ||
        streams_of(http, origin) + 1 >= streams_of(http, most->origin))
        return false;
    most->is_late = true;
    return true;
}

/* The kernel's send buffer counts, too; by default it would be megabytes. */
static void limit_kernel(struct bufferevent *bev)
{
    int bytes = HTTP_KERNEL_MAX;

    setsockopt(bufferevent_getfd(bev), SOL_SOCKET, SO_SNDBUF, &bytes,
               sizeof bytes);
}

struct http_stream *http_stream(struct http_ask *ask,
                                void (*on_gone)(void *arg), void *arg)
{
    struct http *http = ask->http;
    struct evhttp_connection *connection =
        evhttp_request_get_connection(ask->request);
    struct http_stream *stream;

    char origin[ORIGIN_MAX];

    tcp_origin(ask->address, origin);
    if (evhttp_request_get_command(ask->request) != EVHTTP_REQ_GET ||
        !has_room_for(http, origin)) {
        http->metrics->refused[HTTP_NO_STREAM]++;
        return NULL;
    }
    stream = must_alloc(calloc(1, sizeof *stream));
    *stream = (struct http_stream){
        .http = http,
        .bev = evhttp_connection_get_bufferevent(connection),
        .request = ask->request,
        .on_gone = on_gone,
        .arg = arg,
        .next = http->streams};
    memcpy(stream->origin, origin, sizeof origin);
    http->streams = stream;
    http->metrics->streams++;
    take_from_guests(http, stream->bev);
    ask->is_stream = true;
    http_set_safety(ask->request);
    http_set_header(ask->request, "Content-Type", stream_type);
    http_set_header(ask->request, "Cache-Control", "no-store");
    http_set_header(ask->request, "X-Accel-Buffering", "no"); /* for nginx */
    evhttp_connection_set_closecb(connection, on_stream_closed, stream);
    limit_kernel(stream->bev);
    evhttp_send_reply_start(ask->request, HTTP_OK, "OK");
    return stream;
}

void http_stream_send(struct http_stream *stream, const struct buf *events)
{
    struct evbuffer *output = bufferevent_get_output(stream->bev);
    struct evbuffer *chunk;

    if (stream->is_late)
        return;
    if (evbuffer_get_length(output) > HTTP_UNREAD_MAX) {
        /* on_look() drops it later, not the loop that its owner is in */
        stream->is_late = true;
        stream->http->metrics->refused[HTTP_LATE]++;
        return;
    }
    chunk = must_alloc(evbuffer_new());
    evbuffer_add(chunk, events->text, events->len);
    evhttp_send_reply_chunk(stream->request, chunk);
    evbuffer_free(chunk);
}

void http_stream_end(struct http_stream *stream)
{
    stream->is_late = true;
}

void http_drop_streams(struct http *http)
{
    struct http_stream *next;

    for (struct http_stream *s = http->streams; s; s = next) {
        next = s->next;
        if (s->is_late)
            http_hang_up(s->bev);
    }
}
