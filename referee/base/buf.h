#ifndef REFEREE_BASE_BUF_H
#define REFEREE_BASE_BUF_H

/*
 * buf.h - text that grows, up to a limit.
 *
 * Writers append without checking. At the limit, `full` is set and the buffer
 * takes no more, so it is enough to test buf_ok() once before using the text.
 * `text` is always a valid C string. buf_reset() keeps the memory, so a buffer
 * that is reused allocates nothing. Running out of memory ends the program.
 */

#include "base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct buf {
    char *text;
    size_t len;
    size_t cap; /* 0, or more than len and at most max + 1 */
    size_t max;
    bool full;
};

void buf_init(struct buf *buf, size_t max);
void buf_release(struct buf *buf);
void buf_reset(struct buf *buf);
void buf_cut(struct buf *buf, size_t len); /* keep only this much */
/* allocate, if nothing is allocated */
void buf_reserve(struct buf *buf, size_t cap);

static inline bool buf_ok(const struct buf *buf)
{
    return !buf->full;
}

/* Where len more bytes and a NUL fit, or NULL if that exceeds the limit. */
char *buf_grow(struct buf *buf, size_t len) RARE;

static inline char *buf_room(struct buf *buf, size_t len)
{
    return len < buf->cap - buf->len && !buf->full ? buf->text + buf->len
                                                   : buf_grow(buf, len);
}

/* Cheap functions for the path of a move, ... */
static inline void buf_put(struct buf *buf, const char *bytes, size_t len)
{
    char *at = buf_room(buf, len);

    if (!at)
        return;
    memcpy(at, bytes, len);
    at[len] = '\0';
    buf->len += len;
}

static inline void buf_str(struct buf *buf, const char *text)
{
    buf_put(buf, text, strlen(text));
}

static inline void buf_char(struct buf *buf, char c)
{
    char *at = buf_room(buf, 1);

    if (!at)
        return;
    at[0] = c;
    at[1] = '\0';
    buf->len++;
}

void buf_number(struct buf *buf, long long value);

static inline void buf_int(struct buf *buf, long long value)
{
    if (value >= 0 && value < 10)
        buf_char(buf, (char)('0' + value));
    else
        buf_number(buf, value);
}

/*
 * For the hottest: ask for room once, write with jot_ functions, and say where
 * the text ends.
 *
 *     char *at = buf_room(out, 8 + NUMBER_TEXT);
 *
 *     if (at)
 *         buf_upto(out, jot_int(jot_text(at, " used=", 6), used));
 */
enum { NUMBER_TEXT = 20 }; /* the longest number */

char *jot_number(char *at, long long value);

static inline char *jot_int(char *at, long long value)
{
    if (value < 0 || value > 9)
        return jot_number(at, value);
    *at = (char)('0' + value);
    return at + 1;
}

/* With leading zeros up to this many digits; not for negative numbers. */
char *jot_padded(char *at, long long value, int digits);

static inline char *jot_text(char *at, const char *text, size_t len)
{
    memcpy(at, text, len);
    return at + len;
}

static inline void buf_upto(struct buf *buf, char *end)
{
    *end = '\0';
    buf->len = (size_t)(end - buf->text);
}

/* ... and one that is convenient. */
void buf_add(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vadd(struct buf *buf, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

#endif
