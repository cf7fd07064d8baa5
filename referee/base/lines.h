#ifndef REFEREE_BASE_LINES_H
#define REFEREE_BASE_LINES_H

/*
 * lines.h - seats, audiences, and lines to be sent.
 *
 * Seats count from 0 in the code and from 1 in every text. An audience is a set
 * of readers: one bit per seat, one for the watchers, one for the record. Every
 * line that the referee produces carries the audience it was written for.
 * Nobody else ever gets it, and no line is masked later:
 *
 *     tell(events, SEAT(1) | RECORD, "draw 2 R");
 *     tell(events, ALL_BUT(1), "draw 2 ?");
 */

#include "base/buf.h"

#include <assert.h>
#include <stdint.h>

enum { SEATS_MAX = 6, LINE_MAX_BYTES = 8192 };

typedef uint32_t seat_set;

#define SEAT(i)    ((seat_set)1 << (i))
#define SEATS(n)   (SEAT(n) - 1) /* seats 0 .. n-1 */
#define WATCHERS   ((seat_set)1 << 30)
#define RECORD     ((seat_set)1 << 31)
#define EVERYONE   (~(seat_set)0)
#define ALL_BUT(i) (EVERYONE & ~SEAT(i) & ~RECORD)

struct line {
    seat_set to;
    uint32_t at; /* offset into the text of its struct lines */
};

struct lines {
    struct buf text; /* all lines, each ended by a NUL */
    struct line *line;
    size_t count;
    size_t cap;
};

void lines_init(struct lines *lines, size_t max_bytes);
void lines_release(struct lines *lines);
void lines_reset(struct lines *lines);
void lines_widen(struct lines *lines) RARE; /* make room for more */
void lines_append(struct lines *to, const struct lines *from);
void lines_drop(struct lines *lines, size_t count); /* remove the first ones */

static inline const char *lines_text(const struct lines *lines, size_t i)
{
    assert(i < lines->count);
    return lines->text.text + lines->line[i].at;
}

static inline size_t lines_len(const struct lines *lines, size_t i)
{
    size_t end = i + 1 < lines->count ? lines->line[i + 1].at : lines->text.len;

    return end - lines->line[i].at - 1;
}

/* Add one line for one audience. If `lines` is NULL, nobody listens. */
void tell(struct lines *lines, seat_set to, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/*
 * The same without a format, for lines that are long or frequent: begin, append
 * with buf_str() and its relatives to the buffer it returns, end.
 */
static inline struct buf *tell_begin(struct lines *lines, seat_set to)
{
    if (lines->count == lines->cap)
        lines_widen(lines);
    lines->line[lines->count++] =
        (struct line){.to = to, .at = (uint32_t)lines->text.len};
    return &lines->text;
}

/* Begin with "WORD SEAT ", as many events do. */
static inline struct buf *tell_of(struct lines *lines, seat_set to,
                                  const char *word, int seat)
{
    struct buf *out = tell_begin(lines, to);
    size_t len = strlen(word);
    char *at = buf_room(out, len + 3);

    if (at) {
        at = jot_text(at, word, len);
        at[0] = at[2] = ' ';
        at[1] = (char)('1' + seat);
        buf_upto(out, at + 3);
    }
    return out;
}

/* A line that does not fit is our own mistake: the limit holds a whole step. */
static inline void tell_end(struct lines *lines)
{
    buf_char(&lines->text, '\0');
    assert(buf_ok(&lines->text));
}

#endif
