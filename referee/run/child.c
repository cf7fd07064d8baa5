#include "run/child.h"

#include "base/alloc.h"
#include "run/cores.h"
#include "run/guard.h"
#include "run/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOTHING_TO_WATCH_US = 1000000 };

static void close_all(int *fd, int count)
{
    for (int i = 0; i < count; i++)
        if (fd[i] != -1)
            close(fd[i]);
}

/* fd[0..2] are the bot's ends, fd[3..5] are ours. */
static bool open_pipes(int fd[2 * GUARD_ENDS])
{
    int in[2], out[2], error[2];

    memset(fd, -1, 2 * GUARD_ENDS * sizeof *fd);
    if (pipe2(in, O_CLOEXEC) == -1)
        return false;
    fd[0] = in[0], fd[3] = in[1];
    if (pipe2(out, O_CLOEXEC) == -1)
        return false;
    fd[1] = out[1], fd[4] = out[0];
    if (pipe2(error, O_CLOEXEC) == -1)
        return false;
    fd[2] = error[1], fd[5] = error[0];
    for (int i = 3; i < 6; i++)
        if (fcntl(fd[i], F_SETFL, O_NONBLOCK) == -1)
            return false;
    return true;
}

/* The bot may have stopped the guard. */
static bool wake_guard(const struct idle_guard *guard, const int *ends)
{
    char order = GUARD_START;

    kill(guard->pid, SIGCONT);
    return guard_send(guard->control, &order, 1, ends, GUARD_ENDS);
}

/*
 * Hand the pipe ends of a new bot to an idle guard. A guard that does not
 * answer is abandoned.
 */
static bool use_idle_guard(struct children *children,
                           const struct child_config *config, const int *ends,
                           struct idle_guard *guard)
{
    while (config->restarts && children_reuse(children, config->argv, guard)) {
        guard_keep_to(guard->pid, config);
        if (wake_guard(guard, ends))
            return true;
        children_end_guard(children, guard);
    }
    return false;
}

static bool fork_guard(struct children *children,
                       const struct child_config *config, struct cell *walled,
                       int *ends, struct idle_guard *guard)
{
    int control[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) == -1)
        return false;
    *guard = (struct idle_guard){
        .pid = fork(), .control = control[0], .cell = walled};
    if (guard->pid == 0)
        guard_run(config, walled, children->in_crowd, ends, control[1]);
    close(control[1]);
    if (guard->pid == -1) {
        close(control[0]);
        return false;
    }
    children_add(children, guard->pid);
    return true;
}

static bool make_guard(struct children *children,
                       const struct child_config *config, int *ends,
                       struct idle_guard *guard)
{
    struct cell *walled = NULL;
    struct err err;

    if (config->walls) {
        walled = must_alloc(malloc(sizeof *walled));
        if (!cell_open(walled, config->walls, &err)) {
            free(walled);
            return false;
        }
    }
    if (fork_guard(children, config, walled, ends, guard))
        return true;
    cell_free(walled);
    return false;
}

/* Make pipes, and a guard that has the bot's ends. */
static bool open_guarded(struct children *children,
                         const struct child_config *config,
                         int fd[2 * GUARD_ENDS], struct idle_guard *guard)
{
    int error;

    if (open_pipes(fd) && (use_idle_guard(children, config, fd, guard) ||
                           make_guard(children, config, fd, guard)))
        return true;
    error = errno;
    close_all(fd, 2 * GUARD_ENDS);
    errno = error;
    return false;
}

/* The control group of a walled bot counts everything. -1: there is none. */
static int64_t group_cpu_us(const struct child *child)
{
    return child->cell ? cgroup_cpu_us(&child->cell->cgroup) : -1;
}

bool child_start(struct child *child, struct children *children,
                 const struct child_config *config, struct err *err)
{
    int fd[2 * GUARD_ENDS];
    struct child_config placed = *config;
    struct core_share rest;
    struct idle_guard guard;

    if (!config->processors && children->cores) {
        cores_take(children->cores, 0, &rest);
        placed.processors = &rest.set;
    }
    if (!open_guarded(children, &placed, fd, &guard)) {
        /* Idle guards take descriptors and processes, too. */
        children_end_idle(children);
        if (!open_guarded(children, &placed, fd, &guard))
            return fail(err, "no process for %s: %s", config->argv[0],
                        strerror(errno));
    }
    close_all(fd, GUARD_ENDS);
    *child = (struct child){.children = children,
                            .guard = guard.pid,
                            .cell = guard.cell,
                            .listener = -1,
                            .to = fd[3],
                            .from = fd[4],
                            .error = fd[5],
                            .control = guard.control,
                            .argv = config->argv};
    if (config->counts_cpu && group_cpu_us(child) == -1)
        child->meter = meter_new();
    return true;
}

