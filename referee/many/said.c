#include "many/said.h"

#include <string.h>

void said_add(json_t *game, const char *bot, const struct buf *log)
{
    size_t len = log->len < SAID_MAX ? log->len : SAID_MAX;
    struct buf plain;

    if (len == 0)
        return;
    buf_init(&plain, len + 1);
    for (size_t i = 0; i < len; i++) {
        char byte = log->text[i];
        bool is_plain =
            (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t';

        buf_char(&plain, is_plain ? byte : '?');
    }
    json_object_set_new(game, bot, json_string(plain.text));
    buf_release(&plain);
}

json_t *said_read(const char *text)
{
    json_t *given = json_loads(text, 0, NULL), *said, *game, *words;
    const char *bot;
    size_t i;

    if (!json_is_array(given)) {
        json_decref(given);
        return NULL;
    }
    said = json_array();
    json_array_foreach(given, i, game)
    {
        json_t *plain = json_object();

        json_object_foreach(game, bot, words)
        {
            const char *its = json_string_value(words);
            struct buf log;

            buf_init(&log, SAID_MAX + 1);
            buf_put(&log, its ? its : "", its ? strnlen(its, SAID_MAX) : 0);
            said_add(plain, bot, &log);
            buf_release(&log);
        }
        json_array_append_new(said, plain);
    }
    json_decref(given);
    return said;
}

const char *said_by(const json_t *said, int game, const char *bot)
{
    const char *text = json_string_value(
        json_object_get(json_array_get(said, (size_t)game), bot));

    return text ? text : "";
}
