#include "daemon/away.h"

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/away_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    POLL_US = 200000,  /* while units are played, for their records */
    LOOK_US = 5000000, /* for figures, and leases that have expired */
    AT_ONCE = 8,       /* units whose records are fetched together */
    SLOW_ROWS = 20000, /* dead ones in the queue, which make it slow, */
    SLOW_S = 120,      /* and a transaction that keeps them */
};

struct away_unit *away_find(const struct away *a, const char *id)
{
    for (struct away_unit *u = a->list; u; u = u->next)
        if (strcmp(u->order.unit, id) == 0)
            return u;
    return NULL;
}

int away_count(const struct away *a)
{
    return a ? a->count : 0;
}

int away_on(const struct away *a, const struct lobby_ladder *l)
{
    int count = 0;

    for (const struct away_unit *u = a ? a->list : NULL; u; u = u->next)
        count += u->ladder == l;
    return count;
}

bool away_is_busy(const struct away *a)
{
    return a && a->at < a->arrivals;
}

bool away_is_settled(const struct away *a)
{
    return !a || a->is_known || a->was_away;
}

void away_poll_soon(struct away *a)
{
    loop_alarm(a->its.loop, &a->poll, now_us());
}

/* Units. */

static void add_unit(struct away *a, struct away_unit *u)
{
    u->next = a->list;
    a->list = u;
    a->count++;
    u->began_us = now_us();
    a->its.metrics->games_running += u->order.games;
    lobby_began(u->ladder, u->entrant, u->order.games);
    units_count(a->units, u->order.games);
}

static void free_unit(struct away_unit *u)
{
    order_release(&u->order);
    buf_release(&u->text);
    free(u);
}

void away_end(struct away *a, struct away_unit *u, int unplayed)
{
    struct away_unit **at = &a->list;

    while (*at != u)
        at = &(*at)->next;
    *at = u->next;
    a->count--;
    a->its.metrics->games_running -= u->order.games;
    units_count(a->units, -unplayed);
    lobby_ended(a->its.lobby, u->ladder, u->entrant, u->order.setup.seats,
                unplayed);
    free_unit(u);
    a->calls->on_ended(a->owner);
}

static void put(struct away *a, struct away_unit *u);

/* The answer may be lost. Then the unit is put again, which changes nothing. */
static void take_put(void *arg, const struct db_answer *answer)
{
    struct away *a = arg;

    if (!answer->error)
        return;
    a->puts_again = true;
    if (!answer->is_lost)
        log_line(a->its.log, LOG_ERROR, NULL, "a unit cannot be put: %s",
                 answer->error);
}

static void put(struct away *a, struct away_unit *u)
{
    if (!db_is_ready(a->db) || !packs_are_there(&a->packs))
        return;
    queue_put(a->db, a->client, &u->order, u->text.text, take_put, a);
    u->is_put = true;
}

static void put_all(struct away *a)
{
    for (struct away_unit *u = a->list; u; u = u->next)
        if (!u->is_put)
            put(a, u);
}

bool away_takes(const struct away *a, const struct lobby_ladder *l,
                const struct guest *guest)
{
    if (!a || l->config->is_for_people)
        return false;
    for (int i = 0; i < l->config->setup.seats; i++)
        if (guest[i].connection || guest[i].person ||
            !guest[i].player->luggage || !guest[i].player->digest)
            return false;
    return true;
}

static void fill_group(const struct away *a, struct group *g,
                       const struct lobby_ladder *l, const struct guest *guest,
                       const char *id)
{
    const struct ladder_config *c = l->config;
    uint8_t seed[SEED_BYTES];

    *g = (struct group){.last = parts_of(c) - 1};
    g->match = (struct match_config){.game = c->game,
                                     .setup = c->setup,
                                     .start_us = c->start_us,
                                     .none_us = c->none_us,
                                     .lenience_us = c->lenience_us,
                                     .retries = c->retries};
    for (int i = 0; i < c->setup.seats; i++)
        g->member[i] = (struct member){.name = guest[i].player->bot.name,
                                       .player = guest[i].player,
                                       .time = &c->time};
    archive_seed(a->its.archive, id, seed);
    memcpy(g->seed, seed, sizeof seed);
}

void away_name_parts(int parts, const char *ladder, const char *id,
                     struct game_names *part)
{
    for (int k = 0; k < parts; k++) {
        if (parts == 1)
            text_join(part[k].name, sizeof part[k].name, id, NULL);
        else
            part_id(id, k + 1, part[k].name);
        text_join(part[k].id, sizeof part[k].id, part[k].name, NULL);
        snprintf(part[k].about, sizeof part[k].about,
                 "id=%s event=%s unit=%s part=%d/%d", part[k].name, ladder, id,
                 k + 1, parts);
    }
}

static bool write_order(const struct away *a, struct away_unit *u,
                        const struct guest *guest, const char *id,
                        struct err *err)
{
    const struct order_facts facts = {.unit = id,
                                      .event = u->ladder->name,
                                      .min_speed = u->ladder->config->min_speed,
                                      .second = time(NULL)};
    struct game_names names[SEATS_MAX];
    struct group group;

