#include "daemon/server_state.h"

#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int seats_of(const struct unit *u)
{
    return u->config->setup.seats;
}

int member_at(const struct unit *u, int seat)
{
    return (seat + seats_of(u) - (u->part - 1) % seats_of(u)) % seats_of(u);
}

void part_id(const char *unit, int part, char id[GAME_ID_MAX + 1])
{
    snprintf(id, GAME_ID_MAX + 1, "%.*s-%d", UNIT_ID_MAX, unit, part);
}

bool has_enough(const struct server *s)
{
    return s->games_max > 0 && s->games_begun >= s->games_max;
}

/* Begin and end. */

struct unit *unit_new(struct server *s, struct server_ladder *l, const char *id)
{
    struct unit *u = must_alloc(calloc(1, sizeof *u));

    *u = (struct unit){.server = s,
                       .generation = s->generation,
                       .config = l->config,
                       .ladder = l,
                       .record = -1,
                       .parts =
                           l->config->duplicate ? l->config->setup.seats : 1,
                       .next = s->units};
    text_join(u->id, sizeof u->id, id, NULL);
    buf_init(&u->deal, DEAL_TEXT_MAX);
    s->units = u;
    s->generation->units++;
    l->running++;
    archive_seed(s->archive, id, u->seed);
    game_deal(l->config->game, &l->config->setup, u->seed, &u->deal);
    return u;
}

static void entrants_of(const struct unit *u, int *entrant)
{
    for (int i = 0; i < seats_of(u); i++)
        entrant[i] = u->member[i].entrant;
}

static void release_connection(struct server *s, struct connection *connection)
{
    connection_unseat(connection);
    if (connection->why_gone)
        return;
    if (is_revoked(s, connection->name))
        connection_end(connection, "its key was removed");
    else if (is_waiting(connection))
        queue_join(s, connection);
}

static void take_from_list(struct unit *u)
{
    struct unit **at = &u->server->units;

    while (*at != u)
        at = &(*at)->next;
    *at = u->next;
}

/* `unplayed` parts will never be. */
static void unit_end(struct unit *u, int unplayed)
{
    struct server *s = u->server;
    int entrant[SEATS_MAX];

    take_from_list(u);
    bots_dismiss(u);
    for (int i = 0; i < seats_of(u); i++)
        if (u->member[i].connection)
            release_connection(s, u->member[i].connection);
    entrants_of(u, entrant);
    ladder_end(u->ladder->memory, entrant, seats_of(u), now_us());
    ladder_forget(u->ladder->memory, entrant, seats_of(u), unplayed);
    s->games_begun -= unplayed;
    u->ladder->running--;
    u->ladder->is_changed = true;
    u->generation->units--;
    if (u->record != -1)
        close(u->record);
    loop_cancel(&u->go);
    buf_release(&u->deal);
    free(u->summary);
    free(u);
    start_games(s);
    if (has_enough(s) && !s->units)
        server_stop(s);
    end_if_done(s);
}

/* A part that has begun, and whose file is there. */

static void queue_for_index(struct unit *u)
{
    struct closed_game game = {.ladder = u->ladder, .seats = seats_of(u)};

    if (!u->closed[0])
        return;
    strcpy(game.id, u->closed);
    strcpy(game.location, u->location);
    game.has_file = u->has_file;
    entrants_of(u, game.entrant);
    game.summary = u->summary;
    u->closed[0] = u->location[0] = '\0';
    u->summary = NULL;
    game_closed(u->server, &game);
}

/* From the loop: this may free the unit. */
static void on_over(void *owner, struct table *table);

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
    struct unit *u = owner;

    u->server->metrics.moves++;
    metrics_lag(&u->server->metrics,
                match_move_times(table_match(table), seat)->lag_us);
}

static void on_trouble(void *owner, struct table *table, const char *why)
{
    struct unit *u = owner;
    struct server *s = u->server;

    u->in_doubt = true;
    s->stuck += why ? 1 : -1;
    if (why)
        trouble_begin(s, TROUBLE_RECORD, "records cannot be written: %s", why);
    else if (s->stuck == 0)
        trouble_end(s, TROUBLE_RECORD);
}

static void on_synced(void *arg, int error)
{
    struct unit *u = arg;

    table_stored(u->table, error);
}

static bool on_keep(void *owner, struct table *table, int record,
                    struct err *err)
{
    struct unit *u = owner;
    const struct record_writer *w = match_record(table_match(table));
    const struct record_bytes bytes = {record, w->taken, &w->text};
    char path[PATH_BYTES];

