/* The event loop: alarms, deferred calls, and what counts as lag. */

#include "run/loop.h"
#include "run/priority.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <event2/bufferevent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

struct ringer {
    struct loop *loop;
    struct alarm alarm;
    int rings;
    int left; /* that it sets again */
};

static void on_ring(void *arg)
{
    struct ringer *r = arg;

    r->rings++;
    if (r->left-- > 0)
        loop_alarm(r->loop, &r->alarm, now_us() + 1);
    else
        loop_stop(r->loop);
}

Test(loop, an_alarm_rings_and_can_be_set_again, .timeout = 30)
{
    struct loop loop;
    struct ringer r = {.loop = &loop, .left = 2};

    loop_init(&loop);
    alarm_init(&r.alarm, on_ring, &r);
    loop_alarm(&loop, &r.alarm, now_us());
    loop_run(&loop);
    cr_assert_eq(r.rings, 3);
    loop_release(&loop);
}

/* SIGXFSZ would end it, in the middle of games. */
Test(loop, a_file_that_may_not_grow_does_not_end_the_process, .timeout = 30)
{
    const struct rlimit nothing = {0, RLIM_INFINITY};
    FILE *file = tmpfile();
    struct loop loop;

    cr_assert(file);
    loop_init(&loop);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &nothing), 0);
    cr_expect_eq(write(fileno(file), "x", 1), -1);
    cr_expect_eq(errno, EFBIG);
    loop_release(&loop);
    fclose(file);
}

static void on_deferred(void *arg)
{
    loop_stop(arg);
}

/* Run a loop whose next event is an hour away, until the deferred stops it. */
static void stop_by_deferred(void (*ask)(struct loop *, struct deferred *))
{
    struct loop loop;
    struct deferred deferred = {.run = on_deferred, .arg = &loop};
    struct ringer r = {.loop = &loop};

    loop_init(&loop);
    alarm_init(&r.alarm, on_ring, &r);
    loop_alarm(&loop, &r.alarm, now_us() + 3600 * INT64_C(1000000));
    ask(&loop, &deferred);
    loop_run(&loop);
    cr_assert_eq(r.rings, 0);
    alarm_stop(&loop, &r.alarm);
    loop_release(&loop);
}

static void count_ring(void *arg)
{
    ++*(int *)arg;
}

Test(loop, a_loop_whose_alarms_have_rung_ends, .timeout = 30)
{
    struct loop loop;
    struct alarm alarm;
    int rings = 0;

    loop_init(&loop);
    alarm_init(&alarm, count_ring, &rings);
    loop_alarm(&loop, &alarm, now_us() + 1000);
    loop_run(&loop);
    cr_assert_eq(rings, 1);
    loop_release(&loop);
}

/* However far away the next event is. */
Test(loop, a_deferred_call_can_stop_the_loop, .timeout = 30)
{
    stop_by_deferred(loop_later);
}

/* INT64_MAX, for none, is not rounded up to the grid. */
Test(loop, the_clock_without_alarms_does_not_overflow, .timeout = 30)
{
    struct loop loop;
    struct ringer r = {.loop = &loop};

    loop_init(&loop);
    alarm_init(&r.alarm, on_ring, &r);
    loop_alarm(&loop, &r.alarm, now_us());
    loop_run(&loop);
    cr_assert_eq(r.rings, 1);
    cr_assert_eq(loop.rings_us, INT64_MAX);
    loop_release(&loop);
}

/* A turn of the loop, and the event that comes next. */
struct turn {
    struct loop *loop;
    int64_t took_us;         /* before the bots were told */
    int64_t told_us, end_us; /* then some time went by */
    int64_t asked_us;
};

static void end_turn(void *arg)
{
    struct turn *t = arg;

    t->told_us = t->loop->done_us = now_us();
    t->loop->woke_us = t->told_us - t->took_us;
    while (now_us() < t->told_us + 50)
        continue;
    t->end_us = now_us();
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
    struct turn *t = arg;

    t->asked_us = t->loop->asked_us;
    loop_stop(t->loop);
}

static struct turn turn_of(int64_t took_us)
{
    struct loop loop;
    struct turn t = {.loop = &loop, .took_us = took_us};
    struct deferred deferred = {.run = end_turn, .arg = &t};
    struct event *event;