    fill_group(a, &group, u->ladder, guest, id);
    away_name_parts(group.last + 1, u->ladder->name, id, names);
    buf_init(&u->text, ORDER_MAX);
    order_write(&facts, &group, names, group.last + 1, &u->text);
    return order_read(&u->order, u->text.text, err);
}

void away_start(struct away *a, struct lobby_ladder *l,
                const struct guest *guest)
{
    struct away_unit *u = must_alloc(calloc(1, sizeof *u));
    char id[UNIT_ID_MAX + 1];
    struct err err;

    units_next_id(a->units, id);
    u->ladder = l;
    for (int i = 0; i < l->config->setup.seats; i++)
        u->entrant[i] = guest[i].entrant;
    if (!write_order(a, u, guest, id, &err)) {
        trouble_begin(a->its.troubles, TROUBLE_START,
                      "a game cannot be handed out: %s", err.text);
        buf_release(&u->text);
        free(u);
        return;
    }
    add_unit(a, u);
    put(a, u);
    away_poll_soon(a);
}

/* Packs. */

static void on_packs(void *owner)
{
    put_all(owner);
}

static void on_pack_error(void *owner, const char *why)
{
    const struct away *a = owner;

    log_line(a->its.log, LOG_ERROR, NULL, "a bot cannot be put: %s", why);
}

static const struct packs_calls packs_calls = {on_packs, on_pack_error};

static void need_packs(struct away *a)
{
    const struct serve_config *c = a->generation->config;

    packs_need(&a->packs, c->bot, c->bots);
}

/* Files that the last run left. */

static bool find_place(const struct away *a, struct away_unit *u)
{
    struct lobby_ladder *l = lobby_ladder(a->its.lobby, u->order.event);

    if (!l || !l->config)
        return false;
    u->ladder = l;
    for (int i = 0; i < u->order.setup.seats; i++)
        u->entrant[i] = ladder_enter(l->memory, u->order.member[i].name,
                                     u->order.member[i].digest, now_us());
    return true;
}

void away_take_up(struct away *a, const char *id, const char *orders)
{
    struct away_unit *u;
    struct err err;

    if (away_find(a, id))
        return;
    u = must_alloc(calloc(1, sizeof *u));
    if (!order_read(&u->order, orders, &err)) {
        log_line(a->its.log, LOG_ERROR, id, "%s", err.text);
    } else if (find_place(a, u)) {
        u->is_put = true;
        add_unit(a, u);
        return;
    }
    queue_drop(a->db, id);
    free_unit(u);
}

static void take_units(void *arg, const struct db_answer *answer)
{
    struct away *a = arg;
    int count = answer->rows ? pg_count(answer->rows) : 0;

    if (!answer->rows)
        return;
    for (int i = 0; i < count; i++)
        away_take_up(a, pg_text(answer->rows, i, 0),
                     pg_text(answer->rows, i, 1));
    if (!a->is_known && count > 0)
        log_line(a->its.log, LOG_INFO, NULL,
                 "%d unit%s of the last run %s still with the workers", count,
                 count == 1 ? "" : "s", count == 1 ? "is" : "are");
    a->is_known = true;
    put_all(a);
    lobby_changed(a->its.lobby);
}

static void ask_units(struct away *a)
{
    const struct pg_value value = PG_TEXT(a->client);

    if (!a->is_known && db_is_ready(a->db))
        db_ask(a->db,
               "SELECT u.id, u.orders FROM referee.units u WHERE u.client = $1"
               " AND NOT EXISTS (SELECT 1 FROM referee.twins t"
               "  WHERE t.unit = u.id)",
               &value, 1, take_units, a);
}

/* The connection to the database is lost or restored. */

static void forget_puts(struct away *a)
{
    for (struct away_unit *u = a->list; u; u = u->next)
        if (u->text.len > 0)
            u->is_put = false;
    a->puts_again = false;
}

static void on_ready(void *owner)
{
    struct away *a = owner;

    log_line(a->its.log, LOG_INFO, NULL, "the database is there");
    db_ask(a->db, "SELECT referee.make_partitions(current_date)", NULL, 0, NULL,
           a);
    need_packs(a);
    ask_units(a);
    away_poll_soon(a);
    loop_alarm(a->its.loop, &a->look, now_us());
}

/* Nobody knows whether the last units were put. */
static void on_away(void *owner, const char *why)
{
    struct away *a = owner;

    log_line(a->its.log, LOG_WARNING, NULL, "the database is away: %s", why);
    a->is_asking = a->is_looking = false;
    packs_forget(&a->packs);
    forget_puts(a);
    if (!a->was_away) {
        a->was_away = true;
        lobby_changed(a->its.lobby);
    }
}

static const struct db_calls db_calls = {on_ready, on_away};

/* Records. */

