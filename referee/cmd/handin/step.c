#include "cmd/handin/step.h"

#include "base/pool.h"
#include "run/environment.h"
#include "run/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit(int what, int64_t most)
{
    struct rlimit r = {(rlim_t)most, (rlim_t)most};

    setrlimit(what, &r);
}

/* In the child: nothing comes back from here. */
static void become(char *const *argv, const char *folder, char *const *words,
                   const struct step_limits *limits, int out)
{
    int null = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    limit(RLIMIT_AS, limits->memory_bytes);
    limit(RLIMIT_FSIZE, limits->file_bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, limits->time_us / 1000000 + 1);
    if (geteuid() != 0) /* it counts all processes of the user */
        limit(RLIMIT_NPROC, limits->processes);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (chdir(folder) == 0)
        execvpe(argv[0], argv, words);
    dprintf(STDERR_FILENO, "%s cannot be run: %s\n", argv[0], strerror(errno));
    _exit(127);
}

/* Until its output ends, or its time; true if it ended by itself. */
static bool listen_to(int in, int64_t until_us, struct buf *said)
{
    char block[4096];

    for (;;) {
        int64_t left = until_us - now_us();
        struct pollfd poller = {.fd = in, .events = POLLIN};
        ssize_t n;

        if (left <= 0)
            return false;
        if (poll(&poller, 1, (int)(left / 1000) + 1) <= 0)
            continue;
        n = read(in, block, sizeof block);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return true;
        if (n > 0 && said->len + (size_t)n < said->max)
            buf_put(said, block, (size_t)n);
    }
}

static enum step_end finish(pid_t pid, int in, int64_t until_us,
                            struct buf *said)
{
    bool ended = listen_to(in, until_us, said);
    int status = 0;

    /* Whoever is left in the group holds no one up. */
    if (!ended)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-pid, SIGKILL);
    if (!ended)
        return STEP_TIMED_OUT;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? STEP_DONE
                                                         : STEP_FAILED;
}

bool step_run(char *const *argv, const char *folder,
              const struct step_limits *limits, struct buf *said,
              enum step_end *end, struct err *err)
{
    int64_t until_us = now_us() + limits->time_us;
    struct pool pool = {0};
    char *const *words = environment_make(true, NULL, &pool);
    int pipes[2];
    pid_t pid;

    if (pipe2(pipes, O_CLOEXEC) != 0) {
        pool_release(&pool);
        return fail_for_now(err, "no pipe: %s", strerror(errno));
    }
    pid = fork();
    if (pid == 0)
        become(argv, folder, words, limits, pipes[1]);
    close(pipes[1]);
    pool_release(&pool);
    if (pid < 0) {
        close(pipes[0]);
        return fail_for_now(err, "no process: %s", strerror(errno));
    }
    setpgid(pid, pid);
    *end = finish(pid, pipes[0], until_us, said);
    close(pipes[0]);
    return true;
}
