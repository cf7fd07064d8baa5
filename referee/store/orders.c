#include "store/orders.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/disk.h"
#include "store/json_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char words[] =
    "strike|retire|ban|pause|resume|stop|kick|reload|register";

const char *order_word(enum order_kind kind)
{
    static const char *const word[ORDER_KINDS] = {
        "strike", "retire", "ban",    "pause",   "resume",
        "stop",   "kick",   "reload", "register"};

    return word[kind];
}

/* JSON. */

static json_t *text_if(const char *text)
{
    return *text ? json_string(text) : NULL;
}

json_t *order_json(const struct order *o)
{
    return json_pack("{s:o*, s:o*, s:s, s:o*, s:o*, s:o*, s:o*, s:o*}", "at",
                     text_if(o->at), "who", text_if(o->who), "what",
                     order_word(o->kind), "undo", o->undo ? json_true() : NULL,
                     "name", text_if(o->name), "ladder", text_if(o->ladder),
                     "version", text_if(o->version), "why", text_if(o->why));
}

static bool has_control(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return true;
    return false;
}

/* What is not there is "". */
static bool take_key(const json_t *json, const char *key, char *to, size_t size,
                     struct err *err)
{
    const json_t *value = json_object_get(json, key);
    const char *text = value ? json_string_value(value) : "";

    if (!text || strlen(text) >= size || has_control(text))
        return fail(err, "%s must be one line of text, at most %zu bytes", key,
                    size - 1);
    strcpy(to, text);
    return true;
}

bool order_parse(const json_t *json, struct order *o, struct err *err)
{
    char what[16];
    int kind;

    *o = (struct order){0};
    if (!take_key(json, "what", what, sizeof what, err) ||
        !take_key(json, "at", o->at, sizeof o->at, err) ||
        !take_key(json, "who", o->who, sizeof o->who, err) ||
        !take_key(json, "name", o->name, sizeof o->name, err) ||
        !take_key(json, "ladder", o->ladder, sizeof o->ladder, err) ||
        !take_key(json, "version", o->version, sizeof o->version, err) ||
        !take_key(json, "why", o->why, sizeof o->why, err))
        return false;
    kind = words_find(words, what);
    if (kind < 0)
        return fail(err, "what must be one of %s, not \"%s\"", words, what);
    o->kind = (enum order_kind)kind;
    o->undo = json_is_true(json_object_get(json, "undo"));
    return kind >= ORDER_ABOUT_BOTS || o->name[0] ||
           fail(err, "%s needs the name of a bot", what);
}

/* What is in force. */

void orders_release(struct orders *orders)
{
    free(orders->order);
    *orders = (struct orders){0};
}

static int by_name_and_kind(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    if (order == 0)
        order = (int)x->kind - (int)y->kind;
    if (order == 0)
        order = strcmp(x->ladder, y->ladder);
    return order ? order : strcmp(x->version, y->version);
}

/* About the same? */
static struct order *find_same(const struct orders *orders,
                               const struct order *order)
{
    return orders->count == 0 ? NULL
                              : bsearch(order, orders->order, orders->count,
                                        sizeof *order, by_name_and_kind);
}

/* A later order about the same bot replaces it, and undoing removes it. */
static void put_in_force(struct orders *orders, const struct order *order)
{
    struct order *same = find_same(orders, order);

    if (order->kind >= ORDER_ABOUT_BOTS)
        return;
    if (same && order->undo) {
        size_t behind = (size_t)(orders->order + orders->count - (same + 1));

        memmove(same, same + 1, behind * sizeof *same);
        orders->count--;
    } else if (same) {
        *same = *order;
    } else if (!order->undo) {
        if (orders->count == orders->cap) {
            orders->cap = orders->cap ? 2 * orders->cap : 16;
            orders->order =
                must_resize(orders->order, orders->cap, sizeof *orders->order);
        }
        orders->order[orders->count++] = *order;
        qsort(orders->order, orders->count, sizeof *orders->order,
              by_name_and_kind);
    }
}

static const struct order *first_of(const struct orders *orders,
                                    const char *name)
{
    size_t low = 0, high = orders->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (strcmp(orders->order[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < orders->count ? &orders->order[low] : NULL;
}

static bool holds(const struct order *o, const char *ladder,
                  const char *version)
{
    return (!o->ladder[0] || strcmp(o->ladder, ladder) == 0) &&
           (!o->version[0] || strcmp(o->version, version) == 0);
}

const struct order *orders_find(const struct orders *orders, const char *name,
                                const char *ladder, const char *version)
{
    const struct order *o = first_of(orders, name);

    for (; o && o < orders->order + orders->count && !strcmp(o->name, name);
         o++)
        if (holds(o, ladder, version))
            return o;
    return NULL;
}

const struct order *orders_struck(const struct orders *orders, const char *name,
                                  const char *ladder, const char *version)
{
    const struct order *o = orders_find(orders, name, ladder, version);

    return o && o->kind == ORDER_STRIKE ? o : NULL;
}

const struct order *orders_ban(const struct orders *orders, const char *name)
{
    struct order ban = {.kind = ORDER_BAN};

    snprintf(ban.name, sizeof ban.name, "%s", name);
    return find_same(orders, &ban);
}

/* The file. */

static void path_in(const char *data, char path[DISK_PATH_MAX])
{
    snprintf(path, DISK_PATH_MAX, "%s/orders.jsonl", data);
}

bool orders_read(const char *data, json_t **all, struct err *err)
{
    char path[DISK_PATH_MAX];

    path_in(data, path);
    return json_lines_read(path, ORDERS_BYTES_MAX, all, err);
}

bool orders_load(const char *data, struct orders *orders, struct err *err)
{
    struct orders now = {0};
    json_t *all, *line;
    bool ok = true;
    size_t i;

    if (!orders_read(data, &all, err))
        return false;
    json_array_foreach(all, i, line)
    {
        struct order order;

        ok = order_parse(line, &order, err) ||
             fail_at(err, "%s/orders.jsonl:%zu", data, i + 1);
        if (!ok)
            break;
        put_in_force(&now, &order);
    }
    json_decref(all);
    if (!ok) {
        orders_release(&now);
        return false;
    }
    orders_release(orders);
    *orders = now;
    return true;
}

/* "strike of anna on rondo, version 1.2" */
static bool fail_to_undo(const struct order *o, struct err *err)
{
    return fail(err,
                "there is no %s of %s%s%s%s%s to undo; \"referee log\" "
                "shows the orders",
                order_word(o->kind), o->name, o->ladder[0] ? " on " : "",
                o->ladder, o->version[0] ? ", version " : "", o->version);
}

bool orders_give(const char *data, struct orders *orders, struct order *order,
                 struct err *err)
{
    char path[DISK_PATH_MAX];
    json_t *json;
    bool ok;

    if (order->undo && !find_same(orders, order))
        return fail_to_undo(order, err);
    path_in(data, path);
    strcpy(order->at, date_text(&(struct date){0}, time(NULL)));
    json = order_json(order);
    ok = json_lines_add(path, json, err);
    json_decref(json);
    if (ok)
        put_in_force(orders, order);
    return ok;
}
