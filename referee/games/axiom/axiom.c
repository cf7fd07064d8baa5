/*
 * Axiom, by Michael Seal (1988), for two.
 *
 * The pieces. Each side has six cubes, three with one dome and three with two
 * domes on faces that meet at an edge, and two sceptres. Every other face of a
 * cube is a recess, and a sceptre stands in a recess. Black begins. A turn is
 * one move of one own piece, a cube or a sceptre; nobody may pass.
 *
 * A cube may move if it is free: no cube on it, no sceptre in it. It is lifted
 * and put into another cell, turned in any way:
 *   - on the table or on another cube, never hanging, never below a cube;
 *   - on a cube, one of the two faces that meet must be a dome, the other a
 *     recess; on the table, the face below must not be a dome;
 *   - nowhere may dome meet dome; two recesses side by side are fine;
 *   - on the table it must touch another cube. With contact=edge an edge is
 *     enough, with contact=face a face is needed, with contact=interlock (the
 *     rules of 2008) a dome in a recess;
 *   - not into the two cells before a sceptre: its body and its tip.
 *
 * A sceptre moves over any number of empty recesses, of cubes of both colours,
 * in one straight line. Domes and other sceptres in that line stop it. Moving
 * parallel to the edges it climbs walls that stand in its way and goes over
 * edges where the plane ends, but never under a cube. Diagonally it stays in
 * its plane, and it does not squeeze through between two cubes. It may pass
 * but not stop in a recess without room:
 *   - a cube stands opposite, one empty cell away;
 *   - another sceptre has its body in the same cell;
 *   - another sceptre faces it with only two empty cells between.
 *
 * A sceptre that goes from an enemy cube to a cube of its own colour removes
 * the cube that it left, if that is free now. This is not a choice.
 *
 * The game ends after a move, by the first of these that is true:
 *   sceptre     the moved sceptre shares a cube with an enemy one: it wins
 *   ownpair     it shares a cube with its own: it loses (ownpair=loss only)
 *   nomove      the other side has no move and loses
 *   repetition  the same position and side to move for the third time: a draw
 *   maxplies    as many moves as were agreed on: a draw
 */

#include "games/axiom/board.h"
#include "games/axiom/setup.h"
#include "games/game.h"

#include "base/paint.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/*
 * A move: what moves, from where, to where. The pose is the new face of a
 * sceptre or the new domes of a cube.
 */
enum { KIND, FROM, FROM_FACE, TO, POSE };
enum kind { SCEPTRE, CUBE };

/* The pieces of a position in 128 bits, to know it again. */
struct print {
    uint64_t high, low;
};

/*
 * A position by its print, and the move that was made in it. Packed, it takes
 * 28 bytes and not 32; a game may have 2000.
 */
struct ply {
    struct print print;
    int from, to;
    uint8_t kind, from_face, pose;
} __attribute__((packed, aligned(4)));

enum end {
    END_NOT,
    END_SCEPTRE,
    END_OWNPAIR,
    END_NOMOVE,
    END_REPETITION,
    END_MAXPLIES,
    END_FORFEIT
};

static const char *const reasons[] = {
    [END_SCEPTRE] = "sceptre",   [END_OWNPAIR] = "ownpair",
    [END_NOMOVE] = "nomove",     [END_REPETITION] = "repetition",
    [END_MAXPLIES] = "maxplies", [END_FORFEIT] = "forfeit",
};

struct state {
    struct position now;
    struct axiom_rules rules;
    int plies;
    enum end end;
    int winner; /* or NONE */
    struct leavers leavers;
    struct ply ply[]; /* up to rules.max_plies, and one for the last position */
};

static size_t size(const struct setup *setup)
{
    size_t plies = (size_t)axiom_max_plies(setup) + 1;

    return sizeof(struct state) + plies * sizeof(struct ply);
}

static size_t used(const struct state *s)
{
    return sizeof *s + ((size_t)s->plies + 1) * sizeof *s->ply;
}

