/* Records that workers have delivered: verified, kept, and made to count. */

#include "daemon/away_state.h"

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/bot_logs.h"
#include "many/said.h"
#include "store/disk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The end of an arrival. */

static void free_arrival(struct arrival *v)
{
    delivery_free(&v->its);
    free(v->game);
    *v = (struct arrival){0};
}

/*
 * Take the next one in another turn of the loop, because replaying one takes a
 * while.
 */
static void next_arrival(struct away *a)
{
    free_arrival(&a->arrival[a->at++]);
    if (a->at < a->arrivals) {
        loop_soon(a->its.loop, &a->take);
        return;
    }
    a->arrivals = a->at = 0;
    away_poll_soon(a);
}

/* What a game says about its bots, as for games that are played here. */

static void count_seat(struct away *a, struct away_unit *u, int part, int seat,
                       const struct game_summary *s)
{
    int member = group_rotate(s->seats, u->order.first + part, seat);
    struct ladder *memory = u->ladder->memory;
    const char *why_text = s->seat[seat].why;
    enum why why = WHY_RESIGN;
    int64_t rest_us;

    if (*why_text && why_read(why_text, &why)) {
        a->its.metrics->faults[why]++;
        log_line(a->its.log, LOG_INFO, s->id, "%s left (%s)",
                 s->seat[seat].name, why_text);
    }
    if (s->status == SUMMARY_VOID && why == WHY_REFUSE)
        ladder_refused(memory, u->entrant[member]);
    if (s->status == SUMMARY_VOID)
        return;
    rest_us = ladder_failed(memory, u->entrant[member], why != WHY_RESIGN,
                            u->began_us, now_us());
    if (rest_us > 0)
        log_line(a->its.log, LOG_WARNING, NULL,
                 "%s failed in %d games in a row and rests for %d s on %s",
                 s->seat[seat].name,
                 ladder_failures(memory, u->entrant[member]),
                 (int)(rest_us / 1000000), u->ladder->name);
}

/*
 * What the bot wrote goes where that of a bot on this machine goes. It need not
 * reach the disk at once, and the games here must not wait for that.
 */
static void keep_log(struct away *a, const struct arrival *v, int part,
                     const struct game_summary *s, const char *name)
{
    const struct serve_config *c = a->generation->config;
    const char *text = said_by(v->its.said, part, name);
    char path[PATH_BYTES];
    struct bot_log log = {v->unit->ladder->name, s->start, s->id, NULL};
    int fd;

    for (int i = 0; i < c->bots; i++)
        if (strcmp(c->bot[i].bot.name, name) == 0)
            log.player = &c->bot[i];
    if (!*text || !log.player)
        return;
    bot_logs_path(units_logs(a->units), &log, path, sizeof path);
    if (!path[0])
        return;
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd == -1 || !disk_put(fd, text, strlen(text)))
        log_line(a->its.log, LOG_WARNING, s->id, "%s cannot be written: %s",
                 path, strerror(errno));
    if (fd != -1)
        close(fd);
    bot_logs_charge(units_logs(a->units), &log);
}

static void count_game(struct away *a, const struct arrival *v, int part)
{
    struct game_summary summary;
    struct err err;

    if (!delivery_summary(&a->verifier, &v->unit->order, &v->its, part,
                          &summary, &err))
        return;
    v->unit->ladder->done++;
    a->its.metrics->moves += summary.moves;
    if (summary.status == SUMMARY_VOID) {
        a->its.metrics->games_void++;
        units_count(a->units, -1);
    } else {
        a->its.metrics->games_done++;
    }
    for (int i = 0; i < summary.seats; i++) {
        count_seat(a, v->unit, part, i, &summary);
        keep_log(a, v, part, &summary, summary.seat[i].name);
    }
    log_line(a->its.log, LOG_INFO, summary.id, "%s on %s: %s by %s",
             summary.game->name, v->unit->ladder->name,
             summary.status == SUMMARY_VOID ? "void" : "finished",
             v->its.worker);
}

/* It is stored: index it, and its unit is over. */
static void count_all(struct away *a, struct arrival *v)
{
    struct away_unit *u = v->unit;

    for (int i = 0; i < v->games; i++) {
        u->ladder->closing++;
        closing_add(a->its.closing, &v->game[i]);
    }
    if (v->games == v->its.parts)
        for (int i = 0; i < v->its.parts; i++)
            count_game(a, v, i);
    delivery_accept(a->db, &a->verifier, &u->order, &v->its);
    away_put_twin(a, u, v->its.worker);
    a->figures.verified++;
    trouble_end(a->its.troubles, TROUBLE_START);
    /* A game that the index had already was counted and learnt before. */
    away_end(a, u, v->its.parts - v->games);
}

/* Keeping. */

static void set_trouble(struct away *a, const char *why)
{
    if (why)
        trouble_begin(a->its.troubles, TROUBLE_RECORD,
                      "records cannot be written: %s", why);
    else if (a->is_in_trouble)
        trouble_end(a->its.troubles, TROUBLE_RECORD);
    a->is_in_trouble = why != NULL;
}

