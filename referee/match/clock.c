#include "match/clock.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/*
 * In the order of enum time_system. A shape is read and written from left to
 * right: m, e and c stand for main_us, extra_us and count, and every other
 * character stands for itself.
 */
static const struct form {
    const char *name;
    const char *shape;
    const char *example;
} forms[] = {
    {"none", "", "none"},
    {"move", ":m", "move:500ms"},
    {"bank", ":m", "bank:5m"},
    {"fischer", ":m+e", "fischer:60s+1s"},
    {"delay", ":m+e", "delay:60s+2s"},
    {"bronstein", ":m+e", "bronstein:60s+2s"},
    {"byoyomi", ":m+cxe", "byoyomi:5m+3x30s"},
    {"canadian", ":m+e/c", "canadian:5m+60s/10"},
    {"hourglass", ":m", "hourglass:60s"},
};

/* The largest first, for writing. */
static const struct unit {
    const char *name;
    int64_t us;
} units[] = {
    {"h", 3600000000}, {"m", 60000000}, {"s", 1000000}, {"ms", 1000}, {"us", 1},
};

enum {
    SYSTEMS = sizeof forms / sizeof *forms,
    UNITS = sizeof units / sizeof *units,
    QUOTED_MAX = 40
};

static const char digits[] = "0123456789";
static const char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Reading a control. */

struct reading {
    const char *text;
    const char *at;
    const struct form *form;
    struct err *err;
};

static int quoted(size_t len)
{
    return len < QUOTED_MAX ? (int)len : QUOTED_MAX;
}

/*
 * A number in its only spelling. A number over TIME_MAX_US is read too, and its
 * value stays somewhere over it.
 */
static bool take_number(const char **at, int64_t *value)
{
    size_t n = strspn(*at, digits);

    if (n == 0 || (**at == '0' && n > 1))
        return false;
    *value = 0;
    for (; n > 0; n--, ++*at)
        if (*value <= TIME_MAX_US)
            *value = 10 * *value + (**at - '0');
    return true;
}

static const struct form *form_like(const char *name)
{
    const struct form *like = NULL;
    struct guess guess;

    guess_begin(&guess, name);
    for (int i = 0; i < SYSTEMS; i++)
        guess_add(&guess, "", forms[i].name);
    for (int i = 0; i < SYSTEMS; i++)
        if (guess.nearest == forms[i].name)
            like = &forms[i];
    guess_end(&guess);
    return like;
}

static bool no_system(const struct reading *r, size_t len)
{
    char name[QUOTED_MAX + 1] = "";
    const struct form *form;

    memcpy(name, r->text, (size_t)quoted(len));
    form = form_like(name);
    if (form)
        return fail(
            r->err,
            "\"%s\" is not a time system; if you mean %s, write it like "
            "%s",
            name, form->name, form->example);
    return fail(r->err,
                "\"%.*s\" does not begin with a time system: write none, or "
                "one like move:500ms, bank:5m, fischer:60s+1s, delay:60s+2s, "
                "bronstein:60s+2s, byoyomi:5m+3x30s, canadian:5m+60s/10, "
                "hourglass:60s",
                QUOTED_MAX, r->text);
}

static bool take_system(struct reading *r, enum time_system *system)
{
    size_t n = strspn(r->text, letters);

    for (int i = 0; i < SYSTEMS; i++)
        if (strlen(forms[i].name) == n &&
            memcmp(forms[i].name, r->text, n) == 0) {
            *system = (enum time_system)i;
            r->form = &forms[i];
            r->at = r->text + n;
            return true;
        }
    return no_system(r, n);
}

static bool take_mark(struct reading *r, char mark)
{
    if (take_char(&r->at, mark))
        return true;
    if (at_end(r->at))
        return fail(r->err,
                    "\"%.*s\" ends where '%c' should follow: write it like %s",
                    QUOTED_MAX, r->text, mark, r->form->example);
    return fail(r->err, "found \"%.*s\" where '%c' should be: write it like %s",
                QUOTED_MAX, r->at, mark, r->form->example);
}

