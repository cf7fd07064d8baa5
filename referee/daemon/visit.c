#include "base/alloc.h"
#include "base/date.h"
#include "base/text.h"
#include "daemon/reception_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { VISITS_PER_NAME = 8, DAY_S = 24 * 3600 };

/* Of one who has to say something. */
static const int64_t silence_us = 60000000;

/* Telling clients. */

static void visit_end(struct visit *v, const char *why)
{
    v->state = VISIT_ENDS;
    connection_end(v->connection, why);
}

void visit_turn_away(struct visit *v, const char *fmt, ...)
{
    struct connection *n = v->connection;
    va_list args;

    va_start(args, fmt);
    vsnprintf(n->refusal, sizeof n->refusal, fmt, args);
    va_end(args);
    visit_end(v, n->refusal);
}

void visit_pump(struct visit *v)
{
    const struct handin *h = v->handin;

    if (!h || v->state != VISIT_WATCHES)
        return;
    while (v->told < h->told.count && connection_has_room(v->connection)) {
        const char *line = lines_text(&h->told, v->told++);
        size_t len = strcspn(line, " ");
        char kind[16];

        snprintf(kind, sizeof kind, "%.*s", (int)len, line);
        connection_tell(v->connection, kind, "%s",
                        line + len + (line[len] == ' '));
    }
    if (v->told == h->told.count && h->state == HANDIN_OVER &&
        !h->waits_to_play)
        visit_end(v, "that is all");
}
void visit_tell_place(struct visit *v)
{
    int place = reception_place(v->reception, v->handin);

    if (v->handin->state == HANDIN_WAITS)
        connection_tell(v->connection, "queued", "%d", place);
}
/* May it send? */

static const char *owner_of(const struct reception *r, const char *name)
{
    const struct key_entry *key = key_named(r->config, name);

    return key && key->owner ? key->owner : "";
}

static bool is_same_owner(const struct reception *r, const char *a,
                          const char *b)
{
    const char *owner = owner_of(r, a);

    return strcmp(a, b) == 0 || (*owner && strcmp(owner, owner_of(r, b)) == 0);
}

static int count_waiting_of(const struct reception *r, const char *name)
{
    int count = 0;

    for (const struct handin *h = r->queue; h; h = h->next)
        count += h->state != HANDIN_OVER && is_same_owner(r, h->name, name);
    for (const struct visit *v = r->visits; v; v = v->next)
        count += (v->state == VISIT_WAITS || v->state == VISIT_SENDS) &&
                 is_same_owner(r, v->connection->name, name);
    return count;
}

static const char *text_of(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));

    return text ? text : "";
}

/*
 * Verdicts on archives sent since then; `first` is set to the time of the
 * first.
 */
static int count_verdicts(const json_t *history, const char *since,
                          char first[DATE_TEXT + 1])
{
    const json_t *line;
    int count = 0;
    size_t i;

    json_array_foreach(history, i, line)
    {
        if (strcmp(text_of(line, "by"), "submit") != 0 ||
            strcmp(text_of(line, "at"), since) < 0)
            continue;
        if (!*first || strcmp(text_of(line, "at"), first) < 0)
            snprintf(first, DATE_TEXT + 1, "%s", text_of(line, "at"));
        count++;
    }
    return count;
}

/* Of this name, and of other names of the same owner. */
static int verdicts_of(const struct reception *r, const char *name,
                       char first[DATE_TEXT + 1])
{
    const struct serve_config *c = r->config;
    struct date date = {0};
    const char *since = date_text(&date, time(NULL) - DAY_S);
    int count = 0;

    first[0] = '\0';
    for (int i = 0; i < c->key_count; i++) {
        json_t *history;
        struct err err;

        if (!is_same_owner(r, c->key[i].name, name) ||
            !shelf_history(c->handins.folder, c->key[i].name, &history, &err))
            continue;
        count += count_verdicts(history, since, first);
        json_decref(history);
    }
    return count;
}

static bool has_open_ladder(const struct reception *r)
{
    for (int i = 0; i < r->config->ladders; i++)
        if (r->config->ladder[i].takes_handins)
            return true;
    return false;
}

static bool may_hand_in(struct visit *v)
{
    const struct reception *r = v->reception;
    const struct handins_config *c = rules_of(r);
    const char *name = v->connection->name;
    char first[DATE_TEXT + 1];

    if (!has_open_ladder(r))
        visit_turn_away(v, "no ladder of this server accepts hand-ins at the "
                           "moment; tell the organiser");
    else if (count_waiting_of(r, name) >= c->per_owner)
        visit_turn_away(
            v,
            "%d hand-in%s of yours %s for a verdict already; wait until "
            "it is there, or watch it with --watch",
            c->per_owner, c->per_owner == 1 ? "" : "s",
            c->per_owner == 1 ? "waits" : "wait");
    else if (reception_count(r, HANDIN_WAITS) >= c->queue_max)
        visit_turn_away(v, "%d hand-ins wait already; try again later",
                        c->queue_max);
    else if (c->per_day > 0 && verdicts_of(r, name, first) >= c->per_day)
        visit_turn_away(
            v,
            "you have had %d verdicts within 24 hours, which is the "
            "limit; the first of them was at %s",
            c->per_day, first);
    else
        return true;
    return false;
}

