/* The small tools in base/. */

#include "base/bits.h"
#include "base/buf.h"
#include "base/lines.h"
#include "base/paint.h"
#include "base/rng.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <sodium.h>
#include <string.h>

Test(err, keeps_texts_printable)
{
    struct err err;

    cr_assert_not(fail(&err, "no \"%s\"", "a\tb\x80#"));
    cr_assert_str_eq(err.text, "no \"a?b??\"");
    cr_assert_not(fail_at(&err, "file:%d", 3));
    cr_assert_str_eq(err.text, "file:3: no \"a?b??\"");
}

Test(err, cuts_long_texts)
{
    struct err err;
    char text[2 * ERR_TEXT_MAX];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fail(&err, "%s", text);
    cr_assert_eq(strlen(err.text), ERR_TEXT_MAX - 1);
}

Test(buf, appends)
{
    struct buf b;

    buf_init(&b, 100);
    cr_assert_str_eq(b.text, "");
    buf_str(&b, "ab");
    buf_char(&b, 'c');
    buf_int(&b, 0);
    buf_int(&b, -12);
    buf_int(&b, INT64_MIN);
    buf_add(&b, "/%d", 7);
    cr_assert_str_eq(b.text, "abc0-12-9223372036854775808/7");
    cr_assert_eq(b.len, strlen(b.text));
    buf_reset(&b);
    cr_assert_str_eq(b.text, "");
    buf_release(&b);
}

Test(buf, formats_as_printf_does)
{
    char text[100];
    struct buf b;

    buf_init(&b, 100);
    buf_add(&b, "%d%s %d,%d%%%c%03d %s|%5s|%-3d", INT_MIN, "", -7, INT_MAX, 'x',
            7, "word", "right", 1);
    snprintf(text, sizeof text, "%d%s %d,%d%%%c%03d %s|%5s|%-3d", INT_MIN, "",
             -7, INT_MAX, 'x', 7, "word", "right", 1);
    cr_assert_str_eq(b.text, text);
    cr_assert_eq(b.len, strlen(text));
    buf_release(&b);
}

Test(buf, stops_at_its_limit_and_stays_a_string)
{
    struct buf b;

    buf_init(&b, 5);
    buf_str(&b, "abc");
    buf_add(&b, "%s", "defg");
    cr_assert_not(buf_ok(&b));
    buf_char(&b, 'x');
    cr_assert_str_eq(b.text, "abc");
    buf_reset(&b);
    buf_str(&b, "12345");
    cr_assert(buf_ok(&b));
    buf_char(&b, '6');
    cr_assert_not(buf_ok(&b));
    cr_assert_str_eq(b.text, "12345");
    buf_release(&b);
}

static const struct {
    const char *text;
    int min, max;
    bool ok;
    int value;
    const char *rest;
} numbers[] = {
    {"0", 0, 9, true, 0, ""},
    {"7,", 0, 9, true, 7, ","},
    {"-3x", -5, 5, true, -3, "x"},
    {"2147483647", 0, INT32_MAX, true, INT32_MAX, ""},
    {"2147483648", 0, INT32_MAX, false, 0, NULL},
    {"99999999999", 0, INT32_MAX, false, 0, NULL},
    {"10", 0, 9, false, 0, NULL},
    {"-6", -5, 5, false, 0, NULL},
    {"", 0, 9, false, 0, NULL},
    {"-", -5, 5, false, 0, NULL},
    {"+1", 0, 9, false, 0, NULL},
    {"-0", -5, 5, false, 0, NULL},
    {"01", 0, 9, false, 0, NULL},
    {"00", 0, 9, false, 0, NULL},
    {"-01", -5, 5, false, 0, NULL},
    {" 1", 0, 9, false, 0, NULL},
};

Test(text, numbers_have_one_spelling)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *at = numbers[i].text;
        int value = 42;

        cr_assert_eq(take_int(&at, numbers[i].min, numbers[i].max, &value),
                     numbers[i].ok, "\"%s\"", numbers[i].text);
        if (numbers[i].ok) {
            cr_assert_eq(value, numbers[i].value);
            cr_assert_str_eq(at, numbers[i].rest);
        } else {
            cr_assert_eq(at, numbers[i].text);
            cr_assert_eq(value, 42);
        }
    }
}

