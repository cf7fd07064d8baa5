/*
 * Rondo, by Reiner Knizia, for 2 to 4.
 *
 * The board is a net of fields around a centre. Each field has a colour and a
 * value; some are grey besides. A bag holds 120 stones, 24 of each of five
 * colours. Everybody draws two stones to a rack that nobody else sees; seat 1
 * begins. A turn is one of:
 *
 *   PLACE  Lay stones as one chain, score, draw one stone. The first field of
 *          the chain touches a covered field or the centre, every further one
 *          touches the field just before it, and all are empty. On each field
 *          lie either any number of open stones in the colour of the field,
 *          each worth its value, or one stone of any colour face down, worth
 *          nothing. A covered field is closed for good.
 *   PASS   Draw two stones, or one if the rack holds four. Not with five
 *          stones, except when no field is empty; then nothing is drawn.
 *
 * Only the layer of a face-down stone knows its colour. How many stones a
 * rack holds is no secret.
 *
 * When the last grey field is covered, or when a player cannot draw all the
 * stones that are due (the rest of the bag is drawn then), the round is
 * played to its end: everybody has had the same number of turns. Most points
 * win, then most stones on the rack; else the place is shared.
 *
 * A seat that leaves takes its rack out of the game. Its points and its stones
 * on the board stay.
 *
 * Somebody can always move: with less than five stones pass; with five, some
 * empty field touches a covered one or the centre, since every field is linked
 * with it. And nobody comes to move with an empty rack: that takes a PLACE on
 * an empty bag, which makes the round the last.
 */

#include "games/rondo/rondo.h"

#include <assert.h>
#include <string.h>

const char *const rondo_end_words[] = {"-", "grey", "bag"};

static bool check_board(const char *text, struct err *err)
{
    struct rondo_board board = {0};

    return rondo_board_load(&board, text, err);
}

static const struct game_option options[] = {
    {.name = "board",
     .preset = "blue",
     .values = RONDO_BOARDS,
     .form = "a board file on one line, blanks as ',' and line ends as ';'",
     .help = "a side of the board, or another board such as "
             "rondo-board,1;name,mine;centre,m;field,a1,R,2,grey;link,m,a1. "
             "The printed boards have not been published: blue and red are "
             "our own and satisfy every stated fact; --set board=@FILE uses "
             "a printed one",
     .check = check_board},
    {.name = NULL},
};

static const char *board_text(const struct setup *setup)
{
    return setup->option[0] ? setup->option[0] : options[0].preset;
}

static void load(struct rondo_board *board, const struct setup *setup)
{
    struct err err;
    bool loaded = rondo_board_load(board, board_text(setup), &err);

    assert(loaded);
    (void)loaded;
}

static size_t size(const struct setup *setup)
{
    bool own = !rondo_board_printed(board_text(setup));

    return sizeof(struct state) + own * sizeof(struct rondo_board);
}

static void take_board(struct state *s, const struct setup *setup)
{
    s->printed = rondo_board_printed(board_text(setup));
    if (!s->printed)
        load(s->own, setup);
}

/*
 * Until the trigger every turn draws a stone out of 120 - 2n; then comes the
 * turn that triggers, and at most one of every other seat.
 */
static int max_moves(const struct setup *setup)
{
    int before = STONES - FIRST_DRAW * setup->seats;

    return before + setup->seats;
}

/* A colour without a field can only be laid face down. */
static void warn(const struct setup *setup, struct buf *out)
{
    static const char *const words[] = {"red", "purple", "green", "blue",
                                        "yellow"};
    struct rondo_board b = {0};
    unsigned seen = 0;

    load(&b, setup);
    for (int f = 0; f < b.fields; f++)
        seen |= 1u << b.field[f].colour;
    for (int c = 0; c < RONDO_COLOURS; c++)
        if (!(seen >> c & 1))
            buf_add(out, "board %s has no %s field: %s stones cannot score\n",
                    b.name, words[c], words[c]);
}

/* Chance. */

static void deal(const struct setup *setup, struct rng *rng, struct buf *out)
{
    char bag[STONES];

    for (int i = 0; i < STONES; i++)
        bag[i] = RONDO_LETTERS[i / EACH];
    rng_shuffle(rng, bag, STONES, 1);
    buf_put(out, bag, STONES);
}

static void dealt(const struct state *s, struct buf *out)
{
    for (int i = 0; i < STONES; i++)
        buf_char(out, RONDO_LETTERS[s->colour[i]]);
}

