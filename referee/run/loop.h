#ifndef REFEREE_RUN_LOOP_H
#define REFEREE_RUN_LOOP_H

/*
 * loop.h - the event loop, and the time as the loop sees it.
 *
 * The loop reads a bot's answer some time after it arrived, because it was busy
 * with other bots. That time is the referee's lag and is not charged to the
 * bot. There are three kinds of lag. If its events were ready at once, an
 * answer may have been waiting since the loop last looked. Within one turn,
 * each event waits for the events handled before it. And if the loop wakes up
 * later than its clock rang, the machine delayed it, and an answer may have
 * waited that long.
 */

#include "run/children.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

TAILQ_HEAD(deferred_queue, deferred);

/* In libevent's queue: the events after it have waited since then. */
struct mark {
    int64_t since_us;
    TAILQ_ENTRY(mark) link;
};

/* A call to make once all events of a turn have been handled. */
struct deferred {
    void (*run)(void *arg);
    void *arg;
    struct deferred_queue *queue; /* the queue that it waits in, or NULL */
    TAILQ_ENTRY(deferred) link;
};

/* A deferred call at a given time. */
struct alarm {
    struct deferred deferred;
    int64_t due_us; /* INT64_MAX: not set */
    TAILQ_ENTRY(alarm) link;
};

struct loop {
    struct event_base *base;
    struct children children; /* the processes it has started */
    int64_t asked_us; /* when it last asked for events, or shortly before */
    int64_t woke_us;  /* when it got them; 0 until the first is handled */
    int64_t rang_us;  /* when it should have got them at the latest */
    int64_t busy_us;  /* longest work between the last two waits */
    int64_t read_us;  /* arrival time of the lines that are handled now */
    /* when the last deferred call ended, if it said so; or 0 */
    int64_t done_us;
    int64_t bytes_in, bytes_out;     /* over all links, for the metrics */
    int tables;                      /* with a running game */
    struct deferred_queue now, soon; /* for this turn and the next */
    TAILQ_HEAD(, alarm) alarms;      /* all alarms that are set */
    struct event *clock;             /* a timerfd; it rings ... */
    int64_t rings_us;                /* ... at this time; INT64_MAX: never */
    /* after the events that a short turn left over */
    TAILQ_HEAD(, mark) marks;
    /* the next event has waited since then; 0: it has not waited */
    int64_t left_us;
    int64_t unseen_us; /* the same for events that the last turn did not see */
    bool is_cut;       /* this turn was cut short */
    bool takes_events; /* the loop is inside libevent's loop */
    bool stop;
};

/*
 * Watch this event, without a time limit. If the kernel refuses, try again. If
 * it keeps refusing, end the program: it would otherwise hang, waiting for an
 * event that it never sees. The next start continues the unfinished games.
 */
void loop_watch(struct event *event);

/*
 * From then on, a write to a file that may not grow any more fails, as on a
 * full disk. It does not end the process: SIGXFSZ is ignored.
 */
void loop_init(struct loop *loop);
void loop_release(struct loop *loop);

/* Run until loop_stop() is called or nothing is left to wait for. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/*
 * Run a deferred call at the end of this turn, once, however often it is
 * requested. Deferred writes to several bots go out in quick succession. The
 * bots then keep the cores awake for each other, and waking a sleeping core is
 * slow.
 */
void loop_later(struct loop *loop, struct deferred *deferred);

/*
 * For deferred calls: run this one at the end of the next turn, which does not
 * wait for events.
 */
void loop_soon(struct loop *loop, struct deferred *deferred);
void loop_cancel(struct deferred *deferred);

/*
 * Set an alarm, move it, or turn it off with INT64_MAX. An alarm costs nothing
 * until it rings. A timer of libevent's would cost two more readings of the
 * clock each turn and one kernel timer each wait, together 0.4 us a move.
 * Alarms ring up to ALARM_STEP_US late.
 */
enum { ALARM_STEP_US = 1000 };

void alarm_init(struct alarm *alarm, void (*run)(void *arg), void *arg);
void loop_alarm(struct loop *loop, struct alarm *alarm, int64_t due_us);
void alarm_stop(struct loop *loop, struct alarm *alarm);

/* Monotonic time in microseconds. */
int64_t now_us(void);

/*
 * The current time. It is also the start of the wait of the event that is
 * handled next. Call it for each event: it also ends a turn that has become too
 * long.
 */
int64_t loop_now(struct loop *loop);
int64_t loop_turn(struct loop *loop); /* roughly now: when this turn began */
int64_t loop_lag(const struct loop *loop, int64_t now);

/* Is there an event that was ready at that time and is not handled yet? */
bool loop_has_left(const struct loop *loop, int64_t since_us);

#endif
