/*
 * Clocks: the borders of every system by hand, then all short games on small
 * clocks against a model that lets one microsecond pass after the other.
 */

#include "clocks.h"

#include <inttypes.h>
#include <string.h>

static struct clock clock_of(const char *text)
{
    struct time_control control = control_of(text);
    struct clock clock;

    clock_init(&clock, &control);
    return clock;
}

typedef void write_clock(const struct clock *clock, struct buf *out);

static void clock_state_write(const struct clock *clock, struct buf *out)
{
    char *at = buf_room(out, CLOCK_STATE_TEXT);

    cr_assert(at);
    buf_upto(out, clock_state_jot(clock, at));
}

/* Good until the next call. */
static const char *clock_text(write_clock *write, const struct clock *clock)
{
    struct buf buf;

    buf_init(&buf, TEXT - 1);
    write(clock, &buf);
    return text_kept(&buf);
}

static void write_settings(const struct clock *clock, struct buf *out)
{
    time_control_write(&clock->control, out);
}

static bool same_clock(const struct clock *a, const struct clock *b)
{
    return same_control(&a->control, &b->control) && a->main_us == b->main_us &&
           a->block_us == b->block_us && a->periods == b->periods &&
           a->moves == b->moves;
}

static const char *const every[] = {
    "none",          "move:500ms",       "bank:5m",
    "fischer:9s+1s", "delay:9s+2s",      "bronstein:60s+2s",
    "delay:0s+2s",   "byoyomi:5s+3x30s", "canadian:5s+60s/10",
    "hourglass:60s", "canadian:0s+1h/1", "byoyomi:0s+1000000x5s",
};

static bool is_counted(enum time_system system)
{
    return system == TIME_BYOYOMI || system == TIME_CANADIAN;
}

static bool has_extra(enum time_system system)
{
    return is_counted(system) || system == TIME_FISCHER ||
           system == TIME_DELAY || system == TIME_BRONSTEIN;
}

/* The borders, by hand. Each control begins a game; NULL goes on with it. */

