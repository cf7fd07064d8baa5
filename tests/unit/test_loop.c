/* Alarms of the event loop. */

#include "host/loop.h"

#include <criterion/criterion.h>

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

static void on_errand(void *arg)
{
    loop_stop(arg);
}

/* It waited for one more event, which need not come. */
Test(loop, an_errand_can_stop_the_loop, .timeout = 30)
{
    struct loop loop;
    struct errand errand = {.run = on_errand, .arg = &loop};
    struct ringer r = {.loop = &loop};

    loop_init(&loop);
    alarm_init(&r.alarm, on_ring, &r);
    loop_alarm(&loop, &r.alarm, now_us() + 3600 * INT64_C(1000000));
    loop_later(&loop, &errand);
    loop_run(&loop);
    cr_assert_eq(r.rings, 0);
    loop_release(&loop);
}

/* INT64_MAX, for none, was rounded up to the grid: a signed overflow. */
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
