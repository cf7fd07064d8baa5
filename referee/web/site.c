/* The front page, how to join, the rules of a game, errors. */

#include "web/site.h"

#include "web/pieces.h"
#include "web/site_games.h"

#include <stdio.h>

static void ladder_row(struct buf *out, const json_t *ladder)
{
    const struct site_games_of of = {.ladder = text_at(ladder, "ladder")};

    buf_str(out, "<tr><td class=\"t\">");
    add_link(out, "ladder", of.ladder);
    buf_str(out, "</td><td class=\"t\">");
    add_link(out, "rules", text_at(ladder, "game"));
    buf_str(out, "</td>");
    add_number(out, int_at(ladder, "seats"));
    buf_str(out, "<td class=\"t w\">");
    html_text(out, text_at(ladder, "time"));
    buf_str(out, "</td><td>");
    add_count(out, &of, int_at(ladder, "games"));
    buf_str(out, "</td>");
    add_number(out, int_at(ladder, "running"));
    date_cell(out, text_at(ladder, "last"));
    buf_str(out, "</tr>\n");
}

static void ladders_table(struct buf *out, const json_t *ladders)
{
    static const char *const columns[] = {"<Ladder", "<Game", "Seats",
                                          "<~Time",  "Games", "Running",
                                          "<~Last",  NULL};
    const json_t *ladder;
    size_t i;

    if (json_array_size(ladders) == 0) {
        buf_str(out, "<p class=\"card soft\">There are no ladders here.</p>"
                     "\n");
        return;
    }
    table_open(out, "Ladders", "", columns);
    json_array_foreach(ladders, i, ladder) ladder_row(out, ladder);
    table_close(out);
}

/* Games first: people would rather look than read. */
void site_home(struct buf *out, const struct site *site, const json_t *ladders,
               const json_t *running, const json_t *status)
{
    frame_begin(out, site, "Ladders", "/");
    if (has_at(status, "trouble")) {
        buf_str(out, "<p class=\"card bad\" role=\"alert\">No new games "
                     "start: ");
        html_text(out, text_at(status, "trouble"));
        buf_str(out, "</p>\n");
    }
    add_heading(out, "Now playing", "");
    if (site->parts & SITE_PLAY)
        buf_str(out, "<p class=\"line\"><a class=\"go\" href=\"/play\">Play "
                     "against a bot</a> <a href=\"/join\">Let your bot "
                     "join</a></p>\n");
    running_games(out, running);
    buf_str(out, "<h2>Ladders</h2>\n");
    ladders_table(out, ladders);
    frame_end(out);
}

void site_join(struct buf *out, const struct site *site, const char *listen,
               const json_t *ladders)
{
    char line[200];
    const json_t *ladder;
    size_t i;

    frame_begin(out, site, "Join", "/join");
    add_heading(out, "Join", "");
    buf_str(out, "<div class=\"card prose\"><p>A bot is any program that reads "
                 "lines from its standard input and answers on its standard "
                 "output. First check it on your own machine:</p>");
    add_command(out, "referee check --game rondo \"python3 mybot.py\"");
    buf_str(out, "<p>Ask the organiser for a name and a token. Keep the token "
                 "in a file that only you can read. Then connect:</p>");
    snprintf(line, sizeof line,
             "referee connect %.80s --name NAME --token-file NAME.token -- "
             "python3 mybot.py",
             listen ? listen : "HOST:PORT");
    add_command(out, line);
    buf_str(out, "<p>The bot plays until you stop it with Ctrl-C. Its games "
                 "are on these ladders:</p><ul>\n");
    json_array_foreach(ladders, i, ladder)
    {
        buf_str(out, "<li>");
        add_link(out, "ladder", text_at(ladder, "ladder"));
        buf_str(out, ": ");
        add_link(out, "rules", text_at(ladder, "game"));
        buf_str(out, "</li>\n");
    }
    buf_str(out, "</ul></div>\n");
    frame_end(out);
}

void site_rules(struct buf *out, const struct site *site,
                const struct game *game)
{
    static const char *const columns[] = {"<Option", "<Default", "<What it is",
                                          NULL};

    frame_begin(out, site, game->title, "");
    add_heading(out, game->title, "");
    buf_str(out, "<div class=\"card prose\"><p>");
    html_text(out, game->about);
    buf_add(out, "</p><p>%d to %d seats.</p>", game->min_seats,
            game->max_seats);
    buf_str(out, "<p>The rules, the notation and an example are printed by:"
                 "</p>");
    buf_str(out, "<code class=\"command\">referee games ");
    html_text(out, game->name);
    buf_str(out, "</code></div>\n<h2>Options</h2>\n");
    table_open(out, "Options", "", columns);
    for (const struct game_option *o = game->options; o && o->name; o++) {
        buf_str(out, "<tr><td class=\"t\">");
        html_text(out, o->name);
        buf_str(out, "</td><td class=\"t\">");
        html_text(out, o->preset ? o->preset : "-");
        buf_str(out, "</td><td class=\"t\">");
        html_text(out, o->help);
        buf_str(out, "</td></tr>\n");
    }
    table_close(out);
    frame_end(out);
}

void site_error(struct buf *out, const struct site *site, const char *title,
                const char *text)
{
    frame_begin(out, site, title, "");
    add_heading(out, title, "");
    buf_str(out, "<p class=\"card\">");
    html_text(out, text);
    buf_str(out, "</p>\n");
    frame_end(out);
}
