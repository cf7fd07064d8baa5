#include "daemon/rater.h"

#include "base/alloc.h"
#include "store/rate.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct anchored {
    char ladder[BOT_NAME_MAX + 1];
    struct rate_anchor anchor;
};

/*
 * What daemon, helper and worker have in common. The daemon writes to it only
 * while no fit runs.
 */
struct shared {
    struct anchored ladder[SERVE_LADDERS_MAX];
    int ladders;
    pid_t worker;            /* 0: none */
    char text[ERR_TEXT_MAX]; /* why the last fit failed, or "" */
};

struct rater {
    struct loop *loop;
    struct log *log;
    char index[1024]; /* its path */
    struct shared *shared;
    struct anchored *ladder; /* for the next fit */
    int ladders;
    int64_t every_us;
    int64_t began_us; /* the last one */
    int64_t next_us;  /* no fit before this time */
    rater_fitted *on_fitted;
    void *owner;
    bool has_news;
    bool is_running; /* a fit */
    pid_t helper;    /* 0: it has ended */
    int helper_fd;
    struct event *has_answer;
    struct alarm alarm;
};

/* In the worker. */

static struct rate_anchor anchor_of(void *arg, const char *ladder)
{
    const struct shared *shared = arg;

    for (int i = 0; i < shared->ladders; i++)
        if (strcmp(shared->ladder[i].ladder, ladder) == 0)
            return shared->ladder[i].anchor;
    return (struct rate_anchor){0};
}

/* The calling process must not outlive its parent. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
}

static void work(const struct rater *r, pid_t helper)
{
    struct err err;

    die_with(helper);
    if (rate_stale(r->index, NULL, anchor_of, r->shared, &err))
        _exit(0);
    snprintf(r->shared->text, sizeof r->shared->text, "%s", err.text);
    _exit(1);
}

/* In the helper. */

/* 0, or 1 if the fit failed. */
static char fit(const struct rater *r)
{
    struct shared *shared = r->shared;
    pid_t self = getpid();
    int status = 1;

    snprintf(shared->text, sizeof shared->text, "the process failed");
    shared->worker = fork();
    if (shared->worker == 0)
        work(r, self);
    if (shared->worker == -1)
        snprintf(shared->text, sizeof shared->text, "%s", strerror(errno));
    else
        while (waitpid(shared->worker, &status, 0) == -1 && errno == EINTR)
            continue;
    shared->worker = 0;
    return status != 0;
}

/* Signals are for the daemon. When the daemon ends, the helper ends, too. */
static void help(const struct rater *r, int fd, pid_t daemon)
{
    char byte;

    die_with(daemon);
    prctl(PR_SET_NAME, "referee-rater");
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    dup2(fd, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    while (read(STDIN_FILENO, &byte, 1) == 1) {
        byte = fit(r);
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            break;
    }
    _exit(0);
}

/* In the daemon. */

static void start_when_due(struct rater *r)
{
    if (!r->is_running && r->has_news && r->every_us > 0 && r->helper)
        loop_alarm(r->loop, &r->alarm, r->next_us);
}

/* It stays our child until it is reaped, and so does its worker. */
static void reap_helper(struct rater *r)
{
    while (waitpid(r->helper, NULL, 0) == -1 && errno == EINTR)
        continue;
    if (r->shared->worker > 0)
        waitpid(r->shared->worker, NULL, 0);
    children_remove(&r->loop->children, r->helper);
    event_free(r->has_answer);
    close(r->helper_fd);
    r->helper = 0;
    r->is_running = false;
}

static void on_answer(evutil_socket_t fd, short what, void *arg)
{
    struct rater *r = arg;
    char failed;
    ssize_t n = recv(fd, &failed, 1, MSG_DONTWAIT);

    loop_now(r->loop);
    if (n == 0) {
        log_line(r->log, LOG_ERROR, NULL,
                 "no ratings are computed until the daemon is started again: "
                 "the process that computes them was killed");
        reap_helper(r);
    }
    if (n != 1)
        return;
    r->is_running = false;
    if (failed)
        log_line(r->log, LOG_WARNING, NULL, "ratings were not computed: %s",
                 r->shared->text);
    else
        r->on_fitted(r->owner, r->began_us);
    start_when_due(r);
}

static void start(struct rater *r)
{
    r->began_us = now_us();
    r->next_us = r->began_us + r->every_us;
    r->shared->ladders = r->ladders;
    if (r->ladders > 0)
        memcpy(r->shared->ladder, r->ladder,
               (size_t)r->ladders * sizeof *r->ladder);
    r->is_running = send(r->helper_fd, "", 1, MSG_NOSIGNAL) == 1;
    r->has_news = !r->is_running;
}

static void on_alarm(void *arg)
{
    struct rater *r = arg;

    if (!r->is_running && r->has_news && r->every_us > 0 && r->helper)
        start(r);
    start_when_due(r); /* try again if it could not be asked */
}

static void fork_helper(struct rater *r)
{
    pid_t self = getpid();
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        out_of("descriptors");
    r->helper = fork();
    if (r->helper == 0)
        help(r, ends[1], self);
    if (r->helper == -1)
        out_of("processes");
    close(ends[1]);
    r->helper_fd = ends[0];
    children_add(&r->loop->children, r->helper);
    r->has_answer = event_new(r->loop->base, r->helper_fd, EV_READ | EV_PERSIST,
                              on_answer, r);
    loop_watch(r->has_answer);
}

struct rater *rater_new(struct loop *loop, struct log *log, const char *data,
                        rater_fitted *on_fitted, void *owner)
{
    struct rater *r = must_alloc(calloc(1, sizeof *r));

    r->loop = loop;
    r->log = log;
    r->on_fitted = on_fitted;
    r->owner = owner;
    snprintf(r->index, sizeof r->index, "%s/index.db", data);
    r->shared = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r->shared == MAP_FAILED)
        out_of("memory");
    alarm_init(&r->alarm, on_alarm, r);
    fork_helper(r);
    return r;
}

void rater_free(struct rater *r)
{
    if (!r)
        return;
    if (r->helper) {
        kill(r->helper, SIGKILL); /* the database survives that */
        reap_helper(r);
    }
    alarm_stop(r->loop, &r->alarm);
    munmap(r->shared, sizeof *r->shared);
    free(r->ladder);
    free(r);
}

void rater_set(struct rater *r, int64_t every_us,
               const struct ladder_config *ladders, int count)
{
    r->ladder = must_resize(r->ladder, (size_t)count, sizeof *r->ladder);
    r->ladders = 0;
    r->every_us = every_us;
    for (int i = 0; i < count && r->ladders < SERVE_LADDERS_MAX; i++) {
        struct anchored *a = &r->ladder[r->ladders];

        if (!ladders[i].anchor && ladders[i].min_games == 0)
            continue;
        *a = (struct anchored){.anchor = {.elo = ladders[i].anchor_elo,
                                          .min_games = ladders[i].min_games}};
        snprintf(a->ladder, sizeof a->ladder, "%s", ladders[i].name);
        snprintf(a->anchor.name, sizeof a->anchor.name, "%s",
                 ladders[i].anchor ? ladders[i].anchor : "");
        r->ladders++;
    }
    start_when_due(r);
}

void rater_news(struct rater *r)
{
    r->has_news = true;
    start_when_due(r);
}
