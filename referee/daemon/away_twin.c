/* A sample of units is played by two workers and compared. */

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/away_state.h"
#include "many/twin.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* The names of its bots, each between blanks. */
static void add_names(const struct order *o, struct buf *out)
{
    buf_char(out, ' ');
    for (int i = 0; i < o->setup.seats; i++)
        buf_add(out, "%s ", o->member[i].name);
}

/* Its id looks like any other, so that its worker cannot tell. */
void away_put_twin(struct away *a, const struct away_unit *u,
                   const char *worker)
{
    struct game_names names[SEATS_MAX] = {0};
    char id[UNIT_ID_MAX + 1];
    struct buf text, bots;
    struct twin twin = {.unit = id,
                        .day = u->order.day,
                        .min_speed = u->order.min_speed,
                        .original = u->order.unit,
                        .worker = worker};

    if (!db_is_ready(a->db) || u->order.games > SEATS_MAX ||
        (int)randombytes_uniform(100) >= a->generation->config->recheck)
        return;
    units_next_id(a->units, id);
    away_name_parts(u->order.games, u->order.event, id, names);
    buf_init(&text, ORDER_MAX);
    buf_init(&bots, 4096);
    twin_write(&u->order, id, names, &text);
    add_names(&u->order, &bots);
    twin.text = text.text;
    twin.names = bots.text;
    queue_put_twin(a->db, a->client, &twin);
    buf_release(&text);
    buf_release(&bots);
}

/* What was played again, kept until the first records arrive. */
struct second {
    struct away *away;
    struct order order;
    struct delivery delivery;
    struct second *next;
};

static struct second *new_second(struct away *a)
{
    struct second *s = must_alloc(calloc(1, sizeof *s));

    s->away = a;
    s->next = a->second;
    a->second = s;
    return s;
}

static void free_second(struct second *s)
{
    struct second **at = &s->away->second;

    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    order_release(&s->order);
    delivery_free(&s->delivery);
    free(s);
}

static void compare(const struct second *s, const struct delivery *first)
{
    struct away *a = s->away;
    const char *worker = s->delivery.worker;
    struct difference d;
    bool differs;

    twin_compare(&s->order, first, &s->delivery, &d);
    differs = d.text[0] != '\0';
    a->figures.rechecked++;
    a->figures.rechecked_different += differs;
    queue_twin_done(a->db, s->delivery.unit, worker, differs ? d.bot : NULL,
                    differs ? d.text : NULL);
    if (differs)
        log_line(a->its.log, LOG_INFO, first->unit,
                 "played by %s and again by %s, with other moves: %s",
                 first->worker, worker, d.text);
}

static void take_original(void *arg, const struct db_answer *answer)
{
    struct second *s = arg;
    struct delivery first;

    if (answer->rows && pg_count(answer->rows) > 0) {
        delivery_read(&first, answer->rows, 0);
        compare(s, &first);
        delivery_free(&first);
    } else if (!answer->is_lost) {
        queue_drop(s->away->db, s->delivery.unit);
    }
    free_second(s);
}

void away_take_twin(struct away *a, struct delivery *d)
{
    struct second *s = new_second(a);
    struct err why;

    if (d->is_given_up || !order_read(&s->order, d->orders, &why)) {
        queue_drop(a->db, d->unit);
    } else if (!delivery_is_right(&a->verifier, &s->order, d, &why)) {
        log_line(a->its.log, LOG_ERROR, d->unit,
                 "refused what worker %s delivered, which gets no more work: "
                 "%s",
                 d->worker, why.text);
        a->figures.refused++;
        queue_refuse(a->db, d->unit, d->worker, why.text);
    } else if (db_is_ready(a->db)) {
        s->delivery = *d;
        *d = (struct delivery){0};
        queue_ask_counted(a->db, s->delivery.original, take_original, s);
        return;
    }
    free_second(s);
}

void away_twins_release(struct away *a)
{
    while (a->second)
        free_second(a->second);
}
