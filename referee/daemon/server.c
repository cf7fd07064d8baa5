#include "base/alloc.h"
#include "daemon/server_state.h"
#include "store/disk.h"

#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { TICK_US = 1000000 };

/* Starting and stopping. */

/* Records under way hold the deal, and nothing keeps files from their owner. */
static void warn_of_local_bots(struct server *s)
{
    const struct serve_config *c = config_of(s);

    for (int i = 0; i < c->ladders; i++)
        if (c->ladder[i].bots > 0 && c->ladder[i].game->deal) {
            log_line(&s->log, LOG_WARNING, NULL,
                     "local bots run as the user of this daemon and could read "
                     "deals in %s: whom you do not trust belongs into a "
                     "sandbox, see BOTS AND PROCESSES in referee(1)",
                     c->data);
            return;
        }
}

void server_ready(struct server *s)
{
    s->phase = SERVER_RUNNING;
    doors_wake(s->doors);
    warn_of_local_bots(s);
    log_line(&s->log, LOG_INFO, NULL, "ready");
    ladders_changed(s);
    units_wake(s);
}

static bool has_bots(const struct server *s)
{
    for (const struct generation *g = s->generation; g; g = g->next)
        if (g->home.bots > 0)
            return true;
    return false;
}

/* What is not in the index by then will be after the next start. */
void end_if_done(struct server *s)
{
    bool is_late = now_us() >= s->stop_us;

    if (s->phase == SERVER_STOPPING && !s->units && !has_bots(s) &&
        (s->closed_len == 0 || is_late))
        loop_stop(&s->loop);
}

/* No new games; those that run may end, but not for ever. */
void server_stop(struct server *s)
{
    if (s->phase == SERVER_STOPPING)
        return;
    s->phase = SERVER_STOPPING;
    s->stop_us = now_us() + config_of(s)->stop_us;
    log_line(&s->log, LOG_INFO, NULL, "stopping");
    units_wake(s); /* groups between two games are broken off */
    end_if_done(s);
}

/* Reloading. */

static void on_bot_ended(void *arg)
{
    end_if_done(arg);
}

static void add_generation(struct server *s, struct serve_config *config)
{
    struct generation *g = must_alloc(calloc(1, sizeof *g));

    g->server = s;
    g->config = config;
    g->home = (struct home){.on_ended = on_bot_ended, .arg = s};
    g->next = s->generation;
    s->generation = g;
}

/* Idle guards know bots of it. */
static void free_generation(struct server *s, struct generation *g)
{
    children_end_idle(&s->loop.children);
    s->release(g->config);
    free(g);
}

/* Old configurations go when no game needs them. */
static void free_old_generations(struct server *s)
{
    struct generation **at = &s->generation->next;

    while (*at) {
        struct generation *old = *at;

        if (old->units > 0 || old->home.bots > 0 || old->config == s->opened) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        free_generation(s, old);
    }
}

/* The old one again: nothing of it has been let go. */
static void drop_generation(struct server *s)
{
    struct generation *g = s->generation;

    s->generation = g->next;
    free_generation(s, g);
}

