#ifndef REFEREE_DAEMON_SYNCER_H
#define REFEREE_DAEMON_SYNCER_H

/*
 * syncer.h - make files safe on the disk, without waiting for it.
 *
 * fdatasync() takes milliseconds, or seconds on a busy disk, and the event loop
 * must not wait for it. So a few threads do nothing else. A job goes to them
 * through a pipe and comes back through another. They use only the job's path
 * and error, so no lock is needed. They can also do other work that waits for
 * the disk, if it shares no data with the loop.
 *
 * One thread at a time syncs a file. Requests that arrive meanwhile wait
 * together for the next sync. A failure is reported to all of them, because the
 * kernel reports it only once, no matter whose bytes were lost.
 */

#include "run/loop.h"

struct syncer;

/* 0, or the errno of fdatasync(), or what the work returned. */
typedef void syncer_done(void *arg, int error);

struct syncer *syncer_new(struct loop *loop);

/* Running jobs are finished, but their waiters are not told. */
void syncer_free(struct syncer *syncer);

/* Sync everything written to the file before this call. */
void syncer_ask(struct syncer *syncer, const char *path, syncer_done *done,
                void *arg);

/* Call work(what) in a thread; `what` lives until syncer_free(). */
typedef int syncer_work(void *what);

void syncer_call(struct syncer *syncer, syncer_work *work, void *what,
                 syncer_done *done, void *arg);

/* `arg` is gone: do not call back for it. */
void syncer_forget(struct syncer *syncer, const void *arg);

#endif
