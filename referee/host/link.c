#include "host/link.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void on_writable(evutil_socket_t fd, short what, void *arg);

/* Hand out the whole lines; what is left moves to the front. */
static void cut_lines(struct link *l)
{
    char *at = l->bytes, *end = l->bytes + l->len, *feed;

    while ((feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        char *line = at;

        *feed = '\0';
        at = feed + 1;
        if (feed - line > TALK_LINE_MAX)
            l->calls->on_end(l->owner, true);
        else
            l->calls->on_line(l->owner, line, (size_t)(feed - line));
    }
    l->len = (size_t)(end - at);
    memmove(l->bytes, at, l->len);
    if (l->len > TALK_LINE_MAX)
        l->calls->on_end(l->owner, true);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct link *l = arg;
    ssize_t n = read(l->in, l->bytes + l->len, sizeof l->bytes - 1 - l->len);

    if (n > 0) {
        l->len += (size_t)n;
        cut_lines(l);
    } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
        event_del(l->can_read);
        l->calls->on_end(l->owner, false);
    }
}

void link_look(struct link *l)
{
    on_readable(l->in, EV_READ, l);
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
    l->can_read =
        event_new(loop->base, in, EV_READ | EV_PERSIST, on_readable, l);
    l->can_write = event_new(loop->base, out, EV_WRITE, on_writable, l);
    event_add(l->can_read, NULL);
}

void link_close(struct link *l)
{
    if (!l->can_read)
        return;
    event_free(l->can_read);
    event_free(l->can_write);
    l->can_read = l->can_write = NULL;
}

/* A bot that has closed its input may still answer what it has read. */
static void drop_all(struct link *l)
{
    l->deaf = true;
    talk_sent(l->talk, talk_unsent(l->talk));
}

bool link_flush(struct link *l)
{
    while (talk_unsent(l->talk) > 0 && !l->deaf && !l->waits) {
        ssize_t n = write(l->out, l->talk->out.text + l->talk->sent,
                          talk_unsent(l->talk));

        if (n >= 0) {
            talk_sent(l->talk, (size_t)n);
        } else if (errno == EAGAIN) {
            l->waits = true;
            event_add(l->can_write, NULL);
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
    if (link_flush(l))
        l->calls->on_sent(l->owner);
}
