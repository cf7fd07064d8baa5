#include "run/table.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Store the record when it is this large, or when it has waited this long. In a
 * crowd the limit is lower, to save memory.
 */
enum {
    STORE_BYTES = 3840,
    CROWD = 64,
    CROWD_BYTES = 1536,
    A_STEP = 256, /* covers a step of most games */
    STORE_WITHIN_US = 100000,
    TRY_AGAIN_US = 1000000,
};

static size_t enough(const struct loop *loop)
{
    return loop->tables > CROWD ? CROWD_BYTES : STORE_BYTES;
}

/* Only for a record that is closed. */
enum ending { NOT_KEPT, KEPT, STORED };

struct table {
    struct loop *loop;
    struct match *match;
    struct peer *peer[SEATS_MAX];
    bool counts_cpu[SEATS_MAX];
    bool watched[SEATS_MAX];     /* its CPU clock runs */
    int64_t cpu_us[SEATS_MAX];   /* CPU time used when its lines arrived, */
    int64_t heard_us[SEATS_MAX]; /* and when the last of them arrived */
    int moves[SEATS_MAX];        /* what the owner has been told of */
    int seats;
    int record;
    int error; /* an errno that made the game void, or 0 */
    const struct table_owner *calls;
    void *owner;
    struct alarm alarm; /* rings at the next deadline, or earlier */
    /* seats found late, which get one more turn of the loop */
    seat_set rang;
    int64_t rang_us;      /* when that was */
    struct deferred pump; /* at the end of the turn */
    struct deferred over; /* after it, when the game is over */
    int64_t store_us;     /* when the record must be stored, or NEVER */
    size_t written;       /* bytes of the record that are written */
    /* the owner knows that the record cannot be written */
    bool in_trouble;
    enum ending ending;
};

static int seat_of(const struct table *t, const struct peer *peer)
{
    int seat = 0;

    while (t->peer[seat] != peer)
        seat++;
    return seat;
}

static int64_t cpu_now(const struct table *t, int seat)
{
    if (!t->counts_cpu[seat] || !match_clock_runs(t->match, seat))
        return 0;
    return t->peer[seat]->kind->cpu_us(t->peer[seat]);
}

/* This is expensive: do it once for all lines that arrived together. */
static int64_t cpu_at_line(struct table *t, int seat)
{
    if (t->heard_us[seat] != t->loop->read_us)
        t->cpu_us[seat] = cpu_now(t, seat);
    t->heard_us[seat] = t->loop->read_us;
    return t->cpu_us[seat];
}

static struct stamp stamp_of(struct table *t, int seat, int64_t now_us,
                             int64_t cpu_us)
{
    return (struct stamp){.now_us = now_us,
                          .cpu_us = cpu_us,
                          .lag_us = loop_lag(t->loop, now_us),
                          .travel_us =
                              t->peer[seat]->kind->travel_us(t->peer[seat])};
}

static void tell_move(struct table *t, int seat)
{
    const struct move_times *times = match_move_times(t->match, seat);

    if (times->moves == t->moves[seat])
        return;
    t->moves[seat] = times->moves;
    t->calls->on_move(t->owner, t, seat, times->last_us);
}

static void pump_later(struct table *t)
{
    loop_later(t->loop, &t->pump);
}

static void on_line(void *owner, struct peer *peer, char *line, size_t len)
{
    struct table *t = owner;
    struct stamp stamp;
    int seat;

    if (len == 0 && talk_blank(peer->talk))
        return;
    seat = seat_of(t, peer);
    stamp = stamp_of(t, seat, t->loop->read_us, cpu_at_line(t, seat));
    match_line(t->match, seat, line, len, &stamp);
    tell_move(t, seat);
    pump_later(t);
}

static void on_sent(void *owner, struct peer *peer)
{
    struct table *t = owner;
    int seat = seat_of(t, peer);
    struct stamp stamp = stamp_of(t, seat, loop_now(t->loop), 0);

    match_waited(t->match, seat, &stamp);
    pump_later(t);
}

static void on_lost(void *owner, struct peer *peer, enum why why,
                    const char *detail)
{
    struct table *t = owner;
    int seat = seat_of(t, peer);
    struct stamp stamp = stamp_of(t, seat, loop_now(t->loop), 0);

    match_gone(t->match, seat, why, detail, &stamp);
    pump_later(t);
}

static void on_away(void *owner, struct peer *peer)
{
    struct table *t = owner;

    match_away(t->match, seat_of(t, peer));
    pump_later(t);
}

static void on_back(void *owner, struct peer *peer)
{
    struct table *t = owner;

    match_back(t->match, seat_of(t, peer), loop_now(t->loop));
    pump_later(t);
}

