#include "run/loop.h"

#include "base/alloc.h"
#include "run/priority.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
    AT_ONCE_US = 20, /* a shorter wait: its events were ready ... */
    /* ... as were those of a wait shorter than this part of the last turn */
    AT_ONCE_PART = 64,
    /* deferred calls run after this long, even if more events are ready */
    TURN_US = 50000,
    ROOM = 32,       /* events that libevent takes at once, at first */
    ROOM_MAX = 4096, /* and at most */
    WATCH_TRIES = 10,
};

int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void loop_watch(struct event *event)
{
    int tries = 0;

    while (event_add(event, NULL) != 0)
        if (++tries == WATCH_TRIES)
            out_of("ways to wait for events");
}

/*
 * Round the time up to a grid, so that a crowd rings together: a thousand
 * tables with deadlines in the same millisecond cost one wake-up, not a
 * thousand.
 */
static void set_clock(struct loop *loop, int64_t us)
{
    struct itimerspec at = {0};
    int64_t due;

    if (us == INT64_MAX) {
        loop->rings_us = us;
        event_del(loop->clock); /* a loop without alarms must be able to end */
        return;
    }
    due = (us / ALARM_STEP_US + 1) * ALARM_STEP_US;
    at.it_value = (struct timespec){due / 1000000, due % 1000000 * 1000};
    loop->rings_us = due;
    timerfd_settime(event_get_fd(loop->clock), TFD_TIMER_ABSTIME, &at, NULL);
    loop_watch(loop->clock);
}

static void on_clock(evutil_socket_t fd, short what, void *arg)
{
    struct loop *loop = arg;
    struct alarm *alarm, *next;
    int64_t now = loop_now(loop), first = INT64_MAX;
    uint64_t rings;
    ssize_t ignored = read(fd, &rings, sizeof rings);

    (void)ignored;
    for (alarm = TAILQ_FIRST(&loop->alarms); alarm; alarm = next) {
        next = TAILQ_NEXT(alarm, link);
        if (alarm->due_us <= now) {
            loop_alarm(loop, alarm, INT64_MAX);
            loop_later(loop, &alarm->deferred);
        } else if (alarm->due_us < first) {
            first = alarm->due_us;
        }
    }
    set_clock(loop, first);
}

static void open_clock(struct loop *loop)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

    if (fd == -1) {
        fprintf(stderr, "referee: no timer: %s\n", strerror(errno));
        abort();
    }
    loop->clock =
        event_new(loop->base, fd, EV_READ | EV_PERSIST, on_clock, loop);
    loop->rings_us = INT64_MAX;
    TAILQ_INIT(&loop->alarms);
}

/*
 * EVENT_BASE_FLAG_PRECISE_TIMER is not used: it costs one more system call for
 * every move. Without it a timer fires some milliseconds early or late. No
 * verdict depends on that, because answers are measured by stamps. The time is
 * not read after every wait either, because timers are rare.
 */
static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    if (config &&
        event_config_set_flag(config, EVENT_BASE_FLAG_NO_CACHE_TIME) == 0)
        base = event_base_new_with_config(config);
    if (config)
        event_config_free(config);
    if (!base) {
        fputs("referee: libevent does not start\n", stderr);
        abort();
    }
    return base;
}

void loop_init(struct loop *loop)
{
    signal(SIGXFSZ, SIG_IGN);
    *loop = (struct loop){.base = new_base(), .unseen_us = INT64_MAX};
    TAILQ_INIT(&loop->now);
    TAILQ_INIT(&loop->soon);
    TAILQ_INIT(&loop->marks);
    open_clock(loop);
    children_init(&loop->children, loop);
    priority_referee();
}

static void take_mark(struct loop *loop, struct mark *mark)
{
    TAILQ_REMOVE(&loop->marks, mark, link);
    free(mark);
}

void loop_release(struct loop *loop)
{
    struct mark *mark;

    children_release(&loop->children);
    close(event_get_fd(loop->clock));
    event_free(loop->clock);
    while ((mark = TAILQ_FIRST(&loop->marks)) != NULL)
        take_mark(loop, mark);
    event_base_free(loop->base);
    loop->base = NULL;
}

