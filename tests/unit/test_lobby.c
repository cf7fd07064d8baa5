/* The lobby: who waits, who plays next, and who does not. */

#include "daemon/lobby.h"

#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder;
static struct loop loop;
static struct log log_;
static struct index *database;
static struct lobby *lobby;
static struct err err;

static struct ladder_config duel;
static struct serve_config config;
static struct connection bot[3];
static const char *const names[3] = {"anna", "bob", "carl"};

/* What the owner hears. */
static bool may_start;
static int games;
static char last[128]; /* who plays, in the order of their names */
static int entrant[SEATS_MAX];
static struct lobby_ladder *ladder;

static bool can_start(void *owner)
{
    return may_start;
}

static const char *name_of(const struct guest *guest)
{
    return guest->connection ? guest->connection->name
                             : guest->player->bot.name;
}

static void on_chosen(void *owner, struct lobby_ladder *l,
                      const struct guest *guest)
{
    const char *a = name_of(&guest[0]), *b = name_of(&guest[1]);

    games++;
    ladder = l;
    snprintf(last, sizeof last, "%s %s", strcmp(a, b) < 0 ? a : b,
             strcmp(a, b) < 0 ? b : a);
    for (int i = 0; i < 2; i++) {
        entrant[i] = guest[i].entrant;
        if (guest[i].connection)
            guest[i].connection->phase = CONNECTION_PLAYING;
    }
    lobby_began(l, entrant, 1);
}

static const char *kept_out; /* the name of a bot, or NULL */

static const char *keeps_out(void *owner, const char *on, const char *name,
                             const char *version)
{
    return kept_out && strcmp(name, kept_out) == 0 ? "it cheats" : NULL;
}

static const struct lobby_owner calls = {can_start, keeps_out, on_chosen};

static void stop(void *arg)
{
    loop_stop(&loop);
}

/* Let the lobby look at all that has changed. */
static void look(void)
{
    struct deferred deferred = {.run = stop};

    loop_later(&loop, &deferred);
    loop_run(&loop);
}

static void begin_test(void)
{
    folder = scratch_new();
    loop_init(&loop);
    log_init(&log_, stderr, LOG_ERROR);
    database = index_open(scratch_path(folder, "index.db"), INDEX_WRITE, &err);
    cr_assert(database, "%s", err.text);
    duel = (struct ladder_config){.name = "duel",
                                  .game = game_find("rondo"),
                                  .setup = {.seats = 2},
                                  .joins_all = true,
                                  .games_max = 10,
                                  .copies = 1};
    config = (struct serve_config){.ladder = &duel, .ladders = 1};
    for (int i = 0; i < 3; i++) {
        bot[i] = (struct connection){.phase = CONNECTION_IDLE, .begun_us = 1};
        talk_init(&bot[i].talk);
        snprintf(bot[i].name, sizeof bot[i].name, "%s", names[i]);
    }
    may_start = true;
    lobby = lobby_new(&loop, &log_, database, &calls, NULL);
    cr_assert(lobby_configure(lobby, &config, true, &err), "%s", err.text);
}

static void end_test(void)
{
    lobby_free(lobby);
    for (int i = 0; i < 3; i++)
        talk_release(&bot[i].talk);
    index_close(database);
    loop_release(&loop);
    scratch_free(folder);
}

TestSuite(lobby, .init = begin_test, .fini = end_test, .timeout = 60);

Test(lobby, two_who_wait_play)
{
    lobby_join(lobby, &bot[0]);
    look();
    cr_assert_eq(games, 0, "nobody plays alone");
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 1);
    cr_assert_str_eq(last, "anna bob");
    cr_assert_eq(ladder->running, 1);
}

Test(lobby, who_has_left_is_not_chosen)
{
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    lobby_join(lobby, &bot[2]);
    lobby_leave(lobby, &bot[1]);
    look();
    cr_assert_str_eq(last, "anna carl");
    cr_assert_null(lobby_queued(lobby, 2));
}

