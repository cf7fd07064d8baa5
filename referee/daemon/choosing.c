/* An owner's versions: list them, withdraw one, choose another. */

#include "base/date.h"
#include "daemon/reception_state.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    SHOWN = 80,           /* versions; all of them fit into what is held */
    CHANGES_PER_DAY = 50, /* of one owner: each causes a reload */
    DAY_S = 24 * 3600,
};

static const char *text_of(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));

    return text ? text : "";
}

/* "# version AT EVENT VERSION STAGE: TEXT" */
static void tell_line(struct connection *n, const json_t *line)
{
    const char *stage = text_of(line, "stage"), *text = text_of(line, "text");
    const char *version = text_of(line, "version");

    connection_tell(n, "version", "%s %s %s%s%s%s%s", text_of(line, "at"),
                    text_of(line, "event"), *version ? version : "-",
                    *stage ? " " : "", stage, *text ? ": " : "", text);
}

static bool read_history(struct visit *v, json_t **history)
{
    const char *shelf = rules_of(v->reception)->folder;
    const char *name = v->connection->name;
    struct err err;

    if (!shelf_history(shelf, name, history, &err)) {
        visit_turn_away(v, "%s", err.text);
        return false;
    }
    if (json_array_size(*history) > 0)
        return true;
    json_decref(*history);
    visit_turn_away(v, "nothing was handed in as %s", name);
    return false;
}

static void tell_playing(struct visit *v, const char *version)
{
    struct buf ladders;

    buf_init(&ladders, 400);
    if (version)
        reception_add_ladders(v->reception, v->connection->name, version,
                              &ladders);
    connection_tell(v->connection, "plays", "%s", version ? version : "-");
    if (ladders.len > 0)
        connection_tell(v->connection, "playing", "on %s", ladders.text);
    buf_release(&ladders);
}

static void tell_versions(struct visit *v, const char *bye)
{
    json_t *history;
    size_t count;

    if (!read_history(v, &history))
        return;
    count = json_array_size(history);
    for (size_t i = count > SHOWN ? count - SHOWN : 0; i < count; i++)
        tell_line(v->connection, json_array_get(history, i));
    tell_playing(v, history_playing(history, NULL));
    json_decref(history);
    visit_turn_away(v, "%s", bye);
}

void choosing_list(struct visit *v, const char *nothing)
{
    tell_versions(v, "that is all");
}

void choosing_done(struct visit *v, bool plays)
{
    tell_versions(v, plays ? "that is all"
                           : "it counts as soon as the organiser has mended "
                             "the server's configuration");
}

static bool has_changed_often(struct visit *v)
{
    struct date date = {0};
    const char *since = date_text(&date, time(NULL) - DAY_S);
    const json_t *line;
    json_t *history;
    int changes = 0;
    size_t i;

    if (!read_history(v, &history))
        return true;
    json_array_foreach(history, i, line) changes +=
        strcmp(text_of(line, "by"), "owner") == 0 &&
        strcmp(text_of(line, "at"), since) >= 0;
    json_decref(history);
    if (changes < CHANGES_PER_DAY)
        return false;
    visit_turn_away(v,
                    "you have chosen %d times within 24 hours, which is "
                    "the limit",
                    changes);
    return true;
}

static void change(struct visit *v, enum handin_event event, const char *wish)
{
    struct reception *r = v->reception;
    const char *name = v->connection->name;
    char version[VERSION_HEX + 1];
    struct err err;

    if (has_changed_often(v))
        return;
    if (!shelf_change(rules_of(r)->folder, name, event, wish, "owner", version,
                      &err)) {
        visit_turn_away(v, "%s", err.text);
        return;
    }
    log_line(r->log, LOG_INFO, NULL, "%s has %s version %s", name,
             handin_event_word(event), version);
    v->state = VISIT_CHOOSES;
    r->calls->on_accepted(r->owner);
}

void choosing_withdraw(struct visit *v, const char *version)
{
    change(v, HANDIN_WITHDRAWN, version);
}

void choosing_choose(struct visit *v, const char *version)
{
    change(v, HANDIN_CHOSEN, version);
}
