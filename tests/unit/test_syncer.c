/* Files that are made safe by other threads. */

#include "daemon/syncer.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct loop loop;
static int heard;

static void on_done(void *arg, int error)
{
    heard = error;
    loop_stop(&loop);
}

/* What comes of it when this file is to be synced? */
static int asked(struct syncer *syncer, const char *path)
{
    heard = -1;
    syncer_ask(syncer, path, on_done, NULL);
    loop_run(&loop);
    return heard;
}

Test(syncer, tells_what_went_wrong, .timeout = 60)
{
    char path[] = "/tmp/syncer.XXXXXX";
    struct rlimit before, full;
    struct syncer *syncer;
    int fd = mkstemp(path), null;

    loop_init(&loop);
    syncer = syncer_new(&loop);
    null = open("/dev/null", O_RDWR); /* all below it are taken */
    cr_assert(fd != -1 && null != -1);
    cr_expect_eq(asked(syncer, path), 0);
    cr_expect_eq(asked(syncer, "/dev/null"), EINVAL);
    cr_expect_eq(asked(syncer, "/dev/null/file"), ENOTDIR);
    getrlimit(RLIMIT_NOFILE, &before);
    full = (struct rlimit){(rlim_t)null + 1, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &full);
    asked(syncer, path);
    setrlimit(RLIMIT_NOFILE, &before);
    cr_expect_eq(heard, EMFILE);
    syncer_free(syncer);
    loop_release(&loop);
    unlink(path);
    close(fd);
    close(null);
}

static int told;

static void on_told(void *arg, int error)
{
    *(int *)arg = error;
    if (++told == 3)
        loop_stop(&loop);
}

/* A FIFO cannot be synced; and to open it waits until this side does, too. */
Test(syncer, a_failure_is_told_to_all_who_wait_for_the_file, .timeout = 60)
{
    int error[4] = {-1, -1, -1, -1};
    char folder[] = "/tmp/syncer.XXXXXX", path[64];
    struct syncer *syncer;
    int fd;

    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    loop_init(&loop);
    syncer = syncer_new(&loop);
    for (int i = 0; i < 4; i++)
        syncer_ask(syncer, path, on_told, &error[i]);
    syncer_forget(syncer, &error[3]);
    fd = open(path, O_RDONLY); /* the first one goes on, and fails */
    cr_assert_neq(fd, -1);
    loop_run(&loop);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(error[i], EINVAL, "%d: %d", i, error[i]);
    cr_expect_eq(error[3], -1);
    syncer_free(syncer);
    loop_release(&loop);
    close(fd);
    unlink(path);
    rmdir(folder);
}

/* The syncer's calls come here: they wait for a byte, if there is a gate. */
static int gate = -1;
static atomic_int syncs;

int fdatasync(int fd)
{
    char byte;

    syncs++;
    if (gate == -1)
        return (int)syscall(SYS_fdatasync, fd);
    return read(gate, &byte, 1) == 1 ? 0 : -1;
}

Test(syncer, who_asks_meanwhile_shares_the_next_time, .timeout = 60)
{
    int error[3] = {-1, -1, -1}, ends[2];
    char path[] = "/tmp/syncer.XXXXXX";
    struct syncer *syncer;
    int fd = mkstemp(path);

    cr_assert(fd != -1 && pipe(ends) == 0);
    gate = ends[0];
    loop_init(&loop);
    syncer = syncer_new(&loop);
    for (int i = 0; i < 3; i++)
        syncer_ask(syncer, path, on_told, &error[i]);
    cr_assert_eq(write(ends[1], "123", 3), 3);
    loop_run(&loop);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(error[i], 0, "%d", i);
    cr_expect_eq(syncs, 2, "one for the first, one for the others");
    syncer_free(syncer);
    loop_release(&loop);
    close(ends[0]);
    close(ends[1]);
    unlink(path);
    close(fd);
}
