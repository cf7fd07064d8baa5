/* Groups: who sits where, whose bots stay, and who goes home. */

#include "run/group.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

Test(group, seats_rotate)
{
    /* Of three members, by seat, in one game after the other. */
    static const int member[4][3] = {
        {0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {0, 1, 2}};

    for (int game = 0; game < 4; game++)
        for (int seat = 0; seat < 3; seat++)
            cr_expect_eq(group_rotate(3, game, seat), member[game][seat],
                         "game %d, seat %d", game, seat);
}

Test(group, each_member_has_each_seat_once)
{
    for (int seats = 1; seats <= SEATS_MAX; seats++)
        for (int seat = 0; seat < seats; seat++) {
            int seen = 0;

            for (int game = 0; game < seats; game++)
                seen |= 1 << group_rotate(seats, game, seat);
            cr_expect_eq(seen, (1 << seats) - 1);
        }
}

/* A group of two programs that plays all its games, and then stops. */
struct meeting {
    struct group group; /* first */
    struct loop loop;
    struct home home;
    struct player player[2];
    struct bot *bot[2]; /* as they were in the last game, by member */
    int over, next, ended;
    bool kept_bots; /* from the first game to the last */
    char first[2][8];
};

static void stop_if_done(struct meeting *m)
{
    if (m->next > m->group.last && m->home.bots == 0)
        loop_stop(&m->loop);
}

static void on_ended(void *arg)
{
    struct meeting *m = arg;

    m->ended++;
    stop_if_done(m);
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
}

static void no_log(struct group *group, int member, char *path, size_t size)
{
    path[0] = '\0';
}

static void on_over(struct group *g, struct table *table)
{
    struct meeting *m = (struct meeting *)g;

    cr_expect_null(g->table, "nobody breaks off what is over");
    cr_expect(match_is_over(table_match(table)));
    if (m->over > 0)
        m->kept_bots = g->bot[0] == m->bot[0] && g->bot[1] == m->bot[1];
    memcpy(m->bot, g->bot, sizeof m->bot);
    snprintf(m->first[m->over++], 8, "%s",
             g->member[group_member_at(g, 0)].name);
}

static void play_next(struct meeting *m)
{
    struct err err;

    snprintf(m->group.id, sizeof m->group.id, "g%d", m->group.game + 1);
    cr_assert(group_start_bots(&m->group, &err), "%s", err.text);
    group_play(&m->group, NULL, -1);
}

static void on_next(struct group *g)
{
    struct meeting *m = (struct meeting *)g;

    m->next++;
    if (g->game < g->last) {
        g->game++;
        play_next(m);
        return;
    }
    group_dismiss(g, true);
    stop_if_done(m);
}

static const struct group_calls calls = {
    .table = {.on_move = on_move, .on_over = group_over},
    .log_path = no_log,
    .on_over = on_over,
    .on_next = on_next,
};

static char *const random_bot[] = {(char[]){"referee/referee"}, (char[]){"bot"},
                                   NULL};
static char *const quitter[] = {(char[]){"/bin/true"}, NULL};

static void open_meeting(struct meeting *m, const char *game, char *const *argv,
                         bool restarts)
{
    static const char *const names[2] = {"anna", "bob"};
    static const uint8_t seed[SEED_BYTES] = {7};

    signal(SIGPIPE, SIG_IGN); /* a bot may be gone when it is written to */
    *m = (struct meeting){.home = {.on_ended = on_ended, .arg = m}};
    loop_init(&m->loop);
    m->group.calls = &calls;
    m->group.loop = &m->loop;
    m->group.home = &m->home;
    m->group.last = 1;
    m->group.match = (struct match_config){.game = game_find(game),
                                           .setup = {.seats = 2},
                                           .start_us = 60000000,
                                           .none_us = 60000000,
                                           .lenience_us = 60000000,
                                           .forgets = true};
    group_init(&m->group);
    group_deal(&m->group, seed);
    for (int i = 0; i < 2; i++) {
        m->player[i].bot = (struct bot_config){.name = names[i],
                                               .argv = argv,
                                               .quit_us = 10000000,
                                               .restarts = restarts};
        m->group.member[i] = (struct member){.name = names[i],
                                             .player = &m->player[i],
                                             .time = &m->player[i].time};
    }
}

static void close_meeting(struct meeting *m)
{
    group_release(&m->group);
    loop_release(&m->loop);
}

static void play_all(struct meeting *m)
{
    play_next(m);
    loop_run(&m->loop);
    cr_assert_eq(m->over, 2);
    cr_assert_eq(m->next, 2);
    cr_expect_str_eq(m->first[0], "anna");
    cr_expect_str_eq(m->first[1], "bob");
    cr_expect_eq(m->home.bots, 0);
}

Test(group, bots_stay_from_game_to_game, .timeout = 120)
{
    struct meeting m;

    open_meeting(&m, "axiom", random_bot, false);
    play_all(&m);
    cr_expect(m.kept_bots);
    cr_expect_eq(m.ended, 2);
    close_meeting(&m);
}

Test(group, bots_go_home_before_a_game_on_the_same_deal, .timeout = 120)
{
    struct meeting m;

    open_meeting(&m, "rondo", random_bot, false);
    play_all(&m);
    cr_expect_eq(m.ended, 4);
    close_meeting(&m);
}

Test(group, bots_that_restart_go_home_after_each_game, .timeout = 120)
{
    struct meeting m;

    open_meeting(&m, "rondo", random_bot, true);
    play_all(&m);
    cr_expect_eq(m.ended, 4);
    close_meeting(&m);
}

Test(group, bots_that_failed_go_home, .timeout = 120)
{
    struct meeting m;

    open_meeting(&m, "rondo", quitter, false);
    play_all(&m);
    cr_expect_eq(m.ended, 4);
    close_meeting(&m);
}

Test(group, a_game_that_is_broken_off_keeps_its_bots, .timeout = 120)
{
    struct meeting m;
    struct player *other;

    open_meeting(&m, "rondo", random_bot, false);
    play_next(&m);
    group_break_off(&m.group);
    cr_expect_eq(m.over, 0);
    cr_expect_not_null(m.group.bot[0]);
    cr_expect_not_null(m.group.bot[1]);

    /* Another member comes for the first: only its bot is a stranger. */
    other = &(struct player){.bot = m.player[0].bot};
    m.group.member[0].player = other;
    group_dismiss_strangers(&m.group);
    cr_expect_null(m.group.bot[0]);
    cr_expect_not_null(m.group.bot[1]);
    cr_expect_eq(m.home.bots, 1);

    m.next = m.group.last + 1;
    group_dismiss(&m.group, false);
    cr_expect_eq(m.home.bots, 2);
    loop_run(&m.loop);
    cr_expect_eq(m.ended, 2);
    close_meeting(&m);
}
