#include "run/child.h"

#include "base/alloc.h"
#include "run/priority.h"
#include "run/tree.h"
#include "run/walls/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    CONTROL_FD = 3, /* in the guard, as are: */
    /* the descriptors of its walls for files, if there are any */
    RULES_FD = 4,
    FIRST_END = 5,       /* the bot's ends of its pipes */
    ROUND_US = 1000,     /* between two rounds of killing ... */
    FIRST_ROUND_US = 60, /* ... but less at first, doubled each time */
    SHORT_ROUNDS = 4,
    KILL_ROUNDS = 5000, /* then the guard gives up */
    NOTHING_TO_WATCH_US = 1000000,
    BUSY_TRIES = 1000, /* to run a program that is open for writing */
    BUSY_PAUSE_US = 500,
};

/* Messages from the guard to the referee and back. A counter may come along. */
struct message {
    enum child_news news;
    int value;
};

enum order { TERMINATE = 'T', KILL = 'K', START = 'S' };

enum {
    ENDS = 3,          /* of pipes, that a bot gets */
    PLACES = ENDS + 2, /* with the control and the rules */
};

/* The guard. */

static pid_t bot_pid;
static struct tree tree;  /* scratch space */
static struct cell *cell; /* NULL: no walls */

static void tell_referee(enum child_news news, int value)
{
    struct message message = {news, value};
    ssize_t ignored =
        send(CONTROL_FD, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)ignored;
}

/* Reap what has ended. False if no descendant is left. */
static bool reap(void)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == bot_pid)
            tell_referee(CHILD_EXITED, status);
    return pid == 0;
}

/* Repeat until nobody is left. */
static void kill_tree(void)
{
    if (cell)
        cell_thaw(cell);
    for (int round = 0; reap() && round < KILL_ROUNDS; round++) {
        tree.count = 0;
        tree_add_children(&tree, getpid());
        tree_end(&tree, TREE_MAX);
        usleep(round < SHORT_ROUNDS ? FIRST_ROUND_US << round : ROUND_US);
    }
}

static void obey(char order)
{
    if (order == KILL) {
        kill_tree();
        return;
    }
    tree_look(&tree, getpid());
    tree_signal(&tree, SIGTERM);
}

/* The guard enforces the limits that the kernel does not. */
static void look_at_limits(void)
{
    /* process 1 of a namespace is none of the bot's */
    pid_t root = cell_has_spaces(cell) ? bot_pid : getpid();
    enum cell_limit limit = cell_is_over(cell, root);

    if (limit == CELL_IN_LIMITS)
        return;
    tell_referee(CHILD_EXCEEDED, (int)limit);
    kill_tree();
}

/* SIGCHLD only has to interrupt ppoll(). */
static void wake_up(int number)
{
    (void)number;
}

static void guard_wait(const sigset_t *unblocked)
{
    static const struct timespec look = {0, CELL_LOOK_MS * 1000000L};
    const bool looks = cell && cell_needs_looks(cell);
    struct pollfd control = {.fd = CONTROL_FD, .events = POLLIN};
    char order;

    while (reap()) {
        int ready = ppoll(&control, 1, looks ? &look : NULL, unblocked);

        if (ready == 0)
            look_at_limits();
        if (ready < 1)
            continue;
        if (recv(CONTROL_FD, &order, 1, 0) < 1) {
            kill_tree(); /* the referee is gone */
            return;
        }
        obey(order);
    }
}

/* Room for descriptors that come with a message. */
union luggage {
    char bytes[CMSG_SPACE(ENDS * sizeof(int))];
    struct cmsghdr header;
};

