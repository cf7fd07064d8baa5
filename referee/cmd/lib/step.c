#include "cmd/lib/step.h"

#include "cmd/lib/term.h"
#include "match/replay.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* The keyboard without echo and line ends, until it is given back. */

static struct termios saved;

static const char enter_screen[] = "\033[?1049h\033[?25l";
static const char leave_screen[] = "\033[?25h\033[?1049l";

static void give_back(void)
{
    ssize_t ignored = write(STDOUT_FILENO, leave_screen, strlen(leave_screen));

    (void)ignored;
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved);
}

static void on_signal(int number)
{
    give_back();
    signal(number, SIG_DFL);
    raise(number);
}

static void take_keyboard(void)
{
    struct termios raw;

    tcgetattr(STDIN_FILENO, &saved);
    raw = saved;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    fputs(enter_screen, stdout);
}

enum key {
    NEXT,
    BACK,
    FORTH_PAGE,
    BACK_PAGE,
    FIRST,
    LAST,
    NEXT_RECORD,
    QUIT,
    OTHER
};

enum { PAGE = 10 }; /* steps */

static const struct {
    const char *bytes;
    enum key key;
} keys[] = {
    {" ", NEXT},
    {"\n", NEXT},
    {"n", NEXT},
    {"l", NEXT},
    {"b", BACK},
    {"p", BACK},
    {"h", BACK},
    {"g", FIRST},
    {"G", LAST},
    {">", NEXT_RECORD},
    {"q", QUIT},
    {"\033[C", NEXT}, /* arrows, and as some terminals send them */
    {"\033OC", NEXT},
    {"\033[D", BACK},
    {"\033OD", BACK},
    {"\033[6~", FORTH_PAGE},
    {"\033[5~", BACK_PAGE},
    {"\033[H", FIRST}, /* Home */
    {"\033OH", FIRST},
    {"\033[1~", FIRST},
    {"\033[F", LAST}, /* End */
    {"\033OF", LAST},
    {"\033[4~", LAST},
};

/* Of keys that were pressed faster than they are read, the first counts. */
static enum key read_key(void)
{
    char bytes[9] = "";
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes - 1);

    if (n <= 0)
        return QUIT;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(bytes, keys[i].bytes, strlen(keys[i].bytes)) == 0)
            return keys[i].key;
    return OTHER;
}

static int within(int at, int last)
{
    return at < 0 ? 0 : at > last ? last : at;
}

/* Where a key leads. */
static int turn(enum key key, int at, int last)
{
    switch (key) {
    case NEXT:
        return within(at + 1, last);
    case BACK:
        return within(at - 1, last);
    case FORTH_PAGE:
        return within(at + PAGE, last);
    case BACK_PAGE:
        return within(at - PAGE, last);
    case FIRST:
        return 0;
    case LAST:
        return last;
    default:
        return at;
    }
}

struct stepper {
    struct stepping *of;
    struct buf bytes; /* a copy of its text, cut by the replay */
    struct buf drawing;
    struct replay replay;
};

/* Go to the position after so many steps, or to the last one. */
static bool go_to(struct stepper *s, int steps, struct err *err)
{
    buf_reset(&s->bytes);
    buf_put(&s->bytes, s->of->text->text, s->of->text->len);
    if (!replay_open_after(&s->replay, s->of->path, s->of->lines_before,
                           s->bytes.text, s->bytes.len, err))
        return false;
    while (s->replay.steps < steps && s->replay.status == REPLAY_HALFWAY)
        if (!replay_next(&s->replay, err))
            return false;
    return true;
}

/* The lines of the last step that the viewer saw. */
static void add_events(struct stepper *s)
{
    const struct lines *events = &s->replay.events;
    int viewer = s->of->viewer;
    seat_set reader = viewer == AUDIENCE_REFEREE  ? RECORD
                      : viewer == AUDIENCE_PUBLIC ? WATCHERS
                                                  : SEAT(viewer);

    for (size_t i = 0; i < events->count; i++)
        if (events->line[i].to & reader)
            buf_add(&s->drawing, "  %s\n", lines_text(events, i));
}

static void draw(struct stepper *s)
{
    const struct record *record = &s->replay.record;

    buf_reset(&s->drawing);
    buf_add(&s->drawing, "%s: %s, %d seats, step %d\n", s->of->title,
            record->game->title, record->setup.seats, s->replay.steps);
    add_events(s);
    buf_char(&s->drawing, '\n');
    game_show(record->game, s->replay.state, s->of->viewer,
              term_colours(stdout), &s->drawing);
    if (replay_over(&s->replay)) {
        buf_char(&s->drawing, '\n');
        result_write(&s->replay.result, record->setup.seats, s->replay.why,
                     &s->drawing);
        buf_char(&s->drawing, '\n');
    }
}

static bool print_all(struct stepper *s, struct err *err)
{
    if (!go_to(s, 0, err))
        return false;
    for (int steps = 0;; steps = s->replay.steps) {
        draw(s);
        printf("%s\n", s->drawing.text);
        if (s->replay.status != REPLAY_HALFWAY)
            return true;
        if (!replay_next(&s->replay, err))
            return false;
        if (s->replay.steps == steps)
            return true;
    }
}

static bool turn_pages(struct stepper *s, struct err *err)
{
    enum key key = OTHER;
    int at = 0, last;

    if (!go_to(s, INT_MAX, err))
        return false;
    last = s->replay.steps;
    take_keyboard();
    for (; key != QUIT && key != NEXT_RECORD; key = read_key()) {
        at = turn(key, at, last);
        if (!go_to(s, at, err))
            break; /* it went well before: the file cannot change in memory */
        draw(s);
        printf("\033[H\033[2J%s\n%d of %d   space or right next, b or left "
               "back, g first, G last, > next record, q quit",
               s->drawing.text, at, last);
        fflush(stdout);
    }
    give_back();
    s->of->quit = key == QUIT;
    return true;
}

bool step_through(struct stepping *record, struct err *err)
{
    struct stepper s = {.of = record};
    bool ok;

    buf_init(&s.bytes, record->text->max);
    buf_init(&s.drawing, 1 << 20);
    replay_init(&s.replay);
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        ok = turn_pages(&s, err);
    else
        ok = print_all(&s, err);
    replay_release(&s.replay);
    buf_release(&s.bytes);
    buf_release(&s.drawing);
    return ok;
}
