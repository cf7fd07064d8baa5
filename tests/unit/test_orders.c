/* The organiser's orders: what is in force, and games that do not count. */

#include "store/disk.h"
#include "store/index_strike.h"
#include "store/rate.h"

#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder, path[256];
static struct orders orders;
static struct err err;

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(path, sizeof path, "%s", scratch_path(folder, "index.db"));
}

static void end_test(void)
{
    orders_release(&orders);
    scratch_free(folder);
}

TestSuite(orders, .init = begin_test, .fini = end_test, .timeout = 60);

static struct order order_of(enum order_kind kind, const char *name)
{
    struct order order = {.kind = kind, .who = "root", .why = "it cheats"};

    snprintf(order.name, sizeof order.name, "%s", name);
    return order;
}

static void give(enum order_kind kind, const char *name)
{
    struct order order = order_of(kind, name);

    cr_assert(orders_give(folder, &orders, &order, &err), "%s", err.text);
}

static void undo(enum order_kind kind, const char *name)
{
    struct order order = order_of(kind, name);

    order.undo = true;
    cr_assert(orders_give(folder, &orders, &order, &err), "%s", err.text);
}

/* As the next daemon finds it. */
static void read_again(void)
{
    orders_release(&orders);
    cr_assert(orders_load(folder, &orders, &err), "%s", err.text);
}

Test(orders, a_folder_without_orders_has_none)
{
    json_t *all;

    read_again();
    cr_expect_eq(orders.count, 0);
    cr_expect_null(orders_find(&orders, "anna", "main", "1"));
    cr_assert(orders_read(folder, &all, &err));
    cr_expect_eq(json_array_size(all), 0);
    json_decref(all);
}

Test(orders, an_order_is_remembered_with_its_reason)
{
    const struct order *order;

    give(ORDER_RETIRE, "bob");
    give(ORDER_STRIKE, "anna");
    give(ORDER_BAN, "carl");
    give(ORDER_PAUSE, "");
    read_again();
    cr_assert_eq(orders.count, 3);
    order = orders_find(&orders, "anna", "main", "1");
    cr_assert(order);
    cr_expect_eq(order->kind, ORDER_STRIKE);
    cr_expect_str_eq(order->why, "it cheats");
    cr_expect_str_eq(order->who, "root");
    cr_expect_eq(strlen(order->at), DATE_TEXT);
    cr_expect(orders_ban(&orders, "carl"));
    cr_expect_null(orders_ban(&orders, "anna"));
    cr_expect_null(orders_struck(&orders, "bob", "main", "1"));
}

Test(orders, an_order_holds_where_it_says)
{
    struct order order = order_of(ORDER_STRIKE, "anna");

    strcpy(order.ladder, "main");
    strcpy(order.version, "2");
    cr_assert(orders_give(folder, &orders, &order, &err));
    cr_expect(orders_find(&orders, "anna", "main", "2"));
    cr_expect_null(orders_find(&orders, "anna", "main", "3"));
    cr_expect_null(orders_find(&orders, "anna", "other", "2"));
    cr_expect_null(orders_find(&orders, "ann", "main", "2"));
}

Test(orders, an_order_can_be_undone_once)
{
    struct order order = order_of(ORDER_BAN, "anna");

    give(ORDER_BAN, "anna");
    give(ORDER_STRIKE, "anna");
    undo(ORDER_BAN, "anna");
    order.undo = true;
    cr_expect_not(orders_give(folder, &orders, &order, &err));
    cr_expect_str_eq(err.text, "there is no ban of anna to undo; \"referee "
                               "log\" shows the orders");
    read_again();
    cr_expect_null(orders_ban(&orders, "anna"));
    cr_expect(orders_struck(&orders, "anna", "main", "1"));
}

static void append(const char *text)
{
    FILE *file = fopen(scratch_path(folder, "orders.jsonl"), "a");

    fputs(text, file);
    fclose(file);
}

Test(orders, a_line_that_the_power_cut_off_spoils_no_other)
{
    give(ORDER_BAN, "anna");
    append("{\"what\": \"ban\", \"na");
    read_again();
    cr_expect_eq(orders.count, 1);
    give(ORDER_BAN, "bob");
    read_again();
    cr_expect_eq(orders.count, 2);
}

Test(orders, a_line_that_is_wrong_is_named)
{
    give(ORDER_BAN, "anna");
    append("{\"what\": \"forget\", \"name\": \"anna\"}\n");
    cr_expect_not(orders_load(folder, &orders, &err));
    cr_expect(strstr(err.text, "orders.jsonl:2: what must be one of "
                               "strike|retire|ban|pause|resume|stop|kick|"
                               "reload|register, not \"forget\""),
              "%s", err.text);
}

/* Strikes. */

static struct index *open_index(void)
{
    struct index *index = index_open(path, INDEX_WRITE, &err);

    cr_assert(index, "%s", err.text);
    return index;
}

static void add_games(struct index *index, const char *const *bots, int count)
{
    bool is_new;

    cr_assert(index_begin(index, &err));
    for (int i = 0; i < count; i++) {
        char id[16];
        struct game_summary game;

        snprintf(id, sizeof id, "g%02d", i);
        game = game_of(id, bots[i], i % 3 == 2 ? "1 1" : "1 2");
        snprintf(game.start, sizeof game.start, "2026-11-18T10:00:%02dZ", i);
        cr_assert(index_add(index, &game, "x.rec", &is_new, &err));
    }
    cr_assert(index_commit(index, &err));
}