static bool send_with(int to, void *message, size_t len, const int *fd,
                      size_t count)
{
    size_t fds = count * sizeof *fd;
    union luggage luggage = {.header = {.cmsg_len = CMSG_LEN(fds),
                                        .cmsg_level = SOL_SOCKET,
                                        .cmsg_type = SCM_RIGHTS}};
    struct iovec bytes = {message, len};
    struct msghdr whole = {.msg_iov = &bytes,
                           .msg_iovlen = 1,
                           .msg_control = &luggage,
                           .msg_controllen = CMSG_SPACE(fds)};

    memcpy(CMSG_DATA(&luggage.header), fd, fds);
    return sendmsg(to, &whole, MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

/* The number of bytes. `count` is set to the number of descriptors. */
static ssize_t receive_with(int from, int flags, void *message, size_t len,
                            int fd[ENDS], size_t *count)
{
    union luggage luggage;
    struct iovec bytes = {message, len};
    struct msghdr whole = {.msg_iov = &bytes,
                           .msg_iovlen = 1,
                           .msg_control = &luggage,
                           .msg_controllen = CMSG_LEN(ENDS * sizeof *fd)};
    ssize_t n = recvmsg(from, &whole, flags);
    const struct cmsghdr *header = n > 0 ? CMSG_FIRSTHDR(&whole) : NULL;

    *count = header ? (header->cmsg_len - CMSG_LEN(0)) / sizeof *fd : 0;
    if (header)
        memcpy(fd, CMSG_DATA(header), *count * sizeof *fd);
    return n;
}

static void offer(enum child_news news, int fd)
{
    struct message message = {news, 0};

    if (fd != -1)
        send_with(CONTROL_FD, &message, sizeof message, &fd, 1);
}

static void fail_to_run(void)
{
    tell_referee(CHILD_FAILED, errno);
    _exit(127);
}

/*
 * Give the referee a counter of the future bot and of everything started from
 * here, and the listener for the calls that its walls refuse.
 */
static void go_behind_walls(const struct child_config *config)
{
    int listener = -1;

    if (config->counts_cpu)
        offer(CHILD_NOTHING, meter_open_counter());
    if (cell && !cell_enter(cell, &listener))
        fail_to_run();
    offer(CHILD_WALLED, listener);
    if (listener != -1 && !calls_end_messages())
        fail_to_run();
}

/*
 * A process that tries to open a program for writing, even in vain, keeps
 * others from running it at that moment. No bot must lose a game because of
 * that.
 */
static void run_program(const struct child_config *config)
{
    char *const *environment = cell                  ? cell->environment
                               : config->environment ? config->environment
                                                     : environ;

    for (int i = 0; i < BUSY_TRIES; i++) {
        execvpe(config->argv[0], config->argv, environment);
        if (errno != ETXTBSY)
            return;
        usleep(BUSY_PAUSE_US);
    }
}

static void become_bot(const struct child_config *config)
{
    sigset_t none;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++)
        if (dup2(FIRST_END + i, i) == -1)
            _exit(127);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (!config->directory || chdir(config->directory) == 0) {
        go_behind_walls(config);
        fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
        close_range(CONTROL_FD + 1, ~0u, 0);
        run_program(config);
    }
    fail_to_run();
}

/*
 * A process of the bot may join our group and stop. When its parent ends, the
 * kernel sends SIGHUP to the group; it must not keep us from our work.
 */
static void reset_signals(sigset_t *unblocked)
{
    static const int handled[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
    sigset_t child;

    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
        signal(handled[i], SIG_DFL);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, wake_up);
    sigemptyset(unblocked);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_SETMASK, &child, NULL);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Leave nothing of the referee open, and raise the limit. */
static void close_others(const int *fd, int count)
{
    int keep[PLACES], from = 0;

    memcpy(keep, fd, (size_t)count * sizeof *fd);
    qsort(keep, (size_t)count, sizeof *keep, by_number);
    for (int i = 0; i < count; i++) {
        if (keep[i] > from)
            close_range((unsigned)from, (unsigned)keep[i] - 1, 0);
        from = keep[i] + 1;
    }
    close_range((unsigned)from, ~0u, 0);
}

/* Before the control descriptor is in its place. */
static void tell_failure(int control)
{
    struct message message = {CHILD_FAILED, errno};
    ssize_t ignored = send(control, &message, sizeof message, MSG_NOSIGNAL);

    (void)ignored;
}

/*
 * Move the bot's ends of the pipes and the control to fixed places, by way of
 * places far up.
 */
static bool move_descriptors(const int *ends, int control)
{
    const int fd[PLACES] = {ends[0], ends[1], ends[2], control,
                            cell ? cell->rules : -1};
    const int count = fd[PLACES - 1] == -1 ? PLACES - 1 : PLACES;
    int far[PLACES];

    close_others(fd, count);
    for (int i = 0; i < count; i++) {
        far[i] = fcntl(fd[i], F_DUPFD, 16);
        if (far[i] == -1) {
            tell_failure(control);
            return false;
        }
    }
    dup2(far[3], CONTROL_FD);
    if (count == PLACES)
        cell->rules = dup2(far[4], RULES_FD);
    for (int i = 0; i < ENDS; i++)
        dup2(far[i], FIRST_END + i);
    close_range(FIRST_END + ENDS, ~0u, 0);
    return true;
}

/* Copying the referee's pages once more would take a third of the start. */
static pid_t start_bot(const struct child_config *config)
{
    pid_t pid = vfork();

    if (pid == 0)
        become_bot(config);
    if (pid == -1)
        tell_referee(CHILD_FAILED, errno);
    close_range(0, 2, 0);
    close_range(FIRST_END, ~0u, 0);
    return pid;
}

/*
 * Process 1 of a namespace. No signal of the bot reaches it. When it ends, the
 * kernel ends all other processes there. It reports the status, because it
 * cannot die of a signal itself.
 */
static void become_init(const struct child_config *config)
{
    const char *what;
    int status = 0;
    pid_t bot, pid;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!cell_found(cell, &what))
        fail_to_run();
    if (cell->rules != -1) /* the bot's ends go to lower places */
        cell->rules = fcntl(cell->rules, F_DUPFD, FIRST_END + ENDS);
    prctl(PR_SET_DUMPABLE, 0);
    bot = start_bot(config);
    do
        pid = wait(&status);
    while (pid != bot && (pid > 0 || errno == EINTR));
    tell_referee(CHILD_EXITED, status);
    _exit(0);
}

