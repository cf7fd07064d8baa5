/*
 * view: a seat's view determines its legal moves.
 *
 * Two positions of one setup that look the same to a seat must allow it the
 * same moves. Random games seldom meet such pairs, so every close look also
 * plays a step from the position in several ways: siblings differ in one thing,
 * and a view that does not write this thing makes them look the same. The
 * report remembers what was seen in all its games.
 */

#include "laws_run.h"

#include <string.h>

enum { SIBLINGS = 12 };

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return (hash ^ 0xff) * 1099511628211u;
}

static uint64_t add_number(uint64_t hash, int number)
{
    return (hash ^ (uint32_t)number) * 1099511628211u;
}

/* What the seat knows besides its view: the setup, and which seat it is. */
static uint64_t hash_of_seat(const struct run *run, int seat)
{
    uint64_t hash = add_text(14695981039346656037u, run->game->name);

    for (int i = 0; i < OPTIONS_MAX; i++)
        hash =
            add_text(hash, run->setup->option[i] ? run->setup->option[i] : "");
    return add_number(add_number(hash, run->setup->seats), seat);
}

static uint64_t hash_of_list(const struct run *run, const struct state *state,
                             int seat, const struct moves *list,
                             struct buf *text)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < list->count; i++) {
        write_move(run, state, seat, &list->move[i], text);
        hash = add_text(hash, text->text);
    }
    return hash;
}

static bool looks_as_before(struct run *run, const struct state *state,
                            int seat, struct moves *list, struct buf *text)
{
    struct laws_sight now = {.view = hash_of_seat(run, seat)};
    struct laws_sight *old;

    write_view(run, state, seat, text);
    now.view = add_text(now.view, text->text);
    moves_reset(list);
    run->game->list(state, seat, list);
    now.count = list->count;
    now.list = hash_of_list(run, state, seat, list, text);
    old = &run->report->sight[now.view % LAWS_SIGHTS];
    if (old->view == now.view && old->list != now.list) {
        write_view(run, state, seat, text);
        return broken(run, "view", seat,
                      "does not determine the legal moves: %zu here, %zu or "
                      "others in a position that looks the same: %.400s",
                      now.count, old->count, text->text);
    }
    run->report->seen_again += old->view == now.view;
    *old = now;
    return true;
}

static bool look_as_before(struct run *run, const struct state *state)
{
    seat_set owing = run->game->to_move(state);
    struct moves list = {0};
    struct buf text;
    bool ok = true;

    buf_init(&text, 2 * REFEREE_VIEW_MAX);
    for (int seat = 0; ok && seat < run->setup->seats; seat++)
        if (owing & SEAT(seat))
            ok = looks_as_before(run, state, seat, &list, &text);
    buf_release(&text);
    moves_release(&list);
    return ok;
}

/* Every owing seat moves once, so that a step at once is settled. */
static struct state *sibling(struct run *run)
{
    struct state *copy = game_clone(run->state);
    struct lines unsaid;

    lines_init(&unsaid, EVENTS_MAX);
    for (int seat = 0; seat < run->setup->seats; seat++) {
        const struct moves *legal = &run->legal[seat];

        if (legal->count)
            game_apply(run->game, copy, seat,
                       &legal->move[draw(run, (uint32_t)legal->count)],
                       &unsaid);
    }
    lines_release(&unsaid);
    return copy;
}

bool law_view(struct run *run)
{
    bool ok = look_as_before(run, run->state);

    if (!run->game->to_move(run->state))
        return ok;
    for (int i = 0; ok && i < SIBLINGS; i++) {
        struct state *other = sibling(run);

        ok = look_as_before(run, other);
        game_free(other);
    }
    return ok;
}
