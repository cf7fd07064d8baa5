#include "daemon/bot_logs.h"

#include "base/alloc.h"
#include "base/date.h"
#include "daemon/budget.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    AT_ONCE = 100, /* files that are removed in one turn of the loop */
    PATH_BYTES = 1024,
    DEPTH_OF_DAYS = 2, /* below logs/ */
};

static const int64_t mib = 1 << 20;
static const int64_t hour_us = INT64_C(3600000000);

struct bot_logs {
    struct loop *loop;
    struct log *log;
    struct archive *archive;
    const struct serve_config *config;
    bool has_owners; /* some bots of it */
    struct budget budget;
    struct alarm tidy; /* remove what is old */
    FTS *old;          /* what is looked at for that, or NULL */
    int removed;
};

/* The bot that wrote this file. "ID.NAME.log"; an id has no dots. */
static const char *name_in(char *file, char **end)
{
    char *name = strchr(file, '.');

    *end = strrchr(file, '.');
    return name && name != *end && strcmp(*end, ".log") == 0 ? name + 1 : NULL;
}

static const char *owner_of(const struct bot_logs *l, const char *name)
{
    if (!l->has_owners)
        return NULL;
    for (int i = 0; i < l->config->bots; i++)
        if (strcmp(l->config->bot[i].bot.name, name) == 0)
            return l->config->bot[i].owner;
    return NULL;
}

static void charge(struct bot_logs *l, const char *name, int64_t bytes)
{
    budget_charge(&l->budget, name, owner_of(l, name), bytes,
                  loop_now(l->loop));
}

/* A file was found, or is removed. */
static void charge_file(struct bot_logs *l, char *file, int64_t bytes)
{
    char *end;
    const char *name = name_in(file, &end);

    if (!name)
        return;
    *end = '\0';
    charge(l, name, bytes);
    *end = '.';
}

static FTS *open_logs(const struct bot_logs *l)
{
    char path[PATH_BYTES], *paths[] = {path, NULL};

    snprintf(path, sizeof path, "%s/logs", l->config->data);
    return fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
}

static void count_all(struct bot_logs *l)
{
    FTS *tree = open_logs(l);
    FTSENT *entry;

    while (tree && (entry = fts_read(tree)) != NULL)
        if (entry->fts_info == FTS_F)
            charge_file(l, entry->fts_name, entry->fts_statp->st_size);
    if (tree)
        fts_close(tree);
}

/* Removing old logs. */

static bool is_day(const FTSENT *entry)
{
    return entry->fts_level == DEPTH_OF_DAYS &&
           strlen(entry->fts_name) == DATE_DAY &&
           strspn(entry->fts_name, "0123456789") == DATE_DAY;
}

static bool is_old_day(const struct bot_logs *l, const FTSENT *entry)
{
    char oldest[DATE_NAME_TEXT + 1];

    date_name(time(NULL) - 86400LL * l->config->keep_logs_days, oldest);
    return is_day(entry) && strncmp(entry->fts_name, oldest, DATE_DAY) < 0;
}

static void remove_file(struct bot_logs *l, FTSENT *entry)
{
    if (unlink(entry->fts_accpath) != 0)
        return;
    charge_file(l, entry->fts_name, -entry->fts_statp->st_size);
    l->removed++;
}

/* Only days that are old enough are listed. */
static void look_at(struct bot_logs *l, FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_D:
        if (entry->fts_level == DEPTH_OF_DAYS && !is_old_day(l, entry))
            fts_set(l->old, entry, FTS_SKIP);
        break;
    case FTS_F:
        if (entry->fts_level == DEPTH_OF_DAYS + 1)
            remove_file(l, entry);
        break;
    case FTS_DP:
        if (is_old_day(l, entry))
            rmdir(entry->fts_accpath);
        break;
    default:
        break;
    }
}

static void end_tidying(struct bot_logs *l)
{
    if (l->old)
        fts_close(l->old);
    l->old = NULL;
    if (l->removed > 0)
        log_line(l->log, LOG_INFO, NULL,
                 "%d logs of bots are removed: they were older than keep-logs, "
                 "%d days",
                 l->removed, l->config->keep_logs_days);
    l->removed = 0;
}

static void on_tidy(void *arg)
{
    struct bot_logs *l = arg;
    int64_t next = loop_now(l->loop);
    FTSENT *entry = NULL;

    if (!l->old && l->config->keep_logs_days > 0)
        l->old = open_logs(l);
    for (int i = 0; l->old && i < AT_ONCE; i++) {
        entry = fts_read(l->old);
        if (!entry)
            break;
        look_at(l, entry);
    }
    if (!entry) {
        end_tidying(l);
        next += hour_us;
    }
    loop_alarm(l->loop, &l->tidy, next);
}

/* Begin and end. */

struct bot_logs *bot_logs_new(struct loop *loop, struct log *log,
                              struct archive *archive)
{
    struct bot_logs *l = must_alloc(calloc(1, sizeof *l));

    l->loop = loop;
    l->log = log;
    l->archive = archive;
    alarm_init(&l->tidy, on_tidy, l);
    return l;
}

void bot_logs_free(struct bot_logs *l)
{
    if (!l)
        return;
    alarm_stop(l->loop, &l->tidy);
    if (l->old)
        fts_close(l->old);
    budget_release(&l->budget);
    free(l);
}

void bot_logs_configure(struct bot_logs *l, const struct serve_config *config)
{
    bool is_first = !l->config;

    l->config = config;
    l->has_owners = false;
    for (int i = 0; i < config->bots; i++)
        l->has_owners = l->has_owners || config->bot[i].owner;
    if (is_first)
        count_all(l);
    loop_alarm(l->loop, &l->tidy, loop_now(l->loop));
}

/* One log. */

static bool has_budget(struct bot_logs *l, const struct player *player)
{
    const struct budget_limits limits = {mib * l->config->bot_log_mib,
                                         mib * l->config->log_mib};
    bool is_news;
    bool allows = budget_allows(&l->budget, player->bot.name, player->owner,
                                &limits, loop_now(l->loop), &is_news);

    if (is_news)
        log_line(l->log, LOG_WARNING, NULL,
                 "%s loses its log: log-budget or bot-log-budget is exhausted",
                 player->bot.name);
    return allows;
}

static bool find_path(struct bot_logs *l, const struct bot_log *of, char *path,
                      size_t size)
{
    struct err err;

    return archive_log_path(l->archive, of->ladder, of->start, of->id,
                            of->player->bot.name, path, size, &err);
}

void bot_logs_path(struct bot_logs *l, const struct bot_log *of, char *path,
                   size_t size)
{
    if (!has_budget(l, of->player) || !find_path(l, of, path, size))
        path[0] = '\0';
}

void bot_logs_charge(struct bot_logs *l, const struct bot_log *of)
{
    char path[PATH_BYTES];
    struct stat file;

    if (find_path(l, of, path, sizeof path) && stat(path, &file) == 0)
        charge(l, of->player->bot.name, file.st_size);
}
