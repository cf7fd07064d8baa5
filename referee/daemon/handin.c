#include "daemon/handin.h"

#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    TOLD_MAX = 512 << 10, /* bytes of all lines */
    LINE_MAX = 1 << 20,   /* of a stage: 64 KiB of output, as JSON */
    ERROR_MAX = 4096,
    OUTPUT_LINES_MAX = 200, /* of a program, reported at each stage */
    TEXT_MAX = 560,
};

struct handin *handin_new(const char *name, const char *path, const char *sent,
                          const struct handin_owner *calls, void *owner)
{
    struct handin *h = must_alloc(calloc(1, sizeof *h));

    h->calls = calls;
    h->owner = owner;
    snprintf(h->name, sizeof h->name, "%s", name);
    snprintf(h->path, sizeof h->path, "%s", path);
    snprintf(h->sent, sizeof h->sent, "%s", sent);
    lines_init(&h->told, TOLD_MAX);
    buf_init(&h->output, LINE_MAX);
    buf_init(&h->error, ERROR_MAX);
    return h;
}

static void end_process(struct handin *h)
{
    struct event **events[] = {&h->has_output, &h->has_error, &h->has_news};

    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        if (*events[i])
            event_free(*events[i]);
        *events[i] = NULL;
    }
    alarm_stop(h->loop, &h->limit);
    child_close(&h->child);
}

void handin_free(struct handin *h)
{
    if (h->state == HANDIN_RUNS)
        end_process(h);
    lines_release(&h->told);
    buf_release(&h->output);
    buf_release(&h->error);
    free(h);
}

/* What the owner is told. */

void handin_tell(struct handin *h, const char *kind, const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    make_plain(text);
    if (h->told.text.len + strlen(kind) + strlen(text) + 2 < TOLD_MAX)
        tell(&h->told, EVERYONE, "%s %s", kind, text);
    if (h->calls)
        h->calls->on_told(h->owner, h);
}

static void tell_output(struct handin *h, const char *output)
{
    int lines = 0;

    for (; *output && lines < OUTPUT_LINES_MAX; lines++) {
        size_t len = strcspn(output, "\n");

        handin_tell(h, "output", "%.*s", len < TEXT_MAX ? (int)len : TEXT_MAX,
                    output);
        output += len + (output[len] == '\n');
    }
    if (*output)
        handin_tell(h, "output", "(the rest is left out)");
}

/* "version 0123456789abcdef plays from now on" */
static void take_version(struct handin *h, const char *text)
{
    if (take_word(&text, "version"))
        snprintf(h->version, sizeof h->version, "%.*s", (int)strcspn(text, " "),
                 text);
}

static bool is_known_stage(const char *stage)
{
    return words_find("unpacked|recipe|built|checked|played|accepted|refused",
                      stage) >= 0;
}

void handin_take_stage(struct handin *h, const char *json)
{
    json_t *line = json_loads(json, 0, NULL);
    const char *stage = json_string_value(json_object_get(line, "stage"));
    const char *text = json_string_value(json_object_get(line, "text"));
    const char *output = json_string_value(json_object_get(line, "output"));

    if (stage && text && is_known_stage(stage)) {
        if (strcmp(stage, "accepted") == 0) {
            h->end = HANDIN_IS_FIT;
            take_version(h, text);
        } else if (strcmp(stage, "refused") == 0) {
            h->end = HANDIN_IS_UNFIT;
        }
        if (output)
            tell_output(h, output);
        handin_tell(h, stage, "%s", text);
    }
    json_decref(line);
}

/* The process. */

static void cut_lines(struct handin *h)
{
    char *at = h->output.text, *end = at + h->output.len, *feed;
    size_t rest;

    while (at < end && (feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        *feed = '\0';
        handin_take_stage(h, at);
        at = feed + 1;
    }
    rest = (size_t)(end - at);
    memmove(h->output.text, at, rest);
    buf_cut(&h->output, rest);
}

/* One read; false at end of file, and if there is nothing now. */
static bool read_into(int fd, struct buf *out)
{
    char block[16384];
    ssize_t n = read(fd, block, sizeof block);

    if (n > 0 && out->len + (size_t)n < out->max)
        buf_put(out, block, (size_t)n);
    return n > 0;
}

static void on_output(evutil_socket_t fd, short what, void *arg)
{
    struct handin *h = arg;

    loop_now(h->loop);
    if (!read_into(fd, &h->output) && errno != EAGAIN && errno != EINTR)
        event_del(h->has_output);
    if (h->output.len > 0)
        cut_lines(h);
}

static void on_error(evutil_socket_t fd, short what, void *arg)
{
    struct handin *h = arg;

    loop_now(h->loop);
    if (!read_into(fd, &h->error) && errno != EAGAIN && errno != EINTR)
        event_del(h->has_error);
}

static void on_gone(struct handin *h)
{
    while (read_into(h->child.from, &h->output))
        cut_lines(h);
    while (read_into(h->child.error, &h->error))
        ;
    end_process(h);
    h->state = HANDIN_OVER;
    h->calls->on_over(h->owner, h);
}

static void on_news(evutil_socket_t fd, short what, void *arg)
{
    struct handin *h = arg;
    int error;

    loop_now(h->loop);
    switch (child_news(&h->child, &error)) {
    case CHILD_EXITED:
        child_kill(&h->child); /* its descendants must not outlive it */
        break;
    case CHILD_GONE:
        on_gone(h);
        break;
    default:
        break;
    }
}

/* It limits its own stages, so if it is still there it hangs. */
static void on_limit(void *arg)
{
    struct handin *h = arg;

    buf_str(&h->error, "it took too long\n");
    child_kill(&h->child);
}

static struct event *watch(struct handin *h, int fd, event_callback_fn on)
{
    struct event *event =
        event_new(h->loop->base, fd, EV_READ | EV_PERSIST, on, h);

    loop_watch(event);
    return event;
}

bool handin_start(struct handin *h, struct loop *loop, const char *config,
                  int64_t limit_us, struct err *err)
{
    const char *words[] = {"/proc/self/exe", "admit",  "--json", "--config",
                           config,           "--name", h->name,  "--take-away",
                           h->path,          "--sent", h->sent,  NULL};
    char *argv[sizeof words / sizeof *words] = {NULL};
    struct pool pool = {0};
    const struct child_config child = {.argv = argv};
    bool ok;

    for (int i = 0; words[i] && (*h->sent || strcmp(words[i], "--sent")); i++)
        argv[i] = pool_text(&pool, words[i]);
    ok = child_start(&h->child, &loop->children, &child, err);
    pool_release(&pool);
    if (!ok)
        return false;
    h->loop = loop;
    h->state = HANDIN_RUNS;
    close(h->child.to);
    h->child.to = -1;
    h->has_output = watch(h, h->child.from, on_output);
    h->has_error = watch(h, h->child.error, on_error);
    h->has_news = watch(h, h->child.control, on_news);
    alarm_init(&h->limit, on_limit, h);
    loop_alarm(loop, &h->limit, now_us() + limit_us);
    return true;
}
