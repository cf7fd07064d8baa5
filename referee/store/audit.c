#include "store/audit.h"

#include "league/gifts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUN_ODD = 4,      /* games given in a row */
    VERSIONS_ODD = 5, /* under which they were given */
    WINS_ODD = 10,    /* that many, and such a part of all: */
    SHARE_ODD = 50,   /* per cent */
    ALONE_ODD = 10,   /* games at hours when nobody else played */
    HOUR_TEXT = 13,   /* "2026-11-16T04" */
    PAIR_BYTES = 2 * SUMMARY_NAME_MAX + 2,
};

struct audit {
    json_t *pairs; /* by "GAINER GIVER" */
    json_t *wins;  /* by name */
    json_t *hours; /* games in each */
    int64_t games;
    double usual; /* moves of games that nobody left */
};

static int64_t get(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

static void set(json_t *row, const char *key, int64_t value)
{
    json_object_set_new(row, key, json_integer(value));
}

static void add(json_t *row, const char *key, int64_t value)
{
    set(row, key, get(row, key) + value);
}

static json_t *pair_of(struct audit *a, const char *gainer, const char *giver)
{
    char key[PAIR_BYTES];
    json_t *row;

    snprintf(key, sizeof key, "%s %s", gainer, giver);
    row = json_object_get(a->pairs, key);
    if (row)
        return row;
    row = json_pack("{s:s, s:s, s:{}, s:{}}", "gainer", gainer, "giver", giver,
                    "seen", "hours");
    json_object_set_new(a->pairs, key, row);
    return row;
}

static void count_gift(json_t *row, const struct index_game *game,
                       const struct index_seat *giver)
{
    if (!json_object_get(row, "first"))
        json_object_set_new(row, "first", json_string(game->start));
    json_object_set_new(row, "last", json_string(game->start));
    json_object_set_new(json_object_get(row, "seen"), giver->text, json_true());
    add(row, "given", 1);
    add(row, "moves", game->moves);
    add(row, "now", 1);
    if (get(row, "now") > get(row, "run"))
        set(row, "run", get(row, "now"));
}

/* As gifts_hold() does it for the ratings. */
static void count_held(const struct audit *a, json_t *row,
                       const struct index_game *game)
{
    if (!gift_is_short(game->moves, a->usual))
        set(row, "short", 0);
    else
        add(row, "short", 1);
    if (get(row, "short") > GIFTS_FREE)
        add(row, "held", 1);
}

static void count_hour(json_t *hours, const struct index_game *game)
{
    char hour[HOUR_TEXT + 1];

    snprintf(hour, sizeof hour, "%s", game->start);
    add(hours, hour, 1);
}

static void count_pair(struct audit *a, const struct index_game *game,
                       const struct index_seat *gainer,
                       const struct index_seat *giver)
{
    json_t *row = pair_of(a, gainer->name, giver->name);

    add(row, "games", 1);
    if (gainer->rank < giver->rank) {
        add(row, "won", 1);
        add(a->wins, gainer->name, 1);
    }
    if (gainer->rank < giver->rank && giver->why[0] && !gainer->why[0]) {
        count_gift(row, game, giver);
        count_held(a, row, game);
    } else {
        set(row, "now", 0);
        set(row, "short", 0);
    }
    count_hour(json_object_get(row, "hours"), game);
}

static bool count_game(void *arg, const struct index_game *game)
{
    struct audit *a = arg;

    if (game->is_void)
        return true;
    a->games++;
    count_hour(a->hours, game);
    for (int i = 0; i < game->seats; i++)
        for (int j = 0; j < game->seats; j++)
            if (strcmp(game->seat[i].name, game->seat[j].name) != 0)
                count_pair(a, game, &game->seat[i], &game->seat[j]);
    return true;
}

/* What is odd about a pair. */

static void add_reason(json_t *odd, const char *sentence)
{
    json_array_append_new(odd, json_string(sentence));
}

/* Their games at hours when no other game was played. */
static int64_t games_alone(const struct audit *a, const json_t *row)
{
    json_t *hours = json_object_get(row, "hours");
    int64_t alone = 0;
    const char *hour;
    json_t *games;

    json_object_foreach(hours, hour, games) if (json_integer_value(games) ==
                                                get(a->hours, hour)) alone +=
        json_integer_value(games);
    return alone;
}

static void find_odd(const struct audit *a, json_t *row, json_t *odd)
{
    int64_t given = get(row, "given"), won = get(row, "won");
    int64_t wins =
        get(a->wins, json_string_value(json_object_get(row, "gainer")));
    int64_t alone = games_alone(a, row);
    double mean = given ? (double)get(row, "moves") / (double)given : 0;
    char text[120];

    if (get(row, "run") >= RUN_ODD) {
        snprintf(text, sizeof text, "%lld games given away in a row",
                 (long long)get(row, "run"));
        add_reason(odd, text);
    }
    if (get(row, "versions") >= VERSIONS_ODD) {
        snprintf(text, sizeof text, "under %lld versions",
                 (long long)get(row, "versions"));
        add_reason(odd, text);
    }
    if (given >= RUN_ODD && mean * GIFTS_SHORT < a->usual) {
        snprintf(text, sizeof text,
                 "after %.0f moves on average; %.0f are usual", mean, a->usual);
        add_reason(odd, text);
    }
    if (get(row, "held") > 0) {
        snprintf(text, sizeof text, "%lld of them excluded from the ratings",
                 (long long)get(row, "held"));
        add_reason(odd, text);
    }
    if (given > 0 && alone >= ALONE_ODD && json_object_size(a->wins) > 2) {
        snprintf(text, sizeof text,
                 "%lld games at hours when nobody else played",
                 (long long)alone);
        add_reason(odd, text);
    }
    if (given > 0 && won >= WINS_ODD && json_object_size(a->wins) > 2 &&
        100 * won >= SHARE_ODD * wins) {
        snprintf(text, sizeof text, "%lld %% of all wins",
                 (long long)(100 * won / wins));
        add_reason(odd, text);
    }
    json_object_set_new(row, "share",
                        json_real(wins ? (double)won / (double)wins : 0));
    json_object_set_new(row, "moves", json_real(mean));
}

static int by_gifts(const void *x, const void *y)
{
    const json_t *a = *(json_t *const *)x, *b = *(json_t *const *)y;
    int64_t more = get(b, "given") - get(a, "given");

    if (more)
        return more > 0 ? 1 : -1;
    return strcmp(json_string_value(json_object_get(a, "gainer")),
                  json_string_value(json_object_get(b, "gainer")));
}

static void finish_row(const struct audit *a, json_t *row)
{
    json_t *odd = json_array();

    set(row, "versions",
        (int64_t)json_object_size(json_object_get(row, "seen")));
    json_object_del(row, "seen");
    json_object_del(row, "now");
    json_object_del(row, "short");
    for (size_t i = 0; i < 4; i++)
        add(row, ((const char *[]){"won", "given", "run", "held"})[i], 0);
    find_odd(a, row, odd);
    json_object_del(row, "hours");
    json_object_set_new(row, "odd", odd);
}

/* The odd ones, in order. */
static json_t *list_odd(struct audit *a)
{
    size_t count = 0;
    json_t **rows = calloc(json_object_size(a->pairs) + 1, sizeof *rows);
    json_t *list = json_array(), *row;
    const char *key;

    if (!rows)
        abort();
    json_object_foreach(a->pairs, key, row)
    {
        finish_row(a, row);
        if (json_array_size(json_object_get(row, "odd")) > 0)
            rows[count++] = row;
    }
    qsort(rows, count, sizeof *rows, by_gifts);
    for (size_t i = 0; i < count; i++)
        json_array_append(list, rows[i]);
    free(rows);
    return list;
}

json_t *audit_ladder(struct index *index, const char *ladder, struct err *err)
{
    struct audit a = {
        .pairs = json_object(), .wins = json_object(), .hours = json_object()};
    json_t *out = NULL;

    if (index_usual_moves(index, ladder, &a.usual, err) &&
        index_all_games(index, ladder, NULL, count_game, &a, err))
        out = a.games == 0
                  ? json_null()
                  : json_pack("{s:s, s:I, s:f, s:o}", "ladder", ladder, "games",
                              (json_int_t)a.games, "usual_moves", a.usual,
                              "pairs", list_odd(&a));
    json_decref(a.pairs);
    json_decref(a.wins);
    json_decref(a.hours);
    return out;
}
