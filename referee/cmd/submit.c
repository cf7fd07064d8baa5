/* referee submit - hand in a bot to a server, and show the verdict. */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/server_login.h"
#include "cmd/lib/status_line.h"
#include "cmd/submit/pack.h"
#include "net/caller.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE_BYTES = 750, /* of a line; 1000 characters of base64 */
    OUTPUT_MAX = 256 << 10,
    FIRST_WAIT_US = 1000000,
    LONGEST_WAIT_US = 60000000,
};

static struct server_words words;
static bool as_json, watches, detaches;

static const struct opt opts[] = {
    SERVER_OPTS(words),
    {"watch", NULL,
     "hand in nothing: show the progress or verdict of the "
     "last hand-in",
     OPT_FLAG, &watches, 0, 0},
    {"detach", NULL, "do not wait for the verdict", OPT_FLAG, &detaches, 0, 0},
    {"json", NULL, "write each line as JSON", OPT_FLAG, &as_json, 0, 0},
    {0},
};

struct submission {
    struct loop loop;
    struct server_login login;
    struct caller_config config;
    struct caller *caller;
    struct event *again;
    int64_t wait_us;
    struct status_line line;
    struct pack pack;
    long long sent;
    bool sends;
    bool is_there;     /* the server has received all of it */
    struct buf output; /* output of a program: it comes before its stage */
    char bye[ERR_TEXT_MAX];
    int code; /* -1: no verdict yet */
    bool has_left;
};

/* Output. */

static void show_json(const char *kind, const char *text, const char *output)
{
    json_t *line = json_pack("{s:s, s:s}", "stage", kind, "text", text);
    char *out;

    if (*output)
        json_object_set_new(line, "output", json_string(output));
    out = json_dumps(line, JSON_COMPACT);
    puts(out);
    free(out);
    json_decref(line);
}

static void show(struct submission *s, const char *kind, const char *text)
{
    const char *at = s->output.len ? s->output.text : "";

    status_line_end(&s->line);
    if (as_json) {
        show_json(kind, text, at);
    } else {
        printf("%-9s %s\n", kind, text);
        while (*at) {
            size_t len = strcspn(at, "\n");

            printf("    %.*s\n", (int)len, at);
            at += len + (at[len] == '\n');
        }
    }
    fflush(stdout);
    buf_reset(&s->output);
}

static void show_progress(struct submission *s)
{
    status_line_status(&s->line, "sent %lld of %lld KiB, %lld %%",
                       s->sent >> 10, (s->pack.bytes + 1023) >> 10,
                       100 * s->sent / s->pack.bytes);
}

/* Send no more at once than the connection takes. */

static size_t send_piece(struct submission *s)
{
    static const char part[] = "#part ";
    unsigned char bytes[PIECE_BYTES];
    char line[sizeof part + sodium_base64_ENCODED_LEN(
                                PIECE_BYTES, sodium_base64_VARIANT_ORIGINAL)];
    ssize_t n = read(s->pack.fd, bytes, sizeof bytes);

    if (n <= 0) {
        s->sends = false;
        return 0;
    }
    memcpy(line, part, sizeof part);
    sodium_bin2base64(line + sizeof part - 1, sizeof line - sizeof part + 1,
                      bytes, (size_t)n, sodium_base64_VARIANT_ORIGINAL);
    s->sent += n;
    return caller_say(s->caller, line, strlen(line));
}

static void on_room(void *owner)
{
    struct submission *s = owner;

    while (s->sends && send_piece(s) < CALLER_HELD_MAX)
        ;
    if (s->sent > 0 && !s->is_there)
        show_progress(s);
}

static void begin_sending(struct submission *s)
{
    lseek(s->pack.fd, 0, SEEK_SET);
    s->sent = 0;
    s->sends = true;
    on_room(s);
}

/* Messages from the server. */

static void finish(struct submission *s, int code)
{
    s->code = code;
    loop_stop(&s->loop);
}

