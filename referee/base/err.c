#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void make_printable(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~' || *text == '#')
            *text = '?';
}

static void write_text(struct err *err, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

static void write_text(struct err *err, const char *fmt, va_list ap)
{
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    make_printable(err->text);
}

bool fail(struct err *err, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    write_text(err, fmt, ap);
    va_end(ap);
    err->passes = false;
    return false;
}

bool fail_for_now(struct err *err, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    write_text(err, fmt, ap);
    va_end(ap);
    err->passes = true;
    return false;
}

bool is_full_disk(int error)
{
    return error == ENOSPC || error == EDQUOT;
}

bool fail_at(struct err *err, const char *fmt, ...)
{
    char place[ERR_TEXT_MAX], reason[ERR_TEXT_MAX];
    bool passes = err->passes;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(place, sizeof place, fmt, ap);
    va_end(ap);
    memcpy(reason, err->text, sizeof reason);
    fail(err, "%s: %s", place, reason);
    err->passes = passes;
    return false;
}
