/* Games that are over: into the index, and what happens if it is locked. */

#include "daemon/closing.h"
#include "daemon/shares.h"
#include "store/session.h"

#include "store.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;
static char data[256];
static struct loop loop;
static struct log log_;
static struct archive *archive;
static struct syncer *syncer;
static struct closing *closing;
static struct err err;
static struct buf told;
static int indexed, tried, over;
static sqlite3 *other; /* holds the lock of the index */

static void on_game(void *owner, const struct game_summary *summary)
{
    buf_add(&told, "%s;", summary->id);
}

static void on_indexed(void *owner, const struct closed_game *game)
{
    indexed++;
}

static void on_tried(void *owner)
{
    tried++;
    if (other)
        sqlite3_close(other);
    other = NULL;
    if (closing_count(closing) == 0)
        loop_stop(&loop);
}

static const struct closing_owner calls = {on_game, on_indexed, on_tried};

static void on_over(void *owner)
{
    over++;
}

static struct troubles troubles = {.log = &log_, .on_over = on_over};

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(data, sizeof data, "%s/data", folder);
    loop_init(&loop);
    log_init(&log_, stderr, LOG_ERROR);
    buf_init(&told, 1 << 16);
    archive = archive_open(data, &err);
    cr_assert(archive, "%s", err.text);
    syncer = syncer_new(&loop);
    closing =
        closing_new(&loop, &log_, archive, syncer, &troubles, &calls, NULL);
}

static void end_test(void)
{
    syncer_free(syncer);
    closing_free(closing);
    archive_close(archive);
    loop_release(&loop);
    buf_release(&told);
    scratch_free(folder);
}

TestSuite(closing, .init = begin_test, .fini = end_test, .timeout = 60);

/* The record of a game that is over lies in its location. */
static struct closed_game keep(const char *id)
{
    struct game_summary b = game_of(id, "anna bob", "1 2");
    struct closed_game game = {.seats = 2};
    char *text = record_of(&b);
    struct buf bytes;

    buf_init(&bytes, 1 << 20);
    buf_str(&bytes, text);
    snprintf(game.id, sizeof game.id, "%s", id);
    cr_assert(archive_keep(archive, "main",
                           &(struct record_bytes){-1, 0, &bytes}, game.location,
                           &err),
              "%s", err.text);
    buf_release(&bytes);
    free(text);
    return game;
}

static void add(const char *id)
{
    struct closed_game game = keep(id);

    closing_add(closing, &game);
}

Test(closing, games_that_end_together_share_a_transaction)
{
    add("g1");
    add("g2");
    cr_expect_eq(closing_count(closing), 2);
    cr_expect_not_null(closing_find(closing, "g2"));
    cr_expect_null(closing_find(closing, "g3"));
    loop_run(&loop);
    cr_expect_str_eq(told.text, "g1;g2;");
    cr_expect_eq(indexed, 2);
    cr_expect_eq(tried, 1);
    cr_expect_null(closing_find(closing, "g2"));
}

Test(closing, an_index_that_is_locked_gets_them_later)
{
    bool has;

    cr_assert_eq(sqlite3_open(scratch_path(data, "index.db"), &other),
                 SQLITE_OK);
    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    add("g1");
    closing_flush(closing);
    cr_expect_eq(closing_count(closing), 1, "nothing is lost");
    cr_expect_not(trouble_allows_start(&troubles));
    cr_expect(strstr(trouble_text(&troubles), "games cannot be taken in"));
    loop_run(&loop); /* on_tried() unlocks it */
    cr_expect_str_eq(told.text, "g1;");
    cr_expect_eq(over, 1);
    cr_expect(trouble_allows_start(&troubles));
    cr_expect_null(trouble_text(&troubles));
    cr_expect(archive_has(archive, "g1", &has, &err) && has);
}

Test(closing, a_damaged_record_needs_no_more_care)
{
    struct closed_game game = keep("g1");

    snprintf(game.id, sizeof game.id, "other");
    closing_add(closing, &game);
    closing_flush(closing);
    cr_expect_eq(indexed, 1);
    cr_expect_str_eq(told.text, "", "but nobody hears of a game");
}

