/* Metrics, read back by a parser that forgives nothing. */

#include "daemon/metrics.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 200, TEXT = 200 };

struct sample {
    char name[TEXT];
    char label[TEXT];
    char value[TEXT]; /* of the label, without escapes */
    char family[TEXT];
    char type[TEXT];
    double number;
};

struct page {
    struct sample sample[SAMPLES_MAX];
    int samples;
    char family[SAMPLES_MAX][TEXT];
    int families;
};

/* The parser of the text format 0.0.4. */

static const char *read_name(const char *at, char *name, bool colons)
{
    size_t n = 0;

    cr_assert(isalpha((unsigned char)*at) || *at == '_', "%.60s", at);
    while (isalnum((unsigned char)at[n]) || at[n] == '_' ||
           (colons && at[n] == ':'))
        n++;
    cr_assert_lt(n, TEXT);
    memcpy(name, at, n);
    name[n] = '\0';
    return at + n;
}

static const char *skip(const char *at, const char *text)
{
    cr_assert_eq(strncmp(at, text, strlen(text)), 0, "not \"%s\" but %.60s",
                 text, at);
    return at + strlen(text);
}

/* "# HELP name text" and "# TYPE name type", in this order, once. */
static const char *read_family(struct page *page, const char *at, char *type)
{
    char *family = page->family[page->families], again[TEXT];

    at = read_name(skip(at, "# HELP "), family, true);
    at = skip(at, " ");
    cr_assert_gt(strcspn(at, "\n"), 0);
    for (; *at != '\n'; at++) {
        cr_assert(*at >= ' ' && *at <= '~');
        if (*at == '\\') {
            at++;
            cr_assert(*at == '\\' || *at == 'n');
        }
    }
    at = read_name(skip(at, "\n# TYPE "), again, true);
    cr_assert_str_eq(again, family);
    at = read_name(skip(at, " "), type, false);
    cr_assert(strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0 ||
              strcmp(type, "histogram") == 0);
    for (int i = 0; i < page->families; i++)
        cr_assert_str_neq(page->family[i], family);
    page->families++;
    return skip(at, "\n");
}

static const char *read_label(const char *at, struct sample *s)
{
    size_t n = 0;

    at = read_name(skip(at, "{"), s->label, false);
    for (at = skip(at, "=\""); *at != '"'; at++) {
        cr_assert(*at != '\n' && *at != '\0' && n < TEXT - 1);
        if (*at == '\\') {
            at++;
            cr_assert(strchr("\\\"n", *at) && *at);
            s->value[n++] = *at == 'n' ? '\n' : *at;
        } else {
            s->value[n++] = *at;
        }
    }
    s->value[n] = '\0';
    return skip(at, "\"}");
}

static const char *read_sample(struct page *page, const char *at,
                               const char *type)
{
    struct sample *s = &page->sample[page->samples];
    char *end;

    cr_assert_lt(page->samples, SAMPLES_MAX);
    *s = (struct sample){.number = 0};
    strcpy(s->family, page->family[page->families - 1]);
    strcpy(s->type, type);
    at = read_name(at, s->name, true);
    if (*at == '{')
        at = read_label(at, s);
    at = skip(at, " ");
    cr_assert(isdigit((unsigned char)*at) || *at == '-');
    s->number = strtod(at, &end);
    for (int i = 0; i < page->samples; i++)
        cr_assert(strcmp(page->sample[i].name, s->name) ||
                      strcmp(page->sample[i].value, s->value),
                  "%s{%s} is there twice", s->name, s->value);
    page->samples++;
    return skip(end, "\n");
}

static bool belongs(const struct sample *s)
{
    size_t n = strlen(s->family);
    const char *rest = s->name + n;

    if (strncmp(s->name, s->family, n) != 0)
        return false;
    if (strcmp(s->type, "histogram") != 0)
        return *rest == '\0';
    return strcmp(rest, "_bucket") == 0 || strcmp(rest, "_sum") == 0 ||
           strcmp(rest, "_count") == 0;
}

static void parse(struct page *page, const char *at)
{
    char type[TEXT] = "";

    *page = (struct page){.samples = 0};
    while (*at) {
        if (*at == '#')
            at = read_family(page, at, type);
        cr_assert_gt(page->families, 0);
        at = read_sample(page, at, type);
        cr_assert(belongs(&page->sample[page->samples - 1]));
        if (strcmp(type, "counter") == 0)
            cr_assert(strstr(page->sample[page->samples - 1].name, "_total"));
    }
}

/* Tests. */

static const struct page *page_of(const struct metrics *m)
{
    static struct page page;
    struct buf out;

    buf_init(&out, 1 << 20);
    metrics_write(m, &out);
    cr_assert(buf_ok(&out));
    parse(&page, out.text);
    buf_release(&out);
    return &page;
}

static double number(const struct page *page, const char *name,
                     const char *value)
{
    for (int i = 0; i < page->samples; i++)
        if (strcmp(page->sample[i].name, name) == 0 &&
            strcmp(page->sample[i].value, value) == 0)
            return page->sample[i].number;
    cr_assert(false, "no %s{%s}", name, value);
    return -1;
}