static void spawn(const struct child_config *config)
{
    if (!cell || !cell_has_spaces(cell)) {
        bot_pid = start_bot(config);
        return;
    }
    bot_pid = cell_fork(cell);
    if (bot_pid == 0)
        become_init(config);
    if (bot_pid == -1)
        tell_referee(CHILD_FAILED, errno);
    close_range(0, 2, 0);
    close_range(FIRST_END, ~0u, 0);
}

/* The ends of a bot's pipes. */
static bool place_ends(const int *fd, size_t count)
{
    for (int i = 0; i < ENDS; i++)
        if (count != ENDS ||
            fcntl(fd[i], F_DUPFD, FIRST_END + i) != FIRST_END + i) {
            tell_referee(CHILD_FAILED, EMFILE);
            return false;
        }
    return true;
}

/*
 * Nobody is left. Wait for the next bot; orders for the last one may still
 * arrive. False if the referee is gone or the pipes did not arrive.
 */
static bool wait_for_start(void)
{
    int fd[ENDS];
    size_t count;
    char order;

    tell_referee(CHILD_GONE, 0);
    do
        if (receive_with(CONTROL_FD, 0, &order, 1, fd, &count) < 1)
            return false;
    while (order != START);
    return place_ends(fd, count);
}

/* A guard, and so its bot. What a bot may use was there a moment ago; where it
 * has gone since, it uses what there is. */
static void keep_to(pid_t guard, const struct child_config *config)
{
    if (config->processors)
        sched_setaffinity(guard, sizeof *config->processors,
                          config->processors);
}

/* While the descriptors of the walls are still open. */
static void build_cell(const struct child_config *config, int control)
{
    if (!cell)
        return;
    cell->tree = &tree;
    if (!cell_build(cell, config->environment)) {
        tell_failure(control);
        cell_raze(cell);
        _exit(0);
    }
}

/* Its control group tells it why a bot ended; then it removes the group. */
static bool referee_is_gone(void)
{
    struct pollfd control = {.fd = CONTROL_FD};

    return poll(&control, 1, 0) == 1;
}

