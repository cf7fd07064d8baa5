#include "base/lines.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void lines_init(struct lines *lines, size_t max_bytes)
{
    assert(max_bytes <= UINT32_MAX);
    *lines = (struct lines){0};
    buf_init(&lines->text, max_bytes);
}

void lines_release(struct lines *lines)
{
    buf_release(&lines->text);
    free(lines->line);
    lines->line = NULL;
    lines->count = lines->cap = 0;
}

void lines_reset(struct lines *lines)
{
    buf_reset(&lines->text);
    lines->count = 0;
}

void lines_drop(struct lines *lines, size_t count)
{
    struct buf *text = &lines->text;
    size_t bytes = count < lines->count ? lines->line[count].at : text->len;

    if (count == 0)
        return;
    lines->count -= count;
    for (size_t i = 0; i < lines->count; i++) {
        lines->line[i] = lines->line[i + count];
        lines->line[i].at -= (uint32_t)bytes;
    }
    memmove(text->text, text->text + bytes, text->len - bytes + 1);
    text->len -= bytes;
}

void lines_widen(struct lines *lines)
{
    lines->cap = lines->cap ? 2 * lines->cap : 16;
    lines->line =
        must_alloc(realloc(lines->line, lines->cap * sizeof *lines->line));
}

void lines_append(struct lines *to, const struct lines *from)
{
    size_t start = to->text.len;

    while (to->cap < to->count + from->count)
        lines_widen(to);
    for (size_t i = 0; i < from->count; i++) {
        struct line *line = &to->line[to->count++];

        *line = from->line[i];
        line->at += (uint32_t)start;
    }
    buf_put(&to->text, from->text.text, from->text.len);
    assert(buf_ok(&to->text));
}

void tell(struct lines *lines, seat_set to, const char *fmt, ...)
{
    va_list ap;

    if (!lines)
        return;
    va_start(ap, fmt);
    buf_vadd(tell_begin(lines, to), fmt, ap);
    va_end(ap);
    tell_end(lines);
}
