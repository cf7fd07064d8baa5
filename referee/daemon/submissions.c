/*
 * What was handed in as a bot: /api/bots/NAME/submissions, and for its owner
 * /api/owner/NAME/submissions, which adds refused hand-ins and the output of
 * compilers and checks.
 */

#include "daemon/api.h"
#include "store/disk.h"
#include "store/shelf.h"

#include <event2/http.h>
#include <string.h>

enum { SHOWN = 100, VERDICT_MAX = 2 << 20 };

static const char *event_in(const json_t *line)
{
    const char *event = json_string_value(json_object_get(line, "event"));

    return event ? event : "";
}

/* The last hand-ins. Only the owner may see refused ones. */
static json_t *last_of(const json_t *history, bool is_owners)
{
    json_t *list = json_array();

    for (size_t i = json_array_size(history);
         i-- > 0 && json_array_size(list) < SHOWN;) {
        json_t *line = json_array_get(history, i);

        if (is_owners || strcmp(event_in(line), "refused") != 0)
            json_array_append(list, line);
    }
    return list;
}

/* Each stage of the last one, with the output of programs. */
static json_t *verdict_of(const char *shelf, const char *bot)
{
    char path[DISK_PATH_MAX], *at, *next;
    json_t *list = json_array();
    struct buf text;
    struct err err;

    shelf_path(shelf, bot, SHELF_VERDICT, path);
    buf_init(&text, VERDICT_MAX);
    if (disk_has(path) && disk_read(path, &text, &err) && text.len > 0)
        for (at = text.text; *at; at = next) {
            size_t len = strcspn(at, "\n");
            json_t *line = json_loadb(at, len, 0, NULL);

            if (line)
                json_array_append_new(list, line);
            next = at + len + (at[len] == '\n');
        }
    buf_release(&text);
    return list;
}

static int answer_submissions(struct server *s, const char *bot, bool is_owners,
                              struct buf *out)
{
    const char *shelf = config_of(s)->handins.folder;
    json_t *history, *json;
    struct err err;

    if (!shelf || strchr(bot, '/') || bot[0] == '.')
        return answer_error(out, HTTP_NOTFOUND,
                            "nothing was handed in as %.40s", bot);
    if (!shelf_history(shelf, bot, &history, &err))
        return answer_error(out, HTTP_SERVUNAVAIL, "%s", err.text);
    json = json_pack("{s:s, s:s?, s:o}", "bot", bot, "playing",
                     history_playing(history, NULL), "history",
                     last_of(history, is_owners));
    if (is_owners)
        json_object_set_new(json, "verdict", verdict_of(shelf, bot));
    json_decref(history);
    return answer_json(out, json);
}

int api_submissions(struct server *s, struct http_ask *ask,
                    const char *const *word, struct buf *out)
{
    return answer_submissions(s, word[1], false, out);
}

int owner_submissions(struct server *s, struct http_ask *ask,
                      const char *const *word, struct buf *out)
{
    struct err err;

    if (!is_owner(s, ask, word[1], &err))
        return answer_error(out, HTTP_FORBIDDEN, "%s", err.text);
    return answer_submissions(s, word[1], true, out);
}
