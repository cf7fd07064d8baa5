#include "web/steps.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASIDES_MAX = RECORD_FILE_MAX };

json_t *text_json(const char *text)
{
    json_t *json = json_string(text);
    char *plain = json ? NULL : must_alloc(strdup(text));

    if (json)
        return json;
    for (char *at = plain; *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    json = json_string(plain);
    free(plain);
    return json;
}

static json_t *numbers_json(const int *number, int n)
{
    json_t *list = json_array();

    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}

static json_t *seats_json(seat_set seats)
{
    json_t *list = json_array();

    for (int i = 0; i < SEATS_MAX; i++)
        if (seats & SEAT(i))
            json_array_append_new(list, json_integer(i + 1));
    return list;
}

/* "KEY=VALUE KEY=VALUE" as an object. */
static json_t *pairs_json(char *line)
{
    json_t *object = json_object();
    char *save, *value;

    for (char *pair = strtok_r(line, " ", &save); pair;
         pair = strtok_r(NULL, " ", &save)) {
        value = strchr(pair, '=');
        if (!value)
            continue;
        *value++ = '\0';
        json_object_set_new(object, pair, text_json(value));
    }
    return object;
}

static json_t *copied_pairs_json(const char *line)
{
    char *copy = must_alloc(strdup(line));
    json_t *object = pairs_json(copy);

    free(copy);
    return object;
}

/* Views. */

static json_t *view_json(const struct step *step, int viewer)
{
    struct buf out;
    json_t *object;

    buf_init(&out, REFEREE_VIEW_MAX);
    step->game->view(step->state, viewer, &out);
    object = pairs_json(out.text);
    buf_release(&out);
    return object;
}

/*
 * Members that differ from the public view; null for those that only the public
 * view has.
 */
static json_t *difference(json_t *view, json_t *public)
{
    json_t *other = json_object(), *value;
    const char *key;

    json_object_foreach(view, key, value)
    {
        if (!json_equal(value, json_object_get(public, key)))
            json_object_set(other, key, value);
    }
    json_object_foreach(public, key, value)
    {
        if (!json_object_get(view, key))
            json_object_set_new(other, key, json_null());
    }
    return other;
}

static void add_seen(const struct step *step, int viewer, const char *name,
                     json_t *public, json_t *seen)
{
    json_t *view = view_json(step, viewer);

    json_object_set_new(seen, name, difference(view, public));
    json_decref(view);
}

/*
 * Without chance, the referee knows no more than the public, only in more
 * words.
 */
static json_t *seen_json(const struct step *step, json_t *public)
{
    json_t *seen = json_object();
    char name[12];

    if (step->game->traits & TRAIT_HIDDEN)
        for (int i = 0; i < step->seats; i++) {
            snprintf(name, sizeof name, "%d", i + 1);
            add_seen(step, i, name, public, seen);
        }
    if (step->game->traits & (TRAIT_HIDDEN | TRAIT_CHANCE))
        add_seen(step, AUDIENCE_REFEREE, "all", public, seen);
    return seen;
}

static void add_views(const struct step *step, int viewer, json_t *object)
{
    json_t *view =
        view_json(step, viewer == AUDIENCE_REFEREE ? AUDIENCE_PUBLIC : viewer);

    json_object_set_new(object, "view", view);
    if (viewer == AUDIENCE_REFEREE)
        json_object_set_new(object, "seen", seen_json(step, view));
}

/* Events. */

static seat_set readers(int viewer)
{
    if (viewer == AUDIENCE_REFEREE)
        return EVERYONE;
    return viewer == AUDIENCE_PUBLIC ? WATCHERS : SEAT(viewer);
}

/* "@1,w " without its '@' and blank. */
static json_t *audience_json(seat_set to, int seats)
{
    struct buf out;
    json_t *json = NULL;

    buf_init(&out, 64);
    audience_write(to, seats, &out);
    if (out.len > 2)
        json = json_stringn(out.text + 1, out.len - 2);
    buf_release(&out);
    return json;
}

static json_t *event_facts_json(const struct step *step, const char *event)
{
    struct buf out;
    json_t *object;

    buf_init(&out, REFEREE_VIEW_MAX);
    if (step->game->event_facts)
        step->game->event_facts(step->state, event, &out);
    object = out.len > 0 ? pairs_json(out.text) : NULL;
    buf_release(&out);
    return object;
}

static json_t *event_json(const struct step *step, size_t i, int viewer)
{
    const char *text = lines_text(step->events, i);
    seat_set to = step->events->line[i].to;
    json_t *object = json_object();
    json_t *audience =
        viewer == AUDIENCE_REFEREE ? audience_json(to, step->seats) : NULL;
    json_t *facts = event_facts_json(step, text);

    json_object_set_new(object, "text", text_json(text));
    if (facts)
        json_object_set_new(object, "facts", facts);
    if (audience)
        json_object_set_new(object, "to", audience);
    return object;
}

static json_t *events_json(const struct step *step, int viewer)
{
    json_t *list = json_array();

    for (size_t i = step->first; i < step->events->count; i++)
        if (step->events->line[i].to & readers(viewer))
            json_array_append_new(list, event_json(step, i, viewer));
    return list;
}

/* Asides: lines that are only in the record. */

/* "MAIN,PERIODS used=US lag=US": the numbers of the first word, the others. */
static json_t *clock_json(const char *at)
{
    json_t *left = json_array(), *object = copied_pairs_json(at), *value;
    const char *key;
    void *next;
    char *end;

    while (is_digit(*at) || *at == '-') {
        json_array_append_new(left, json_integer(strtoll(at, &end, 10)));
        at = *end == ',' ? end + 1 : end;
    }
    json_object_foreach_safe(object, next, key, value)
    {
        long long number = strtoll(json_string_value(value), NULL, 10);

        json_object_set_new(object, key, json_integer(number));
    }
    json_object_set_new(object, "left", left);
    return object;
}

/* "WORD TEXT" */
static json_t *two_json(const char *first, const char *second, const char *at)
{
    const char *blank = strchr(at, ' ');
    size_t len = blank ? (size_t)(blank - at) : strlen(at);
    char *word = must_alloc(strndup(at, len));
    json_t *object = json_object();

    json_object_set_new(object, first, text_json(word));
    json_object_set_new(object, second, text_json(blank ? blank + 1 : ""));
    free(word);
    return object;
}

static json_t *refused_json(const char *at)
{
    return two_json("move", "why", at);
}

static json_t *wall_json(const char *at)
{
    json_t *object = json_object();

    json_object_set_new(object, "wall", text_json(at));
    return object;
}

static json_t *fault_json(const char *at)
{
    return two_json("why", "text", at);
}

static json_t *note_json(const char *at)
{
    json_t *object = json_object();

    json_object_set_new(object, "text", text_json(at));
    return object;
}

static const struct aside {
    const char *word, *list;
    bool is_public; /* otherwise it is for its seat only */
    json_t *(*json)(const char *at);
} asides[] = {
    {"clock", "clocks", true, clock_json},
    {"note", "notes", false, note_json},
    {"refused", "refused", false, refused_json},
    {"fault", "faults", false, fault_json},
    {"walls", "walls", true, wall_json},
    {"stopped", "stopped", false, note_json},
};

static bool may_read(const struct aside *aside, int viewer, int seat)
{
    return aside->is_public || may_see(viewer, seat);
}

static void add_aside(const struct aside *kind, const char *at, int viewer,
                      json_t *object)
{
    json_t *list = json_object_get(object, kind->list), *one;
    int seat;

    if (!take_word(&at, kind->word) || !take_int(&at, 1, SEATS_MAX, &seat))
        return;
    take_char(&at, ' ');
    if (!may_read(kind, viewer, seat - 1))
        return;
    if (!list) {
        list = json_array();
        json_object_set_new(object, kind->list, list);
    }
    one = kind->json(at);
    json_object_set_new(one, "seat", json_integer(seat));
    json_array_append_new(list, one);
}

static void add_asides(const struct lines *lines, size_t end, int viewer,
                       json_t *object)
{
    for (size_t i = 0; lines && i < end; i++)
        for (size_t k = 0; k < sizeof asides / sizeof *asides; k++)
            add_aside(&asides[k], lines_text(lines, i), viewer, object);
}

void asides_json(const struct lines *lines, int viewer, json_t *object)
{
    add_asides(lines, lines->count, viewer, object);
}

json_t *step_json(const struct step *step, int viewer)
{
    json_t *object = json_object();

    json_object_set_new(object, "n", json_integer(step->number));
    json_object_set_new(object, "moves", json_integer(step->moves));
    json_object_set_new(object, "owe",
                        seats_json(step->game->to_move(step->state)));
    json_object_set_new(object, "events", events_json(step, viewer));
    add_views(step, viewer, object);
    add_asides(step->asides, step->asides_end, viewer, object);
    return object;
}

/* The head. */

static json_t *value_of(const char *about, const char *key)
{
    size_t len;
    const char *value = about ? about_find(about, key, &len) : NULL;

    return value ? json_stringn(value, len) : NULL;
}

static json_t *player_json(const struct record *record, int seat)
{
    const char *text = record->seat[seat];
    const char *version = text ? strstr(text, " version=") : NULL;
    json_t *object = json_object(), *name = value_of(text, "name");

    json_object_set_new(object, "name", name ? name : json_null());
    if (version)
        json_object_set_new(object, "version",
                            text_json(version + strlen(" version=")));
    if (record->time[seat])
        json_object_set_new(object, "time", text_json(record->time[seat]));
    return object;
}

json_t *players_json(const struct record *record)
{
    json_t *list = json_array();

    for (int i = 0; i < record->setup.seats; i++)
        json_array_append_new(list, player_json(record, i));
    return list;
}

static json_t *options_json(const struct record *record)
{
    const struct game_option *option = record->game->options;
    json_t *object = json_object();

    for (int i = 0; option && option[i].name; i++) {
        const char *text = setup_option(record->game, &record->setup, i);

        if (text)
            json_object_set_new(object, option[i].name, text_json(text));
    }
    return object;
}

static json_t *traits_json(unsigned traits)
{
    static const char *const words[] = {"hidden", "chance", "simultaneous"};
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (traits & 1u << i)
            json_array_append_new(list, json_string(words[i]));
    return list;
}

static json_t *viewer_json(int viewer)
{
    if (viewer == AUDIENCE_REFEREE)
        return json_string("all");
    return viewer == AUDIENCE_PUBLIC ? json_string("public")
                                     : json_integer(viewer + 1);
}

static json_t *facts_json(const struct game *game, const struct state *state)
{
    struct buf out;
    json_t *object;

    buf_init(&out, REFEREE_VIEW_MAX);
    if (game->facts)
        game->facts(state, &out);
    object = pairs_json(out.text);
    buf_release(&out);
    return object;
}

json_t *steps_head(const struct steps *steps)
{
    const struct record *record = &steps->replay.record;
    const struct game *game = record->game;
    json_t *head = json_object();

    json_object_set_new(head, "format", json_integer(1));
    json_object_set_new(head, "audience", viewer_json(steps->viewer));
    json_object_set_new(head, "game", json_string(game->name));
    json_object_set_new(head, "title", json_string(game->title));
    json_object_set_new(head, "seats", json_integer(record->setup.seats));
    json_object_set_new(head, "traits", traits_json(game->traits));
    json_object_set_new(head, "options", options_json(record));
    json_object_set_new(head, "about",
                        copied_pairs_json(record->about ? record->about : ""));
    json_object_set_new(head, "players", players_json(record));
    if (record->commit)
        json_object_set_new(head, "commit", json_string(record->commit));
    json_object_set_new(head, "facts", facts_json(game, steps->replay.state));
    return head;
}

/* The end. */

const char *replay_status_word(const struct replay *replay)
{
    switch (replay->status) {
    case REPLAY_HALFWAY:
    case REPLAY_UNFINISHED:
        return "unfinished";
    case REPLAY_VOID:
        return "void";
    default:
        return "valid";
    }
}

json_t *result_json(const struct replay *r)
{
    json_t *left;
    char seat[12];

    if (!replay_over(r))
        return json_null();
    left = json_object();
    for (int i = 0; i < r->record.setup.seats; i++)
        if (r->why[i]) {
            snprintf(seat, sizeof seat, "%d", i + 1);
            json_object_set_new(left, seat, json_string(r->why[i]));
        }
    return json_pack("{s:o, s:o, s:s, s:o, s:s*}", "ranks",
                     numbers_json(r->result.rank, r->record.setup.seats),
                     "scores",
                     numbers_json(r->result.score, r->record.setup.seats),
                     "reason", r->result.reason, "left", left, "goal",
                     game_goal(r->record.game, &r->record.setup, &r->result));
}

json_t *steps_end(const struct steps *steps)
{
    const struct replay *r = &steps->replay;
    json_t *end = json_object();

    json_object_set_new(end, "status", json_string(replay_status_word(r)));
    json_object_set_new(end, "moves", json_integer(r->moves));
    json_object_set_new(end, "closed", json_boolean(r->record.has_hash));
    json_object_set_new(end, "result", result_json(r));
    asides_json(&steps->asides, steps->viewer, end);
    /* The seed reveals the deal, and the hash covers everything. */
    if (steps->viewer != AUDIENCE_REFEREE)
        return end;
    if (r->seed)
        json_object_set_new(end, "seed", json_string(r->seed));
    if (r->record.has_hash)
        json_object_set_new(end, "hash", json_string(r->record.hash));
    return end;
}

/* Reading a record. */

void steps_init(struct steps *steps, int viewer)
{
    *steps = (struct steps){.viewer = viewer};
    replay_init(&steps->replay);
    lines_init(&steps->events, ASIDES_MAX);
    lines_init(&steps->asides, ASIDES_MAX);
}

void steps_release(struct steps *steps)
{
    replay_release(&steps->replay);
    lines_release(&steps->events);
    lines_release(&steps->asides);
}

static bool seat_exists(const struct steps *steps, const char *name,
                        struct err *err)
{
    int seats = steps->replay.record.setup.seats;

    if (steps->viewer < seats)
        return true;
    if (seats == 1)
        return fail(err, "%s has seat 1 only, no seat %d", name,
                    steps->viewer + 1);
    return fail(err, "%s has seats 1 to %d, no seat %d", name, seats,
                steps->viewer + 1);
}

bool steps_open(struct steps *steps, const char *name, int lines_before,
                char *text, size_t len, struct err *err)
{
    lines_reset(&steps->events);
    lines_reset(&steps->asides);
    steps->number = 0;
    replay_collect(&steps->replay, &steps->asides);
    return replay_open_after(&steps->replay, name, lines_before, text, len,
                             err) &&
           seat_exists(steps, name, err);
}

/* Read to the end of the step, with everything that it told. */
static bool play_step(struct steps *steps, struct err *err)
{
    struct replay *r = &steps->replay;
    int before = r->steps;

    do {
        int one = r->steps;

        if (!replay_next(r, err))
            return false;
        if (r->steps > one)
            lines_append(&steps->events, &r->events);
    } while (r->status == REPLAY_HALFWAY && (r->in_step || r->steps == before));
    return true;
}

/* Forget the events; this many asides belonged to the step. */
static void end_step(struct steps *steps, size_t count)
{
    steps->number++;
    lines_reset(&steps->events);
    lines_drop(&steps->asides, count);
}

static json_t *this_step(struct steps *steps)
{
    const struct replay *r = &steps->replay;
    struct step step = {.game = r->record.game,
                        .state = r->state,
                        .seats = r->record.setup.seats,
                        .number = steps->number,
                        .moves = r->moves,
                        .events = &steps->events,
                        .asides = &steps->asides,
                        .asides_end = replay_asides(r)};
    json_t *json = step_json(&step, steps->viewer);

    end_step(steps, step.asides_end);
    return json;
}

/* Go to the next step, if there is one. */
static bool advance(struct steps *steps, bool *is_there, struct err *err)
{
    struct replay *r = &steps->replay;
    int before = r->steps;

    *is_there = steps->number == 0;
    if (steps->number == 0)
        lines_append(&steps->events, &r->events);
    else if (r->status == REPLAY_HALFWAY) {
        if (!play_step(steps, err))
            return false;
        *is_there = r->steps > before;
    }
    return true;
}

bool steps_next(struct steps *steps, json_t **step, struct err *err)
{
    bool is_there;

    *step = NULL;
    while (advance(steps, &is_there, err)) {
        if (!is_there)
            return true;
        if (steps->number >= steps->from) {
            *step = this_step(steps);
            return true;
        }
        end_step(steps, replay_asides(&steps->replay));
    }
    return false;
}

bool steps_read(struct steps *steps, const char *name, int lines_before,
                char *text, size_t len, json_t **document, struct err *err)
{
    json_t *list, *step;
    bool ok;

    if (!steps_open(steps, name, lines_before, text, len, err))
        return false;
    *document = json_object();
    list = json_array();
    json_object_set_new(*document, "head", steps_head(steps));
    json_object_set_new(*document, "steps", list);
    while ((ok = steps_next(steps, &step, err)) && step)
        json_array_append_new(list, step);
    if (!ok) {
        json_decref(*document);
        *document = NULL;
        return false;
    }
    json_object_set_new(*document, "end", steps_end(steps));
    return true;
}
