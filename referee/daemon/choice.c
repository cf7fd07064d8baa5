#include "daemon/choice.h"

#include <sodium.h>

/*
 * A bot waits up to half a game's length before it plays the same opponents
 * again.
 */
static int64_t patience_of(const struct entrant *e, bool repeats)
{
    int64_t half_us = (e->ended_us - e->begun_us) / 2;

    if (!repeats || half_us < PATIENCE_US)
        return PATIENCE_US;
    return half_us < PATIENCE_MAX_US ? half_us : PATIENCE_MAX_US;
}

/*
 * Do bots play that are not on offer? A bot on offer may play too, with other
 * copies.
 */
static bool others_play(const struct lobby_ladder *l, const struct guests *g)
{
    int others = l->running * l->config->setup.seats;

    for (int i = 0; i < g->count; i++)
        others -= ladder_entrant(l->memory, g->offer[i].entrant)->running;
    return others > 0;
}

/*
 * Is it better to wait for more opponents to choose from? Otherwise bots that
 * end a game together would play each other forever, while others do the same.
 */
static bool is_worth_waiting(struct lobby_ladder *l, const struct guests *g,
                             int64_t now)
{
    int seats = l->config->setup.seats;
    bool repeats =
        g->count == seats && ladder_would_repeat(l->memory, g->offer, g->count);
    int64_t until_us = INT64_MAX;

    if (seats == 1 || !others_play(l, g))
        return false;
    if (!repeats &&
        g->waiting >= pairing_crowd(g->waiting + l->running * seats, seats))
        return false;
    for (int i = 0; i < g->count; i++) {
        const struct entrant *e =
            ladder_entrant(l->memory, g->offer[i].entrant);
        int64_t at_us = g->guest[i].free_us + patience_of(e, repeats);

        until_us = at_us < until_us ? at_us : until_us;
    }
    if (until_us <= now)
        return false;
    look_again(l, until_us);
    return true;
}

static bool is_enough(const struct ladder_config *c, const struct guests *g)
{
    return g->count >= c->setup.seats && (c->local_games || g->connections > 0);
}

static bool choose(struct lobby *lobby, const struct lobby_ladder *l,
                   const struct guests *g, int meetings_max, int *chosen)
{
    const struct ladder_config *c = l->config;
    struct pairing_rules rules = {.policy = c->pairing,
                                  .seats = c->setup.seats,
                                  .meetings_max = meetings_max};
    bool has_connection = c->local_games;

    if (!ladder_choose(l->memory, &rules, parts_of(c), g->offer, g->count,
                       now_us(), &lobby->rng, chosen))
        return false;
    for (int i = 0; i < c->setup.seats; i++)
        has_connection = has_connection || g->guest[chosen[i]].connection;
    return has_connection;
}

/*
 * Two bots that are alone on a ladder would play hundreds of games a minute,
 * and the ratings would learn nothing. So when they have met often, their next
 * game waits. Local bots among themselves do not wait, because the organiser
 * wants their games.
 */
static bool is_rematch(struct lobby_ladder *l, const struct guests *g,
                       int64_t now)
{
    int64_t until_us = 0;

    if (l->config->setup.seats == 1 || g->count != l->config->setup.seats ||
        g->connections == 0 || others_play(l, g))
        return false;
    for (int i = 0; i < g->count; i++) {
        int entrant = g->offer[i].entrant;
        int64_t at_us = ladder_entrant(l->memory, entrant)->begun_us +
                        l->config->rematch_us;

        until_us = at_us > until_us ? at_us : until_us;
        for (int j = 0; j < i; j++)
            if (ladder_meetings(l->memory, entrant, g->offer[j].entrant) <
                OFTEN)
                return false;
    }
    if (until_us <= now)
        return false;
    l->pause_us = until_us;
    look_again(l, until_us);
    return true;
}

/* No table was found: would there be one without the limit of `meetings`? */
static bool is_exhausted(struct lobby *lobby, const struct lobby_ladder *l,
                         const struct guests *g)
{
    int chosen[SEATS_MAX];

    if (l->running > 0 || g->rests > 0 || l->config->meetings_max == 0)
        return false;
    return g->count == 0
               ? g->done > 0
               : is_enough(l->config, g) && choose(lobby, l, g, 0, chosen);
}

static void note_exhausted(struct lobby *lobby, struct lobby_ladder *l,
                           const struct guests *g)
{
    bool was = l->is_exhausted;

    l->is_exhausted = is_exhausted(lobby, l, g);
    if (l->is_exhausted && !was)
        log_line(
            lobby->log, LOG_INFO, NULL,
            "%s is exhausted: its bots have met as often as max-games-per-pair = %d "
            "allows",
            l->name, l->config->meetings_max);
}

/* Random seats. */
static void shuffle(int *chosen, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)randombytes_uniform((uint32_t)i + 1);
        int hold = chosen[i];

        chosen[i] = chosen[j];
        chosen[j] = hold;
    }
}

static void seat(const struct guests *g, int *chosen, int seats,
                 struct guest guest[SEATS_MAX])
{
    shuffle(chosen, seats);
    for (int i = 0; i < seats; i++)
        guest[i] = g->guest[chosen[i]];
}

bool choice_make(struct lobby *lobby, struct lobby_ladder *l,
                 const struct guests *g, int64_t now,
                 struct guest guest[SEATS_MAX])
{
    bool enough = is_enough(l->config, g);
    int chosen[SEATS_MAX];

    if (enough && is_worth_waiting(l, g, now))
        return false;
    if (!enough || !choose(lobby, l, g, l->config->meetings_max, chosen)) {
        if (g->count > 0)
            look_again(l, ladder_wakes(l->memory));
        note_exhausted(lobby, l, g);
        return false;
    }
    l->is_exhausted = false;
    if (is_rematch(l, g, now))
        return false;
    seat(g, chosen, l->config->setup.seats, guest);
    return true;
}
