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
    SLICE_US = 200,     /* of looking, in one turn of the loop */
    BEAT_US = 15000000, /* a proxy closes what is silent for a minute */
    FORGET_US = 5000000,
    STREAM_MAX = 2 << 20,
    ID_BYTES = 64,
};

/* A game for one audience, as far as it was read. */
struct watched {
    char id[ID_BYTES]; /* "": this place is free */
    int viewer;
    char *head, *end; /* JSON; NULL until they are known */
    char **step;      /* JSON of each */
    int steps, cap;
    int moves;       /* played by the last of them */
    int round;       /* of looking in which it was read last */
    char *now;       /* JSON of the current state, ... */
    unsigned print;  /* ... and its fingerprint */
    int64_t used_us; /* when somebody watched it last */
};

struct watcher {
    struct live *live;
    struct http_stream *stream;
    char id[ID_BYTES]; /* "": all games */
    int viewer;
    unsigned now; /* a fingerprint of what goes on, as it was told */
    int sent;     /* the number of the last step */
    bool has_head, has_ended;
    char shown[LIVE_GRID][ID_BYTES]; /* for a stream that watches all games */
    int shown_moves[LIVE_GRID];
    int64_t said_us;
    struct watcher *next;
};

struct live {
    struct loop *loop;
    const struct live_calls *calls;
    void *owner;
    struct alarm look;
    struct watcher *watchers;
    struct watcher *cursor; /* the one to check next in this round */
    int round;
    int64_t round_us; /* when it began */
    struct watched game[LIVE_GAMES_MAX];
    struct buf bytes, events;
};

/* Games. */

static void forget(struct watched *g)
{
    for (int i = 0; i < g->steps; i++)
        free(g->step[i]);
    free(g->step);
    free(g->head);
    free(g->end);
    free(g->now);
    *g = (struct watched){0};
}

static void forget_unwatched(struct live *live)
{
    for (int i = 0; i < LIVE_GAMES_MAX; i++)
        if (live->game[i].id[0] && now_us() - live->game[i].used_us > FORGET_US)
            forget(&live->game[i]);
}

static char *dumped(json_t *json)
{
    char *text = must_alloc(json_dumps(json, JSON_COMPACT));

    json_decref(json);
    return text;
}

static void add_step(struct watched *g, json_t *step)
{
    g->moves = (int)json_integer_value(json_object_get(step, "moves"));
    if (g->steps == g->cap) {
        g->cap = g->cap ? 2 * g->cap : 64;
        g->step = must_resize(g->step, (size_t)g->cap, sizeof *g->step);
    }
    g->step[g->steps++] = dumped(step);
}

/* Read whole steps. An incomplete one at the end is not there yet. */
static void read_steps(struct live *live, struct watched *g, bool is_over)
{
    struct steps steps;
    json_t *step;
    struct err err;
    bool ok;

    steps_init(&steps, g->viewer);
    steps.from = g->steps;
    ok = steps_open(&steps, g->id, 0, live->bytes.text, live->bytes.len, &err);
    if (ok && !g->head)
        g->head = dumped(steps_head(&steps));
    while (ok && (ok = steps_next(&steps, &step, &err)) && step)
        add_step(g, step);
    if (ok && is_over && !g->end)
        g->end = dumped(steps_end(&steps));
    steps_release(&steps);
}

/*
 * Once per round, if the game has moved: the record may be some moves behind.
 */
static void read_game(struct live *live, struct watched *g)
{
    int moves = live->calls->moves(live->owner, g->id);
    struct err err;

    if (g->round == live->round || g->end ||
        (moves != -1 && g->head && moves == g->moves))
        return;
    g->round = live->round;
    buf_reset(&live->bytes);
    if (live->calls->read(live->owner, g->id, &live->bytes, &err) &&
        live->bytes.len > 0)
        read_steps(live, g, moves == -1);
}

static struct watched *place_for(struct live *live, const char *id, int viewer)
{
    struct watched *free_one = NULL;

    for (int i = 0; i < LIVE_GAMES_MAX; i++) {
        struct watched *g = &live->game[i];

        if (!g->id[0])
            free_one = g;
        else if (g->viewer == viewer && strcmp(g->id, id) == 0)
            return g;
    }
    if (free_one) {
        *free_one = (struct watched){.viewer = viewer, .moves = -1};
        text_join(free_one->id, sizeof free_one->id, id, NULL);
    }
    return free_one;
}

/* NULL: nothing is known yet, or too many games are watched. */
static struct watched *watch(struct live *live, const char *id, int viewer)
{
    struct watched *g = place_for(live, id, viewer);

