#include "games/axio_rota/axio_rota.h"

#include "base/paint.h"

static void view_turn(const struct state *s, struct buf *out)
{
    if (s->end != RUNNING) {
        buf_str(out, " seat=0 phase=-");
        return;
    }
    buf_str(out, " seat=");
    buf_int(out, s->turn + 1);
    buf_str(out, s->bonus ? " phase=b" : " phase=n");
    if (s->bonus)
        buf_int(out, s->earned);
}

static bool sees_hand(const struct state *s, int viewer, int seat)
{
    return may_see(viewer, seat) || holds_bonus(s, seat);
}

static void view_hand(const struct state *s, int viewer, int seat,
                      struct buf *out)
{
    int number = rota_hand(s, seat);

    if (!number)
        buf_char(out, '-');
    else if (sees_hand(s, viewer, seat))
        rota_tile_write(&s->set.tile[number], out);
    else
        buf_char(out, '?');
}

static int stack_size(const struct state *s, int seat)
{
    return is_out(s, seat) ? 0 : STACK - s->player[seat].drawn;
}

/* The n tiles from a place on: their numbers for the referee, or how many. */
static void view_pile(const struct state *s, int viewer, int place, int n,
                      struct buf *out)
{
    if (viewer != AUDIENCE_REFEREE)
        buf_int(out, n);
    else if (n == 0)
        buf_char(out, '-');
    else
        rota_numbers_write(&s->deal.order[place], n, '/', out);
}

static void view_seats(const struct state *s, int viewer, struct buf *out)
{
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat == 0 ? " mark=" : ",");
        rota_marks_write(&s->player[seat], out);
    }
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat == 0 ? " hand=" : ",");
        view_hand(s, viewer, seat, out);
    }
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat == 0 ? " stack=" : ",");
        view_pile(s, viewer, first_of_stack(seat) + s->player[seat].drawn,
                  stack_size(s, seat), out);
    }
}

/* What only the past explains: who left when, with which tiles. */
static void view_past(const struct state *s, struct buf *out)
{
    buf_str(out, " left=");
    leavers_write(&s->leavers, out);
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat == 0 ? " drawn=" : ",");
        buf_int(out, s->player[seat].drawn);
    }
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat == 0 ? " laid=" : ",");
        buf_int(out, s->player[seat].laid);
    }
    buf_str(out, " deal=");
    rota_deal_write(&s->deal, ':', out);
}

void rota_view(const struct state *s, int viewer, struct buf *out)
{
    buf_str(out, "n=");
    buf_int(out, s->seats);
    view_turn(s, out);
    buf_str(out, " out=");
    seats_write(s->leavers.out, out);
    view_seats(s, viewer, out);
    buf_str(out, " supply=");
    view_pile(s, viewer, s->supply, TILES - s->supply, out);
    for (int i = 0; i < s->board.count; i++) {
        buf_str(out, i == 0 ? " tiles=" : ";");
        rota_lying_write(&s->board.lying[i], out);
    }
    if (viewer == AUDIENCE_REFEREE)
        view_past(s, out);
}

/* The drawing. */

static void show_seat(const struct state *s, int viewer, int seat, bool colour,
                      struct buf *out)
{
    bool to_play = s->end == RUNNING && seat == s->turn;
    int sorted[COLOURS] = {0};
    size_t hand;

    paint(out, colour && to_play, PAINT_BOLD);
    buf_add(out, "%s seat %d ", to_play ? "  >" : "   ", seat + 1);
    for (int i = 0; i < COLOURS; i++)
        buf_add(out, " %2d", s->player[seat].mark[i]);
    rota_marks_sort(&s->player[seat], sorted);
    buf_add(out, "  %6d  ", sorted[0]);
    hand = out->len;
    view_hand(s, viewer, seat, out);
    buf_add(out, "%*s  %5d", (int)(hand + CORNERS - out->len), "",
            stack_size(s, seat));
    buf_str(out, is_out(s, seat) ? "  left" : "");
    paint(out, colour && to_play, PAINT_PLAIN);
    buf_char(out, '\n');
}

static void show_seats(const struct state *s, int viewer, bool colour,
                       struct buf *out)
{
    static const enum paint ink[COLOURS] = {PAINT_RED, PAINT_GREEN, PAINT_BLUE,
                                            PAINT_ORANGE, PAINT_PURPLE};

    buf_str(out, "           ");
    for (int i = 0; i < COLOURS; i++) {
        buf_str(out, "  ");
        painted(out, colour, ink[i], (char[]){CORNER_LETTERS[i], '\0'});
    }
    buf_str(out, "  lowest  hand  stack\n");
    for (int seat = 0; seat < s->seats; seat++)
        show_seat(s, viewer, seat, colour, out);
    buf_add(out, "    supply %d\n", TILES - s->supply);
}

static void show_end(const struct state *s, struct buf *out)
{
    struct result r = {0};
    seat_set first = 0;

    rota_result(s, &r);
    for (int seat = 0; seat < s->seats; seat++)
        if (r.rank[seat] == 1)
            first |= SEAT(seat);
    buf_add(out, "    over (%s), first: seat ", r.reason);
    seats_write(first, out);
    buf_char(out, '\n');
}

static void show_turn(const struct state *s, struct buf *out)
{
    buf_add(out, "    seat %d lays ", s->turn + 1);
    if (s->bonus)
        buf_add(out, "a bonus tile, %d more earned\n", s->earned);
    else
        buf_str(out, "the tile in hand\n");
}

/* The tile to lay in its four rotations, so that nobody must turn it. */
static void show_tile(const struct state *s, bool colour, struct buf *out)
{
    const struct rota_tile *tile = &s->set.tile[rota_hand(s, s->turn)];

    buf_str(out, "    turned    0       1       2       3");
    for (int half = 0; half < 2; half++) {
        buf_str(out, "\n            ");
        for (int turned = 0; turned < TURNS; turned++) {
            struct rota_tile look = rota_tile_turn(tile, turned);

            rota_corners_draw(&look, half ? SW : NW, half ? SE : NE, ' ',
                              colour, out);
            buf_str(out, turned < TURNS - 1 ? "   " : "");
        }
    }
    buf_char(out, '\n');
}

void rota_show(const struct state *s, int viewer, bool colour, struct buf *out)
{
    rota_board_draw(&s->board, colour, out);
    buf_char(out, '\n');
    show_seats(s, viewer, colour, out);
    if (s->end != RUNNING) {
        show_end(s, out);
        return;
    }
    show_turn(s, out);
    if (sees_hand(s, viewer, s->turn))
        show_tile(s, colour, out);
}
