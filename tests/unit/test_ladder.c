/*
 * What a ladder remembers: entrants, meetings, what it learns from games, and
 * whom it seats.
 */

#include "daemon/ladder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct game_summary game(const char *id, const char *a, const char *va,
                                const char *b, const char *vb)
{
    struct game_summary summary = {.status = SUMMARY_FINISHED,
                                   .game = game_find("rondo"),
                                   .seats = 2,
                                   .part = 1,
                                   .parts = 1};

    snprintf(summary.id, sizeof summary.id, "%s", id);
    snprintf(summary.event, sizeof summary.event, "main");
    snprintf(summary.start, sizeof summary.start, "2026-11-16T00:00:00Z");
    snprintf(summary.seat[0].name, sizeof summary.seat[0].name, "%s", a);
    snprintf(summary.seat[1].name, sizeof summary.seat[1].name, "%s", b);
    snprintf(summary.seat[0].version, sizeof summary.seat[0].version, "%s", va);
    snprintf(summary.seat[1].version, sizeof summary.seat[1].version, "%s", vb);
    summary.seat[0].rank = 1;
    summary.seat[1].rank = 2;
    return summary;
}

Test(ladder, an_entrant_is_a_name_and_a_version)
{
    struct ladder *l = ladder_new();
    int anna1 = ladder_enter(l, "anna", "1", 7);

    cr_expect_eq(ladder_enter(l, "anna", "1", 9), anna1);
    cr_expect_neq(ladder_enter(l, "anna", "2", 9), anna1);
    cr_expect_neq(ladder_enter(l, "annab", "", 9), anna1);
    cr_expect_eq(ladder_entrant(l, anna1)->begun_us, 7);
    cr_expect_eq(ladder_entrants(l), 3);
    ladder_free(l);
}

Test(ladder, thousands_are_found_again)
{
    enum { MANY = 3000 };
    struct ladder *l = ladder_new();
    char name[16], version[16];
    int two[2];

    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "bot%d", i / 3);
        snprintf(version, sizeof version, "%d", i % 3);
        cr_assert_eq(ladder_enter(l, name, version, 0), i);
    }
    for (int i = 0; i < MANY; i++) {
        two[0] = i;
        two[1] = (i * 7 + 1) % MANY;
        if (two[0] != two[1])
            ladder_begin(l, two, 2, 1 + i % 5, 0);
    }
    for (int i = 0; i < MANY; i++) {
        int other = (i * 7 + 1) % MANY, back = (other * 7 + 1) % MANY;
        int games = 1 + i % 5 + (back == i ? 1 + other % 5 : 0);

        if (other != i)
            cr_assert_eq(ladder_meetings(l, other, i), games);
        cr_assert_eq(ladder_meetings(l, i, (i + 1) % MANY) > 0,
                     other == (i + 1) % MANY ||
                         ((i + 1) % MANY * 7 + 1) % MANY == i);
    }
    ladder_free(l);
}

Test(ladder, a_unit_counts_when_it_begins_and_a_game_only_once)
{
    struct ladder *l = ladder_new();
    int two[2] = {ladder_enter(l, "anna", "9", 0),
                  ladder_enter(l, "bob", "1", 0)};
    struct game_summary b = game("1", "anna", "9", "bob", "1");

    ladder_begin(l, two, 2, 3, 50);
    cr_expect_eq(ladder_meetings(l, two[0], two[1]), 3);
    cr_expect_eq(ladder_entrant(l, two[0])->running, 1);
    cr_expect_eq(ladder_entrant(l, two[0])->games, 3);
    cr_expect_eq(ladder_entrant(l, two[0])->begun_us, 50);

    /* One is played; two are not. */
    ladder_learn(l, &b, 0);
    ladder_forget(l, two, 2, 1);
    ladder_forget(l, two, 2, 2);
    ladder_end(l, two, 2, 90);
    cr_expect_eq(ladder_meetings(l, two[0], two[1]), 1);
    cr_expect_eq(ladder_entrant(l, two[0])->games, 1);
    cr_expect_eq(ladder_entrant(l, two[0])->running, 0);
    cr_expect_eq(ladder_entrant(l, two[0])->ended_us, 90);
    cr_expect_eq(ladder_entrant(l, two[1])->games, 1);
    cr_expect_gt(ladder_entrant(l, two[0])->skill.mean,
                 ladder_entrant(l, two[1])->skill.mean);
    ladder_free(l);
}