Test(metrics, a_new_daemon_has_every_number)
{
    struct metrics m = {0};
    const struct page *page = page_of(&m);

    cr_assert_eq(number(page, "referee_moves_total", ""), 0);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_count", ""), 0);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_sum", ""), 0);
    for (int i = 0; i < WHYS; i++)
        cr_assert_eq(number(page, "referee_faults_total", why_word(i)), 0);
}

/* Each number stands at its name: fill them all with different ones. */
Test(metrics, each_number_at_its_name)
{
    struct metrics m = {.start_s = 1700000000,
                        .paused = 1,
                        .games_running = 2,
                        .bots_waiting = 3,
                        .connections_open = 4,
                        .games_done = 5,
                        .games_void = 6,
                        .moves = INT64_MAX,
                        .connections_refused = 7,
                        .logins_ok = 8,
                        .logins_failed = 9,
                        .bytes_in = 10,
                        .bytes_out = 11};
    static const struct {
        const char *name;
        double number;
    } rows[] = {
        {"process_start_time_seconds", 1700000000},
        {"referee_paused", 1},
        {"referee_games_running", 2},
        {"referee_bots_waiting", 3},
        {"referee_connections", 4},
        {"referee_games_done_total", 5},
        {"referee_games_void_total", 6},
        {"referee_moves_total", 0x1p63},
        {"referee_connections_refused_total", 7},
        {"referee_logins_total", 8},
        {"referee_logins_failed_total", 9},
        {"referee_received_bytes_total", 10},
        {"referee_sent_bytes_total", 11},
    };
    const struct page *page;

    m.connections_accepted[LISTEN_TCP] = 20;
    m.connections_accepted[LISTEN_TLS] = 21;
    m.connections_accepted[LISTEN_UNIX] = 22;
    for (int i = 0; i < WHYS; i++)
        m.faults[i] = 100 + i;
    page = page_of(&m);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_eq(number(page, rows[i].name, ""), rows[i].number, "%s",
                     rows[i].name);
    cr_assert_eq(number(page, "referee_connections_accepted_total", "tcp"), 20);
    cr_assert_eq(number(page, "referee_connections_accepted_total", "tls"), 21);
    cr_assert_eq(number(page, "referee_connections_accepted_total", "unix"),
                 22);
    cr_assert_eq(number(page, "referee_faults_total", "time"), 100 + WHY_TIME);
    cr_assert_eq(number(page, "referee_faults_total", "protocol"),
                 100 + WHY_PROTOCOL);
}

Test(metrics, labels_are_escaped)
{
    static const char *const names[] = {
        "duel", "a\\b", "say \"x\"", "two\nlines", "\\n", "", "}"};
    enum { COUNT = sizeof names / sizeof *names };
    struct ladder_metrics ladder[COUNT];
    struct metrics m = {.ladder = ladder, .ladders = COUNT};
    const struct page *page;

    for (int i = 0; i < COUNT; i++)
        ladder[i] = (struct ladder_metrics){names[i], i, 10 + i, 20 + i};
    page = page_of(&m);
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(number(page, "referee_ladder_bots_waiting", names[i]), i);
        cr_assert_eq(number(page, "referee_ladder_games_running", names[i]),
                     10 + i);
        cr_assert_eq(number(page, "referee_ladder_games_total", names[i]),
                     20 + i);
    }
}

/* Bounds rise, counts do not fall, and the last one counts all. */
static void expect_histogram(const struct page *page, double count, double sum)
{
    double bound = -1, so_far = 0;
    int buckets = 0;

    for (int i = 0; i < page->samples; i++) {
        const struct sample *s = &page->sample[i];
        double le = strtod(s->value, NULL);

        if (strcmp(s->name, "referee_loop_lag_seconds_bucket") != 0)
            continue;
        cr_assert_str_eq(s->label, "le");
        cr_assert_gt(le, bound);
        cr_assert_geq(s->number, so_far);
        bound = le;
        so_far = s->number;
        buckets++;
    }
    cr_assert_eq(buckets, LAG_BUCKETS + 1);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_bucket", "+Inf"),
                 count);
    cr_assert_eq(so_far, count);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_count", ""), count);
    cr_assert_float_eq(number(page, "referee_loop_lag_seconds_sum", ""), sum,
                       1e-9);
}

Test(metrics, the_histogram)
{
    struct metrics m = {0};
    const struct page *page;

    metrics_lag(&m, 0);
    metrics_lag(&m, 5); /* a bound belongs to its bucket */
    metrics_lag(&m, 6);
    metrics_lag(&m, 1000000);
    metrics_lag(&m, 1000001);
    metrics_lag(&m, 3600000000);
    metrics_lag(&m, -7);
    page = page_of(&m);
    expect_histogram(page, 7, 3602.000012);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_bucket", "0.000005"),
                 3);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_bucket", "0.00001"), 4);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_bucket", "0.5"), 4);
    cr_assert_eq(number(page, "referee_loop_lag_seconds_bucket", "1"), 5);
}

Test(metrics, many_lags)
{
    struct metrics m = {0};
    double sum = 0;

    for (int i = 0; i < 100000; i++) {
        metrics_lag(&m, i);
        sum += i;
    }
    expect_histogram(page_of(&m), 100000, sum / 1e6);
}
