#include "daemon/doors.h"

#include "base/alloc.h"
#include "daemon/budget.h"
#include "daemon/lobby.h"
#include "net/tcp.h"
#include "net/unix_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/listener.h>
#include <limits.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const int64_t minute_us = 60000000;

enum {
    BACKLOG = 4096,    /* of connections that wait to be accepted */
    FAILED_LOGIN = 6,  /* what it counts against its address, ... */
    ONLY_HELLO = 10,   /* ... a TLS handshake that no login follows, ... */
    REFUSED_LOGIN = 1, /* ... and one that a refused name follows */
    ADDRESS_MAX = 60,  /* times failed-logins: then it is refused */
    CIPHERS_MAX = 512, /* bytes */
    LET_IN_MAX = 16,   /* in one turn of the loop: games come between */
};

/* A listener. */
struct door {
    struct doors *doors;
    struct listener_config config; /* of the first one, which stays */
    struct evconnlistener *listener;
    struct unix_socket socket; /* if it is one */
    SSL_CTX *tls;
    bool rests; /* no descriptor was left; doors_wake() wakes it */
    int let_in; /* in this turn of the loop, at the end of which ... */
    struct deferred next;
};

/*
 * Failed logins of the last minute: as one name from one address, which is then
 * refused that name; or from an address, "" as its name, which is then refused
 * altogether. Whole campuses have one address, so that takes ten times as many,
 * and refused logins do not count.
 */
struct offender {
    char origin[ORIGIN_MAX];
    char name[BOT_NAME_MAX + 1];
    int failures;
    int64_t since_us;
};

enum { OFFENDERS = 256 };

/* Lines that somebody may bring into the log in a minute by coming and going:
 * a bot, or an address whose logins are wrong; and all together. */
static const struct budget_limits line_limits = {60, 3000};

struct doors {
    struct loop *loop;
    struct log *log;
    struct metrics *metrics;
    const struct doors_owner *calls;
    void *owner;
    const struct serve_config *config;
    struct door *listener[SERVE_LISTENERS_MAX];
    int listeners;
    struct handshakes handshakes; /* of some of these: */
    struct connection *connections;
    int connection_count;
    int room; /* for connections: there are so many descriptors */
    struct offender offender[OFFENDERS];
    struct budget lines; /* in the log */
    int unsaid;          /* of them, in this minute */
    struct alarm tell_unsaid;
};

static void on_tell_unsaid(void *arg)
{
    struct doors *d = arg;

    log_line(d->log, LOG_WARNING, NULL,
             "%d lines about logins were left out: more than %d a minute of "
             "one bot or address, twice as many of one owner, or %d in all",
             d->unsaid, (int)line_limits.each, (int)line_limits.all);
    d->unsaid = 0;
}

/* Has this bot or address, or all of them, not yet filled the log? */
static bool may_say(struct doors *d, const char *who, const char *owner)
{
    int64_t now = loop_now(d->loop);
    bool is_news;

    if (budget_allows(&d->lines, who, owner, &line_limits, now, &is_news)) {
        budget_charge(&d->lines, who, owner, 1, now);
        return true;
    }
    if (d->unsaid++ == 0)
        loop_alarm(d->loop, &d->tell_unsaid, d->lines.since_us + minute_us);
    return false;
}

/* The same for one that has logged in. */
static bool may_tell(struct doors *d, const struct connection *connection)
{
    const struct key_entry *key = key_named(d->config, connection->name);

    return may_say(d, connection->name, key ? key->owner : NULL);
}

struct doors *doors_new(struct loop *loop, struct log *log,
                        struct metrics *metrics,
                        const struct doors_owner *calls, void *owner)
{
    struct doors *d = must_alloc(calloc(1, sizeof *d));

    d->loop = loop;
    d->log = log;
    d->metrics = metrics;
    d->calls = calls;
    d->owner = owner;
    d->room = INT_MAX;
    handshakes_init(&d->handshakes, loop);
    d->lines.window_us = minute_us;
    alarm_init(&d->tell_unsaid, on_tell_unsaid, d);
    return d;
}

