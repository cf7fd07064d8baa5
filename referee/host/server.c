#include "host/server_state.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static const struct timeval one_second = {1, 0};
static const char *const phase_words[] = {"running", "paused", "stopping"};

/* Stopping. */

void end_if_done(struct server *s)
{
    if (s->phase == SERVER_STOPPING && !s->games && s->bots_alive == 0)
        loop_stop(&s->loop);
}

/* No new games; those that run may end, but not for ever. */
static void stop(struct server *s)
{
    if (s->phase == SERVER_STOPPING)
        return;
    s->phase = SERVER_STOPPING;
    s->stop_us = now_us() + config_of(s)->stop_us;
    log_line(&s->log, LOG_INFO, NULL, "stopping");
    end_if_done(s);
}

/* Reloading. */

static void add_generation(struct server *s, struct serve_config *config)
{
    struct generation *g = calloc(1, sizeof *g);

    if (!g)
        abort();
    g->server = s;
    g->config = config;
    g->next = s->generation;
    s->generation = g;
}

/* Old configurations go when no game needs them. */
static void free_old_generations(struct server *s)
{
    struct generation **at = &s->generation->next;

    while (*at) {
        struct generation *old = *at;

        if (old->games > 0 || old->bots > 0) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        s->release(old->config);
        free(old);
    }
}

static bool make_data(const struct serve_config *c, struct err *err)
{
    if (mkdir(c->data, 0700) == 0 || errno == EEXIST)
        return true;
    return fail(err, "the folder %s cannot be made: %s", c->data,
                strerror(errno));
}

/* Bots whose keys were removed go, after their games. */
static void end_revoked(struct server *s)
{
    for (struct net *n = s->nets; n; n = n->next)
        if (n->phase == NET_IDLE && is_revoked(s, n))
            net_end(n, "its key was removed");
}

static bool reload(struct server *s)
{
    struct serve_config *config = s->reread(config_of(s)->path);
    struct err err;

    if (config && !make_data(config, &err)) {
        log_line(&s->log, LOG_ERROR, NULL, "%s", err.text);
        s->release(config);
        config = NULL;
    }
    if (!config) {
        log_line(&s->log, LOG_ERROR, NULL,
                 "the new configuration is wrong: the old one stays");
        return false;
    }
    add_generation(s, config);
    keys_sort(config);
    ladders_read(s);
    end_revoked(s);
    log_level_read(config->log_level, &s->log.level);
    log_line(&s->log, LOG_INFO, NULL, "configuration read again");
    start_games(s);
    return true;
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct server *s = arg;

    if (number == SIGHUP)
        reload(s);
    else
        stop(s);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct server *s = arg;

    listeners_wake(s);
    start_games(s);
    free_old_generations(s);
    if (s->phase == SERVER_STOPPING && now_us() >= s->stop_us) {
        cut_off_games(s);
        end_if_done(s);
    }
}

/* What is asked of it. */

static bool is_healthy(void *owner)
{
    struct server *s = owner;

    return s->phase != SERVER_STOPPING;
}

static void write_metrics(void *owner, struct buf *out)
{
    struct server *s = owner;
    struct ladder_metrics ladders[SERVE_LADDERS_MAX] = {{0}};

    s->metrics.paused = s->phase == SERVER_PAUSED;
    s->metrics.bytes_in = s->loop.bytes_in;
    s->metrics.bytes_out = s->loop.bytes_out;
    s->metrics.bots_waiting = 0;
    for (const struct net *n = s->nets; n; n = n->next)
        s->metrics.bots_waiting += n->phase == NET_IDLE;
    for (int i = 0; i < s->ladders; i++) {
        ladders[i] = (struct ladder_metrics){.name = s->ladder[i].name,
                                             .running = s->ladder[i].running,
                                             .done = s->ladder[i].done};
        for (const struct net *n = s->nets; n; n = n->next)
            ladders[i].waiting += ladder_waits_for(&s->ladder[i], n);
    }
    s->metrics.ladder = ladders;
    s->metrics.ladders = s->ladders;
    metrics_write(&s->metrics, out);
    s->metrics.ladder = NULL;
    s->metrics.ladders = 0;
}

