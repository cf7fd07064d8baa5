/* Time controls as text: read, written, and refused with what is right. */

#include "clocks.h"

#include <string.h>

#define LONGEST "2147483647ms"

typedef void write_control(const struct time_control *control, struct buf *out);

/* Good until the next call. */
static const char *text_of(write_control *write, const struct time_control *c)
{
    struct buf buf;

    buf_init(&buf, TEXT - 1);
    write(c, &buf);
    return text_kept(&buf);
}

static const struct {
    const char *text;
    struct time_control control;
} controls[] = {
    {"none", {TIME_NONE, 0, 0, 0, false}},
    {"none,wall", {TIME_NONE, 0, 0, 0, false}},
    {"none,cpu", {TIME_NONE, 0, 0, 0, true}},
    {"move:500ms", {TIME_MOVE, 500 * MS, 0, 0, false}},
    {"move:0.5s,cpu", {TIME_MOVE, 500 * MS, 0, 0, true}},
    {"bank:5m", {TIME_BANK, 300 * SEC, 0, 0, false}},
    {"fischer:60s+1s", {TIME_FISCHER, 60 * SEC, SEC, 0, false}},
    {"delay:60s+2s,wall", {TIME_DELAY, 60 * SEC, 2 * SEC, 0, false}},
    {"bronstein:9s+2s", {TIME_BRONSTEIN, 9 * SEC, 2 * SEC, 0, false}},
    {"byoyomi:5m+3x30s", {TIME_BYOYOMI, 300 * SEC, 30 * SEC, 3, false}},
    {"canadian:0s+1m/9", {TIME_CANADIAN, 0, 60 * SEC, 9, false}},
    {"hourglass:60s,cpu", {TIME_HOURGLASS, 60 * SEC, 0, 0, true}},
};

Test(time_control, reads)
{
    for (int i = 0; i < COUNT(controls); i++) {
        struct time_control c = control_of(controls[i].text);

        cr_assert(same_control(&c, &controls[i].control), "%s",
                  controls[i].text);
    }
}

static const struct {
    const char *text;
    const char *canonical;
    const char *settings;
} texts[] = {
    {"none", "none", "none"},
    {"none,wall", "none", "none"},
    {"none,cpu", "none,cpu", "none clock=cpu"},
    {"move:500ms", "move:500ms", "move 500"},
    {"move:0.5s,cpu", "move:500ms,cpu", "move 500 clock=cpu"},
    {"move:1999us", "move:1999us", "move 1"},
    {"bank:5m", "bank:5m", "bank 300000"},
    {"fischer:60s+1s", "fischer:1m+1s", "fischer 60000 1000"},
    {"fischer:3m+0s,wall", "fischer:3m+0s", "fischer 180000 0"},
    {"delay:60s+2s", "delay:1m+2s", "delay 60000 2000"},
    {"delay:0s+2s", "delay:0s+2s", "delay 0 2000"},
    {"delay:120m+0us", "delay:2h+0s", "delay 7200000 0"},
    {"bronstein:90s+2s", "bronstein:90s+2s", "bronstein 90000 2000"},
    {"byoyomi:5m+3x30s", "byoyomi:5m+3x30s", "byoyomi 300000 30000 3"},
    {"byoyomi:0s+1x1us", "byoyomi:0s+1x1us", "byoyomi 0 0 1"},
    {"canadian:5m+60s/10", "canadian:5m+1m/10", "canadian 300000 60000 10"},
    {"canadian:0h+1.5m/25", "canadian:0s+90s/25", "canadian 0 90000 25"},
    {"hourglass:60s", "hourglass:1m", "hourglass 60000"},
    {"bank:" LONGEST, "bank:" LONGEST, "bank 2147483647"},
};

Test(time_control, writes_one_spelling)
{
    for (int i = 0; i < COUNT(texts); i++) {
        struct time_control c = control_of(texts[i].text);
        struct time_control again = control_of(texts[i].canonical);

        cr_assert(same_control(&c, &again), "%s", texts[i].text);
        cr_assert_str_eq(text_of(time_control_write, &c), texts[i].canonical);
        cr_assert_str_eq(text_of(time_settings_write, &c), texts[i].settings);
    }
}

Test(time_control, appends_to_what_is_there)
{
    struct time_control c = control_of("byoyomi:5m+3x30s,cpu");
    struct buf buf;

    buf_init(&buf, TEXT);
    buf_str(&buf, "time_settings ");
    time_settings_write(&c, &buf);
    buf_char(&buf, ' ');
    time_control_write(&c, &buf);
    cr_assert_str_eq(buf.text, "time_settings byoyomi 300000 30000 3 clock=cpu "
                               "byoyomi:5m+3x30s,cpu");
    buf_release(&buf);
}

