#include "base/alloc.h"
#include "daemon/api.h"
#include "store/disk.h"
#include "store/index_check.h"
#include "store/reindex.h"
#include "store/session.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_US = 1000000,
};

/* Starting and stopping. */

static bool has_open_bot(const struct ladder_config *ladder)
{
    for (int i = 0; i < ladder->bots; i++) {
        const struct walls *walls = ladder->bot[i]->bot.walls;

        if (!walls || walls->wall < WALL_LANDLOCK)
            return true;
    }
    return false;
}

/* Running records contain the deal, and a file's owner could always read it. */
static void warn_of_local_bots(struct server *s)
{
    const struct serve_config *c = config_of(s);

    for (int i = 0; i < c->ladders; i++)
        if (has_open_bot(&c->ladder[i]) && c->ladder[i].game->deal) {
            log_line(
                &s->log, LOG_WARNING, NULL,
                "local bots without walls run as the user of this daemon "
                "and could read deals in %s: put bots that you do not trust behind walls: see walls in referee.ini(5)",
                c->data);
            return;
        }
}

static bool is_stopping(void *owner)
{
    return ((struct server *)owner)->phase == SERVER_STOPPING;
}

/* May a part of a game start? */
static bool can_start(void *owner)
{
    const struct server *s = owner;

    return s->phase == SERVER_RUNNING && trouble_allows_start(&s->troubles);
}

/* Try again to start what could not start before. */
static void look_again(void *owner)
{
    struct server *s = owner;

    lobby_changed(s->lobby);
    units_wake(s->units);
}

/*
 * A pause outlives the daemon: the file DATA/paused exists as long as it lasts.
 */

static void pause_path(const struct server *s, char path[DISK_PATH_MAX])
{
    snprintf(path, DISK_PATH_MAX, "%s/paused", config_of(s)->data);
}

static bool is_kept_paused(const struct server *s)
{
    char path[DISK_PATH_MAX];

    pause_path(s, path);
    return disk_has(path);
}

static bool pause_games(struct server *s, struct err *err)
{
    char path[DISK_PATH_MAX];

    pause_path(s, path);
    if (!disk_write(path, "", 0, err))
        return false;
    s->phase = SERVER_PAUSED;
    log_line(&s->log, LOG_INFO, NULL, "paused");
    return true;
}

static bool resume_games(struct server *s, struct err *err)
{
    char path[DISK_PATH_MAX];

    pause_path(s, path);
    if (unlink(path) != 0 && errno != ENOENT)
        return fail(err, "%s cannot be removed: %s", path, strerror(errno));
    s->phase = SERVER_RUNNING;
    log_line(&s->log, LOG_INFO, NULL, "resumed");
    look_again(s);
    return true;
}

static void on_revived(void *owner)
{
    struct server *s = owner;

    s->phase = is_kept_paused(s) ? SERVER_PAUSED : SERVER_RUNNING;
    doors_wake(s->doors);
    warn_of_local_bots(s);
    if (*config_of(s)->walls_words)
        log_line(&s->log, LOG_INFO, NULL, "%s", config_of(s)->walls_words);
    reception_look(s->reception);
    if (s->phase == SERVER_PAUSED)
        log_line(&s->log, LOG_WARNING, NULL,
                 "still paused: \"referee resume\" lets games start");
    log_line(&s->log, LOG_INFO, NULL, "ready");
    look_again(s);
}

/* Games that are not in the index by then are added at the next start. */
static void end_if_done(void *owner)
{
    struct server *s = owner;
    bool is_late = now_us() >= s->stop_us;

    if (s->phase == SERVER_STOPPING && !units_list(s->units) &&
        !generations_have_bots(&s->generations) && !away_is_busy(s->away) &&
        (closing_count(s->closing) == 0 || is_late))
        loop_stop(&s->loop);
}

