#include "match/match_state.h"

#include "base/alloc.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOG_MAX = 16 << 20,
    LOG_BYTES = 512,        /* enough for almost every game */
    FORGET_LINES = 16,      /* this many at once */
    CPU_WALL_US = 10000000, /* wall limit under a CPU clock: this, and ... */
    CPU_WALL_FACTOR = 4,    /* ... this many times its limit */
};

static void lay_out(struct match *m);

/* Small questions. */

seat_set owing(const struct match *m)
{
    return m->asked & ~m->answered & ~m->failed;
}

/* The seats that still owe an answer. */
static seat_set awaited(const struct match *m)
{
    seat_set seats = 0;

    if (m->phase != STARTING)
        return owing(m);
    for (int i = 0; i < m->seats; i++)
        if (!m->seat[i].ready || m->seat[i].owes_entropy)
            seats |= SEAT(i);
    return seats & ~m->failed;
}

int64_t clock_start(const struct seat *s)
{
    return s->sent_us >= 0 ? s->sent_us : s->asked_us;
}

int64_t plus(int64_t a, int64_t b)
{
    return a > NEVER - b ? NEVER : a + b;
}

/* When an asked seat is late by the wall clock. Exactly at the limit it is not
 * late yet. */
static int64_t late_at(const struct match *m, const struct seat *s)
{
    int64_t limit = clock_limit(&s->clock);

    if (s->clock.control.system == TIME_NONE)
        limit = m->config.none_us;
    else if (s->clock.control.cpu)
        limit = plus(CPU_WALL_US, limit > NEVER / CPU_WALL_FACTOR
                                      ? NEVER
                                      : CPU_WALL_FACTOR * limit);
    limit = plus(limit, plus(m->config.lenience_us, 1));
    limit = plus(limit, s->allowed_us);
    return plus(clock_start(s), limit);
}

static int64_t deadline_of(const struct match *m, const struct seat *s)
{
    return m->phase == STARTING ? m->start_deadline_us : late_at(m, s);
}

/* A seat fails. */

static size_t cut_length(const char *text, size_t max)
{
    size_t len = strlen(text);

    return len < max ? len : max;
}

void depart(struct match *m, int i, enum why why, const char *detail)
{
    struct seat *s = &m->seat[i];

    if (why_breaks(why))
        m->broken |= SEAT(i);
    if (m->failed & SEAT(i) || m->phase == OVER)
        return;
    m->failed |= SEAT(i);
    s->why = why;
    buf_put(&s->detail, detail, cut_length(detail, DETAIL_MAX));
    if (why != WHY_RESIGN && m->phase == PLAYING)
        note_fault(m, i);
}

void blame(struct match *m, int i, enum fault fault)
{
    depart(m, i, fault_why(fault), fault_text(fault));
}

/* The command it did not answer. */
static void blame_not_ready(struct match *m, int i)
{
    const struct talk *talk = m->seat[i].talk;
    const char *word =
        talk->open_count
            ? command_word((enum command)talk->open[talk->open_first])
            : NULL;
    char text[DETAIL_MAX];

    snprintf(text, sizeof text, "%s: no answer to %s",
             fault_text(FAULT_NOT_READY), word ? word : "new_game");
    depart(m, i, WHY_START, text);
}

/* No move has come for this long. */
static void blame_silent(struct match *m, int i)
{
    const struct seat *s = &m->seat[i];
    double ms = (double)(late_at(m, s) - 1 - clock_start(s)) / 1000;
    char text[DETAIL_MAX];

    snprintf(text, sizeof text, "%s: no move after %.3f ms",
             fault_text(FAULT_LATE), ms);
    depart(m, i, WHY_TIME, text);
}

void depart_if_stuck(struct match *m, int i)
{
    if (talk_is_stuck(m->seat[i].talk))
        blame(m, i, FAULT_STUCK);
}

/* The clock starts when the first bytes are written, whether the bot reads them
 * or not. A disconnected seat is asked all the same. */
