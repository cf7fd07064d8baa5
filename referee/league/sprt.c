#include "league/sprt.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { DIGITS_MAX = 15 }; /* a double holds them all */

/* Between parts. Its NUL is of use too: strchr() finds the end of a text. */
static const char separators[] = ", ";

static const struct part {
    const char *name;
    size_t at;
    double min, max;
} parts[] = {
    {"elo0", offsetof(struct sprt, elo0), -1000, 1000},
    {"elo1", offsetof(struct sprt, elo1), -1000, 1000},
    {"alpha", offsetof(struct sprt, alpha), 0.0001, 0.4},
    {"beta", offsetof(struct sprt, beta), 0.0001, 0.4},
};

enum { PARTS = sizeof parts / sizeof *parts };

void sprt_init(struct sprt *sprt)
{
    *sprt = (struct sprt){.elo1 = 20, .alpha = 0.05, .beta = 0.05};
}

static int take_digits(const char **at, double *digits)
{
    int n = 0, digit;

    for (; take_one_of(at, "0123456789", &digit); n++)
        *digits = 10 * *digits + digit;
    return n;
}

/* Digits, perhaps with a '-' before and a '.' among them. */
static bool take_decimal(const char **at, double *value)
{
    const char *c = *at;
    bool negative = take_char(&c, '-');
    double digits = 0;
    int whole = take_digits(&c, &digits);
    int places = take_char(&c, '.') ? take_digits(&c, &digits) : 0;

    if (whole + places == 0 || whole + places > DIGITS_MAX)
        return false;
    /* One division of two exact numbers: the nearest double to the text. */
    digits /= pow(10, places);
    *value = negative ? -digits : digits;
    *at = c;
    return true;
}

static const struct part *take_part(const char **at)
{
    for (const struct part *p = parts; p < parts + PARTS; p++) {
        const char *c = *at;

        if (take_text(&c, p->name) && take_char(&c, '=')) {
            *at = c;
            return p;
        }
    }
    return NULL;
}

static bool read_part(struct sprt *sprt, const char **at, struct err *err)
{
    const char *start = *at;
    int len = (int)strcspn(start, separators);
    const struct part *part = take_part(at);
    unsigned bit;
    double value;

    len = len > 40 ? 40 : len;
    if (!part)
        return fail(err,
                    "\"%.*s\" is not a part of a test: write "
                    "elo0=0 elo1=20 alpha=0.05 beta=0.05",
                    len, start);
    if (!take_decimal(at, &value) || !strchr(separators, **at) ||
        value < part->min || value > part->max)
        return fail(err, "\"%.*s\" does not fit: %s is a number from %g to %g",
                    len, start, part->name, part->min, part->max);
    bit = 1U << (part - parts);
    if (sprt->given & bit)
        return fail(err, "%s is given twice: give it once", part->name);
    sprt->given |= bit;
    memcpy((char *)sprt + part->at, &value, sizeof value);
    return true;
}

bool sprt_read(struct sprt *sprt, const char *text, struct err *err)
{
    for (;;) {
        text += strspn(text, separators);
        if (at_end(text))
            return true;
        if (!read_part(sprt, &text, err))
            return false;
    }
}

bool sprt_check(const struct sprt *sprt, struct err *err)
{
    if (sprt->elo0 < sprt->elo1)
        return true;
    return fail(err, "elo0=%g is not below elo1=%g: elo0 must be the lower one",
                sprt->elo0, sprt->elo1);
}

static double misfit(double variance, double mean, double elo)
{
    double off = mean - score_from_elo(elo);

    return variance + off * off;
}

struct sprt_state sprt_test(const struct sprt *sprt, const struct units *units)
{
    double variance = units_variance(units);
    double mean = units_mean(units);
    struct sprt_state state = {
        .llr = 0.5 * (double)units->n *
               log(misfit(variance, mean, sprt->elo0) /
                   misfit(variance, mean, sprt->elo1)),
        .lower = log(sprt->beta / (1 - sprt->alpha)),
        .upper = log((1 - sprt->beta) / sprt->alpha),
    };

    if (state.llr <= state.lower)
        state.verdict = SPRT_H0;
    if (state.llr >= state.upper)
        state.verdict = SPRT_H1;
    return state;
}
