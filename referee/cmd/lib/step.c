#include "cmd/lib/step.h"

#include "cmd/lib/rows.h"
#include "cmd/lib/term.h"
#include "match/replay.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Turn off the keyboard's echo and line mode, until they are restored. */

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
    UP,
    DOWN,
    NEXT_RECORD,
    QUIT,
    OTHER
};

enum {
    PAGE = 10,      /* steps */
    SCROLL = 4,     /* rows */
    EVENT_ROWS = 2, /* rows of events, and ... */
    NOTES_SEEN = 2, /* ... rows of notes per step that a screen shows */
    ROWS = 24,      /* defaults for a terminal that does not say, ... */
    COLUMNS = 80,   /* ... and its columns */
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
    {"\033[C",
     NEXT}, /* arrow keys, and the variants that some terminals send */
    {"\033OC", NEXT},
    {"\033[D", BACK},
    {"\033OD", BACK},
    {"k", UP},
    {"\033[A", UP},
    {"\033OA", UP},
    {"j", DOWN},
    {"\033[B", DOWN},
    {"\033OB", DOWN},
    {"\033[6~", FORTH_PAGE},
    {"\033[5~", BACK_PAGE},
    {"\033[H", FIRST}, /* Home */
    {"\033OH", FIRST},
    {"\033[1~", FIRST},
    {"\033[F", LAST}, /* End */
    {"\033OF", LAST},
    {"\033[4~", LAST},
};

/* If keys are pressed faster than they are read, the first one counts. */
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

/* The step that a key leads to. */
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

/*
 * On a screen the head stays visible: whose game it is, the clocks, the events.
 * The body, the drawing, gets the rows below it.
 */
struct stepper {
    struct stepping *of;
    struct buf bytes; /* a copy of its text, split by the replay */
    struct buf head, body;
    struct buf page; /* head or body, folded */
    struct replay replay;
    struct lines asides;  /* clocks and notes, up to the replay's position */
    size_t asides_before; /* before the last step */
    bool on_screen;
    int columns;
    int scrolled; /* rows */
};

static bool next_step(struct stepper *s, struct err *err)
{
    s->asides_before = replay_asides(&s->replay);
    return replay_next(&s->replay, err);
}

/* Go to the position after a number of steps, or to the last one. */
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

/* The lines of the last step that the viewer saw; on a screen, side by side. */
static void add_events(struct stepper *s)
{
    const struct lines *events = &s->replay.events;
    int viewer = s->of->viewer;
    seat_set reader = viewer == AUDIENCE_REFEREE  ? RECORD
                      : viewer == AUDIENCE_PUBLIC ? WATCHERS
                                                  : SEAT(viewer);
    size_t begun = s->head.len, room = (size_t)(EVENT_ROWS * s->columns);

    for (size_t i = 0; i < events->count; i++) {
        const char *text = lines_text(events, i);
        bool is_first = s->head.len == begun;

        if (!(events->line[i].to & reader))
            continue;
        if (s->on_screen && s->head.len - begun + strlen(text) + 5 > room) {
            buf_str(&s->head, " ...");
            break;
        }
        buf_add(&s->head, "%s%c %s%s", s->on_screen && !is_first ? " " : "",
                strncmp(text, "play ", 5) == 0 ? '>' : ' ', text,
                s->on_screen ? "" : "\n");
    }
    if (s->on_screen && s->head.len > begun)
        buf_char(&s->head, '\n');
}

/* "1 anna 9.8 s left, used 0.2 s" */
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
        buf_add(&s->head, " %.1f s left", atof(text + n) / 1e6);
        if (used)
            buf_add(&s->head, ", used %.1f s",
                    atof(used + strlen(" used=")) / 1e6);
        return;
    }
}

/* Print seats side by side; begin another row when there is no more room. */
static void add_names(struct stepper *s)
{
    const struct record *record = &s->replay.record;
    size_t begun = s->head.len, row = begun, seat, len;

    for (int i = 0; i < record->setup.seats; i++) {
        const char *name =
            record->seat[i] ? about_find(record->seat[i], "name", &len) : NULL;

        if (!name)
            continue;
        if (s->head.len > begun)
            buf_str(&s->head, "   ");
        seat = s->head.len;
        buf_add(&s->head, "%d %.*s", i + 1, (int)len, name);
        add_clock(s, i);
        if (s->on_screen && seat > row &&
            s->head.len - row > (size_t)s->columns) {
            s->head.text[seat - 1] = '\n';
            row = seat;
        }
    }
    if (s->head.len > begun)
        buf_char(&s->head, '\n');
}

