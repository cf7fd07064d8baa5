#include "run/children.h"

#include "base/alloc.h"
#include "run/loop.h"
#include "run/tree.h"
#include "run/walls/cell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ROUND_MAX = 512, /* processes per call, so that no game has to wait long */
    /* in a round: catches a process that forks forever between two forks */
    LOOKS = 8,
    FIRST_PAUSE_US = 1000, /* doubled after each round, up to ... */
    /* ... this, or such processes would exhaust all process numbers */
    LAST_PAUSE_US = 8000,
    /* the kernel's list may miss a process while others end */
    EMPTY_ROUNDS = 2,
    /* a process that is alive after this long cannot be ended */
    SWEEP_LIMIT_US = 10000000
};

/* The position of a member, or where it belongs. */
static int place_of(const struct children *k, pid_t pid)
{
    int low = 0, high = k->count;

    while (low < high) {
        int middle = (low + high) / 2;

        if (k->member[middle] < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_member(const struct children *k, pid_t pid)
{
    int place = place_of(k, pid);

    return place < k->count && k->member[place] == pid;
}

/*
 * Kill our own children that belong to nobody, and reap those that have ended.
 * A process that forks forever produces them faster than anybody can list the
 * descendants of each. False if there were none at all.
 */
static bool look_for_strays(const struct children *k)
{
    int found = 0, living = 0;

    k->tree->count = 0;
    tree_add_children(k->tree, getpid());
    for (int i = 0; i < k->tree->count; i++) {
        if (is_member(k, k->tree->pid[i]))
            continue;
        found++;
        if (waitpid(k->tree->pid[i], NULL, WNOHANG) == 0)
            k->tree->pid[living++] = k->tree->pid[i];
    }
    k->tree->count = living;
    return found > 0;
}

/*
 * Only our own children can be reaped. The others become our children when
 * their parent dies.
 */
static void reap(const struct children *k)
{
    for (int i = 0; i < k->tree->count; i++)
        waitpid(k->tree->pid[i], NULL, WNOHANG);
}

/* False if there were no such processes. */
static bool end_strays(const struct children *k)
{
    if (!look_for_strays(k))
        return false;
    tree_end(k->tree, ROUND_MAX);
    reap(k);
    return true;
}

static bool is_over(struct children *k)
{
    if (k->empty_rounds == EMPTY_ROUNDS)
        return true;
    if (k->swept_us < SWEEP_LIMIT_US)
        return false;
    fprintf(stderr, "referee: %d processes of bots cannot be ended\n",
            k->tree->count);
    return true;
}

/* One round. True if there must be another, after a pause. */
static bool sweep(struct children *k)
{
    int looks = 0;

    while (looks < LOOKS && end_strays(k))
        looks++;
    k->empty_rounds = looks > 0 ? 0 : k->empty_rounds + 1;
    if (is_over(k))
        return false;
    k->swept_us += k->pause_us;
    k->pause_us =
        2 * k->pause_us < LAST_PAUSE_US ? 2 * k->pause_us : LAST_PAUSE_US;
    return true;
}

static void on_round(evutil_socket_t fd, short what, void *arg)
{
    struct children *k = arg;
    const struct timeval pause = {0, k->pause_us};

    loop_now(k->loop); /* because this may take long */
    if (sweep(k))
        event_add(k->next_round, &pause);
}

void children_init(struct children *k, struct loop *loop)
{
    *k = (struct children){.loop = loop,
                           .tree = must_alloc(calloc(1, sizeof *k->tree)),
                           .next_round = evtimer_new(loop->base, on_round, k)};
    if (!k->next_round)
        abort();
    /* if SIGCHLD were ignored, no child could be reaped */
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    k->tree->count = 0;
    tree_add_children(k->tree, getpid());
    for (int i = 0; i < k->tree->count; i++)
        children_add(k, k->tree->pid[i]);
}

void children_end_guard(struct children *k, const struct idle_guard *guard)
{
    close(guard->control);
    /* a guard with walls cleans up */
    kill(guard->pid, guard->cell ? SIGCONT : SIGKILL);
    waitpid(guard->pid, NULL, 0);
    children_remove(k, guard->pid);
    cell_free(guard->cell);
}

void children_keep(struct children *k, const struct idle_guard *guard)
{
    if (k->idle_count == IDLE_GUARDS_MAX) {
        children_end_guard(k, &k->idle[0]);
        memmove(k->idle, k->idle + 1,
                (size_t)--k->idle_count * sizeof *k->idle);
    }
    k->idle[k->idle_count++] = *guard;
}

bool children_reuse(struct children *k, const void *whose,
                    struct idle_guard *guard)
{
    for (int i = 0; i < k->idle_count; i++)
        if (k->idle[i].whose == whose) {
            *guard = k->idle[i];
            k->idle_count--;
            memmove(k->idle + i, k->idle + i + 1,
                    (size_t)(k->idle_count - i) * sizeof *k->idle);
            return true;
        }
    return false;
}

void children_end_idle(struct children *k)
{
    while (k->idle_count > 0)
        children_end_guard(k, &k->idle[--k->idle_count]);
}

void children_release(struct children *k)
{
    bool sweeps = event_pending(k->next_round, EV_TIMEOUT, NULL);

    children_end_idle(k);
    event_free(k->next_round);
    while (sweeps && sweep(k))
        usleep((useconds_t)k->pause_us);
    free(k->member);
    free(k->tree);
    *k = (struct children){0};
}

void children_add(struct children *k, pid_t pid)
{
    int place;

    if (k->count == k->room) {
        k->room = k->room ? 2 * k->room : 16;
        k->member =
            must_alloc(realloc(k->member, (size_t)k->room * sizeof *k->member));
    }
    place = place_of(k, pid);
    memmove(k->member + place + 1, k->member + place,
            (size_t)(k->count++ - place) * sizeof *k->member);
    k->member[place] = pid;
}

void children_remove(struct children *k, pid_t pid)
{
    int place = place_of(k, pid);

    if (!is_member(k, pid))
        return;
    memmove(k->member + place, k->member + place + 1,
            (size_t)(--k->count - place) * sizeof *k->member);
}

void children_sweep(struct children *k)
{
    k->empty_rounds = 0;
    k->pause_us = FIRST_PAUSE_US;
    k->swept_us = 0;
    on_round(-1, 0, k);
}