static void take_arrivals(void *arg, const struct db_answer *answer)
{
    struct away *a = arg;

    a->is_asking = false;
    if (answer->rows)
        away_arrived(a, answer->rows);
    else if (!answer->is_lost)
        log_line(a->its.log, LOG_ERROR, NULL, "%s", answer->error);
}

static void ask_arrivals(struct away *a)
{
    if (!a->is_known || !db_is_ready(a->db) || a->is_asking || away_is_busy(a))
        return;
    a->is_asking = true;
    queue_ask(a->db, a->client, AT_ONCE, take_arrivals, a);
}

static void on_poll(void *arg)
{
    struct away *a = arg;

    loop_now(a->its.loop);
    loop_alarm(a->its.loop, &a->poll, now_us() + POLL_US);
    if (a->count > 0)
        ask_arrivals(a);
}

/* Figures. */

static void warn_of_slowness(const struct away *a,
                             const struct many_metrics *now)
{
    bool was =
        a->figures.dead_rows >= SLOW_ROWS || a->figures.oldest_s > SLOW_S;

    if (!was && now->dead_rows >= SLOW_ROWS)
        log_line(a->its.log, LOG_WARNING, NULL,
                 "%lld dead rows in the queue: it becomes slow; is autovacuum "
                 "on, or does an old transaction hold them?",
                 (long long)now->dead_rows);
    if (!was && now->oldest_s > SLOW_S)
        log_line(a->its.log, LOG_WARNING, NULL,
                 "a transaction in the database is %lld s old: while it is "
                 "open, dead rows cannot be removed",
                 (long long)now->oldest_s);
}

static void take_figures(void *arg, const struct db_answer *answer)
{
    struct away *a = arg;
    struct many_metrics now = a->figures;

    a->is_looking = false;
    if (!answer->rows || pg_count(answer->rows) == 0)
        return;
    now.workers = pg_number(answer->rows, 0, 0);
    now.playing = pg_number(answer->rows, 0, 1);
    now.waiting = pg_number(answer->rows, 0, 2);
    now.dead_rows = pg_number(answer->rows, 0, 3);
    now.oldest_s = pg_number(answer->rows, 0, 4);
    warn_of_slowness(a, &now);
    a->figures = now;
    json_decref(a->workers);
    a->workers = json_loads(pg_text(answer->rows, 0, 5), 0, NULL);
}

static void look(struct away *a)
{
    a->is_looking = true;
    db_ask(a->db, "SELECT referee.expire()", NULL, 0, NULL, a);
    db_ask(a->db, "SELECT * FROM referee.figures()", NULL, 0, take_figures, a);
}

static void on_look(void *arg)
{
    struct away *a = arg;

    loop_now(a->its.loop);
    loop_alarm(a->its.loop, &a->look, now_us() + LOOK_US);
    if (db_is_ready(a->db) && !a->is_looking)
        look(a);
    if ((a->puts_again || a->packs.needs_again) && db_is_ready(a->db)) {
        forget_puts(a);
        need_packs(a);
    }
    ask_units(a);
    ask_arrivals(a); /* the answer that one counts may have been lost */
}

void away_figures(const struct away *a, struct many_metrics *figures)
{
    *figures = a->figures;
    figures->is_ready = db_is_ready(a->db);
    figures->units = a->count;
}

const json_t *away_workers(const struct away *a)
{
    return a ? a->workers : NULL;
}

/* All of it. */

bool away_configure(struct away *a, struct generation *generation,
                    struct err *err)
{
    struct worker_keys keys;

    if (!worker_keys_read(&keys, generation->config->worker_keys, err))
        return false;
    worker_keys_free(&a->keys);
    a->keys = keys;
    a->generation = generation;
    if (db_is_ready(a->db))
        need_packs(a);
    return true;
}

struct away *away_new(const struct units_context *context, struct units *units,
                      struct generation *generation,
                      const struct units_owner *calls, void *owner,
                      struct err *err)
{
    struct away *a = must_alloc(calloc(1, sizeof *a));
    char key[SEAL_KEY_HEX + 1];

    a->its = *context;
    a->units = units;
    a->calls = calls;
    a->owner = owner;
    text_hex(key, archive_key(context->archive)->open, SEAL_KEY_BYTES);
    snprintf(a->client, sizeof a->client, "front-%.16s", key);
    alarm_init(&a->poll, on_poll, a);
    alarm_init(&a->look, on_look, a);
    away_take_init(a);
    a->db = db_new(context->loop, generation->config->database, &db_calls, a);
    packs_init(&a->packs, a->db, &packs_calls, a);
    if (away_configure(a, generation, err))
        return a;
    away_free(a);
    return NULL;
}

void away_free(struct away *a)
{
    if (!a)
        return;
    db_free(a->db);
    alarm_stop(a->its.loop, &a->poll);
    alarm_stop(a->its.loop, &a->look);
    away_take_release(a);
    away_twins_release(a); /* their questions are not answered any more */
    while (a->list) {
        struct away_unit *u = a->list;

        a->list = u->next;
        free_unit(u);
    }
    worker_keys_free(&a->keys);
    json_decref(a->workers);
    free(a);
}
