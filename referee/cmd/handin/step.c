#include "cmd/handin/step.h"

#include "base/pool.h"
#include "run/environment.h"
#include "run/loop.h"
#include "run/walls/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 200, LOOK_FDS = 16, POLITE = 10, REMOVALS = 100 };

enum { ROOM_US = 500000 };

/* A running program. */
struct step {
    const struct step_limits *limits;
    const char *folder;
    struct cgroup_host host;
    struct cgroup group;
    pid_t pid;
    int in; /* its output */
    int64_t begun_us, until_us, look_us;
    int64_t heard; /* bytes */
};

static void limit(int what, int64_t most)
{
    struct rlimit r = {(rlim_t)most, (rlim_t)most};

    setrlimit((__rlimit_resource_t)what, &r);
}

/* In the child: this never returns. `error` gets errno if exec fails. */
static void become(const struct step *s, char *const *argv, char *const *words,
                   int out, int error)
{
    const struct step_limits *limits = s->limits;
    int null = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    if (s->group.name[0] && !cgroup_join(&s->group))
        _exit(126);
    if (limits->is_foreign)
        setpriority(PRIO_PROCESS, 0, POLITE);
    if (!s->group.name[0] || !cgroup_has(&s->host, CGROUP_MEMORY))
        limit(RLIMIT_AS, limits->memory_bytes);
    limit(RLIMIT_FSIZE, limits->file_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, limits->time_us / 1000000 + 1);
    if (geteuid() != 0) /* this limit counts all processes of the user */
        limit(RLIMIT_NPROC, limits->processes);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (chdir(s->folder) == 0)
        execvpe(argv[0], argv, words);
    if (write(error, &errno, sizeof errno) < 0)
        _exit(126);
    _exit(127);
}

/* nftw() has no argument for its caller. */
static _Thread_local struct {
    int64_t bytes;
    int files;
} found;

static int count_one(const char *path, const struct stat *st, int type,
                     struct FTW *where)
{
    found.bytes += st->st_blocks * 512;
    found.files++;
    return 0;
}

static bool is_folder_full(const struct step *s)
{
    found.bytes = 0;
    found.files = 0;
    nftw(s->folder, count_one, LOOK_FDS, FTW_PHYS);
    return found.bytes > s->limits->folder_bytes ||
           found.files > s->limits->folder_files;
}

/* A look at the folder costs time: spend at most a tenth on it. */
static bool is_over_folder(struct step *s)
{
    int64_t begun = now_us();
    bool is_full;

    if (!s->limits->folder_bytes || begun < s->look_us)
        return false;
    is_full = is_folder_full(s);
    s->look_us = now_us() + 10 * (now_us() - begun) + LOOK_MS * 1000;
    return is_full;
}

int step_patience(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double load = 0;
    int patience = 1;

    if (getloadavg(&load, 1) != 1 || processors < 1)
        return 1;
    while (patience < STEP_PATIENCE_MAX && load > patience * processors)
        patience++;
    return patience;
}

/* The machine may become busy while the program runs. */
static bool is_over_time(struct step *s)
{
    if (now_us() <= s->until_us)
        return false;
    s->until_us = s->begun_us + step_patience() * s->limits->time_us;
    return now_us() > s->until_us;
}

/* Read its output once; false at the end. */
static bool hear(struct step *s, struct buf *said)
{
    struct pollfd poller = {.fd = s->in, .events = POLLIN};
    char block[4096];
    ssize_t n;

    if (poll(&poller, 1, LOOK_MS) <= 0)
        return true;
    n = read(s->in, block, sizeof block);
    s->heard += n > 0 ? n : 0;
    if (n > 0 && said->len + (size_t)n < said->max)
        buf_put(said, block, (size_t)n);
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Read until its output ends, or a limit is reached. */
static enum step_end attend(struct step *s, struct buf *said)
{
    while (hear(s, said)) {
        if (is_over_time(s))
            return STEP_TIMED_OUT;
        if (is_over_folder(s))
            return STEP_FOLDER;
        if (s->limits->output_bytes && s->heard > s->limits->output_bytes)
            return STEP_OUTPUT;
    }
    return STEP_DONE;
}

static enum step_end judge(const struct step *s, enum step_end end, int status)
{
    if (end != STEP_DONE)
        return end;
    switch (cgroup_exceeded(&s->group)) {
    case CELL_MEMORY:
        return STEP_MEMORY;
    case CELL_PROCESSES:
        return STEP_PROCESSES;
    default:
        break;
    }
    if (s->limits->folder_bytes && is_folder_full(s))
        return STEP_FOLDER;
    if (WIFSIGNALED(status))
        return STEP_KILLED;
    return WEXITSTATUS(status) == 0 ? STEP_DONE : STEP_FAILED;
}

/* It may close its output and continue. */
static bool has_ended(struct step *s, int *status)
{
    siginfo_t info = {0};

    while (!is_over_time(s)) {
        if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) ==
                0 &&
            info.si_pid == s->pid)
            return true;
        poll(NULL, 0, 1);
    }
    return false;
}

