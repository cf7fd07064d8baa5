/*
 * Moves of Second Chance in text: what may be drawn where, and why not.
 */

#include "base/text.h"
#include "games/second_chance/state.h"

#include <string.h>

enum { CARD, CORNER, TURN }; /* parts of a move */

enum { PLACEMENT_TEXT = 8 }; /* "P01:c3:5" */

char *second_chance_jot_card(char *at, const struct state *s, int card)
{
    if (card == NO_CARD)
        return jot_text(at, "-", 1);
    return jot_text(at, card_piece(s, card)->id, ID_TEXT - 1);
}

void second_chance_write_card(const struct state *s, int card, struct buf *out)
{
    char *at = buf_room(out, ID_TEXT);

    if (at)
        buf_upto(out, second_chance_jot_card(at, s, card));
}

void second_chance_write_cards(const struct state *s, const uint8_t *cards,
                               int count, struct buf *out)
{
    char *at = buf_room(out, (size_t)count * ID_TEXT + 1);

    if (!at)
        return;
    if (count == 0)
        *at++ = '-';
    for (int i = 0; i < count; i++) {
        if (i > 0)
            *at++ = ',';
        at = second_chance_jot_card(at, s, cards[i]);
    }
    buf_upto(out, at);
}

void second_chance_write_placement(const struct state *s, struct placement p,
                                   struct buf *out)
{
    char *at = buf_room(out, PLACEMENT_TEXT);

    if (!at)
        return;
    at = second_chance_jot_card(at, s, p.card);
    *at++ = ':';
    at = square_jot(at, p.corner);
    *at++ = ':';
    at = jot_int(at, p.turn);
    buf_upto(out, at);
}

struct placement second_chance_placement(const struct move *move)
{
    return (struct placement){
        .card = (uint8_t)move->part[CARD],
        .corner = (uint8_t)move->part[CORNER],
        .turn = (uint8_t)move->part[TURN],
    };
}

bits second_chance_corners(const struct state *s, int seat, bits shape)
{
    bits corners = shape_corners(shape, s->free[seat]);

    if (s->phase == START)
        corners &= shape_corners_over(shape, CENTRE);
    return corners;
}

static void list_card(const struct state *s, int seat, int card,
                      struct moves *out)
{
    const struct piece *piece = card_piece(s, card);
    uint64_t halves[TURNS][2]; /* of the corners */
    int turns[TURNS], count = 0;
    bits any = 0;

    for (int turn = 0; turn < TURNS; turn++) {
        bits corners;

        if (piece->least[turn] != turn)
            continue;
        corners = second_chance_corners(s, seat, piece_turn(piece, turn));
        any |= corners;
        halves[count][0] = (uint64_t)corners;
        halves[count][1] = (uint64_t)(corners >> 64);
        turns[count++] = turn;
    }
    for (int low = 0; any; any >>= 64, low += 64)
        for (uint64_t rest = (uint64_t)any; rest; rest &= rest - 1) {
            int corner = low + __builtin_ctzll(rest);

            for (int i = 0; i < count; i++)
                if (halves[i][low / 64] & rest & -rest)
                    moves_add(out, &(struct move){{card, corner, turns[i]}});
        }
}

void second_chance_list(const struct state *s, int seat, struct moves *out)
{
    const uint8_t *cards;
    int count = cards_for(s, seat, &cards);

    for (int i = 0; i < count; i++)
        list_card(s, seat, cards[i], out);
}

void second_chance_format(const struct state *s, int seat,
                          const struct move *move, struct buf *out)
{
    second_chance_write_placement(s, second_chance_placement(move), out);
}

/* Refusals. */

struct names {
    const char *a, *b;
};

/* The cards that the seat may draw; b is empty if there is only one. */
static struct names names_for(const struct state *s, int seat)
{
    const uint8_t *cards;
    int count = cards_for(s, seat, &cards);

    return (struct names){
        .a = card_piece(s, cards[0])->id,
        .b = count > 1 ? card_piece(s, cards[1])->id : "",
    };
}

static bool bad_form(const struct state *s, int seat, const char *text,
                     struct err *err)
{
    struct names names = names_for(s, seat);

    return fail(err,
                "\"%.24s\" is not a placement: write CARD:CORNER:TURN such as "
                "%s:c3:0, or CARD=SQUARE,SQUARE,...",
                text, names.a);
}

static bool bad_card(const struct state *s, int seat, const char *id,
                     struct err *err)
{
    struct names names = names_for(s, seat);

    if (pieces_find(card_piece(s, 0), s->cards, id) < 0)
        return fail(err, "there is no card %s: draw %s%s%s", id, names.a,
                    *names.b ? " or " : "", names.b);
    if (s->phase == MAIN)
        return fail(err, "%s is not one of the two cards: draw %s or %s", id,
                    names.a, names.b);
    return fail(err, "%s is not your card: your %s is %s", id,
                s->phase == START ? "start card" : "second chance", names.a);
}

/* The place of a card that the seat may draw, or -1. */
static int card_for(const struct state *s, int seat, const char *id)
{
    const uint8_t *cards;
    int count = cards_for(s, seat, &cards);

    for (int i = 0; i < count; i++)
        if (same_id(card_piece(s, cards[i])->id, id))
            return cards[i];
    return -1;
}

