/*
 * The CPU time of trees of processes, against what these say themselves.
 *
 * Nothing hangs on how fast the machine is: all bounds are shares of what was
 * used, or what a meter may miss.
 */

#include "run/meter.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICKS_US = 20000 }; /* that the kernel rounds off, user and system */

static int64_t clock_us(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t cpu_us(void)
{
    return clock_us(CLOCK_PROCESS_CPUTIME_ID);
}

static int64_t usage_us(int who)
{
    struct rusage u;

    getrusage(who, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
           u.ru_utime.tv_usec + u.ru_stime.tv_usec;
}

static void burn_us(int64_t us)
{
    int64_t end = cpu_us() + us;

    while (cpu_us() < end)
        continue;
}

/* Bots: each returns what it and all that it started have used. */

static int64_t own_and_waited_us(void)
{
    return usage_us(RUSAGE_SELF) + usage_us(RUSAGE_CHILDREN);
}

static void fork_and_burn(int64_t us)
{
    if (fork() == 0) {
        burn_us(us);
        _exit(0);
    }
}

static int64_t burn_alone(void)
{
    burn_us(50000);
    return own_and_waited_us();
}

static int64_t wait_for_each(void)
{
    for (int i = 0; i < 100; i++) {
        fork_and_burn(200 + i % 7 * 500);
        wait(NULL);
    }
    return own_and_waited_us();
}

/* Several generations at once, all of which wait, at all times. */
static int64_t wait_in_crowd(void)
{
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            for (int k = 0; k < 25; k++) {
                fork_and_burn(100 + (i + k) % 5 * 400);
                burn_us(300);
                wait(NULL);
            }
            _exit(0);
        }
    while (wait(NULL) > 0)
        continue;
    return own_and_waited_us();
}

/* The next starts when the last has told what it used. */
static int64_t burn_in_turn(int count, int64_t us)
{
    int64_t sum = 0, used;
    int ends[2];

    if (pipe(ends) == -1)
        _exit(1);
    for (int i = 0; i < count; i++) {
        if (fork() == 0) {
            burn_us(us);
            used = cpu_us();
            _exit(write(ends[1], &used, sizeof used) == -1);
        }
        if (read(ends[0], &used, sizeof used) == sizeof used)
            sum += used;
    }
    return sum + cpu_us();
}

static int64_t ignore_all(void)
{
    signal(SIGCHLD, SIG_IGN);
    return burn_in_turn(10, 20000);
}

static void wake_up(int number)
{
}

static int64_t wait_for_none(void)
{
    const struct sigaction action = {.sa_handler = wake_up,
                                     .sa_flags = SA_NOCLDWAIT | SA_RESTART};

    sigaction(SIGCHLD, &action, NULL);
    return burn_in_turn(4, 50000);
}

/* In the memory of its parent it has no page faults of its own. */

static int ends_of_shared[2];

static int burn_and_tell(void *arg)
{
    int64_t used;

    burn_us(50000);
    used = cpu_us();
    _exit(write(ends_of_shared[1], &used, sizeof used) == -1);
}

static int64_t share_memory(void)
{
    static _Alignas(16) char stack[4][64 * 1024];
    int64_t sum = 0, used;

    memset(stack, 1, sizeof stack);
    signal(SIGCHLD, SIG_IGN);
    if (pipe(ends_of_shared) == -1)
        _exit(1);
    for (int i = 0; i < 4; i++) {
        clone(burn_and_tell, stack[i] + sizeof stack[i], CLONE_VM | SIGCHLD,
              NULL);
        if (read(ends_of_shared[0], &used, sizeof used) == sizeof used)
            sum += used;
    }
    return sum + cpu_us();
}

/* First some that were waited for: they must not pay for the others. */
static int64_t wait_then_ignore(void)
{
    int64_t waited;

    for (int i = 0; i < 4; i++) {
        fork_and_burn(30000);
        wait(NULL);
    }
    waited = usage_us(RUSAGE_CHILDREN);
    return waited + ignore_all();
}

/* The grandchildren become the root's, which waits for them. */
static int64_t leave_orphans(void)
{
    int64_t used = 0;
    int ends[2];

    if (pipe(ends) == -1)
        _exit(1);
    for (int i = 0; i < 4; i++) {
        int64_t more;

        if (fork() == 0) {
            if (fork() == 0) {
                setsid();
                burn_us(40000);
                more = cpu_us();
                _exit(write(ends[1], &more, sizeof more) == -1);
            }
            _exit(0);
        }
        wait(NULL);
        if (read(ends[0], &more, sizeof more) == sizeof more)
            used += more;
    }
    return used + own_and_waited_us();
}

/* What the meter says at the end, and what the bot says. */
struct reading {
    int64_t metered_us, used_us;
};

/* Like a guard: it waits for all that become its children. */
static void become_root(int64_t (*bot)(void), int out)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (fork() == 0) {
        int64_t used;

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        used = bot();
        if (write(out, &used, sizeof used) == -1)
            _exit(1);
        pause();
    }
    while (wait(NULL) > 0)
        continue;
    _exit(0);
}