static const struct {
    const char *control;
    int64_t used_us;
    int64_t limit_us;  /* before the move */
    const char *state; /* after it */
    const char *time_left;
} moves[] = {
    {"none", 0, INT64_MAX, "0", "0"},
    {NULL, INT64_MAX, INT64_MAX, "0", "0"},
    {"move:5ms", 0, 5000, "5000", "5"},
    {NULL, 5000, 5000, "5000", "5"},
    {NULL, 5001, 5000, "5000", "5"},
    {"bank:10ms", 1, 10000, "9999", "9"},
    {NULL, 9998, 9999, "1", "0"},
    {NULL, 1, 1, "0", "0"},
    {NULL, 0, 0, "0", "0"},
    {"bank:10ms", 10000, 10000, "0", "0"},
    {"bank:10ms", 10001, 10000, "0", "0"},
    {"fischer:10ms+2ms", 0, 10000, "12000", "12"},
    {NULL, 12000, 12000, "2000", "2"},
    {NULL, 2001, 2000, "2000", "2"},
    {NULL, 1, 2000, "3999", "3"},
    {"fischer:10ms+0s", 10000, 10000, "0", "0"},
    {NULL, 0, 0, "0", "0"},
    {"delay:10ms+2ms", 2000, 12000, "10000", "10"},
    {NULL, 2001, 12000, "9999", "9"},
    {NULL, 11999, 11999, "0", "0"},
    {NULL, 2001, 2000, "0", "0"},
    {"delay:10ms+2ms", 12000, 12000, "0", "0"},
    {"delay:10ms+2ms", 12001, 12000, "0", "0"},
    {"bronstein:10ms+2ms", 2000, 10000, "10000", "10"},
    {NULL, 2001, 10000, "9999", "9"},
    {NULL, 9999, 9999, "2000", "2"},
    {NULL, 2001, 2000, "2000", "2"},
    {"bronstein:1ms+2ms", 1000, 1000, "1000", "1"},
    {NULL, 1001, 1000, "1000", "1"},
    {"byoyomi:10ms+3x4ms", 9000, 22000, "1000,3", "1"},
    {NULL, 1000, 13000, "0,3", "4 3"},
    {NULL, 4000, 12000, "0,3", "4 3"},
    {NULL, 4001, 12000, "0,2", "4 2"},
    {"byoyomi:10ms+3x4ms", 14000, 22000, "0,3", "4 3"},
    {NULL, 8000, 12000, "0,2", "4 2"},
    {NULL, 8000, 8000, "0,1", "4 1"},
    {NULL, 4000, 4000, "0,1", "4 1"},
    {"byoyomi:10ms+3x4ms", 14001, 22000, "0,2", "4 2"},
    {"byoyomi:10ms+3x4ms", 18000, 22000, "0,2", "4 2"},
    {"byoyomi:10ms+3x4ms", 18001, 22000, "0,1", "4 1"},
    {"byoyomi:10ms+3x4ms", 22000, 22000, "0,1", "4 1"},
    {NULL, 4001, 4000, "0,1", "4 1"},
    {"byoyomi:10ms+3x4ms", 99999, 22000, "0,1", "4 1"},
    {"byoyomi:10ms+3x4ms", 9001, 22000, "999,3", "4 3"},
    {"byoyomi:0s+2x4ms", 0, 8000, "0,2", "4 2"},
    {NULL, 4001, 8000, "0,1", "4 1"},
    {"canadian:10ms+6ms/3", 9999, 16000, "1,6000,3", "6 3"},
    {NULL, 0, 6001, "1,6000,3", "6 3"},
    {NULL, 2, 6001, "0,5999,2", "5 2"},
    {NULL, 5999, 5999, "0,0,1", "0 1"},
    {NULL, 0, 0, "0,6000,3", "6 3"},
    {"canadian:10ms+6ms/3", 10000, 16000, "0,6000,2", "6 2"},
    {NULL, 1, 6000, "0,5999,1", "5 1"},
    {NULL, 1, 5999, "0,6000,3", "6 3"},
    {NULL, 6001, 6000, "0,0,2", "0 2"},
    {"canadian:10ms+6ms/3", 10001, 16000, "0,5999,2", "5 2"},
    {NULL, 5000, 5999, "0,999,1", "0 1"},
    {NULL, 1000, 999, "0,6000,3", "6 3"},
    {"canadian:10ms+6ms/3", 9000, 16000, "1000,6000,3", "1"},
    {"canadian:10ms+6ms/3", 16000, 16000, "0,0,2", "0 2"},
    {NULL, 1, 0, "0,0,1", "0 1"},
    {"canadian:10ms+6ms/1", 16001, 16000, "0,6000,1", "6 1"},
    {NULL, 6000, 6000, "0,6000,1", "6 1"},
    {"canadian:0s+6ms/2", 0, 6000, "0,6000,1", "6 1"},
    {NULL, 0, 6000, "0,6000,2", "6 2"},
    {"hourglass:10ms", 1, 10000, "9999", "9"},
    {NULL, 9999, 9999, "0", "0"},
    {NULL, 1, 0, "0", "0"},
};

Test(clock, follows_the_table_at_its_borders)
{
    struct clock clock = {0};

    for (int i = 0; i < COUNT(moves); i++) {
        if (moves[i].control)
            clock = clock_of(moves[i].control);
        cr_assert_eq(clock_limit(&clock), moves[i].limit_us, "row %d: %jd", i,
                     (intmax_t)clock_limit(&clock));
        clock_move(&clock, moves[i].used_us);
        cr_assert_str_eq(clock_text(clock_state_write, &clock), moves[i].state,
                         "row %d: %s", i,
                         clock_text(clock_state_write, &clock));
        cr_assert_str_eq(clock_text(clock_left_write, &clock),
                         moves[i].time_left, "row %d: %s", i,
                         clock_text(clock_left_write, &clock));
    }
}

