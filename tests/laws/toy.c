/*
 * Toy: for 2 to 4.
 *
 * Each seat holds the same number of cards out of a deck of 24 letters; the
 * rest stays in the box. In every round all seats bid a card at once, face
 * down. The bids are shown together, and the highest letter wins a point.
 * When the hands are empty, most points win. A seat that leaves takes its
 * hand, and a bid not yet shown, out of the game. With one seat left it is
 * over, and the round is not settled.
 *
 * A move is the letter of a card.
 */

#include "toy.h"

#include "base/text.h"

#include <string.h>

static const struct game_option options[] = {
    {.name = "hand",
     .preset = "3",
     .values = "3|4|5",
     .help = "cards of each seat"},
    {0},
};

char toy_card(const struct state *s, int seat, int slot)
{
    return s->deck[seat * s->hand + slot];
}

static int hand_size(const struct setup *setup)
{
    return setup_option(&toy_game, setup, 0)[0] - '0';
}

static int max_moves(const struct setup *setup)
{
    return setup->seats * hand_size(setup);
}

static int count_in(const struct state *s)
{
    return s->seats - __builtin_popcount(s->leavers.out);
}

static void deal(const struct setup *setup, struct rng *rng, struct buf *out)
{
    char deck[] = "abcdefghijklmnopqrstuvwx";

    rng_shuffle(rng, deck, TOY_DECK, 1);
    buf_str(out, deck);
}

static void dealt(const struct state *s, struct buf *out)
{
    buf_str(out, s->deck);
}

static void write_hand(const struct state *s, int seat, bool open,
                       struct buf *out)
{
    const char *none = "-";

    for (int i = 0; i < s->hand; i++) {
        if (s->played[seat][i])
            continue;
        buf_char(out, open ? toy_card(s, seat, i) : '?');
        none = "";
    }
    buf_str(out, none);
}

static void tell_hand(const struct state *s, int seat, seat_set to, bool open,
                      struct lines *events)
{
    struct buf *out = tell_begin(events, to);

    buf_add(out, "hand %d ", seat + 1);
    write_hand(s, seat, open, out);
    tell_end(events);
}

static bool start(struct state *s, const struct setup *setup, const char *text,
                  struct lines *events, struct err *err)
{
    for (int i = 0; i < TOY_DECK; i++)
        if (strlen(text) != TOY_DECK || !strchr(text, 'a' + i))
            return fail(err, "a deal is the letters a to x, each once");
    s->seats = setup->seats;
    s->hand = hand_size(setup);
    memcpy(s->deck, text, TOY_DECK);
    for (int seat = 0; seat < s->seats; seat++) {
        tell_hand(s, seat, SEAT(seat) | RECORD, true, events);
        tell_hand(s, seat, ALL_BUT(seat), false, events);
    }
    return true;
}

/* The seats in the round that have not bid. */
static seat_set without_bid(const struct state *s)
{
    seat_set seats = SEATS(s->seats) & ~s->leavers.out;

    for (int seat = 0; seat < s->seats; seat++)
        if (s->bid[seat])
            seats &= ~SEAT(seat);
    return seats;
}

static seat_set to_move(const struct state *s)
{
    return s->round == s->hand || count_in(s) < 2 ? 0 : without_bid(s);
}

static bool parse(const struct state *s, int seat, const char *text,
                  struct move *move, struct err *err)
{
    if (*text < 'a' || *text > 'x' || text[1])
        return fail(err, "a bid is one letter from a to x");
    for (int i = 0; i < s->hand; i++) {
        if (toy_card(s, seat, i) != *text)
            continue;
        if (s->played[seat][i])
            return fail(err, "%c was bid before: bid another card", *text);
        move->part[TOY_SLOT] = i;
        return true;
    }
    return fail(err, "you do not hold %c: bid a card of your hand", *text);
}

static void format(const struct state *s, int seat, const struct move *move,
                   struct buf *out)
{
    buf_char(out, toy_card(s, seat, move->part[TOY_SLOT]));
}

static void list(const struct state *s, int seat, struct moves *out)
{
    for (int i = 0; i < s->hand; i++)
        if (!s->played[seat][i])
            moves_add(out, &(struct move){.part[TOY_SLOT] = i});
}

