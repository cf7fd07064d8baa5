#include "cmd/submit/versions.h"

#include "base/text.h"
#include "net/caller.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

struct question {
    struct loop loop;
    struct caller *caller;
    const char *order;
    struct versions *versions;
    bool is_answered;
    char bye[ERR_TEXT_MAX];
};

/* "AT EVENT VERSION STAGE: TEXT" */
static void take_version(struct question *q, const char *text)
{
    static const char *const keys[] = {"at", "event", "version"};
    json_t *line = json_object();

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t len = strcspn(text, " ");

        if (len > 1 || text[0] != '-')
            json_object_set_new(line, keys[i], json_stringn(text, len));
        text += len + (text[len] == ' ');
    }
    if (*text)
        json_object_set_new(line, "text", json_string(text));
    json_array_append_new(q->versions->history, line);
}

static void on_told(void *owner, const char *kind, const char *text)
{
    struct question *q = owner;
    struct versions *v = q->versions;

    if (strcmp(kind, "submit") == 0) {
        caller_say(q->caller, q->order, strlen(q->order));
    } else if (strcmp(kind, "version") == 0) {
        take_version(q, text);
    } else if (strcmp(kind, "plays") == 0) {
        q->is_answered = true;
        snprintf(v->playing, sizeof v->playing, "%s",
                 strcmp(text, "-") ? text : "");
    } else if (strcmp(kind, "playing") == 0) {
        snprintf(v->ladders, sizeof v->ladders, "%s", text);
    } else if (strcmp(kind, "bye") == 0) {
        snprintf(q->bye, sizeof q->bye, "%s", text);
    }
}

static void on_room(void *owner)
{
}

static void on_done(void *owner, bool joined, const char *why)
{
    struct question *q = owner;

    if (!q->bye[0])
        snprintf(q->bye, sizeof q->bye, "%s", why);
    loop_stop(&q->loop);
}

static const struct caller_owner calls = {
    .on_told = on_told, .on_room = on_room, .on_done = on_done};

bool versions_ask(const struct server_login *login, const char *order,
                  struct versions *versions, struct err *err)
{
    const struct caller_config config = {
        .address = &login->address,
        .tls = login->uses_tls ? &login->tls : NULL,
        .name = login->name,
        .token = login->token,
        .plain_token = login->plain_token,
        .requests = "submit",
        .login_us = login->login_us,
    };
    struct question q = {.order = order, .versions = versions};

    *versions = (struct versions){.history = json_array()};
    signal(SIGPIPE, SIG_IGN);
    loop_init(&q.loop);
    q.caller = caller_new(&q.loop, &config, &calls, &q);
    loop_run(&q.loop);
    caller_free(q.caller);
    /* libevent frees a bufferevent only in the next turn of the loop. */
    event_base_loop(q.loop.base, EVLOOP_NONBLOCK);
    loop_release(&q.loop);
    if (!q.is_answered)
        return fail(err, "%s", q.bye);
    if (strcmp(q.bye, "that is all") != 0)
        snprintf(versions->remark, sizeof versions->remark, "%s", q.bye);
    return true;
}

void versions_release(struct versions *versions)
{
    json_decref(versions->history);
    versions->history = NULL;
}