static void ask(struct match *m, int i, int64_t now_us)
{
    struct seat *s = &m->seat[i];

    s->tries = 0;
    s->allowed_us = 0;
    s->asked_us = now_us;
    s->sent_us = -1;
    if (!s->ready) {
        s->sent_us = now_us; /* it gets the turn when it is back */
        return;
    }
    send_turn(m, i);
    depart_if_stuck(m, i);
}

/* The end. */

static const char **whys(const struct match *m, const char *why[SEATS_MAX])
{
    for (int i = 0; i < SEATS_MAX; i++)
        why[i] = m->out & SEAT(i) ? why_word(m->seat[i].why) : NULL;
    return why;
}

void match_tell_end(struct match *m)
{
    if (m->end.len == 0 || m->told_end)
        return;
    m->told_end = true;
    for (int i = 0; i < m->seats; i++)
        send_game_over(m, i, m->end.text + strlen("result"));
}

static void close_match(struct match *m)
{
    assert(buf_ok(&m->end));
    close_record(m, m->end.text);
    if (!m->config.holds_end)
        match_tell_end(m);
}

static void finish(struct match *m)
{
    const char *why[SEATS_MAX];

    m->phase = OVER;
    game_result(m->config.game, m->state, &m->result);
    result_write(&m->result, m->seats, whys(m, why), &m->end);
    for (int i = 0; i < m->seats; i++)
        m->seat[i].talk->has_played = true;
    close_match(m);
}

void match_void(struct match *m, const char *reason)
{
    if (m->phase == OVER)
        return;
    if (m->phase == STARTING)
        lay_out(m);
    m->phase = OVER;
    m->is_void = true;
    m->asked = 0;
    buf_add(&m->end, "result void reason=%s", reason);
    close_match(m);
}

void match_unrecorded(struct match *m)
{
    match_void(m, "record");
    m->is_void = true;
}

/* A step. */

static void commit_leaves(struct match *m)
{
    seat_set seats = m->asked & m->failed & ~m->answered;

    if (!seats)
        return;
    for (int i = 0; i < m->seats; i++)
        if (seats & SEAT(i))
            tell(&m->log, EVERYONE, "leave %d %s", i + 1,
                 why_word(m->seat[i].why));
    m->out |= seats;
    game_leave(m->config.game, m->state, seats, &m->log);
    record_new_events(m);
}

static int seats_in(const struct match *m)
{
    return __builtin_popcount(SEATS(m->seats) & ~m->out);
}

/* All moves first, then all gifts; otherwise the order would matter. */
static void settle_clocks(struct match *m)
{
    int64_t gift[SEATS_MAX] = {0};
    bool given = false;

    for (int i = 0; i < m->seats; i++)
        if (m->answered & SEAT(i)) {
            int64_t spent = clock_move(&m->seat[i].clock, m->seat[i].used_us);

            if (spent)
                gift[i] = clock_share(spent, seats_in(m));
            given = given || gift[i];
        }
    for (int i = 0; given && i < m->seats; i++)
        for (int k = 0; k < m->seats; k++)
            if (k != i && !(m->out & SEAT(k)))
                clock_give(&m->seat[k].clock, gift[i]);
    for (int i = 0; i < m->seats; i++)
        if ((given ? m->answered | ~m->out : m->answered) & SEAT(i)) {
            record_clock(m, i);
            m->seat[i].used_us = m->seat[i].lag_us = m->seat[i].travel_us = 0;
        }
}

/* In seat order; otherwise the fastest bot would gain. */
static void commit_moves(struct match *m)
{
    settle_clocks(m);
    for (int i = 0; i < m->seats; i++)
        if (m->answered & SEAT(i)) {
            game_apply(m->config.game, m->state, i, &m->seat[i].move, &m->log);
            m->moves++;
        }
    record_new_events(m);
}

