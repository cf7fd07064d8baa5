#include "net/handshake.h"

#include "base/alloc.h"

#include <event2/bufferevent_ssl.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    READS_MAX = 64, /* in a step, two for each record */
    STEPS_US = 2000 /* in a turn; then no further step is begun */
};

struct handshake {
    struct handshakes *all;
    SSL *ssl;
    int fd;
    struct event *can_read, *can_write;
    handshake_done *on_done;
    void *owner;
    int reads;  /* left in this step */
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

/* A hello may come in a million TLS records; the rest is left for the next
 * step. */
static long on_bio(BIO *bio, int what, const char *bytes, size_t len, int i,
                   long l, int code, size_t *done)
{
    struct handshake *h = (struct handshake *)BIO_get_callback_arg(bio);

    if (what != BIO_CB_READ || h->reads-- > 0)
        return code;
    BIO_clear_retry_flags(bio);
    BIO_set_retry_read(bio);
    return -1;
}

static void hand_over(struct handshake *h)
{
    struct bufferevent *tls;

    BIO_set_callback_ex(SSL_get_rbio(h->ssl), NULL);
    tls = bufferevent_openssl_socket_new(h->all->loop->base, h->fd, h->ssl,
                                         BUFFEREVENT_SSL_OPEN,
                                         BEV_OPT_CLOSE_ON_FREE);
    h->ssl = NULL; /* libevent has freed it if it fails */
    if (tls)
        h->fd = -1;
    h->on_done(h->owner, tls);
}

static void go_on(struct handshake *h)
{
    int code;

    ERR_clear_error();
    h->reads = READS_MAX;
    code = SSL_accept(h->ssl);
    if (code == 1) {
        hand_over(h);
        return;
    }
    switch (SSL_get_error(h->ssl, code)) {
    case SSL_ERROR_WANT_READ:
        loop_watch(h->can_read);
        break;
    case SSL_ERROR_WANT_WRITE:
        loop_watch(h->can_write);
        break;
    default:
        h->on_done(h->owner, NULL);
    }
}

/* At least one step, and cheap ones together, because a turn of the loop may be
 * long. */
static void take_some(void *arg)
{
    struct handshakes *all = arg;
    int64_t begun = loop_now(all->loop); /* it is lag for the bots */
    struct handshake *h;

    while ((h = TAILQ_FIRST(&all->row)) != NULL) {
        leave_row(h);
        go_on(h);
        if (now_us() - begun >= STEPS_US)
            break;
    }
    if (!TAILQ_EMPTY(&all->row))
        loop_soon(all->loop, &all->next);
}

void handshakes_init(struct handshakes *all, struct loop *loop)
{
    *all = (struct handshakes){.loop = loop,
                               .next = {.run = take_some, .arg = all}};
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
    BIO_set_callback_ex(SSL_get_rbio(ssl), on_bio);
    BIO_set_callback_arg(SSL_get_rbio(ssl), (char *)h);
    h->can_read = event_new(base, fd, EV_READ, on_ready, h);
    h->can_write = event_new(base, fd, EV_WRITE, on_ready, h);
    loop_watch(h->can_read);
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
