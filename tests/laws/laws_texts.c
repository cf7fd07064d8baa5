#include "laws_run.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPELL_ALL = 400,    /* a longer list is sampled, most of the time */
    TEXTS_REFUSED = 60, /* per seat and position */
    DEALS_TYPED = 6,
};

/* Texts that a bot might send: right, nearly right, and wild. */

/* A move that is legal now for somebody, or was played before. */
static void known_text(struct run *run, struct buf *out)
{
    seat_set owing = run->game->to_move(run->state);
    size_t k = draw(run, (uint32_t)run->steps);

    buf_reset(out);
    if (owing && (draw(run, 2) || run->step[k].seat == NOBODY)) {
        int seat = draw_seat(run, owing);
        const struct moves *legal = &run->legal[seat];

        write_move(run, run->state, seat,
                   &legal->move[draw(run, (uint32_t)legal->count)], out);
    } else {
        buf_str(out, run->texts.text + run->step[k].text);
    }
}

static char some_char(struct run *run, const struct buf *from)
{
    if (from->len && draw(run, 3))
        return from->text[draw(run, (uint32_t)from->len)];
    return (char)(' ' + (int)draw(run, 95));
}

/* Change, drop, swap or insert one character, or cross two texts. */
static void mutate(struct run *run, struct buf *text, struct buf *other)
{
    size_t n = text->len, at = n ? draw(run, (uint32_t)n) : 0;
    uint32_t kind = draw(run, 6);

    known_text(run, other);
    if (n == 0 || kind == 0) {
        buf_char(text, some_char(run, other));
    } else if (kind == 1) {
        text->text[at] = some_char(run, other);
    } else if (kind == 2) {
        memmove(text->text + at, text->text + at + 1, n - at);
        text->len--;
    } else if (kind == 3 && at + 1 < n) {
        char c = text->text[at];

        text->text[at] = text->text[at + 1];
        text->text[at + 1] = c;
    } else if (kind == 4) {
        buf_char(text, 'x');
        memmove(text->text + at + 1, text->text + at, n - at);
        text->text[at] = some_char(run, other);
    } else {
        size_t from = other->len ? draw(run, (uint32_t)other->len) : 0;

        text->len = at;
        text->text[at] = '\0';
        buf_str(text, other->text + from);
    }
}

static void wild_text(struct run *run, struct buf *text)
{
    uint32_t n = 1 + draw(run, 12);

    buf_reset(text);
    while (n--)
        buf_char(text, (char)('!' + (int)draw(run, 94)));
}

static void long_text(struct run *run, struct buf *text, struct buf *other)
{
    size_t max = 1000 + draw(run, 2000);

    known_text(run, other);
    buf_reset(text);
    while (text->len < max)
        buf_str(text, other->len ? other->text : "a1");
}

void some_text(struct run *run, struct buf *text, struct buf *other)
{
    uint32_t kind = draw(run, 16);

    if (kind == 0) {
        wild_text(run, text);
    } else if (kind == 1) {
        long_text(run, text, other);
    } else {
        known_text(run, text);
        for (uint32_t n = draw(run, 4); n > 0; n--)
            mutate(run, text, other);
    }
    run->report->texts++;
}

/* Moves by value, so that a list can be searched. */

static int by_value(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct move));
}

static void sort_moves(const struct moves *from, struct moves *to)
{
    for (size_t i = 0; i < from->count; i++)
        moves_add(to, &from->move[i]);
    qsort(to->move, to->count, sizeof *to->move, by_value);
}

static bool has_move(const struct moves *sorted, const struct move *move)
{
    return bsearch(move, sorted->move, sorted->count, sizeof *move, by_value) !=
           NULL;
}

/* refuses: parse() accepts exactly what list() lists, and says why not. */

/* Is there a sentence if and only if the text was refused? */
static bool answers(struct run *run, int seat, const char *text, bool accepted,
                    const struct err *err)
{
    if (accepted && strcmp(err->text, "untouched") != 0)
        return broken(run, "refuses", seat,
                      "\"%.64s\" is accepted, but with a reason: %s", text,
                      err->text);
    if (accepted)
        return true;
    run->report->refusals++;
    if (strcmp(err->text, "untouched") == 0)
        return broken(run, "refuses", seat,
                      "\"%.64s\" is refused without a reason", text);
    return prints_text(run, seat, "a refusal", err->text, ERR_TEXT_MAX - 1);
}

