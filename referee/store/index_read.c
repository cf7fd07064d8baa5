#include "store/index_state.h"

#include "base/pool.h"
#include "league/summary.h"

#include <limits.h>
#include <stdio.h>

bool index_results(struct index *x, const char *ladder, index_each_result *each,
                   void *arg, struct err *err)
{
    struct index_mark mark = {0};
    bool is_end;

    return index_results_part(x, ladder, INT_MAX, &mark, &is_end, each, arg,
                              err);
}

static void read_mark(struct sql *sql, struct index_mark *mark)
{
    snprintf(mark->start, sizeof mark->start, "%s", sql_text(sql, RESULTS, 3));
    snprintf(mark->game, sizeof mark->game, "%s", sql_text(sql, RESULTS, 4));
}

/* Seats come in order; the first seat of a game ends the one before. */
bool index_results_part(struct index *x, const char *ladder, int most,
                        struct index_mark *mark, bool *is_end,
                        index_each_result *each, void *arg, struct err *err)
{
    struct sql *sql = &x->sql;
    struct index_result result = {0};
    struct index_mark last = *mark;
    bool ok = true, more = true;

    sql_ask(sql, RESULTS, SQL_T(ladder), SQL_T(mark->start), SQL_T(mark->game));
    while (more && sql_row(sql, RESULTS, &ok, err)) {
        bool is_first = sql_int(sql, RESULTS, 0) == 1;

        if (result.seats == SEATS_MAX || (is_first && result.seats > 0)) {
            more = each(arg, &result) && --most > 0;
            result.seats = 0;
        }
        if (is_first && most == 1)
            read_mark(sql, &last);
        result.version[result.seats] =
            index_number(x, sql_int(sql, RESULTS, 1));
        result.score[result.seats] = sql_int(sql, RESULTS, 5);
        result.left_moves[result.seats] = sql_is_null(sql, RESULTS, 6)
                                              ? STAYED
                                              : (int)sql_int(sql, RESULTS, 6);
        result.rank[result.seats++] = (int)sql_int(sql, RESULTS, 2);
    }
    sql_stop(sql, RESULTS);
    if (ok && more && result.seats > 0)
        each(arg, &result);
    *mark = last;
    *is_end = more;
    return ok;
}

bool index_usual_moves(struct index *x, const char *ladder, double *moves,
                       struct err *err)
{
    bool ok = true;

    sql_ask(&x->sql, USUAL_MOVES, SQL_T(ladder));
    *moves = sql_row(&x->sql, USUAL_MOVES, &ok, err)
                 ? sql_real(&x->sql, USUAL_MOVES, 0)
                 : 0;
    sql_stop(&x->sql, USUAL_MOVES);
    return ok;
}

/* How many: no number in a tampered database may make sums overflow. */
static int64_t count_of(struct sql *sql, int which, int column)
{
    const int64_t most = INT64_C(1) << 40;
    int64_t n = sql_int(sql, which, column);

    return n < 0 ? 0 : n > most ? most : n;
}

/* For a version without games, which only a tampered database has. */
static double mean(int64_t sum, int64_t games)
{
    return games > 0 ? (double)sum / (double)games : 0;
}

static struct index_standing read_standing(struct index *x, int which)
{
    struct sql *sql = &x->sql;
    int64_t games = count_of(sql, which, 4);

    return (struct index_standing){
        .version = index_number(x, sql_int(sql, which, 0)),
        .name = sql_text(sql, which, 1),
        .text = sql_text(sql, which, 2),
        .is_current = sql_int(sql, which, 3) != 0,
        .games = games,
        .win_share = mean(sql_int(sql, which, 5), games) / STATS_WIN,
        .mean_rank = mean(sql_int(sql, which, 6), games),
        .mean_score = mean(sql_int(sql, which, 7), games),
        .forfeits = count_of(sql, which, 8),
        .first = sql_text(sql, which, 9),
        .last = sql_text(sql, which, 10),
        .is_rated = !sql_is_null(sql, which, 11),
        .elo = sql_real(sql, which, 11),
        .low = sql_real(sql, which, 12),
        .high = sql_real(sql, which, 13),
        .group = (int)sql_int(sql, which, 14),
    };
}

