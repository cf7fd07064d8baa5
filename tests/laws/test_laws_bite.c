/*
 * Do the laws bite? Each row below is the toy with one deliberate fault: a few
 * functions of its table replaced. The right law must notice it, and say why.
 */

#include "laws.h"
#include "toy.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <string.h>

enum { SEEDS = 80 };

#define toy toy_game

static int next_seat(const struct state *s, int seat)
{
    return (seat + 1) % s->seats;
}

/* ends */

static int one_move_less(const struct setup *setup)
{
    return toy.max_moves(setup) - 1;
}

static void apply_for_ever(struct state *s, int seat, const struct move *move,
                           struct lines *events)
{
    toy.apply(s, seat, move, events);
    if (s->round < s->hand)
        return;
    s->round = 0;
    memset(s->played, 0, sizeof s->played);
}

static void redeal_nothing(struct state *s, int viewer, struct rng *rng)
{
}

static void list_nothing_late(const struct state *s, int seat,
                              struct moves *out)
{
    if (s->round != 1)
        toy.list(s, seat, out);
}

static void result_of_boredom(const struct state *s, struct result *r)
{
    toy.result(s, r);
    r->reason = "boredom";
}

/* replays */

static void dealt_backwards(const struct state *s, struct buf *out)
{
    for (int i = TOY_DECK; i-- > 0;)
        buf_char(out, s->deck[i]);
}

static bool start_counting(struct state *s, const struct setup *setup,
                           const char *deal, struct lines *events,
                           struct err *err)
{
    static int games;

    s->points[0] = games++;
    return toy.start(s, setup, deal, events, err);
}

/* copies */

static int bids_ever;

static void apply_and_count(struct state *s, int seat, const struct move *move,
                            struct lines *events)
{
    bids_ever++;
    toy.apply(s, seat, move, events);
}

static void view_count(const struct state *s, int viewer, struct buf *out)
{
    toy.view(s, viewer, out);
    if (viewer == AUDIENCE_REFEREE)
        buf_add(out, " bids=%d", bids_ever);
}

static void list_with_a_trace(const struct state *s, int seat,
                              struct moves *out)
{
    ((struct state *)(uintptr_t)s)->points[SEATS_MAX - 1]++;
    toy.list(s, seat, out);
}

/* refuses and spells */

static void list_without_last(const struct state *s, int seat,
                              struct moves *out)
{
    toy.list(s, seat, out);
    if (out->count > 1 && !moves_are_enough(out))
        out->count--;
}

/* If not all are wanted, the last ones. */
static void list_from_the_end(const struct state *s, int seat,
                              struct moves *out)
{
    struct moves all = {0};

    toy.list(s, seat, &all);
    for (size_t i = 0; i < all.count; i++)
        moves_add(out, &all.move[out->max ? all.count - 1 - i : i]);
    moves_release(&all);
}

static void list_first_twice(const struct state *s, int seat, struct moves *out)
{
    struct move first;

    toy.list(s, seat, out);
    first = out->move[0];
    moves_add(out, &first);
}

static bool parse_old_cards(const struct state *s, int seat, const char *text,
                            struct move *move, struct err *err)
{
    struct state fresh = *s;

    memset(fresh.played, 0, sizeof fresh.played);
    return toy.parse(&fresh, seat, text, move, err);
}

static bool parse_silently(const struct state *s, int seat, const char *text,
                           struct move *move, struct err *err)
{
    struct err unsaid;

    return toy.parse(s, seat, text, move, &unsaid);
}

static bool parse_grumbling(const struct state *s, int seat, const char *text,
                            struct move *move, struct err *err)
{
    fail(err, "a bid is not easy to read");
    return toy.parse(s, seat, text, move, err);
}

static void format_neighbour(const struct state *s, int seat,
                             const struct move *move, struct buf *out)
{
    struct move other = {.part[TOY_SLOT] = move->part[TOY_SLOT] ^ 1};

    toy.format(s, seat, other.part[TOY_SLOT] < s->hand ? &other : move, out);
}

/* at once */

static void apply_for_the_slow(struct state *s, int seat,
                               const struct move *move, struct lines *events)
{
    int round = s->round;

    toy.apply(s, seat, move, events);
    s->points[seat] += s->round > round;
}

