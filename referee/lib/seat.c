/* What one seat knows, from the events it was told or from its view. */

#include "lib/handles.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

referee_seat *referee_seat_new(const referee_rules *rules, int seat,
                               const char *seed, referee_error *error)
{
    referee_seat *s;
    uint8_t bytes[SEED_BYTES];
    struct err err;

    if (seat < 0 || seat > rules->setup.seats) {
        fail(&err, "there is no seat %d", seat);
        lib_fail(error, &err);
        return NULL;
    }
    s = must_alloc(calloc(1, sizeof *s));
    s->rules = rules;
    lib_seed(seed, bytes);
    follow_begin(&s->follower, rules->game, &rules->setup, lib_viewer(seat),
                 bytes);
    return s;
}

void referee_seat_free(referee_seat *seat)
{
    if (!seat)
        return;
    follow_end(&seat->follower);
    free(seat);
}

void referee_seat_again(referee_seat *seat)
{
    follow_again(&seat->follower);
}

int referee_seat_told(referee_seat *seat, const char *event,
                      referee_error *error)
{
    struct err err;

    if (strlen(event) > LINE_MAX_BYTES || strchr(event, '\n')) {
        fail(&err, "an event is one line of at most %d bytes", LINE_MAX_BYTES);
        return lib_fail(error, &err);
    }
    follow_told(&seat->follower, event);
    return 1;
}

int referee_seat_world(referee_seat *seat, referee_state *state,
                       referee_rng *rng, referee_error *error)
{
    struct follower *f = &seat->follower;
    struct err err;
    bool ok;

    if (state->rules != seat->rules) {
        fail(&err, "the state has other rules than the seat");
        return lib_fail(error, &err);
    }
    lib_lock();
    ok = follow_settle(f, &err);
    lib_unlock();
    if (!ok)
        return lib_fail(error, &err);
    memcpy(state->state, f->world, seat->rules->state_size);
    state->gone = f->gone;
    state->listed = -1;
    lines_reset(&state->events);
    if (f->game->redeal)
        f->game->redeal(state->state, f->viewer, &rng->rng);
    return 1;
}

/* Any beginning, turned into what the viewer sees, and then hidden things that
 * are as likely as any others. */
static struct state *imagine(const referee_rules *rules, int viewer,
                             const char *view, struct rng *rng)
{
    const struct game *game = rules->game;
    struct state *s;
    struct lines events;
    struct buf deal;
    struct err err;

    buf_init(&deal, DEAL_TEXT_MAX);
    lines_init(&events, EVENTS_MAX);
    if (game->deal)
        game->deal(&rules->setup, rng, &deal);
    s = game_new(game, &rules->setup, game->deal ? deal.text : NULL, &events,
                 &err);
    buf_release(&deal);
    lines_release(&events);
    if (s && game->from_view(s, viewer, view)) {
        if (game->redeal)
            game->redeal(s, viewer, rng);
        return s;
    }
    game_free(s);
    return NULL;
}

static bool looks_so(const struct game *game, const struct state *s, int viewer,
                     const char *view)
{
    struct buf text;
    bool same;

    buf_init(&text, REFEREE_VIEW_MAX);
    game->view(s, viewer, &text);
    same = strcmp(text.text, view) == 0;
    buf_release(&text);
    return same && game->to_move(s);
}

referee_state *referee_from_view(const referee_rules *rules, int viewer,
                                 const char *view, referee_rng *rng,
                                 referee_error *error)
{
    referee_state *s = NULL;
    struct state *state;
    struct err err;

    if (viewer < 0 || viewer > rules->setup.seats) {
        fail(&err, "there is no seat %d", viewer);
    } else if (!rules->game->from_view) {
        fail(&err, "%s cannot make a state from a view", rules->game->name);
    } else {
        lib_lock();
        state = imagine(rules, lib_viewer(viewer), view, &rng->rng);
        lib_unlock();
        if (state && looks_so(rules->game, state, lib_viewer(viewer), view)) {
            s = lib_state(rules, state);
            s->gone = SEATS(rules->setup.seats);
            return s;
        }
        game_free(state);
        fail(&err,
             "no position of %s with %d seats in which a move is due looks "
             "to viewer %d like \"%.120s\"",
             rules->game->name, rules->setup.seats, viewer, view);
    }
    lib_fail(error, &err);
    return NULL;
}