/* The finaliser of splitmix64: every bit of x stirs every bit. */
static uint64_t stir(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A sum does not care in which slots equal pieces are. */
static void add_piece(struct print *print, int cell, unsigned what, int times)
{
    uint64_t piece = (uint64_t)cell << 16 | what;

    if (cell == NOWHERE)
        return;
    print->high += (uint64_t)times * stir(piece + UINT64_C(0x9e3779b97f4a7c15));
    print->low += (uint64_t)times * stir(piece ^ UINT64_C(0xd1b54a32d192ed03));
}

static void add_cube(struct print *print, const struct position *p, int i,
                     int times)
{
    add_piece(print, p->cube[i], p->domes[i] | (unsigned)cube_owner(i) << 8,
              times);
}

static void add_sceptre(struct print *print, const struct position *p, int i,
                        int times)
{
    add_piece(print, p->sceptre[i],
              p->face[i] | (unsigned)sceptre_owner(i) << 8 | 1u << 9, times);
}

static struct print print_of(const struct position *p)
{
    struct print print = {0, 0};

    for (int i = 0; i < CUBES; i++)
        add_cube(&print, p, i, 1);
    for (int i = 0; i < SCEPTRES; i++)
        add_sceptre(&print, p, i, 1);
    return print;
}

/* Put a cube elsewhere, or with NOWHERE take it away, in the print too. */
static void shift_cube(struct position *p, struct print *print, int cube,
                       int cell, unsigned domes)
{
    add_cube(print, p, cube, -1);
    axiom_put_cube(p, cube, cell, domes);
    add_cube(print, p, cube, 1);
}

static void shift_sceptre(struct position *p, struct print *print, int sceptre,
                          int cell, int face)
{
    add_sceptre(print, p, sceptre, -1);
    p->sceptre[sceptre] = cell;
    p->face[sceptre] = (uint8_t)face;
    add_sceptre(print, p, sceptre, 1);
}

/* How often this position has occurred, with the same side to move. */
static int repeats(const struct state *s)
{
    struct print now = s->ply[s->plies].print;
    int n = 1;

    for (int i = s->plies - AXIOM_SEATS; i >= 0; i -= AXIOM_SEATS)
        n += s->ply[i].print.high == now.high && s->ply[i].print.low == now.low;
    return n;
}

static bool start(struct state *s, const struct setup *setup, const char *deal,
                  struct lines *events, struct err *err)
{
    if (!axiom_rules(setup, &s->rules, err))
        return false;
    s->now = s->rules.first;
    s->winner = NONE;
    s->ply[0].print = print_of(&s->now);
    return true;
}

static seat_set to_move(const struct state *s)
{
    return s->end == END_NOT ? SEAT(s->now.turn) : 0;
}

static bool read_place(const char **at, struct move *move, int cell, int face)
{
    int value;

    if (!axiom_take_cell(at, &value))
        return false;
    move->part[cell] = value;
    if (face == NONE)
        return true;
    if (!axiom_take_face(at, &value))
        return false;
    move->part[face] = value;
    return true;
}

static bool read_sceptre_move(const char **at, struct move *move)
{
    move->part[KIND] = SCEPTRE;
    return read_place(at, move, FROM, FROM_FACE) && take_char(at, '/') &&
           read_place(at, move, TO, POSE) && at_end(*at);
}

static bool read_cube_move(const char **at, struct move *move)
{
    unsigned domes;

    move->part[KIND] = CUBE;
    if (!read_place(at, move, FROM, NONE) || !take_char(at, '/') ||
        !read_place(at, move, TO, NONE) || !axiom_take_domes(at, &domes) ||
        !at_end(*at))
        return false;
    move->part[POSE] = (int32_t)domes;
    return true;
}

static bool read_move(const char *text, struct move *move, struct err *err)
{
    const char *at = text;
    int kind;

    if (!take_one_of(&at, "SsCc", &kind))
        return fail(err,
                    "a move begins with S for a sceptre or C for a cube, as "
                    "in S1,0,2U/0,1,2U or C0,0,2/0,1,3D");
    if (kind < 2 ? read_sceptre_move(&at, move) : read_cube_move(&at, move))
        return true;
    return fail(err, "%s; this one goes wrong at \"%.24s\"",
                kind < 2 ? "a sceptre moves from one cell and face to another, "
                           "as in S1,0,2U/0,1,2U"
                         : "a cube moves from one cell to another with its "
                           "domes, as in C0,0,2/0,1,3D or C0,0,1/2,0,1WU",
                at);
}

static bool may_move_sceptre(const struct state *s, int seat,
                             const struct move *m, struct err *err)
{
    int from = m->part[FROM], face = m->part[FROM_FACE];
    int sceptre = axiom_sceptre_in(&s->now, from, face);

    if (sceptre == NONE)
        return fail(err, "there is no sceptre in %s",
                    axiom_spell_recess(from, face).text);
    if (sceptre_owner(sceptre) != seat)
        return fail(err, "the sceptre in %s is not yours: you are %s",
                    axiom_spell_recess(from, face).text, colour_name(seat));
    return axiom_may_move(&s->now, sceptre, m->part[TO], m->part[POSE], err);
}

static bool may_move_cube(const struct state *s, int seat, const struct move *m,
                          struct err *err)
{
    int from = m->part[FROM];
    int cube = axiom_cube_at(&s->now, from);

    if (cube == NONE)
        return fail(err, "there is no cube in %s", axiom_spell_cell(from).text);
    if (cube_owner(cube) != seat)
        return fail(err, "the cube in %s is not yours: you are %s",
                    axiom_spell_cell(from).text, colour_name(seat));
    if (m->part[POSE] == 0)
        return fail(err, "the domes of a cube are on one face, or on two that "
                         "meet at an edge, as in WU");
    return axiom_may_place(&s->now, cube, m->part[TO], (unsigned)m->part[POSE],
                           s->rules.contact, err);
}

static bool parse(const struct state *s, int seat, const char *text,
                  struct move *move, struct err *err)
{
    if (!read_move(text, move, err))
        return false;
    if (move->part[FROM] == NOWHERE || move->part[TO] == NOWHERE)
        return fail(err,
                    "no cube can get that far out: x and y stay within %d, "
                    "z within %d",
                    AXIS_MAX, CUBES);
    return move->part[KIND] == SCEPTRE ? may_move_sceptre(s, seat, move, err)
                                       : may_move_cube(s, seat, move, err);
}

static void format(const struct state *s, int seat, const struct move *m,
                   struct buf *out)
{
    bool is_cube = m->part[KIND] == CUBE;
    char *at = buf_room(out, 2 * CELL_TEXT_MAX);

    if (!at)
        return;
    *at++ = is_cube ? 'C' : 'S';
    at = axiom_jot_cell(at, m->part[FROM]);
    if (!is_cube)
        at = axiom_jot_face(at, m->part[FROM_FACE]);
    *at++ = '/';
    at = axiom_jot_cell(at, m->part[TO]);
    if (is_cube)
        at = axiom_jot_domes(at, (unsigned)m->part[POSE]);
    else
        at = axiom_jot_face(at, m->part[POSE]);
    buf_upto(out, at);
}

static void list_sceptre(const struct position *p, int sceptre,
                         const int *order, int n, struct moves *out)
{
    struct move move = {{[KIND] = SCEPTRE,
                         [FROM] = p->sceptre[sceptre],
                         [FROM_FACE] = p->face[sceptre]}};
    struct reach reach;

    axiom_reach(p, sceptre, &reach);
    for (int i = 0; i < n; i++)
        for (int face = 0; face < FACES; face++)
            if (has_face(reach.stops[order[i]], face)) {
                move.part[TO] = p->cube[order[i]];
                move.part[POSE] = face;
                moves_add(out, &move);
            }
}

/* Spots that touch the cube look different when it is lifted. */
static void list_cube(const struct state *s, int cube, const struct spot *spots,
                      const shape_set *suiting, int n, struct moves *out)
{
    struct move move = {{[KIND] = CUBE, [FROM] = s->now.cube[cube]}};
    shape_set own = axiom_shapes(s->now.domes[cube]);

    for (int i = 0; i < n; i++) {
        shape_set shapes = suiting[i];

        if (spots[i].round >> cube & 1) {
            struct spot spot = axiom_lifted(&spots[i], &s->now, cube);

            shapes = axiom_suiting(&spot, s->rules.contact);
        }
        move.part[TO] = spots[i].cell;
        for (shapes &= own; shapes; shapes &= shapes - 1) {
            move.part[POSE] = axiom_domes[__builtin_ctz(shapes)];
            moves_add(out, &move);
        }
    }
}

static void list(const struct state *s, int seat, struct moves *out)
{
    int cubes[CUBES], sceptres[SCEPTRES_EACH];
    struct spot spots[SPOTS_MAX];
    shape_set suiting[SPOTS_MAX];
    int n_cubes = axiom_cubes(&s->now, cubes);
    int n_sceptres = axiom_sceptres(&s->now, seat, sceptres);
    int n_spots = axiom_spots(&s->now, spots);

    for (int i = 0; i < n_sceptres; i++)
        list_sceptre(&s->now, sceptres[i], cubes, n_cubes, out);
    for (int i = 0; i < n_spots; i++)
        suiting[i] = axiom_suiting(&spots[i], s->rules.contact);
    for (int i = 0; i < n_cubes; i++)
        if (cube_owner(cubes[i]) == seat && axiom_is_free(&s->now, cubes[i]))
            list_cube(s, cubes[i], spots, suiting, n_spots, out);
}

static void stop(struct state *s, enum end end, int winner)
{
    s->end = end;
    s->winner = winner;
}

/* The tests that need to know which sceptre has moved. */
static void end_by_sceptre(struct state *s, int seat, int sceptre)
{
    if (axiom_shares_cube(&s->now, sceptre, !seat))
        stop(s, END_SCEPTRE, seat);
    else if (s->rules.pair_loses && axiom_shares_cube(&s->now, sceptre, seat))
        stop(s, END_OWNPAIR, !seat);
}

static void end_by_position(struct state *s, int seat)
{
    if (!axiom_can_move(&s->now, s->rules.contact))
        stop(s, END_NOMOVE, s->rules.nomove_draws ? NONE : seat);
    else if (s->rules.repetition && repeats(s) >= s->rules.repetition)
        stop(s, END_REPETITION, NONE);
    else if (s->plies == s->rules.max_plies)
        stop(s, END_MAXPLIES, NONE);
}

/* A sceptre comes home from an enemy cube: that cube goes, if it can. */
static void remove_left_cube(struct position *p, struct print *print, int seat,
                             const struct move *m, struct lines *events)
{
    int left = axiom_cube_at(p, m->part[FROM]);

    if (cube_owner(left) == seat ||
        cube_owner(axiom_cube_at(p, m->part[TO])) != seat ||
        !axiom_is_free(p, left))
        return;
    if (events)
        tell(events, EVERYONE, "remove %s",
             axiom_spell_cell(p->cube[left]).text);
    shift_cube(p, print, left, NOWHERE, 0);
}

static void move_sceptre(struct state *s, struct print *print, int seat,
                         const struct move *m, struct lines *events)
{
    struct position *p = &s->now;
    int sceptre = axiom_sceptre_in(p, m->part[FROM], m->part[FROM_FACE]);

    shift_sceptre(p, print, sceptre, m->part[TO], m->part[POSE]);
    remove_left_cube(p, print, seat, m, events);
    end_by_sceptre(s, seat, sceptre);
}

static void move_cube(struct position *p, struct print *print,
                      const struct move *m)
{
    shift_cube(p, print, axiom_cube_at(p, m->part[FROM]), m->part[TO],
               (unsigned)m->part[POSE]);
}

static void tell_play(const struct state *s, int seat, const struct move *move,
                      struct lines *events)
{
    if (!events)
        return;
    format(s, seat, move, tell_of(events, EVERYONE, "play", seat));
    tell_end(events);
}

static void keep_move(struct ply *ply, const struct move *move)
{
    ply->from = move->part[FROM];
    ply->to = move->part[TO];
    ply->kind = (uint8_t)move->part[KIND];
    ply->from_face = (uint8_t)move->part[FROM_FACE];
    ply->pose = (uint8_t)move->part[POSE];
}

static void apply(struct state *s, int seat, const struct move *move,
                  struct lines *events)
{
    struct ply *ply = &s->ply[s->plies++];
    struct print print = ply->print;

    keep_move(ply, move);
    tell_play(s, seat, move, events);
    if (move->part[KIND] == SCEPTRE)
        move_sceptre(s, &print, seat, move, events);
    else
        move_cube(&s->now, &print, move);
    s->now.turn = !seat;
    s->ply[s->plies].print = print;
    if (s->end == END_NOT)
        end_by_position(s, seat);
}

static void leave(struct state *s, seat_set seats, struct lines *events)
{
    leavers_add(&s->leavers, seats);
    if (seats == SEATS(AXIOM_SEATS))
        stop(s, END_FORFEIT, NONE);
    else
        stop(s, END_FORFEIT, seats & SEAT(BLACK) ? WHITE : BLACK);
}

static void result(const struct state *s, struct result *r)
{
    int64_t key[AXIOM_SEATS] = {0};

    if (s->winner != NONE)
        key[s->winner] = r->score[s->winner] = 1;
    result_rank(r, AXIOM_SEATS, key, &s->leavers);
    r->reason = reasons[s->end];
}

/*
 * Views and drawings.
 */

static void write_moves(const struct state *s, struct buf *out)
{
    if (s->plies == 0)
        buf_char(out, '-');
    for (int i = 0; i < s->plies; i++) {
        const struct ply *ply = &s->ply[i];
        struct move move = {{[KIND] = ply->kind,
                             [FROM] = ply->from,
                             [FROM_FACE] = ply->from_face,
                             [TO] = ply->to,
                             [POSE] = ply->pose}};

        if (i > 0)
            buf_char(out, ';');
        format(s, 0, &move, out);
    }
}

/* What no bot needs, but what makes the state. */
static void write_rest(const struct state *s, struct buf *out)
{
    buf_str(out, " from=");
    axiom_write(&s->rules.first, out);
    buf_str(out, " moves=");
    write_moves(s, out);
    axiom_write_rules(&s->rules, out);
    buf_str(out, " left=");
    leavers_write(&s->leavers, out);
}

static void view(const struct state *s, int viewer, struct buf *out)
{
    buf_str(out, "position=");
    axiom_write(&s->now, out);
    buf_str(out, " ply=");
    buf_int(out, s->plies);
    buf_str(out, " repeats=");
    buf_int(out, repeats(s));
    if (viewer == AUDIENCE_REFEREE)
        write_rest(s, out);
}

/*
 * What came before is not known, but how often the position did: the other
 * plies get prints that no position has.
 */
static void invent_history(struct state *s, int times)
{
    memset(s->ply, 0, ((size_t)s->plies + 1) * sizeof *s->ply);
    for (int i = 0; i < s->plies; i++)
        s->ply[i].print = (struct print){stir((uint64_t)i + 1), (uint64_t)i};
    for (int i = 0; i < times; i++)
        s->ply[s->plies - AXIOM_SEATS * i].print = print_of(&s->now);
}

static bool from_view(struct state *s, int viewer, const char *view)
{
    char text[VIEW_TEXT_MAX + 1];
    const char *position, *ply, *times;
    struct err err;
    int n;

    if (!value_of_key(view, "position", &position) ||
        !value_of_key(view, "ply", &ply) ||
        !value_of_key(view, "repeats", &times) ||
        !take_int(&ply, 0, s->rules.max_plies - 1, &s->plies) ||
        !take_int(&times, 1, s->plies / AXIOM_SEATS + 1, &n))
        return false;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(position, " "), position);
    if (!axiom_read(text, &s->now, &err) || !axiom_stands(&s->now, &err))
        return false;
    s->now.table = s->rules.first.table;
    invent_history(s, n);
    return axiom_can_move(&s->now, s->rules.contact);
}

