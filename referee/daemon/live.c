#include "daemon/live.h"

#include "base/alloc.h"
#include "base/text.h"
#include "web/steps.h"

#include <event2/http.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOK_US = 250000,
    BEAT_US = 15000000, /* a proxy closes what is silent for a minute */
    STREAM_MAX = 2 << 20,
    ID_BYTES = 64,
};

struct watcher {
    struct live *live;
    struct http_stream *stream;
    char id[ID_BYTES]; /* "": all games */
    int viewer;
    unsigned now; /* a fingerprint of what goes on, as it was told */
    int sent;     /* the number of the last step */
    int moves;    /* played by then; -1: not known */
    bool has_ended;
    char shown[LIVE_GRID][ID_BYTES]; /* to one who watches all games */
    int shown_moves[LIVE_GRID];
    int64_t said_us;
    struct watcher *next;
};

/* A game that was read in this look. */
struct reading {
    char id[ID_BYTES];
    int viewer;
    int moves;
    bool is_over;
    json_t *head, *end;
    json_t *steps; /* all of them */
};

struct live {
    struct loop *loop;
    const struct live_calls *calls;
    void *owner;
    struct alarm look;
    struct watcher *watchers;
    struct reading reading[LIVE_GAMES_MAX];
    int readings;
    struct buf bytes, events;
};

/* Readings. */

static void forget(struct reading *r)
{
    json_decref(r->head);
    json_decref(r->steps);
    json_decref(r->end);
}

static void forget_readings(struct live *live)
{
    for (int i = 0; i < live->readings; i++)
        forget(&live->reading[i]);
    live->readings = 0;
}

/* Whole steps; what is broken off at its end is not there yet. */
static bool read_steps(struct live *live, struct reading *r)
{
    struct steps steps;
    json_t *step;
    struct err err;
    bool ok;

    steps_init(&steps, r->viewer);
    ok = steps_open(&steps, r->id, 0, live->bytes.text, live->bytes.len, &err);
    r->head = ok ? steps_head(&steps) : NULL;
    r->steps = json_array();
    while (ok && (ok = steps_next(&steps, &step, &err)) && step)
        json_array_append_new(r->steps, step);
    r->end = ok && r->is_over ? steps_end(&steps) : NULL;
    steps_release(&steps);
    if (!ok)
        forget(r);
    return ok;
}

/* NULL: it is not there, or too many are watched. */
static const struct reading *read_game(struct live *live, const char *id,
                                       int viewer)
{
    struct reading *r;
    struct err err;

    for (int i = 0; i < live->readings; i++)
        if (strcmp(live->reading[i].id, id) == 0 &&
            live->reading[i].viewer == viewer)
            return &live->reading[i];
    if (live->readings == LIVE_GAMES_MAX)
        return NULL;
    r = &live->reading[live->readings];
    *r = (struct reading){.viewer = viewer,
                          .moves = live->calls->moves(live->owner, id)};
    text_join(r->id, sizeof r->id, id, NULL);
    r->is_over = r->moves == -1;
    buf_reset(&live->bytes);
    if (!live->calls->read(live->owner, id, &live->bytes, &err) ||
        live->bytes.len == 0 || !read_steps(live, r))
        return NULL;
    live->readings++;
    return r;
}

/* Events. */

/* "event: NAME", an id if it has one, and its data on one line. */
static void add_event(struct buf *out, const char *name, int id, json_t *data)
{
    char *text = data ? json_dumps(data, JSON_COMPACT) : NULL;

    if (id >= 0)
        buf_add(out, "id: %d\n", id);
    buf_add(out, "event: %s\ndata: ", name);
    buf_str(out, text ? text : "{}");
    buf_str(out, "\n\n");
    free(text);
    json_decref(data);
}

static void send_events(struct watcher *w)
{
    if (!buf_ok(&w->live->events)) {
        http_stream_end(w->stream);
        return;
    }
    if (w->live->events.len == 0)
        return;
    http_stream_send(w->stream, &w->live->events);
    w->said_us = now_us();
}

/* The record may be some moves behind the game. */
static int moves_of(const struct reading *r)
{
    size_t count = json_array_size(r->steps);
    const json_t *last = count ? json_array_get(r->steps, count - 1) : NULL;

    return (int)json_integer_value(json_object_get(last, "moves"));
}

/* Steps that this one has not had. */
static void follow_game(struct watcher *w)
{
    struct live *live = w->live;
    const struct reading *r;
    int count;

    if (w->has_ended ||
        (w->moves >= 0 && live->calls->moves(live->owner, w->id) == w->moves))
        return;
    r = read_game(live, w->id, w->viewer);
    if (!r)
        return;
    count = (int)json_array_size(r->steps);
    if (w->sent < 0)
        add_event(&live->events, "head", -1, json_incref(r->head));
    for (int i = w->sent + 1; i < count; i++)
        add_event(&live->events, "step", i,
                  json_incref(json_array_get(r->steps, (size_t)i)));
    if (count - 1 > w->sent)
        w->sent = count - 1;
    w->moves = moves_of(r);
    if (r->is_over) {
        add_event(&live->events, "end", -1, json_incref(r->end));
        w->has_ended = true;
    }
}