    u->has_file = record != -1;
    if (!archive_keep(u->server->archive, u->ladder->name, &bytes, u->location,
                      err))
        return false;
    if (u->generation->config->durable) {
        archive_file(u->server->archive, u->location, path, sizeof path);
        syncer_ask(u->server->syncer, path, on_synced, u);
    } else {
        table_stored(table, 0);
    }
    return true;
}

static void name_part(struct unit *u, int part)
{
    char digit[2] = {(char)('0' + part)}, of[2] = {(char)('0' + u->parts)};

    u->part = part;
    if (u->parts == 1)
        strcpy(u->game, u->id);
    else
        part_id(u->id, part, u->game);
    strcpy(u->start, date_text(&u->server->date, time(NULL)));
    text_join(u->about, sizeof u->about, "id=", u->game,
              " event=", u->ladder->name, " unit=", u->id, " part=", digit, "/",
              of, " start=", u->start, NULL);
}

/* Its file in running/; with what is there of it, or empty. */
static int open_running(const struct unit *u, bool keeps)
{
    char path[PATH_BYTES];

    archive_running_path(u->server->archive, u->game, path, sizeof path);
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | (keeps ? 0 : O_TRUNC),
                0600);
}

/* With what is whole of it; the rest is cut off. */
static bool open_record(struct unit *u, size_t whole, struct err *err)
{
    u->record = open_running(u, whole > 0);
    if (u->record == -1)
        return fail(err, "running/%s.rec cannot be opened: %s", u->game,
                    strerror(errno));
    if (whole == 0)
        return true;
    if (ftruncate(u->record, (off_t)whole) == 0 &&
        lseek(u->record, 0, SEEK_END) == (off_t)whole)
        return true;
    fail(err, "running/%s.rec cannot be cut: %s", u->game, strerror(errno));
    close(u->record);
    u->record = -1;
    return false;
}

static int on_store(void *owner, struct table *table)
{
    return open_running(owner, false);
}

static const struct table_owner table_calls = {
    .on_move = on_move,
    .on_over = on_over,
    .open_record = on_store,
    .on_trouble = on_trouble,
    .keep_record = on_keep,
};

static void unlink_record(const struct unit *u)
{
    char path[PATH_BYTES];

    archive_running_path(u->server->archive, u->game, path, sizeof path);
    unlink(path);
}

/* Its bots may be on their way back, from before the break or a part ago. */
static int64_t start_limit(const struct unit *u)
{
    const struct serve_config *c = u->generation->config;
    int64_t limit = u->config->start_us;

    for (int i = 0; i < seats_of(u); i++) {
        const struct connection *connection = u->member[i].connection;

        if (connection &&
            (u->was_broken_off || connection->phase == CONNECTION_AWAY) &&
            limit < c->grace_us)
            limit = c->grace_us + 1000000;
    }
    return limit;
}

static void fill_config(const struct unit *u, struct match_config *m)
{
    const struct ladder_config *c = u->config;

    *m = (struct match_config){.game = c->game,
                               .setup = c->setup,
                               .id = u->game,
                               .about = u->about,
                               .deal = c->game->deal ? u->deal.text : NULL,
                               .seed = u->seed,
                               .part = u->part,
                               .reveal_seed = u->part == u->parts,
                               .holds_end = true,
                               .start_us = start_limit(u),
                               .none_us = c->none_us,
                               .lenience_us = c->lenience_us,
                               .retries = c->retries};
    for (int i = 0; i < c->setup.seats; i++) {
        const struct member *member = &u->member[member_at(u, i)];

        m->name[i] = member->name;
        m->time[i] = c->time;
        if (member->player)
            m->digest[i] = member->player->digest;
        else
            m->version[i] = member->connection->version;
    }
}

/* Or who likes a deal for one seat only would go before it has another. */
static void forfeit_gone(struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++) {
        struct connection *connection = u->member[i].connection;

        if (connection && connection->why_gone)
            connection->peer.calls->on_lost(connection->peer.owner,
                                            &connection->peer, WHY_EXIT,
                                            connection->why_gone);
    }
}

static void open_table(struct unit *u, struct replay *replay,
                       struct lines *told, const struct buf *bytes)
{
    struct server *s = u->server;
    struct peer *peers[SEATS_MAX];
    struct talk *talks[SEATS_MAX];
    struct match_config config;
    struct match *match;
    int record = u->record;