/* Failing. */

Test(ladder, who_fails_four_times_in_a_row_rests_longer_and_longer)
{
    struct ladder *l = ladder_new();
    int bob = ladder_enter(l, "bob", "1", 0);
    int64_t want = REST_FIRST_US, now = 5;

    for (int i = 0; i < 3; i++)
        cr_expect_eq(ladder_failed(l, bob, true, now, now), 0);
    cr_expect_eq(ladder_rests_until(l, bob), 0);
    for (int i = 0; i < 100; i++, now += want) {
        cr_assert_eq(ladder_failed(l, bob, true, now, now), want);
        cr_assert_eq(ladder_rests_until(l, bob), now + want);
        want = 2 * want < REST_MAX_US ? 2 * want : REST_MAX_US;
    }
    cr_expect_eq(want, REST_MAX_US);
    ladder_free(l);
}

Test(ladder, games_side_by_side_fail_once)
{
    struct ladder *l = ladder_new();
    int bob = ladder_enter(l, "bob", "1", 0);

    for (int i = 0; i < 20; i++)
        cr_expect_eq(ladder_failed(l, bob, true, 5, 10 + i), 0);
    cr_expect_eq(ladder_failures(l, bob), 1);
    cr_expect_eq(ladder_find(l, "bob", "1"), bob);
    cr_expect_eq(ladder_find(l, "bob", "2"), -1);
    ladder_free(l);
}

Test(ladder, a_game_without_a_failure_makes_up_for_all)
{
    struct ladder *l = ladder_new();
    int bob = ladder_enter(l, "bob", "1", 0), next;

    for (int i = 0; i < 9; i++)
        ladder_failed(l, bob, true, 0, 0);
    cr_expect_eq(ladder_failed(l, bob, false, 0, 0), 0);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(ladder_failed(l, bob, true, 0, 0), 0);
    cr_expect_eq(ladder_failed(l, bob, true, 0, 0), REST_FIRST_US);
    next = ladder_enter(l, "bob", "2", 0);
    cr_expect_eq(ladder_rests_until(l, next), 0);
    ladder_free(l);
}

Test(ladder, a_guest_fails_whatever_version_it_states)
{
    struct ladder *l = ladder_new();
    char version[8];
    int64_t rest = 0;
    int bob = -1, eve;

    for (int i = 0; i < 4; i++) {
        snprintf(version, sizeof version, "%d", i);
        bob = ladder_enter(l, "bob", version, 0);
        ladder_vouch(l, bob, "Group 3");
        cr_expect_eq(rest, 0);
        rest = ladder_failed(l, bob, true, i, i);
    }
    cr_expect_eq(rest, REST_FIRST_US);
    cr_expect_eq(ladder_failures(l, bob), 4);
    bob = ladder_enter(l, "bob", "new", 0);
    ladder_vouch(l, bob, "Group 3");
    cr_expect_gt(ladder_rests_until(l, bob), REST_FIRST_US);
    eve = ladder_enter(l, "eve", "1", 0);
    ladder_vouch(l, eve, "Group 3");
    cr_expect_eq(ladder_rests_until(l, eve), 0);
    for (int i = 0; i < 9; i++)
        ladder_failed(l, bob, true, 100 + i, 100 + i);
    cr_expect_gt(ladder_rests_until(l, eve), 0, "its owner rests now");
    ladder_failed(l, eve, false, 200, 200);
    cr_expect_eq(ladder_failures(l, eve), 0);
    ladder_free(l);
}

