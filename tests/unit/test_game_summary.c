/* What an index keeps of a record. */

#include "match/game_summary.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define HEAD "record 1\ngame axiom\nseats 2\n"
#define ABOUT \
    "about id=g7 event=main unit=u3 part=2/2 start=2026-11-16T10:00Z\n"
#define BOTS                                    \
    "seat 1 name=anna digest=abc version=1.0\n" \
    "seat 2 name=bob version=two words\n"
#define BODY                                                                  \
    "@- clock 1 0 used=5 lag=0\nplay 1 x\n@- clock 2 0 used=5 lag=0\nplay 2 " \
    "y\n"
#define RESULT "result ranks=2,1 scores=-3,4 reason=forfeit left=1:time\n"

static struct game_summary summary;
static struct err err;

/* With the right hash behind it, or another one. */
static bool read_text(const char *text, const char *hash)
{
    static char bytes[4096];
    unsigned char digest[crypto_hash_sha256_BYTES];
    char hex[HASH_HEX + 1];

    crypto_hash_sha256(digest, (const unsigned char *)text, strlen(text));
    text_hex(hex, digest, sizeof digest);
    snprintf(bytes, sizeof bytes, "%s%s%s", text, hash ? hash : "hash ",
             hash ? "" : hex);
    if (!hash)
        strcat(bytes, "\n");
    err.text[0] = '\0';
    return game_summary_read(&summary, "x.rec", 0, bytes, strlen(bytes), &err);
}

Test(summary, tells_where_the_game_belongs)
{
    cr_assert(read_text(HEAD ABOUT BOTS BODY RESULT, NULL), "%s", err.text);
    cr_assert_str_eq(summary.id, "g7");
    cr_assert_str_eq(summary.event, "main");
    cr_assert_str_eq(summary.unit, "u3");
    cr_assert_str_eq(summary.start, "2026-11-16T10:00Z");
    cr_assert(summary.part == 2 && summary.parts == 2);
    cr_assert_str_eq(summary.game->name, "axiom");
}

Test(summary, tells_who_played_and_how_it_ended)
{
    cr_assert(read_text(HEAD ABOUT BOTS BODY RESULT, NULL), "%s", err.text);
    cr_assert(summary.status == SUMMARY_FINISHED && summary.seats == 2);
    cr_assert_eq(summary.moves, 2);
    cr_assert_str_eq(summary.reason, "forfeit");
    cr_assert_str_eq(summary.seat[0].name, "anna");
    cr_assert_str_eq(summary.seat[0].version, "abc");
    cr_assert(summary.seat[0].has_digest && !summary.seat[1].has_digest);
    cr_assert_str_eq(summary.seat[0].why, "time");
    cr_assert(summary.seat[0].rank == 2 && summary.seat[0].score == -3);
    cr_assert_str_eq(summary.seat[1].name, "bob");
    cr_assert_str_eq(summary.seat[1].version, "two words");
    cr_assert_str_eq(summary.seat[1].why, "");
    cr_assert(summary.seat[1].rank == 1 && summary.seat[1].score == 4);
}

/* A clock may be told without a move, and a hidden move twice. */
Test(summary, counts_moves_and_nothing_else)
{
    cr_assert(read_text(HEAD ABOUT BOTS
                        "@- clock 1 0 used=5 lag=0\n@- clock 2 9 used=0 lag=0\n"
                        "@1 play 1 x\n@2,w play 1 ?\n@2 play 2 x\n"
                        "@1,w play 2 ?\nplay 1 y\n" RESULT,
                        NULL),
              "%s", err.text);
    cr_assert_eq(summary.moves, 3);
}

/* A bot may call its version what it likes. */
Test(summary, a_version_is_no_digest)
{
    cr_assert(read_text(HEAD "seat 1 name=a version=1 digest=x\n"
                             "seat 2 name=b\n" BODY RESULT,
                        NULL),
              "%s", err.text);
    cr_assert_str_eq(summary.seat[0].version, "1 digest=x");
    cr_assert_not(summary.seat[0].has_digest);
    cr_assert_str_eq(summary.seat[1].version, "");
}

Test(summary, tells_whether_the_seed_is_known)
{
    cr_assert(read_text(HEAD ABOUT BOTS BODY RESULT, NULL), "%s", err.text);
    cr_assert_not(summary.has_seed);
    cr_assert(read_text(HEAD ABOUT BOTS BODY RESULT "seed 00\n", NULL), "%s",
              err.text);
    cr_assert(summary.has_seed);
}

Test(summary, void_games_have_no_ranks)
{
    cr_assert(read_text(HEAD BOTS "result void reason=disk\n", NULL));
    cr_assert(summary.status == SUMMARY_VOID && summary.seat[0].rank == 0);
    cr_assert_str_eq(summary.reason, "disk");
    cr_assert_str_eq(summary.id, "");
}

Test(summary, an_unclosed_record_has_a_head)
{
    cr_assert(read_text(HEAD ABOUT BOTS BODY, ""));
    cr_assert_eq(summary.status, SUMMARY_UNCLOSED);
    cr_assert_str_eq(summary.id, "g7");
    cr_assert_str_eq(summary.seat[1].name, "bob");
    cr_assert(read_text(HEAD ABOUT BOTS BODY RESULT, "hash 00"));
    cr_assert_eq(summary.status, SUMMARY_UNCLOSED);
}

static const struct {
    const char *text, *hash, *sentence;
} wrong[] = {
    {HEAD BODY RESULT, "hash 00\n", "changed after it was written"},
    {HEAD BODY, NULL, "the result"},
    {HEAD "about id\n" BODY RESULT, NULL, "\"about KEY=VALUE ...\""},
    {HEAD "about part=3/2\n" BODY RESULT, NULL, "K/N"},
    {HEAD BODY "result ranks=1 scores=1 reason=x\n", NULL, "for 2 seats"},
    {HEAD BODY "result ranks=1,2 scores=0,0 reason=x left=3:time\n", NULL,
     "for 2 seats"},
    {HEAD "seat 1 name=abcdefghijklmnopqrstuvwxyz0123456789\n" BODY RESULT,
     NULL, "seat 1 is too long"},
};

Test(summary, damage_is_named)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_not(read_text(wrong[i].text, wrong[i].hash), "%zu", i);
        cr_assert(strstr(err.text, wrong[i].sentence), "%s", err.text);
    }
}