    if (!g)
        return NULL;
    g->used_us = now_us();
    read_game(live, g);
    return g->head && g->steps > 0 ? g : NULL;
}

/* Events. */

/* "event: NAME", an id if it has one, and its data on one line. */
static void add_event(struct buf *out, const char *name, int id,
                      const char *data)
{
    if (id >= 0)
        buf_add(out, "id: %d\n", id);
    buf_add(out, "event: %s\ndata: ", name);
    buf_str(out, data);
    buf_str(out, "\n\n");
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

/* Sent when it changes. Between changes, the page runs the clocks itself. */
static void follow_now(struct watcher *w, struct watched *g)
{
    struct live *live = w->live;
    unsigned print = w->now == 0 ? 0 : g->print; /* a newcomer needs clocks */
    json_t *now = live->calls->now(live->owner, g->id, &print);

    if (now) {
        free(g->now);
        g->now = dumped(now);
        g->print = print;
    }
    if (g->now && w->now != g->print)
        add_event(&live->events, "now", -1, g->now);
    w->now = g->print;
}

/* Send what this stream has not had. */
static void follow_game(struct watcher *w)
{
    struct live *live = w->live;
    struct watched *g = w->has_ended ? NULL : watch(live, w->id, w->viewer);

    if (!g)
        return;
    if (w->sent < 0 && !w->has_head)
        add_event(&live->events, "head", -1, g->head);
    w->has_head = true;
    while (w->sent + 1 < g->steps) {
        w->sent++;
        add_event(&live->events, "step", w->sent, g->step[w->sent]);
    }
    if (g->end) {
        add_event(&live->events, "end", -1, g->end);
        w->has_ended = true;
    } else {
        follow_now(w, g);
    }
}

static void add_latest(struct buf *out, const struct watched *g)
{
    buf_add(out, "event: latest\ndata: {\"id\":\"%s\",\"head\":", g->id);
    buf_str(out, g->head);
    buf_str(out, ",\"step\":");
    buf_str(out, g->step[g->steps - 1]);
    buf_str(out, "}\n\n");
}

static void add_ids(struct buf *out, char (*id)[ID_BYTES], int count)
{
    json_t *list = json_array();
    char *text;

    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_string(id[i]));
    text = dumped(list);
    add_event(out, "games", -1, text);
    free(text);
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
        add_ids(&live->events, id, count);
    for (int i = 0; i < count; i++) {
        const struct watched *g = watch(live, id[i], AUDIENCE_PUBLIC);

        moves[i] = g ? g->moves : -1;
        if (g && g->moves != moves_shown(w, id[i]))
            add_latest(&live->events, g);
    }
    memcpy(w->shown, id, sizeof id);
    memcpy(w->shown_moves, moves, sizeof moves);
}

static void follow(struct watcher *w)
{
    struct live *live = w->live;

    buf_reset(&live->events);
    if (w->id[0])
        follow_game(w);
    else
        follow_all(w);
    if (live->events.len == 0 && now_us() - w->said_us > BEAT_US)
        buf_str(&live->events, ": still here\n\n");
    send_events(w);
}

static void begin_round(struct live *live)
{
    live->cursor = live->watchers;
    live->round++;
    live->round_us = now_us();
}

/*
 * A large number of games is checked in slices, one per turn of the loop. Bots
 * are served between slices, so they wait for one slice at most.
 */
static void on_look(void *me)
{
    struct live *live = me;
    int64_t start = now_us();

    if (!live->cursor)
        begin_round(live);
    while (live->cursor && now_us() - start < SLICE_US) {
        struct watcher *w = live->cursor;

        live->cursor = w->next;
        follow(w);
    }
    if (live->cursor) {
        loop_alarm(live->loop, &live->look, now_us());
        return;
    }
    forget_unwatched(live);
    if (live->watchers)
        loop_alarm(live->loop, &live->look, live->round_us + LOOK_US);
}

/* Watchers. */

static void on_gone(void *me)
{
    struct watcher *w = me, **at = &w->live->watchers;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    if (w->live->cursor == w)
        w->live->cursor = w->next;
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
        .live = live, .viewer = viewer, .sent = last_step(ask)};
    if (id)
        text_join(w->id, sizeof w->id, id, NULL);
    w->stream = http_stream(ask, on_gone, w);
    if (!w->stream) {
        free(w);
        return HTTP_SERVUNAVAIL;
    }
    w->next = live->watchers;
    live->watchers = w;
    follow(w);
    if (!w->next)
        loop_alarm(live->loop, &live->look, now_us() + LOOK_US);
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
    for (int i = 0; i < LIVE_GAMES_MAX; i++)
        forget(&live->game[i]);
    buf_release(&live->bytes);
    buf_release(&live->events);
    free(live);
}
