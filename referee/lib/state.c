/* States. */

#include "lib/handles.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SHOW_MAX = 1 << 20 };

referee_state *lib_state(const referee_rules *rules, struct state *state)
{
    referee_state *s = must_alloc(calloc(1, sizeof *s));

    s->rules = rules;
    s->state = state;
    s->listed = -1;
    lines_init(&s->events, EVENTS_MAX);
    return s;
}

referee_state *referee_new_dealt(const referee_rules *rules, const char *deal,
                                 referee_error *error)
{
    referee_state *s = lib_state(rules, NULL);
    struct err err;

    lib_lock();
    s->state = game_new(rules->game, &rules->setup, deal, &s->events, &err);
    lib_unlock();
    if (s->state)
        return s;
    lib_fail(error, &err);
    referee_free(s);
    return NULL;
}

referee_state *referee_new(const referee_rules *rules, const char *seed)
{
    referee_state *s;
    uint8_t bytes[SEED_BYTES];
    struct rng rng;
    struct buf deal;

    if (!rules->game->deal)
        return referee_new_dealt(rules, NULL, NULL);
    lib_seed(seed, bytes);
    rng_seed(&rng, bytes);
    buf_init(&deal, DEAL_TEXT_MAX);
    lib_lock();
    rules->game->deal(&rules->setup, &rng, &deal);
    lib_unlock();
    s = referee_new_dealt(rules, deal.text, NULL);
    assert(s);
    buf_release(&deal);
    return s;
}

referee_state *referee_clone(const referee_state *state)
{
    referee_state *s = lib_state(state->rules, game_clone(state->state));

    s->gone = state->gone;
    s->mute = state->mute;
    return s;
}

void referee_copy(referee_state *to, const referee_state *from)
{
    assert(to->rules == from->rules);
    memcpy(to->state, from->state, from->rules->state_size);
    to->gone = from->gone;
    to->listed = -1;
    lines_reset(&to->events);
}

void referee_free(referee_state *s)
{
    if (!s)
        return;
    game_free(s->state);
    lines_release(&s->events);
    moves_release(&s->legal);
    free(s);
}

const referee_rules *referee_rules_of(const referee_state *state)
{
    return state->rules;
}

unsigned referee_to_move(const referee_state *s)
{
    return lib_game(s)->to_move(s->state);
}

int referee_turn(const referee_state *s)
{
    return __builtin_ffs((int)referee_to_move(s));
}

uint64_t referee_hash(const referee_state *s)
{
    return game_hash(lib_game(s), s->state);
}

int referee_same(const referee_state *a, const referee_state *b)
{
    return a->rules == b->rules && game_same(a->state, b->state);
}

/* Moves. */

static bool owes(const referee_state *s, int seat)
{
    return seat >= 0 && seat < s->rules->setup.seats &&
           referee_to_move(s) & SEAT(seat);
}

const struct moves *lib_list(referee_state *s, int seat)
{
    if (s->listed == seat)
        return &s->legal;
    moves_reset(&s->legal);
    if (owes(s, seat))
        lib_game(s)->list(s->state, seat, &s->legal);
    s->listed = seat;
    return &s->legal;
}

int referee_moves(referee_state *s, int seat)
{
    return seat < 1 ? 0 : (int)lib_list(s, seat - 1)->count;
}

static const struct move *move_at(referee_state *s, int seat, int move)
{
    const struct moves *legal = lib_list(s, seat);

    return move >= 0 && (size_t)move < legal->count ? &legal->move[move] : NULL;
}

/* Return a text as snprintf() would. */
static size_t give(struct buf *text, char *out, size_t size)
{
    size_t len = text->len, n = len < size ? len : size - 1;

    if (size > 0) {
        if (n > 0)
            memcpy(out, text->text, n);
        out[n] = '\0';
    }
    buf_release(text);
    return len;
}

size_t referee_move_text(referee_state *s, int seat, int move, char *out,
                         size_t size)
{
    const struct move *m = seat < 1 ? NULL : move_at(s, seat - 1, move);
    struct buf text;

    buf_init(&text, LINE_MAX_BYTES);
    if (m)
        lib_game(s)->format(s->state, seat - 1, m, &text);
    return give(&text, out, size);
}