/* How many bytes of the text fit without cutting a character. */
static int bytes_within(const char *text, int columns)
{
    size_t n = 0;

    for (; text[n]; n++)
        if (((unsigned char)text[n] & 0xc0) != 0x80 && columns-- == 0)
            break;
    return (int)n;
}

/* The bots' notes in this step; a viewer sees only their own. */
static void add_notes(struct stepper *s)
{
    size_t upto = replay_asides(&s->replay);
    int seen = 0;

    for (size_t i = s->asides_before; i < upto; i++) {
        const char *text = lines_text(&s->asides, i);

        if (strncmp(text, "note ", 5) != 0 ||
            (s->of->viewer != AUDIENCE_REFEREE &&
             s->of->viewer != atoi(text + 5) - 1) ||
            (s->on_screen && seen++ >= NOTES_SEEN))
            continue;
        buf_add(&s->head, "  %.*s\n",
                s->on_screen ? bytes_within(text, s->columns - 2) : INT_MAX,
                text);
    }
}

static void draw(struct stepper *s)
{
    const struct record *record = &s->replay.record;

    buf_reset(&s->head);
    buf_reset(&s->body);
    buf_add(&s->head, "%s: %s, %d seats, step %d\n", s->of->title,
            record->game->title, record->setup.seats, s->replay.steps);
    add_names(s);
    add_events(s);
    add_notes(s);
    if (!s->on_screen)
        buf_char(&s->head, '\n');
    game_show(record->game, s->replay.state, s->of->viewer,
              term_colours(stdout), &s->body);
    if (replay_over(&s->replay)) {
        buf_char(&s->body, '\n');
        result_write(&s->replay.result, record->setup.seats, s->replay.why,
                     &s->body);
        buf_char(&s->body, '\n');
    }
}

static bool print_all(struct stepper *s, struct err *err)
{
    if (!go_to(s, 0, err))
        return false;
    for (int steps = 0;; steps = s->replay.steps) {
        draw(s);
        printf("%s%s\n", s->head.text, s->body.text);
        if (s->replay.status != REPLAY_HALFWAY)
            return true;
        if (!next_step(s, err))
            return false;
        if (s->replay.steps == steps)
            return true;
    }
}

/* Print the rows of the body in a range. */
static void print_rows(const char *body, int from, int rows)
{
    const char *begin = rows_at(body, from), *end = rows_at(begin, rows);

    fwrite(begin, 1, (size_t)(end - begin), stdout);
}

static void print_help(const struct stepper *s, int at, int last, int room,
                       int rows)
{
    char help[120], more[80] = "first, G last, > next game, q quit";

    if (rows > room)
        snprintf(more, sizeof more, "G, >, q quit, up/down: rows %d-%d of %d",
                 s->scrolled + 1, s->scrolled + room, rows);
    snprintf(help, sizeof help, "%d of %d: space next, b back, g %s", at, last,
             more);
    printf("%.*s", s->columns - 1, help);
}

static void show_page(struct stepper *s, int at, int last)
{
    int rows = term_rows(stdout), columns = term_columns(stdout), room;

    s->columns = columns > 0 ? columns : COLUMNS;
    draw(s);
    buf_reset(&s->page);
    room = (rows > 0 ? rows : ROWS) - 1 -
           rows_fold(s->head.text, s->columns, &s->page);
    printf("\033[H\033[2J%s", s->page.text);
    buf_reset(&s->page);
    rows = rows_fold(s->body.text, s->columns, &s->page);
    room = room < 1 ? 1 : room;
    s->scrolled = within(s->scrolled, rows > room ? rows - room : 0);
    print_rows(s->page.text, s->scrolled, room);
    print_help(s, at, last, room, rows);
    fflush(stdout);
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
            break; /* it succeeded before: memory does not change */
        s->scrolled += key == UP ? -SCROLL : key == DOWN ? SCROLL : 0;
        show_page(s, at, last);
    }
    give_back();
    s->of->quit = key == QUIT;
    return true;
}

bool step_through(struct stepping *record, struct err *err)
{
    struct stepper s = {.of = record, .columns = COLUMNS};
    bool ok;

    buf_init(&s.bytes, record->text->max);
    buf_init(&s.head, 1 << 20);
    buf_init(&s.body, 1 << 20);
    buf_init(&s.page, 2 << 20);
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
    buf_release(&s.head);
    buf_release(&s.body);
    buf_release(&s.page);
    lines_release(&s.asides);
    return ok;
}
