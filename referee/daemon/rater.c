#include "daemon/rater.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 400 };

struct rater {
    struct loop *loop;
    struct log *log;
    char *data, *anchors;
    int64_t every_us;
    int64_t began_us; /* the last one */
    int64_t next_us;  /* not before */
    rater_fitted *on_fitted;
    void *owner;
    bool has_news;
    pid_t pid; /* 0: none runs */
    int from;  /* what it says; its end is the end of this */
    char words[WORDS_MAX + 1];
    size_t len;
    struct event *can_read;
    struct alarm alarm;
};

static void start_when_due(struct rater *r)
{
    if (!r->pid && r->has_news && r->every_us > 0)
        loop_alarm(r->loop, &r->alarm, r->next_us);
}

static void end(struct rater *r)
{
    int status = 0;

    while (waitpid(r->pid, &status, 0) == -1 && errno == EINTR)
        continue;
    children_remove(&r->loop->children, r->pid);
    event_free(r->can_read);
    close(r->from);
    r->pid = 0;
    r->words[r->len] = '\0';
    r->words[strcspn(r->words, "\n")] = '\0';
    if (status != 0)
        log_line(r->log, LOG_WARNING, NULL, "ratings were not fitted: %s",
                 r->words[0] ? r->words : "the process failed");
    else
        r->on_fitted(r->owner, r->began_us);
    start_when_due(r);
}

static void on_words(evutil_socket_t fd, short what, void *arg)
{
    struct rater *r = arg;
    char rest[256];
    ssize_t n = r->len < WORDS_MAX
                    ? read(fd, r->words + r->len, WORDS_MAX - r->len)
                    : read(fd, rest, sizeof rest);

    loop_now(r->loop);
    if (n > 0 && r->len < WORDS_MAX)
        r->len += (size_t)n;
    if (n == 0)
        end(r);
}

/* As a file, for they may be more than a pipe holds; -1 if that fails. */
static int anchors_file(const struct rater *r)
{
    size_t len = strlen(r->anchors);
    int fd = memfd_create("anchors", MFD_CLOEXEC);

    if (fd != -1 && pwrite(fd, r->anchors, len, 0) == (ssize_t)len)
        return fd;
    if (fd != -1)
        close(fd);
    return -1;
}

/* In the new process: it must not outlive the daemon. */
static void become_fitter(const struct rater *r, int out, pid_t parent)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), in = anchors_file(r);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || in == -1)
        _exit(1);
    signal(SIGPIPE, SIG_DFL);
    dup2(in, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl("/proc/self/exe", "referee", "ladder", r->data, "--anchors", "-",
          "--rate", (char *)NULL);
    _exit(127);
}

static void try_again(struct rater *r, int error)
{
    log_line(r->log, LOG_WARNING, NULL, "ratings cannot be fitted now: %s",
             strerror(error));
    start_when_due(r);
}

static void start(struct rater *r)
{
    pid_t self = getpid();
    int ends[2];

    r->began_us = now_us();
    r->next_us = r->began_us + r->every_us;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        try_again(r, errno);
        return;
    }
    r->pid = fork();
    if (r->pid == 0)
        become_fitter(r, ends[1], self);
    if (r->pid == -1) {
        r->pid = 0;
        try_again(r, errno);
        close(ends[0]);
        close(ends[1]);
        return;
    }
    close(ends[1]);
    r->has_news = false;
    children_add(&r->loop->children, r->pid);
    r->len = 0;
    r->from = ends[0];
    r->can_read =
        event_new(r->loop->base, r->from, EV_READ | EV_PERSIST, on_words, r);
    event_add(r->can_read, NULL);
}

static void on_alarm(void *arg)
{
    struct rater *r = arg;

    if (!r->pid && r->has_news && r->every_us > 0)
        start(r);
}

static char *copy(const char *text)
{
    char *own = must_alloc(strdup(text));

    return own;
}

struct rater *rater_new(struct loop *loop, struct log *log, const char *data,
                        rater_fitted *on_fitted, void *owner)
{
    struct rater *r = must_alloc(calloc(1, sizeof *r));

    r->data = copy(data);
    r->anchors = copy("");
    r->loop = loop;
    r->log = log;
    r->on_fitted = on_fitted;
    r->owner = owner;
    alarm_init(&r->alarm, on_alarm, r);
    return r;
}

void rater_free(struct rater *r)
{
    if (!r)
        return;
    r->has_news = false;
    if (r->pid) {
        kill(r->pid, SIGKILL); /* the database bears it */
        waitpid(r->pid, NULL, 0);
        children_remove(&r->loop->children, r->pid);
        event_free(r->can_read);
        close(r->from);
    }
    alarm_stop(r->loop, &r->alarm);
    free(r->data);
    free(r->anchors);
    free(r);
}

void rater_set(struct rater *r, int64_t every_us, const char *anchors)
{
    free(r->anchors);
    r->anchors = copy(anchors);
    r->every_us = every_us;
    start_when_due(r);
}

void rater_news(struct rater *r)
{
    r->has_news = true;
    start_when_due(r);
}