static bool outside(const struct piece *piece, struct placement p,
                    struct err *err)
{
    bits shape = piece_turn(piece, p.turn);
    int height = shape_height(shape), width = shape_width(shape);

    return fail(err,
                "%s in turn %d at %c%d leaves the grid: it is %d wide and %d "
                "high, so its corner lies in a1 to %c%d",
                piece->id, p.turn, 'a' + p.corner % STRIDE,
                1 + p.corner / STRIDE, width, height, 'a' + SIDE - width,
                1 + SIDE - height);
}

static bool overlaps(const struct state *s, int seat, const struct piece *piece,
                     bits squares, struct err *err)
{
    int square = bits_first(squares & ~s->free[seat]);
    struct names names = names_for(s, seat);

    if (!piece_fits(piece, s->free[seat]))
        return fail(err, "%s does not fit into your grid: draw %s", piece->id,
                    same_id(piece->id, names.a) ? names.b : names.a);
    return fail(err, "%c%d is already filled: %s needs free squares",
                'a' + square % STRIDE, 1 + square / STRIDE, piece->id);
}

static bool is_legal(const struct state *s, int seat, struct placement p,
                     struct err *err)
{
    const struct piece *piece = card_piece(s, p.card);
    bits squares = piece_turn(piece, p.turn) << p.corner;

    if (squares & ~whole_grid)
        return outside(piece, p, err);
    if (squares & ~s->free[seat])
        return overlaps(s, seat, piece, squares, err);
    if (s->phase == START && !bits_has(squares, CENTRE))
        return fail(err, "the start piece must cover e5, the centre");
    return true;
}

/* "c3:5" */
static bool take_corner(const char *at, struct placement *p, struct err *err)
{
    int corner, turn;

    if (!square_take(&at, &corner))
        return fail(err, "the corner is a1 to i9, not \"%.12s\"", at);
    if (!take_char(&at, ':'))
        return fail(err, "\"%.12s\" follows the corner: write CARD:CORNER:TURN",
                    at);
    turn = at[0] - '0';
    if (turn < 0 || turn >= TURNS || !at_end(at + 1))
        return fail(err, "the turn is 0 to 7, not \"%.12s\"", at);
    p->corner = (uint8_t)corner;
    p->turn = (uint8_t)turn;
    return true;
}

/* "d3,d4,c5,d5" */
static bool take_squares(const char *at, bits *squares, struct err *err)
{
    int square;

    *squares = 0;
    do {
        if (!square_take(&at, &square))
            return fail(err,
                        "squares are a1 to i9, joined by ',', not "
                        "\"%.12s\"",
                        at);
        if (bits_has(*squares, square))
            return fail(err, "%c%d is named twice: name each square once",
                        'a' + square % STRIDE, 1 + square / STRIDE);
        *squares |= bit(square);
    } while (take_char(&at, ','));
    if (!at_end(at))
        return fail(err, "\"%.12s\" follows %c%d: squares are joined by ','",
                    at, 'a' + square % STRIDE, 1 + square / STRIDE);
    return true;
}

static int box_corner(bits squares)
{
    int row = bits_first(squares) / STRIDE, column = SIDE;

    for (bits rest = squares; rest; rest &= rest - 1)
        if (bits_first(rest) % STRIDE < column)
            column = bits_first(rest) % STRIDE;
    return row * STRIDE + column;
}

/* The squares must be the piece in one of its turns. */
static bool find_turn(const struct piece *piece, bits squares,
                      struct placement *p, struct err *err)
{
    int corner = box_corner(squares);
    char rows[ROWS_TEXT];

    if (bits_count(squares) != piece->size)
        return fail(err, "%s has %d squares, but you name %d", piece->id,
                    piece->size, bits_count(squares));
    for (int turn = 0; turn < TURNS; turn++)
        if (piece_turn(piece, turn) == squares >> corner) {
            p->corner = (uint8_t)corner;
            p->turn = (uint8_t)turn;
            return true;
        }
    piece_rows(piece, 0, rows);
    return fail(err, "these squares are not %s, which is %s in any turn",
                piece->id, rows);
}

bool second_chance_parse(const struct state *s, int seat, const char *text,
                         struct move *move, struct err *err)
{
    const char *at = text;
    struct placement p = {0};
    bits squares;
    char id[ID_TEXT], form;
    int card;

    if (!card_take(&at, true, id) || (*at != ':' && *at != '='))
        return bad_form(s, seat, text, err);
    form = *at++;
    card = card_for(s, seat, id);
    if (card < 0)
        return bad_card(s, seat, id, err);
    p.card = (uint8_t)card;
    if (form == ':' && !take_corner(at, &p, err))
        return false;
    if (form == '=' && (!take_squares(at, &squares, err) ||
                        !find_turn(card_piece(s, card), squares, &p, err)))
        return false;
    if (!is_legal(s, seat, p, err))
        return false;
    move->part[CARD] = card;
    move->part[CORNER] = p.corner;
    move->part[TURN] = card_piece(s, card)->least[p.turn];
    return true;
}
