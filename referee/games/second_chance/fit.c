/* Second Chance: a deal that agrees with the cards a seat is told. */

#include "base/text.h"
#include "games/second_chance/state.h"

/* Where the next card is turned up while lines are read. */
struct place {
    int part, next;
};

/* The card of that name, or NO_CARD. */
static int take_card(const struct state *s, const char **at)
{
    char id[ID_TEXT];
    int card;

    if (!card_take(at, false, id))
        return NO_CARD;
    card = pieces_find(card_piece(s, 0), s->cards, id);
    take_char(at, ' ');
    return card < 0 ? NO_CARD : card;
}

/* The next card of the deck is this one: bring it up from below. */
static void fit_next(struct state *s, struct place *place, int card)
{
    uint8_t *deck = s->deck[place->part];
    int at = place->next;

    while (at < s->puzzles && deck[at] != card)
        at++;
    if (at >= s->puzzles)
        return;
    deck[at] = deck[place->next];
    deck[place->next++] = (uint8_t)card;
}

static void fit_start(struct state *s, int part, int seat, int card)
{
    uint8_t *dealt = s->dealt[part];

    if (card == NO_CARD || card_piece(s, card)->id[0] != 'S')
        return;
    seat %= s->starts;
    for (int other = 0; other < s->starts; other++)
        if (dealt[other] == card)
            dealt[other] = dealt[seat];
    dealt[seat] = (uint8_t)card;
}

static void fit_line(struct state *s, struct place *place, const char *at)
{
    int n;

    if (take_word(&at, "round")) {
        if (!take_int(&at, 0, CARDS_MAX, &n) || !take_char(&at, ' '))
            return;
        fit_next(s, place, take_card(s, &at));
        fit_next(s, place, take_card(s, &at));
    } else if (take_word(&at, "second")) {
        if (take_int(&at, 1, s->seats, &n) && take_char(&at, ' '))
            fit_next(s, place, take_card(s, &at));
    } else if (take_word(&at, "start")) {
        if (take_int(&at, 1, s->seats, &n) && take_char(&at, ' '))
            fit_start(s, place->part, n - 1, take_card(s, &at));
    } else if (take_word(&at, "part") && place->part + 1 < s->parts) {
        *place = (struct place){place->part + 1, 0};
    }
}

void second_chance_fit(struct state *s, int viewer, const struct lines *told,
                       bool starting)
{
    struct place place = {s->part, s->turned[s->part]};

    for (size_t i = 0; i < told->count; i++)
        fit_line(s, &place, lines_text(told, i));
}
