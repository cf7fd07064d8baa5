#include "host/syncer.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    THREADS = 4,   /* file systems write out together what comes together */
    AT_ONCE = 256, /* jobs in the pipes, which never block then */
};

struct job {
    int fd;
    syncer_work *work; /* NULL: fdatasync() */
    void *what;
    int error;         /* at first: of what had to be done before */
    syncer_done *done; /* NULL: forgotten */
    void *arg;
    struct job *next;
};

struct syncer {
    struct loop *loop;
    pthread_t thread[THREADS];
    int threads;
    int to[2], from[2]; /* pipes: [0] is read, [1] is written */
    struct event *news;
    struct job *first, **end; /* all of them, oldest first */
    struct job *unsent;       /* the first that is not in a pipe */
    int in_pipe;
};

static void out_of(const char *what)
{
    fprintf(stderr, "referee: out of %s\n", what);
    abort();
}

/* The threads. */

static int do_job(const struct job *job)
{
    if (job->error)
        return job->error;
    if (job->work)
        return job->work(job->what);
    return fdatasync(job->fd) == 0 ? 0 : errno;
}

static void *work(void *arg)
{
    const struct syncer *s = arg;
    struct job *job;

    for (;;) {
        if (read(s->to[0], &job, sizeof job) != (ssize_t)sizeof job)
            continue; /* interrupted */
        if (!job)
            return NULL;
        job->error = do_job(job);
        while (write(s->from[1], &job, sizeof job) == -1 && errno == EINTR)
            continue;
    }
}

/* Signals are for the event loop. */
static void start_threads(struct syncer *s)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (s->threads < THREADS &&
           pthread_create(&s->thread[s->threads], NULL, work, s) == 0)
        s->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (s->threads == 0)
        out_of("threads");
}

/* The event loop's side. */

static void send_jobs(struct syncer *s)
{
    while (s->unsent && s->in_pipe < AT_ONCE) {
        if (write(s->to[1], &s->unsent, sizeof s->unsent) == -1)
            break;
        s->unsent = s->unsent->next;
        s->in_pipe++;
    }
}

static void take_out(struct syncer *s, struct job *job)
{
    struct job **at = &s->first;

    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    if (!*at)
        s->end = at;
    if (job->fd != -1)
        close(job->fd);
}

static void on_news(evutil_socket_t fd, short what, void *arg)
{
    struct syncer *s = arg;
    struct job *job;

    loop_now(s->loop);
    while (read(fd, &job, sizeof job) == (ssize_t)sizeof job) {
        s->in_pipe--;
        take_out(s, job);
        if (job->done)
            job->done(job->arg, job->error);
        free(job);
    }
    send_jobs(s);
}

struct syncer *syncer_new(struct loop *loop)
{
    struct syncer *s = must_alloc(calloc(1, sizeof *s));

    if (pipe2(s->to, O_CLOEXEC) != 0 || pipe2(s->from, O_CLOEXEC) != 0)
        out_of("descriptors");
    fcntl(s->from[0], F_SETFL, O_NONBLOCK);
    s->loop = loop;
    s->end = &s->first;
    s->news =
        event_new(loop->base, s->from[0], EV_READ | EV_PERSIST, on_news, s);
    event_add(s->news, NULL);
    start_threads(s);
    return s;
}

void syncer_free(struct syncer *s)
{
    static const struct job *const nothing = NULL;

    if (!s)
        return;
    for (int i = 0; i < s->threads; i++)
        while (write(s->to[1], &nothing, sizeof nothing) == -1)
            continue;
    for (int i = 0; i < s->threads; i++)
        pthread_join(s->thread[i], NULL);
    event_free(s->news);
    while (s->first) {
        struct job *job = s->first;

        take_out(s, job);
        free(job);
    }
    for (int i = 0; i < 2; i++) {
        close(s->to[i]);
        close(s->from[i]);
    }
    free(s);
}

static void add_job(struct syncer *s, struct job new_job)
{
    struct job *job = must_alloc(malloc(sizeof *job));

    *job = new_job;
    *s->end = job;
    s->end = &job->next;
    if (!s->unsent)
        s->unsent = job;
    send_jobs(s);
}

void syncer_ask(struct syncer *s, int fd, syncer_done *done, void *arg)
{
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    add_job(s, (struct job){.fd = own,
                            .error = own == -1 ? errno : 0,
                            .done = done,
                            .arg = arg});
}

void syncer_call(struct syncer *s, syncer_work *work_on, void *what,
                 syncer_done *done, void *arg)
{
    add_job(
        s,
        (struct job){
            .fd = -1, .work = work_on, .what = what, .done = done, .arg = arg});
}

void syncer_forget(struct syncer *s, const void *arg)
{
    for (struct job *job = s->first; job; job = job->next)
        if (job->arg == arg)
            job->done = NULL;
}
