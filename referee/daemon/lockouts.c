#include "daemon/lockouts.h"

#include <stdio.h>
#include <string.h>

enum { WINDOW_US = 60000000, ADDRESS_FACTOR = 60 };

static bool is_same(const struct offender *o, const char *origin,
                    const char *name)
{
    return strcmp(o->origin, origin) == 0 && strcmp(o->name, name) == 0;
}

static struct offender *offender_of(struct lockouts *l, const char *origin,
                                    const char *name, int64_t now)
{
    struct offender *oldest = &l->offender[0];

    for (int i = 0; i < LOCKOUT_ROOM; i++) {
        struct offender *o = &l->offender[i];

        if (now - o->since_us > WINDOW_US)
            *o = (struct offender){.since_us = o->since_us};
        if (is_same(o, origin, name))
            return o;
        if (o->since_us < oldest->since_us)
            oldest = o;
    }
    *oldest = (struct offender){.since_us = now};
    snprintf(oldest->origin, sizeof oldest->origin, "%s", origin);
    snprintf(oldest->name, sizeof oldest->name, "%s", name);
    return oldest;
}

int lockouts_left_of(const struct lockouts *l, int i, int64_t now)
{
    const struct offender *o = &l->offender[i];
    int64_t left_us = o->since_us + WINDOW_US - now;
    int max = l->failures_max * (o->name[0] ? 1 : ADDRESS_FACTOR);

    if (!o->origin[0] || o->failures < max || left_us <= 0)
        return 0;
    if (!o->name[0] && strcmp(o->origin, "unix") == 0)
        return 0;
    return (int)((left_us + 999999) / 1000000);
}

int lockouts_left_s(const struct lockouts *l, const char *origin,
                    const char *name, int64_t now)
{
    for (int i = 0; i < LOCKOUT_ROOM; i++)
        if (is_same(&l->offender[i], origin, name))
            return lockouts_left_of(l, i, now);
    return 0;
}

int lockouts_count(struct lockouts *l, const char *origin, const char *name,
                   int weight, int64_t now)
{
    struct offender *o = offender_of(l, origin, name, now);
    int i = (int)(o - l->offender);
    bool was_locked = lockouts_left_of(l, i, now) > 0;

    o->failures += weight;
    return was_locked ? 0 : lockouts_left_of(l, i, now);
}