static const struct {
    const char *text;
    int64_t us;
} durations[] = {
    {"1us", 1},
    {"1ms", MS},
    {"1s", SEC},
    {"1m", 60 * SEC},
    {"1h", 3600 * SEC},
    {"1.0us", 1},
    {"0.001ms", 1},
    {"0.000001s", 1},
    {"1.234567s", 1234567},
    {"1.2345670000000000000s", 1234567},
    {"0.1m", 6 * SEC},
    {"0.05m", 3 * SEC},
    {"0.00000005m", 3},
    {"0.0000000025h", 9},
    {"0.9999999975h", 3600 * SEC - 9},
    {"596.5h", 2147400 * SEC},
    {"2147483.647s", TIME_MAX_US},
    {"2147483646.999ms", TIME_MAX_US - 1},
    {"2147483647000us", TIME_MAX_US},
    {"2147483647.0000000000ms", TIME_MAX_US},
    {"35791.39411m", 2147483646600},
};

Test(time_control, reads_durations_to_the_microsecond)
{
    for (int i = 0; i < COUNT(durations); i++) {
        char text[TEXT];

        snprintf(text, sizeof text, "fischer:%s+%s", durations[i].text,
                 durations[i].text);
        cr_assert_eq(control_of(text).main_us, durations[i].us, "%s", text);
        cr_assert_eq(control_of(text).extra_us, durations[i].us, "%s", text);
    }
}

/* Every number of milliseconds, in thousandths of a second and in minutes. */
Test(time_control, reads_fractions_as_whole_numbers)
{
    for (int ms = 1; ms < 3000; ms++) {
        char text[TEXT];

        snprintf(text, sizeof text, "bank:%d.%03ds", ms / 1000, ms % 1000);
        cr_assert_eq(control_of(text).main_us, ms * MS, "%s", text);
        snprintf(text, sizeof text, "bank:%d.%03dm", ms / 1000, ms % 1000);
        cr_assert_eq(control_of(text).main_us, 60 * ms * MS, "%s", text);
    }
}

