#include "daemon/control.h"

#include "base/alloc.h"
#include "base/text.h"
#include "net/unix_socket.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CALL_SECONDS = 10, RETRY_SECONDS = 1, QUEUE = 16 };

struct caller {
    struct control *control;
    struct bufferevent *bev;
    struct event *limit;
    char who[CONTROL_WHO_MAX + 1];
    struct caller *next;
};

struct control {
    struct event_base *base;
    const struct control_calls *calls;
    void *owner;
    struct unix_socket socket;
    int lock;
    struct evconnlistener *listener;
    struct event *retry; /* after accept() has failed */
    struct caller *callers;
    int count;
    struct buf answer;
};

/* Requests and answers. */

static const struct {
    const char *word;
    bool takes_more;
} verbs[CONTROL_VERBS] = {
    [CONTROL_STATUS] = {"status", false}, [CONTROL_GAMES] = {"games", false},
    [CONTROL_PAUSE] = {"pause", false},   [CONTROL_RESUME] = {"resume", false},
    [CONTROL_STOP] = {"stop", false},     [CONTROL_KICK] = {"kick", true},
    [CONTROL_RELOAD] = {"reload", false}, [CONTROL_ORDER] = {"order", true},
};

void control_answer(struct buf *answer, json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII);

    if (!text)
        abort();
    buf_reset(answer);
    buf_str(answer, text);
    free(text);
    json_decref(object);
}

/* -1 if there is no such word; `rest` is the text after the word. */
static int find_verb(const char *line, const char **rest)
{
    for (int i = 0; i < CONTROL_VERBS; i++) {
        *rest = line;
        if (take_word(rest, verbs[i].word))
            return i;
    }
    return -1;
}

static bool carry_out(struct control *control, const char *line,
                      const char *who, struct err *err)
{
    const char *more;
    int verb = find_verb(line, &more);

    if (verb == -1)
        return fail(err,
                    "there is no request \"%.40s\"; there are status, games, "
                    "pause, resume, stop, kick NAME, reload and order JSON",
                    line);
    if (verbs[verb].takes_more && at_end(more))
        return fail(err, "%s needs %s", verbs[verb].word,
                    verb == CONTROL_KICK ? "a name" : "an order");
    if (!verbs[verb].takes_more && !at_end(more))
        return fail(err, "%s takes no argument", verbs[verb].word);
    if (!control->calls->on_request(control->owner, (enum control_verb)verb,
                                    at_end(more) ? NULL : more, who,
                                    &control->answer, err))
        return false;
    return buf_ok(&control->answer) ||
           fail(err, "the answer is larger than %d MiB",
                CONTROL_ANSWER_MAX >> 20);
}

static void write_error(struct buf *answer, const char *sentence)
{
    control_answer(answer, json_pack("{s:s}", "error", sentence));
}

/* Callers. */

static void hang_up(struct caller *caller)
{
    struct control *control = caller->control;
    struct caller **at = &control->callers;

    while (*at != caller)
        at = &(*at)->next;
    *at = caller->next;
    control->count--;
    bufferevent_free(caller->bev);
    event_free(caller->limit);
    free(caller);
}

static void on_limit(evutil_socket_t fd, short what, void *me)
{
    hang_up(me);
}

static void on_sent(struct bufferevent *bev, void *me)
{
    hang_up(me);
}

static void on_end(struct bufferevent *bev, short what, void *me)
{
    hang_up(me);
}

/*
 * Write immediately what the kernel accepts: after `stop` the loop may not turn
 * again.
 */
static void send_answer(struct caller *caller)
{
    struct buf *answer = &caller->control->answer;
    ssize_t n;

    buf_char(answer, '\n');
    n = send(bufferevent_getfd(caller->bev), answer->text, answer->len,
             MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n == -1)
        n = 0;
    if ((size_t)n == answer->len) {
        hang_up(caller);
        return;
    }
    bufferevent_disable(caller->bev, EV_READ);
    bufferevent_setcb(caller->bev, NULL, on_sent, on_end, caller);
    bufferevent_write(caller->bev, answer->text + n, answer->len - (size_t)n);
}

static void answer_line(struct caller *caller, const char *line)
{
    struct control *control = caller->control;
    struct err err;

    buf_reset(&control->answer);
    if (!carry_out(control, line, caller->who, &err))
        write_error(&control->answer, err.text);
    send_answer(caller);
}

static void refuse(struct caller *caller, const char *sentence)
{
    write_error(&caller->control->answer, sentence);
    send_answer(caller);
}

static void on_bytes(struct bufferevent *bev, void *me)
{
    struct evbuffer *input = bufferevent_get_input(bev);
    size_t len;
    char *line = evbuffer_readln(input, &len, EVBUFFER_EOL_LF);

    if (line && strlen(line) == len && is_plain(line))
        answer_line(me, line);
    else if (line)
        refuse(me, "a request is one line of printable ASCII");
    else if (evbuffer_get_length(input) >= CONTROL_LINE_MAX)
        refuse(me, "the request is too long");
    free(line);
}

