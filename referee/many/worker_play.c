/* A unit on a worker: from the lease to the records. */

#include "many/worker_state.h"

#include "base/text.h"
#include "many/said.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct slot *slot_of(struct group *group)
{
    return (struct slot *)group; /* its first member */
}

static void go_on(struct slot *s)
{
    loop_later(&s->worker->loop, &s->next);
}

/* The end of a unit. */

/* The log of a bot in a game, from 0. A bot may still write when its game is
 * over, so no other game uses the same file. */
static void path_of_log(const struct slot *s, int game, int member, char *path,
                        size_t size)
{
    snprintf(path, size, "%s/logs/%lld.%d.%d.log", s->worker->config->folder,
             (long long)s->token, game, member);
}

/* Remove leftovers if the unit was given back. */
static void remove_logs(const struct slot *s)
{
    char path[WORKER_PATH_MAX];

    for (int i = 0; i < s->order.games; i++)
        for (int m = 0; m < s->order.setup.seats; m++) {
            path_of_log(s, i, m, path, sizeof path);
            unlink(path);
        }
}

static void forget(struct slot *s)
{
    if (s->record != -1)
        close(s->record);
    s->record = -1;
    buf_reset(&s->bytes);
    json_decref(s->lengths);
    json_decref(s->hashes);
    json_decref(s->said);
    s->lengths = s->hashes = s->said = NULL;
    db_forget(s->worker->db, s);
    remove_logs(s);
    order_release(&s->order);
    /* Idle guards identify programs by address, and the next unit may reuse an
     * address for another program. */
    children_end_idle(&s->worker->loop.children);
    pool_release(&s->pool);
    s->fetching = s->seats = s->forfeits = 0;
    s->phase = SLOT_FREE;
}

static void free_if_empty(struct slot *s)
{
    if (s->phase != SLOT_ENDING || s->home.bots > 0)
        return;
    forget(s);
    worker_poll_soon(s->worker);
    worker_end_if_done(s->worker);
}

static void end_unit(struct slot *s)
{
    s->phase = SLOT_ENDING;
    group_dismiss(&s->group, true);
    go_on(s);
}

/* If the database is away, the lease expires on its own. */
static void give_back(struct slot *s, const char *reason)
{
    struct worker *w = s->worker;
    char token[32];
    const struct pg_value values[] = {PG_TEXT(w->name), PG_TEXT(s->order.unit),
                                      PG_TEXT(token), PG_TEXT(reason)};

    snprintf(token, sizeof token, "%lld", (long long)s->token);
    if (reason)
        log_line(&w->log, LOG_WARNING, s->order.unit, "given back: %s", reason);
    if (db_is_ready(w->db))
        db_ask(w->db, "SELECT referee.give_back($1, $2, $3::bigint, $4)",
               values, 4, NULL, w);
}

void slot_stop(struct slot *s, const char *reason)
{
    if (s->phase == SLOT_FREE || s->phase == SLOT_ENDING)
        return;
    give_back(s, reason);
    group_break_off(&s->group);
    end_unit(s);
}

/* Games. */

/* Number in its order, from 0. */
static int part_of(const struct slot *s)
{
    return s->group.game - s->order.first;
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
}

static void on_close(void *owner, struct record_writer *record)
{
    struct worker *w = slot_of(owner)->worker;
    uint8_t hash[SHA256_BYTES];
    struct seal seal;

    if (!hash_find(hash, record->text.text, record->text.len))
        return;
    seal_make(&seal, &w->chain, hash, &w->key);
    seal_append(&seal, &record->text);
    chain_add(&w->chain, &seal);
}

static void log_path(struct group *g, int member, char *path, size_t size)
{
    const struct slot *s = slot_of(g);

    path_of_log(s, part_of(s), member, path, size);
}

static void take_log(struct slot *s, int game, int member, struct buf *log)
{
    char path[WORKER_PATH_MAX];
    struct err err;

    path_of_log(s, game, member, path, sizeof path);
    if (disk_has(path) && !disk_read(path, log, &err))
        log_line(&s->worker->log, LOG_WARNING, s->order.unit, "%s", err.text);
    unlink(path);
}

/* Collect what its bots wrote, for their owners. The bots have ended. */
static void take_words(struct slot *s)
{
    for (int i = 0; i < s->order.games; i++) {
        json_t *game = json_object();

        for (int m = 0; m < s->order.setup.seats; m++) {
            struct buf log;

            buf_init(&log, 2 * SAID_MAX);
            take_log(s, i, m, &log);
            said_add(game, s->order.member[m].name, &log);
            buf_release(&log);
        }
        json_array_append_new(s->said, game);
    }
}

/* A file without a name, so that no bot can open it. */
static bool open_record(struct slot *s, struct err *err)
{
    if (s->record != -1)
        close(s->record);
    s->record = memfd_create("record", MFD_CLOEXEC);
    return s->record != -1 ||
           fail_for_now(err, "a record cannot be opened: %s", strerror(errno));
}

static void name_part(struct slot *s)
{
    struct group *g = &s->group;
    int part = part_of(s);
    char speed[16];

    snprintf(speed, sizeof speed, "%.0f", s->worker->speed);
    text_join(g->id, sizeof g->id, order_name(&s->order, part), NULL);
    text_join(g->about, sizeof g->about, order_about(&s->order, part),
              " start=", date_text(&s->date, time(NULL)),
              " worker=", s->worker->name, " speed=", speed, NULL);
}