/* No seat will be told again what every seat has been told. */
static void forget_told(struct match *m)
{
    size_t told = m->recorded;

    if (!m->config.forgets || m->log.count < FORGET_LINES)
        return;
    for (int i = 0; i < m->seats; i++)
        if (!(m->out & SEAT(i)) && m->seat[i].told < told)
            told = m->seat[i].told;
    lines_drop(&m->log, told);
    m->recorded -= told;
    for (int i = 0; i < m->seats; i++)
        m->seat[i].told -= m->seat[i].told < told ? m->seat[i].told : told;
}

static void commit(struct match *m)
{
    commit_leaves(m);
    if (m->config.game->to_move(m->state))
        commit_moves(m);
    m->asked = m->answered = 0;
}

/* Ask every seat that owes a move. Seats that failed before leave now. */
static void ask_all(struct match *m, seat_set seats, int64_t now_us)
{
    m->asked = seats;
    for (int i = 0; i < m->seats; i++) {
        const struct seat *s = &m->seat[i];

        if (m->failed & SEAT(i))
            continue;
        if (seats & SEAT(i)) {
            ask(m, i, now_us);
        } else if (s->ponders && s->ready) {
            send_events(m, i);
            depart_if_stuck(m, i);
        }
    }
}

/* Continue until an answer is needed. */
static void advance(struct match *m, int64_t now_us)
{
    while (m->phase == PLAYING && !owing(m)) {
        seat_set next;

        commit(m);
        forget_told(m);
        next = m->config.game->to_move(m->state);
        if (next)
            ask_all(m, next, now_us);
        else
            finish(m);
    }
}

/* The start. */

static void lay_out(struct match *m)
{
    struct err err;

    if (m->resumed)
        return;
    record_start(m);
    m->state = game_new(m->config.game, &m->config.setup, m->config.deal,
                        &m->log, &err);
    assert(m->state); /* the owner has dealt, or checked the deal */
    record_new_events(m);
}

static void note_faults(struct match *m)
{
    for (int i = 0; i < m->seats; i++)
        if (m->failed & ~m->out & SEAT(i))
            note_fault(m, i);
}

static void begin(struct match *m, int64_t now_us)
{
    m->phase = PLAYING;
    mix_entropy(m);
    lay_out(m);
    for (int i = 0; i < m->seats; i++)
        if (m->seat[i].ready)
            read_subscriptions(m, i);
    note_faults(m);
    ask_all(m, m->config.game->to_move(m->state), now_us);
    advance(m, now_us);
}

/* Only before anything has happened, and never again on a deal that was
 * seen. */
static bool is_refused(const struct match *m)
{
    if (!m->config.voids_refusal || m->resumed || m->config.part > 1)
        return false;
    for (int i = 0; i < m->seats; i++)
        if (m->failed & SEAT(i) && m->seat[i].why == WHY_REFUSE)
            return true;
    return false;
}

static void end_refused(struct match *m)
{
    lay_out(m);
    m->phase = PLAYING;
    note_faults(m);
    match_void(m, why_word(WHY_REFUSE));
}

static void begin_if_ready(struct match *m, int64_t now_us)
{
    if (is_refused(m)) {
        end_refused(m);
        return;
    }
    if (!awaited(m))
        ask_entropy(m, now_us);
    if (!awaited(m))
        begin(m, now_us);
}

void continue_match(struct match *m, int64_t now_us)
{
    if (m->phase == STARTING)
        begin_if_ready(m, now_us);
    else
        advance(m, now_us);
}

static void commit_to_seed(struct match *m)
{
    if (!m->config.deal || !m->config.seed)
        return;
    if (m->config.seed_is_chosen)
        strcpy(m->commit, "none");
    else
        seed_commit(m->config.seed, m->config.part, m->commit);
}

static struct match *new_match(const struct match_config *config,
                               struct talk *const *talks, int64_t now_us)
{
    size_t seats = (size_t)config->setup.seats;
    struct match *m =
        must_alloc(calloc(1, sizeof *m + seats * sizeof *m->seat));

