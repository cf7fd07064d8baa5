#include "net/caller.h"

#include "base/alloc.h"
#include "base/text.h"
#include "match/login.h"

#include <event2/buffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void done(struct caller *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void done(struct caller *c, const char *fmt, ...)
{
    bool joined = c->phase == CALLER_JOINED;
    char why[ERR_TEXT_MAX];
    va_list args;

    if (c->phase == CALLER_DONE)
        return;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    c->phase = CALLER_DONE;
    event_del(c->limit);
    dial_stop(&c->dial);
    if (c->net)
        bufferevent_disable(c->net, EV_READ | EV_WRITE);
    c->calls->on_done(c->owner, joined, why);
}

size_t caller_say(struct caller *c, const char *line, size_t len)
{
    struct evbuffer *out = bufferevent_get_output(c->net);

    evbuffer_add(out, line, len);
    evbuffer_add(out, "\n", 1);
    return evbuffer_get_length(out);
}

static void answer_login(struct caller *c, int id, const char *nonce)
{
    const struct caller_config *f = c->config;
    struct evbuffer *out = bufferevent_get_output(c->net);
    char proof[PROOF_HEX + 1];

    if (f->invitation)
        register_prove(f->token, f->name, nonce, proof);
    else if (!f->plain_token)
        login_prove(f->token, f->name, nonce, proof);
    evbuffer_add_printf(out, "=%d %s %s%s %s\n\n", id, f->name,
                        f->plain_token ? "token:" : "",
                        f->plain_token ? f->token : proof, f->requests);
}

static void on_line(struct caller *c, char *line)
{
    const char *nonce, *at = line;
    int id;

    make_plain(line);
    if (take_word(&at, "#")) {
        size_t len = strcspn(at, " ");
        char kind[24];

        snprintf(kind, sizeof kind, "%.*s", (int)len, at);
        at += len;
        c->calls->on_told(c->owner, kind, at + (*at == ' '));
    } else if (c->phase == CALLER_LOGGING_IN &&
               login_request_read(line, &id, &nonce)) {
        if (c->calls->on_nonce && !c->calls->on_nonce(c->owner, nonce)) {
            done(c, "it was given up");
            return;
        }
        answer_login(c, id, nonce);
        event_del(c->limit);
        c->phase = CALLER_JOINED;
    } else if (c->phase == CALLER_LOGGING_IN) {
        done(c, "no login was requested; the server sent \"%.60s\"", line);
    }
}

static void on_said(struct bufferevent *net, void *arg)
{
    struct caller *c = arg;
    struct evbuffer *in = bufferevent_get_input(net);
    char *line;

    while (c->phase != CALLER_DONE &&
           (line = evbuffer_readln(in, NULL, EVBUFFER_EOL_LF)) != NULL) {
        on_line(c, line);
        free(line);
    }
    if (evbuffer_get_length(in) > CALLER_LINE_MAX)
        done(c, "the server sent a line without end: this is not a referee's "
                "port");
}

static void on_took(struct bufferevent *net, void *arg)
{
    struct caller *c = arg;

    if (c->phase == CALLER_JOINED)
        c->calls->on_room(c->owner);
}

static void on_event(struct bufferevent *net, short what, void *arg)
{
    struct caller *c = arg;
    int error = EVUTIL_SOCKET_ERROR();
    struct err why;

    if (what & BEV_EVENT_CONNECTED) {
        c->phase = CALLER_LOGGING_IN;
    } else if (c->phase == CALLER_SECURING) {
        tls_client_why(c->config->tls, net, &why);
        done(c, "%s", why.text);
    } else if (!(what & BEV_EVENT_EOF)) {
        done(c, "the connection was lost: %s",
             error ? strerror(error) : "TLS failed");
    } else {
        on_said(net, c);
        done(c, "the server closed the connection%s",
             c->phase == CALLER_LOGGING_IN && !c->config->tls
                 ? " before the login; does it want --tls?"
                 : "");
    }
}

static void on_dialled(void *owner, int fd, const char *why)
{
    struct caller *c = owner;
    const struct tls_client *tls = c->config->tls;

    if (fd == -1) {
        done(c, "no connection: %s", why);
        return;
    }
    c->net = tls ? tls_client_open(tls, c->loop, fd)
                 : bufferevent_socket_new(c->loop->base, fd,
                                          BEV_OPT_CLOSE_ON_FREE |
                                              BEV_OPT_DEFER_CALLBACKS);
    if (!c->net) {
        done(c, "no TLS: OpenSSL cannot start");
        return;
    }
    c->phase = tls ? CALLER_SECURING : CALLER_LOGGING_IN;
    bufferevent_setcb(c->net, on_said, on_took, on_event, c);
    bufferevent_setwatermark(c->net, EV_WRITE, CALLER_HELD_MAX / 2, 0);
    bufferevent_enable(c->net, EV_READ | EV_WRITE);
}

static void on_limit(evutil_socket_t fd, short what, void *arg)
{
    struct caller *c = arg;

    done(c, "%s within %.3g s%s",
         c->phase == CALLER_LOGGING_IN ? "connected, but no login was requested"
                                       : "no connection",
         (double)c->config->login_us / 1e6,
         c->phase == CALLER_LOGGING_IN && !c->config->tls
             ? "; perhaps this port wants --tls"
             : "");
}

struct caller *caller_new(struct loop *loop, const struct caller_config *config,
                          const struct caller_owner *calls, void *owner)
{
    const struct timeval limit = {config->login_us / 1000000,
                                  config->login_us % 1000000};
    struct caller *c = must_alloc(calloc(1, sizeof *c));

    c->config = config;
    c->loop = loop;
    c->calls = calls;
    c->owner = owner;
    c->limit = evtimer_new(loop->base, on_limit, c);
    event_add(c->limit, &limit);
    dial_start(&c->dial, loop, config->address, on_dialled, c);
    return c;
}

void caller_free(struct caller *c)
{
    if (!c)
        return;
    dial_stop(&c->dial);
    if (c->net)
        bufferevent_free(c->net);
    event_free(c->limit);
    free(c);
}
