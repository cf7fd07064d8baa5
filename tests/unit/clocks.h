#ifndef TESTS_CLOCKS_H
#define TESTS_CLOCKS_H

/* For tests of clocks and of time controls: both as text, and back. */

#include "match/clock.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define MS           ((int64_t)1000)
#define SEC          (1000 * MS)

enum { SYSTEMS = TIME_HOURGLASS + 1, TEXT = 200 };

static inline struct time_control control_of(const char *text)
{
    struct time_control control;
    struct err err = {0};

    cr_assert(time_control_parse(text, &control, &err), "%s: %s", text,
              err.text);
    return control;
}

static inline bool same_control(const struct time_control *a,
                                const struct time_control *b)
{
    return a->system == b->system && a->main_us == b->main_us &&
           a->extra_us == b->extra_us && a->count == b->count &&
           a->cpu == b->cpu;
}

/* What was written, good until the next call; the buf is released. */
static inline const char *text_kept(struct buf *buf)
{
    static char text[TEXT];

    cr_assert(buf_ok(buf));
    snprintf(text, sizeof text, "%s", buf->text);
    buf_release(buf);
    return text;
}

#endif
