#include "host/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* An epoll_wait() that returns sooner than this had its events waiting. */
enum { AT_ONCE_US = 20 };

int64_t now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

void loop_init(struct loop *loop)
{
    /*
     * Not with EVENT_BASE_FLAG_PRECISE_TIMER, which is one more system call for
     * every move. Without it a timer goes off some milliseconds too early or
     * too late; no verdict hangs on that, for answers are measured by stamps.
     */
    *loop = (struct loop){.base = event_base_new()};
    if (!loop->base) {
        fputs("referee: libevent does not start\n", stderr);
        abort();
    }
    TAILQ_INIT(&loop->errands);
    kin_init(&loop->kin, loop->base);
}

void loop_release(struct loop *loop)
{
    kin_release(&loop->kin);
    event_base_free(loop->base);
    loop->base = NULL;
}

void loop_later(struct loop *loop, struct errand *errand)
{
    if (errand->waits)
        return;
    errand->waits = true;
    TAILQ_INSERT_TAIL(&loop->errands, errand, link);
}

void loop_cancel(struct loop *loop, struct errand *errand)
{
    if (errand->waits)
        TAILQ_REMOVE(&loop->errands, errand, link);
    errand->waits = false;
}

static void run_errands(struct loop *loop)
{
    struct errand *errand;

    while ((errand = TAILQ_FIRST(&loop->errands)) != NULL) {
        loop_cancel(loop, errand);
        errand->run(errand->arg);
    }
}

void loop_run(struct loop *loop)
{
    int64_t woke;

    loop->stop = false;
    while (!loop->stop) {
        run_errands(loop);
        woke = loop->woke_us;
        loop->asked_us = now_us();
        loop->busy_us = woke ? loop->asked_us - woke : 0;
        loop->woke_us = 0;
        if (event_base_loop(loop->base, EVLOOP_ONCE) != 0)
            return;
    }
    run_errands(loop);
}

void loop_stop(struct loop *loop)
{
    loop->stop = true;
    event_base_loopbreak(loop->base);
}

int64_t loop_now(struct loop *loop)
{
    int64_t now = now_us();

    if (!loop->woke_us)
        loop->woke_us = now;
    return now;
}

int64_t loop_lag(const struct loop *loop, int64_t now)
{
    int64_t lag = now - loop->woke_us;

    if (loop->woke_us - loop->asked_us < AT_ONCE_US)
        lag += loop->busy_us;
    return lag;
}