static bool take_count(struct reading *r, int *count)
{
    if (take_int(&r->at, 1, TIME_COUNT_MAX, count))
        return true;
    return fail(r->err,
                "found \"%.*s\" where a number from 1 to %d should be: write "
                "it like %s",
                QUOTED_MAX, r->at, TIME_COUNT_MAX, r->form->example);
}

/* The unit that begins here and ends with the last letter. */
static const struct unit *unit_at(const char *at)
{
    size_t n = strspn(at, letters);

    for (int i = 0; i < UNITS; i++)
        if (strlen(units[i].name) == n && memcmp(units[i].name, at, n) == 0)
            return &units[i];
    return NULL;
}

/* Digits after a point, times a unit, from the last digit to the first. If the
 * result is whole, every intermediate result is too, however many digits there
 * are. */
static bool fraction_us(const char *digit, size_t n, int64_t unit_us,
                        int64_t *us)
{
    *us = 0;
    while (n-- > 0) {
        *us += (digit[n] - '0') * unit_us;
        if (*us % 10 != 0)
            return false;
        *us /= 10;
    }
    return true;
}

/* NULL, or what is wrong with it. */
static const char *read_duration(const char **at, int64_t *us)
{
    const char *fraction;
    const struct unit *unit;
    int64_t whole, part;
    size_t n;

    if (!take_number(at, &whole))
        return "is not a duration, which is a number and a unit (us, ms, s, m, h)";
    fraction = *at + (**at == '.');
    n = fraction > *at ? strspn(fraction, digits) : 0;
    if (fraction > *at && n == 0)
        return "has no digit after its point";
    unit = unit_at(fraction + n);
    if (!unit)
        return "has none of the units us, ms, s, m, h after its number";
    if (!fraction_us(fraction, n, unit->us, &part))
        return "is not a whole number of microseconds";
    if (whole > TIME_MAX_US / unit->us || whole * unit->us > TIME_MAX_US - part)
        return "is over 2147483647ms, the maximum";
    *us = whole * unit->us + part;
    *at = fraction + n + strlen(unit->name);
    return NULL;
}

static bool take_duration(struct reading *r, int64_t *us)
{
    const char *found = r->at;
    const char *wrong = read_duration(&r->at, us);

    if (!wrong)
        return true;
    return fail(r->err, "\"%.*s\" %s: write it like %s",
                quoted(strcspn(found, "+/,")), found, wrong, r->form->example);
}

static bool take_part(struct reading *r, char part, struct time_control *c)
{
    switch (part) {
    case 'm':
        return take_duration(r, &c->main_us);
    case 'e':
        return take_duration(r, &c->extra_us);
    case 'c':
        return take_count(r, &c->count);
    default:
        return take_mark(r, part);
    }
}

static bool take_end(struct reading *r, bool *cpu)
{
    const char *rest = r->at;

    *cpu = take_text(&r->at, ",cpu");
    if (!*cpu)
        take_text(&r->at, ",wall");
    if (at_end(r->at))
        return true;
    return fail(r->err,
                "found \"%.*s\" where the end, \",cpu\" or \",wall\" should "
                "be: write it like %s",
                QUOTED_MAX, rest, r->form->example);
}

/* A period without time would also be a division by zero. */
static bool has_time(const struct time_control *c)
{
    switch (c->system) {
    case TIME_NONE:
        return true;
    case TIME_DELAY:
        return c->main_us > 0 || c->extra_us > 0;
    case TIME_BYOYOMI:
    case TIME_CANADIAN:
        return c->extra_us > 0;
    default:
        return c->main_us > 0;
    }
}

bool time_control_parse(const char *text, struct time_control *out,
                        struct err *err)
{
    struct reading r = {.text = text, .err = err};
    struct time_control control = {0};
    char move[64];

