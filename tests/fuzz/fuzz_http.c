/*
 * Any bytes as what a client of the daemon's HTTP server sends: requests,
 * headers, queries, bodies. Whatever is answered is HTTP, and the connection
 * ends.
 */

#include "daemon/http.h"
#include "fuzz/fuzz.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/http.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static struct loop loop;
static struct http *http;
static struct http_metrics metrics;

static const char *complaint(void *owner)
{
    return NULL;
}

static void write_metrics(void *owner, struct buf *out)
{
    buf_str(out, "games 1\n");
}

/* Ask for everything that a handler of the daemon asks for. */
static int answer(void *owner, struct http_ask *ask, struct buf *out)
{
    static const char *const keys[] = {"bot", "limit", "seat", "before"};

    insist(ask->path && ask->target && ask->address[0]);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = http_value(ask, keys[i]);

        insist(!value || strlen(value) < HTTP_HEADERS_MAX);
    }
    insist(!ask->body || strlen(ask->body) <= HTTP_BODY_MAX);
    buf_str(out, "{}");
    return HTTP_OK;
}

/* Everybody is a proxy here, so that the header is read. */
static const struct proxies *proxies(void *owner)
{
    static struct proxies all;
    struct err err;

    if (all.count == 0)
        insist(proxies_read("0.0.0.0/0", &all, &err));
    return &all;
}

static const struct http_calls calls = {complaint, write_metrics, proxies,
                                        answer, answer};

static int dial(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)http_port(http)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    insist(fd != -1 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

/* Turn the loop until the server has closed its end. */
static size_t read_all(int fd, char *text, size_t room)
{
    size_t len = 0;

    for (;;) {
        ssize_t n = recv(fd, text + len, room - len, MSG_DONTWAIT);

        if (n > 0)
            len += (size_t)n;
        else if (n == 0 || errno != EAGAIN)
            return len;
        event_base_loop(loop.base, EVLOOP_NONBLOCK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[1 << 20];
    struct err err;
    size_t len;
    int fd;

    if (!http) {
        signal(SIGPIPE, SIG_IGN);
        loop_init(&loop);
        http = http_new(&loop, "127.0.0.1", 0, &calls, NULL, &metrics, &err);
        insist(http != NULL);
    }
    fd = dial();
    if (size > 16 << 10)
        size = 16 << 10; /* more than any request may have */
    insist(size == 0 || send(fd, data, size, MSG_NOSIGNAL) > 0);
    shutdown(fd, SHUT_WR);
    len = read_all(fd, text, sizeof text);
    insist(len == 0 || strncmp(text, "HTTP/", len < 5 ? len : 5) == 0);
    close(fd);
    return 0;
}