    m->config = *config;
    m->seats = config->setup.seats;
    m->start_deadline_us = plus(now_us, config->start_us);
    commit_to_seed(m);
    lines_init(&m->log, LOG_MAX);
    buf_reserve(&m->log.text, LOG_BYTES);
    record_init(&m->record);
    buf_init(&m->remarks, REMARKS_MAX);
    buf_init(&m->end, END_MAX);
    buf_init(&m->deal, DEAL_TEXT_MAX);
    for (int i = 0; i < m->seats; i++) {
        m->seat[i].talk = talks[i];
        buf_init(&m->seat[i].detail, DETAIL_MAX);
        m->seat[i].stale = talks[i]->open_count;
        clock_init(&m->seat[i].clock, &config->time[i]);
    }
    return m;
}

static void invite(struct match *m, int64_t now_us)
{
    for (int i = 0; i < m->seats; i++) {
        if (m->out & SEAT(i))
            continue;
        talk_new_game(m->seat[i].talk);
        talk_greet(m->seat[i].talk);
        send_new_game(m, i);
        depart_if_stuck(m, i);
    }
    begin_if_ready(m, now_us);
}

struct match *match_new(const struct match_config *config,
                        struct talk *const *talks, int64_t now_us)
{
    struct match *m = new_match(config, talks, now_us);

    invite(m, now_us);
    return m;
}

/* A seat as the record has left it. */
static void restore_seat(struct match *m, int i, const char *why,
                         const char *clock)
{
    struct seat *s = &m->seat[i];
    char state[64];

    if (why && why_read(why, &s->why)) {
        m->failed |= SEAT(i);
        m->out |= SEAT(i);
        m->broken |= why_breaks(s->why) ? SEAT(i) : 0;
    }
    if (!clock)
        return;
    snprintf(state, sizeof state, "%.*s", (int)strcspn(clock, " "), clock);
    if (!clock_state_read(&s->clock, state))
        /* the settings may differ now */
        clock_init(&s->clock, &s->clock.control);
}

struct match *match_resume(const struct match_config *config,
                           struct talk *const *talks, struct replay *replay,
                           struct lines *log, const struct buf *bytes,
                           int64_t now_us)
{
    struct match *m = new_match(config, talks, now_us);
    size_t max = log->text.max;

    m->resumed = true;
    m->state = replay->state;
    replay->state = NULL;
    m->moves = replay->moves;
    lines_release(&m->log);
    m->log = *log;
    m->log.text.max = LOG_MAX;
    lines_init(log, max);
    m->recorded = m->log.count;
    m->record.seats = m->seats;
    buf_put(&m->record.text, bytes->text, bytes->len);
    record_taken(&m->record);
    for (int i = 0; i < m->seats; i++)
        restore_seat(m, i, replay->why[i], replay->clock[i]);
    invite(m, now_us);
    return m;
}

void match_free(struct match *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->seats; i++)
        buf_release(&m->seat[i].detail);
    game_free(m->state);
    lines_release(&m->log);
    moves_release(&m->legal);
    record_release(&m->record);
    buf_release(&m->remarks);
    buf_release(&m->end);
    buf_release(&m->deal);
    free(m);
}

void match_gone(struct match *m, int i, enum why why, const char *detail,
                const struct stamp *stamp)
{
    if (m->phase == STARTING && m->config.restarts && why == WHY_EXIT &&
        m->seat[i].talk->has_played && !(m->failed & SEAT(i))) {
        m->phase = OVER;
        m->is_spoiled = true;
        return;
    }
    depart(m, i, why, detail);
    continue_match(m, stamp->now_us);
}

void match_sent(struct match *m, int i, const struct stamp *stamp)
{
    struct seat *s = &m->seat[i];

    if (m->phase == PLAYING && owing(m) & SEAT(i) && s->sent_us < 0) {
        s->sent_us = stamp->now_us;
        s->cpu_us = stamp->cpu_us;
    }
}

