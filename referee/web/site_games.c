/* Lists of games, and the page of one. */

#include "web/site_games.h"

#include "web/pieces.h"
#include "web/site.h"

#include <stdio.h>
#include <string.h>

enum { GRID_GAMES = 64 };

/* Who plays. */

static void add_outcome(struct buf *out, const json_t *seat)
{
    if (has_at(seat, "score"))
        buf_add(out, " <span class=\"soft\">%lld</span>",
                int_at(seat, "score"));
    if (has_at(seat, "left")) {
        buf_str(out, " <span class=\"bad\">");
        html_text(out, text_at(seat, "left"));
        buf_str(out, "</span>");
    }
}

static void add_seats(struct buf *out, const json_t *game)
{
    const json_t *seat;
    size_t i;

    json_array_foreach(list_at(game, "seats"), i, seat)
    {
        bool won = int_at(seat, "rank") == 1 && !is_true_at(game, "void");

        buf_add(out, "<span class=\"sits\"><i>%zu</i> %s", i + 1,
                won ? "<strong>" : "");
        add_link(out, "bot", text_at(seat, "bot"));
        add_outcome(out, seat);
        buf_add(out, "%s</span>%s", won ? "</strong>" : "",
                i + 1 < json_array_size(list_at(game, "seats")) ? " " : "");
    }
}

/* The end of an id tells apart games that began in the same minute. */
static void add_game_link(struct buf *out, const json_t *game)
{
    const char *id = text_at(game, "id"), *start = text_at(game, "start");
    size_t len = strlen(id);

    buf_str(out, "<a href=\"/game/");
    add_path(out, id);
    buf_str(out, "\" title=\"");
    html_text(out, id);
    buf_str(out, "\">");
    if (strlen(start) >= 16)
        add_time(out, start);
    else
        html_text(out, id);
    buf_str(out, "</a> <span class=\"soft w\">");
    html_text(out, len > 8 ? id + len - 8 : "");
    buf_str(out, "</span>");
}

static void game_row(struct buf *out, const json_t *game)
{
    buf_str(out, "<tr role=\"row\"><td role=\"cell\" class=\"t\">");
    add_game_link(out, game);
    buf_str(out, "</td><td role=\"cell\" class=\"t\">");
    add_link(out, "ladder", text_at(game, "ladder"));
    buf_str(out, "</td><td role=\"cell\" class=\"t whole\">");
    add_seats(out, game);
    buf_add(out, "</td><td role=\"cell\" data-l=\"moves\">%lld</td>",
            int_at(game, "moves"));
    buf_str(out, "<td role=\"cell\" class=\"t\">");
    html_text(out, is_true_at(game, "void") ? "void" : text_at(game, "reason"));
    buf_str(out, "</td></tr>\n");
}

void games_table(struct buf *out, const json_t *games)
{
    static const char *const columns[] = {"<Game", "<Ladder", "<Seats",
                                          "Moves", "<End",    NULL};
    const json_t *game;
    size_t i;

    if (json_array_size(games) == 0) {
        buf_str(out, "<p class=\"card soft\">No games.</p>\n");
        return;
    }
    table_open(out, "Games", "stack", columns);
    json_array_foreach(games, i, game) game_row(out, game);
    table_close(out);
}

/* Running games. */

static void running_row(struct buf *out, const json_t *game)
{
    const json_t *bot;
    size_t i;

    buf_str(out, "<li>");
    add_link(out, "game", text_at(game, "id"));
    buf_str(out, " ");
    html_text(out, text_at(game, "ladder"));
    buf_str(out, ": ");
    json_array_foreach(list_at(game, "bots"), i, bot)
    {
        buf_str(out, i ? ", " : "");
        html_text(out, json_string_value(bot));
    }
    buf_add(out, ", %lld moves</li>\n", int_at(game, "moves"));
}

void running_games(struct buf *out, const json_t *running, int most)
{
    const json_t *game;
    size_t i;

    buf_add(out,
            "<div id=\"live\" class=\"grid\" data-stream=\"/api/live\" "
            "data-most=\"%d\"></div>\n<noscript><ul>\n",
            most);
    json_array_foreach(list_at(running, "games"), i, game)
        running_row(out, game);
    buf_str(out, "</ul></noscript>\n");
}

void site_live(struct buf *out, const struct site *site, const json_t *running)
{
    frame_begin(out, site, "Live", "/live");
    add_heading(out, "Live", "");
    running_games(out, running, GRID_GAMES);
    frame_end(out);
}

/* The filter. */

static void add_field(struct buf *out, const char *name, const char *label,
                      const char *value)
{
    buf_add(out, "<label>%s <input name=\"%s\" value=\"", label, name);
    html_text(out, value);
    buf_str(out, "\" autocomplete=\"off\" spellcheck=\"false\"></label>\n");
}

static void add_option(struct buf *out, const char *value, const char *text,
                       const char *chosen)
{
    buf_str(out, "<option value=\"");
    html_text(out, value);
    buf_add(out, "\"%s>", strcmp(value, chosen) == 0 ? " selected" : "");
    html_text(out, text);
    buf_str(out, "</option>");
}

