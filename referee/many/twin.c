#include "many/twin.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void twin_write(const struct order *o, const char *unit,
                const struct game_names *names, struct buf *out)
{
    json_t *json = json_deep_copy(o->json), *parts = json_array();
    char *text;

    for (int i = 0; i < o->games; i++)
        json_array_append_new(
            parts, json_pack("{s:s, s:s, s:s}", "id", names[i].id, "name",
                             names[i].name, "about", names[i].about));
    json_object_set_new(json, "unit", json_string(unit));
    json_object_set_new(json, "parts", parts);
    text = json_dumps(json, JSON_COMPACT);
    buf_str(out, text);
    free(text);
    json_decref(json);
}

/* The next line about an action: "play 1 a1:1", "leave 2 time", "result ..".
 * Its audience does not matter. */
static const char *next_deed(const char **at, size_t *len)
{
    static const char *const words[] = {"play ", "leave ", "result "};

    while (**at) {
        const char *line = *at;

        *at += strcspn(*at, "\n");
        *len = (size_t)(*at - line);
        *at += **at == '\n';
        if (*line == '@' && memchr(line, ' ', *len)) {
            const char *blank = memchr(line, ' ', *len);

            *len -= (size_t)(blank + 1 - line);
            line = blank + 1;
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (*len > strlen(words[i]) &&
                memcmp(line, words[i], strlen(words[i])) == 0)
                return line;
    }
    return NULL;
}

/* The actor: the member with the seat in "play 1 a1:1". */
static void name_bot(const struct order *o, int part, const char *deed,
                     size_t len, char name[BOT_NAME_MAX + 1])
{
    const char *blank = deed ? memchr(deed, ' ', len) : NULL;
    int seat;

    name[0] = '\0';
    if (!blank || strncmp(deed, "result", 6) == 0)
        return;
    blank++;
    if (take_int(&blank, 1, o->setup.seats, &seat))
        snprintf(
            name, BOT_NAME_MAX + 1, "%s",
            o->member[group_rotate(o->setup.seats, o->first + part, seat - 1)]
                .name);
}

static bool same_game(const struct order *o, int part, const struct buf *first,
                      const struct buf *second, struct difference *d)
{
    const char *at = first->text, *bt = second->text, *a, *b;
    size_t n = 0, m = 0;
    int moves = 0;

    do {
        a = next_deed(&at, &n);
        b = next_deed(&bt, &m);
        moves++;
    } while (a && b && n == m && memcmp(a, b, n) == 0);
    if (!a && !b)
        return true;
    name_bot(o, part, a, n, d->bot);
    snprintf(d->text, sizeof d->text,
             "game %d, move %d: first \"%.*s\", then \"%.*s\"", part + 1, moves,
             a ? (int)(n < 50 ? n : 50) : 0, a ? a : "",
             b ? (int)(m < 50 ? m : 50) : 0, b ? b : "");
    return false;
}

void twin_compare(const struct order *o, const struct delivery *first,
                  const struct delivery *second, struct difference *d)
{
    *d = (struct difference){0};
    for (int i = 0; i < first->parts && i < second->parts; i++)
        if (!same_game(o, i, &first->record[i], &second->record[i], d))
            return;
}