Test(text, takes_from_left_to_right)
{
    const char *at = "play  x:RG";
    int i;

    cr_assert_not(take_word(&at, "pla"));
    cr_assert(take_word(&at, "play"));
    cr_assert(take_text(&at, "x:"));
    cr_assert_not(take_char(&at, '\0'));
    cr_assert(take_one_of(&at, "GR", &i));
    cr_assert_eq(i, 1);
    cr_assert_not(take_one_of(&at, "RB", &i));
    cr_assert(take_char(&at, 'G'));
    cr_assert(at_end(at));
    cr_assert_not(take_one_of(&at, "RB", &i));
}

Test(text, plain_is_printable_ascii)
{
    cr_assert(is_plain(" !~"));
    cr_assert_not(is_plain("a\tb"));
    cr_assert_not(is_plain("\x7f"));
    cr_assert_not(is_plain("\xc3\xa4"));
    cr_assert(is_word("!~") && is_word(""));
    cr_assert_not(is_word("a b"));
    cr_assert_not(is_word("a\x7f"));
}

Test(text, joins_what_there_is_room_for)
{
    char out[8] = "xxxxxxx";

    text_join(out, sizeof out, NULL);
    cr_assert_str_eq(out, "");
    text_join(out, sizeof out, "ab", "", "cde", "fg", NULL);
    cr_assert_str_eq(out, "abcdefg");
    text_join(out, 7, "ab", "cde", "fgh", "i", NULL);
    cr_assert_str_eq(out, "abcdef");
    cr_assert_eq(out[7], '\0');
    text_join(out, 1, "ab", NULL);
    cr_assert_str_eq(out, "");
}

Test(text, distance_counts_edits_and_swaps)
{
    cr_assert_eq(text_distance("rondo", "rondo"), 0);
    cr_assert_eq(text_distance("rnodo", "rondo"), 1);
    cr_assert_eq(text_distance("rodo", "rondo"), 1);
    cr_assert_eq(text_distance("rundo", "rondo"), 1);
    cr_assert_eq(text_distance("", "abc"), 3);
    cr_assert_eq(text_distance("kitten", "sitting"), 3);
}

/* What is guessed for a word, of three names. */
static const char *guessed(const char *word)
{
    struct guess guess;

    guess_begin(&guess, word);
    guess_add(&guess, "", "no");
    guess_add(&guess, "--", "final");
    guess_add(&guess, "--", "connections-per-name");
    cr_assert_str_eq(guess.all.text, "no, --final, --connections-per-name");
    guess_end(&guess);
    return guess.nearest ? guess.nearest : "nothing";
}

Test(text, a_guess_is_near_or_none)
{
    cr_assert_str_eq(guessed("finl"), "final");
    cr_assert_str_eq(guessed("fnila"), "final");
    cr_assert_str_eq(guessed("fixxx"), "nothing");
    cr_assert_str_eq(guessed("xy"), "nothing");
    cr_assert_str_eq(guessed("on"), "no");
    cr_assert_str_eq(guessed("o"), "no");
    cr_assert_str_eq(guessed("x"), "nothing");
    cr_assert_str_eq(guessed("con"), "connections-per-name");
    cr_assert_str_eq(guessed("connexions-p-name"), "connections-per-name");
}

Test(text, words_are_found_whole)
{
    const char *word;

    cr_assert_eq(words_find("edge|face|interlock", "face"), 1);
    cr_assert_eq(words_find("edge|face|interlock", "fac"), -1);
    cr_assert_eq(words_find("edge|face|interlock", ""), -1);
    cr_assert_eq(words_at("edge|face", 1, &word), 4);
    cr_assert_str_eq(word, "face");
    cr_assert_eq(words_at("edge|face", 2, &word), 0);
}

Test(text, hex_goes_both_ways_in_lower_case)
{
    const unsigned char bytes[] = {0x00, 0xab, 0xff};
    unsigned char back[3];
    char hex[7];

    text_hex(hex, bytes, 3);
    cr_assert_str_eq(hex, "00abff");
    cr_assert(text_unhex(back, 3, hex));
    cr_assert_arr_eq(back, bytes, 3);
    cr_assert_not(text_unhex(back, 3, "00abf"));
    cr_assert_not(text_unhex(back, 3, "00abff0"));
    cr_assert_not(text_unhex(back, 3, "00ABff"));
    cr_assert_not(text_unhex(back, 3, "00ag00"));
}

