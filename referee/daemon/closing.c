#include "base/alloc.h"
#include "daemon/server_state.h"
#include "store/disk.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TAKE_IN_MAX = 64,          /* games in one turn of the loop */
    TAKE_IN_EVERY_US = 100000, /* or more of them come together */
    TRY_AGAIN_US = 1000000,
};

/* Trouble. */

static const char *const well_again[TROUBLES] = {
    [TROUBLE_RECORD] = "records can be written again",
    [TROUBLE_INDEX] = "games are taken into the index again",
    [TROUBLE_START] = "games can be started again",
};

void trouble_begin(struct server *s, enum trouble_kind kind, const char *fmt,
                   ...)
{
    struct trouble *t = &s->trouble[kind];
    va_list args;

    t->again_us = now_us() + TRY_AGAIN_US;
    if (t->is_on)
        return;
    t->is_on = true;
    va_start(args, fmt);
    vsnprintf(t->text, sizeof t->text, fmt, args);
    va_end(args);
    log_line(&s->log, LOG_ERROR, NULL,
             "%s; no game starts until that is over, nothing is lost", t->text);
}

void trouble_end(struct server *s, enum trouble_kind kind)
{
    if (!s->trouble[kind].is_on)
        return;
    s->trouble[kind].is_on = false;
    log_line(&s->log, LOG_INFO, NULL, "%s", well_again[kind]);
    ladders_changed(s);
    units_wake(s);
}

const char *trouble_text(const struct server *s)
{
    for (int i = 0; i < TROUBLES; i++)
        if (s->trouble[i].is_on)
            return s->trouble[i].text;
    return NULL;
}

/* What could not be started is tried again, to see whether it can now. */
bool can_start(const struct server *s)
{
    const struct trouble *start = &s->trouble[TROUBLE_START];

    return s->phase == SERVER_RUNNING && !s->trouble[TROUBLE_RECORD].is_on &&
           !s->trouble[TROUBLE_INDEX].is_on &&
           (!start->is_on || now_us() >= start->again_us);
}

/* Taking in. */

void game_closed(struct server *s, const struct closed_game *game)
{
    if (s->closed_len == s->closed_cap) {
        s->closed_cap = s->closed_cap ? 2 * s->closed_cap : 64;
        s->closed = must_alloc(
            realloc(s->closed, (size_t)s->closed_cap * sizeof *s->closed));
    }
    if (game->ladder)
        game->ladder->closing++;
    s->closed[s->closed_len++] = *game;
    if (s->closed_len == 1)
        loop_alarm(&s->loop, &s->taker, s->indexed_us + TAKE_IN_EVERY_US);
}

void closed_free(struct server *s)
{
    for (int i = 0; i < s->closed_len; i++)
        free(s->closed[i].summary);
    free(s->closed);
}

static void on_game(void *arg, const struct game_summary *summary)
{
    struct server *s = arg;
    struct server_ladder *l = ladder_named(s, summary->event);

    if (summary->status == SUMMARY_FINISHED)
        rater_news(s->rater);
    if (l && !l->is_loading)
        ladder_learn(l->memory, summary, now_us());
}

static void on_damaged(void *arg, const char *id, const char *why)
{
    struct server *s = arg;

    log_line(&s->log, LOG_ERROR, id,
             "its record is damaged and counts for nothing: %s", why);
}

/* They were counted when they began; now they are learnt, or void. */
static void drop_closed(struct server *s, int count)
{
    for (int i = 0; i < count; i++) {
        struct closed_game *game = &s->closed[i];

        free(game->summary);
        if (!game->ladder)
            continue;
        ladder_forget(game->ladder->memory, game->entrant, game->seats, 1);
        game->ladder->closing--;
        game->ladder->is_changed = true;
    }
    s->closed_len -= count;
    memmove(s->closed, s->closed + count,
            (size_t)s->closed_len * sizeof *s->closed);
    start_games(s);
}