static bool read_deal(struct state *s, const char *text, struct err *err)
{
    size_t stones = strlen(text);
    int count[RONDO_COLOURS] = {0};

    if (stones != STONES)
        return fail(err,
                    "the deal has %zu letters; it needs %d, one for each "
                    "stone in the order of drawing",
                    stones, STONES);
    for (int i = 0; i < STONES; i++) {
        int c;

        if (!rondo_take_colour(&text, &c))
            return fail(err,
                        "stone %d of the deal is '%c'; it must be one of "
                        "R P G B Y",
                        i + 1, *text);
        s->colour[i] = (uint8_t)c;
        count[c]++;
    }
    for (int c = 0; c < RONDO_COLOURS; c++)
        if (count[c] != EACH)
            return fail(err,
                        "the deal has %d stones %c; it needs %d of each "
                        "colour",
                        count[c], RONDO_LETTERS[c], EACH);
    return true;
}

int rondo_unseen(const struct state *s, int viewer, uint8_t unseen[STONES])
{
    int n = 0;

    for (int i = s->drawn; i < STONES; i++)
        unseen[n++] = (uint8_t)i;
    for (int seat = 0; seat < s->seats; seat++)
        for (int i = 0; seat != viewer && i < s->rack[seat].count; i++)
            unseen[n++] = s->rack[seat].stone[i];
    for (bits rest = s->covered; rest; rest &= rest - 1) {
        const struct pile *p = &s->pile[bits_first(rest)];

        if (!p->open && p->layer != viewer)
            unseen[n++] = p->down;
    }
    return n;
}

static void redeal(struct state *s, int viewer, struct rng *rng)
{
    uint8_t unseen[STONES], colour[STONES];
    int n = rondo_unseen(s, viewer, unseen);

    for (int i = 0; i < n; i++)
        colour[i] = s->colour[unseen[i]];
    rng_shuffle(rng, colour, (size_t)n, 1);
    for (int i = 0; i < n; i++)
        s->colour[unseen[i]] = colour[i];
}

/* Drawing stones. */

static void tell_draw(const struct state *s, int seat, int from,
                      struct lines *events)
{
    struct buf *line;

    if (!events)
        return;
    line = tell_of(events, SEAT(seat) | RECORD, "draw", seat);
    for (int i = from; i < s->drawn; i++)
        buf_char(line, RONDO_LETTERS[s->colour[i]]);
    tell_end(events);
    line = tell_of(events, ALL_BUT(seat), "draw", seat);
    for (int i = from; i < s->drawn; i++)
        buf_char(line, '?');
    tell_end(events);
}

/* Draw what is due, or what is left. */
static void draw(struct state *s, int seat, int due, struct lines *events)
{
    struct rack *rack = &s->rack[seat];
    int from = s->drawn;

    for (; due > 0 && in_bag(s) > 0; due--)
        rack->stone[rack->count++] = (uint8_t)s->drawn++;
    if (s->drawn > from)
        tell_draw(s, seat, from, events);
    else
        tell(events, EVERYONE, "draw %d -", seat + 1);
}

static bool start(struct state *s, const struct setup *setup, const char *bag,
                  struct lines *events, struct err *err)
{
    if (!read_deal(s, bag, err))
        return false;
    take_board(s, setup);
    s->seats = setup->seats;
    s->touched = board_of(s)->near[RONDO_CENTRE];
    for (int seat = 0; seat < s->seats; seat++)
        draw(s, seat, FIRST_DRAW, events);
    return true;
}

/* Turns. */

static seat_set to_move(const struct state *s)
{
    return s->turn == OVER ? 0 : SEAT(s->turn);
}

/* Back to the same or a lower seat is a new round. */
static void pass_turn(struct state *s)
{
    int next = s->turn;

    do
        next = (next + 1) % s->seats;
    while (s->left.out & SEAT(next));
    s->turn = s->end && next <= s->turn ? OVER : next;
}

static void leave(struct state *s, seat_set seats, struct lines *events)
{
    leavers_add(&s->left, seats);
    if (seats_in(s) <= 1)
        s->turn = OVER;
    else if (seats & SEAT(s->turn))
        pass_turn(s);
}

static int due_after_pass(const struct rack *rack)
{
    return rack->count < RACK_MAX - 1 ? 2 : RACK_MAX - rack->count;
}

/* Playing a move. */

static void tell_play(const struct state *s, int seat, const struct move *move,
                      struct lines *events)
{
    bool hides = false;
    seat_set knowing;

    if (!events)
        return;
    for (int i = 0; i < STEPS_MAX; i++)
        hides |= is_down(move->part[i]);
    knowing = hides ? SEAT(seat) | RECORD : EVERYONE;
    rondo_write(s, seat, move, true, tell_of(events, knowing, "play", seat));
    tell_end(events);
    if (!hides)
        return;
    rondo_write(s, seat, move, false,
                tell_of(events, ALL_BUT(seat), "play", seat));
    tell_end(events);
}

