#ifndef REFEREE_STORE_ORDERS_H
#define REFEREE_STORE_ORDERS_H

/*
 * orders.h - what the organiser did: DATA/orders.jsonl.
 *
 * One JSON object a line, and lines are only ever appended. What is in force
 * follows from reading them all, so a restart remembers it, and the reasons
 * are kept with the deeds.
 *
 *     {"at": "2026-11-18T20:15:00Z", "who": "root", "what": "strike",
 *      "name": "anna", "ladder": "rondo", "version": "1.2",
 *      "why": "it is a copy of bob's"}
 *     {..., "what": "strike", "name": "anna", "undo": true, ...}
 *     {..., "what": "pause"}
 *
 * An order about a bot holds for all ladders and all versions unless it names
 * one. It is undone by one that names the same.
 */

#include "base/date.h"
#include "base/err.h"
#include "match/game_summary.h"

#include <jansson.h>

enum order_kind {
    ORDER_STRIKE, /* its games do not count, and it plays no more */
    ORDER_RETIRE, /* it plays no more; its games count */
    ORDER_BAN,    /* it plays no more and must not log in; its games count */
    ORDER_ABOUT_BOTS,
    ORDER_PAUSE = ORDER_ABOUT_BOTS,
    ORDER_RESUME,
    ORDER_STOP,
    ORDER_KICK,
    ORDER_RELOAD,
    ORDER_REGISTER, /* a newcomer has; an invitation is who did it */
    ORDER_KINDS
};

enum { ORDER_WHY_MAX = 400, ORDER_WHO_MAX = 32, ORDERS_BYTES_MAX = 16 << 20 };

struct order {
    enum order_kind kind;
    bool undo;
    char at[DATE_TEXT + 1];
    char who[ORDER_WHO_MAX + 1];
    char name[SUMMARY_NAME_MAX + 1];    /* of a bot; "": about none */
    char ladder[SUMMARY_NAME_MAX + 1];  /* "": all */
    char version[SUMMARY_WORD_MAX + 1]; /* "": all */
    char why[ORDER_WHY_MAX + 1];
};

const char *order_word(enum order_kind kind);

/* As JSON; and back, if all of it is right. */
json_t *order_json(const struct order *order);
bool order_parse(const json_t *json, struct order *order,
                 struct err *err) MUST_CHECK;

/* Those in force, {0} at first: sorted by name, those of a name by kind. */
struct orders {
    struct order *order;
    size_t count, cap;
};

void orders_release(struct orders *orders);

/* Every order ever given, the oldest first: [object...]. A folder in which
 * there was none has []. */
bool orders_read(const char *data, json_t **all, struct err *err) MUST_CHECK;

/* Those in force, in place of what is in `orders`. */
bool orders_load(const char *data, struct orders *orders,
                 struct err *err) MUST_CHECK;

/* Give one now: it is on the disk when this returns, and in `orders`. What is
 * undone must be in force. */
bool orders_give(const char *data, struct orders *orders, struct order *order,
                 struct err *err) MUST_CHECK;

/* The weightiest order about this bot there, or NULL; of one kind. */
const struct order *orders_find(const struct orders *orders, const char *name,
                                const char *ladder, const char *version);
const struct order *orders_struck(const struct orders *orders, const char *name,
                                  const char *ladder, const char *version);

/* The ban of a name that holds everywhere, or NULL. */
const struct order *orders_ban(const struct orders *orders, const char *name);

#endif
