/* referee connect - connect a bot program to a server. */

#include "base/alloc.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/server_login.h"
#include "cmd/lib/status_line.h"
#include "net/relay.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    COUNT_MAX = 1000,
    FIRST_WAIT_US = 1000000,
    LONGEST_WAIT_US = 60000000,
    GOOD_US = 10000000, /* a connection that lasted this long was a good one */
    STATUS_US = 1000000,
    QUIT_US = 2000000,
    LADDERS_MAX = 300, /* bytes */
};

static struct server_words words;
static bool once;
static const char *ladders;
static int count = 1;

static const struct opt opts[] = {
    SERVER_OPTS(words),
    {"ladders", "L,...", "play on these ladders only", OPT_TEXT, &ladders, 0,
     0},
    {"count", "K", "connections at once, each with its own bot (default 1)",
     OPT_INT, &count, 1, COUNT_MAX},
    {"once", NULL, "do not reconnect when the connection ends", OPT_FLAG, &once,
     0, 0},
    {0},
};

/* One connection, or the pause between two. */
struct seat {
    struct run *run;
    int number;
    struct relay *relay;
    struct event *again;
    int64_t wait_us; /* wait after the next failure */
    bool waits, over;
};

struct run {
    struct loop loop;
    struct status_line line;
    struct server_login login;
    struct relay_config relay;
    struct seat *seat;
    struct event *status;
    int64_t in_bytes, out_bytes; /* totals of relays that have ended */
    bool leaving;                /* stop after the current games */
    bool stopping;
    bool cannot_run;
    int failed;
};

/* The status line. */

static void show_status(struct run *run)
{
    int64_t in = run->in_bytes, out = run->out_bytes;
    int joined = 0, waiting = 0, over = 0;

    for (int i = 0; i < count; i++) {
        const struct seat *s = &run->seat[i];

        joined += s->relay && s->relay->phase == RELAY_JOINED;
        waiting += s->waits;
        over += s->over;
        in += s->relay ? s->relay->in_bytes : 0;
        out += s->relay ? s->relay->out_bytes : 0;
    }
    status_line_status(
        &run->line,
        "%s: %d logged in, %d connecting, %d waiting, %.1f KB in, "
        "%.1f KB out",
        words.name, joined, count - joined - waiting - over, waiting,
        (double)in / 1e3, (double)out / 1e3);
}

static void say(struct seat *s, const char *text)
{
    if (count == 1)
        status_line_say(&s->run->line, "%s", text);
    else
        status_line_say(&s->run->line, "[%d] %s", s->number, text);
    show_status(s->run);
}

static void on_status(evutil_socket_t fd, short what, void *arg)
{
    show_status(arg);
}

/* Connections begin and end. */

static void end_if_all_over(struct run *run)
{
    for (int i = 0; i < count; i++)
        if (!run->seat[i].over)
            return;
    loop_stop(&run->loop);
}

/*
 * The server refuses some or all; do not let them all return at the same time.
 */
static int64_t with_jitter(int64_t us)
{
    return us / 2 + randombytes_uniform((uint32_t)us / 2);
}

static int64_t next_wait(struct seat *s, enum relay_end end)
{
    int64_t us;

    if (end == RELAY_REFUSED)
        s->wait_us = LONGEST_WAIT_US;
    else if (s->relay->login_us && now_us() - s->relay->login_us > GOOD_US)
        s->wait_us = FIRST_WAIT_US;
    us = with_jitter(s->wait_us);
    s->wait_us =
        s->wait_us < LONGEST_WAIT_US / 2 ? 2 * s->wait_us : LONGEST_WAIT_US;
    return us;
}

/* A timer frees the relay, because it is still on the call stack here. */
static void wait_for(struct seat *s, int64_t us)
{
    struct timeval t = {us / 1000000, us % 1000000};

    s->waits = us > 0;
    event_add(s->again, &t);
}

