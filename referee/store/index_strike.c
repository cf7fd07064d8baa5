#include "store/index_strike.h"

#include "store/disk.h"
#include "store/index_state.h"

#include <stdio.h>
#include <string.h>

/* Which games are to be turned. */

static bool find_to_strike(struct index *x, const struct orders *orders,
                           const char *name, struct disk_names *games,
                           struct err *err)
{
    struct sql *sql = &x->sql;
    bool ok = true;

    sql_ask(sql, PLAYED_BY, SQL_T(name));
    while (sql_row(sql, PLAYED_BY, &ok, err))
        if (orders_struck(orders, name, sql_text(sql, PLAYED_BY, 1),
                          sql_text(sql, PLAYED_BY, 2)))
            disk_names_add(games, sql_text(sql, PLAYED_BY, 0));
    return ok;
}

/* A game as it is to be counted. */
struct struck_game {
    struct game_summary game;
    int64_t version[SEATS_MAX];
    bool is_struck; /* now */
    bool is_to_be;
};

static void add_seat(struct sql *sql, const struct orders *orders,
                     struct struck_game *g)
{
    struct game_summary *b = &g->game;
    struct summary_seat *seat = &b->seat[b->seats];
    int rank = (int)sql_int(sql, SEATS_TO_COUNT, 4);

    snprintf(seat->name, sizeof seat->name, "%s",
             sql_text(sql, SEATS_TO_COUNT, 0));
    snprintf(seat->version, sizeof seat->version, "%s",
             sql_text(sql, SEATS_TO_COUNT, 1));
    snprintf(seat->why, sizeof seat->why, "%s",
             sql_text(sql, SEATS_TO_COUNT, 3));
    snprintf(b->event, sizeof b->event, "%s", sql_text(sql, SEATS_TO_COUNT, 6));
    snprintf(b->start, sizeof b->start, "%s", sql_text(sql, SEATS_TO_COUNT, 7));
    g->version[b->seats++] = sql_int(sql, SEATS_TO_COUNT, 2);
    seat->rank = rank < 0 ? -rank : rank;
    seat->score = (int)sql_int(sql, SEATS_TO_COUNT, 5);
    g->is_struck = sql_int(sql, SEATS_TO_COUNT, 8) == INDEX_STRUCK;
    g->is_to_be = g->is_to_be ||
                  orders_struck(orders, seat->name, b->event, seat->version);
}

static bool read_game(struct index *x, const struct orders *orders,
                      const char *id, struct struck_game *g, struct err *err)
{
    bool ok = true;

    *g = (struct struck_game){.game.status = SUMMARY_FINISHED};
    snprintf(g->game.id, sizeof g->game.id, "%s", id);
    sql_ask(&x->sql, SEATS_TO_COUNT, SQL_T(id));
    while (sql_row(&x->sql, SEATS_TO_COUNT, &ok, err))
        if (g->game.seats < SEATS_MAX)
            add_seat(&x->sql, orders, g);
    return ok;
}

/* Of those that are struck, the ones that are not to be any more. */
static bool find_to_restore(struct index *x, const struct orders *orders,
                            struct disk_names *games, struct err *err)
{
    struct disk_names struck = {0};
    bool ok = true;

    sql_ask_values(&x->sql, STRUCK, NULL, 0);
    while (sql_row(&x->sql, STRUCK, &ok, err))
        disk_names_add(&struck, sql_text(&x->sql, STRUCK, 0));
    for (size_t i = 0; ok && i < struck.count; i++) {
        struct struck_game g;

        ok = read_game(x, orders, struck.name[i], &g, err);
        if (ok && !g.is_to_be)
            disk_names_add(games, struck.name[i]);
    }
    disk_names_free(&struck);
    return ok;
}

static bool find_games(struct index *x, const struct orders *orders,
                       struct disk_names *games, struct err *err)
{
    const char *last = "";

    for (size_t i = 0; i < orders->count; i++) {
        const struct order *o = &orders->order[i];

        if (o->kind != ORDER_STRIKE || strcmp(o->name, last) == 0)
            continue;
        if (!find_to_strike(x, orders, o->name, games, err))
            return false;
        last = o->name;
    }
    return find_to_restore(x, orders, games, err);
}

bool index_is_struck(struct index *x, const struct orders *orders, bool *is,
                     struct err *err)
{
    struct disk_names games = {0};
    bool ok = find_games(x, orders, &games, err);

    *is = games.count == 0;
    disk_names_free(&games);
    return ok;
}

/* Turning them. */

/* Two struck bots may have met: the second time it is struck already. */
static bool turn(struct index *x, const struct orders *orders, const char *id,
                 struct disk_names *ladders, struct err *err)
{
    struct struck_game g;

    if (!read_game(x, orders, id, &g, err))
        return false;
    if (g.is_struck == g.is_to_be)
        return true;
    disk_names_add(ladders, g.game.event);
    return tally_add(x, &g.game, g.version, g.is_to_be ? -1 : 1, err) &&
           sql_run(&x->sql, TURN_RANKS, err, SQL_T(g.game.event),
                   SQL_T(g.game.start), SQL_T(id)) &&
           sql_run(&x->sql, MARK_GAME, err,
                   SQL_I(g.is_to_be ? INDEX_STRUCK : 0), SQL_T(id));
}

/* What is not a sum: who is left, since when, and with which version. */
static bool tidy(struct index *x, const char *ladder, struct err *err)
{
    static const int steps[] = {DROP_FIT,   DROP_STANDINGS, DROP_MEETINGS,
                                FIND_TIMES, DROP_LATEST,    FIND_LATEST};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!sql_run(&x->sql, steps[i], err, SQL_T(ladder)))
            return false;
    return true;
}

static bool turn_all(struct index *x, const struct orders *orders,
                     const struct disk_names *games, struct err *err)
{
    struct disk_names ladders = {0};
    bool ok = true;

    for (size_t i = 0; ok && i < games->count; i++)
        ok = turn(x, orders, games->name[i], &ladders, err);
    ok = ok && tally_write(x, err);
    disk_names_sort(&ladders);
    for (size_t i = 0; ok && i < ladders.count; i++)
        if (i == 0 || strcmp(ladders.name[i], ladders.name[i - 1]) != 0)
            ok = tidy(x, ladders.name[i], err);
    disk_names_free(&ladders);
    return ok;
}

bool index_strike(struct index *x, const struct orders *orders, struct err *err)
{
    struct disk_names games = {0};
    bool ok;

    if (!index_begin(x, err))
        return false;
    ok = find_games(x, orders, &games, err) && turn_all(x, orders, &games, err);
    disk_names_free(&games);
    if (ok)
        return index_commit(x, err);
    index_undo(x);
    return false;
}
