#ifndef REFEREE_DAEMON_KEPT_H
#define REFEREE_DAEMON_KEPT_H

/*
 * kept.h - a cache of answers.
 *
 * An answer that took some time to make is reused for a hundred times as long,
 * for every client that asks the same. So no path can take more than a
 * hundredth of the time, however many clients ask for it. When there is no time
 * for a new answer, one that is a few seconds old is better than a refusal.
 */

#include "base/buf.h"

#include <stdint.h>

enum {
    KEPT_MAX = 64,
    KEPT_BYTES = 256 << 10, /* of one answer */
    KEPT_TARGET = 256,      /* of an address with its query */
    /* an answer that is made faster than this is not kept */
    KEPT_CHEAP_US = 2000,
    KEPT_FRESH_MAX_US = 3000000,
    KEPT_OLD_US = 15000000,
};

/* Starts as zeroes. */
struct kept {
    struct kept_answer {
        char target[KEPT_TARGET];
        struct buf text;
        int code;
        const char *type;
        int64_t made_us, fresh_us; /* until then it is fresh */
        int64_t used_us;
    } answer[KEPT_MAX];
};

/*
 * An answer that is still fresh or, if `old` is allowed, a few seconds old; or
 * NULL.
 */
const struct kept_answer *kept_find(struct kept *kept, const char *target,
                                    bool old, int64_t now_us);

/* Keep an answer that took `cost_us` to make. `type` must be a constant. */
void kept_add(struct kept *kept, const char *target, int code, const char *type,
              const struct buf *text, int64_t cost_us, int64_t now_us);

void kept_release(struct kept *kept);

#endif