static void queue_up(struct deferred_queue *queue, struct deferred *deferred)
{
    if (deferred->queue)
        return;
    deferred->queue = queue;
    TAILQ_INSERT_TAIL(queue, deferred, link);
}

void loop_later(struct loop *loop, struct deferred *deferred)
{
    queue_up(&loop->now, deferred);
}

void loop_soon(struct loop *loop, struct deferred *deferred)
{
    queue_up(&loop->soon, deferred);
}

void loop_cancel(struct deferred *deferred)
{
    if (deferred->queue)
        TAILQ_REMOVE(deferred->queue, deferred, link);
    deferred->queue = NULL;
}

void alarm_init(struct alarm *alarm, void (*run)(void *arg), void *arg)
{
    *alarm = (struct alarm){.deferred = {.run = run, .arg = arg},
                            .due_us = INT64_MAX};
}

void loop_alarm(struct loop *loop, struct alarm *alarm, int64_t due_us)
{
    if (due_us == INT64_MAX && alarm->due_us != INT64_MAX)
        TAILQ_REMOVE(&loop->alarms, alarm, link);
    if (due_us != INT64_MAX && alarm->due_us == INT64_MAX)
        TAILQ_INSERT_TAIL(&loop->alarms, alarm, link);
    alarm->due_us = due_us;
    if (due_us >= loop->rings_us)
        return;
    if (loop->takes_events)
        loop_turn(loop); /* uses the present setting of the clock */
    set_clock(loop, due_us);
}

/* Take it out of the queues of this turn and of the next. */
void alarm_stop(struct loop *loop, struct alarm *alarm)
{
    loop_alarm(loop, alarm, INT64_MAX);
    loop_cancel(&alarm->deferred);
}

static void run_deferred(struct loop *loop)
{
    struct deferred *deferred;

    loop->done_us = 0;
    while ((deferred = TAILQ_FIRST(&loop->now)) != NULL) {
        loop->done_us = 0;
        loop_cancel(deferred);
        deferred->run(deferred->arg);
    }
}

static bool has_time(struct loop *loop)
{
    loop_now(loop); /* ends the turn if it is already long */
    return !loop->is_cut && !loop->stop;
}

/*
 * The earliest time at which the events of this turn can have been ready. epoll
 * does not tell when an event arrived. If epoll made the loop wait, nothing was
 * ready when the wait began, so the events arrived when it ended. If it
 * returned at once, the events may have been there since the previous turn
 * started its work.
 */
static int64_t ready_since(const struct loop *loop)
{
    int64_t waited = loop->woke_us - loop->asked_us;
    bool at_once = waited < AT_ONCE_US + loop->busy_us / AT_ONCE_PART;
    int64_t since = at_once ? loop->asked_us - loop->busy_us : loop->woke_us;

    return loop->rang_us < since ? loop->rang_us : since;
}

/*
 * An event is not in this turn either because libevent's array was full or
 * because it arrived later. If the array was full, an event that the previous
 * turn did not see either may still be waiting. All other events have arrived
 * since the previous turn looked.
 */
static int64_t unseen_since(const struct loop *loop, int most, int left,
                            int room)
{
    int64_t since = ready_since(loop);

    if (most < room)
        return loop->woke_us;
    if (most - left < room || loop->unseen_us > since)
        return since;
    return loop->unseen_us;
}

/* The largest number of events active at once since the last call. */
static int most_active(struct loop *loop)
{
    return event_base_get_max_events(loop->base, EVENT_BASE_COUNT_ACTIVE, 1);
}

/*
 * Handle all events that are ready, or as many as time allows. Returns 0, or
 * what libevent returns.
 */
