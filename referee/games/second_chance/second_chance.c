/*
 * Second Chance, for 1 to 6. Uwe Rosenberg, 2019.
 *
 * Material. Each seat has a grid of 9 x 9 squares, a1 to i9, row 1 on top. A
 * card shows a piece: squares joined by their edges. Start cards have 8
 * squares, the 40 puzzle cards 1 to 7. All cards are known, their order is
 * not.
 *
 * Drawing. A piece may be turned and mirrored, and it may lie anywhere on free
 * squares, beside other pieces or apart from them. What is drawn stays.
 *
 * Start. Each seat gets another start card and draws it so that it covers e5.
 *
 * A round.
 *   1. The two top cards of the deck are turned up.
 *   2. Each seat that is in and can draw one of the two must draw one of them.
 *      All choose at once. Who can draw neither is affected.
 *   3. If a grid is full now, the game ends (with full_end=round this waits
 *      until the round is over).
 *   4. Each affected seat gets a card of its own, its second chance. If the
 *      deck has too few cards for that, nobody gets one and the game ends.
 *      If the card fits it must be drawn; if not, the seat drops out.
 *   5. Those who drop out first in the game, in one and the same round, write
 *      a 1 into a free square: here the first one in reading order. It fills
 *      the square. Nobody does so in a solo game.
 *   6. If a grid is full now, the game ends.
 *
 * End. A grid is full, or there were too few cards for the second chances, or
 * all have dropped out, or fewer than two cards are left for a new round.
 * Fewest free squares win. In a tie those with a 1 are before those without,
 * except that all full grids win alike.
 *
 * Solo. Three games in a row; the free squares are added up. Below 10 is a
 * success.
 *
 * A seat that leaves keeps its grid and its 1, but is asked nothing, is not
 * affected, does not drop out, and its grid does not end the game. It is
 * ranked behind all that stayed.
 */

#include "base/text.h"
#include "games/second_chance/state.h"

#include <string.h>

enum { PIECES, FULL_END, START_CARDS, SOLO_PARTS }; /* options */

enum { SOLO_GOAL = 10 }; /* fewer free squares than this */

const char *const second_chance_reasons[] = {
    [FULL] = "full", [NOSECOND] = "nosecond", [ALLOUT] = "allout",
    [DECK] = "deck", [FORFEIT] = "forfeit",
};

/* Options. */

static bool check_pieces(const char *text, struct err *err)
{
    struct pieces pieces;

    return pieces_load(&pieces, text, err);
}

static const char set_help[] =
    "the cards, such as P07:xx/x. or P07,3,xx/x.; P01 to P99 are in the "
    "deck, S01 to S99 are start cards. The printed cards have not been "
    "published: the built-in ones are our own and satisfy every stated "
    "fact; --set pieces=@FILE uses the printed ones";

static const char full_help[] =
    "a full grid ends the game at once, or after the second chances of its "
    "round";

static const char start_help[] =
    "each seat gets a start card of its own, the default, or all get the "
    "same one";

static const char parts_help[] =
    "how many parts a single player plays; the default is 3";

static const struct game_option options[] = {
    {.name = "pieces",
     .preset = "default",
     .values = "default",
     .form = "ID:ROWS;...",
     .help = set_help,
     .check = check_pieces},
    {.name = "full_end",
     .preset = "step",
     .values = "step|round",
     .help = full_help},
    /* No defaults: so the first words to a bot, and old records, stay. */
    {.name = "start", .values = "each|common", .help = start_help},
    {.name = "parts", .values = "3|1", .help = parts_help},
    {0},
};

static const char *option(const struct setup *setup, int i)
{
    return setup->option[i] ? setup->option[i] : options[i].preset;
}

/* The built-in set, or that of the setup, for which the caller has room. */
static const struct pieces *pieces_in(const struct setup *setup,
                                      struct pieces *own)
{
    const char *text = option(setup, PIECES);

