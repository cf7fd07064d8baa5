#include "daemon/syncer.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

enum {
    THREADS = 4, /* concurrent fdatasync() calls share the file system's work */
    PAUSE_US = 1000,
    AT_ONCE = 256, /* jobs in the pipes, so that a pipe never blocks */
};

struct waiter {
    syncer_done *done;
    void *arg;
    STAILQ_ENTRY(waiter) link;
};

STAILQ_HEAD(waiters, waiter);

struct job {
    char *path; /* the file to sync; or NULL, and ... */
    syncer_work *work;
    void *what;
    int error;
    bool is_sent; /* to the threads; other jobs wait for their file */
    struct waiters waiters;
    STAILQ_ENTRY(job) link;
};

struct syncer {
    struct loop *loop;
    pthread_t thread[THREADS];
    int threads;
    int to[2], from[2]; /* pipes: [0] is read, [1] is written */
    struct event *news;
    STAILQ_HEAD(, job) jobs;
    int sent; /* the number of sent jobs */
    /* waiters that are being told that their job is done */
    struct waiters told;
};

/* The threads. */

static int sync_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int error = fd != -1 && fdatasync(fd) == 0 ? 0 : errno;

    if (fd != -1)
        close(fd);
    return error;
}

/*
 * The pipe always has room. The kernel may be short of memory for a moment, so
 * try again: if the job were lost, its waiters would wait forever.
 */
static void pass_on(int to, const struct job *job)
{
    while (write(to, &job, sizeof job) == -1)
        if (errno != EINTR)
            usleep(PAUSE_US);
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
        job->error = job->path ? sync_file(job->path) : job->work(job->what);
        pass_on(s->from[1], job);
    }
}

/* Block signals in the threads, because the event loop handles them. */
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

/* The job of this file that was sent, or the one that waits to be sent. */
static struct job *job_for(const struct syncer *s, const char *path,
                           bool is_sent)
{
    struct job *job;

    STAILQ_FOREACH(job, &s->jobs, link)
    if (path && job->path && job->is_sent == is_sent &&
        strcmp(job->path, path) == 0)
        break;
    return job;
}

static void send_jobs(struct syncer *s)
{
    struct job *job;

    STAILQ_FOREACH(job, &s->jobs, link)
    {
        if (s->sent == AT_ONCE)
            break;
        if (job->is_sent || job_for(s, job->path, true))
            continue;
        pass_on(s->to[1], job);
        job->is_sent = true;
        s->sent++;
    }
}

static void tell(struct syncer *s, int error)
{
    struct waiter *waiter;

    while ((waiter = STAILQ_FIRST(&s->told)) != NULL) {
        STAILQ_REMOVE_HEAD(&s->told, link);
        if (waiter->done)
            waiter->done(waiter->arg, error);
        free(waiter);
    }
}

static void drop_job(struct syncer *s, struct job *job)
{
    STAILQ_CONCAT(&s->told, &job->waiters);
    STAILQ_REMOVE(&s->jobs, job, job, link);
    free(job->path);
    free(job);
}

/*
 * The kernel reports a lost write to one fdatasync() only, so the next one may
 * succeed although bytes are missing. So a failure also ends the job that waits
 * for the same file.
 */
static void end_job(struct syncer *s, struct job *job)
{
    struct job *next = job->error ? job_for(s, job->path, false) : NULL;
    int error = job->error;

    s->sent--;
    drop_job(s, job);
    if (next)
        drop_job(s, next);
    tell(s, error);
}

static void on_news(evutil_socket_t fd, short what, void *arg)
{
    struct syncer *s = arg;
    struct job *job;

    loop_now(s->loop);
    while (read(fd, &job, sizeof job) == (ssize_t)sizeof job)
        end_job(s, job);
    send_jobs(s);
}

struct syncer *syncer_new(struct loop *loop)
{
    struct syncer *s = must_alloc(calloc(1, sizeof *s));

    if (pipe2(s->to, O_CLOEXEC) != 0 || pipe2(s->from, O_CLOEXEC) != 0)
        out_of("descriptors");
    if (fcntl(s->from[0], F_SETFL, O_NONBLOCK) != 0)
        out_of("descriptors that do not block");
    s->loop = loop;
    STAILQ_INIT(&s->jobs);
    STAILQ_INIT(&s->told);
    s->news =
        event_new(loop->base, s->from[0], EV_READ | EV_PERSIST, on_news, s);
    loop_watch(s->news);
    start_threads(s);
    return s;
}

void syncer_free(struct syncer *s)
{
    struct job *job;

    if (!s)
        return;
    for (int i = 0; i < s->threads; i++)
        pass_on(s->to[1], NULL);
    for (int i = 0; i < s->threads; i++)
        pthread_join(s->thread[i], NULL);
    event_free(s->news);
    syncer_forget(s, NULL);
    while ((job = STAILQ_FIRST(&s->jobs)) != NULL)
        drop_job(s, job);
    tell(s, 0);
    for (int i = 0; i < 2; i++) {
        close(s->to[i]);
        close(s->from[i]);
    }
    free(s);
}

static struct job *add_job(struct syncer *s)
{
    struct job *job = must_alloc(calloc(1, sizeof *job));

    STAILQ_INIT(&job->waiters);
    STAILQ_INSERT_TAIL(&s->jobs, job, link);
    return job;
}

static void add_waiter(struct job *job, syncer_done *done, void *arg)
{
    struct waiter *waiter = must_alloc(malloc(sizeof *waiter));

    waiter->done = done;
    waiter->arg = arg;
    STAILQ_INSERT_TAIL(&job->waiters, waiter, link);
}

/*
 * A job that was sent may have started before the caller wrote its bytes, so
 * only a job that still waits can be shared.
 */
void syncer_ask(struct syncer *s, const char *path, syncer_done *done,
                void *arg)
{
    struct job *job = job_for(s, path, false);

    if (!job) {
        job = add_job(s);
        job->path = must_alloc(strdup(path));
    }
    add_waiter(job, done, arg);
    send_jobs(s);
}

void syncer_call(struct syncer *s, syncer_work *work_on, void *what,
                 syncer_done *done, void *arg)
{
    struct job *job = add_job(s);

    job->work = work_on;
    job->what = what;
    add_waiter(job, done, arg);
    send_jobs(s);
}

/* Clear the callback of this waiter; NULL: of all waiters. */
static void forget(struct waiters *waiters, const void *arg)
{
    struct waiter *waiter;

    STAILQ_FOREACH(waiter, waiters, link)
    if (waiter->arg == arg || !arg)
        waiter->done = NULL;
}

void syncer_forget(struct syncer *s, const void *arg)
{
    struct job *job;

    forget(&s->told, arg);
    STAILQ_FOREACH(job, &s->jobs, link)
    forget(&job->waiters, arg);
}
