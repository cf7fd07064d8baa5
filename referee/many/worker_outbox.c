/*
 * Units that a worker has played and not yet delivered. Each unit is a file.
 * Its first line is JSON: the unit, its lease, and the length of each record
 * after it.
 */

#include "many/worker_state.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void path_of(const struct worker *w, const char *name, char *path,
                    size_t size)
{
    snprintf(path, size, "%s/kept/%s", w->config->folder, name);
}

bool outbox_open(struct worker *w, struct err *err)
{
    char path[WORKER_PATH_MAX];

    path_of(w, "", path, sizeof path);
    return disk_folder(path, err) && disk_list(path, ".unit", &w->kept, err);
}

void outbox_release(struct worker *w)
{
    disk_names_free(&w->kept);
}

/* UNIT.TOKEN: a unit may be leased again. */
static void name_of(const char *unit, int64_t token, char *name, size_t size)
{
    snprintf(name, size, "%s.%lld", unit, (long long)token);
}

bool outbox_has(const struct worker *w, const char *unit, int64_t token)
{
    char name[WORKER_PATH_MAX];

    name_of(unit, token, name, sizeof name);
    for (size_t i = 0; i < w->kept.count; i++)
        if (strcmp(w->kept.name[i], name) == 0)
            return true;
    return false;
}

static json_t *ids_json(const struct order *o)
{
    json_t *ids = json_array();

    for (int i = 0; i < o->games; i++)
        json_array_append_new(ids, json_string(order_id(o, i)));
    return ids;
}

bool outbox_add(struct slot *s, struct err *err)
{
    struct worker *w = s->worker;
    char name[WORKER_PATH_MAX / 2], path[WORKER_PATH_MAX + 16];
    struct buf text;
    json_t *head;
    char *line;
    bool ok;

    name_of(s->order.unit, s->token, name, sizeof name);
    path_of(w, name, path, WORKER_PATH_MAX);
    strcat(path, ".unit");
    head = json_pack("{s:s, s:I, s:s, s:o, s:O, s:O, s:i, s:i, s:O}", "unit",
                     s->order.unit, "token", (json_int_t)s->token, "day",
                     s->order.day, "ids", ids_json(&s->order), "hashes",
                     s->hashes, "lengths", s->lengths, "seats", s->seats,
                     "forfeits", s->forfeits, "said", s->said);
    line = json_dumps(head, JSON_COMPACT);
    buf_init(&text, RECORD_FILE_MAX + ORDER_MAX);
    buf_add(&text, "%s\n", line);
    buf_put(&text, s->bytes.text, s->bytes.len);
    ok = disk_write(path, text.text, text.len, err);
    buf_release(&text);
    free(line);
    json_decref(head);
    if (ok)
        disk_names_add(&w->kept, name);
    outbox_send(w);
    return ok;
}

/* Sending, one at a time. */

static void drop_first(struct worker *w)
{
    char path[WORKER_PATH_MAX + 16];

    path_of(w, w->kept.name[0], path, WORKER_PATH_MAX);
    strcat(path, ".unit");
    unlink(path);
    free(w->kept.name[0]);
    w->kept.count--;
    memmove(w->kept.name, w->kept.name + 1,
            w->kept.count * sizeof *w->kept.name);
}

/* Another worker may succeed. */
static void give_back_first(struct worker *w, const char *why)
{
    char unit[WORKER_PATH_MAX], *token;
    struct pg_value values[] = {
        PG_TEXT(w->name), PG_TEXT(unit), {0}, PG_TEXT(why)};

    snprintf(unit, sizeof unit, "%s", w->kept.name[0]);
    token = strrchr(unit, '.');
    if (!token || !db_is_ready(w->db))
        return;
    *token = '\0';
    values[2] = PG_TEXT(token + 1);
    db_ask(w->db, "SELECT referee.give_back($1, $2, $3::bigint, $4)", values, 4,
           NULL, w);
}

/*
 * Units that the database rejects stay here for people to inspect; others are
 * sent first.
 */
static void quarantine(struct worker *w, const char *why)
{
    char from[WORKER_PATH_MAX + 16], to[WORKER_PATH_MAX + 16];

    path_of(w, w->kept.name[0], from, WORKER_PATH_MAX);
    strcpy(to, from);
    strcat(from, ".unit");
    strcat(to, ".refused");
    log_line(&w->log, LOG_ERROR, w->kept.name[0],
             "not delivered: %s; its records are in %s", why, to);
    give_back_first(w, why);
    if (rename(from, to) == 0)
        drop_first(w);
}

