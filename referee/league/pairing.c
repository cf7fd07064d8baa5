#include "league/pairing.h"

#include "base/pool.h"

#include <assert.h>

enum { DEAD_ENDS_MAX = 1000, RUNNING_COUNTED = 7 };

static const double most_urgent = 4;

/* In points: bots this far apart still make a close game. */
static const double close_by = 100;

struct hall {
    const struct pairing_rules *rules;
    const struct pairing_bot *bots;
    int count;
    pairing_meetings *meetings;
    void *arg;
    struct rng *rng;
    int *chosen;
    int *waiting;  /* those that may come to the table are in front */
    int *met;      /* by seat and bot: with those on all seats before */
    double *value; /* by index in waiting */
    int most_games;
    int dead_ends;
    struct pool pool;
};

static void hall_open(struct hall *h)
{
    size_t n = (size_t)h->count, seats = (size_t)h->rules->seats;

    h->waiting = pool_take(&h->pool, n * sizeof *h->waiting);
    h->met = pool_take(&h->pool, n * (seats + 1) * sizeof *h->met);
    h->value = pool_take(&h->pool, n * sizeof *h->value);
    for (int i = 0; i < h->count; i++) {
        h->waiting[i] = i;
        if (h->bots[i].games > h->most_games)
            h->most_games = h->bots[i].games;
    }
}

/* The first seat. */

static double urgency(const struct hall *h, const struct pairing_bot *bot)
{
    double part = 0;

    if (h->rules->policy == PAIR_CLOSE)
        part = (bot->skill.sigma - SKILL_SIGMA_MIN) /
               (SKILL_SIGMA_MAX - SKILL_SIGMA_MIN);
    else if (h->rules->policy == PAIR_EVEN && h->most_games > 0)
        part = 1 - (double)bot->games / h->most_games;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return 1 + (most_urgent - 1) * part;
}

static double need(const struct hall *h, const struct pairing_bot *bot)
{
    int running =
        bot->running < RUNNING_COUNTED ? bot->running : RUNNING_COUNTED;

    return (double)bot->idle_us * urgency(h, bot) / (1 + running);
}

/* The best of the first n; if several are, one of them by lot. */
static int best_index(const struct hall *h, int n)
{
    uint32_t equal = 1;
    int best = 0;

    for (int i = 1; i < n; i++)
        if (h->value[i] > h->value[best]) {
            best = i;
            equal = 1;
        } else if (h->value[i] == h->value[best]) {
            if (rng_uniform(h->rng, ++equal) == 0)
                best = i;
        }
    return best;
}

static int neediest(const struct hall *h, int n)
{
    for (int i = 0; i < n; i++)
        h->value[i] = need(h, &h->bots[h->waiting[i]]);
    return best_index(h, n);
}

/* The other seats. */

static int met(const struct hall *h, int seat, int bot)
{
    return h->met[(size_t)seat * (size_t)h->count + (size_t)bot];
}

/* The mean over those at the table of the square of the distance. */
static double distance(const struct hall *h, int seat, const struct skill *own)
{
    double sum = 0;

    for (int i = 0; i < seat; i++) {
        const struct skill *other = &h->bots[h->chosen[i]].skill;
        double gap = own->mean - other->mean;

        sum += gap * gap /
               (close_by * close_by + own->sigma * own->sigma +
                other->sigma * other->sigma);
    }
    return sum / seat;
}

static double closeness(const struct hall *h, int seat, int bot)
{
    const struct skill *skill = &h->bots[bot].skill;
    double far = 1 + distance(h, seat, skill);

    return (1 + skill->sigma / 100) / (far * far * (1 + met(h, seat, bot)));
}

/* One of the first n, with chances in the proportion of their values. */
static int draw_index(const struct hall *h, int n)
{
    double sum = 0, left;

    for (int i = 0; i < n; i++)
        sum += h->value[i];
    left = sum * rng_uniform(h->rng, (uint32_t)1 << 31) * 0x1p-31;
    for (int i = 0; i < n - 1; i++)
        if ((left -= h->value[i]) < 0)
            return i;
    return n - 1;
}

static int draw_close(const struct hall *h, int seat, int n)
{
    for (int i = 0; i < n; i++)
        h->value[i] = closeness(h, seat, h->waiting[i]);
    return draw_index(h, n);
}

static int draw_even(const struct hall *h, int seat, int n)
{
    for (int i = 0; i < n; i++)
        h->value[i] = -met(h, seat, h->waiting[i]);
    return best_index(h, n);
}

static int draw_any(const struct hall *h, int seat, int n)
{
    return (int)rng_uniform(h->rng, (uint32_t)n);
}

static int next_index(const struct hall *h, int seat, int n)
{
    static int (*const draw[])(const struct hall *, int, int) = {
        [PAIR_CLOSE] = draw_close,
        [PAIR_EVEN] = draw_even,
        [PAIR_RANDOM] = draw_any,
    };

    return seat == 0 ? neediest(h, n) : draw[h->rules->policy](h, seat, n);
}

/* The table. */

/* To index `to`; what was there comes in exchange. */
static int move_to(int *waiting, int from, int to)
{
    int bot = waiting[from];

    waiting[from] = waiting[to];
    return waiting[to] = bot;
}

static bool counts_meetings(const struct pairing_rules *rules)
{
    return rules->meetings_max > 0 || rules->policy != PAIR_RANDOM;
}

/* Sort the first n: those who may join the bot on this seat go to the front. */
static int keep_partners(struct hall *h, int seat, int n)
{
    int *before = h->met + (size_t)seat * (size_t)h->count;
    int *after = before + h->count, kept = 0;

    if (!counts_meetings(h->rules))
        return n;
    for (int i = 0; i < n; i++) {
        int bot = h->waiting[i];
        int games = h->meetings(h->arg, h->chosen[seat], bot);

        after[bot] = before[bot] + games;
        if (h->rules->meetings_max == 0 || games < h->rules->meetings_max)
            move_to(h->waiting, i, kept++);
    }
    return kept;
}

/*
 * Fill this seat and all after it from the first n. Whoever was tried in vain
 * goes behind them. Sorting the front does not change who is in it, so that
 * after a dead end the search goes on with the same bots.
 */
static bool fill_seats(struct hall *h, int seat, int n)
{
    if (seat == h->rules->seats)
        return true;
    for (; n >= h->rules->seats - seat; n--) {
        int at = next_index(h, seat, n);

        h->chosen[seat] = move_to(h->waiting, at, n - 1);
        if (fill_seats(h, seat + 1, keep_partners(h, seat, n - 1)))
            return true;
        if (seat > 0 && ++h->dead_ends > DEAD_ENDS_MAX)
            return false;
    }
    return false;
}

bool pairing_choose(const struct pairing_rules *rules,
                    const struct pairing_bot *bots, int count,
                    pairing_meetings *meetings, void *arg, struct rng *rng,
                    int *chosen)
{
    struct hall hall = {.rules = rules,
                        .bots = bots,
                        .count = count,
                        .meetings = meetings,
                        .arg = arg,
                        .rng = rng,
                        .chosen = chosen};
    bool found;

    assert(rules->seats >= 1 && rules->seats <= SKILL_SEATS);
    if (count < rules->seats)
        return false;
    hall_open(&hall);
    found = fill_seats(&hall, 0, count);
    pool_release(&hall.pool);
    return found;
}

int pairing_crowd(int present, int seats)
{
    int crowd = 3 * seats < present / 2 ? 3 * seats : present / 2;

    return crowd < seats ? seats : crowd;
}
