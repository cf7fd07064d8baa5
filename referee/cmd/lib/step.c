#include "cmd/lib/step.h"

#include "cmd/lib/term.h"
#include "match/replay.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

enum {
    PAGE = 10,       /* steps */
    EVENTS_SEEN = 4, /* of a step, on a screen of 24 lines */
    NOTES_SEEN = 2,
    WIDTH = 80,
};

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
    struct lines asides;  /* clocks and notes, as far as it is replayed */
    size_t asides_before; /* the last step */
    bool on_screen;
};

static bool next_step(struct stepper *s, struct err *err)
{
    s->asides_before = replay_asides(&s->replay);
    return replay_next(&s->replay, err);
}

/* Go to the position after so many steps, or to the last one. */
static bool go_to(struct stepper *s, int steps, struct err *err)
{
    buf_reset(&s->bytes);
    buf_put(&s->bytes, s->of->text->text, s->of->text->len);
    lines_reset(&s->asides);
    s->asides_before = 0;
    if (!replay_open_after(&s->replay, s->of->path, s->of->lines_before,
                           s->bytes.text, s->bytes.len, err))
        return false;
    while (s->replay.steps < steps && s->replay.status == REPLAY_HALFWAY)
        if (!next_step(s, err))
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

    int seen = 0;

    for (size_t i = 0; i < events->count; i++) {
        const char *text = lines_text(events, i);

        if (!(events->line[i].to & reader))
            continue;
        if (s->on_screen && seen++ == EVENTS_SEEN) {
            buf_str(&s->drawing, "  ...\n");
            return;
        }
        buf_add(&s->drawing, "%c %.*s\n",
                strncmp(text, "play ", 5) == 0 ? '>' : ' ',
                s->on_screen ? WIDTH - 2 : INT_MAX, text);
    }
}

/* "1 anna, 9.8 s left, used 0.2 s" */
static void add_clock(struct stepper *s, int seat)
{
    size_t upto = replay_asides(&s->replay);
    char words[24];
    size_t n = (size_t)snprintf(words, sizeof words, "clock %d ", seat + 1);

    for (size_t i = upto; i-- > 0;) {
        const char *text = lines_text(&s->asides, i), *used;

        if (strncmp(text, words, n) != 0)
            continue;
        used = strstr(text, " used=");
        buf_add(&s->drawing, " %.1f s left", atof(text + n) / 1e6);
        if (used)
            buf_add(&s->drawing, ", used %.1f s",
                    atof(used + strlen(" used=")) / 1e6);
        return;
    }
}

static void add_names(struct stepper *s)
{
    const struct record *record = &s->replay.record;
    size_t begun = s->drawing.len, len;

    for (int i = 0; i < record->setup.seats; i++) {
        const char *name =
            record->seat[i] ? about_find(record->seat[i], "name", &len) : NULL;

        if (!name)
            continue;
        buf_add(&s->drawing, "%s%d %.*s", s->drawing.len > begun ? "   " : "",
                i + 1, (int)len, name);
        add_clock(s, i);
    }
    if (s->drawing.len > begun)
        buf_char(&s->drawing, '\n');
}

/* What the bots noted in this step; a viewer sees his own. */
static void add_notes(struct stepper *s)
{
    size_t upto = replay_asides(&s->replay);
    int seen = 0;

    for (size_t i = s->asides_before; i < upto; i++) {
        const char *text = lines_text(&s->asides, i);

        if (strncmp(text, "note ", 5) != 0 ||
            (s->of->viewer != AUDIENCE_REFEREE &&
             s->of->viewer != atoi(text + 5) - 1) ||
            (s->on_screen && seen++ == NOTES_SEEN))
            continue;
        buf_add(&s->drawing, "  %.*s\n", s->on_screen ? WIDTH - 2 : INT_MAX,
                text);
    }
}

static void draw(struct stepper *s)
{
    const struct record *record = &s->replay.record;

    buf_reset(&s->drawing);
    buf_add(&s->drawing, "%s: %s, %d seats, step %d\n", s->of->title,
            record->game->title, record->setup.seats, s->replay.steps);
    add_names(s);
    add_events(s);
    add_notes(s);
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
        if (!next_step(s, err))
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
        printf("\033[H\033[2J%s\n%d of %d: space next, b back, g first, "
               "G last, > next game, q quit",
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
    lines_init(&s.asides, record->text->max);
    replay_init(&s.replay);
    replay_collect(&s.replay, &s.asides);
    s.on_screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (s.on_screen)
        ok = turn_pages(&s, err);
    else
        ok = print_all(&s, err);
    replay_release(&s.replay);
    buf_release(&s.bytes);
    buf_release(&s.drawing);
    lines_release(&s.asides);
    return ok;
}
