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

const char *said_by(const json_t *said, int game, const char *bot)
{
    const char *text = json_string_value(
        json_object_get(json_array_get(said, (size_t)game), bot));

    return text ? text : "";
}
