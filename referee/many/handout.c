#include "many/handout.h"

#include "base/alloc.h"
#include "base/sha256.h"
#include "base/text.h"
#include "many/delivery.h"
#include "many/packs.h"
#include "many/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    POLL_US = 100000,  /* poll for records while games are out */
    LOOK_US = 2000000, /* poll for figures, and for expired leases */
    AT_ONCE = 16,      /* units whose records are fetched together */
    END_US = 5000000,  /* time to take back the units that are out */
};

/* The unit that a slot of the contest has handed out. */
struct unit {
    bool is_out, is_put, has_come;
    struct order order;
    struct buf text;
    struct delivery delivery; /* kept until it counts */
    struct handout *handout;
};

struct handout {
    struct contest_away calls;
    struct handout_config its;
    struct contest *contest;
    struct loop *loop;
    struct db *db;
    struct worker_keys keys;
    struct verifier verifier;
    struct packs packs;
    char client[SEAL_KEY_HEX];
    struct unit *unit; /* indexed by slot */
    int out;
    bool is_asking, is_looking, puts_again;
    bool is_away;       /* the database is away, and this was reported */
    bool lacks_workers; /* there are no workers, and this was reported */
    bool is_looked;
    int64_t workers, waiting;
    int64_t ends_us;
    struct alarm poll, look;
};

static void say(const struct handout *h, const struct buf *text)
{
    h->its.say(h->its.owner, text->text);
}

static void say_text(const struct handout *h, const char *what, const char *why)
{
    struct buf text;

    buf_init(&text, 4096);
    buf_str(&text, what);
    buf_str(&text, why);
    say(h, &text);
    buf_release(&text);
}

static int slot_of(const struct unit *u)
{
    return (int)(u - u->handout->unit);
}

static void forget(struct unit *u)
{
    if (u->is_out)
        u->handout->out--;
    order_release(&u->order);
    buf_release(&u->text);
    delivery_free(&u->delivery);
    *u = (struct unit){.handout = u->handout};
}

/* Putting. */

static void take(struct handout *h, const struct pg_rows *rows);

static void take_counted(void *arg, const struct db_answer *answer)
{
    struct unit *u = arg;

    if (answer->rows && u->is_out && !u->has_come)
        take(u->handout, answer->rows);
}

/* A unit that exists already was put by the previous run. If it does not exist
 * any more, it counts, but its records were lost here. */
static void take_put(void *arg, const struct db_answer *answer)
{
    struct unit *u = arg;
    struct handout *h = u->handout;

    if (answer->error) {
        h->puts_again = true;
        if (!answer->is_lost)
            say_text(h, "a unit cannot be put: ", answer->error);
    } else if (!pg_yes(answer->rows, 0, 0) && u->is_out) {
        queue_ask_counted(h->db, u->order.unit, take_counted, u);
    }
}

static void put(struct unit *u)
{
    struct handout *h = u->handout;

    if (!u->is_out || u->is_put || !db_is_ready(h->db) ||
        !packs_are_there(&h->packs))
        return;
    queue_put(h->db, h->client, &u->order, u->text.text, take_put, u);
    u->is_put = true;
}

static void put_all(void *owner)
{
    struct handout *h = owner;

    for (int i = 0; i < h->its.slots; i++)
        put(&h->unit[i]);
}

static void on_pack_error(void *owner, const char *why)
{
    say_text(owner, "a bot cannot be put: ", why);
}

static const struct packs_calls packs_calls = {put_all, on_pack_error};

/* Calls of the contest. */

/* The same order always gets the same name. */
static void name_unit(const struct handout *h, const struct order_facts *facts,
                      const struct group *group, const struct game_names *names,
                      int games, char unit[ORDER_UNIT_MAX + 1])
{
    struct order_facts plain = *facts;
    uint8_t hash[SHA256_BYTES];
    char hex[12 + 1];
    struct buf text;

    plain.second = 0;
    buf_init(&text, ORDER_MAX);
    order_write(&plain, group, names, games, &text);
    sha256_of(text.text, text.len, hash);
    text_hex(hex, hash, (sizeof hex - 1) / 2);
    snprintf(unit, ORDER_UNIT_MAX + 1, "%.30s-%.58s-%.12s", h->client,
             names[0].name, hex);
    buf_release(&text);
}

static void on_hand_out(void *owner, int slot, const struct group *group,
                        const struct game_names *names, int games)
{
    struct handout *h = owner;
    struct unit *u = &h->unit[slot];
    char unit[ORDER_UNIT_MAX + 1];
    struct order_facts facts = {.unit = "",
                                .event = h->its.event ? h->its.event : "match",
                                .is_contest = true,
                                .seed_is_chosen = group->match.seed_is_chosen,
                                .second = time(NULL)};
    struct err err;

    name_unit(h, &facts, group, names, games, unit);
    facts.unit = unit;
    buf_init(&u->text, ORDER_MAX);
    order_write(&facts, group, names, games, &u->text);
    u->is_out = true;
    h->out++;
    if (!order_read(&u->order, u->text.text, &err)) {
        forget(u);
        contest_fail(h->contest, &err);
        return;
    }
    put(u);
}

