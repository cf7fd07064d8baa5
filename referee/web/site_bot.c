/* The page of a bot: what it does, how good it is, how it behaves. */

#include "web/site_games.h"

#include "web/pieces.h"
#include "web/site.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What it does now. */

static void presence_row(struct buf *out, const json_t *row)
{
    const char *state = text_at(row, "state");
    const json_t *id;
    size_t i;

    buf_add(out, "<li><span class=\"state %s\">", state);
    html_text(out, state);
    buf_str(out, "</span> ");
    if (*text_at(row, "ladder")) {
        buf_str(out, "on ");
        add_link(out, "ladder", text_at(row, "ladder"));
    }
    if (*text_at(row, "why")) {
        buf_str(out, *text_at(row, "ladder") ? ": " : "");
        html_text(out, text_at(row, "why"));
    }
    json_array_foreach(list_at(row, "games"), i, id)
    {
        buf_add(out, "%s<a class=\"watch\" href=\"/game/", i ? ", " : ": ");
        add_path(out, json_string_value(id));
        buf_str(out, "\">watch</a>");
    }
    buf_str(out, "</li>\n");
}

static void presence(struct buf *out, const json_t *rows)
{
    const json_t *row;
    size_t i;

    buf_str(out, "<ul class=\"card presence\" aria-label=\"Now\">\n");
    json_array_foreach(rows, i, row) presence_row(out, row);
    buf_str(out, "</ul>\n");
}

/* Rating over time, drawn here, so that it needs no scripts. */

enum {
    WIDTH = 720,
    HEIGHT = 190,
    LEFT = 44,
    RIGHT = 10,
    TOP = 12,
    BOTTOM = 24
};

struct plot {
    const json_t *spans;
    const char *key; /* what is drawn: "elo" or "score" */
    double low, high;
};

static double x_of(const struct plot *p, size_t i)
{
    size_t count = json_array_size(p->spans);
    double share = count > 1 ? (double)i / (double)(count - 1) : 0.5;

    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plot *p, double value)
{
    return TOP +
           (p->high - value) / (p->high - p->low) * (HEIGHT - TOP - BOTTOM);
}

static struct plot plot_of(const json_t *spans)
{
    struct plot p = {spans, "elo", INFINITY, -INFINITY};
    const json_t *span;
    size_t i;

    if (!has_at(json_array_get(spans, 0), "elo"))
        p.key = "score";
    json_array_foreach(spans, i, span)
    {
        p.low = fmin(p.low, real_at(span, p.key));
        p.high = fmax(p.high, real_at(span, p.key));
    }
    if (p.high - p.low < 20) {
        p.low -= 10;
        p.high += 10;
    }
    return p;
}

/* A round number: 1, 2 or 5 times a power of ten. */
static double grid_of(const struct plot *p)
{
    double raw = (p->high - p->low) / 4, unit = pow(10, floor(log10(raw)));

    return raw / unit > 5   ? 10 * unit
           : raw / unit > 2 ? 5 * unit
           : raw / unit > 1 ? 2 * unit
                            : unit;
}

static void add_grid(struct buf *out, const struct plot *p)
{
    double step = grid_of(p);

    for (double v = ceil(p->low / step) * step; v <= p->high; v += step)
        buf_add(out,
                "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" "
                "y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%.0f</text>\n",
                LEFT, WIDTH - RIGHT, y_of(p, v), y_of(p, v), LEFT - 6,
                y_of(p, v) + 4, v);
}

static bool is_new_version(const struct plot *p, size_t i)
{
    return i > 0 &&
           strcmp(text_at(json_array_get(p->spans, i), "version"),
                  text_at(json_array_get(p->spans, i - 1), "version")) != 0;
}

static void add_versions(struct buf *out, const struct plot *p)
{
    for (size_t i = 1; i < json_array_size(p->spans); i++) {
        double x = (x_of(p, i - 1) + x_of(p, i)) / 2;

        if (is_new_version(p, i))
            buf_add(out,
                    "<line class=\"version\" x1=\"%.1f\" x2=\"%.1f\" "
                    "y1=\"%d\" y2=\"%d\"><title>a new version</title></line>"
                    "\n",
                    x, x, TOP, HEIGHT - BOTTOM);
    }
}

static void add_line(struct buf *out, const struct plot *p)
{
    const json_t *span;
    size_t i;

    buf_str(out, "<polyline points=\"");
    json_array_foreach(p->spans, i, span)
        buf_add(out, "%s%.1f,%.1f", i ? " " : "", x_of(p, i),
                y_of(p, real_at(span, p->key)));
    buf_str(out, "\"/>\n");
    json_array_foreach(p->spans, i, span) buf_add(
        out,
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%.0f in %lld "
        "games up to %.10s</title></circle>\n",
        x_of(p, i), y_of(p, real_at(span, p->key)), real_at(span, p->key),
        int_at(span, "games"), text_at(span, "end"));
}

