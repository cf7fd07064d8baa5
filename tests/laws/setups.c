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

int setups_count(const struct game *game)
{
    const struct game_option *o = game->options;
    int n = game->max_seats - game->min_seats + 1;

    for (; o && o->name; o++) {
        n *= count_values(o);
        /* Mixing all with all is for few options; more need another idea. */
        assert(n <= SETUPS_MAX);
    }
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

bool setups_at(const struct game *game, int i, struct named_setup *named)
{
    int seats = game->max_seats - game->min_seats + 1;
    struct err err;

    *named = (struct named_setup){.setup.seats = game->min_seats + i % seats};
    snprintf(named->name, sizeof named->name, "%s %d", game->name,
             named->setup.seats);
    i /= seats;
    for (int k = 0; game->options && game->options[k].name; k++) {
        int n = count_values(&game->options[k]);

        set_value(game, k, i % n, named);
        i /= n;
    }
    return game_accepts(game, &named->setup, &err);
}
