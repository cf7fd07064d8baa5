#include "net/connection.h"

#include "base/alloc.h"
#include "base/text.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void set_timer(struct connection *n, int64_t us)
{
    struct timeval t = {us / 1000000, us % 1000000};

    event_add(n->timer, &t);
}

enum {
    NEWS_MAX = 600,         /* bytes of a line, and of those unread: */
    NEWS_UNSENT = 64 << 10, /* more of them are not worth a fault */
    BYE_US = 1000000,       /* for TLS to send the last line */
};

static const char asks_to_leave[] = "#leave";
static const char wrong_login[] =
    "wrong login: no such name here, or not with this token";

/* News. */

bool connection_has_room(const struct connection *n)
{
    return talk_unsent(&n->talk) <= NEWS_UNSENT;
}

void connection_tell(struct connection *n, const char *kind, const char *fmt,
                     ...)
{
    char text[NEWS_MAX];
    va_list args;

    if (!n->wants_news || n->why_gone || n->phase == CONNECTION_AWAY ||
        !connection_has_room(n))
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    make_plain(text); /* a fault may quote anything */
    buf_add(&n->talk.out, "# %s %s\n", kind, text);
    link_flush(&n->link);
}

/* With TLS the last line is sent by the loop: on_sent(), or it was too slow. */
void connection_end(struct connection *n, const char *why)
{
    const struct timeval last = {BYE_US / 1000000, 0};

    if (n->why_gone)
        return;
    connection_tell(n, "bye", "%s", why);
    n->why_gone = why;
    if (n->wants_news && n->link.tls && n->phase != CONNECTION_AWAY)
        event_add(n->gone, &last);
    else
        event_active(n->gone, 0, 0);
}

static void on_gone(evutil_socket_t fd, short what, void *arg)
{
    struct connection *n = arg;

    loop_now(n->loop);
    n->calls->on_gone(n->owner, n, n->why_gone);
}

void connection_drop(struct connection *n)
{
    handshake_free(n->handshake);
    n->handshake = NULL;
    link_close(&n->link);
    if (n->fd != -1)
        close(n->fd);
    n->fd = -1;
}

/* The limit for the login or the greeting, or the grace, is over. */
static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct connection *n = arg;

    loop_now(n->loop);
    if (n->phase == CONNECTION_LOGIN) {
        connection_end(n, "no login in time");
    } else if (n->phase == CONNECTION_GREETING) {
        connection_end(n, "did not state its version in time");
    } else if (n->phase == CONNECTION_AWAY) {
        if (n->peer.calls)
            n->peer.calls->on_lost(n->peer.owner, &n->peer, WHY_EXIT,
                                   "lost its connection and did not return");
        connection_end(n, "did not return");
    }
}

/* Login. */

static void ask_for_login(struct connection *n)
{
    nonce_make(n->nonce);
    buf_add(talk_begin(&n->talk, COMMAND_LOGIN), " %s", n->nonce);
    talk_end(&n->talk);
    link_flush(&n->link);
}

/* One of the words behind a proof; false if it is none of them. */
static bool take_request(struct connection *n, const char *word)
{
    if (strcmp(word, "news") == 0)
        n->wants_news = true;
    else if (strcmp(word, "submit") == 0)
        n->submits = n->wants_news = true;
    else if (take_text(&word, "register=") &&
             strlen(word) < sizeof n->invitation) {
        memcpy(n->invitation, word, strlen(word) + 1);
        n->wants_news = true;
    } else if (take_text(&word, "ladders=") && strlen(word) < sizeof n->ladders)
        memcpy(n->ladders, word, strlen(word) + 1);
    else
        return false;
    return true;
}

/* "PROOF", "PROOF news", "PROOF news ladders=a,b", ...: a token may have
 * blanks, so the requests are taken from the end. */
static void take_requests(struct connection *n, char *proof)
{
    char *blank;

    while ((blank = strrchr(proof, ' ')) != NULL && take_request(n, blank + 1))
        *blank = '\0';
}

/* "NAME PROOF", and perhaps requests */
static bool is_right(struct connection *n, const struct answer *answer)
{
    const char *blank = strchr(answer->text, ' ');
    size_t len = blank ? (size_t)(blank - answer->text) : 0;
    char proof[TALK_LINE_MAX + 1];

    if (!answer->ok || len < 1 || len > BOT_NAME_MAX)
        return false;
    memcpy(n->name, answer->text, len);
    n->name[len] = '\0';
    snprintf(proof, sizeof proof, "%s", blank + 1);
    take_requests(n, proof);
    if (n->invitation[0])
        return n->calls->on_invited(n->owner, n, n->name, proof);
    return n->calls->on_login(n->owner, n, n->name, proof);
}

static void begin_submission(struct connection *n)
{
    event_del(n->timer);
    n->phase = CONNECTION_SUBMITTING;
    n->calls->on_submitter(n->owner, n);
}

/* It is told when its name counts. */
static void begin_registration(struct connection *n)
{
    event_del(n->timer);
    n->phase = CONNECTION_REGISTERING;
}

