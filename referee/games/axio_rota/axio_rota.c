/*
 * AXIO rota by Reiner Knizia, for 1 to 4.
 *
 * Sixty square tiles show a symbol in each corner, in one of five colours: red,
 * green, blue, orange, purple. Some tiles have one empty corner. Where four
 * corners meet they make a circle. Every seat has five markers, one per colour,
 * that run from 0 to 12.
 *
 * Start: four tiles lie in a square, with empty corners turned to its middle.
 * Every seat gets twelve tiles face down and takes the first to the hand, which
 * only that seat sees. The rest is the supply, face down.
 *
 * A turn: lay the tile in hand, turned as you like, on an empty cell that
 * shares a side with a lying tile. Each of its corners then scores in its own
 * colour: 1 for each other corner of that colour that already lies in the same
 * circle, complete or not. An empty corner of the tile just laid scores as the
 * one colour that its player names, if any; an empty corner that lies counts
 * for nothing. No marker goes beyond 12, what is too much is lost.
 *
 * Each marker that reaches 12 earns a bonus turn, once the whole tile has
 * scored: take the top tile of the supply for all to see, lay it, score it. It
 * may earn more of them. When the supply is empty, bonus turns are lost. After
 * the last of them take the next of your own twelve; then the next seat plays.
 *
 * Five markers on 12 win at once. Else the game ends when all have laid their
 * twelve tiles. The lowest marker counts; if equal the second lowest, and so
 * on. Alone, the lowest marker is the result.
 *
 * Who leaves takes along hand, bonus tile and stack, unshown; bonus turns are
 * lost, markers stand. The last of several seats wins by forfeit.
 */

#include "games/axio_rota/axio_rota.h"

#include "base/text.h"

#include <string.h>

enum { X, Y, TURNED, NAME }; /* the parts of a move; NAME 0 is none */

static const char *const reasons[] = {
    [ALL_LAID] = "tiles",
    [INSTANT] = "instant",
    [FORFEIT] = "forfeit",
};

int rota_hand(const struct state *s, int seat)
{
    const struct player *p = &s->player[seat];

    if (is_out(s, seat))
        return 0;
    if (holds_bonus(s, seat))
        return s->deal.order[s->supply - 1];
    return p->drawn > p->laid ? s->deal.order[first_of_stack(seat) + p->laid]
                              : 0;
}

void rota_marks_write(const struct player *p, struct buf *out)
{
    char *at = buf_room(out, COLOURS * NUMBER_TEXT);

    if (!at)
        return;
    for (int colour = 0; colour < COLOURS; colour++) {
        at = jot_int(at, p->mark[colour]);
        *at++ = '/';
    }
    buf_upto(out, at - 1);
}

static void tell_hand(const struct state *s, int seat, struct lines *events)
{
    if (!events)
        return;
    rota_tile_write(&s->set.tile[rota_hand(s, seat)],
                    tell_of(events, SEAT(seat) | RECORD, "hand", seat));
    tell_end(events);
    buf_char(tell_of(events, ALL_BUT(seat), "hand", seat), '?');
    tell_end(events);
}

/* Chance, and the start. */

static void deal(const struct setup *setup, struct rng *rng, struct buf *out)
{
    struct rota_deal drawn;

    rota_deal_shuffle(&drawn, rng);
    rota_deal_write(&drawn, ' ', out);
}

static void dealt(const struct state *s, struct buf *out)
{
    rota_deal_write(&s->deal, ' ', out);
}

bool rota_has_seen(const struct state *s, int viewer, int place)
{
    int seat = (place - SQUARE) / STACK, nth = (place - SQUARE) % STACK;

    if (place < SQUARE)
        return true;
    if (place >= first_of_supply(s->seats))
        return place < s->supply;
    return nth < s->player[seat].laid ||
           (viewer == seat && nth < s->player[seat].drawn);
}

/* A seat that has left still knows the tile that it held. */
static void redeal(struct state *s, int viewer, struct rng *rng)
{
    uint8_t unseen[TILES];
    size_t n = 0;

    for (int place = 0; place < TILES; place++)
        if (!rota_has_seen(s, viewer, place))
            unseen[n++] = s->deal.order[place];
    rng_shuffle(rng, unseen, n, sizeof *unseen);
    for (int place = TILES; place-- > 0;)
        if (!rota_has_seen(s, viewer, place))
            s->deal.order[place] = unseen[--n];
}

/* An empty corner looks to the middle, any other tile as chance wants it. */
static int start_turn(const struct state *s, const struct rota_tile *tile,
                      int i)
{
    int empty = rota_tile_empty(tile);

    return empty < 0 ? s->deal.turned[i] : i + 2 - empty;
}