    if (is_digit(text[0]) && strlen(text) < sizeof move - 8) {
        snprintf(move, sizeof move, "move:%s", text);
        r.text = text = move;
    }
    if (!take_system(&r, &control.system))
        return false;
    for (const char *part = r.form->shape; *part; part++)
        if (!take_part(&r, *part, &control))
            return false;
    if (!take_end(&r, &control.cpu))
        return false;
    if (!has_time(&control))
        return fail(err, "\"%.*s\" leaves no time for a move: write it like %s",
                    QUOTED_MAX, text, r.form->example);
    *out = control;
    return true;
}

/* Writing a control. */

void duration_write(int64_t us, struct buf *out)
{
    const struct unit *unit = units;

    if (us == 0) {
        buf_str(out, "0s");
        return;
    }
    while (us % unit->us != 0)
        unit++;
    buf_int(out, us / unit->us);
    buf_str(out, unit->name);
}

static void write_part(const struct time_control *c, char part, struct buf *out)
{
    switch (part) {
    case 'm':
        duration_write(c->main_us, out);
        break;
    case 'e':
        duration_write(c->extra_us, out);
        break;
    case 'c':
        buf_int(out, c->count);
        break;
    default:
        buf_char(out, part);
    }
}

void time_control_write(const struct time_control *c, struct buf *out)
{
    const struct form *form = &forms[c->system];

    buf_str(out, form->name);
    for (const char *part = form->shape; *part; part++)
        write_part(c, *part, out);
    if (c->cpu)
        buf_str(out, ",cpu");
}

static void write_argument(int64_t value, struct buf *out)
{
    buf_char(out, ' ');
    buf_int(out, value);
}

void time_settings_write(const struct time_control *c, struct buf *out)
{
    const struct form *form = &forms[c->system];

    buf_str(out, form->name);
    if (strchr(form->shape, 'm'))
        write_argument(c->main_us / 1000, out);
    if (strchr(form->shape, 'e'))
        write_argument(c->extra_us / 1000, out);
    if (strchr(form->shape, 'c'))
        write_argument(c->count, out);
    if (c->cpu)
        buf_str(out, " clock=cpu");
}

/* The clock. */

static bool is_duration(int64_t us)
{
    return us >= 0 && us <= TIME_MAX_US;
}

void clock_init(struct clock *clock, const struct time_control *c)
{
    assert(has_time(c) && is_duration(c->main_us) && is_duration(c->extra_us));
    *clock = (struct clock){.control = *c, .main_us = c->main_us};
    if (!strchr(forms[c->system].shape, 'c'))
        return;
    assert(c->count >= 1 && c->count <= TIME_COUNT_MAX);
    if (c->system == TIME_BYOYOMI) {
        clock->periods = c->count;
    } else {
        clock->block_us = c->extra_us;
        clock->moves = c->count;
    }
}

int64_t clock_limit(const struct clock *clock)
{
    switch (clock->control.system) {
    case TIME_NONE:
        return INT64_MAX;
    case TIME_DELAY:
        return clock->main_us + clock->control.extra_us;
    case TIME_BYOYOMI:
        return clock->main_us + clock->periods * clock->control.extra_us;
    case TIME_CANADIAN:
        return clock->main_us + clock->block_us;
    default:
        return clock->main_us;
    }
}

bool clock_late(const struct clock *clock, int64_t used_us, int64_t lenience_us)
{
    assert(used_us >= 0 && lenience_us >= 0);
    /* Not limit + lenience, which overflows where there is no limit. */
    return used_us - lenience_us > clock_limit(clock);
}

static void spend_byoyomi(struct clock *clock, int64_t us)
{
    int64_t over = us - clock->main_us;

    if (over <= 0) {
        clock->main_us -= us;
        return;
    }
    clock->main_us = 0;
    clock->periods -= (int)((over - 1) / clock->control.extra_us);
}

static void spend_canadian(struct clock *clock, int64_t us)
{
    if (us < clock->main_us) {
        clock->main_us -= us;
        return;
    }
    clock->block_us -= us - clock->main_us;
    clock->main_us = 0;
    if (--clock->moves > 0)
        return;
    clock->moves = clock->control.count;
    clock->block_us = clock->control.extra_us;
}

/* Anything beyond the limit is lost, so that no number of moves can
 * overflow. */
