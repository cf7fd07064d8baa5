#include "cmd/lib/control_client.h"

#include "cmd/serve/config.h"
#include "daemon/control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 15 };

static bool set_address(struct sockaddr_un *at, const char *path,
                        struct err *err)
{
    *at = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof at->sun_path)
        return fail(err,
                    "the path of a socket must have 1 to %zu bytes, not %zu",
                    sizeof at->sun_path - 1, strlen(path));
    memcpy(at->sun_path, path, strlen(path) + 1);
    return true;
}

/* The control socket of the selected daemon. */
static bool find_address(const struct control_args *args,
                         struct sockaddr_un *at, struct err *err)
{
    char *path;
    bool ok;

    if (args->control || !args->config)
        return set_address(at, args->control ? args->control : "data/control",
                           err);
    path = serve_config_control(args->config, err);
    ok = path && set_address(at, path, err);
    free(path);
    return ok;
}

static bool call(int fd, const struct sockaddr_un *at, struct err *err)
{
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};

    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)at, sizeof *at) == 0)
        return true;
    if (errno == EACCES)
        return fail(err,
                    "%s must not be used: %s; only the user that runs the "
                    "server, and root, may connect to it",
                    at->sun_path, strerror(errno));
    return fail(err,
                "no referee answers on %s: %s; is a server running with "
                "this control socket?",
                at->sun_path, strerror(errno));
}

static bool exchange(int fd, const struct buf *request, struct buf *answer,
                     struct err *err)
{
    char chunk[64 * 1024];
    ssize_t n;

    /* If the daemon has hung up already, its answer gives the reason. */
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

static bool ask(const struct sockaddr_un *at, const struct buf *request,
                struct buf *answer, struct err *err)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool ok;

    if (fd == -1)
        return fail(err, "no socket: %s", strerror(errno));
    ok = call(fd, at, err) && exchange(fd, request, answer, err);
    close(fd);
    return ok;
}

static int show(const struct buf *text, bool as_json, show_answer *shown)
{
    json_t *answer = json_loads(text->text, 0, NULL);
    const char *error = json_string_value(json_object_get(answer, "error"));
    int code = !answer || error;
    struct buf out;

    buf_init(&out, CONTROL_ANSWER_MAX);
    if (as_json)
        fputs(text->text, stdout);
    else if (!answer)
        complain("the answer is not JSON: %.40s", text->text);
    else if (error)
        complain("%s", error);
    else
        shown(answer, &out);
    fputs(out.text, stdout);
    buf_release(&out);
    json_decref(answer);
    return code;
}

int control_call(const struct control_args *args, const char *verb,
                 const char *name, show_answer *shown)
{
    struct buf request, answer;
    struct sockaddr_un at;
    struct err err;
    int code = 1;

    if (!find_address(args, &at, &err))
        return complain("%s", err.text);
    buf_init(&request, CONTROL_LINE_MAX);
    buf_init(&answer, CONTROL_ANSWER_MAX);
    buf_add(&request, "%s%s%s\n", verb, name ? " " : "", name ? name : "");
    if (!buf_ok(&request))
        code = complain("%s: no bot has such a long name", verb);
    else if (ask(&at, &request, &answer, &err))
        code = show(&answer, args->as_json, shown);
    else
        complain("%s", err.text);
    buf_release(&request);
    buf_release(&answer);
    return code;
}

int control_alone(const struct control_args *args, const char *verb, int argc,
                  char **argv, show_answer *shown)
{
    if (argc > 0)
        return complain("%s takes options only, not \"%.40s\"", verb, argv[0]);
    return control_call(args, verb, NULL, shown);
}
