#include "net/relay.h"

#include "base/alloc.h"
#include "base/text.h"
#include "match/login.h"

#include <errno.h>
#include <event2/buffer.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HELD_MAX = 256 << 10,    /* bytes that one side has not taken */
    LOGIN_LINE_MAX = 200,    /* of the server's first line */
    NEWS_LINE_MAX = 4096,    /* more is no news */
    REFUSED_US = 5000000,    /* a server that refuses does so at once */
    FLUSH_US = 10000000,     /* for the server to take the bot's last bytes */
    LINGER_US = 2000000,     /* and to close its side then */
    KILL_LIMIT_US = 3000000, /* for the guard to end everything */
    PAUSE_US = 50000,        /* until stderr is tried again */
    LAST_READS = 64,         /* of stderr, when the bot has ended */
};

static void set_timer(struct event *timer, int64_t us)
{
    struct timeval t = {us / 1000000, us % 1000000};

    event_add(timer, &t);
}

static size_t unsent(struct bufferevent *to)
{
    return to ? evbuffer_get_length(bufferevent_get_output(to)) : 0;
}

static void close_pipe(struct bufferevent **pipe)
{
    if (*pipe)
        bufferevent_free(*pipe);
    *pipe = NULL;
}

/* The end. */

static void release_bot(struct relay *r)
{
    struct event **events[] = {&r->news, &r->bot_timer, &r->has_stderr,
                               &r->stderr_pause};

    close_pipe(&r->to);
    close_pipe(&r->from);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (*events[i])
            event_free(*events[i]);
        *events[i] = NULL;
    }
    child_close(&r->child);
}

static void done(struct relay *r)
{
    if (r->phase == RELAY_DONE)
        return;
    r->phase = RELAY_DONE;
    event_del(r->limit);
    dial_stop(&r->dial);
    close_pipe(&r->net);
    release_bot(r);
    r->calls->on_done(r->owner, r->end, r->why.text);
}

/* Before there was a bot. */
static void give_up(struct relay *r, enum relay_end end)
{
    r->end = end;
    done(r);
}

/* Our side of the connection ends after the bot's last byte. */
static void say_goodbye(struct relay *r)
{
    r->connection_closed = true;
    if (r->config->tls)
        tls_end(r->net);
    shutdown(bufferevent_getfd(r->net), SHUT_WR);
    set_timer(r->limit, LINGER_US);
}

/* It is over when the bot has exited and the server has received all of its
 * bytes. Closing a socket while bytes arrive resets the connection, which may
 * lose the last move; so the server gets some time to close first. */
static void look_for_end(struct relay *r)
{
    if (r->bot != RELAY_BOT_NONE || r->phase != RELAY_LEAVING || r->from)
        return;
    if (r->connection_broken) {
        done(r);
        return;
    }
    if (unsent(r->net) > 0)
        return;
    if (!r->connection_closed)
        say_goodbye(r);
    if (r->connection_ended)
        done(r);
}

/* The first reason is the one to report. */
static void leave(struct relay *r, enum relay_end end)
{
    if (r->phase == RELAY_LEAVING)
        return;
    r->phase = RELAY_LEAVING;
    r->end = end;
}

/* The bot's process. */

/* Its input ends as soon as it has taken what is left. */
static void close_input(struct relay *r)
{
    if (r->to && unsent(r->to) == 0)
        close_pipe(&r->to);
}

/* Nothing more goes to the bot; from now on what the server sends is
 * dropped. */
static void stop_feeding(struct relay *r)
{
    close_pipe(&r->to);
    if (!r->connection_ended)
        bufferevent_enable(r->net, EV_READ);
}

static void quit_bot(struct relay *r)
{
    if (r->bot != RELAY_BOT_RUNS)
        return;
    r->bot = RELAY_BOT_QUITS;
    close_input(r);
    set_timer(r->bot_timer, r->config->quit_us);
}

static void kill_bot(struct relay *r)
{
    if (r->bot == RELAY_BOT_NONE || r->bot == RELAY_BOT_KILLED)
        return;
    r->bot = RELAY_BOT_KILLED;
    child_kill(&r->child);
    set_timer(r->bot_timer, KILL_LIMIT_US);
}

static void on_bot_timer(evutil_socket_t fd, short what, void *arg)
{
    struct relay *r = arg;

    switch (r->bot) {
    case RELAY_BOT_QUITS:
        if (r->phase == RELAY_JOINED) {
            fail(&r->why, "the bot closed its output, but did not exit");
            leave(r, RELAY_BOT_DIED);
        }
        r->bot = RELAY_BOT_TERMINATED;
        child_terminate(&r->child);
        set_timer(r->bot_timer, r->config->quit_us);
        break;
    case RELAY_BOT_TERMINATED:
        kill_bot(r);
        break;
    case RELAY_BOT_KILLED:
        child_abandon(&r->child);
        break;
    default:
        break;
    }
}

