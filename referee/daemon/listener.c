#include "daemon/listener.h"

#include "base/alloc.h"
#include "net/tcp.h"
#include "net/unix_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/listener.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BACKLOG = 4096,    /* of connections that wait to be accepted */
    CIPHERS_MAX = 512, /* bytes */
    LET_IN_MAX = 16,   /* in one turn of the loop: games come between */
};

struct listener {
    struct loop *loop;
    struct log *log;
    const struct listener_owner *calls;
    void *owner;
    struct listener_config config; /* of the first reading, which stays */
    struct evconnlistener *accepts;
    struct unix_socket path; /* if it is a Unix socket */
    SSL_CTX *tls;
    bool rests; /* no descriptor was left; listener_wake() wakes it */
    int let_in; /* in this turn of the loop, at the end of which ... */
    struct deferred next;
};

static SSL *begin_tls(struct listener *l, int fd)
{
    SSL *tls = SSL_new(l->tls);

    if (tls && SSL_set_fd(tls, fd) == 1)
        return tls;
    SSL_free(tls);
    return NULL;
}

/* libevent would accept as long as there are more. */
static void count_in(struct listener *l)
{
    loop_later(l->loop, &l->next);
    if (++l->let_in == LET_IN_MAX)
        evconnlistener_disable(l->accepts);
}

static void let_in_more(void *arg)
{
    struct listener *l = arg;

    if (l->let_in >= LET_IN_MAX && !l->rests)
        evconnlistener_enable(l->accepts);
    l->let_in = 0;
}

static void write_address(const struct sockaddr *a, char *out)
{
    char text[INET6_ADDRSTRLEN] = "unix";

    if (a->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)a)->sin_addr, text,
                  sizeof text);
    else if (a->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)a)->sin6_addr, text,
                  sizeof text);
    snprintf(out, CONNECTION_ADDRESS_MAX, "%s", text);
}

/* Let newcomers in or turn them away. */
static bool greet(struct listener *l, int fd, const char *address)
{
    const char *why = l->calls->refusal(l->owner, address);
    SSL *tls = NULL;

    if (!why && l->config.kind == LISTEN_TLS) {
        tls = begin_tls(l, fd);
        why = tls ? NULL : "no TLS";
    }
    if (why) {
        l->calls->on_refused(l->owner, address, why);
        return false;
    }
    if (l->config.kind != LISTEN_UNIX)
        tcp_set_options(fd);
    l->calls->on_newcomer(l->owner, l->config.kind, fd, tls, address);
    return true;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd,
                      struct sockaddr *address, int size, void *arg)
{
    struct listener *l = arg;
    char text[CONNECTION_ADDRESS_MAX];

    loop_now(l->loop);
    count_in(l);
    write_address(address, text);
    if (!greet(l, fd, text))
        close(fd);
}

/* libevent would report it again and again, so stop until listener_wake(). */
static void on_accept_error(struct evconnlistener *listener, void *arg)
{
    struct listener *l = arg;

    log_line(l->log, LOG_ERROR, NULL, "%s cannot accept: %s", l->config.name,
             strerror(errno));
    evconnlistener_disable(listener);
    l->rests = true;
}

static bool bind_unix(struct listener *l, struct err *err)
{
    int fd = -1;

    if (unix_socket_name(&l->path, l->config.address, err))
        fd = unix_socket_open(&l->path, BACKLOG, err);
    if (fd == -1)
        return false;
    l->accepts = evconnlistener_new(
        l->loop->base, on_accept, l,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
    return l->accepts ||
           fail(err, "libevent does not listen on %s", l->config.address);
}

static bool bind_tcp(struct listener *l, struct err *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    struct addrinfo *found;
    char port[8];
    int code;

    snprintf(port, sizeof port, "%d", l->config.port);
    code = getaddrinfo(l->config.address, port, &hints, &found);
    if (code != 0)
        return fail(err, "%s is not an address: %s", l->config.address,
                    gai_strerror(code));
    l->accepts = evconnlistener_new_bind(
        l->loop->base, on_accept, l,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE,
        BACKLOG, found->ai_addr, (int)found->ai_addrlen);
    freeaddrinfo(found);
    if (!l->accepts) {
        fail(err, "no listener on %s port %d: %s", l->config.address,
             l->config.port, strerror(errno));
        err->passes = errno == EADDRINUSE || errno == EADDRNOTAVAIL;
        return false;
    }
    return true;
}

/* Far more bytes than any honest program needs for a hello. */
static const struct {
    unsigned kind;
    size_t max;
} extensions[] = {
    {TLSEXT_TYPE_supported_groups, 512},
    {TLSEXT_TYPE_signature_algorithms, 512},
    {TLSEXT_TYPE_signature_algorithms_cert, 512},
    {TLSEXT_TYPE_key_share, 8192},
    {TLSEXT_TYPE_psk, 4096},
};

/* The time from here on is lag for the bots. */
static void on_message(int is_out, int version, int kind, const void *bytes,
                       size_t len, SSL *ssl, void *loop)
{
    loop_now(loop);
}

/* OpenSSL walks through everything listed, which can take milliseconds. */
static int on_hello(SSL *ssl, int *alert, void *arg)
{
    const unsigned char *list;
    bool is_short = SSL_client_hello_get0_ciphers(ssl, &list) <= CIPHERS_MAX;
    size_t len;

    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (SSL_client_hello_get0_ext(ssl, extensions[i].kind, &list, &len))
            is_short = is_short && len <= extensions[i].max;
    *alert = SSL_AD_HANDSHAKE_FAILURE;
    return is_short ? SSL_CLIENT_HELLO_SUCCESS : SSL_CLIENT_HELLO_ERROR;
}

/*
 * Clear SSL_MODE_AUTO_RETRY. With it, SSL_read() would loop as long as a peer
 * sends only TLS messages, such as new keys, and no other connection would get
 * a turn.
 */
static SSL_CTX *new_context(struct loop *loop)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());

    if (tls) {
        SSL_CTX_clear_mode(tls, SSL_MODE_AUTO_RETRY);
        SSL_CTX_set_client_hello_cb(tls, on_hello, NULL);
        SSL_CTX_set_msg_callback(tls, on_message);
        SSL_CTX_set_msg_callback_arg(tls, loop);
    }
    return tls;
}

