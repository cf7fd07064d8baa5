/* What one seat knows. */

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
