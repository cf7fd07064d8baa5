#include "games/game.h"

#include "base/alloc.h"
#include "base/text.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* make writes games/list.h: one GAME(name) for each name in GAMES. */
#define GAME(name) extern const struct game name##_game;
#include "games/list.h"
#undef GAME

static const struct game *const games[] = {
#define GAME(name) &name##_game,
#include "games/list.h"
#undef GAME
};

size_t game_count(void)
{
    return sizeof games / sizeof *games;
}

const struct game *game_at(size_t i)
{
    assert(i < game_count());
    return games[i];
}

const struct game *game_find(const char *name)
{
    for (size_t i = 0; i < game_count(); i++)
        if (strcmp(games[i]->name, name) == 0)
            return games[i];
    return NULL;
}

bool game_named(const char *name, const struct game **game, struct err *err)
{
    struct guess guess;

    *game = game_find(name);
    if (*game)
        return true;
    guess_begin(&guess, name);
    for (size_t i = 0; i < game_count(); i++)
        guess_add(&guess, "", games[i]->name);
    if (guess.nearest)
        fail(err, "there is no game \"%.40s\"; did you mean %s?", name,
             guess.nearest);
    else
        fail(err, "there is no game \"%.40s\"; the games are %s", name,
             guess.all.text);
    guess_end(&guess);
    return false;
}

static const struct game_option *options(const struct game *game)
{
    static const struct game_option none[1];

    return game->options ? game->options : none;
}

/* Is the option set whose absence gives this one its default? */
static bool is_replaced(const struct game *game, const struct setup *setup,
                        const char *unless)
{
    for (int i = 0; unless && options(game)[i].name; i++)
        if (strcmp(options(game)[i].name, unless) == 0)
            return setup->option[i] != NULL;
    return false;
}

const char *setup_option(const struct game *game, const struct setup *setup,
                         int i)
{
    const struct game_option *o = &options(game)[i];

    if (setup->option[i])
        return setup->option[i];
    return is_replaced(game, setup, o->unless) ? NULL : o->preset;
}

static bool no_such_option(const struct game *game, const char *text, size_t n,
                           struct err *err)
{
    const struct game_option *o = options(game);
    struct guess guess;
    char name[40];

    snprintf(name, sizeof name, "%.*s", (int)(n < 39 ? n : 39), text);
    if (!o->name)
        return fail(err, "%s has no options, so no \"%s\"", game->name, name);
    guess_begin(&guess, name);
    for (; o->name; o++)
        guess_add(&guess, "", o->name);
    if (guess.nearest)
        fail(err, "%s has no option \"%s\"; did you mean %s?", game->name, name,
             guess.nearest);
    else
        fail(err, "%s has no option \"%s\"; its options are %s", game->name,
             name, guess.all.text);
    guess_end(&guess);
    return false;
}

/* A value travels in lines of KEY=VALUE pairs, so it is one plain word. */
static bool is_value(const char *text, const char *name, struct err *err)
{
    size_t n = strlen(text);

    if (n == 0)
        return fail(err, "%s= needs a value", name);
    if (n > OPTION_TEXT_MAX)
        return fail(err,
                    "the value of %s has %zu bytes; at most %d are allowed",
                    name, n, OPTION_TEXT_MAX);
    if (!is_plain(text) || strpbrk(text, " #"))
        return fail(err,
                    "the value of %s must be one word of printable ASCII "
                    "without blanks or number signs",
                    name);
    return true;
}

static bool check_value(const struct game_option *o, const char *text,
                        struct err *err)
{
    if (!is_value(text, o->name, err))
        return false;
    if (o->values && words_find(o->values, text) >= 0)
        return true;
    if (o->check) {
        if (o->check(text, err))
            return true;
        return fail_at(err, "%s", o->name);
    }
    return fail(err, "%s must be %s, not \"%.40s\"", o->name, o->values, text);
}

bool setup_set(const struct game *game, struct setup *setup, const char *text,
               struct err *err)
{
    const struct game_option *o = options(game);
    size_t n = strcspn(text, "=");

