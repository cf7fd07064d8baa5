#include "cmd/lib/status_line.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A pipe is writable only if it has room for PIPE_BUF bytes, 4096. */
static bool has_room(void)
{
    struct pollfd out = {.fd = STDERR_FILENO, .events = POLLOUT};

    return poll(&out, 1, 0) == 1;
}

static void put(const char *bytes, size_t len)
{
    ssize_t ignored = write(STDERR_FILENO, bytes, len);

    (void)ignored;
}

static void wipe(struct status_line *n)
{
    if (n->shown)
        put("\r\033[K", 4);
    n->shown = false;
}

static void show(struct status_line *n)
{
    if (!n->terminal || n->mid_line || !n->status[0] || !has_room())
        return;
    wipe(n);
    put(n->status, strlen(n->status));
    n->shown = true;
}

void status_line_init(struct status_line *n)
{
    *n = (struct status_line){.terminal = isatty(STDERR_FILENO)};
}

void status_line_say(struct status_line *n, const char *fmt, ...)
{
    char line[700];
    time_t now = time(NULL);
    struct tm tm;
    size_t len = 0;
    va_list ap;

    if (n->mid_line)
        line[len++] = '\n';
    len += strftime(line + len, sizeof line - len, "%H:%M:%S ",
                    localtime_r(&now, &tm));
    va_start(ap, fmt);
    vsnprintf(line + len, sizeof line - len - 1, fmt, ap);
    va_end(ap);
    strcat(line, "\n");
    if (!has_room())
        return;
    wipe(n);
    put(line, strlen(line));
    n->mid_line = false;
    show(n);
}

bool status_line_pass(struct status_line *n, const char *bytes, size_t len)
{
    if (!has_room())
        return false;
    wipe(n);
    put(bytes, len);
    n->mid_line = len > 0 && bytes[len - 1] != '\n';
    show(n);
    return true;
}

void status_line_status(struct status_line *n, const char *fmt, ...)
{
    char status[sizeof n->status];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(status, sizeof status, fmt, ap);
    va_end(ap);
    if (n->shown && strcmp(status, n->status) == 0)
        return;
    strcpy(n->status, status);
    show(n);
}

void status_line_end(struct status_line *n)
{
    wipe(n);
    n->status[0] = '\0';
}
