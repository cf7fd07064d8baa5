/* referee status - show a daemon's status to people. */

#include "base/alloc.h"
#include "base/paint.h"
#include "cmd/lib/control_client.h"
#include "cmd/lib/term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS_MAX = 20 };

static struct control_args args;
static bool with_games, all_names;

enum { NAMES_SHOWN = 5, CONNECTIONS_SHOWN = 20 };

/* A missing member counts as 0 or "": an older daemon may not send it. */

static long long number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static const char *or_dash(const char *value)
{
    return *value ? value : "-";
}

static const char *plural(long long n)
{
    return n == 1 ? "" : "s";
}

static void add_duration(struct buf *out, long long s)
{
    if (s >= 86400)
        buf_add(out, "%lld d %lld h", s / 86400, s / 3600 % 24);
    else if (s >= 3600)
        buf_add(out, "%lld h %lld min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        buf_add(out, "%lld min %lld s", s / 60, s % 60);
    else
        buf_add(out, "%lld s", s);
}

/* How many are shown; showing one more takes no more room. */
static size_t shown_of(size_t count, size_t max)
{
    return all_names || count <= max + 1 ? count : max;
}

static void add_names(struct buf *out, const json_t *names)
{
    size_t count = json_array_size(names);
    size_t shown = shown_of(count, NAMES_SHOWN);

    for (size_t i = 0; i < shown; i++) {
        const char *name = json_string_value(json_array_get(names, i));

        buf_add(out, "%s%s", i > 0 ? ", " : "", name ? name : "?");
    }
    if (shown < count)
        buf_add(out, " and %zu more", count - shown);
    if (count == 0)
        buf_char(out, '-');
}

static void add_some(struct buf *out, const char *what, const json_t *names)
{
    if (json_array_size(names) == 0)
        return;
    buf_add(out, " (%s: ", what);
    add_names(out, names);
    buf_char(out, ')');
}

static void add_state(struct buf *out, const char *state, bool colour)
{
    bool runs = strcmp(state, "running") == 0;

    painted(out, colour, runs ? PAINT_GREEN : PAINT_YELLOW, or_dash(state));
}

static void add_head(const json_t *status, bool colour, struct buf *out)
{
    const json_t *games = json_object_get(status, "games");
    long long moves = number(status, "moves");

    add_state(out, text(status, "state"), colour);
    if (*text(status, "trouble"))
        buf_add(out, ": %s", text(status, "trouble"));
    buf_str(out, ", up ");
    add_duration(out, number(status, "uptime_s"));
    buf_add(out, "\ngames: %lld running, %lld done, %lld void; %lld move%s\n",
            number(games, "running"), number(games, "done"),
            number(games, "void"), moves, plural(moves));
    if (*text(status, "walls"))
        buf_add(out, "%s\n", text(status, "walls"));
    if (number(games, "closing") > 0)
        buf_add(out, "not in the index yet: %lld\n", number(games, "closing"));
}

static void add_ladders(const json_t *ladders, bool colour, struct buf *out)
{
    size_t count = json_array_size(ladders);

    if (count == 0)
        return;
    buf_char(out, '\n');
    paint(out, colour, PAINT_BOLD);
    buf_add(out, "%-20s %-14s %5s %7s %7s  %s", "ladder", "game", "seats",
            "running", "done", "waiting");
    paint(out, colour, PAINT_PLAIN);
    buf_char(out, '\n');
    for (size_t i = 0; i < count; i++) {
        const json_t *ladder = json_array_get(ladders, i);

        buf_add(out, "%-20s %-14s %5lld %7lld %7lld  ", text(ladder, "name"),
                text(ladder, "game"), number(ladder, "seats"),
                number(ladder, "running"), number(ladder, "done"));
        add_names(out, json_object_get(ladder, "waiting"));
        add_some(out, "rests", json_object_get(ladder, "resting"));
        add_some(out, "does not play this",
                 json_object_get(ladder, "refusing"));
        if (json_is_true(json_object_get(ladder, "exhausted")))
            buf_str(out, " (used up)");
        buf_char(out, '\n');
    }
}

static int by_name(const void *a, const void *b)
{
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    int order = strcmp(text(x, "name"), text(y, "name"));

    return order ? order : strcmp(text(x, "address"), text(y, "address"));
}

static const json_t **sorted(const json_t *array)
{
    size_t count = json_array_size(array);
    const json_t **list = must_alloc(calloc(count, sizeof *list));

    for (size_t i = 0; i < count; i++)
        list[i] = json_array_get(array, i);
    qsort(list, count, sizeof *list, by_name);
    return list;
}

static void add_connection(const json_t *connection, struct buf *out)
{
    long long rtt = number(connection, "rtt_us");
    char trip[32] = "-";

    if (rtt > 0)
        snprintf(trip, sizeof trip, "%lld.%lld ms", rtt / 1000, rtt / 100 % 10);
    buf_add(out, "%-20s %-8s %-5s %10s %7lld  %s\n",
            or_dash(text(connection, "name")), text(connection, "state"),
            text(connection, "kind"), trip, number(connection, "games"),
            or_dash(text(connection, "address")));
}

static void add_connections(const json_t *connections, bool colour,
                            struct buf *out)
{
    size_t count = json_array_size(connections);
    const json_t **list;

    if (count == 0) {
        buf_str(out, "\nno connections\n");
        return;
    }
    list = sorted(connections);
    buf_char(out, '\n');
    paint(out, colour, PAINT_BOLD);
    buf_add(out, "%-20s %-8s %-5s %10s %7s  %s", "connection", "state", "kind",
            "round trip", "games", "from");
    paint(out, colour, PAINT_PLAIN);
    buf_char(out, '\n');
    for (size_t i = 0; i < shown_of(count, CONNECTIONS_SHOWN); i++)
        add_connection(list[i], out);
    if (shown_of(count, CONNECTIONS_SHOWN) < count)
        buf_add(out, "and %zu more; --all lists them\n",
                count - shown_of(count, CONNECTIONS_SHOWN));
    free(list);
}

/* Each name once, because a bot may have several connections. */
static void add_reasons(const json_t *connections, struct buf *out)
{
    const json_t **list = sorted(connections);
    const char *last = "", *before = "\n";

    for (size_t i = 0, told = 0; i < json_array_size(connections); i++) {
        const char *name = text(list[i], "name");

        if (!*text(list[i], "why") || strcmp(name, last) == 0)
            continue;
        last = name;
        if (told++ == REASONS_MAX) {
            buf_str(out, "...\n");
            break;
        }
        buf_add(out, "%s%s %s\n", before, name, text(list[i], "why"));
        before = "";
    }
    free(list);
}

/* Blocked after too many failed logins. */
static void add_refused(const json_t *refused, struct buf *out)
{
    for (size_t i = 0; i < json_array_size(refused); i++) {
        const json_t *who = json_array_get(refused, i);

        buf_add(out, "%slocked out for %lld s after wrong logins: %s%s%s\n",
                i == 0 ? "\n" : "", number(who, "seconds"), text(who, "name"),
                *text(who, "name") ? " from " : "everybody from ",
                text(who, "from"));
    }
}

static void add_handins(const json_t *handins, struct buf *out)
{
    if (!json_is_object(handins))
        return;
    buf_add(out,
            "\n"
            "hand-ins: %lld waiting, %lld in progress; %lld accepted, %lld "
            "refused, %lld without a verdict since the start\n",
            number(handins, "waiting"), number(handins, "running"),
            number(handins, "accepted"), number(handins, "refused"),
            number(handins, "failed"));
}

static void show_status(const json_t *status, struct buf *out)
{
    bool colour = term_colours(stdout);

    add_head(status, colour, out);
    add_ladders(json_object_get(status, "ladders"), colour, out);
    add_connections(json_object_get(status, "connections"), colour, out);
    add_reasons(json_object_get(status, "connections"), out);
    add_refused(json_object_get(status, "refused"), out);
    add_handins(json_object_get(status, "handins"), out);
}

static void show_games(const json_t *answer, struct buf *out)
{
    const json_t *games = json_object_get(answer, "games");
    size_t count = json_array_size(games);

    if (count == 0)
        buf_str(out, "no games\n");
    for (size_t i = 0; i < count; i++) {
        const json_t *game = json_array_get(games, i);
        long long moves = number(game, "moves");

        buf_add(out, "%s: %s in %s, %lld move%s in ", text(game, "id"),
                text(game, "game"), text(game, "ladder"), moves, plural(moves));
        add_duration(out, number(game, "age_s"));
        buf_str(out, ": ");
        add_names(out, json_object_get(game, "bots"));
        buf_char(out, '\n');
    }
}

static int run(int argc, char **argv)
{
    if (with_games && argc == 0)
        return control_call(&args, "games", NULL, show_games);
    return control_alone(&args, "status", argc, argv, show_status);
}

static const struct opt opts[] = {
    {"games", NULL, "list the running games", OPT_FLAG, &with_games, 0, 0},
    {"all", NULL, "show all names and connections", OPT_FLAG, &all_names, 0, 0},
    ORDER_OPTS(args),
    {0},
};

const struct subcommand cmd_status = {
    .name = "status",
    .args = ORDER_USE " [--games] [--all]",
    .about = "show what a running server is doing",
    .more = "Shows how long the server has been running, its games, its "
            "ladders\n"
            "with the bots that are waiting, and the connections. A bot rests\n"
            "after failing in four games in a row or more. A ladder is "
            "exhausted\n"
            "when all bots present have met as often as max-games-per-pair\n"
            "allows. Exit code 1 if the server does not answer.",
    .opts = opts,
    .run = run,
};
