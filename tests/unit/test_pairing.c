/* Whom to seat next. All chance here has fixed seeds. */

#include "league/pairing.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 60 };

/* What the caller of pairing.h keeps. */
struct book {
    int met[MANY][MANY];
    int asked; /* how often */
};

static int meetings(void *arg, int a, int b)
{
    struct book *book = arg;

    book->asked++;
    return book->met[a][b];
}

static void note_table(struct book *book, const int *chosen, int seats)
{
    for (int i = 0; i < seats; i++)
        for (int j = 0; j < seats; j++)
            book->met[chosen[i]][chosen[j]] += i != j;
}

static struct rng seeded(uint8_t seed)
{
    uint8_t bytes[SEED_BYTES] = {seed};
    struct rng rng;

    rng_seed(&rng, bytes);
    return rng;
}

static void fill_bots(struct pairing_bot *bots, int count)
{
    for (int i = 0; i < count; i++)
        bots[i] = (struct pairing_bot){.skill = {0, 50}, .idle_us = 1000};
}

/* All bots wait, always; the one in greatest need comes first. */

Test(pairing, the_longest_wait_comes_first)
{
    struct pairing_bot bots[9];
    struct book book = {0};
    struct rng rng = seeded(1);

    for (int policy = PAIR_CLOSE; policy <= PAIR_RANDOM; policy++)
        for (int longest = 0; longest < 9; longest++) {
            struct pairing_rules rules = {.policy = policy, .seats = 2};
            int chosen[2];

            fill_bots(bots, 9);
            bots[longest].idle_us = 1001;
            cr_assert(
                pairing_choose(&rules, bots, 9, meetings, &book, &rng, chosen));
            cr_assert_eq(chosen[0], longest);
            cr_assert(chosen[1] != longest && chosen[1] >= 0 && chosen[1] < 9);
        }
}

static int first_of(enum pairing_policy policy, const struct pairing_bot *bots,
                    int count)
{
    struct pairing_rules rules = {.policy = policy, .seats = 2};
    struct book book = {0};
    struct rng rng = seeded(2);
    int chosen[2];

    cr_assert(
        pairing_choose(&rules, bots, count, meetings, &book, &rng, chosen));
    return chosen[0];
}

Test(pairing, urgency_counts_up_to_four_times)
{
    struct pairing_bot bots[4];

    fill_bots(bots, 4);
    bots[1].idle_us = 3999;
    bots[2].skill.sigma = SKILL_SIGMA_MAX;
    cr_assert_eq(first_of(PAIR_CLOSE, bots, 4), 2);
    cr_assert_eq(first_of(PAIR_EVEN, bots, 4), 1);
    cr_assert_eq(first_of(PAIR_RANDOM, bots, 4), 1);
    bots[1].idle_us = 4001;
    cr_assert_eq(first_of(PAIR_CLOSE, bots, 4), 1);

    bots[0].games = bots[1].games = bots[3].games = 50;
    bots[1].idle_us = 3999;
    cr_assert_eq(first_of(PAIR_EVEN, bots, 4), 2);
    bots[1].idle_us = 4001;
    cr_assert_eq(first_of(PAIR_EVEN, bots, 4), 1);

    /* It plays four games already: it does not wait as others do. */
    bots[1].running = 3;
    cr_assert_eq(first_of(PAIR_EVEN, bots, 4), 2);
    cr_assert_eq(first_of(PAIR_RANDOM, bots, 4), 1);
    bots[1].running = 100000;
    bots[1].idle_us = 8001;
    cr_assert_eq(first_of(PAIR_RANDOM, bots, 4), 1);
}

