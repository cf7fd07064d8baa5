#include "cmd/lib/rows.h"

#include <string.h>

/* The length of the escape sequence that begins here, or 0. */
static size_t escape(const char *at)
{
    size_t n = 2;

    if (at[0] != '\033' || at[1] != '[')
        return 0;
    n += strspn(at + n, "0123456789;?");
    return at[n] ? n + 1 : n;
}

static bool begins_letter(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

int rows_fold(const char *text, int columns, struct buf *out)
{
    int column = 0, rows = 0;

    while (*text) {
        size_t n = escape(text);

        if (n == 0 && *text != '\n' && begins_letter(*text) &&
            column++ == columns) {
            buf_char(out, '\n');
            rows++;
            column = 1;
        }
        n = n ? n : 1;
        buf_put(out, text, n);
        if (*text == '\n') {
            rows++;
            column = 0;
        }
        text += n;
    }
    if (column > 0)
        buf_char(out, '\n');
    return rows + (column > 0);
}

const char *rows_at(const char *text, int row)
{
    for (; row > 0 && *text; row--)
        text += strcspn(text, "\n") + 1;
    return text;
}