/* Cover the field of one step and return its points. */
static int lay_step(struct state *s, int seat, int32_t part)
{
    int field = field_of(part);
    struct pile *pile = &s->pile[field];
    unsigned slots = slots_of(part);

    s->covered |= bit(field);
    s->touched |= board_of(s)->near[field];
    pile->layer = (uint8_t)seat;
    if (is_down(part)) {
        pile->down = s->rack[seat].stone[__builtin_ctz(slots)];
        return 0;
    }
    pile->open = (uint8_t)__builtin_popcount(slots);
    return pile->open * board_of(s)->field[field].value;
}

static void drop_slots(struct rack *rack, unsigned slots)
{
    int kept = 0;

    for (int i = 0; i < rack->count; i++)
        if (!(slots >> i & 1))
            rack->stone[kept++] = rack->stone[i];
    memset(rack->stone + kept, 0, (size_t)(RACK_MAX - kept));
    rack->count = (uint8_t)kept;
}

static void tell_score(const struct state *s, int seat, int points,
                       struct lines *events)
{
    struct buf *line;
    char *at;

    if (!events)
        return;
    line = tell_of(events, EVERYONE, "score", seat);
    at = buf_room(line, 2 * NUMBER_TEXT + 1);
    if (at) {
        at = jot_int(at, points);
        *at++ = ' ';
        buf_upto(line, jot_int(at, s->score[seat]));
    }
    tell_end(events);
}

static void lay(struct state *s, int seat, const struct move *move,
                struct lines *events)
{
    int points = 0;

    for (int i = 0; i < STEPS_MAX && move->part[i]; i++)
        points += lay_step(s, seat, move->part[i]);
    drop_slots(&s->rack[seat], slots_of_chain(move));
    s->score[seat] += points;
    tell_score(s, seat, points, events);
}

/* The first trigger counts; in one turn grey comes before the bag. */
static void trigger(struct state *s, enum end end, struct lines *events)
{
    if (s->end)
        return;
    s->end = end;
    tell(events, EVERYONE, "last_round %s", rondo_end_words[end]);
}

static void apply(struct state *s, int seat, const struct move *move,
                  struct lines *events)
{
    int due = is_pass(move) ? due_after_pass(&s->rack[seat]) : 1;
    bool lacks = due > in_bag(s);

    tell_play(s, seat, move, events);
    if (!is_pass(move))
        lay(s, seat, move, events);
    draw(s, seat, due, events);
    if (!(board_of(s)->grey & ~s->covered))
        trigger(s, GREY, events);
    if (lacks)
        trigger(s, BAG, events);
    pass_turn(s);
}

static void result(const struct state *s, struct result *r)
{
    int64_t key[PLAYERS];

    for (int seat = 0; seat < s->seats; seat++) {
        r->score[seat] = s->score[seat];
        key[seat] =
            (int64_t)s->score[seat] * (RACK_MAX + 1) + s->rack[seat].count;
    }
    result_rank(r, s->seats, key, &s->left);
    r->reason = end_reason(s);
}

/* A stone on the rack will bring a point or two. */
static double worth(const struct state *s, int seat)
{
    return (s->score[seat] + 1.5 * s->rack[seat].count) / 8;
}

const struct game rondo_game = {
    .name = "rondo",
    .title = "Rondo",
    .about = "Lay chains of coloured stones from the centre outwards; each "
             "stone scores the value of its field.",
    .version = 1,
    .min_seats = 2,
    .max_seats = PLAYERS,
    .traits = TRAIT_HIDDEN | TRAIT_CHANCE,
    .size = size,
    .options = options,
    .notation = "pass                 lay nothing, draw two stones\n"
                "STEP,STEP,...        a chain of one to five steps; a STEP is\n"
                "FIELD:COUNT          open stones of the field's colour: b2:1\n"
                "FIELD:xCOLOUR        one stone face down, R P G B Y: c1:xR\n"
                "for example          a2:1,b6:1,b7:1 or c1:xR,d1:3\n",
    .events = "play|score|draw|last_round",
    .reasons = "grey|bag|forfeit",
    .max_moves = max_moves,
    .warn = warn,
    .deal = deal,
    .start = start,
    .to_move = to_move,
    .parse = rondo_parse,
    .format = rondo_format,
    .list = rondo_list,
    .apply = apply,
    .view = rondo_view,
    .result = result,
    .leave = leave,
    .show = rondo_show,
    .facts = rondo_facts,
    .redeal = redeal,
    .dealt = dealt,
    .fit = rondo_fit,
    .from_view = rondo_from_view,
    .worth = worth,
    .hint = rondo_hint,
    .observed = RONDO_OBSERVED,
    .observe = rondo_observe,
};