static void add_dates(struct buf *out, const struct plot *p)
{
    size_t last = json_array_size(p->spans) - 1;

    buf_add(out, "<text x=\"%d\" y=\"%d\">%.10s</text>", LEFT, HEIGHT - 6,
            text_at(json_array_get(p->spans, 0), "start"));
    buf_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.10s</text>\n",
            WIDTH - RIGHT, HEIGHT - 6,
            text_at(json_array_get(p->spans, last), "end"));
}

static void spans_table(struct buf *out, const struct plot *p)
{
    static const char *const columns[] = {"<From", "<To",         "<Version",
                                          "Games", "Performance", NULL};
    const json_t *span;
    size_t i;

    buf_str(out, "<details><summary>As a table</summary>\n");
    table_open(out, "Rating over time", "", columns);
    json_array_foreach(p->spans, i, span)
    {
        buf_str(out, "<tr><td class=\"t\">");
        add_time(out, text_at(span, "start"));
        buf_str(out, "</td><td class=\"t\">");
        add_time(out, text_at(span, "end"));
        buf_str(out, "</td><td class=\"t\">");
        add_version(out, text_at(span, "version"));
        buf_add(out, "</td><td>%lld</td><td>%.0f</td></tr>\n",
                int_at(span, "games"), real_at(span, p->key));
    }
    table_close(out);
    buf_str(out, "</details>\n");
}

static void progress_chart(struct buf *out, const json_t *progress)
{
    struct plot p = plot_of(list_at(progress, "spans"));
    bool is_solo = strcmp(p.key, "score") == 0;

    if (json_array_size(p.spans) < 2)
        return;
    buf_add(
        out,
        "<h3>%s over time</h3>\n<div class=\"card\"><svg class=\"progress\" "
        "viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s over the last "
        "%lld games; the table below has the numbers\">\n",
        is_solo ? "Score" : "Rating", WIDTH, HEIGHT,
        is_solo ? "Mean score" : "Performance", int_at(progress, "games"));
    add_grid(out, &p);
    add_versions(out, &p);
    add_line(out, &p);
    add_dates(out, &p);
    buf_add(out,
            "</svg>\n<p class=\"soft\">Each point is %s %lld games in a "
            "row%s.</p>\n",
            is_solo ? "the mean score of" : "the rating that explains",
            int_at(progress, "span"),
            is_solo ? "" : ", given the opponents' current ratings");
    spans_table(out, &p);
    buf_str(out, "</div>\n");
}

/* By seat, by opponent. */

static void seats_table(struct buf *out, const json_t *report)
{
    static const char *const columns[] = {"Seat", "Games", "First places",
                                          "Mean score", NULL};
    const json_t *progress = list_at(report, "progress"), *row;
    size_t i;

    if (json_array_size(list_at(progress, "seats")) == 0)
        return;
    buf_add(out,
            "<section><h3>By seat <span class=\"sub\">last %lld games"
            "</span></h3>\n",
            int_at(progress, "games"));
    table_open(out, "Results by seat", "", columns);
    json_array_foreach(list_at(progress, "seats"), i, row)
    {
        struct site_games_of of = {.ladder = text_at(report, "ladder"),
                                   .bot = text_at(report, "bot"),
                                   .seat = (int)int_at(row, "seat")};

        buf_add(out, "<tr><td>%lld</td><td>", int_at(row, "seat"));
        add_count(out, &of, int_at(row, "games"));
        buf_add(out, "</td><td>%.0f %%</td><td>%.1f</td></tr>\n",
                100.0 * (double)int_at(row, "first") /
                    (double)int_at(row, "games"),
                real_at(row, "score"));
    }
    table_close(out);
    buf_str(out, "</section>\n");
}

static void opponent_cell(struct buf *out, const struct site_games_of *of,
                          const char *result, const json_t *row,
                          const char *key)
{
    struct site_games_of one = *of;

    one.result = result;
    buf_str(out, "<td>");
    add_count(out, &one, int_at(row, key));
    buf_str(out, "</td>");
}

static void opponents_table(struct buf *out, const json_t *report)
{
    static const char *const columns[] = {"<Opponent", "Games", "Wins", "~Ties",
                                          "~Losses",   "Score", NULL};
    const json_t *row;
    size_t i;

    if (json_array_size(list_at(report, "opponents")) == 0)
        return;
    buf_str(out, "<section><h3>By opponent</h3>\n");
    table_open(out, "Opponents", "tall", columns);
    json_array_foreach(list_at(report, "opponents"), i, row)
    {
        const struct site_games_of of = {.ladder = text_at(report, "ladder"),
                                         .bot = text_at(report, "bot"),
                                         .opponent = text_at(row, "bot")};

        buf_str(out, "<tr><td class=\"t\">");
        add_link(out, "bot", text_at(row, "bot"));
        buf_str(out, "</td>");
        opponent_cell(out, &of, NULL, row, "games");
        buf_add(out,
                "<td>%lld</td><td class=\"w\">%lld</td><td class=\"w\">%lld"
                "</td><td>%.0f %%</td></tr>\n",
                int_at(row, "wins"), int_at(row, "ties"), int_at(row, "losses"),
                100 * real_at(row, "score"));
    }
    table_close(out);
    buf_str(out, "</section>\n");
}

