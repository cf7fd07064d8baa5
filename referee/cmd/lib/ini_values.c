/* Readers of values, for the tables of ini.h. */

#include "base/date.h"
#include "base/text.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/ini.h"

#include <assert.h>
#include <string.h>

bool ini_text(const struct ini_value *v, struct err *err)
{
    *(const char **)v->to = pool_text(v->ini->pool, v->text);
    return true;
}

/* "tcp|tls|unix" as "tcp, tls or unix". */
static void name_all(const char *words, struct buf *out)
{
    const char *word, *next;
    size_t n;

    for (int i = 0; (n = words_at(words, i, &word)) > 0; i++) {
        if (i > 0)
            buf_str(out, words_at(words, i + 1, &next) ? ", " : " or ");
        buf_put(out, word, n);
    }
}

bool ini_choice(const struct ini_value *v, struct err *err)
{
    const char *word;
    struct guess guess;
    struct buf all;
    size_t n;

    if (words_find(v->key->form, v->text) >= 0)
        return ini_text(v, err);
    guess_begin(&guess, v->text);
    for (int i = 0; (n = words_at(v->key->form, i, &word)) > 0; i++)
        guess_add(&guess, "", pool_part(v->ini->pool, word, n));
    buf_init(&all, 256);
    name_all(v->key->form, &all);
    fail(err, "must be %s, not \"%.40s\"%s%s%s", all.text, v->text,
         guess.nearest ? "; did you mean " : "",
         guess.nearest ? guess.nearest : "", guess.nearest ? "?" : "");
    buf_release(&all);
    guess_end(&guess);
    return false;
}

bool ini_int(const struct ini_value *v, struct err *err)
{
    const char *at = v->text;

    if (take_int(&at, (int)v->key->min, (int)v->key->max, v->to) && at_end(at))
        return true;
    return fail(err, "must be a number from %d to %d, not \"%.40s\"",
                (int)v->key->min, (int)v->key->max, v->text);
}

bool yes_read(const char *text, bool *value, struct err *err)
{
    static const char yes[] = "yes|true|on|1", no[] = "no|false|off|0";

    if (words_find(yes, text) >= 0)
        *value = true;
    else if (words_find(no, text) >= 0)
        *value = false;
    else
        return fail(err, "must be yes or no, not \"%.40s\"", text);
    return true;
}

bool ini_yes(const struct ini_value *v, struct err *err)
{
    return yes_read(v->text, v->to, err);
}

bool ini_time(const struct ini_value *v, struct err *err)
{
    assert(v->key->min < v->key->max);
    return duration_within(v->text, v->key->min, v->key->max, v->to, err);
}

const char *next_name(const char **at, struct pool *pool)
{
    static const char between[] = ", \t";
    const char *name = *at + strspn(*at, between);
    size_t n = strcspn(name, between);

    *at = name + n;
    return n ? pool_part(pool, name, n) : NULL;
}

bool ini_date(const struct ini_value *v, struct err *err)
{
    if (!date_is(v->text))
        return fail(err,
                    "must be a time in UTC such as 2026-12-18T23:59:00Z, not "
                    "\"%.40s\"",
                    v->text);
    return ini_text(v, err);
}
