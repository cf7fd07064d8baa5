#include "match/clock_check.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void clock_check_begin(struct clock_check *c, const struct record *record)
{
    struct time_control control;
    struct err err;

    *c = (struct clock_check){0};
    for (int i = 0; i < SEATS_MAX; i++) {
        const char *text = record->time[i];

        c->is_timed[i] = text && time_control_parse(text, &control, &err);
        if (c->is_timed[i])
            clock_init(&c->left[i], &control);
    }
}

/* All moves first, then all gifts, as in a match. */
static void settle(struct clock_check *c, int seats, seat_set out)
{
    int seats_in = __builtin_popcount(SEATS(seats) & ~out);
    int64_t gift[SEATS_MAX] = {0};

    for (int n = 0; n < c->count; n++) {
        int i = c->told[n].seat;

        gift[i] =
            clock_share(clock_move(&c->left[i], c->told[n].used_us), seats_in);
    }
    for (int i = 0; i < seats; i++)
        for (int k = 0; gift[i] && k < seats; k++)
            if (k != i && !(out & SEAT(k)))
                clock_give(&c->left[k], gift[i]);
}

static bool compare(const struct clock_check *c, const struct record *r,
                    const struct told_clock *told, struct err *err)
{
    char expected[CLOCK_STATE_TEXT + 1];

    *clock_state_jot(&c->left[told->seat], expected) = '\0';
    if (strlen(expected) != told->len ||
        memcmp(expected, told->state, told->len) != 0)
        return record_wrong(r, &told->line, err,
                            "%s on the clock, by %s and the time used",
                            expected, r->time[told->seat]);
    return true;
}

static bool settle_step(struct clock_check *c, const struct record *r,
                        seat_set out, struct err *err)
{
    bool ok = true;

    if (c->count == 0)
        return true;
    settle(c, r->setup.seats, out);
    for (int n = 0; ok && n < c->count; n++)
        ok = compare(c, r, &c->told[n], err);
    c->count = 0;
    return ok;
}

/* Is this the second event for this seat, so that another step begins? */
static bool is_told(const struct clock_check *c, int seat)
{
    for (int n = 0; n < c->count; n++)
        if (c->told[n].seat == seat)
            return true;
    return false;
}

static bool take_clock(struct clock_check *c, const struct record *r,
                       const struct record_line *line, int seat, const char *at,
                       seat_set out, struct err *err)
{
    struct told_clock told = {
        .line = *line, .seat = seat, .state = at, .len = strcspn(at, " ")};

    if (!c->is_timed[seat])
        return true;
    if (sscanf(at + told.len, " used=%" SCNd64, &told.used_us) != 1 ||
        told.used_us < 0)
        return record_wrong(r, line, err,
                            "\"@- clock SEAT LEFT used=US lag=US\"");
    if (is_told(c, seat) && !settle_step(c, r, out, err))
        return false;
    c->told[c->count++] = told;
    return true;
}

/* "...: it took MS ms of MS", or "...: no move after MS ms". */
static bool read_late(const char *at, int64_t *took_us, int64_t *limit_us)
{
    double took = 0, limit = 0;
    const char *text = strstr(at, ": it took ");

    if (text && sscanf(text, ": it took %lf ms of %lf", &took, &limit) == 2) {
        *took_us = llround(took * 1000);
        *limit_us = llround(limit * 1000);
        return true;
    }
    text = strstr(at, ": no move after ");
    if (!text || sscanf(text, ": no move after %lf ms", &limit) != 1)
        return false;
    *limit_us = llround(limit * 1000);
    *took_us = *limit_us + 1;
    return true;
}

/* The organiser may give more time, but not less. */
static bool take_fault(struct clock_check *c, const struct record *r,
                       const struct record_line *line, int seat, const char *at,
                       struct err *err)
{
    int64_t took_us, limit_us;

    if (!take_word(&at, "time") || !read_late(at, &took_us, &limit_us))
        return true;
    c->was_late[seat] = true;
    if (!c->is_timed[seat] || c->left[seat].control.system == TIME_NONE)
        return true;
    return (took_us > limit_us && limit_us >= clock_limit(&c->left[seat])) ||
           record_wrong(r, line, err,
                        "a move that took longer than the %.3f ms that the "
                        "clock had",
                        (double)clock_limit(&c->left[seat]) / 1000);
}

bool clock_check_line(struct clock_check *c, const struct record *r,
                      const struct record_line *line, seat_set out,
                      struct err *err)
{
    bool is_aside = line->to == RECORD;
    const char *at = line->text;
    int seat;

    if (line->number == 0)
        return true; /* its writer may have been killed between two of them */
    if (is_aside && take_word(&at, "clock") &&
        take_int(&at, 1, r->setup.seats, &seat) && take_char(&at, ' '))
        return take_clock(c, r, line, seat - 1, at, out, err);
    if (!settle_step(c, r, out, err))
        return false;
    at = line->text;
    if (is_aside && take_word(&at, "fault") &&
        take_int(&at, 1, r->setup.seats, &seat) && take_char(&at, ' '))
        return take_fault(c, r, line, seat - 1, at, err);
    return true;
}