/*
 * A guard exits by itself once it has no descendants. Otherwise it was killed.
 */
static enum child_news bury_guard(struct child *child)
{
    int status = -1;

    /* it has closed everything: it is dying */
    waitpid(child->guard, &status, 0);
    children_remove(child->children, child->guard);
    child->guard = -1;
    if (!WIFEXITED(status)) {
        child->is_orphan = true;
        children_sweep(child->children);
    }
    return CHILD_GONE;
}

static ssize_t receive(struct child *child, struct guard_message *message)
{
    int fd[GUARD_ENDS];
    size_t count;
    ssize_t n = guard_receive(child->control, MSG_DONTWAIT | MSG_CMSG_CLOEXEC,
                              message, sizeof *message, fd, &count);

    if (count == 1 && message->news == CHILD_WALLED && child->listener == -1)
        child->listener = fd[0];
    else if (count == 1 && message->news == CHILD_NOTHING && child->meter)
        child->meter->counter = fd[0];
    else
        close_all(fd, (int)count);
    return n;
}

enum child_news child_news(struct child *child, int *error)
{
    struct guard_message message;
    ssize_t n = receive(child, &message);

    if (n == -1)
        return CHILD_NOTHING;
    if (n == 0)
        return bury_guard(child);
    if (message.news == CHILD_EXITED && !child->has_exited) {
        child->has_exited = true; /* process 1 of a namespace dies with it */
        child->status = message.value;
    }
    if (message.news == CHILD_EXCEEDED)
        child->exceeded = (enum cell_limit)message.value;
    child->is_idle = message.news == CHILD_GONE;
    *error = message.value;
    return message.news;
}

/* The bot may have stopped its guard. */
static void order(struct child *child, char what)
{
    ssize_t ignored =
        send(child->control, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)ignored;
    if (child->guard > 0)
        kill(child->guard, SIGCONT);
}

void child_terminate(struct child *child)
{
    order(child, GUARD_TERMINATE);
}

void child_kill(struct child *child)
{
    order(child, GUARD_KILL);
}

/* Without a control group, stop all processes that can be found. */
void child_freeze(const struct child *child, bool frozen)
{
    if (child->cell && cgroup_freeze(&child->cell->cgroup, frozen))
        return;
    if (child->guard <= 0)
        return;
    tree_look(child->children->tree, child->guard);
    tree_signal(child->children->tree, frozen ? SIGSTOP : SIGCONT);
}

/* The limit that the guard reported, or that the kernel counted. */
enum cell_limit child_exceeded(const struct child *child)
{
    if (child->exceeded || !child->cell)
        return child->exceeded;
    return cgroup_exceeded(&child->cell->cgroup);
}

void child_abandon(struct child *child)
{
    if (child->guard > 0)
        kill(child->guard, SIGKILL);
}

int64_t child_cpu_us(const struct child *child)
{
    if (!child->meter) {
        int64_t us = group_cpu_us(child);

        return us > 0 ? us : 0;
    }
    if (child->guard == -1)
        return child->meter->used_us;
    return meter_read_us(child->meter, child->guard);
}

int64_t child_watch_cpu(const struct child *child)
{
    if (!child->meter)
        return NOTHING_TO_WATCH_US;
    if (child->guard == -1)
        return METER_WATCH_US;
    return meter_watch(child->meter, child->guard);
}

/* A guard that is still alive is ended with the leftover processes. */
void child_close(struct child *child)
{
    int fd[] = {child->to, child->from, child->error, child->listener,
                child->control};

    if (child->is_idle) {
        children_keep(child->children,
                      &(struct idle_guard){child->guard, child->control,
                                           child->argv, child->cell});
        child->guard = fd[4] = -1;
        child->cell = NULL;
    }
    close_all(fd, 5);
    child->to = child->from = child->error = child->control = -1;
    child->listener = -1;
    meter_free(child->meter);
    child->meter = NULL;
    cell_free(child->cell);
    child->cell = NULL;
    if (child->guard <= 0)
        return;
    children_remove(child->children, child->guard);
    child->guard = -1;
    children_sweep(child->children);
}