static void on_counted(void *owner, int slot)
{
    struct handout *h = owner;
    struct unit *u = &h->unit[slot];

    delivery_accept(h->db, &h->verifier, &u->order, &u->delivery);
    forget(u);
}

static void on_take_back(void *owner, int slot)
{
    struct handout *h = owner;
    struct unit *u = &h->unit[slot];

    if (!u->is_out)
        return;
    if (u->is_put)
        queue_drop(h->db, u->order.unit);
    forget(u);
}

/* Records. */

static struct unit *find(struct handout *h, const char *unit)
{
    for (int i = 0; i < h->its.slots; i++)
        if (h->unit[i].is_out && strcmp(h->unit[i].order.unit, unit) == 0)
            return &h->unit[i];
    return NULL;
}

static void give_up(struct handout *h, const struct unit *u,
                    const struct delivery *d)
{
    struct err err;

    fail_for_now(&err, "no worker could play %s: %.300s",
                 order_name(&u->order, 0), d->why);
    contest_fail(h->contest, &err);
}

static void refuse(struct handout *h, const struct unit *u,
                   const struct delivery *d, const struct err *why)
{
    struct buf text;

    buf_init(&text, 4096);
    buf_add(&text,
            "refused what worker %s delivered for %s, which gets no more "
            "work: %.300s",
            d->worker, order_name(&u->order, 0), why->text);
    say(h, &text);
    buf_release(&text);
    queue_refuse(h->db, d->unit, d->worker, why->text);
}

/* The contest has its own chain. */
static void cut_seal(struct buf *record)
{
    buf_cut(record, record_without_seal(record->text, record->len));
}

static void bring(struct handout *h, struct unit *u)
{
    const struct delivery *d = &u->delivery;
    struct away_game *game = must_alloc(calloc((size_t)d->parts, sizeof *game));

    for (int i = 0; i < d->parts; i++) {
        cut_seal(&d->record[i]);
        game[i].record = &d->record[i];
        for (int m = 0; m < u->order.setup.seats; m++)
            game[i].log[m] = said_by(d->said, i, u->order.member[m].name);
    }
    contest_played(h->contest, slot_of(u), game, d->parts);
    free(game);
}

static void take_one(struct handout *h, struct delivery *d)
{
    struct unit *u = find(h, d->unit);
    struct err why;

    if (!u) {
        queue_drop(h->db, d->unit); /* from an earlier run, with other bots */
    } else if (u->has_come) {
        ; /* it does not count yet */
    } else if (d->is_given_up) {
        give_up(h, u, d);
    } else if (!delivery_is_right(&h->verifier, &u->order, d, &why)) {
        refuse(h, u, d, &why);
    } else {
        u->delivery = *d;
        *d = (struct delivery){0};
        u->has_come = true;
        bring(h, u);
    }
    delivery_free(d);
}

static void take(struct handout *h, const struct pg_rows *rows)
{
    int row = 0;

    while (row < pg_count(rows)) {
        struct delivery d;

        row = delivery_read(&d, rows, row);
        take_one(h, &d);
    }
}

static void take_arrivals(void *arg, const struct db_answer *answer)
{
    struct handout *h = arg;

    h->is_asking = false;
    if (answer->rows) {
        take(h, answer->rows);
        if (pg_count(answer->rows) >= AT_ONCE)
            loop_alarm(h->loop, &h->poll, now_us());
    } else if (!answer->is_lost) {
        say_text(h, "", answer->error);
    }
}

static void on_poll(void *arg)
{
    struct handout *h = arg;

    loop_now(h->loop);
    loop_alarm(h->loop, &h->poll, now_us() + POLL_US);
    if (h->out == 0 || !db_is_ready(h->db) || h->is_asking)
        return;
    h->is_asking = true;
    queue_ask(h->db, h->client, AT_ONCE, take_arrivals, h);
}

/* Who is there. */

static void tell_workers(struct handout *h)
{
    bool lacks = h->workers == 0;

    if (lacks && !h->lacks_workers)
        say_text(h,
                 "no worker is there: waiting until somebody starts one with "
                 "\"referee worker\"",
                 "");
    else if (!lacks && h->lacks_workers)
        say_text(h, "a worker is there", "");
    h->lacks_workers = lacks;
}

static void take_figures(void *arg, const struct db_answer *answer)
{
    struct handout *h = arg;

    h->is_looking = false;
    if (!answer->rows || pg_count(answer->rows) == 0)
        return;
    h->workers = pg_number(answer->rows, 0, 0);
    h->waiting = pg_number(answer->rows, 0, 1);
    h->is_looked = true;
    tell_workers(h);
}

static void look(struct handout *h)
{
    const struct pg_value value = PG_TEXT(h->client);

    h->is_looking = true;
    db_ask(h->db, "SELECT referee.expire()", NULL, 0, NULL, h);
    db_ask(h->db,
           "SELECT (SELECT count(*) FROM referee.workers WHERE until > now()"
           "  AND NOT drains AND blocked IS NULL),"
           " (SELECT count(*) FROM referee.units u"
           "  JOIN referee.waiting w ON w.unit = u.id WHERE u.client = $1)",
           &value, 1, take_figures, h);
}