    loop_init(&loop);
    event = event_new(loop.base, -1, 0, on_event, &t);
    event_active(event, 0, 0);
    loop_later(&loop, &deferred);
    loop_run(&loop);
    event_free(event);
    loop_release(&loop);
    return t;
}

/* What the turn took is not charged to who has answered meanwhile. */
Test(loop, after_a_long_turn_the_clock_is_read_again, .timeout = 30)
{
    struct turn t = turn_of(10000);

    cr_assert_geq(t.asked_us, t.end_us);
}

Test(loop, after_a_short_turn_the_clock_is_not_read_again, .timeout = 30)
{
    struct turn t = turn_of(5);

    cr_assert_eq(t.asked_us, t.told_us);
}

/* A deferred call that asks for itself again and again. */
struct eager {
    struct loop *loop;
    struct deferred deferred;
    int runs;
};

static void run_eager(void *arg)
{
    struct eager *e = arg;

    e->runs++;
    loop_soon(e->loop, &e->deferred);
}

Test(loop, a_deferred_call_for_the_next_turn_lets_events_in_between,
     .timeout = 30)
{
    struct loop loop;
    struct eager e = {.loop = &loop, .deferred = {.run = run_eager, .arg = &e}};
    struct ringer r = {.loop = &loop};

    loop_init(&loop);
    alarm_init(&r.alarm, on_ring, &r);
    loop_alarm(&loop, &r.alarm, now_us());
    loop_soon(&loop, &e.deferred);
    loop_run(&loop);
    cr_assert_eq(r.rings, 1);
    loop_cancel(&e.deferred);
    loop_release(&loop);
}

Test(loop, a_deferred_call_for_the_next_turn_waits_for_no_event, .timeout = 30)
{
    stop_by_deferred(loop_soon);
}

static void ignore(evutil_socket_t fd, short what, void *arg)
{
}

/* libevent polls on as long as something is ready, unless it is told not to. */
Test(loop, a_deferred_call_for_the_next_turn_waits_for_no_silence,
     .timeout = 30)
{
    struct loop loop;
    struct deferred deferred = {.run = on_deferred, .arg = &loop};
    struct event *event;
    int ends[2];

    loop_init(&loop);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    event = event_new(loop.base, ends[0], EV_READ | EV_PERSIST, ignore, NULL);
    event_add(event, NULL);
    loop_soon(&loop, &deferred);
    loop_run(&loop);
    event_free(event);
    loop_release(&loop);
}

static void run_once(void *arg)
{
    ++*(int *)arg;
}

Test(loop, what_is_called_off_does_not_run, .timeout = 30)
{
    struct loop loop;
    int runs = 0;
    struct deferred now = {.run = run_once, .arg = &runs};
    struct deferred soon = {.run = run_once, .arg = &runs};
    struct deferred last = {.run = on_deferred, .arg = &loop};

    loop_init(&loop);
    loop_later(&loop, &now);
    loop_soon(&loop, &soon);
    loop_soon(&loop, &last);
    loop_cancel(&now);
    loop_cancel(&soon);
    loop_run(&loop);
    cr_assert_eq(runs, 0);
    loop_release(&loop);
}

/* An event that brings on the next, as a peer may do that never stops. */
struct flood {
    struct loop *loop;
    struct event *event;
    struct deferred *deferred;
};

static void on_flood(evutil_socket_t fd, short what, void *arg)
{
    struct flood *f = arg;

    loop_now(f->loop);
    event_active(f->event, 0, 0);
    loop_later(f->loop, f->deferred);
}

/* libevent is made to leave its loop, so that the games go on. */
Test(loop, events_without_end_do_not_keep_errands_waiting, .timeout = 30)
{
    struct loop loop;
    struct deferred deferred = {.run = on_deferred, .arg = &loop};
    struct flood f = {.loop = &loop, .deferred = &deferred};

    loop_init(&loop);
    f.event = event_new(loop.base, -1, 0, on_flood, &f);
    event_active(f.event, 0, 0);
    loop_run(&loop);
    event_free(f.event);
    loop_release(&loop);
}