static void set_rater(struct server *s)
{
    const struct serve_config *c = config_of(s);
    struct buf anchors;

    buf_init(&anchors, 1 << 20);
    for (int i = 0; i < c->ladders; i++) {
        const struct ladder_config *l = &c->ladder[i];

        buf_str(&anchors, l->name);
        if (l->anchor)
            buf_add(&anchors, " %s %d", l->anchor, l->anchor_elo);
        buf_char(&anchors, '\n');
    }
    rater_set(s->rater, c->rate_every_us, anchors.text);
    buf_release(&anchors);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_listener(const struct listener_config *a,
                             const struct listener_config *b)
{
    return a->kind == b->kind && a->port == b->port &&
           is_same(a->address, b->address) &&
           is_same(a->certificate, b->certificate) &&
           is_same(a->private_key, b->private_key);
}

/* What is opened once, at the start. */
static bool has_same_doors(const struct serve_config *a,
                           const struct serve_config *b)
{
    bool same = a->listeners == b->listeners && a->http_port == b->http_port &&
                is_same(a->http, b->http) && is_same(a->data, b->data) &&
                is_same(a->control, b->control);

    for (int i = 0; same && i < a->listeners; i++)
        same = is_same_listener(&a->listener[i], &b->listener[i]);
    return same;
}

static bool reload(struct server *s, bool *needs_restart)
{
    struct serve_config *config = s->reread(config_of(s)->path);
    struct err err;

    if (!config) {
        log_line(&s->log, LOG_ERROR, NULL,
                 "the new configuration is wrong: the old one stays");
        return false;
    }
    add_generation(s, config);
    if (!ladders_read(s, &err)) {
        drop_generation(s);
        log_line(&s->log, LOG_ERROR, NULL,
                 "the old configuration stays, for %s", err.text);
        return false;
    }
    keys_sort(config);
    doors_configure(s->doors, config);
    doors_end_revoked(s->doors);
    log_level_read(config->log_level, &s->log.level);
    set_rater(s);
    log_line(&s->log, LOG_INFO, NULL, "configuration read again");
    *needs_restart = !has_same_doors(s->opened, config);
    if (*needs_restart)
        log_line(&s->log, LOG_WARNING, NULL,
                 "listeners, control, http and data change only with a "
                 "restart");
    return true;
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct server *s = arg;
    bool needs_restart;

    loop_now(&s->loop);
    if (number == SIGHUP)
        reload(s, &needs_restart);
    else
        server_stop(s);
}

static void on_tick(void *arg)
{
    struct server *s = arg;

    loop_alarm(&s->loop, &s->tick, now_us() + TICK_US);
    if (s->phase == SERVER_STARTING)
        return;
    doors_wake(s->doors);
    if (s->trouble[TROUBLE_START].is_on && can_start(s)) {
        ladders_changed(s);
        units_wake(s);
    }
    ladders_tidy(s);
    free_old_generations(s);
    if (s->phase == SERVER_STOPPING && now_us() >= s->stop_us) {
        units_break_off(s);
        end_if_done(s);
    }
}

/* What is asked of it. */

static bool on_request(void *owner, enum control_verb verb, const char *name,
                       struct buf *answer, struct err *err)
{
    struct server *s = owner;
    json_t *object = NULL;
    bool needs_restart;
    int kicked;

    loop_now(&s->loop);
    if ((s->phase == SERVER_STOPPING || s->phase == SERVER_STARTING) &&
        (verb == CONTROL_PAUSE || verb == CONTROL_RESUME))
        return fail(err, "the daemon is %s",
                    s->phase == SERVER_STOPPING ? "stopping" : "starting");
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
        ladders_changed(s);
        units_wake(s);
        break;
    case CONTROL_STOP:
        server_stop(s);
        break;
    case CONTROL_KICK:
        kicked = doors_kick(s->doors, name);
        if (kicked == 0)
            return fail(err, "nobody called %s is connected", name);
        object = json_pack("{s:i}", "kicked", kicked);
        break;
    case CONTROL_RELOAD:
        if (!reload(s, &needs_restart))
            return fail(err, "the new configuration is wrong; see the log");
        object = json_pack("{s:b, s:b}", "reloaded", 1, "needs_restart",
                           needs_restart);
        break;
    default:
        return fail(err, "unknown request");
    }
    control_answer(answer, object ? object : phase_json(s));
    return true;
}

static const struct control_calls control_calls = {on_request};

/* Start and end. */

static void raise_limit(struct server *s)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX)
        doors_limit(s->doors, (int)limit.rlim_cur);
}

static bool open_doors(struct server *s, struct err *err)
{
    const struct serve_config *c = config_of(s);

    s->control = control_new(s->loop.base, c->control, &control_calls, s, err);
    if (!s->control)
        return false;
    if (c->http) {
        s->live = live_new(&s->loop, &server_live, s);
        s->http =
            http_new(&s->loop, c->http, c->http_port, &server_http, s, err);
        if (!s->http)
            return false;
        log_line(&s->log, LOG_INFO, NULL, "http on %s port %d", c->http,
                 http_port(s->http));
    }
    return doors_open(s->doors, err);
}

/* Its lock comes first: another daemon of the same data keeps its sockets. */
static bool open_archive(struct server *s, struct err *err)
{
    const char *data = config_of(s)->data;

    if (disk_folder(data, err))
        s->archive = archive_open(data, err);
    return s->archive != NULL;
}