    if (strcmp(text, "default") == 0)
        return printed_pieces();
    pieces_must_load(own, text);
    return own;
}

static bool is_printed(const struct pieces *pieces)
{
    return pieces == printed_pieces();
}

static size_t size(const struct setup *setup)
{
    struct pieces own;
    const struct pieces *pieces = pieces_in(setup, &own);
    size_t count = is_printed(pieces) ? 0 : (size_t)pieces->count;

    return sizeof(struct state) + count * sizeof(struct piece);
}

static int parts_of(const struct setup *setup)
{
    const char *parts = setup->option[SOLO_PARTS];

    return setup->seats > 1 || (parts && strcmp(parts, "1") == 0) ? 1
                                                                  : PARTS_MAX;
}

static bool is_common(const struct setup *setup)
{
    const char *start = setup->option[START_CARDS];

    return start && strcmp(start, "common") == 0;
}

/* How many start cards are dealt. */
static int starts_of(const struct setup *setup)
{
    return is_common(setup) ? 1 : setup->seats;
}

static int max_moves(const struct setup *setup)
{
    struct pieces own;
    int rounds = pieces_in(setup, &own)->puzzles / 2;

    return parts_of(setup) * setup->seats * (1 + rounds);
}

static bool accepts(const struct setup *setup, struct err *err)
{
    struct pieces own;
    int starts = pieces_in(setup, &own)->starts;

    if (starts < starts_of(setup))
        return fail(err, "start cards: %d, but %d seats need one each", starts,
                    setup->seats);
    if (setup->option[SOLO_PARTS] && setup->seats > 1)
        return fail(err, "parts is for a single player, not for %d seats",
                    setup->seats);
    return true;
}

static void warn(const struct setup *setup, struct buf *out)
{
    struct pieces own;

    pieces_warn(pieces_in(setup, &own), out);
}

/* The deal. */

/* The cards of one kind, shuffled from their order in the data. */
static void shuffled(const struct state *s, char kind, struct rng *rng,
                     uint8_t cards[CARDS_MAX])
{
    const struct piece *pieces = card_piece(s, 0);
    size_t count = 0;

    for (int i = 0; i < s->cards; i++)
        if (pieces[i].id[0] == kind)
            cards[count++] = (uint8_t)i;
    rng_shuffle(rng, cards, count, sizeof *cards);
}

static void shuffle_part(struct state *s, int part, struct rng *rng)
{
    uint8_t starts[CARDS_MAX];

    shuffled(s, 'S', rng, starts);
    memcpy(s->dealt[part], starts, (size_t)s->starts);
    shuffled(s, 'P', rng, s->deck[part]);
}

static void dealt(const struct state *s, struct buf *out)
{
    for (int part = 0; part < s->parts; part++) {
        if (part > 0)
            buf_str(out, " ; ");
        second_chance_write_cards(s, s->dealt[part], s->starts, out);
        buf_char(out, ' ');
        second_chance_write_cards(s, s->deck[part], s->puzzles, out);
    }
}

static void set_up(struct state *s, const struct setup *setup,
                   const struct pieces *pieces)
{
    s->cards = pieces->count;
    s->puzzles = pieces->puzzles;
    s->printed = pieces->piece;
    s->seats = setup->seats;
    s->starts = starts_of(setup);
    s->parts = parts_of(setup);
    s->full_ends_round = strcmp(option(setup, FULL_END), "round") == 0;
}

/* Where there is room for them: behind the state of a game, not of a deal. */
static void own_pieces(struct state *s)
{
    memcpy(s->own, s->printed, (size_t)s->cards * sizeof *s->own);
    s->printed = NULL;
}

static void deal(const struct setup *setup, struct rng *rng, struct buf *out)
{
    struct state s = {0};
    struct pieces own;

    set_up(&s, setup, pieces_in(setup, &own));
    for (int part = 0; part < s.parts; part++)
        shuffle_part(&s, part, rng);
    dealt(&s, out);
}