static void lay_square(struct state *s, struct lines *events)
{
    static const int8_t x[SQUARE] = {[NW] = 0, [NE] = 1, [SE] = 1, [SW] = 0};
    static const int8_t y[SQUARE] = {[NW] = 1, [NE] = 1, [SE] = 0, [SW] = 0};
    struct buf *line = tell_begin(events, EVERYONE);

    buf_str(line, "lay");
    for (int i = 0; i < SQUARE; i++) {
        const struct rota_tile *tile = &s->set.tile[s->deal.order[i]];
        struct rota_lying lying = {
            x[i], y[i], rota_tile_turn(tile, start_turn(s, tile, i))};

        rota_board_put(&s->board, &lying);
        buf_char(line, ' ');
        rota_lying_write(&lying, line);
    }
    tell_end(events);
}

static const char *tiles_option(const struct setup *setup)
{
    return setup->option[0] ? setup->option[0] : "default";
}

static bool start(struct state *s, const struct setup *setup, const char *text,
                  struct lines *events, struct err *err)
{
    if (!rota_set_read(&s->set, tiles_option(setup), err))
        return false;
    if (!rota_deal_read(&s->deal, text, err))
        return false;
    s->seats = setup->seats;
    s->supply = first_of_supply(s->seats);
    lay_square(s, events);
    for (int seat = 0; seat < s->seats; seat++) {
        s->player[seat].drawn = 1;
        tell_hand(s, seat, events);
    }
    return true;
}

/* Moves. */

static seat_set to_move(const struct state *s)
{
    return s->end == RUNNING ? SEAT(s->turn) : 0;
}

static struct move make_move(int x, int y, int turned, int name)
{
    struct move move = {0};

    move.part[X] = x;
    move.part[Y] = y;
    move.part[TURNED] = turned;
    move.part[NAME] = name;
    return move;
}

static bool read_move(const char *at, int *x, int *y, int *turned, char *name)
{
    *name = '\0';
    if (!take_int(&at, -99, 99, x) || !take_char(&at, ',') ||
        !take_int(&at, -99, 99, y) || !take_char(&at, ',') ||
        !take_one_of(&at, "0123456789", turned))
        return false;
    if (take_char(&at, '=')) {
        if ((*at < 'A' || *at > 'Z') && (*at < 'a' || *at > 'z'))
            return false;
        *name = *at++;
    }
    return at_end(at);
}

static bool check_cell(const struct state *s, int x, int y, struct err *err)
{
    if (rota_board_lies(&s->board, x, y))
        return fail(err, "%d,%d already has a tile: choose an empty cell", x,
                    y);
    if (!rota_board_touches(&s->board, x, y))
        return fail(err,
                    "%d,%d shares no side with a tile on the table: choose "
                    "a cell beside, above or below one",
                    x, y);
    return true;
}

static bool read_name(const struct rota_tile *tile, char letter, int *name,
                      struct err *err)
{
    const char *found;

    if (letter == '\0')
        return true;
    if (rota_tile_empty(tile) < 0)
        return fail(err,
                    "your tile has no empty corner to name a colour for: "
                    "leave out =%c",
                    letter);
    found = memchr(CORNER_LETTERS, letter, COLOURS);
    if (!found)
        return fail(err, "there is no colour %c: name R, G, B, O or P", letter);
    *name = (int)(found - CORNER_LETTERS) + 1;
    return true;
}

static bool parse(const struct state *s, int seat, const char *text,
                  struct move *move, struct err *err)
{
    int x, y, turned, name = 0;
    char letter;

    if (!read_move(text, &x, &y, &turned, &letter))
        return fail(
            err,
            "\"%.40s\" is not a move: write X,Y,R, or X,Y,R=C to name a "
            "colour, such as 2,0,3 or -1,1,0=P",
            text);
    if (turned >= TURNS)
        return fail(
            err, "a tile cannot be turned by %d quarters: write 0, 1, 2 or 3",
            turned);
    if (!check_cell(s, x, y, err) ||
        !read_name(&s->set.tile[rota_hand(s, seat)], letter, &name, err))
        return false;
    *move = make_move(x, y, turned, name);
    return true;
}

static void format(const struct state *s, int seat, const struct move *move,
                   struct buf *out)
{
    char *at = buf_room(out, 3 * NUMBER_TEXT + 4);

