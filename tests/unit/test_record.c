/* Records: written, read, and every kind of damage named by its line. */

#include "base/text.h"
#include "games/random_game.h"
#include "match/replay.h"
#include "match/watch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEAL                                                                   \
    "YPRRBPYYBRYRGBYPBGYYGPPBYPRRPBYPYRRYPYBGRPGRPPBYYYGRRBRPPGGBYPBBBBPGBPBY" \
    "PRPPBGRYGPPYGGGPRBRYGYYYRRGRYBGGPRBBRGRBRGBGGBGG"
#define HEAD "record 1\ngame rondo\nseats 2\ndeal " DEAL "\n"
#define CHANCE                                                                  \
    "record 1\ngame second-chance\nset pieces=P01:x;P02:x;P03:x;P04:x;S01:xxx;" \
    "S02:xxxx;S03:xxxxx;S04:xx\nseats 4\ndeal S01,S02,S03,S04 "                 \
    "P01,P02,P03,P04\n"
#define DREW  "@1 draw 1 YP\n@2,w draw 1 ??\n@2 draw 2 RR\n@1,w draw 2 ??\n"
#define PASS1 "play 1 pass\n@1 draw 1 BP\n@2,w draw 1 ??\n"

struct replayed {
    struct replay replay;
    char *bytes;
    struct err err;
    bool ok;
};

static void play_record(struct replayed *r, const char *text, size_t len)
{
    r->bytes = malloc(len + 1);
    memcpy(r->bytes, text, len);
    r->bytes[len] = '\0';
    r->err.text[0] = '\0';
    replay_init(&r->replay);
    r->ok = replay_open(&r->replay, "x.rec", r->bytes, len, &r->err) &&
            replay_all(&r->replay, &r->err);
}

static void end(struct replayed *r)
{
    replay_release(&r->replay);
    free(r->bytes);
}

static const struct {
    const char *text;
    enum replay_status status;
    int moves;
} good[] = {
    {HEAD, REPLAY_UNFINISHED, 0},
    {HEAD "play 1 pass\nplay 2 pass\n", REPLAY_UNFINISHED, 2},
    {HEAD "play 1 pass\nplay 2 pa", REPLAY_UNFINISHED, 1},
    {HEAD "# a comment\n\nplay 1 pass\n", REPLAY_UNFINISHED, 1},
    {HEAD DREW PASS1, REPLAY_UNFINISHED, 1},
    {HEAD DREW "play 1 pass\n@1 draw 1 BP\n", REPLAY_UNFINISHED, 1},
    {HEAD DREW "play 1 pass\n@- note 1 hello\n@1 draw 1 BP\n",
     REPLAY_UNFINISHED, 1},
    {HEAD "leave 1 time\n", REPLAY_FINISHED, 0},
    {HEAD "play 1 pass\nleave 2 exit\n"
          "result ranks=1,2 scores=0,0 reason=forfeit left=2:exit\n",
     REPLAY_FINISHED, 1},
    {CHANCE "leave 1 exit\nleave 2 exit\nplay 3 S03:e5:0\n", REPLAY_UNFINISHED,
     1},
    {HEAD "play 1 pass\nresult void reason=disk\n", REPLAY_VOID, 1},
    {"record 1\ngame rondo\nset board=red\nseats 2\nseat 1 name=anna\n"
     "seat 2 name=bob version=1 2 3\ntime 1 none\ncommit none\ndeal " DEAL "\n",
     REPLAY_UNFINISHED, 0},
};

Test(record, reads_what_is_right)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct replayed r;

        play_record(&r, good[i].text, strlen(good[i].text));
        cr_assert(r.ok, "%zu: %s", i, r.err.text);
        cr_assert_eq(r.replay.status, good[i].status, "case %zu", i);
        cr_assert_eq(r.replay.moves, good[i].moves, "case %zu", i);
        end(&r);
    }
}

