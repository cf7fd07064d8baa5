#include "cmd/ladder/view.h"
#include "cmd/lib/pages.h"

#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>%s</title>\n<style>\n"
    "body { font: 16px/1.4 sans-serif; margin: 2em auto; max-width: 60em;\n"
    "  padding: 0 1em; color: #222; background: #fff; }\n"
    "table { border-collapse: collapse; margin: 1em 0; }\n"
    "th, td { padding: .2em .7em; text-align: right; }\n"
    "th { border-bottom: 2px solid #888; }\n"
    "td { border-bottom: 1px solid #ddd; white-space: nowrap; }\n"
    "th.t, td.t { text-align: left; }\n"
    "td.seats { white-space: normal; }\n"
    "tr.old { color: #888; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  body { color: #ddd; background: #181818; }\n"
    "  td { border-color: #333; } }\n"
    "</style>\n</head>\n<body>\n<h1>%s</h1>\n";

static void text_cell(struct buf *out, const char *text)
{
    buf_str(out, "<td class=\"t\">");
    html_text(out, text);
    buf_str(out, "</td>");
}

static void int_cell(struct buf *out, const json_t *row, const char *key)
{
    if (view_has(row, key))
        buf_add(out, "<td>%lld</td>", view_int(row, key));
    else
        buf_str(out, "<td></td>");
}

static void real_cell(struct buf *out, bool is_there, int places, double value)
{
    if (is_there)
        buf_add(out, "<td>%.*f</td>", places, value);
    else
        buf_str(out, "<td></td>");
}

/* Names with a '<' before them are texts, the others are numbers. */
static void begin_table(struct buf *out, const char *const *names)
{
    buf_str(out, "<table>\n<tr>");
    for (; *names; names++)
        if (**names == '<')
            buf_add(out, "<th class=\"t\">%s</th>", *names + 1);
        else
            buf_add(out, "<th>%s</th>", *names);
    buf_str(out, "</tr>\n");
}

static void add_standing(struct buf *out, const json_t *row)
{
    bool rated = view_has(row, "elo");
    char version[65];

    view_version(view_text(row, "version"), version, sizeof version);
    buf_add(out, "<tr%s>", view_is(row, "current") ? "" : " class=\"old\"");
    int_cell(out, row, "place");
    text_cell(out, view_text(row, "bot"));
    buf_str(out, "<td class=\"t\" title=\"");
    html_text(out, view_text(row, "version"));
    buf_str(out, "\">");
    html_text(out, version);
    buf_str(out, "</td>");
    real_cell(out, rated, 0, view_real(row, "elo"));
    real_cell(out, rated, 0,
              (view_real(row, "high") - view_real(row, "low")) / 2);
    int_cell(out, row, "games");
    real_cell(out, true, 1, 100 * view_real(row, "win_share"));
    real_cell(out, true, 2, view_real(row, "mean_rank"));
    real_cell(out, true, 2, view_real(row, "mean_score"));
    int_cell(out, row, "forfeits");
    buf_str(out, "</tr>\n");
}

static void add_standings(struct buf *out, const json_t *rows)
{
    static const char *const names[] = {
        "",       "<bot",      "<version",   "rating",   "&plusmn;", "games",
        "wins %", "mean rank", "mean score", "forfeits", NULL};

    begin_table(out, names);
    for (size_t i = 0; i < json_array_size(rows); i++)
        add_standing(out, json_array_get(rows, i));
    buf_str(out, "</table>\n");
}

static void add_game_count(struct buf *out, long long games)
{
    buf_add(out, games == 1 ? "%lld game" : "%lld games", games);
}

