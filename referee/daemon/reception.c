#include "daemon/reception.h"

#include "base/alloc.h"
#include "base/date.h"
#include "base/text.h"
#include "daemon/handin.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SENDERS_MAX = 64,    /* send at the same time; the others wait */
    VISITS_PER_NAME = 8, /* connections that hand in, or watch */
    PIECE_MAX = 768,     /* bytes of a line, decoded */
    WRITE_BYTES = 64 << 10,
    DAY_S = 24 * 3600,
};

static const int64_t silence_us =
    60000000;                              /* of one who has to say something */
static const int64_t start_us = 120000000; /* for all that has no limit */

#define BEGUN ".sending-" /* a file that is not whole yet */

enum visit_state {
    VISIT_BEGINS,  /* it has said nothing yet */
    VISIT_WAITS,   /* to send */
    VISIT_SENDS,   /* its archive */
    VISIT_WATCHES, /* what comes of it */
    VISIT_ENDS     /* it is told why, and closed */
};

/* A connection that hands in. */
struct visit {
    struct reception *reception;
    struct connection *connection;
    enum visit_state state;
    int64_t heard_us;
    long long bytes, got; /* of its archive: announced, and come */
    char digest[HANDIN_DIGEST_HEX + 1];
    struct sha256 hash;
    struct buf piece; /* to be written */
    int fd;
    char path[DISK_PATH_MAX];
    struct handin *handin; /* that it watches */
    size_t told;           /* lines of it */
    struct visit *next;
};

struct reception {
    struct loop *loop;
    struct log *log;
    const struct reception_owner *calls;
    void *owner;
    const struct serve_config *config;
    struct visit *visits;
    struct handin *queue; /* in their order: those that run come first */
    struct deferred next;
    bool is_stopping;
    long long accepted, refused, failed;
    unsigned uploads; /* so that each has a name of its own */
};

static const struct handins_config *rules_of(const struct reception *r)
{
    return &r->config->handins;
}

/* Who is told what. */

static void visit_end(struct visit *v, const char *why)
{
    v->state = VISIT_ENDS;
    connection_end(v->connection, why);
}

