#include "run/bot.h"

#include "base/alloc.h"
#include "run/walls/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STATUS_GRACE_US = 200000, /* for the exit status, after the output ended */
    KILL_LIMIT_US = 3000000,  /* for the guard to end all processes */
    OUTSIDE_STEP_US =
        1000,         /* report CPU time outside its turns from this much on */
    LAST_READS = 128, /* reads of stderr when it ends */
};

static void on_timer(evutil_socket_t fd, short what, void *arg);

static void set_timer(struct bot *b, int64_t us)
{
    struct timeval t = {us / 1000000, us % 1000000};

    if (!b->timer)
        b->timer = evtimer_new(b->loop->base, on_timer, b);
    event_add(b->timer, &t);
}

/* Why the bot is lost, in words. */
static const char *cause(const struct bot *b, char *text, size_t size)
{
    int status = b->child.status;

    if (child_exceeded(&b->child) && !b->start_error) {
        cell_limit_words(b->config->walls, child_exceeded(&b->child), text,
                         size);
        return text;
    }
    if (b->start_error)
        snprintf(text, size, "cannot be run: %s", strerror(b->start_error));
    else if (b->child.is_orphan)
        snprintf(text, size, "the process that guards it was killed");
    else if (!b->child.has_exited)
        snprintf(text, size, "%s", fault_text(FAULT_CLOSED));
    else if (WIFSIGNALED(status))
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "exited with code %d", WEXITSTATUS(status));
    return text;
}

static void tell_lost(struct bot *b, enum why why, const char *detail)
{
    if (b->lost)
        return;
    b->lost = true;
    if (b->peer.calls)
        b->peer.calls->on_lost(b->peer.owner, &b->peer, why, detail);
}

static void tell_exit(struct bot *b)
{
    char text[160];

    tell_lost(b, WHY_EXIT, cause(b, text, sizeof text));
}

/* stderr: always drained, one read per wake-up, kept up to a limit. */

static void keep_last(struct bot *b, const char *bytes, size_t n)
{
    size_t keep;

    if (!b->last_words)
        b->last_words = must_alloc(malloc(BOT_LAST_WORDS + 1));
    if (n > BOT_LAST_WORDS) {
        bytes += n - BOT_LAST_WORDS;
        n = BOT_LAST_WORDS;
    }
    keep = b->last_len + n > BOT_LAST_WORDS ? BOT_LAST_WORDS - n : b->last_len;
    memmove(b->last_words, b->last_words + b->last_len - keep, keep);
    memcpy(b->last_words + keep, bytes, n);
    b->last_len = keep + n;
    b->last_words[b->last_len] = '\0';
    for (size_t i = keep; i < b->last_len; i++)
        if (b->last_words[i] == '\0')
            b->last_words[i] = '?';
}