static void take_delivery(void *arg, const struct db_answer *a)
{
    struct worker *w = arg;

    w->is_sending = false;
    if (a->is_lost || w->kept.count == 0)
        return;
    if (!a->rows) {
        quarantine(w, a->error);
    } else {
        const char *word = pg_text(a->rows, 0, 0);

        if (strcmp(word, "late") == 0)
            log_line(&w->log, LOG_WARNING, w->kept.name[0],
                     "too late: its lease has expired, so another worker "
                     "plays it");
        drop_first(w);
    }
    outbox_send(w);
    worker_end_if_done(w);
}

/* Format {"a","b"} of words, or {1,2} of numbers. */
static void add_array(struct buf *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);

        buf_char(out, i == 0 ? '{' : ',');
        if (json_is_string(item))
            buf_add(out, "\"%s\"", json_string_value(item));
        else
            buf_int(out, json_integer_value(item));
    }
    buf_char(out, '}');
}

/* True if any bot wrote to standard error. */
static bool has_said(const json_t *head)
{
    const json_t *said = json_object_get(head, "said");

    for (size_t i = 0; i < json_array_size(said); i++)
        if (json_object_size(json_array_get(said, i)) > 0)
            return true;
    return false;
}

static void send_unit(struct worker *w, const json_t *head, const char *bytes,
                      size_t len)
{
    static const char *const lists[] = {"ids", "hashes", "lengths"};
    struct buf text[3];
    char token[32], seats[16], forfeits[16];
    char *said = has_said(head)
                     ? json_dumps(json_object_get(head, "said"), JSON_COMPACT)
                     : NULL;
    struct pg_value values[11] = {
        PG_TEXT(w->name),
        PG_TEXT(json_string_value(json_object_get(head, "unit"))),
        PG_TEXT(token),
        PG_TEXT(json_string_value(json_object_get(head, "day"))),
        [7] = PG_BYTES(bytes, len),
        [8] = PG_TEXT(seats),
        [9] = PG_TEXT(forfeits),
        [10] = PG_TEXT(said)};

    snprintf(token, sizeof token, "%lld",
             (long long)json_integer_value(json_object_get(head, "token")));
    snprintf(seats, sizeof seats, "%d",
             (int)json_integer_value(json_object_get(head, "seats")));
    snprintf(forfeits, sizeof forfeits, "%d",
             (int)json_integer_value(json_object_get(head, "forfeits")));
    for (int i = 0; i < 3; i++) {
        buf_init(&text[i], ORDER_MAX);
        add_array(&text[i], json_object_get(head, lists[i]));
        values[4 + i] = PG_TEXT(text[i].text);
    }
    w->is_sending = true;
    db_ask(w->db,
           "SELECT referee.deliver($1, $2, $3::bigint, $4::date, $5::text[],"
           " $6::text[], $7::int[], $8::bytea, $9::int, $10::int, $11)",
           values, 11, take_delivery, w);
    free(said);
    for (int i = 0; i < 3; i++)
        buf_release(&text[i]);
}

static bool send_first(struct worker *w, struct err *err)
{
    char path[WORKER_PATH_MAX + 16];
    json_error_t why;
    struct buf text;
    json_t *head = NULL;
    bool ok;

    path_of(w, w->kept.name[0], path, WORKER_PATH_MAX);
    strcat(path, ".unit");
    buf_init(&text, RECORD_FILE_MAX + ORDER_MAX);
    ok = disk_read(path, &text, err);
    if (ok) {
        size_t line = strcspn(text.text, "\n");

        head = json_loadb(text.text, line, 0, &why);
        ok = head && json_is_string(json_object_get(head, "unit")) &&
             json_is_string(json_object_get(head, "day"));
        if (ok)
            send_unit(w, head, text.text + line + 1, text.len - line - 1);
        else
            fail(err, "its first line cannot be read");
    }
    json_decref(head);
    buf_release(&text);
    return ok;
}

void outbox_send(struct worker *w)
{
    struct err err;

    while (w->kept.count > 0 && db_is_ready(w->db) && w->is_known &&
           !w->is_sending)
        if (!send_first(w, &err))
            quarantine(w, err.text);
}
