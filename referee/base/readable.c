#include "base/readable.h"

#include <stdint.h>

/* The smallest code point that needs this many bytes. */
static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

static size_t wanted_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

size_t utf8_length(const char *at, size_t room)
{
    unsigned char first = room > 0 ? (unsigned char)*at : 0;
    size_t n = room > 0 ? wanted_length(first) : 0;
    uint32_t code;

    if (n <= 1 || n > room)
        return n <= room ? n : 0;
    code = first & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        unsigned char next = (unsigned char)at[i];

        if ((next & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3f);
    }
    if (code < least[n] || code > 0x10ffff || (code & 0x1ff800) == 0xd800)
        return 0;
    return code < 0xa0 ? 0 : n; /* lower ones control a terminal */
}

void buf_readable(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t n = utf8_length(text + i, len - i);
        unsigned char c = (unsigned char)text[i];

        if (c == '\t')
            buf_str(out, "    ");
        else if (n == 0 || (c < ' ' && c != '\n') || c == 0x7f)
            buf_add(out, "\\x%02x", c);
        else
            buf_put(out, text + i, n);
        i += n ? n : 1;
    }
}
