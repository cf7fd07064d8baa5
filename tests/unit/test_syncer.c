/* Files that are made safe by other threads. */

#include "daemon/syncer.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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

/*
 * The syncer's calls come here. If there is a gate they wait for a byte from
 * it, and 'x' is a disk that fails.
 */
static int gate = -1;
static atomic_int syncs;

int fdatasync(int fd)
{
    char byte = 'x';

    syncs++;
    if (gate == -1)
        return (int)syscall(SYS_fdatasync, fd);
    if (read(gate, &byte, 1) == 1 && byte != 'x')
        return 0;
    errno = EIO;
    return -1;
}

/* One file, and a disk that does what the test says. */
struct gated {
    struct syncer *syncer;
    char path[sizeof "/tmp/syncer.XXXXXX"];
    int fd, ends[2];
};

static void open_gated(struct gated *g)
{
    strcpy(g->path, "/tmp/syncer.XXXXXX");
    g->fd = mkstemp(g->path);
    cr_assert(g->fd != -1 && pipe(g->ends) == 0);
    gate = g->ends[0];
    loop_init(&loop);
    g->syncer = syncer_new(&loop);
}

static void close_gated(struct gated *g)
{
    syncer_free(g->syncer);
    loop_release(&loop);
    close(g->ends[0]);
    close(g->ends[1]);
    unlink(g->path);
    close(g->fd);
}

/* The kernel tells a failure once, and then forgets whose bytes were lost. */
Test(syncer, a_failure_is_told_to_all_who_wait_for_the_file, .timeout = 60)
{
    int error[4] = {-1, -1, -1, -1};
    struct gated g;

    open_gated(&g);
    for (int i = 0; i < 4; i++)
        syncer_ask(g.syncer, g.path, on_told, &error[i]);
    syncer_forget(g.syncer, &error[3]);
    cr_assert_eq(write(g.ends[1], "x23", 3), 3);
    loop_run(&loop);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(error[i], EIO, "%d: %d", i, error[i]);
    cr_expect_eq(error[3], -1);
    close_gated(&g);
}

Test(syncer, who_asks_meanwhile_shares_the_next_time, .timeout = 60)
{
    int error[3] = {-1, -1, -1};
    struct gated g;

    open_gated(&g);
    for (int i = 0; i < 3; i++)
        syncer_ask(g.syncer, g.path, on_told, &error[i]);
    cr_assert_eq(write(g.ends[1], "123", 3), 3);
    loop_run(&loop);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(error[i], 0, "%d", i);
    cr_expect_eq(syncs, 2, "one for the first, one for the others");
    close_gated(&g);
}
