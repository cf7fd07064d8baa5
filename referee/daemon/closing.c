#include "daemon/closing.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
    GAMES_MAX = 64,     /* in one turn of the loop */
    EVERY_US = 100000,  /* or more of them come together */
    AGAIN_US = 1000000, /* after a failure */
};

struct closing {
    struct loop *loop;
    struct log *log;
    struct archive *archive;
    struct syncer *syncer;
    struct troubles *troubles;
    const struct closing_owner *calls;
    void *owner;
    struct closed_game *game; /* games that wait, the oldest first */
    int count, cap;
    int64_t tried_us; /* when a transaction was last tried */
    bool is_copying;  /* the index's log, in a thread */
    int caught_up;    /* games that the index had lost */
    struct alarm alarm;
};

void closing_add(struct closing *c, const struct closed_game *game)
{
    if (c->count == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 64;
        c->game = must_resize(c->game, (size_t)c->cap, sizeof *c->game);
    }
    c->game[c->count++] = *game;
    if (c->count == 1)
        loop_alarm(c->loop, &c->alarm, c->tried_us + EVERY_US);
}

int closing_count(const struct closing *c)
{
    return c->count;
}

const struct closed_game *closing_find(const struct closing *c, const char *id)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->game[i].id, id) == 0)
            return &c->game[i];
    return NULL;
}

static void on_game(void *arg, const struct game_summary *summary)
{
    struct closing *c = arg;

    c->calls->on_game(c->owner, summary);
}

static void on_damaged(void *arg, const char *id, const char *why)
{
    struct closing *c = arg;

    log_line(c->log, LOG_ERROR, id,
             "its record is damaged and does not count: %s", why);
}

static void drop_first(struct closing *c, int count)
{
    for (int i = 0; i < count; i++) {
        c->calls->on_indexed(c->owner, &c->game[i]);
        free(c->game[i].summary);
    }
    c->count -= count;
    memmove(c->game, c->game + count, (size_t)c->count * sizeof *c->game);
}

/*
 * A long read by another process can block the checkpoint. It is tried again.
 */
static void on_copied(void *arg, int error)
{
    struct closing *c = arg;

    c->is_copying = false;
    if (error)
        log_line(c->log, LOG_DEBUG, NULL,
                 "the index's log could not be copied: SQLite says %d", error);
}

/* It waits for the disk, so it runs in a thread. */
static void copy_log(struct closing *c)
{
    if (c->is_copying || !archive_log_is_long(c->archive))
        return;
    c->is_copying = true;
    syncer_call(c->syncer, archive_copy_log, c->archive, on_copied, c);
}

static bool index_some(struct closing *c)
{
    const struct archive_news news = {on_game, on_damaged, c};
    struct ended games[GAMES_MAX];
    int count = c->count < GAMES_MAX ? c->count : GAMES_MAX;
    struct err err;

    for (int i = 0; i < count; i++) {
        const struct closed_game *game = &c->game[i];

        games[i] = (struct ended){game->id, game->summary, game->location,
                                  game->has_file};
    }
    c->tried_us = now_us();
    if (!archive_index_games(c->archive, games, count, &news, &err)) {
        trouble_begin(c->troubles, TROUBLE_INDEX,
                      "games cannot be taken in: %s", err.text);
        return false;
    }
    copy_log(c);
    drop_first(c, count);
    trouble_end(c->troubles, TROUBLE_INDEX);
    return true;
}

static void on_alarm(void *arg)
{
    struct closing *c = arg;

    loop_now(c->loop); /* the time this takes is lag for the bots */
    if (c->count == 0)
        return;
    if (!index_some(c))
        loop_alarm(c->loop, &c->alarm, now_us() + AGAIN_US);
    else if (c->count > 0)
        loop_soon(c->loop, &c->alarm.deferred);
    c->calls->on_tried(c->owner);
}

void closing_flush(struct closing *c)
{
    while (c->count > 0)
        if (!index_some(c))
            return;
}

/* Games that the index lost in a power failure. */

static void on_found(void *arg, const struct game_summary *summary)
{
    struct closing *c = arg;

    c->caught_up++;
    c->calls->on_game(c->owner, summary);
}

static void on_lost(void *arg, const char *path, const char *why)
{
    struct closing *c = arg;

    log_line(c->log, LOG_ERROR, NULL, "a record does not count: %s", why);
}

bool closing_catch_up(struct closing *c, struct err *err)
{
    const struct archive_news news = {on_found, on_lost, c};

    if (!archive_catch_up(c->archive, &news, err))
        return false;
    if (c->caught_up > 0)
        log_line(c->log, LOG_WARNING, NULL,
                 "the last run was cut off: %d game%s of records/ that the "
                 "index had lost %s added",
                 c->caught_up, c->caught_up == 1 ? "" : "s",
                 c->caught_up == 1 ? "was" : "were");
    return true;
}

/* Begin and end. */

struct closing *closing_new(struct loop *loop, struct log *log,
                            struct archive *archive, struct syncer *syncer,
                            struct troubles *troubles,
                            const struct closing_owner *calls, void *owner)
{
    struct closing *c = must_alloc(calloc(1, sizeof *c));

    c->loop = loop;
    c->log = log;
    c->archive = archive;
    c->syncer = syncer;
    c->troubles = troubles;
    c->calls = calls;
    c->owner = owner;
    alarm_init(&c->alarm, on_alarm, c);
    return c;
}

void closing_free(struct closing *c)
{
    if (!c)
        return;
    alarm_stop(c->loop, &c->alarm);
    for (int i = 0; i < c->count; i++)
        free(c->game[i].summary);
    free(c->game);
    free(c);
}
