/* Round robins, gauntlets, seats, and what there cannot be. */

#include "cup.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* How often each set of entrants meets; sets as bits. */
static int count_set(const struct schedule *s, unsigned set)
{
    int count = 0;

    for (int k = 0; k < s->pairings; k++) {
        unsigned own = 0;

        for (int i = 0; i < s->pairing[k].seats; i++)
            own |= 1u << s->pairing[k].entrant[i];
        count += own == set;
    }
    return count;
}

static void check_all_sets(int n, int seats, int cycles)
{
    struct cup cup;
    int count = 0;

    cup_init(&cup,
             (struct schedule_config){.format = FORMAT_ROUND_ROBIN,
                                      .entrants = n,
                                      .seats = seats,
                                      .cycles = cycles},
             1);
    for (unsigned set = 0; set < 1u << n; set++)
        if (__builtin_popcount(set) == seats) {
            cr_assert_eq(count_set(&cup.schedule, set), cycles);
            count++;
        }
    cr_assert_eq(cup.schedule.pairings, count * cycles);
    cup_release(&cup);
}

Test(round_robin, every_set_meets_once_in_each_cycle)
{
    for (int seats = 2; seats <= SEATS_MAX; seats++)
        for (int n = seats; n <= 10; n++)
            check_all_sets(n, seats, 1 + n % 2);
}

/* At any time nobody has played much more often than anybody else. */
static void check_balance(int n, int seats, int most)
{
    int played[SCHEDULE_ENTRANTS_MAX] = {0};
    struct cup cup;

    cup_init(&cup,
             (struct schedule_config){
                 .format = FORMAT_ROUND_ROBIN, .entrants = n, .seats = seats},
             1);
    for (int k = 0; k < cup.schedule.pairings; k++) {
        int least = cup.schedule.pairings, highest = 0;

        for (int i = 0; i < seats; i++)
            played[cup.schedule.pairing[k].entrant[i]]++;
        for (int i = 0; i < n; i++) {
            least = played[i] < least ? played[i] : least;
            highest = played[i] > highest ? played[i] : highest;
        }
        cr_assert(highest - least <= most, "%d at %d: %d to %d", n, seats,
                  least, highest);
    }
    cup_release(&cup);
}

Test(round_robin, all_play_equally_often_at_any_time)
{
    for (int n = 2; n <= 64; n++)
        check_balance(n, 2, n % 2 ? 2 : 1);
    for (int seats = 3; seats <= SEATS_MAX; seats++)
        for (int n = seats; n <= 12; n++)
            check_balance(n, seats, seats);
}

/* With two seats nobody plays twice in a round. */
Test(round_robin, a_round_can_be_played_at_once)
{
    for (int n = 2; n <= 33; n++) {
        struct cup cup;
        int last[SCHEDULE_ENTRANTS_MAX];

        memset(last, -1, sizeof last);
        cup_init(&cup,
                 (struct schedule_config){
                     .format = FORMAT_ROUND_ROBIN, .entrants = n, .seats = 2},
                 1);
        cr_assert_eq(cup.schedule.rounds, n - 1 + n % 2);
        for (int k = 0; k < cup.schedule.pairings; k++)
            for (int i = 0; i < 2; i++) {
                const struct pairing *p = &cup.schedule.pairing[k];

                cr_assert(last[p->entrant[i]] < p->round);
                last[p->entrant[i]] = p->round;
            }
        cup_release(&cup);
    }
}

Test(round_robin, the_order_is_that_of_the_strengths)
{
    for (int seats = 2; seats <= 4; seats++)
        for (int k = 0; k < CUP_SIZES; k++)
            for (uint64_t chance = 0; chance < 20; chance++) {
                struct cup cup;

                if (seats > 2 && cup_sizes[k] > 13)
                    continue;
                cup_run(&cup,
                        (struct schedule_config){.format = FORMAT_ROUND_ROBIN,
                                                 .entrants = cup_sizes[k],
                                                 .seats = seats,
                                                 .games = 1},
                        0, chance);
                cr_assert_eq(cup_correlation(&cup), 1);
                cup_release(&cup);
            }
}

