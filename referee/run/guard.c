#include "run/guard.h"

#include "run/meter.h"
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
    CONTROL_FD = 3, /* in the guard, as are the next ones: */
    /* the descriptors of its walls for files, if there are any */
    RULES_FD = 4,
    FIRST_END = 5,       /* the bot's ends of its pipes */
    ROUND_US = 1000,     /* between two rounds of killing ... */
    FIRST_ROUND_US = 60, /* ... but less at first, doubled each time */
    SHORT_ROUNDS = 4,
    KILL_ROUNDS = 5000, /* then the guard gives up, though processes live */
    /* how long to retry a program that is open for writing */
    BUSY_TRIES = 1000,
    BUSY_PAUSE_US = 500,
};

enum { PLACES = GUARD_ENDS + 2 }; /* with the control and the rules */

/* Messages. */

/* Room for descriptors that come with a message. */
union luggage {
    char bytes[CMSG_SPACE(GUARD_ENDS * sizeof(int))];
    struct cmsghdr header;
};

bool guard_send(int to, void *message, size_t len, const int *fd, size_t count)
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

ssize_t guard_receive(int from, int flags, void *message, size_t len,
                      int fd[GUARD_ENDS], size_t *count)
{
    union luggage luggage;
    struct iovec bytes = {message, len};
    struct msghdr whole = {.msg_iov = &bytes,
                           .msg_iovlen = 1,
                           .msg_control = &luggage,
                           .msg_controllen = CMSG_LEN(GUARD_ENDS * sizeof *fd)};
    ssize_t n = recvmsg(from, &whole, flags);
    const struct cmsghdr *header = n > 0 ? CMSG_FIRSTHDR(&whole) : NULL;

    *count = header ? (header->cmsg_len - CMSG_LEN(0)) / sizeof *fd : 0;
    if (header)
        memcpy(fd, CMSG_DATA(header), *count * sizeof *fd);
    return n;
}

/* The process. */

static pid_t bot_pid;
static struct tree tree;  /* scratch space */
static struct cell *cell; /* NULL: no walls */

static void tell_referee(enum child_news news, int value)
{
    struct guard_message message = {news, value};
    ssize_t ignored =
        send(CONTROL_FD, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);

    (void)ignored;
}

/* Reap processes that have ended. False if no descendant is left. */
static bool reap(void)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
        if (pid == bot_pid)
            tell_referee(CHILD_EXITED, status);
    return pid == 0;
}

/* Kill until no descendant is left. */
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
    if (order == GUARD_KILL) {
        kill_tree();
        return;
    }
    tree_look(&tree, getpid());
    tree_signal(&tree, SIGTERM);
}

/* The guard enforces the limits that the kernel does not enforce. */
static void look_at_limits(void)
{
    /* process 1 of a namespace does not count: it is ours */
    pid_t root = cell_has_spaces(cell) ? bot_pid : getpid();
    enum cell_limit limit = cell_is_over(cell, root);

    if (limit == CELL_IN_LIMITS)
        return;
    tell_referee(CHILD_EXCEEDED, (int)limit);
    kill_tree();
}

/* The handler does nothing: SIGCHLD only has to interrupt ppoll(). */
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

static void offer(enum child_news news, int fd)
{
    struct guard_message message = {news, 0};

    if (fd != -1)
        guard_send(CONTROL_FD, &message, sizeof message, &fd, 1);
}

static void fail_to_run(void)
{
    tell_referee(CHILD_FAILED, errno);
    _exit(127);
}

/*
 * Send the referee two descriptors: a counter for the future bot and everything
 * started from here, and the listener for calls that the walls refuse.
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
 * While any process tries to open a program for writing, even without success,
 * exec() of that program fails with ETXTBSY. No bot should lose a game to this,
 * so try again for a while.
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
 * A process of the bot may join our process group and stop itself. When its
 * parent ends, the kernel sends SIGHUP to the whole group. That must not end
 * the guard before it has killed everything.
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

/* Close all descriptors of the referee, and raise the limit. */
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

/* Called before the control descriptor is in its place. */
static void tell_failure(int control)
{
    struct guard_message message = {CHILD_FAILED, errno};
    ssize_t ignored = send(control, &message, sizeof message, MSG_NOSIGNAL);

    (void)ignored;
}

/*
 * Move the bot's pipe ends and the control to fixed descriptors. They go
 * through high numbers first, so that no move overwrites a descriptor that has
 * yet to move.
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
    for (int i = 0; i < GUARD_ENDS; i++)
        dup2(far[i], FIRST_END + i);
    close_range(FIRST_END + GUARD_ENDS, ~0u, 0);
    return true;
}

/*
 * vfork() does not copy the referee's page tables, which would take a third of
 * the whole start.
 */
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
 * Process 1 of a namespace. Signals from the bot cannot reach it. When it
 * exits, the kernel kills all other processes in the namespace. It reports the
 * bot's status as data, because process 1 cannot die of a signal itself.
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
        cell->rules = fcntl(cell->rules, F_DUPFD, FIRST_END + GUARD_ENDS);
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
    for (int i = 0; i < GUARD_ENDS; i++)
        if (count != GUARD_ENDS ||
            fcntl(fd[i], F_DUPFD, FIRST_END + i) != FIRST_END + i) {
            tell_referee(CHILD_FAILED, EMFILE);
            return false;
        }
    return true;
}

/*
 * No process is left. Wait for the next bot. Orders for the last bot may still
 * arrive. False if the referee is gone or the pipes did not arrive.
 */
static bool wait_for_start(void)
{
    int fd[GUARD_ENDS];
    size_t count;
    char order;

    tell_referee(CHILD_GONE, 0);
    do
        if (guard_receive(CONTROL_FD, 0, &order, 1, fd, &count) < 1)
            return false;
    while (order != GUARD_START);
    return place_ends(fd, count);
}

void guard_keep_to(pid_t guard, const struct child_config *config)
{
    if (config->processors)
        sched_setaffinity(guard, sizeof *config->processors,
                          config->processors);
}

/* Call it while the descriptors of the walls are still open. */
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

/* The control group says why a bot ended, so read it before removing it. */
static bool referee_is_gone(void)
{
    struct pollfd control = {.fd = CONTROL_FD};

    return poll(&control, 1, 0) == 1;
}

void guard_run(const struct child_config *config, struct cell *walled,
               bool in_crowd, int *ends, int control)
{
    sigset_t unblocked;

    setsid(); /* so that Ctrl-C on the terminal does not reach the bots */
    guard_keep_to(0, config);
    priority_bot(in_crowd);
    reset_signals(&unblocked);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    cell = walled;
    build_cell(config, control);
    prctl(PR_SET_PDEATHSIG, SIGCONT); /* the last bot may have stopped us */
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