    if (!at)
        return;
    at = jot_int(at, move->part[X]);
    *at++ = ',';
    at = jot_int(at, move->part[Y]);
    *at++ = ',';
    at = jot_int(at, move->part[TURNED]);
    if (move->part[NAME]) {
        *at++ = '=';
        *at++ = CORNER_LETTERS[move->part[NAME] - 1];
    }
    buf_upto(out, at);
}

static void list_cell(int x, int y, int names, struct moves *out)
{
    struct move move = make_move(x, y, 0, 0);

    for (int turned = 0; turned < TURNS; turned++)
        for (int name = 0; name <= names; name++) {
            move.part[TURNED] = turned;
            move.part[NAME] = name;
            moves_add(out, &move);
        }
}

static void list(const struct state *s, int seat, struct moves *out)
{
    const struct rota_tile *tile = &s->set.tile[rota_hand(s, seat)];
    int names = rota_tile_empty(tile) < 0 ? 0 : COLOURS;

    for (int x = s->board.west - 1; x <= s->board.east + 1; x++)
        for (uint64_t rest = rota_board_free(&s->board, x); rest;
             rest &= rest - 1)
            list_cell(x, s->board.south - 1 + __builtin_ctzll(rest), names,
                      out);
}

/* Move the markers; how many of them have reached the end of their track? */
static int advance(struct player *p, const int gain[COLOURS])
{
    int reached = 0;

    for (int colour = 0; colour < COLOURS; colour++) {
        int *mark = &p->mark[colour];
        bool before = *mark == GOAL;

        *mark = *mark + gain[colour] < GOAL ? *mark + gain[colour] : GOAL;
        reached += *mark == GOAL && !before;
    }
    return reached;
}

static bool has_all_on_goal(const struct player *p)
{
    for (int colour = 0; colour < COLOURS; colour++)
        if (p->mark[colour] != GOAL)
            return false;
    return true;
}

/* A named corner counts as that colour now, and lies empty ever after. */
static void score(struct state *s, int seat, struct rota_lying laid, int name)
{
    int gain[COLOURS + 1] = {0};

    if (name)
        laid.tile.corner[rota_tile_empty(&laid.tile)] = (uint8_t)(name - 1);
    rota_board_gains(&s->board, &laid, gain);
    s->earned += advance(&s->player[seat], gain);
}

static void tell_laid(const struct state *s, int seat, const struct move *move,
                      struct lines *events)
{
    struct buf *line;

    if (!events)
        return;
    line = tell_of(events, EVERYONE, "play", seat);
    format(s, seat, move, line);
    tell_end(events);
    line = tell_begin(events, EVERYONE);
    buf_str(line, "lay ");
    rota_lying_write(&s->board.lying[s->board.count - 1], line);
    tell_end(events);
    rota_marks_write(&s->player[seat],
                     tell_of(events, EVERYONE, "marks", seat));
    tell_end(events);
}

static void take_bonus(struct state *s, struct lines *events)
{
    s->earned--;
    s->bonus = true;
    s->supply++;
    if (!events)
        return;
    rota_tile_write(&s->set.tile[rota_hand(s, s->turn)],
                    tell_of(events, EVERYONE, "bonus", s->turn));
    tell_end(events);
}

/* All seats still in lay in step, so if the next has no tile, none has. */
static void pass_turn(struct state *s)
{
    s->bonus = false;
    s->earned = 0;
    do
        s->turn = (s->turn + 1) % s->seats;
    while (is_out(s, s->turn));
    if (s->player[s->turn].laid == STACK)
        s->end = ALL_LAID;
}

static void draw(struct state *s, int seat, struct lines *events)
{
    if (s->player[seat].drawn == STACK)
        return;
    s->player[seat].drawn++;
    tell_hand(s, seat, events);
}

/* The tile in hand has been laid and scored: what comes next? */
static void go_on(struct state *s, int seat, struct lines *events)
{
    s->bonus = false;
    if (has_all_on_goal(&s->player[seat])) {
        s->end = INSTANT;
    } else if (s->earned > 0 && s->supply < TILES) {
        take_bonus(s, events);
    } else {
        draw(s, seat, events);
        pass_turn(s);
    }
}

static void apply(struct state *s, int seat, const struct move *move,
                  struct lines *events)
{
    const struct rota_tile *tile = &s->set.tile[rota_hand(s, seat)];
    struct rota_lying laid = {(int8_t)move->part[X], (int8_t)move->part[Y],
                              rota_tile_turn(tile, move->part[TURNED])};

    score(s, seat, laid, move->part[NAME]);
    rota_board_put(&s->board, &laid);
    if (!holds_bonus(s, seat))
        s->player[seat].laid++;
    tell_laid(s, seat, move, events);
    go_on(s, seat, events);
}

