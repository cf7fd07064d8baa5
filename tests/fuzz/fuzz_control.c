/*
 * Any bytes as a request to the control socket of a daemon. The answer is one
 * line of JSON, and then the connection ends.
 */

#include "daemon/control.h"
#include "fuzz/fuzz.h"

#include <event2/event.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool on_request(void *owner, enum control_verb verb, const char *name,
                       const char *who, struct buf *answer, struct err *err)
{
    insist(verb >= 0 && verb < CONTROL_VERBS);
    insist((name != NULL) == (verb == CONTROL_KICK || verb == CONTROL_ORDER));
    insist(who && *who);
    if (name && name[0] == 'x')
        return fail(err, "nobody called %s is connected", name);
    control_answer(answer, json_pack("{s:b}", "done", 1));
    return true;
}

static const struct control_calls calls = {on_request};
static struct event_base *base;
static struct control *control;

static int dial(void)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(at.sun_path, sizeof at.sun_path, "%s", fuzz_path("control"));
    insist(fd != -1 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

static void insist_on_json(char *answer, size_t len)
{
    json_t *object;

    if (len == 0)
        return; /* it hung up before a whole line */
    insist(answer[len - 1] == '\n');
    answer[len - 1] = '\0';
    insist(is_plain(answer));
    object = json_loads(answer, 0, NULL);
    insist(json_is_object(object));
    json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char answer[4096];
    struct err err;
    size_t len = 0;
    ssize_t n;
    int fd;

    if (!base) {
        base = event_base_new();
        control = control_new(base, fuzz_path("control"), &calls, NULL, &err);
        insist(control != NULL);
    }
    fd = dial();
    n = send(fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    insist(size == 0 || n > 0);
    shutdown(fd, SHUT_WR);
    do
        event_base_loop(base, EVLOOP_ONCE);
    while (control_callers(control) > 0);
    while ((n = recv(fd, answer + len, sizeof answer - len, 0)) > 0)
        len += (size_t)n;
    insist_on_json(answer, len);
    close(fd);
    return 0;
}
