#include "cmd/check/bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    END_US = 10000000,      /* for the guard to end all processes */
    LAST_WORD_US = 1000000, /* for a silent bot, after we close its input */
    SLOW_MIN_US = 2000000,  /* wait for a slow answer: twice the limit, ... */
    SLOW_MAX_US = 10000000, /* ... within these bounds */
    BYTE_US = 500,          /* between two bytes sent separately */
    VERBOSE_BYTES = 400,
    STDERR_KEPT = 256 << 10,
    PATIENCE = 6, /* limits, for all answers to one write */
};

/* The transcript. */

/* Show a byte readably, but not as '?', which has a meaning in the protocol. */
static void add_byte(struct buf *out, char byte)
{
    if (byte == '\r')
        buf_str(out, "\\r");
    else if (byte == '\t')
        buf_str(out, "\\t");
    else if (byte < ' ' || byte > '~')
        buf_add(out, "\\x%02x", (unsigned char)byte);
    else
        buf_char(out, byte);
}

/* The number of bytes of a line to show, and its full length if it is cut. */
static void add_line(struct buf *out, const char *text, size_t len, size_t max)
{
    size_t n = 0;

    while (n < len && out->len < max)
        add_byte(out, text[n++]);
    if (n < len)
        buf_add(out, "... (%zu bytes)", len);
}

static void show(const struct exam *e, bool sent, const char *text, size_t len)
{
    struct buf line;

    if (!e->verbose)
        return;
    buf_init(&line, 2 * VERBOSE_BYTES);
    add_line(&line, text, len, VERBOSE_BYTES);
    fprintf(stderr, "%c %s\n", sent ? '>' : '<', line.text);
    buf_release(&line);
}

static void make_quote(struct quote *q, bool sent, const char *text, size_t len)
{
    struct buf line;

    buf_init(&line, QUOTE_BYTES);
    add_line(&line, text, len, QUOTE_BYTES - 40);
    q->sent = sent;
    snprintf(q->text, sizeof q->text, "%s", line.text);
    buf_release(&line);
}

static void note_line(struct exam *e, bool sent, const char *text, size_t len)
{
    show(e, sent, text, len);
    if (len > 0)
        make_quote(&e->heard[e->heard_count++ % HEARD_MAX], sent, text, len);
}

void exam_note_refusal(struct exam *e, const char *line, size_t len)
{
    const struct talk *talk = &e->bot->talk;
    enum command command;

    if (len == 0 || line[0] != '?' || talk->open_count == 0 || talk->lists_all)
        return;
    command = (enum command)talk->open[talk->open_first];
    if (command != COMMAND_EVENT && !talk_wants(talk, command))
        return;
    if (command == COMMAND_GENMOVE || command == COMMAND_NEW_GAME ||
        e->refusals++ > 0)
        return;
    make_quote(&e->refusal, false, line, len);
}

void exam_note_new(struct exam *e, size_t unsent)
{
    const struct buf *out = &e->bot->talk.out;
    size_t fresh = talk_unsent(&e->bot->talk) - unsent;
    const char *at = out->text + out->len - fresh, *end = out->text + out->len;

    while (at < end) {
        size_t n = strcspn(at, "\n");

        note_line(e, true, at, n);
        at += n + 1;
    }
}

static const struct quote *heard_at(const struct exam *e, unsigned back)
{
    return &e->heard[(e->heard_count - 1 - back) % HEARD_MAX];
}

/* The last commands sent and the last lines received, in order. */
void exam_quote(const struct exam *e, struct finding *f)
{
    unsigned kept = e->heard_count < HEARD_MAX ? e->heard_count : HEARD_MAX;
    int sent = 0, came = 0;
    bool chosen[HEARD_MAX] = {false};

    for (unsigned back = 0; back < kept; back++)
        chosen[back] = heard_at(e, back)->sent ? sent++ < QUOTES_MAX / 2
                                               : came++ < QUOTES_MAX / 2;
    f->quotes = 0;
    for (unsigned back = kept; back-- > 0;)
        if (chosen[back])
            f->quote[f->quotes++] = *heard_at(e, back);
}