static const struct {
    const char *text;
    const char *fragment;
} wrong[] = {
    {"s60", "\"s60\" does not begin with a time system"},
    {" none", "\" none\" does not begin with a time"},
    {":5s", "\":5s\" does not begin"},
    {"sudden:5m", "write none, or one like move:500ms"},
    {"sudden:5m", "canadian:5m+60s/10, hourglass:60s"},
    {"Bank:5m", "if you mean bank, write it like bank:5m"},
    {"byoyomy:5m+3x30s", "write it like byoyomi:5m+3x30s"},
    {"nonee", "\"nonee\" is not a time system; if you mean none"},
    {"none:5s", "found \":5s\" where the end, \",cpu\""},
    {"none ", "found \" \" where the end"},
    {"none,", "found \",\" where the end"},
    {"none,CPU", "found \",CPU\" where the end"},
    {"none,cpu,wall", "found \",cpu,wall\" where the end"},
    {"none,cpu ", "found \",cpu \" where the end"},
    {"bank", "\"bank\" ends where ':' should follow"},
    {"bank 5m", "found \" 5m\" where ':' should be"},
    {"bank:", "\"\" is not a duration"},
    {"bank:five", "\"five\" is not a duration, which is"},
    {"bank:-5m", "\"-5m\" is not a duration"},
    {"bank:+5m", "\"\" is not a duration"},
    {"bank:05m", "\"05m\" is not a duration"},
    {"bank:.5m", "\".5m\" is not a duration"},
    {"bank: 5m", "\" 5m\" is not a duration"},
    {"bank:0x5m", "\"0x5m\" has none of the units us, ms, s"},
    {"bank:5", "\"5\" has none of the units us, ms, s"},
    {"bank:5 m", "\"5 m\" has none of the units"},
    {"bank:5min", "\"5min\" has none of the units"},
    {"bank:5S", "\"5S\" has none of the units"},
    {"bank:1e3s", "\"1e3s\" has none of the units"},
    {"bank:1.2.3s", "\"1.2.3s\" has none of the units"},
    {"bank:1,5s", "\"1\" has none of the units"},
    {"bank:5.s", "\"5.s\" has no digit after its point"},
    {"bank:5.", "\"5.\" has no digit after its point"},
    {"bank:0.5us", "\"0.5us\" is not a whole number of micro"},
    {"bank:1.0000001s", "\"1.0000001s\" is not a whole number of"},
    {"bank:0.00000000025h", "is not a whole number of microseconds"},
    {"bank:2147483648ms", "\"2147483648ms\" is over 2147483647ms"},
    {"bank:2147483647.001ms", "is over 2147483647ms, the maximum"},
    {"bank:597h", "\"597h\" is over 2147483647ms"},
    {"bank:596.6h", "\"596.6h\" is over 2147483647ms"},
    {"bank:9223372036854775808us", "is over 2147483647ms"},
    {"bank:18446744073709551617us", "is over 2147483647ms"},
    {"bank:99999999999999999999h", "is over 2147483647ms"},
    {"bank:5m+1s", "found \"+1s\" where the end"},
    {"bank:5m,wal", "found \",wal\" where the end"},
    {"bank:0s", "\"bank:0s\" leaves no time for a move"},
    {"move:0ms", "\"move:0ms\" leaves no time for a move"},
    {"hourglass:0h", "write it like hourglass:60s"},
    {"fischer:60s", "\"fischer:60s\" ends where '+' should"},
    {"fischer:60s/1s", "found \"/1s\" where '+' should be"},
    {"fischer:60s+", "\"\" is not a duration"},
    {"fischer:60+1s", "\"60\" has none of the units"},
    {"fischer:0s+1s", "leaves no time for a move"},
    {"bronstein:0s+5s", "leaves no time for a move"},
    {"delay:0s+0s", "for a move: write it like delay:60s+2s"},
    {"byoyomi:5m+30s", "found \"s\" where 'x' should be"},
    {"byoyomi:5m+0x30s", "found \"0x30s\" where a number from 1"},
    {"byoyomi:5m+x30s", "found \"x30s\" where a number"},
    {"byoyomi:5m+1000001x30s", "a number from 1 to 1000000"},
    {"byoyomi:5m+4294967297x30s", "a number from 1 to 1000000"},
    {"byoyomi:5m+3x0s", "leaves no time for a move"},
    {"byoyomi:5m+3", "ends where 'x' should follow"},
    {"canadian:5m+60s", "ends where '/' should follow"},
    {"canadian:5m+60s/", "found \"\" where a number from 1"},
    {"canadian:5m+60s/-1", "found \"-1\" where a number"},
    {"canadian:5m+60s/07", "found \"07\" where a number"},
    {"canadian:5m+60s/10s", "found \"s\" where the end"},
    {"canadian:5m+0s/10", "leaves no time for a move"},
    {"bank:\x01#\xff", "\"???\" is not a duration"},
};

Test(time_control, refuses_what_is_wrong)
{
    for (int i = 0; i < COUNT(wrong); i++) {
        struct time_control c = {TIME_BANK, 7, 8, 9, true}, before = c;
        struct err err = {0};

        cr_assert_not(time_control_parse(wrong[i].text, &c, &err), "%s",
                      wrong[i].text);
        cr_assert(strstr(err.text, wrong[i].fragment), "%s: %s", wrong[i].text,
                  err.text);
        cr_assert(same_control(&c, &before));
    }
}

static void refuses(const char *text, const char *sentence)
{
    struct time_control c;
    struct err err = {0};

    cr_assert_not(time_control_parse(text, &c, &err), "%s", text);
    cr_assert_str_eq(err.text, sentence);
}

Test(time_control, says_what_would_be_right)
{
    refuses("", "\"\" does not begin with a time system: write none, or one "
                "like move:500ms, bank:5m, fischer:60s+1s, delay:60s+2s, "
                "bronstein:60s+2s, byoyomi:5m+3x30s, canadian:5m+60s/10, "
                "hourglass:60s");
    refuses("fisher:60s+1s", "\"fisher\" is not a time system; if you mean "
                             "fischer, write it like fischer:60s+1s");
    refuses("bank:5", "\"5\" has none of the units us, ms, s, m, h after its "
                      "number: write it like bank:5m");
    refuses("fischer:60s+x", "\"x\" is not a duration, which is a number and a "
                             "unit (us, ms, s, m, h): write it like "
                             "fischer:60s+1s");
    refuses("fischer:60s", "\"fischer:60s\" ends where '+' should follow: "
                           "write it like fischer:60s+1s");
    refuses("byoyomi:5m+30s", "found \"s\" where 'x' should be: write it like "
                              "byoyomi:5m+3x30s");
    refuses("byoyomi:5m+0x30s", "found \"0x30s\" where a number from 1 to "
                                "1000000 should be: write it like "
                                "byoyomi:5m+3x30s");
    refuses("move:1s+1s", "found \"+1s\" where the end, \",cpu\" or \",wall\" "
                          "should be: write it like move:500ms");
    refuses("move:0s", "\"move:0s\" leaves no time for a move: write it like "
                       "move:500ms");
    refuses("bank:600h", "\"600h\" is over 2147483647ms, the maximum: write it "
                         "like bank:5m");
}