/* stderr: one read per wake-up, and no more than its reader takes. */

/* False at its end. */
static bool read_stderr(struct relay *r)
{
    ssize_t n;

    if (r->stderr_len == 0) {
        n = read(r->child.error, r->stderr_bytes, sizeof r->stderr_bytes);
        if (n <= 0)
            return n == -1 && (errno == EAGAIN || errno == EINTR);
        r->stderr_len = (size_t)n;
    }
    if (r->calls->on_stderr(r->owner, r->stderr_bytes, r->stderr_len))
        r->stderr_len = 0;
    return true;
}

static void on_stderr(evutil_socket_t fd, short what, void *arg)
{
    struct relay *r = arg;
    bool more = read_stderr(r);

    if (!more || r->stderr_len > 0)
        event_del(r->has_stderr);
    if (r->stderr_len > 0)
        set_timer(r->stderr_pause, PAUSE_US);
}

static void on_stderr_pause(evutil_socket_t fd, short what, void *arg)
{
    struct relay *r = arg;

    loop_watch(r->has_stderr);
    on_stderr(-1, 0, r);
}

/* The bot has ended. */

/* With code 0, or because we made it. */
static bool ended_well(const struct relay *r)
{
    if (r->bot > RELAY_BOT_QUITS)
        return true;
    return !r->bot_error && r->child.has_exited && WIFEXITED(r->child.status) &&
           WEXITSTATUS(r->child.status) == 0;
}