void match_waited(struct match *m, int i, const struct stamp *stamp)
{
    struct seat *s = &m->seat[i];
    int64_t start_us = s->sent_us + stamp->lag_us;

    if (match_clock_runs(m, i) && s->sent_us >= 0)
        s->sent_us = start_us < stamp->now_us ? start_us : stamp->now_us;
}

void match_allow(struct match *m, int i, int64_t travel_us)
{
    m->seat[i].allowed_us = travel_us;
}

void match_away(struct match *m, int i)
{
    m->seat[i].ready = false;
}

void match_back(struct match *m, int i, int64_t now_us)
{
    struct seat *s = &m->seat[i];

    if (m->phase == OVER || m->failed & SEAT(i))
        return;
    s->ready = s->settled = s->ponders = s->owes_entropy = false;
    s->was_away = m->phase == PLAYING;
    s->stale = 0;
    s->told = 0;
    talk_new_game(s->talk);
    talk_greet(s->talk);
    send_new_game(m, i);
    depart_if_stuck(m, i);
    continue_match(m, now_us);
}

seat_set match_late(const struct match *m, int64_t now_us)
{
    seat_set seats = awaited(m);

    for (int i = 0; i < m->seats; i++)
        if (seats & SEAT(i) && deadline_of(m, &m->seat[i]) > now_us)
            seats &= ~SEAT(i);
    return seats;
}

void match_tick(struct match *m, int64_t now_us)
{
    seat_set late = match_late(m, now_us);
    bool starting = m->phase == STARTING;

    for (int i = 0; i < m->seats; i++)
        if (late & SEAT(i) && starting)
            blame_not_ready(m, i);
        else if (late & SEAT(i))
            blame_silent(m, i);
    if (late)
        continue_match(m, now_us);
}

int64_t match_deadline(const struct match *m)
{
    seat_set seats = m->phase == OVER ? 0 : awaited(m);
    int64_t deadline = NEVER;

    for (int i = 0; i < m->seats; i++)
        if (seats & SEAT(i)) {
            int64_t own = deadline_of(m, &m->seat[i]);

            deadline = own < deadline ? own : deadline;
        }
    return deadline;
}

bool match_is_over(const struct match *m)
{
    return m->phase == OVER;
}

bool match_is_spoiled(const struct match *m)
{
    return m->is_spoiled;
}

bool match_is_void(const struct match *m)
{
    return m->is_void;
}

const struct result *match_result(const struct match *m)
{
    assert(m->phase == OVER && !m->is_void);
    return &m->result;
}

struct record_writer *match_record(struct match *m)
{
    return &m->record;
}

bool match_has_left(const struct match *m, int i, enum why *why)
{
    *why = m->seat[i].why;
    return m->failed & SEAT(i);
}

const char *match_why(const struct match *m, int i)
{
    return m->out & SEAT(i) ? why_word(m->seat[i].why) : NULL;
}

const char *match_detail(const struct match *m, int i)
{
    return m->seat[i].detail.text;
}

seat_set match_broken(const struct match *m)
{
    return m->broken;
}

bool match_counts_cpu(const struct match *m, int i)
{
    return m->seat[i].clock.control.cpu;
}

bool match_clock_runs(const struct match *m, int i)
{
    return m->phase == PLAYING && owing(m) & SEAT(i);
}

seat_set match_answered(const struct match *m)
{
    return m->phase == PLAYING ? m->asked & m->answered : 0;
}

int64_t match_time_left(const struct match *m, int i, int64_t now_us)
{
    const struct seat *s = &m->seat[i];
    int64_t left = clock_limit(&s->clock);

    if (left == INT64_MAX)
        return NEVER;
    if (match_clock_runs(m, i) && !s->clock.control.cpu)
        left -= now_us - clock_start(s);
    return left > 0 ? left : 0;
}

const struct state *match_state(const struct match *m)
{
    return m->state;
}

const struct move_times *match_move_times(const struct match *m, int i)
{
    return &m->seat[i].times;
}

int match_moves(const struct match *m)
{
    return m->moves;
}