static bool tell_standings(struct index *x, int which,
                           index_each_standing *each, void *arg,
                           struct err *err)
{
    bool ok = true, more = true;

    while (more && sql_row(&x->sql, which, &ok, err)) {
        struct index_standing row = read_standing(x, which);

        more = each(arg, &row);
    }
    sql_stop(&x->sql, which);
    return ok;
}

bool index_standings(struct index *x, const char *ladder,
                     index_each_standing *each, void *arg, struct err *err)
{
    sql_ask(&x->sql, STANDINGS, SQL_T(ladder));
    return tell_standings(x, STANDINGS, each, arg, err);
}

bool index_latest(struct index *x, const char *ladder, int after, int limit,
                  index_each_standing *each, void *arg, struct err *err)
{
    sql_ask(&x->sql, LATEST_ON, SQL_T(ladder), SQL_I(limit), SQL_I(after));
    return tell_standings(x, LATEST_ON, each, arg, err);
}

bool index_standings_of(struct index *x, const char *ladder, const char *bot,
                        int limit, index_each_standing *each, void *arg,
                        struct err *err)
{
    sql_ask(&x->sql, STANDINGS_OF, SQL_T(ladder), SQL_T(bot), SQL_I(limit));
    return tell_standings(x, STANDINGS_OF, each, arg, err);
}

bool index_place(struct index *x, const char *ladder,
                 const struct index_standing *s, int64_t *place,
                 struct err *err)
{
    bool ok = true;

    sql_ask(&x->sql, PLACE_OF, SQL_T(ladder), SQL_T(s->name),
            SQL_I(!s->is_rated), SQL_D(s->is_rated ? -s->elo : 0));
    while (sql_row(&x->sql, PLACE_OF, &ok, err))
        *place = sql_int(&x->sql, PLACE_OF, 0);
    return ok;
}

bool index_path(struct index *x, const char *id, char *path, size_t size,
                struct err *err)
{
    bool ok = true;

    path[0] = '\0';
    sql_ask(&x->sql, PATH_OF, SQL_T(id));
    while (sql_row(&x->sql, PATH_OF, &ok, err))
        snprintf(path, size, "%s", sql_text(&x->sql, PATH_OF, 0));
    return ok;
}

bool index_places(struct index *x, index_each_place *each, void *arg,
                  struct err *err)
{
    bool ok = true, more = true;

    sql_ask_values(&x->sql, PLACES, NULL, 0);
    while (more && sql_row(&x->sql, PLACES, &ok, err))
        more = each(arg, sql_text(&x->sql, PLACES, 0),
                    sql_text(&x->sql, PLACES, 1));
    sql_stop(&x->sql, PLACES);
    return ok;
}

static bool tell_ladders(struct sql *sql, int which, index_each_ladder *each,
                         void *arg, struct err *err)
{
    bool ok = true, more = true;

    while (more && sql_row(sql, which, &ok, err)) {
        struct index_ladder row = {
            .name = sql_text(sql, which, 0),
            .games = sql_int(sql, which, 1),
            .voids = sql_int(sql, which, 2),
            .rated = sql_int(sql, which, 3),
            .anchor = sql_text(sql, which, 4),
            .anchor_elo = sql_real(sql, which, 5),
            .converged = sql_int(sql, which, 6) != 0,
            .is_solo = sql_int(sql, which, 6) == INDEX_FIT_SOLO,
            .last = sql_text(sql, which, 7),
            .rules = sql_text(sql, which, 8),
        };

        more = each(arg, &row);
    }
    sql_stop(sql, which);
    return ok;
}