/* Three events that are there at once; the first two take long. */
struct trio {
    struct loop *loop;
    struct event *event[3];
    struct deferred deferred;
    int64_t begun_us;
    int turns;
    int left; /* turns after which some of that was left which was there */
    int64_t lag_us;
};

static void count_turn(void *arg)
{
    struct trio *t = arg;

    t->turns++;
    t->left += loop_has_left(t->loop, now_us()) &&
               !loop_has_left(t->loop, t->begun_us - 1);
}

static void on_long(evutil_socket_t fd, short what, void *arg)
{
    struct trio *t = arg;
    int64_t until = loop_now(t->loop) + 60000;

    while (now_us() < until)
        continue;
    loop_later(t->loop, &t->deferred);
    loop_now(t->loop);
}

static void on_last(evutil_socket_t fd, short what, void *arg)
{
    struct trio *t = arg;

    t->lag_us = loop_lag(t->loop, loop_now(t->loop));
}

/* The referee's delay is not charged to a bot, while it lasts and no longer. */
Test(loop, what_is_left_of_long_turns_has_lagged_since_the_first, .timeout = 30)
{
    struct loop loop;
    struct trio t = {.loop = &loop, .deferred = {.run = count_turn, .arg = &t}};
    struct ringer r = {.loop = &loop};

    loop_init(&loop);
    t.begun_us = now_us();
    for (int i = 0; i < 3; i++) {
        t.event[i] = event_new(loop.base, -1, 0, i < 2 ? on_long : on_last, &t);
        event_active(t.event[i], 0, 0);
    }
    alarm_init(&r.alarm, on_ring, &r);
    loop_alarm(&loop, &r.alarm, now_us() + 200000);
    loop_run(&loop);
    cr_assert_eq(t.turns, 2);
    cr_assert_geq(t.lag_us, 120000);
    cr_assert_eq(t.left, 2);
    cr_assert_not(loop_has_left(&loop, now_us()));
    for (int i = 0; i < 3; i++)
        event_free(t.event[i]);
    loop_release(&loop);
}

/* A crowd that is too much: each answer comes when its deferred has been run.
 */
enum { CROWD = 8, CROWD_US = 2000000 };

struct crowd {
    struct loop *loop;
    int64_t begin_us, over_us; /* the most that was taken off a clock */
    struct member {
        struct crowd *crowd;
        struct deferred deferred;
        struct event *event;
        int ends[2];
        int64_t wrote_us;
    } member[CROWD];
};

static void member_answers(void *arg)
{
    struct member *m = arg;

    m->wrote_us = now_us();
    cr_assert_eq(write(m->ends[1], "x", 1), 1);
}

static void on_answer(evutil_socket_t fd, short what, void *arg)
{
    struct member *m = arg;
    struct crowd *c = m->crowd;
    int64_t now = loop_now(c->loop), lag = loop_lag(c->loop, now), over;
    char byte;

    cr_assert_eq(read(fd, &byte, 1), 1);
    over = lag - (now - m->wrote_us);
    c->over_us = over > c->over_us ? over : c->over_us;
    while (now_us() < now + 15000)
        continue;
    loop_later(c->loop, &m->deferred);
    if (now - c->begin_us > CROWD_US)
        loop_stop(c->loop);
}

/* It does not add up turn by turn: the clocks go on. */
Test(loop, the_lag_of_a_crowd_does_not_grow, .timeout = 60)
{
    struct loop loop;
    struct crowd c = {.loop = &loop, .begin_us = now_us()};

    loop_init(&loop);
    for (int i = 0; i < CROWD; i++) {
        struct member *m = &c.member[i];

        m->crowd = &c;
        m->deferred = (struct deferred){.run = member_answers, .arg = m};
        cr_assert_eq(pipe(m->ends), 0);
        m->event = event_new(loop.base, m->ends[0], EV_READ | EV_PERSIST,
                             on_answer, m);
        event_add(m->event, NULL);
        loop_later(&loop, &m->deferred);
    }
    loop_run(&loop);
    cr_assert_lt(c.over_us, (now_us() - c.begin_us) / 2);
    for (int i = 0; i < CROWD; i++)
        event_free(c.member[i].event);
    loop_release(&loop);
}