/* The form of the answers. A CR, an id and an empty line are all optional. */
static void note_style(struct exam *e, const char *line, size_t len)
{
    bool has_cr = len > 0 && line[len - 1] == '\r';

    e->with_cr += has_cr;
    if (len == 0 || (has_cr && len == 1)) {
        e->blanks++;
    } else if (line[0] == '=' || line[0] == '?') {
        e->answers++;
        e->with_id += line[1] >= '0' && line[1] <= '9';
    } else if (line[0] != '#' && e->bot->talk.reading == TALK_INSIDE) {
        e->strays++;
    }
}

/* What the bot sends. */

static void hear_answer(struct exam *e, char *line, size_t len)
{
    struct answer answer = {.text = ""};

    switch (talk_line(&e->bot->talk, line, len, &answer)) {
    case GOT_ANSWER:
        e->due--;
        e->ok = answer.ok;
        e->refused += !answer.ok;
        snprintf(e->text, sizeof e->text, "%s", answer.text);
        if (e->due <= 0)
            exam_wake(e);
        break;
    case GOT_FAULT:
        e->broken = e->deaf = true;
        e->fault = answer.fault;
        exam_wake(e);
        break;
    default:
        break;
    }
}

static void on_line(void *owner, struct peer *peer, char *line, size_t len)
{
    struct exam *e = owner;

    if (e->deaf)
        return;
    note_line(e, false, line, len);
    note_style(e, line, len);
    if (e->listener)
        e->listener->on_line(e->arg, line, len);
    else if (!e->broken)
        hear_answer(e, line, len);
    else
        exam_wake(e);
}

static void on_sent(void *owner, struct peer *peer)
{
    struct exam *e = owner;

    if (e->listener)
        e->listener->on_sent(e->arg);
}

static void on_lost(void *owner, struct peer *peer, enum why why,
                    const char *detail)
{
    struct exam *e = owner;

    e->lost = true;
    e->why = why;
    snprintf(e->detail, sizeof e->detail, "%s", detail);
    if (e->listener)
        e->listener->on_lost(e->arg);
    exam_wake(e);
}

static void on_ended(void *owner, struct bot *bot)
{
    struct exam *e = owner;

    e->ended = true;
    exam_wake(e);
}

static const struct peer_owner calls = {
    .on_line = on_line, .on_sent = on_sent, .on_lost = on_lost};

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct exam *e = arg;

    e->timed_out = true;
    exam_wake(e);
}

/* Starting and ending the bot. */

void exam_init(struct exam *e, const struct bot_config *config, bool verbose)
{
    *e = (struct exam){.config = config, .verbose = verbose};
    stderr_tally_init(&e->errors, STDERR_KEPT);
    loop_init(&e->loop);
    e->timer = evtimer_new(e->loop.base, on_timer, e);
}

void exam_release(struct exam *e)
{
    exam_end(e);
    event_free(e->timer);
    loop_release(&e->loop);
    stderr_tally_release(&e->errors);
}

bool exam_start(struct exam *e, struct err *err)
{
    e->bot = bot_new(&e->loop, e->config, err);
    if (!e->bot)
        return false;
    e->started_us = now_us();
    e->lost = e->ended = e->broken = e->deaf = false;
    e->due = e->games = 0;
    e->detail[0] = '\0';
    e->heard_count = 0;
    peer_listen(&e->bot->peer, &calls, e);
    e->bot->on_ended = on_ended;
    e->bot->owner = e;
    return true;
}

void exam_end(struct exam *e)
{
    if (!e->bot)
        return;
    e->listener = NULL;
    bot_kill(e->bot);
    exam_wait_end(e, END_US);
    bot_free(e->bot);
    e->bot = NULL;
}

bool exam_is_up(const struct exam *e)
{
    return e->bot && !e->lost && !e->broken;
}

void exam_wake(struct exam *e)
{
    loop_stop(&e->loop);
}

bool exam_wait(struct exam *e, int64_t limit_us)
{
    struct timeval tv = {limit_us / 1000000, limit_us % 1000000};

    e->timed_out = false;
    event_add(e->timer, &tv);
    loop_run(&e->loop);
    event_del(e->timer);
    return !e->timed_out;
}

bool exam_wait_end(struct exam *e, int64_t limit_us)
{
    int64_t until = now_us() + limit_us, left;

    while (!e->ended && (left = until - now_us()) > 0)
        exam_wait(e, left);
    return e->ended;
}