/* "# submit BYTES": the server is ready. */
static void on_submit(struct submission *s, const char *text)
{
    long long most = atoll(text);
    char line[120];
    int len;

    if (watches ||
        s->is_there) { /* it reconnects, and may have to send again */
        len = snprintf(line, sizeof line, "#watch%s%s", watches ? "" : " ",
                       watches ? "" : s->pack.digest);
        s->is_there = false;
        caller_say(s->caller, line, (size_t)len);
    } else if (s->pack.bytes > most) {
        status_line_say(&s->line,
                        "the archive has %lld bytes, but this server "
                        "accepts at most %lld",
                        s->pack.bytes, most);
        finish(s, 2);
    } else {
        len = snprintf(line, sizeof line, "#handin %lld %s", s->pack.bytes,
                       s->pack.digest);
        caller_say(s->caller, line, (size_t)len);
    }
}

static void on_send(struct submission *s, const char *text)
{
    begin_sending(s);
}

static void on_output(struct submission *s, const char *text)
{
    buf_add(&s->output, "%s\n", text);
}

static void on_bye(struct submission *s, const char *text)
{
    snprintf(s->bye, sizeof s->bye, "%s", text);
}

static void on_queued(struct submission *s, const char *text)
{
    s->is_there = true;
    show(s, "queued", text);
    if (detaches)
        finish(s, 0);
}

static const struct {
    const char *kind;
    void (*on)(struct submission *submission, const char *text);
} kinds[] = {
    {"submit", on_submit}, {"send", on_send},     {"output", on_output},
    {"bye", on_bye},       {"queued", on_queued},
};

/* Any other message is a stage. */
static void on_stage(struct submission *s, const char *kind, const char *text)
{
    static const char verdicts[] = "accepted|refused|failed";
    int verdict = words_find(verdicts, kind);

    s->is_there = true;
    show(s, kind, text);
    if (verdict >= 0)
        s->code = verdict;
    else if (detaches)
        finish(s, 0);
}

static void on_told(void *owner, const char *kind, const char *text)
{
    struct submission *s = owner;

    s->wait_us = FIRST_WAIT_US;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, kind) == 0) {
            kinds[i].on(s, text);
            return;
        }
    on_stage(s, kind, text);
}

/* Reconnect when the connection breaks: the server knows the hand-in. */
static void try_again(struct submission *s, const char *why)
{
    int64_t us = s->wait_us / 2 + randombytes_uniform((uint32_t)s->wait_us / 2);
    struct timeval t = {us / 1000000, us % 1000000};

    s->wait_us =
        s->wait_us < LONGEST_WAIT_US / 2 ? 2 * s->wait_us : LONGEST_WAIT_US;
    status_line_say(&s->line, "%s; next try in %.1f s", why, (double)us / 1e6);
    event_add(s->again, &t);
}

static void on_done(void *owner, bool joined, const char *why)
{
    struct submission *s = owner;

    s->sends = false;
    if (s->code >= 0) {
        loop_stop(&s->loop);
    } else if (s->bye[0] && strcmp(s->bye, "stopping") != 0) {
        status_line_say(&s->line, "%s", s->bye);
        finish(s, 2);
    } else {
        try_again(s, s->bye[0] ? "the server is stopping" : why);
    }
}

static const struct caller_owner calls = {
    .on_told = on_told, .on_room = on_room, .on_done = on_done};

static void on_again(evutil_socket_t fd, short what, void *arg)
{
    struct submission *s = arg;

    caller_free(s->caller);
    s->bye[0] = '\0';
    buf_reset(&s->output);
    s->caller = caller_new(&s->loop, &s->config, &calls, s);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct submission *s = arg;

    s->has_left = true;
    loop_stop(&s->loop);
}

static void say_farewell(struct submission *s)
{
    if (s->is_there)
        status_line_say(
            &s->line,
            "the server continues with it; \"referee submit --watch\" shows "
            "the verdict");
    else
        status_line_say(&s->line, "nothing was handed in");
}

