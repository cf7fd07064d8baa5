/* Knockouts, with results from known strengths. */

#include "cup.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct schedule_config knockout(int entrants, int seats)
{
    return (struct schedule_config){.format = FORMAT_KNOCKOUT,
                                    .entrants = entrants,
                                    .seats = seats,
                                    .games = 1};
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The pairings of a round as "1-16 8-9 | 2" with byes behind the bar. */
static const char *round_text(const struct schedule *s, int round)
{
    static char text[4096];
    bool byes = false;

    text[0] = '\0';
    for (int k = 0; k < s->pairings; k++) {
        const struct pairing *p = &s->pairing[k];
        size_t n = strlen(text);
        int seeds[SEATS_MAX];

        if (p->round != round)
            continue;
        memcpy(seeds, p->entrant, sizeof seeds);
        qsort(seeds, (size_t)p->seats, sizeof *seeds, by_number);
        if (n > 0)
            n += (size_t)sprintf(text + n, " ");
        if (p->seats == 1 && !byes) {
            byes = true;
            n += (size_t)sprintf(text + n, "| ");
        }
        for (int i = 0; i < p->seats; i++)
            n += (size_t)sprintf(text + n, "%s%d", i ? "-" : "", seeds[i] + 1);
    }
    return text;
}

Test(knockout, brackets_of_5_8_and_13)
{
    struct cup cup;

    cup_init(&cup, knockout(8, 2), 1);
    cr_assert_str_eq(round_text(&cup.schedule, 0), "1-8 2-7 3-6 4-5");
    cup_play_round(&cup);
    cr_assert_str_eq(round_text(&cup.schedule, 1), "1-4 2-3");
    cup_play_round(&cup);
    cr_assert_str_eq(round_text(&cup.schedule, 2), "1-2");
    cup_release(&cup);

    cup_init(&cup, knockout(5, 2), 1);
    cup_play(&cup);
    cr_assert_str_eq(round_text(&cup.schedule, 0), "4-5 | 1 2 3");
    cr_assert_str_eq(round_text(&cup.schedule, 1), "1-4 2-3");
    cup_release(&cup);

    cup_init(&cup, knockout(13, 2), 1);
    cup_play(&cup);
    cr_assert_str_eq(round_text(&cup.schedule, 0),
                     "4-13 5-12 6-11 7-10 8-9 | 1 2 3");
    cr_assert_str_eq(round_text(&cup.schedule, 1), "1-8 2-7 3-6 4-5");
    cup_release(&cup);
}

/* Who beats a seed stands in its place: no new draw. */
Test(knockout, a_winner_takes_the_place_of_its_table)
{
    struct cup cup;

    cup_init(&cup, knockout(8, 2), 1);
    for (int i = 0; i < 8; i++)
        cup.strength[i] = 7 - i;
    cup_play(&cup);
    cr_assert_str_eq(round_text(&cup.schedule, 1), "5-8 6-7");
    cr_assert_str_eq(round_text(&cup.schedule, 2), "7-8");
    cup_release(&cup);
}

/* With right seeds the last 2, 4, 8 .. are the best 2, 4, 8 .. */
Test(knockout, right_seeds_give_the_right_order)
{
    for (int n = 2; n <= 70; n++) {
        struct standing s[SCHEDULE_ENTRANTS_MAX];
        struct cup cup;
        int place = 1;

        cup_init(&cup, knockout(n, 2), 1);
        cup_play(&cup);
        schedule_standings(&cup.schedule, s);
        for (int i = 0; i < n; i++) {
            if (i + 1 == 2 || (i > 1 && (i & (i - 1)) == 0))
                place = i + 1;
            cr_assert_eq(s[i].entrant, i);
            cr_assert_eq(s[i].place, place, "%d: place %d of %d", n, s[i].place,
                         i);
        }
        cup_release(&cup);
    }
}

/* Everybody loses once, but one; each meets only who never lost. */
static void check_knockout(int n, int seats, uint64_t chance)
{
    int last[SCHEDULE_ENTRANTS_MAX], out = 0, byes_round = -1;
    struct cup cup;
    struct standing s[SCHEDULE_ENTRANTS_MAX];

    cup_run(&cup, knockout(n, seats), 0, chance);
    memset(last, -1, sizeof last);
    for (int k = 0; k < cup.schedule.pairings; k++) {
        const struct pairing *p = &cup.schedule.pairing[k];
        int order[SEATS_MAX];

        cr_assert(p->seats == 1 || p->seats == seats);
        for (int i = 0; i < p->seats; i++)
            cr_assert_eq(last[p->entrant[i]]++, p->round - 1,
                         "%d at %d: in no table before", n, seats);
        if (p->seats == 1) {
            byes_round = p->round;
            continue;
        }
        cr_assert(p->goes_on >= 1 && p->goes_on < seats);
        pairing_order(p, order);
        for (int i = p->goes_on; i < seats; i++, out++)
            last[p->entrant[order[i]]] = n;
    }
    cr_assert_eq(out, n - 1);
    schedule_standings(&cup.schedule, s);
    cr_assert_eq(cup.strength[s[0].entrant], 0);
    cr_assert_eq(s[0].out, -1);
    cr_assert_eq(s[0].place, 1);
    cr_assert_eq(s[1].place, 2);
    cr_assert_eq(s[1].out, cup.schedule.rounds - 1);
    if (seats == 2)
        cr_assert(byes_round <= 0 && cup_rematches(&cup) == 0);
    cup_release(&cup);
}

Test(knockout, one_remains_and_it_is_the_strongest)
{
    for (int seats = 2; seats <= SEATS_MAX; seats++) {
        for (int n = seats; n <= 40; n++)
            for (uint64_t chance = 0; chance < 5; chance++)
                check_knockout(n, seats, chance);
        for (int k = 0; k < CUP_SIZES; k++)
            for (uint64_t chance = 0; chance < 50; chance++)
                if (cup_sizes[k] >= seats)
                    check_knockout(cup_sizes[k], seats, chance);
    }
}

Test(knockout, byes_go_to_the_best_seeds)
{
    for (int seats = 2; seats <= SEATS_MAX; seats++)
        for (int n = seats; n <= 64; n++) {
            struct cup cup;
            int byes = 0;

            cup_init(&cup, knockout(n, seats), 1);
            for (int k = 0; k < cup.schedule.pairings; k++)
                if (cup.schedule.pairing[k].seats == 1)
                    cr_assert_eq(cup.schedule.pairing[k].entrant[0], byes++);
            cup_release(&cup);
        }
}

/* Half of a table of four goes on; those who met are kept apart. */
Test(knockout, sixteen_at_tables_of_four)
{
    struct cup cup;

    cup_init(&cup, knockout(16, 4), 1);
    cr_assert_eq(cup.schedule.rounds, 3);
    cr_assert_str_eq(round_text(&cup.schedule, 0),
                     "1-8-9-16 2-7-10-15 3-6-11-14 4-5-12-13");
    cup_play_round(&cup);
    cr_assert_eq(cup.schedule.field_len, 8);
    cup_play_round(&cup);
    cr_assert_eq(cup.schedule.field_len, 4);
    /* Of those who met in the first round none meets again in the second. */
    for (int k = 4; k < 6; k++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++) {
                int a = cup.schedule.pairing[k].entrant[i] + 1;
                int b = cup.schedule.pairing[k].entrant[j] + 1;

                cr_assert_neq(a + b, 9, "%d met %d", a, b);
            }
    cup_play(&cup);
    cup_release(&cup);
}

/* 5 at 4: one bye, and only one of the table goes out. 8 at 3: 8, 4, 3, 1. */
Test(knockout, fields_that_do_not_come_out_even)
{
    struct cup cup;

    cup_init(&cup, knockout(5, 4), 1);
    cr_assert_str_eq(round_text(&cup.schedule, 0), "2-3-4-5 | 1");
    cr_assert_eq(cup.schedule.pairing[0].goes_on, 3);
    cr_assert_eq(cup.schedule.rounds, 2);
    cup_release(&cup);

    cup_init(&cup, knockout(8, 3), 1);
    cr_assert_str_eq(round_text(&cup.schedule, 0), "3-6-7 4-5-8 | 1 2");
    cup_play_round(&cup);
    cr_assert_eq(cup.schedule.field_len, 4);
    cup_play_round(&cup);
    cr_assert_eq(cup.schedule.field_len, 3);
    cr_assert_eq(cup.schedule.rounds, 3);
    cup_release(&cup);

    /* 6 at 3: three must go, one of them from the table of the best seed. */
    cup_init(&cup, knockout(6, 3), 1);
    cr_assert_str_eq(round_text(&cup.schedule, 0), "1-4-5 2-3-6");
    cr_assert_eq(cup.schedule.pairing[0].goes_on, 2);
    cr_assert_eq(cup.schedule.pairing[1].goes_on, 1);
    cup_release(&cup);
}

Test(knockout, the_third_place)
{
    struct schedule_config config = knockout(8, 2);
    struct standing s[SCHEDULE_ENTRANTS_MAX];
    struct cup cup;

    config.third_place = true;
    cup_init(&cup, config, 1);
    cup.strength[0] = 3; /* loses to seed 4, and wins against seed 3 */
    cup.strength[3] = 0;
    cup.strength[2] = 4;
    cup.strength[4] = 2;
    cup_play(&cup);
    cr_assert_str_eq(round_text(&cup.schedule, 2), "2-4 1-3");
    cr_assert(cup.schedule.pairing[cup.schedule.pairings - 1].is_third_place);
    schedule_standings(&cup.schedule, s);
    cr_assert_eq(s[0].entrant, 3);
    cr_assert_eq(s[1].entrant, 1);
    cr_assert_eq(s[2].entrant, 0);
    cr_assert_eq(s[3].entrant, 2);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(s[i].place, i + 1);
    cr_assert_eq(s[4].place, 5);
    cr_assert_eq(s[7].place, 5);
    cup_release(&cup);
}

/* Ties. */

/* Play all games that are ready, all with these ranks. */
static int play_all(struct schedule *s, const int *rank)
{
    struct turn turn;
    int games = 0;

    while (schedule_next(s, &turn) == SCHEDULE_TURN)
        for (int i = 0; i < turn.games; i++, games++)
            schedule_game(s, turn.pairing, rank);
    return games;
}

Test(knockout, a_tie_is_played_on_and_then_the_seed_decides)
{
    struct schedule_config config = knockout(2, 2);
    struct schedule s;
    struct standing standings[2];
    struct turn turn;
    struct err err;

    config.replays = 2;
    cr_assert(schedule_check(&config, &err));
    schedule_init(&s, &config);
    cr_assert_eq(play_all(&s, (int[]){1, 1}), 1 + 2 * 2);
    cr_assert(schedule_is_over(&s));
    cr_assert(s.pairing[0].by_seed);
    cr_assert_eq(s.pairing[0].replays, 2);
    schedule_standings(&s, standings);
    cr_assert_eq(standings[0].entrant, 0);
    schedule_release(&s);

    schedule_init(&s, &config);
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_WAITS);
    schedule_game(&s, 0, (int[]){1, 1});
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
    cr_assert_eq(turn.first, 1);
    schedule_game(&s, 0, NULL); /* void: nothing for anybody */
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
    schedule_game(&s, 0, (int[]){2, 1});
    cr_assert(schedule_is_over(&s));
    cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_ENDS);
    cr_assert_not(s.pairing[0].by_seed);
    schedule_standings(&s, standings);
    cr_assert_eq(standings[0].entrant, 1);
    schedule_release(&s);
}

/* At a table of four, of which two go on, only the second place matters. */
Test(knockout, only_a_tie_about_going_on_is_played_on)
{
    struct schedule_config config = knockout(8, 4);
    struct schedule s;
    struct err err;

    config.replays = 1;
    cr_assert(schedule_check(&config, &err));
    schedule_init(&s, &config);
    /* The first two tie, and the last two. */
    for (int i = 0; i < 2; i++) {
        struct turn turn;

        cr_assert_eq(schedule_next(&s, &turn), SCHEDULE_TURN);
        schedule_game(&s, turn.pairing, (int[]){1, 1, 3, 3});
    }
    cr_assert_eq(s.round, 1);
    /* The final has one winner: the tie for the first place matters. */
    cr_assert_eq(play_all(&s, (int[]){1, 1, 3, 3}), 1 + 4);
    cr_assert(s.pairing[2].by_seed);
    schedule_release(&s);
}