/* `count` different cards of one kind, joined by ','. */
static bool take_cards(const struct state *s, const char **at, char kind,
                       int count, uint8_t *cards, struct err *err)
{
    bool taken[PIECES_MAX] = {false};

    for (int i = 0; i < count; i++) {
        const char *c = *at;
        char id[ID_TEXT];
        int card = -1;

        if ((i == 0 || take_char(at, ',')) && card_take(at, false, id) &&
            id[0] == kind)
            card = pieces_find(card_piece(s, 0), s->cards, id);
        if (card < 0)
            return fail(err, "found \"%.12s\" where %s card %d of %d is due", c,
                        kind == 'S' ? "start" : "puzzle", i + 1, count);
        if (taken[card])
            return fail(err, "%s is dealt twice", id);
        taken[card] = true;
        cards[i] = (uint8_t)card;
    }
    return true;
}

static bool take_part(struct state *s, int part, const char **at,
                      struct err *err)
{
    if (part > 0 && !take_text(at, " ; "))
        return fail(err,
                    "found \"%.12s\" where \" ; \" and part %d of the solo "
                    "deal are due",
                    *at, part + 1);
    if (!take_cards(s, at, 'S', s->starts, s->dealt[part], err))
        return false;
    if (!take_char(at, ' '))
        return fail(err,
                    "\"%.12s\" follows the start cards: %s%d %s, then a blank "
                    "and the deck",
                    *at, s->starts < s->seats ? "" : "one for each of the ",
                    s->starts < s->seats ? 1 : s->seats,
                    s->starts < s->seats ? "for all seats" : "seats");
    return take_cards(s, at, 'P', s->puzzles, s->deck[part], err);
}

static bool read_deal(struct state *s, const char *text, struct err *err)
{
    for (int part = 0; part < s->parts; part++)
        if (!take_part(s, part, &text, err))
            return false;
    if (!at_end(text))
        return fail(err,
                    "\"%.12s\" follows the last card: the deck has each of "
                    "the %d puzzle cards once",
                    text, s->puzzles);
    return true;
}

/* Telling. */

static void write_pieces(const struct state *s, struct lines *events)
{
    for (int i = 0; i < s->cards; i++) {
        struct buf *out = tell_begin(events, EVERYONE);
        char rows[ROWS_TEXT];

        piece_rows(card_piece(s, i), 0, rows);
        buf_str(out, "piece ");
        second_chance_write_card(s, i, out);
        buf_char(out, ' ');
        buf_str(out, rows);
        tell_end(events);
    }
}

static void write_facts(const struct state *s, struct buf *out)
{
    buf_str(out, "pieces=");
    for (int i = 0; i < s->cards; i++) {
        char rows[ROWS_TEXT];

        piece_rows(card_piece(s, i), 0, rows);
        buf_str(out, i ? "," : "");
        second_chance_write_card(s, i, out);
        buf_add(out, ":%s", rows);
    }
}

/* The built-in ones are written once. */
static void tell_pieces(const struct state *s, struct lines *events)
{
    static struct lines printed;

    if (!s->printed) {
        write_pieces(s, events);
        return;
    }
    if (printed.count == 0) {
        lines_init(&printed, PIECES_MAX * LINE_MAX_BYTES);
        write_pieces(s, &printed);
    }
    lines_append(events, &printed);
}

static void tell_card(const struct state *s, const char *word, int seat,
                      struct lines *events)
{
    if (!events)
        return;
    second_chance_write_card(s, s->card[seat],
                             tell_of(events, EVERYONE, word, seat));
    tell_end(events);
}

enum { ROUND_TEXT = 6 + 2 * (ID_TEXT + NUMBER_TEXT) + 1 };

