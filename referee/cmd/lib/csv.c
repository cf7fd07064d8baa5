#include "cmd/lib/csv.h"

#include <string.h>

bool csv_next(const char **at, struct csv_row *row)
{
    const char *c = *at;

    row->cells = 0;
    if (!*c)
        return false;
    for (bool more = true; more && row->cells < CSV_CELLS_MAX;) {
        bool quoted = false;
        const char *from = c;

        for (; *c && (quoted || !strchr(",\r\n", *c)); c++)
            quoted ^= *c == '"';
        row->cell[row->cells] = from;
        row->len[row->cells++] = (size_t)(c - from);
        more = *c == ',';
        c += more;
    }
    c += strcspn(c, "\n");
    *at = *c ? c + 1 : c;
    return true;
}

void csv_text(const struct csv_row *row, int i, struct buf *out)
{
    const char *at = row->cell[i], *end = at + row->len[i];
    bool quoted = at < end && *at == '"' && end[-1] == '"' && end - at > 1;

    buf_reset(out);
    for (at += quoted, end -= quoted; at < end; at++) {
        buf_char(out, *at);
        at += quoted && at + 1 < end && *at == '"' && at[1] == '"';
    }
    if (!out->text)
        buf_str(out, "");
}

void csv_cell(struct buf *out, const char *text)
{
    bool formula = text[0] && strchr("=+-@\t\r", text[0]);
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    if (quoted)
        buf_char(out, '"');
    if (formula)
        buf_char(out, '\'');
    for (; *text; text++) {
        if (*text == '"')
            buf_char(out, '"');
        buf_char(out, *text);
    }
    if (quoted)
        buf_char(out, '"');
}