size_t referee_move_texts(referee_state *s, int seat, char *out, size_t size)
{
    int n = referee_moves(s, seat);
    struct buf text;

    buf_init(&text, (size_t)n * (MOVE_TEXT_MAX + 1) + 1);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_char(&text, ' ');
        lib_game(s)->format(s->state, seat - 1, &s->legal.move[i], &text);
    }
    return give(&text, out, size);
}

static bool parse(const referee_state *s, int seat, const char *text,
                  struct move *move, struct err *err)
{
    if (seat < 1 || seat > s->rules->setup.seats)
        return fail(err, "there is no seat %d", seat);
    return game_parse(lib_game(s), s->state, seat - 1, text, move, err);
}

int referee_find(referee_state *s, int seat, const char *text,
                 referee_error *error)
{
    const struct moves *legal;
    struct move move;
    struct err err;

    if (!parse(s, seat, text, &move, &err)) {
        lib_fail(error, &err);
        return -1;
    }
    legal = lib_list(s, seat - 1);
    for (size_t i = 0; i < legal->count; i++)
        if (same_move(&legal->move[i], &move))
            return (int)i;
    return -1;
}

void lib_apply(referee_state *s, int seat, const struct move *move)
{
    lines_reset(&s->events);
    s->listed = -1;
    lib_game(s)->apply(s->state, seat, move, s->mute ? NULL : &s->events);
}

int referee_apply(referee_state *s, int seat, int move)
{
    const struct move *m = seat < 1 ? NULL : move_at(s, seat - 1, move);

    if (!m)
        return 0;
    lib_apply(s, seat - 1, m);
    return 1;
}

int referee_play(referee_state *s, int seat, const char *text,
                 referee_error *error)
{
    struct move move;
    struct err err;

    if (!parse(s, seat, text, &move, &err))
        return lib_fail(error, &err);
    lib_apply(s, seat - 1, &move);
    return 1;
}

int referee_leave(referee_state *s, unsigned seats)
{
    if (!seats || seats & (s->gone | ~SEATS(s->rules->setup.seats)) ||
        !referee_to_move(s))
        return 0;
    lines_reset(&s->events);
    s->listed = -1;
    s->gone |= seats;
    lib_game(s)->leave(s->state, seats, s->mute ? NULL : &s->events);
    return 1;
}

void referee_mute(referee_state *s, int mute)
{
    s->mute = mute;
}

/* Texts. */

static bool is_viewer(const referee_state *s, int viewer)
{
    return viewer >= REFEREE_ALL && viewer <= s->rules->setup.seats;
}

static seat_set audience(int viewer)
{
    if (viewer > 0)
        return SEAT(viewer - 1);
    return viewer == 0 ? WATCHERS : RECORD;
}

size_t referee_events(const referee_state *s, int viewer, char *out,
                      size_t size)
{
    struct buf text;

    buf_init(&text, EVENTS_MAX + 1);
    for (size_t i = 0; is_viewer(s, viewer) && i < s->events.count; i++)
        if (s->events.line[i].to & audience(viewer)) {
            buf_str(&text, lines_text(&s->events, i));
            buf_char(&text, '\n');
        }
    return give(&text, out, size);
}

size_t referee_view(const referee_state *s, int viewer, char *out, size_t size)
{
    struct buf text;

    buf_init(&text, REFEREE_VIEW_MAX);
    if (is_viewer(s, viewer))
        lib_game(s)->view(s->state, lib_viewer(viewer), &text);
    return give(&text, out, size);
}

size_t referee_show(const referee_state *s, int viewer, char *out, size_t size)
{
    struct buf text;

    buf_init(&text, SHOW_MAX);
    if (is_viewer(s, viewer))
        game_show(lib_game(s), s->state, lib_viewer(viewer), false, &text);
    return give(&text, out, size);
}

size_t referee_deal(const referee_state *s, char *out, size_t size)
{
    struct buf text;

    buf_init(&text, DEAL_TEXT_MAX);
    if (lib_game(s)->dealt)
        lib_game(s)->dealt(s->state, &text);
    return give(&text, out, size);
}

/* The end. */

const char *referee_result(const referee_state *s, int *ranks, int *scores)
{
    struct result result = {0};
    bool over = !referee_to_move(s);

    if (over)
        game_result(lib_game(s), s->state, &result);
    memcpy(ranks, result.rank, sizeof result.rank);
    memcpy(scores, result.score, sizeof result.score);
    return over ? result.reason : NULL;
}