/* What is wrong, and what the sentence must hold. */
static const struct {
    const char *text, *place, *expected;
} bad[] = {
    {"", "x.rec:1: found the end of the file", "expected \"record 1\""},
    {"rec", "x.rec:1: found the end of the file", "expected \"record 1\""},
    {"record 2\n", "x.rec:1: found \"record 2\"", "\"record 1\""},
    {"record 1\n", "x.rec:2: found the end", "expected \"game NAME\""},
    {"record 1\ngame rodno\n", "x.rec:2: ", "did you mean rondo?"},
    {"record 1\ngame rondo\nseats 2", "x.rec:3: found the end", "seats N"},
    {"record 1\ngame rondo\nset bord=red\n",
     "x.rec:3: ", "did you mean board?"},
    {"record 1\ngame rondo\nset board=pink\n", "x.rec:3: board: ", ""},
    {"record 1\ngame rondo\nset board=red\nset board=red\n",
     "x.rec:4: ", "set twice"},
    {"record 1\ngame rondo\nseats 5\n", "x.rec:3: ", "2 to 4 seats, not 5"},
    {"record 1\ngame rondo\nseats two\n", "x.rec:3: found \"seats two\"",
     "seats N"},
    {"record 1\ngame rondo\nseats 2\nplay 1 pass\n",
     "x.rec:4: found \"play 1 pass\"", "expected \"deal ...\""},
    {"record 1\ngame rondo\nseats 2\ndeal RRR\n", "x.rec:4: ", ""},
    {"record 1\ngame axiom\nseats 2\ndeal RRR\n", "x.rec:4: found \"deal RRR\"",
     "axiom has no chance"},
    {"record 1\ngame rondo\nseats 2\nseat 2 name=bob\n",
     "x.rec:4: ", "\"seat 1 name=NAME ...\""},
    {"record 1\ngame rondo\nseats 2\ncommit 12\n", "x.rec:4: ", "64 hex"},
    {HEAD "play 1 a1:9\n", "x.rec:5: found \"play 1 a1:9\"",
     "expected a legal move"},
    {HEAD "play 2 pass\n", "x.rec:5: found \"play 2 pass\"",
     "expected a move of seat 1"},
    {HEAD "play 3 pass\n", "x.rec:5: ", "\"play SEAT MOVE\""},
    {HEAD "play 1 pass\r\n", "x.rec:5: ", "without a carriage return"},
    {HEAD "play 1 p\x80ss\n", "x.rec:5: ", "printable ASCII"},
    {HEAD "@1,5 play 1 pass\n", "x.rec:5: ", "an audience such as @1,w"},
    {HEAD "leave 1 bored\n", "x.rec:5: ", "WHY such as resign or time"},
    {CHANCE "leave 4 exit\nleave 2 exit\n", "x.rec:7: found \"leave 2 exit\"",
     "in seat order"},
    {CHANCE "leave 1 exit\nplay 3 S03:e5:0\nleave 2 exit\n",
     "x.rec:8: found \"leave 2 exit\"", "before all moves"},
    {CHANCE "play 3 S03:e5:0\nleave 4 exit\n",
     "x.rec:7: found \"leave 4 exit\"", "before all moves"},
    {HEAD "leave 1 time\nleave 2 time\n", "x.rec:6: ", "the game is over"},
    {HEAD "leave 1 time\nplay 2 pass\n", "x.rec:6: ", "the game is over"},
    {HEAD "play 1 pass\nresult ranks=1,2 scores=0,0 reason=grey\n",
     "x.rec:6: found \"result", "expected a move of seat 2"},
    {HEAD "leave 1 time\nresult ranks=1,2 scores=0,0 reason=forfeit\n",
     "x.rec:6: found",
     "\"result ranks=2,1 scores=0,0 reason=forfeit left=1:time\""},
    {HEAD "leave 1 time\nresult ranks=2,1 scores=0,0 reason=forfeit "
          "left=1:time\nplay 2 pass\n",
     "x.rec:7: found \"play 2 pass\"", "the end"},
    {HEAD "play 1 pass\nresult void because\n",
     "x.rec:6: ", "\"result void reason=WORD\""},
    {HEAD DREW "play 1 pass\n@1 draw 1 BB\n",
     "x.rec:10: found \"@1 draw 1 BB\"", "expected \"@1 draw 1 BP\""},
    {HEAD DREW "play 1 pass\n@1,w draw 1 BP\n",
     "x.rec:10: found \"@1,w draw 1 BP\"", "expected \"@1 draw 1 BP\""},
    {HEAD DREW "play 1 pass\nplay 2 pass\n", "x.rec:10: found \"play 2 pass\"",
     "expected \"@1 draw 1 BP\""},
    {HEAD DREW "score 1 3 3\n" PASS1, "x.rec:9: found \"score 1 3 3\"",
     "expected \"play 1 pass\""},
    {HEAD "hello\nplay 1 pass\n", "x.rec:5: found \"hello\"",
     "expected \"@1 draw 1 YP\""},
    {"record 1\ngame axiom\nseats 2\nleave 1 time\nresult ranks=2,1 scores=0,1 "
     "reason=forfeit left=1:time\nhash 00\n",
     "x.rec:6: found \"hash 00\"", "changed after it was closed"},
    {"record 1\ngame axiom\nseats 2\nleave 1 time\nresult ranks=1,2 scores=0,1 "
     "reason=forfeit left=1:time\nhash 00\n",
     "x.rec:5: found \"result ranks=1,2", "ranks=2,1"},
};

