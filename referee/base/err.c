#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void make_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~' || *text == '#')
            *text = '?';
}

bool fail(struct err *err, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    make_printable(err->text);
    return false;
}

bool fail_at(struct err *err, const char *fmt, ...)
{
    char place[ERR_TEXT_MAX], reason[ERR_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(place, sizeof place, fmt, ap);
    va_end(ap);
    memcpy(reason, err->text, sizeof reason);
    return fail(err, "%s: %s", place, reason);
}
