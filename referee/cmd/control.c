/* referee status, pause, resume, stop, kick, reload - orders to a daemon. */

#include "host/control.h"

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/serve_config.h"
#include "cmd/status.h"
#include "cmd/term.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 15 };

static const char *control, *config;
static bool as_json, with_games;

/* Asking. */

static bool set_address(struct sockaddr_un *at, const char *path,
                        struct err *err)
{
    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof at->sun_path)
        return fail(err, "the path of a socket has 1 to %zu bytes, not %zu",
                    sizeof at->sun_path - 1, strlen(path));
    memcpy(at->sun_path, path, strlen(path) + 1);
    return true;
}

static bool call(int fd, const char *path, struct err *err)
{
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    struct sockaddr_un at;

    if (!set_address(&at, path, err))
        return false;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)&at, sizeof at) == 0)
        return true;
    return fail(err,
                "no referee answers on %s: %s; is one running, with this "
                "control socket?",
                path, strerror(errno));
}

static bool exchange(int fd, const struct buf *request, struct buf *answer,
                     struct err *err)
{
    char chunk[64 * 1024];
    ssize_t n;

    /* If it has hung up already, its answer says why. */
    n = send(fd, request->text, request->len, MSG_NOSIGNAL);
    if (n == -1 && errno != EPIPE)
        return fail(err, "the request cannot be sent: %s", strerror(errno));
    while ((n = recv(fd, chunk, sizeof chunk, 0)) > 0)
        buf_put(answer, chunk, (size_t)n);
    if (n == -1 && answer->len == 0)
        return fail(err, "no answer: %s", strerror(errno));
    return (buf_ok(answer) && answer->len > 0 &&
            answer->text[answer->len - 1] == '\n') ||
           fail(err, "the answer is not complete");
}

static bool ask_socket(const char *path, const struct buf *request,
                       struct buf *answer, struct err *err)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok;

    if (fd == -1)
        return fail(err, "no socket: %s", strerror(errno));
    ok = call(fd, path, err) && exchange(fd, request, answer, err);
    close(fd);
    return ok;
}

static bool ask(const struct buf *request, struct buf *answer, struct err *err)
{
    char *path;
    bool ok;

    if (control || !config)
        return ask_socket(control ? control : "data/control", request, answer,
                          err);
    path = serve_config_control(config, err);
    if (!path)
        return false;
    ok = ask_socket(path, request, answer, err);
    free(path);
    return ok;
}

/* Showing; one function per answer. */

typedef void show_answer(const json_t *answer, struct buf *out);

static void show_state(const json_t *answer, struct buf *out)
{
    const char *state = json_string_value(json_object_get(answer, "state"));
    long long n = json_integer_value(json_object_get(answer, "running"));

    buf_add(out, "%s; %lld game%s running\n", state ? state : "?", n,
            n == 1 ? " is" : "s are");
}

static void show_kicked(const json_t *answer, struct buf *out)
{
    long long n = json_integer_value(json_object_get(answer, "kicked"));

    buf_add(out, "%lld connection%s closed\n", n, n == 1 ? "" : "s");
}

static void show_reloaded(const json_t *answer, struct buf *out)
{
    buf_str(out, "the configuration has been read again\n");
    if (json_is_true(json_object_get(answer, "needs_restart")))
        buf_str(out, "listeners, control, http and data change only with a "
                     "restart\n");
}

static void show_what_runs(const json_t *answer, struct buf *out)
{
    show_status(answer, term_colours(stdout), out);
}

static int show(const struct buf *text, show_answer *shown)
{
    json_t *answer = json_loads(text->text, 0, NULL);
    const char *error = json_string_value(json_object_get(answer, "error"));
    int code = !answer || error;
    struct buf out;

    buf_init(&out, CONTROL_ANSWER_MAX);
    if (as_json)
        fputs(text->text, stdout);
    else if (!answer)
        complain("the answer is no JSON: %.40s", text->text);
    else if (error)
        complain("%s", error);
    else
        shown(answer, &out);
    fputs(out.text, stdout);
    buf_release(&out);
    json_decref(answer);
    return code;
}