Test(record, names_the_first_wrong_line)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct replayed r;

        play_record(&r, bad[i].text, strlen(bad[i].text));
        cr_assert_not(r.ok, "case %zu was accepted: %s", i, bad[i].text);
        cr_assert(strncmp(r.err.text, bad[i].place, strlen(bad[i].place)) == 0,
                  "case %zu: %s", i, r.err.text);
        cr_assert(strstr(r.err.text, bad[i].expected), "case %zu: %s", i,
                  r.err.text);
        end(&r);
    }
}

/* A typed-in game may leave its events out; what was closed has them all. */
Test(record, a_closed_record_without_its_events_is_refused)
{
    struct record_writer w;
    struct replayed r;

    record_init(&w);
    buf_str(&w.text, HEAD "leave 1 time\nresult ranks=2,1 scores=0,0 "
                          "reason=forfeit left=1:time\n");
    play_record(&r, w.text.text, w.text.len);
    cr_assert(r.ok, "%s", r.err.text);
    end(&r);
    record_close(&w);
    play_record(&r, w.text.text, w.text.len);
    cr_assert_not(r.ok);
    cr_expect_str_eq(r.err.text, "x.rec:5: found \"leave 1 time\", expected "
                                 "\"@1 draw 1 YP\"");
    end(&r);
    record_release(&w);
}