/* Start no new games. Running games may end, within a limit. */
static void stop(struct server *s)
{
    if (s->phase == SERVER_STOPPING)
        return;
    s->phase = SERVER_STOPPING;
    s->stop_us = now_us() + config_of(s)->stop_us;
    log_line(&s->log, LOG_INFO, NULL, "stopping");
    reception_stop(s->reception);
    revival_stop(s->revival);
    units_wake(s->units); /* groups that are between two games are broken off */
    end_if_done(s);
}

static const struct reception_owner reception_calls = {reload_soon};

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct server *s = arg;
    bool needs_restart;

    loop_now(&s->loop);
    if (number == SIGHUP)
        json_decref(reload_all(s, "SIGHUP", &needs_restart));
    else
        stop(s);
}

static void on_tick(void *arg)
{
    struct server *s = arg;

    loop_alarm(&s->loop, &s->tick, now_us() + TICK_US);
    if (s->phase == SERVER_STARTING)
        return;
    doors_wake(s->doors);
    play_tick(s);
    if (s->troubles.of[TROUBLE_START].is_on && can_start(s))
        look_again(s);
    news_waits(s);
    reception_tick(s->reception);
    lobby_tidy(s->lobby);
    generations_tidy(&s->generations);
    if (s->phase == SERVER_STOPPING && now_us() >= s->stop_us) {
        units_break_off(s->units);
        end_if_done(s);
    }
}

/* Requests. */

static bool on_request(void *owner, enum control_verb verb, const char *what,
                       const char *who, struct buf *answer, struct err *err)
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
        if (!pause_games(s, err))
            return false;
        organise_note(s, ORDER_PAUSE, "", who, "");
        break;
    case CONTROL_RESUME:
        if (!resume_games(s, err))
            return false;
        organise_note(s, ORDER_RESUME, "", who, "");
        break;
    case CONTROL_STOP:
        organise_note(s, ORDER_STOP, "", who, "");
        stop(s);
        break;
    case CONTROL_KICK:
        kicked = doors_kick(s->doors, what, "kicked by the organiser");
        if (kicked == 0)
            return fail(err, "nobody called %s is connected", what);
        organise_note(s, ORDER_KICK, what, who, "");
        object = json_pack("{s:i}", "kicked", kicked);
        break;
    case CONTROL_RELOAD:
        object = reload_all(s, who, &needs_restart);
        if (!object)
            return fail(err, "the new configuration is wrong; see the log");
        object = json_pack("{s:b, s:b, s:o}", "reloaded", 1, "needs_restart",
                           needs_restart, "changes", object);
        break;
    case CONTROL_ORDER:
        object = organise(s, what, who, err);
        if (!object)
            return false;
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
        s->http = http_new(&s->loop, c->http, c->http_port, &server_http, s,
                           &s->metrics.http, err);
        if (!s->http)
            return false;
        log_line(&s->log, LOG_INFO, NULL, "http on %s port %d", c->http,
                 http_port(s->http));
    }
    return doors_open(s->doors, err);
}

/* Games in the index that have no record. */

static void on_without(void *arg, const char *id, const char *why)
{
    struct server *s = arg;

    log_line(&s->log, LOG_ERROR, id, "it is dropped from the index: %s", why);
}

static void on_left_out(void *arg, const char *sentence)
{
    struct server *s = arg;

    log_line(&s->log, LOG_ERROR, NULL, "a record does not count: %s", sentence);
}

/* Let archive_open() report an index that cannot be read. */
static bool mend_index(struct server *s, const char *data, struct err *err)
{
    const struct reindex reindex = {
        .data = data, .on_wrong = on_left_out, .arg = s};
    struct reindex_sums sums;
    struct err why;
    int wrong = 0;

    if (!index_check(data, on_without, s, &wrong, &why) || wrong == 0)
        return true;
    log_line(&s->log, LOG_WARNING, NULL,
             "%d game%s in the index %s no record: it is rebuilt", wrong,
             wrong == 1 ? "" : "s", wrong == 1 ? "has" : "have");
    return reindex_run(&reindex, &sums, err);
}

