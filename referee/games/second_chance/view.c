/*
 * Second Chance as its players see it: the view for bots, the drawing for
 * people.
 */

#include "base/paint.h"
#include "games/second_chance/state.h"

#include <stdio.h>
#include <string.h>

static const char *const phase_words[] = {
    [START] = "start",
    [MAIN] = "main",
    [SECOND] = "second",
    [OVER] = "over",
};

/* What fills a square: '*' the start piece, 'a' a piece of round 1, ... */
static char mark(const struct state *s, int seat, int square)
{
    static const char marks[] =
        ".*abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    return s->one[seat] == square ? '1' : marks[s->filled[seat][square]];
}

static void write_grid(const struct state *s, int seat, bool rounds,
                       struct buf *out)
{
    char text[ROWS_TEXT], *at = text;

    for (int square = 0; square < SIDE * STRIDE - 1; square++) {
        char c = mark(s, seat, square);

        if (square % STRIDE == SIDE)
            c = '/';
        else if (!rounds && c != '.' && c != '1')
            c = 'x';
        *at++ = c;
    }
    buf_put(out, text, sizeof text - 1);
}

static const char *status(const struct state *s, int seat)
{
    if (s->leavers.out & SEAT(seat))
        return "left";
    return s->dropped & SEAT(seat) ? "out" : "in";
}

static void view_seats(const struct state *s, struct buf *out)
{
    buf_str(out, " cards=");
    second_chance_write_cards(s, s->card, s->seats, out);
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat ? "," : " status=");
        buf_str(out, status(s, seat));
    }
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat ? "," : " ones=");
        buf_char(out, s->one[seat] != NO_SQUARE ? '1' : '0');
    }
    buf_str(out, " owe=");
    seats_write(s->asked, out);
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat ? "," : " grids=");
        write_grid(s, seat, false, out);
    }
}

/* What only the referee knows, and how the position came about. */
static void view_rest(const struct state *s, struct buf *out)
{
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat ? "," : " pending=");
        if (s->answered & SEAT(seat))
            second_chance_write_placement(s, s->answer[seat], out);
        else
            buf_char(out, '-');
    }
    for (int part = 0; part < s->parts; part++) {
        buf_str(out, part ? ";" : " decks=");
        second_chance_write_cards(s, s->dealt[part], s->starts, out);
        buf_char(out, '/');
        second_chance_write_cards(s, s->deck[part], s->puzzles, out);
    }
    for (int part = 0; part < s->parts; part++)
        buf_add(out, "%s%d", part ? "," : " turned=", s->turned[part]);
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat ? "," : " rounds=");
        write_grid(s, seat, true, out);
    }
    buf_add(out, " first_out=%d leavers=", s->first_out);
    leavers_write(&s->leavers, out);
    buf_add(out, " full_end=%s reason=%s",
            s->full_ends_round ? "round" : "step",
            s->phase == OVER ? second_chance_reasons[s->reason] : "-");
}

void second_chance_view(const struct state *s, int viewer, struct buf *out)
{
    buf_str(out, "part=");
    buf_int(out, s->part + 1);
    buf_str(out, " phase=");
    buf_str(out, phase_words[s->phase]);
    buf_str(out, " round=");
    buf_int(out, s->round);
    buf_str(out, " left=");
    buf_int(out, cards_left(s));
    buf_str(out, " a=");
    second_chance_write_card(s, s->offer[0], out);
    buf_str(out, " b=");
    second_chance_write_card(s, s->offer[1], out);
    view_seats(s, out);
    buf_str(out, " shown=");
    second_chance_write_cards(s, s->deck[s->part], s->turned[s->part], out);
    buf_str(out, " sum=");
    buf_int(out, s->sum);
    if (viewer == AUDIENCE_REFEREE)
        view_rest(s, out);
}

/*
 * The drawing: a panel for each seat, up to four side by side, and below them
 * the cards that may be drawn.
 */

enum { PANEL = 25, PANELS = 4, NEXT_CARDS = 20 };

