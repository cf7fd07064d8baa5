/*
 * What a seat may not know is not in the bytes of its steps, nor in those of an
 * HTML file that was made for it.
 *
 * A random game is played up to a random point and written as a record, with a
 * note of every seat that tells the whole truth. Then all that one viewer
 * cannot know is replaced by another truth, and the same moves are written as
 * a second record. The steps and the files of both must be the same bytes for
 * this viewer; those for all must differ at times, or the test would be empty.
 */

#include "games/random_game.h"
#include "setups.h"
#include "web/page.h"
#include "web/steps.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAMES = 60,
    FILES = 4, /* every fourth game has a file */
    MOVES_MAX = 600,
    CASES_MAX = 400,
};

struct played {
    int seat;
    struct move move;
};

struct world {
    const struct game *game;
    const struct setup *setup;
    const struct played *played;
    int moves;
    int viewer;
};

/* What a careless bot would say: everything it could ever know, and more. */
static void tell_secrets(const struct world *w, const struct state *state,
                         int seat, struct record_writer *record)
{
    struct buf view;

    buf_init(&view, REFEREE_VIEW_MAX);
    w->game->view(state, seat == w->viewer ? w->viewer : AUDIENCE_REFEREE,
                  &view);
    buf_add(&record->text, "@- refused %d none %.900s\n", seat + 1, view.text);
    buf_add(&record->text, "@- note %d %.900s\n", seat + 1, view.text);
    buf_add(&record->text, "@- clock %d 5000 used=7 lag=0\n", seat + 1);
    buf_release(&view);
}

/* The steps, and behind them a file with this game alone. */
static char *with_page(char *text, json_t *document, const char *record)
{
    struct page page;
    struct buf out;

    page_init(&page);
    page_add(&page, json_incref(document), "test", record);
    buf_init(&out, 64 << 20);
    page_write(&page, &out);
    cr_assert(buf_ok(&out));
    text = realloc(text, strlen(text) + out.len + 1);
    cr_assert(text);
    strcat(text, out.text);
    buf_release(&out);
    page_release(&page);
    return text;
}

/*
 * The steps of one world for a viewer, and behind them the file, as text;
 * free() it.
 */
static char *steps_of(const struct world *w, const char *deal, int viewer)
{
    struct record_writer record;
    struct lines events;
    struct state *state;
    struct steps steps;
    struct err err = {0};
    json_t *document = NULL;
    char *text, *copy;

    lines_init(&events, 64 << 20);
    record_init(&record);
    record_head(&record, w->game, w->setup);
    record_deal(&record, NULL, NULL, deal);
    state = game_new(w->game, w->setup, deal, &events, &err);
    cr_assert(state, "%s", err.text);
    for (int i = 0; i < w->moves; i++) {
        record_lines(&record, &events, 0);
        lines_reset(&events);
        tell_secrets(w, state, w->played[i].seat, &record);
        game_apply(w->game, state, w->played[i].seat, &w->played[i].move,
                   &events);
    }
    record_lines(&record, &events, 0);
    copy = strdup(record.text.text);
    steps_init(&steps, viewer);
    cr_assert(steps_read(&steps, "test", 0, record.text.text, record.text.len,
                         &document, &err),
              "%s", err.text);
    text = json_dumps(document, JSON_COMPACT);
    text = w->moves % FILES ? text : with_page(text, document, copy);
    free(copy);
    json_decref(document);
    steps_release(&steps);
    record_release(&record);
    lines_release(&events);
    game_free(state);
    return text;
}

/* At most `most` moves, but no step that is not complete. */
static int play(struct random_game *random, int most, struct played *played)
{
    const struct game *game = random->game;
    int n = 0, whole = 0;
    seat_set owe = game->to_move(random->state), asked = owe;

    while (n < most &&
           random_game_pick(random, &played[n].seat, &played[n].move)) {
        random_game_play(random, played[n].seat, &played[n].move);
        asked &= ~SEAT(played[n].seat);
        n++;
        owe = game->to_move(random->state);
        if (!asked || owe != asked) {
            asked = owe;
            whole = n;
        }
    }
    return whole;
}

static struct state *state_after(const struct world *w, const char *deal)
{
    struct lines events;
    struct err err = {0};
    struct state *state;

    lines_init(&events, 64 << 20);
    state = game_new(w->game, w->setup, deal, &events, &err);
    cr_assert(state);
    for (int i = 0; i < w->moves; i++)
        game_apply(w->game, state, w->played[i].seat, &w->played[i].move,
                   &events);
    lines_release(&events);
    return state;
}

/* Another truth at the end of the same moves, as a deal. */
static void other_deal(const struct world *w, const char *deal, struct rng *rng,
                       struct buf *out)
{
    struct state *state = state_after(w, deal);

    w->game->redeal(state, w->viewer, rng);
    w->game->dealt(state, out);
    game_free(state);
}

/* Returns whether the referee can tell the two worlds apart. */
static bool compare(const struct world *w, const char *deal, struct rng *rng)
{
    struct buf other;
    char *here, *there;
    bool differ;

    buf_init(&other, DEAL_TEXT_MAX);
    other_deal(w, deal, rng, &other);
    here = steps_of(w, deal, w->viewer);
    there = steps_of(w, other.text, w->viewer);
    cr_assert_str_eq(here, there, "seat %d can tell", w->viewer + 1);
    free(here);
    free(there);
    here = steps_of(w, deal, AUDIENCE_REFEREE);
    there = steps_of(w, other.text, AUDIENCE_REFEREE);
    differ = strcmp(here, there) != 0;
    free(here);
    free(there);
    buf_release(&other);
    return differ;
}

static bool one_game(const struct game *game, const struct setup *setup,
                     int number)
{
    static struct played played[MOVES_MAX];
    uint8_t seed[SEED_BYTES] = {(uint8_t)number, (uint8_t)setup->seats};
    struct world w = {.game = game, .setup = setup, .played = played};
    struct random_game random;
    struct rng rng;
    bool differ;

    rng_seed(&rng, seed);
    random_game_begin(&random, game, setup, seed);
    w.moves = play(&random, (int)rng_uniform(&rng, 80), played);
    w.viewer = (int)rng_uniform(&rng, (uint32_t)setup->seats + 1) - 1;
    differ = compare(&w, random.deal.text, &rng);
    random_game_end(&random);
    return differ;
}

struct which {
    int game, setup;
};

ParameterizedTestParameters(steps, hide)
{
    static struct which all[CASES_MAX];
    struct named_setup named;
    size_t n = 0;

    for (size_t g = 0; g < game_count(); g++)
        for (int i = 0; game_at(g)->redeal && i < setups_count(game_at(g)); i++)
            if (n < CASES_MAX && setups_at(game_at(g), i, &named))
                all[n++] = (struct which){(int)g, i};
    return cr_make_param_array(struct which, all, n);
}

ParameterizedTest(struct which *which, steps, hide)
{
    const struct game *game = game_at((size_t)which->game);
    struct named_setup named;
    int differ = 0;

    cr_assert(setups_at(game, which->setup, &named));
    for (int i = 0; i < GAMES; i++)
        differ += one_game(game, &named.setup, i);
    cr_assert_gt(differ, GAMES / 4, "the worlds hardly differ: %d", differ);
}
