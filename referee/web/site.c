#include "web/site.h"

#include "base/sha256.h"
#include "web/files.h"
#include "web/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_HASH = 8 }; /* hexadecimal digits of a file's hash in its address */

/* Pieces of JSON. */

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static long long int_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static double real_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool has(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value && !json_is_null(value);
}

/* Pieces of HTML. */

/* A name as a part of an address. */
static void path_part(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (strchr("-._~", *text) || (*text >= '0' && *text <= '9') ||
            (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'))
            buf_char(out, *text);
        else
            buf_add(out, "%%%02X", (unsigned char)*text);
}

static void link_to(struct buf *out, const char *folder, const char *name)
{
    buf_add(out, "<a href=\"/%s/", folder);
    path_part(out, name);
    buf_str(out, "\">");
    html_text(out, name);
    buf_str(out, "</a>");
}

void site_file_path(const char *name, struct buf *out)
{
    const struct web_file *file = web_file_find(name);
    uint8_t digest[SHA256_BYTES] = {0};

    if (file)
        sha256_of(file->text, file->len, digest);
    buf_str(out, "/web/");
    for (int i = 0; i < PATH_HASH / 2; i++)
        buf_add(out, "%02x", digest[i]);
    buf_add(out, "/%s", name);
}

static void add_script(struct buf *out, const char *name)
{
    buf_str(out, "<script defer src=\"");
    site_file_path(name, out);
    buf_str(out, "\"></script>\n");
}

static const char play_path[] = "/play";

static const struct tab {
    const char *path, *name;
} tabs[] = {
    {"/", "Ladders"},
    {"/live", "Live"},
    {"/games", "Games"},
    {"/join", "Join"},
};

static void begin(struct buf *out, const char *title, const char *here)
{
    buf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(out, title);
    buf_str(out, " \xc2\xb7 referee</title>\n<link rel=\"icon\" "
                 "href=\"data:,\">\n<link rel=\"stylesheet\" href=\"");
    site_file_path("style.css", out);
    buf_str(out, "\">\n");
    for (size_t i = 0; i < web_file_count(); i++)
        if (strstr(web_file_at(i)->name, ".js") &&
            (!web_file_is_for_play(web_file_at(i)) ||
             strcmp(here, play_path) == 0))
            add_script(out, web_file_at(i)->name);
    buf_str(out, "</head>\n<body>\n<header class=\"site\"><nav "
                 "aria-label=\"Site\"><a class=\"brand\" href=\"/\">referee"
                 "</a>\n");
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++)
        buf_add(out, "<a href=\"%s\"%s>%s</a>\n", tabs[i].path,
                strcmp(tabs[i].path, here) == 0 ? " aria-current=\"page\"" : "",
                tabs[i].name);
    buf_str(out, "<span class=\"tools\" id=\"tools\"></span></nav></header>\n"
                 "<main class=\"site\">\n");
}

static void end(struct buf *out)
{
    buf_str(out, "</main>\n</body>\n</html>\n");
}

static void heading(struct buf *out, const char *text, const char *sub)
{
    buf_str(out, "<h1>");
    html_text(out, text);
    if (sub && *sub) {
        buf_str(out, " <span class=\"sub\">");
        html_text(out, sub);
        buf_str(out, "</span>");
    }
    buf_str(out, "</h1>\n");
}

static void open_table(struct buf *out, const char *label,
                       const char *const *columns)
{
    buf_add(out,
            "<div class=\"card scroll\"><table class=\"list\" data-of=\"%s\">"
            "<caption class=\"unseen\">%s</caption><thead><tr>",
            label, label);
    for (; *columns; columns++) /* '<' before a word: its column is text */
        buf_add(out, "<th scope=\"col\"%s>%s</th>",
                **columns == '<' ? " class=\"t\"" : "",
                *columns + (**columns == '<'));
    buf_str(out, "</tr></thead><tbody>\n");
}

static void close_table(struct buf *out)
{
    buf_str(out, "</tbody></table></div>\n");
}

static void number_cell(struct buf *out, long long number)
{
    buf_add(out, "<td>%lld</td>", number);
}

/* 2026-11-16T10:00:00Z as people read it. */
static void date_cell(struct buf *out, const char *date)
{
    buf_str(out, "<td class=\"t\">");
    if (strlen(date) >= 16) {
        buf_add(out, "<time datetime=\"");
        html_text(out, date);
        buf_add(out, "\">%.10s %.5s</time>", date, date + 11);
    }
    buf_str(out, "</td>");
}

/* Games. */

static void add_seats(struct buf *out, const json_t *game)
{
    const json_t *seat;
    size_t i;

    json_array_foreach(json_object_get(game, "seats"), i, seat)
    {
        bool won = int_at(seat, "rank") == 1 &&
                   !json_is_true(json_object_get(game, "void"));

        buf_str(out, i ? ", " : "");
        buf_str(out, won ? "<strong>" : "");
        link_to(out, "bot", text_at(seat, "bot"));
        if (has(seat, "score"))
            buf_add(out, " <span class=\"soft\">%lld</span>",
                    int_at(seat, "score"));
        if (has(seat, "left")) {
            buf_str(out, " <span class=\"bad\">");
            html_text(out, text_at(seat, "left"));
            buf_str(out, "</span>");
        }
        buf_str(out, won ? "</strong>" : "");
    }
}

static void game_row(struct buf *out, const json_t *game)
{
    buf_str(out, "<tr><td class=\"t\">");
    link_to(out, "game", text_at(game, "id"));
    buf_str(out, "</td>");
    date_cell(out, text_at(game, "start"));
    buf_str(out, "<td class=\"t\">");
    link_to(out, "ladder", text_at(game, "ladder"));
    buf_str(out, "</td><td class=\"t\">");
    add_seats(out, game);
    buf_str(out, "</td>");
    number_cell(out, int_at(game, "moves"));
    buf_str(out, "<td class=\"t\">");
    html_text(out, json_is_true(json_object_get(game, "void"))
                       ? "void"
                       : text_at(game, "reason"));
    buf_str(out, "</td></tr>\n");
}

static void games_table(struct buf *out, const json_t *games)
{
    static const char *const columns[] = {
        "<Game", "<Start", "<Ladder", "<Seats", "Moves", "<End", NULL};
    const json_t *game;
    size_t i;

    if (json_array_size(games) == 0) {
        buf_str(out, "<p class=\"soft\">No games.</p>\n");
        return;
    }
    open_table(out, "Games", columns);
    json_array_foreach(games, i, game) game_row(out, game);
    close_table(out);
}

static void running_row(struct buf *out, const json_t *game)
{
    const json_t *bot;
    size_t i;

    buf_str(out, "<li>");
    link_to(out, "game", text_at(game, "id"));
    buf_str(out, " ");
    html_text(out, text_at(game, "ladder"));
    buf_str(out, ": ");
    json_array_foreach(json_object_get(game, "bots"), i, bot)
    {
        buf_str(out, i ? ", " : "");
        html_text(out, json_string_value(bot));
    }
    buf_add(out, ", %lld moves</li>\n", int_at(game, "moves"));
}

static void running_list(struct buf *out, const json_t *running)
{
    const json_t *game;
    size_t i;

    buf_str(out, "<div id=\"live\" class=\"grid\" data-stream=\"/api/live\">"
                 "</div>\n<noscript><ul>\n");
    json_array_foreach(json_object_get(running, "games"), i, game)
        running_row(out, game);
    buf_str(out, "</ul></noscript>\n");
}

/* Pages. */

static void ladder_row(struct buf *out, const json_t *ladder)
{
    buf_str(out, "<tr><td class=\"t\">");
    link_to(out, "ladder", text_at(ladder, "ladder"));
    buf_str(out, "</td><td class=\"t\">");
    link_to(out, "rules", text_at(ladder, "game"));
    buf_str(out, "</td>");
    number_cell(out, int_at(ladder, "seats"));
    buf_str(out, "<td class=\"t\">");
    html_text(out, text_at(ladder, "time"));
    buf_str(out, "</td>");
    number_cell(out, int_at(ladder, "games"));
    number_cell(out, int_at(ladder, "running"));
    date_cell(out, text_at(ladder, "last"));
    buf_str(out, "</tr>\n");
}

static void play_button(struct buf *out, const json_t *offer)
{
    if (json_array_size(json_object_get(offer, "games")) > 0)
        buf_add(out,
                "<p><a class=\"go\" href=\"%s\">Play against a bot</a>"
                "</p>\n",
                play_path);
}

void site_home(struct buf *out, const json_t *ladders, const json_t *running,
               const json_t *status, const json_t *offer)
{
    static const char *const columns[] = {"<Ladder", "<Game", "Seats",
                                          "<Time",   "Games", "Running",
                                          "<Last",   NULL};
    const json_t *ladder;
    size_t i;

    begin(out, "Ladders", "/");
    heading(out, "Ladders", "");
    play_button(out, offer);
    if (has(status, "trouble")) {
        buf_str(out, "<p class=\"card bad\">No new games start: ");
        html_text(out, text_at(status, "trouble"));
        buf_str(out, "</p>\n");
    }
    open_table(out, "Ladders", columns);
    json_array_foreach(ladders, i, ladder) ladder_row(out, ladder);
    close_table(out);
    buf_str(out, "<h2>Now playing</h2>\n");
    running_list(out, running);
    end(out);
}

void site_live(struct buf *out, const json_t *running)
{
    begin(out, "Live", "/live");
    heading(out, "Live", "");
    running_list(out, running);
    end(out);
}

/* The span of a rating, drawn on the scale of its ladder. */
struct scale {
    double low, high;
};

static struct scale scale_of(const json_t *standings)
{
    struct scale scale = {INFINITY, -INFINITY};
    const json_t *row;
    size_t i;

    json_array_foreach(standings, i, row)
    {
        if (!has(row, "elo"))
            continue;
        scale.low = fmin(scale.low, real_at(row, "low"));
        scale.high = fmax(scale.high, real_at(row, "high"));
    }
    if (scale.high - scale.low < 1)
        scale = (struct scale){scale.low - 50, scale.low + 50};
    return scale;
}

static double on_scale(const struct scale *scale, double elo)
{
    return 4 + 152 * (elo - scale->low) / (scale->high - scale->low);
}

static void interval_cell(struct buf *out, const json_t *row,
                          const struct scale *scale)
{
    double low = on_scale(scale, real_at(row, "low"));
    double high = on_scale(scale, real_at(row, "high"));

    if (!has(row, "elo")) {
        buf_str(out, "<td></td><td></td><td class=\"t\"></td>");
        return;
    }
    buf_add(out,
            "<td><strong>%.0f</strong></td><td class=\"soft\">\xc2\xb1%.0f</td>"
            "<td class=\"t\"><svg class=\"interval\" viewBox=\"0 0 160 14\" "
            "width=\"160\" height=\"14\" role=\"img\" aria-label=\"95 %% "
            "interval: %.0f to %.0f\"><line x1=\"0\" x2=\"160\" y1=\"7\" "
            "y2=\"7\" class=\"axis\"/><line x1=\"%.1f\" x2=\"%.1f\" y1=\"7\" "
            "y2=\"7\" class=\"span\"/><circle cx=\"%.1f\" cy=\"7\" r=\"4\"/>"
            "</svg></td>",
            real_at(row, "elo"),
            (real_at(row, "high") - real_at(row, "low")) / 2,
            real_at(row, "low"), real_at(row, "high"), low, high,
            on_scale(scale, real_at(row, "elo")));
}

/* A digest is long; its beginning tells versions apart. */
static void version_cell(struct buf *out, const char *version)
{
    char text[13];

    snprintf(text, sizeof text, "%s", version);
    if (strlen(version) >= 40)
        text[8] = '\0';
    buf_str(out, "</td><td class=\"t soft\" title=\"");
    html_text(out, version);
    buf_str(out, "\">");
    html_text(out, text);
    buf_str(out, "</td>");
}

static void standing_row(struct buf *out, const json_t *row,
                         const struct scale *scale)
{
    buf_str(out, "<tr>");
    if (has(row, "place"))
        number_cell(out, int_at(row, "place"));
    else
        buf_str(out, "<td></td>");
    buf_str(out, "<td class=\"t\">");
    link_to(out, "bot", text_at(row, "bot"));
    if (json_is_true(json_object_get(row, "provisional")))
        buf_str(out, " <span class=\"tag\" title=\"fewer than 20 games\">"
                     "provisional</span>");
    version_cell(out, text_at(row, "version"));
    interval_cell(out, row, scale);
    number_cell(out, int_at(row, "games"));
    buf_add(out, "<td>%.1f %%</td><td>%.2f</td>",
            100 * real_at(row, "win_share"), real_at(row, "mean_rank"));
    number_cell(out, int_at(row, "forfeits"));
    buf_str(out, "</tr>\n");
}

static void standings_table(struct buf *out, const json_t *standings)
{
    static const char *const columns[] = {
        "Place", "<Bot", "<Version",  "Rating",   "\xc2\xb1", "<95 % interval",
        "Games", "Wins", "Mean rank", "Forfeits", NULL};
    struct scale scale = scale_of(standings);
    const json_t *row;
    size_t i;

    if (json_array_size(standings) == 0) {
        buf_str(out, "<p class=\"soft\">No finished games yet.</p>\n");
        return;
    }
    open_table(out, "Standings", columns);
    json_array_foreach(standings, i, row) standing_row(out, row, &scale);
    close_table(out);
}

static const json_t *opponent(const json_t *report, const char *name)
{
    const json_t *each;
    size_t i;

    json_array_foreach(json_object_get(report, "opponents"), i,
                       each) if (strcmp(text_at(each, "bot"), name) ==
                                 0) return each;
    return NULL;
}

static void cross_cell(struct buf *out, const json_t *report,
                       const json_t *other)
{
    const json_t *against = opponent(report, text_at(other, "bot"));

    if (report == other)
        buf_str(out, "<td class=\"self\">\xc2\xb7</td>");
    else if (!against || int_at(against, "games") == 0)
        buf_str(out, "<td></td>");
    else
        buf_add(out, "<td title=\"%lld games\">%.0f %%</td>",
                int_at(against, "games"), 100 * real_at(against, "score"));
}

/* Who scores how much against whom. */
static void crosstable(struct buf *out, const json_t *bots)
{
    const json_t *row, *column;
    size_t i, j;

    if (json_array_size(bots) < 2)
        return;
    buf_str(out, "<h2>Score of row against column</h2>\n<div class=\"card "
                 "scroll\"><table class=\"list cross\"><caption "
                 "class=\"unseen\">Crosstable</caption><thead><tr><th "
                 "class=\"t\" scope=\"col\">Bot</th>");
    json_array_foreach(bots, i, row) buf_add(
        out, "<th scope=\"col\" title=\"place %zu\">%zu</th>", i + 1, i + 1);
    buf_str(out, "</tr></thead><tbody>\n");
    json_array_foreach(bots, i, row)
    {
        buf_add(out, "<tr><th class=\"t\" scope=\"row\">%zu ", i + 1);
        link_to(out, "bot", text_at(row, "bot"));
        buf_str(out, "</th>");
        json_array_foreach(bots, j, column) cross_cell(out, row, column);
        buf_str(out, "</tr>\n");
    }
    close_table(out);
}

void site_ladder(struct buf *out, const json_t *ladder, const json_t *bots,
                 const json_t *games)
{
    const char *name = text_at(ladder, "ladder");
    char sub[160];

    snprintf(sub, sizeof sub, "%.40s, %lld seats, %.60s, %lld games",
             text_at(ladder, "game"), int_at(ladder, "seats"),
             text_at(ladder, "time"), int_at(ladder, "games"));
    begin(out, name, "");
    heading(out, name, sub);
    standings_table(out, json_object_get(ladder, "standings"));
    crosstable(out, bots);
    buf_str(out, "<h2>Last games</h2>\n");
    games_table(out, games);
    buf_str(out, "<p><a href=\"/games?ladder=");
    path_part(out, name);
    buf_str(out, "\">All games of this ladder</a></p>\n");
    end(out);
}

static void opponents_table(struct buf *out, const json_t *report)
{
    static const char *const columns[] = {"<Opponent", "Games", "Wins", "Ties",
                                          "Losses",    "Score", NULL};
    const json_t *each;
    size_t i;

    open_table(out, "Opponents", columns);
    json_array_foreach(json_object_get(report, "opponents"), i, each)
    {
        buf_str(out, "<tr><td class=\"t\">");
        link_to(out, "bot", text_at(each, "bot"));
        buf_str(out, "</td>");
        number_cell(out, int_at(each, "games"));
        number_cell(out, int_at(each, "wins"));
        number_cell(out, int_at(each, "ties"));
        number_cell(out, int_at(each, "losses"));
        buf_add(out, "<td>%.0f %%</td></tr>\n", 100 * real_at(each, "score"));
    }
    close_table(out);
}

void site_bot(struct buf *out, const char *name, const json_t *reports,
              const char *state)
{
    const json_t *report;
    size_t i;

    begin(out, name, "");
    heading(out, name, "");
    buf_str(out, "<p class=\"card\">");
    html_text(out, state);
    buf_str(out, "</p>\n");
    json_array_foreach(reports, i, report)
    {
        buf_str(out, "<h2>On ");
        link_to(out, "ladder", text_at(report, "ladder"));
        buf_str(out, "</h2>\n");
        standings_table(out, json_object_get(report, "standings"));
        buf_str(out, "<h3>Opponents</h3>\n");
        opponents_table(out, report);
        buf_str(out, "<h3>Last games</h3>\n");
        games_table(out, json_object_get(report, "played"));
    }
    end(out);
}

static void field(struct buf *out, const char *name, const char *label,
                  const char *value)
{
    buf_add(out, "<label>%s <input name=\"%s\" value=\"", label, name);
    html_text(out, value);
    buf_str(out, "\"></label>\n");
}

void site_games(struct buf *out, const json_t *games,
                const struct site_filter *filter)
{
    size_t count = json_array_size(games);

    begin(out, "Games", "/games");
    heading(out, "Games", "");
    buf_str(out, "<form class=\"filter\" action=\"/games\">");
    field(out, "ladder", "Ladder", filter->ladder);
    field(out, "bot", "Bot", filter->bot);
    buf_str(out, "<button>Filter</button></form>\n");
    games_table(out, games);
    if (count > 0 && filter->ladder[0]) {
        buf_str(out, "<p><a href=\"/games?ladder=");
        path_part(out, filter->ladder);
        buf_str(out, "&amp;bot=");
        path_part(out, filter->bot);
        buf_str(out, "&amp;before=");
        path_part(out, text_at(json_array_get(games, count - 1), "id"));
        buf_str(out, "\">Older games</a></p>\n");
    }
    end(out);
}

void site_game(struct buf *out, const char *id, const json_t *game)
{
    begin(out, id, "");
    buf_str(out, "<div id=\"viewer\" data-game=\"");
    html_text(out, id);
    buf_add(out, "\" data-live=\"%d\"></div>\n<noscript>\n", game == NULL);
    if (game) {
        json_t *list = json_pack("[O]", game);

        games_table(out, list);
        json_decref(list);
    }
    buf_str(out, "<p><a href=\"/api/games/");
    path_part(out, id);
    buf_str(out, "/record\">The record as text</a></p></noscript>\n");
    end(out);
}

/* People at tables. */

static void play_choice(struct buf *out, const json_t *game, bool checked)
{
    buf_str(out, "<label class=\"card pick\"><input type=\"radio\" "
                 "name=\"game\" value=\"");
    html_text(out, text_at(game, "game"));
    buf_str(out, checked ? "\" checked>" : "\">");
    buf_str(out, "<span><strong>");
    html_text(out, text_at(game, "title"));
    buf_str(out, "</strong><br><span class=\"soft\">");
    html_text(out, text_at(game, "about"));
    buf_str(out, "</span></span></label>\n");
}

static void play_bots(struct buf *out, const json_t *bots)
{
    const json_t *bot;
    size_t i;

    buf_str(out, "<label>Against <select name=\"bot\">");
    json_array_foreach(bots, i, bot)
    {
        buf_str(out, i == 1 ? "<option selected>" : "<option>");
        html_text(out, json_string_value(bot));
        buf_str(out, "</option>");
    }
    buf_str(out, "</select></label>\n");
}

void site_play(struct buf *out, const json_t *offer)
{
    const json_t *games = json_object_get(offer, "games"), *game;
    size_t i;

    begin(out, "Play", play_path);
    heading(out, "Play against a bot", "");
    buf_str(out, "<div id=\"seats\" class=\"card\" hidden></div>\n"
                 "<form id=\"sit\" method=\"post\" action=\"/play\">\n"
                 "<div class=\"grid picks\" role=\"radiogroup\" "
                 "aria-label=\"Game\">\n");
    json_array_foreach(games, i, game) play_choice(out, game, i == 0);
    buf_str(out, "</div>\n<div class=\"card line\">");
    play_bots(out, json_object_get(offer, "bots"));
    buf_str(out, "<label>You move <select name=\"seat\"><option value=\"1\">"
                 "first</option><option value=\"2\">second</option>"
                 "<option value=\"0\">first or second</option></select>"
                 "</label>\n<button class=\"send\">Sit down</button></div>\n"
                 "<p class=\"bad\" role=\"alert\"></p>\n</form>\n"
                 "<p class=\"soft\">Time: ");
    html_text(out, text_at(json_array_get(games, 0), "time"));
    buf_add(out,
            ". %lld of %lld tables are taken. These games "
            "are not rated; everyone can watch and replay them.</p>\n"
            "<noscript><p>To play here, your browser must run scripts."
            "</p></noscript>\n",
            int_at(offer, "taken"), int_at(offer, "tables"));
    end(out);
}

void site_table(struct buf *out, const char *id)
{
    begin(out, id, play_path);
    buf_str(out, "<div id=\"table\" data-game=\"");
    html_text(out, id);
    buf_str(out, "\"></div>\n<noscript><p>To play here, your browser must run "
                 "scripts.</p></noscript>\n");
    end(out);
}

static void command(struct buf *out, const char *text)
{
    buf_str(out, "<code class=\"command\">");
    html_text(out, text);
    buf_str(out, "</code>\n");
}

void site_join(struct buf *out, const char *listen, const json_t *ladders)
{
    char line[200];
    const json_t *ladder;
    size_t i;

    begin(out, "Join", "/join");
    heading(out, "Join", "");
    buf_str(out, "<div class=\"card prose\"><p>A bot is any program that reads "
                 "lines from its standard input and answers on its standard "
                 "output. First check it on your own machine:</p>");
    command(out, "referee check --game rondo \"python3 mybot.py\"");
    buf_str(out, "<p>Ask the organiser for a name and a token. Keep the token "
                 "in a file that only you can read. Then connect:</p>");
    snprintf(line, sizeof line,
             "referee connect %.80s --name NAME --token-file NAME.token -- "
             "python3 mybot.py",
             listen ? listen : "HOST:PORT");
    command(out, line);
    buf_str(out, "<p>The bot plays until you stop it with Ctrl-C. Its games "
                 "are on these ladders:</p><ul>\n");
    json_array_foreach(ladders, i, ladder)
    {
        buf_str(out, "<li>");
        link_to(out, "ladder", text_at(ladder, "ladder"));
        buf_str(out, ": ");
        link_to(out, "rules", text_at(ladder, "game"));
        buf_str(out, "</li>\n");
    }
    buf_str(out, "</ul></div>\n");
    end(out);
}

void site_rules(struct buf *out, const struct game *game)
{
    static const char *const columns[] = {"<Option", "<Default", "<What it is",
                                          NULL};

    begin(out, game->title, "");
    heading(out, game->title, "");
    buf_str(out, "<div class=\"card prose\"><p>");
    html_text(out, game->about);
    buf_add(out, "</p><p>%d to %d seats.</p>", game->min_seats,
            game->max_seats);
    buf_str(out, "<p>The rules, the notation and an example are printed by:"
                 "</p>");
    buf_str(out, "<code class=\"command\">referee games ");
    html_text(out, game->name);
    buf_str(out, "</code></div>\n<h2>Options</h2>\n");
    open_table(out, "Options", columns);
    for (const struct game_option *o = game->options; o && o->name; o++) {
        buf_str(out, "<tr><td class=\"t\">");
        html_text(out, o->name);
        buf_str(out, "</td><td class=\"t\">");
        html_text(out, o->preset ? o->preset : "-");
        buf_str(out, "</td><td class=\"t\">");
        html_text(out, o->help);
        buf_str(out, "</td></tr>\n");
    }
    close_table(out);
    end(out);
}

void site_error(struct buf *out, const char *title, const char *text)
{
    begin(out, title, "");
    heading(out, title, "");
    buf_str(out, "<p class=\"card\">");
    html_text(out, text);
    buf_str(out, "</p>\n");
    end(out);
}