static enum step_end finish(struct step *s, struct buf *said)
{
    enum step_end end = attend(s, said);
    int status = 0;

    if (end == STEP_DONE && !has_ended(s, &status))
        end = STEP_TIMED_OUT;
    /* Processes left in the group delay nobody. */
    kill(-s->pid, SIGKILL);
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return judge(s, end, status);
}

/* A killed process may take a moment to end. */
static void drop_group(struct step *s)
{
    cgroup_close(&s->group);
    for (int i = 0; i < REMOVALS && !cgroup_remove(&s->group); i++)
        poll(NULL, 0, 1 + i / 10);
}

/* Without control groups, only the limits of each process apply. */
static void make_group(struct step *s)
{
    const struct walls_limits limits = {.memory_bytes = s->limits->memory_bytes,
                                        .processes = s->limits->processes};
    struct err err;

    cgroup_probe(&s->host);
    if (!cgroup_make(&s->group, &s->host, 0, &limits, &err))
        s->group.name[0] = '\0';
}

/* Waits until the child has become the program; 0 if it has. */
static int error_of(int from)
{
    int error = 0;
    ssize_t n;

    do
        n = read(from, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof error ? error : 0;
}

static void no_program(struct step *s, const char *name, int error,
                       struct err *err)
{
    while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    fail_for_now(err, "%s cannot be run: %s", name, strerror(error));
}

static bool start(struct step *s, char *const *argv, struct err *err)
{
    struct pool pool = {0};
    char language[] = "LC_ALL=C"; /* compiler messages are sent on as ASCII */
    char *passed[] = {language, NULL};
    char *const *words =
        environment_make(true, s->limits->is_foreign ? passed : NULL, &pool);
    int pipes[2], errors[2], error = 0;

    if (pipe2(pipes, O_CLOEXEC) != 0) {
        pool_release(&pool);
        return fail_for_now(err, "no pipe: %s", strerror(errno));
    }
    if (pipe2(errors, O_CLOEXEC) != 0) {
        close(pipes[0]);
        close(pipes[1]);
        pool_release(&pool);
        return fail_for_now(err, "no pipe: %s", strerror(errno));
    }
    s->in = pipes[0];
    s->pid = fork();
    if (s->pid == 0)
        become(s, argv, words, pipes[1], errors[1]);
    if (s->pid < 0)
        fail_for_now(err, "no process: %s", strerror(errno));
    else
        setpgid(s->pid, s->pid);
    close(pipes[1]);
    close(errors[1]);
    pool_release(&pool);
    if (s->pid > 0 && (error = error_of(errors[0])) != 0)
        no_program(s, argv[0], error, err);
    close(errors[0]);
    if (s->pid > 0 && error == 0)
        return true;
    close(pipes[0]);
    return false;
}

/* There may be room for it a moment later. */
static bool start_at_last(struct step *s, char *const *argv, struct err *err)
{
    if (start(s, argv, err))
        return true;
    usleep(ROOM_US);
    return start(s, argv, err);
}

bool step_run(char *const *argv, const char *folder,
              const struct step_limits *limits, struct buf *said,
              enum step_end *end, struct err *err)
{
    struct step s = {.limits = limits,
                     .folder = folder,
                     .group = {.freezer = -1, .cpu = -1}};
    bool ok;

    if (limits->is_foreign)
        make_group(&s);
    s.begun_us = now_us();
    s.until_us = s.begun_us + limits->time_us;
    s.look_us = now_us() + LOOK_MS * 1000;
    ok = start_at_last(&s, argv, err);
    if (ok) {
        *end = finish(&s, said);
        close(s.in);
    }
    drop_group(&s);
    return ok;
}
