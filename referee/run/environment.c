#include "run/environment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/*
 * Variables that every program needs, with the value to use if the referee has
 * none.
 */
static const struct {
    const char *name, *preset;
} usual[] = {
    {"PATH", "/usr/local/bin:/usr/bin:/bin"},
    {"LANG", "C.UTF-8"},
    {"HOME", "/"},
};

enum { USUAL = sizeof usual / sizeof *usual };

size_t environment_name(const char *text)
{
    size_t n = 0;

    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return isdigit((unsigned char)*text) ? 0 : n;
}

static size_t count_of(char *const *list)
{
    size_t n = 0;

    while (list && list[n])
        n++;
    return n;
}

/* If a name appears twice, the later variable counts. */
static void put(char **list, char *variable)
{
    size_t n = strcspn(variable, "=") + 1;

    while (*list && strncmp(*list, variable, n) != 0)
        list++;
    *list = variable;
}

static char *join(struct pool *pool, const char *name, const char *value)
{
    size_t len = strlen(name) + strlen(value) + 2;
    char *text = pool_take(pool, len);

    snprintf(text, len, "%s=%s", name, value);
    return text;
}

static void put_usual(char **list, struct pool *pool)
{
    for (size_t i = 0; i < USUAL; i++) {
        const char *value = getenv(usual[i].name);

        put(list, join(pool, usual[i].name, value ? value : usual[i].preset));
    }
}

char *const *environment_make(bool is_clean, char *const *passed,
                              struct pool *pool)
{
    size_t max = USUAL + count_of(environ) + count_of(passed);
    char **list = pool_take(pool, (max + 1) * sizeof *list);

    if (is_clean)
        put_usual(list, pool);
    else
        for (char **e = environ; e && *e; e++)
            put(list, pool_text(pool, *e));
    for (; passed && *passed; passed++) {
        const char *ours = strchr(*passed, '=') ? NULL : getenv(*passed);

        if (strchr(*passed, '='))
            put(list, pool_text(pool, *passed));
        else if (ours)
            put(list, join(pool, *passed, ours));
    }
    return list;
}