static void show(const struct state *s, int viewer, bool colour,
                 struct buf *out)
{
    paint(out, colour, PAINT_BOLD);
    if (s->end == END_NOT)
        buf_add(out, "%s to move", colour_name(s->now.turn));
    else if (s->winner == NONE)
        buf_add(out, "A draw (%s)", reasons[s->end]);
    else
        buf_add(out, "%s has won (%s)", colour_name(s->winner),
                reasons[s->end]);
    paint(out, colour, PAINT_PLAIN);
    buf_add(out, ", %d of %d moves played\n\n", s->plies, s->rules.max_plies);
    axiom_draw(&s->now, colour, out);
}

static const char notation[] =
    "A cell is X,Y,Z: x to the east, y to the north, z up, the table below "
    "z=1.\n"
    "A face is E, W, N, S, U (up) or D (down).\n"
    "A sceptre moves from recess to recess, each a cell and a face:\n"
    "    S1,0,2U/0,1,2U\n"
    "A cube moves from cell to cell, then its dome or domes after the "
    "move:\n"
    "    C0,0,2/0,1,3D   C0,0,1/2,0,1WU\n"
    "Letters may be in lower case, and the domes in any order.\n";

/* Can the side to move bring a sceptre to an enemy one? */
static bool can_win(const struct position *p, int sceptre,
                    const struct reach *reach)
{
    for (int i = 0; i < SCEPTRES; i++) {
        int cube = sceptre_owner(i) != sceptre_owner(sceptre) &&
                           p->sceptre[i] != NOWHERE
                       ? axiom_cube_at(p, p->sceptre[i])
                       : NONE;

        if (cube != NONE && reach->stops[cube])
            return true;
    }
    return false;
}

