#include "run/link.h"

#include <errno.h>
#include <event2/buffer.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* read at once, including what was left over */
    READ_BYTES = 2 * TALK_LINE_MAX,
    TLS_BYTES = 64 * 1024,
    /* empties a 64 KiB pipe in one wake-up, whatever it contains */
    LAST_READS = 128,
};

static void on_writable(evutil_socket_t fd, short what, void *arg);
static void on_tls_written(struct bufferevent *tls, void *arg);

/* How many of these bytes were left over from the last read? */
static size_t take_rest(struct link *l, char *bytes)
{
    size_t len = l->rest.len;

    if (len > 0) {
        memcpy(bytes, l->rest.text, len);
        buf_reset(&l->rest);
    }
    return len;
}

/*
 * `n` bytes were read, placed after the space for an unfinished line. Hand out
 * the whole lines and keep the unfinished one.
 */
static void cut_lines(struct link *l, char *bytes, size_t n)
{
    char *at = bytes, *end = bytes + take_rest(l, bytes) + n, *feed;

    l->loop->bytes_in += (int64_t)n;
    l->loop->read_us = loop_now(l->loop);
    while ((feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        char *line = at;

        *feed = '\0';
        at = feed + 1;
        if (feed - line > TALK_LINE_MAX)
            l->calls->on_end(l->owner, true);
        else
            l->calls->on_line(l->owner, line, (size_t)(feed - line));
    }
    if (at < end)
        buf_put(&l->rest, at, (size_t)(end - at));
    if (l->rest.len > TALK_LINE_MAX)
        l->calls->on_end(l->owner, true);
}

/* On sockets, send() and recv() are 0.1 us faster than write() and read(). */
static bool is_socket(const struct link *l)
{
    return l->in == l->out;
}

static ssize_t get_bytes(const struct link *l, char *bytes, size_t size)
{
    return is_socket(l) ? recv(l->in, bytes, size, 0)
                        : read(l->in, bytes, size);
}

static ssize_t put_bytes(const struct link *l, const char *bytes, size_t len)
{
    return is_socket(l) ? send(l->out, bytes, len, MSG_NOSIGNAL)
                        : write(l->out, bytes, len);
}

/* One read of whatever is available. */
static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct link *l = arg;
    char bytes[READ_BYTES];
    size_t held = l->rest.len;
    ssize_t n = get_bytes(l, bytes + held, sizeof bytes - held);

    if (n > 0) {
        cut_lines(l, bytes, (size_t)n);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        event_del(l->can_read);
        loop_now(l->loop);
        l->calls->on_end(l->owner, false);
    }
}

/* With TLS, decrypted bytes are in the bufferevent, at most TLS_BYTES. */
static void on_tls_readable(struct bufferevent *tls, void *arg)
{
    struct link *l = arg;
    char bytes[READ_BYTES];

    while (l->tls) {
        size_t held = l->rest.len;
        size_t n = bufferevent_read(tls, bytes + held, sizeof bytes - held);

        if (n == 0)
            return;
        cut_lines(l, bytes, n);
    }
}

static void on_tls_event(struct bufferevent *tls, short what, void *arg)
{
    struct link *l = arg;

    if (!(what & (BEV_EVENT_EOF | BEV_EVENT_ERROR | BEV_EVENT_TIMEOUT)))
        return;
    bufferevent_disable(tls, EV_READ | EV_WRITE);
    l->calls->on_end(l->owner, false);
}

void link_look(struct link *l)
{
    int64_t before = l->loop->bytes_in - 1;

    if (l->tls) {
        on_tls_readable(l->tls, l);
        return;
    }
    for (int i = 0; i < LAST_READS && l->loop->bytes_in > before; i++) {
        before = l->loop->bytes_in;
        on_readable(l->in, EV_READ, l);
    }
}

void link_open(struct link *l, struct loop *loop, struct talk *talk, int in,
               int out, const struct link_owner *calls, void *owner)
{
    *l = (struct link){.loop = loop,
                       .talk = talk,
                       .calls = calls,
                       .owner = owner,
                       .in = in,
                       .out = out};
    buf_init(&l->rest, READ_BYTES);
    l->can_read =
        event_new(loop->base, in, EV_READ | EV_PERSIST, on_readable, l);
    loop_watch(l->can_read);
}

void link_open_tls(struct link *l, struct loop *loop, struct talk *talk,
                   struct bufferevent *tls, const struct link_owner *calls,
                   void *owner)
{
    *l = (struct link){.loop = loop,
                       .talk = talk,
                       .calls = calls,
                       .owner = owner,
                       .in = -1,
                       .out = -1,
                       .tls = tls};
    buf_init(&l->rest, READ_BYTES);
    bufferevent_setcb(tls, on_tls_readable, on_tls_written, on_tls_event, l);
    bufferevent_setwatermark(tls, EV_READ, 0, TLS_BYTES);
    bufferevent_enable(tls, EV_READ | EV_WRITE);
}

void link_close(struct link *l)
{
    if (l->tls)
        bufferevent_free(l->tls);
    l->tls = NULL;
    if (l->can_read)
        event_free(l->can_read);
    l->can_read = NULL;
    link_stop_writing(l);
    buf_release(&l->rest);
}

void link_stop_writing(struct link *l)
{
    if (l->can_write)
        event_free(l->can_write);
    l->can_write = NULL;
}

/* A bot that has closed its input may still answer what it has read. */
static void drop_all(struct link *l)
{
    l->deaf = true;
    talk_sent(l->talk, talk_unsent(l->talk));
}

/*
 * Give libevent only as much as it should buffer. The rest stays in the talk.
 */
static bool flush_tls(struct link *l)
{
    size_t held = evbuffer_get_length(bufferevent_get_output(l->tls));
    size_t n = talk_unsent(l->talk);

    if (held >= TLS_BYTES)
        return false;
    if (n > TLS_BYTES - held)
        n = TLS_BYTES - held;
    if (n > 0) {
        bufferevent_write(l->tls, l->talk->out.text + l->talk->sent, n);
        talk_sent(l->talk, n);
        l->loop->bytes_out += (int64_t)n;
    }
    return false; /* libevent writes it, and on_sent() reports it */
}

static void on_tls_written(struct bufferevent *tls, void *arg)
{
    struct link *l = arg;

    if (talk_unsent(l->talk) > 0)
        flush_tls(l);
    l->calls->on_sent(l->owner);
}

static void wait_for_room(struct link *l)
{
    if (!l->can_write)
        l->can_write =
            event_new(l->loop->base, l->out, EV_WRITE, on_writable, l);
    l->waits = true;
    loop_watch(l->can_write);
}

bool link_flush(struct link *l)
{
    if (l->tls)
        return flush_tls(l);
    while (talk_unsent(l->talk) > 0 && !l->deaf && !l->waits) {
        ssize_t n = put_bytes(l, l->talk->out.text + l->talk->sent,
                              talk_unsent(l->talk));

        if (n >= 0) {
            talk_sent(l->talk, (size_t)n);
            l->loop->bytes_out += n;
        } else if (errno == EAGAIN || errno == ENOMEM || errno == ENOBUFS) {
            wait_for_room(l);
        } else if (errno != EINTR) {
            drop_all(l);
        }
    }
    if (l->deaf && talk_unsent(l->talk) > 0)
        drop_all(l);
    return talk_unsent(l->talk) == 0;
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct link *l = arg;

    l->waits = false;
    link_flush(l);
    l->calls->on_sent(l->owner);
}