static void add_main(struct clock *clock, int64_t us)
{
    clock->main_us += least(us, TIME_MAX_US - clock->main_us);
}

int64_t clock_move(struct clock *clock, int64_t used_us)
{
    int64_t us = least(used_us, clock_limit(clock));

    assert(used_us >= 0);
    switch (clock->control.system) {
    case TIME_NONE:
    case TIME_MOVE:
        return 0;
    case TIME_BANK:
        clock->main_us -= us;
        return 0;
    case TIME_FISCHER:
        clock->main_us -= us;
        add_main(clock, clock->control.extra_us);
        return 0;
    case TIME_DELAY:
    case TIME_BRONSTEIN:
        clock->main_us -= us - least(us, clock->control.extra_us);
        return 0;
    case TIME_BYOYOMI:
        spend_byoyomi(clock, us);
        return 0;
    case TIME_CANADIAN:
        spend_canadian(clock, us);
        return 0;
    case TIME_HOURGLASS:
        clock->main_us -= us;
        return us;
    }
    return 0;
}

int64_t clock_share(int64_t used_us, int seats_in)
{
    return seats_in > 1 ? used_us / (seats_in - 1) : 0;
}

void clock_give(struct clock *clock, int64_t us)
{
    assert(us >= 0);
    if (clock->control.system == TIME_HOURGLASS)
        add_main(clock, us);
}

void clock_left_write(const struct clock *clock, struct buf *out)
{
    enum time_system system = clock->control.system;
    int64_t main_ms = clock->main_us / 1000;

    if (system == TIME_BYOYOMI && main_ms == 0) {
        buf_int(out, clock->control.extra_us / 1000);
        write_argument(clock->periods, out);
    } else if (system == TIME_CANADIAN && main_ms == 0) {
        buf_int(out, clock->block_us / 1000);
        write_argument(clock->moves, out);
    } else {
        buf_int(out, main_ms);
    }
}

/* The state for the record. */

char *clock_state_jot(const struct clock *clock, char *at)
{
    at = jot_int(at, clock->main_us);
    if (clock->control.system == TIME_BYOYOMI) {
        *at++ = ',';
        at = jot_int(at, clock->periods);
    } else if (clock->control.system == TIME_CANADIAN) {
        *at++ = ',';
        at = jot_int(at, clock->block_us);
        *at++ = ',';
        at = jot_int(at, clock->moves);
    }
    return at;
}

static bool take_overtime(const char **at, struct clock *clock)
{
    int count = clock->control.count;

    switch (clock->control.system) {
    case TIME_BYOYOMI:
        return take_char(at, ',') && take_int(at, 1, count, &clock->periods);
    case TIME_CANADIAN:
        return take_char(at, ',') && take_number(at, &clock->block_us) &&
               take_char(at, ',') && take_int(at, 1, count, &clock->moves);
    default:
        return true;
    }
}

/* Overtime is untouched while main lasts, and so is a block before a move. */
static bool overtime_is_possible(const struct clock *clock)
{
    const struct time_control *c = &clock->control;

    switch (c->system) {
    case TIME_BYOYOMI:
        return clock->main_us == 0 || clock->periods == c->count;
    case TIME_CANADIAN:
        if (clock->moves == c->count)
            return clock->block_us == c->extra_us;
        return clock->main_us == 0 && clock->block_us <= c->extra_us;
    default:
        return true;
    }
}

static bool main_is_possible(const struct clock *clock)
{
    switch (clock->control.system) {
    case TIME_NONE:
    case TIME_MOVE:
        return clock->main_us == clock->control.main_us;
    case TIME_FISCHER:
    case TIME_HOURGLASS:
        return clock->main_us <= TIME_MAX_US;
    default:
        return clock->main_us <= clock->control.main_us;
    }
}

bool clock_state_read(struct clock *clock, const char *text)
{
    struct clock read = *clock;

    if (!take_number(&text, &read.main_us) || !take_overtime(&text, &read) ||
        !at_end(text) || !main_is_possible(&read) ||
        !overtime_is_possible(&read))
        return false;
    *clock = read;
    return true;
}
