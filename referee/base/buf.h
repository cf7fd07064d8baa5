#ifndef REFEREE_BUF_H
#define REFEREE_BUF_H

/*
 * buf.h - text that grows, up to a limit.
 *
 * Writers append without checking. Reaching the limit sets `full`, after which
 * the buffer takes no more; whoever uses the text tests buf_ok() once.
 * `text` is always a valid C string. buf_reset() keeps the memory, so a buffer
 * that is used again allocates nothing. Out of memory ends the program.
 */

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct buf {
    char *text;
    size_t len;
    size_t cap;
    size_t max;
    bool full;
};

void buf_init(struct buf *buf, size_t max);
void buf_release(struct buf *buf);
void buf_reset(struct buf *buf);
void buf_cut(struct buf *buf, size_t len); /* keep only so much */
bool buf_ok(const struct buf *buf);

/* Cheap ones for the path of a move, ... */
void buf_put(struct buf *buf, const char *bytes, size_t len);
void buf_str(struct buf *buf, const char *text);
void buf_char(struct buf *buf, char c);
void buf_int(struct buf *buf, long long value);

/* ... and the comfortable one. */
void buf_add(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
