#include "host/handshake.h"

#include "base/alloc.h"

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <unistd.h>

struct handshake {
    struct handshakes *all;
    SSL *ssl;
    int fd;
    struct event *can_read, *can_write;
    handshake_done *on_done;
    void *owner;
    bool waits; /* in the row */
    TAILQ_ENTRY(handshake) link;
};

static void on_ready(evutil_socket_t fd, short what, void *arg)
{
    struct handshake *h = arg;

    loop_now(h->all->loop);
    h->waits = true;
    TAILQ_INSERT_TAIL(&h->all->row, h, link);
    loop_later(h->all->loop, &h->all->next);
}

static void leave_row(struct handshake *h)
{
    if (h->waits)
        TAILQ_REMOVE(&h->all->row, h, link);
    h->waits = false;
}

static void hand_over(struct handshake *h)
{
    struct bufferevent *tls = bufferevent_openssl_socket_new(
        h->all->loop->base, h->fd, h->ssl, BUFFEREVENT_SSL_OPEN,
        BEV_OPT_CLOSE_ON_FREE);

    if (tls) {
        h->ssl = NULL;
        h->fd = -1;
    }
    h->on_done(h->owner, tls);
}

static void go_on(struct handshake *h)
{
    int code;

    ERR_clear_error();
    code = SSL_accept(h->ssl);
    if (code == 1) {
        hand_over(h);
        return;
    }
    switch (SSL_get_error(h->ssl, code)) {
    case SSL_ERROR_WANT_READ:
        event_add(h->can_read, NULL);
        break;
    case SSL_ERROR_WANT_WRITE:
        event_add(h->can_write, NULL);
        break;
    default:
        h->on_done(h->owner, NULL);
    }
}

/* The next one at the end of the next turn. */
static void take_one(void *arg)
{
    struct handshakes *all = arg;
    struct handshake *h = TAILQ_FIRST(&all->row);

    if (!h)
        return;
    loop_now(all->loop); /* what takes long here is lag for the bots */
    leave_row(h);
    go_on(h);
    if (!TAILQ_EMPTY(&all->row))
        loop_soon(all->loop, &all->next);
}

void handshakes_init(struct handshakes *all, struct loop *loop)
{
    *all = (struct handshakes){
        .loop = loop, .next = {.run = take_one, .arg = all}
    };
    TAILQ_INIT(&all->row);
}

void handshakes_release(struct handshakes *all)
{
    loop_cancel(&all->next);
}

struct handshake *handshake_new(struct handshakes *all, SSL *ssl, int fd,
                                handshake_done *on_done, void *owner)
{
    struct event_base *base = all->loop->base;
    struct handshake *h = must_alloc(malloc(sizeof *h));

    *h = (struct handshake){
        .all = all, .ssl = ssl, .fd = fd, .on_done = on_done, .owner = owner};
    h->can_read = event_new(base, fd, EV_READ, on_ready, h);
    h->can_write = event_new(base, fd, EV_WRITE, on_ready, h);
    event_add(h->can_read, NULL);
    return h;
}

void handshake_free(struct handshake *h)
{
    if (!h)
        return;
    leave_row(h);
    event_free(h->can_read);
    event_free(h->can_write);
    SSL_free(h->ssl);
    if (h->fd != -1)
        close(h->fd);
    free(h);
}

bool handshake_has_begun(const struct handshake *h)
{
    return h->ssl && SSL_get_state(h->ssl) != TLS_ST_BEFORE;
}
