#include "games/rondo/rondo.h"

#include "base/text.h"

#include <string.h>

/* The first of the slots in a set that is not empty. */
static unsigned lowest(unsigned slots)
{
    return slots & -slots;
}

void rondo_slots(const struct state *s, int seat, unsigned slots[RONDO_COLOURS])
{
    const struct rack *rack = &s->rack[seat];

    memset(slots, 0, RONDO_COLOURS * sizeof *slots);
    for (int i = 0; i < rack->count; i++)
        slots[s->colour[rack->stone[i]]] |= 1u << i;
}

/* Reading a move. */

struct step {
    const char *text;
    struct rondo_name name;
    int field;
    bool down;
    int count;  /* of open stones */
    int colour; /* of the stone face down */
};

struct chain {
    int steps;
    struct step step[STEPS_MAX];
};

static int step_len(const struct step *st)
{
    int len = (int)strcspn(st->text, ",");

    return len < 20 ? len : 20;
}

/* For "%.*s": the step as written, and the name of its field. */
#define WRITTEN(st) step_len(st), (st)->text
#define NAMED(st)   (int)strcspn((st)->text, ":"), (st)->text

static bool read_step(const char **text, int i, struct step *st,
                      struct err *err)
{
    const char *at = *text;

    *st = (struct step){.text = at};
    if (!rondo_take_name(&at, &st->name) || !take_char(&at, ':'))
        return fail(err,
                    "step %d, \"%.*s\": write FIELD:COUNT as in b2:1, "
                    "FIELD:xCOLOUR as in c1:xR, or pass",
                    i, WRITTEN(st));
    st->down = take_char(&at, 'x');
    if (st->down && !rondo_take_colour(&at, &st->colour))
        return fail(err,
                    "step %d, \"%.*s\": a stone face down needs its "
                    "colour, one of R P G B Y",
                    i, WRITTEN(st));
    if (!st->down && !take_int(&at, 1, RACK_MAX, &st->count))
        return fail(
            err, "step %d, \"%.*s\": write the number of open stones, 1 to %d",
            i, WRITTEN(st), RACK_MAX);
    if (*at != ',' && !at_end(at))
        return fail(err, "step %d, \"%.*s\": nothing may follow %.*s", i,
                    WRITTEN(st), (int)(at - st->text), st->text);
    *text = at;
    return true;
}

static bool read_chain(const char *text, struct chain *chain, struct err *err)
{
    chain->steps = 0;
    do {
        if (chain->steps == STEPS_MAX)
            return fail(err, "a chain has at most %d steps", STEPS_MAX);
        if (!read_step(&text, chain->steps + 1, &chain->step[chain->steps],
                       err))
            return false;
        chain->steps++;
    } while (take_char(&text, ','));
    return true;
}

static bool fields_exist(const struct state *s, struct chain *chain,
                         struct err *err)
{
    for (int i = 0; i < chain->steps; i++) {
        struct step *st = &chain->step[i];

        st->field = rondo_find(board_of(s), st->name);
        if (st->field == RONDO_CENTRE)
            return fail(err, "%s is the centre, which takes no stones",
                        board_of(s)->centre);
        if (st->field < 0)
            return fail(err, "board %s has no field %.*s", board_of(s)->name,
                        NAMED(st));
    }
    return true;
}

static bool fields_are_empty(const struct state *s, struct chain *chain,
                             struct err *err)
{
    bits used = 0;

    for (int i = 0; i < chain->steps; i++) {
        const struct step *st = &chain->step[i];

        if (bits_has(s->covered, st->field))
            return fail(err, "%.*s is covered: each step needs an empty field",
                        NAMED(st));
        if (bits_has(used, st->field))
            return fail(err,
                        "%.*s appears twice: each step needs a field of its "
                        "own",
                        NAMED(st));
        used |= bit(st->field);
    }
    return true;
}

static bool first_touches(const struct state *s, struct chain *chain,
                          struct err *err)
{
    if (bits_has(s->touched, chain->step[0].field))
        return true;
    return fail(err,
                "%.*s touches neither a stone nor the centre: the first "
                "step must",
                NAMED(&chain->step[0]));
}

static bool steps_touch(const struct state *s, struct chain *chain,
                        struct err *err)
{
    for (int i = 1; i < chain->steps; i++) {
        const struct step *last = &chain->step[i - 1], *st = &chain->step[i];

        if (!bits_has(board_of(s)->near[last->field], st->field))
            return fail(err,
                        "%.*s does not touch %.*s: each step must touch the "
                        "previous one",
                        NAMED(st), NAMED(last));
    }
    return true;
}

static bool (*const checks[])(const struct state *, struct chain *,
                              struct err *) = {
    fields_exist,
    fields_are_empty,
    first_touches,
    steps_touch,
};

/* Take the stones of a step off the rack, the lowest slots first. */
static bool take_stones(const struct state *s, const struct step *st,
                        unsigned slots[RONDO_COLOURS], int32_t *part,
                        struct err *err)
{
    int colour = st->down ? st->colour : board_of(s)->field[st->field].colour;
    int need = st->down ? 1 : st->count;
    int have = __builtin_popcount(slots[colour]);
    unsigned taken = 0;

