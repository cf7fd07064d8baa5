#include "base/buf.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char empty[1];

void buf_init(struct buf *buf, size_t max)
{
    *buf = (struct buf){.text = empty, .max = max};
}

void buf_release(struct buf *buf)
{
    if (buf->cap)
        free(buf->text);
    buf_init(buf, buf->max);
}

void buf_reset(struct buf *buf)
{
    buf->len = 0;
    buf->full = false;
    if (buf->cap)
        buf->text[0] = '\0';
}

void buf_cut(struct buf *buf, size_t len)
{
    if (len < buf->len) {
        buf->len = len;
        buf->text[len] = '\0';
    }
}

void buf_reserve(struct buf *buf, size_t cap)
{
    if (buf->cap)
        return;
    buf->cap = cap;
    buf->text = must_alloc(malloc(cap));
    buf->text[0] = '\0';
}

char *buf_grow(struct buf *buf, size_t len)
{
    size_t cap = buf->cap ? buf->cap : 64;

    if (buf->full || len > buf->max - buf->len) {
        buf->full = true;
        return NULL;
    }
    while (cap < buf->len + len + 1)
        cap *= 2;
    if (cap > buf->max + 1)
        cap = buf->max + 1;
    buf->text = must_alloc(realloc(buf->cap ? buf->text : NULL, cap));
    buf->cap = cap;
    return buf->text + buf->len;
}

/* 00 to 99: two digits cost one division. */
static const char pairs[] = "00010203040506070809"
                            "10111213141516171819"
                            "20212223242526272829"
                            "30313233343536373839"
                            "40414243444546474849"
                            "50515253545556575859"
                            "60616263646566676869"
                            "70717273747576777879"
                            "80818283848586878889"
                            "90919293949596979899";

char *jot_number(char *at, long long value)
{
    unsigned long long rest = (unsigned long long)value, power = 10;
    char *end, *digit;

    if (value < 0) {
        *at++ = '-';
        rest = 0 - rest;
    }
    for (end = at + 1; rest >= power; power *= 10)
        end++;
    for (digit = end; rest >= 100; rest /= 100)
        memcpy(digit -= 2, pairs + 2 * (rest % 100), 2);
    if (rest < 10)
        *at = (char)('0' + rest);
    else
        memcpy(at, pairs + 2 * rest, 2);
    return end;
}

char *jot_padded(char *at, long long value, int digits)
{
    char *end = jot_int(at, value), *padded = at + digits;

    if (padded <= end)
        return end;
    memmove(padded - (end - at), at, (size_t)(end - at));
    memset(at, '0', (size_t)(padded - end));
    return padded;
}

void buf_number(struct buf *buf, long long value)
{
    char *at = buf_room(buf, NUMBER_TEXT);

    if (at)
        buf_upto(buf, jot_number(at, value));
}

PRINTF_LIKE(2, 0)
static void add_with_vsnprintf(struct buf *buf, const char *fmt, va_list ap)
{
    va_list again;
    char *at;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    assert(n >= 0);
    at = buf_room(buf, (size_t)n);
    if (at) {
        vsnprintf(at, (size_t)n + 1, fmt, again);
        buf->len += (size_t)n;
    }
    va_end(again);
}

/* Most lines consist of words and numbers, which are cheap to write. */
void buf_vadd(struct buf *buf, const char *fmt, va_list ap)
{
    for (;;) {
        size_t n = 0;

        while (fmt[n] != '\0' && fmt[n] != '%')
            n++;
        buf_put(buf, fmt, n);
        fmt += n;
        if (*fmt == '\0')
            return;
        if (fmt[1] == 's')
            buf_str(buf, va_arg(ap, const char *));
        else if (fmt[1] == 'd')
            buf_int(buf, va_arg(ap, int));
        else
            break;
        fmt += 2;
    }
    add_with_vsnprintf(buf, fmt, ap);
}

void buf_add(struct buf *buf, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    buf_vadd(buf, fmt, ap);
    va_end(ap);
}