/* Where games are no multiple of the seats: 1 of 2, so who sits first? */
Test(round_robin, seats_go_round)
{
    for (int seats = 2; seats <= 4; seats++)
        for (int n = seats; n <= 14; n++) {
            int had[SCHEDULE_ENTRANTS_MAX][SEATS_MAX] = {0};
            struct cup cup;

            cup_init(&cup,
                     (struct schedule_config){.format = FORMAT_ROUND_ROBIN,
                                              .entrants = n,
                                              .seats = seats,
                                              .games = 1},
                     1);
            for (int k = 0; k < cup.schedule.pairings; k++)
                for (int i = 0; i < seats; i++)
                    had[cup.schedule.pairing[k].entrant[i]][i]++;
            for (int e = 0; e < n; e++)
                for (int i = 0; i < seats; i++)
                    for (int j = 0; j < i; j++)
                        cr_assert(abs(had[e][i] - had[e][j]) <= seats - 1,
                                  "%d at %d: %d, %d", n, seats, had[e][i],
                                  had[e][j]);
            cup_release(&cup);
        }
}

Test(round_robin, crosstable)
{
    int points[9], games[9];
    struct cup cup;

    cup_init(&cup,
             (struct schedule_config){.format = FORMAT_ROUND_ROBIN,
                                      .entrants = 3,
                                      .seats = 3,
                                      .games = 2},
             1);
    cup_play(&cup);
    schedule_crosstable(&cup.schedule, points, games);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            cr_assert_eq(games[3 * i + j], i == j ? 0 : 2);
            cr_assert_eq(points[3 * i + j], i < j ? 4 : 0);
        }
    cup_release(&cup);
}

/* Gauntlets. */

Test(gauntlet, challengers_meet_all_sets_of_the_others)
{
    for (int seats = 2; seats <= 4; seats++)
        for (int n = seats; n <= 9; n++)
            for (int c = 1; c <= n - seats + 1 && c <= 3; c++) {
                unsigned challengers = (1u << c) - 1;
                struct cup cup;

                cup_init(&cup,
                         (struct schedule_config){.format = FORMAT_GAUNTLET,
                                                  .entrants = n,
                                                  .seats = seats,
                                                  .cycles = 2,
                                                  .challengers = c},
                         1);
                for (unsigned set = 0; set < 1u << n; set++)
                    if (__builtin_popcount(set) == seats)
                        cr_assert_eq(
                            count_set(&cup.schedule, set),
                            __builtin_popcount(set & challengers) == 1 ? 2 : 0);
                cup_release(&cup);
            }
}

/* The challenger plays most, and must not be first for that. */
Test(gauntlet, standings_go_by_share)
{
    struct standing s[SCHEDULE_ENTRANTS_MAX];
    struct cup cup;

    cup_init(&cup,
             (struct schedule_config){
                 .format = FORMAT_GAUNTLET, .entrants = 6, .seats = 2},
             1);
    cup.strength[0] = 1;
    cup.strength[1] = 0;
    cup_play(&cup);
    schedule_standings(&cup.schedule, s);
    cr_assert_eq(s[0].entrant, 1);
    cr_assert_eq(s[0].points, 4);
    cr_assert_eq(s[1].entrant, 0);
    cr_assert_eq(s[1].points, 16);
    cr_assert_eq(s[1].possible, 20);
    cup_release(&cup);
}

/* What there cannot be. */

static void refuse(struct schedule_config config, const char *why)
{
    struct err err;

    cr_assert_not(schedule_check(&config, &err), "accepted, not: %s", why);
    cr_assert_str_eq(err.text, why);
}

