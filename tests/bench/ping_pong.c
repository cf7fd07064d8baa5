/*
 * ping_pong - what a move costs where there are no rules: the limit.
 *
 *     ping_pong pipe|tcp turns TRIPS CHILDREN OUT IN
 *     ping_pong pipe|tcp events TRIPS GAMES BOT [ARG...]
 *     ping_pong start BOTS COMMAND [ARG...]
 *
 * turns: plain read and write, with lines of OUT and IN bytes, and the children
 * answer in turn. events: libevent's raw events, two bots in turn a game, which
 * are null_bot -r; over TCP they are told where to call. start: start, greet
 * and reap a bot, one after the other.
 *
 * TRIPS round trips are made in all. Prints "WALL CPU" in microseconds, of the
 * trips alone, CPU of this process alone.
 */

#include <arpa/inet.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
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

enum {
    BYTES_MAX = 8192,
    LINE_MAX_BYTES = 4096,
    CHILDREN_MAX = 8,
    WORDS_MAX = 16,
    CALL_MS = 10000,
};

struct child {
    pid_t pid;
    int to, from;
};

static char ping[LINE_MAX_BYTES], pong[LINE_MAX_BYTES];
static size_t ping_len, pong_len;
static bool on_tcp;
static char *const *bot; /* what the children run; NULL: they only answer */

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

/* In the child: be a bot on these two. */
static void become_bot(int in, int out)
{
    check(dup2(in, 0) == 0 && dup2(out, 1) == 1, "dup2");
    if (!bot) {
        close_range(3, ~0u, 0);
        answer_for_ever();
    }
    execv(bot[0], bot);
    perror(bot[0]);
    _exit(127);
}

static struct child start_on_pipes(void)
{
    struct child c;
    int in[2], out[2];

    check(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "pipe");
    c = (struct child){fork(), in[1], out[0]};
    check(c.pid != -1, "fork");
    if (c.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        become_bot(in[0], out[1]);
    }
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

/* In the child: call, or let the bot do it: "-tPORT:NAME:TOKEN". */
static void become_caller(const struct sockaddr_in *at)
{
    char *words[WORDS_MAX] = {0}, where[32];
    int fd, count = 1;

    if (!bot) {
        fd = socket(AF_INET, SOCK_STREAM, 0);
        check(connect(fd, (const struct sockaddr *)at, sizeof *at) == 0,
              "connect");
        send_at_once(fd);
        become_bot(fd, fd);
    }
    snprintf(where, sizeof where, "-t%d:-:-", ntohs(at->sin_port));
    words[0] = bot[0];
    words[count++] = where;
    for (int i = 1; bot[i]; i++) {
        check(count < WORDS_MAX - 1, "too many words");
        words[count++] = bot[i];
    }
    execv(words[0], words);
    perror(words[0]);
    _exit(127);
}

static struct child start_on_tcp(void)
{
    struct sockaddr_in at;
    int listener = listen_on(&at);
    struct pollfd called = {.fd = listener, .events = POLLIN};
    struct child c = {.pid = fork()};

    check(c.pid != -1, "fork");
    if (c.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        become_caller(&at);
    }
    if (poll(&called, 1, CALL_MS) != 1) {
        fputs("ping_pong: the bot does not call\n", stderr);
        exit(1);
    }
    c.to = c.from = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    check(c.to != -1, "accept");
    send_at_once(c.to);
    close(listener);
    return c;
}

static struct child start(void)
{
    return on_tcp ? start_on_tcp() : start_on_pipes();
}

static void stop(const struct child *c)
{
    close(c->to);
    if (c->from != c->to)
        close(c->from);
    waitpid(c->pid, NULL, 0);
}

static void put_text(const struct child *c, const char *text, size_t len)
{
    check(write(c->to, text, len) == (ssize_t)len, "write");
}

static void put(const struct child *c)
{
    put_text(c, ping, ping_len);
}

/* True at the end of a line. */
static bool get(const struct child *c)
{
    char bytes[BYTES_MAX];
    ssize_t n = read(c->from, bytes, sizeof bytes);

    check(n >= 0, "read");
    if (n == 0) {
        fputs("ping_pong: a child has ended\n", stderr);
        exit(1);
    }
    return bytes[n - 1] == '\n';
}

static void wait_for_line(const struct child *c)
{
    while (!get(c))
        continue;
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
        wait_for_line(asked);
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

/* As a referee does, which numbers its commands and knows the game. */
static void seat_bot(const struct child *c, int game, int seat)
{
    char text[64];
    int len = snprintf(text, sizeof text,
                       "1 new_game - match=game-%d seat=%d\n", game, seat);

    put_text(c, text, (size_t)len);
    wait_for_line(c);
}

static void say_each_time(const char *line)
{
    ping_len = strlen(line);
    memcpy(ping, line, ping_len);
}

static void events(int trips, int games)
{
    struct seat *seat = calloc(2 * (size_t)games, sizeof *seat);
    double wall = 0, cpu = 0;

    check(seat != NULL, "calloc");
    raise_limit(games);
    for (int i = 0; i < 2 * games; i++)
        seat[i].child = start();
    for (int i = 0; i < 2 * games; i++)
        seat_bot(&seat[i].child, i / 2 + 1, i % 2 + 1);
    say_each_time("1000 genmove 1\n");
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

static void start_one(void)
{
    struct child c = start_on_pipes();

    put(&c);
    wait_for_line(&c);
    stop(&c);
}

static void starts(int bots)
{
    double wall = time_us(CLOCK_MONOTONIC);
    double cpu = time_us(CLOCK_PROCESS_CPUTIME_ID);

    say_each_time("1 protocol_version\n");
    for (int i = 0; i < bots; i++)
        start_one();
    wall = time_us(CLOCK_MONOTONIC) - wall;
    cpu = time_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%.0f %.0f\n", wall, cpu);
}

/* "turns TRIPS CHILDREN OUT IN" or "events TRIPS GAMES BOT [ARG...]" */
static int trips(int argc, char **argv)
{
    int count = atoi(argv[1]), n = atoi(argv[2]);

    if (strcmp(argv[0], "events") == 0) {
        bot = argv + 3;
        events(count, n);
        return 0;
    }
    if (strcmp(argv[0], "turns") != 0 || argc != 5 || n < 1 || n > CHILDREN_MAX)
        return 2;
    make_lines(atoi(argv[3]), atoi(argv[4]));
    turns(count, n);
    return 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    if (argc >= 4 && strcmp(argv[1], "start") == 0) {
        bot = argv + 3;
        starts(atoi(argv[2]));
        return 0;
    }
    if (argc < 6)
        return 2;
    on_tcp = strcmp(argv[1], "tcp") == 0;
    return trips(argc - 2, argv + 2);
}