static const struct {
    const char *control;
    int64_t used_us, lenience_us;
    bool late;
} latenesses[] = {
    {"none", INT64_MAX, 0, false},
    {"none", INT64_MAX, INT64_MAX, false},
    {"none", 0, INT64_MAX, false},
    {"move:1ms", 1000, 0, false},
    {"move:1ms", 1001, 0, true},
    {"move:1ms", 1001, 1, false},
    {"move:1ms", 1002, 1, true},
    {"move:1ms", 0, INT64_MAX, false},
    {"move:1ms", INT64_MAX, 0, true},
    {"move:1ms", INT64_MAX, INT64_MAX, false},
    {"bank:1s", SEC, 0, false},
    {"bank:1s", SEC + 1, 0, true},
    {"bank:1s", SEC + 20 * MS, 20 * MS, false},
    {"fischer:1s+1s", SEC, 0, false},
    {"fischer:1s+1s", SEC + 1, 0, true},
    {"delay:1s+2s", 3 * SEC, 0, false},
    {"delay:1s+2s", 3 * SEC + 1, 0, true},
    {"bronstein:1s+2s", SEC, 0, false},
    {"bronstein:1s+2s", SEC + 1, 0, true},
    {"byoyomi:1s+3x2s", 7 * SEC, 0, false},
    {"byoyomi:1s+3x2s", 7 * SEC + 1, 0, true},
    {"byoyomi:1s+3x2s", 7 * SEC + 5, 5, false},
    {"canadian:1s+2s/10", 3 * SEC, 0, false},
    {"canadian:1s+2s/10", 3 * SEC + 1, 0, true},
    {"hourglass:1s", SEC, 0, false},
    {"hourglass:1s", SEC + 1, 0, true},
};

Test(clock, is_late_only_beyond_limit_and_lenience)
{
    for (int i = 0; i < COUNT(latenesses); i++) {
        struct clock clock = clock_of(latenesses[i].control);

        cr_assert_eq(clock_late(&clock, latenesses[i].used_us,
                                latenesses[i].lenience_us),
                     latenesses[i].late, "%s, row %d", latenesses[i].control,
                     i);
    }
}

/* The model: time passes one microsecond after the other. */

struct model {
    struct time_control c;
    int64_t main, block, delay, in_period;
    int periods, moves;
};

static struct model model_of(const struct time_control *c)
{
    return (struct model){.c = *c,
                          .main = c->main_us,
                          .block = c->extra_us,
                          .periods = c->count,
                          .moves = c->count};
}

static void model_begin(struct model *m)
{
    m->delay = m->c.system == TIME_DELAY ? m->c.extra_us : 0;
    m->in_period = 0;
    if (m->c.system == TIME_MOVE)
        m->main = m->c.main_us;
}

/* Let one microsecond pass; false if there is none left. */
static bool model_pass(struct model *m)
{
    if (m->delay > 0) {
        m->delay--;
        return true;
    }
    if (m->main > 0) {
        m->main--;
        return true;
    }
    if (m->c.system == TIME_CANADIAN && m->block > 0) {
        m->block--;
        return true;
    }
    if (m->c.system != TIME_BYOYOMI)
        return false;
    if (m->in_period == m->c.extra_us) {
        if (m->periods == 1)
            return false;
        m->periods--;
        m->in_period = 0;
    }
    m->in_period++;
    return true;
}

static void model_end(struct model *m, int64_t passed)
{
    if (m->c.system == TIME_MOVE)
        m->main = m->c.main_us;
    if (m->c.system == TIME_FISCHER)
        m->main += m->c.extra_us;
    if (m->c.system == TIME_BRONSTEIN)
        for (int64_t back = 0; back < passed && back < m->c.extra_us; back++)
            m->main++;
    if (m->c.system == TIME_CANADIAN && m->main == 0)
        m->moves--;
    if (m->c.system == TIME_CANADIAN && m->moves == 0) {
        m->moves = m->c.count;
        m->block = m->c.extra_us;
    }
}

