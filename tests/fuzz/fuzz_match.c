/*
 * Any bytes as a match. The first five choose game, seats, time control,
 * retries and what the bots list; then every line is something that happens:
 *
 *     1TEXT   seat 1 says TEXT          aN, AN  one seat, or all, answer what
 *     g1      seat 1 is lost                    is asked, genmove with the
 *     u1 r1   it does not read, reads           N-th legal move
 *     +4      10^4 microseconds pass    t       the next deadline comes
 *     l4      ... before the next line  c4      ... of CPU time
 *     w1 b1   its connection breaks, is there again
 *     v       the world fails
 *
 * However it goes, every line of the referee is as the protocol wants it, the
 * game ends when nobody answers any more, its record replays, and wherever it
 * is cut, the match can go on.
 */

#include "../unit/arena.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 5 };

static const char *const controls[] = {
    "none",
    "move:1s",
    "bank:2s",
    "fischer:1s+1s",
    "delay:1s+1s",
    "byoyomi:1s+2x1s",
    "hourglass:1s",
    "move:1s,cpu",
    "canadian:1s+2s/3",
    "bronstein:1s+1s",
};

static const char *const lists[] = {
    "legal_moves",
    "state time_left time_settings game_over rejected",
    "play leave draw score lay hand marks bonus remove last_round game_over "
    "piece start round second out one part",
    "ponder play draw lay hand piece start round leave state legal_moves "
    "time_left time_settings rejected game_over",
    NULL, /* it cannot list its commands */
};

static void set_up(struct arena *a, const uint8_t *head)
{
    const struct game *game = game_at(head[0] % game_count());
    int range = game->max_seats - game->min_seats + 1;
    struct setup setup = {.seats = game->min_seats + head[1] % range};
    uint8_t listed = head[4];
    struct err err;

    arena_open(a, game, &setup, head[0]);
    a->strangers = true;
    a->config.retries = head[3] % 4;
    for (int i = 0; i < setup.seats; i++) {
        insist(time_control_parse(controls[head[2] % 10], &a->config.time[i],
                                  &err),
               "a time control");
        a->lists[i] = lists[(listed + i) % 5];
    }
}

static int64_t power(char digit)
{
    int64_t us = 1;

    for (int i = 0; i < (digit & 7); i++)
        us *= 10;
    return us;
}

/* A line of a bot, whatever is in it. */
static void say(struct arena *a, int seat, const char *bytes, size_t len)
{
    char line[TALK_LINE_MAX + 1];

    if (len > TALK_LINE_MAX)
        len = TALK_LINE_MAX;
    memcpy(line, bytes, len);
    match_line(a->match, seat, line, len, &a->stamp);
    a->stamp.lag_us = 0;
    arena_pump(a);
}

static void say_text(struct arena *a, int seat, const char *text)
{
    say(a, seat, text, strlen(text));
}

static void list_words(struct arena *a, int seat)
{
    const char *at = a->lists[seat];

    if (!at) {
        say_text(a, seat, "? unknown");
        return;
    }
    for (say_text(a, seat, "="); *at; at += *at == ' ') {
        size_t n = strcspn(at, " ");

        say(a, seat, at, n);
        at += n;
    }
    say_text(a, seat, "");
}

static void move(struct arena *a, int seat, uint32_t choice)
{
    const struct game *game = a->config.game;
    const struct state *state = a->match->state;
    struct moves list = {0};
    struct buf text;

    buf_init(&text, 200);
    buf_str(&text, "= ");
    if (state && game->to_move(state) & SEAT(seat))
        game->list(state, seat, &list);
    if (list.count)
        game->format(state, seat, &list.move[choice % list.count], &text);
    say_text(a, seat, text.text);
    buf_release(&text);
    moves_release(&list);
}

/* The oldest command that this seat has not answered. */
static void answer_one(struct arena *a, int seat, uint32_t choice)
{
    const struct talk *talk = &a->talk[seat];

    switch (talk->open[talk->open_first]) {
    case COMMAND_GENMOVE:
        move(a, seat, choice);
        break;
    case COMMAND_LIST_COMMANDS:
        list_words(a, seat);
        break;
    case COMMAND_PROTOCOL_VERSION:
        say_text(a, seat, "= 2");
        break;
    default:
        say_text(a, seat, "=");
    }
}