/* Somebody who reads for long can be in the way: it is tried again. */
static void on_copied(void *arg, int error)
{
    struct server *s = arg;

    s->is_copying = false;
    if (error)
        log_line(&s->log, LOG_DEBUG, NULL,
                 "the index's log could not be copied: SQLite says %d", error);
}

static void copy_log(struct server *s)
{
    if (s->is_copying || !archive_log_is_long(s->archive))
        return;
    s->is_copying = true;
    syncer_call(s->syncer, archive_copy_log, s->archive, on_copied, s);
}

static bool index_waiting_games(struct server *s)
{
    const struct archive_news news = {on_game, on_damaged, s};
    struct ended games[TAKE_IN_MAX];
    int count = s->closed_len < TAKE_IN_MAX ? s->closed_len : TAKE_IN_MAX;
    struct err err;

    for (int i = 0; i < count; i++) {
        const struct closed_game *game = &s->closed[i];

        games[i] = (struct ended){game->id, game->summary, game->location,
                                  game->has_file};
    }
    s->indexed_us = now_us();
    if (!archive_index_games(s->archive, games, count, &news, &err)) {
        trouble_begin(s, TROUBLE_INDEX, "games cannot be taken in: %s",
                      err.text);
        return false;
    }
    copy_log(s);
    drop_closed(s, count);
    trouble_end(s, TROUBLE_INDEX);
    return true;
}

void on_index_games(void *arg)
{
    struct server *s = arg;

    loop_now(&s->loop); /* what takes long here is lag for the bots */
    if (s->closed_len == 0)
        return;
    if (!index_waiting_games(s))
        loop_alarm(&s->loop, &s->taker, now_us() + TRY_AGAIN_US);
    else if (s->closed_len > 0)
        loop_soon(&s->loop, &s->taker.deferred);
    end_if_done(s);
}

void index_closed_games(struct server *s)
{
    while (s->closed_len > 0)
        if (!index_waiting_games(s))
            return;
}

/* What a power failure took from the index. */

static void count_game(void *arg, const struct game_summary *summary)
{
    struct server *s = arg;

    if (summary->status == SUMMARY_FINISHED)
        rater_news(s->rater);
    s->caught_up++;
}

static void on_lost(void *arg, const char *path, const char *why)
{
    struct server *s = arg;

    log_line(&s->log, LOG_ERROR, NULL, "a record counts for nothing: %s", why);
}

static bool catch_up_on(struct server *s, struct err *err)
{
    const struct archive_news news = {count_game, on_lost, s};

    if (!archive_catch_up(s->archive, &news, err))
        return false;
    if (s->caught_up > 0)
        log_line(&s->log, LOG_WARNING, NULL,
                 "the last run was cut off: %d game%s of records/ that the "
                 "index had lost %s added",
                 s->caught_up, s->caught_up == 1 ? "" : "s",
                 s->caught_up == 1 ? "was" : "were");
    return true;
}

/* The session. */

/* The name of the last one; "" if there was none. */
static void read_session(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd == -1 ? 0 : read(fd, out, size - 1);

    out[n > 0 ? n : 0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (fd != -1)
        close(fd);
}

/*
 * Games of this run are called 20250131-120000-000001 and so on. A run that
 * begins in the same second as the last, or before it, as clocks go, is called
 * by a later second, for no two games may have one name.
 */
bool session_open(struct server *s, struct err *err)
{
    char path[PATH_BYTES], last[sizeof s->session];
    time_t now = time(NULL);

    s->metrics.start_s = now;
    snprintf(path, sizeof path, "%s/session", config_of(s)->data);
    read_session(path, last, sizeof last);
    do
        date_name(now++, s->session);
    while (strcmp(s->session, last) <= 0 && now < s->metrics.start_s + 86400);
    return catch_up_on(s, err) &&
           disk_write(path, s->session, strlen(s->session), err);
}
