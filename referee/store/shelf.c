#include "store/shelf.h"

#include "base/text.h"
#include "match/login.h"
#include "store/json_lines.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char event_words[] = "accepted|refused|withdrawn|chosen";

/* What is missing counts as "". */
static const char *text_of(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

const char *handin_event_word(enum handin_event event)
{
    static const char *const words[HANDIN_EVENTS] = {"accepted", "refused",
                                                     "withdrawn", "chosen"};

    return words[event];
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool shelf_names(const char *shelf, struct disk_names *names, struct err *err)
{
    DIR *dir = opendir(shelf);
    const struct dirent *entry;
    char path[DISK_PATH_MAX];

    if (!dir)
        return errno == ENOENT || fail(err, "%s: %s", shelf, strerror(errno));
    while ((entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", shelf, entry->d_name);
        if (entry->d_name[0] != '.' && is_bot_name(entry->d_name) &&
            disk_is_folder(path))
            disk_names_add(names, entry->d_name);
    }
    closedir(dir);
    if (names->count > 1)
        qsort(names->name, names->count, sizeof *names->name, compare_names);
    return true;
}

void shelf_path(const char *shelf, const char *name, const char *version,
                char path[DISK_PATH_MAX])
{
    snprintf(path, DISK_PATH_MAX, "%s/%s/%s", shelf, name, version);
}

bool shelf_history(const char *shelf, const char *name, json_t **history,
                   struct err *err)
{
    char path[DISK_PATH_MAX];

    shelf_path(shelf, name, "history.jsonl", path);
    return json_lines_read(path, HISTORY_BYTES_MAX, history, err);
}

bool shelf_add(const char *shelf, const char *name, enum handin_event event,
               const char *version, json_t *more, struct err *err)
{
    json_t *line = json_pack("{s:s, s:s, s:s*}", "at",
                             date_text(&(struct date){0}, time(NULL)), "event",
                             handin_event_word(event), "version", version);
    char path[DISK_PATH_MAX];
    bool ok;

    json_object_update(line, more);
    json_decref(more);
    shelf_path(shelf, name, "history.jsonl", path);
    ok = json_lines_add(path, line, err);
    json_decref(line);
    return ok;
}

static int event_of(const json_t *line)
{
    return words_find(event_words, text_of(line, "event"));
}

/* Has the version been taken back after line `from`, and before line `to`? */
static bool is_withdrawn(const json_t *history, const char *version,
                         size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        const json_t *line = json_array_get(history, i);

        if (event_of(line) == HANDIN_WITHDRAWN &&
            strcmp(text_of(line, "version"), version) == 0)
            return true;
    }
    return false;
}

const char *history_playing(const json_t *history, const char *until)
{
    size_t end = json_array_size(history);

    while (until && end > 0 &&
           strcmp(text_of(json_array_get(history, end - 1), "at"), until) > 0)
        end--;
    for (size_t i = end; i-- > 0;) {
        const json_t *line = json_array_get(history, i);
        const char *version = text_of(line, "version");
        int event = event_of(line);

        if ((event == HANDIN_ACCEPTED || event == HANDIN_CHOSEN) &&
            !is_withdrawn(history, version, i, end))
            return version;
    }
    return NULL;
}

const char *history_accepted_at(const json_t *history, const char *version)
{
    for (size_t i = json_array_size(history); i-- > 0;) {
        const json_t *line = json_array_get(history, i);

        if (event_of(line) == HANDIN_ACCEPTED &&
            strcmp(text_of(line, "version"), version) == 0)
            return text_of(line, "at");
    }
    return NULL;
}

static bool find_version(const json_t *history, const char *wish,
                         char version[VERSION_HEX + 1], struct err *err)
{
    const json_t *line;
    size_t i;

    version[0] = '\0';
    json_array_foreach(history, i, line)
    {
        const char *known = text_of(line, "version");

        if (!*wish || strncmp(known, wish, strlen(wish)) != 0 ||
            event_of(line) != HANDIN_ACCEPTED)
            continue;
        if (version[0] && strcmp(version, known) != 0)
            return fail(err,
                        "two versions begin with \"%.20s\": %s and %.16s; "
                        "write more of it",
                        wish, version, known);
        snprintf(version, VERSION_HEX + 1, "%s", known);
    }
    return version[0] ||
           fail(err, "no accepted version begins with \"%.20s\"", wish);
}

bool shelf_change(const char *shelf, const char *name, enum handin_event event,
                  const char *wish, const char *by,
                  char version[VERSION_HEX + 1], struct err *err)
{
    char path[DISK_PATH_MAX];
    json_t *history;
    bool ok;

    if (!shelf_history(shelf, name, &history, err))
        return false;
    ok = find_version(history, wish, version, err);
    json_decref(history);
    if (!ok)
        return false;
    shelf_path(shelf, name, version, path);
    if (event == HANDIN_CHOSEN && !disk_is_folder(path))
        return fail(err, "the files of version %s are not kept any more",
                    version);
    return shelf_add(shelf, name, event, version, json_pack("{s:s}", "by", by),
                     err);
}