Test(lobby, only_those_who_may_join_are_chosen)
{
    static const char *may[] = {"anna", "carl"};

    duel.joins_all = false;
    duel.joiner = may;
    duel.joiners = 2;
    cr_expect(lobby_admits(&duel, "carl"));
    cr_expect_not(lobby_admits(&duel, "bob"));
    for (int i = 0; i < 3; i++)
        lobby_join(lobby, &bot[i]);
    look();
    cr_assert_eq(games, 1);
    cr_assert_str_eq(last, "anna carl");
}

Test(lobby, nothing_starts_until_it_may)
{
    may_start = false;
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 0);
    may_start = true;
    lobby_changed(lobby);
    look();
    cr_assert_eq(games, 1);
}

Test(lobby, no_more_games_run_at_once_than_the_ladder_allows)
{
    duel.games_max = 0;
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 0);
}

Test(lobby, whom_the_organiser_keeps_out_does_not_play)
{
    kept_out = "anna";
    for (int i = 0; i < 3; i++)
        lobby_join(lobby, &bot[i]);
    look();
    cr_assert_eq(games, 1);
    cr_assert_str_eq(last, "bob carl");
}

/* The game is over, and in the index. */
static void end_game(const char *id)
{
    struct game_summary summary = game_of(id, "anna bob", "1 2");

    snprintf(summary.event, sizeof summary.event, "duel");
    ladder->closing++;
    bot[0].phase = bot[1].phase = CONNECTION_IDLE;
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    lobby_ended(lobby, ladder, entrant, 2, 0);
    lobby_learn(lobby, &summary);
    lobby_indexed(lobby, ladder, entrant, 2);
}

Test(lobby, no_game_begins_after_the_last_date)
{
    duel.games_until = "2026-01-01T00:00:00Z";
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 0);
    cr_assert(lobby_is_frozen(&duel));
    duel.games_until = "9999-01-01T00:00:00Z";
    lobby_changed(lobby);
    look();
    cr_assert_eq(games, 1);
}

Test(lobby, a_version_that_comes_too_late_does_not_play)
{
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    end_game("g1");
    duel.handins_until = "2026-01-01T00:00:00Z";
    lobby_leave(lobby, &bot[1]);
    lobby_join(lobby, &bot[2]);
    look();
    cr_assert_eq(games, 1, "carl has never been here before");
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 2);
    cr_assert_str_eq(last, "anna bob");
}

/* One table for both: games of one take ten times as long. */
Test(lobby, ladders_share_the_tables_by_time)
{
    struct player players[2] = {{.bot = {.name = "dora"}},
                                {.bot = {.name = "emil"}}};
    const struct player *bots[2] = {&players[0], &players[1]};
    struct ladder_config two[2];
    int64_t used_us[2] = {0}, longest_us = 0;

    duel.bot = bots;
    duel.bots = 2;
    duel.local_games = true;
    duel.share = 1;
    two[0] = two[1] = duel;
    two[0].name = "slow";
    two[1].name = "fast";
    config = (struct serve_config){.ladder = two, .ladders = 2, .games_max = 1};
    cr_assert(lobby_configure(lobby, &config, true, &err));
    for (int i = 0; i < 60; i++) {
        int which, was = games;
        int64_t began, took_us;

        while (games == was)
            look();
        cr_assert_eq(games, was + 1, "there is one table");
        began = now_us();
        which = strcmp(ladder->name, "fast") == 0;
        usleep(which ? 3000 : 30000);
        lobby_ended(lobby, ladder, entrant, 2, 1);
        took_us = now_us() - began;
        used_us[which] += took_us;
        longest_us = took_us > longest_us ? took_us : longest_us;
    }
    /* On a busy machine a short game may take long: only time counts. */
    cr_expect(used_us[0] > 0 && used_us[1] > 0);
    cr_expect_lt(llabs(used_us[0] - used_us[1]), 3 * longest_us,
                 "%lld and %lld us, the longest game %lld us",
                 (long long)used_us[0], (long long)used_us[1],
                 (long long)longest_us);
}