/* Writes a line from left to right and knows how far it has come. */
struct pen {
    struct buf *out;
    bool colour;
    int column;
};

static void pen_text(struct pen *pen, enum paint code, const char *text)
{
    if (code == PAINT_PLAIN)
        buf_str(pen->out, text);
    else
        painted(pen->out, pen->colour, code, text);
    pen->column += (int)strlen(text);
}

static void pen_panel(struct pen *pen, int panel)
{
    while (pen->column < panel * PANEL)
        pen_text(pen, PAINT_PLAIN, " ");
}

static void pen_newline(struct pen *pen)
{
    struct buf *out = pen->out;

    while (out->len > 0 && out->text[out->len - 1] == ' ')
        out->text[--out->len] = '\0';
    buf_char(out, '\n');
    pen->column = 0;
}

/* Pieces of rounds that follow each other differ in colour. */
static enum paint paint_of(int round)
{
    static const enum paint grounds[] = {
        PAINT_ON_YELLOW, PAINT_ON_BLUE, PAINT_ON_ORANGE, PAINT_ON_GREEN,
        PAINT_ON_PURPLE, PAINT_ON_CYAN, PAINT_ON_RED,
    };

    return round ? grounds[round % (int)(sizeof grounds / sizeof *grounds)]
                 : PAINT_ON_GREY;
}

static void show_title(const struct state *s, int seat,
                       const struct result *result, struct pen *pen)
{
    bool asked = s->asked & SEAT(seat);
    char text[PANEL];

    snprintf(text, sizeof text, "%sseat %d", asked ? "> " : "", seat + 1);
    pen_text(pen, PAINT_BOLD, text);
    snprintf(text, sizeof text, ": %d free", free_count(s, seat));
    pen_text(pen, PAINT_PLAIN, text);
    if (s->phase == OVER)
        snprintf(text, sizeof text, ", rank %d", result->rank[seat]);
    else
        snprintf(text, sizeof text, ", %s", status(s, seat));
    if (s->phase == OVER || !(seats_in(s) & SEAT(seat)))
        pen_text(pen, PAINT_PLAIN, text);
}

static void show_square(const struct state *s, int seat, int square,
                        struct pen *pen)
{
    char text[3] = {mark(s, seat, square), ' ', '\0'};

    if (text[0] == '.' && square == CENTRE)
        text[0] = 'o';
    if (bits_has(s->free[seat], square))
        pen_text(pen, PAINT_DIM, text);
    else if (text[0] == '1')
        pen_text(pen, PAINT_ON_WHITE, text);
    else
        pen_text(pen, paint_of(s->filled[seat][square] - 1), text);
}

static void show_row(const struct state *s, int seat, int row, struct pen *pen)
{
    char number[3] = {(char)('1' + row), ' ', '\0'};

    pen_text(pen, PAINT_DIM, number);
    for (int column = 0; column < SIDE; column++)
        show_square(s, seat, row * STRIDE + column, pen);
}

/* A card with its name; row 0 is the name, row 1 the first of its piece. */
static void show_card_row(const struct state *s, const char *label, int card,
                          int row, struct pen *pen)
{
    const struct piece *piece = card_piece(s, card);
    bits shape = piece->shape;

    if (row == 0) {
        pen_text(pen, PAINT_PLAIN, label);
        pen_text(pen, PAINT_BOLD, piece->id);
        return;
    }
    if (row > shape_height(shape))
        return;
    pen_text(pen, PAINT_PLAIN, "  ");
    for (int column = 0; column < shape_width(shape); column++)
        if (bits_has(shape, (row - 1) * STRIDE + column))
            pen_text(pen, paint_of(s->round), "x ");
        else
            pen_text(pen, PAINT_DIM, ". ");
}