/* An error that the visit's owner reads last. */
static void turn_away(struct visit *v, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void turn_away(struct visit *v, const char *fmt, ...)
{
    struct connection *n = v->connection;
    va_list args;

    va_start(args, fmt);
    vsnprintf(n->refusal, sizeof n->refusal, fmt, args);
    va_end(args);
    visit_end(v, n->refusal);
}

/* As many lines as it reads. */
static void pump(struct visit *v)
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

static void pump_all(struct reception *r, const struct handin *h)
{
    for (struct visit *v = r->visits; v; v = v->next)
        if (v->handin == h)
            pump(v);
}

static void on_told(void *owner, struct handin *h)
{
    pump_all(owner, h);
}

/* The queue. */

static int place_of(const struct reception *r, const struct handin *which)
{
    int place = 1;

    for (const struct handin *h = r->queue; h != which; h = h->next)
        place += h->state == HANDIN_WAITS;
    return place;
}

static void tell_place(struct visit *v)
{
    int place = place_of(v->reception, v->handin);

    if (v->handin->state == HANDIN_WAITS)
        connection_tell(v->connection, "queued", "%d", place);
}

static void tell_places(struct reception *r)
{
    for (struct visit *v = r->visits; v; v = v->next)
        if (v->state == VISIT_WATCHES && v->handin)
            tell_place(v);
}

static int count_state(const struct reception *r, enum handin_state state)
{
    int count = 0;

    for (const struct handin *h = r->queue; h; h = h->next)
        count += h->state == state;
    return count;
}

static bool is_watched(const struct reception *r, const struct handin *h)
{
    for (const struct visit *v = r->visits; v; v = v->next)
        if (v->handin == h)
            return true;
    return false;
}

/* What is over is kept as long as somebody is still told of it. */
static void forget_over(struct reception *r)
{
    struct handin **at = &r->queue;

    while (*at) {
        struct handin *h = *at;

        if (h->state != HANDIN_OVER || h->waits_to_play || is_watched(r, h)) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        handin_free(h);
    }
}

static bool is_at_work(const struct reception *r, const char *name)
{
    for (const struct handin *h = r->queue; h; h = h->next)
        if (h->state == HANDIN_RUNS && strcmp(h->name, name) == 0)
            return true;
    return false;
}

/* The next one; of a bot only one at a time. */
static struct handin *find_next(const struct reception *r)
{
    for (struct handin *h = r->queue; h; h = h->next)
        if (h->state == HANDIN_WAITS && !is_at_work(r, h->name))
            return h;
    return NULL;
}

/* More than "referee admit" allows itself. */
static int64_t limit_of(const struct reception *r)
{
    const struct handins_config *c = rules_of(r);

    return start_us + c->build_us + 2 * r->config->ladders * c->check_us;
}

static void fail_it(struct reception *r, struct handin *h, const char *why)
{
    r->failed++;
    log_line(r->log, LOG_ERROR, NULL, "no verdict on what %s handed in: %s",
             h->name, why);
    handin_tell(h, "failed",
                "the server could not finish; that is not your fault and does "
                "not count. Hand it in again later");
}

static void start_next(void *arg)
{
    struct reception *r = arg;
    struct handin *h = NULL;
    struct err err;

    forget_over(r);
    while (rules_of(r)->folder && !r->is_stopping &&
           count_state(r, HANDIN_RUNS) < rules_of(r)->at_once &&
           (h = find_next(r)) != NULL)
        if (!handin_start(h, r->loop, r->config->path, limit_of(r), &err)) {
            h->state = HANDIN_OVER;
            fail_it(r, h, err.text);
        }
    tell_places(r);
}

static void start_soon(struct reception *r)
{
    loop_later(r->loop, &r->next);
}

static void log_verdict(const struct reception *r, const struct handin *h)
{
    log_line(r->log, LOG_INFO, NULL, "%s handed in: %s", h->name,
             lines_text(&h->told, h->told.count - 1));
}

static void on_over(void *owner, struct handin *h)
{
    struct reception *r = owner;

    switch (h->end) {
    case HANDIN_IS_FIT:
        r->accepted++;
        h->waits_to_play = true;
        log_verdict(r, h);
        r->calls->on_accepted(r->owner);
        break;
    case HANDIN_IS_UNFIT:
        r->refused++;
        log_verdict(r, h);
        break;
    default:
        buf_cut(&h->error, strcspn(h->error.text, "\n"));
        fail_it(r, h, h->error.len ? h->error.text : "it was killed");
    }
    pump_all(r, h);
    start_soon(r);
}

static const struct handin_owner handin_calls = {on_told, on_over};

static struct handin *enqueue(struct reception *r, const char *name,
                              const char *path, const char *sent)
{
    struct handin *h = handin_new(name, path, sent, &handin_calls, r);
    struct handin **at = &r->queue;

    while (*at)
        at = &(*at)->next;
    *at = h;
    start_soon(r);
    return h;
}

/* What lies on the shelf. */

static bool is_queued(const struct reception *r, const char *path)
{
    for (const struct handin *h = r->queue; h; h = h->next)
        if (h->state != HANDIN_OVER && strcmp(h->path, path) == 0)
            return true;
    return false;
}

static bool is_version(const char *name)
{
    return strlen(name) == VERSION_HEX &&
           strspn(name, "0123456789abcdef") == VERSION_HEX;
}

/* Is it one of the names that shelf.h lists? */
static bool is_ours(const char *name)
{
    size_t len = strlen(name), ending = strlen(".jsonl");

    return name[0] == '.' || strcmp(name, SHELF_TAKEN) == 0 ||
           is_version(name) ||
           (len > ending && strcmp(name + len - ending, ".jsonl") == 0);
}

static bool is_begun(const char *name)
{
    return strncmp(name, BEGUN, strlen(BEGUN)) == 0;
}

static bool is_sent_now(const struct reception *r, const char *path)
{
    for (const struct visit *v = r->visits; v; v = v->next)
        if (v->fd != -1 && strcmp(v->path, path) == 0)
            return true;
    return false;
}

static void look_at(struct reception *r, const char *name, const char *file)
{
    size_t prefix = strlen(SHELF_SENT);
    char path[DISK_PATH_MAX];

    shelf_path(rules_of(r)->folder, name, file, path);
    if (is_begun(file) && !is_sent_now(r, path))
        unlink(path); /* nobody will send the rest */
    else if (!is_ours(file) && !is_queued(r, path))
        enqueue(r, name, path,
                strncmp(file, SHELF_SENT, prefix) == 0 ? file + prefix : "");
}

static void look_into(struct reception *r, const char *name)
{
    char path[DISK_PATH_MAX];
    const struct dirent *entry;
    DIR *folder;

    shelf_path(rules_of(r)->folder, name, ".", path);
    folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL)
        look_at(r, name, entry->d_name);
    if (folder)
        closedir(folder);
}