/* The bot states its version before it knows its opponents. */
static void greet(struct connection *n)
{
    n->phase = CONNECTION_GREETING;
    set_timer(n, n->greet_us);
    talk_greet(&n->talk);
    link_flush(&n->link);
}

static void on_login_line(struct connection *n, char *line, size_t len)
{
    struct answer answer;

    switch (talk_line(&n->talk, line, len, &answer)) {
    case GOT_NOTHING:
        return;
    case GOT_ANSWER:
        if (!is_right(n, &answer))
            break;
        if (n->invitation[0])
            begin_registration(n);
        else if (n->submits)
            begin_submission(n);
        else if (n->calls->on_known(n->owner, n))
            greet(n);
        return;
    default:
        break;
    }
    n->name[0] = '\0';
    connection_end(n, n->refusal[0] ? n->refusal : wrong_login);
}

/* Outside of games. */

static void become_idle(struct connection *n)
{
    event_del(n->timer);
    n->phase = CONNECTION_IDLE;
    n->since_us = now_us();
    n->calls->on_ready(n->owner, n);
}

static void on_idle_line(struct connection *n, char *line, size_t len)
{
    struct answer answer;

    switch (talk_line(&n->talk, line, len, &answer)) {
    case GOT_FAULT:
        connection_end(n, fault_text(answer.fault));
        return;
    case GOT_ANSWER:
        if (!answer_is_ours(&answer))
            connection_end(n, fault_text(FAULT_VERSION));
        else if (n->phase == CONNECTION_GREETING && n->talk.said_version)
            become_idle(n);
        return;
    default:
        return;
    }
}

/* The link. */

/* A game that has begun is finished, with all its parts. */
static void leave(struct connection *n)
{
    n->leaves = true;
    if (!n->game)
        connection_end(n, "it has left");
}

static void on_line(void *owner, char *line, size_t len)
{
    struct connection *n = owner;

    if (n->why_gone)
        return;
    if (len == strlen(asks_to_leave) && memcmp(line, asks_to_leave, len) == 0)
        leave(n);
    else if (n->phase == CONNECTION_LOGIN)
        on_login_line(n, line, len);
    else if (n->phase == CONNECTION_SUBMITTING)
        n->calls->on_submission(n->owner, n, line, len);
    else if (n->peer.calls)
        n->peer.calls->on_line(n->peer.owner, &n->peer, line, len);
    else if (n->phase != CONNECTION_REGISTERING) /* it has no more to say */
        on_idle_line(n, line, len);
}

static void on_sent(void *owner)
{
    struct connection *n = owner;

    if (n->why_gone)
        event_active(n->gone, 0, 0); /* the last line is sent */
    else if (n->phase == CONNECTION_SUBMITTING)
        n->calls->on_room(n->owner, n);
    else if (n->peer.calls && n->phase == CONNECTION_PLAYING)
        n->peer.calls->on_sent(n->peer.owner, &n->peer);
}

/* During a game the seat waits for the bot to come back, except after a
 * flood. */
static void on_end(void *owner, bool flood)
{
    struct connection *n = owner;

    if (n->why_gone || n->phase == CONNECTION_AWAY)
        return;
    if (n->phase != CONNECTION_PLAYING) {
        connection_end(n, flood ? fault_text(FAULT_LONG_LINE) : "closed");
    } else if (flood) {
        if (n->peer.calls)
            n->peer.calls->on_lost(n->peer.owner, &n->peer, WHY_FLOOD,
                                   fault_text(FAULT_LONG_LINE));
        connection_end(n, fault_text(FAULT_LONG_LINE));
    } else {
        n->phase = CONNECTION_AWAY;
        n->since_us = now_us();
        event_active(n->away, 0, 0);
    }
}

static const struct link_owner link_calls = {on_line, on_end, on_sent};

/* From the loop: a link must not be closed in its own callback. */
static void on_away(evutil_socket_t fd, short what, void *arg)
{
    struct connection *n = arg;

    loop_now(n->loop);
    if (n->phase != CONNECTION_AWAY || n->why_gone)
        return;
    connection_drop(n);
    set_timer(n, n->grace_us);
    if (n->peer.calls)
        n->peer.calls->on_away(n->peer.owner, &n->peer);
}

/* As a peer. */

static struct connection *connection_of(struct peer *peer)
{
    return (struct connection *)peer; /* its first member */
}

static bool peer_flush(struct peer *peer)
{
    struct connection *n = connection_of(peer);

    return n->phase == CONNECTION_PLAYING && !n->why_gone &&
           link_flush(&n->link);
}

static int64_t peer_cpu_us(struct peer *peer)
{
    return 0;
}

static void peer_watch_cpu(struct peer *peer, bool on)
{
}

static int64_t peer_travel_us(struct peer *peer)
{
    struct connection *n = connection_of(peer);
    int64_t rtt = n->travel_cap_us > 0 ? connection_rtt_us(n) : 0;

    return rtt < n->travel_cap_us ? rtt : n->travel_cap_us;
}

