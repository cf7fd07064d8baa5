#include "setups.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { SETUPS_MAX = 1000 };

static int count_values(const struct game_option *option)
{
    const char *word;
    int n = 0;

    if (!option->values)
        return 1;
    while (words_at(option->values, n, &word))
        n++;
    return n;
}

/* Options without a default are not mixed with the others. */
static int count_mixed(const struct game_option *option)
{
    return option->preset ? count_values(option) : 1;
}

static int count_seats(const struct game *game)
{
    return game->max_seats - game->min_seats + 1;
}

int setups_mixed(const struct game *game)
{
    const struct game_option *o = game->options;
    int n = count_seats(game);

    for (; o && o->name; o++) {
        n *= count_mixed(o);
        /* Mixing all with all is for few options. */
        assert(n <= SETUPS_MAX);
    }
    return n;
}

int setups_count(const struct game *game)
{
    const struct game_option *o = game->options;
    int n = setups_mixed(game);

    for (; o && o->name; o++)
        n += o->preset ? 0 : (count_values(o) - 1) * count_seats(game);
    return n;
}

static void set_value(const struct game *game, int option, int i,
                      struct named_setup *named)
{
    const struct game_option *o = &game->options[option];
    size_t used = strlen(named->name), n;
    const char *word;

    if (i == 0)
        return;
    n = words_at(o->values, i, &word);
    assert(n < sizeof *named->value);
    memcpy(named->value[option], word, n);
    named->setup.option[option] = named->value[option];
    snprintf(named->name + used, sizeof named->name - used, " %s=%s", o->name,
             named->value[option]);
}

/* The i-th of those in which one option without a default is set. */
static void set_single(const struct game *game, int i,
                       struct named_setup *named)
{
    for (int k = 0; game->options[k].name; k++) {
        int n =
            game->options[k].preset ? 0 : count_values(&game->options[k]) - 1;

        if (i < n) {
            set_value(game, k, i + 1, named);
            return;
        }
        i -= n;
    }
}

static void set_mix(const struct game *game, int i, struct named_setup *named)
{
    for (int k = 0; game->options && game->options[k].name; k++) {
        int n = count_mixed(&game->options[k]);

        set_value(game, k, i % n, named);
        i /= n;
    }
}

bool setups_at(const struct game *game, int i, struct named_setup *named)
{
    int seats = count_seats(game), mixed = setups_mixed(game);
    struct err err;

    *named = (struct named_setup){
        .setup.seats = game->min_seats + (i < mixed ? i : i - mixed) % seats};
    snprintf(named->name, sizeof named->name, "%s %d", game->name,
             named->setup.seats);
    if (i < mixed)
        set_mix(game, i / seats, named);
    else
        set_single(game, (i - mixed) / seats, named);
    return game_accepts(game, &named->setup, &err);
}
