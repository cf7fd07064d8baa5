/* The doors: who is let in, who is sent away, and who comes back. */

#include "daemon/doors.h"

#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TOKEN "a-secret-that-anna-keeps"

static char *folder;
static char path[100];
static struct loop loop;
static struct log log_;
static struct metrics metrics;
static struct doors *doors;
static struct serve_config config;
static struct key_entry keys[2];
static struct err err;
static bool stopping;
static struct buf told;
static struct connection *ready;

static bool is_stopping(void *owner)
{
    return stopping;
}

static bool has_games(void *owner)
{
    return false;
}

static const char *game_id(void *owner, const void *game)
{
    return "g1";
}

static void on_ready(void *owner, struct connection *n)
{
    ready = n;
    buf_add(&told, "%s ready;", n->name);
    loop_stop(&loop);
}

static void on_gone(void *owner, struct connection *n)
{
    buf_add(&told, "%s gone: %s;", n->name[0] ? n->name : "nobody",
            n->why_gone);
    loop_stop(&loop);
}

static const char *banned; /* the name of a bot, or NULL */

static const char *why_banned(void *owner, const char *name)
{
    return banned && strcmp(name, banned) == 0 ? "it flooded us" : NULL;
}

static const struct doors_owner calls = {
    .is_stopping = is_stopping,
    .has_games = has_games,
    .game_id = game_id,
    .why_banned = why_banned,
    .on_ready = on_ready,
    .on_gone = on_gone,
};

#define WRONG_LOGIN "wrong login: no such name here, or not with this token"

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(path, sizeof path, "%s/bots", folder);
    loop_init(&loop);
    log_init(&log_, stderr, LOG_ERROR);
    buf_init(&told, 1 << 16);
    keys[0].name = "bob";
    keys[1].name = "anna";
    token_key(TOKEN, &keys[0].key);
    token_key(TOKEN, &keys[1].key);
    config = (struct serve_config){
        .plain_tokens = true,
        .connections_max = 10,
        .connections_per_address = 10,
        .connections_per_name = 2,
        .login_us = 3600000000,
        .failed_logins_max = 3,
        .grace_us = 3600000000,
        .listener = {{.name = "local", .kind = LISTEN_UNIX, .address = path}},
        .listeners = 1,
        .key = keys,
        .key_count = 2};
    keys_sort(&config);
    doors = doors_new(&loop, &log_, &metrics, &calls, NULL);
    doors_configure(doors, &config);
    cr_assert(doors_open(doors, &err), "%s", err.text);
    doors_wake(doors);
}

static void end_test(void)
{
    doors_close(doors);
    doors_free(doors);
    buf_release(&told);
    loop_release(&loop);
    scratch_free(folder);
}

TestSuite(doors, .init = begin_test, .fini = end_test, .timeout = 60);

/* A bot that says all it will ever say at once. */
static int knock(const char *name, const char *token)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char text[256];

    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    cr_assert_eq(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    snprintf(text, sizeof text, "=1 %s token:%s\n=2 2\n?3\n=4 %s\n=5 7.1\n",
             name, token, name);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    return fd;
}

static const char *run(void)
{
    buf_reset(&told);
    loop_run(&loop);
    return told.text;
}

Test(doors, whoever_has_the_token_comes_in)
{
    int fd = knock("anna", TOKEN);

    cr_expect_str_eq(run(), "anna ready;");
    cr_expect_eq(doors_open_connections(doors), 1);
    cr_expect_eq(metrics.logins_ok, 1);
    cr_expect_eq(metrics.connections_accepted[LISTEN_UNIX], 1);
    close(fd);
    cr_expect_str_eq(run(), "anna gone: closed;");
    cr_expect_eq(doors_open_connections(doors), 0);
}

Test(doors, a_wrong_token_and_an_unknown_name_do_not)
{
    int fd = knock("anna", "guessed"), other;

    cr_expect_str_eq(run(), "nobody gone: " WRONG_LOGIN ";");
    other = knock("carl", TOKEN);
    cr_expect_str_eq(run(), "nobody gone: " WRONG_LOGIN ";");
    cr_expect_eq(metrics.logins_failed, 2);
    close(fd);
    close(other);
}

Test(doors, a_plain_token_is_refused_unless_it_is_allowed)
{
    int fd;

    config.plain_tokens = false;
    fd = knock("anna", TOKEN);
    cr_expect_str_eq(run(), "nobody gone: " WRONG_LOGIN ";");
    close(fd);
}

