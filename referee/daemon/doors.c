#include "daemon/doors.h"

#include "base/alloc.h"
#include "daemon/budget.h"
#include "daemon/listener.h"
#include "daemon/lobby.h"
#include "daemon/lockouts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t minute_us = 60000000;

/*
 * Log lines per minute that a bot, or an address with failed logins, may cause
 * by connecting and disconnecting; and the limit for all together.
 */
static const struct budget_limits line_limits = {60, 3000};

struct doors {
    struct loop *loop;
    struct log *log;
    struct metrics *metrics;
    const struct doors_owner *calls;
    void *owner;
    const struct serve_config *config;
    struct listener *listener[SERVE_LISTENERS_MAX];
    int listeners;
    struct handshakes handshakes; /* of some of these: */
    struct connection *connections;
    int connection_count;
    int room; /* for connections, since descriptors are limited */
    struct lockouts lockouts;
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

/* May this bot or address, and all together, still write to the log? */
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

/* The same for a bot that has logged in. */
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
    d->lockouts.failures_max = config->failed_logins_max;
}

/*
 * Every connection takes a descriptor, every local bot four, every game one. A
 * quarter is reserved; otherwise newcomers could keep games from starting.
 */
void doors_limit(struct doors *d, int descriptors)
{
    d->room = descriptors - descriptors / 4;
    if (d->config->connections_max > d->room)
        log_line(d->log, LOG_WARNING, NULL,
                 "%d connections at most, because \"ulimit -n\" is %d", d->room,
                 descriptors);
}

/* The connections. */

static int lockout_of(const struct doors *d, const char *origin,
                      const char *name)
{
    return lockouts_left_s(&d->lockouts, origin, name, now_us());
}

void doors_each_lockout(const struct doors *d, doors_lockout *each, void *arg)
{
    int64_t now = now_us();

    for (int i = 0; i < LOCKOUT_ROOM; i++) {
        const struct offender *o = &d->lockouts.offender[i];
        int seconds = lockouts_left_of(&d->lockouts, i, now);

        if (seconds > 0)
            each(arg, o->name, o->origin, seconds);
    }
}

static void count_failure(struct doors *d, const char *origin, const char *name,
                          int weight)
{
    int seconds = lockouts_count(&d->lockouts, origin, name, weight, now_us());

    if (seconds > 0)
        log_line(d->log, LOG_WARNING, NULL,
                 "%s%s%s is refused for %d s: too many failed logins", name,
                 name[0] ? " from " : "", origin, seconds);
}

/*
 * Open connections, from one origin or (NULL) from all. A bot that is away or
 * on its way out has none.
 */
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

/* Logins. */

bool doors_has_revoked(const struct doors *d, const char *name)
{
    return key_named(d->config, name) == NULL;
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
    if (key_holds_token(d->config, name, token))
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
    if (connection->link.tls) /* a handshake is expensive */
        count_failure(d, connection->origin, "", REFUSED_LOGIN);
    return true;
}

/* Only a client that proved the name hears the reason. */
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

/* It has said on which ladders it wants to play. They must exist. */
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
    right = key_holds(d->config, name, connection->nonce, proof);
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
                     proof_is_token(proof) && !d->config->plain_tokens
                         ? ": it sent its token, and plain-tokens is off"
                         : "");
        count_failure(d, connection->origin, name, 1);
        count_failure(d, connection->origin, "", FAILED_LOGIN);
    }
    return right;
}

/* Wrong codes do not lock out the owner of the name. */
static const char newcomers[] = "a newcomer";

static bool on_invited(void *owner, struct connection *connection,
                       const char *name, const char *proof)
{
    struct doors *d = owner;
    enum invite end;

    connection->has_tried = true;
    if (is_locked_out(d, connection, newcomers)) {
        d->metrics->logins_failed++;
        return false;
    }
    end = d->calls->on_invited(d->owner, connection, name, proof);
    if (end == INVITE_TAKEN) {
        d->metrics->logins_ok++;
        return true;
    }
    d->metrics->logins_failed++;
    if (may_say(d, connection->origin, NULL))
        log_line(d->log, LOG_WARNING, NULL, "%s from %s may not register: %s",
                 name, connection->address, connection->refusal);
    if (end == INVITE_WRONG)
        count_failure(d, connection->origin, newcomers, 1);
    count_failure(d, connection->origin, "",
                  end == INVITE_WRONG ? FAILED_LOGIN : REFUSED_LOGIN);
    return false;
}