static void add_rating(struct buf *out, const json_t *ladder)
{
    const json_t *rating = json_object_get(ladder, "rating");
    const char *anchor = view_text(rating, "anchor");

    buf_add(out, "<p>%s, ", view_text(ladder, "game"));
    add_game_count(out, view_int(ladder, "games"));
    buf_add(out, ", %lld void. ", view_int(ladder, "void"));
    if (!json_is_object(rating)) {
        buf_str(out, "No ratings yet.</p>\n");
        return;
    }
    buf_str(out, "Ratings of ");
    add_game_count(out, view_int(rating, "games"));
    buf_str(out, " with 95 % intervals; ");
    if (anchor[0]) {
        html_text(out, anchor);
        buf_add(out, " has %g.", view_real(rating, "anchor_elo"));
    } else {
        buf_str(out, "their mean is 0.");
    }
    if (view_int(rating, "groups") > 1)
        buf_add(out,
                " %lld groups of bots never met each other: compare ratings "
                "only within a group.",
                view_int(rating, "groups"));
    buf_str(out, "</p>\n");
}

/* One bot. */

static void add_opponents(struct buf *out, const json_t *rows)
{
    static const char *const names[] = {"<against", "games",   "wins", "ties",
                                        "losses",   "score %", NULL};

    begin_table(out, names);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        buf_str(out, "<tr>");
        text_cell(out, view_text(row, "bot"));
        int_cell(out, row, "games");
        int_cell(out, row, "wins");
        int_cell(out, row, "ties");
        int_cell(out, row, "losses");
        real_cell(out, true, 1, 100 * view_real(row, "score"));
        buf_str(out, "</tr>\n");
    }
    buf_str(out, "</table>\n");
}

/* "1. anna, 2. bob (time)" */
static void add_seats(struct buf *out, const json_t *seats)
{
    buf_str(out, "<td class=\"t seats\">");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const json_t *seat = json_array_get(seats, i);

        buf_str(out, i > 0 ? ", " : "");
        if (view_has(seat, "rank"))
            buf_add(out, "%lld. ", view_int(seat, "rank"));
        html_text(out, view_text(seat, "bot"));
        if (view_has(seat, "left")) {
            buf_str(out, " (");
            html_text(out, view_text(seat, "left"));
            buf_char(out, ')');
        }
    }
    buf_str(out, "</td>");
}

static void add_games(struct buf *out, const json_t *games, const char *replays)
{
    static const char *const names[] = {"<start", "<game", "moves",
                                        "<seats", "<end",  NULL};

    begin_table(out, names);
    for (size_t i = 0; i < json_array_size(games); i++) {
        const json_t *game = json_array_get(games, i);

        buf_str(out, "<tr>");
        text_cell(out, view_text(game, "start"));
        buf_str(out, "<td class=\"t\">");
        pages_link(out, replays, view_text(game, "id"));
        buf_str(out, "</td>");
        int_cell(out, game, "moves");
        add_seats(out, json_object_get(game, "seats"));
        text_cell(out,
                  view_is(game, "void") ? "void" : view_text(game, "reason"));
        buf_str(out, "</tr>\n");
    }
    buf_str(out, "</table>\n");
}

void bots_as_html(const json_t *bots, const char *replays, struct buf *out)
{
    buf_add(out, head, "Bot", "Bot");
    for (size_t i = 0; i < json_array_size(bots); i++) {
        const json_t *bot = json_array_get(bots, i);

        buf_str(out, "<h2>");
        html_text(out, view_text(bot, "bot"));
        buf_str(out, " on ");
        html_text(out, view_text(bot, "ladder"));
        buf_str(out, "</h2>\n");
        add_standings(out, json_object_get(bot, "standings"));
        add_opponents(out, json_object_get(bot, "opponents"));
        add_games(out, json_object_get(bot, "played"), replays);
    }
    buf_str(out, "</body>\n</html>\n");
}

void ladders_as_html(const json_t *ladders, const char *replays,
                     struct buf *out)
{
    buf_add(out, head, "Ladders", "Ladders");
    for (size_t i = 0; i < json_array_size(ladders); i++) {
        const json_t *ladder = json_array_get(ladders, i);

        buf_str(out, "<h2>");
        html_text(out, view_text(ladder, "ladder"));
        buf_str(out, "</h2>\n");
        add_rating(out, ladder);
        add_standings(out, json_object_get(ladder, "standings"));
        if (view_has(ladder, "played"))
            add_games(out, json_object_get(ladder, "played"), replays);
    }
    buf_str(out, "</body>\n</html>\n");
}
