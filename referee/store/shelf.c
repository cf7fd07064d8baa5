#include "store/shelf.h"

#include "base/text.h"
#include "match/login.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* The last line may be cut off by a crash; it was promised to nobody. */
static bool parse_history(const char *path, char *text, json_t *history,
                          struct err *err)
{
    int number = 0;

    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        json_error_t why;
        json_t *line;

        *end = '\0';
        number++;
        line = json_loads(text, 0, &why);
        if (!json_is_object(line)) {
            json_decref(line);
            return fail(err, "%s:%d: this is no line of a history: %.100s",
                        path, number, why.text);
        }
        json_array_append_new(history, line);
    }
    return true;
}

bool shelf_history(const char *shelf, const char *name, json_t **history,
                   struct err *err)
{
    char path[DISK_PATH_MAX];
    struct buf text;
    bool ok;

    *history = json_array();
    shelf_path(shelf, name, "history.jsonl", path);
    if (!disk_has(path))
        return true;
    buf_init(&text, HISTORY_BYTES_MAX);
    ok = disk_read(path, &text, err) &&
         (text.len == 0 || parse_history(path, text.text, *history, err));
    buf_release(&text);
    if (!ok)
        json_decref(*history);
    return ok;
}

/* Ends a line that a crash has cut off, so that it spoils no other. */
static bool append_line(int fd, const char *line)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char last = '\n';

    if (size > 0 && pread(fd, &last, 1, size - 1) != 1)
        return false;
    return (last == '\n' || disk_put(fd, "\n", 1)) &&
           disk_put(fd, line, strlen(line)) && disk_put(fd, "\n", 1) &&
           fsync(fd) == 0;
}

bool shelf_add(const char *shelf, const char *name, enum handin_event event,
               const char *version, json_t *more, struct err *err)
{
    json_t *line = json_pack("{s:s, s:s, s:s*}", "at",
                             date_text(&(struct date){0}, time(NULL)), "event",
                             handin_event_word(event), "version", version);
    char path[DISK_PATH_MAX], *text;
    bool ok = false;
    int fd;

    json_object_update(line, more);
    json_decref(more);
    text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    shelf_path(shelf, name, "history.jsonl", path);
    fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0) {
        ok = append_line(fd, text);
        close(fd);
    }
    free(text);
    return ok || fail(err, "%s: %s", path, strerror(errno));
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