static void tell_round(const struct state *s, struct lines *events)
{
    struct buf *out;
    char *at;

    if (!events)
        return;
    out = tell_begin(events, EVERYONE);
    at = buf_room(out, ROUND_TEXT);
    if (at) {
        at = jot_int(jot_text(at, "round ", 6), s->round);
        *at++ = ' ';
        at = second_chance_jot_card(at, s, s->offer[0]);
        *at++ = ' ';
        at = second_chance_jot_card(at, s, s->offer[1]);
        *at++ = ' ';
        buf_upto(out, jot_int(at, cards_left(s)));
    }
    tell_end(events);
}

/* Steps. */

static void begin_part(struct state *s, struct lines *events)
{
    s->phase = START;
    s->round = s->first_out = 0;
    s->dropped = 0;
    s->asked = SEATS(s->seats);
    s->answered = 0;
    memset(s->offer, NO_CARD, sizeof s->offer);
    memset(s->card, NO_CARD, sizeof s->card);
    memset(s->one, NO_SQUARE, sizeof s->one);
    memset(s->filled, 0, sizeof s->filled);
    for (int seat = 0; seat < s->seats; seat++) {
        s->free[seat] = whole_grid;
        s->card[seat] = s->dealt[s->part][seat % s->starts];
        tell_card(s, "start", seat, events);
    }
}

static void end_game(struct state *s, enum reason reason)
{
    s->phase = OVER;
    s->reason = reason;
    s->asked = s->answered = 0;
}

/* The game is over, or one part of a solo game. */
static void end(struct state *s, enum reason reason, struct lines *events)
{
    if (s->parts > 1) {
        tell(events, EVERYONE, "part %d %s %d", s->part + 1,
             second_chance_reasons[reason], free_count(s, 0));
        s->sum += free_count(s, 0);
        if (s->part + 1 < s->parts) {
            s->part++;
            begin_part(s, events);
            return;
        }
    }
    end_game(s, reason);
}

static bool some_grid_is_full(const struct state *s)
{
    for (int seat = 0; seat < s->seats; seat++)
        if (!s->free[seat] && !(s->leavers.out & SEAT(seat)))
            return true;
    return false;
}

static void fill(struct state *s, int seat, bits squares)
{
    s->free[seat] &= ~squares;
    for (int first = 0; squares; squares >>= 64, first += 64)
        for (uint64_t rest = (uint64_t)squares; rest; rest &= rest - 1)
            s->filled[seat][first + __builtin_ctzll(rest)] =
                (uint8_t)(s->round + 1);
}

/* Draw what the seat has answered. */
static void draw(struct state *s, int seat, struct lines *events)
{
    struct placement p = s->answer[seat];

    if (events) {
        second_chance_write_placement(s, p,
                                      tell_of(events, EVERYONE, "play", seat));
        tell_end(events);
    }
    fill(s, seat, piece_turn(card_piece(s, p.card), p.turn) << p.corner);
}

static void draw_all(struct state *s, struct lines *events)
{
    for (int seat = 0; seat < s->seats; seat++)
        if (s->answered & SEAT(seat))
            draw(s, seat, events);
}

/* The smaller piece comes first: it is likelier to fit. */
static bool can_draw(const struct state *s, int seat)
{
    const uint8_t *cards;
    int count = cards_for(s, seat, &cards);
    int swap = count > 1 &&
               card_piece(s, cards[1])->size < card_piece(s, cards[0])->size;

    for (int i = 0; i < count; i++)
        if (piece_fits(card_piece(s, cards[i ^ swap]), s->free[seat]))
            return true;
    return false;
}

/* Begin a step in which those of the seats are asked who can draw. */
static void ask(struct state *s, enum phase phase, seat_set seats)
{
    s->phase = phase;
    s->asked = s->answered = 0;
    for (int seat = 0; seat < s->seats; seat++)
        if (seats & SEAT(seat) && can_draw(s, seat))
            s->asked |= SEAT(seat);
}

static uint8_t turn_up(struct state *s)
{
    return s->deck[s->part][s->turned[s->part]++];
}

