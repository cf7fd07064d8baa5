/* The log: one line per entry, whatever is in it. */

#include "base/log.h"

#include <criterion/criterion.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static char written[8 * LOG_LINE_MAX];
static FILE *file;

static struct log start(enum log_level level, const char *journal)
{
    struct log log;

    if (journal)
        setenv("JOURNAL_STREAM", journal, 1);
    else
        unsetenv("JOURNAL_STREAM");
    memset(written, 0, sizeof written);
    file = fmemopen(written, sizeof written, "w");
    cr_assert(file);
    log_init(&log, file, level);
    return log;
}

static bool looks_like(const char *text, const char *pattern)
{
    regex_t regex;
    bool fits;

    cr_assert_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    fits = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return fits;
}

static int lines(const char *text)
{
    int n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

#define STAMP \
    "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z"

Test(log, a_file_gets_the_time)
{
    struct log log = start(LOG_INFO, NULL);

    log_line(&log, LOG_INFO, NULL, "%d bots", 3);
    cr_assert(looks_like(written, "^" STAMP " info 3 bots\n$"), "%s", written);
    fclose(file);
}

Test(log, the_journal_gets_the_priority)
{
    struct log log = start(LOG_DEBUG, "8:12345");

    log_line(&log, LOG_ERROR, NULL, "a");
    log_line(&log, LOG_WARNING, NULL, "b");
    log_line(&log, LOG_INFO, "rondo-41", "c");
    log_line(&log, LOG_DEBUG, NULL, "d");
    cr_assert_str_eq(written, "<3>error a\n<4>warning b\n"
                              "<6>info [rondo-41] c\n<7>debug d\n");
    fclose(file);
}

Test(log, an_empty_variable_is_no_journal)
{
    struct log log = start(LOG_INFO, "");

    cr_assert_not(log.journal);
    fclose(file);
}

Test(log, what_is_not_wanted_is_not_written)
{
    struct log log = start(LOG_WARNING, "1:1");

    log_line(&log, LOG_INFO, NULL, "a");
    log_line(&log, LOG_DEBUG, NULL, "b");
    log_line(&log, LOG_WARNING, NULL, "c");
    cr_assert_str_eq(written, "<4>warning c\n");
    fclose(file);
}

/* Nobody can forge an entry, or reach the terminal of who reads the log. */
Test(log, control_characters_are_spelled_out)
{
    struct log log = start(LOG_INFO, "1:1");

    log_line(&log, LOG_INFO, "a\n<3>b", "%s",
             "x\n<3>error y\r\033[31m ~\x7f\x9b\t");
    cr_assert_str_eq(written, "<6>info [a\\x0a<3>b] x\\x0a<3>error y\\x0d"
                              "\\x1b[31m ~\\x7f\\x9b\\x09\n");
    fclose(file);
}

static void expect_cut(const char *journal, const char *game, int byte)
{
    struct log log = start(LOG_INFO, journal);
    char text[5000];

    memset(text, byte, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    log_line(&log, LOG_INFO, game, "%s", text);
    cr_assert_leq(strlen(written), LOG_LINE_MAX);
    cr_assert_geq(strlen(written), LOG_LINE_MAX - 8);
    cr_assert_eq(lines(written), 1);
    cr_assert(looks_like(written, "\\.\\.\\.\n$"), "%s", written);
    fclose(file);
}

Test(log, what_is_too_long_is_cut)
{
    expect_cut("1:1", NULL, 'x');
    expect_cut(NULL, "rondo-41", 'x');
    expect_cut(NULL, "rondo-41", '\n');
}

Test(log, every_length_is_one_line)
{
    char text[LOG_LINE_MAX + 50];

    for (size_t n = LOG_LINE_MAX - 50; n < sizeof text; n++) {
        struct log log = start(LOG_INFO, "1:1");
        bool whole;

        memset(text, 'x', n);
        text[n] = '\0';
        log_line(&log, LOG_INFO, NULL, "%s", text);
        whole = strstr(written, text) != NULL;
        cr_assert_eq(lines(written), 1);
        cr_assert_leq(strlen(written), LOG_LINE_MAX);
        cr_assert_neq(whole, looks_like(written, "\\.\\.\\.\n$"), "%zu", n);
        fclose(file);
    }
}

Test(log, a_long_id_leaves_a_valid_line)
{
    struct log log = start(LOG_INFO, NULL);
    char id[3000];

    memset(id, 'i', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    log_line(&log, LOG_INFO, id, "text");
    cr_assert_eq(lines(written), 1);
    cr_assert_leq(strlen(written), LOG_LINE_MAX);
    fclose(file);
}

Test(log, tokens_are_blotted_out)
{
    struct log log = start(LOG_INFO, "1:1");

    log_line(&log, LOG_INFO, NULL, "%s",
             "login anna token:AbC-_9 and token: x");
    log_line(&log, LOG_INFO, NULL, "%s", "token:a\ntoken:b token:");
    cr_assert_str_eq(written, "<6>info login anna token:****** and token: x\n"
                              "<6>info token:********* token:\n");
    fclose(file);
}

Test(log, words_of_levels)
{
    enum log_level level;

    cr_assert(log_level_read("error", &level) && level == LOG_ERROR);
    cr_assert(log_level_read("warning", &level) && level == LOG_WARNING);
    cr_assert(log_level_read("info", &level) && level == LOG_INFO);
    cr_assert(log_level_read("debug", &level) && level == LOG_DEBUG);
    cr_assert_not(log_level_read("", &level));
    cr_assert_not(log_level_read("Info", &level));
    cr_assert_not(log_level_read("information", &level));
}