static const char *const games[] = {
    "anna/1 bob/1",  "bob/1 anna/1", "anna/2 carl/1", "bob/1 carl/1",
    "carl/1 bob/1",  "anna/1 bob/2", "dora/1 anna/2", "carl/1 dora/1",
    "anna/1 anna/2", "bob/2 dora/1",
};

/* The index without its games and seats. */
static char *sums_of(const char *file)
{
    char *all = tables_of(file), *at = strstr(all, "standings");

    cr_assert(at);
    memmove(all, at, strlen(at) + 1);
    return all;
}

/* For every set of bots. */
Test(orders, an_undone_strike_leaves_no_trace)
{
    static const char *const names[] = {"anna", "bob", "carl", "dora"};
    struct index *index = open_index();
    char *whole, *back;

    add_games(index, games, 10);
    whole = tables_of(path);
    for (unsigned set = 1; set < 16; set++) {
        bool is_struck;

        for (int i = 0; i < 4; i++)
            if (set & 1u << i)
                give(ORDER_STRIKE, names[i]);
        cr_assert(index_is_struck(index, &orders, &is_struck, &err));
        cr_expect_not(is_struck);
        cr_assert(index_strike(index, &orders, &err), "%s", err.text);
        cr_assert(index_is_struck(index, &orders, &is_struck, &err));
        cr_expect(is_struck);
        for (int i = 0; i < 4; i++)
            if (set & 1u << i)
                undo(ORDER_STRIKE, names[i]);
        cr_assert(index_strike(index, &orders, &err), "%s", err.text);
        back = tables_of(path);
        cr_assert_str_eq(back, whole, "set %u: undone, but not as before", set);
        free(back);
    }
    free(whole);
    index_close(index);
}

struct sums {
    int games[4];
};

static bool take_row(void *arg, const struct index_standing *row)
{
    struct sums *sums = arg;
    int bot = row->name[0] - 'a';

    sums->games[bot] += (int)row->games;
    return true;
}

static bool take_result(void *arg, const struct index_result *result)
{
    ++*(int *)arg;
    return true;
}

static bool take_ladder(void *arg, const struct index_ladder *row)
{
    *(int64_t *)arg = row->games;
    return true;
}

Test(orders, one_version_on_one_ladder_can_be_struck)
{
    struct index *index = open_index();
    struct order order = order_of(ORDER_STRIKE, "anna");
    struct sums sums = {0};
    int64_t ladder = 0;
    int results = 0;

    add_games(index, games, 10);
    strcpy(order.ladder, "main");
    strcpy(order.version, "2");
    cr_assert(orders_give(folder, &orders, &order, &err));
    cr_assert(index_strike(index, &orders, &err), "%s", err.text);
    cr_assert(index_standings(index, "main", take_row, &sums, &err));
    cr_expect_eq(sums.games[0], 3, "anna 1 without the game against anna 2");
    cr_expect_eq(sums.games[1], 6);
    cr_expect_eq(sums.games[2], 3, "carl without the game against anna 2");
    cr_assert(index_results(index, "main", take_result, &results, &err));
    cr_expect_eq(results, 7);
    cr_assert(index_ladder(index, "main", take_ladder, &ladder, &err));
    cr_expect_eq(ladder, 7);
    strcpy(order.ladder, "other");
    order.undo = true;
    cr_expect_not(orders_give(folder, &orders, &order, &err));
    index_close(index);
}

static struct rate_anchor no_anchor(void *arg, const char *ladder)
{
    return (struct rate_anchor){0};
}

/* Struck games are as if they had never been played. */
Test(orders, ratings_follow_a_strike_and_its_undoing)
{
    struct index *index = open_index();
    char *before, *struck, *without, *back;

    add_games(index, games, 10);
    index_close(index);
    cr_assert(rate_stale(path, NULL, no_anchor, NULL, &err), "%s", err.text);
    before = sums_of(path);
    give(ORDER_STRIKE, "anna");
    cr_assert(rate_stale(path, NULL, no_anchor, NULL, &err), "%s", err.text);
    struck = sums_of(path);

    snprintf(path, sizeof path, "%s", scratch_path(folder, "fewer.db"));
    index = open_index();
    for (int i = 0; i < 10; i++)
        if (!strstr(games[i], "anna")) {
            struct game_summary game =
                game_of("x", games[i], i % 3 == 2 ? "1 1" : "1 2");
            bool is_new;

            snprintf(game.id, sizeof game.id, "g%02d", i);
            snprintf(game.start, sizeof game.start, "2026-11-18T10:00:%02dZ",
                     i);
            cr_assert(index_begin(index, &err));
            cr_assert(index_add(index, &game, "x.rec", &is_new, &err));
            cr_assert(index_commit(index, &err));
        }
    index_close(index);
    cr_assert(rate_stale(path, NULL, no_anchor, NULL, &err), "%s", err.text);
    without = sums_of(path);
    cr_expect_str_eq(struck, without);

    snprintf(path, sizeof path, "%s", scratch_path(folder, "index.db"));
    undo(ORDER_STRIKE, "anna");
    cr_assert(rate_stale(path, NULL, no_anchor, NULL, &err), "%s", err.text);
    back = sums_of(path);
    cr_expect_str_eq(back, before);
    cr_expect_str_neq(back, struck);
    free(before);
    free(struck);
    free(without);
    free(back);
}