static const struct http_calls http_calls = {is_healthy, write_metrics, NULL};

static json_t *ladder_json(const struct server *s, const struct ladder *ladder)
{
    json_t *waiting = json_array();

    for (const struct net *n = s->nets; n; n = n->next)
        if (ladder_waits_for(ladder, n))
            json_array_append_new(waiting, json_string(n->name));
    return json_pack("{s:s, s:s, s:i, s:o, s:i, s:i}", "name", ladder->name,
                     "game", ladder->config ? ladder->config->game->name : "-",
                     "seats", ladder->config ? ladder->config->setup.seats : 0,
                     "waiting", waiting, "running", ladder->running, "done",
                     ladder->done);
}

static json_t *net_json(const struct net *n)
{
    static const char *const kinds[] = {"tcp", "tls", "unix"};
    static const char *const phases[] = {"login", "idle", "playing", "away"};

    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:i}", "name", n->name,
                     "address", n->address, "kind", kinds[n->kind], "state",
                     phases[n->phase], "rtt_us", (json_int_t)net_rtt_us(n),
                     "games", n->games);
}

static json_t *status_json(const struct server *s)
{
    json_t *ladders = json_array(), *nets = json_array();

    for (int i = 0; i < s->ladders; i++)
        json_array_append_new(ladders, ladder_json(s, &s->ladder[i]));
    for (const struct net *n = s->nets; n; n = n->next)
        json_array_append_new(nets, net_json(n));
    return json_pack("{s:I, s:s, s:{s:I, s:I, s:I}, s:I, s:o, s:o}", "uptime_s",
                     (json_int_t)((now_us() - s->start_us) / 1000000), "state",
                     phase_words[s->phase], "games", "running",
                     (json_int_t)s->metrics.games_running, "done",
                     (json_int_t)s->metrics.games_done, "void",
                     (json_int_t)s->metrics.games_void, "moves",
                     (json_int_t)s->metrics.moves, "ladders", ladders,
                     "connections", nets);
}

static json_t *games_json(const struct server *s)
{
    json_t *list = json_array();

    for (const struct running_game *g = s->games; g; g = g->next) {
        json_t *bots = json_array();

        for (int i = 0; i < g->config->setup.seats; i++)
            json_array_append_new(bots, json_string(g->seat[i].name));
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:o, s:i, s:I}", "id", g->id,
                            "ladder", g->ladder->name, "game",
                            g->config->game->name, "bots", bots, "moves",
                            match_moves(table_match(g->table)), "age_s",
                            (json_int_t)((now_us() - g->start_us) / 1000000)));
    }
    return json_pack("{s:o}", "games", list);
}

static json_t *phase_json(const struct server *s)
{
    return json_pack("{s:s, s:I}", "state", phase_words[s->phase], "running",
                     (json_int_t)s->metrics.games_running);
}

/* How many connections of that name there were. */
static int kick(struct server *s, const char *name)
{
    int kicked = 0;

    for (struct net *n = s->nets; n; n = n->next)
        if (strcmp(n->name, name) == 0 && !n->why_gone) {
            net_end(n, "kicked by the organiser");
            kicked++;
        }
    return kicked;
}

static bool on_request(void *owner, enum control_verb verb, const char *name,
                       struct buf *answer, struct err *err)
{
    struct server *s = owner;
    json_t *object = NULL;
    int kicked;

    if (s->phase == SERVER_STOPPING &&
        (verb == CONTROL_PAUSE || verb == CONTROL_RESUME))
        return fail(err, "the daemon is stopping");
    switch (verb) {
    case CONTROL_STATUS:
        object = status_json(s);
        break;
    case CONTROL_GAMES:
        object = games_json(s);
        break;
    case CONTROL_PAUSE:
        s->phase = SERVER_PAUSED;
        break;
    case CONTROL_RESUME:
        s->phase = SERVER_RUNNING;
        start_games(s);
        break;
    case CONTROL_STOP:
        stop(s);
        break;
    case CONTROL_KICK:
        kicked = kick(s, name);
        if (kicked == 0)
            return fail(err, "nobody called %s is connected", name);
        object = json_pack("{s:i}", "kicked", kicked);
        break;
    case CONTROL_RELOAD:
        if (!reload(s))
            return fail(err, "the new configuration is wrong; see the log");
        object = json_pack("{s:b}", "reloaded", 1);
        break;
    default:
        return fail(err, "unknown request");
    }
    control_answer(answer, object ? object : phase_json(s));
    return true;
}