static void peer_cut_off(struct peer *peer)
{
    connection_end(connection_of(peer), "failed in a game");
}

static const struct peer_kind connection = {
    .flush = peer_flush,
    .cpu_us = peer_cpu_us,
    .watch_cpu = peer_watch_cpu,
    .travel_us = peer_travel_us,
    .cut_off = peer_cut_off,
};

int64_t connection_rtt_us(const struct connection *n)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    int fd = n->link.tls ? bufferevent_getfd(n->link.tls) : n->fd;

    if (n->kind == LISTEN_UNIX || fd == -1 ||
        getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return 0;
    return info.tcpi_rtt;
}

static void open_link(struct connection *n, int fd, struct bufferevent *tls)
{
    n->fd = fd;
    if (tls)
        link_open_tls(&n->link, n->loop, &n->talk, tls, &link_calls, n);
    else
        link_open(&n->link, n->loop, &n->talk, fd, fd, &link_calls, n);
}

static struct connection *make_connection(struct loop *loop,
                                          const struct connection_owner *calls,
                                          void *owner)
{
    struct connection *n = must_alloc(calloc(1, sizeof *n));

    n->peer = (struct peer){.kind = &connection, .talk = &n->talk};
    n->loop = loop;
    n->calls = calls;
    n->owner = owner;
    n->fd = -1;
    n->begun_us = now_us();
    talk_init(&n->talk);
    n->timer = evtimer_new(loop->base, on_timer, n);
    n->gone = evtimer_new(loop->base, on_gone, n);
    n->away = evtimer_new(loop->base, on_away, n);
    return n;
}

static void on_shaken(void *owner, struct bufferevent *tls)
{
    struct connection *n = owner;

    if (!tls) {
        connection_end(n, "no TLS");
        return;
    }
    handshake_free(n->handshake);
    n->handshake = NULL;
    open_link(n, -1, tls);
    ask_for_login(n);
}

struct connection *connection_new(struct handshakes *handshakes,
                                  enum listener_kind kind, int fd, SSL *tls,
                                  const char *address, int64_t login_us,
                                  const struct connection_owner *calls,
                                  void *owner)
{
    struct connection *n = make_connection(handshakes->loop, calls, owner);

    n->kind = kind;
    snprintf(n->address, sizeof n->address, "%s", address);
    tcp_origin(address, n->origin);
    set_timer(n, login_us);
    if (tls) {
        n->handshake = handshake_new(handshakes, tls, fd, on_shaken, n);
    } else {
        open_link(n, fd, NULL);
        ask_for_login(n);
    }
    return n;
}

struct connection *connection_new_away(struct loop *loop, const char *name,
                                       int64_t grace_us, void *game,
                                       const struct connection_owner *calls,
                                       void *owner)
{
    struct connection *n = make_connection(loop, calls, owner);

    snprintf(n->name, sizeof n->name, "%s", name);
    snprintf(n->address, sizeof n->address, "-");
    n->phase = CONNECTION_AWAY;
    n->since_us = n->begun_us;
    n->grace_us = grace_us;
    n->game = game;
    set_timer(n, grace_us);
    return n;
}

void connection_free(struct connection *n)
{
    connection_drop(n);
    event_free(n->timer);
    event_free(n->gone);
    event_free(n->away);
    talk_release(&n->talk);
    free(n);
}

void connection_seat(struct connection *n, void *game)
{
    n->phase = CONNECTION_PLAYING;
    memcpy(n->version, n->talk.version, sizeof n->version);
    n->game = game;
    n->begun_us = now_us();
}

void connection_unseat(struct connection *n)
{
    n->game = NULL;
    n->since_us = now_us();
    if (n->why_gone)
        event_active(n->gone, 0, 0); /* it only waited for the game to end */
    else if (n->leaves)
        connection_end(n, "it has left");
    else if (n->phase == CONNECTION_AWAY)
        connection_end(n, "did not return");
    else if (n->talk.said_version)
        n->phase = CONNECTION_IDLE;
    else
        greet(n); /* it has only just come back */
}

/* The talk starts over; its first id was the login's. */
void connection_take_up(struct connection *n, struct connection *from)
{
    struct bufferevent *tls = from->link.tls;
    int fd = from->fd;

    event_del(n->timer);
    connection_drop(n);
    from->link.tls = NULL;
    from->fd = -1;
    link_close(&from->link);
    talk_release(&n->talk);
    talk_init(&n->talk);
    n->talk.next_id = from->talk.next_id;
    n->wants_news = from->wants_news;
    memcpy(n->ladders, from->ladders, sizeof n->ladders);
    n->leaves = false;
    n->kind = from->kind;
    memcpy(n->address, from->address, sizeof n->address);
    memcpy(n->origin, from->origin, sizeof n->origin);
    open_link(n, fd, tls);
    n->phase = CONNECTION_PLAYING;
    from->name[0] = '\0'; /* nobody is gone */
    connection_end(from, "taken over by its game");
    if (n->peer.calls)
        n->peer.calls->on_back(n->peer.owner, &n->peer);
}