Test(pairing, too_few_bots_make_no_table)
{
    struct pairing_rules rules = {.policy = PAIR_CLOSE, .seats = 3};
    struct pairing_bot bots[3];
    struct book book = {0};
    struct rng rng = seeded(3);
    int chosen[3];

    fill_bots(bots, 3);
    for (int count = 0; count < 3; count++)
        cr_assert(!pairing_choose(&rules, bots, count, meetings, &book, &rng,
                                  chosen));
    cr_assert(pairing_choose(&rules, bots, 3, meetings, &book, &rng, chosen));
    rules.seats = 1;
    cr_assert(pairing_choose(&rules, bots, 1, meetings, &book, &rng, chosen));
    cr_assert_eq(chosen[0], 0);
}

Test(pairing, a_crowd_is_some_tables_but_not_all_who_are_there)
{
    cr_assert_eq(pairing_crowd(100, 2), 6);
    cr_assert_eq(pairing_crowd(100, 6), 18);
    cr_assert_eq(pairing_crowd(10, 2), 5);
    cr_assert_eq(pairing_crowd(5, 4), 4);
    cr_assert_eq(pairing_crowd(0, 2), 2);
}

Test(pairing, the_same_generator_gives_the_same_tables)
{
    struct pairing_bot bots[MANY];
    uint64_t seed = 41;

    for (int i = 0; i < MANY; i++)
        bots[i] = (struct pairing_bot){
            .skill = {300 * bell(&seed), 50 + 300 * chance(&seed)},
            .idle_us = (int64_t)(chance(&seed) * 3),
        };
    for (int policy = PAIR_CLOSE; policy <= PAIR_RANDOM; policy++) {
        struct pairing_rules rules = {.policy = policy, .seats = 4};
        struct book here = {0}, there = {0};
        struct rng one = seeded(5), two = seeded(5);
        int a[4], b[4];

        for (int i = 0; i < 200; i++) {
            pairing_choose(&rules, bots, MANY, meetings, &here, &one, a);
            pairing_choose(&rules, bots, MANY, meetings, &there, &two, b);
            cr_assert_arr_eq(a, b, sizeof a);
            note_table(&here, a, 4);
            note_table(&there, b, 4);
        }
    }
}

/* The bound on meetings. */

static bool may_sit_together(const struct book *book, const int *bot, int n,
                             int most)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (bot[i] == bot[j] || book->met[bot[i]][bot[j]] >= most)
                return false;
    return true;
}

/* Is there any table at all? All ways, the plain way. */
static bool table_exists(const struct book *book, int count, int seats,
                         int most, int *bot, int n)
{
    if (!may_sit_together(book, bot, n, most))
        return false;
    if (n == seats)
        return true;
    for (bot[n] = n ? bot[n - 1] + 1 : 0; bot[n] < count; bot[n]++) {
        int keep = bot[n];

        if (table_exists(book, count, seats, most, bot, n + 1))
            return true;
        bot[n] = keep;
    }
    return false;
}

static void use_up(enum pairing_policy policy, int count, int seats, int most)
{
    struct pairing_rules rules = {
        .policy = policy, .seats = seats, .meetings_max = most};
    struct pairing_bot bots[12];
    struct book book = {0};
    struct rng rng = seeded(6);
    int chosen[6], bot[6], tables = 0;

    fill_bots(bots, count);
    for (int i = 0; i < count; i++)
        bots[i].skill.mean = 70 * i;
    while (pairing_choose(&rules, bots, count, meetings, &book, &rng, chosen)) {
        cr_assert(may_sit_together(&book, chosen, seats, most));
        note_table(&book, chosen, seats);
        for (int i = 0; i < count; i++)
            bots[i].idle_us += 10;
        for (int i = 0; i < seats; i++) {
            bots[chosen[i]].idle_us = 0;
            bots[chosen[i]].games++;
        }
        tables++;
    }
    cr_assert(!table_exists(&book, count, seats, most, bot, 0),
              "policy %d, %d bots, %d seats", (int)policy, count, seats);
    if (seats == 2)
        cr_assert_eq(tables, most * count * (count - 1) / 2);
}