void doors_configure(struct doors *d, const struct serve_config *config)
{
    d->config = config;
}

/*
 * Every connection takes a descriptor, every local bot four, every game one; so
 * a quarter is kept back, or newcomers could keep games from starting.
 */
void doors_limit(struct doors *d, int descriptors)
{
    d->room = descriptors - descriptors / 4;
    if (d->config->connections_max > d->room)
        log_line(d->log, LOG_WARNING, NULL,
                 "%d connections at most, because \"ulimit -n\" is %d", d->room,
                 descriptors);
}

/* Who is there. */

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

static bool is_same_offender(const struct offender *o, const char *origin,
                             const char *name)
{
    return strcmp(o->origin, origin) == 0 && strcmp(o->name, name) == 0;
}

static struct offender *offender_of(struct doors *d, const char *origin,
                                    const char *name)
{
    int64_t now = now_us();
    struct offender *oldest = &d->offender[0];

    for (int i = 0; i < OFFENDERS; i++) {
        struct offender *o = &d->offender[i];

        if (now - o->since_us > minute_us)
            *o = (struct offender){.since_us = o->since_us};
        if (is_same_offender(o, origin, name))
            return o;
        if (o->since_us < oldest->since_us)
            oldest = o;
    }
    *oldest = (struct offender){.since_us = now};
    snprintf(oldest->origin, sizeof oldest->origin, "%s", origin);
    snprintf(oldest->name, sizeof oldest->name, "%s", name);
    return oldest;
}

/* How long it is still refused, in seconds; 0: it is not. */
static int lockout_s(const struct doors *d, const struct offender *o)
{
    int64_t left_us = o->since_us + minute_us - now_us();
    int max = d->config->failed_logins_max * (o->name[0] ? 1 : ADDRESS_MAX);

    if (!o->origin[0] || o->failures < max || left_us <= 0)
        return 0;
    if (!o->name[0] && strcmp(o->origin, "unix") == 0)
        return 0; /* one of them must not lock out all */
    return (int)((left_us + 999999) / 1000000);
}

static int lockout_of(const struct doors *d, const char *origin,
                      const char *name)
{
    for (int i = 0; i < OFFENDERS; i++)
        if (is_same_offender(&d->offender[i], origin, name))
            return lockout_s(d, &d->offender[i]);
    return 0;
}

void doors_each_lockout(const struct doors *d, doors_lockout *each, void *arg)
{
    for (int i = 0; i < OFFENDERS; i++) {
        const struct offender *o = &d->offender[i];
        int seconds = lockout_s(d, o);

        if (seconds > 0)
            each(arg, o->name, o->origin, seconds);
    }
}

static void count_failure(struct doors *d, const char *origin, const char *name,
                          int weight)
{
    struct offender *o = offender_of(d, origin, name);
    bool was_locked = lockout_s(d, o) > 0;
    int seconds;

    o->failures += weight;
    seconds = lockout_s(d, o);
    if (seconds > 0 && !was_locked)
        log_line(d->log, LOG_WARNING, NULL,
                 "%s%s%s is refused for %d s: too many failed logins", name,
                 name[0] ? " from " : "", origin, seconds);
}

/* Who is away or gone has none. From one place, or in all. */
static int connections_from(const struct doors *d, const char *origin)
{
    int count = 0;

    for (const struct connection *n = d->connections; n; n = n->next)
        count += n->phase != CONNECTION_AWAY && !n->why_gone &&
                 (!origin || strcmp(n->origin, origin) == 0);
    return count;
}

int doors_open_connections(const struct doors *d)
{
    return connections_from(d, NULL);
}

static bool is_full(const struct doors *d)
{
    int max = d->config->connections_max;

    max = max < d->room ? max : d->room;
    return d->connection_count >= max && doors_open_connections(d) >= max;
}