/* However long the text is, the sentence stays whole. */
Test(time_control, quotes_the_beginning_of_a_long_text)
{
    static const char *const heads[] = {
        "", "bank:", "bank:5", "bank:5m", "bank:5.", "byoyomi:5m+", "none,"};
    static const char fillers[] = "x9 :+/,.#";

    for (int i = 0; i < COUNT(heads); i++)
        for (const char *filler = fillers; *filler; filler++) {
            char text[1000];
            size_t n = strlen(heads[i]);
            struct time_control c;
            struct err err = {0};

            memset(text, *filler, sizeof text - 1);
            memcpy(text, heads[i], n);
            text[sizeof text - 1] = '\0';
            cr_assert_not(time_control_parse(text, &c, &err), "%s", text);
            cr_assert(strstr(err.text, "write "), "%s", err.text);
            cr_assert(strlen(err.text) < ERR_TEXT_MAX - 1, "%s", err.text);
        }
}

/* Either refused or written back in a spelling that means the same. */
static void survives(const char *text)
{
    struct time_control c, again;
    struct err err = {0};
    char written[TEXT];

    if (!time_control_parse(text, &c, &err)) {
        cr_assert(strstr(err.text, "write it like ") ||
                      strstr(err.text, "write none"),
                  "%s: %s", text, err.text);
        return;
    }
    snprintf(written, sizeof written, "%s", text_of(time_control_write, &c));
    again = control_of(written);
    cr_assert(same_control(&c, &again), "%s, %s", text, written);
}

Test(time_control, survives_any_changed_character)
{
    for (int i = 0; i < COUNT(texts); i++)
        for (size_t at = 0; at < strlen(texts[i].text); at++)
            for (int byte = 0; byte < 256; byte++) {
                char text[TEXT];

                snprintf(text, sizeof text, "%s", texts[i].text);
                text[at] = (char)byte;
                survives(text);
            }
}

static const int64_t amounts[] = {
    0,
    1,
    2,
    999,
    1000,
    1001,
    59999999,
    60 * SEC,
    60000001,
    3600 * SEC,
    90 * SEC,
    1500 * MS,
    123456789,
    61 * SEC,
    7200 * SEC,
    86400 * SEC,
    TIME_MAX_US - 1,
    TIME_MAX_US,
};
static const int counts[] = {1, 2, 10, 999999, 1000000};

static bool is_counted(enum time_system system)
{
    return system == TIME_BYOYOMI || system == TIME_CANADIAN;
}

static bool has_extra(enum time_system system)
{
    return is_counted(system) || system == TIME_FISCHER ||
           system == TIME_DELAY || system == TIME_BRONSTEIN;
}

static bool has_time(const struct time_control *c)
{
    if (is_counted(c->system))
        return c->extra_us > 0;
    return c->system == TIME_NONE || c->main_us > 0 ||
           (c->system == TIME_DELAY && c->extra_us > 0);
}

static void round_trip(const struct time_control *c)
{
    char text[TEXT];
    struct time_control again = {0};
    struct err err = {0};

    snprintf(text, sizeof text, "%s", text_of(time_control_write, c));
    cr_assert(strpbrk(text, " #") == NULL, "%s", text);
    if (!has_time(c)) {
        cr_assert_not(time_control_parse(text, &again, &err), "%s", text);
        cr_assert(strstr(err.text, "leaves no time for a move"), "%s", text);
        return;
    }
    again = control_of(text);
    cr_assert(same_control(c, &again), "%s", text);
    cr_assert_str_eq(text_of(time_control_write, &again), text);
}

Test(time_control, round_trips)
{
    for (int s = 0; s < SYSTEMS; s++)
        for (int m = 0; m < COUNT(amounts); m++)
            for (int e = 0; e < COUNT(amounts); e++)
                for (int n = 0; n < 2 * COUNT(counts); n++) {
                    enum time_system system = (enum time_system)s;
                    struct time_control c = {.system = system, .cpu = n % 2};

                    if (system != TIME_NONE)
                        c.main_us = amounts[m];
                    if (has_extra(system))
                        c.extra_us = amounts[e];
                    if (is_counted(system))
                        c.count = counts[n / 2];
                    round_trip(&c);
                }
}
