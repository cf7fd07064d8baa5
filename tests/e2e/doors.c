/*
 * doors FOLDER - a daemon that is nothing but its side doors: http on a free
 * port of 127.0.0.1, which it prints, and FOLDER/control. What stands behind
 * them is made up. It ends on SIGTERM or `stop`.
 */

#include "daemon/control.h"
#include "daemon/http.h"
#include "daemon/metrics.h"
#include "run/loop.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct daemon {
    struct loop loop;
    struct metrics metrics;
    bool paused; /* also makes it unhealthy */
    int reloads;
};

static const char *complaint(void *owner)
{
    return ((struct daemon *)owner)->paused ? "paused" : NULL;
}

static void write_metrics(void *owner, struct buf *out)
{
    metrics_write(&((struct daemon *)owner)->metrics, out);
}

/* It says what it was asked. */
static int answer_api(void *owner, struct http_ask *ask, struct buf *out)
{
    const char *limit = http_value(ask, "limit");

    if (ask->body)
        return 405; /* as the daemon does where there is nothing to change */
    if (strcmp(ask->path, "much") == 0)
        while (buf_ok(out))
            buf_str(out, "much more than fits ");
    if (strcmp(ask->path, "text") == 0)
        ask->type = http_plain_type;
    buf_add(out, "[\"%s\", \"%s\"]", ask->path, limit ? limit : "none");
    return strcmp(ask->path, "nothing") == 0 ? 404 : 200;
}

static const struct proxies *proxies(void *owner)
{
    static const struct proxies none;

    return &none;
}

static const struct http_calls http_calls = {complaint, write_metrics, proxies,
                                             answer_api, NULL};

static json_t *status(const struct daemon *d)
{
    return json_pack(
        "{s:i, s:s, s:{s:i, s:i, s:i}, s:i,"
        " s:[{s:s, s:s, s:i, s:[s, s], s:i, s:i}],"
        " s:[{s:s, s:s, s:s, s:s, s:i, s:i},"
        "    {s:s, s:s, s:s, s:s, s:i, s:i}]}",
        "uptime_s", 7265, "state", d->paused ? "paused" : "running", "games",
        "running", 3, "done", 801, "void", 2, "moves", 41023, "ladders", "name",
        "duel", "game", "rondo", "seats", 2, "waiting", "anna", "bob",
        "running", 3, "done", 801, "connections", "name", "bob", "address",
        "[::1]:77", "kind", "tls", "state", "playing", "rtt_us", 1234, "games",
        12, "name", "anna", "address", "", "kind", "unix", "state", "idle",
        "rtt_us", 0, "games", 1);
}

static json_t *games(void)
{
    return json_pack("{s:[{s:s, s:s, s:s, s:[s, s], s:i, s:i}]}", "games", "id",
                     "duel-802", "ladder", "duel", "game", "rondo", "bots",
                     "anna", "bob", "moves", 17, "age_s", 4);
}

/* More than a socket buffer holds, to be read slowly. */
static json_t *much(void)
{
    json_t *numbers = json_array();

    for (int i = 0; i < 200000; i++)
        json_array_append_new(numbers, json_integer(i));
    return json_pack("{s:o}", "kicked", numbers);
}

static json_t *state(struct daemon *d, const char *word)
{
    return json_pack("{s:s, s:i}", "state", word, "running", 3);
}

static bool on_request(void *owner, enum control_verb verb, const char *name,
                       const char *who, struct buf *answer, struct err *err)
{
    struct daemon *d = owner;
    json_t *object = NULL;

    switch (verb) {
    case CONTROL_STATUS:
        object = status(d);
        break;
    case CONTROL_GAMES:
        object = games();
        break;
    case CONTROL_PAUSE:
    case CONTROL_RESUME:
        d->paused = verb == CONTROL_PAUSE;
        object = state(d, d->paused ? "paused" : "running");
        break;
    case CONTROL_STOP:
        loop_stop(&d->loop);
        object = state(d, "stopping");
        break;
    case CONTROL_KICK:
        if (strcmp(name, "much") == 0)
            object = much();
        else if (strcmp(name, "anna") == 0)
            object = json_pack("{s:i}", "kicked", 1);
        else if (strcmp(name, "bytes") == 0)
            return fail(err, "d\xff\xfet\x01 cannot be opened");
        else
            return fail(err, "nobody is called \"%s\"", name);
        break;
    case CONTROL_RELOAD:
        if (d->reloads++ > 0)
            return fail(err, "the new configuration is wrong");
        object = json_pack("{s:b}", "reloaded", 1);
        break;
    case CONTROL_ORDER:
        object = json_loads(name, 0, NULL);
        if (!object)
            return fail(err, "the order is not JSON");
        json_object_set_new(object, "who", json_string(who));
        break;
    case CONTROL_VERBS:
        return fail(err, "no such verb");
    }
    control_answer(answer, object);
    return true;
}

static const struct control_calls control_calls = {on_request};

static void on_term(evutil_socket_t signal, short what, void *me)
{
    loop_stop(me);
}

int main(int argc, char **argv)
{
    struct daemon d = {.paused = false};
    struct http *http;
    struct control *control = NULL;
    struct event *term;
    char path[400];
    struct err err;

    if (argc != 2)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    snprintf(path, sizeof path, "%s/control", argv[1]);
    loop_init(&d.loop);
    http = http_new(&d.loop, "127.0.0.1", 0, &http_calls, &d, &d.metrics.http,
                    &err);
    if (http)
        control = control_new(d.loop.base, path, &control_calls, &d, &err);
    if (!control) {
        fprintf(stderr, "%s\n", err.text);
        http_free(http);
        loop_release(&d.loop);
        return 1;
    }
    printf("%d\n", http_port(http));
    fflush(stdout);
    term = evsignal_new(d.loop.base, SIGTERM, on_term, &d.loop);
    event_add(term, NULL);
    loop_run(&d.loop);
    printf("%d connections, %d callers\n", http_connections(http),
           control_callers(control));
    event_free(term);
    control_free(control);
    http_free(http);
    loop_release(&d.loop);
    return 0;
}