/* Why a newcomer is sent away at the door, or NULL. */
static const char *refusal(struct doors *d, const char *address)
{
    const struct serve_config *c = d->config;
    char origin[ORIGIN_MAX];

    tcp_origin(address, origin);
    if (d->calls->is_stopping(d->owner) &&
        !d->calls->has_games(d->owner)) /* else it may be back */
        return "stopping";
    if (is_full(d))
        return "too many connections";
    if (strcmp(origin, "unix") != 0 &&
        connections_from(d, origin) >= c->connections_per_address)
        return "too many connections from there";
    if (lockout_of(d, origin, "") > 0)
        return "too many failed logins from there";
    return NULL;
}

/* Logins. */

bool doors_has_revoked(const struct doors *d, const char *name)
{
    return key_named(d->config, name) == NULL;
}

/* The token itself, where a proof should be. */
static bool is_token(const char *proof)
{
    return strncmp(proof, "token:", 6) == 0;
}

/* The key of a name; that of nobody, which takes as long to compare. */
static const struct login_key *key_of(const struct doors *d, const char *name,
                                      bool *is_known)
{
    static const struct login_key nobody;
    const struct key_entry *entry = key_named(d->config, name);

    *is_known = entry != NULL;
    return entry ? &entry->key : &nobody;
}

static bool token_holds(const struct doors *d, const char *name,
                        const char *token)
{
    bool is_known;
    const struct login_key *key = key_of(d, name, &is_known);
    struct login_key given;

    token_key(token, &given);
    return sodium_memcmp(&given, key, sizeof given) == 0 && is_known;
}

static bool proof_holds(const struct doors *d, const char *name,
                        const char *nonce, const char *proof)
{
    const struct login_key *key;
    bool is_known;

    if (d->config->plain_tokens && is_token(proof))
        return token_holds(d, name, proof + 6);
    key = key_of(d, name, &is_known);
    return login_holds(key, name, nonce, proof) && is_known;
}

bool doors_know_token(struct doors *d, const char *address, const char *name,
                      const char *token, struct err *why)
{
    char origin[ORIGIN_MAX];
    int seconds, all;

    tcp_origin(address, origin);
    seconds = lockout_of(d, origin, name);
    all = lockout_of(d, origin, "");
    if (all > seconds)
        seconds = all;
    if (seconds > 0)
        return fail(why, "too many wrong tokens from there: try again in %d s",
                    seconds);
    if (token_holds(d, name, token))
        return true;
    d->metrics->logins_failed++;
    if (may_say(d, origin, NULL))
        log_line(d->log, LOG_WARNING, NULL, "wrong token of %s from %s", name,
                 address);
    count_failure(d, origin, name, 1);
    count_failure(d, origin, "", FAILED_LOGIN);
    return fail(why, "this is not the token of %.40s", name);
}

static bool is_locked_out(struct doors *d, struct connection *connection,
                          const char *name)
{
    int seconds = lockout_of(d, connection->origin, name);

    if (seconds == 0)
        return false;
    snprintf(connection->refusal, sizeof connection->refusal,
             "too many wrong logins as %s from there: try again in %d s", name,
             seconds);
    if (may_say(d, connection->origin, NULL))
        log_line(d->log, LOG_INFO, NULL, "refused %s from %s: %s", name,
                 connection->address, connection->refusal);
    if (connection->link.tls) /* a handshake is dear */
        count_failure(d, connection->origin, "", REFUSED_LOGIN);
    return true;
}

/* Only who proved to have the name is told. */
static bool is_banned(struct doors *d, struct connection *connection,
                      const char *name)
{
    const char *why = d->calls->why_banned(d->owner, name);

    if (!why)
        return false;
    snprintf(connection->refusal, sizeof connection->refusal,
             "the organiser has banned %s: %s", name, why);
    log_line(d->log, LOG_INFO, NULL, "refused %s from %s: it is banned", name,
             connection->address);
    return true;
}

/* The next of "a,b", its end put into `at`. */
static size_t next_of(const char **at)
{
    *at += strspn(*at, ",");
    return strcspn(*at, ",");
}