/* Every table that the bound allows is found, and no other. */
Test(pairing, meetings_are_used_up_and_not_exceeded)
{
    for (int policy = PAIR_CLOSE; policy <= PAIR_RANDOM; policy++)
        for (int seats = 2; seats <= 6; seats++)
            for (int most = 1; most <= 5; most += 2) {
                use_up(policy, 12, seats, most);
                use_up(policy, seats + 1, seats, most);
            }
}

Test(pairing, the_next_bot_is_tried_if_the_first_has_met_all)
{
    struct pairing_rules rules = {
        .policy = PAIR_CLOSE, .seats = 2, .meetings_max = 3};
    struct pairing_bot bots[5];
    struct book book = {0};
    struct rng rng = seeded(7);
    int chosen[2];

    fill_bots(bots, 5);
    bots[2].idle_us = 9000;
    bots[4].idle_us = 2000;
    for (int i = 0; i < 5; i++)
        book.met[2][i] = book.met[i][2] = 3;
    cr_assert(pairing_choose(&rules, bots, 5, meetings, &book, &rng, chosen));
    cr_assert_eq(chosen[0], 4);
    cr_assert_neq(chosen[1], 2);
}

/* With as many bots as ever: one look at each, for each seat but the last. */
static int count_looks(void *arg, int a, int b)
{
    (*(int *)arg)++;
    return 1;
}

Test(pairing, ten_thousand_bots_are_looked_at_once_per_seat)
{
    enum { COUNT = 10000 };
    struct pairing_bot *bots = calloc(COUNT, sizeof *bots);
    struct pairing_rules rules = {
        .policy = PAIR_CLOSE, .seats = 6, .meetings_max = 2};
    struct rng rng = seeded(8);
    int looks = 0, chosen[6];

    fill_bots(bots, COUNT);
    for (int i = 0; i < COUNT; i++)
        bots[i].skill.mean = i;
    cr_assert(
        pairing_choose(&rules, bots, COUNT, count_looks, &looks, &rng, chosen));
    cr_assert(looks <= 6 * COUNT, "%d", looks);
    free(bots);
}

/* Policies. */

/* All wait all the time; each call is one more tick. */
static void play_on(const struct pairing_rules *rules, struct pairing_bot *bots,
                    int count, int games, struct book *book, struct rng *rng)
{
    int chosen[SKILL_SEATS];

    for (int game = 0; game < games; game++) {
        for (int i = 0; i < count; i++)
            bots[i].idle_us += 1000;
        cr_assert(
            pairing_choose(rules, bots, count, meetings, book, rng, chosen));
        note_table(book, chosen, rules->seats);
        for (int i = 0; i < rules->seats; i++) {
            bots[chosen[i]].idle_us = 0;
            bots[chosen[i]].games++;
        }
    }
}

static void meeting_range(const struct book *book, int count, int *low,
                          int *high)
{
    *low = *high = book->met[0][1];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            *low = book->met[i][j] < *low ? book->met[i][j] : *low;
            *high = book->met[i][j] > *high ? book->met[i][j] : *high;
        }
}

