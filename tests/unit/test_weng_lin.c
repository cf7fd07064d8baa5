/* Ratings game by game. All chance here has fixed seeds. */

#include "league/weng_lin.h"
#include "sim.h"

static void play(struct skill *skill, const int *rank, int seats)
{
    struct skill *seat[SKILL_SEATS];

    for (int i = 0; i < seats; i++)
        seat[i] = &skill[i];
    weng_lin_update(seat, rank, seats);
}

/*
 * Worked out in Python from the formulas of weng_lin.h, with the log
 * likelihood as the mean over a list of all orders that the ranks allow, and
 * with numerical derivatives of it.
 */
Test(weng_lin, known_updates)
{
    static const struct {
        int seats;
        int rank[6];
        struct skill before[6], after[6];
    } cases[] = {
        {2,
         {1, 2},
         {{0, 350}, {0, 350}},
         {{162.212, 290.2305}, {-162.212, 290.2305}}},
        {2, {1, 1}, {{0, 350}, {0, 350}}, {{0, 290.2305}, {0, 290.2305}}},
        {2,
         {2, 1},
         {{120, 80}, {-30, 200}},
         {{98.0878, 78.5566}, {85.3047, 180.2034}}},
        {3,
         {2, 1, 3},
         {{100, 60}, {0, 350}, {-50, 120}},
         {{97.6295, 58.8885}, {260.7135, 279.0619}, {-83.9692, 112.9157}}},
        {4,
         {1, 2, 2, 4},
         {{100, 60}, {0, 350}, {-50, 120}, {20, 90}},
         {{111.0648, 59.4077},
          {45.9363, 219.339},
          {-28.7737, 111.3948},
          {-21.5708, 84.6563}}},
        {4,
         {1, 1, 1, 1},
         {{100, 60}, {0, 350}, {-50, 120}, {20, 90}},
         {{95.4024, 58.6589},
          {17.0102, 229.1055},
          {-37.5709, 112.4811},
          {20.2204, 86.1218}}},
        {6,
         {3, 1, 3, 2, 6, 3},
         {{100, 60}, {0, 350}, {-50, 120}, {20, 90}, {300, 50}, {-200, 51}},
         {{102.7359, 58.2017},
          {432.4966, 306.7545},
          {-11.1836, 112.545},
          {50.0113, 88.0052},
          {261.4285, 50},
          {-189.3115, 50.6883}}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct skill skill[6];

        memcpy(skill, cases[i].before, sizeof skill);
        play(skill, cases[i].rank, cases[i].seats);
        for (int j = 0; j < cases[i].seats; j++) {
            ASSERT_NEAR(skill[j].mean, cases[i].after[j].mean, 1e-3);
            ASSERT_NEAR(skill[j].sigma, cases[i].after[j].sigma, 1e-3);
        }
    }
}

Test(weng_lin, what_one_wins_another_loses_among_equals)
{
    for (int seats = 2; seats <= 6; seats++) {
        struct skill skill[6];
        int rank[6];
        double sum = 0;

        for (int i = 0; i < seats; i++) {
            skill[i] = (struct skill){-200, 120};
            rank[i] = i + 1;
        }
        play(skill, rank, seats);
        for (int i = 0; i < seats; i++) {
            sum += (skill[i].mean + 200) / (skill[i].sigma * skill[i].sigma);
            cr_assert(i == 0 || skill[i].mean < skill[i - 1].mean);
            cr_assert(skill[i].sigma < 120);
        }
        ASSERT_NEAR(sum, 0, 1e-12);
    }
}

Test(weng_lin, only_differences_matter)
{
    struct skill low[3] = {{-10, 70}, {30, 90}, {0, 60}};
    struct skill high[3] = {{990, 70}, {1030, 90}, {1000, 60}};
    static const int rank[] = {3, 1, 1};

    play(low, rank, 3);
    play(high, rank, 3);
    for (int i = 0; i < 3; i++) {
        ASSERT_NEAR(high[i].mean - low[i].mean, 1000, 1e-9);
        ASSERT_NEAR(high[i].sigma - low[i].sigma, 0, 1e-9);
    }
}

Test(weng_lin, the_order_of_seats_does_not_matter)
{
    uint64_t seed = 31;

    for (int i = 0; i < 500; i++) {
        struct skill here[6], there[6];
        int rank[6], moved[6], seats = 2 + i % 5;
        int turn = (int)(chance(&seed) * seats);

        for (int j = 0; j < seats; j++) {
            here[j].mean = 800 * (chance(&seed) - 0.5);
            here[j].sigma = 50 + 300 * chance(&seed);
            rank[j] = 1 + (int)(chance(&seed) * 4);
        }
        for (int j = 0; j < seats; j++) {
            there[(j + turn) % seats] = here[j];
            moved[(j + turn) % seats] = rank[j];
        }
        play(here, rank, seats);
        play(there, moved, seats);
        for (int j = 0; j < seats; j++) {
            ASSERT_NEAR(there[(j + turn) % seats].mean, here[j].mean, 1e-9);
            ASSERT_NEAR(there[(j + turn) % seats].sigma, here[j].sigma, 1e-9);
        }
    }
}

Test(weng_lin, ranks_are_an_order_and_nothing_else)
{
    struct skill here[4], there[4];

    for (int i = 0; i < 4; i++)
        here[i] = there[i] = (struct skill){10 * i, 100};
    play(here, (const int[]){1, 2, 2, 4}, 4);
    play(there, (const int[]){3, 7, 7, 900}, 4);
    for (int i = 0; i < 4; i++)
        cr_assert(here[i].mean == there[i].mean);
}

Test(weng_lin, a_tie_pulls_together_and_all_learn)
{
    struct skill skill[5];
    double wide = 0;

    for (int i = 0; i < 5; i++)
        skill[i] = (struct skill){100 * i, 100};
    play(skill, (const int[]){1, 1, 1, 1, 1}, 5);
    for (int i = 0; i < 5; i++) {
        cr_assert(skill[i].sigma < 100);
        wide = fmax(wide, fabs(skill[i].mean - skill[4 - i].mean));
    }
    cr_assert(wide < 400 && wide > 200, "%f", wide);
    cr_assert(skill[0].mean > 0 && skill[4].mean < 400);
}

Test(weng_lin, one_seat_says_nothing)
{
    struct skill skill = skill_unknown;

    play(&skill, (const int[]){1}, 1);
    cr_assert(skill.mean == 0 && skill.sigma == SKILL_SIGMA_MAX);
}

/* Far beyond all that is sensible: nothing may become infinite. */
Test(weng_lin, giants_and_upsets_stay_finite)
{
    struct skill skill[3] = {{-1e6, 350}, {1e6, 350}, {0, 50}};

    for (int i = 0; i < 100; i++)
        play(skill, (const int[]){1, 3, 2}, 3);
    for (int i = 0; i < 3; i++)
        cr_assert(isfinite(skill[i].mean) && skill[i].sigma >= 50);
}

/* A bot on two seats moves by both. */
Test(weng_lin, a_bot_may_sit_twice)
{
    struct skill twice = {0, 100}, once[3];
    struct skill *seat[3] = {&twice, &twice, &once[2]};

    for (int i = 0; i < 3; i++)
        once[i] = (struct skill){0, 100};
    weng_lin_update(seat, (const int[]){1, 2, 3}, 3);
    cr_assert(twice.mean > 0 && twice.sigma < 95);
    cr_assert(once[2].mean < 0);
}

enum { CROWD = 40 };

/* Everybody plays about `games` games at tables of any bots. */
static void rate_crowd(struct skill *skill, const double *truth, int seats,
                       int games, double coarse, uint64_t *seed)
{
    for (int i = 0; i < games * CROWD / seats; i++) {
        int bot[SKILL_SEATS], rank[SKILL_SEATS];
        struct skill *seat[SKILL_SEATS];

        sim_table(CROWD, seats, seed, bot);
        sim_game(truth, bot, seats, coarse, seed, rank);
        for (int j = 0; j < seats; j++)
            seat[j] = &skill[bot[j]];
        weng_lin_update(seat, rank, seats);
    }
}

struct error {
    double points; /* root of the mean square */
    double sigmas; /* the same, in units of sigma */
};

static struct error crowd_error(double wide, int seats, int games,
                                double coarse, uint64_t seed)
{
    enum { TIMES = 20 };
    double points = 0, sigmas = 0;

    for (int time = 0; time < TIMES; time++) {
        struct skill skill[CROWD];
        double truth[CROWD], mean = 0;

        for (int i = 0; i < CROWD; i++)
            skill[i] = skill_unknown;
        draw_bells(truth, CROWD, wide, &seed);
        rate_crowd(skill, truth, seats, games, coarse, &seed);
        for (int i = 0; i < CROWD; i++)
            mean += skill[i].mean / CROWD;
        for (int i = 0; i < CROWD; i++) {
            double off = skill[i].mean - mean - truth[i];

            points += off * off;
            sigmas += off * off / (skill[i].sigma * skill[i].sigma);
        }
    }
    return (struct error){sqrt(points / (TIMES * CROWD)),
                          sqrt(sigmas / (TIMES * CROWD))};
}

/*
 * Nothing known is off by `wide`. Sigma must be about what it says, and not
 * too far off for bots farther apart than it expects.
 */
Test(weng_lin, true_strengths_are_found)
{
    static const struct {
        double wide;
        int seats, games;
        double off;
    } cases[] = {{250, 2, 10, 170}, {250, 2, 40, 90},  {250, 2, 160, 50},
                 {250, 3, 40, 75},  {250, 4, 10, 120}, {250, 4, 40, 65},
                 {250, 6, 10, 110}, {250, 6, 40, 55},  {250, 6, 400, 45},
                 {450, 2, 10, 240}, {450, 2, 40, 150}, {450, 4, 40, 125},
                 {450, 6, 40, 110}, {450, 6, 400, 50}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error e =
            crowd_error(cases[i].wide, cases[i].seats, cases[i].games, 0, 32);

        cr_log_info("%.0f apart, %d seats, %d games: off by %.1f points, %.2f "
                    "sigmas",
                    cases[i].wide, cases[i].seats, cases[i].games, e.points,
                    e.sigmas);
        cr_expect(e.points < cases[i].off, "case %d: %f", (int)i, e.points);
        cr_expect(e.sigmas > 0.65 && e.sigmas < (cases[i].wide > 250 ? 2 : 1.1),
                  "case %d: %f", (int)i, e.sigmas);
    }
}

/* Ties blur: strengths shrink towards each other, but the order is right. */
Test(weng_lin, ties_do_not_mislead)
{
    for (int seats = 2; seats <= 6; seats++) {
        struct error e = crowd_error(250, seats, 100, 150, 33);

        cr_log_info("%d seats with ties: off by %.1f", seats, e.points);
        cr_expect(e.points < 100, "%d seats: %f", seats, e.points);
    }
}

static double mean_of(const struct skill *skill, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += skill[i].mean;
    return sum / n;
}

/* By how much do bots rise that became 200 points stronger? */
static double rise(int games, uint64_t *seed)
{
    enum { CHANGED = CROWD / 4 };
    struct skill skill[CROWD];
    double truth[CROWD] = {0}, before;

    for (int i = 0; i < CROWD; i++)
        skill[i] = skill_unknown;
    rate_crowd(skill, truth, 2, 300, 0, seed);
    before = mean_of(skill, CHANGED);
    for (int i = 0; i < CHANGED; i++)
        truth[i] = 200;
    rate_crowd(skill, truth, 2, games, 0, seed);
    return mean_of(skill, CHANGED) - before;
}

/*
 * What the floor of sigma is for. The sum of all means hardly changes, so that
 * these rise by 150 in the end and the others fall by 50.
 */
Test(weng_lin, a_bot_that_became_stronger_moves_up)
{
    enum { TIMES = 30 };
    uint64_t seed = 34;
    double early = 0, late = 0;

    for (int i = 0; i < TIMES; i++) {
        early += rise(35, &seed) / TIMES;
        late += rise(300, &seed) / TIMES;
    }
    cr_log_info("rise by %.1f in 35 games, %.1f in 300", early, late);
    cr_assert(early > 65 && early < 85, "%f", early);
    cr_assert(late > 140 && late < 160, "%f", late);
}