void reception_look(struct reception *r)
{
    struct disk_names names = {0};
    struct err err;

    if (!rules_of(r)->folder)
        return;
    if (!shelf_names(rules_of(r)->folder, &names, &err))
        log_line(r->log, LOG_ERROR, NULL, "hand-ins: %s", err.text);
    for (size_t i = 0; i < names.count; i++)
        look_into(r, names.name[i]);
    disk_names_free(&names);
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

/* Verdicts on what was sent since then; `first` becomes when the first was. */
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

/* Of this name, and of others of the same owner. */
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

static bool may_hand_in(struct visit *v)
{
    const struct reception *r = v->reception;
    const struct handins_config *c = rules_of(r);
    const char *name = v->connection->name;
    char first[DATE_TEXT + 1];

    if (count_waiting_of(r, name) >= c->per_owner)
        turn_away(v,
                  "%d hand-in%s of yours %s for a verdict already; wait until "
                  "it is there, or watch it with --watch",
                  c->per_owner, c->per_owner == 1 ? "" : "s",
                  c->per_owner == 1 ? "waits" : "wait");
    else if (count_state(r, HANDIN_WAITS) >= c->queue_max)
        turn_away(v, "%d hand-ins wait already; try again later", c->queue_max);
    else if (c->per_day > 0 && verdicts_of(r, name, first) >= c->per_day)
        turn_away(v,
                  "you have had %d verdicts within 24 hours, which is the "
                  "limit; the first of them was at %s",
                  c->per_day, first);
    else
        return true;
    return false;
}

/* Back again. */

static void watch(struct visit *v, struct handin *h)
{
    v->handin = h;
    v->told = 0;
    v->state = VISIT_WATCHES;
    tell_place(v);
    pump(v);
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

static void add_ladders(const struct reception *r, const char *name,
                        const char *version, struct buf *out)
{
    for (int i = 0; i < r->config->ladders; i++) {
        const struct ladder_config *l = &r->config->ladder[i];

        for (int k = 0; k < l->bots; k++)
            if (strcmp(l->bot[k]->bot.name, name) == 0 &&
                strcmp(l->bot[k]->digest, version) == 0)
                buf_add(out, "%s%s", out->len ? ", " : "", l->name);
    }
}

static void tell_playing(const struct reception *r, struct handin *h)
{
    struct buf ladders;

    buf_init(&ladders, 400);
    add_ladders(r, h->name, h->version, &ladders);
    if (ladders.len > 0)
        handin_tell(h, "playing", "on %s", ladders.text);
    else
        handin_tell(h, "playing",
                    "on no ladder: ask the organiser, the log of "
                    "the server says why");
    buf_release(&ladders);
}

/* The same archive plays already: then there is nothing to do. */
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
        h = enqueue(v->reception, name, "", v->digest);
        h->state = HANDIN_OVER;
        snprintf(h->version, sizeof h->version, "%s", playing);
        handin_tell(h, "accepted",
                    "version %s plays already; nothing was done again",
                    playing);
        tell_playing(r, h);
        watch(v, h);
    }
    json_decref(history);
    return same;
}

/* The last verdict, as it lies on the shelf. */
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
    h = enqueue(r, name, "", "");
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
        tell_playing(r, h);
    watch(v, h);
    return true;
}

/* Sending. */

static int count_senders(const struct reception *r)
{
    int count = 0;

    for (const struct visit *v = r->visits; v; v = v->next)
        count += v->state == VISIT_SENDS;
    return count;
}

static void stop_sending(struct visit *v)
{
    if (v->fd == -1)
        return;
    close(v->fd);
    v->fd = -1;
    unlink(v->path);
}