Test(lines, drop_the_first_ones)
{
    struct lines l;

    lines_init(&l, 1000);
    tell(&l, SEAT(0), "one");
    tell(&l, SEAT(1), "two");
    tell(&l, SEAT(2), "three");
    lines_drop(&l, 0);
    cr_assert_eq(l.count, 3);
    lines_drop(&l, 2);
    cr_assert_eq(l.count, 1);
    cr_assert_str_eq(lines_text(&l, 0), "three");
    cr_assert_eq(l.line[0].to, SEAT(2));
    tell(&l, EVERYONE, "four %d%%", 4);
    cr_assert_str_eq(lines_text(&l, 1), "four 4%");
    lines_drop(&l, 2);
    cr_assert_eq(l.count, 0);
    cr_assert_eq(l.text.len, 0);
    tell(&l, EVERYONE, "five");
    cr_assert_str_eq(lines_text(&l, 0), "five");
    lines_release(&l);
}

Test(lines, keep_text_and_audience)
{
    struct lines l;

    lines_init(&l, 1000);
    tell(&l, SEAT(1) | RECORD, "draw 2 %s", "R");
    buf_str(tell_begin(&l, ALL_BUT(1)), "draw 2 ?");
    tell_end(&l);
    cr_assert_eq(l.count, 2);
    cr_assert_str_eq(lines_text(&l, 0), "draw 2 R");
    cr_assert_str_eq(lines_text(&l, 1), "draw 2 ?");
    cr_assert(l.line[1].to & SEAT(0) && l.line[1].to & WATCHERS);
    cr_assert_not(l.line[1].to & SEAT(1) || l.line[1].to & RECORD);
    lines_reset(&l);
    cr_assert_eq(l.count, 0);
    lines_release(&l);
}

Test(bits, are_sets_of_small_numbers)
{
    bits set = bit(0) | bit(63) | bit(64) | bit(127);
    const int members[] = {0, 63, 64, 127};
    int n = 0;

    cr_assert_eq(bits_count(set), 4);
    cr_assert(bits_has(set, 64));
    cr_assert_not(bits_has(set, 65));
    for (bits rest = set; rest; rest &= rest - 1)
        cr_assert_eq(bits_first(rest), members[n++]);
    cr_assert_eq(n, 4);
    cr_assert_eq(bits_count(bits_below(81)), 81);
}

Test(paint, writes_codes_only_with_colour)
{
    struct buf b;

    buf_init(&b, 100);
    painted(&b, false, PAINT_RED, "x");
    cr_assert_str_eq(b.text, "x");
    buf_reset(&b);
    painted(&b, true, PAINT_RED, "x");
    cr_assert_str_eq(b.text, "\033[31mx\033[0m");
    buf_release(&b);
}

/* The seed 00 01 .. 1f of protocol.md. */
static void counting_seed(uint8_t seed[SEED_BYTES])
{
    for (int i = 0; i < SEED_BYTES; i++)
        seed[i] = (uint8_t)i;
}

