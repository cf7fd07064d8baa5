/*
 * ping_pong - what a move costs where there are no rules: the limit.
 *
 *     ping_pong pipe|tcp turns TRIPS OUT IN CHILDREN   plain read and write,
 * the children in turn ping_pong pipe|tcp events TRIPS OUT IN GAMES libevent,
 * raw events, two children in turn a game ping_pong start BOTS COMMAND start,
 * greet, reap a bot
 *
 * TRIPS round trips are made in all, with lines of OUT and IN bytes. Prints
 * "WALL CPU" in microseconds, of the trips alone, CPU of this process alone.
 */

#include <arpa/inet.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES_MAX = 8192, LINE_MAX_BYTES = 4096, CHILDREN_MAX = 8 };

struct child {
    pid_t pid;
    int to, from;
};

static char ping[LINE_MAX_BYTES], pong[LINE_MAX_BYTES];
static size_t ping_len, pong_len;
static bool on_tcp;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    exit(1);
}

static double time_us(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void answer_for_ever(void)
{
    char bytes[BYTES_MAX];
    ssize_t n;

    while ((n = read(0, bytes, sizeof bytes)) > 0)
        if (bytes[n - 1] == '\n' && write(1, pong, pong_len) < 0)
            break;
    _exit(0);
}

/* In the child: run `argv` on these two, or answer. */
static void become(char *const *argv, int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    check(dup2(in, 0) == 0 && dup2(out, 1) == 1, "dup2");
    if (!argv) {
        close_range(3, ~0u, 0);
        answer_for_ever();
    }
    execv(argv[0], argv);
    _exit(127);
}

static struct child start_on_pipes(char *const *argv)
{
    struct child c;
    int in[2], out[2];

    check(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "pipe");
    c = (struct child){fork(), in[1], out[0]};
    check(c.pid != -1, "fork");
    if (c.pid == 0)
        become(argv, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    return c;
}

static int listen_on(struct sockaddr_in *at)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t len = sizeof *at;

    *at = (struct sockaddr_in){.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    check(bind(fd, (struct sockaddr *)at, len) == 0 && listen(fd, 1) == 0 &&
              getsockname(fd, (struct sockaddr *)at, &len) == 0,
          "listen");
    return fd;
}

static void send_at_once(int fd)
{
    int on = 1;

    check(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0,
          "TCP_NODELAY");
}

static struct child start_on_tcp(void)
{
    struct sockaddr_in at;
    int listener = listen_on(&at), fd;
    struct child c = {.pid = fork()};

    check(c.pid != -1, "fork");
    if (c.pid == 0) {
        fd = socket(AF_INET, SOCK_STREAM, 0);
        check(connect(fd, (struct sockaddr *)&at, sizeof at) == 0, "connect");
        send_at_once(fd);
        become(NULL, fd, fd);
    }
    c.to = c.from = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    check(c.to != -1, "accept");
    send_at_once(c.to);
    close(listener);
    return c;
}

/* One that answers for ever. */
static struct child start(void)
{
    return on_tcp ? start_on_tcp() : start_on_pipes(NULL);
}

static void stop(const struct child *c)
{
    close(c->to);
    if (c->from != c->to)
        close(c->from);
    waitpid(c->pid, NULL, 0);
}

static void put(const struct child *c)
{
    check(write(c->to, ping, ping_len) == (ssize_t)ping_len, "write");
}

/* True at the end of a line. */
static bool get(const struct child *c)
{
    char bytes[BYTES_MAX];
    ssize_t n = read(c->from, bytes, sizeof bytes);

    check(n > 0, "read");
    return bytes[n - 1] == '\n';
}

static void make_lines(int out, int in)
{
    ping_len = (size_t)out < sizeof ping ? (size_t)out : sizeof ping;
    pong_len = (size_t)in < sizeof pong ? (size_t)in : sizeof pong;
    memset(ping, 'x', ping_len);
    memset(pong, 'x', pong_len);
    ping[ping_len - 1] = pong[pong_len - 1] = '\n';
}

static void turns(int trips, int children)
{
    struct child c[CHILDREN_MAX];
    double wall = 0, cpu = 0;

    for (int i = 0; i < children; i++)
        c[i] = start();
    for (int i = -20; i < trips; i++) {
        const struct child *asked = &c[(i + 20) % children];

        if (i == 0) {
            wall = time_us(CLOCK_MONOTONIC);
            cpu = time_us(CLOCK_PROCESS_CPUTIME_ID);
        }
        put(asked);
        while (!get(asked))
            continue;
    }
    wall = time_us(CLOCK_MONOTONIC) - wall;
    cpu = time_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%.0f %.0f\n", wall, cpu);
    for (int i = 0; i < children; i++)
        stop(&c[i]);
}

/* Events. */

struct seat {
    struct child child;
    struct seat *other;
    struct event *can_read;
};

static struct event_base *base;
static int asked, answered, wanted;

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct seat *s = arg;

    (void)fd, (void)what;
    if (!get(&s->child))
        return;
    if (asked < wanted) {
        asked++;
        put(&s->other->child);
    }
    if (++answered == wanted)
        event_base_loopbreak(base);
}

static void raise_limit(int games)
{
    struct rlimit limit;

    check(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
    if (limit.rlim_cur < (rlim_t)(4 * games + 64))
        limit.rlim_cur = limit.rlim_max;
    check(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
}

static void events(int trips, int games)
{
    struct seat *seat = calloc(2 * (size_t)games, sizeof *seat);
    double wall = 0, cpu = 0;

    check(seat != NULL, "calloc");
    raise_limit(games);
    for (int i = 0; i < 2 * games; i++)
        seat[i].child = start();
    base = event_base_new();
    for (int i = 0; i < 2 * games; i++) {
        struct seat *s = &seat[i];

        s->other = &seat[i ^ 1];
        s->can_read = event_new(base, s->child.from, EV_READ | EV_PERSIST,
                                on_readable, s);
        event_add(s->can_read, NULL);
    }
    wall = time_us(CLOCK_MONOTONIC);
    cpu = time_us(CLOCK_PROCESS_CPUTIME_ID);
    wanted = trips;
    for (int i = 0; i < 2 * games && asked < wanted; i += 2, asked++)
        put(&seat[i].child);
    event_base_dispatch(base);
    wall = time_us(CLOCK_MONOTONIC) - wall;
    cpu = time_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%.0f %.0f\n", wall, cpu);
    for (int i = 0; i < 2 * games; i++) {
        event_free(seat[i].can_read);
        stop(&seat[i].child);
    }
    event_base_free(base);
    free(seat);
}

/* Bots. */

static void start_one(char *const *argv)
{
    struct child c = start_on_pipes(argv);

    put(&c);
    while (!get(&c))
        continue;
    stop(&c);
}

static void starts(int bots, char *const *argv)
{
    static const char greeting[] = "1 protocol_version\n";
    double wall = time_us(CLOCK_MONOTONIC);
    double cpu = time_us(CLOCK_PROCESS_CPUTIME_ID);

    memcpy(ping, greeting, ping_len = sizeof greeting - 1);
    for (int i = 0; i < bots; i++)
        start_one(argv);
    wall = time_us(CLOCK_MONOTONIC) - wall;
    cpu = time_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%.0f %.0f\n", wall, cpu);
}

int main(int argc, char **argv)
{
    int number[4];

    signal(SIGPIPE, SIG_IGN);
    if (argc >= 4 && strcmp(argv[1], "start") == 0) {
        starts(atoi(argv[2]), argv + 3);
        return 0;
    }
    if (argc != 7)
        return 2;
    for (int i = 0; i < 4; i++)
        number[i] = atoi(argv[3 + i]);
    on_tcp = strcmp(argv[1], "tcp") == 0;
    make_lines(number[1], number[2]);
    if (strcmp(argv[2], "events") == 0)
        events(number[0], number[3]);
    else if (number[3] >= 1 && number[3] <= CHILDREN_MAX)
        turns(number[0], number[3]);
    else
        return 2;
    return 0;
}