static void become_guard(const struct child_config *config, struct cell *walled,
                         bool in_crowd, int *ends, int control)
{
    sigset_t unblocked;

    setsid(); /* keys typed on the terminal are not for the bots */
    keep_to(0, config);
    priority_bot(in_crowd);
    reset_signals(&unblocked);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    cell = walled;
    build_cell(config, control);
    prctl(PR_SET_PDEATHSIG, SIGCONT); /* a bot may have stopped us before */
    if (!move_descriptors(ends, control))
        _exit(0);
    do {
        spawn(config);
        guard_wait(&unblocked);
        if (cell)
            cell_clear(cell);
    } while (config->restarts && wait_for_start());
    if (cell && referee_is_gone())
        cell_raze(cell);
    else if (cell)
        cell_clear_up(cell);
    _exit(0);
}

/* The referee's side. */

static void close_all(int *fd, int count)
{
    for (int i = 0; i < count; i++)
        if (fd[i] != -1)
            close(fd[i]);
}

/* fd[0..2] are the bot's ends, fd[3..5] are ours. */
static bool open_pipes(int fd[2 * ENDS])
{
    int in[2], out[2], error[2];

    memset(fd, -1, 2 * ENDS * sizeof *fd);
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

/* A bot may have stopped it. */
static bool wake_guard(const struct idle_guard *guard, const int *ends)
{
    char order = START;

    kill(guard->pid, SIGCONT);
    return send_with(guard->control, &order, 1, ends, ENDS);
}

/*
 * Give an idle guard the bot's ends. A guard that does not answer is given up.
 */
static bool use_idle_guard(struct children *children,
                           const struct child_config *config, const int *ends,
                           struct idle_guard *guard)
{
    while (config->restarts && children_reuse(children, config->argv, guard)) {
        keep_to(guard->pid, config);
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
        become_guard(config, walled, children->in_crowd, ends, control[1]);
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
                         const struct child_config *config, int fd[2 * ENDS],
                         struct idle_guard *guard)
{
    int error;

    if (open_pipes(fd) && (use_idle_guard(children, config, fd, guard) ||
                           make_guard(children, config, fd, guard)))
        return true;
    error = errno;
    close_all(fd, 2 * ENDS);
    errno = error;
    return false;
}

/* The control group of a bot with walls misses nothing. -1: there is none. */
static int64_t group_cpu_us(const struct child *child)
{
    return child->cell ? cgroup_cpu_us(&child->cell->cgroup) : -1;
}

bool child_start(struct child *child, struct children *children,
                 const struct child_config *config, struct err *err)
{
    int fd[2 * ENDS];
    struct idle_guard guard;

    if (!open_guarded(children, config, fd, &guard)) {
        /* Idle guards take descriptors and processes, too. */
        children_end_idle(children);
        if (!open_guarded(children, config, fd, &guard))
            return fail(err, "no process for %s: %s", config->argv[0],
                        strerror(errno));
    }
    close_all(fd, ENDS);
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

/* A guard ends itself when nobody is left below it. Otherwise it was killed. */
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

static ssize_t receive(struct child *child, struct message *message)
{
    int fd[ENDS];
    size_t count;
    ssize_t n = receive_with(child->control, MSG_DONTWAIT | MSG_CMSG_CLOEXEC,
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
    struct message message;
    ssize_t n = receive(child, &message);

    if (n == -1)
        return CHILD_NOTHING;
    if (n == 0)
        return bury_guard(child);
    if (message.news == CHILD_EXITED && !child->has_exited) {
        child->has_exited = true; /* process 1 of a namespace follows it */
        child->status = message.value;
    }
    if (message.news == CHILD_EXCEEDED)
        child->exceeded = (enum cell_limit)message.value;
    child->is_idle = message.news == CHILD_GONE;
    *error = message.value;
    return message.news;
}

/* A bot may have stopped its guard. */
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
    order(child, TERMINATE);
}

void child_kill(struct child *child)
{
    order(child, KILL);
}

/* The next best way is to stop all processes that can be seen. */
void child_freeze(const struct child *child, bool frozen)
{
    if (child->cell && cgroup_freeze(&child->cell->cgroup, frozen))
        return;
    if (child->guard <= 0)
        return;
    tree_look(&tree, child->guard);
    tree_signal(&tree, frozen ? SIGSTOP : SIGCONT);
}

/* What the guard saw, or the kernel counted. */
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

/* A guard that is still there joins the processes that are left over. */
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