Test(ladder, new_versions_are_counted_by_name_and_owner)
{
    struct ladder *l = ladder_new();
    const int64_t hour = INT64_C(3600000000);
    char version[8];
    int bob = -1, eve;

    for (int i = 0; i < 3; i++) {
        snprintf(version, sizeof version, "%d", i);
        bob = ladder_enter(l, "bob", version, 0);
        ladder_vouch(l, bob, "Group 3");
        cr_expect_eq(ladder_full_until(l, bob, 3, 5), 0);
        ladder_begin(l, &bob, 1, 1, 5);
        cr_expect_eq(ladder_full_until(l, bob, 3, 5), 0, "it is known now");
    }
    bob = ladder_enter(l, "bob", "3", 0);
    ladder_vouch(l, bob, "Group 3");
    eve = ladder_enter(l, "eve", "1", 0);
    ladder_vouch(l, eve, "Group 3");
    cr_expect_eq(ladder_full_until(l, bob, 3, 5),
                 ladder_full_until(l, bob, 3, 9));
    cr_expect_gt(ladder_full_until(l, bob, 3, 9), hour - 1);
    cr_expect_eq(ladder_full_until(l, bob, 0, 9), 0, "0 is no limit");
    cr_expect_eq(ladder_full_until(l, eve, 3, 9), 0,
                 "an owner has twice as many");
    cr_expect_gt(ladder_full_until(l, eve, 1, 9), 0);
    cr_expect_eq(ladder_full_until(l, bob, 3, 9 + hour), 0);
    ladder_free(l);
}

/* Who has just played together. */
Test(ladder, a_table_of_those_who_played_last_would_be_a_repetition)
{
    struct ladder *l = ladder_new();
    struct offer offers[3];
    int four[4];

    for (int i = 0; i < 4; i++)
        four[i] = ladder_enter(l, (const char[]){(char)('a' + i), 0}, "", 0);
    for (int i = 0; i < 3; i++)
        offers[i] = (struct offer){four[i], 0};
    cr_expect_not(ladder_would_repeat(l, offers, 2), "nobody has played yet");
    ladder_begin(l, four, 2, 1, 0);
    ladder_begin(l, four + 2, 2, 1, 0);
    ladder_end(l, four, 2, 0);
    cr_expect(ladder_would_repeat(l, offers, 2));
    cr_expect_not(ladder_would_repeat(l, offers, 3));
    cr_expect_not(ladder_would_repeat(l, offers + 1, 2));
    ladder_free(l);
}

/* Choosing. */

struct room {
    struct ladder *ladder;
    struct rng rng;
    struct offer offer[8];
    int count;
};

static struct room open_room(void)
{
    static const uint8_t seed[SEED_BYTES] = {1};
    struct room room = {.ladder = ladder_new()};

    rng_seed(&room.rng, seed);
    return room;
}

static void comes(struct room *room, const char *name, const char *version)
{
    room->offer[room->count++] =
        (struct offer){ladder_enter(room->ladder, name, version, 0), 1000};
}

static bool choose(struct room *room, int seats, int bound, int games,
                   int *chosen)
{
    struct pairing_rules rules = {
        .policy = PAIR_EVEN, .seats = seats, .meetings_max = bound};

    return ladder_choose(room->ladder, &rules, games, room->offer, room->count,
                         0, &room->rng, chosen);
}

Test(ladder, no_name_sits_twice_at_a_table)
{
    struct room room = open_room();
    int chosen[SEATS_MAX];

    comes(&room, "anna", "1");
    comes(&room, "anna", "2");
    cr_expect_not(choose(&room, 2, 0, 1, chosen));
    comes(&room, "bob", "1");
    comes(&room, "bob", "2");
    cr_expect_not(choose(&room, 3, 0, 1, chosen));
    for (int i = 0; i < 100; i++) {
        cr_assert(choose(&room, 2, 0, 1, chosen));
        cr_assert_neq(chosen[0] < 2, chosen[1] < 2);
    }
    ladder_free(room.ladder);
}