/* Back again. */

void visit_watch(struct visit *v, struct handin *h)
{
    v->handin = h;
    v->told = 0;
    v->state = VISIT_WATCHES;
    visit_tell_place(v);
    visit_pump(v);
}

/* The newest of this name, and of this digest if there is one. */
static struct handin *find_handin(const struct reception *r, const char *name,
                                  const char *digest)
{
    struct handin *found = NULL;

    for (struct handin *h = r->queue; h; h = h->next)
        if (strcmp(h->name, name) == 0 &&
            (!*digest || strcmp(h->sent, digest) == 0))
            found = h;
    return found;
}
/* The same archive plays already, so there is nothing to do. */
static bool plays_already(struct visit *v)
{
    const struct reception *r = v->reception;
    const char *name = v->connection->name, *playing;
    struct handin *h;
    const json_t *line;
    json_t *history;
    struct err err;
    bool same = false;
    size_t i;

    if (!shelf_history(rules_of(r)->folder, name, &history, &err))
        return false;
    playing = history_playing(history, NULL);
    json_array_foreach(history, i, line) same |=
        playing && strcmp(text_of(line, "version"), playing) == 0 &&
        strcmp(text_of(line, "archive"), v->digest) == 0 &&
        strcmp(text_of(line, "event"), "accepted") == 0;
    if (same) {
        h = reception_enqueue(v->reception, name, "", v->digest);
        h->state = HANDIN_OVER;
        snprintf(h->version, sizeof h->version, "%s", playing);
        handin_tell(h, "accepted",
                    "version %s plays already; nothing was done again",
                    playing);
        reception_tell_playing(r, h);
        visit_watch(v, h);
    }
    json_decref(history);
    return same;
}

/* The last verdict, as stored on the shelf. */
static bool watch_kept(struct visit *v)
{
    struct reception *r = v->reception;
    const char *name = v->connection->name;
    char path[DISK_PATH_MAX], *at;
    struct handin *h;
    struct err err;
    struct buf text;

    shelf_path(rules_of(r)->folder, name, SHELF_VERDICT, path);
    buf_init(&text, 2 << 20);
    if (!disk_has(path) || !disk_read(path, &text, &err) || text.len == 0) {
        buf_release(&text);
        return false;
    }
    h = reception_enqueue(r, name, "", "");
    h->state = HANDIN_OVER;
    for (at = text.text; *at;) {
        size_t len = strcspn(at, "\n");
        bool more = at[len] == '\n';

        at[len] = '\0';
        handin_take_stage(h, at);
        at += len + more;
    }
    buf_release(&text);
    if (h->end == HANDIN_IS_FIT)
        reception_tell_playing(r, h);
    visit_watch(v, h);
    return true;
}
/* An archive on the shelf since a crash, or since we failed. */
static bool lies_there(struct visit *v)
{
    char file[HANDIN_DIGEST_HEX + 8], path[DISK_PATH_MAX];

    snprintf(file, sizeof file, SHELF_SENT "%s", v->digest);
    shelf_path(rules_of(v->reception)->folder, v->connection->name, file, path);
    if (disk_size(path) != v->bytes)
        return false;
    visit_watch(v, reception_enqueue(v->reception, v->connection->name, path,
                                     v->digest));
    return true;
}

static bool read_announcement(struct visit *v, const char *text)
{
    unsigned char digest[SHA256_BYTES];
    long long most = (long long)rules_of(v->reception)->archive_mib << 20;
    int bytes;

    if (!take_int(&text, 1, INT32_MAX, &bytes) || !take_char(&text, ' ') ||
        !text_unhex(digest, sizeof digest, text)) {
        visit_turn_away(
            v, "say \"#handin BYTES SHA256\": the size of the archive, "
               "and its digest as 64 hex digits");
        return false;
    }
    if (bytes > most) {
        visit_turn_away(v,
                        "the archive has %d bytes, and at most %lld are taken",
                        bytes, most);
        return false;
    }
    v->bytes = bytes;
    snprintf(v->digest, sizeof v->digest, "%s", text);
    return true;
}

