/* Connections: who logs in, who is away, and who comes back. */

#include "net/connection.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct loop loop;
static struct handshakes handshakes;
static struct buf told;            /* what the owner heard, and the table */
static struct connection *waiting; /* is taken up by the next login */

static void say(const char *what)
{
    buf_add(&told, "%s;", what);
    loop_stop(&loop);
}

static bool on_login(void *owner, struct connection *n, const char *name,
                     const char *proof)
{
    buf_add(&told, "login %s %s;", name, proof);
    return strcmp(proof, "right") == 0;
}

static bool on_known(void *owner, struct connection *n)
{
    if (!waiting)
        return true;
    connection_take_up(waiting, n);
    waiting = NULL;
    return false;
}

static void on_ready(void *owner, struct connection *n)
{
    say("ready");
}

static void on_gone(void *owner, struct connection *n, const char *why)
{
    buf_add(&told, "%sgone: %s", n->name[0] ? "" : "nobody ", why);
    say("");
    connection_free(n);
}

static const struct connection_owner owner = {
    .on_login = on_login,
    .on_known = on_known,
    .on_ready = on_ready,
    .on_gone = on_gone,
};

/* A table that hears what happens to its peer. */
static void peer_line(void *table, struct peer *peer, char *line, size_t len)
{
    say(line);
}

static void peer_sent(void *table, struct peer *peer)
{
}

static void peer_lost(void *table, struct peer *peer, enum why why,
                      const char *detail)
{
    buf_add(&told, "lost: %s;", detail);
}

static void peer_away(void *table, struct peer *peer)
{
    say("away");
}

static void peer_back(void *table, struct peer *peer)
{
    say("back");
}

static const struct peer_owner table = {peer_line, peer_sent, peer_lost,
                                        peer_away, peer_back, NULL};

static void begin_test(void)
{
    loop_init(&loop);
    handshakes_init(&handshakes, &loop);
    buf_init(&told, 1 << 16);
}

static void end_test(void)
{
    handshakes_release(&handshakes);
    buf_release(&told);
    loop_release(&loop);
}

TestSuite(connection, .init = begin_test, .fini = end_test, .timeout = 60);

enum { LONG_US = 3600 * 1000000LL / 2 };

/* One that has this much time to log in; *fd is the bot's end. */
static struct connection *come(int64_t login_us, int *fd)
{
    struct connection *n;
    int ends[2];

    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *fd = ends[1];
    n = connection_new(&handshakes, LISTEN_UNIX, ends[0], NULL, "unix",
                       login_us, &owner, NULL);
    n->greet_us = n->grace_us = LONG_US;
    return n;
}

static void put(int fd, const char *text)
{
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

#define LOGIN    "=1 anna right\n\n"
#define GREETING "=2 2\n\n?3\n\n=4 Anna\n\n=5 7.1\n\n"

static const char *run(void)
{
    buf_reset(&told);
    loop_run(&loop);
    return told.text;
}

Test(connection, logs_in_and_says_its_version)
{
    char asked[256] = "";
    int fd;
    struct connection *n = come(LONG_US, &fd);

    cr_expect_eq(n->phase, CONNECTION_LOGIN);
    put(fd, LOGIN GREETING);
    cr_expect_str_eq(run(), "login anna right;ready;");
    cr_expect_eq(n->phase, CONNECTION_IDLE);
    cr_expect_str_eq(n->name, "anna");
    cr_expect_str_eq(n->talk.version, "7.1");
    cr_expect_gt(read(fd, asked, sizeof asked - 1), 0);
    cr_expect(strstr(asked, n->nonce), "it is asked with its nonce: %s", asked);
    connection_free(n);
    close(fd);
}

Test(connection, a_wrong_login_has_no_name)
{
    int fd;

    come(LONG_US, &fd);
    put(fd, "=1 anna wrong\n\n");
    cr_expect_str_eq(
        run(),
        "login anna wrong;nobody gone: wrong login: no such name here, or not "
        "with this token;");
    close(fd);
}

Test(connection, who_does_not_log_in_goes)
{
    int fd;

    come(1, &fd);
    cr_expect_str_eq(run(), "nobody gone: no login in time;");
    close(fd);
}

Test(connection, who_does_not_say_its_version_goes)
{
    int fd;
    struct connection *n = come(LONG_US, &fd);

    n->greet_us = 1;
    put(fd, LOGIN);
    cr_expect_str_eq(
        run(), "login anna right;gone: did not state its version in time;");
    close(fd);
}

Test(connection, another_protocol_is_refused)
{
    int fd;

    come(LONG_US, &fd);
    put(fd, LOGIN "=2 1\n\n");
    run();
    cr_expect(strstr(told.text, "gone: the answer to protocol_version"), "%s",
              told.text);
    close(fd);
}

/* One that has logged in and plays. */
static struct connection *play(int *fd)
{
    struct connection *n = come(LONG_US, fd);

    put(*fd, LOGIN GREETING);
    run();
    connection_seat(n, &loop);
    peer_listen(&n->peer, &table, NULL);
    return n;
}

Test(connection, in_a_game_the_table_hears_the_lines)
{
    int fd;
    struct connection *n = play(&fd);

    put(fd, "=6 a1:1\n");
    cr_expect_str_eq(run(), "=6 a1:1;");
    connection_free(n);
    close(fd);
}

Test(connection, who_breaks_off_in_a_game_is_away_and_may_come_back)
{
    int fd, again;
    struct connection *n = play(&fd);

    close(fd);
    cr_expect_str_eq(run(), "away;");
    cr_expect_eq(n->phase, CONNECTION_AWAY);
    come(LONG_US, &again);
    waiting = n;
    put(again, LOGIN);
    cr_expect_str_eq(run(), "login anna right;back;");
    cr_expect_eq(n->phase, CONNECTION_PLAYING);
    cr_expect_str_eq(run(), "nobody gone: taken over by its game;");
    put(again, "=2 b2\n");
    cr_expect_str_eq(run(), "=2 b2;");
    connection_free(n);
    close(again);
}

Test(connection, who_does_not_come_back_loses_its_seat)
{
    int fd;
    struct connection *n = play(&fd);

    n->grace_us = 1;
    close(fd);
    cr_expect_str_eq(run(), "away;");
    cr_expect_str_eq(run(), "lost: lost its connection and did not return;"
                            "gone: did not return;");
}

Test(connection, outside_of_games_it_just_goes)
{
    int fd;

    come(LONG_US, &fd);
    put(fd, LOGIN GREETING);
    run();
    close(fd);
    cr_expect_str_eq(run(), "gone: closed;");
}