static bool has_slices(void)
{
    struct utsname u;
    int major, minor;

    return uname(&u) == 0 && sscanf(u.release, "%d.%d", &major, &minor) == 2 &&
           (major > 6 || (major == 6 && minor >= 12));
}

Test(loop, short_slices_are_not_passed_on, .timeout = 30)
{
    int64_t before = priority_slice_ns();
    bool is_usual = sched_getscheduler(0) == SCHED_OTHER;
    struct loop loop;
    int status;
    pid_t child;

    loop_init(&loop);
    if (has_slices() && is_usual)
        cr_assert_eq(priority_slice_ns(), 100000);
    child = fork();
    if (child == 0)
        _exit(priority_slice_ns() == before ? 0 : 1);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0,
              "a child got what the referee asked for");
    loop_release(&loop);
}

/* A line that comes while the loop waits, and how long it may have waited. */
struct waiter {
    struct loop *loop;
    struct event *event, *first;
    struct alarm alarm;
    int ends[2], go[2];
    int64_t lag_us, turn_us;
};

/* The loop is under way. */
static void on_first(evutil_socket_t fd, short what, void *arg)
{
    struct waiter *w = arg;

    loop_now(w->loop);
    cr_assert_eq(write(w->go[1], "\n", 1), 1);
}

static void on_byte(evutil_socket_t fd, short what, void *arg)
{
    struct waiter *w = arg;

    int64_t now = loop_now(w->loop);

    w->lag_us = loop_lag(w->loop, now);
    w->turn_us = now - w->loop->woke_us;
    loop_stop(w->loop);
}

static void on_nothing(void *arg)
{
}

static void waiter_init(struct waiter *w, struct loop *loop)
{
    loop_init(loop);
    *w = (struct waiter){.loop = loop, .lag_us = -1};
    alarm_init(&w->alarm, on_nothing, NULL);
    cr_assert(pipe(w->ends) == 0 && pipe(w->go) == 0);
    w->event =
        event_new(loop->base, w->ends[0], EV_READ | EV_PERSIST, on_byte, w);
    event_add(w->event, NULL);
    w->first = event_new(loop->base, -1, 0, on_first, w);
    event_active(w->first, 0, 0);
}

static void waiter_release(struct waiter *w)
{
    alarm_stop(w->loop, &w->alarm);
    event_free(w->event);
    event_free(w->first);
    for (int i = 0; i < 2; i++) {
        close(w->ends[i]);
        close(w->go[i]);
    }
    loop_release(w->loop);
}

enum { HOLD_US = 500000, RING_US = 100000 };

/* An answer that lies there while the referee is stopped is in time. */
Test(loop, what_holds_the_loop_up_beyond_an_alarm_is_lag, .timeout = 30)
{
    struct loop loop;
    struct waiter w;
    int64_t began, took;
    pid_t parent = getpid(), child;

    waiter_init(&w, &loop);
    began = now_us();
    loop_alarm(&loop, &w.alarm, began + RING_US);
    child = fork();
    if (child == 0) {
        char byte;
        bool ok = read(w.go[0], &byte, 1) == 1 && kill(parent, SIGSTOP) == 0 &&
                  write(w.ends[1], "\n", 1) == 1 && usleep(HOLD_US) == 0;

        kill(parent, SIGCONT);
        _exit(ok ? 0 : 1);
    }
    loop_run(&loop);
    took = now_us() - began;
    waitpid(child, NULL, 0);
    cr_assert_geq(took, HOLD_US);
    cr_assert_geq(w.lag_us, HOLD_US - RING_US - ALARM_STEP_US);
    cr_assert_leq(w.lag_us, took);
    waiter_release(&w);
}

static void on_wait_over(evutil_socket_t fd, short what, void *arg)
{
    struct waiter *w = arg;

    loop_alarm(w->loop, &w->alarm, now_us() - 10 * INT64_C(1000000));
    event_active(w->event, EV_READ, 0);
}

/* Whoever has answered then does not get that time for nothing. */
Test(loop, an_alarm_for_the_past_is_no_lag, .timeout = 30)
{
    static const struct timeval wait = {.tv_usec = 200000};
    struct loop loop;
    struct waiter w;
    struct event *timer;

    waiter_init(&w, &loop);
    timer = evtimer_new(loop.base, on_wait_over, &w);
    event_add(timer, &wait);
    loop_run(&loop);
    cr_assert_geq(w.lag_us, 0);
    cr_assert_leq(w.lag_us, w.turn_us + loop.busy_us);
    event_free(timer);
    waiter_release(&w);
}