/* Only a whole line can be one. */
Test(record, has_no_hash_without_a_line_feed)
{
    static const struct {
        const char *text;
        bool has_hash, cut;
    } cases[] = {
        {"", false, false},
        {"hash 00", false, true},
        {"hash 00\n", true, false},
        {"record 1\nhash 00", false, true},
        {"record 1\nhash 00\n", true, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct replayed r;

        play_record(&r, cases[i].text, strlen(cases[i].text));
        cr_expect_not(r.ok);
        cr_expect_eq(r.replay.record.has_hash, cases[i].has_hash, "%zu", i);
        cr_expect_eq(r.replay.record.cut, cases[i].cut, "%zu", i);
        end(&r);
    }
}

Test(record, refuses_a_nul_byte)
{
    static const char text[] = HEAD "play 1 pass\0x\n";
    struct replayed r;

    play_record(&r, text, sizeof text - 1);
    cr_assert_not(r.ok);
    cr_assert(strstr(r.err.text, "x.rec:5: "), "%s", r.err.text);
    cr_assert(strstr(r.err.text, "NUL"), "%s", r.err.text);
    end(&r);
}

Test(record, refuses_a_line_that_is_too_long)
{
    struct buf text;
    struct replayed r;

    buf_init(&text, 1 << 16);
    buf_str(&text, HEAD "play 1 ");
    for (int i = 0; i < LINE_MAX_BYTES; i++)
        buf_char(&text, 'a');
    buf_char(&text, '\n');
    play_record(&r, text.text, text.len);
    cr_assert_not(r.ok);
    cr_assert(strstr(r.err.text, "x.rec:5: "), "%s", r.err.text);
    cr_assert(strstr(r.err.text, "at most 8192 bytes"), "%s", r.err.text);
    end(&r);
    buf_release(&text);
}

/* A whole random game, as a live referee would write it. */
static void write_game(struct buf *out, const struct game *game, int seats,
                       uint8_t number)
{
    static const char *const nobody[SEATS_MAX];
    const uint8_t seed[SEED_BYTES] = {number, 77};
    struct setup setup = {.seats = seats};
    struct record_writer writer;
    struct random_game random;
    struct result result;
    struct buf line;
    struct move move;
    char commit[HASH_HEX + 1];
    int seat;

    random_game_begin(&random, game, &setup, seed);
    record_init(&writer);
    seed_commit(seed, 1, commit);
    record_head(&writer, game, &setup);
    record_deal(&writer, game->deal ? commit : NULL, NULL,
                game->deal ? random.deal.text : NULL);
    record_lines(&writer, &random.events, 0);
    while (random_game_pick(&random, &seat, &move)) {
        random_game_play(&random, seat, &move);
        record_lines(&writer, &random.events, 0);
        buf_put(out, writer.text.text, writer.text.len);
        record_taken(&writer);
    }
    game_result(game, random.state, &result);
    buf_init(&line, 256);
    result_write(&result, seats, nobody, &line);
    record_line(&writer, EVERYONE, line.text);
    if (game->deal)
        record_seed(&writer, seed);
    record_close(&writer);
    buf_put(out, writer.text.text, writer.text.len);
    buf_release(&line);
    record_release(&writer);
    random_game_end(&random);
}

Test(record, every_game_goes_out_and_comes_back)
{
    for (size_t g = 0; g < game_count(); g++)
        for (int s = game_at(g)->min_seats; s <= game_at(g)->max_seats; s++) {
            struct buf text;
            struct replayed r;

            buf_init(&text, 1 << 24);
            write_game(&text, game_at(g), s, (uint8_t)s);
            play_record(&r, text.text, text.len);
            cr_assert(r.ok, "%s %d: %s", game_at(g)->name, s, r.err.text);
            cr_assert_eq(r.replay.status, REPLAY_FINISHED);
            cr_assert(r.replay.record.has_hash);
            end(&r);
            buf_release(&text);
        }
}

/* Cut anywhere, a record is never wrong, only unfinished. */
Test(record, a_killed_writer_leaves_an_unfinished_record)
{
    for (size_t g = 0; g < game_count(); g++) {
        struct buf text;
        size_t head;

        buf_init(&text, 1 << 24);
        write_game(&text, game_at(g), 2, 3);
        head = (size_t)(strstr(text.text, "\nplay ") - text.text);
        for (size_t len = head + 1; len < text.len; len += 7) {
            struct replayed r;

            play_record(&r, text.text, len);
            cr_assert(r.ok, "%s cut at %zu: %s", game_at(g)->name, len,
                      r.err.text);
            if (text.text[len - 1] != '\n')
                cr_assert_eq(r.replay.status, REPLAY_UNFINISHED);
            end(&r);
        }
        buf_release(&text);
    }
}

/* Whatever is changed in a closed record, it is noticed. */
Test(record, no_changed_byte_goes_unseen)
{
    for (size_t g = 0; g < game_count(); g++) {
        struct buf text;

        buf_init(&text, 1 << 24);
        write_game(&text, game_at(g), 2, 4);
        for (size_t at = 0; at < text.len; at += 1 + text.len / 400) {
            struct replayed r;
            char was = text.text[at];

            text.text[at] = was == 'x' ? 'y' : 'x';
            play_record(&r, text.text, text.len);
            cr_assert_not(r.ok && r.replay.status == REPLAY_FINISHED,
                          "%s: byte %zu was '%c'", game_at(g)->name, at, was);
            text.text[at] = was;
            end(&r);
        }
        buf_release(&text);
    }
}

/* Without the hash, the rules and the seed must line a lie. */
static void expect_lie_found(const char *from, const char *to,
                             const char *expected)
{
    struct buf text, lie;
    struct replayed r;
    char *at;

    buf_init(&text, 1 << 24);
    buf_init(&lie, 1 << 24);
    write_game(&text, game_find("rondo"), 2, 5);
    *strstr(text.text, "hash ") = '\0';
    at = strstr(text.text, from);
    cr_assert(at);
    buf_put(&lie, text.text, (size_t)(at - text.text));
    buf_str(&lie, to);
    buf_str(&lie, at + strlen(to));
    play_record(&r, lie.text, lie.len);
    cr_assert_not(r.ok, "%s", to);
    cr_assert(strstr(r.err.text, expected), "%s", r.err.text);
    end(&r);
    buf_release(&text);
    buf_release(&lie);
}

Test(record, a_lie_about_the_seed_is_found)
{
    expect_lie_found("seed 054d", "seed 064d", "that the record committed to");
    expect_lie_found("commit ", "commit 00000000",
                     "that the record committed to");
}

Test(record, audiences_are_short)
{
    struct buf b;

    buf_init(&b, 100);
    audience_write(EVERYONE, 3, &b);
    cr_assert_str_eq(b.text, "");
    audience_write(SEAT(1) | RECORD, 3, &b);
    audience_write(ALL_BUT(1), 3, &b);
    audience_write(RECORD, 3, &b);
    audience_write(ALL_BUT(0), 1, &b);
    cr_assert_str_eq(b.text, "@2 @1,3,w @- @w ");
    buf_release(&b);
}

/* Spectators. */

static void watch(const char *text, size_t len, struct buf *out)
{
    char *bytes = malloc(len + 1);
    struct err err;

    memcpy(bytes, text, len);
    bytes[len] = '\0';
    buf_reset(out);
    cr_assert(watch_write("x.rec", bytes, len, out, &err), "%s", err.text);
    free(bytes);
}

Test(record, a_spectator_sees_what_the_watchers_were_told)
{
    static const char text[] =
        "record 1\ngame rondo\nset board=red\nseats 2\nabout id=g1 event=x\n"
        "seat 1 name=anna version=1\nseat 2 name=bob\ntime 1 none\n"
        "commit none\ndeal " DEAL "\n" DREW
        "@- clock 1 0 used=1 lag=0\n@- note 1 secret\n" PASS1
        "@2 play 2 a1:xR\n@1,w play 2 a1:x\n@2 dra";
    struct buf seen;

    buf_init(&seen, 1 << 16);
    watch(text, sizeof text - 1, &seen);
    cr_assert_str_eq(seen.text,
                     "record 1\ngame rondo\nset board=red\nseats 2\n"
                     "about id=g1 event=x\nseat 1 name=anna version=1\n"
                     "seat 2 name=bob\ntime 1 none\ncommit none\n"
                     "draw 1 ??\ndraw 2 ??\nplay 1 pass\ndraw 1 ??\n"
                     "play 2 a1:x\n");
    buf_release(&seen);
}

/* What the rules tell the watchers. */
static void write_public(const struct game *game, const struct buf *text,
                         struct buf *out)
{
    struct replay replay;
    char *bytes = strdup(text->text);
    struct err err;

    replay_init(&replay);
    cr_assert(replay_open(&replay, "x.rec", bytes, text->len, &err));
    buf_add(out, "record 1\ngame %s\nseats 2\n", game->name);
    if (replay.record.commit)
        buf_add(out, "commit %s\n", replay.record.commit);
    while (replay.status == REPLAY_HALFWAY) {
        for (size_t i = 0; i < replay.events.count; i++)
            if (replay.events.line[i].to & WATCHERS)
                buf_add(out, "%s\n", lines_text(&replay.events, i));
        cr_assert(replay_next(&replay, &err), "%s", err.text);
    }
    replay_release(&replay);
    free(bytes);
}

/* Those lines, then the result, and nothing else. */
static void hold_to_the_rules(const struct game *game, const struct buf *text)
{
    struct buf seen, told;

    buf_init(&seen, 1 << 24);
    buf_init(&told, 1 << 24);
    write_public(game, text, &told);
    watch(text->text, text->len, &seen);
    cr_assert_eq(strncmp(seen.text, told.text, told.len), 0,
                 "%s:\n%s\nbut the rules told\n%s", game->name, seen.text,
                 told.text);
    cr_assert_eq(strncmp(seen.text + told.len, "result ", 7), 0);
    cr_assert_eq(strchr(seen.text + told.len, '\n'), seen.text + seen.len - 1);
    cr_assert_null(strstr(seen.text, "\ndeal "));
    buf_release(&seen);
    buf_release(&told);
}

Test(record, spectators_of_every_game_see_its_public_events)
{
    for (size_t g = 0; g < game_count(); g++) {
        struct buf text;

        buf_init(&text, 1 << 24);
        write_game(&text, game_at(g), 2, 5);
        hold_to_the_rules(game_at(g), &text);
        buf_release(&text);
    }
}