static int order(const char *verb, const char *name, show_answer *shown)
{
    struct buf request, answer;
    struct err err;
    int code = 1;

    buf_init(&request, CONTROL_LINE_MAX);
    buf_init(&answer, CONTROL_ANSWER_MAX);
    buf_add(&request, "%s%s%s\n", verb, name ? " " : "", name ? name : "");
    if (!buf_ok(&request))
        complain("%s: such a long name is no bot's", verb);
    else if (ask(&request, &answer, &err))
        code = show(&answer, shown);
    else
        complain("%s", err.text);
    buf_release(&request);
    buf_release(&answer);
    return code;
}

/* The commands. */

static int simple(const char *verb, int argc, char **argv, show_answer *shown)
{
    if (argc > 0)
        return complain("%s takes options only, not \"%.40s\"", verb, argv[0]);
    return order(verb, NULL, shown);
}

static int run_status(int argc, char **argv)
{
    if (with_games && argc == 0)
        return order("games", NULL, show_games);
    return simple("status", argc, argv, show_what_runs);
}

static int run_pause(int argc, char **argv)
{
    return simple("pause", argc, argv, show_state);
}

static int run_resume(int argc, char **argv)
{
    return simple("resume", argc, argv, show_state);
}

static int run_stop(int argc, char **argv)
{
    return simple("stop", argc, argv, show_state);
}

static int run_reload(int argc, char **argv)
{
    return simple("reload", argc, argv, show_reloaded);
}

static int run_kick(int argc, char **argv)
{
    if (argc != 1)
        return complain("kick takes one name, not %d", argc);
    if (!*argv[0] || !is_word(argv[0]))
        return complain("kick: \"%.40s\" is no bot's name", argv[0]);
    return order("kick", argv[0], show_kicked);
}

static const struct opt status_opts[] = {
    {"games",                    NULL, "list the games that run", OPT_FLAG, &with_games, 0, 0},
    {"control", "PATH", "the daemon's control socket (data/control)", OPT_TEXT,
     &control, 0, 0},
    {"config",               "FILE", "the daemon's referee.ini, which names it", OPT_TEXT,
     &config, 0, 0},
    {"json",                         NULL, "write the daemon's answer as it is", OPT_FLAG, &as_json, 0,
     0},
    {0                 },
};

/* What all of them take. */
#define OPTS (status_opts + 1)

#define USE "[--control PATH | --config FILE] [--json]"

const struct subcommand cmd_status = {
    .name = "status",
    .args = USE " [--games]",
    .about = "show what a running daemon does",
    .more = "Shows how long the daemon has been running, its games, its "
            "ladders with the bots\nthat wait in them, and who is connected. "
            "A ladder is used up when all who are\nthere have met as often as "
            "its meetings allow. Exit code 1 if it does not answer.",
    .opts = status_opts,
    .run = run_status,
};

const struct subcommand cmd_pause = {
    .name = "pause",
    .args = USE,
    .about = "let a daemon start no new games",
    .more = "Games that run are played on. \"referee resume\" ends the pause.",
    .opts = OPTS,
    .run = run_pause,
};

const struct subcommand cmd_resume = {
    .name = "resume",
    .args = USE,
    .about = "let a daemon start games again",
    .opts = OPTS,
    .run = run_resume,
};

const struct subcommand cmd_stop = {
    .name = "stop",
    .args = USE,
    .about = "let a daemon end",
    .more = "No new games start; the daemon ends when the last one is over, or "
            "when its\nstop-limit has passed. This does not wait for it.",
    .opts = OPTS,
    .run = run_stop,
};

const struct subcommand cmd_kick = {
    .name = "kick",
    .args = "NAME " USE,
    .about = "close all connections of a bot",
    .opts = OPTS,
    .run = run_kick,
};

const struct subcommand cmd_reload = {
    .name = "reload",
    .args = USE,
    .about = "let a daemon read its configuration again",
    .more = "New bots and ladders join; those that were removed finish their "
            "games. If the\nnew configuration is wrong the old one stays, and "
            "the daemon's log says why.",
    .opts = OPTS,
    .run = run_reload,
};
