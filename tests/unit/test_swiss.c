/* Swiss tournaments, with results from known strengths. */

#include "cup.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct schedule_config swiss(int entrants, int seats, int rounds)
{
    return (struct schedule_config){.format = FORMAT_SWISS,
                                    .entrants = entrants,
                                    .seats = seats,
                                    .games = 1,
                                    .rounds = rounds};
}

/* In every round each entrant is there once: at a table, or with a bye. */
static void assert_rounds_are_whole(const struct schedule *s)
{
    int seen[SCHEDULE_ENTRANTS_MAX] = {0};

    for (int k = 0; k < s->pairings; k++)
        for (int i = 0; i < s->pairing[k].seats; i++)
            cr_assert_eq(seen[s->pairing[k].entrant[i]]++, s->pairing[k].round);
    for (int i = 0; i < s->config.entrants; i++)
        cr_assert_eq(seen[i], s->rounds);
}

/* After each round: nobody has two byes more than anybody else. */
static void assert_byes_are_fair(const struct schedule *s)
{
    int byes[SCHEDULE_ENTRANTS_MAX] = {0};

    for (int round = 0; round < s->rounds; round++) {
        int most = 0, least = s->rounds;

        for (int k = 0; k < s->pairings; k++)
            if (s->pairing[k].round == round && s->pairing[k].seats == 1)
                byes[s->pairing[k].entrant[0]]++;
        for (int i = 0; i < s->config.entrants; i++) {
            most = byes[i] > most ? byes[i] : most;
            least = byes[i] < least ? byes[i] : least;
        }
        cr_assert(most <= least + 1);
    }
}

static void check_swiss(int n, int seats, int rounds, double noise, int times)
{
    for (int t = 0; t < times; t++) {
        struct cup cup;

        cup_run(&cup, swiss(n, seats, rounds), noise, (uint64_t)(1000 * n + t));
        assert_rounds_are_whole(&cup.schedule);
        assert_byes_are_fair(&cup.schedule);
        if (seats == 2)
            cr_assert_eq(cup_rematches(&cup), 0,
                         "%d entrants, %d rounds, chance %d", n, rounds, t);
        cup_release(&cup);
    }
}

Test(swiss, no_rematches_in_the_usual_number_of_rounds)
{
    for (int k = 0; k < CUP_SIZES; k++) {
        int n = cup_sizes[k], times = n > 20 ? 40 : 500;

        check_swiss(n, 2, 0, 0, times);
        check_swiss(n, 2, 0, n / 8.0, times);
        check_swiss(n, 2, 0, 1000, times);
    }
}

/* Up to where everybody has met everybody: only who looks ahead gets there. */
Test(swiss, no_rematches_in_any_number_of_rounds)
{
    for (int n = 2; n <= 14; n++)
        for (int rounds = 1; rounds <= n - 1 + n % 2; rounds++)
            check_swiss(n, 2, rounds, n % 3, 20);
    check_swiss(64, 2, 32, 8, 2);
}

Test(swiss, tables_of_many_are_whole_and_fair)
{
    for (int seats = 3; seats <= SEATS_MAX; seats++)
        for (int n = seats; n <= 20; n++)
            check_swiss(n, seats, n > 6 ? 5 : 0, n / 8.0, 5);
}

/* Rounds. */

static void assert_pair(const struct schedule *s, int pairing, int a, int b)
{
    const int *e = s->pairing[pairing].entrant;

    cr_assert((e[0] == a && e[1] == b) || (e[0] == b && e[1] == a),
              "pairing %d: %d %d, not %d %d", pairing, e[0], e[1], a, b);
}

Test(swiss, the_upper_half_meets_the_lower_half)
{
    struct cup cup;

    cup_init(&cup, swiss(8, 2, 3), 1);
    for (int i = 0; i < 4; i++)
        assert_pair(&cup.schedule, i, i, i + 4);
    cup_play_round(&cup);
    /* 0 1 2 3 have won: again in halves. */
    assert_pair(&cup.schedule, 4, 0, 2);
    assert_pair(&cup.schedule, 5, 1, 3);
    assert_pair(&cup.schedule, 6, 4, 6);
    assert_pair(&cup.schedule, 7, 5, 7);
    cup_play_round(&cup);
    assert_pair(&cup.schedule, 8, 0, 1);
    assert_pair(&cup.schedule, 11, 6, 7);
    cup_play(&cup);
    cr_assert_eq(cup_correlation(&cup), 1);
    cup_release(&cup);
}

