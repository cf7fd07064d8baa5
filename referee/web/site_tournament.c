/* Tournaments: those under way and those that are over. */

#include "web/pieces.h"
#include "web/site.h"

static const char *state_of(const json_t *tournament)
{
    return is_true_at(tournament, "finished") ? "over" : "playing";
}

static void tournament_row(struct buf *out, const json_t *t)
{
    const json_t *first = json_array_get(list_at(t, "standings"), 0);

    buf_str(out, "<tr><td class=\"t\"><a href=\"/tournament/");
    add_path(out, text_at(t, "folder"));
    buf_str(out, "\">");
    html_text(out, text_at(t, "name"));
    buf_add(out, "</a></td><td class=\"t\"><span class=\"state %s\">%s</span>",
            state_of(t), state_of(t));
    buf_str(out, "</td><td class=\"t\">");
    add_rules_link(out, text_at(t, "game"));
    buf_str(out, "</td><td class=\"t w\">");
    html_text(out, text_at(t, "format"));
    buf_add(out, "</td><td>%zu</td>", json_array_size(list_at(t, "standings")));
    add_number(out, int_at(t, "games"));
    buf_str(out, "<td class=\"t\">");
    html_text(out, text_at(first, "name"));
    buf_str(out, "</td></tr>\n");
}

void site_tournaments(struct buf *out, const struct site *site,
                      const json_t *tournaments)
{
    static const char *const columns[] = {"<Tournament", "<State", "<Game",
                                          "<~Format",    "Bots",   "Games",
                                          "<First",      NULL};
    const json_t *t;
    size_t i;

    frame_begin(out, site, "Tournaments", "/tournaments");
    add_heading(out, "Tournaments", "");
    if (json_array_size(tournaments) == 0) {
        buf_str(out, "<p class=\"card soft\">No tournament has begun yet.</p>"
                     "\n");
    } else {
        table_open(out, "Tournaments", "", columns);
        json_array_foreach(tournaments, i, t) tournament_row(out, t);
        table_close(out);
    }
    frame_end(out);
}

static void place_row(struct buf *out, const json_t *row)
{
    const json_t *rating = list_at(row, "rating");

    buf_str(out, "<tr>");
    add_number(out, int_at(row, "place"));
    buf_str(out, "<td class=\"t\">");
    html_text(out, text_at(row, "name"));
    buf_add(out, "</td><td><strong>%.4g</strong></td><td class=\"w\">%.4g</td>",
            real_at(row, "points"), real_at(row, "possible"));
    add_number(out, int_at(row, "games"));
    buf_add(out, "<td>%.4g</td><td>", real_at(row, "wins"));
    if (json_is_object(rating))
        buf_add(out, "%.0f <span class=\"soft\">\xc2\xb1%.0f</span>",
                real_at(rating, "elo"),
                (real_at(rating, "high") - real_at(rating, "low")) / 2);
    buf_str(out, "</td></tr>\n");
}

static void places_table(struct buf *out, const json_t *standings)
{
    static const char *const columns[] = {"#",     "<Bot", "Points", "~of",
                                          "Games", "Wins", "Rating", NULL};
    const json_t *row;
    size_t i;

    table_open(out, "Standings", "", columns);
    json_array_foreach(standings, i, row) place_row(out, row);
    table_close(out);
}

/* "anna 2 \xe2\x80\x93 bob 0" */
static void add_members(struct buf *out, const json_t *pairing)
{
    const json_t *member;
    size_t i;

    json_array_foreach(list_at(pairing, "entrants"), i, member)
    {
        buf_str(out, i ? " \xe2\x80\x93 " : "");
        html_text(out, text_at(member, "name"));
        if (!is_true_at(pairing, "bye"))
            buf_add(out, " <strong>%.4g</strong>", real_at(member, "points"));
    }
    if (is_true_at(pairing, "bye"))
        buf_str(out, " <span class=\"soft\">has a bye</span>");
}

/* "1 2", each a link; and how many are still to come. */
static void add_matches(struct buf *out, const char *folder,
                        const json_t *pairing)
{
    long long games = int_at(pairing, "games");
    const json_t *match;
    size_t i;

    json_array_foreach(list_at(pairing, "matches"), i, match)
    {
        buf_str(out, "<a class=\"count\" href=\"/tournament/");
        add_path(out, folder);
        buf_str(out, "/");
        add_path(out, json_string_value(match));
        buf_add(out, "\" title=\"replay game %zu\">%zu</a> ", i + 1, i + 1);
    }
    if (!is_true_at(pairing, "bye") && int_at(pairing, "played") < games)
        buf_add(out, "<span class=\"soft\">%lld of %lld played</span>",
                int_at(pairing, "played"), games);
}

static void pairings_table(struct buf *out, const char *folder,
                           const json_t *pairings)
{
    static const char *const columns[] = {"Round", "Table", "<Bots and points",
                                          "<Games", NULL};
    const json_t *pairing;
    size_t i;

    buf_str(out, "<h2>Pairings</h2>\n");
    table_open(out, "Pairings", "", columns);
    json_array_foreach(pairings, i, pairing)
    {
        buf_str(out, "<tr>");
        add_number(out, int_at(pairing, "round"));
        add_number(out, int_at(pairing, "table"));
        buf_str(out, "<td class=\"t\">");
        add_members(out, pairing);
        buf_str(out, "</td><td class=\"t games\">");
        add_matches(out, folder, pairing);
        buf_str(out, "</td></tr>\n");
    }
    table_close(out);
}

void site_tournament(struct buf *out, const struct site *site, const json_t *t)
{
    frame_begin(out, site, text_at(t, "name"), "/tournaments");
    add_heading(out, text_at(t, "name"), "");
    buf_add(out, "<p class=\"facts\"><span class=\"state %s\">%s</span><span>",
            state_of(t), state_of(t));
    html_text(out, text_at(t, "format"));
    buf_str(out, "</span><span>");
    add_rules_link(out, text_at(t, "game"));
    buf_add(out, ", %lld seats</span><span>%lld games</span><span>",
            int_at(t, "seats"), int_at(t, "games"));
    add_time_control(out, text_at(t, "time"));
    buf_str(out, "</span></p>\n");
    places_table(out, list_at(t, "standings"));
    pairings_table(out, text_at(t, "folder"), list_at(t, "pairings"));
    frame_end(out);
}

void site_match(struct buf *out, const struct site *site, const json_t *t,
                const char *match)
{
    frame_begin_game(out, site, match, text_at(t, "game"));
    buf_str(out, "<p class=\"back\"><a href=\"/tournament/");
    add_path(out, text_at(t, "folder"));
    buf_str(out, "\">\xe2\x80\xb9 ");
    html_text(out, text_at(t, "name"));
    buf_str(out, "</a></p>\n<div id=\"viewer\" data-game=\"");
    html_text(out, match);
    buf_str(out, "\" data-path=\"/api/tournaments/");
    add_path(out, text_at(t, "folder"));
    buf_str(out, "/");
    add_path(out, match);
    buf_str(out, "\"></div>\n<noscript><p><a href=\"/api/tournaments/");
    add_path(out, text_at(t, "folder"));
    buf_str(out, "/");
    add_path(out, match);
    buf_str(out, "/record\">The record as text</a></p></noscript>\n");
    frame_end(out);
}
