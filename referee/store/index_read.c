#include "store/index_state.h"

#include "league/summary.h"

#include <stdio.h>

/* Seats come in order; the first seat of a game ends the one before. */
bool index_results(struct index *x, const char *ladder, index_each_result *each,
                   void *arg, struct err *err)
{
    struct sql *sql = &x->sql;
    struct index_result result = {0};
    bool ok = true, more = true;

    sql_ask(sql, RESULTS, SQL_T(ladder));
    while (more && sql_row(sql, RESULTS, &ok, err)) {
        if (sql_int(sql, RESULTS, 0) == 1 && result.seats > 0) {
            more = each(arg, &result);
            result.seats = 0;
        }
        result.version[result.seats] =
            index_number(x, sql_int(sql, RESULTS, 1));
        result.rank[result.seats++] = (int)sql_int(sql, RESULTS, 2);
    }
    sql_stop(sql, RESULTS);
    if (ok && more && result.seats > 0)
        each(arg, &result);
    return ok;
}

bool index_meetings(struct index *x, const char *ladder,
                    index_each_meeting *each, void *arg, struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true, more = true;

    sql_ask(sql, MEETINGS, SQL_T(ladder));
    while (more && sql_row(sql, MEETINGS, &ok, err)) {
        struct index_meeting row = {
            .version = index_number(x, sql_int(sql, MEETINGS, 0)),
            .opponent = index_number(x, sql_int(sql, MEETINGS, 1)),
            .games = sql_int(sql, MEETINGS, 2),
            .wins = sql_int(sql, MEETINGS, 3),
            .ties = sql_int(sql, MEETINGS, 4),
        };

        more = each(arg, &row);
    }
    sql_stop(sql, MEETINGS);
    return ok;
}

static struct index_standing read_standing(struct index *x)
{
    struct sql *sql = &x->sql;
    int64_t games = sql_int(sql, STANDINGS, 4);

    return (struct index_standing){
        .version = index_number(x, sql_int(sql, STANDINGS, 0)),
        .name = sql_text(sql, STANDINGS, 1),
        .text = sql_text(sql, STANDINGS, 2),
        .is_current = sql_int(sql, STANDINGS, 3) != 0,
        .games = games,
        .win_share =
            (double)sql_int(sql, STANDINGS, 5) / (double)(STATS_WIN * games),
        .mean_rank = (double)sql_int(sql, STANDINGS, 6) / (double)games,
        .mean_score = (double)sql_int(sql, STANDINGS, 7) / (double)games,
        .forfeits = sql_int(sql, STANDINGS, 8),
        .first = sql_text(sql, STANDINGS, 9),
        .last = sql_text(sql, STANDINGS, 10),
        .is_rated = !sql_is_null(sql, STANDINGS, 11),
        .elo = sql_real(sql, STANDINGS, 11),
        .low = sql_real(sql, STANDINGS, 12),
        .high = sql_real(sql, STANDINGS, 13),
        .group = (int)sql_int(sql, STANDINGS, 14),
    };
}

bool index_standings(struct index *x, const char *ladder,
                     index_each_standing *each, void *arg, struct err *err)
{
    bool ok = true, more = true;

    sql_ask(&x->sql, STANDINGS, SQL_T(ladder));
    while (more && sql_row(&x->sql, STANDINGS, &ok, err)) {
        struct index_standing row = read_standing(x);

        more = each(arg, &row);
    }
    sql_stop(&x->sql, STANDINGS);
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