/* From the command line to a verdict. */

static bool read_words(struct submission *s, int argc, char **argv,
                       struct err *err)
{
    if (argc < 1)
        return fail(err, "submit needs a server: HOST:PORT or unix:PATH");
    if (!server_login_read(argv[0], &words, &s->login, err))
        return false;
    if (watches && argc > 1)
        return fail(err, "--watch hands in nothing; leave out \"%.60s\"",
                    argv[1]);
    if (!watches && argc != 2)
        return fail(err, "submit needs one folder, or a zip or tar file: "
                         "referee submit HOST:PORT --name anna --token-file "
                         "anna.token mybot");
    return watches || pack_make(argv[1], &s->pack, err);
}

static void talk(struct submission *s)
{
    struct event *term, *interrupt;
    const struct timeval now = {0, 0};

    signal(SIGPIPE, SIG_IGN);
    loop_init(&s->loop);
    term = evsignal_new(s->loop.base, SIGTERM, on_signal, s);
    interrupt = evsignal_new(s->loop.base, SIGINT, on_signal, s);
    s->again = evtimer_new(s->loop.base, on_again, s);
    loop_watch(term);
    loop_watch(interrupt);
    event_add(s->again, &now);
    loop_run(&s->loop);
    caller_free(s->caller);
    event_free(s->again);
    event_free(term);
    event_free(interrupt);
    /* libevent frees a bufferevent only in the next turn of the loop. */
    event_base_loop(s->loop.base, EVLOOP_NONBLOCK);
    loop_release(&s->loop);
}

static int hand_in(struct submission *s)
{
    s->config = (struct caller_config){
        .address = &s->login.address,
        .tls = s->login.uses_tls ? &s->login.tls : NULL,
        .name = s->login.name,
        .token = s->login.token,
        .plain_token = s->login.plain_token,
        .requests = "submit",
        .login_us = s->login.login_us,
    };
    s->wait_us = FIRST_WAIT_US;
    s->code = -1;
    status_line_init(&s->line);
    buf_init(&s->output, OUTPUT_MAX);
    talk(s);
    if (s->has_left)
        say_farewell(s);
    status_line_end(&s->line);
    buf_release(&s->output);
    return s->code >= 0 ? s->code : 2;
}

static int run(int argc, char **argv)
{
    struct submission s = {.pack.fd = -1};
    struct err err;
    bool ok = read_words(&s, argc, argv, &err) &&
              server_login_token(&words, &s.login, &err);
    int code = ok ? hand_in(&s) : 2;

    if (s.pack.fd != -1)
        close(s.pack.fd);
    server_login_release(&s.login);
    return ok ? code : complain("%s", err.text);
}

const struct subcommand cmd_submit = {
    .name = "submit",
    .args = "HOST:PORT|unix:PATH --name N --token-file F [OPTION...] "
            "FOLDER|ARCHIVE",
    .about = "hand in a bot to a server",
    .more = "Sends a folder, or a zip or tar file, and shows the progress\n"
            "line by line: unpacked, built, checked, a game on each ladder\n"
            "that the bot chooses, and the verdict. If a version is refused,\n"
            "the previous one stays. bot.ini in the folder says how to build\n"
            "and start the bot, and on which ladders it plays; \"referee\n"
            "admit --help-bot-ini\" lists what it may contain. After Ctrl-C\n"
            "the server continues, and --watch shows the rest. If the\n"
            "connection breaks, the command reconnects.\n"
            "\n"
            "Exit code 0: accepted; 1: refused; 2: no verdict.\n"
            "\n"
            "Examples:\n"
            "  referee submit play.example.org:7000 --tls --name anna \\\n"
            "      --token-file anna.token ./mybot\n"
            "  referee submit play.example.org:7000 --tls --name anna \\\n"
            "      --token-file anna.token --watch",
    .opts = opts,
    .run = run,
};
