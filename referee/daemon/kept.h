#ifndef REFEREE_DAEMON_KEPT_H
#define REFEREE_DAEMON_KEPT_H

/*
 * kept.h - answers that may be given once more.
 *
 * An answer that took some time to make is given to everybody who asks for the
 * same for a hundred times as long: so no address can take more than a
 * hundredth of the time, however many look at it. When there is no time for an
 * answer at all, one that is some seconds old is better than an excuse.
 */

#include "base/buf.h"

#include <stdint.h>

enum {
    KEPT_MAX = 64,
    KEPT_BYTES = 256 << 10, /* of one answer */
    KEPT_TARGET = 256,      /* of an address with its query */
    KEPT_CHEAP_US = 2000,   /* what is made faster is made anew */
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

/* An answer that is still fresh; or, if `old` will do, one of the last seconds;
 * or NULL. */
const struct kept_answer *kept_find(struct kept *kept, const char *target,
                                    bool old, int64_t now_us);

/* This one took `cost_us` to make. `type` is borrowed for ever. */
void kept_add(struct kept *kept, const char *target, int code, const char *type,
              const struct buf *text, int64_t cost_us, int64_t now_us);

void kept_release(struct kept *kept);

#endif