static int64_t model_limit(struct model m)
{
    int64_t us = 0;

    model_begin(&m);
    while (model_pass(&m))
        us++;
    return us;
}

static void model_move(struct model *m, int64_t used)
{
    int64_t passed = 0;

    model_begin(m);
    while (passed < used && model_pass(m))
        passed++;
    model_end(m, passed);
}

static bool agrees(const struct clock *clock, const struct model *m)
{
    if (clock->main_us != m->main)
        return false;
    if (clock->control.system == TIME_BYOYOMI)
        return clock->periods == m->periods && clock->periods >= 1;
    if (clock->control.system == TIME_CANADIAN)
        return clock->block_us == m->block && clock->moves == m->moves;
    return clock->block_us == 0 && clock->periods == 0 && clock->moves == 0;
}

static bool state_returns(const struct clock *clock)
{
    struct clock again;

    clock_init(&again, &clock->control);
    return clock_state_read(&again, clock_text(clock_state_write, clock)) &&
           same_clock(clock, &again);
}

/* Any sequence of moves, each up to two microseconds over its limit. */
static void explore(const struct clock *clock, const struct model *model,
                    int depth)
{
    int64_t limit = model_limit(*model);

    if (clock_limit(clock) != limit || !agrees(clock, model) ||
        !state_returns(clock))
        cr_assert_fail("%s: %s, limit %jd, not %jd",
                       clock_text(write_settings, clock),
                       clock_text(clock_state_write, clock),
                       (intmax_t)clock_limit(clock), (intmax_t)limit);
    for (int64_t used = 0; depth > 0 && used <= limit + 2; used++) {
        struct clock after = *clock;
        struct model simulated = *model;
        int64_t given = clock_move(&after, used);
        int64_t counted = used < limit ? used : limit;
        bool late = used > limit;

        model_move(&simulated, used);
        if (given != (clock->control.system == TIME_HOURGLASS ? counted : 0) ||
            clock_late(clock, used, 0) != late || clock_late(clock, used, 2))
            cr_assert_fail("%s: a move of %jd",
                           clock_text(write_settings, clock), (intmax_t)used);
        explore(&after, &simulated, depth - 1);
    }
}

static bool is_sensible(const struct time_control *c)
{
    if (is_counted(c->system))
        return c->extra_us > 0;
    if (c->system == TIME_DELAY)
        return c->main_us + c->extra_us > 0;
    return c->main_us > 0 || c->system == TIME_NONE;
}

static void explore_system(enum time_system system)
{
    for (int main_us = 0; main_us <= 4; main_us++)
        for (int extra = 0; extra <= (has_extra(system) ? 4 : 0); extra++)
            for (int n = 1; n <= (is_counted(system) ? 4 : 1); n++) {
                struct time_control c = {system, main_us, extra, 0, false};
                struct clock clock;
                struct model model;

                c.count = is_counted(system) ? n : 0;
                if (!is_sensible(&c))
                    continue;
                clock_init(&clock, &c);
                model = model_of(&c);
                explore(&clock, &model, 3);
            }
}

Test(clock, agrees_with_passing_time_under_move)
{
    explore_system(TIME_MOVE);
}

Test(clock, agrees_with_passing_time_under_bank)
{
    explore_system(TIME_BANK);
}

Test(clock, agrees_with_passing_time_under_fischer)
{
    explore_system(TIME_FISCHER);
}

Test(clock, agrees_with_passing_time_under_delay)
{
    explore_system(TIME_DELAY);
}

Test(clock, agrees_with_passing_time_under_bronstein)
{
    explore_system(TIME_BRONSTEIN);
}

Test(clock, agrees_with_passing_time_under_byoyomi)
{
    explore_system(TIME_BYOYOMI);
}

