/* Standings, the crosstable, and the page of a ladder. */

#include "web/site_games.h"

#include "web/pieces.h"
#include "web/site.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
        if (!has_at(row, "elo"))
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

static void add_interval(struct buf *out, const json_t *row,
                         const struct scale *scale)
{
    buf_add(out,
            "<svg class=\"interval\" viewBox=\"0 0 160 14\" width=\"160\" "
            "height=\"14\" role=\"img\" aria-label=\"95 %% interval: %.0f to "
            "%.0f\"><line x1=\"0\" x2=\"160\" y1=\"7\" y2=\"7\" "
            "class=\"axis\"/><line x1=\"%.1f\" x2=\"%.1f\" y1=\"7\" y2=\"7\" "
            "class=\"span\"/><circle cx=\"%.1f\" cy=\"7\" r=\"4\"/></svg>",
            real_at(row, "low"), real_at(row, "high"),
            on_scale(scale, real_at(row, "low")),
            on_scale(scale, real_at(row, "high")),
            on_scale(scale, real_at(row, "elo")));
}

/* About one standard error of 20 games: a smaller trend means nothing. */
static const double steady = 80;

static void add_trend(struct buf *out, const json_t *row)
{
    double trend = real_at(row, "trend");

    if (!has_at(row, "trend"))
        return;
    buf_add(out,
            "<span class=\"%s\" title=\"the last 20 games, compared with "
            "the rating\">%s%s%.0f</span>",
            trend > steady    ? "good"
            : trend < -steady ? "bad"
                              : "soft",
            trend > steady    ? "\xe2\x96\xb2 "
            : trend < -steady ? "\xe2\x96\xbc "
                              : "",
            trend < 0 ? "\xe2\x88\x92" : "+", fabs(trend));
}

static void rating_cells(struct buf *out, const json_t *row,
                         const struct scale *scale)
{
    if (!has_at(row, "elo")) {
        buf_str(out, "<td></td><td class=\"w\"></td><td class=\"t w\"></td>"
                     "<td></td>");
        return;
    }
    buf_add(out,
            "<td><strong>%.0f</strong></td><td class=\"soft w\">\xc2\xb1%.0f"
            "</td><td class=\"t w\">",
            real_at(row, "elo"),
            (real_at(row, "high") - real_at(row, "low")) / 2);
    add_interval(out, row, scale);
    buf_str(out, "</td><td>");
    add_trend(out, row);
    buf_str(out, "</td>");
}

/* The current version's numbers link to the games of the bot. */
static void count_cells(struct buf *out, const char *ladder, const json_t *row)
{
    struct site_games_of of = {.ladder = ladder, .bot = text_at(row, "bot")};

    buf_str(out, "<td>");
    add_count(out, &of, int_at(row, "games"));
    of.result = "won";
    buf_str(out, "</td><td><a class=\"count\" href=\"");
    add_games_path(out, &of);
    buf_add(out, "\">%.1f %%</a></td><td class=\"w\">%.2f</td><td>",
            100 * real_at(row, "win_share"), real_at(row, "mean_rank"));
    of.result = NULL;
    of.fault = "any";
    add_count(out, &of, int_at(row, "forfeits"));
    buf_str(out, "</td>");
}

static void standing_row(struct buf *out, const char *ladder, const json_t *row,
                         const struct scale *scale)
{
    buf_str(out, "<tr>");
    if (has_at(row, "place"))
        add_number(out, int_at(row, "place"));
    else
        buf_str(out, "<td></td>");
    buf_str(out, "<td class=\"t\">");
    add_link(out, "bot", text_at(row, "bot"));
    if (is_true_at(row, "provisional"))
        buf_str(out, " <span class=\"tag\" title=\"fewer than 20 games\">"
                     "provisional</span>");
    buf_str(out, "</td><td class=\"t w\">");
    add_version(out, text_at(row, "version"));
    buf_str(out, "</td>");
    rating_cells(out, row, scale);
    count_cells(out, ladder, row);
    buf_str(out, "</tr>\n");
}

void standings_table(struct buf *out, const char *ladder,
                     const json_t *standings)
{
    static const char *const columns[] = {
        "#",          "<Bot",      "<~Version",
        "Rating",     "~\xc2\xb1", "<~95 % interval",
        "Trend",      "Games",     "Wins",
        "~Mean rank", "Forfeits",  NULL};
    struct scale scale = scale_of(standings);
    const json_t *row;
    size_t i;

    if (json_array_size(standings) == 0) {
        buf_str(out, "<p class=\"card soft\">No finished games yet.</p>\n");
        return;
    }
    table_open(out, "Standings", "", columns);
    json_array_foreach(standings, i, row)
        standing_row(out, ladder, row, &scale);
    table_close(out);
}

/* The crosstable: who scores how much against whom. */

