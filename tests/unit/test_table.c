/* Tables: a match in the loop, its record, and what the owner hears. */

#include "run/table.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A bot that answers from the loop, and resigns when it is to move. */
struct sitter {
    struct peer peer; /* first */
    struct talk talk;
    struct buf answers;
    struct deferred reply;
    int64_t travel_us; /* of what it says last */
    bool is_far;       /* that arrives when the referee looks for it */
    int cuts;
};

static struct loop loop;
static struct sitter sitter[2];
static struct table *table;
static int over, moves, troubles, well, keeps, keep_fails, store_fails;
static bool stores_later;
static struct alarm *slow_disk; /* rings when it has stored the record */
static int64_t move_us;         /* the limit of a move; 0: none */
static int turns;               /* of the loop */

enum { SLOW_US = 400000 }; /* longer than a record waits to be stored */

/* libevent calls this one. */
int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
    turns++;
    return (int)syscall(SYS_epoll_pwait, fd, events, max, timeout, NULL, 8);
}

static void add_answer(struct sitter *s, const char *line)
{
    int id = atoi(line);
    const char *word = strchr(line, ' ') + 1;

    if (strncmp(word, "list_commands", 13) == 0)
        buf_add(&s->answers, "?%d\n", id);
    else if (strncmp(word, "protocol_version", 16) == 0)
        buf_add(&s->answers, "=%d 2\n", id);
    else if (strncmp(word, "genmove", 7) == 0)
        buf_add(&s->answers, "=%d resign\n", id);
    else
        buf_add(&s->answers, "=%d\n", id);
}

static bool flush(struct peer *peer)
{
    struct sitter *s = (struct sitter *)peer;
    char *at = s->talk.out.text + s->talk.sent, *feed;

    while ((feed = strchr(at, '\n')) != NULL) {
        *feed = '\0';
        add_answer(s, at);
        at = feed + 1;
    }
    talk_sent(&s->talk, talk_unsent(&s->talk));
    if (!s->is_far || !strstr(s->answers.text, " resign\n"))
        loop_soon(&loop, &s->reply);
    return true;
}

static void reply(void *arg)
{
    struct sitter *s = arg;
    struct buf bytes = s->answers;
    char *at, *feed;

    buf_init(&s->answers, 1 << 16);
    loop.read_us = loop_now(&loop);
    for (at = bytes.text; (feed = strchr(at, '\n')) != NULL; at = feed + 1) {
        *feed = '\0';
        if (s->peer.calls)
            s->peer.calls->on_line(s->peer.owner, &s->peer, at,
                                   (size_t)(feed - at));
    }
    buf_release(&bytes);
}

static int64_t nothing(struct peer *peer)
{
    return 0;
}

/* Asked when the seat seems late, and again with what it says. */
static int64_t travel(struct peer *peer)
{
    struct sitter *s = (struct sitter *)peer;
    int64_t us = s->travel_us;

    if (s->is_far && s->answers.len > 0) {
        s->travel_us = 60000000;
        loop_soon(&loop, &s->reply);
    }
    return us;
}

static void watch(struct peer *peer, bool on)
{
}

static void cut_off(struct peer *peer)
{
    ((struct sitter *)peer)->cuts++;
}

static const struct peer_kind kind = {flush, nothing, watch, travel, cut_off};

static void on_move(void *owner, struct table *t, int seat, int64_t us)
{
    moves++;
}

static void on_over(void *owner, struct table *t)
{
    over++;
    loop_stop(&loop);
}

static const struct table_owner impatient = {.on_move = on_move,
                                             .on_over = on_over};

static int open_none(void *owner, struct table *t)
{
    return open("/dev/null", O_WRONLY);
}

static void on_trouble(void *owner, struct table *t, const char *why)
{
    *(why ? &troubles : &well) += 1;
}

static bool keep(void *owner, struct table *t, int record, struct err *err)
{
    cr_expect_eq(over, 0, "nobody is told before the record is safe");
    keeps++;
    if (keep_fails-- > 0)
        return fail(err, "the disk is full");
    if (slow_disk)
        loop_alarm(&loop, slow_disk, now_us() + SLOW_US);
    else if (!stores_later)
        table_stored(t, store_fails-- > 0 ? EIO : 0);
    return true;
}

static const struct table_owner patient = {.on_move = on_move,
                                           .on_over = on_over,
                                           .open_record = open_none,
                                           .on_trouble = on_trouble,
                                           .keep_record = keep};

static void begin_test(void)
{
    loop_init(&loop);
    for (int i = 0; i < 2; i++) {
        struct sitter *s = &sitter[i];

        s->peer = (struct peer){.kind = &kind, .talk = &s->talk};
        s->reply = (struct deferred){.run = reply, .arg = s};
        talk_init(&s->talk);
        buf_init(&s->answers, 1 << 16);
    }
}

static void end_test(void)
{
    table_free(table);
    for (int i = 0; i < 2; i++) {
        loop_cancel(&sitter[i].reply);
        talk_release(&sitter[i].talk);
        buf_release(&sitter[i].answers);
    }
    loop_release(&loop);
}

TestSuite(table, .init = begin_test, .fini = end_test, .timeout = 60);