static char bid_card(const struct state *s, int seat)
{
    return toy_card(s, seat, s->bid[seat] - 1);
}

/* Show the bids of all who are still in, and give the point. */
static void settle(struct state *s, struct lines *events)
{
    int best = -1;

    for (int seat = 0; seat < s->seats; seat++) {
        if (!s->bid[seat])
            continue;
        tell(events, EVERYONE, "play %d %c", seat + 1, bid_card(s, seat));
        s->played[seat][s->bid[seat] - 1] = true;
        if (best < 0 || bid_card(s, seat) > bid_card(s, best))
            best = seat;
    }
    s->points[best]++;
    tell(events, EVERYONE, "win %d %d", best + 1, s->points[best]);
    memset(s->bid, 0, sizeof s->bid);
    s->round++;
}

static void apply(struct state *s, int seat, const struct move *move,
                  struct lines *events)
{
    s->bid[seat] = move->part[TOY_SLOT] + 1;
    if (!without_bid(s))
        settle(s, events);
}

static void leave(struct state *s, seat_set seats, struct lines *events)
{
    leavers_add(&s->leavers, seats);
    for (int seat = 0; seat < s->seats; seat++)
        if (seats & SEAT(seat))
            s->bid[seat] = 0;
    if (count_in(s) > 1 && !without_bid(s))
        settle(s, events);
}

static void view(const struct state *s, int viewer, struct buf *out)
{
    buf_add(out, "round=%d left=", s->round);
    seats_write(s->leavers.out, out);
    for (int seat = 0; seat < s->seats; seat++) {
        bool open = may_see(viewer, seat);

        buf_add(out, " points%d=%d hand%d=", seat + 1, s->points[seat],
                seat + 1);
        write_hand(s, seat, open, out);
        buf_add(out, " bid%d=%c", seat + 1,
                open && s->bid[seat] ? bid_card(s, seat) : '-');
    }
    if (viewer != AUDIENCE_REFEREE)
        return;
    buf_add(out, " deck=%s out=", s->deck);
    leavers_write(&s->leavers, out);
}

static void result(const struct state *s, struct result *r)
{
    int64_t key[SEATS_MAX] = {0};

    for (int seat = 0; seat < s->seats; seat++)
        key[seat] = r->score[seat] = s->points[seat];
    result_rank(r, s->seats, key, &s->leavers);
    r->reason = count_in(s) < 2 ? "forfeit" : "empty";
}

static bool has_seen(const struct state *s, int viewer, int at)
{
    int seat = at / s->hand;

    return seat < s->seats && (seat == viewer || s->played[seat][at % s->hand]);
}

static int other_bid(const struct state *s, int seat, struct rng *rng)
{
    int slot;

    do
        slot = (int)rng_uniform(rng, (uint32_t)s->hand);
    while (s->played[seat][slot]);
    return slot + 1;
}

/* Shuffle the cards that the viewer has not seen, and think of other bids. */
static void redeal(struct state *s, int viewer, struct rng *rng)
{
    char card[TOY_DECK];
    int at[TOY_DECK], n = 0;

    for (int i = 0; i < TOY_DECK; i++)
        if (!has_seen(s, viewer, i)) {
            card[n] = s->deck[i];
            at[n++] = i;
        }
    rng_shuffle(rng, card, (size_t)n, 1);
    while (n--)
        s->deck[at[n]] = card[n];
    for (int seat = 0; seat < s->seats; seat++)
        if (s->bid[seat] && seat != viewer)
            s->bid[seat] = other_bid(s, seat, rng);
}

const struct game toy_game = {
    .name = "toy",
    .title = "Toy",
    .about = "Secret hands, bids at once.",
    .version = 1,
    .min_seats = 2,
    .max_seats = 4,
    .traits = TRAIT_HIDDEN | TRAIT_CHANCE | TRAIT_SIMULTANEOUS,
    .state_size = sizeof(struct state),
    .options = options,
    .notation = "CARD: a letter from a to x",
    .events = "hand|play|win",
    .reasons = "empty|forfeit",
    .max_moves = max_moves,
    .deal = deal,
    .start = start,
    .to_move = to_move,
    .parse = parse,
    .format = format,
    .list = list,
    .apply = apply,
    .view = view,
    .result = result,
    .leave = leave,
    .redeal = redeal,
    .dealt = dealt,
};
