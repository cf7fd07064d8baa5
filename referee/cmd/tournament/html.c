/* A tournament as a page, and its games as another page that it links to. */

#include "cmd/lib/pages.h"
#include "cmd/tournament/tournament.h"
#include "web/files.h"

enum { PAGE_MAX = 16 << 20 };

static void begin(struct buf *out, const char *name)
{
    const struct web_file *style = web_file_find("style.css");

    buf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
                 "charset=\"utf-8\">\n<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(out, name);
    buf_str(out, "</title>\n<style>");
    buf_put(out, style->text, style->len);
    buf_str(out, "</style>\n</head>\n<body>\n<main class=\"site\">\n<h1>");
    html_text(out, name);
    buf_str(out, "</h1>\n");
}

static void add_standings(const struct tournament *t, struct buf *out)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];

    schedule_standings(&t->schedule, standings);
    buf_str(out, "<h2>Standings</h2>\n<div class=\"card scroll\"><table "
                 "class=\"list\">\n<thead><tr><th>Place</th><th class=\"t\">"
                 "Bot</th><th>Points</th><th>of</th><th>Games</th>"
                 "<th>Wins</th></tr></thead>\n<tbody>\n");
    for (int i = 0; i < entrants_of(t); i++) {
        const struct standing *at = &standings[i];
        const struct bot_stats *stats = &t->stats[at->entrant];

        buf_add(out, "<tr><td>%d</td><th class=\"t\" scope=\"row\">",
                at->place);
        html_text(out, name_of(t, at->entrant));
        buf_add(out,
                "</th><td>%.6g</td><td>%.6g</td><td>%lld</td><td>%.6g</td>"
                "</tr>\n",
                at->points / 2.0, at->possible / 2.0, (long long)stats->games,
                stats_wins(stats));
    }
    buf_str(out, "</tbody></table></div>\n");
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* "anna 1., bob 2." */
static void add_players(const json_t *players, const json_t *ranks,
                        struct buf *out)
{
    const json_t *player;
    size_t i;

    json_array_foreach(players, i, player)
    {
        buf_str(out, i > 0 ? ", " : "");
        html_text(out, text_of(player, "name"));
        if (ranks)
            buf_add(out, " %lld.",
                    (long long)json_integer_value(json_array_get(ranks, i)));
    }
}

static void add_game(const json_t *game, const char *file, struct buf *out)
{
    const json_t *head = json_object_get(game, "head");
    const json_t *about = json_object_get(head, "about");
    const json_t *end = json_object_get(game, "end");
    const json_t *result = json_object_get(end, "result");
    const char *reason = text_of(result, "reason");

    buf_str(out, "<tr><td class=\"t\">");
    html_text(out, text_of(about, "match"));
    buf_str(out, "</td><td class=\"t\">");
    pages_link(out, file, text_of(about, "id"));
    buf_str(out, "</td><td class=\"t\">");
    add_players(json_object_get(head, "players"),
                json_object_get(result, "ranks"), out);
    buf_add(out, "</td><td>%lld</td><td class=\"t\">",
            (long long)json_integer_value(json_object_get(end, "moves")));
    html_text(out, *reason ? reason : text_of(end, "status"));
    buf_str(out, "</td></tr>\n");
}

static void add_games(const struct page *page, const char *file,
                      struct buf *out)
{
    const json_t *entry;
    size_t i;

    buf_str(out, "<h2>Games</h2>\n<div class=\"card scroll\"><table "
                 "class=\"list\">\n<thead><tr><th class=\"t\">Match</th>"
                 "<th class=\"t\">Game</th><th class=\"t\">Players and ranks"
                 "</th><th>Moves</th><th class=\"t\">End</th></tr></thead>\n"
                 "<tbody>\n");
    json_array_foreach(page->games, i, entry)
        add_game(json_object_get(entry, "game"), file, out);
    buf_str(out, "</tbody></table></div>\n");
}

bool tournament_html(const struct tournament *t, const char *path,
                     struct err *err)
{
    struct buf out, games;
    struct page page;
    bool ok;

    page_init(&page);
    buf_init(&out, PAGE_MAX);
    buf_init(&games, PAGE_MAX);
    pages_name(path, &games);
    ok = pages_add_folder(&page, t->config->contest.folder, err);
    if (ok) {
        begin(&out, t->config->name);
        add_standings(t, &out);
        add_games(&page, games.text, &out);
        buf_str(&out, "</main>\n</body>\n</html>\n");
        ok = pages_save_text(&out, path, err) &&
             (page_count(&page) == 0 || pages_save(&page, games.text, err));
    }
    buf_release(&out);
    buf_release(&games);
    page_release(&page);
    return ok;
}