/* The bye goes to the last in the standings that had none. */
static void check_byes(int n, uint64_t chance)
{
    struct cup cup;

    cup_run(&cup, swiss(n, 2, 0), 0, chance);
    for (int round = 0; round < cup.schedule.rounds; round++) {
        struct standing before[SCHEDULE_ENTRANTS_MAX];
        int bye = -1, last = n - 1;
        struct cup part;

        for (int k = 0; k < cup.schedule.pairings; k++)
            if (cup.schedule.pairing[k].round == round &&
                cup.schedule.pairing[k].seats == 1)
                bye = cup.schedule.pairing[k].entrant[0];
        if (round == 0) {
            cr_assert_eq(bye, n - 1);
            continue;
        }
        cup_run(&part, swiss(n, 2, round), 0, chance);
        schedule_standings(&part.schedule, before);
        while (before[last].byes > 0)
            last--;
        cr_assert_eq(bye, before[last].entrant);
        cup_release(&part);
    }
    cup_release(&cup);
}

Test(swiss, the_bye_goes_to_the_lowest)
{
    for (uint64_t chance = 0; chance < 100; chance++)
        check_byes(13, chance);
}

/*
 * By the rules as they stand in the header, and by trying all pairings: there
 * is no better one. Numbers to be small, the most important first.
 */

enum { UNFAIR, AGAIN, BYE, APART, RULES };

struct trial {
    int n; /* even; the last may be nobody */
    int entrants;
    int place[SCHEDULE_ENTRANTS_MAX]; /* of an entrant, from 0 */
    struct standing before[SCHEDULE_ENTRANTS_MAX];
    bool met[SCHEDULE_ENTRANTS_MAX][SCHEDULE_ENTRANTS_MAX];
    int group[SCHEDULE_ENTRANTS_MAX]; /* by place */
    int best[RULES];
};

static void judge(const struct trial *t, const int (*pairs)[2], int sums[RULES])
{
    int least = t->entrants;

    memset(sums, 0, RULES * sizeof *sums);
    for (int i = 0; i < t->entrants; i++)
        least = t->before[i].byes < least ? t->before[i].byes : least;
    for (int i = 0; i < t->n / 2; i++) {
        int a = pairs[i][0], b = pairs[i][1];
        int apart = b < t->entrants ? t->group[a] - t->group[b] : 0;

        if (b == t->entrants) {
            sums[UNFAIR] = t->before[a].byes > least;
            sums[BYE] = t->entrants - a;
            continue;
        }
        sums[AGAIN] += t->met[t->before[a].entrant][t->before[b].entrant];
        sums[APART] += apart * apart;
    }
}