static void log_bytes(struct bot *b, const char *bytes, size_t n)
{
    int64_t room = b->config->log_max - b->logged;
    ssize_t ignored;

    keep_last(b, bytes, n);
    if (b->config->tally)
        stderr_tally_add(b->config->tally, bytes, n);
    if (b->log == -1 && b->log_path.len > 0)
        b->log = open(b->log_path.text,
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (b->log == -1 || room <= 0)
        return;
    if ((int64_t)n > room)
        n = (size_t)room;
    ignored = write(b->log, bytes, n);
    (void)ignored;
    b->logged += (int64_t)n;
}

/* False at end of file. */
static bool drain_stderr(struct bot *b)
{
    char bytes[16 * 1024];
    ssize_t n = read(b->child.error, bytes, sizeof bytes);

    if (n > 0)
        log_bytes(b, bytes, (size_t)n);
    return n > 0 || (n == -1 && (errno == EAGAIN || errno == EINTR));
}

static void on_stderr(evutil_socket_t fd, short what, void *arg)
{
    struct bot *b = arg;

    loop_now(b->loop);
    if (!drain_stderr(b)) {
        b->error_ended = true;
        event_del(b->has_stderr);
    }
}

const char *bot_last_words(const struct bot *b)
{
    const char *text = b->last_words ? b->last_words : "";
    const char *feed = strchr(text, '\n');

    if (b->last_len == BOT_LAST_WORDS && feed && feed[1])
        text = feed + 1; /* the first line may be cut */
    return text;
}

void bot_set_log(struct bot *b, const char *path)
{
    if (b->log != -1)
        close(b->log);
    b->log = -1;
    b->logged = 0;
    buf_reset(&b->log_path);
    buf_str(&b->log_path, path);
}

/* The walls. Refused calls are reported in the bot's stderr, for its author. */

static void stop_listening(struct bot *b)
{
    if (!b->has_notice)
        return;
    event_free(b->has_notice);
    b->has_notice = NULL;
    close(b->child.listener);
    b->child.listener = -1;
}

static void tell_notice(struct bot *b, const char *words)
{
    char line[256];

    snprintf(line, sizeof line, "referee: the walls stopped this bot: it %s\n",
             words);
    log_bytes(b, line, strlen(line));
    if (b->peer.calls && b->peer.calls->on_remark)
        b->peer.calls->on_remark(b->peer.owner, &b->peer, "stopped", words);
}

static void on_notice(evutil_socket_t fd, short what, void *arg)
{
    struct bot *b = arg;
    const char *words;

    bool goes_on;

    loop_now(b->loop);
    goes_on = notice_take(fd, &words);
    if (words && words != b->last_notice)
        tell_notice(b, words);
    if (words)
        b->last_notice = words;
    if (!goes_on || ++b->notices == NOTICES_MAX)
        stop_listening(b);
}

static void listen_to_walls(struct bot *b)
{
    b->has_notice = event_new(b->loop->base, b->child.listener,
                              EV_READ | EV_PERSIST, on_notice, b);
    loop_watch(b->has_notice);
}

/*
 * Between its turns. The freeze is not instant, so a process may still use a
 * little CPU time.
 */

static bool owes_answer(const struct bot *b)
{
    return b->talk.open_count > 0 || b->talk.reading != TALK_OUTSIDE ||
           talk_unsent(&b->talk) > 0;
}

static void freeze_if_done(struct bot *b)
{
    if (b->is_frozen || b->phase != BOT_RUNNING || owes_answer(b))
        return;
    child_freeze(&b->child, true);
    b->is_frozen = true;
    b->frozen_cpu_us = child_cpu_us(&b->child);
}

static void tell_outside(struct bot *b)
{
    char text[40];

    b->told_outside_us = b->outside_us;
    if (b->child.cell)
        snprintf(text, sizeof text, "outside=%lld", (long long)b->outside_us);
    else
        /* without walls, nothing counts this time exactly */
        snprintf(text, sizeof text, "outside=?");
    if (b->peer.calls && b->peer.calls->on_remark)
        b->peer.calls->on_remark(b->peer.owner, &b->peer, "frozen", text);
}

static void thaw(struct bot *b)
{
    if (!b->is_frozen)
        return;
    b->outside_us += child_cpu_us(&b->child) - b->frozen_cpu_us;
    b->is_frozen = false;
    child_freeze(&b->child, false);
    if (b->told_outside_us < 0 ||
        b->outside_us - b->told_outside_us >= OUTSIDE_STEP_US)
        tell_outside(b);
}

/* The link. */

/* "mybot> 12 genmove 1", "mybot< =12 b3" */
static void log_line(const struct bot *b, char arrow, const char *line,
                     size_t len)
{
    fprintf(b->config->talk_log, "%s%c %.*s\n", b->config->name, arrow,
            (int)len, line);
}

static void log_unsent(struct bot *b)
{
    const struct buf *out = &b->talk.out;
    size_t unsent = talk_unsent(&b->talk);
    size_t old = b->shown < unsent ? b->shown : unsent;
    const char *at = out->text + out->len - (unsent - old);

    while (*at) {
        size_t n = strcspn(at, "\n");

        log_line(b, '>', at, n);
        at += n + (at[n] == '\n');
    }
}

static void on_line(void *owner, char *line, size_t len)
{
    struct bot *b = owner;

    if (b->config->talk_log)
        log_line(b, '<', line, len);
    if (b->phase != BOT_RUNNING || b->lost)
        return;
    if (b->peer.calls)
        b->peer.calls->on_line(b->peer.owner, &b->peer, line, len);
    if (b->config->freezes)
        freeze_if_done(b);
}

static void on_sent(void *owner)
{
    struct bot *b = owner;

    if (!b->lost && b->peer.calls)
        b->peer.calls->on_sent(b->peer.owner, &b->peer);
}

/* The output has ended; the exit status may still be on its way. */
static void on_end(void *owner, bool flood)
{
    struct bot *b = owner;

    if (flood) {
        event_del(b->link.can_read);
        buf_reset(&b->link.rest);
        tell_lost(b, WHY_FLOOD, fault_text(FAULT_LONG_LINE));
        return;
    }
    b->output_ended = true;
    if (b->child.has_exited)
        tell_exit(b);
    else if (b->phase == BOT_RUNNING)
        set_timer(b, STATUS_GRACE_US);
}

static const struct link_owner link_calls = {on_line, on_end, on_sent};

/* The process. */

/* Read what it printed before it ended, up to a limit. */
static void last_looks(struct bot *b)
{
    if (!b->output_ended && !b->lost)
        link_look(&b->link);
    for (int i = 0; i < LAST_READS && !b->error_ended; i++)
        b->error_ended = !drain_stderr(b);
}

static void end(struct bot *b)
{
    b->phase = BOT_ENDED;
    event_del(b->news);
    if (b->timer)
        event_del(b->timer);
    tell_exit(b);
    if (b->on_ended)
        b->on_ended(b->owner, b);
}

static void on_news(evutil_socket_t fd, short what, void *arg)
{
    struct bot *b = arg;
    int error = 0;

    loop_now(b->loop);
    switch (child_news(&b->child, &error)) {
    case CHILD_NOTHING:
        break;
    case CHILD_FAILED:
        b->start_error = error;
        break;
    case CHILD_WALLED:
        listen_to_walls(b);
        break;
    case CHILD_EXCEEDED:
        break;
    case CHILD_EXITED:
        last_looks(b);
        tell_exit(b);
        bot_kill(b); /* its descendants must not outlive it */
        break;
    case CHILD_GONE:
        last_looks(b);
        end(b);
        break;
    }
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct bot *b = arg;

    loop_now(b->loop);
    switch (b->phase) {
    case BOT_RUNNING:
        tell_exit(b);
        break;
    case BOT_QUITTING:
        b->phase = BOT_TERMINATED;
        child_terminate(&b->child);
        set_timer(b, b->config->quit_us);
        break;
    case BOT_TERMINATED:
        bot_kill(b);
        break;
    case BOT_KILLED:
        child_abandon(&b->child);
        break;
    default:
        break;
    }
}

/*
 * While a CPU clock runs, the meter is read often. Otherwise the time of
 * processes that end between two readings would be lost. libevent's timers are
 * too coarse for this.
 */

static void set_tick(struct bot *b, int64_t us)
{
    const struct itimerspec at = {
        .it_value = {us / 1000000, us % 1000000 * 1000}};

    timerfd_settime(b->tick, 0, &at, NULL);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct bot *b = arg;

    loop_now(b->loop); /* listing a bot with many processes takes long */
    set_tick(b, child_watch_cpu(&b->child));
}

static void open_watch(struct bot *b)
{
    b->tick = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (b->tick == -1)
        return;
    b->has_tick =
        event_new(b->loop->base, b->tick, EV_READ | EV_PERSIST, on_tick, b);
    loop_watch(b->has_tick);
}

static void release_watch(struct bot *b)
{
    if (b->tick == -1)
        return;
    event_free(b->has_tick);
    close(b->tick);
    b->tick = -1;
}

/* The bot as a peer. */

static bool peer_flush(struct peer *peer)
{
    return bot_flush(bot_of(peer));
}

static int64_t peer_cpu_us(struct peer *peer)
{
    return child_cpu_us(&bot_of(peer)->child);
}

static void peer_watch_cpu(struct peer *peer, bool on)
{
    struct bot *b = bot_of(peer);

    if (on && b->tick == -1)
        open_watch(b);
    if (b->tick != -1)
        set_tick(b, on ? METER_WATCH_US : 0);
}

static int64_t peer_travel_us(struct peer *peer)
{
    return 0;
}

static void peer_cut_off(struct peer *peer)
{
    bot_kill(bot_of(peer));
}

static const struct peer_kind program = {
    .flush = peer_flush,
    .cpu_us = peer_cpu_us,
    .watch_cpu = peer_watch_cpu,
    .travel_us = peer_travel_us,
    .cut_off = peer_cut_off,
};

static void give_cores_back(struct bot *b, struct loop *loop)
{
    if (loop->children.cores)
        cores_give_back(loop->children.cores, &b->share);
}

static bool start(struct bot *b, struct loop *loop,
                  const struct bot_config *config, struct err *err)
{
    struct child_config child = {.argv = config->argv,
                                 .directory = config->directory,
                                 .environment = config->environment,
                                 .walls = config->walls,
                                 .counts_cpu = config->counts_cpu,
                                 .restarts =
                                     config->restarts && !config->counts_cpu};

    if (loop->children.cores) {
        cores_take(loop->children.cores, config->cores, &b->share);
        child.processors = &b->share.set;
    }
    if (child_start(&b->child, &loop->children, &child, err))
        return true;
    give_cores_back(b, loop);
    return false;
}

struct bot *bot_new(struct loop *loop, const struct bot_config *config,
                    struct err *err)
{
    struct bot *b = must_alloc(calloc(1, sizeof *b));

    if (!start(b, loop, config, err)) {
        free(b);
        return NULL;
    }
    b->config = config;
    b->peer = (struct peer){.kind = &program, .talk = &b->talk};
    b->loop = loop;
    b->log = b->tick = -1;
    b->told_outside_us = -1;
    buf_init(&b->log_path, PATH_MAX);
    talk_init(&b->talk);
    link_open(&b->link, loop, &b->talk, b->child.from, b->child.to, &link_calls,
              b);
    b->news = event_new(loop->base, b->child.control, EV_READ | EV_PERSIST,
                        on_news, b);
    b->has_stderr = event_new(loop->base, b->child.error, EV_READ | EV_PERSIST,
                              on_stderr, b);
    loop_watch(b->news);
    loop_watch(b->has_stderr);
    return b;
}

void bot_free(struct bot *b)
{
    if (!b)
        return;
    release_watch(b);
    stop_listening(b);
    link_close(&b->link);
    event_free(b->news);
    event_free(b->has_stderr);
    if (b->timer)
        event_free(b->timer);
    bot_set_log(b, "");
    buf_release(&b->log_path);
    free(b->last_words);
    child_close(&b->child);
    give_cores_back(b, b->loop);
    talk_release(&b->talk);
    free(b);
}

bool bot_flush(struct bot *b)
{
    bool done;

    if (b->phase != BOT_RUNNING || b->lost)
        return false;
    if (b->config->talk_log)
        log_unsent(b);
    thaw(b);
    done = link_flush(&b->link);
    b->shown = talk_unsent(&b->talk);
    return done;
}

/* Send quit, then close its input, then wait. */
void bot_quit(struct bot *b)
{
    if (b->phase != BOT_RUNNING)
        return;
    thaw(b);
    talk_begin(&b->talk, COMMAND_QUIT);
    talk_end(&b->talk);
    link_flush(&b->link);
    b->phase = BOT_QUITTING;
    link_stop_writing(&b->link);
    close(b->child.to);
    b->child.to = -1;
    set_timer(b, b->config->quit_us);
}

void bot_kill(struct bot *b)
{
    if (b->phase == BOT_ENDED || b->phase == BOT_KILLED)
        return;
    b->phase = BOT_KILLED;
    child_kill(&b->child);
    set_timer(b, KILL_LIMIT_US);
}