    fill_config(u, &config);
    for (int i = 0; i < seats_of(u); i++) {
        struct member *m = &u->member[member_at(u, i)];

        peers[i] = m->connection ? &m->connection->peer : &m->bot->peer;
        talks[i] = peers[i]->talk;
        if (m->connection)
            m->connection->games++;
    }
    match = replay ? match_resume(&config, talks, replay, told, bytes,
                                  loop_now(&s->loop))
                   : match_new(&config, talks, loop_now(&s->loop));
    u->record = -1;
    u->start_us = now_us();
    s->metrics.games_running++;
    u->table =
        table_new(&s->loop, match, peers, seats_of(u), record, &table_calls, u);
    forfeit_gone(u);
}

/* A unit that has not begun goes; the rest of another waits. */
static void give_up(struct unit *u, const struct err *err)
{
    trouble_begin(u->server, TROUBLE_START, "a game cannot be started: %s",
                  err->text);
    if (u->part > 1 || u->was_broken_off)
        return;
    if (u->record != -1)
        unlink_record(u);
    unit_end(u, u->parts);
}

/*
 * The file of a part comes first, and only then the part before goes to the
 * index: so whoever finds the one or the other knows that the unit goes on. A
 * game alone has a file when there is something to store, unless it has one.
 */
static bool open_part(struct unit *u, struct err *err)
{
    if ((u->parts > 1 || u->was_broken_off) && u->record == -1 &&
        !open_record(u, 0, err))
        return false;
    queue_for_index(u);
    return true;
}

static void play(struct unit *u)
{
    struct server *s = u->server;
    struct err err;

    if (!open_part(u, &err) || !bots_start(u, &err)) {
        give_up(u, &err);
        return;
    }
    trouble_end(s, TROUBLE_START);
    log_line(&s->log, LOG_DEBUG, u->game, "%s starts on %s",
             u->config->game->name, u->ladder->name);
    open_table(u, NULL, NULL, NULL);
}

static void close_table(struct unit *u)
{
    syncer_forget(u->server->syncer, u);
    table_free(u->table);
    u->table = NULL;
    u->server->metrics.games_running--;
    bots_dismiss(u);
}

/* An empty file says that the unit goes on with this part; or else the file of
 * the part before does, which is not handed in then. */
static void mark_next_part(struct unit *u)
{
    struct err err;

    if (!open_part(u, &err))
        log_line(&u->server->log, LOG_WARNING, u->game, "%s", err.text);
}

static void break_off(struct unit *u)
{
    bool has_begun = u->table || u->part > 1;

    if (u->table)
        close_table(u);
    else if (has_begun)
        mark_next_part(u);
    else if (u->record != -1)
        unlink_record(u);
    if (has_begun && (!u->location[0] || u->part < u->parts))
        log_line(&u->server->log, LOG_INFO, u->game,
                 "broken off; it goes on when the referee starts again");
    unit_end(u, 0);
}

static void on_go(void *arg)
{
    struct unit *u = arg;

    loop_now(&u->server->loop);
    if (u->table)
        return;
    if (u->server->phase == SERVER_STOPPING)
        break_off(u);
    else if (can_start(u->server))
        play(u);
}

void units_wake(struct server *s)
{
    for (struct unit *u = s->units; u; u = u->next)
        if (!u->table && u->go.run)
            loop_later(&s->loop, &u->go);
}

static void count_members(struct unit *u, int part)
{
    struct server *s = u->server;
    int entrant[SEATS_MAX], games = u->parts - part + 1;

    entrants_of(u, entrant);
    ladder_begin(u->ladder->memory, entrant, seats_of(u), games, now_us());
    s->games_begun += games;
    u->go = (struct deferred){.run = on_go, .arg = u};
    name_part(u, part);
}

void unit_begin(struct unit *u, int part)
{
    count_members(u, part);
    for (int i = 0; i < seats_of(u); i++)
        if (u->member[i].connection && !u->was_broken_off)
            connection_seat(u->member[i].connection, u);
    if (can_start(u->server))
        play(u);
}

/* It began in another run. */
static void keep_start(struct unit *u, const struct record *record)
{
    size_t len = 0;
    const char *start = about_find(record->about, "start", &len);

    if (start && len < sizeof u->start)
        snprintf(u->start, sizeof u->start, "%.*s", (int)len, start);
}