void exam_close_input(struct exam *e)
{
    if (e->bot->child.to == -1)
        return;
    link_stop_writing(&e->bot->link);
    e->bot->link.deaf = true;
    close(e->bot->child.to);
    e->bot->child.to = -1;
}

/* Questions. */

/* Each answer has the full limit, but a batch of them has a bound. */
static enum outcome wait_for_answers(struct exam *e, int64_t limit_us)
{
    for (int round = 0; round < PATIENCE; round++) {
        int64_t until = now_us() + limit_us, left;
        int due = e->due;

        while (e->due > 0 && !e->broken && !e->lost &&
               (left = until - now_us()) > 0)
            exam_wait(e, left);
        if (e->due <= 0 || e->due == due || e->broken || e->lost)
            break;
    }
    if (e->broken)
        return OUTCOME_BROKEN;
    if (e->due <= 0)
        return OUTCOME_ANSWERED;
    return e->lost ? OUTCOME_LOST : OUTCOME_SILENT;
}

static void begin_question(struct exam *e, int answers)
{
    e->due = answers;
    e->refused = 0;
    exam_note_new(e, 0);
}

enum outcome exam_ask(struct exam *e, int answers, int64_t limit_us)
{
    begin_question(e, answers);
    bot_flush(e->bot);
    return wait_for_answers(e, limit_us);
}

enum outcome exam_ask_by_bytes(struct exam *e, int answers, int64_t limit_us)
{
    struct talk *talk = &e->bot->talk;

    begin_question(e, answers);
    while (talk_unsent(talk) > 0 && exam_is_up(e)) {
        ssize_t n = write(e->bot->child.to, talk->out.text + talk->sent, 1);

        talk_sent(talk, 1);
        if (n < 1)
            break;
        exam_wait(e, BYTE_US);
    }
    return wait_for_answers(e, limit_us);
}

/* Silence. */

static void hint_line_feed(struct exam *e, struct finding *f)
{
    const struct buf *rest = &e->bot->link.rest;

    note_line(e, false, rest->text, rest->len);
    exam_quote(e, f);
    snprintf(f->hint, sizeof f->hint,
             "the last line has no line feed, so it is not complete: print "
             "\"\\n"
             "\" after every answer, and an empty line after that");
}

static void hint_dead_end(const struct exam *e, struct finding *f)
{
    snprintf(f->hint, sizeof f->hint,
             e->ended ? "the bot has read its input and exited without "
                        "output: does it answer every command, even those "
                        "it does not need, and does it remove the number "
                        "before it compares a command?"
                      : "the bot does not notice the end of its input: is "
                        "it in an endless loop, or does it wait for "
                        "something other than a line on standard input?");
}

/* Before its input is closed: does the answer come late? */
static bool is_slow(struct exam *e, int answers, struct finding *f)
{
    int64_t begin = now_us(), wait = 2 * e->limit_us, left;

    if (wait < SLOW_MIN_US)
        wait = SLOW_MIN_US;
    if (wait > SLOW_MAX_US)
        wait = SLOW_MAX_US;
    while (e->answers == answers && !e->lost &&
           (left = begin + wait - now_us()) > 0)
        exam_wait(e, left);
    if (e->answers == answers)
        return false;
    exam_quote(e, f);
    snprintf(f->hint, sizeof f->hint,
             "the bot is slow: its answer came %s after the limit. Think "
             "for less time, or allow more with --time",
             short_time(now_us() - begin));
    return true;
}

void exam_explain_silence(struct exam *e, struct finding *f)
{
    int answers = e->answers;

    e->listener = NULL;
    e->broken = true; /* from here on, lines are only counted */
    if (e->bot->link.rest.len > 0) {
        hint_line_feed(e, f);
        return;
    }
    if (is_slow(e, answers, f))
        return;
    exam_quote(e, f);
    exam_close_input(e);
    exam_wait_end(e, LAST_WORD_US);
    if (e->answers > answers) {
        exam_quote(e, f);
        snprintf(f->hint, sizeof f->hint,
                 "the answers came when the input had ended: they had been "
                 "printed, but were still in a buffer. Flush after every "
                 "answer: fflush(stdout), print(..., flush=True), "
                 "System.out.flush(). Or the input is buffered: read it "
                 "line by line");
    } else if (e->bot->link.rest.len > 0) {
        hint_line_feed(e, f);
    } else {
        hint_dead_end(e, f);
    }
}
