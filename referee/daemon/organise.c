/*
 * The organiser's orders: which bots no longer play, and whose games do not
 * count.
 */

#include "daemon/api.h"

#include <stdio.h>
#include <string.h>

static const char banned[] = "banned by the organiser";

const char *organise_why(const struct server *s, const char *ladder,
                         const char *name, const char *version)
{
    const struct order *order = orders_find(&s->orders, name, ladder, version);

    return order ? order->why : NULL;
}

const char *organise_keeps_out(void *owner, const char *ladder,
                               const char *name, const char *version)
{
    return organise_why(owner, ladder, name, version);
}

const char *organise_ban(void *owner, const char *name)
{
    const struct server *s = owner;
    const struct order *order = orders_ban(&s->orders, name);

    return order ? order->why : NULL;
}

void organise_note(struct server *s, enum order_kind kind, const char *name,
                   const char *who, const char *why)
{
    struct order order = {.kind = kind};
    struct err err;

    snprintf(order.name, sizeof order.name, "%s", name);
    snprintf(order.who, sizeof order.who, "%s", who);
    snprintf(order.why, sizeof order.why, "%s", why);
    if (!orders_give(config_of(s)->data, &s->orders, &order, &err))
        log_line(&s->log, LOG_ERROR, NULL,
                 "%s is not in the log of the organiser: %s", order_word(kind),
                 err.text);
}

static bool knows_bot(struct server *s, const char *name, struct err *err)
{
    const struct serve_config *c = config_of(s);
    json_t *bot;
    bool known = key_named(c, name) != NULL;

    for (int i = 0; i < c->bots && !known; i++)
        known = strcmp(c->bot[i].bot.name, name) == 0;
    if (known)
        return true;
    bot = api_bot(s, name, 1, err);
    if (!bot)
        return false;
    known = json_array_size(bot) > 0;
    json_decref(bot);
    return known || fail(err,
                         "there is no bot called %s: no key, no [bot %s], no "
                         "games",
                         name, name);
}

static bool knows_ladder(struct server *s, const char *name, struct err *err)
{
    json_t *ladder;
    bool known = !name[0] || lobby_ladder(s->lobby, name);

    if (known)
        return true;
    ladder = report_ladder(archive_index(s->archive), name, NULL, err);
    if (!ladder)
        return false;
    known = !json_is_null(ladder);
    json_decref(ladder);
    return known || fail(err, "there is no ladder called %s", name);
}

static bool read_order(struct server *s, const char *json, const char *who,
                       struct order *order, struct err *err)
{
    json_error_t why;
    json_t *object = json_loads(json, 0, &why);
    bool ok = object ? order_parse(object, order, err)
                     : fail(err, "the order is no JSON: %.100s", why.text);

    json_decref(object);
    if (!ok)
        return false;
    snprintf(order->who, sizeof order->who, "%s", who);
    if (order->kind >= ORDER_ABOUT_BOTS)
        return fail(err, "%s is a request of its own", order_word(order->kind));
    if (order->kind == ORDER_BAN && (order->ladder[0] || order->version[0]))
        return fail(err, "a ban holds for all ladders and versions");
    if (!order->why[0] && !order->undo)
        return fail(err, "an order needs a reason; say --why TEXT");
    return order->undo || (knows_bot(s, order->name, err) &&
                           knows_ladder(s, order->ladder, err));
}

static void log_order(struct server *s, const struct order *o)
{
    log_line(&s->log, LOG_INFO, NULL, "order of %s: %s%s %s%s%s%s%s", o->who,
             o->undo ? "undo " : "", order_word(o->kind), o->name,
             o->ladder[0] ? " on " : "", o->ladder,
             o->version[0] ? ", version " : "", o->version);
}

json_t *organise(struct server *s, const char *json, const char *who,
                 struct err *err)
{
    struct order order;

    if (!read_order(s, json, who, &order, err) ||
        !orders_give(config_of(s)->data, &s->orders, &order, err))
        return NULL;
    log_order(s, &order);
    if (order.kind == ORDER_BAN && !order.undo)
        doors_kick(s->doors, order.name, banned);
    if (order.kind == ORDER_STRIKE)
        rater_news(s->rater);
    lobby_changed(s->lobby);
    return order_json(&order);
}