static bool may_call(int fd, uid_t *uid)
{
    struct ucred peer;
    socklen_t len = sizeof peer;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return false;
    *uid = peer.uid;
    return peer.uid == 0 || peer.uid == geteuid();
}

static void name_user(uid_t uid, char who[CONTROL_WHO_MAX + 1])
{
    char text[1024];
    struct passwd user, *found = NULL;

    if (getpwuid_r(uid, &user, text, sizeof text, &found) == 0 && found &&
        is_plain(user.pw_name))
        snprintf(who, CONTROL_WHO_MAX + 1, "%s", user.pw_name);
    else
        snprintf(who, CONTROL_WHO_MAX + 1, "user %u", (unsigned)uid);
}

static void add_caller(struct control *control, int fd, uid_t uid)
{
    const struct timeval limit = {.tv_sec = CALL_SECONDS};
    struct caller *caller = must_alloc(calloc(1, sizeof *caller));

    caller->control = control;
    name_user(uid, caller->who);
    caller->bev =
        bufferevent_socket_new(control->base, fd, BEV_OPT_CLOSE_ON_FREE);
    caller->limit = evtimer_new(control->base, on_limit, caller);
    if (!caller->bev || !caller->limit)
        abort();
    caller->next = control->callers;
    control->callers = caller;
    control->count++;
    bufferevent_setwatermark(caller->bev, EV_READ, 0, CONTROL_LINE_MAX);
    bufferevent_setcb(caller->bev, on_bytes, NULL, on_end, caller);
    bufferevent_enable(caller->bev, EV_READ);
    evtimer_add(caller->limit, &limit);
}

static void turn_away(int fd, const char *sentence)
{
    struct buf answer;

    buf_init(&answer, 1024);
    write_error(&answer, sentence);
    buf_char(&answer, '\n');
    send(fd, answer.text, answer.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    buf_release(&answer);
    close(fd);
}

static void on_call(struct evconnlistener *listener, evutil_socket_t fd,
                    struct sockaddr *from, int len, void *me)
{
    struct control *control = me;
    uid_t uid;

    if (!may_call(fd, &uid))
        turn_away(fd, "only the user who runs the referee, and root, may call");
    else if (control->count == CONTROL_CALLERS_MAX)
        turn_away(fd, "too many callers at once; try again");
    else
        add_caller(control, fd, uid);
}

static void on_retry(evutil_socket_t fd, short what, void *me)
{
    struct control *control = me;

    evconnlistener_enable(control->listener);
}

/*
 * For example, out of descriptors. Trying again at once would be a busy loop.
 */
static void on_accept_error(struct evconnlistener *listener, void *me)
{
    const struct timeval later = {.tv_sec = RETRY_SECONDS};
    struct control *control = me;

    evconnlistener_disable(listener);
    evtimer_add(control->retry, &later);
}

/* The file. */

static bool take_lock(struct control *control, struct err *err)
{
    const char *at = control->socket.at.sun_path;
    char path[sizeof control->socket.at.sun_path + 8];

    snprintf(path, sizeof path, "%s.lock", at);
    control->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (control->lock == -1)
        return fail(err, "%s cannot be opened: %s", path, strerror(errno));
    return flock(control->lock, LOCK_EX | LOCK_NB) == 0 ||
           fail_for_now(err, "another referee already uses %s", at);
}

static bool open_control(struct control *control, const char *path,
                         struct err *err)
{
    int fd = -1;

    if (unix_socket_name(&control->socket, path, err) &&
        take_lock(control, err))
        fd = unix_socket_open(&control->socket, QUEUE, err);
    if (fd == -1)
        return fail_at(err, "control");
    control->listener = evconnlistener_new(
        control->base, on_call, control,
        LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, fd);
    control->retry = evtimer_new(control->base, on_retry, control);
    if (!control->listener || !control->retry)
        abort();
    evconnlistener_set_error_cb(control->listener, on_accept_error);
    return true;
}

struct control *control_new(struct event_base *base, const char *path,
                            const struct control_calls *calls, void *owner,
                            struct err *err)
{
    struct control *control = must_alloc(calloc(1, sizeof *control));

    control->base = base;
    control->calls = calls;
    control->owner = owner;
    control->lock = -1;
    buf_init(&control->answer, CONTROL_ANSWER_MAX);
    if (open_control(control, path, err))
        return control;
    control_free(control);
    return NULL;
}

void control_free(struct control *control)
{
    if (!control)
        return;
    while (control->callers)
        hang_up(control->callers);
    if (control->listener) {
        unix_socket_remove(&control->socket);
        evconnlistener_free(control->listener);
        event_free(control->retry);
    }
    if (control->lock != -1)
        close(control->lock);
    buf_release(&control->answer);
    free(control);
}

int control_callers(const struct control *control)
{
    return control->count;
}