static const struct ladder_config *ladder_of(const struct doors *d,
                                             const char *name, size_t len)
{
    for (int i = 0; i < d->config->ladders; i++) {
        const char *its = d->config->ladder[i].name;

        if (strlen(its) == len && memcmp(its, name, len) == 0)
            return &d->config->ladder[i];
    }
    return NULL;
}

/* It has said on which ladders it wants to play: they must be there. */
static bool may_play_there(const struct doors *d, struct connection *n)
{
    const char *at = n->ladders;
    size_t len;

    for (; (len = next_of(&at)) > 0; at += len) {
        const struct ladder_config *ladder = ladder_of(d, at, len);

        if (ladder && !ladder->is_for_people && lobby_admits(ladder, n->name))
            continue;
        snprintf(n->refusal, sizeof n->refusal,
                 "%s cannot play on ladder \"%.*s\": %s; \"ladders=\" takes "
                 "names of ladders, with commas",
                 n->name, len < 60 ? (int)len : 60, at,
                 ladder ? "it does not admit this bot" : "there is none");
        return false;
    }
    return true;
}

static bool on_login(void *owner, struct connection *connection,
                     const char *name, const char *proof)
{
    struct doors *d = owner;
    bool right;

    connection->has_tried = true;
    if (is_locked_out(d, connection, name)) {
        d->metrics->logins_failed++;
        return false;
    }
    right = proof_holds(d, name, connection->nonce, proof);
    if (right && is_banned(d, connection, name)) {
        d->metrics->logins_failed++;
        return false;
    }
    if (right) {
        d->metrics->logins_ok++;
        right = may_play_there(d, connection);
    } else {
        d->metrics->logins_failed++;
        if (may_say(d, connection->origin, NULL))
            log_line(d->log, LOG_WARNING, NULL, "wrong login as %s from %s%s",
                     name, connection->address,
                     is_token(proof) && !d->config->plain_tokens
                         ? ": it sent its token, and plain-tokens is off"
                         : "");
        count_failure(d, connection->origin, name, 1);
        count_failure(d, connection->origin, "", FAILED_LOGIN);
    }
    return right;
}

/* A game of this name that waits for its bot. */
static struct connection *find_away(const struct doors *d, const char *name)
{
    for (struct connection *n = d->connections; n; n = n->next)
        if (n->phase == CONNECTION_AWAY && !n->why_gone &&
            strcmp(n->name, name) == 0)
            return n;
    return NULL;
}

/* How many there are, and which of them has been idle longest. */
static int count_of_name(const struct doors *d, const char *name,
                         struct connection **idle)
{
    int count = 0;

    for (struct connection *n = d->connections; n; n = n->next) {
        if (n->phase < CONNECTION_IDLE || n->why_gone ||
            strcmp(n->name, name) != 0)
            continue;
        count++;
        if (n->phase == CONNECTION_IDLE &&
            (!*idle || n->since_us < (*idle)->since_us))
            *idle = n;
    }
    return count;
}

static const char too_many[] = "too many connections of this name";

/* All of them play. */
static bool has_too_many(const struct doors *d, const char *name)
{
    struct connection *idle = NULL;

    return count_of_name(d, name, &idle) >= d->config->connections_per_name &&
           !idle;
}

/*
 * One too many: an idle one may be dead without our knowing, so it goes, unless
 * that is the newcomer itself. No game is lost for it.
 */
static void keep_limit(struct doors *d, struct connection *connection)
{
    struct connection *idle = NULL;

    if (count_of_name(d, connection->name, &idle) >
        d->config->connections_per_name)
        connection_end(idle, idle == connection ? too_many
                                                : "replaced by a newer login");
}

