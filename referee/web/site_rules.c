/* The rules of a game, with pictures. */

#include "web/markdown.h"
#include "web/pieces.h"
#include "web/rules.h"
#include "web/site.h"

#include <stdlib.h>
#include <string.h>

static void options_table(struct buf *out, const struct game *game)
{
    static const char *const columns[] = {"<Option", "<Default", "<What it is",
                                          NULL};

    if (!game->options)
        return;
    buf_str(out, "<h2>Options</h2>\n");
    table_open(out, "Options", "", columns);
    for (const struct game_option *o = game->options; o->name; o++) {
        buf_str(out, "<tr><td class=\"t\">");
        html_text(out, o->name);
        buf_str(out, "</td><td class=\"t\">");
        html_text(out, o->preset ? o->preset : "-");
        buf_str(out, "</td><td class=\"t wrap\">");
        html_text(out, o->help);
        buf_str(out, "</td></tr>\n");
    }
    table_close(out);
}

/* What a browser without scripts gets instead of pictures. */
static void start_as_text(struct buf *out, const struct game *game)
{
    const struct setup setup = {.seats = game->max_seats < 2 ? 1 : 2};
    static const uint8_t seed[SEED_BYTES] = {0};
    struct lines events;
    struct buf deal;
    struct state *state;
    struct err err;

    buf_init(&deal, DEAL_TEXT_MAX);
    lines_init(&events, EVENTS_MAX);
    state = game_new(game, &setup, game_deal(game, &setup, seed, &deal),
                     &events, &err);
    if (state) {
        struct buf drawing;

        buf_init(&drawing, DEAL_TEXT_MAX);
        game_show(game, state, AUDIENCE_REFEREE, false, &drawing);
        buf_str(out, "<noscript><pre class=\"card\" tabindex=\"0\">");
        html_text(out, drawing.text);
        buf_str(out, "</pre></noscript>\n");
        buf_release(&drawing);
    }
    game_free(state);
    buf_release(&deal);
    lines_release(&events);
}

/* What a player reads ends where the notation begins, with its first table. */
static void rules_in_words(struct buf *out, const char *text)
{
    const char *first = strchr(text, '\n');
    const char *table = strstr(text, "\n|");

    if (!first)
        return;
    if (!table)
        table = text + strlen(text);
    buf_str(out, "<section class=\"card prose\" aria-label=\"rules\">\n");
    markdown_write(first, (size_t)(table - first), out);
    buf_str(out, "</section>\n");
    if (!*table)
        return;
    buf_str(out, "<details class=\"card prose notation\"><summary>How moves, "
                 "events and views are written, and how rulings were made"
                 "</summary>\n");
    markdown_write(table, strlen(table), out);
    buf_str(out, "</details>\n");
}

void site_rules(struct buf *out, const struct site *site,
                const struct game *game)
{
    frame_begin_game(out, site, game->title, game->name);
    add_heading(out, game->title, "");
    buf_str(out, "<p class=\"lead\">");
    html_text(out, game->about);
    buf_add(out, " For %d", game->min_seats);
    if (game->max_seats > game->min_seats)
        buf_add(out, " to %d", game->max_seats);
    buf_str(out, " players.</p>\n");
    if (site->parts & SITE_PLAY) {
        buf_str(out, "<p class=\"line\"><a class=\"go\" href=\"/play?game=");
        add_path(out, game->name);
        buf_str(out, "\">Play it against a bot</a></p>\n");
    }
    buf_str(out, "<div class=\"rules\">\n<div>\n");
    rules_in_words(out, rules_text(game));
    buf_str(out, "</div>\n<div id=\"example\" class=\"pictures\" data-game=\"");
    html_text(out, game->name);
    buf_str(out, "\"></div>\n");
    start_as_text(out, game);
    buf_str(out, "</div>\n");
    options_table(out, game);
    buf_str(out, "<div id=\"whole\"></div>\n");
    frame_end(out);
}
