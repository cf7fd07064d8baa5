#ifndef REFEREE_DAEMON_SYNCER_H
#define REFEREE_DAEMON_SYNCER_H

/*
 * syncer.h - make files safe on the disk, without waiting for it.
 *
 * fdatasync() takes milliseconds, or seconds on a busy disk, and the event loop
 * must not. So a few threads do nothing else: a job goes to them through a
 * pipe and comes back through another. They touch nothing but the job's path
 * and its error, so that no lock is needed. Other work that waits for the disk
 * can be given to them, if it keeps to itself as well.
 *
 * A file is synced by one thread at a time. Who asks meanwhile waits for the
 * next time, together with all others who do. If it fails that is told to all
 * of them, for the kernel tells it once, whoever's bytes it has lost.
 */

#include "run/loop.h"

struct syncer;

/* 0, or the errno of fdatasync(), or what the work returned. */
typedef void syncer_done(void *arg, int error);

struct syncer *syncer_new(struct loop *loop);

/* What is under way is finished, but nobody hears of it. */
void syncer_free(struct syncer *syncer);

/* All that was written to the file before this call. */
void syncer_ask(struct syncer *syncer, const char *path, syncer_done *done,
                void *arg);

/* Call work(what) in a thread; `what` lives until syncer_free(). */
typedef int syncer_work(void *what);

void syncer_call(struct syncer *syncer, syncer_work *work, void *what,
                 syncer_done *done, void *arg);

/* `arg` is gone: call nobody for it. */
void syncer_forget(struct syncer *syncer, const void *arg);

#endif
