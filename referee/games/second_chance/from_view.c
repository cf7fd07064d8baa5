/* Second Chance: a position that looks so to a viewer. */

#include "games/second_chance/state.h"

#include "base/text.h"

#include <string.h>

static bool take_card(const struct state *s, const char **at, uint8_t *card)
{
    char id[ID_TEXT];
    int i;

    *card = NO_CARD;
    if (take_char(at, '-'))
        return true;
    if (!card_take(at, false, id))
        return false;
    i = pieces_find(card_piece(s, 0), s->cards, id);
    *card = (uint8_t)i;
    return i >= 0;
}

static bool take_grid(struct state *s, int seat, const char **at)
{
    s->free[seat] = 0;
    s->one[seat] = NO_SQUARE;
    memset(s->filled[seat], 0, sizeof s->filled[seat]);
    for (int square = 0; square < SIDE * STRIDE - 1; square++) {
        int what;

        if (square % STRIDE == SIDE) {
            if (!take_char(at, '/'))
                return false;
            continue;
        }
        if (!take_one_of(at, ".x1", &what))
            return false;
        if (what == 0)
            s->free[seat] |= bit(square);
        else if (what == 1)
            s->filled[seat][square] = 1;
        else
            s->one[seat] = (uint8_t)square;
    }
    return true;
}

/* Those who left are known from "status" too, which is enough. */
static bool take_status(struct state *s, const char *at)
{
    seat_set out = 0;

    s->dropped = 0;
    for (int seat = 0; seat < s->seats; seat++) {
        if (seat > 0 && !take_char(&at, ','))
            return false;
        if (take_text(&at, "left"))
            out |= SEAT(seat);
        else if (take_text(&at, "out"))
            s->dropped |= SEAT(seat);
        else if (!take_text(&at, "in"))
            return false;
    }
    if (out)
        leavers_add(&s->leavers, out);
    s->first_out = s->dropped != 0;
    return true;
}

static bool take_seats(struct state *s, const char *view)
{
    const char *cards, *status, *owe, *grids;
    struct leavers asked = {0};

    if (!value_of_key(view, "cards", &cards) ||
        !value_of_key(view, "status", &status) ||
        !value_of_key(view, "owe", &owe) ||
        !value_of_key(view, "grids", &grids) || !take_status(s, status) ||
        !seats_read(&owe, s->seats, &asked))
        return false;
    s->asked = asked.out;
    for (int seat = 0; seat < s->seats; seat++)
        if ((seat > 0 &&
             (!take_char(&cards, ',') || !take_char(&grids, ','))) ||
            !take_card(s, &cards, &s->card[seat]) ||
            !take_grid(s, seat, &grids))
            return false;
    return true;
}

/* Bring a card that was shown to its place in the deck, or a start card to the
 * one who has it. */
static bool bring(uint8_t *cards, int count, int place, uint8_t card)
{
    for (int i = place; i < count; i++)
        if (cards[i] == card) {
            cards[i] = cards[place];
            cards[place] = card;
            return true;
        }
    return false;
}

static bool take_deck(struct state *s, const char *view)
{
    const char *at;
    int shown = 0, left;
    uint8_t card;

    if (!value_of_key(view, "left", &at) ||
        !take_int(&at, 0, s->puzzles, &left) ||
        !value_of_key(view, "shown", &at))
        return false;
    s->turned[s->part] = (uint8_t)(s->puzzles - left);
    for (; shown < s->turned[s->part]; shown++)
        if ((shown > 0 && !take_char(&at, ',')) || !take_card(s, &at, &card) ||
            !bring(s->deck[s->part], s->puzzles, shown, card))
            return false;
    for (int seat = 0; s->phase == START && seat < s->starts; seat++)
        s->dealt[s->part][seat] = s->card[seat];
    return true;
}

static bool take_phase(struct state *s, const char *view)
{
    static const char *const words[] = {[START] = "start",
                                        [MAIN] = "main",
                                        [SECOND] = "second",
                                        [OVER] = "over"};
    const char *part, *phase, *round, *a, *b, *sum;

    if (!value_of_key(view, "part", &part) ||
        !take_int(&part, 1, s->parts, &s->part) ||
        !value_of_key(view, "phase", &phase) ||
        !value_of_key(view, "round", &round) ||
        !take_int(&round, 0, s->puzzles, &s->round) ||
        !value_of_key(view, "a", &a) || !take_card(s, &a, &s->offer[0]) ||
        !value_of_key(view, "b", &b) || !take_card(s, &b, &s->offer[1]) ||
        !value_of_key(view, "sum", &sum) ||
        !take_int(&sum, 0, PARTS_MAX * SQUARES, &s->sum))
        return false;
    s->part--;
    s->answered = 0;
    for (int i = START; i <= OVER; i++)
        if (take_word(&phase, words[i])) {
            s->phase = (enum phase)i;
            return true;
        }
    return false;
}

/* Does everyone who is asked have a card to draw, as a step needs it? */
static bool can_go_on(const struct state *s)
{
    if (!s->asked || s->phase == OVER)
        return false;
    if (s->phase == MAIN && (s->offer[0] == NO_CARD || s->offer[1] == NO_CARD))
        return false;
    for (int seat = 0; seat < s->seats; seat++) {
        struct moves moves = {.max = 1};
        bool can = true;

        if (s->asked & SEAT(seat) && s->phase != MAIN)
            can = s->card[seat] != NO_CARD;
        if (can && s->asked & SEAT(seat)) {
            second_chance_list(s, seat, &moves);
            can = moves.count > 0;
        }
        moves_release(&moves);
        if (!can)
            return false;
    }
    return true;
}

bool second_chance_from_view(struct state *s, int viewer, const char *view)
{
    return take_phase(s, view) && take_seats(s, view) && take_deck(s, view) &&
           can_go_on(s);
}