/* Lock it first: another daemon with the same data keeps its sockets. */
static bool open_archive(struct server *s, struct err *err)
{
    const char *data = config_of(s)->data;

    if (disk_folder(data, err) && mend_index(s, data, err))
        s->archive = archive_open(data, err);
    return s->archive != NULL;
}

/* Index finished games first, because the ladders learn from the index. */
static bool open_store(struct server *s, struct err *err)
{
    char session[SESSION_TEXT + 1];

    s->metrics.start_s = time(NULL);
    if (!closing_catch_up(s->closing, err) ||
        !orders_load(config_of(s)->data, &s->orders, err) ||
        !session_open(config_of(s)->data, s->metrics.start_s, session, err))
        return false;
    units_name(s->units, session);
    return revival_open(s->revival, err) &&
           lobby_configure(s->lobby, config_of(s), true, err);
}

static void watch_signals(struct server *s)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};

    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        s->signals[i] = evsignal_new(s->loop.base, numbers[i], on_signal, s);
        loop_watch(s->signals[i]);
    }
}

static void set_alarms(struct server *s)
{
    alarm_init(&s->tick, on_tick, s);
    alarm_init(&s->renewal, reload_renew, s);
    loop_alarm(&s->loop, &s->tick, now_us() + TICK_US);
}