static bool play(struct slot *s, struct err *err)
{
    if (!group_start_bots(&s->group, err) || !open_record(s, err))
        return false;
    name_part(s);
    group_play(&s->group, NULL, s->record);
    return true;
}

static bool take_record(struct slot *s, struct err *err)
{
    off_t len = lseek(s->record, 0, SEEK_END);
    char *room = len > 0 ? buf_room(&s->bytes, (size_t)len) : NULL;
    char hex[HASH_HEX + 1];
    struct seal seal;

    if (!room || pread(s->record, room, (size_t)len, 0) != len)
        return fail(err, "the record cannot be kept: it has %lld bytes",
                    (long long)len);
    if (!seal_find(&seal, room, (size_t)len))
        return fail(err, "the record was not closed");
    text_hex(hex, seal.hash, sizeof seal.hash);
    buf_upto(&s->bytes, room + len);
    json_array_append_new(s->lengths, json_integer(len));
    json_array_append_new(s->hashes, json_string(hex));
    return true;
}

static void count_forfeits(struct slot *s, const struct match *match)
{
    for (int i = 0; i < group_seats(&s->group); i++) {
        enum why why = WHY_RESIGN;

        s->seats++;
        s->forfeits += match_has_left(match, i, &why) && why != WHY_RESIGN;
    }
}

/* Keep finished games; restart a game that was disrupted. */
static void on_over(struct group *g, struct table *table)
{
    struct slot *s = slot_of(g);
    const struct match *match = table_match(table);
    struct err err;

    if (match_is_spoiled(match))
        return;
    count_forfeits(s, match);
    s->worker->games++;
    if (table_error(table) || !take_record(s, &err)) {
        give_back(s,
                  table_error(table) ? strerror(table_error(table)) : err.text);
        s->phase = SLOT_ENDING;
    } else {
        log_line(&s->worker->log, LOG_DEBUG, order_id(&s->order, part_of(s)),
                 "over");
        g->game++;
    }
}

static void on_next_game(struct group *g)
{
    go_on(slot_of(g));
}

static const struct group_calls group_calls = {
    .table = {.on_move = on_move,
              .on_over = group_over,
              .seal_record = on_close},
    .log_path = log_path,
    .on_over = on_over,
    .on_next = on_next_game,
};

/* Units. */

static bool make_players(struct slot *s, struct err *err)
{
    struct worker *w = s->worker;

    for (int i = 0; i < s->order.setup.seats; i++) {
        const struct order_member *m = &s->order.member[i];

        if (!w->calls->make_player(w->owner, &s->player[i], m->bot,
                                   bots_root(w, m->pack, &s->pool), &s->pool,
                                   err))
            return false;
        s->group.member[i] = (struct member){.name = m->name,
                                             .player = &s->player[i],
                                             .time = &s->player[i].time};
        s->player[i].bot.log_max = SAID_MAX;
    }
    return true;
}

static bool begin_games(struct slot *s, struct err *err)
{
    if (!bots_need(s, err))
        return s->fetching > 0;
    if (!make_players(s, err))
        return false;
    order_fill(&s->order, &s->group);
    s->phase = SLOT_PLAYING;
    return play(s, err);
}

static bool go_on_playing(struct slot *s, struct err *err)
{
    if (part_of(s) < s->order.games)
        return play(s, err);
    group_dismiss(&s->group, true);
    if (s->home.bots > 0)
        return true;
    take_words(s);
    if (!outbox_add(s, err))
        return false;
    end_unit(s);
    return true;
}

static void on_next(void *arg)
{
    struct slot *s = arg;
    struct err err;
    bool ok = true;

    loop_now(&s->worker->loop);
    if (s->phase == SLOT_ENDING && !s->group.table)
        group_dismiss(&s->group, false);
    if (s->phase == SLOT_FETCHING)
        ok = s->fetching > 0 || begin_games(s, &err);
    else if (s->phase == SLOT_PLAYING && !s->group.table && s->home.bots == 0)
        ok = go_on_playing(s, &err);
    if (!ok)
        slot_stop(s, err.text);
    free_if_empty(s);
}

static void on_home_ended(void *arg)
{
    go_on(arg);
}

void slot_init(struct slot *s, struct worker *w)
{
    *s = (struct slot){.worker = w,
                       .record = -1,
                       .home = {.on_ended = on_home_ended, .arg = s},
                       .next = {.run = on_next, .arg = s}};
    s->group.calls = &group_calls;
    s->group.loop = &w->loop;
    s->group.home = &s->home;
    group_init(&s->group);
    buf_init(&s->bytes, RECORD_FILE_MAX);
}

void slot_release(struct slot *s)
{
    forget(s);
    loop_cancel(&s->next);
    group_release(&s->group);
    buf_release(&s->bytes);
}

void slot_begin(struct slot *s, const char *unit, int64_t token,
                const char *orders)
{
    struct err err;

    s->token = token;
    s->lengths = json_array();
    s->hashes = json_array();
    s->said = json_array();
    if (!order_read(&s->order, orders, &err)) {
        s->order.unit = pool_text(&s->pool, unit);
        give_back(s, err.text);
        forget(s);
        return;
    }
    s->phase = SLOT_FETCHING;
    go_on(s);
}