/* All that is asked now, not what is asked in return. */
static void answer(struct arena *a, int seat, const char *at)
{
    uint32_t choice = text_hash(at, 0);
    uint32_t open = a->talk[seat].open_count;

    for (; open > 0 && a->talk[seat].open_count > 0; open--)
        answer_one(a, seat, choice);
}

static void tick(struct arena *a)
{
    int64_t deadline = match_deadline(a->match);

    if (deadline == NEVER)
        return;
    if (deadline > a->stamp.now_us)
        a->stamp.now_us = deadline;
    insist(match_late(a->match, a->stamp.now_us) != 0, "a deadline for nobody");
    arena_tick(a);
}

static void come_back(struct arena *a, int seat)
{
    match_away(a->match, seat);
    talk_release(&a->talk[seat]);
    talk_init(&a->talk[seat]);
    a->ids[seat] = 0;
    match_back(a->match, seat, a->stamp.now_us);
    arena_pump(a);
}

static void happen(struct arena *a, const char *line, size_t len)
{
    int seat = len > 1 ? (line[1] & 7) % a->config.setup.seats : 0;

    switch (line[0]) {
    case 'a':
        answer(a, seat, line + (len > 1));
        break;
    case 'A':
        for (int i = 0; i < a->config.setup.seats; i++)
            answer(a, i, line + 1);
        break;
    case 'g':
        arena_gone(a, seat, (enum why)(len % WHYS));
        break;
    case 'u':
    case 'r':
        a->unread[seat] = line[0] == 'u';
        arena_pump(a);
        break;
    case 'w':
        match_away(a->match, seat);
        break;
    case 'b':
        come_back(a, seat);
        break;
    case '+':
        a->stamp.now_us += power(line[1]);
        break;
    case 'c':
        a->stamp.cpu_us += power(line[1]);
        break;
    case 'l':
        a->stamp.lag_us = power(line[1]);
        break;
    case 't':
        tick(a);
        break;
    case 'v':
        arena_void(a, "fuzz");
        break;
    default:
        if (line[0] >= '1' && line[0] <= '6')
            say(a, (line[0] - '1') % a->config.setup.seats, line + 1, len - 1);
    }
}

/* Nobody answers any more: every deadline ends somebody's game. */
static void wait_for_the_end(struct arena *a)
{
    for (int i = 0; i <= SEATS_MAX && !match_is_over(a->match); i++)
        tick(a);
    insist(match_is_over(a->match), "the game does not end");
}

static void check_record(const struct arena *a)
{
    char *text = strdup(a->record.text);
    struct replay r;
    struct err err = {0};

    replay_init(&r);
    insist(replay_open(&r, "fuzz", text, strlen(text), &err) &&
               replay_all(&r, &err),
           err.text);
    insist(r.record.has_hash, "the record is not closed");
    insist(r.status ==
               (match_is_void(a->match) ? REPLAY_VOID : REPLAY_FINISHED),
           "the record ends otherwise");
    replay_release(&r);
    free(text);
}

/* The referee is killed at some byte of the record, and started again. */
static void go_on(const struct arena *a, const uint8_t *head, uint32_t salt)
{
    size_t cut = text_hash("cut", salt) % a->record.len;
    size_t whole = record_whole(a->config.game, a->record.text, cut);
    struct arena b;

    if (whole == 0)
        return;
    set_up(&b, head);
    arena_resume(&b, a->record.text, whole);
    for (int i = 0; i < b.config.setup.seats; i++)
        answer(&b, i, "x");
    for (int i = 0; i < b.config.setup.seats; i++)
        answer(&b, i, "y");
    wait_for_the_end(&b);
    check_record(&b);
    arena_close(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    char *text, *at, *end, *feed;

    if (size < HEAD_BYTES)
        return 0;
    set_up(&a, data);
    arena_begin(&a);
    text = calloc(1, size - HEAD_BYTES + 2);
    insist(text, "out of memory");
    memcpy(text, data + HEAD_BYTES, size - HEAD_BYTES);
    end = text + size - HEAD_BYTES;
    *end++ = '\n';
    for (at = text; at < end; at = feed + 1) {
        feed = memchr(at, '\n', (size_t)(end - at));
        *feed = '\0';
        happen(&a, at, (size_t)(feed - at));
    }
    free(text);
    wait_for_the_end(&a);
    check_record(&a);
    go_on(&a, data, (uint32_t)size);
    arena_close(&a);
    return 0;
}