static void close_nets(struct server *s)
{
    /* What TLS has not written yet: the end of the last game. Only once, for
     * who sends without end would keep it from coming back. */
    event_base_loop(s->loop.base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    doors_free(s->doors);
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
    reception_free(s->reception);
    revival_free(s->revival);
    rater_free(s->rater);
    syncer_free(s->syncer);
    away_free(s->away);
    lobby_free(s->lobby);
    closing_free(s->closing);
    units_free(s->units);
    close_events(s);
    archive_close(s->archive);
    orders_release(&s->orders);
    invitations_release(&s->invitations);
    kept_release(&s->kept);
    tournaments_release(&s->tournaments);
    while (s->generations.newest)
        generations_drop(&s->generations);
}

/* Calls from the parts. */

static bool has_games(void *owner)
{
    return units_list(((struct server *)owner)->units) != NULL;
}

static const char *game_id(void *owner, const void *game)
{
    return ((const struct unit *)game)->group.id;
}

static void on_ready(void *owner, struct connection *connection)
{
    news_ready(owner, connection);
    lobby_join(((struct server *)owner)->lobby, connection);
}

static void on_gone(void *owner, struct connection *connection)
{
    struct server *s = owner;

    reception_leave(s->reception, connection);
    lobby_leave(s->lobby, connection);
}

static void on_submitter(void *owner, struct connection *connection)
{
    reception_join(((struct server *)owner)->reception, connection);
}

static void on_submission(void *owner, struct connection *connection,
                          char *line, size_t len)
{
    line[len] = '\0';
    reception_line(((struct server *)owner)->reception, connection, line);
}

static void on_room(void *owner, struct connection *connection)
{
    reception_room(((struct server *)owner)->reception, connection);
}

/* The name becomes valid when the configuration has been read again. */
static enum invite on_invited(void *owner, struct connection *connection,
                              const char *name, const char *proof)
{
    enum invite end = server_invited(owner, connection, name, proof);

    if (end == INVITE_TAKEN)
        reload_soon(owner);
    return end;
}

static const struct doors_owner doors_calls = {
    .is_stopping = is_stopping,
    .has_games = has_games,
    .game_id = game_id,
    .why_banned = organise_ban,
    .on_invited = on_invited,
    .on_ready = on_ready,
    .on_gone = on_gone,
    .on_submitter = on_submitter,
    .on_submission = on_submission,
    .on_room = on_room,
};

static bool can_begin(void *owner)
{
    const struct server *s = owner;

    return can_start(owner) && !units_are_enough(s->units) &&
           away_is_settled(s->away);
}

static void on_chosen(void *owner, struct lobby_ladder *ladder,
                      const struct guest *guest)
{
    struct server *s = owner;

    if (away_takes(s->away, ladder, guest))
        away_start(s->away, ladder, guest);
    else
        units_start(s->units, ladder, guest);
}

static const struct lobby_owner lobby_calls = {can_begin, organise_keeps_out,
                                               on_chosen};

static void on_game(void *owner, const struct game_summary *summary)
{
    struct server *s = owner;

    if (summary->status == SUMMARY_FINISHED)
        rater_news(s->rater);
    lobby_learn(s->lobby, summary);
}

static void on_indexed(void *owner, const struct closed_game *game)
{
    if (game->ladder)
        lobby_indexed(((struct server *)owner)->lobby, game->ladder,
                      game->entrant, game->seats);
}

static const struct closing_owner closing_calls = {on_game, on_indexed,
                                                   end_if_done};

static void on_unit_ended(void *owner)
{
    struct server *s = owner;

    if (units_are_enough(s->units) && !units_list(s->units) &&
        away_count(s->away) == 0)
        stop(s);
    end_if_done(s);
}

static void on_move(void *owner, const struct unit *unit)
{
    live_look(((struct server *)owner)->live);
}

static const struct units_owner units_calls = {can_start, is_stopping, on_move,
                                               on_unit_ended};

/* The parts that work on the archive. */
static bool make_parts(struct server *s, struct err *err)
{
    struct units_context context = {.loop = &s->loop,
                                    .log = &s->log,
                                    .metrics = &s->metrics,
                                    .archive = s->archive,
                                    .syncer = s->syncer,
                                    .troubles = &s->troubles,
                                    .doors = s->doors};

    context.lobby = s->lobby = lobby_new(
        &s->loop, &s->log, archive_index(s->archive), &lobby_calls, s);
    context.closing = s->closing =
        closing_new(&s->loop, &s->log, s->archive, s->syncer, &s->troubles,
                    &closing_calls, s);
    s->units = units_new(&context, s->games_max, &units_calls, s);
    units_configure(s->units, s->generations.newest);
    s->revival = revival_new(&context, s->units, &s->generations);
    if (config_of(s)->database)
        s->away = away_new(&context, s->units, s->generations.newest,
                           &units_calls, s, err);
    return s->away || !config_of(s)->database;
}

static struct server *make_server(struct serve_config *config,
                                  const struct serve_options *options)
{
    struct server *s = must_alloc(calloc(1, sizeof *s));
    enum log_level level = LOG_INFO;

    s->reread = options->reread;
    s->changes = options->changes;
    s->generations = (struct generations){.loop = &s->loop,
                                          .release = options->release,
                                          .on_bot_ended = end_if_done,
                                          .owner = s};
    s->troubles = (struct troubles){&s->log, look_again, s, {{0}}};
    s->games_max = options->games;
    s->start_us = now_us();
    generations_add(&s->generations, config);
    s->generations.opened = config;
    keys_sort(config);
    log_level_read(config->log_level, &level);
    log_init(&s->log, stderr, level);
    loop_init(&s->loop);
    s->loop.children.in_crowd = true;
    reload_cores(s, config);
    /* Before any thread starts. */
    s->rater = rater_new(&s->loop, &s->log, config->data, news_ratings, s);
    s->doors = doors_new(&s->loop, &s->log, &s->metrics, &doors_calls, s);
    doors_configure(s->doors, config);
    s->reception = reception_new(&s->loop, &s->log, &reception_calls, s);
    reception_configure(s->reception, config);
    s->syncer = syncer_new(&s->loop);
    reload_rater(s);
    return s;
}

static bool open_all(struct server *s, struct err *err)
{
    if (!open_archive(s, err))
        return false;
    return make_parts(s, err) && open_doors(s, err) && open_store(s, err);
}

static int serve(struct server *s)
{
    struct err err;

    if (!open_all(s, &err)) {
        fprintf(stderr, "referee: %s\n", err.text);
        return err.passes ? 1 : 2;
    }
    revival_begin(s->revival, on_revived, s);
    loop_run(&s->loop);
    closing_flush(s->closing);
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
    if (code == 0)
        log_line(&s->log, LOG_INFO, NULL, "stopped");
    free(s);
    return code;
}
