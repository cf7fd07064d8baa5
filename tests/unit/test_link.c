/* Links: bytes become lines, and commands become bytes. */

#include "run/link.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A link at one end of a socket pair; the test has the other end. */
struct ends {
    struct loop loop;
    struct talk talk;
    struct link link;
    int here, there;
    struct buf heard; /* lines, each followed by '|' */
    int lines, stop_at;
    bool ended, flooded;
    int sent;
};

static void on_line(void *owner, char *line, size_t len)
{
    struct ends *e = owner;

    cr_expect_eq(line[len], '\0');
    buf_put(&e->heard, line, len);
    buf_char(&e->heard, '|');
    if (++e->lines == e->stop_at)
        loop_stop(&e->loop);
}

static void on_end(void *owner, bool flood)
{
    struct ends *e = owner;

    e->ended = true;
    e->flooded = e->flooded || flood;
    loop_stop(&e->loop);
}

static void on_sent(void *owner)
{
    struct ends *e = owner;

    if (talk_unsent(&e->talk) > 0)
        return;
    e->sent++;
    loop_stop(&e->loop);
}

static const struct link_owner calls = {on_line, on_end, on_sent};

static struct ends e;

static void begin_test(void)
{
    int fd[2];

    e = (struct ends){0};
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    e.here = fd[0];
    e.there = fd[1];
    fcntl(e.here, F_SETFL, O_NONBLOCK);
    loop_init(&e.loop);
    talk_init(&e.talk);
    buf_init(&e.heard, 1 << 20);
    link_open(&e.link, &e.loop, &e.talk, e.here, e.here, &calls, &e);
}

static void end_test(void)
{
    link_close(&e.link);
    close(e.here);
    if (e.there != -1)
        close(e.there);
    talk_release(&e.talk);
    buf_release(&e.heard);
    loop_release(&e.loop);
}

TestSuite(link, .init = begin_test, .fini = end_test, .timeout = 60);

static void put(const char *text)
{
    cr_assert_eq(write(e.there, text, strlen(text)), (ssize_t)strlen(text));
}

static void run_until_lines(int count)
{
    e.stop_at = e.lines + count;
    loop_run(&e.loop);
}

Test(link, one_read_may_hold_several_lines)
{
    put("= one\n\n= two\n");
    run_until_lines(3);
    cr_assert_str_eq(e.heard.text, "= one||= two|");
    cr_assert_eq(e.loop.bytes_in, 13);
}

Test(link, half_a_line_waits_for_its_end)
{
    put("= one\n= tw");
    run_until_lines(1);
    cr_assert_str_eq(e.heard.text, "= one|");
    put("o\n");
    run_until_lines(1);
    cr_assert_str_eq(e.heard.text, "= one|= two|");
}

Test(link, what_came_before_the_end_is_heard)
{
    put("= last words\n= lost");
    close(e.there);
    e.there = -1;
    while (!e.ended)
        loop_run(&e.loop);
    cr_assert_str_eq(e.heard.text, "= last words|");
    cr_assert_not(e.flooded);
}

/* The longest line, and one byte more. */
static void put_long_line(size_t len)
{
    char *text = malloc(len + 2);

    memset(text, 'x', len);
    text[len] = '\n';
    text[len + 1] = '\0';
    put(text);
    free(text);
}

Test(link, the_longest_line_is_heard)
{
    put_long_line(TALK_LINE_MAX);
    run_until_lines(1);
    cr_assert_eq(e.heard.len, (size_t)TALK_LINE_MAX + 1);
    cr_assert_not(e.flooded);
}

Test(link, a_longer_line_is_a_flood)
{
    put_long_line(TALK_LINE_MAX + 1);
    loop_run(&e.loop);
    cr_assert(e.flooded);
    cr_assert_eq(e.lines, 0);
}

Test(link, a_line_without_end_is_a_flood)
{
    char *text = calloc(1, TALK_LINE_MAX + 2);

    memset(text, 'x', TALK_LINE_MAX + 1);
    put(text);
    free(text);
    while (!e.flooded)
        loop_run(&e.loop);
    cr_assert_eq(e.lines, 0);
}

Test(link, commands_are_written_at_once)
{
    char text[64] = "";

    talk_begin(&e.talk, COMMAND_NAME);
    talk_end(&e.talk);
    cr_assert(link_flush(&e.link));
    cr_assert_gt(read(e.there, text, sizeof text - 1), 0);
    cr_assert_str_eq(text, "1 name\n");
    cr_assert_eq(e.sent, 0, "nothing had to wait");
}

/* Read all that comes, until the link has nothing left. */
static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    char text[4096];

    cr_assert_gt(read(fd, text, sizeof text), 0);
}

Test(link, what_the_kernel_does_not_take_waits_for_room)
{
    struct event *reader;

    while (link_flush(&e.link)) {
        talk_event(&e.talk, "play 1 something that fills the socket");
        cr_assert_lt(e.loop.bytes_out, 1 << 24, "the socket never fills");
    }
    cr_assert_gt(talk_unsent(&e.talk), 0);
    reader = event_new(e.loop.base, e.there, EV_READ | EV_PERSIST, on_readable,
                       NULL);
    event_add(reader, NULL);
    while (!e.sent)
        loop_run(&e.loop);
    cr_assert_eq(talk_unsent(&e.talk), 0);
    event_free(reader);
}

Test(link, one_who_reads_no_more_may_still_answer)
{
    shutdown(e.there, SHUT_RD);
    talk_begin(&e.talk, COMMAND_NAME);
    talk_end(&e.talk);
    cr_assert(link_flush(&e.link), "it counts as written");
    put("= still here\n");
    run_until_lines(1);
    cr_assert_str_eq(e.heard.text, "= still here|");
}

Test(link, a_look_reads_all_that_is_there)
{
    for (int i = 0; i < 100; i++)
        put("= line\n");
    link_look(&e.link);
    cr_assert_eq(e.lines, 100);
}