Test(clock, agrees_with_passing_time_under_canadian)
{
    explore_system(TIME_CANADIAN);
}

Test(clock, agrees_with_passing_time_under_hourglass)
{
    explore_system(TIME_HOURGLASS);
}

/* A small generator; the same numbers in every run. */
static uint32_t next_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

Test(clock, agrees_with_passing_time_in_long_games)
{
    uint64_t seed = 1;

    for (int game = 0; game < 1000; game++) {
        enum time_system system = (enum time_system)(1 + game % (SYSTEMS - 1));
        struct time_control c = {system, next_number(&seed) % 300,
                                 next_number(&seed) % 40, 0, false};
        struct clock clock;
        struct model model;

        c.extra_us = has_extra(system) ? c.extra_us : 0;
        c.count = is_counted(system) ? 1 + (int)next_number(&seed) % 8 : 0;
        if (!is_sensible(&c))
            continue;
        clock_init(&clock, &c);
        model = model_of(&c);
        for (int move = 0; move < 100; move++) {
            int64_t limit = clock_limit(&clock);
            int64_t most = next_number(&seed) % 4 ? limit / 4 : limit + 1;
            int64_t used = next_number(&seed) % (most + 1);

            cr_assert_eq(limit, model_limit(model));
            clock_move(&clock, used);
            model_move(&model, used);
            cr_assert(agrees(&clock, &model) && state_returns(&clock),
                      "game %d, move %d", game, move);
        }
    }
}

/* Hourglass. */

Test(clock, shares_without_inventing_time)
{
    cr_assert_eq(clock_share(1000, 0), 0);
    cr_assert_eq(clock_share(1000, 1), 0);
    cr_assert_eq(clock_share(1000, 2), 1000);
    cr_assert_eq(clock_share(1000, 3), 500);
    cr_assert_eq(clock_share(1000, 4), 333);
    cr_assert_eq(clock_share(0, 4), 0);
    cr_assert_eq(clock_share(2, 4), 0);
    cr_assert_eq(clock_share(INT64_MAX, 2), INT64_MAX);
}

static int64_t sum_of(const struct clock *clock, int seats)
{
    int64_t sum = 0;

    for (int i = 0; i < seats; i++)
        sum += clock[i].main_us;
    return sum;
}

Test(clock, conserves_the_sand)
{
    uint64_t seed = 2;

    for (int seats = 1; seats <= 6; seats++) {
        struct clock clock[6];
        int64_t sum;

        for (int i = 0; i < seats; i++)
            clock[i] = clock_of("hourglass:1000us");
        sum = sum_of(clock, seats);
        for (int move = 0; move < 2000; move++) {
            struct clock *mover = &clock[move % seats];
            int64_t limit = clock_limit(mover);
            int64_t used = next_number(&seed) % (limit + 3);
            int64_t given = clock_move(mover, used);
            int64_t lost = seats > 1 ? given % (seats - 1) : given;

            cr_assert_eq(given, used < limit ? used : limit);
            for (int i = 0; i < seats; i++)
                if (&clock[i] != mover)
                    clock_give(&clock[i], clock_share(given, seats));
            cr_assert_eq(sum_of(clock, seats), sum - lost);
            sum -= lost;
        }
        if (seats == 2)
            cr_assert_eq(sum, 2000);
    }
}

/* Two seats think at once: each pays its own and gets the other's. */
Test(clock, exchanges_the_sand_of_a_simultaneous_step)
{
    struct clock a = clock_of("hourglass:10us"), b = a;
    int64_t from_a = clock_move(&a, 10), from_b = clock_move(&b, 4);

    clock_give(&a, clock_share(from_b, 2));
    clock_give(&b, clock_share(from_a, 2));
    cr_assert_eq(a.main_us, 4);
    cr_assert_eq(b.main_us, 16);
}

