#include "cmd/ladder/view.h"

#include "base/paint.h"

#include <stdio.h>
#include <string.h>

enum {
    COLUMNS = 80,
    NAME_MAX_WIDTH = 20,
    VERSION_WIDTH = 10,
    DIGEST_SHOWN = 8,
    DATE_WIDTH = 16, /* 2026-11-16T10:00 */
};

long long view_int(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

double view_real(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

const char *view_text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

bool view_is(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

bool view_has(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return value && !json_is_null(value);
}

static bool is_digest(const char *version)
{
    return strlen(version) == 64 && strspn(version, "0123456789abcdef") == 64;
}

void view_version(const char *version, char *out, size_t size)
{
    snprintf(out, size, "%.*s", is_digest(version) ? DIGEST_SHOWN : (int)size,
             version[0] ? version : "-");
}

/* Copy at most `width` bytes, all printable; a cut text ends in '~'. */
static void add_plain(struct buf *out, const char *text, int width)
{
    int len = (int)strlen(text);

    for (int i = 0; i < len && i < width; i++) {
        bool is_plain = text[i] >= ' ' && text[i] <= '~';

        buf_char(out, i == width - 1 && len > width ? '~'
                      : is_plain                    ? text[i]
                                                    : '?');
    }
}

/* The same, padded with blanks. */
static void add_cell(struct buf *out, const char *text, int width)
{
    size_t before = out->len;

    add_plain(out, text, width);
    buf_add(out, "%*s", width - (int)(out->len - before), "");
}

static void add_version(struct buf *out, const json_t *row)
{
    char version[65];

    view_version(view_text(row, "version"), version, sizeof version);
    add_cell(out, version, VERSION_WIDTH);
}

static int name_width(const json_t *rows)
{
    int width = 3;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        int len = (int)strlen(view_text(json_array_get(rows, i), "bot"));

        if (len > width)
            width = len < NAME_MAX_WIDTH ? len : NAME_MAX_WIDTH;
    }
    return width;
}

/* Standings. */

/* Scores are small numbers. */
static void add_elo(struct buf *out, const json_t *row, int digits)
{
    double low = view_real(row, "low"), high = view_real(row, "high");

    if (view_has(row, "elo"))
        buf_add(out, " %6.*f%c%4.*f", digits,
                view_real(row, digits ? "mean_score" : "elo"),
                view_is(row, "provisional") ? '?' : ' ', digits,
                (high - low) / 2);
    else
        buf_add(out, " %6s %4s", "-", "-");
}

static void add_standing(struct buf *out, const json_t *row, int width,
                         bool is_solo)
{
    long long forfeits = view_int(row, "forfeits");

    if (view_has(row, "place"))
        buf_add(out, "%4lld  ", view_int(row, "place"));
    else
        buf_str(out, "   -  ");
    add_cell(out, view_text(row, "bot"), width);
    buf_str(out, "  ");
    add_version(out, row);
    add_elo(out, row, is_solo ? 1 : 0);
    buf_add(out, " %7lld", view_int(row, "games"));
    if (!is_solo) /* or one has won every game */
        buf_add(out, " %6.1f %5.2f", 100 * view_real(row, "win_share"),
                view_real(row, "mean_rank"));
    if (forfeits > 0)
        buf_add(out, " %8lld\n", forfeits);
    else
        buf_add(out, " %8s\n", "-");
}

static void add_head(struct buf *out, bool colour, int width, bool is_solo)
{
    paint(out, colour, PAINT_BOLD);
    buf_add(out, "%4s  %-*s  %-*s %6s %4s %7s%s %8s", "", width, "bot",
            VERSION_WIDTH, "version", is_solo ? "score" : "rating", "+-",
            "games", is_solo ? "" : " wins %  rank", "forfeits");
    paint(out, colour, PAINT_PLAIN);
    buf_char(out, '\n');
}

static void add_standings(struct buf *out, const json_t *rows, bool versions,
                          bool colour, bool is_solo)
{
    int width = name_width(rows);
    bool is_provisional = false;

    add_head(out, colour, width, is_solo);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        if (!versions && !view_is(row, "current"))
            continue;
        add_standing(out, row, width, is_solo);
        is_provisional |= view_is(row, "provisional");
    }
    if (is_provisional)
        buf_str(out, "? provisional: fewer than 20 games\n");
}

static const char *s(long long count)
{
    return count == 1 ? "" : "s";
}

/* The zero point of the scale. */
static void add_zero(struct buf *out, const json_t *rating)
{
    const char *anchor = view_text(rating, "anchor");

    if (!anchor[0]) {
        buf_str(out, ", mean 0");
        return;
    }
    buf_str(out, ", ");
    add_plain(out, anchor, NAME_MAX_WIDTH);
    buf_add(out, " has %g", view_real(rating, "anchor_elo"));
}

/* What the numbers mean. */
static void add_rating(struct buf *out, const json_t *ladder)
{
    const json_t *rating = json_object_get(ladder, "rating");
    bool is_solo = view_is(rating, "solo");
    long long games = view_int(rating, "games");

    if (!json_is_object(rating)) {
        buf_str(out, "no ratings yet\n");
        return;
    }
    buf_add(out, "%s of %lld game%s", is_solo ? "mean scores" : "ratings",
            games, s(games));
    if (!is_solo)
        add_zero(out, rating);
    if (games < view_int(ladder, "games"))
        buf_str(out, "; they do not include newer games");
    buf_char(out, '\n');
    if (view_int(rating, "groups") > 1)
        buf_add(out,
                "%lld groups never met each other: compare ratings only "
                "within a group\n",
                view_int(rating, "groups"));
}

static void add_title(struct buf *out, const json_t *ladder, bool colour)
{
    long long games = view_int(ladder, "games"),
              voids = view_int(ladder, "void");

    paint(out, colour, PAINT_BOLD);
    add_plain(out, view_text(ladder, "ladder"), SUMMARY_WORD_MAX);
    paint(out, colour, PAINT_PLAIN);
    buf_add(out, ": %s, %lld game%s", view_text(ladder, "game"), games,
            s(games));
    if (voids > 0)
        buf_add(out, " and %lld void", voids);
    buf_char(out, '\n');
    add_rating(out, ladder);
    buf_char(out, '\n');
}

void ladders_as_text(const json_t *ladders, bool versions, bool colour,
                     struct buf *out)
{
    for (size_t i = 0; i < json_array_size(ladders); i++) {
        const json_t *ladder = json_array_get(ladders, i);

        buf_str(out, i > 0 ? "\n" : "");
        add_title(out, ladder, colour);
        add_standings(out, json_object_get(ladder, "standings"), versions,
                      colour,
                      view_is(json_object_get(ladder, "rating"), "solo"));
    }
    if (json_array_size(ladders) == 0)
        buf_str(out, "no games yet\n");
}

/* One bot. */

static void add_opponents(struct buf *out, const json_t *rows, bool colour)
{
    int width = name_width(rows);

    if (json_array_size(rows) == 0)
        return;
    paint(out, colour, PAINT_BOLD);
    buf_add(out, "\n      %-*s %8s %8s %8s %8s %8s", width, "against", "games",
            "wins", "ties", "losses", "score %");
    paint(out, colour, PAINT_PLAIN);
    buf_char(out, '\n');
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        buf_str(out, "      ");
        add_cell(out, view_text(row, "bot"), width);
        buf_add(out, " %8lld %8lld %8lld %8lld %8.1f\n", view_int(row, "games"),
                view_int(row, "wins"), view_int(row, "ties"),
                view_int(row, "losses"), 100 * view_real(row, "score"));
    }
}