bool unit_resume(struct unit *u, int part, struct replay *replay,
                 struct lines *told, const struct buf *bytes, struct err *err)
{
    count_members(u, part);
    keep_start(u, &replay->record);
    if (!open_record(u, bytes->len, err) || !bots_start(u, err)) {
        unit_end(u, u->parts - part + 1);
        return false;
    }
    log_line(&u->server->log, LOG_INFO, u->game, "%s goes on on %s",
             u->config->game->name, u->ladder->name);
    open_table(u, replay, told, bytes);
    return true;
}

/* A part is over. */

static void count_result(struct unit *u)
{
    struct server *s = u->server;

    u->ladder->done++;
    if (match_is_void(table_match(u->table))) {
        s->metrics.games_void++;
        s->games_begun--;
    } else {
        s->metrics.games_done++;
    }
}

/* Who failed again and again has to rest. */
static void count_failure(struct unit *u, const struct member *m, bool failed)
{
    struct ladder *l = u->ladder->memory;
    int64_t rest_us =
        ladder_failed(l, m->entrant, failed, u->start_us, now_us());

    if (rest_us > 0)
        log_line(&u->server->log,
                 rest_us == REST_FIRST_US ? LOG_WARNING : LOG_INFO, NULL,
                 "%s failed in %d games in a row and rests for %d s on %s",
                 m->name, ladder_entrant(l, m->entrant)->failures,
                 (int)(rest_us / 1000000), u->ladder->name);
}

static void count_leavers(struct unit *u)
{
    struct server *s = u->server;
    const struct match *match = table_match(u->table);

    for (int i = 0; i < seats_of(u); i++) {
        const struct member *m = &u->member[member_at(u, i)];
        enum why why = WHY_RESIGN;

        if (match_has_left(match, i, &why)) {
            s->metrics.faults[why]++;
            log_line(&s->log, LOG_INFO, u->game, "%s %s (%s): %s", m->name,
                     match_why(match, i) ? "left" : "failed at the end",
                     why_word(why), match_detail(match, i));
        }
        if (!match_is_void(match))
            count_failure(u, m, why != WHY_RESIGN);
    }
}

/* "rondo on main: names=anna,bob result ranks=1,2 ..." */
static void log_result(const struct unit *u)
{
    const struct match *match = table_match(u->table);
    const char *why[SEATS_MAX] = {0};
    struct buf text;

    buf_init(&text, 512);
    for (int i = 0; i < seats_of(u); i++) {
        buf_str(&text, i == 0 ? "names=" : ",");
        buf_str(&text, u->member[member_at(u, i)].name);
        why[i] = match_why(match, i);
    }
    buf_char(&text, ' ');
    if (match_is_void(match))
        buf_str(&text, "void");
    else
        result_write(match_result(match), seats_of(u), why, &text);
    log_line(&u->server->log, LOG_INFO, u->game, "%s on %s: %s",
             u->config->game->name, u->ladder->name, text.text);
    buf_release(&text);
}

/* So that nobody has to read what was just written, if that went well. */
static void keep_summary(struct unit *u)
{
    if (u->in_doubt)
        return;
    u->summary = must_alloc(malloc(sizeof *u->summary));
    if (match_summary(table_match(u->table), u->summary))
        return;
    free(u->summary);
    u->summary = NULL;
}

/* A local bot that had left before a break is started again like the others. */
static void replace_gone(struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++) {
        struct member *m = &u->member[i];

        if (!m->player || !m->connection)
            continue;
        m->name = m->player->bot.name;
        connection_unseat(m->connection);
        m->connection = NULL;
    }
}

/* What is over is handed in, if the next part has its file. */
static void prepare_next_part(struct unit *u)
{
    struct err err;

    replace_gone(u);
    name_part(u, u->part + 1);
    if (!open_part(u, &err))
        give_up(u, &err);
    loop_later(&u->server->loop, &u->go);
}

/* Every part is played, whoever has failed: a group is worth nothing else. */
static void on_over(void *owner, struct table *table)
{
    struct unit *u = owner;

    count_result(u);
    count_leavers(u);
    log_result(u);
    keep_summary(u);
    close_table(u);
    u->was_broken_off = u->in_doubt = false;
    strcpy(u->closed, u->game);
    if (u->part < u->parts) {
        prepare_next_part(u);
        return;
    }
    queue_for_index(u);
    unit_end(u, 0);
}

void units_break_off(struct server *s)
{
    while (s->units)
        break_off(s->units);
}