Test(clock, gives_only_to_an_hourglass)
{
    for (int i = 0; i < COUNT(every); i++) {
        struct clock clock = clock_of(every[i]), before = clock;

        clock_give(&clock, 1);
        if (clock.control.system == TIME_HOURGLASS)
            before.main_us++;
        cr_assert(same_clock(&clock, &before), "%s", every[i]);
    }
}

/* The extremes; a sanitizer looks for overflows here. */

static const int64_t extremes[] = {
    0,
    1,
    TIME_MAX_US - 1,
    TIME_MAX_US,
    TIME_MAX_US + 1,
    2 * TIME_MAX_US,
    1000000 * TIME_MAX_US,
    1000001 * TIME_MAX_US,
    INT64_MAX - 1,
    INT64_MAX,
};

static void check_ranges(const struct clock *clock)
{
    const struct time_control *c = &clock->control;

    cr_assert(clock->main_us >= 0 && clock->main_us <= TIME_MAX_US);
    cr_assert(clock->block_us >= 0 && clock->block_us <= c->extra_us);
    cr_assert(clock->periods >= (c->system == TIME_BYOYOMI) &&
              clock->periods <= c->count);
    cr_assert(clock->moves >= (c->system == TIME_CANADIAN) &&
              clock->moves <= c->count);
    cr_assert(clock_limit(clock) >= 0);
    cr_assert(state_returns(clock));
}

static void press_hard(const struct clock *clock)
{
    for (int i = 0; i < COUNT(extremes); i++)
        for (int k = 0; k < COUNT(extremes); k++) {
            struct clock after = *clock;

            clock_late(&after, extremes[i], extremes[k]);
            clock_move(&after, extremes[i]);
            check_ranges(&after);
            clock_give(&after, extremes[k]);
            check_ranges(&after);
            clock_move(&after, extremes[k]);
            check_ranges(&after);
        }
}

Test(clock, never_overflows)
{
    static const int64_t sizes[] = {0, 1, TIME_MAX_US};
    static const int numbers[] = {1, TIME_COUNT_MAX};

    for (int i = 0; i < SYSTEMS * 3 * 3 * 2; i++) {
        enum time_system system = (enum time_system)(i % SYSTEMS);
        struct time_control c = {.system = system};
        struct clock clock;

        if (system != TIME_NONE)
            c.main_us = sizes[i / SYSTEMS % 3];
        if (has_extra(system))
            c.extra_us = sizes[i / SYSTEMS / 3 % 3];
        if (is_counted(system))
            c.count = numbers[i / SYSTEMS / 9];
        if (!is_sensible(&c))
            continue;
        clock_init(&clock, &c);
        press_hard(&clock);
    }
}

Test(clock, knows_the_largest_numbers)
{
    struct clock clock = clock_of("byoyomi:2147483647ms+1000000x2147483647ms");

    cr_assert_eq(clock_limit(&clock), 1000001 * TIME_MAX_US);
    clock_move(&clock, 1000000 * TIME_MAX_US + 1);
    cr_assert_eq(clock.periods, 1);
    clock = clock_of("delay:2147483647ms+2147483647ms");
    cr_assert_eq(clock_limit(&clock), 2 * TIME_MAX_US);
    clock = clock_of("fischer:2147483647ms+2147483647ms");
    clock_move(&clock, 0);
    cr_assert_str_eq(clock_text(clock_left_write, &clock), "2147483647");
    clock_move(&clock, TIME_MAX_US);
    cr_assert_eq(clock.main_us, TIME_MAX_US);
    clock = clock_of("hourglass:2147483647ms");
    clock_give(&clock, INT64_MAX);
    cr_assert_eq(clock.main_us, TIME_MAX_US);
}

/* The state of a record. */

