/* Files that are made safe by other threads. */

#include "host/syncer.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static struct loop loop;
static int heard;

static void on_done(void *arg, int error)
{
    heard = error;
    loop_stop(&loop);
}

/* What comes of it when this descriptor is to be synced? */
static int asked(struct syncer *syncer, int fd)
{
    heard = -1;
    syncer_ask(syncer, fd, on_done, NULL);
    loop_run(&loop);
    return heard;
}

Test(syncer, tells_what_went_wrong, .timeout = 60)
{
    struct rlimit before, full;
    struct syncer *syncer;
    FILE *file = tmpfile();
    int null;

    loop_init(&loop);
    syncer = syncer_new(&loop);
    null = open("/dev/null", O_RDWR); /* all below it are taken */
    cr_assert(file && null != -1);
    cr_expect_eq(asked(syncer, fileno(file)), 0);
    cr_expect_eq(asked(syncer, null), EINVAL);
    getrlimit(RLIMIT_NOFILE, &before);
    full = (struct rlimit){(rlim_t)null + 1, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &full);
    asked(syncer, fileno(file));
    setrlimit(RLIMIT_NOFILE, &before);
    cr_expect_eq(heard, EMFILE);
    syncer_free(syncer);
    loop_release(&loop);
    fclose(file);
    close(null);
}
