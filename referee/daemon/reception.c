#include "daemon/reception.h"

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/reception_state.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { PATIENCE = 4 }; /* of a step of "referee admit" */

/* for everything that has no limit of its own */
static const int64_t start_us = 120000000;

static void pump_all(struct reception *r, const struct handin *h)
{
    for (struct visit *v = r->visits; v; v = v->next)
        if (v->handin == h)
            visit_pump(v);
}

static void on_told(void *owner, struct handin *h)
{
    pump_all(owner, h);
}

/* The queue. */

int reception_place(const struct reception *r, const struct handin *which)
{
    int place = 1;

    for (const struct handin *h = r->queue; h != which; h = h->next)
        place += h->state == HANDIN_WAITS;
    return place;
}

static void tell_places(struct reception *r)
{
    for (struct visit *v = r->visits; v; v = v->next)
        if (v->state == VISIT_WATCHES && v->handin)
            visit_tell_place(v);
}
int reception_count(const struct reception *r, enum handin_state state)
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

/* A finished hand-in is kept as long as a client still reads about it. */
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

/* The next hand-in. Only one of each bot runs at a time. */
static struct handin *find_next(const struct reception *r)
{
    for (struct handin *h = r->queue; h; h = h->next)
        if (h->state == HANDIN_WAITS && !is_at_work(r, h->name))
            return h;
    return NULL;
}

/*
 * Longer than "referee admit" allows itself, which is longer on a busy machine
 * and tries twice.
 */
static int64_t limit_of(const struct reception *r)
{
    const struct handins_config *c = rules_of(r);

    return start_us +
           PATIENCE * 2 * (c->build_us + 2 * r->config->ladders * c->check_us);
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
           reception_count(r, HANDIN_RUNS) < rules_of(r)->at_once &&
           (h = find_next(r)) != NULL)
        if (!handin_start(h, r->loop, r->config->path, limit_of(r), &err)) {
            h->state = HANDIN_OVER;
            fail_it(r, h, err.text);
        }
    tell_places(r);
}

void reception_start_soon(struct reception *r)
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
    reception_start_soon(r);
}

static const struct handin_owner handin_calls = {on_told, on_over};

struct handin *reception_enqueue(struct reception *r, const char *name,
                                 const char *path, const char *sent)
{
    struct handin *h = handin_new(name, path, sent, &handin_calls, r);
    struct handin **at = &r->queue;

    while (*at)
        at = &(*at)->next;
    *at = h;
    reception_start_soon(r);
    return h;
}

/* Hand-ins that lie on the shelf. */

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

/* Is it one of the file names that shelf.h lists? */
static bool is_ours(const char *name)
{
    size_t len = strlen(name), ending = strlen(".jsonl");

    return name[0] == '.' || strcmp(name, SHELF_TAKEN) == 0 ||
           is_version(name) ||
           (len > ending && strcmp(name + len - ending, ".jsonl") == 0);
}

static bool is_begun(const char *name)
{
    return strncmp(name, SENDING, strlen(SENDING)) == 0;
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
        unlink(path); /* no client will send the rest */
    else if (!is_ours(file) && !is_queued(r, path))
        reception_enqueue(r, name, path,
                          strncmp(file, SHELF_SENT, prefix) == 0 ? file + prefix
                                                                 : "");
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

void reception_add_ladders(const struct reception *r, const char *name,
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

void reception_tell_playing(const struct reception *r, struct handin *h)
{
    struct buf ladders;

    buf_init(&ladders, 400);
    reception_add_ladders(r, h->name, h->version, &ladders);
    if (ladders.len > 0)
        handin_tell(h, "playing", "on %s", ladders.text);
    else
        handin_tell(h, "playing",
                    "on no ladder: ask the organiser, the log of "
                    "the server says why");
    buf_release(&ladders);
}
/* The whole. */

void reception_stop(struct reception *r)
{
    r->is_stopping = true;
}
void reception_configure(struct reception *r, const struct serve_config *config)
{
    if (config)
        r->config = config;
    for (struct handin *h = r->queue; h; h = h->next) {
        if (!h->waits_to_play)
            continue;
        h->waits_to_play = false;
        if (config)
            reception_tell_playing(r, h);
        else
            handin_tell(h, "playing",
                        "as soon as the organiser has mended the server's "
                        "configuration");
    }
    for (struct visit *v = r->visits; v; v = v->next)
        if (v->state == VISIT_CHOOSES)
            choosing_done(v, config != NULL);
    reception_start_soon(r);
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
                     reception_count(r, HANDIN_WAITS), "running",
                     reception_count(r, HANDIN_RUNS), "accepted",
                     (json_int_t)r->accepted, "refused", (json_int_t)r->refused,
                     "failed", (json_int_t)r->failed);
}