static const struct control_calls control_calls = {on_request};

/* Start and end. */

/*
 * Every connection takes a descriptor, every local bot four, every game one; so
 * a quarter is kept back, or newcomers could keep games from starting.
 */
static void raise_limit(struct server *s)
{
    struct rlimit limit;

    s->nets_max = INT_MAX;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX)
        s->nets_max = (int)(limit.rlim_cur - limit.rlim_cur / 4);
    if (config_of(s)->connections_max > s->nets_max)
        log_line(&s->log, LOG_WARNING, NULL,
                 "%d connections at most, for \"ulimit -n\" is %d", s->nets_max,
                 (int)limit.rlim_cur);
}

/* Games of this run are called 20250131-120000-000001 and so on. */
static void name_session(struct server *s)
{
    time_t now = time(NULL);
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(s->session, sizeof s->session, "%Y%m%d-%H%M%S", &tm);
    s->metrics.start_s = now;
}

static bool open_all(struct server *s, struct err *err)
{
    const struct serve_config *c = config_of(s);

    if (!make_data(c, err))
        return false;
    s->control = control_new(s->loop.base, c->control, &control_calls, s, err);
    if (!s->control)
        return false;
    if (c->http) {
        s->http =
            http_new(s->loop.base, c->http, c->http_port, &http_calls, s, err);
        if (!s->http)
            return false;
        log_line(&s->log, LOG_INFO, NULL, "http on %s port %d", c->http,
                 http_port(s->http));
    }
    return listeners_open(s, err);
}

static void watch_signals(struct server *s)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};

    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        s->signals[i] = evsignal_new(s->loop.base, numbers[i], on_signal, s);
        event_add(s->signals[i], NULL);
    }
    s->tick = event_new(s->loop.base, -1, EV_PERSIST, on_tick, s);
    event_add(s->tick, &one_second);
}

static void close_all(struct server *s)
{
    listeners_close(s);
    if (s->http)
        http_free(s->http);
    if (s->control)
        control_free(s->control);
    /* What TLS has not written yet: the end of the last game. */
    event_base_loop(s->loop.base, EVLOOP_NONBLOCK);
    while (s->nets) {
        struct net *n = s->nets;

        s->nets = n->next;
        net_free(n);
    }
    for (int i = 0; i < 3; i++)
        event_free(s->signals[i]);
    event_free(s->tick);
    /* libevent frees bufferevents on the next turn of the loop. */
    event_base_loop(s->loop.base, EVLOOP_NONBLOCK);
    loop_release(&s->loop);
    free(s->queue);
    while (s->generation) {
        struct generation *g = s->generation;

        s->generation = g->next;
        s->release(g->config);
        free(g);
    }
}

int server_run(struct serve_config *config, serve_reader *reread,
               serve_freer *release)
{
    struct server *s = calloc(1, sizeof *s);
    enum log_level level = LOG_INFO;
    struct err err;
    bool ok;

    if (!s)
        abort();
    s->reread = reread;
    s->release = release;
    s->start_us = now_us();
    add_generation(s, config);
    keys_sort(config);
    log_level_read(config->log_level, &level);
    log_init(&s->log, stderr, level);
    raise_limit(s);
    name_session(s);
    loop_init(&s->loop);
    watch_signals(s);
    ladders_read(s);
    ok = open_all(s, &err);
    if (ok) {
        log_line(&s->log, LOG_INFO, NULL, "ready");
        loop_run(&s->loop);
        log_line(&s->log, LOG_INFO, NULL, "stopped");
    } else {
        fprintf(stderr, "referee: %s\n", err.text);
    }
    close_all(s);
    free(s);
    return ok ? 0 : 2;
}