static void apply_told_early(struct state *s, int seat, const struct move *move,
                             struct lines *events)
{
    tell(events, EVERYONE, "play %d ?", seat + 1);
    toy.apply(s, seat, move, events);
}

static void view_who_has_bid(const struct state *s, int viewer, struct buf *out)
{
    toy.view(s, viewer, out);
    buf_add(out, " ready=%d", s->bid[0] != 0);
}

static void list_what_is_left(const struct state *s, int seat,
                              struct moves *out)
{
    toy.list(s, seat, out);
    if (s->bid[next_seat(s, seat)] && out->count > 1)
        out->count--;
}

/* blind */

static void view_of_next_hand(const struct state *s, int viewer,
                              struct buf *out)
{
    toy.view(s, viewer, out);
    if (viewer >= 0)
        buf_add(out, " peek=%c", toy_card(s, next_seat(s, viewer), 0));
}

static void show_the_deck(const struct state *s, int viewer, bool colour,
                          struct buf *out)
{
    buf_add(out, "%s\n", s->deck);
}

static bool parse_and_tell(const struct state *s, int seat, const char *text,
                           struct move *move, struct err *err)
{
    if (*text == toy_card(s, next_seat(s, seat), 0))
        return fail(err, "ask your neighbour for %c", *text);
    return toy.parse(s, seat, text, move, err);
}

static bool start_openly(struct state *s, const struct setup *setup,
                         const char *deal, struct lines *events,
                         struct err *err)
{
    if (!toy.start(s, setup, deal, events, err))
        return false;
    tell(events, EVERYONE, "hand 1 %c", toy_card(s, 0, 0));
    return true;
}

/* The second card may not be bid unless the neighbour's first is lower. */
static bool is_barred(const struct state *s, int seat, int slot)
{
    return slot == 1 && !s->played[seat][0] &&
           toy_card(s, seat, 1) < toy_card(s, next_seat(s, seat), 0);
}

static bool parse_unless_barred(const struct state *s, int seat,
                                const char *text, struct move *move,
                                struct err *err)
{
    if (!toy.parse(s, seat, text, move, err))
        return false;
    return !is_barred(s, seat, move->part[TOY_SLOT]) ||
           fail(err, "%s is barred", text);
}

static void list_unless_barred(const struct state *s, int seat,
                               struct moves *out)
{
    for (int i = 0; i < s->hand; i++)
        if (!s->played[seat][i] && !is_barred(s, seat, i))
            moves_add(out, &(struct move){.part[TOY_SLOT] = i});
}

/* The first card of the hand, played or not. */
static void hint_at_first(const struct state *s, int seat, struct rng *rng,
                          struct move *move)
{
    *move = (struct move){.part[TOY_SLOT] = 0};
}

/* The first or the last legal one, as the hand of a neighbour would have it. */
static void hint_of_neighbour(const struct state *s, int seat, struct rng *rng,
                              struct move *move)
{
    bool odd = toy_card(s, (seat + 1) % s->seats, 0) & 1;

    for (int i = 0; i < s->hand; i++) {
        int slot = odd ? s->hand - 1 - i : i;

        if (s->played[seat][slot])
            continue;
        *move = (struct move){.part[TOY_SLOT] = slot};
        return;
    }
}

static void observe_deck(const struct state *s, int viewer, int32_t *out)
{
    out[0] = s->deck[TOY_DECK - 1];
}

static void observe_too_much(const struct state *s, int viewer, int32_t *out)
{
    out[0] = out[1] = s->round;
}

static void redeal_box(struct state *s, int viewer, struct rng *rng)
{
    int held = s->seats * s->hand;

    rng_shuffle(rng, s->deck + held, (size_t)(TOY_DECK - held), 1);
}

static void view_without_deck(const struct state *s, int viewer,
                              struct buf *out)
{
    toy.view(s, viewer == AUDIENCE_REFEREE ? AUDIENCE_PUBLIC : viewer, out);
}

/* view */

