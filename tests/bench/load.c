/*
 * load PORT HTTP_PORT PID BOTS NAMES PAUSE_MS SECONDS COMMAND - many bots.
 *
 * Logs BOTS network bots in, in one process, under the names bot1 to botNAMES
 * whose tokens are in bot1.token and so on; runs COMMAND, which lets the games
 * begin; and plays for SECONDS. A bot waits PAUSE_MS before a move on average.
 * Prints one row: figures of the daemon, from its /metrics and from /proc/PID.
 */

#include "match/login.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { NAMES_MAX = 64, METRICS_MAX = 1 << 18, BUCKETS = 32, AT_ONCE = 200 };

struct player {
    struct bufferevent *link;
    struct event *pause;
    int name;
    char *moves; /* the last legal moves */
    char id[16]; /* of the genmove that waits */
};

/* What /metrics says at one moment. */
struct sample {
    double at_s, moves, games;
    int buckets;
    double bound[BUCKETS], count[BUCKETS];
};

static struct event_base *base;
static char token[NAMES_MAX][TOKEN_TEXT + 1];
static int bots, names, pause_ms, connected, logged_in, lost;
static struct sockaddr_in server;
static struct player *players;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The talk. */

static void answer(struct player *p, const char *id, const char *text)
{
    evbuffer_add_printf(bufferevent_get_output(p->link), "=%s%s%s\n\n", id,
                        *text ? " " : "", text);
}

static void log_in(struct player *p, const char *id, const char *nonce)
{
    char name[16], proof[PROOF_HEX + 1], text[96];

    snprintf(name, sizeof name, "bot%d", p->name + 1);
    login_prove(token[p->name], name, nonce, proof);
    snprintf(text, sizeof text, "%s %s", name, proof);
    answer(p, id, text);
    logged_in++;
}

/* Any word of the list. */
static void move(struct player *p)
{
    size_t words = 1;
    char *at = p->moves;

    for (const char *c = at; *c; c++)
        words += *c == ' ';
    for (size_t skip = randombytes_uniform((uint32_t)words); skip > 0; skip--)
        at = strchr(at, ' ') + 1;
    at[strcspn(at, " ")] = '\0';
    answer(p, p->id, at);
}

static void on_pause(evutil_socket_t fd, short what, void *arg)
{
    move(arg);
}

/* Not all equally long, or they would all move at the same moment. */
static void think(struct player *p)
{
    uint32_t us = randombytes_uniform(2000 * (uint32_t)pause_ms + 1);
    struct timeval wait = {us / 1000000, us % 1000000};

    if (pause_ms > 0)
        event_add(p->pause, &wait);
    else
        move(p);
}

static void on_line(struct player *p, char *line)
{
    const char *id = strsep(&line, " "), *command = strsep(&line, " ");

    if (!command)
        return;
    if (strcmp(command, "login") == 0) {
        log_in(p, id, line);
    } else if (strcmp(command, "legal_moves") == 0) {
        free(p->moves);
        p->moves = strdup(line);
        answer(p, id, "");
    } else if (strcmp(command, "genmove") == 0) {
        snprintf(p->id, sizeof p->id, "%s", id);
        think(p);
    } else if (strcmp(command, "list_commands") == 0) {
        answer(p, id, "legal_moves");
    } else {
        answer(p, id, strcmp(command, "protocol_version") == 0 ? "2" : "");
    }
}

static void on_read(struct bufferevent *link, void *arg)
{
    char *line;

    while ((line = evbuffer_readln(bufferevent_get_input(link), NULL,
                                   EVBUFFER_EOL_LF))) {
        on_line(arg, line);
        free(line);
    }
}

static void on_event(struct bufferevent *link, short what, void *arg)
{
    int on = 1;

    if (what & BEV_EVENT_CONNECTED) {
        connected++;
        setsockopt(bufferevent_getfd(link), IPPROTO_TCP, TCP_NODELAY, &on,
                   sizeof on);
    } else {
        lost++;
        bufferevent_disable(link, EV_READ | EV_WRITE);
    }
}

static void start(struct player *p, int number)
{
    p->name = number % names;
    p->pause = evtimer_new(base, on_pause, p);
    p->link = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
    bufferevent_setcb(p->link, on_read, NULL, on_event, p);
    bufferevent_enable(p->link, EV_READ | EV_WRITE);
    if (bufferevent_socket_connect(p->link, (struct sockaddr *)&server,
                                   sizeof server) != 0)
        die("connect");
}