static void put_again(struct handout *h)
{
    for (int i = 0; i < h->its.slots; i++)
        h->unit[i].is_put = h->unit[i].has_come;
    h->puts_again = false;
    packs_need(&h->packs, h->its.player, h->its.players);
}

static void on_look(void *arg)
{
    struct handout *h = arg;

    loop_now(h->loop);
    loop_alarm(h->loop, &h->look, now_us() + LOOK_US);
    if (!db_is_ready(h->db))
        return;
    if (!h->is_looking)
        look(h);
    if (h->puts_again || h->packs.needs_again)
        put_again(h);
}

/* The database comes and goes. */

static void on_ready(void *owner)
{
    struct handout *h = owner;

    if (h->is_away)
        say_text(h, "the database is back", "");
    h->is_away = false;
    db_ask(h->db, "SELECT referee.make_partitions(current_date)", NULL, 0, NULL,
           h);
    put_again(h);
    loop_alarm(h->loop, &h->poll, now_us());
    loop_alarm(h->loop, &h->look, now_us());
}

static void on_away(void *owner, const char *why)
{
    struct handout *h = owner;

    h->is_asking = h->is_looking = false;
    packs_forget(&h->packs);
    if (!h->is_away)
        say_text(h, "the database is away, and the games wait for it: ", why);
    h->is_away = true;
}

static const struct db_calls db_calls = {on_ready, on_away};

/* The end. */

/* Take back the units that no worker had begun. */
static void take_withdrawn(void *arg, const struct db_answer *answer)
{
    struct handout *h = arg;
    int count = answer->rows ? pg_count(answer->rows) : 0;

    for (int i = 0; i < count; i++) {
        struct unit *u = find(h, pg_text(answer->rows, i, 0));

        if (!u || u->has_come)
            continue;
        forget(u);
        contest_gave_back(h->contest, slot_of(u));
    }
}

void handout_stop(struct handout *h)
{
    const struct pg_value value = PG_TEXT(h->client);

    for (int i = 0; i < h->its.slots; i++)
        if (h->unit[i].is_out && !h->unit[i].is_put) {
            forget(&h->unit[i]);
            contest_gave_back(h->contest, i);
        }
    if (db_is_ready(h->db))
        db_ask(h->db, "SELECT * FROM referee.withdraw($1)", &value, 1,
               take_withdrawn, h);
}

struct handout *handout_new(struct loop *loop,
                            const struct handout_config *config,
                            struct worker_keys *keys)
{
    struct handout *h = must_alloc(calloc(1, sizeof *h));

    h->its = *config;
    h->loop = loop;
    h->keys = *keys;
    h->calls = (struct contest_away){on_hand_out, on_counted, on_take_back, h};
    snprintf(h->client, sizeof h->client, "contest-%s", config->session);
    h->unit = must_alloc(calloc((size_t)config->slots, sizeof *h->unit));
    for (int i = 0; i < config->slots; i++)
        h->unit[i].handout = h;
    verifier_init(&h->verifier, &h->keys);
    alarm_init(&h->poll, on_poll, h);
    alarm_init(&h->look, on_look, h);
    return h;
}

const struct contest_away *handout_calls(struct handout *h)
{
    return &h->calls;
}

void handout_begin(struct handout *h, struct contest *contest)
{
    h->contest = contest;
    h->db = db_new(h->loop, h->its.url, &db_calls, h);
    packs_init(&h->packs, h->db, &packs_calls, h);
}

/* Wait until the database knows. */
static void on_end(void *arg)
{
    struct handout *h = arg;

    if (h->db && db_is_ready(h->db) && db_open(h->db) > 0 &&
        now_us() < h->ends_us)
        loop_alarm(h->loop, &h->look, now_us() + POLL_US / 10);
    else
        loop_stop(h->loop);
}

void handout_free(struct handout *h)
{
    for (int i = 0; i < h->its.slots; i++)
        on_take_back(h, i);
    alarm_stop(h->loop, &h->poll);
    alarm_stop(h->loop, &h->look);
    alarm_init(&h->look, on_end, h);
    h->ends_us = now_us() + END_US;
    loop_alarm(h->loop, &h->look, now_us());
    loop_run(h->loop);
    alarm_stop(h->loop, &h->look);
    db_free(h->db);
    verifier_release(&h->verifier);
    worker_keys_free(&h->keys);
    free(h->unit);
    free(h);
}

void handout_state(const struct handout *h, struct buf *out)
{
    if (h->is_away)
        buf_str(out, "the database is away");
    else if (h->is_looked)
        buf_add(out, "%lld worker%s, %lld unit%s wait%s", (long long)h->workers,
                h->workers == 1 ? "" : "s", (long long)h->waiting,
                h->waiting == 1 ? "" : "s", h->waiting == 1 ? "s" : "");
}
