#ifndef REFEREE_MATCH_CLOCK_CHECK_H
#define REFEREE_MATCH_CLOCK_CHECK_H

/*
 * clock_check.h - computes the clocks of a record again.
 *
 * Before the moves of a step, a record tells the clocks of the seats that
 * moved, and under hourglass those of the others as well: "@- clock SEAT STATE
 * used=US lag=US". They are settled together when the next line comes, as a
 * match does it. Before a seat leaves for its time there is a line "@- fault
 * SEAT time ...". It tells how long the seat took and how long it had, which
 * must be at least what its clock said.
 */

#include "match/clock.h"
#include "match/record.h"

struct clock_check {
    struct clock left[SEATS_MAX]; /* as it should be, if ... */
    bool is_timed[SEATS_MAX];     /* ... the head says how */
    bool was_late[SEATS_MAX];     /* a fault line says so */
    struct told_clock {
        struct record_line line;
        int seat;
        const char *state;
        size_t len;
        int64_t used_us;
    } told[SEATS_MAX]; /* in this step, not settled yet */
    int count;
};

void clock_check_begin(struct clock_check *check, const struct record *record);

/*
 * Take a line, whether it is for the record only or not. `out` are the seats
 * that have left.
 */
bool clock_check_line(struct clock_check *check, const struct record *record,
                      const struct record_line *line, seat_set out,
                      struct err *err) MUST_CHECK;

#endif