/* What is over goes to the index first, for the ladders learn from there. */
static bool open_store(struct server *s, struct err *err)
{
    return session_open(s, err) && revival_open(s, err) && ladders_read(s, err);
}

static void watch_signals(struct server *s)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};

    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write that fails is enough */
    for (int i = 0; i < 3; i++) {
        s->signals[i] = evsignal_new(s->loop.base, numbers[i], on_signal, s);
        event_add(s->signals[i], NULL);
    }
}

static void set_alarms(struct server *s)
{
    alarm_init(&s->tick, on_tick, s);
    alarm_init(&s->starter, on_start, s);
    alarm_init(&s->taker, on_index_games, s);
    loop_alarm(&s->loop, &s->tick, now_us() + TICK_US);
}

static void close_nets(struct server *s)
{
    /* What TLS has not written yet: the end of the last game. Only once, for
     * who sends without end would keep it from coming back. */
    event_base_loop(s->loop.base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    doors_free(s->doors);
    free(s->queue);
}

static void close_events(struct server *s)
{
    for (int i = 0; i < 3; i++)
        event_free(s->signals[i]);
    /* libevent frees bufferevents on the next turn of the loop. */
    event_base_loop(s->loop.base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    loop_release(&s->loop);
}

static void close_all(struct server *s)
{
    doors_close(s->doors);
    http_free(s->http);
    live_free(s->live);
    if (s->control)
        control_free(s->control);
    close_nets(s);
    revival_free(s);
    rater_free(s->rater);
    syncer_free(s->syncer);
    close_events(s);
    ladders_free(s);
    closed_free(s);
    archive_close(s->archive);
    while (s->generation)
        drop_generation(s);
}

/* Whoever comes in. */

static bool is_stopping(void *owner)
{
    return ((struct server *)owner)->phase == SERVER_STOPPING;
}

static bool has_games(void *owner)
{
    return ((struct server *)owner)->units != NULL;
}

static const char *game_id(void *owner, const void *game)
{
    return ((const struct unit *)game)->group.id;
}

static void on_ready(void *owner, struct connection *connection)
{
    queue_join(owner, connection);
}

static void on_gone(void *owner, struct connection *connection)
{
    queue_leave(owner, connection);
}

static const struct doors_owner doors_calls = {is_stopping, has_games, game_id,
                                               on_ready, on_gone};

static struct server *make_server(struct serve_config *config,
                                  const struct serve_options *options)
{
    struct server *s = must_alloc(calloc(1, sizeof *s));
    enum log_level level = LOG_INFO;
    uint8_t seed[SEED_BYTES];

    s->reread = options->reread;
    s->release = options->release;
    s->games_max = options->games;
    s->start_us = now_us();
    add_generation(s, config);
    s->opened = config;
    keys_sort(config);
    log_level_read(config->log_level, &level);
    log_init(&s->log, stderr, level);
    randombytes_buf(seed, sizeof seed);
    rng_seed(&s->rng, seed);
    loop_init(&s->loop);
    s->loop.children.crowd = A_CROWD;
    s->doors = doors_new(&s->loop, &s->log, &s->metrics, &doors_calls, s);
    doors_configure(s->doors, config);
    s->syncer = syncer_new(&s->loop);
    s->rater = rater_new(&s->loop, &s->log, config->data);
    set_rater(s);
    return s;
}

static int serve(struct server *s)
{
    struct err err;

    if (!open_archive(s, &err) || !open_doors(s, &err) ||
        !open_store(s, &err)) {
        fprintf(stderr, "referee: %s\n", err.text);
        return err.passes ? 1 : 2;
    }
    revival_begin(s);
    loop_run(&s->loop);
    index_closed_games(s);
    log_line(&s->log, LOG_INFO, NULL, "stopped");
    return 0;
}

int server_run(struct serve_config *config, const struct serve_options *options)
{
    struct server *s = make_server(config, options);
    int code;

    raise_limit(s);
    watch_signals(s);
    set_alarms(s);
    code = serve(s);
    close_all(s);
    free(s);
    return code;
}
