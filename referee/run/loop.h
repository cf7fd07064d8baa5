#ifndef REFEREE_RUN_LOOP_H
#define REFEREE_RUN_LOOP_H

/*
 * loop.h - the event loop, and what time it is in it.
 *
 * A bot's answer is read some time after it arrived: the loop may have been
 * busy with others. That time is the referee's lag and is not charged to the
 * bot. If the loop did not have to wait for its events, an answer may have
 * lain there since the loop last looked; and within one turn of the loop, what
 * is handled late has waited for what was handled first. And if the loop wakes
 * later than its clock rang, the machine has held it up: for so long an answer
 * may have waited, too.
 */

#include "run/children.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

TAILQ_HEAD(deferred_queue, deferred);

/* In libevent's queue: what comes behind it has waited so long. */
struct mark {
    int64_t since_us;
    TAILQ_ENTRY(mark) link;
};

/* What is to be done once all events of a turn have been handled. */
struct deferred {
    void (*run)(void *arg);
    void *arg;
    struct deferred_queue *queue; /* in which it waits, or NULL */
    TAILQ_ENTRY(deferred) link;
};

/* A deferred call for a certain time. */
struct alarm {
    struct deferred deferred;
    int64_t due_us; /* INT64_MAX: it is not set */
    TAILQ_ENTRY(alarm) link;
};

struct loop {
    struct event_base *base;
    struct children children; /* of processes */
    int64_t asked_us; /* when it last asked for events, or just before */
    int64_t woke_us;  /* when it got them; 0 before the first is handled */
    int64_t rang_us;  /* and when at the latest it should have */
    int64_t busy_us;  /* what it did between the last two, at most */
    int64_t read_us;  /* when the lines came that are handled now */
    int64_t
        done_us; /* when the last deferred was done, if that says so; or 0 */
    int64_t bytes_in, bytes_out;     /* of all links, for the metrics */
    int tables;                      /* at which games are played */
    struct deferred_queue now, soon; /* of this turn, and of the next */
    TAILQ_HEAD(, alarm) alarms;      /* that are set */
    struct event *clock;             /* a timerfd, which rings ... */
    int64_t rings_us;                /* ... then, or INT64_MAX */
    TAILQ_HEAD(, mark) marks;        /* behind what turns left that were cut */
    int64_t left_us;   /* since when that has waited which comes now, or 0 */
    int64_t unseen_us; /* and that which the last turn has not seen, if any */
    bool is_cut;       /* this turn */
    bool takes_events; /* it is in libevent's loop */
    bool stop;
};

/*
 * Wait for this event, without a limit. If the kernel does not want to, it is
 * asked again; a program that waits for what it will never hear would hang, so
 * in the end it ends instead. What it has not finished goes on after the next
 * start.
 */
void loop_watch(struct event *event);

void loop_init(struct loop *loop);
void loop_release(struct loop *loop);

/* Run until loop_stop(), or until nothing is left to wait for. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/*
 * Run a deferred call at the end of this turn, once, however often it is asked
 * for; or not at all. Bots that are written to one after the other find each
 * other running, and need not be woken from a core that sleeps.
 */
void loop_later(struct loop *loop, struct deferred *deferred);

/* For deferred calls: the same at the end of the next turn, which does not
 * wait. */
void loop_soon(struct loop *loop, struct deferred *deferred);
void loop_cancel(struct deferred *deferred);

/*
 * Set an alarm, or set it to another time; or turn it off with INT64_MAX.
 * Alarms cost nothing while they do not ring: with a timer of libevent's each
 * turn reads the clock twice more, and each wait for events starts a timer in
 * the kernel, together 0.4 us a move. They ring up to ALARM_STEP_US late.
 */
enum { ALARM_STEP_US = 1000 };

void alarm_init(struct alarm *alarm, void (*run)(void *arg), void *arg);
void loop_alarm(struct loop *loop, struct alarm *alarm, int64_t due_us);
void alarm_stop(struct loop *loop, struct alarm *alarm);

/* Monotonic microseconds. */
int64_t now_us(void);

/*
 * The time, and how long what is handled then may have waited for its turn. Who
 * handles events asks for the time with each: that ends a turn that is long.
 */
int64_t loop_now(struct loop *loop);
int64_t loop_turn(struct loop *loop); /* about now: when this turn began */
int64_t loop_lag(const struct loop *loop, int64_t now);

/* Is there something that was ready at that time, and has not been handled? */
bool loop_has_left(const struct loop *loop, int64_t since_us);

#endif