static void next_round(struct state *s, struct lines *events)
{
    if (some_grid_is_full(s)) {
        end(s, FULL, events);
    } else if (!seats_in(s)) {
        end(s, ALLOUT, events);
    } else if (cards_left(s) < 2) {
        end(s, DECK, events);
    } else {
        s->round++;
        s->offer[0] = turn_up(s);
        s->offer[1] = turn_up(s);
        memset(s->card, NO_CARD, sizeof s->card);
        tell_round(s, events);
        ask(s, MAIN, seats_in(s));
    }
}

static void settle_start(struct state *s, struct lines *events)
{
    draw_all(s, events);
    next_round(s, events);
}

static void deal_second_chances(struct state *s, seat_set affected,
                                struct lines *events)
{
    for (int seat = 0; seat < s->seats; seat++)
        if (affected & SEAT(seat)) {
            s->card[seat] = turn_up(s);
            tell_card(s, "second", seat, events);
        }
    ask(s, SECOND, affected);
}

static void settle_main(struct state *s, struct lines *events)
{
    seat_set affected = seats_in(s) & ~s->asked;
    bool full;

    draw_all(s, events);
    full = some_grid_is_full(s);
    if (full && !s->full_ends_round)
        end(s, FULL, events);
    else if (!affected)
        next_round(s, events);
    else if (cards_left(s) < __builtin_popcount(affected))
        end(s, full ? FULL : NOSECOND, events);
    else
        deal_second_chances(s, affected, events);
}

/* The first to drop out write a 1 into their first free square. */
static void write_ones(struct state *s, seat_set seats, struct lines *events)
{
    for (int seat = 0; seat < s->seats; seat++)
        if (seats & SEAT(seat)) {
            int square = bits_first(s->free[seat]);
            char text[3];

            *square_jot(text, square) = '\0';
            tell(events, EVERYONE, "one %d %s", seat + 1, text);
            s->one[seat] = (uint8_t)square;
            s->free[seat] &= ~bit(square);
        }
}

static void settle_second(struct state *s, struct lines *events)
{
    seat_set out = 0;

    for (int seat = 0; seat < s->seats; seat++) {
        if (!(seats_in(s) & SEAT(seat)) || s->card[seat] == NO_CARD)
            continue;
        if (s->answered & SEAT(seat)) {
            draw(s, seat, events);
            continue;
        }
        tell(events, EVERYONE, "out %d", seat + 1);
        out |= SEAT(seat);
    }
    s->dropped |= out;
    if (out && !s->first_out) {
        s->first_out = s->round;
        if (s->seats > 1)
            write_ones(s, out, events);
    }
    next_round(s, events);
}

/* Go on until a seat owes an answer or the game is over. */
static void settle(struct state *s, struct lines *events)
{
    static void (*const settle_phase[])(struct state *, struct lines *) = {
        [START] = settle_start,
        [MAIN] = settle_main,
        [SECOND] = settle_second,
    };

    while (s->phase != OVER && !seats_owing(s))
        settle_phase[s->phase](s, events);
}

static bool start(struct state *s, const struct setup *setup, const char *text,
                  struct lines *events, struct err *err)
{
    struct pieces own;
    const struct pieces *pieces = pieces_in(setup, &own);

    set_up(s, setup, pieces);
    if (!is_printed(pieces))
        own_pieces(s);
    if (!read_deal(s, text, err))
        return false;
    tell_pieces(s, events);
    begin_part(s, events);
    return true;
}

static seat_set to_move(const struct state *s)
{
    return seats_owing(s);
}

static void apply(struct state *s, int seat, const struct move *move,
                  struct lines *events)
{
    s->answer[seat] = second_chance_placement(move);
    s->answered |= SEAT(seat);
    settle(s, events);
}

static void leave(struct state *s, seat_set seats, struct lines *events)
{
    seat_set staying;

    leavers_add(&s->leavers, seats);
    s->dropped &= ~seats;
    s->asked &= ~seats;
    s->answered &= ~seats;
    staying = SEATS(s->seats) & ~s->leavers.out;
    if (!staying || (staying & (staying - 1)) == 0)
        end_game(s, FORFEIT);
    else
        settle(s, events);
}

