#include "net/dial.h"

#include "base/text.h"
#include "net/tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* For one address, before the next one is tried. */
static const struct timeval one_limit = {5, 0};

/* What is typed. */

bool address_is_unix(const struct address *a)
{
    return a->port[0] == '\0';
}

static bool read_port(const char *text, struct address *a, struct err *err)
{
    int port;

    if (!take_int(&text, 1, 65535, &port) || !at_end(text))
        return fail(err, "the port must be a number from 1 to 65535");
    snprintf(a->port, sizeof a->port, "%d", port);
    return true;
}

static bool read_host(const char *text, size_t len, struct address *a,
                      struct err *err)
{
    if (len == 0)
        return fail(err, "the host is missing: write HOST:PORT");
    if (len > DIAL_HOST_MAX)
        return fail(err, "the name of the host is too long");
    memcpy(a->host, text, len);
    a->host[len] = '\0';
    return true;
}

static bool read_path(const char *path, struct address *a, struct err *err)
{
    size_t max = sizeof((struct sockaddr_un *)0)->sun_path - 1;

    if (*path == '\0' || strlen(path) > max)
        return fail(err, "the path of a Unix socket has 1 to %zu bytes", max);
    snprintf(a->host, sizeof a->host, "%s", path);
    return true;
}

bool address_read(const char *text, struct address *a, struct err *err)
{
    const char *colon = strrchr(text, ':');

    *a = (struct address){0};
    if (take_text(&text, "unix:"))
        return read_path(text, a, err);
    if (text[0] == '[') {
        const char *end = strchr(text, ']');

        if (!end || end[1] != ':')
            return fail(err, "\"%.80s\": write [IPV6]:PORT, as in [::1]:7000",
                        text);
        return read_host(text + 1, (size_t)(end - text - 1), a, err) &&
               read_port(end + 2, a, err);
    }
    if (!colon)
        return fail(err, "\"%.80s\": write HOST:PORT or unix:PATH", text);
    if (strchr(text, ':') != colon)
        return fail(err,
                    "\"%.80s\": put an IPv6 address in brackets, as in "
                    "[::1]:7000",
                    text);
    return read_host(text, (size_t)(colon - text), a, err) &&
           read_port(colon + 1, a, err);
}

static struct addrinfo *look_up_number(const struct address *a)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    struct addrinfo *found;

    return getaddrinfo(a->host, a->port, &hints, &found) == 0 ? found : NULL;
}

bool address_is_number(const struct address *a)
{
    struct addrinfo *found = address_is_unix(a) ? NULL : look_up_number(a);

    if (found)
        freeaddrinfo(found);
    return found != NULL;
}

/* One address after the other. */

static void try_next(struct dial *d);

/* The owner may stop the dial in its callback. */
static void finish(struct dial *d, int fd)
{
    d->fd = -1;
    d->done(d->owner, fd, fd == -1 ? d->err.text : NULL);
}

/* Keep the reason why the last address failed. */
static void describe(struct dial *d, const char *what)
{
    const struct sockaddr *at =
        (const struct sockaddr *)&d->found.to[d->next - 1].at;
    char host[NI_MAXHOST] = "", text[NI_MAXHOST + 20];
    bool is_v6 = at->sa_family == AF_INET6;

    if (address_is_unix(d->address)) {
        fail(&d->err, "%s: %s", d->address->host, what);
        return;
    }
    getnameinfo(at, d->found.to[d->next - 1].len, host, sizeof host, NULL, 0,
                NI_NUMERICHOST);
    snprintf(text, sizeof text, "%s%s%s:%s", is_v6 ? "[" : "", host,
             is_v6 ? "]" : "", d->address->port);
    fail(&d->err, "%s: %s", text, what);
}

static void on_ready(evutil_socket_t fd, short what, void *arg)
{
    struct dial *d = arg;
    int error = ETIMEDOUT;
    socklen_t len = sizeof error;

    event_free(d->ready);
    d->ready = NULL;
    if (what & EV_WRITE)
        getsockopt(d->fd, SOL_SOCKET, SO_ERROR, &error, &len);
    if (error == 0) {
        finish(d, d->fd);
        return;
    }
    describe(d, strerror(error));
    close(d->fd);
    d->fd = -1;
    try_next(d);
}

