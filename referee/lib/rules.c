/* Games, rules and chance. */

#include "lib/handles.h"

#include "base/alloc.h"
#include "base/sha256.h"
#include "base/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

void lib_lock(void)
{
    pthread_mutex_lock(&making);
}

void lib_unlock(void)
{
    pthread_mutex_unlock(&making);
}

int lib_fail(referee_error *to, const struct err *err)
{
    if (to)
        snprintf(to->text, sizeof to->text, "%s", err->text);
    return 0;
}

int referee_api(void)
{
    return REFEREE_API;
}

int referee_games(void)
{
    return (int)game_count();
}

const char *referee_game_name(int i)
{
    return i >= 0 && i < referee_games() ? game_at((size_t)i)->name : NULL;
}

const char *referee_game_title(const char *name)
{
    const struct game *game = game_find(name);

    return game ? game->title : NULL;
}

const char *referee_game_about(const char *name)
{
    const struct game *game = game_find(name);

    return game ? game->about : NULL;
}

const char *referee_game_events(const char *name)
{
    const struct game *game = game_find(name);

    return game ? game->events : NULL;
}

int referee_game_seats(const char *name, int *min, int *max)
{
    const struct game *game = game_find(name);

    *min = game ? game->min_seats : 0;
    *max = game ? game->max_seats : 0;
    return game != NULL;
}

int referee_game_traits(const char *name)
{
    const struct game *game = game_find(name);

    return game ? (int)game->traits : 0;
}

/* The arguments of new_game that are not options. */
static bool is_about(const char *word)
{
    static const char *const keys[] = {
        "match=", "names=", "commit=", "resume="};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(word, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

/* Read an option; if `told`, also accept the other arguments of new_game. */
static bool take_pair(referee_rules *r, const char *word, int *told,
                      struct err *err)
{
    const char *at = word;

    if (told && is_about(word))
        return true;
    if (told && take_text(&at, "seats="))
        return take_int(&at, 1, SEATS_MAX, &r->setup.seats) ||
               fail(err, "\"%.40s\" is not a number of seats", word);
    if (told && take_text(&at, "seat="))
        return take_int(&at, 1, SEATS_MAX, told) ||
               fail(err, "\"%.40s\" is not a seat", word);
    return setup_set(r->game, &r->setup, pool_text(&r->texts, word), err);
}

static bool take_pairs(referee_rules *r, const char *text, int *told,
                       struct err *err)
{
    char *words = must_alloc(strdup(text)), *rest = words, *word;
    bool ok = true;

    while (ok && (word = strtok_r(rest, " ", &rest)) != NULL)
        ok = take_pair(r, word, told, err);
    free(words);
    return ok;
}

/* Let a game prepare the data that all its states share. */
static void prepare(referee_rules *r)
{
    r->state_size =
        r->game->size ? r->game->size(&r->setup) : r->game->state_size;
}

static referee_rules *rules_new(const char *name, int seats,
                                const char *options, int *told,
                                referee_error *error)
{
    referee_rules *r = must_alloc(calloc(1, sizeof *r));
    struct err err;
    bool ok;

    lib_lock();
    r->setup.seats = seats;
    ok = game_named(name, &r->game, &err) &&
         (!options || take_pairs(r, options, told, &err)) &&
         game_accepts(r->game, &r->setup, &err);
    if (ok)
        prepare(r);
    lib_unlock();
    if (ok)
        return r;
    lib_fail(error, &err);
    referee_rules_free(r);
    return NULL;
}

referee_rules *referee_rules_new(const char *game, int seats,
                                 const char *options, referee_error *err)
{
    return rules_new(game, seats, options, NULL, err);
}

referee_rules *referee_rules_told(const char *new_game, int *seat,
                                  referee_error *err)
{
    size_t n = strcspn(new_game, " ");
    char name[40];
    referee_rules *r;
    struct err why;

    snprintf(name, sizeof name, "%.*s", (int)(n < 39 ? n : 39), new_game);
    *seat = 0;
    r = rules_new(name, 0, new_game + n, seat, err);
    if (!r || (*seat >= 1 && *seat <= r->setup.seats))
        return r;
    fail(&why, "new_game must have seat=K, where K is 1 to %d", r->setup.seats);
    lib_fail(err, &why);
    referee_rules_free(r);
    return NULL;
}

void referee_rules_free(referee_rules *rules)
{
    if (!rules)
        return;
    pool_release(&rules->texts);
    free(rules);
}

const char *referee_rules_game(const referee_rules *rules)
{
    return rules->game->name;
}

int referee_rules_seats(const referee_rules *rules)
{
    return rules->setup.seats;
}

int referee_rules_max_moves(const referee_rules *rules)
{
    int n;

    lib_lock();
    n = rules->game->max_moves(&rules->setup);
    lib_unlock();
    return n;
}

void lib_seed(const char *text, uint8_t seed[SEED_BYTES])
{
    if (strlen(text) == 2 * SEED_BYTES && text_unhex(seed, SEED_BYTES, text))
        return;
    sha256_of(text, strlen(text), seed);
}

referee_rng *referee_rng_new(const char *seed)
{
    referee_rng *rng = must_alloc(calloc(1, sizeof *rng));
    uint8_t bytes[SEED_BYTES];

    lib_seed(seed, bytes);
    rng_seed(&rng->rng, bytes);
    return rng;
}

void referee_rng_free(referee_rng *rng)
{
    free(rng);
}

uint32_t referee_rng_below(referee_rng *rng, uint32_t n)
{
    return n ? rng_uniform(&rng->rng, n) : 0;
}
