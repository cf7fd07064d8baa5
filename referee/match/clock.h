#ifndef REFEREE_MATCH_CLOCK_H
#define REFEREE_MATCH_CLOCK_H

/*
 * clock.h - how long a seat may think: arithmetic on microseconds.
 *
 * Nothing here measures time. The match asks for the limit of a move, learns
 * elsewhere how long the move took, and accounts for it:
 *
 *     if (clock_late(&clock, used_us, lenience_us))
 *         the seat leaves: time
 *     share_us = clock_share(clock_move(&clock, used_us), seats_in);
 *     clock_give(&every_other_clock, share_us);
 *
 * The one idea: a move counts for no more than its limit. Lenience is a gift.
 * An answer that needed it leaves the clock as an answer exactly at the limit
 * would, and nothing can become negative:
 *
 *     system     limit of a move         after it          right at the limit
 *     none       none
 *     move       main                    main stays
 *     bank       main                    main -= used      main 0
 *     fischer    main                    that, += extra    main = extra
 *     delay      main + extra            main -= what is   main 0
 *                                        over extra
 *     bronstein  main                    the same          main = extra, or
 *                                                          as before if less
 *     byoyomi    main + periods * extra  see below         the last period
 *                                                          stays
 *     canadian   main + block            see below         block 0, or whole
 *                                                          after the last move
 *     hourglass  main                    main -= used,     main 0, and the
 *                                        others get it     others get it all
 *
 * byoyomi: if a move uses x > 0 beyond main, main is then 0 and
 * ceil(x / extra) - 1 periods are lost: none up to one whole period, one up to
 * two. The next move begins with a whole period.
 *
 * canadian: a move that leaves nothing of main, even if it uses exactly that,
 * is the first of a block; what it uses beyond main is taken from the block.
 * After `count` moves the block is whole again, whatever was left of it.
 *
 * Every duration, set or left, is at most TIME_MAX_US: what increments and
 * other seats give beyond that is lost.
 */

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* The protocol's milliseconds stay below 2^31. */
#define TIME_MAX_US ((int64_t)INT32_MAX * 1000)

/* Small enough that all periods together fit into 64 bits. */
enum { TIME_COUNT_MAX = 1000000 };

enum time_system {
    TIME_NONE,
    TIME_MOVE,
    TIME_BANK,
    TIME_FISCHER,
    TIME_DELAY,
    TIME_BRONSTEIN,
    TIME_BYOYOMI,
    TIME_CANADIAN,
    TIME_HOURGLASS
};

/* What was agreed. All zero is valid: no limit. */
struct time_control {
    enum time_system system;
    int64_t main_us;  /* of each move for TIME_MOVE */
    int64_t extra_us; /* increment, delay, period or block */
    int count;        /* byoyomi: periods; canadian: moves in a block */
    bool cpu;         /* counts the bot's CPU time, not wall time */
};

/* What is left. */
struct clock {
    struct time_control control;
    int64_t main_us;
    int64_t block_us; /* canadian */
    int periods;      /* byoyomi, at least 1 */
    int moves;        /* canadian: moves left in this block, at least 1 */
};

/*
 * Read the form used on the command line and in configuration files:
 *
 *     none  move:500ms  bank:5m  fischer:60s+1s  delay:60s+2s
 *     bronstein:60s+2s  byoyomi:5m+3x30s  canadian:5m+60s/10  hourglass:60s
 *
 * each optionally followed by ",cpu" or ",wall" (the default). A duration is a
 * number such as 5 or 0.25 and a unit: us, ms, s, m or h; the finest is 1us. A
 * control that would leave no time for a move from the start is refused.
 */
bool time_control_parse(const char *text, struct time_control *out,
                        struct err *err) MUST_CHECK;

/* A duration in its largest whole unit: "90s", "2m"; none is "0s". */
void duration_write(int64_t us, struct buf *out);

/*
 * The same form in its only spelling: each duration in its largest whole unit.
 */
void time_control_write(const struct time_control *control, struct buf *out);

/*
 * The arguments of the protocol's `time_settings`: "byoyomi 300000 30000 3".
 * Milliseconds, rounded down. " clock=cpu" follows for a CPU clock.
 */
void time_settings_write(const struct time_control *control, struct buf *out);

void clock_init(struct clock *clock, const struct time_control *control);

/* How long the next move may take, without lenience; INT64_MAX: no limit. */
int64_t clock_limit(const struct clock *clock);

/* True if used > limit + lenience. */
bool clock_late(const struct clock *clock, int64_t used_us,
                int64_t lenience_us);

/*
 * Account for an accepted answer, used_us >= 0. Returns what goes to the other
 * seats: for hourglass the time that counted, otherwise 0.
 */
int64_t clock_move(struct clock *clock, int64_t used_us);

/*
 * The part that each other seat gets. seats_in is the number of seats still in,
 * the mover included. The rest of the division is lost; a seat alone loses all
 * of it.
 */
int64_t clock_share(int64_t used_us, int seats_in);

/*
 * Take a part of another seat's time; only an hourglass does. In a simultaneous
 * step, account for all moves first and then give, or the order would matter.
 */
void clock_give(struct clock *clock, int64_t us);

/*
 * The "MS [PERIODS]" of the protocol's `time_left`, rounded down:
 *
 *     none                 0: there is no limit
 *     move                 the time of each move
 *     byoyomi, canadian    main, alone, while a whole millisecond of it is
 *                          left; then "PERIOD PERIODS" (one whole period and
 *                          how many) or "BLOCK MOVES" (what is left of the
 *                          block and the moves to make in it)
 *     delay                main, without the delay that every move has too
 *     all others           main
 */
void clock_left_write(const struct clock *clock, struct buf *out);

/*
 * What is left, exactly, as one word for the record: "MAIN", for byoyomi
 * "MAIN,PERIODS", for canadian "MAIN,BLOCK,MOVES"; microseconds. Reading needs
 * a clock that was initialised with its control. A text that no game under this
 * control can lead to is refused and leaves the clock as it was.
 */
enum { CLOCK_STATE_TEXT = 3 * NUMBER_TEXT + 2 };
char *clock_state_jot(const struct clock *clock, char *at);
bool clock_state_read(struct clock *clock, const char *text) MUST_CHECK;

#endif