bool index_ladders(struct index *x, index_each_ladder *each, void *arg,
                   struct err *err)
{
    sql_ask_values(&x->sql, LADDERS, NULL, 0);
    return tell_ladders(&x->sql, LADDERS, each, arg, err);
}

bool index_ladder(struct index *x, const char *name, index_each_ladder *each,
                  void *arg, struct err *err)
{
    sql_ask(&x->sql, LADDER_NAMED, SQL_T(name));
    return tell_ladders(&x->sql, LADDER_NAMED, each, arg, err);
}

bool index_fit(struct index *x, const char *ladder, const char *anchor,
               struct index_fit *fit, struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true;

    *fit = (struct index_fit){0};
    sql_ask(sql, FIT_OF, SQL_T(ladder), SQL_T(anchor));
    while (sql_row(sql, FIT_OF, &ok, err)) {
        fit->groups = (int)sql_int(sql, FIT_OF, 0);
        fit->has_anchor = sql_int(sql, FIT_OF, 1) != 0;
    }
    return ok;
}

bool index_bots(struct index *x, const char *after, index_each_bot *each,
                void *arg, struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true, more = true;

    sql_ask(sql, BOTS, SQL_T(after));
    while (more && sql_row(sql, BOTS, &ok, err))
        more = each(arg, sql_text(sql, BOTS, 0), sql_text(sql, BOTS, 1));
    sql_stop(sql, BOTS);
    return ok;
}

bool index_ladders_of(struct index *x, const char *bot, const char *after,
                      int limit, index_each_bot *each, void *arg,
                      struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true, more = true;

    sql_ask(sql, LADDERS_OF, SQL_T(bot), SQL_T(after), SQL_I(limit));
    while (more && sql_row(sql, LADDERS_OF, &ok, err))
        more = each(arg, bot, sql_text(sql, LADDERS_OF, 0));
    sql_stop(sql, LADDERS_OF);
    return ok;
}

bool index_opponents(struct index *x, const char *ladder, const char *bot,
                     int limit, index_each_opponent *each, void *arg,
                     struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true, more = true;

    sql_ask(sql, OPPONENTS, SQL_T(ladder), SQL_T(bot), SQL_I(limit));
    while (more && sql_row(sql, OPPONENTS, &ok, err)) {
        struct index_opponent row = {
            .name = sql_text(sql, OPPONENTS, 0),
            .games = count_of(sql, OPPONENTS, 1),
            .wins = count_of(sql, OPPONENTS, 2),
            .ties = count_of(sql, OPPONENTS, 3),
        };

        more = each(arg, &row);
    }
    sql_stop(sql, OPPONENTS);
    return ok;
}

static struct index_encounter read_encounter(struct sql *sql)
{
    return (struct index_encounter){
        .game = sql_text(sql, ENCOUNTERS, 0),
        .start = sql_text(sql, ENCOUNTERS, 1),
        .version = sql_text(sql, ENCOUNTERS, 2),
        .seat = (int)sql_int(sql, ENCOUNTERS, 3),
        .rank = (int)sql_int(sql, ENCOUNTERS, 4),
        .score = sql_int(sql, ENCOUNTERS, 5),
        .has_other = !sql_is_null(sql, ENCOUNTERS, 6),
        .is_rated = !sql_is_null(sql, ENCOUNTERS, 7),
        .other_rank = (int)sql_int(sql, ENCOUNTERS, 6),
        .elo = sql_real(sql, ENCOUNTERS, 7),
    };
}

bool index_encounters(struct index *x, const char *ladder, const char *bot,
                      int games, index_each_encounter *each, void *arg,
                      struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true, more = true;

    sql_ask(sql, ENCOUNTERS, SQL_T(ladder), SQL_T(bot),
            SQL_I(games * SEATS_MAX));
    while (more && sql_row(sql, ENCOUNTERS, &ok, err)) {
        struct index_encounter row = read_encounter(sql);

        more = each(arg, &row);
    }
    sql_stop(sql, ENCOUNTERS);
    return ok;
}