/* The end. */

/* A solo game that was given up counts what was not drawn as free. */
static int solo_score(const struct state *s)
{
    if (s->reason != FORFEIT)
        return s->sum;
    return s->sum + free_count(s, 0) + SQUARES * (s->parts - 1 - s->part);
}

void second_chance_result(const struct state *s, struct result *result)
{
    int64_t key[SEATS_MAX];

    for (int seat = 0; seat < s->seats; seat++) {
        int free = free_count(s, seat);

        result->score[seat] = s->parts > 1 ? solo_score(s) : free;
        /* Among full grids the 1 does not count. */
        key[seat] = -2 * free + (free > 0 && s->one[seat] != NO_SQUARE);
    }
    result_rank(result, s->seats, key, &s->leavers);
    result->reason = second_chance_reasons[s->reason];
}

/* The sheet names a goal for three parts. */
static bool goal(const struct setup *setup, int score, bool *reached)
{
    *reached = score < SOLO_GOAL;
    return parts_of(setup) == PARTS_MAX;
}

/* Another truth. */

/* Any of the moves of a seat that has answered. */
static void answer_anew(struct state *s, int seat, struct rng *rng)
{
    struct moves moves = {0};
    const struct move *move;

    second_chance_list(s, seat, &moves);
    move = &moves.move[rng_uniform(rng, (uint32_t)moves.count)];
    s->answer[seat] = second_chance_placement(move);
    moves_release(&moves);
}

static void redeal(struct state *s, int viewer, struct rng *rng)
{
    for (int part = 0; part < s->parts; part++) {
        int turned = s->turned[part];

        if (part > s->part)
            shuffle_part(s, part, rng);
        else
            rng_shuffle(rng, s->deck[part] + turned,
                        (size_t)(s->puzzles - turned), 1);
    }
    for (int seat = 0; seat < s->seats; seat++)
        if (seat != viewer && s->answered & SEAT(seat))
            answer_anew(s, seat, rng);
}

const struct game second_chance_game = {
    .name = "second-chance",
    .title = "Second Chance",
    .about = "Fill your grid with pieces from shared cards; everyone draws at "
             "once.",
    .version = 1,
    .min_seats = 1,
    .max_seats = SEATS_MAX,
    .traits = TRAIT_CHANCE | TRAIT_SIMULTANEOUS,
    .size = size,
    .options = options,
    .notation =
        "CARD:CORNER:TURN  draw the card's piece, such as P11:c3:5\n"
        "  CORNER is the top left square of its box, a1 to i9, row 1 at the "
        "top\n"
        "  TURN is 4 * M + Q: mirrored left to right if M is 1, then "
        "turned\n"
        "  clockwise by Q quarter turns; 0 is the piece as announced at the "
        "start\n"
        "CARD=SQUARE,...   the same by its squares, such as P11=d3,d4,c5,d5",
    .events = "piece|start|play|round|second|out|one|part",
    .fewer_is_better = true,
    .reasons = "full|nosecond|allout|deck|forfeit",
    .max_moves = max_moves,
    .accepts = accepts,
    .warn = warn,
    .deal = deal,
    .start = start,
    .to_move = to_move,
    .parse = second_chance_parse,
    .format = second_chance_format,
    .list = second_chance_list,
    .apply = apply,
    .view = second_chance_view,
    .result = second_chance_result,
    .goal = goal,
    .leave = leave,
    .show = second_chance_show,
    .facts = write_facts,
    .redeal = redeal,
    .dealt = dealt,
    .fit = second_chance_fit,
    .from_view = second_chance_from_view,
    .worth = second_chance_worth,
    .hint = second_chance_hint,
    .observed = SECOND_CHANCE_OBSERVED,
    .observe = second_chance_observe,
};