/* Told when it changes: the clocks run by themselves in between. */
static void follow_now(struct watcher *w)
{
    struct live *live = w->live;
    json_t *now;

    if (w->has_ended || w->sent < 0)
        return;
    now = live->calls->now(live->owner, w->id, &w->now);
    if (now)
        add_event(&live->events, "now", -1, now);
}

static json_t *latest_json(const struct reading *r)
{
    size_t count = json_array_size(r->steps);

    return json_pack("{s:s, s:O, s:O?}", "id", r->id, "head", r->head, "step",
                     count ? json_array_get(r->steps, count - 1) : NULL);
}

static json_t *ids_json(char (*id)[ID_BYTES], int count)
{
    json_t *list = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(id[i]));
    return list;
}

static int moves_shown(const struct watcher *w, const char *id)
{
    for (int i = 0; i < LIVE_GRID; i++)
        if (strcmp(w->shown[i], id) == 0)
            return w->shown_moves[i];
    return -1;
}

static void follow_all(struct watcher *w)
{
    struct live *live = w->live;
    char id[LIVE_GRID][ID_BYTES] = {{0}};
    int moves[LIVE_GRID] = {0};
    int count = live->calls->running(live->owner, id, LIVE_GRID);

    if (memcmp(id, w->shown, sizeof id) != 0)
        add_event(&live->events, "games", -1, ids_json(id, count));
    for (int i = 0; i < count; i++) {
        const struct reading *r;

        moves[i] = live->calls->moves(live->owner, id[i]);
        if (moves[i] == moves_shown(w, id[i]))
            continue;
        r = read_game(live, id[i], AUDIENCE_PUBLIC);
        if (r && moves_of(r) != moves_shown(w, id[i]))
            add_event(&live->events, "latest", -1, latest_json(r));
        moves[i] = r ? moves_of(r) : -1;
    }
    memcpy(w->shown, id, sizeof id);
    memcpy(w->shown_moves, moves, sizeof moves);
}

static void follow(struct watcher *w)
{
    struct live *live = w->live;

    buf_reset(&live->events);
    if (w->id[0]) {
        follow_game(w);
        follow_now(w);
    } else {
        follow_all(w);
    }
    if (live->events.len == 0 && now_us() - w->said_us > BEAT_US)
        buf_str(&live->events, ": still here\n\n");
    send_events(w);
}

static void on_look(void *me)
{
    struct live *live = me;

    for (struct watcher *w = live->watchers; w; w = w->next)
        follow(w);
    forget_readings(live);
    if (live->watchers)
        loop_alarm(live->loop, &live->look, now_us() + LOOK_US);
}

/* Watchers. */

static void on_gone(void *me)
{
    struct watcher *w = me, **at = &w->live->watchers;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    free(w);
}

/* The step after which a returning browser wants to hear more, or -1. */
static int last_step(const struct http_ask *ask)
{
    const char *text =
        ask->last_event ? ask->last_event : http_value(ask, "after");
    const char *at = text;
    int step = -1;

    if (!text || !take_int(&at, 0, 1000000, &step) || !at_end(at))
        return -1;
    return step;
}

bool live_is_watched(const struct live *live, const char *id, int viewer)
{
    for (const struct watcher *w = live->watchers; w; w = w->next)
        if (w->viewer == viewer && strcmp(w->id, id) == 0)
            return true;
    return false;
}

void live_look(struct live *live)
{
    if (live && live->watchers)
        loop_alarm(live->loop, &live->look, now_us());
}

int live_answer(struct live *live, struct http_ask *ask, const char *id,
                int viewer)
{
    struct watcher *w = must_alloc(calloc(1, sizeof *w));

    *w = (struct watcher){
        .live = live, .viewer = viewer, .sent = last_step(ask), .moves = -1};
    if (id)
        text_join(w->id, sizeof w->id, id, NULL);
    w->stream = http_stream(ask, on_gone, w);
    if (!w->stream) {
        free(w);
        return HTTP_SERVUNAVAIL;
    }
    w->next = live->watchers;
    live->watchers = w;
    loop_alarm(live->loop, &live->look, now_us());
    return HTTP_OK;
}

struct live *live_new(struct loop *loop, const struct live_calls *calls,
                      void *owner)
{
    struct live *live = must_alloc(calloc(1, sizeof *live));

    live->loop = loop;
    live->calls = calls;
    live->owner = owner;
    alarm_init(&live->look, on_look, live);
    buf_init(&live->bytes, RECORD_FILE_MAX);
    buf_init(&live->events, STREAM_MAX);
    return live;
}

void live_free(struct live *live)
{
    if (!live)
        return;
    alarm_stop(live->loop, &live->look);
    buf_release(&live->bytes);
    buf_release(&live->events);
    free(live);
}