static void on_done(void *owner, enum relay_end end, const char *why)
{
    struct seat *s = owner;
    struct run *run = s->run;
    char text[ERR_TEXT_MAX + 40];
    int64_t us = 0;

    run->failed += end != RELAY_ENDED;
    run->cannot_run |= end == RELAY_NO_BOT;
    s->over = once || run->leaving || run->cannot_run;
    if (!s->over)
        us = next_wait(s, end);
    if (us > 0)
        snprintf(text, sizeof text, "%s; next try in %.1f s", why,
                 (double)us / 1e6);
    else
        snprintf(text, sizeof text, "%s", why);
    wait_for(s, us);
    say(s, text);
}

static void on_news(void *owner, const char *text)
{
    say(owner, text);
}

/* Say once, on a line of its own, what this is about. */
static void on_told(void *owner, const char *kind, const char *text)
{
    struct seat *s = owner;
    bool is_fault = strcmp(kind, "fault") == 0;
    char line[ERR_TEXT_MAX + 40];

    snprintf(line, sizeof line, "%s%s", is_fault ? "fault: " : "", text);
    say(s, line);
}

static bool on_stderr(void *owner, const char *bytes, size_t len)
{
    struct seat *s = owner;

    return status_line_pass(&s->run->line, bytes, len);
}

static const struct relay_owner calls = {on_news, on_told, on_stderr, on_done};

static void drop_relay(struct seat *s)
{
    if (!s->relay)
        return;
    s->run->in_bytes += s->relay->in_bytes;
    s->run->out_bytes += s->relay->out_bytes;
    relay_free(s->relay);
    s->relay = NULL;
}

static void stop_all(struct run *run, void (*how)(struct relay *))
{
    for (int i = 0; i < count; i++) {
        struct seat *s = &run->seat[i];

        if (s->waits) {
            s->over = true;
            wait_for(s, 0);
        } else if (s->relay) {
            how(s->relay);
        }
    }
}

/* Do not retry: the program cannot be run. */
static void give_up(struct run *run)
{
    run->leaving = run->stopping = true;
    stop_all(run, relay_stop);
}

static void on_again(evutil_socket_t fd, short what, void *arg)
{
    struct seat *s = arg;
    struct run *run = s->run;

    s->waits = false;
    s->over |= run->leaving;
    drop_relay(s);
    if (!s->over)
        s->relay = relay_new(&run->loop, &run->relay, &calls, s);
    else if (run->cannot_run && !run->leaving)
        give_up(run);
    show_status(run);
    end_if_all_over(run);
}

/* First politely, then immediately, then by force. */
static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct run *run = arg;

    if (!run->leaving)
        status_line_say(&run->line,
                        "exiting after the game; interrupt again to abandon "
                        "it");
    else if (!run->stopping)
        status_line_say(&run->line,
                        "exiting; interrupt again to kill the bots");
    stop_all(run, !run->leaving    ? relay_leave
                  : !run->stopping ? relay_stop
                                   : relay_kill);
    run->stopping = run->leaving;
    run->leaving = true;
}

/* From words to a run. */

static bool read_program(char **argv, struct err *err)
{
    const struct bot_entry entry = {.name = words.name};

    return can_be_run(&entry, argv, err);
}

/* "a,b", as written in the login line. */
static bool read_ladders(struct err *err)
{
    if (!ladders || (is_word(ladders) && strlen(ladders) <= LADDERS_MAX))
        return true;
    return fail(err, "--ladders takes names of ladders separated by commas, "
                     "without blanks, such as rondo,axiom");
}

static bool read_run(struct run *run, int argc, char **argv, struct err *err)
{
    if (argc < 1)
        return fail(err, "connect needs a server: HOST:PORT or unix:PATH");
    if (!server_login_read(argv[0], &words, &run->login, err))
        return false;
    if (argc < 2)
        return fail(err, "connect needs the bot's command after --");
    return read_ladders(err) && read_program(argv + 1, err) &&
           server_login_token(&words, &run->login, err);
}