static bool on_known(void *owner, struct connection *connection)
{
    struct doors *d = owner;
    struct connection *away = find_away(d, connection->name);

    if (away) {
        if (may_tell(d, connection))
            log_line(d->log, LOG_INFO, d->calls->game_id(d->owner, away->game),
                     "%s is back from %s", connection->name,
                     connection->address);
        connection_take_up(away, connection);
    } else if (d->calls->is_stopping(d->owner)) {
        connection_end(connection, "stopping");
    } else if (has_too_many(d, connection->name)) {
        connection_end(connection, too_many);
    } else {
        return true;
    }
    return false;
}

static void on_ready(void *owner, struct connection *connection)
{
    struct doors *d = owner;

    if (d->calls->is_stopping(d->owner)) {
        connection_end(connection, "stopping");
        return;
    }
    if (may_tell(d, connection))
        log_line(d->log, LOG_INFO, NULL, "%s is here from %s", connection->name,
                 connection->address);
    connection->grace_us = d->config->grace_us;
    connection->travel_cap_us = d->config->lag_cap_us;
    keep_limit(d, connection);
    d->calls->on_ready(d->owner, connection);
}

/* One that hands a bot in. */

static void on_submitter(void *owner, struct connection *connection)
{
    struct doors *d = owner;

    log_line(d->log, LOG_DEBUG, NULL, "%s hands something in from %s",
             connection->name, connection->address);
    if (d->calls->is_stopping(d->owner))
        connection_end(connection, "stopping");
    else
        d->calls->on_submitter(d->owner, connection);
}

static void on_submission(void *owner, struct connection *connection,
                          char *line, size_t len)
{
    struct doors *d = owner;

    d->calls->on_submission(d->owner, connection, line, len);
}

static void on_room(void *owner, struct connection *connection)
{
    struct doors *d = owner;

    d->calls->on_room(d->owner, connection);
}

/* An answer to a hello is the dear part of a handshake. */
static bool was_only_hello(const struct connection *connection)
{
    if (connection->phase != CONNECTION_LOGIN || connection->has_tried)
        return false;
    return connection->handshake ? handshake_has_begun(connection->handshake)
                                 : connection->link.tls != NULL;
}

static void on_gone(void *owner, struct connection *connection, const char *why)
{
    struct doors *d = owner;
    struct connection **at = &d->connections;

    if (connection->game) { /* connection_unseat() brings it back here */
        connection_drop(connection);
        if (connection->peer.calls)
            connection->peer.calls->on_lost(connection->peer.owner,
                                            &connection->peer, WHY_EXIT, why);
        return;
    }
    while (*at != connection)
        at = &(*at)->next;
    *at = connection->next;
    d->calls->on_gone(d->owner, connection);
    d->connection_count--;
    if (was_only_hello(connection))
        count_failure(d, connection->origin, "", ONLY_HELLO);
    /* Anybody can knock: who never was here is no news. */
    if (!connection->name[0] || may_tell(d, connection))
        log_line(d->log, connection->name[0] ? LOG_INFO : LOG_DEBUG, NULL,
                 "%s%s%s is gone: %s", connection->name,
                 connection->name[0] ? " from " : "", connection->address, why);
    connection_free(connection);
}

static const struct connection_owner connection_calls = {
    .on_login = on_login,
    .on_known = on_known,
    .on_ready = on_ready,
    .on_submitter = on_submitter,
    .on_submission = on_submission,
    .on_room = on_room,
    .on_gone = on_gone,
};

/* Its program may have to be started first. */
static int64_t greeting_limit(const struct doors *d)
{
    const struct serve_config *c = d->config;
    int64_t limit = c->login_us;

    for (int i = 0; i < c->ladders; i++)
        if (limit < c->ladder[i].start_us)
            limit = c->ladder[i].start_us;
    return limit;
}

static void add_connection(struct doors *d, struct connection *connection)
{
    connection->greet_us = greeting_limit(d);
    connection->next = d->connections;
    d->connections = connection;
    d->connection_count++;
}

struct connection *doors_expect(struct doors *d, const char *name,
                                const char *version, void *game)
{
    struct connection *connection = connection_new_away(
        d->loop, name, d->config->grace_us, game, &connection_calls, d);

    snprintf(connection->version, sizeof connection->version, "%s", version);
    connection->travel_cap_us = d->config->lag_cap_us;
    add_connection(d, connection);
    return connection;
}

