#include "cmd/lib/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 40 };

bool term_colours(FILE *stream)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(fileno(stream)) && (!no || !*no) && term &&
           strcmp(term, "dumb") != 0;
}

int term_rows(FILE *stream)
{
    struct winsize size;

    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

int term_columns(FILE *stream)
{
    struct winsize size;

    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void progress_begin(struct progress *p, const char *what, size_t of)
{
    *p = (struct progress){.what = what, .of = of, .shown = -1};
    p->on = of > 1 && isatty(STDERR_FILENO);
}

void progress_show(struct progress *p, size_t done)
{
    char bar[BAR + 1];
    int percent;

    if (done > p->of) /* files can grow */
        done = p->of;
    percent = p->on ? (int)(100 * done / p->of) : -1;
    if (percent == p->shown)
        return;
    p->shown = percent;
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(percent * BAR / 100));
    bar[BAR] = '\0';
    fprintf(stderr, "\r%s  [%s]  %zu of %zu ", p->what, bar, done, p->of);
    fflush(stderr);
}

void progress_done(struct progress *p)
{
    if (p->on)
        fputs("\r\033[K", stderr);
}
