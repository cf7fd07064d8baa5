#include "cmd/lib/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process has one secret; its block is what must be freed. */
static char *block;

/* Forked processes see zeros. */
static void keep_from_children(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)block & ~(page - 1);

    madvise((void *)start, (uintptr_t)block + SECRET_MAX + 1 - start,
            MADV_WIPEONFORK);
}

static bool is_private(int fd, const char *path, struct err *err)
{
    struct stat st;

    if (fstat(fd, &st) == -1)
        return fail(err, "%s cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fail(err, "%s is not a file", path);
    if (st.st_mode & 077)
        return fail(
            err,
            "other users can read %s (its mode is %03o): run \"chmod 600 %s\" first",
            path, (unsigned)st.st_mode & 0777, path);
    return true;
}

/* One word of printable ASCII. */
static bool is_token(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c <= ' ' || *c > '~')
            return false;
    return *text != '\0';
}

static bool read_token(int fd, const char *path, struct err *err)
{
    ssize_t n;

    if (!is_private(fd, path, err))
        return false;
    n = read(fd, block, SECRET_MAX);
    if (n == -1)
        return fail(err, "%s cannot be read: %s", path, strerror(errno));
    block[n] = '\0';
    block[strcspn(block, "\r\n")] = '\0';
    if (strlen(block) == SECRET_MAX || !is_token(block))
        return fail(
            err,
            "the first line of %s is not a token: it must be one word, as "
            "\"referee token\" prints it",
            path);
    return true;
}

const char *secret_read(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ok;

    if (fd == -1) {
        fail(err, "%s cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    block = sodium_malloc(SECRET_MAX + 1);
    if (!block)
        abort();
    keep_from_children();
    ok = read_token(fd, path, err);
    close(fd);
    if (!ok)
        secret_free(block);
    return ok ? block : NULL;
}

void secret_free(const char *secret)
{
    if (secret)
        sodium_free(block); /* this wipes it */
    block = NULL;
}