/* Count the seats placed below, and half of those that share the place. */
static double value_of(const struct result *r, int seats, int seat)
{
    double below = 0;

    for (int other = 0; other < seats; other++)
        if (other != seat)
            below += r->rank[other] > r->rank[seat]    ? 1
                     : r->rank[other] == r->rank[seat] ? 0.5
                                                       : 0;
    return below / (seats - 1);
}

int referee_values(const referee_state *s, double *values)
{
    int seats = s->rules->setup.seats;
    struct result result;

    for (int i = 0; i < REFEREE_SEATS; i++)
        values[i] = 0;
    if (referee_to_move(s))
        return 0;
    game_result(lib_game(s), s->state, &result);
    if (seats == 1)
        values[0] = result.score[0];
    for (int i = 0; seats > 1 && i < seats; i++)
        values[i] = value_of(&result, seats, i);
    return 1;
}

/* Chance. */

void referee_redeal(referee_state *s, int viewer, referee_rng *rng)
{
    if (!lib_game(s)->redeal || viewer < 0 || !is_viewer(s, viewer))
        return;
    lib_game(s)->redeal(s->state, lib_viewer(viewer), &rng->rng);
    s->listed = -1;
}

int referee_playout(referee_state *s, referee_rng *rng)
{
    const struct game *game = lib_game(s);
    seat_set owing;
    int n = 0;

    lines_reset(&s->events);
    for (; (owing = game->to_move(s->state)) != 0; n++) {
        int seat = __builtin_ctz(owing);
        const struct moves *legal = lib_list(s, seat);
        uint32_t i = rng_uniform(&rng->rng, (uint32_t)legal->count);

        s->listed = -1;
        game->apply(s->state, seat, &legal->move[i], NULL);
    }
    return n;
}

static void advised(referee_state *s, int seat, referee_rng *rng,
                    struct move *move)
{
    const struct moves *legal;

    if (lib_game(s)->hint) {
        lib_game(s)->hint(s->state, seat, &rng->rng, move);
        return;
    }
    legal = lib_list(s, seat);
    *move = legal->move[rng_uniform(&rng->rng, (uint32_t)legal->count)];
}

int referee_rollout(referee_state *s, referee_rng *rng)
{
    seat_set owing;
    int n = 0;

    lines_reset(&s->events);
    for (; (owing = lib_game(s)->to_move(s->state)) != 0; n++) {
        struct move move;

        advised(s, __builtin_ctz(owing), rng, &move);
        s->listed = -1;
        lib_game(s)->apply(s->state, __builtin_ctz(owing), &move, NULL);
    }
    return n;
}

int referee_hint(referee_state *s, int seat, referee_rng *rng)
{
    int count = referee_moves(s, seat);
    struct move move;

    if (count == 0)
        return -1;
    advised(s, seat - 1, rng, &move);
    for (int i = 0; i < count; i++)
        if (same_move(&lib_list(s, seat - 1)->move[i], &move))
            return i;
    return -1;
}

/* Observations as numbers. */

int referee_observation_size(const referee_rules *rules)
{
    return rules->game->observe ? rules->game->observed : VIEW_TEXT_MAX;
}

void referee_observe(const referee_state *s, int viewer, int32_t *out)
{
    int n = referee_observation_size(s->rules);
    struct buf view;

    memset(out, 0, (size_t)n * sizeof *out);
    if (viewer < 0 || !is_viewer(s, viewer))
        return;
    if (lib_game(s)->observe) {
        lib_game(s)->observe(s->state, lib_viewer(viewer), out);
        return;
    }
    buf_init(&view, VIEW_TEXT_MAX);
    lib_game(s)->view(s->state, lib_viewer(viewer), &view);
    for (size_t i = 0; i < view.len; i++)
        out[i] = (unsigned char)view.text[i];
    buf_release(&view);
}

int referee_move_code(referee_state *s, int seat, int move, int32_t *out)
{
    _Static_assert(REFEREE_MOVE_CODE == MOVE_PARTS, "a code is the parts");
    if (move < 0 || move >= referee_moves(s, seat))
        return 0;
    memcpy(out, lib_list(s, seat - 1)->move[move].part, sizeof(struct move));
    return 1;
}
