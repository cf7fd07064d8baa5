/* What changed in a file between two readings. */

#include "cmd/lib/ini.h"

#include <string.h>

enum { VALUE_SHOWN = 60 };

static void write_title(struct buf *out, const struct ini_section *s)
{
    buf_add(out, "[%s%s%s]", s->kind->name, *s->name ? " " : "", s->name);
}

static void tell_whole(struct lines *out, const struct ini_section *s,
                       const char *what)
{
    struct buf *line = tell_begin(out, EVERYONE);

    write_title(line, s);
    buf_add(line, " %s", what);
    tell_end(out);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void write_value(struct buf *out, const struct ini_key *key,
                        const char *value)
{
    if (value && key->is_secret)
        buf_str(out, "another value");
    else if (value)
        buf_add(out, "%.*s%s", VALUE_SHOWN, value,
                strlen(value) > VALUE_SHOWN ? "..." : "");
    else
        buf_str(out, key->preset ? key->preset : "not given");
}

static void tell_key(struct lines *out, const struct ini_section *s,
                     const struct ini_key *key, const char *old,
                     const char *new)
{
    struct buf *line = tell_begin(out, EVERYONE);

    write_title(line, s);
    buf_add(line, " %s: ", key->name);
    write_value(line, key, new);
    if (!key->is_secret) {
        buf_str(line, ", before: ");
        write_value(line, key, old);
    }
    tell_end(out);
}

void ini_changes(const struct ini *old, const struct ini *new,
                 struct lines *out)
{
    for (const struct ini_section *s = new->first; s; s = s->next) {
        const struct ini_section *was = ini_find(old, s->kind->name, s->name);

        if (!was)
            tell_whole(out, s, "is new");
        for (int i = 0; was && s->kind->keys[i].name; i++)
            if (!is_same(was->value[i], s->value[i]))
                tell_key(out, s, &s->kind->keys[i], was->value[i], s->value[i]);
    }
    for (const struct ini_section *s = old->first; s; s = s->next)
        if (!ini_find(new, s->kind->name, s->name))
            tell_whole(out, s, "was removed");
}