static void on_remark(void *owner, struct peer *peer, const char *word,
                      const char *text)
{
    struct table *t = owner;

    match_remark(t->match, seat_of(t, peer), word, text);
}

static const struct peer_owner peer_calls = {on_line, on_sent, on_lost,
                                             on_away, on_back, on_remark};

/*
 * Before the referee calls a seat late, the loop handles everything that has
 * arrived by now. An answer over TLS may still be in the kernel, and a long
 * turn may not have got to it.
 */
static bool may_have_come(struct table *t, seat_set late, int64_t now)
{
    if ((late & ~t->rang) == 0)
        return loop_has_left(t->loop, t->rang_us);
    t->rang |= late;
    t->rang_us = now;
    return true;
}

/*
 * The seats that are late, even if an answer is on its way. Only needed when
 * the alarm rings.
 */
static seat_set find_late(struct table *t, int64_t now)
{
    seat_set late = match_late(t->match, now);

    for (int i = 0; late && i < t->seats; i++)
        if (late & SEAT(i))
            match_allow(t->match, i, t->peer[i]->kind->travel_us(t->peer[i]));
    return late ? match_late(t->match, now) : 0;
}

static void on_alarm(void *arg)
{
    struct table *t = arg;
    int64_t now = loop_now(t->loop);
    seat_set late = find_late(t, now);

    if (late && may_have_come(t, late, now)) {
        loop_soon(t->loop, &t->alarm.deferred);
        return;
    }
    t->rang = 0;
    match_tick(t->match, now);
    pump_later(t);
}

static void on_over(void *arg)
{
    struct table *t = arg;

    t->calls->on_over(t->owner, t);
}

/*
 * Read the bot's CPU time before the bot can read the question. Its clock
 * starts even if its pipe has no room for the whole question, because reading
 * is the bot's job.
 */
static void flush_seat(struct table *t, int seat)
{
    int64_t cpu_us = cpu_now(t, seat);
    bool is_whole;
    struct stamp stamp;

    is_whole = t->peer[seat]->kind->flush(t->peer[seat]);
    stamp = (struct stamp){.now_us = loop_now(t->loop), .cpu_us = cpu_us};
    match_sent(t->match, seat, &stamp);
    /*
     * Little is left to do in this turn, so the loop need not read the clock
     * again.
     */
    t->loop->done_us = is_whole ? stamp.now_us : 0;
}

static void flush_seats(struct table *t)
{
    for (int i = 0; i < t->seats; i++)
        if (talk_unsent(t->peer[i]->talk) > 0)
            flush_seat(t, i);
}

/* Storing. */

static bool is_recorded(const struct table *t)
{
    return t->record != -1 || t->calls->open_record;
}

static bool need_file(struct table *t)
{
    if (t->record == -1)
        t->record = t->calls->open_record(t->owner, t);
    return t->record != -1;
}

/*
 * Returns 0, or the reason why not everything was written. What was written is
 * not written again.
 */