/* Leaving, and the end. */

static void leave(struct state *s, seat_set seats, struct lines *events)
{
    seat_set stay;

    leavers_add(&s->leavers, seats);
    stay = SEATS(s->seats) & ~s->leavers.out;
    if ((stay & (stay - 1)) == 0)
        s->end = FORFEIT;
    else if (is_out(s, s->turn))
        pass_turn(s);
}

void rota_marks_sort(const struct player *p, int sorted[COLOURS])
{
    for (int i = 0; i < COLOURS; i++) {
        int at = i;

        for (; at > 0 && sorted[at - 1] > p->mark[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = p->mark[i];
    }
}

/* Keys compare as the sorted markers do, the lowest first. */
void rota_result(const struct state *s, struct result *r)
{
    int64_t key[SEATS_AT_MOST] = {0};

    for (int seat = 0; seat < s->seats; seat++) {
        int sorted[COLOURS] = {0};

        rota_marks_sort(&s->player[seat], sorted);
        for (int i = 0; i < COLOURS; i++)
            key[seat] = key[seat] * (GOAL + 1) + sorted[i];
        r->score[seat] = sorted[0];
    }
    result_rank(r, s->seats, key, &s->leavers);
    r->reason = reasons[s->end];
}

/* The lowest marker is as high as it gets. */
static bool goal(const struct setup *setup, int score, bool *reached)
{
    *reached = score == GOAL;
    return true;
}

/* Setups. */

static int max_moves(const struct setup *setup)
{
    int supply = TILES - first_of_supply(setup->seats);
    int bonuses = BONUSES * setup->seats;

    return STACK * setup->seats + (bonuses < supply ? bonuses : supply);
}

static bool check_tiles(const char *text, struct err *err)
{
    struct rota_set set;

    return rota_set_read(&set, text, err);
}

static void warn(const struct setup *setup, struct buf *out)
{
    struct rota_set set;
    struct err err;

    if (rota_set_read(&set, tiles_option(setup), &err))
        rota_set_warn(&set, out);
}

static const char tiles_help[] =
    "what the 60 tiles show: CORNERS are four letters clockwise from the "
    "top left, R G B O P, or one . for an empty corner. The printed tiles "
    "have not been published: the built-in ones are our own and satisfy "
    "every stated fact; --set tiles=@FILE uses the printed ones";

static const struct game_option options[] = {
    {.name = "tiles",
     .preset = "default",
     .values = "default",
     .form = ROTA_TILES_FORM,
     .help = tiles_help,
     .check = check_tiles},
    {0},
};

/* The lowest marker counts, but the others will have to follow it. */
static double worth(const struct state *s, int seat)
{
    static const double weight[COLOURS] = {0.5, 0.35, 0.25, 0.15, 0.1};
    int sorted[COLOURS] = {0};
    double sum = 0;

    rota_marks_sort(&s->player[seat], sorted);
    for (int i = 0; i < COLOURS; i++)
        sum += weight[i] * sorted[i];
    return sum;
}

const struct game axio_rota_game = {
    .name = "axio-rota",
    .title = "AXIO rota",
    .about = "Lay tiles whose corners meet in circles, collect points in five "
             "colours, and mind the lowest.",
    .version = 1,
    .min_seats = 1,
    .max_seats = SEATS_AT_MOST,
    .traits = TRAIT_HIDDEN | TRAIT_CHANCE,
    .state_size = sizeof(struct state),
    .options = options,
    .notation =
        "X,Y,R    lay your tile on cell X,Y, turned clockwise by R = 0 to 3 "
        "quarters\n"
        "X,Y,R=C  the same, and its empty corner scores as colour C, one of R "
        "G B O P\n"
        "X goes east and Y north; the start square lies on 0,1 1,1 1,0 0,0.\n"
        "Examples: 2,0,3   -1,1,0=P\n",
    .events = "play|lay|marks|bonus|hand",
    .reasons = "tiles|instant|forfeit",
    .max_moves = max_moves,
    .warn = warn,
    .deal = deal,
    .start = start,
    .to_move = to_move,
    .parse = parse,
    .format = format,
    .list = list,
    .apply = apply,
    .view = rota_view,
    .result = rota_result,
    .goal = goal,
    .leave = leave,
    .show = rota_show,
    .event_facts = rota_event_facts,
    .redeal = redeal,
    .dealt = dealt,
    .fit = rota_fit,
    .from_view = rota_from_view,
    .worth = worth,
    .hint = rota_hint,
    .observed = ROTA_OBSERVED,
    .observe = rota_observe,
};
