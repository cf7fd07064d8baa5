/*
 * The configuration is read again while games run: on SIGHUP, on "referee
 * reload", and when a bot that was handed in has been accepted. Games under way
 * keep the configuration with which they began (generations.h). If the new one
 * is wrong, the old one stays in use.
 */

#include "daemon/server_state.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum {
    CHANGES_BYTES = 1 << 20,
    RENEWAL_US = 250000, /* between two, at least; ... */
    RENEWAL_SHARE = 20,  /* ... and so many times as long as one takes */
};

void reload_rater(struct server *s)
{
    const struct serve_config *c = config_of(s);

    rater_set(s->rater, c->rate_every_us, c->ladder, c->ladders);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_listener(const struct listener_config *a,
                             const struct listener_config *b)
{
    return a->kind == b->kind && a->port == b->port &&
           is_same(a->address, b->address);
}

/* What is opened once, at the start. */
static bool has_same_doors(const struct serve_config *a,
                           const struct serve_config *b)
{
    bool same = a->listeners == b->listeners && a->http_port == b->http_port &&
                is_same(a->http, b->http) && is_same(a->data, b->data) &&
                is_same(a->control, b->control) &&
                is_same(a->database, b->database);

    for (int i = 0; same && i < a->listeners; i++)
        same = is_same_listener(&a->listener[i], &b->listener[i]);
    return same;
}

/* For the log, and for the client that asked for it. */
static json_t *tell_changes(struct server *s, const struct serve_config *old,
                            const struct serve_config *now)
{
    json_t *list = json_array();
    struct lines changes;

    lines_init(&changes, CHANGES_BYTES);
    s->changes(old, now, &changes);
    for (size_t i = 0; i < changes.count; i++) {
        const char *text = lines_text(&changes, i);

        log_line(&s->log, LOG_INFO, NULL, "changed: %s", text);
        json_array_append_new(list, json_string(text));
    }
    lines_release(&changes);
    return list;
}

/* Reassign processors; running bots keep what they have. */
void reload_cores(struct server *s, const struct serve_config *config)
{
    if (config->machine)
        cores_split(config->machine, config->own_cores);
    s->loop.children.cores = config->machine;
}

/* Without a new file of keys, the old keys stay valid. */
static void reconfigure_away(struct server *s)
{
    struct err err;

    if (s->away && config_of(s)->worker_keys &&
        !away_configure(s->away, s->generations.newest, &err))
        log_line(&s->log, LOG_ERROR, NULL, "the old keys of workers stay: %s",
                 err.text);
}

/* Returns what changed, or NULL: the old configuration stays. */
static json_t *reload(struct server *s, const char *who, bool *needs_restart)
{
    const struct serve_config *old = config_of(s);
    struct serve_config *config = s->reread(old->path);
    json_t *changes;
    char what[64];
    struct err err;

    if (!config) {
        log_line(&s->log, LOG_ERROR, NULL,
                 "the new configuration is wrong: the old one stays in use");
        return NULL;
    }
    generations_add(&s->generations, config);
    if (!lobby_configure(s->lobby, config, s->phase == SERVER_STARTING, &err)) {
        generations_drop(&s->generations);
        log_line(&s->log, LOG_ERROR, NULL,
                 "the old configuration stays in use: %s", err.text);
        return NULL;
    }
    reload_cores(s, config);
    units_configure(s->units, s->generations.newest);
    reconfigure_away(s);
    keys_sort(config);
    doors_reconfigure(s->doors, config);
    log_level_read(config->log_level, &s->log.level);
    reload_rater(s);
    changes = tell_changes(s, old, config);
    snprintf(what, sizeof what, "%zu change%s", json_array_size(changes),
             json_array_size(changes) == 1 ? "" : "s");
    log_line(&s->log, LOG_INFO, NULL, "configuration read again: %s", what);
    organise_note(s, ORDER_RELOAD, "", who, what);
    *needs_restart = !has_same_doors(s->generations.opened, config);
    if (*needs_restart)
        log_line(
            &s->log, LOG_WARNING, NULL,
            "changes of listeners, control, http, data and database need a "
            "restart");
    return changes;
}

/* Also accept what an organiser has put on the shelf. */
json_t *reload_all(struct server *s, const char *who, bool *needs_restart)
{
    json_t *changes = reload(s, who, needs_restart);

    if (changes) {
        reception_configure(s->reception, config_of(s));
        reception_look(s->reception);
        doors_tell_registered(s->doors, true);
    }
    return changes;
}

/*
 * For hand-ins and newcomers. Reading a large configuration takes time, and the
 * games wait meanwhile. So there is a pause between two reloads.
 */
void reload_renew(void *arg)
{
    struct server *s = arg;
    int64_t begun = now_us(), us;
    bool needs_restart;
    json_t *changes;

    if (s->phase == SERVER_STOPPING)
        return;
    changes = reload(s, "the server", &needs_restart);
    reception_configure(s->reception, changes ? config_of(s) : NULL);
    doors_tell_registered(s->doors, changes != NULL);
    json_decref(changes);
    us = RENEWAL_SHARE * (now_us() - begun);
    s->renewal_free_us = now_us() + (us > RENEWAL_US ? us : RENEWAL_US);
}

void reload_soon(void *owner)
{
    struct server *s = owner;
    int64_t now = now_us();

    if (s->renewal.due_us == INT64_MAX)
        loop_alarm(&s->loop, &s->renewal,
                   now > s->renewal_free_us ? now : s->renewal_free_us);
}