static void say_how_it_ended(const struct relay *r, struct err *why)
{
    int status = r->child.status;

    if (r->bot_error)
        fail(why, "%s cannot be run: %s", r->config->argv[0],
             strerror(r->bot_error));
    else if (r->child.is_orphan)
        fail(why, "the process that guards the bot was killed");
    else if (!r->child.has_exited)
        fail(why, "the bot closed its output");
    else if (WIFSIGNALED(status))
        fail(why, "the bot was killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
    else
        fail(why, "the bot exited with code %d", WEXITSTATUS(status));
}

static void on_bot_ended(struct relay *r)
{
    struct err how;

    if (r->bot >= RELAY_BOT_TERMINATED)
        return;
    say_how_it_ended(r, &how);
    if (r->phase == RELAY_JOINED) {
        r->why = how;
        leave(r, r->bot_error    ? RELAY_NO_BOT
                 : ended_well(r) ? RELAY_ENDED
                                 : RELAY_BOT_DIED);
    } else if (!ended_well(r)) {
        r->calls->on_news(r->owner, how.text);
    }
}

/* All of it is gone; what it has written may still be on its way. */
static void on_bot_gone(struct relay *r)
{
    on_bot_ended(r);
    event_del(r->news);
    event_del(r->bot_timer);
    r->bot = RELAY_BOT_NONE;
    stop_feeding(r);
    for (int i = 0; i < LAST_READS && read_stderr(r); i++)
        ;
    event_del(r->has_stderr);
    event_del(r->stderr_pause);
    set_timer(r->limit, FLUSH_US);
    look_for_end(r);
}

static void on_news(evutil_socket_t fd, short what, void *arg)
{
    struct relay *r = arg;
    int error = 0;

    switch (child_news(&r->child, &error)) {
    case CHILD_NOTHING:
    case CHILD_WALLED: /* it has no walls */
    case CHILD_EXCEEDED:
        break;
    case CHILD_FAILED:
        r->bot_error = error;
        break;
    case CHILD_EXITED:
        on_bot_ended(r);
        kill_bot(r); /* its processes must not outlive it */
        break;
    case CHILD_GONE:
        on_bot_gone(r);
        break;
    }
}

/* Bytes. */

/* Is the last byte there the end of a line? */
static bool ends_line(struct evbuffer *bytes)
{
    size_t n = evbuffer_get_length(bytes);
    struct evbuffer_ptr last;
    char c = '\n';

    if (n > 0 && evbuffer_ptr_set(bytes, &last, n - 1, EVBUFFER_PTR_SET) == 0)
        evbuffer_copyout_from(bytes, &last, &c, 1);
    return c == '\n';
}

/* What nobody can take is dropped. */
static void carry(struct bufferevent *from, size_t n, struct bufferevent *to,
                  int64_t *count)
{
    struct evbuffer *bytes = bufferevent_get_input(from);

    *count += (int64_t)n;
    if (!to) {
        evbuffer_drain(bytes, n);
        return;
    }
    evbuffer_remove_buffer(bytes, bufferevent_get_output(to), n);
    if (unsent(to) > HELD_MAX)
        bufferevent_disable(from, EV_READ);
}

/* "# KIND TEXT" */
static void tell(struct relay *r, char *line)
{
    char *kind = line + 1 + strspn(line + 1, " ");
    char *text = kind + strcspn(kind, " ");

    if (*text)
        *text++ = '\0';
    make_plain(text); /* it goes to a terminal */
    r->tells = true;
    if (strcmp(kind, "bye") == 0)
        snprintf(r->bye, sizeof r->bye, "%s", text);
    else
        r->calls->on_told(r->owner, kind, text);
}

/* A line of news is taken out; false if there is none, or not all of it. */
static bool take_news(struct relay *r, struct evbuffer *in)
{
    char first = '\0', *line;

    if (r->is_within || evbuffer_copyout(in, &first, 1) != 1 || first != '#')
        return false;
    line = evbuffer_readln(in, NULL, EVBUFFER_EOL_LF);
    if (line)
        tell(r, line);
    free(line);
    return line != NULL;
}

/* Bytes that are for the bot, up to the next line of news. */
static size_t next_for_bot(struct relay *r, struct evbuffer *in)
{
    size_t n = evbuffer_get_length(in);
    char first = '\0';
    struct evbuffer_ptr news;

    evbuffer_copyout(in, &first, 1);
    if (!r->is_within && first == '#' && n <= NEWS_LINE_MAX)
        return 0;
    news = evbuffer_search(in, "\n#", 2, NULL);
    return news.pos == -1 ? n : (size_t)news.pos + 1;
}

static void to_bot(struct relay *r)
{
    struct evbuffer *in = bufferevent_get_input(r->net);
    size_t n;

    for (;;) {
        while (take_news(r, in))
            ;
        n = next_for_bot(r, in);
        if (n == 0)
            return;
        r->is_within = n == evbuffer_get_length(in) && !ends_line(in);
        carry(r->net, n, r->to, &r->in_bytes);
    }
}

/* Between two lines of the bot. */
static void ask_to_leave(struct relay *r)
{
    if (!r->wants_to_leave || r->bot_is_within)
        return;
    r->wants_to_leave = false;
    evbuffer_add_printf(bufferevent_get_output(r->net), "#leave\n");
}

static void on_bot_took(struct bufferevent *to, void *arg)
{
    struct relay *r = arg;

    if (!r->connection_ended && unsent(to) <= HELD_MAX / 2)
        bufferevent_enable(r->net, EV_READ);
    if (r->bot != RELAY_BOT_RUNS)
        close_input(r);
}

/* The bot has closed its input; it may still answer what it has read. */
static void on_bot_deaf(struct bufferevent *to, short what, void *arg)
{
    struct relay *r = arg;

    stop_feeding(r);
}

static void on_bot_said(struct bufferevent *from, void *arg)
{
    struct relay *r = arg;

    r->bot_is_within = !ends_line(bufferevent_get_input(from));
    carry(from, evbuffer_get_length(bufferevent_get_input(from)),
          r->connection_broken ? NULL : r->net, &r->out_bytes);
    if (!r->connection_broken)
        ask_to_leave(r);
}

static void on_bot_silent(struct bufferevent *from, short what, void *arg)
{
    struct relay *r = arg;

    close_pipe(&r->from);
    quit_bot(r);
    look_for_end(r);
}

static void on_connection_took(struct bufferevent *net, void *arg)
{
    struct relay *r = arg;

    if (r->from && unsent(net) <= HELD_MAX / 2)
        bufferevent_enable(r->from, EV_READ);
    look_for_end(r);
}

/* Start. */

static struct bufferevent *open_pipe(struct relay *r, int *fd,
                                     bufferevent_data_cb said,
                                     bufferevent_data_cb took,
                                     bufferevent_event_cb ended)
{
    struct bufferevent *pipe = bufferevent_socket_new(
        r->loop->base, *fd, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);

    if (!pipe)
        abort();
    *fd = -1;
    bufferevent_setcb(pipe, said, took, ended, r);
    bufferevent_setwatermark(pipe, EV_WRITE, HELD_MAX / 2, 0);
    bufferevent_enable(pipe, said ? EV_READ : EV_WRITE);
    return pipe;
}

static bool start_bot(struct relay *r)
{
    const struct child_config config = {.argv = r->config->argv};
    struct event_base *base = r->loop->base;

    if (!child_start(&r->child, &r->loop->children, &config, &r->why))
        return false;
    r->bot = RELAY_BOT_RUNS;
    r->to = open_pipe(r, &r->child.to, NULL, on_bot_took, on_bot_deaf);
    r->from = open_pipe(r, &r->child.from, on_bot_said, NULL, on_bot_silent);
    r->news =
        event_new(base, r->child.control, EV_READ | EV_PERSIST, on_news, r);
    r->has_stderr =
        event_new(base, r->child.error, EV_READ | EV_PERSIST, on_stderr, r);
    r->bot_timer = evtimer_new(base, on_bot_timer, r);
    r->stderr_pause = evtimer_new(base, on_stderr_pause, r);
    loop_watch(r->news);
    loop_watch(r->has_stderr);
    return true;
}

/* Login. */

static void answer_login(struct relay *r, int id, const char *nonce)
{
    const struct relay_config *c = r->config;
    struct evbuffer *out = bufferevent_get_output(r->net);
    char proof[PROOF_HEX + 1];

    if (!c->plain_token)
        login_prove(c->token, c->name, nonce, proof);
    evbuffer_add_printf(
        out, "=%d %s %s%s news%s%s\n\n", id, c->name,
        c->plain_token ? "token:" : "", c->plain_token ? c->token : proof,
        c->ladders ? " ladders=" : "", c->ladders ? c->ladders : "");
}

static void log_in(struct relay *r, char *line, size_t len)
{
    const char *nonce;
    int id;

    if (len > 0 && line[len - 1] == '\r')
        line[len - 1] = '\0';
    if (!login_request_read(line, &id, &nonce)) {
        fail(&r->why, "no login was requested; the server sent \"%.60s\"",
             line);
        give_up(r, RELAY_FAILED);
        return;
    }
    answer_login(r, id, nonce);
    if (!start_bot(r)) {
        give_up(r, RELAY_BOT_DIED);
        return;
    }
    event_del(r->limit);
    r->login_us = now_us();
    r->phase = RELAY_JOINED;
    r->calls->on_news(r->owner, "login sent, bot started");
    to_bot(r);
}

static void await_login(struct relay *r)
{
    struct evbuffer *in = bufferevent_get_input(r->net);
    size_t len;
    char *line;

    while (take_news(r, in))
        ;
    line = evbuffer_readln(in, &len, EVBUFFER_EOL_LF);
    if (line) {
        log_in(r, line, len);
        free(line);
    } else if (evbuffer_get_length(in) > LOGIN_LINE_MAX) {
        fail(&r->why, "no login was requested: this is not a referee's port");
        give_up(r, RELAY_FAILED);
    }
}

/* The server. */

static void on_connection_said(struct bufferevent *net, void *arg)
{
    struct relay *r = arg;

    if (r->phase == RELAY_LOGGING_IN)
        await_login(r);
    else
        to_bot(r);
}

static void fail_before_login(struct relay *r, const char *how)
{
    if (r->phase == RELAY_SECURING)
        tls_client_why(r->config->tls, r->net, &r->why);
    else if (r->bye[0])
        fail(&r->why, "the server refuses: %s", r->bye);
    else
        fail(&r->why, "%s before the login%s", how,
             r->config->tls ? "" : "; does it want --tls?");
    give_up(r, RELAY_FAILED);
}

static bool is_refused(const struct relay *r)
{
    return r->in_bytes == 0 && now_us() - r->login_us < REFUSED_US;
}

static void on_connection_ended(struct relay *r, bool broken, const char *how)
{
    r->connection_ended = true;
    r->connection_broken |= broken;
    if (r->phase < RELAY_JOINED) {
        fail_before_login(r, how);
        return;
    }
    if (r->phase == RELAY_JOINED && r->bye[0]) {
        fail(&r->why, "the server %s: %s%s",
             is_refused(r) ? "refuses" : "has closed the connection", r->bye,
             is_refused(r) && r->config->plain_token
                 ? ", or takes no --plain-token"
                 : "");
        leave(r, is_refused(r) ? RELAY_REFUSED : RELAY_ENDED);
    } else if (r->phase == RELAY_JOINED && is_refused(r)) {
        fail(&r->why,
             "the server closed the connection right after the login: it "
             "does not know %s, or not with this token%s, or it is stopping",
             r->config->name,
             r->config->plain_token ? ", or takes no --plain-token" : "");
        leave(r, RELAY_REFUSED);
    } else if (r->phase == RELAY_JOINED) {
        fail(&r->why, "%s", how);
        leave(r, broken ? RELAY_LOST : RELAY_ENDED);
    }
    if (broken && r->from)
        bufferevent_enable(r->from, EV_READ);
    quit_bot(r);
    look_for_end(r);
}

static void on_connection_event(struct bufferevent *net, short what, void *arg)
{
    struct relay *r = arg;
    int error = EVUTIL_SOCKET_ERROR();
    char how[160];

    if (what & BEV_EVENT_CONNECTED) {
        snprintf(how, sizeof how, "connected over %s", tls_version(net));
        r->calls->on_news(r->owner, how);
        r->phase = RELAY_LOGGING_IN;
        return;
    }
    if (what & BEV_EVENT_EOF)
        snprintf(how, sizeof how, "the server closed the connection");
    else
        snprintf(how, sizeof how, "the connection was lost: %s",
                 error ? strerror(error) : "TLS failed");
    on_connection_ended(r, !(what & BEV_EVENT_EOF), how);
}

static struct bufferevent *open_connection(struct relay *r, int fd)
{
    if (r->config->tls)
        return tls_client_open(r->config->tls, r->loop, fd);
    return bufferevent_socket_new(
        r->loop->base, fd, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
}

static void on_dialled(void *owner, int fd, const char *why)
{
    struct relay *r = owner;

    if (fd == -1) {
        fail(&r->why, "no connection: %s", why);
        give_up(r, RELAY_FAILED);
        return;
    }
    r->net = open_connection(r, fd);
    if (!r->net) {
        fail(&r->why, "no TLS: OpenSSL cannot start");
        give_up(r, RELAY_FAILED);
        return;
    }
    r->phase = r->config->tls ? RELAY_SECURING : RELAY_LOGGING_IN;
    if (!r->config->tls)
        r->calls->on_news(r->owner, "connected");
    bufferevent_setcb(r->net, on_connection_said, on_connection_took,
                      on_connection_event, r);
    bufferevent_setwatermark(r->net, EV_WRITE, HELD_MAX / 2, 0);
    bufferevent_enable(r->net, EV_READ | EV_WRITE);
}

/* Too long until the login; or the server does not take the last bytes. */
static void on_limit(evutil_socket_t fd, short what, void *arg)
{
    static const char *const missing[] = {
        [RELAY_DIALLING] = "no connection",
        [RELAY_SECURING] = "no TLS handshake",
        [RELAY_LOGGING_IN] = "connected, but no login was requested",
    };
    struct relay *r = arg;

    if (r->phase >= RELAY_JOINED) {
        done(r);
        return;
    }
    fail(&r->why, "%s within %.3g s%s", missing[r->phase],
         (double)r->config->login_us / 1e6,
         r->phase == RELAY_LOGGING_IN && !r->config->tls
             ? "; perhaps this port wants --tls"
             : "");
    give_up(r, RELAY_FAILED);
}

struct relay *relay_new(struct loop *loop, const struct relay_config *config,
                        const struct relay_owner *calls, void *owner)
{
    struct relay *r = must_alloc(calloc(1, sizeof *r));

    r->config = config;
    r->loop = loop;
    r->calls = calls;
    r->owner = owner;
    r->child = (struct child){
        .guard = -1, .to = -1, .from = -1, .error = -1, .control = -1};
    r->limit = evtimer_new(loop->base, on_limit, r);
    set_timer(r->limit, config->login_us);
    dial_start(&r->dial, loop, config->address, on_dialled, r);
    return r;
}

void relay_free(struct relay *r)
{
    if (!r)
        return;
    dial_stop(&r->dial);
    close_pipe(&r->net);
    release_bot(r);
    event_free(r->limit);
    free(r);
}

/* A server that sends no news would not understand it. */
void relay_leave(struct relay *r)
{
    if (r->phase != RELAY_JOINED || !r->tells) {
        relay_stop(r);
        return;
    }
    r->wants_to_leave = true;
    ask_to_leave(r);
}

void relay_stop(struct relay *r)
{
    if (r->phase == RELAY_DONE)
        return;
    if (r->phase < RELAY_LEAVING)
        fail(&r->why, "stopped");
    if (r->phase < RELAY_JOINED) {
        give_up(r, RELAY_ENDED);
        return;
    }
    leave(r, RELAY_ENDED);
    r->connection_broken = r->connection_ended = true;
    bufferevent_disable(r->net, EV_READ | EV_WRITE);
    if (r->config->tls && !r->connection_closed)
        tls_end(r->net);
    shutdown(bufferevent_getfd(r->net), SHUT_RDWR);
    if (r->from)
        bufferevent_enable(r->from, EV_READ);
    quit_bot(r);
    look_for_end(r);
}

void relay_kill(struct relay *r)
{
    relay_stop(r);
    kill_bot(r);
}