void doors_tell_registered(struct doors *d, bool counts)
{
    for (struct connection *n = d->connections; n; n = n->next) {
        if (n->phase != CONNECTION_REGISTERING || n->why_gone)
            continue;
        connection_tell(n, "registered", "%s", n->name);
        connection_end(n, counts ? "that is all"
                                 : "the name counts as soon as the organiser "
                                   "has mended the server's configuration");
    }
}

/* The connection of this name that is away, while its game waits for it. */
static struct connection *find_away(const struct doors *d, const char *name)
{
    for (struct connection *n = d->connections; n; n = n->next)
        if (n->phase == CONNECTION_AWAY && !n->why_gone &&
            strcmp(n->name, name) == 0)
            return n;
    return NULL;
}

/* The number of connections, and which has been idle longest. */
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

/* All of them are playing. */
static bool has_too_many(const struct doors *d, const char *name)
{
    struct connection *idle = NULL;

    return count_of_name(d, name, &idle) >= d->config->connections_per_name &&
           !idle;
}

/*
 * One connection too many. An idle one may be dead without our knowing, so
 * close it, unless that is the newcomer itself. This costs no game.
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

/* A connection that hands in a bot. */

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

/* Answering a hello is the expensive part of a handshake. */
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
    /* Anybody can connect, so a connection that never logged in is not news. */
    if (!connection->name[0] || may_tell(d, connection))
        log_line(d->log, connection->name[0] ? LOG_INFO : LOG_DEBUG, NULL,
                 "%s%s%s is gone: %s", connection->name,
                 connection->name[0] ? " from " : "", connection->address, why);
    connection_free(connection);
}

static const struct connection_owner connection_calls = {
    .on_login = on_login,
    .on_invited = on_invited,
    .on_known = on_known,
    .on_ready = on_ready,
    .on_submitter = on_submitter,
    .on_submission = on_submission,
    .on_room = on_room,
    .on_gone = on_gone,
};

/* The bot's program may have to be started first. */
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

bool doors_port(const struct doors *d, int *port, bool *is_tls)
{
    for (int i = 0; i < d->listeners; i++) {
        *port = listener_port(d->listener[i]);
        *is_tls = listener_is_tls(d->listener[i]);
        if (*port > 0)
            return true;
    }
    return false;
}

void doors_reconfigure(struct doors *d, const struct serve_config *config)
{
    doors_configure(d, config);
    for (int i = 0; i < d->listeners; i++)
        listener_renew(d->listener[i], config);
    for (struct connection *n = d->connections; n; n = n->next)
        if ((n->phase == CONNECTION_IDLE || n->phase == CONNECTION_GREETING ||
             n->phase == CONNECTION_SUBMITTING) &&
            doors_has_revoked(d, n->name))
            connection_end(n, "its key was removed");
}

/* Listeners. */

/* Why a newcomer is turned away at once, or NULL. */
static const char *refusal(void *owner, const char *address)
{
    struct doors *d = owner;
    const struct serve_config *c = d->config;
    char origin[ORIGIN_MAX];

    tcp_origin(address, origin);
    if (d->calls->is_stopping(d->owner) &&
        /* otherwise it may be a bot that returns */
        !d->calls->has_games(d->owner))
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

static void on_refused(void *owner, const char *address, const char *why)
{
    struct doors *d = owner;

    d->metrics->connections_refused++;
    log_line(d->log, LOG_DEBUG, NULL, "refused %s: %s", address, why);
}

static void on_newcomer(void *owner, enum listener_kind kind, int fd, SSL *tls,
                        const char *address)
{
    struct doors *d = owner;

    add_connection(d,
                   connection_new(&d->handshakes, kind, fd, tls, address,
                                  d->config->login_us, &connection_calls, d));
    d->metrics->connections_accepted[kind]++;
}

static const struct listener_owner listener_calls = {
    .refusal = refusal,
    .on_refused = on_refused,
    .on_newcomer = on_newcomer,
};

void doors_wake(struct doors *d)
{
    for (int i = 0; i < d->listeners; i++)
        listener_wake(d->listener[i]);
}

bool doors_open(struct doors *d, struct err *err)
{
    const struct serve_config *c = d->config;

    for (int i = 0; i < c->listeners; i++) {
        struct listener *l = listener_open(d->loop, d->log, &c->listener[i],
                                           &listener_calls, d, err);

        if (!l)
            return false;
        d->listener[d->listeners++] = l;
    }
    return true;
}

void doors_close(struct doors *d)
{
    for (int i = 0; i < d->listeners; i++)
        listener_close(d->listener[i]);
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