static void view_without_hands(const struct state *s, int viewer,
                               struct buf *out)
{
    toy.view(s, viewer == AUDIENCE_REFEREE ? AUDIENCE_REFEREE : AUDIENCE_PUBLIC,
             out);
    if (viewer >= 0)
        buf_add(out, " bid=%d", s->bid[viewer]);
}

/* prints */

static void view_with_tab(const struct state *s, int viewer, struct buf *out)
{
    toy.view(s, viewer, out);
    buf_str(out, " tab=\t");
}

static void view_with_word(const struct state *s, int viewer, struct buf *out)
{
    toy.view(s, viewer, out);
    buf_str(out, " word");
}

static bool parse_shouting(const struct state *s, int seat, const char *text,
                           struct move *move, struct err *err)
{
    if (toy.parse(s, seat, text, move, err))
        return true;
    err->text[0] = '\a';
    return false;
}

static bool start_politely(struct state *s, const struct setup *setup,
                           const char *deal, struct lines *events,
                           struct err *err)
{
    tell(events, EVERYONE, "hello");
    return toy.start(s, setup, deal, events, err);
}

static bool start_alone(struct state *s, const struct setup *setup,
                        const char *deal, struct lines *events, struct err *err)
{
    tell(events, SEAT(setup->seats), "win 1 0");
    return toy.start(s, setup, deal, events, err);
}

static void show_widely(const struct state *s, int viewer, bool colour,
                        struct buf *out)
{
    buf_add(out, "%111s\n", "x");
}

/* ranks and leaves */

static void result_without_gaps(const struct state *s, struct result *r)
{
    struct result full = {0};

    toy.result(s, &full);
    *r = full;
    for (int seat = 0; seat < s->seats; seat++)
        for (int rank = full.rank[seat] - 1, i; rank > 0; rank--) {
            for (i = 0; i < s->seats && full.rank[i] != rank;)
                i++;
            r->rank[seat] -= i == s->seats;
        }
}

static void result_of_points(const struct state *s, struct result *r)
{
    struct state all_in = *s;

    all_in.leavers.out = 0;
    toy.result(&all_in, r);
    if (toy.to_move(&all_in))
        r->reason = "forfeit";
}

static void result_as_usual(const struct state *s, struct result *r)
{
    toy.result(s, r);
    r->reason = "empty";
}

static void leave_with_a_card(struct state *s, seat_set seats,
                              struct lines *events)
{
    toy.leave(s, seats, events);
    for (int seat = 0; seat < s->seats; seat++)
        if (!(seats & SEAT(seat)))
            s->played[seat][s->hand - 1 - s->round] = true;
}

static seat_set to_move_or_gone(const struct state *s)
{
    return toy.to_move(s) ? toy.to_move(s) | s->leavers.out : 0;
}

static seat_set to_move_alone(const struct state *s)
{
    struct state all_in = *s;

    all_in.leavers.out = 0;
    return toy.to_move(&all_in) & ~s->leavers.out;
}

/* traits */

static seat_set to_move_in_turn(const struct state *s)
{
    seat_set owing = toy.to_move(s);

    return owing & -owing;
}

static bool start_with_open_hands(struct state *s, const struct setup *setup,
                                  const char *deal, struct lines *events,
                                  struct err *err)
{
    struct lines unsaid;
    bool ok;

    lines_init(&unsaid, EVENTS_MAX);
    ok = toy.start(s, setup, deal, &unsaid, err);
    lines_release(&unsaid);
    return ok;
}

/* All hands, but of the bids only the viewer's own. */
static void view_open_hands(const struct state *s, int viewer, struct buf *out)
{
    toy.view(s, viewer == AUDIENCE_REFEREE ? AUDIENCE_REFEREE : AUDIENCE_PUBLIC,
             out);
    buf_add(out, " hands=%.*s", s->seats * s->hand, s->deck);
    if (viewer >= 0)
        buf_add(out, " bid=%d", s->bid[viewer]);
    else
        buf_str(out, " bid=0");
}

static void view_what_is_left(const struct state *s, int viewer,
                              struct buf *out)
{
    view_open_hands(s, viewer, out);
    buf_str(out, " played=");
    for (int seat = 0; seat < s->seats; seat++)
        for (int i = 0; i < s->hand; i++)
            buf_char(out, s->played[seat][i] ? 'y' : 'n');
}