/* A game of axiom, which needs no deal. */
static void sit_down(const struct table_owner *calls, int record)
{
    struct match_config config = {.game = game_find("axiom"),
                                  .setup = {.seats = 2},
                                  .id = "g1",
                                  .name = {"anna", "bob"},
                                  .holds_end = calls == &patient,
                                  .start_us = 60000000,
                                  .none_us = 60000000,
                                  .lenience_us = 60000000};
    const struct time_control limit = {.system = TIME_MOVE, .main_us = move_us};
    struct talk *talks[] = {&sitter[0].talk, &sitter[1].talk};
    struct peer *peers[] = {&sitter[0].peer, &sitter[1].peer};

    for (int i = 0; move_us && i < 2; i++) {
        config.time[i] = limit;
        config.lenience_us = 0;
    }
    table = table_new(&loop, match_new(&config, talks, now_us()), peers, 2,
                      record, calls, NULL);
}

Test(table, plays_a_game_and_stores_its_record)
{
    char path[] = "/tmp/table.XXXXXX", text[4096] = "";
    int fd = mkstemp(path);

    sit_down(&impatient, fd);
    loop_run(&loop);
    cr_expect_eq(over, 1);
    cr_expect_eq(match_result(table_match(table))->rank[0], 2);
    cr_expect_eq(table_error(table), 0);
    cr_expect_gt(pread(fd, text, sizeof text - 1, 0), 0);
    cr_expect(strstr(text, "leave 1 resign\n"), "%s", text);
    cr_expect(strstr(text, "\nhash "), "the record is closed: %s", text);
    unlink(path);
    close(fd);
}

Test(table, a_record_that_cannot_be_written_makes_the_game_void)
{
    int fd = open("/dev/full", O_WRONLY);

    sit_down(&impatient, fd);
    loop_run(&loop);
    cr_expect_eq(over, 1);
    cr_expect(match_is_void(table_match(table)));
    cr_expect_eq(table_error(table), ENOSPC);
    close(fd);
}

Test(table, whoever_is_lost_leaves_and_is_cut_off)
{
    enum why why;

    sit_down(&impatient, -1);
    sitter[1].peer.calls->on_lost(sitter[1].peer.owner, &sitter[1].peer,
                                  WHY_EXIT, "it has ended");
    loop_run(&loop);
    cr_expect_eq(over, 1);
    cr_expect(match_has_left(table_match(table), 1, &why));
    cr_expect_eq(why, WHY_EXIT);
    cr_expect_gt(sitter[1].cuts, 0);
    cr_expect_eq(sitter[0].cuts, 0);
}

/* The alarm rings in the turn before the one that brings the answer. */
Test(table, what_has_come_is_read_before_a_seat_is_late)
{
    enum why why;

    move_us = 20000;
    sitter[0].is_far = true;
    sit_down(&impatient, -1);
    loop_run(&loop);
    cr_expect_eq(over, 1);
    cr_expect(match_has_left(table_match(table), 0, &why));
    cr_expect_eq(why, WHY_RESIGN, "it left otherwise: %d", why);
}

Test(table, a_patient_owner_keeps_the_record_before_it_is_over)
{
    sit_down(&patient, -1);
    loop_run(&loop);
    cr_expect_eq(keeps, 1);
    cr_expect_eq(over, 1);
    cr_expect_eq(troubles, 0);
    cr_expect_not(match_is_void(table_match(table)));
}

/* Each is tried again after a second. */
Test(table, what_could_not_be_kept_is_kept_later)
{
    keep_fails = 1;
    sit_down(&patient, -1);
    loop_run(&loop);
    cr_expect_eq(keeps, 2);
    cr_expect_eq(troubles, 1);
    cr_expect_eq(well, 1);
    cr_expect_eq(over, 1);
}

Test(table, a_sync_that_failed_asks_for_the_record_again)
{
    store_fails = 1;
    sit_down(&patient, -1);
    loop_run(&loop);
    cr_expect_eq(keeps, 2);
    cr_expect_eq(troubles, 1);
    cr_expect_eq(well, 1);
}

/* Only at the end of another turn does it hear that the disk has it. */
static bool has_disk;

static void say_stored(void *arg)
{
    has_disk = true;
    table_stored(table, 0);
}

static void wait_for_keep(void *arg)
{
    struct deferred *later = arg;

    if (keeps > 0)
        later->run = say_stored;
    loop_soon(&loop, later);
}

Test(table, the_end_waits_for_the_disk)
{
    struct deferred later = {.run = wait_for_keep, .arg = &later};

    stores_later = true;
    sit_down(&patient, -1);
    loop_soon(&loop, &later);
    loop_run(&loop);
    cr_expect(has_disk, "it was over before");
    cr_expect_eq(keeps, 1);
    cr_expect_eq(over, 1);
    loop_cancel(&later);
}

enum { FEW_TURNS = 50 };

static void count_no_turns(const char *what)
{
    cr_expect_gt(turns, 0, "nobody counts");
    cr_expect_lt(turns, FEW_TURNS, "%s: the loop turned %d times", what, turns);
}

Test(table, a_loop_that_waits_for_a_bot_does_not_turn)
{
    int fd = open("/dev/null", O_WRONLY);

    move_us = SLOW_US;
    sitter[0].is_far = true;
    sit_down(&impatient, fd);
    loop_run(&loop);
    count_no_turns("a bot is slow");
    close(fd);
}

Test(table, a_loop_that_waits_for_a_disk_does_not_turn)
{
    struct alarm disk;

    alarm_init(&disk, say_stored, NULL);
    slow_disk = &disk;
    sit_down(&patient, -1);
    loop_run(&loop);
    cr_expect(has_disk, "it was over before");
    count_no_turns("the disk is slow");
}