static bool has_told(int in, int64_t *used)
{
    return read(in, used, sizeof *used) == sizeof *used;
}

static struct reading measure(int64_t (*bot)(void), bool closely)
{
    struct meter *meter = meter_new();
    struct reading r = {0};
    int ends[2];
    pid_t root;

    cr_assert(pipe2(ends, O_NONBLOCK) == 0);
    root = fork();
    if (root == 0)
        become_root(bot, ends[1]);
    while (!has_told(ends[0], &r.used_us)) {
        if (closely)
            meter_read_us(meter, root);
        else
            meter_watch(meter, root);
        usleep(METER_WATCH_US);
    }
    r.metered_us = meter_read_us(meter, root);
    kill(root, SIGKILL);
    waitpid(root, NULL, 0);
    meter_free(meter);
    close(ends[0]);
    close(ends[1]);
    return r;
}

/*
 * Never more than was used, but for the last steps after it was told. It may
 * be less where a busy machine kept this process from looking in time: then
 * try again.
 */
static void expect(int64_t (*bot)(void), int percent, const char *name)
{
    enum { TRIES = 20 };

    for (int closely = 0; closely < 2; closely++) {
        struct reading r = {0};
        bool has_seen = false;

        for (int i = 0; i < TRIES && !has_seen; i++) {
            r = measure(bot, closely);
            cr_expect_leq(r.metered_us, r.used_us * 11 / 10 + 5000,
                          "%s: %ld us of %ld", name, (long)r.metered_us,
                          (long)r.used_us);
            has_seen = r.metered_us + TICKS_US >= r.used_us * percent / 100;
        }
        cr_expect(has_seen, "%s: %ld us of %ld", name, (long)r.metered_us,
                  (long)r.used_us);
    }
}

Test(meter, counts_a_process_alone)
{
    expect(burn_alone, 100, "alone");
}

Test(meter, counts_those_that_are_waited_for_once)
{
    expect(wait_for_each, 95, "one by one");
    expect(wait_in_crowd, 95, "a crowd");
}

Test(meter, counts_orphans_once)
{
    expect(leave_orphans, 95, "orphans");
}

/* Each may have used something since it was last seen. */
Test(meter, counts_those_that_nobody_waits_for)
{
    expect(ignore_all, 60, "SIGCHLD ignored");
    expect(wait_for_none, 60, "SA_NOCLDWAIT");
    expect(wait_then_ignore, 60, "first waited for");
    expect(share_memory, 60, "in shared memory");
}

/* Between two readings a process ends, then its child, now the root's. */

struct shared {
    _Atomic int stage;
    _Atomic int64_t used_us;
    pid_t child, grandchild;
};

static struct shared *shared;

static void reach(int stage)
{
    shared->stage = stage;
}

static void wait_for(int stage)
{
    while (shared->stage != stage)
        usleep(500);
}

static void burn_and_stay(void)
{
    burn_us(40000);
    shared->used_us += cpu_us();
    alarm(60); /* should the test fail */
    for (;;)
        pause();
}

static void have_grandchild(void)
{
    pid_t pid = fork();

    if (pid > 0) {
        shared->child = pid;
        return;
    }
    pid = fork();
    if (pid > 0)
        shared->grandchild = pid;
    burn_and_stay();
}

static void end_one_after_the_other(void)
{
    kill(shared->child, SIGKILL);
    waitpid(shared->child, NULL, 0);
    kill(shared->grandchild, SIGKILL);
    while (kill(shared->grandchild, 0) == 0)
        usleep(500);
}

static int64_t lose_both(void)
{
    have_grandchild();
    while (shared->used_us < 80000)
        usleep(500);
    reach(1);
    wait_for(2);
    end_one_after_the_other();
    reach(3);
    pause();
    return 0;
}

Test(meter, counts_a_chain_that_ends_at_once_only_once)
{
    struct meter *meter = meter_new();
    int64_t alive, dead;
    pid_t root;

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(shared != MAP_FAILED);
    root = fork();
    if (root == 0)
        become_root(lose_both, -1);
    wait_for(1);
    alive = meter_read_us(meter, root);
    reach(2);
    wait_for(3);
    dead = meter_read_us(meter, root);
    cr_expect_geq(alive, shared->used_us);
    cr_expect_geq(dead, alive);
    cr_expect_leq(dead, alive + 20000, "%ld us, then %ld", (long)alive,
                  (long)dead);
    kill(root, SIGKILL);
    waitpid(root, NULL, 0);
    meter_free(meter);
}

Test(meter, never_goes_back)
{
    struct meter *meter = meter_new();
    int64_t last = 0;
    pid_t root = fork();

    if (root == 0) {
        signal(SIGCHLD, SIG_IGN);
        for (;;)
            fork_and_burn(2000), usleep(1000);
    }
    for (int i = 0; i < 50; i++) {
        int64_t us = meter_read_us(meter, root);

        cr_expect_geq(us, last);
        last = us;
        usleep(2000);
    }
    kill(root, SIGKILL);
    waitpid(root, NULL, 0);
    cr_expect_eq(meter_read_us(meter, root), last, "with nobody to look at");
    meter_free(meter);
}