static const json_t *opponent(const json_t *report, const char *name)
{
    const json_t *each;
    size_t i;

    json_array_foreach(list_at(report, "opponents"), i, each)
    {
        if (strcmp(text_at(each, "bot"), name) == 0)
            return each;
    }
    return NULL;
}

static void cross_cell(struct buf *out, const json_t *report,
                       const json_t *other)
{
    const json_t *against = opponent(report, text_at(other, "bot"));
    const struct site_games_of of = {.ladder = text_at(report, "ladder"),
                                     .bot = text_at(report, "bot"),
                                     .opponent = text_at(other, "bot")};

    if (report == other) {
        buf_str(out, "<td class=\"self\">\xc2\xb7</td>");
        return;
    }
    if (!against || int_at(against, "games") == 0) {
        buf_str(out, "<td></td>");
        return;
    }
    buf_str(out, "<td><a class=\"count\" href=\"");
    add_games_path(out, &of);
    buf_add(out, "\" title=\"%lld games\">%.0f %%</a></td>",
            int_at(against, "games"), 100 * real_at(against, "score"));
}

static void crosstable(struct buf *out, const json_t *bots)
{
    const json_t *row, *column;
    size_t i, j;

    if (json_array_size(bots) < 2)
        return;
    buf_str(out, "<h2>Crosstable <span class=\"sub\">score of the row against "
                 "the column</span></h2>\n<div class=\"card scroll narrow\">"
                 "<table class=\"list cross\"><caption class=\"unseen\">"
                 "Crosstable</caption><thead><tr><th class=\"t\" "
                 "scope=\"col\">Bot</th>");
    json_array_foreach(bots, i, column)
    {
        buf_str(out, "<th scope=\"col\" title=\"");
        html_text(out, text_at(column, "bot"));
        buf_add(out, "\">%zu</th>", i + 1);
    }
    buf_str(out, "</tr></thead><tbody>\n");
    json_array_foreach(bots, i, row)
    {
        buf_add(out, "<tr><th class=\"t\" scope=\"row\">%zu ", i + 1);
        add_link(out, "bot", text_at(row, "bot"));
        buf_str(out, "</th>");
        json_array_foreach(bots, j, column) cross_cell(out, row, column);
        buf_str(out, "</tr>\n");
    }
    table_close(out);
}

/* The page. */

static void add_facts(struct buf *out, const json_t *ladder)
{
    buf_str(out, "<p class=\"facts\">");
    add_rules_link(out, text_at(ladder, "game"));
    if (int_at(ladder, "seats") > 0)
        buf_add(out, "<span>%lld seats</span><span>", int_at(ladder, "seats"));
    add_time_control(out, text_at(ladder, "time"));
    buf_add(out, "</span><span>%lld running</span><span>",
            int_at(ladder, "running"));
    add_count(out, &(struct site_games_of){.ladder = text_at(ladder, "ladder")},
              int_at(ladder, "games"));
    buf_str(out, " games</span>");
    if (int_at(ladder, "void") > 0) {
        buf_str(out, "<span>");
        add_count(out,
                  &(struct site_games_of){.ladder = text_at(ladder, "ladder"),
                                          .result = "void"},
                  int_at(ladder, "void"));
        buf_str(out, " void</span>");
    }
    buf_str(out, "</p>\n");
}

static void add_pages(struct buf *out, const json_t *ladder, int after)
{
    size_t count = json_array_size(list_at(ladder, "standings"));

    if (after == 0 && count < SITE_PLACES)
        return;
    buf_str(out, "<p class=\"line\">");
    if (after > 0) {
        buf_str(out, "<a rel=\"prev\" href=\"/ladder/");
        add_path(out, text_at(ladder, "ladder"));
        buf_add(out, "?after=%d\">Previous places</a> ",
                after > SITE_PLACES ? after - SITE_PLACES : 0);
    }
    if (count == SITE_PLACES) {
        buf_str(out, "<a rel=\"next\" href=\"/ladder/");
        add_path(out, text_at(ladder, "ladder"));
        buf_add(out, "?after=%d\">Places from %d on</a>", after + SITE_PLACES,
                after + SITE_PLACES + 1);
    }
    buf_str(out, "</p>\n");
}

void site_ladder(struct buf *out, const struct site *site, const json_t *ladder,
                 int after, const json_t *bots, const json_t *games)
{
    const char *name = text_at(ladder, "ladder");

    frame_begin(out, site, name, "");
    add_heading(out, name, "");
    add_facts(out, ladder);
    standings_table(out, name, list_at(ladder, "standings"));
    add_pages(out, ladder, after);
    crosstable(out, bots);
    buf_str(out, "<h2>Last games</h2>\n");
    games_table(out, games);
    buf_str(out, "<p><a href=\"");
    add_games_path(out, &(struct site_games_of){.ladder = name});
    buf_str(out, "\">All games of this ladder</a></p>\n");
    frame_end(out);
}