/* Up to four cards side by side; NO_CARD leaves a gap. */
static void show_cards(const struct state *s, const char *const *labels,
                       const uint8_t *cards, int count, struct pen *pen)
{
    int height = 0;

    for (int i = 0; i < count; i++)
        if (cards[i] != NO_CARD) {
            int rows = shape_height(card_piece(s, cards[i])->shape) + 1;

            height = rows > height ? rows : height;
        }
    for (int row = 0; row < height; row++) {
        for (int i = 0; i < count; i++)
            if (cards[i] != NO_CARD) {
                pen_panel(pen, i);
                show_card_row(s, labels[i], cards[i], row, pen);
            }
        pen_newline(pen);
    }
}

/* The grids of `count` seats, and the cards that are theirs alone. */
static void show_seats(const struct state *s, int first, int count,
                       const struct result *result, struct pen *pen)
{
    const char *labels[PANELS];

    for (int i = 0; i < count; i++) {
        pen_panel(pen, i);
        show_title(s, first + i, result, pen);
    }
    pen_newline(pen);
    for (int i = 0; i < count; i++) {
        pen_panel(pen, i);
        pen_text(pen, PAINT_DIM, "  a b c d e f g h i");
    }
    pen_newline(pen);
    for (int row = 0; row < SIDE; row++) {
        for (int i = 0; i < count; i++) {
            pen_panel(pen, i);
            show_row(s, first + i, row, pen);
        }
        pen_newline(pen);
    }
    for (int i = 0; i < count; i++)
        labels[i] = s->round ? "second chance " : "start card ";
    show_cards(s, labels, s->card + first, count, pen);
    pen_newline(pen);
}

static void show_heading(const struct state *s, struct buf *out)
{
    if (s->parts > 1)
        buf_add(out, "part %d of %d, ", s->part + 1, s->parts);
    if (s->round == 0)
        buf_add(out, "the start, ");
    else
        buf_add(out, "round %d, ", s->round);
    buf_add(out, "%d cards left", cards_left(s));
    if (s->parts > 1)
        buf_add(out, ", %d free in finished parts", s->sum);
    buf_str(out, "\n* start piece, a b c ... pieces of round 1 2 3 ..., 1 the "
                 "bonus\n\n");
}

static void show_turn(const struct state *s, struct buf *out)
{
    static const char *const what[] = {
        [START] = "the start card, over e5",
        [MAIN] = "A or B",
        [SECOND] = "the second chance",
    };

    if (s->phase == OVER) {
        buf_add(out, "the game is over: %s\n",
                second_chance_reasons[s->reason]);
        return;
    }
    buf_str(out, "to draw: ");
    seats_write(s->asked, out);
    buf_add(out, " (%s)\n", what[s->phase]);
}

/* What nobody at the table can see. */
static void show_hidden(const struct state *s, struct buf *out)
{
    int left = cards_left(s);

    for (int seat = 0; seat < s->seats; seat++)
        if (s->answered & SEAT(seat)) {
            buf_add(out, "seat %d has answered ", seat + 1);
            second_chance_write_placement(s, s->answer[seat], out);
            buf_char(out, '\n');
        }
    buf_str(out, "next cards: ");
    second_chance_write_cards(s, s->deck[s->part] + s->turned[s->part],
                              left < NEXT_CARDS ? left : NEXT_CARDS, out);
    buf_char(out, '\n');
}

void second_chance_show(const struct state *s, int viewer, bool colour,
                        struct buf *out)
{
    static const char *const slots[] = {"A ", "B "};
    struct pen pen = {out, colour, 0};
    struct result result = {0};
    int width = s->seats <= PANELS ? s->seats : SEATS_MAX / 2;

    if (s->phase == OVER)
        second_chance_result(s, &result);
    show_heading(s, out);
    for (int seat = 0; seat < s->seats; seat += width) {
        int rest = s->seats - seat;

        show_seats(s, seat, rest < width ? rest : width, &result, &pen);
    }
    if (s->phase == MAIN) {
        show_cards(s, slots, s->offer, 2, &pen);
        pen_newline(&pen);
    }
    show_turn(s, out);
    if (viewer == AUDIENCE_REFEREE)
        show_hidden(s, out);
}
