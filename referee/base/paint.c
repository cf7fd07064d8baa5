#include "base/paint.h"

/* Light letters on dark, dark letters on light grounds. */
static const char *const codes[] = {
    [PLAIN] = "\033[0m",
    [BOLD] = "\033[1m",
    [DIM] = "\033[2m",
    [RED] = "\033[31m",
    [GREEN] = "\033[32m",
    [YELLOW] = "\033[33m",
    [BLUE] = "\033[34m",
    [PURPLE] = "\033[35m",
    [CYAN] = "\033[36m",
    [ORANGE] = "\033[38;5;208m",
    [ON_RED] = "\033[97;48;5;160m",
    [ON_GREEN] = "\033[97;48;5;28m",
    [ON_YELLOW] = "\033[30;48;5;220m",
    [ON_BLUE] = "\033[97;48;5;26m",
    [ON_PURPLE] = "\033[97;48;5;90m",
    [ON_CYAN] = "\033[30;48;5;44m",
    [ON_ORANGE] = "\033[30;48;5;208m",
    [ON_GREY] = "\033[30;48;5;245m",
    [ON_WHITE] = "\033[30;48;5;255m",
    [ON_BLACK] = "\033[97;48;5;234m",
};

void paint(struct buf *out, bool colour, enum paint paint)
{
    if (colour)
        buf_str(out, codes[paint]);
}

void painted(struct buf *out, bool colour, enum paint code, const char *text)
{
    paint(out, colour, code);
    buf_str(out, text);
    paint(out, colour, PLAIN);
}