/* How it behaves. */

static void add_seconds(struct buf *out, double seconds)
{
    if (seconds < 1)
        buf_add(out, "%.*f ms", seconds < 0.01 ? 1 : 0, 1000 * seconds);
    else
        buf_add(out, "%.*f s", seconds < 10 ? 1 : 0, seconds);
}

static void add_use(struct buf *out, const json_t *conduct)
{
    if (int_at(conduct, "moves") == 0)
        return;
    buf_str(out, "<p>Time used per move: ");
    add_seconds(out, real_at(conduct, "mean_s"));
    buf_str(out, " on average, at most ");
    add_seconds(out, real_at(conduct, "max_s"));
    buf_add(out,
            " <span class=\"soft\">(%lld moves of the last %lld games)"
            "</span></p>\n",
            int_at(conduct, "moves"), int_at(conduct, "games"));
}

static void fault_row(struct buf *out, const json_t *row)
{
    buf_str(out, "<tr><td class=\"t\"><a href=\"/game/");
    add_path(out, text_at(row, "game"));
    buf_str(out, "\">");
    add_time(out, text_at(row, "start"));
    buf_str(out, "</a></td><td class=\"t\">");
    html_text(out, text_at(row, "what"));
    buf_str(out, "</td><td class=\"t\"><code>");
    html_text(out, text_at(row, "move"));
    buf_str(out, "</code></td><td class=\"t wrap\">");
    html_text(out, text_at(row, "why"));
    buf_str(out, "</td></tr>\n");
}

static void conduct(struct buf *out, const json_t *report)
{
    static const char *const columns[] = {"<Game", "<What", "<Move", "<Why",
                                          NULL};
    const json_t *conduct = list_at(report, "conduct");
    const json_t *faults = list_at(conduct, "faults"), *row;
    size_t i;

    buf_str(out, "<h3>Time and faults</h3>\n");
    add_use(out, conduct);
    if (json_array_size(faults) == 0) {
        buf_str(out, "<p class=\"soft\">No refused moves and no faults in "
                     "its latest games.</p>\n");
        return;
    }
    table_open(out, "Faults", "", columns);
    json_array_foreach(faults, i, row) fault_row(out, row);
    table_close(out);
}

/* Its owner sees more; site.js asks for it. */
static void owner(struct buf *out, const char *name)
{
    buf_str(out, "<details class=\"card owner\" id=\"owner\" data-bot=\"");
    html_text(out, name);
    buf_str(out,

            "\"><summary>Is this your bot?</summary>\n"
            "<form class=\"line\"><label>Token <input type=\"password\" "
            "name=\"token\" autocomplete=\"off\" required></label> "
            "<button class=\"send\">Show its games</button></form>\n"
            "<p class=\"bad\" role=\"alert\"></p>\n"
            "<p class=\"soft\">The owner sees what the bot wrote to its "
            "standard error, its notes and refused moves, and its view "
            "of its own finished games. The token stays in this "
            "tab.</p>\n"
            "<div class=\"games\"></div>\n"
            "<noscript><p>This needs scripts: a token must not be part "
            "of an address.</p></noscript></details>\n");
}

static void report_section(struct buf *out, const json_t *report)
{
    const char *ladder = text_at(report, "ladder");

    buf_str(out, "<h2>On ");
    add_link(out, "ladder", ladder);
    buf_str(out, "</h2>\n");
    standings_table(out, ladder, list_at(report, "standings"));
    progress_chart(out, list_at(report, "progress"));
    buf_str(out, "<div class=\"pair\">\n");
    opponents_table(out, report);
    seats_table(out, report);
    buf_str(out, "</div>\n");
    conduct(out, report);
    buf_str(out, "<h3>Last games</h3>\n");
    games_table(out, list_at(report, "played"));
    buf_str(out, "<p><a href=\"");
    add_games_path(out, &(struct site_games_of){.ladder = ladder,
                                                .bot = text_at(report, "bot")});
    buf_str(out, "\">All its games on this ladder</a></p>\n");
}

void site_bot(struct buf *out, const struct site *site, const json_t *bot)
{
    const char *name = text_at(bot, "bot");
    const json_t *report;
    size_t i;

    frame_begin(out, site, name, "");
    add_heading(out, name, "");
    presence(out, list_at(bot, "presence"));
    json_array_foreach(list_at(bot, "ladders"), i, report)
        report_section(out, report);
    owner(out, name);
    frame_end(out);
}