struct choice {
    const char *value, *text;
};

/* The last choice has no value. */
static void add_choices(struct buf *out, const char *name, const char *label,
                        const struct choice *choices, const char *chosen)
{
    buf_add(out, "<label>%s <select name=\"%s\">", label, name);
    for (; choices->value; choices++)
        add_option(out, choices->value, choices->text, chosen);
    buf_str(out, "</select></label>\n");
}

static const struct choice results[] = {{"", "any"},      {"won", "won"},
                                        {"tied", "tied"}, {"lost", "lost"},
                                        {"void", "void"}, {NULL, NULL}};
static const struct choice faults[] = {
    {"", "any or none"},      {"any", "some fault"},
    {"time", "time"},         {"illegal", "illegal moves"},
    {"exit", "exit"},         {"protocol", "protocol"},
    {"flood", "flood"},       {"input", "does not read"},
    {"start", "not started"}, {"refuse", "refuses the game"},
    {"resign", "resigned"},   {NULL, NULL}};
static const struct choice seats[] = {{"", "any"}, {"1", "1"},  {"2", "2"},
                                      {"3", "3"},  {"4", "4"},  {"5", "5"},
                                      {"6", "6"},  {NULL, NULL}};

static void add_ladders(struct buf *out, const json_t *ladders,
                        const char *chosen)
{
    const json_t *ladder;
    size_t i;

    buf_str(out, "<label>Ladder <select name=\"ladder\">");
    add_option(out, "", "all", chosen);
    json_array_foreach(ladders, i, ladder) add_option(
        out, text_at(ladder, "ladder"), text_at(ladder, "ladder"), chosen);
    buf_str(out, "</select></label>\n");
}

static void add_filter(struct buf *out, const json_t *ladders,
                       const struct site_filter *filter)
{
    buf_str(out, "<form class=\"card filter\" action=\"/games\" "
                 "role=\"search\" aria-label=\"Games\">\n");
    add_ladders(out, ladders, filter->ladder);
    add_field(out, "bot", "Bot", filter->bot);
    add_field(out, "opponent", "Opponent", filter->opponent);
    add_choices(out, "seat", "Seat", seats, filter->seat);
    add_choices(out, "result", "Result", results, filter->result);
    add_choices(out, "fault", "Fault", faults, filter->fault);
    buf_str(out, "<span class=\"line\"><button class=\"send\">Show</button> "
                 "<a href=\"/games\">Clear</a></span></form>\n");
}

static void add_older(struct buf *out, const struct site_filter *f,
                      const char *next)
{
    const struct site_games_of of = {.ladder = f->ladder,
                                     .bot = f->bot,
                                     .opponent = f->opponent,
                                     .result = f->result,
                                     .fault = f->fault,
                                     .seat = *f->seat ? *f->seat - '0' : 0};

    buf_str(out, "<p class=\"line\">");
    if (*f->before) {
        buf_str(out, "<a href=\"");
        add_games_path(out, &of);
        buf_str(out, "\">Newest games</a> ");
    }
    if (*next) {
        buf_str(out, "<a rel=\"next\" href=\"");
        add_games_path(out, &of);
        buf_str(out, "&amp;before=");
        add_path(out, next);
        buf_str(out, "\">Older games</a>");
    }
    buf_str(out, "</p>\n");
}

void site_games(struct buf *out, const struct site *site, const json_t *games,
                const json_t *ladders, const struct site_filter *filter,
                const char *next, const char *why)
{
    frame_begin(out, site, "Games", "/games");
    add_heading(out, "Games", "");
    add_filter(out, ladders, filter);
    if (why) {
        buf_str(out, "<p class=\"card bad\" role=\"alert\">");
        html_text(out, why);
        buf_str(out, "</p>\n");
    } else {
        if (json_array_size(games) == 0 && *next)
            buf_str(out, "<p class=\"card soft\">None of the games that "
                         "were searched match. There are older ones.</p>\n");
        else
            games_table(out, games);
        add_older(out, filter, next);
    }
    frame_end(out);
}

/* One game. */

static void add_frame(struct buf *out, const char *id, const json_t *game)
{
    buf_str(out, "<div id=\"viewer\" data-game=\"");
    html_text(out, id);
    buf_add(out, "\" data-live=\"%d\"></div>\n<noscript>\n", game == NULL);
    if (game) {
        json_t *list = json_pack("[O]", game);

        games_table(out, list);
        json_decref(list);
    }
    buf_str(out, "<p><a href=\"/api/games/");
    add_path(out, id);
    buf_str(out, "/record\">The record as text</a></p></noscript>\n");
}

void site_game(struct buf *out, const struct site *site, const char *id,
               const json_t *game)
{
    if (game)
        frame_begin_game(out, site, id, text_at(game, "game"));
    else
        frame_begin(out, site, id, "");
    add_frame(out, id, game);
    frame_end(out);
}