/* Listeners. */

static SSL *begin_tls(struct door *l, int fd)
{
    SSL *tls = SSL_new(l->tls);

    if (tls && SSL_set_fd(tls, fd) == 1)
        return tls;
    SSL_free(tls);
    return NULL;
}

/* libevent would go on as long as there are more. */
static void count_in(struct door *l)
{
    loop_later(l->doors->loop, &l->next);
    if (++l->let_in == LET_IN_MAX)
        evconnlistener_disable(l->listener);
}

static void let_in_more(void *arg)
{
    struct door *l = arg;

    if (l->let_in >= LET_IN_MAX && !l->rests)
        evconnlistener_enable(l->listener);
    l->let_in = 0;
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd,
                      struct sockaddr *address, int size, void *arg)
{
    struct door *l = arg;
    struct doors *d = l->doors;
    char text[CONNECTION_ADDRESS_MAX];
    SSL *tls = NULL;
    const char *why;
    struct connection *connection;

    loop_now(d->loop);
    count_in(l);
    write_address(address, text);
    why = refusal(d, text);
    if (!why && l->config.kind == LISTEN_TLS) {
        tls = begin_tls(l, fd);
        why = tls ? NULL : "no TLS";
    }
    if (why) {
        d->metrics->connections_refused++;
        log_line(d->log, LOG_DEBUG, NULL, "refused %s: %s", text, why);
        close(fd);
        return;
    }
    if (l->config.kind != LISTEN_UNIX)
        tcp_set_options(fd);
    connection = connection_new(&d->handshakes, l->config.kind, fd, tls, text,
                                d->config->login_us, &connection_calls, d);
    add_connection(d, connection);
    d->metrics->connections_accepted[l->config.kind]++;
}

/* It would be told again at once, and for ever: so it rests till the tick. */
static void on_accept_error(struct evconnlistener *listener, void *arg)
{
    struct door *l = arg;

    log_line(l->doors->log, LOG_ERROR, NULL, "%s cannot accept: %s",
             l->config.name, strerror(errno));
    evconnlistener_disable(listener);
    l->rests = true;
}

void doors_wake(struct doors *d)
{
    for (int i = 0; i < d->listeners; i++)
        if (d->listener[i]->rests) {
            d->listener[i]->rests = false;
            evconnlistener_enable(d->listener[i]->listener);
        }
}

static bool bind_unix(struct door *l, struct err *err)
{
    int fd = -1;

    if (unix_socket_name(&l->socket, l->config.address, err))
        fd = unix_socket_open(&l->socket, BACKLOG, err);
    if (fd == -1)
        return false;
    l->listener = evconnlistener_new(
        l->doors->loop->base, on_accept, l,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
    return l->listener ||
           fail(err, "libevent does not listen on %s", l->config.address);
}

static bool bind_tcp(struct door *l, struct err *err)
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
    l->listener = evconnlistener_new_bind(
        l->doors->loop->base, on_accept, l,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE,
        BACKLOG, found->ai_addr, (int)found->ai_addrlen);
    freeaddrinfo(found);
    if (!l->listener) {
        fail(err, "no listener on %s port %d: %s", l->config.address,
             l->config.port, strerror(errno));
        err->passes = errno == EADDRINUSE || errno == EADDRNOTAVAIL;
        return false;
    }
    return true;
}

/* Far more than any honest program says in a hello, in bytes. */
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

/* What takes long from here on is lag for the bots. */
static void on_message(int is_out, int version, int kind, const void *bytes,
                       size_t len, SSL *ssl, void *loop)
{
    loop_now(loop);
}

/* OpenSSL goes through all that is listed, which can take milliseconds. */
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
 * Without SSL_MODE_AUTO_RETRY, or SSL_read() would go on as long as a peer
 * sends what is for TLS alone, such as new keys, and nobody else had a turn.
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