/* A handshake that has begun keeps the certificate it began with. */
static bool open_tls(struct listener *l, const struct listener_config *c,
                     struct err *err)
{
    SSL_CTX *tls = new_context(l->loop);

    if (tls && SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1 &&
        SSL_CTX_use_certificate_chain_file(tls, c->certificate) == 1 &&
        SSL_CTX_use_PrivateKey_file(tls, c->private_key, SSL_FILETYPE_PEM) ==
            1 &&
        SSL_CTX_check_private_key(tls) == 1) {
        SSL_CTX_free(l->tls);
        l->tls = tls;
        return true;
    }
    SSL_CTX_free(tls);
    return fail(err, "no TLS with %s and %s: %s", c->certificate,
                c->private_key, ERR_reason_error_string(ERR_peek_last_error()));
}

static const struct listener_config *find_listener(const struct serve_config *c,
                                                   const char *name)
{
    for (int i = 0; i < c->listeners; i++)
        if (strcmp(c->listener[i].name, name) == 0)
            return &c->listener[i];
    return NULL;
}

int listener_port(const struct listener *l)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;

    if (l->config.kind == LISTEN_UNIX ||
        getsockname(evconnlistener_get_fd(l->accepts), (struct sockaddr *)&at,
                    &size) != 0)
        return 0;
    return ntohs(at.ss_family == AF_INET6
                     ? ((struct sockaddr_in6 *)&at)->sin6_port
                     : ((struct sockaddr_in *)&at)->sin_port);
}

bool listener_is_tls(const struct listener *l)
{
    return l->config.kind == LISTEN_TLS;
}

static void tell_listener(const struct listener *l)
{
    char port[16] = "";

    if (listener_port(l) > 0)
        snprintf(port, sizeof port, " port %d", listener_port(l));
    log_line(l->log, LOG_INFO, NULL, "listening: %s on %s%s", l->config.name,
             l->config.address, port);
}

void listener_wake(struct listener *l)
{
    if (!l->rests)
        return;
    l->rests = false;
    evconnlistener_enable(l->accepts);
}

void listener_renew(struct listener *l, const struct serve_config *config)
{
    const struct listener_config *c = find_listener(config, l->config.name);
    struct err err;

    if (l->tls && c && c->kind == LISTEN_TLS && !open_tls(l, c, &err))
        log_line(l->log, LOG_ERROR, NULL, "%s keeps its old certificate: %s",
                 l->config.name, err.text);
    ERR_clear_error();
}

static bool open_socket(struct listener *l, struct err *err)
{
    return l->config.kind == LISTEN_UNIX ? bind_unix(l, err) : bind_tcp(l, err);
}

struct listener *listener_open(struct loop *loop, struct log *log,
                               const struct listener_config *config,
                               const struct listener_owner *calls, void *owner,
                               struct err *err)
{
    struct listener *l = must_alloc(calloc(1, sizeof *l));

    *l = (struct listener){.loop = loop,
                           .log = log,
                           .calls = calls,
                           .owner = owner,
                           .config = *config,
                           .next = {.run = let_in_more, .arg = l},
                           .rests = true};
    if ((config->kind == LISTEN_TLS && !open_tls(l, config, err)) ||
        !open_socket(l, err)) {
        listener_close(l);
        return NULL;
    }
    evconnlistener_set_error_cb(l->accepts, on_accept_error);
    evconnlistener_disable(l->accepts);
    tell_listener(l);
    return l;
}

void listener_close(struct listener *l)
{
    loop_cancel(&l->next);
    if (l->accepts)
        evconnlistener_free(l->accepts);
    SSL_CTX_free(l->tls);
    if (l->accepts && l->config.kind == LISTEN_UNIX)
        unix_socket_remove(&l->path);
    free(l);
}