Test(closing, catches_up_with_what_the_index_has_lost)
{
    keep("g1");
    keep("g2");
    archive_close(archive);
    archive = archive_open(data, &err);
    closing_free(closing);
    closing =
        closing_new(&loop, &log_, archive, syncer, &troubles, &calls, NULL);
    cr_assert(closing_catch_up(closing, &err), "%s", err.text);
    cr_expect_str_eq(told.text, "g1;g2;");
}

/* Troubles. */

Test(trouble, a_game_that_cannot_be_started_is_tried_again)
{
    struct troubles t = {.log = &log_, .on_over = on_over};

    log_init(&log_, stderr, LOG_ERROR);
    trouble_begin(&t, TROUBLE_START, "no more processes");
    cr_expect_not(trouble_allows_start(&t));
    trouble_begin(&t, TROUBLE_START, "something else");
    cr_expect_str_eq(trouble_text(&t), "no more processes");
    t.of[TROUBLE_START].again_us = now_us();
    cr_expect(trouble_allows_start(&t), "only a try can tell");
    trouble_end(&t, TROUBLE_START);
    trouble_end(&t, TROUBLE_START);
    cr_expect_eq(over, 1);
    cr_expect_null(trouble_text(&t));
}

/* Sessions. */

Test(session, no_two_runs_have_one_name)
{
    char first[SESSION_TEXT + 1], second[SESSION_TEXT + 1],
        third[SESSION_TEXT + 1];

    folder = scratch_new();
    cr_assert(session_open(folder, 1700000000, first, &err));
    cr_assert(session_open(folder, 1700000000, second, &err));
    cr_assert(session_open(folder, 1699999990, third, &err));
    cr_expect(strncmp(first, "20231114-221320-", DATE_NAME_TEXT + 1) == 0);
    cr_expect(strncmp(second, "20231114-221321-", DATE_NAME_TEXT + 1) == 0);
    cr_expect(strncmp(third, "20231114-221322-", DATE_NAME_TEXT + 1) == 0,
              "the clock was set back");
    scratch_free(folder);
}

/* Shares of the time. */

Test(shares, who_has_used_up_his_share_waits_for_the_next_second)
{
    struct shares shares = {0};
    struct share *share = shares_admit(&shares, "10.0.0.1", 5000000, 0);

    cr_assert(share);
    shares_charge(&shares, share, SHARE_OF_ADDRESS_US + 1);
    cr_expect_null(shares_admit(&shares, "10.0.0.1", 5999999, 0));
    cr_expect(shares_admit(&shares, "10.0.0.2", 5999999, 0));
    cr_expect(shares_admit(&shares, "10.0.0.1", 6000000, 0));
}

Test(shares, all_together_have_a_share_too)
{
    struct shares shares = {0};
    char address[32];

    for (int i = 0; i < 3; i++) {
        snprintf(address, sizeof address, "10.0.0.%d", i);
        shares_charge(&shares, shares_admit(&shares, address, 0, 0),
                      SHARE_OF_ADDRESS_US);
    }
    cr_expect_null(shares_admit(&shares, "10.0.0.9", 0, 0));
}

Test(shares, while_games_run_a_turn_is_short)
{
    struct shares shares = {0};
    struct share *share = shares_admit(&shares, "10.0.0.1", 0, 1);

    shares_charge(&shares, share, SHARE_OF_TURN_US + 1);
    cr_expect_null(shares_admit(&shares, "10.0.0.1", 0, 1));
    cr_expect(shares_admit(&shares, "10.0.0.1", 0, 2), "another turn");
    cr_expect(shares_admit(&shares, "10.0.0.1", 0, 0), "no games");
}

Test(shares, many_addresses_share_the_last_row)
{
    struct shares shares = {0};
    struct share *first = NULL, *last = NULL;
    char address[32];

    for (int i = 0; i < SHARES_MAX + 5; i++) {
        snprintf(address, sizeof address, "10.0.%d.1", i);
        last = shares_admit(&shares, address, 0, 0);
        first = first ? first : last;
    }
    cr_expect_eq(last - first, SHARES_MAX - 1);
}