static bool open_file(struct visit *v, struct err *err)
{
    const char *shelf = rules_of(v->reception)->folder;
    char own[DISK_PATH_MAX], file[40];

    shelf_path(shelf, v->connection->name, ".", own);
    snprintf(file, sizeof file, BEGUN "%u", ++v->reception->uploads);
    shelf_path(shelf, v->connection->name, file, v->path);
    own[strlen(own) - 2] = '\0';
    if (!disk_folder(shelf, err) || !disk_folder(own, err))
        return false;
    v->fd = open(v->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return v->fd != -1 || fail(err, "%s: %s", v->path, strerror(errno));
}

static void our_fault(struct visit *v, const char *why)
{
    log_line(v->reception->log, LOG_ERROR, NULL,
             "what %s hands in cannot be kept: %s", v->connection->name, why);
    stop_sending(v);
    turn_away(v, "the server cannot keep it now; that is not your fault and "
                 "does not count. Try again later");
}

static void begin_sending(struct visit *v)
{
    struct err err;

    if (!open_file(v, &err)) {
        our_fault(v, err.text);
        return;
    }
    v->state = VISIT_SENDS;
    v->heard_us = now_us();
    v->got = 0;
    sha256_begin(&v->hash);
    connection_tell(v->connection, "send", "now");
}

/* Somebody else may send now. */
static void let_send(struct reception *r)
{
    struct visit *oldest = NULL;

    if (count_senders(r) >= SENDERS_MAX)
        return;
    for (struct visit *v = r->visits; v; v = v->next) /* the newest is first */
        if (v->state == VISIT_WAITS)
            oldest = v;
    if (oldest)
        begin_sending(oldest);
}

static bool write_piece(struct visit *v)
{
    bool ok = v->piece.len == 0 || disk_put(v->fd, v->piece.text, v->piece.len);

    if (!ok)
        our_fault(v, strerror(errno));
    buf_reset(&v->piece);
    return ok;
}

/* It is whole: is it what was announced? */
static void end_sending(struct visit *v)
{
    unsigned char digest[SHA256_BYTES];
    char hex[HANDIN_DIGEST_HEX + 1], file[HANDIN_DIGEST_HEX + 8];
    char path[DISK_PATH_MAX];

    if (!write_piece(v))
        return;
    sha256_end(&v->hash, digest);
    text_hex(hex, digest, sizeof digest);
    if (strcmp(hex, v->digest) != 0) {
        stop_sending(v);
        turn_away(v, "what came has not the SHA-256 that was announced; send "
                     "it again");
        return;
    }
    snprintf(file, sizeof file, SHELF_SENT "%s", hex);
    shelf_path(rules_of(v->reception)->folder, v->connection->name, file, path);
    if (rename(v->path, path) != 0) {
        our_fault(v, strerror(errno));
        return;
    }
    close(v->fd);
    v->fd = -1;
    watch(v, enqueue(v->reception, v->connection->name, path, hex));
    let_send(v->reception);
}

/* "#part BASE64" */
static void on_part(struct visit *v, const char *text)
{
    unsigned char bytes[PIECE_MAX];
    size_t len;

    if (v->state != VISIT_SENDS) {
        turn_away(v, "a #part comes after the line \"# send\"");
    } else if (sodium_base642bin(bytes, sizeof bytes, text, strlen(text), NULL,
                                 &len, NULL, sodium_base64_VARIANT_ORIGINAL) ||
               len == 0) {
        stop_sending(v);
        turn_away(v, "a #part is base64, of 1 to %d bytes", PIECE_MAX);
    } else if (v->got + (long long)len > v->bytes) {
        stop_sending(v);
        turn_away(v, "more came than the %lld bytes that were announced",
                  v->bytes);
    } else {
        v->heard_us = now_us();
        v->got += (long long)len;
        sha256_add(&v->hash, bytes, len);
        buf_put(&v->piece, (char *)bytes, len);
        if (v->got == v->bytes)
            end_sending(v);
        else if (v->piece.len + PIECE_MAX > WRITE_BYTES)
            write_piece(v);
    }
}

/* What lies there since a crash, or since we failed. */
static bool lies_there(struct visit *v)
{
    char file[HANDIN_DIGEST_HEX + 8], path[DISK_PATH_MAX];

    snprintf(file, sizeof file, SHELF_SENT "%s", v->digest);
    shelf_path(rules_of(v->reception)->folder, v->connection->name, file, path);
    if (disk_size(path) != v->bytes)
        return false;
    watch(v, enqueue(v->reception, v->connection->name, path, v->digest));
    return true;
}

static bool read_announcement(struct visit *v, const char *text)
{
    unsigned char digest[SHA256_BYTES];
    long long most = (long long)rules_of(v->reception)->archive_mib << 20;
    int bytes;

    if (!take_int(&text, 1, INT32_MAX, &bytes) || !take_char(&text, ' ') ||
        !text_unhex(digest, sizeof digest, text)) {
        turn_away(v, "say \"#handin BYTES SHA256\": the size of the archive, "
                     "and its digest as 64 hex digits");
        return false;
    }
    if (bytes > most) {
        turn_away(v, "the archive has %d bytes, and at most %lld are taken",
                  bytes, most);
        return false;
    }
    v->bytes = bytes;
    snprintf(v->digest, sizeof v->digest, "%s", text);
    return true;
}

/* Its connection broke, and we have not noticed yet. */
static void replace_older(const struct visit *newer)
{
    for (struct visit *v = newer->reception->visits; v; v = v->next)
        if (v != newer &&
            (v->state == VISIT_WAITS || v->state == VISIT_SENDS) &&
            strcmp(v->connection->name, newer->connection->name) == 0 &&
            strcmp(v->digest, newer->digest) == 0) {
            stop_sending(v);
            turn_away(v, "a newer connection hands in the same");
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
        watch(v, known);
        return;
    }
    replace_older(v);
    if (plays_already(v) || !may_hand_in(v) || lies_there(v))
        return;
    v->state = VISIT_WAITS;
    let_send(v->reception);
}

/* Was that the last one that got a verdict? */
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

/* "#watch", or "#watch SHA256" of one who comes back: if that is not here, he
 * may hand it in. */
static void on_watch(struct visit *v, const char *digest)
{
    struct handin *known =
        find_handin(v->reception, v->connection->name, digest);

    if (known)
        watch(v, known);
    else if (is_last(v, digest) && watch_kept(v))
        return;
    else if (*digest)
        tell_ready(v);
    else
        turn_away(v, "nothing was handed in as %s", v->connection->name);
}

/* Visits. */

static const struct {
    const char *word;
    void (*on)(struct visit *visit, const char *text);
} orders[] = {
    {"#part", on_part},
    {"#handin", on_handin},
    {"#watch", on_watch},
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
        if (orders[i].on != on_part && v->state != VISIT_BEGINS)
            break;
        orders[i].on(v, text);
        return;
    }
    if (*line) /* the empty line behind the login */
        turn_away(v, "say #handin BYTES SHA256, #part BASE64, or #watch, in "
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
        turn_away(v, "this server takes no hand-ins; connect to it with "
                     "\"referee connect\"");
    else if (visits_of(r, n->name) > VISITS_PER_NAME)
        turn_away(v, "too many connections that hand in as %s", n->name);
    else
        tell_ready(v);
}

void reception_room(struct reception *r, struct connection *n)
{
    if (n->visit)
        pump(n->visit);
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
    stop_sending(v);
    buf_release(&v->piece);
    free(v);
    let_send(r);
    start_soon(r);
}

void reception_stop(struct reception *r)
{
    r->is_stopping = true;
}

void reception_tick(struct reception *r)
{
    int64_t now = now_us();

    for (struct visit *v = r->visits; v; v = v->next)
        if ((v->state == VISIT_BEGINS || v->state == VISIT_SENDS) &&
            now - v->heard_us > silence_us) {
            stop_sending(v);
            turn_away(v, "nothing came for %d s", (int)(silence_us / 1000000));
        }
}

/* The whole. */

void reception_configure(struct reception *r, const struct serve_config *config)
{
    if (config)
        r->config = config;
    for (struct handin *h = r->queue; h; h = h->next) {
        if (!h->waits_to_play)
            continue;
        h->waits_to_play = false;
        if (config)
            tell_playing(r, h);
        else
            handin_tell(h, "playing",
                        "as soon as the organiser has mended the server's "
                        "configuration");
    }
    start_soon(r);
}

struct reception *reception_new(struct loop *loop, struct log *log,
                                const struct reception_owner *calls,
                                void *owner)
{
    struct reception *r = must_alloc(calloc(1, sizeof *r));

    r->loop = loop;
    r->log = log;
    r->calls = calls;
    r->owner = owner;
    r->next = (struct deferred){.run = start_next, .arg = r};
    return r;
}

void reception_free(struct reception *r)
{
    if (!r)
        return;
    while (r->visits)
        reception_leave(r, r->visits->connection);
    while (r->queue) {
        struct handin *h = r->queue;

        r->queue = h->next;
        handin_free(h);
    }
    loop_cancel(&r->next);
    free(r);
}

json_t *reception_json(const struct reception *r)
{
    if (!rules_of(r)->folder)
        return json_null();
    return json_pack("{s:i, s:i, s:I, s:I, s:I}", "waiting",
                     count_state(r, HANDIN_WAITS), "running",
                     count_state(r, HANDIN_RUNS), "accepted",
                     (json_int_t)r->accepted, "refused", (json_int_t)r->refused,
                     "failed", (json_int_t)r->failed);
}