static void redeal_box_and_bids(struct state *s, int viewer, struct rng *rng)
{
    struct state other = *s;

    toy.redeal(&other, viewer, rng);
    memcpy(s->bid, other.bid, sizeof s->bid);
    redeal_box(s, viewer, rng);
}

#define HIDDEN  TRAIT_HIDDEN
#define CHANCE  TRAIT_CHANCE
#define AT_ONCE TRAIT_SIMULTANEOUS

/* What is set here replaces the toy's. */
#define FAULT(law, says, ...) \
    {                         \
        law, says,            \
        {                     \
            __VA_ARGS__       \
        }                     \
    }

static const struct fault {
    const char *law, *says;
    struct game wrong;
} faults[] = {
    FAULT("ends", "no more than", .max_moves = one_move_less),
    FAULT("ends", "no more than", .apply = apply_for_ever,
          .redeal = redeal_nothing),
    FAULT("ends", "has none", .list = list_nothing_late),
    FAULT("ends", "boredom", .result = result_of_boredom),
    FAULT("replays", "dealt()", .dealt = dealt_backwards),
    FAULT("replays", "points1=", .start = start_counting),
    FAULT("copies", "bids=", .apply = apply_and_count, .view = view_count),
    FAULT("copies", "list() changed", .list = list_with_a_trace),
    FAULT("refuses", "not in the list", .list = list_without_last),
    FAULT("refuses", "listed twice", .list = list_first_twice),
    FAULT("refuses", "not the beginning", .list = list_from_the_end),
    FAULT("refuses", "not in the list", .parse = parse_old_cards),
    FAULT("refuses", "without a reason", .parse = parse_silently),
    FAULT("refuses", "with a reason", .parse = parse_grumbling),
    FAULT("spells", "another move", .format = format_neighbour),
    FAULT("at once", "another order", .apply = apply_for_the_slow),
    FAULT("at once", "before all", .apply = apply_told_early),
    FAULT("at once", "ready=", .view = view_who_has_bid),
    FAULT("at once", "legal moves", .list = list_what_is_left),
    FAULT("blind", "peek=", .view = view_of_next_hand),
    FAULT("blind", "the drawing", .show = show_the_deck),
    FAULT("blind", "is not legal", .hint = hint_at_first),
    FAULT("blind", "the hint in another", .hint = hint_of_neighbour),
    FAULT("blind", "the numbers of", .observed = 1, .observe = observe_deck),
    FAULT("blind", "more numbers", .observed = 1, .observe = observe_too_much),
    FAULT("blind", "neighbour", .parse = parse_and_tell),
    FAULT("blind", "an event of step 0", .start = start_openly),
    FAULT("blind", "legal move", .parse = parse_unless_barred,
          .list = list_unless_barred),
    FAULT("blind", "never changed the deal", .redeal = redeal_nothing),
    FAULT("blind", "never changed what another", .redeal = redeal_box),
    FAULT("blind", "does not determine", .view = view_without_deck),
    FAULT("view", "does not determine", .view = view_without_hands),
    FAULT("prints", "not printable", .view = view_with_tab),
    FAULT("prints", "KEY=VALUE", .view = view_with_word),
    FAULT("prints", "a refusal", .parse = parse_shouting),
    FAULT("prints", "hello", .start = start_politely),
    FAULT("prints", "nobody may read", .start = start_alone),
    FAULT("prints", "columns", .show = show_widely),
    FAULT("ranks", "rank", .result = result_without_gaps),
    FAULT("leaves", "rank", .result = result_of_points),
    FAULT("leaves", "forfeit", .result = result_as_usual),
    FAULT("leaves", "legal moves", .leave = leave_with_a_card),
    FAULT("leaves", "owes a move", .to_move = to_move_or_gone),
    FAULT("leaves", "not over", .to_move = to_move_alone),
    FAULT("traits", "hidden", .traits = CHANCE | AT_ONCE),
    FAULT("traits", "at once", .traits = CHANCE | HIDDEN),
    FAULT("traits", "if and only if", .traits = AT_ONCE | HIDDEN),
    FAULT("traits", "no two seats", .to_move = to_move_in_turn,
          .redeal = redeal_nothing),
    FAULT("traits", "saw the same", .start = start_with_open_hands,
          .view = view_what_is_left, .redeal = redeal_box_and_bids),
};