Test(pairing, even_approaches_a_round_robin)
{
    static const struct {
        int seats, count, games, low, high;
    } cases[] = {
        {2, 10, 45 * 20, 19, 21}, /* each pair 20 times */
        {2, 40, 780 * 10, 9, 11},
        {3, 10, 15 * 20, 18, 22}, /* three pairs per game */
        {4, 12, 11 * 20, 17, 23},
        {6, 20, 190 * 4, 55, 65}, /* 60 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pairing_rules rules = {.policy = PAIR_EVEN,
                                      .seats = cases[i].seats};
        struct pairing_bot bots[MANY];
        struct book book = {0};
        struct rng rng = seeded(9);
        int low, high;

        fill_bots(bots, cases[i].count);
        play_on(&rules, bots, cases[i].count, cases[i].games, &book, &rng);
        meeting_range(&book, cases[i].count, &low, &high);
        cr_log_info("%d seats: met %d to %d times", cases[i].seats, low, high);
        cr_expect(low >= cases[i].low && high <= cases[i].high,
                  "%d seats, %d bots: %d to %d", cases[i].seats, cases[i].count,
                  low, high);
    }
}

/* As the header says: meetings fall off as 1 / (1 + d^2). */
Test(pairing, close_prefers_the_near_and_leaves_out_nobody)
{
    enum { COUNT = 13, MIDDLE = COUNT / 2 };
    struct pairing_rules rules = {.policy = PAIR_CLOSE, .seats = 2};
    struct pairing_bot bots[COUNT];
    struct book book = {0};
    struct rng rng = seeded(10);

    fill_bots(bots, COUNT);
    for (int i = 0; i < COUNT; i++)
        bots[i].skill.mean = 100 * i;
    play_on(&rules, bots, COUNT, 13000, &book, &rng);
    for (int far = 2; far <= MIDDLE; far++) {
        double unit = 100 * 100 + 2 * 50 * 50;
        double wanted = (1 + 1e4 / unit) / (1 + 1e4 * far * far / unit);
        double above = book.met[MIDDLE][MIDDLE + far];
        double below = book.met[MIDDLE][MIDDLE - far];
        double next =
            (book.met[MIDDLE][MIDDLE + 1] + book.met[MIDDLE][MIDDLE - 1]) / 2.;

        cr_log_info("%d00 points: %.3f, %.3f of the meetings with the next; "
                    "%.3f",
                    far, above / next, below / next, wanted);
        cr_expect(above / next > 0.5 * wanted && above / next < 2 * wanted);
        cr_expect(below / next > 0.5 * wanted && below / next < 2 * wanted);
    }
}

/* The share of bots over 250 points away among those that bot 10 meets. */
static double far_share(struct pairing_bot *bots, int count, struct rng *rng)
{
    enum { TIMES = 4000 };
    struct pairing_rules rules = {.policy = PAIR_CLOSE, .seats = 2};
    int far = 0;

    bots[10].idle_us = 9000;
    for (int i = 0; i < TIMES; i++) {
        struct book book = {0};
        int chosen[2];

        pairing_choose(&rules, bots, count, meetings, &book, rng, chosen);
        cr_assert_eq(chosen[0], 10);
        far += abs(chosen[1] - 10) > 5;
    }
    return (double)far / TIMES;
}

/* Of whom nothing is known may meet anybody, and is in demand. */
Test(pairing, close_takes_the_unknown_for_near)
{
    enum { COUNT = 21, TIMES = 4000 };
    struct pairing_rules rules = {.policy = PAIR_CLOSE, .seats = 2};
    struct pairing_bot bots[COUNT];
    struct rng rng = seeded(11);
    int in_demand = 0;

    fill_bots(bots, COUNT);
    for (int i = 0; i < COUNT; i++)
        bots[i].skill.mean = 50 * (i - 10);
    cr_assert(far_share(bots, COUNT, &rng) < 0.07);
    bots[10].skill = skill_unknown;
    cr_assert(far_share(bots, COUNT, &rng) > 0.15);
    bots[10].idle_us = 0;
    for (int i = 0; i < TIMES; i++) {
        struct book book = {0};
        int chosen[2];

        pairing_choose(&rules, bots, COUNT, meetings, &book, &rng, chosen);
        in_demand += chosen[1] == 10;
    }
    /* Its part would be one in twenty. */
    cr_assert(in_demand > TIMES / 10, "%d", in_demand);
}

Test(pairing, random_is_random)
{
    struct pairing_rules rules = {.policy = PAIR_RANDOM, .seats = 3};
    struct pairing_bot bots[12];
    struct book book = {0};
    struct rng rng = seeded(12);
    int low, high;

    fill_bots(bots, 12);
    for (int i = 0; i < 12; i++)
        bots[i].skill.mean = 1000 * i;
    play_on(&rules, bots, 12, 66 * 100, &book, &rng);
    meeting_range(&book, 12, &low, &high);
    /* 300 each; the error of one is 17. */
    cr_assert(low > 240 && high < 360, "%d to %d", low, high);
    cr_assert_eq(book.asked, 0);
}

/* Nobody starves. */

/*
 * The promise of the header, for calls at any times and whatever is known of
 * the bots: in the last quarter of a wait nobody else is first twice.
 */
Test(pairing, nobody_is_first_twice_in_the_last_quarter_of_a_wait)
{
    enum { COUNT = 20, CALLS = 20000 };
    static int64_t first_at[COUNT][2]; /* the last time, and the one before */
    struct pairing_bot bots[COUNT];
    int64_t since[COUNT] = {0}, now = 0, calls_waited[COUNT] = {0}, most = 0;
    struct rng rng = seeded(13);
    uint64_t seed = 42;

    fill_bots(bots, COUNT);
    for (int call = 0; call < CALLS; call++) {
        struct pairing_rules rules = {.policy = PAIR_CLOSE, .seats = 2};
        struct book book = {0};
        int chosen[2];

        /* Some calls right after each other, some after a long time. */
        now += chance(&seed) < 0.3 ? 0 : (int64_t)(1e4 * chance(&seed));
        for (int i = 0; i < COUNT; i++) {
            bots[i].idle_us = now - since[i];
            bots[i].skill.sigma = i < 4 ? SKILL_SIGMA_MAX : 50;
        }
        /* Bot 19 is of interest to nobody. */
        bots[19].skill.mean = 1e7;
        cr_assert(
            pairing_choose(&rules, bots, COUNT, meetings, &book, &rng, chosen));
        first_at[chosen[0]][1] = first_at[chosen[0]][0];
        first_at[chosen[0]][0] = now;
        for (int i = 0; i < COUNT; i++) {
            int64_t quarter = since[i] + 3 * (now - since[i]) / 4;

            calls_waited[i]++;
            if (i == chosen[0] || i == chosen[1] || now == since[i])
                continue;
            cr_assert(first_at[chosen[0]][1] <= quarter, "bot %d waits", i);
        }
        for (int i = 0; i < 2; i++) {
            since[chosen[i]] = now;
            if (calls_waited[chosen[i]] > most)
                most = calls_waited[chosen[i]];
            calls_waited[chosen[i]] = 0;
        }
    }
    /* So a wait is about four times as many calls as there are bots. */
    cr_assert(most <= 4 * COUNT, "%d calls", (int)most);
}

/* The same, in calls: for every policy and number of seats. */
Test(pairing, every_waiting_bot_is_seated_soon)
{
    enum { COUNT = 30 };

    for (int policy = PAIR_CLOSE; policy <= PAIR_RANDOM; policy++)
        for (int seats = 2; seats <= 6; seats += 2) {
            struct pairing_rules rules = {.policy = policy, .seats = seats};
            struct pairing_bot bots[COUNT];
            struct book book = {0};
            struct rng rng = seeded(14);
            int64_t longest = 0;

            fill_bots(bots, COUNT);
            for (int i = 0; i < COUNT; i++)
                bots[i].skill =
                    (struct skill){400 * i, i % 3 ? 50 : SKILL_SIGMA_MAX};
            for (int i = 0; i < 3000; i++) {
                play_on(&rules, bots, COUNT, 1, &book, &rng);
                for (int j = 0; j < COUNT; j++)
                    if (bots[j].idle_us > longest)
                        longest = bots[j].idle_us;
            }
            /* A tick, 1000 us, per call. */
            cr_expect(longest <= 4 * COUNT * 1000, "policy %d, %d seats: %d",
                      policy, seats, (int)longest);
        }
}