/* Recesses in reach count; a win in one move nearly decides. */
static double worth(const struct state *s, int seat)
{
    const struct position *p = &s->now;
    double sum = 0;

    if (s->end != END_NOT)
        return s->winner == NONE ? 0 : s->winner == seat ? 10 : -10;
    for (int i = 0; i < SCEPTRES; i++) {
        struct reach reach;

        if (sceptre_owner(i) != seat || p->sceptre[i] == NOWHERE)
            continue;
        axiom_reach(p, i, &reach);
        for (int cube = 0; cube < CUBES; cube++)
            sum += 0.06 * __builtin_popcount(reach.stops[cube]);
        if (can_win(p, i, &reach))
            sum += p->turn == seat ? 8 : 0.5;
    }
    return sum;
}

static void observe(const struct state *s, int viewer, int32_t *out)
{
    int first = viewer < 0 ? BLACK : viewer;

    axiom_observe(&s->now, viewer, out);
    out += 2 * AXIOM_SIDE_OBSERVED;
    *out++ = s->now.turn == first;
    *out++ = s->plies;
    *out++ = repeats(s);
}

const struct game axiom_game = {
    .name = "axiom",
    .title = "Axiom",
    .about = "Rebuild a landscape of cubes and bring a sceptre to the cube of "
             "an enemy one.",
    .version = 1,
    .min_seats = AXIOM_SEATS,
    .max_seats = AXIOM_SEATS,
    .size = size,
    .used = used,
    .options = axiom_options,
    .notation = notation,
    .events = "play|remove",
    .reasons = "sceptre|ownpair|nomove|repetition|maxplies|forfeit",
    .max_moves = axiom_max_plies,
    .accepts = axiom_accepts,
    .warn = axiom_warn,
    .start = start,
    .to_move = to_move,
    .parse = parse,
    .format = format,
    .list = list,
    .apply = apply,
    .view = view,
    .result = result,
    .leave = leave,
    .worth = worth,
    .observed = AXIOM_OBSERVED,
    .observe = observe,
    .show = show,
    .from_view = from_view,
};