/* The connection broke, and we have not noticed yet. */
static void replace_older(const struct visit *newer)
{
    for (struct visit *v = newer->reception->visits; v; v = v->next)
        if (v != newer &&
            (v->state == VISIT_WAITS || v->state == VISIT_SENDS) &&
            strcmp(v->connection->name, newer->connection->name) == 0 &&
            strcmp(v->digest, newer->digest) == 0) {
            sending_stop(v);
            visit_turn_away(v, "a newer connection hands in the same");
        }
}
/* "#handin BYTES SHA256" */
static void on_handin(struct visit *v, const char *text)
{
    struct handin *known;

    if (!read_announcement(v, text))
        return;
    known = find_handin(v->reception, v->connection->name, v->digest);
    if (known && known->state != HANDIN_OVER) {
        visit_watch(v, known);
        return;
    }
    replace_older(v);
    if (plays_already(v) || !may_hand_in(v) || lies_there(v))
        return;
    v->state = VISIT_WAITS;
    sending_let(v->reception);
}

/* Was it the last one that got a verdict? */
static bool is_last(const struct visit *v, const char *digest)
{
    json_t *history;
    struct err err;
    bool is;

    if (!*digest)
        return true;
    if (!shelf_history(rules_of(v->reception)->folder, v->connection->name,
                       &history, &err))
        return false;
    is = strcmp(text_of(json_array_get(history, json_array_size(history) - 1),
                        "archive"),
                digest) == 0;
    json_decref(history);
    return is;
}

static void tell_ready(struct visit *v)
{
    v->heard_us = now_us();
    connection_tell(v->connection, "submit", "%lld",
                    (long long)rules_of(v->reception)->archive_mib << 20);
}

/*
 * "#watch", or "#watch SHA256" from a client that returns. If the archive is
 * not here, the client may hand it in.
 */
static void on_watch(struct visit *v, const char *digest)
{
    struct handin *known =
        find_handin(v->reception, v->connection->name, digest);

    if (known)
        visit_watch(v, known);
    else if (is_last(v, digest) && watch_kept(v))
        return;
    else if (*digest)
        tell_ready(v);
    else
        visit_turn_away(v, "nothing was handed in as %s", v->connection->name);
}

/* Visits. */

static const struct {
    const char *word;
    void (*on)(struct visit *visit, const char *text);
} orders[] = {
    {"#part", sending_take},
    {"#handin", on_handin},
    {"#watch", on_watch},
    {"#versions", choosing_list},
    {"#withdraw", choosing_withdraw},
    {"#choose", choosing_choose},
};

void reception_line(struct reception *r, struct connection *n, const char *line)
{
    struct visit *v = n->visit;

    if (!v || v->state == VISIT_ENDS)
        return;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        const char *text = line;

        if (!take_word(&text, orders[i].word))
            continue;
        if (orders[i].on != sending_take && v->state != VISIT_BEGINS)
            break;
        orders[i].on(v, text);
        return;
    }
    if (*line) /* the empty line behind the login */
        visit_turn_away(v,
                        "say #handin BYTES SHA256, #part BASE64, #watch, "
                        "#versions, #withdraw VERSION or #choose VERSION, in "
                        "the order that protocol.md gives");
}

static int visits_of(const struct reception *r, const char *name)
{
    int count = 0;

    for (const struct visit *v = r->visits; v; v = v->next)
        count +=
            v->state != VISIT_ENDS && strcmp(v->connection->name, name) == 0;
    return count;
}

void reception_join(struct reception *r, struct connection *n)
{
    struct visit *v = must_alloc(calloc(1, sizeof *v));

    v->reception = r;
    v->connection = n;
    v->fd = -1;
    v->heard_us = now_us();
    buf_init(&v->piece, WRITE_BYTES);
    v->next = r->visits;
    n->visit = v;
    r->visits = v;
    if (!rules_of(r)->folder)
        visit_turn_away(v, "this server takes no hand-ins; connect to it with "
                           "\"referee connect\"");
    else if (n->name[0] == '.') /* it would be a folder of another kind */
        visit_turn_away(v, "a name that begins with a dot cannot hand in");
    else if (visits_of(r, n->name) > VISITS_PER_NAME)
        visit_turn_away(v, "too many connections that hand in as %s", n->name);
    else
        tell_ready(v);
}

void reception_room(struct reception *r, struct connection *n)
{
    if (n->visit)
        visit_pump(n->visit);
}

void reception_leave(struct reception *r, struct connection *n)
{
    struct visit *v = n->visit, **at = &r->visits;

    if (!v)
        return;
    while (*at != v)
        at = &(*at)->next;
    *at = v->next;
    n->visit = NULL;
    sending_stop(v);
    buf_release(&v->piece);
    free(v);
    sending_let(r);
    reception_start_soon(r);
}
void reception_tick(struct reception *r)
{
    int64_t now = now_us();

    for (struct visit *v = r->visits; v; v = v->next)
        if ((v->state == VISIT_BEGINS || v->state == VISIT_SENDS) &&
            now - v->heard_us > silence_us) {
            sending_stop(v);
            visit_turn_away(v, "nothing came for %d s",
                            (int)(silence_us / 1000000));
        }
}