Test(lobby, two_connections_of_one_name_do_not_meet)
{
    snprintf(bot[1].name, sizeof bot[1].name, "anna");
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 0);
}

Test(lobby, those_who_have_met_often_enough_play_no_more)
{
    duel.meetings_max = 2;
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    end_game("g1");
    look();
    cr_assert_eq(games, 2);
    cr_assert_not(ladder->is_exhausted);
    end_game("g2");
    look();
    cr_assert_eq(games, 2);
    cr_assert(ladder->is_exhausted);
    cr_assert_eq(ladder->running, 0);
    cr_assert_eq(ladder->closing, 0);
    lobby_join(lobby, &bot[2]);
    look();
    cr_assert_eq(games, 3, "somebody new is there");
    cr_assert_not(ladder->is_exhausted);
}

static struct key_entry keys[2] = {{.name = "anna", .owner = "calm-otter"},
                                   {.name = "bob", .owner = "calm-otter"}};

Test(lobby, bots_of_one_owner_meet_only_if_the_ladder_says_so)
{
    config.key = keys;
    config.key_count = 2;
    cr_assert(lobby_configure(lobby, &config, true, &err));
    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert_eq(games, 0);
    duel.owners_meet = true;
    cr_assert(lobby_configure(lobby, &config, true, &err));
    look();
    cr_assert_eq(games, 1);
    cr_assert_str_eq(last, "anna bob");
}

Test(lobby, a_local_bot_does_not_meet_its_owner_s_other_bots)
{
    struct player player = {.bot = {.name = "dora"}, .owner = "calm-otter"};
    const struct player *bots[1] = {&player};

    config.key = keys;
    config.key_count = 2;
    duel.bot = bots;
    duel.bots = 1;
    duel.local_games = true;
    cr_assert(lobby_configure(lobby, &config, true, &err));
    lobby_join(lobby, &bot[0]);
    look();
    cr_assert_eq(games, 0);
    lobby_join(lobby, &bot[2]);
    look();
    cr_assert_eq(games, 1);
}

Test(lobby, local_bots_play_without_guests_only_if_the_ladder_says_so)
{
    struct player players[2] = {{.bot = {.name = "dora"}},
                                {.bot = {.name = "emil"}}};
    const struct player *bots[2] = {&players[0], &players[1]};

    duel.bot = bots;
    duel.bots = 2;
    lobby_changed(lobby);
    look();
    cr_assert_eq(games, 0);
    duel.local_games = true;
    lobby_changed(lobby);
    look();
    cr_assert_eq(games, 1, "each of them has one copy");
    cr_assert_str_eq(last, "dora emil");
}

Test(lobby, a_ladder_that_is_gone_plays_to_the_end)
{
    struct serve_config none = {0};

    lobby_join(lobby, &bot[0]);
    lobby_join(lobby, &bot[1]);
    look();
    cr_assert(lobby_configure(lobby, &none, false, &err));
    cr_assert_eq(lobby_ladder(lobby, "duel"), ladder);
    cr_assert_null(ladder->config);
    end_game("g1");
    look();
    cr_assert_eq(games, 1, "no game begins there");
    lobby_tidy(lobby);
    cr_assert_null(lobby_ladder(lobby, "duel"));
    cr_assert_null(lobby_ladder_at(lobby, 0));
}

Test(lobby, a_new_ladder_learns_its_games_first)
{
    struct ladder_config two[2];

    two[0] = two[1] = duel;
    two[1].name = "other";
    config = (struct serve_config){.ladder = two, .ladders = 2};
    cr_assert(lobby_configure(lobby, &config, false, &err));
    cr_assert(lobby_ladder(lobby, "other")->is_loading);
    while (lobby_ladder(lobby, "other")->is_loading)
        look();
    cr_assert_eq(games, 0);
}