    if (text[n] != '=')
        return fail(err, "\"%.40s\" must be NAME=VALUE", text);
    for (int i = 0; o[i].name; i++) {
        if (strlen(o[i].name) != n || memcmp(o[i].name, text, n) != 0)
            continue;
        if (setup->option[i])
            return fail(err, "%s is set twice", o[i].name);
        if (!check_value(&o[i], text + n + 1, err))
            return false;
        setup->option[i] = text + n + 1;
        return true;
    }
    return no_such_option(game, text, n, err);
}

bool game_accepts(const struct game *game, const struct setup *setup,
                  struct err *err)
{
    if (setup->seats < game->min_seats || setup->seats > game->max_seats) {
        if (game->min_seats == game->max_seats)
            return fail(err, "%s takes %d seats, not %d", game->name,
                        game->min_seats, setup->seats);
        return fail(err, "%s takes %d to %d seats, not %d", game->name,
                    game->min_seats, game->max_seats, setup->seats);
    }
    return !game->accepts || game->accepts(setup, err);
}

/* A state knows its own length. */
struct kept {
    size_t size;
    max_align_t state[];
};

static struct kept *kept_of(const struct state *state)
{
    return (struct kept *)((uintptr_t)state - offsetof(struct kept, state));
}

static struct state *state_alloc(size_t size)
{
    struct kept *kept = must_alloc(calloc(1, sizeof *kept + size));

    kept->size = size;
    return (struct state *)kept->state;
}

const char *game_deal(const struct game *game, const struct setup *setup,
                      const uint8_t seed[SEED_BYTES], struct buf *out)
{
    struct rng rng;

    buf_reset(out);
    if (!game->deal)
        return NULL;
    rng_seed(&rng, seed);
    game->deal(setup, &rng, out);
    return out->text;
}

struct state *game_new(const struct game *game, const struct setup *setup,
                       const char *deal, struct lines *events, struct err *err)
{
    struct state *state;

    if (game->deal && !deal) {
        fail(err, "%s needs a deal", game->name);
        return NULL;
    }
    if (!game->deal && deal) {
        fail(err, "%s has no chance, so no deal", game->name);
        return NULL;
    }
    state = state_alloc(game->size ? game->size(setup) : game->state_size);
    if (!game->start(state, setup, deal, events, err)) {
        game_free(state);
        return NULL;
    }
    return state;
}

struct state *game_clone(const struct state *state)
{
    size_t size = kept_of(state)->size;

    return memcpy(state_alloc(size), state, size);
}

bool game_same(const struct state *a, const struct state *b)
{
    size_t size = kept_of(a)->size;

    return size == kept_of(b)->size && memcmp(a, b, size) == 0;
}

void game_free(struct state *state)
{
    if (state)
        free(kept_of(state));
}

bool game_parse(const struct game *game, const struct state *state, int seat,
                const char *text, struct move *move, struct err *err)
{
    seat_set owing = game->to_move(state);

    if (!owing)
        return fail(err, "the game is over");
    if (!(owing & SEAT(seat)))
        return fail(err, "seat %d does not owe a move now", seat + 1);
    if (*text == '\0')
        return fail(err, "a move is missing");
    if (!is_word(text))
        return fail(err, "a move is one word of printable ASCII");
    *move = (struct move){0};
    return game->parse(state, seat, text, move, err);
}

void game_apply(const struct game *game, struct state *state, int seat,
                const struct move *move, struct lines *events)
{
    assert(game->to_move(state) & SEAT(seat));
    game->apply(state, seat, move, events);
}

void game_leave(const struct game *game, struct state *state, seat_set seats,
                struct lines *events)
{
    assert(seats != 0 && game->to_move(state) != 0);
    game->leave(state, seats, events);
}

void game_result(const struct game *game, const struct state *state,
                 struct result *result)
{
    assert(game->to_move(state) == 0);
    *result = (struct result){0};
    game->result(state, result);
    assert(result->reason && words_find(game->reasons, result->reason) >= 0);
}