    if (need > have)
        return fail(err, "%.*s needs %d of colour %c: your rack has %d for it",
                    WRITTEN(st), need, RONDO_LETTERS[colour], have);
    for (; need > 0; need--) {
        taken |= lowest(slots[colour]);
        slots[colour] &= slots[colour] - 1;
    }
    *part = pack(st->field, taken, st->down);
    return true;
}

bool rondo_parse(const struct state *s, int seat, const char *text,
                 struct move *move, struct err *err)
{
    unsigned slots[RONDO_COLOURS];
    struct chain chain;

    if (strcmp(text, "pass") == 0) {
        if (may_pass(s, seat))
            return true;
        return fail(err, "you hold %d stones: lay at least one", RACK_MAX);
    }
    if (!read_chain(text, &chain, err))
        return false;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i](s, &chain, err))
            return false;
    rondo_slots(s, seat, slots);
    for (int i = 0; i < chain.steps; i++)
        if (!take_stones(s, &chain.step[i], slots, &move->part[i], err))
            return false;
    return true;
}

/* Writing a move. Only its layer may read the colour of a stone face down. */

enum { CHAIN_TEXT = STEPS_MAX * sizeof "e40:xR" };

static char *jot_step(char *at, const struct state *s, int seat, int32_t part,
                      bool known)
{
    const char *name = board_of(s)->field[field_of(part)].name;
    unsigned slots = slots_of(part);
    int stone = s->rack[seat].stone[__builtin_ctz(slots)];

    at = jot_text(at, name, 2);
    if (name[2])
        *at++ = name[2];
    *at++ = ':';
    if (!is_down(part))
        return jot_int(at, __builtin_popcount(slots));
    *at++ = 'x';
    if (known)
        *at++ = RONDO_LETTERS[s->colour[stone]];
    return at;
}

void rondo_write(const struct state *s, int seat, const struct move *move,
                 bool known, struct buf *out)
{
    char *at = buf_room(out, CHAIN_TEXT);

    if (!at)
        return;
    if (is_pass(move))
        at = jot_text(at, "pass", 4);
    for (int i = 0; i < STEPS_MAX && move->part[i]; i++) {
        if (i > 0)
            *at++ = ',';
        at = jot_step(at, s, seat, move->part[i], known);
    }
    buf_upto(out, at);
}

void rondo_format(const struct state *s, int seat, const struct move *move,
                  struct buf *out)
{
    rondo_write(s, seat, move, true, out);
}

/*
 * Listing moves. A chain is a shorter chain and one step more, so the list
 * itself is the queue of chains to be made longer; that gives the order by
 * number of steps, then by field, then by stones.
 */

struct listing {
    const struct state *s;
    const struct rondo_board *board;
    struct moves *out;
    bits empty;
    unsigned rack; /* all slots that hold a stone */
    unsigned slots[RONDO_COLOURS];
    unsigned kind[RONDO_COLOURS]; /* those of them that are not empty */
    int kinds;
};

static void begin_listing(struct listing *l, const struct state *s, int seat,
                          struct moves *out)
{
    *l = (struct listing){.s = s,
                          .board = board_of(s),
                          .out = out,
                          .empty = board_of(s)->all & ~s->covered,
                          .rack = (1u << s->rack[seat].count) - 1};
    rondo_slots(s, seat, l->slots);
    for (int c = 0; c < RONDO_COLOURS; c++)
        if (l->slots[c])
            l->kind[l->kinds++] = l->slots[c];
}

/* Add the chain with each way to cover this field as step `at`. */
static void list_field(struct listing *l, struct move *chain, int at, int field,
                       unsigned rack)
{
    unsigned rest = l->slots[l->board->field[field].colour] & rack, open = 0;

    while (rest) {
        open |= lowest(rest);
        rest &= rest - 1;
        chain->part[at] = pack(field, open, false);
        moves_add(l->out, chain);
    }
    for (int i = 0; i < l->kinds; i++) {
        unsigned like = l->kind[i] & rack;

        if (!like)
            continue;
        chain->part[at] = pack(field, lowest(like), true);
        moves_add(l->out, chain);
    }
}

static bool is_covered_by(const struct move *chain, int field)
{
    for (int i = 0; i < STEPS_MAX && chain->part[i]; i++)
        if (field_of(chain->part[i]) == field)
            return true;
    return false;
}

static void list_longer(struct listing *l, struct move chain, unsigned rack)
{
    bits fields = l->s->touched;
    int at = 0;

    while (chain.part[at])
        at++;
    if (at > 0)
        fields = l->board->near[field_of(chain.part[at - 1])];
    for (fields &= l->empty; fields; fields &= fields - 1)
        if (!is_covered_by(&chain, bits_first(fields)))
            list_field(l, &chain, at, bits_first(fields), rack);
}

void rondo_list(const struct state *s, int seat, struct moves *out)
{
    static const struct move none = {0};
    struct listing l;
    size_t next;

    begin_listing(&l, s, seat, out);
    if (may_pass(s, seat))
        moves_add(out, &none);
    next = out->count;
    list_longer(&l, none, l.rack);
    for (; next < out->count && !moves_are_enough(out); next++) {
        unsigned rack = l.rack & ~slots_of_chain(&out->move[next]);

        if (rack)
            list_longer(&l, out->move[next], rack);
    }
}