/*
 * Either all its files are on the disk, or one is not; then the record will be
 * delivered again.
 */
static void on_synced(void *arg, int error)
{
    struct away *a = arg;
    struct arrival *v = &a->arrival[a->at];

    v->error = error ? error : v->error;
    if (--v->syncing > 0)
        return;
    set_trouble(a, v->error ? strerror(v->error) : NULL);
    if (!v->error)
        count_all(a, v);
    next_arrival(a);
}

static bool keep(struct away *a, struct arrival *v, int part, struct err *err)
{
    const struct order *o = &v->unit->order;
    struct closed_game *game = &v->game[v->games];
    struct buf *text = &v->its.record[part];
    const struct record_bytes bytes = {-1, 0, text};
    bool is_there;

    if (!archive_has(a->its.archive, order_id(o, part), &is_there, err))
        return false;
    if (is_there || closing_find(a->its.closing, order_id(o, part)))
        return true;
    *game = (struct closed_game){.ladder = v->unit->ladder,
                                 .seats = o->setup.seats};
    text_join(game->id, sizeof game->id, order_id(o, part), NULL);
    memcpy(game->entrant, v->unit->entrant, sizeof game->entrant);
    /* The front's own seal continues the chain of the ladder. */
    buf_cut(text, record_without_seal(text->text, text->len));
    if (!archive_keep(a->its.archive, v->unit->ladder->name, &bytes,
                      game->location, err))
        return false;
    v->games++;
    return true;
}

static void sync_all(struct away *a, struct arrival *v)
{
    char path[PATH_BYTES];

    v->syncing = v->games + 1; /* this call itself */
    for (int i = 0; i < v->games; i++) {
        if (!a->generation->config->durable) {
            v->syncing--;
            continue;
        }
        archive_file(a->its.archive, v->game[i].location, path, sizeof path);
        syncer_ask(a->its.syncer, path, on_synced, a);
    }
    on_synced(a, 0);
}

static void keep_all(struct away *a, struct arrival *v)
{
    struct err err;

    assert(v->its.parts > 0);
    v->game = must_alloc(calloc((size_t)v->its.parts, sizeof *v->game));
    for (int i = 0; i < v->its.parts; i++)
        if (!keep(a, v, i, &err)) {
            set_trouble(a, err.text);
            next_arrival(a);
            return;
        }
    sync_all(a, v);
}

/* Verifying. */

static void give_up(struct away *a, struct arrival *v)
{
    trouble_begin(a->its.troubles, TROUBLE_START,
                  "no worker could play %s, and it is given up: %.120s",
                  v->its.unit, v->its.why);
    a->figures.given_up++;
    queue_drop(a->db, v->its.unit);
    away_end(a, v->unit, v->unit->order.games);
    next_arrival(a);
}

static void refuse(struct away *a, struct arrival *v, const struct err *why)
{
    log_line(a->its.log, LOG_ERROR, v->its.unit,
             "refused what worker %s delivered, which gets no more work: %s",
             v->its.worker, why->text);
    a->figures.refused++;
    queue_refuse(a->db, v->its.unit, v->its.worker, why->text);
    next_arrival(a);
}

static void on_take(void *arg)
{
    struct away *a = arg;
    struct arrival *v = &a->arrival[a->at];
    struct err why;

    loop_now(a->its.loop); /* the time this takes is lag for the bots */
    if (v->its.original) {
        away_take_twin(a, &v->its);
        next_arrival(a);
        return;
    }
    v->unit = away_find(a, v->its.unit);
    if (!v->unit) {
        next_arrival(a); /* its ladder is gone */
    } else if (v->its.is_given_up) {
        give_up(a, v);
    } else if (delivery_is_right(&a->verifier, &v->unit->order, &v->its,
                                 &why)) {
        keep_all(a, v);
    } else {
        refuse(a, v, &why);
    }
}

void away_arrived(struct away *a, const struct pg_rows *rows)
{
    int row = 0;

    while (row < pg_count(rows)) {
        struct arrival *v;

        a->arrival = must_resize(a->arrival, (size_t)a->arrivals + 1,
                                 sizeof *a->arrival);
        v = &a->arrival[a->arrivals++];
        *v = (struct arrival){0};
        row = delivery_read(&v->its, rows, row);
        if (!v->its.original)
            away_take_up(a, v->its.unit, v->its.orders);
    }
    if (a->arrivals > 0)
        loop_soon(a->its.loop, &a->take);
}

void away_take_init(struct away *a)
{
    a->take = (struct deferred){.run = on_take, .arg = a};
    verifier_init(&a->verifier, &a->keys);
}

void away_take_release(struct away *a)
{
    loop_cancel(&a->take);
    for (int i = a->at; i < a->arrivals; i++)
        free_arrival(&a->arrival[i]);
    free(a->arrival);
    verifier_release(&a->verifier);
}
