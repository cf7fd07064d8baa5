/* Games that match a question, and how a bot did over time. */

#include "league/performance.h"
#include "store/find.h"
#include "store/progress.h"

#include "near.h"
#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char *folder;
static struct index *idx;
static struct err err;

static void begin_test(void)
{
    folder = scratch_new();
    idx = index_open(scratch_path(folder, "index.db"), INDEX_WRITE, &err);
    cr_assert(idx, "%s", err.text);
}

static void end_test(void)
{
    index_close(idx);
    scratch_free(folder);
}

TestSuite(find, .init = begin_test, .fini = end_test);

static void add(struct game_summary game)
{
    bool is_new;

    snprintf(game.start, sizeof game.start, "2026-01-01T00:00:%.2sZ",
             game.id + 1);
    cr_assert(index_begin(idx, &err) &&
                  index_add(idx, &game, "records/x.rec", &is_new, &err) &&
                  index_commit(idx, &err),
              "%s", err.text);
}

static void add_left(const char *id, const char *bots, const char *ranks,
                     int seat, const char *why)
{
    struct game_summary game = game_of(id, bots, ranks);

    snprintf(game.seat[seat].why, sizeof game.seat[seat].why, "%s", why);
    add(game);
}

static void add_void(const char *id, const char *bots)
{
    struct game_summary game = game_of(id, bots, "1 1");

    game.status = SUMMARY_VOID;
    add(game);
}

static void add_games(void)
{
    add(game_of("g10", "anna/1 bob/1", "1 2"));
    add(game_of("g11", "bob/1 anna/1", "1 2"));
    add(game_of("g12", "anna/1 carol/1", "1 1"));
    add_left("g13", "carol/1 anna/1", "2 1", 0, "time");
    add_left("g14", "anna/1 bob/1", "2 1", 0, "resign");
    add_void("g15", "anna/1 bob/1");
    add(game_of("g16", "bob/1 carol/1", "1 2"));
}

static struct find any(const char *bot)
{
    return (struct find){.ladder = "main",
                         .bot = bot,
                         .opponent = "",
                         .fault = "",
                         .before = "",
                         .limit = 100,
                         .look = 100};
}

/* Ids of what is found, and where it goes on: "g12 g10 | g10". */
static const char *found(struct find find)
{
    static char text[200];
    char next[SUMMARY_WORD_MAX + 1];
    json_t *games = find_games(idx, &find, next, &err), *game;
    size_t i;

    cr_assert(games, "%s", err.text);
    text[0] = '\0';
    json_array_foreach(games, i, game)
    {
        strcat(text, i ? " " : "");
        strcat(text, json_string_value(json_object_get(game, "id")));
    }
    if (*next)
        sprintf(text + strlen(text), " | %s", next);
    json_decref(games);
    return text;
}

Test(find, each_condition)
{
    struct find f = any("anna");

    add_games();
    cr_expect_str_eq(found(any("")), "g16 g15 g14 g13 g12 g11 g10");
    cr_expect_str_eq(found(f), "g15 g14 g13 g12 g11 g10");
    f.result = FIND_WON;
    cr_expect_str_eq(found(f), "g13 g10");
    f.result = FIND_TIED;
    cr_expect_str_eq(found(f), "g12");
    f.result = FIND_LOST;
    cr_expect_str_eq(found(f), "g14 g11");
    f.seat = 1;
    cr_expect_str_eq(found(f), "g14");
    f = any("anna");
    f.opponent = "bob";
    cr_expect_str_eq(found(f), "g15 g14 g11 g10");
    f = any("");
    f.result = FIND_VOID;
    cr_expect_str_eq(found(f), "g15");
    f = any("");
    f.fault = "any";
    cr_expect_str_eq(found(f), "g13", "a bot that resigned has not failed");
    f.fault = "resign";
    cr_expect_str_eq(found(f), "g14");
    f.bot = "bob";
    cr_expect_str_eq(found(f), "");
}

Test(find, goes_on_where_it_stopped)
{
    struct find f = any("");

    add_games();
    f.limit = 3;
    cr_expect_str_eq(found(f), "g16 g15 g14 | g14");
    f.before = "g14";
    cr_expect_str_eq(found(f), "g13 g12 g11 | g11");
    f.before = "g11";
    cr_expect_str_eq(found(f), "g10");
    f = any("anna");
    f.result = FIND_WON;
    f.look = 2;
    cr_expect_str_eq(found(f), " | g14", "it has looked at two of six");
    f.before = "g14";
    cr_expect_str_eq(found(f), "g13 | g12");
}

Test(find, questions_without_sense)
{
    struct find f = any("");

    cr_expect(find_check(&f, &err));
    f.seat = 1;
    cr_expect_not(find_check(&f, &err));
    f = any("");
    f.opponent = "bob";
    cr_expect_not(find_check(&f, &err));
    f = any("");
    f.fault = "bad weather";
    cr_expect_not(find_check(&f, &err));
    cr_expect(strstr(err.text, "bad weather"), "%s", err.text);
}

/* Performance: what would have been expected. */
Test(find, a_performance_explains_the_score)
{
    const struct encounter even[] = {{100, 1}, {100, 0}};
    const struct encounter won[] = {{0, 1}, {0, 1}, {0, 1}};
    double elo;

    ASSERT_NEAR(performance(NULL, 0, 70), 70, 1e-6);
    ASSERT_NEAR(performance(even, 2, 100), 100, 1e-6);
    elo = performance(even, 2, 0);
    cr_expect(elo > 0 && elo < 100, "%f", elo);
    elo = performance(won, 3, 0);
    /* 3.5 of 4 against 0: 400 log10(7). */
    ASSERT_NEAR(elo, 338.0392, 1e-3);
}

Test(find, progress_in_spans)
{
    json_t *progress, *spans, *seats;

    for (int i = 10; i < 30; i++) {
        char id[8];

        snprintf(id, sizeof id, "g%d", i);
        add(game_of(id, i < 20 ? "anna/1 bob/1" : "bob/1 anna/2",
                    i < 20 ? "2 1" : "2 1"));
    }
    progress = progress_of(idx, "main", "anna", false, 0, &err);
    cr_assert(progress, "%s", err.text);
    spans = json_object_get(progress, "spans");
    seats = json_object_get(progress, "seats");
    cr_expect_eq(json_integer_value(json_object_get(progress, "games")), 20);
    cr_expect_eq(json_array_size(spans), 4);
    cr_expect_eq(json_array_size(seats), 2);
    cr_expect_str_eq(
        json_string_value(json_object_get(json_array_get(spans, 0), "version")),
        "1", "oldest first");
    cr_expect_str_eq(
        json_string_value(json_object_get(json_array_get(spans, 3), "version")),
        "2");
    ASSERT_NEAR(
        json_real_value(json_object_get(json_array_get(spans, 0), "score")), 8,
        1e-9);
    ASSERT_NEAR(
        json_real_value(json_object_get(json_array_get(spans, 3), "score")), 9,
        1e-9);
    cr_expect(json_is_null(json_object_get(progress, "trend")));
    json_decref(progress);
}