Test(schedule, refuses_with_a_sentence)
{
    refuse((struct schedule_config){.entrants = 1, .seats = 2},
           "entrants: a tournament has 2 to 256, not 1");
    refuse((struct schedule_config){.entrants = 257, .seats = 2},
           "entrants: a tournament has 2 to 256, not 257");
    refuse((struct schedule_config){.entrants = 5, .seats = 1},
           "seats: a tournament needs games of 2 to 6, not 1");
    refuse((struct schedule_config){.entrants = 3, .seats = 4},
           "seats: 4 at a table need as many entrants, not 3");
    refuse((struct schedule_config){.entrants = 60, .seats = 4},
           "entrants: 60 at tables of 4 make 487635 pairings, more than "
           "100000; a swiss has fewer");
    refuse((struct schedule_config){.entrants = 200, .seats = 2, .games = 1000},
           "games: 1000 for each of 19900 pairings are more than 10000000");
    refuse(
        (struct schedule_config){
            .entrants = 5, .seats = 3, .games = 4, .unit = 3},
        "games: with duplicate deals a pairing of 3 needs a multiple of 3, "
        "not 4");
    refuse((struct schedule_config){.format = FORMAT_GAUNTLET,
                                    .entrants = 5,
                                    .seats = 4,
                                    .challengers = 3},
           "challengers: 2 at most, so that 3 of the 5 entrants are left for "
           "the other seats, not 3");
    refuse(
        (struct schedule_config){
            .format = FORMAT_SWISS, .entrants = 5, .seats = 2, .rounds = 6},
        "rounds: a swiss of 5 entrants has at most 5, not 6; a round-robin "
        "can have more cycles");
    refuse((struct schedule_config){.format = FORMAT_KNOCKOUT,
                                    .entrants = 5,
                                    .seats = 3,
                                    .third_place = true},
           "third-place: needs 2 seats; with 3, the final decides it");
    refuse((struct schedule_config){.format = FORMAT_KNOCKOUT,
                                    .entrants = 3,
                                    .seats = 2,
                                    .third_place = true},
           "third-place: needs 4 entrants, not 3");
}

Test(schedule, the_largest_that_are_allowed)
{
    struct cup cup;

    cup_init(&cup,
             (struct schedule_config){.format = FORMAT_ROUND_ROBIN,
                                      .entrants = SCHEDULE_ENTRANTS_MAX,
                                      .seats = 2},
             1);
    cr_assert_eq(cup.schedule.pairings, 256 * 255 / 2);
    cup_release(&cup);
    cup_init(&cup,
             (struct schedule_config){
                 .format = FORMAT_ROUND_ROBIN, .entrants = 40, .seats = 4},
             1);
    cr_assert_eq(cup.schedule.pairings, 91390);
    cup_release(&cup);
    cup_run(&cup,
            (struct schedule_config){.format = FORMAT_SWISS,
                                     .entrants = SCHEDULE_ENTRANTS_MAX,
                                     .seats = 2},
            0, 1);
    cr_assert_eq(cup_rematches(&cup), 0);
    cup_release(&cup);
}

/* In duplicate units are all rotations of a pairing, handed out at once. */
Test(schedule, units_and_counts)
{
    struct schedule_config config = {.format = FORMAT_ROUND_ROBIN,
                                     .entrants = 4,
                                     .seats = 3,
                                     .games = 6,
                                     .unit = 3};
    struct schedule s;
    struct turn turn;
    struct err err;
    int done;

    cr_assert(schedule_check(&config, &err));
    schedule_init(&s, &config);
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
    cr_assert(turn.pairing == 0 && turn.first == 0 && turn.games == 3);
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
    cr_assert(turn.pairing == 0 && turn.first == 3 && turn.games == 3);
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
    cr_assert(turn.pairing == 1 && turn.first == 0);
    schedule_game(&s, 1, (int[]){1, 2, 3});
    cr_assert_eq(schedule_games(&s, &done), 24);
    cr_assert_eq(done, 1);
    cr_assert_eq(pairing_points(&s.pairing[1], 0), 4);
    cr_assert_eq(pairing_points(&s.pairing[1], 1), 2);
    schedule_game(&s, 1, (int[]){1, 2, 2});
    cr_assert_eq(pairing_points(&s.pairing[1], 2), 1);
    schedule_release(&s);
}