/* A single player who gives up has not reached it, whatever the score. */
const char *game_goal(const struct game *game, const struct setup *setup,
                      const struct result *result)
{
    bool reached = false;

    if (setup->seats != 1 || !game->goal ||
        !game->goal(setup, result->score[0], &reached))
        return NULL;
    return reached && strcmp(result->reason, "forfeit") != 0 ? "reached"
                                                             : "missed";
}

/* A view is "a=1 b=2". The plainest drawing has one pair per line. */
static void show_view(const struct game *game, const struct state *state,
                      int viewer, struct buf *out)
{
    size_t at = out->len;

    game->view(state, viewer, out);
    for (; at < out->len; at++)
        if (out->text[at] == ' ')
            out->text[at] = '\n';
    buf_char(out, '\n');
}

void game_show(const struct game *game, const struct state *state, int viewer,
               bool colour, struct buf *out)
{
    if (game->show)
        game->show(state, viewer, colour, out);
    else
        show_view(game, state, viewer, out);
}

uint64_t game_hash(const struct game *game, const struct state *state)
{
    static const unsigned char key[crypto_shorthash_KEYBYTES] = "referee state";
    unsigned char digest[crypto_shorthash_BYTES];
    struct buf text;
    uint64_t hash;

    buf_init(&text, REFEREE_VIEW_MAX);
    game->view(state, AUDIENCE_REFEREE, &text);
    assert(buf_ok(&text));
    crypto_shorthash(digest, (const unsigned char *)text.text, text.len, key);
    buf_release(&text);
    memcpy(&hash, digest, sizeof hash);
    return hash;
}

/* There is never more room than is wanted, so adding needs only one test. */
bool moves_grow(struct moves *moves)
{
    if (moves_are_enough(moves))
        return false;
    moves->cap = moves->cap ? 2 * moves->cap : 64;
    if (moves->max && moves->cap > moves->max)
        moves->cap = moves->max;
    moves->move =
        must_alloc(realloc(moves->move, moves->cap * sizeof *moves->move));
    return true;
}

void moves_reset(struct moves *moves)
{
    moves->count = 0;
}

void moves_release(struct moves *moves)
{
    free(moves->move);
    *moves = (struct moves){0};
}

void leavers_add(struct leavers *leavers, seat_set seats)
{
    assert(!(leavers->out & seats));
    leavers->calls++;
    leavers->out |= seats;
    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (seats & SEAT(seat))
            leavers->when[seat] = leavers->calls;
}

void seats_write(seat_set seats, struct buf *out)
{
    const char *comma = "";

    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (seats & SEAT(seat)) {
            buf_str(out, comma);
            buf_int(out, seat + 1);
            comma = ",";
        }
    if (!*comma)
        buf_char(out, '-');
}

bool seats_read(const char **at, int seats, struct leavers *leavers)
{
    seat_set out = 0;
    int seat;

    if (take_char(at, '-'))
        return true;
    do {
        if (!take_int(at, 1, seats, &seat) || out & SEAT(seat - 1))
            return false;
        out |= SEAT(seat - 1);
    } while (take_char(at, ','));
    leavers_add(leavers, out);
    return true;
}

void leavers_write(const struct leavers *leavers, struct buf *out)
{
    const char *comma = "";

    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (leavers->out & SEAT(seat)) {
            buf_add(out, "%s%d.%d", comma, seat + 1, leavers->when[seat]);
            comma = ",";
        }
    if (!*comma)
        buf_char(out, '-');
}

/* Is seat a placed before seat b? */
static bool is_before(int a, int b, const int64_t *key,
                      const struct leavers *leavers)
{
    bool a_out = leavers->out & SEAT(a), b_out = leavers->out & SEAT(b);

    if (a_out && b_out)
        return leavers->when[a] > leavers->when[b];
    if (a_out || b_out)
        return b_out;
    return key[a] > key[b];
}

void result_rank(struct result *result, int seats, const int64_t *key,
                 const struct leavers *leavers)
{
    for (int a = 0; a < seats; a++) {
        result->rank[a] = 1;
        for (int b = 0; b < seats; b++)
            result->rank[a] += is_before(b, a, key, leavers);
    }
}