#define REPLACE(game, wrong, what)        \
    do {                                  \
        if ((wrong)->what)                \
            (game)->what = (wrong)->what; \
    } while (0)

static struct game with_fault(const struct game *wrong)
{
    struct game game = toy;

    REPLACE(&game, wrong, traits);
    REPLACE(&game, wrong, max_moves);
    REPLACE(&game, wrong, start);
    REPLACE(&game, wrong, to_move);
    REPLACE(&game, wrong, parse);
    REPLACE(&game, wrong, hint);
    REPLACE(&game, wrong, observed);
    REPLACE(&game, wrong, observe);
    REPLACE(&game, wrong, format);
    REPLACE(&game, wrong, list);
    REPLACE(&game, wrong, apply);
    REPLACE(&game, wrong, view);
    REPLACE(&game, wrong, result);
    REPLACE(&game, wrong, leave);
    REPLACE(&game, wrong, show);
    REPLACE(&game, wrong, redeal);
    REPLACE(&game, wrong, dealt);
    return game;
}

static bool obeys(const struct game *game, int seats, const char *hand,
                  struct laws_report *report)
{
    struct setup setup = {.seats = seats, .option = {hand}};

    for (uint32_t seed = 0; seed < SEEDS; seed++)
        if (!laws_hold(game, &setup, seed, report))
            return false;
    return laws_were_met(game, report);
}

Test(laws_bite, healthy)
{
    struct laws_report report = {0};

    for (int seats = toy.min_seats; seats <= toy.max_seats; seats++)
        for (int hand = 0; hand < 3; hand++)
            cr_assert(obeys(&toy, seats, (const char *[]){"3", "4", "5"}[hand],
                            &report),
                      "%s", report.text);
}

/* The toy without chance: the same cards, face up, in every game. */

static bool start_alike(struct state *s, const struct setup *setup,
                        const char *deal, struct lines *events, struct err *err)
{
    return start_with_open_hands(s, setup, "hqaxbwcvduoteglsfrmjnkpi", events,
                                 err);
}

/* For games without chance no other law asks what a view must hold. */
Test(laws_bite, a_view_must_determine_the_moves_without_chance)
{
    struct laws_report healthy = {0}, faulty = {0};
    struct game game = toy;

    game.deal = NULL;
    game.redeal = NULL;
    game.dealt = NULL;
    game.traits = AT_ONCE;
    game.start = start_alike;
    game.view = view_what_is_left;
    cr_assert(obeys(&game, 3, "5", &healthy), "%s", healthy.text);
    game.view = view_open_hands;
    cr_assert_not(obeys(&game, 3, "5", &faulty));
    cr_expect_str_eq(faulty.law, "view", "%s", faulty.text);
}

/* Criterion runs each case in its own process: pass numbers, not pointers. */
ParameterizedTestParameters(laws_bite, faulty)
{
    static int number[sizeof faults / sizeof *faults];
    size_t n = sizeof faults / sizeof *faults;

    for (size_t i = 0; i < n; i++)
        number[i] = (int)i;
    return cr_make_param_array(int, number, n);
}

ParameterizedTest(int *number, laws_bite, faulty)
{
    const struct fault *fault = &faults[*number];
    struct game game = with_fault(&fault->wrong);

    /* Of two seats, none is left to be wronged by a leaver or a tie. */
    for (int seats = 3; seats <= toy.max_seats; seats++) {
        struct laws_report report = {0};

        cr_assert(!obeys(&game, seats, "5", &report),
                  "%d seats: fault %d should break \"%s\"", seats, *number,
                  fault->law);
        cr_expect_str_eq(report.law, fault->law, "fault %d, says \"%s\": %s",
                         *number, fault->says, report.text);
        cr_expect(strstr(report.text, fault->says), "fault %d, \"%s\": %s",
                  *number, fault->says, report.text);
    }
}