Test(ladder, a_whole_unit_stays_within_the_bound)
{
    struct room room = open_room();
    int chosen[SEATS_MAX], units = 0;

    comes(&room, "anna", "1");
    comes(&room, "bob", "1");
    while (choose(&room, 2, 7, 2, chosen)) {
        int two[2] = {room.offer[0].entrant, room.offer[1].entrant};

        ladder_begin(room.ladder, two, 2, 2, 0);
        cr_assert_lt(++units, 10);
    }
    cr_expect_eq(units, 3);
    cr_expect(choose(&room, 2, 8, 2, chosen));
    cr_expect(choose(&room, 2, 0, 2, chosen));
    cr_expect(choose(&room, 2, 7, 1, chosen), "a single game has room");
    ladder_free(room.ladder);
}

/* What the index has is learnt as if it had just been played. */

static void expect_same(struct ladder *learnt, struct ladder *loaded)
{
    cr_expect_eq(ladder_entrants(loaded), ladder_entrants(learnt));
    for (int i = 0; i < ladder_entrants(learnt); i++) {
        const struct entrant *a = ladder_entrant(learnt, i);
        int n = ladder_enter(loaded, a->name, a->version, 0);
        const struct entrant *b = ladder_entrant(loaded, n);

        cr_expect_eq(a->games, b->games);
        cr_expect_float_eq(a->skill.mean, b->skill.mean, 1e-9);
        cr_expect_float_eq(a->skill.sigma, b->skill.sigma, 1e-9);
        for (int k = 0; k < i; k++) {
            const struct entrant *c = ladder_entrant(learnt, k);

            cr_expect_eq(
                ladder_meetings(learnt, i, k),
                ladder_meetings(loaded, n,
                                ladder_enter(loaded, c->name, c->version, 0)));
        }
    }
}

/* 181 of the games are not void. */
static void play_200(struct ladder *learnt, struct index *index)
{
    struct err err;
    bool is_new;

    cr_assert(index_begin(index, &err), "%s", err.text);
    for (int i = 0; i < 200; i++) {
        struct game_summary b =
            game("", i % 3 ? "anna" : "carl", i > 150 ? "2" : "1",
                 i % 7 ? "bob" : "dora", "1");

        snprintf(b.id, sizeof b.id, "%04d", i);
        snprintf(b.start, sizeof b.start, "2026-11-16T00:%02d:%02dZ", i / 60,
                 i % 60);
        b.seat[0].rank = 1 + i % 2;
        b.seat[1].rank = 2 - i % 2;
        b.status = i % 11 ? SUMMARY_FINISHED : SUMMARY_VOID;
        cr_assert(index_add(index, &b, "x", &is_new, &err), "%s", err.text);
        ladder_learn(learnt, &b, 0);
    }
    cr_assert(index_commit(index, &err));
}

Test(ladder, loading_is_learning)
{
    char path[] = "/tmp/ladder-test-XXXXXX", file[64];
    struct ladder *learnt = ladder_new(), *loaded = ladder_new();
    struct ladder *in_parts = ladder_new();
    struct index *index;
    struct err err;
    bool done = false;
    int parts;

    cr_assert(mkdtemp(path));
    snprintf(file, sizeof file, "%s/index.db", path);
    index = index_open(file, INDEX_WRITE, &err);
    cr_assert(index, "%s", err.text);
    play_200(learnt, index);
    cr_assert(ladder_load(loaded, index, "main", &err), "%s", err.text);
    expect_same(learnt, loaded);
    for (parts = 0; !done; parts++)
        cr_assert(ladder_load_part(in_parts, index, "main", 7, &done, &err),
                  "%s", err.text);
    cr_expect_eq(parts, (181 + 6) / 7);
    expect_same(learnt, in_parts);
    index_close(index);
    ladder_free(learnt);
    ladder_free(loaded);
    ladder_free(in_parts);
    unlink(file);
    rmdir(path);
}