static int write_record(struct table *t)
{
    const struct buf *text = &match_record(t->match)->text;

    while (t->written < text->len && is_recorded(t)) {
        ssize_t n = need_file(t) ? write(t->record, text->text + t->written,
                                         text->len - t->written)
                                 : -1;

        if (n > 0)
            t->written += (size_t)n;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

/*
 * Report a problem to the owner, or with NULL that it is over. Until then,
 * storing is retried.
 */
static void tell_trouble(struct table *t, const char *why)
{
    t->store_us = why ? now_us() + TRY_AGAIN_US : NEVER;
    if (t->in_trouble == (why != NULL))
        return;
    t->in_trouble = why != NULL;
    t->calls->on_trouble(t->owner, t, why);
}

static void close_record(struct table *t)
{
    if (t->record != -1 && t->calls->open_record)
        close(t->record);
    t->record = -1;
}

static void give_record_up(struct table *t, int error)
{
    t->error = error;
    close_record(t);
    match_unrecorded(t->match);
}

static void store_record(struct table *t)
{
    int error = write_record(t);

    t->store_us = NEVER;
    if (t->calls->on_trouble) {
        tell_trouble(t, error ? strerror(error) : NULL);
        if (error)
            return;
    } else if (error) {
        give_record_up(t, error);
    }
    record_taken(match_record(t->match));
    t->written = 0;
}

static bool is_patient(const struct table *t)
{
    return t->calls->on_trouble && is_recorded(t) &&
           !match_is_spoiled(t->match);
}

static void seal_record(struct table *t)
{
    struct record_writer *record = match_record(t->match);

    if (t->calls->seal_record && record->closed && record->text.len > 0)
        t->calls->seal_record(t->owner, record);
}

/* Not line by line: that would cost a system call for every move. */
static void keep_record(struct table *t)
{
    size_t len = match_record(t->match)->text.len;
    int64_t now = loop_turn(t->loop);

    if (len == 0 || (t->in_trouble && now_us() < t->store_us) ||
        (match_is_over(t->match) && is_patient(t)))
        return;
    if (match_is_over(t->match))
        seal_record(t);
    if (len >= enough(t->loop) || match_is_over(t->match) || !is_recorded(t)) {
        store_record(t);
        return;
    }
    if (t->store_us == NEVER)
        t->store_us = now + STORE_WITHIN_US;
    else if (now >= t->store_us)
        store_record(t);
}

/* After the game: is its record safe, so that the result may be announced? */
static void secure_record(struct table *t)
{
    struct err err;

    if (!is_patient(t)) {
        t->ending = STORED;
        return;
    }
    if (t->ending != NOT_KEPT || (t->in_trouble && now_us() < t->store_us))
        return;
    t->ending = KEPT;
    t->store_us = NEVER; /* a time in the past would ring again and again */
    if (!t->calls->keep_record(t->owner, t, t->record, &err)) {
        t->ending = NOT_KEPT;
        tell_trouble(t, err.text);
    }
}

void table_stored(struct table *t, int error)
{
    tell_trouble(t, error ? strerror(error) : NULL);
    t->ending = error ? NOT_KEPT : STORED;
    pump_later(t);
}

/* An alarm that rings too early does no harm: it is then set again. */
static void set_alarm(struct table *t)
{
    int64_t deadline = match_deadline(t->match);

    if (t->store_us < deadline)
        deadline = t->store_us;
    if (deadline < t->alarm.due_us)
        loop_alarm(t->loop, &t->alarm, deadline);
}

/* A bot that is no longer needed must not take time from the others. */
static void end_broken(struct table *t)
{
    seat_set broken = match_broken(t->match);

    for (int i = 0; broken && i < t->seats; i++)
        if (broken & SEAT(i))
            t->peer[i]->kind->cut_off(t->peer[i]);
}

static void watch_cpu(struct table *t, int seat, bool on)
{
    if (t->watched[seat] == on)
        return;
    t->watched[seat] = on;
    t->peer[seat]->kind->watch_cpu(t->peer[seat], on);
}

static void pump(void *arg)
{
    struct table *t = arg;

    end_broken(t);
    keep_record(t); /* before anybody hears of a result that could be lost */
    if (match_is_over(t->match) && t->ending != STORED)
        secure_record(t);
    if (t->ending == STORED)
        match_tell_end(t->match);
    flush_seats(t);
    for (int i = 0; i < t->seats; i++)
        if (t->counts_cpu[i]) {
            watch_cpu(t, i, match_clock_runs(t->match, i));
            t->loop->done_us = 0; /* reading the clock is expensive */
        }
    if (t->ending == STORED)
        loop_later(t->loop, &t->over);
    else
        set_alarm(t);
}

struct table *table_new(struct loop *loop, struct match *match,
                        struct peer *const *peers, int seats, int record,
                        const struct table_owner *calls, void *owner)
{
    struct table *t = must_alloc(calloc(1, sizeof *t));

    loop->tables++;
    *t = (struct table){.loop = loop,
                        .match = match,
                        .seats = seats,
                        .record = record,
                        .calls = calls,
                        .owner = owner,
                        .pump = {.run = pump, .arg = t},
                        .over = {.run = on_over, .arg = t},
                        .store_us = NEVER};
    match_record(match)->off = !is_recorded(t);
    if (is_recorded(t))
        buf_reserve(&match_record(match)->text, enough(loop) + A_STEP);
    alarm_init(&t->alarm, on_alarm, t);
    for (int i = 0; i < seats; i++) {
        t->peer[i] = peers[i];
        t->counts_cpu[i] = match_counts_cpu(match, i);
        peer_listen(peers[i], &peer_calls, t);
    }
    pump_later(t);
    return t;
}

void table_free(struct table *t)
{
    loop_cancel(&t->pump);
    loop_cancel(&t->over);
    alarm_stop(t->loop, &t->alarm);
    for (int i = 0; i < t->seats; i++) {
        watch_cpu(t, i, false);
        peer_listen(t->peer[i], NULL, NULL);
    }
    if (t->ending == NOT_KEPT)
        store_record(t);
    close_record(t);
    match_free(t->match);
    t->loop->tables--;
    free(t);
}

struct match *table_match(const struct table *t)
{
    return t->match;
}

int table_error(const struct table *t)
{
    return t->error;
}