/* True if a connection is on its way. */
static bool begin(struct dial *d)
{
    const struct sockaddr *at =
        (const struct sockaddr *)&d->found.to[d->next].at;
    socklen_t len = d->found.to[d->next++].len;

    d->fd =
        socket(at->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (d->fd != -1) {
        if (at->sa_family != AF_UNIX)
            tcp_set_options(d->fd);
        if (connect(d->fd, at, len) == 0 || errno == EINPROGRESS)
            return true;
    }
    describe(d, strerror(errno));
    if (d->fd != -1)
        close(d->fd);
    d->fd = -1;
    return false;
}

static void try_next(struct dial *d)
{
    while (d->next < d->found.count) {
        if (!begin(d))
            continue;
        d->ready = event_new(d->loop->base, d->fd, EV_WRITE, on_ready, d);
        event_add(d->ready, &one_limit);
        return;
    }
    finish(d, -1);
}

/* Names. */

static void add_all(struct addresses *to, const struct addrinfo *found)
{
    for (; found && to->count < DIAL_ADDRESSES_MAX; found = found->ai_next) {
        memcpy(&to->to[to->count].at, found->ai_addr, found->ai_addrlen);
        to->to[to->count++].len = found->ai_addrlen;
    }
}

/* Nothing of ours may stay open: a socket ends only when its last copy is
 * closed. */
static void close_all_but(int fd)
{
    if (fd > 3)
        close_range(3, (unsigned)fd - 1, 0);
    close_range((unsigned)fd + 1, ~0u, 0);
}

static void become_resolver(const struct address *a, int out)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addresses answer = {0};
    struct addrinfo *found = NULL;
    ssize_t ignored;

    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    close_all_but(out);
    alarm(60);
    answer.error = getaddrinfo(a->host, a->port, &hints, &found);
    add_all(&answer, found);
    ignored = write(out, &answer, sizeof answer); /* less than PIPE_BUF */
    (void)ignored;
    _exit(0);
}

static void end_resolver(struct dial *d)
{
    if (d->resolver == -1)
        return;
    kill(d->resolver, SIGKILL);
    while (waitpid(d->resolver, NULL, 0) == -1 && errno == EINTR)
        ;
    children_remove(&d->loop->children, d->resolver);
    event_free(d->answered);
    close(d->answer);
    d->resolver = -1;
}

static void on_answer(evutil_socket_t fd, short what, void *arg)
{
    struct dial *d = arg;
    ssize_t n = read(d->answer, &d->found, sizeof d->found);

    end_resolver(d);
    if (n != sizeof d->found) {
        d->found.count = 0;
        fail(&d->err, "%s cannot be looked up", d->address->host);
    } else if (d->found.error) {
        fail(&d->err, "%s: %s", d->address->host, gai_strerror(d->found.error));
    }
    try_next(d);
}

static bool start_resolver(struct dial *d)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) == -1)
        return false;
    d->resolver = fork();
    if (d->resolver == 0)
        become_resolver(d->address, ends[1]);
    close(ends[1]);
    if (d->resolver == -1) {
        close(ends[0]);
        return false;
    }
    children_add(&d->loop->children, d->resolver);
    d->answer = ends[0];
    d->answered = event_new(d->loop->base, d->answer, EV_READ, on_answer, d);
    loop_watch(d->answered);
    return true;
}

static void add_path(struct dial *d)
{
    struct sockaddr_un *at = (struct sockaddr_un *)&d->found.to[0].at;

    at->sun_family = AF_UNIX;
    memcpy(at->sun_path, d->address->host, strlen(d->address->host) + 1);
    d->found.to[0].len = sizeof *at;
    d->found.count = 1;
}

static void on_start(evutil_socket_t fd, short what, void *arg)
{
    struct dial *d = arg;
    struct addrinfo *found = NULL;

    if (address_is_unix(d->address))
        add_path(d);
    else
        found = look_up_number(d->address);
    if (found) {
        add_all(&d->found, found);
        freeaddrinfo(found);
    }
    if (d->found.count > 0) {
        try_next(d);
    } else if (!start_resolver(d)) {
        fail(&d->err, "%s cannot be looked up: %s", d->address->host,
             strerror(errno));
        finish(d, -1);
    }
}

void dial_start(struct dial *d, struct loop *loop, const struct address *a,
                dial_done *done, void *owner)
{
    *d = (struct dial){.address = a,
                       .loop = loop,
                       .done = done,
                       .owner = owner,
                       .resolver = -1,
                       .fd = -1};
    fail(&d->err, "%s has no address", a->host);
    d->start = evtimer_new(loop->base, on_start, d);
    event_active(d->start, EV_TIMEOUT, 0);
}

void dial_stop(struct dial *d)
{
    if (!d->start)
        return;
    end_resolver(d);
    event_free(d->start);
    if (d->ready)
        event_free(d->ready);
    if (d->fd != -1)
        close(d->fd);
    *d = (struct dial){.resolver = -1, .fd = -1};
}