static int take_ready(struct loop *loop, int flags)
{
    int left = event_base_get_num_events(loop->base, EVENT_BASE_COUNT_ACTIVE);
    int room = ROOM, most, failed;

    loop->is_cut = false;
    failed = event_base_loop(loop->base, EVLOOP_ONCE | flags);
    while ((most = most_active(loop)) >= room && has_time(loop)) {
        if (room < ROOM_MAX)
            room *= 2; /* libevent doubles its array in the same way */
        left = 0;
        event_base_loop(loop->base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    }
    loop->unseen_us =
        loop->is_cut ? unseen_since(loop, most, left, room) : INT64_MAX;
    if (!loop->is_cut)
        loop->left_us = 0;
    return failed;
}

/* Is there nothing to do except wait for events? */
static bool waits(const struct loop *loop)
{
    return TAILQ_EMPTY(&loop->soon) && !loop->left_us;
}

/* False if there is nothing left to wait for. */
static bool take_events(struct loop *loop)
{
    bool may_wait = waits(loop);
    struct deferred *deferred;
    int failed;

    loop->takes_events = true;
    failed = take_ready(loop, may_wait ? 0 : EVLOOP_NONBLOCK);
    loop->takes_events = false;
    if (failed && may_wait)
        return false;
    while ((deferred = TAILQ_FIRST(&loop->soon)) != NULL) {
        loop_cancel(deferred);
        loop_later(loop, deferred);
    }
    return true;
}

/* No work worth timing was done, so the clock need not be read again. */
static bool is_short(const struct loop *loop, int64_t woke)
{
    return loop->done_us && loop->done_us - woke < AT_ONCE_US;
}

static void on_mark(evutil_socket_t fd, short what, void *arg)
{
    struct loop *loop = arg;
    struct mark *mark = TAILQ_FIRST(&loop->marks);

    loop->left_us = mark->since_us;
    take_mark(loop, mark);
}

/*
 * A turn that is cut short leaves events in libevent's queue. Put a mark after
 * them before the next turn adds what has arrived since.
 */
static void set_mark(struct loop *loop)
{
    struct mark *mark = must_alloc(malloc(sizeof *mark));

    mark->since_us = loop->unseen_us;
    TAILQ_INSERT_TAIL(&loop->marks, mark, link);
    if (event_base_once(loop->base, -1, EV_TIMEOUT, on_mark, loop, NULL) != 0)
        abort();
}

static void begin_turn(struct loop *loop)
{
    int64_t woke = loop->woke_us;

    if (loop->left_us)
        set_mark(loop);
    loop->asked_us = is_short(loop, woke) ? loop->done_us : now_us();
    loop->busy_us = woke ? loop->asked_us - woke : 0;
    loop->woke_us = waits(loop) ? 0 : loop->asked_us;
    loop->rang_us = loop->asked_us;
}

void loop_run(struct loop *loop)
{
    loop->stop = false;
    for (;;) {
        run_deferred(loop);
        if (loop->stop)
            return;
        begin_turn(loop);
        if (!take_events(loop))
            return;
    }
}

void loop_stop(struct loop *loop)
{
    loop->stop = true;
    event_base_loopbreak(loop->base);
}

/*
 * libevent stays in its loop as long as each event causes another, and a bot
 * that sends enough can make that happen. Nobody would get an answer then,
 * because answers are deferred calls. So break out. The remaining events are
 * handled later, and no bot is charged for that wait (set_mark()).
 */
static void cut_short(struct loop *loop)
{
    loop->is_cut = true;
    if (!loop->left_us)
        loop->left_us = ready_since(loop);
    event_base_loopbreak(loop->base);
}

/* If the clock had rung before, it would have ended the wait. */
static void wake(struct loop *loop, int64_t now)
{
    loop->woke_us = now;
    loop->rang_us =
        loop->rings_us > loop->asked_us ? loop->rings_us : loop->asked_us;
}

int64_t loop_now(struct loop *loop)
{
    int64_t now = now_us();

    if (!loop->woke_us)
        wake(loop, now);
    else if (loop->takes_events && now - loop->woke_us > TURN_US)
        cut_short(loop);
    return now;
}

bool loop_has_left(const struct loop *loop, int64_t since_us)
{
    return loop->left_us && loop->left_us <= since_us;
}

int64_t loop_turn(struct loop *loop)
{
    return loop->woke_us ? loop->woke_us : loop_now(loop);
}

int64_t loop_lag(const struct loop *loop, int64_t now)
{
    int64_t since = ready_since(loop);

    return now -
           (loop->left_us && loop->left_us < since ? loop->left_us : since);
}