static bool try_text(struct run *run, int seat, const char *text,
                     const struct moves *sorted)
{
    struct err err = {.text = "untouched"};
    struct move move;
    bool ok = game_parse(run->game, run->state, seat, text, &move, &err);

    if (!answers(run, seat, text, ok, &err))
        return false;
    if (ok && !has_move(sorted, &move))
        return broken(run, "refuses", seat,
                      "\"%.64s\" is accepted, but is not in the list of %zu "
                      "moves",
                      text, sorted->count);
    return true;
}

static bool refuses(struct run *run, int seat, struct moves *sorted)
{
    struct buf text, other;
    bool ok;

    for (size_t i = 1; i < sorted->count; i++)
        if (same_move(&sorted->move[i - 1], &sorted->move[i]))
            return broken(run, "refuses", seat, "a move is listed twice");
    buf_init(&text, 1 << 16);
    buf_init(&other, 1 << 16);
    ok = try_text(run, seat, "", sorted);
    for (int i = 0; ok && i < TEXTS_REFUSED; i++) {
        some_text(run, &text, &other);
        ok = try_text(run, seat, text.text, sorted);
    }
    buf_release(&text);
    buf_release(&other);
    return ok;
}

/* Is a list that need not be long the beginning of the whole one? */
static bool begins(struct run *run, int seat)
{
    const struct moves *legal = &run->legal[seat];
    struct moves some = {.max = 1 + draw(run, (uint32_t)legal->count)};
    bool ok;

    run->game->list(run->state, seat, &some);
    ok = some.count == some.max &&
         memcmp(some.move, legal->move, some.count * sizeof *some.move) == 0;
    moves_release(&some);
    return ok || broken(run, "refuses", seat,
                        "a list of some moves is not the beginning of all");
}

bool law_refuses(struct run *run)
{
    bool ok = true;

    for (int seat = 0; ok && seat < run->setup->seats; seat++) {
        struct moves sorted = {0};

        if (run->legal[seat].count) {
            sort_moves(&run->legal[seat], &sorted);
            ok = refuses(run, seat, &sorted) && begins(run, seat);
        }
        moves_release(&sorted);
    }
    return ok;
}

/* spells: parse(format(move)) == move. */

bool spells(struct run *run, int seat, const struct move *move,
            struct buf *text)
{
    struct err err = {.text = "untouched"};
    struct move back;
    bool ok;

    write_move(run, run->state, seat, move, text);
    if (!prints_text(run, seat, "a move", text->text, MOVE_TEXT_MAX))
        return false;
    ok = game_parse(run->game, run->state, seat, text->text, &back, &err);
    if (!answers(run, seat, text->text, ok, &err))
        return false;
    if (!ok)
        return broken(run, "refuses", seat, "\"%s\" is listed but refused: %s",
                      text->text, err.text);
    if (!same_move(move, &back))
        return broken(run, "spells", seat,
                      "\"%s\" is read as another move than it was written for",
                      text->text);
    return true;
}

bool law_spells(struct run *run)
{
    struct buf text;
    bool ok = true;

    buf_init(&text, 1 << 16);
    for (int seat = 0; ok && seat < run->setup->seats; seat++) {
        const struct moves *legal = &run->legal[seat];
        bool all = legal->count <= SPELL_ALL || draw(run, 16) == 0;
        size_t n = all ? legal->count : SPELL_ALL;

        for (size_t i = 0; ok && i < n; i++) {
            size_t at = all ? i : draw(run, (uint32_t)legal->count);

            ok = spells(run, seat, &legal->move[at], &text);
        }
    }
    buf_release(&text);
    return ok;
}

bool try_deals(struct run *run)
{
    struct buf text, other;
    struct lines events;
    bool ok = true;

    buf_init(&text, 1 << 16);
    buf_init(&other, 1 << 16);
    lines_init(&events, EVENTS_MAX);
    for (int i = 0; ok && i < DEALS_TYPED; i++) {
        struct err err = {.text = "untouched"};
        struct state *state;

        buf_reset(&text);
        buf_str(&text, run->deal.text);
        for (uint32_t n = draw(run, 3) + 1; n > 0; n--)
            mutate(run, &text, &other);
        lines_reset(&events);
        state = game_new(run->game, run->setup, text.text, &events, &err);
        ok = answers(run, NOBODY, text.text, state != NULL, &err);
        if (ok && state) {
            buf_reset(&other);
            run->game->dealt(state, &other);
            ok = same(run, "replays", NOBODY, "dealt() and a typed deal",
                      text.text, other.text);
        }
        game_free(state);
    }
    buf_release(&text);
    buf_release(&other);
    lines_release(&events);
    return ok;
}