/* Games. */

static struct index_game read_game(struct sql *sql, int which)
{
    return (struct index_game){
        .id = sql_text(sql, which, 0),
        .ladder = sql_text(sql, which, 1),
        .start = sql_text(sql, which, 2),
        .rules = sql_text(sql, which, 3),
        .unit = sql_text(sql, which, 4),
        .reason = sql_text(sql, which, 5),
        .path = sql_text(sql, which, 6),
        .part = (int)sql_int(sql, which, 7),
        .parts = (int)sql_int(sql, which, 8),
        .moves = sql_int(sql, which, 9),
        .is_void = sql_int(sql, which, 10) != 0,
        .is_struck = sql_int(sql, which, 10) == INDEX_STRUCK,
    };
}

/* Texts of one row are gone at the next: keep them in the pool. */
static bool read_seats(struct sql *sql, struct index_game *game,
                       struct pool *pool, struct err *err)
{
    bool ok = true;

    sql_ask(sql, SEATS_OF, SQL_T(game->ladder), SQL_T(game->start),
            SQL_T(game->id));
    while (sql_row(sql, SEATS_OF, &ok, err)) {
        struct index_seat seat = {
            .name = pool_text(pool, sql_text(sql, SEATS_OF, 0)),
            .text = pool_text(pool, sql_text(sql, SEATS_OF, 1)),
            .why = pool_text(pool, sql_text(sql, SEATS_OF, 2)),
            .rank = (int)sql_int(sql, SEATS_OF, 3),
            .score = (int)sql_int(sql, SEATS_OF, 4),
        };

        if (game->seats < SEATS_MAX)
            game->seat[game->seats++] = seat;
    }
    return ok;
}

/* What was asked are games. */
static bool tell_games(struct sql *sql, int which, index_each_game *each,
                       void *arg, struct err *err)
{
    bool ok = true, more = true;

    while (more && sql_row(sql, which, &ok, err)) {
        struct index_game game = read_game(sql, which);
        struct pool pool = {0};

        ok = read_seats(sql, &game, &pool, err);
        more = ok && each(arg, &game);
        pool_release(&pool);
    }
    sql_stop(sql, which);
    return ok;
}

/* Where a page begins: nothing that is printable comes after DEL. */
static bool find_start(struct sql *sql, const char *before, char *start,
                       size_t size, struct err *err)
{
    bool ok = true;

    snprintf(start, size, "%s", before ? "" : "\x7f");
    if (!before)
        return true;
    sql_ask(sql, START_OF, SQL_T(before));
    while (sql_row(sql, START_OF, &ok, err))
        snprintf(start, size, "%s", sql_text(sql, START_OF, 0));
    return ok;
}

bool index_games(struct index *x, const struct index_page *page,
                 index_each_game *each, void *arg, struct err *err)
{
    int which = page->bot ? GAMES_OF : GAMES_ON;
    char start[SUMMARY_WORD_MAX + 1];

    if (!find_start(&x->sql, page->before, start, sizeof start, err))
        return false;
    sql_ask(&x->sql, which, SQL_T(page->ladder), SQL_T(page->bot), SQL_T(start),
            SQL_T(page->before ? page->before : ""), SQL_I(page->limit));
    return tell_games(&x->sql, which, each, arg, err);
}

bool index_game(struct index *x, const char *id, index_each_game *each,
                void *arg, struct err *err)
{
    sql_ask(&x->sql, GAME_OF_ID, SQL_T(id));
    return tell_games(&x->sql, GAME_OF_ID, each, arg, err);
}

bool index_all_games(struct index *x, const char *ladder, const char *bot,
                     index_each_game *each, void *arg, struct err *err)
{
    int which = bot ? ALL_GAMES_OF : ALL_GAMES_ON;

    sql_ask(&x->sql, which, SQL_T(ladder), SQL_T(bot));
    return tell_games(&x->sql, which, each, arg, err);
}
