#include "net/unix_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool unix_socket_name(struct unix_socket *s, const char *path, struct err *err)
{
    size_t max = sizeof s->at.sun_path - 1;

    if (!*path || strlen(path) > max)
        return fail(
            err,
            "the path of a socket must have 1 to %zu bytes, and %.40s... has "
            "%zu",
            max, path, strlen(path));
    s->at.sun_family = AF_UNIX;
    memcpy(s->at.sun_path, path, strlen(path) + 1);
    return true;
}

static int new_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static const struct sockaddr *address(const struct unix_socket *s)
{
    return (const struct sockaddr *)&s->at;
}

static bool nobody_listens(const struct unix_socket *s)
{
    int fd = new_socket();
    bool refused;

    if (fd == -1)
        return false;
    refused =
        connect(fd, address(s), sizeof s->at) == -1 && errno == ECONNREFUSED;
    close(fd);
    return refused;
}

static bool clear_path(const struct unix_socket *s, struct err *err)
{
    const char *path = s->at.sun_path;
    struct stat st;

    if (lstat(path, &st) == -1)
        return errno == ENOENT ||
               fail(err, "%s cannot be used: %s", path, strerror(errno));
    if (!S_ISSOCK(st.st_mode))
        return fail(err,
                    "%s already exists and is not a socket; name another path, "
                    "or remove it",
                    path);
    if (!nobody_listens(s))
        return fail_for_now(err, "another process already listens on %s", path);
    if (unlink(path) == -1)
        return fail(err,
                    "%s, left behind by another referee, cannot be "
                    "removed: %s",
                    path, strerror(errno));
    return true;
}

/* The mask, not chmod(): there must be no moment with another mode. */
static bool bind_to(struct unix_socket *s, int fd)
{
    mode_t mask = umask(0177);
    bool bound = bind(fd, address(s), sizeof s->at) == 0;
    int why = errno;

    umask(mask);
    errno = why;
    return bound && lstat(s->at.sun_path, &s->file) == 0;
}

int unix_socket_open(struct unix_socket *s, int backlog, struct err *err)
{
    int fd;

    if (!clear_path(s, err))
        return -1;
    fd = new_socket();
    if (fd != -1 && bind_to(s, fd) && listen(fd, backlog) == 0)
        return fd;
    fail(err, "cannot listen on %s: %s", s->at.sun_path, strerror(errno));
    if (fd != -1)
        close(fd);
    return -1;
}

void unix_socket_remove(const struct unix_socket *s)
{
    struct stat now;

    if (lstat(s->at.sun_path, &now) == 0 && now.st_dev == s->file.st_dev &&
        now.st_ino == s->file.st_ino)
        unlink(s->at.sun_path);
}