static int compare(const int *a, const int *b)
{
    for (int i = 0; i < RULES; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

/* Pair the first that has no partner with each of the others. */
static void try_all(struct trial *t, int (*pairs)[2], int count, unsigned taken)
{
    int a = __builtin_ctz(~taken), sums[RULES];

    if (count == t->n / 2) {
        judge(t, (const int(*)[2])pairs, sums);
        if (compare(sums, t->best) < 0)
            memcpy(t->best, sums, sizeof sums);
        return;
    }
    for (int b = a + 1; b < t->n; b++)
        if (!(taken & 1u << b)) {
            pairs[count][0] = a;
            pairs[count][1] = b;
            try_all(t, pairs, count + 1, taken | 1u << a | 1u << b);
        }
}

static void check_round(const struct cup *cup, const struct cup *part)
{
    struct trial t = {.entrants = part->schedule.config.entrants,
                      .best = {INT_MAX}};
    int pairs[SCHEDULE_ENTRANTS_MAX][2], sums[RULES], count = 0;

    t.n = t.entrants + t.entrants % 2;
    schedule_standings(&part->schedule, t.before);
    for (int i = 0; i < t.entrants; i++) {
        t.place[t.before[i].entrant] = i;
        if (i > 0)
            t.group[i] =
                t.group[i - 1] + (t.before[i].points != t.before[i - 1].points);
    }
    for (int k = 0; k < cup->schedule.pairings; k++) {
        const struct pairing *p = &cup->schedule.pairing[k];
        int a = p->entrant[0], b = p->entrant[1];

        if (p->round < part->schedule.rounds && p->seats == 2)
            t.met[a][b] = t.met[b][a] = true;
        if (p->round != part->schedule.rounds)
            continue;
        pairs[count][0] = t.place[a];
        pairs[count++][1] = p->seats == 2 ? t.place[b] : t.entrants;
    }
    judge(&t, (const int(*)[2])pairs, sums);
    try_all(&t, pairs, 0, 0);
    cr_assert_eq(compare(sums, t.best), 0,
                 "%d entrants, round %d: %d %d %d %d, not %d %d %d %d",
                 t.entrants, part->schedule.rounds, sums[0], sums[1], sums[2],
                 sums[3], t.best[0], t.best[1], t.best[2], t.best[3]);
}

Test(swiss, no_pairing_is_better)
{
    for (int n = 3; n <= 10; n++)
        for (uint64_t chance = 0; chance < 30; chance++) {
            /* So few rounds that nobody has to look ahead. */
            int rounds = (n + 1) / 2;
            struct cup cup, part;

            cup_run(&cup, swiss(n, 2, rounds), n / 4.0, chance);
            for (int round = 1; round < rounds; round++) {
                cup_run(&part, swiss(n, 2, round), n / 4.0, chance);
                check_round(&cup, &part);
                cup_release(&part);
            }
            cup_release(&cup);
        }
}

/*
 * Tables of many: no other arrangement of the same entrants in the last round
 * would repeat fewer meetings. All arrangements are tried.
 */

struct arrangement {
    int n, seats;
    int who[SCHEDULE_ENTRANTS_MAX];
    int table[SCHEDULE_ENTRANTS_MAX], filled[SCHEDULE_ENTRANTS_MAX];
    int met[SCHEDULE_ENTRANTS_MAX][SCHEDULE_ENTRANTS_MAX];
    int sum, best;
};

static void arrange(struct arrangement *a, int i)
{
    if (a->sum >= a->best)
        return;
    if (i == a->n) {
        a->best = a->sum;
        return;
    }
    for (int t = 0; t < a->n / a->seats; t++) {
        int old = a->sum;

        if (a->filled[t] == a->seats)
            continue;
        for (int j = 0; j < i; j++)
            if (a->table[j] == t)
                a->sum += a->met[a->who[i]][a->who[j]];
        a->table[i] = t;
        a->filled[t]++;
        arrange(a, i + 1);
        a->filled[t]--;
        a->sum = old;
        if (a->filled[t] == 0)
            return; /* empty tables are alike */
    }
}

static int repetitions(const struct schedule *s, struct arrangement *a)
{
    int again = 0;

    for (int k = 0; k < s->pairings; k++) {
        const struct pairing *p = &s->pairing[k];
        bool last = p->round == s->round;

        for (int i = 0; i < p->seats; i++) {
            if (last && p->seats > 1)
                a->who[a->n++] = p->entrant[i];
            for (int j = 0; j < p->seats; j++) {
                int *met = &a->met[p->entrant[i]][p->entrant[j]];

                if (last && i < j)
                    again += *met;
                else if (!last && i != j)
                    ++*met;
            }
        }
    }
    return again;
}

Test(swiss, tables_of_many_repeat_as_little_as_can_be)
{
    static const int cases[][2] = {{5, 3}, {7, 3},  {8, 4},  {9, 3},
                                   {9, 4}, {11, 3}, {12, 4}, {13, 4}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int rounds = 2; rounds <= 4; rounds++)
            for (uint64_t chance = 0; chance < 10; chance++) {
                static struct arrangement a;
                struct cup cup;
                int again;

                cup_run(&cup, swiss(cases[k][0], cases[k][1], rounds), 3,
                        chance);
                a = (struct arrangement){.seats = cases[k][1], .best = 1 << 20};
                again = repetitions(&cup.schedule, &a);
                arrange(&a, 0);
                cr_assert_eq(again, a.best, "%d at %d: %d, not %d", cases[k][0],
                             cases[k][1], again, a.best);
                cup_release(&cup);
            }
}

/* With one game per pairing nobody sits first much more often than not. */
Test(swiss, seats_go_round)
{
    for (uint64_t chance = 0; chance < 100; chance++) {
        int first[SCHEDULE_ENTRANTS_MAX] = {0};
        struct cup cup;

        cup_run(&cup, swiss(13, 2, 6), 2, chance);
        for (int k = 0; k < cup.schedule.pairings; k++)
            if (cup.schedule.pairing[k].seats == 2) {
                first[cup.schedule.pairing[k].entrant[0]]++;
                first[cup.schedule.pairing[k].entrant[1]]--;
            }
        for (int i = 0; i < 13; i++)
            cr_assert(abs(first[i]) <= 3, "%d", first[i]);
        cup_release(&cup);
    }
}

/* Standings. */

Test(swiss, the_strongest_comes_first_and_the_order_is_near)
{
    static const double least[] = {0.8, 0.87, 0.87, 0.94};

    for (int k = 0; k < CUP_SIZES; k++) {
        int n = cup_sizes[k], times = n > 20 ? 40 : 300;
        double sum = 0, noisy = 0;

        for (int t = 0; t < times; t++) {
            struct standing standings[SCHEDULE_ENTRANTS_MAX];
            struct cup cup;

            cup_run(&cup, swiss(n, 2, 0), 0, (uint64_t)t);
            schedule_standings(&cup.schedule, standings);
            cr_assert_eq(cup.strength[standings[0].entrant], 0);
            sum += cup_correlation(&cup);
            cup_release(&cup);
            cup_run(&cup, swiss(n, 2, 0), n / 8.0, (uint64_t)t);
            noisy += cup_correlation(&cup);
            cup_release(&cup);
        }
        cr_assert_gt(sum / times, least[k], "%d: %f", n, sum / times);
        cr_assert_gt(noisy / times, 0.75, "%d: %f", n, noisy / times);
        cr_assert_lt(noisy, sum);
    }
}

/*
 * Three entrants, two games each, worked out by hand. Round 1: 0 beats 1 twice,
 * 2 has the bye. Round 2: 0 has 2 points and so has 2; 1, the last, has the
 * bye; 0 and 2 win one each.
 */
Test(swiss, points_and_tie_breaks_by_hand)
{
    struct schedule_config config = {
        .format = FORMAT_SWISS, .entrants = 3, .seats = 2};
    struct standing s[3];
    struct schedule schedule;
    struct turn turn;
    struct err err;

    cr_assert(schedule_check(&config, &err));
    cr_assert_eq(config.rounds, 2);
    cr_assert_eq(config.games, 2);
    schedule_init(&schedule, &config);
    cr_assert_eq(schedule.pairing[1].seats, 1);
    cr_assert_eq(schedule.pairing[1].entrant[0], 2);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(schedule_next(&schedule, &turn), SCHEDULE_TURN);
        cr_assert_eq(turn.first, i);
        schedule_game(&schedule, turn.pairing, (int[]){1, 2});
    }
    assert_pair(&schedule, 2, 0, 2);
    schedule_standings(&schedule, s);
    cr_assert_eq(s[2].entrant, 1);
    cr_assert_eq(s[2].points, 0); /* its bye counts when the round is over */
    cr_assert_eq(schedule_next(&schedule, &turn), SCHEDULE_TURN);
    schedule_game(&schedule, turn.pairing, (int[]){1, 2});
    cr_assert_eq(schedule_next(&schedule, &turn), SCHEDULE_TURN);
    cr_assert_eq(schedule_next(&schedule, &turn), SCHEDULE_ENDS);
    cr_assert_not(schedule_is_over(&schedule));
    schedule_game(&schedule, turn.pairing, (int[]){2, 1});
    cr_assert(schedule_is_over(&schedule));
    schedule_standings(&schedule, s);
    /* In halves: 0 has 2 + 1 points, 2 has 2 (bye) + 1, 1 has 0 + 2 (bye). */
    cr_assert_eq(s[0].points, 6);
    cr_assert_eq(s[1].points, 6);
    cr_assert_eq(s[2].points, 4);
    /* Buchholz: 0 met 1 and 2: 2 + 3; 2 met itself and 0: 3 + 3. */
    cr_assert_eq(s[0].entrant, 2);
    cr_assert_eq(s[0].buchholz, 12);
    cr_assert_eq(s[1].entrant, 0);
    cr_assert_eq(s[1].buchholz, 10);
    /* 0 has 2 points from 1, who has 2, and 1 from 2, who has 3: 7. */
    cr_assert_eq(s[1].sonneborn, 4 * 7);
    /* 2 has 2 points from the bye, times its own 3, and 1 from 0: 9. */
    cr_assert_eq(s[0].sonneborn, 4 * 9);
    cr_assert_eq(s[2].entrant, 1);
    cr_assert_eq(s[2].byes, 1);
    cr_assert_eq(s[2].possible, 8);
    schedule_release(&schedule);
}

/* Only what came out counts, not when: games are played in any order. */
Test(swiss, the_order_of_the_results_does_not_matter)
{
    for (uint64_t chance = 0; chance < 50; chance++) {
        struct cup one, other;

        cup_run(&one, swiss(13, chance % 2 ? 2 : 4, 4), 0, chance);
        cup_init(&other, swiss(13, chance % 2 ? 2 : 4, 4), chance);
        cup_shuffle(&other);
        cup_play_at_random(&other);
        cr_assert_eq(one.schedule.pairings, other.schedule.pairings);
        cr_assert_eq(memcmp(one.schedule.pairing, other.schedule.pairing,
                            (size_t)one.schedule.pairings *
                                sizeof *one.schedule.pairing),
                     0);
        cup_release(&one);
        cup_release(&other);
    }
}