/* Answer the nonce as a bot does that keeps its token to itself. */
Test(doors, a_proof_holds_for_its_nonce)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char proof[PROOF_HEX + 1], text[256];

    config.plain_tokens = false;
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    cr_assert_eq(connect(fd, (struct sockaddr *)&at, sizeof at), 0);
    while (!doors_connections(doors))
        event_base_loop(loop.base, EVLOOP_ONCE);
    login_prove(TOKEN, "anna", doors_connections(doors)->nonce, proof);
    snprintf(text, sizeof text, "=1 anna %s\n=2 2\n?3\n=4\n=5\n", proof);
    cr_assert_gt(write(fd, text, strlen(text)), 0);
    cr_expect_str_eq(run(), "anna ready;");
    close(fd);
}

Test(doors, the_idle_one_makes_room_for_a_newer_login)
{
    int fd[3];

    for (int i = 0; i < 3; i++) {
        fd[i] = knock("anna", TOKEN);
        cr_expect_str_eq(run(), "anna ready;");
    }
    cr_expect_str_eq(run(), "anna gone: replaced by a newer login;");
    cr_expect_eq(doors_open_connections(doors), 2);
    for (int i = 0; i < 3; i++)
        close(fd[i]);
}

Test(doors, no_more_come_in_than_there_is_room_for)
{
    int fd, other;

    config.connections_max = 1;
    fd = knock("anna", TOKEN);
    run();
    other = knock("bob", TOKEN);
    while (metrics.connections_refused == 0)
        event_base_loop(loop.base, EVLOOP_ONCE);
    cr_expect_eq(doors_open_connections(doors), 1);
    close(fd);
    close(other);
}

Test(doors, who_is_expected_comes_back_to_its_game)
{
    int game, fd;
    struct connection *n = doors_expect(doors, "anna", "7.0", &game);

    fd = knock("anna", TOKEN);
    cr_expect_str_eq(run(), "nobody gone: taken over by its game;");
    cr_expect_eq(n->phase, CONNECTION_PLAYING);
    cr_expect_str_eq(n->version, "7.0", "in this game it stays what it was");
    cr_expect_null(ready);
    close(fd);
}

Test(doors, nobody_comes_in_while_stopping)
{
    int fd;

    stopping = true;
    fd = knock("anna", TOKEN);
    while (metrics.connections_refused == 0)
        event_base_loop(loop.base, EVLOOP_ONCE);
    cr_expect_null(doors_connections(doors));
    close(fd);
}

Test(doors, whose_key_is_gone_goes)
{
    int fd = knock("anna", TOKEN);

    run();
    config.key_count = 0;
    cr_expect(doors_has_revoked(doors, "anna"));
    doors_reconfigure(doors, &config);
    cr_expect_str_eq(run(), "anna gone: its key was removed;");
    close(fd);
}

static void count_lockout(void *arg, const char *name, const char *origin,
                          int seconds)
{
    cr_expect_str_eq(name, "anna");
    cr_expect_str_eq(origin, "unix");
    cr_expect(seconds > 0 && seconds <= 60);
    ++*(int *)arg;
}

Test(doors, wrong_logins_lock_out_one_name_and_nobody_else)
{
    int fd, lockouts = 0;

    for (int i = 0; i < 3; i++) {
        doors_each_lockout(doors, count_lockout, &lockouts);
        cr_expect_eq(lockouts, 0);
        fd = knock("anna", "guessed");
        cr_expect_str_eq(run(), "nobody gone: " WRONG_LOGIN ";");
        close(fd);
    }
    doors_each_lockout(doors, count_lockout, &lockouts);
    cr_expect_eq(lockouts, 1);
    fd = knock("anna", TOKEN);
    cr_expect(strstr(run(), "too many wrong logins as anna from there: try "
                            "again in "),
              "%s", told.text);
    close(fd);
    fd = knock("bob", TOKEN);
    cr_expect_str_eq(run(), "bob ready;");
    close(fd);
}

Test(doors, the_organiser_may_kick)
{
    int fd = knock("anna", TOKEN);

    run();
    cr_expect_eq(doors_kick(doors, "bob", "kicked by the organiser"), 0);
    cr_expect_eq(doors_kick(doors, "anna", "kicked by the organiser"), 1);
    cr_expect_str_eq(run(), "anna gone: kicked by the organiser;");
    close(fd);
}

/* Only who has the token is told. */
Test(doors, who_is_banned_hears_why_and_stays_out)
{
    int fd;

    banned = "anna";
    fd = knock("anna", "guessed");
    cr_expect_str_eq(run(), "nobody gone: " WRONG_LOGIN ";");
    close(fd);
    fd = knock("anna", TOKEN);
    cr_expect_str_eq(run(), "nobody gone: the organiser has banned anna: it "
                            "flooded us;");
    close(fd);
    fd = knock("bob", TOKEN);
    cr_expect_str_eq(run(), "bob ready;");
    close(fd);
}