static const struct {
    const char *control;
    const char *state;
    bool possible;
} states[] = {
    {"none", "0", true},
    {"none", "1", false},
    {"none", "", false},
    {"none", "-", false},
    {"move:5us", "5", true},
    {"move:5us", "4", false},
    {"bank:5us", "0", true},
    {"bank:5us", "5", true},
    {"bank:5us", "6", false},
    {"bank:5us", "-1", false},
    {"bank:5us", "05", false},
    {"bank:5us", "5 ", false},
    {"bank:5us", " 5", false},
    {"bank:5us", "5,1", false},
    {"bank:5us", "5us", false},
    {"bank:5us", "18446744073709551616", false},
    {"fischer:5us+1us", "2147483647000", true},
    {"fischer:5us+1us", "2147483647001", false},
    {"hourglass:5us", "10", true},
    {"hourglass:5us", "99999999999999999999", false},
    {"delay:5us+9us", "6", false},
    {"bronstein:5s+9s", "5000001", false},
    {"byoyomi:5s+3x1s", "5000000,3", true},
    {"byoyomi:5s+3x1s", "1,3", true},
    {"byoyomi:5s+3x1s", "0,3", true},
    {"byoyomi:5s+3x1s", "0,1", true},
    {"byoyomi:5s+3x1s", "1,2", false},
    {"byoyomi:5s+3x1s", "0,0", false},
    {"byoyomi:5s+3x1s", "0,4", false},
    {"byoyomi:5s+3x1s", "0", false},
    {"byoyomi:5s+3x1s", "0,", false},
    {"byoyomi:5s+3x1s", "0,3,", false},
    {"byoyomi:5s+3x1s", "0,03", false},
    {"byoyomi:5s+3x1s", "5000001,3", false},
    {"canadian:5s+1s/4", "5000000,1000000,4", true},
    {"canadian:5s+1s/4", "0,1000000,4", true},
    {"canadian:5s+1s/4", "0,1000000,3", true},
    {"canadian:5s+1s/4", "0,0,1", true},
    {"canadian:5s+1s/4", "0,0,4", false},
    {"canadian:5s+1s/4", "1,1000000,3", false},
    {"canadian:5s+1s/4", "1,999999,4", false},
    {"canadian:5s+1s/4", "0,1000001,3", false},
    {"canadian:5s+1s/4", "0,1000000,0", false},
    {"canadian:5s+1s/4", "0,1000000,5", false},
    {"canadian:5s+1s/4", "0,1000000", false},
    {"canadian:5s+1s/4", "0,,4", false},
    {"canadian:5s+1s/4", "0,18446744073709551616,4", false},
};

Test(clock, reads_only_possible_states)
{
    for (int i = 0; i < COUNT(states); i++) {
        struct clock clock = clock_of(states[i].control), before = clock;

        cr_assert_eq(clock_state_read(&clock, states[i].state),
                     states[i].possible, "%s: %s", states[i].control,
                     states[i].state);
        if (states[i].possible)
            cr_assert_str_eq(clock_text(clock_state_write, &clock),
                             states[i].state);
        else
            cr_assert(same_clock(&clock, &before), "%s", states[i].state);
    }
}

Test(clock, goes_on_from_a_state_as_before)
{
    for (int i = 0; i < COUNT(every); i++) {
        struct clock clock = clock_of(every[i]), again = clock;
        uint64_t seed = 3;

        for (int move = 0; move < 50; move++) {
            int64_t used = next_number(&seed) % (10 * SEC);

            cr_assert(clock_state_read(&again,
                                       clock_text(clock_state_write, &clock)));
            clock_move(&clock, used);
            clock_move(&again, used);
            cr_assert(same_clock(&clock, &again), "%s", every[i]);
        }
    }
}

Test(clock, begins_anew_with_its_own_control)
{
    for (int i = 0; i < COUNT(every); i++) {
        struct clock fresh = clock_of(every[i]), clock = fresh;

        clock_move(&clock, 7 * SEC);
        clock_init(&clock, &clock.control);
        cr_assert(same_clock(&clock, &fresh), "%s", every[i]);
    }
}