/* Every connection needs five descriptors. */
static void raise_limit(void)
{
    struct rlimit limit;
    rlim_t need = (rlim_t)(8 * count + 64);

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
        limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void open_seats(struct run *run)
{
    run->seat = must_alloc(calloc((size_t)count, sizeof *run->seat));
    for (int i = 0; i < count; i++) {
        struct seat *s = &run->seat[i];

        *s = (struct seat){
            .run = run, .number = i + 1, .wait_us = FIRST_WAIT_US};
        s->again = evtimer_new(run->loop.base, on_again, s);
        wait_for(s, 0);
    }
}

static void play(struct run *run)
{
    const struct timeval tick = {STATUS_US / 1000000, 0};
    struct event *term, *interrupt;

    raise_limit();
    signal(SIGPIPE, SIG_IGN);
    loop_init(&run->loop);
    term = evsignal_new(run->loop.base, SIGTERM, on_signal, run);
    interrupt = evsignal_new(run->loop.base, SIGINT, on_signal, run);
    run->status = event_new(run->loop.base, -1, EV_PERSIST, on_status, run);
    loop_watch(term);
    loop_watch(interrupt);
    if (run->line.terminal)
        event_add(run->status, &tick);
    open_seats(run);
    loop_run(&run->loop);
    for (int i = 0; i < count; i++) {
        drop_relay(&run->seat[i]);
        event_free(run->seat[i].again);
    }
    event_free(run->status);
    event_free(term);
    event_free(interrupt);
    /* libevent frees a bufferevent only in the next turn of the loop. */
    event_base_loop(run->loop.base, EVLOOP_NONBLOCK);
    loop_release(&run->loop);
    free(run->seat);
}

static int run(int argc, char **argv)
{
    struct run r = {.relay = {.quit_us = QUIT_US}};
    struct err err;
    bool ok = read_run(&r, argc, argv, &err);

    if (ok) {
        r.relay.address = &r.login.address;
        r.relay.tls = r.login.uses_tls ? &r.login.tls : NULL;
        r.relay.name = words.name;
        r.relay.token = r.login.token;
        r.relay.login_us = r.login.login_us;
        r.relay.plain_token = words.plain_token;
        r.relay.ladders = ladders;
        r.relay.argv = argv + 1;
        status_line_init(&r.line);
        if (server_login_is_open(&r.login))
            status_line_say(
                &r.line,
                "--plain-token without --tls: anyone who listens on the "
                "network learns the token");
        play(&r);
        status_line_end(&r.line);
    }
    server_login_release(&r.login);
    if (!ok)
        return complain("%s", err.text);
    return r.cannot_run ? 2 : once && !r.leaving && r.failed ? 1 : 0;
}

const struct subcommand cmd_connect = {
    .name = "connect",
    .args = "HOST:PORT|unix:PATH --name N --token-file F [OPTION...] -- "
            "COMMAND...",
    .about = "let a bot program play on a server",
    .more = "Logs in to a server, starts COMMAND and connects its standard "
            "input\n"
            "and output to the server. When the connection ends, so does the "
            "bot.\n"
            "The command then reconnects with a new bot after 1 s, then 2 s, "
            "up\n"
            "to 60 s, and about 60 s after a refused login. SIGINT or SIGTERM\n"
            "waits for the current game; a second one abandons it.\n"
            "\n"
            "It prints what the server reports to the bot's owner: opponents,\n"
            "results, ratings, faults, and why the bot waits.\n"
            "\n"
            "Examples:\n"
            "  referee connect play.example.org:7000 --tls --name anna \\\n"
            "      --token-file anna.token -- python3 bot.py\n"
            "  referee connect [::1]:7000 --name anna --token-file anna.token "
            "--count 4 -- ./bot",
    .opts = opts,
    .run = run,
};
