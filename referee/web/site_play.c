/* Tables for visitors. */

#include "web/pieces.h"
#include "web/site.h"

#include <string.h>

static const char play_path[] = "/play";

static void play_choice(struct buf *out, const json_t *game, bool checked)
{
    buf_str(out, "<label class=\"card pick\"><span class=\"small board\" "
                 "data-game=\"");
    html_text(out, text_at(game, "game"));
    buf_str(out, "\"></span><span class=\"which\"><input type=\"radio\" "
                 "name=\"game\" value=\"");
    html_text(out, text_at(game, "game"));
    buf_str(out, checked ? "\" checked>" : "\">");
    buf_str(out, "<span><strong>");
    html_text(out, text_at(game, "title"));
    buf_str(out, "</strong><br><span class=\"soft\">");
    html_text(out, text_at(game, "about"));
    buf_str(out, "</span> <a href=\"/rules/");
    add_path(out, text_at(game, "game"));
    buf_str(out, "\">Rules</a></span></span></label>\n");
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

static size_t chosen_of(const json_t *games, const char *name)
{
    const json_t *game;
    size_t i;

    json_array_foreach(games, i, game)
    {
        if (strcmp(text_at(game, "game"), name) == 0)
            return i;
    }
    return 0;
}

void site_play(struct buf *out, const struct site *site, const json_t *offer,
               const char *name)
{
    const json_t *games = list_at(offer, "games"), *game;
    size_t chosen = chosen_of(games, name), i;

    frame_begin(out, site, "Play", play_path);
    add_heading(out, "Play against a bot", "");
    buf_str(out, "<div id=\"seats\" class=\"card\" hidden></div>\n"
                 "<form id=\"sit\" method=\"post\" action=\"/play\">\n"
                 "<div class=\"grid picks\" role=\"radiogroup\" "
                 "aria-label=\"Game\">\n");
    json_array_foreach(games, i, game) play_choice(out, game, i == chosen);
    buf_str(out, "</div>\n<div class=\"card line\">");
    play_bots(out, list_at(offer, "bots"));
    buf_str(out, "<label>You move <select name=\"seat\"><option value=\"1\">"
                 "first</option><option value=\"2\">second</option>"
                 "<option value=\"0\">first or second</option></select>"
                 "</label>\n<button class=\"send\">Sit down</button></div>\n"
                 "<p class=\"bad\" role=\"alert\"></p>\n</form>\n"
                 "<p class=\"soft\">Time: ");
    html_text(out, text_at(json_array_get(games, 0), "time"));
    buf_add(out,
            ". %lld of %lld tables are taken. These games are not rated; "
            "anyone can watch and replay them.</p>\n"
            "<noscript><p>Playing here needs a browser with "
            "scripts.</p></noscript>\n",
            int_at(offer, "taken"), int_at(offer, "tables"));
    frame_end(out);
}

void site_table(struct buf *out, const struct site *site, const char *id)
{
    frame_begin(out, site, id, play_path);
    buf_str(out, "<div id=\"table\" data-game=\"");
    html_text(out, id);
    buf_add(out, "\" data-hints=\"%d\"></div>\n",
            (site->parts & SITE_HINTS) != 0);
    buf_str(out, "<noscript><p>To play here, your browser must run "
                 "scripts.</p></noscript>\n");
    frame_end(out);
}