/* Answers that come while one event takes long. */
enum { ANSWERS_MAX = 300 };

struct exam {
    struct loop *loop;
    int ends[ANSWERS_MAX][2];
    int answers, seen;
    int64_t busy_us, each_us, answered_us, worst_us;
};

static void on_long_event(evutil_socket_t fd, short what, void *arg)
{
    struct exam *e = arg;
    int64_t now = loop_now(e->loop);

    for (int i = 0; i < e->answers; i++)
        cr_assert_eq(write(e->ends[i][1], "\n", 1), 1);
    e->answered_us = now_us();
    while (loop_now(e->loop) < now + e->busy_us)
        continue;
}

static void on_one_answer(evutil_socket_t fd, short what, void *arg)
{
    struct exam *e = arg;
    int64_t now = loop_now(e->loop);
    int64_t charged = now - loop_lag(e->loop, now) - e->answered_us;
    char byte;

    cr_assert_eq(read(fd, &byte, 1), 1);
    if (charged > e->worst_us)
        e->worst_us = charged;
    while (loop_now(e->loop) < now + e->each_us)
        continue;
    if (++e->seen == e->answers)
        loop_stop(e->loop);
}

static int64_t charge_one(int answers, int64_t busy_us, int64_t each_us)
{
    static struct exam e;
    struct event *can_read[ANSWERS_MAX], *busy;
    struct loop loop;

    e = (struct exam){.loop = &loop,
                      .answers = answers,
                      .busy_us = busy_us,
                      .each_us = each_us};
    loop_init(&loop);
    for (int i = 0; i < answers; i++) {
        cr_assert_eq(pipe(e.ends[i]), 0);
        can_read[i] = event_new(loop.base, e.ends[i][0], EV_READ | EV_PERSIST,
                                on_one_answer, &e);
        event_add(can_read[i], NULL);
    }
    busy = event_new(loop.base, -1, 0, on_long_event, &e);
    event_active(busy, 0, 0);
    loop_run(&loop);
    cr_assert_eq(e.seen, answers);
    for (int i = 0; i < answers; i++) {
        event_free(can_read[i]);
        close(e.ends[i][0]);
        close(e.ends[i][1]);
    }
    event_free(busy);
    loop_release(&loop);
    return e.worst_us;
}

/* A loop that loses the processor just then cannot know that it did not wait.
 */
static int64_t charged_at_worst(int answers, int64_t busy_us, int64_t each_us)
{
    int64_t charged = 1;

    for (int tries = 0; charged > 0 && tries < 5; tries++)
        charged = charge_one(answers, busy_us, each_us);
    return charged;
}

/* libevent takes 32 events at a time: the others come with a later turn. */
Test(loop, more_answers_than_libevent_takes_at_once_are_not_charged,
     .timeout = 30)
{
    static const int answers[] = {20, 40, 100, ANSWERS_MAX};

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        for (int64_t busy_us = 20000; busy_us <= 200000; busy_us *= 10)
            cr_expect_eq(charged_at_worst(answers[i], busy_us, 0), 0,
                         "%d answers, %d ms", answers[i], (int)busy_us / 1000);
}

/* What a full turn has not seen may have been there, turn after turn. */
Test(loop, answers_that_several_turns_cannot_see_are_not_charged, .timeout = 60)
{
    cr_assert_eq(charged_at_worst(ANSWERS_MAX, 20000, 2000), 0);
}

/* Events that make turns too long, and an answer in the midst of them. */
enum { LONG_EVENTS = 40, LONG_US = 30000 };

struct chain {
    struct loop *loop;
    struct event *event[LONG_EVENTS], *can_read;
    int64_t long_us;
    int ends[2], answers_at, seen;
    int64_t woke_us, before_us; /* the turn of the answer, and the one before */
    int64_t answered_us;
    int64_t ready_us; /* as the loop says */
};

