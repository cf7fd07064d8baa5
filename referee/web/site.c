/* The front page, how to join, errors. */

#include "web/site.h"

#include "web/pieces.h"
#include "web/site_games.h"

enum { HOME_GAMES = 8 };

static void ladder_row(struct buf *out, const json_t *ladder)
{
    const struct site_games_of of = {.ladder = text_at(ladder, "ladder")};

    buf_str(out, "<tr><td class=\"t\">");
    add_link(out, "ladder", of.ladder);
    buf_str(out, "</td><td class=\"t\">");
    add_rules_link(out, text_at(ladder, "game"));
    buf_add(out, "</td><td class=\"w\">%lld</td><td class=\"t w\">",
            int_at(ladder, "seats"));
    add_time_control(out, text_at(ladder, "time"));
    buf_str(out, "</td><td>");
    add_count(out, &of, int_at(ladder, "games"));
    buf_str(out, "</td>");
    add_number(out, int_at(ladder, "running"));
    date_cell(out, text_at(ladder, "last"));
    buf_str(out, "</tr>\n");
}

static void ladders_table(struct buf *out, const json_t *ladders)
{
    static const char *const columns[] = {"<Ladder",     "<Game", "~Seats",
                                          "<~Time",      "Games", "Running",
                                          "<~Last game", NULL};
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

static void add_welcome(struct buf *out, const struct site *site)
{
    bool play = site->parts & SITE_PLAY;

    add_heading(out, "Bots at the board", "");
    buf_add(out,
            "<p class=\"lead\">Programs play board games here, round the "
            "clock. Watch a game, replay any game and see who knew what%s, or "
            "let your own bot join.</p>\n<p class=\"line starts\">",
            play ? ", play against a bot yourself" : "");
    if (play)
        buf_str(out, "<a class=\"go\" href=\"/play\">Play against a bot</a> ");
    buf_str(out, "<a class=\"go quiet\" href=\"/games\">Replay a game</a> "
                 "<a class=\"go quiet\" href=\"/join\">Let your bot join</a>"
                 "</p>\n");
}

/* Games first: people would rather look than read. */
void site_home(struct buf *out, const struct site *site, const json_t *ladders,
               const json_t *running, const json_t *status)
{
    frame_begin(out, site, "Home", "/");
    if (has_at(status, "trouble")) {
        buf_str(out, "<p class=\"card bad\" role=\"alert\">No new games "
                     "start: ");
        html_text(out, text_at(status, "trouble"));
        buf_str(out, "</p>\n");
    }
    add_welcome(out, site);
    buf_str(out, "<h2>Now playing</h2>\n");
    running_games(out, running, HOME_GAMES);
    buf_str(out, "<h2>Ladders</h2>\n");
    ladders_table(out, ladders);
    frame_end(out);
}

static void add_step(struct buf *out, const char *title, const char *text)
{
    buf_add(out, "<li><strong>%s</strong> %s\n", title, text);
}

void site_join(struct buf *out, const struct site *site, const char *door,
               const json_t *ladders)
{
    const json_t *ladder;
    struct buf line;
    size_t i;

    frame_begin(out, site, "Join", "/join");
    add_heading(out, "Let your bot join", "");
    buf_str(out, "<p class=\"lead\">A bot is any program that reads lines from "
                 "its standard input and answers on its standard output.</p>\n"
                 "<div class=\"card prose\"><ol class=\"steps-to\">\n");
    add_step(out, "Check it",
             "on your own machine, for the game that it is to "
             "play:");
    add_command(out, "referee check --game rondo \"python3 mybot.py\"");
    add_step(out, "Get a name and a token",
             "from the organiser. Keep the "
             "token in a file that only you can "
             "read:");
    add_command(out, "chmod 600 NAME.token");
    add_step(out, "Connect.", "The bot plays until you stop it with Ctrl-C:");
    buf_init(&line, 2048);
    buf_add(&line,
            "referee connect %s --name NAME --token-file NAME.token -- "
            "python3 mybot.py",
            door);
    add_command(out, line.text);
    buf_release(&line);
    add_step(out, "Look at its games.",
             "The page of the bot shows how it does "
             "and why it lost. With its token you "
             "also see its log there.");
    buf_str(out, "</ol></div>\n<h2>Ladders and rules</h2>\n");
    if (json_array_size(ladders) > 0) {
        static const char *const columns[] = {"<Ladder", "<Rules", "Seats",
                                              "<Time", NULL};

        table_open(out, "Ladders", "", columns);
        json_array_foreach(ladders, i, ladder)
        {
            buf_str(out, "<tr><td class=\"t\">");
            add_link(out, "ladder", text_at(ladder, "ladder"));
            buf_str(out, "</td><td class=\"t\">");
            add_rules_link(out, text_at(ladder, "game"));
            buf_str(out, "</td>");
            add_number(out, int_at(ladder, "seats"));
            buf_str(out, "<td class=\"t\">");
            add_time_control(out, text_at(ladder, "time"));
            buf_str(out, "</td></tr>\n");
        }
        table_close(out);
    }
    frame_end(out);
}

void site_error(struct buf *out, const struct site *site, const char *title,
                const char *text, bool again)
{
    frame_begin(out, site, title, "");
    add_heading(out, title, "");
    buf_str(out, "<p class=\"card\">");
    html_text(out, text);
    buf_str(out, "</p>\n<p class=\"line\">");
    if (again)
        buf_str(out, "<a class=\"go\" id=\"again\" href=\"\">Try again</a> ");
    buf_str(out, "<a href=\"/\">To the front page</a></p>\n");
    frame_end(out);
}