static size_t seat_of(const json_t *seats, const char *bot)
{
    size_t i = 0;

    while (i < json_array_size(seats) &&
           strcmp(view_text(json_array_get(seats, i), "bot"), bot) != 0)
        i++;
    return i;
}

static void add_others(struct buf *out, const json_t *seats, size_t own)
{
    const char *between = "  ";

    for (size_t i = 0; i < json_array_size(seats); i++) {
        if (i == own)
            continue;
        buf_str(out, between);
        add_plain(out, view_text(json_array_get(seats, i), "bot"),
                  NAME_MAX_WIDTH);
        between = ", ";
    }
}

/* "1/3 time", the game, and the opponents. */
static void add_game(struct buf *out, const json_t *game, const char *bot)
{
    const json_t *seats = json_object_get(game, "seats");
    size_t own = seat_of(seats, bot), before = out->len;
    const json_t *seat = json_array_get(seats, own);
    char place[80] = "void", start[DATE_WIDTH + 1];

    if (!view_is(game, "void"))
        snprintf(place, sizeof place, "%lld/%zu %.12s", view_int(seat, "rank"),
                 json_array_size(seats), view_text(seat, "left"));
    snprintf(start, sizeof start, "%s", view_text(game, "start"));
    add_cell(out, start, DATE_WIDTH);
    buf_str(out, "  ");
    add_cell(out, place, 13);
    buf_char(out, ' ');
    add_cell(out, view_text(game, "id"), 24);
    add_others(out, seats, own);
    if (out->len - before > COLUMNS)
        buf_cut(out, before + COLUMNS);
    buf_char(out, '\n');
}

static void add_games(struct buf *out, const json_t *games, const char *bot,
                      bool colour)
{
    if (json_array_size(games) == 0)
        return;
    paint(out, colour, PAINT_BOLD);
    buf_add(out, "\n%-*s  %-13s %-24s  %s", DATE_WIDTH, "start (UTC)", "rank",
            "game", "against");
    paint(out, colour, PAINT_PLAIN);
    buf_char(out, '\n');
    for (size_t i = 0; i < json_array_size(games); i++)
        add_game(out, json_array_get(games, i), bot);
}

void bots_as_text(const json_t *bots, bool colour, struct buf *out)
{
    for (size_t i = 0; i < json_array_size(bots); i++) {
        const json_t *bot = json_array_get(bots, i);
        const json_t *standings = json_object_get(bot, "standings");

        buf_str(out, i > 0 ? "\n" : "");
        paint(out, colour, PAINT_BOLD);
        add_plain(out, view_text(bot, "bot"), SUMMARY_WORD_MAX);
        paint(out, colour, PAINT_PLAIN);
        buf_str(out, " on ");
        add_plain(out, view_text(bot, "ladder"), SUMMARY_WORD_MAX);
        buf_str(out, "\n\n");
        if (json_array_size(standings) > 0)
            add_standings(out, standings, true, colour, false);
        add_opponents(out, json_object_get(bot, "opponents"), colour);
        add_games(out, json_object_get(bot, "played"), view_text(bot, "bot"),
                  colour);
    }
}