/* From now on newcomers are greeted with this certificate. A handshake that
 * has begun keeps the one it began with. */
static bool open_tls(struct door *l, const struct listener_config *c,
                     struct err *err)
{
    SSL_CTX *tls = new_context(l->doors->loop);

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

static void read_certificates(struct doors *d)
{
    for (int i = 0; i < d->listeners; i++) {
        struct door *l = d->listener[i];
        const struct listener_config *c =
            find_listener(d->config, l->config.name);
        struct err err;

        if (l->tls && c && c->kind == LISTEN_TLS && !open_tls(l, c, &err))
            log_line(d->log, LOG_ERROR, NULL,
                     "%s keeps its old certificate: %s", l->config.name,
                     err.text);
        ERR_clear_error();
    }
}

void doors_reconfigure(struct doors *d, const struct serve_config *config)
{
    doors_configure(d, config);
    read_certificates(d);
    for (struct connection *n = d->connections; n; n = n->next)
        if ((n->phase == CONNECTION_IDLE || n->phase == CONNECTION_GREETING ||
             n->phase == CONNECTION_SUBMITTING) &&
            doors_has_revoked(d, n->name))
            connection_end(n, "its key was removed");
}

/* With the port that it got, if it was to take any. */
static void tell_listener(const struct door *l)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    char port[NI_MAXSERV];

    if (l->config.kind == LISTEN_UNIX ||
        getsockname(evconnlistener_get_fd(l->listener), (struct sockaddr *)&at,
                    &size) != 0 ||
        getnameinfo((struct sockaddr *)&at, size, NULL, 0, port, sizeof port,
                    NI_NUMERICSERV) != 0)
        port[0] = '\0';
    log_line(l->doors->log, LOG_INFO, NULL, "listening: %s on %s%s%s",
             l->config.name, l->config.address, port[0] ? " port " : "", port);
}

bool doors_open(struct doors *d, struct err *err)
{
    const struct serve_config *c = d->config;

    for (int i = 0; i < c->listeners; i++) {
        struct door *l = must_alloc(calloc(1, sizeof *l));

        l->doors = d;
        l->next = (struct deferred){.run = let_in_more, .arg = l};
        l->config = c->listener[i];
        d->listener[d->listeners++] = l;
        if (l->config.kind == LISTEN_TLS && !open_tls(l, &l->config, err))
            return false;
        if (!(l->config.kind == LISTEN_UNIX ? bind_unix(l, err)
                                            : bind_tcp(l, err)))
            return false;
        evconnlistener_set_error_cb(l->listener, on_accept_error);
        evconnlistener_disable(l->listener);
        l->rests = true;
        tell_listener(l);
    }
    return true;
}

void doors_close(struct doors *d)
{
    for (int i = 0; i < d->listeners; i++) {
        struct door *l = d->listener[i];

        loop_cancel(&l->next);
        if (l->listener)
            evconnlistener_free(l->listener);
        SSL_CTX_free(l->tls);
        if (l->listener && l->config.kind == LISTEN_UNIX)
            unix_socket_remove(&l->socket);
        free(l);
    }
    d->listeners = 0;
}

void doors_free(struct doors *d)
{
    if (!d)
        return;
    while (d->connections) {
        struct connection *n = d->connections;

        d->connections = n->next;
        connection_free(n);
    }
    handshakes_release(&d->handshakes);
    alarm_stop(d->loop, &d->tell_unsaid);
    if (d->unsaid > 0)
        on_tell_unsaid(d);
    budget_release(&d->lines);
    free(d);
}

struct connection *doors_connections(const struct doors *d)
{
    return d->connections;
}

int doors_kick(struct doors *d, const char *name, const char *why)
{
    int kicked = 0;

    for (struct connection *n = d->connections; n; n = n->next)
        if (strcmp(n->name, name) == 0 && !n->why_gone) {
            connection_end(n, why);
            kicked++;
        }
    return kicked;
}
