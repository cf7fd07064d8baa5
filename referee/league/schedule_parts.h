#ifndef REFEREE_LEAGUE_SCHEDULE_PARTS_H
#define REFEREE_LEAGUE_SCHEDULE_PARTS_H

/*
 * schedule_parts.h - what the schedule*.c files share.
 */

#include "league/schedule.h"

/* A new pairing of the last round, or of the one after it. */
struct pairing *add_pairing(struct schedule *schedule, int round,
                            const int *entrants, int seats);

/* How often two have met, in all pairings: entrants x entrants. */
void count_meetings(const struct schedule *schedule, int *meetings);

/* schedule_sets.c: all pairings at once, and how many that will be. */
void make_round_robin(struct schedule *schedule);
void make_gauntlet(struct schedule *schedule);
int64_t count_sets(int n, int k);

/* schedule_swiss.c, schedule_tables.c, schedule_knockout.c: a round more. */
void make_swiss_round(struct schedule *schedule);
void make_swiss_tables(struct schedule *schedule,
                       const struct standing *standings);
void make_knockout_round(struct schedule *schedule);
int count_knockout_rounds(const struct schedule_config *config);

#endif