static void run_for(double seconds)
{
    double end = now_s() + seconds;
    struct timeval turn = {0, 50000};

    while (now_s() < end) {
        event_base_loopexit(base, &turn);
        event_base_dispatch(base);
    }
}

static void log_all_in(void)
{
    double end = now_s() + 60;

    for (int i = 0; i < bots; i++) {
        start(&players[i], i);
        while (i + 1 - logged_in > AT_ONCE && now_s() < end)
            event_base_loop(base, EVLOOP_ONCE);
    }
    while (logged_in < bots && !lost && now_s() < end)
        event_base_loop(base, EVLOOP_ONCE);
    if (logged_in < bots || lost) {
        fprintf(stderr, "load: %d of %d logged in, %d lost\n", logged_in, bots,
                lost);
        exit(1);
    }
}

/* Figures. */

static long rss_kib(const char *pid)
{
    char path[64], line[256];
    long kib = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%s/status", pid);
    file = fopen(path, "r");
    if (!file)
        die(path);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    fclose(file);
    return kib;
}

static void read_metrics(int port, char *text)
{
    static const char get[] = "GET /metrics HTTP/1.0\r\n\r\n";
    struct sockaddr_in at = server;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    size_t len = 0;
    ssize_t n;

    at.sin_port = htons((uint16_t)port);
    if (connect(fd, (struct sockaddr *)&at, sizeof at) != 0 ||
        write(fd, get, sizeof get - 1) < 0)
        die("metrics");
    while ((n = read(fd, text + len, METRICS_MAX - 1 - len)) > 0)
        len += (size_t)n;
    text[len] = '\0';
    close(fd);
}

static double number(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at ? strtod(at + strlen(name), NULL) : 0;
}

static void take_sample(int port, struct sample *s)
{
    static const char bucket[] = "\nreferee_loop_lag_seconds_bucket{le=\"";
    static char text[METRICS_MAX];
    char *at = text;

    read_metrics(port, text);
    *s = (struct sample){.at_s = now_s(),
                         .moves = number(text, "\nreferee_moves_total "),
                         .games = number(text, "\nreferee_games_done_total ")};
    while ((at = strstr(at, bucket)) && s->buckets < BUCKETS) {
        at += strlen(bucket);
        s->bound[s->buckets] = strtod(at, &at);
        s->count[s->buckets++] = strtod(strchr(at, ' '), NULL);
    }
}

/* The bucket in which this share of all lags is, by its upper bound, in us. */
static double lag_us(const struct sample *a, const struct sample *b, double q)
{
    int last = b->buckets - 1;
    double all = b->count[last] - a->count[last];

    for (int i = 0; i < last; i++)
        if (b->count[i] - a->count[i] >= q * all)
            return 1e6 * b->bound[i];
    return 1e9;
}

static void read_tokens(void)
{
    char path[32];
    FILE *file;

    for (int i = 0; i < names; i++) {
        snprintf(path, sizeof path, "bot%d.token", i + 1);
        file = fopen(path, "r");
        if (!file || !fgets(token[i], sizeof token[i], file))
            die(path);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    struct rlimit limit;
    struct sample a, b;
    long before, idle, busy;
    int http;

    if (argc != 9 || sodium_init() < 0) {
        fputs("load PORT HTTP_PORT PID BOTS NAMES PAUSE_MS SECONDS COMMAND\n",
              stderr);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    http = atoi(argv[2]);
    bots = atoi(argv[4]);
    names = atoi(argv[5]) < NAMES_MAX ? atoi(argv[5]) : NAMES_MAX;
    pause_ms = atoi(argv[6]);
    server = (struct sockaddr_in){.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(argv[1])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    read_tokens();
    base = event_base_new();
    players = calloc((size_t)bots, sizeof *players);
    before = rss_kib(argv[3]);
    log_all_in();
    run_for(0.5);
    idle = rss_kib(argv[3]);
    if (system(argv[8]) != 0)
        die(argv[8]);
    run_for(2);
    take_sample(http, &a);
    run_for(atof(argv[7]));
    take_sample(http, &b);
    busy = rss_kib(argv[3]);
    printf("%6d %6d %8.0f %8.0f %8.0f %8.0f %8.0f %8.1f %8.1f %5d\n", bots,
           pause_ms, (b.games - a.games) / (b.at_s - a.at_s),
           (b.moves - a.moves) / (b.at_s - a.at_s), lag_us(&a, &b, 0.5),
           lag_us(&a, &b, 0.99), lag_us(&a, &b, 0.999),
           (double)(idle - before) / bots, (double)(busy - before) / bots,
           lost);
    return lost != 0;
}
