#include "cup.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

const int cup_sizes[CUP_SIZES] = {5, 8, 13, 64};

static uint64_t draw(uint64_t *chance)
{
    uint64_t z = *chance += 0x9e3779b97f4a7c15;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

int cup_chance(uint64_t *chance, int n)
{
    return (int)(draw(chance) % (uint64_t)n);
}

void cup_init(struct cup *cup, struct schedule_config config, uint64_t chance)
{
    struct err err;

    *cup = (struct cup){.chance = chance};
    cr_assert(schedule_check(&config, &err), "%s", err.text);
    schedule_init(&cup->schedule, &config);
    for (int i = 0; i < config.entrants; i++)
        cup->strength[i] = i;
}

void cup_release(struct cup *cup)
{
    schedule_release(&cup->schedule);
}

void cup_shuffle(struct cup *cup)
{
    for (int i = cup->schedule.config.entrants - 1; i > 0; i--) {
        int j = cup_chance(&cup->chance, i + 1), old = cup->strength[i];

        cup->strength[i] = cup->strength[j];
        cup->strength[j] = old;
    }
}

/* Thurstone: what one shows today is its strength and some luck. */
static double form(struct cup *cup, int entrant)
{
    double u = ((double)draw(&cup->chance) + 1) / 18446744073709551617.0;

    return cup->strength[entrant] + cup->noise * log(-log(u));
}

static void play_game(struct cup *cup, int number)
{
    const struct pairing *p = &cup->schedule.pairing[number];
    double forms[SEATS_MAX];
    int rank[SEATS_MAX];

    for (int i = 0; i < p->seats; i++)
        forms[i] = cup->noise > 0 ? form(cup, p->entrant[i])
                                  : cup->strength[p->entrant[i]];
    for (int i = 0; i < p->seats; i++) {
        rank[i] = 1;
        for (int j = 0; j < p->seats; j++)
            rank[i] += forms[j] < forms[i];
    }
    schedule_game(&cup->schedule, number, rank);
}

void cup_play_round(struct cup *cup)
{
    int round = cup->schedule.round;
    struct turn turn;

    while (cup->schedule.round == round &&
           schedule_next(&cup->schedule, &turn) == SCHEDULE_TURN)
        for (int i = 0; i < turn.games; i++)
            play_game(cup, turn.pairing);
}

void cup_play(struct cup *cup)
{
    while (!schedule_is_over(&cup->schedule))
        cup_play_round(cup);
}

void cup_play_at_random(struct cup *cup)
{
    int dealt[SCHEDULE_ENTRANTS_MAX], n = 0;
    struct turn turn;

    while (!schedule_is_over(&cup->schedule)) {
        bool more = n < SCHEDULE_ENTRANTS_MAX && cup_chance(&cup->chance, 2);

        if ((n == 0 || more) &&
            schedule_next(&cup->schedule, &turn) == SCHEDULE_TURN) {
            for (int i = 0; i < turn.games; i++)
                dealt[n++] = turn.pairing;
        } else if (n > 0) {
            int i = cup_chance(&cup->chance, n), pairing = dealt[i];

            dealt[i] = dealt[--n];
            play_game(cup, pairing);
        }
    }
}

void cup_run(struct cup *cup, struct schedule_config config, double noise,
             uint64_t chance)
{
    cup_init(cup, config, chance);
    cup_shuffle(cup);
    cup->noise = noise;
    cup_play(cup);
}

double cup_correlation(const struct cup *cup)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];
    double n = cup->schedule.config.entrants, sum = 0;

    schedule_standings(&cup->schedule, standings);
    for (int i = 0; i < n; i++)
        sum += pow(i - cup->strength[standings[i].entrant], 2);
    return 1 - 6 * sum / (n * (n * n - 1));
}

int cup_rematches(const struct cup *cup)
{
    static int met[SCHEDULE_ENTRANTS_MAX][SCHEDULE_ENTRANTS_MAX];
    int again = 0;

    memset(met, 0, sizeof met);
    for (int k = 0; k < cup->schedule.pairings; k++) {
        const struct pairing *p = &cup->schedule.pairing[k];

        for (int i = 0; i < p->seats; i++)
            for (int j = 0; j < p->seats; j++)
                if (p->entrant[i] < p->entrant[j])
                    again += met[p->entrant[i]][p->entrant[j]]++ > 0;
    }
    return again;
}
