#include "base/paint.h"

/* Light letters on dark grounds, dark letters on light grounds. */
static const char *const codes[] = {
    [PAINT_PLAIN] = "\033[0m",
    [PAINT_BOLD] = "\033[1m",
    [PAINT_DIM] = "\033[2m",
    [PAINT_RED] = "\033[31m",
    [PAINT_GREEN] = "\033[32m",
    [PAINT_YELLOW] = "\033[33m",
    [PAINT_BLUE] = "\033[34m",
    [PAINT_PURPLE] = "\033[35m",
    [PAINT_CYAN] = "\033[36m",
    [PAINT_ORANGE] = "\033[38;5;208m",
    [PAINT_ON_RED] = "\033[97;48;5;160m",
    [PAINT_ON_GREEN] = "\033[97;48;5;28m",
    [PAINT_ON_YELLOW] = "\033[30;48;5;220m",
    [PAINT_ON_BLUE] = "\033[97;48;5;26m",
    [PAINT_ON_PURPLE] = "\033[97;48;5;90m",
    [PAINT_ON_CYAN] = "\033[30;48;5;44m",
    [PAINT_ON_ORANGE] = "\033[30;48;5;208m",
    [PAINT_ON_GREY] = "\033[30;48;5;245m",
    [PAINT_ON_WHITE] = "\033[30;48;5;255m",
    [PAINT_ON_BLACK] = "\033[97;48;5;234m",
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
    paint(out, colour, PAINT_PLAIN);
}