static void on_link(evutil_socket_t fd, short what, void *arg)
{
    struct chain *c = arg;
    int64_t now = loop_now(c->loop);

    if (c->seen <= c->answers_at && c->loop->woke_us > c->woke_us) {
        c->before_us = c->woke_us;
        c->woke_us = c->loop->woke_us;
    }
    if (c->seen++ == c->answers_at) {
        cr_assert_eq(write(c->ends[1], "\n", 1), 1);
        c->answered_us = now_us();
    }
    while (loop_now(c->loop) < now + c->long_us)
        continue;
}

static void on_end_of_chain(evutil_socket_t fd, short what, void *arg)
{
    struct chain *c = arg;
    int64_t now = loop_now(c->loop);

    c->ready_us = now - loop_lag(c->loop, now);
    loop_stop(c->loop);
}

static struct chain answer_in_chain(int events, int64_t long_us, int answers_at)
{
    struct loop loop;
    struct chain c = {
        .loop = &loop, .long_us = long_us, .answers_at = answers_at};

    loop_init(&loop);
    cr_assert_eq(pipe(c.ends), 0);
    c.can_read = event_new(loop.base, c.ends[0], EV_READ, on_end_of_chain, &c);
    event_add(c.can_read, NULL);
    for (int i = 0; i < events; i++) {
        c.event[i] = event_new(loop.base, -1, 0, on_link, &c);
        event_active(c.event[i], 0, 0);
    }
    loop_run(&loop);
    cr_assert_eq(c.seen, events);
    cr_assert_leq(c.ready_us, c.answered_us, "it was charged");
    for (int i = 0; i < events; i++)
        event_free(c.event[i]);
    event_free(c.can_read);
    close(c.ends[0]);
    close(c.ends[1]);
    loop_release(&loop);
    return c;
}

/* But with the turn in which it came. */
Test(loop, an_answer_after_some_long_turns_is_not_credited_with_all,
     .timeout = 30)
{
    struct chain c = answer_in_chain(10, LONG_US, 7);

    cr_assert_geq(c.ready_us, c.woke_us);
}

/* However many turns the loop has to tell apart. */
Test(loop, an_answer_after_many_long_turns_is_not_credited_with_all,
     .timeout = 30)
{
    struct chain c = answer_in_chain(LONG_EVENTS, 2 * LONG_US, LONG_EVENTS - 3);

    cr_assert_geq(c.ready_us, c.before_us);
}

/* More than libevent calls in one round: it keeps the rest for the next. */
enum { PAIRS = 40 };

struct pairs {
    struct loop *loop;
    struct bufferevent *end[PAIRS][2];
    int read;
};

static void on_too_long(evutil_socket_t fd, short what, void *arg)
{
    struct pairs *p = arg;
    int64_t now = loop_now(p->loop);

    while (loop_now(p->loop) < now + 2 * LONG_US)
        continue;
}

static void on_write_all(evutil_socket_t fd, short what, void *arg)
{
    struct pairs *p = arg;

    for (int i = 0; i < PAIRS; i++)
        bufferevent_write(p->end[i][0], "\n", 1);
}

static void on_read_one(struct bufferevent *end, void *arg)
{
    struct pairs *p = arg;

    if (++p->read == PAIRS)
        loop_stop(p->loop);
}

Test(loop, what_libevent_keeps_for_later_does_not_hang_it, .timeout = 30)
{
    struct loop loop;
    struct pairs p = {.loop = &loop};
    struct event *first, *second;

    loop_init(&loop);
    for (int i = 0; i < PAIRS; i++) {
        cr_assert_eq(
            bufferevent_pair_new(loop.base, BEV_OPT_DEFER_CALLBACKS, p.end[i]),
            0);
        bufferevent_setcb(p.end[i][1], on_read_one, NULL, NULL, &p);
        bufferevent_enable(p.end[i][1], EV_READ);
    }
    first = event_new(loop.base, -1, 0, on_too_long, &p);
    second = event_new(loop.base, -1, 0, on_write_all, &p);
    event_active(first, 0, 0);
    event_active(second, 0, 0);
    loop_run(&loop);
    cr_assert_eq(p.read, PAIRS);
    event_free(first);
    event_free(second);
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < 2; k++)
            bufferevent_free(p.end[i][k]);
    event_base_loop(loop.base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
    loop_release(&loop);
}
