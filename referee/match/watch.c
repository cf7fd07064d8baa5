#include "match/watch.h"

#include <string.h>

static void write_head(const struct record *r, struct buf *out)
{
    const struct game *game = r->game;

    buf_add(out, "record 1\ngame %s\n", game->name);
    for (int i = 0; game->options && game->options[i].name; i++)
        if (r->setup.option[i])
            buf_add(out, "set %s=%s\n", game->options[i].name,
                    r->setup.option[i]);
    buf_add(out, "seats %d\n", r->setup.seats);
    if (r->about)
        buf_add(out, "about %s\n", r->about);
    for (int i = 0; i < r->setup.seats; i++)
        if (r->seat[i])
            buf_add(out, "seat %d %s\n", i + 1, r->seat[i]);
    for (int i = 0; i < r->setup.seats; i++)
        if (r->time[i])
            buf_add(out, "time %d %s\n", i + 1, r->time[i]);
    if (r->commit)
        buf_add(out, "commit %s\n", r->commit);
}

/* They have no audience of their own, so they count as events for everyone. */
static bool is_for_the_record(const char *line)
{
    return strncmp(line, "seed ", 5) == 0 || strncmp(line, "hash ", 5) == 0 ||
           strncmp(line, "seal ", 5) == 0;
}

bool watch_write(const char *name, char *text, size_t len, struct buf *out,
                 struct err *err)
{
    struct record r;
    struct record_line line;

    if (!record_open(&r, name, 0, text, len, err))
        return false;
    write_head(&r, out);
    while (record_next(&r, &line, err)) {
        if (line.number == 0)
            return true;
        if ((line.to & WATCHERS) && !is_for_the_record(line.text)) {
            buf_str(out, line.text);
            buf_char(out, '\n');
        }
    }
    return false;
}
