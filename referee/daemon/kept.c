#include "daemon/kept.h"

#include <string.h>

enum { TIMES = 100 };

const struct kept_answer *kept_find(struct kept *k, const char *target,
                                    bool old, int64_t now_us)
{
    for (int i = 0; i < KEPT_MAX; i++) {
        struct kept_answer *a = &k->answer[i];

        if (!a->target[0] || strcmp(a->target, target) != 0)
            continue;
        if (now_us >= (old ? a->made_us + KEPT_OLD_US : a->fresh_us))
            return NULL;
        a->used_us = now_us;
        return a;
    }
    return NULL;
}

static int64_t last_use(const struct kept_answer *a)
{
    return a->target[0] ? a->used_us : INT64_MIN; /* the slot is free */
}

/* The answer for this target, or the one unused for longest. */
static struct kept_answer *place_for(struct kept *k, const char *target)
{
    struct kept_answer *oldest = &k->answer[0];

    for (int i = 0; i < KEPT_MAX; i++) {
        struct kept_answer *a = &k->answer[i];

        if (strcmp(a->target, target) == 0)
            return a;
        if (last_use(a) < last_use(oldest))
            oldest = a;
    }
    return oldest;
}

static int64_t fresh_for(int64_t cost_us)
{
    int64_t fresh = cost_us < KEPT_CHEAP_US ? 0 : TIMES * cost_us;

    return fresh < KEPT_FRESH_MAX_US ? fresh : KEPT_FRESH_MAX_US;
}

void kept_add(struct kept *k, const char *target, int code, const char *type,
              const struct buf *text, int64_t cost_us, int64_t now_us)
{
    struct kept_answer *a = place_for(k, target);

    if (strlen(target) >= KEPT_TARGET || text->len > KEPT_BYTES)
        return;
    buf_release(&a->text);
    *a = (struct kept_answer){.code = code,
                              .type = type,
                              .made_us = now_us,
                              .fresh_us = now_us + fresh_for(cost_us),
                              .used_us = now_us};
    strcpy(a->target, target);
    buf_init(&a->text, KEPT_BYTES);
    buf_put(&a->text, text->text, text->len);
}

void kept_release(struct kept *k)
{
    for (int i = 0; i < KEPT_MAX; i++)
        buf_release(&k->answer[i].text);
}