/* The stream as libsodium gives it in one piece, word by word. */
static uint32_t word_of(const uint8_t *stream, size_t i)
{
    const uint8_t *b = stream + 4 * i;

    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

Test(rng, is_the_stream_of_libsodium)
{
    static uint8_t stream[64 * 1024];
    uint8_t seed[SEED_BYTES];
    struct rng rng;

    counting_seed(seed);
    randombytes_buf_deterministic(stream, sizeof stream, seed);
    rng_seed(&rng, seed);
    for (size_t i = 0; i < sizeof stream / 4; i++)
        cr_assert_eq(rng_uniform(&rng, 1u << 31),
                     word_of(stream, i) & 0x7fffffff);
}

Test(rng, throws_unfair_words_away)
{
    static uint8_t stream[64 * 1024];
    const uint32_t k = 3000000000u; /* three words in ten are unfair */
    uint8_t seed[SEED_BYTES];
    struct rng rng;
    int thrown = 0;

    counting_seed(seed);
    randombytes_buf_deterministic(stream, sizeof stream, seed);
    rng_seed(&rng, seed);
    for (size_t i = 0; i < sizeof stream / 4; i++) {
        if (word_of(stream, i) >= k)
            thrown++;
        else
            cr_assert_eq(rng_uniform(&rng, k), word_of(stream, i));
    }
    cr_assert_gt(thrown, 0);
}

Test(rng, shuffles_from_the_end)
{
    static uint8_t stream[64];
    uint8_t seed[SEED_BYTES];
    struct rng rng;
    int items[10], expected[10];

    counting_seed(seed);
    randombytes_buf_deterministic(stream, sizeof stream, seed);
    for (int i = 0; i < 10; i++)
        items[i] = expected[i] = i;
    for (int i = 9, word = 0; i >= 1; i--, word++) {
        int j = (int)(word_of(stream, (size_t)word) % (uint32_t)(i + 1));
        int hold = expected[i];

        expected[i] = expected[j];
        expected[j] = hold;
    }
    rng_seed(&rng, seed);
    rng_shuffle(&rng, items, 10, sizeof *items);
    cr_assert_arr_eq(items, expected, sizeof items);
}

/* The figures in protocol.md, section Chance. */
Test(rng, test_vector)
{
    uint8_t seed[SEED_BYTES], stream[16];
    char hex[33];
    const uint32_t draws[] = {21, 3, 50, 59, 19, 68, 0, 35, 39, 90};
    const int shuffled[] = {4, 2, 9, 0, 8, 5, 7, 6, 3, 1};
    int items[10];
    struct rng rng;

    counting_seed(seed);
    randombytes_buf_deterministic(stream, sizeof stream, seed);
    text_hex(hex, stream, sizeof stream);
    cr_assert_str_eq(hex, "0d8e6cc68715648926732e7ea73250cf");
    rng_seed(&rng, seed);
    for (int i = 0; i < 10; i++)
        cr_assert_eq(rng_uniform(&rng, 100), draws[i]);
    rng_seed(&rng, seed);
    for (int i = 0; i < 10; i++)
        items[i] = i;
    rng_shuffle(&rng, items, 10, sizeof *items);
    cr_assert_arr_eq(items, shuffled, sizeof items);
}

Test(buf, jots_numbers_of_any_length)
{
    static const struct {
        long long value;
        const char *text;
    } known[] = {
        {0, "0"},
        {9, "9"},
        {10, "10"},
        {-1, "-1"},
        {-10, "-10"},
        {123456789, "123456789"},
        {LLONG_MAX, "9223372036854775807"},
        {LLONG_MIN, "-9223372036854775808"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[NUMBER_TEXT + 1];
        struct buf buf;

        *jot_int(text, known[i].value) = '\0';
        cr_assert_str_eq(text, known[i].text);
        buf_init(&buf, 100);
        buf_int(&buf, known[i].value);
        cr_assert_str_eq(buf.text, known[i].text);
        cr_assert_eq(buf.len, strlen(known[i].text));
        buf_release(&buf);
    }
}

Test(buf, pads_numbers_with_zeros)
{
    char text[NUMBER_TEXT + 1];

    *jot_padded(text, 7, 6) = '\0';
    cr_assert_str_eq(text, "000007");
    *jot_padded(text, 123456, 6) = '\0';
    cr_assert_str_eq(text, "123456");
    *jot_padded(text, 1234567, 6) = '\0';
    cr_assert_str_eq(text, "1234567");
    *jot_padded(text, 9, 1) = '\0';
    cr_assert_str_eq(text, "9");
}

Test(buf, reserves_memory_once_and_grows_on)
{
    struct buf buf;

    buf_init(&buf, 100);
    buf_reserve(&buf, 10);
    cr_assert_eq(buf.cap, 10);
    cr_assert_str_eq(buf.text, "");
    buf_str(&buf, "12345");
    buf_reserve(&buf, 50);
    cr_assert_str_eq(buf.text, "12345");
    buf_str(&buf, "67890");
    cr_assert_str_eq(buf.text, "1234567890");
    cr_assert(buf_ok(&buf));
    buf_release(&buf);
}

Test(lines, tells_of_a_seat_and_knows_lengths)
{
    struct lines l;

    lines_init(&l, 1000);
    buf_str(tell_of(&l, SEAT(1), "draw", 1), "RR");
    tell_end(&l);
    tell(&l, EVERYONE, "%s", "");
    tell(&l, EVERYONE, "pass");
    cr_assert_str_eq(lines_text(&l, 0), "draw 2 RR");
    cr_assert_eq(lines_len(&l, 0), 9);
    cr_assert_eq(lines_len(&l, 1), 0);
    cr_assert_eq(lines_len(&l, 2), 4);
    lines_release(&l);
}
