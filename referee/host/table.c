#include "host/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The record is stored when this much is there, or has waited so long. */
enum { STORE_BYTES = 1536, STORE_WITHIN_US = 100000 };

struct table {
    struct loop *loop;
    struct match *match;
    struct peer *peer[SEATS_MAX];
    bool counts_cpu[SEATS_MAX];
    int moves[SEATS_MAX]; /* that the owner has heard of */
    int seats;
    int record;
    const struct table_owner *calls;
    void *owner;
    struct alarm alarm; /* for the next deadline, or earlier */
    struct errand pump; /* at the end of the turn */
    struct errand over; /* behind it, when the game is over */
    int64_t store_us;   /* when the record must be stored, or NEVER */
};

static int seat_of(const struct table *t, const struct peer *peer)
{
    int seat = 0;

    while (t->peer[seat] != peer)
        seat++;
    return seat;
}

static int64_t cpu_us(struct table *t, int seat)
{
    struct peer *peer = t->peer[seat];

    return t->counts_cpu[seat] ? peer->kind->cpu_us(peer) : 0;
}

static struct stamp stamp_of(struct table *t, int seat)
{
    struct stamp stamp = {.now_us = loop_now(t->loop)};

    stamp.lag_us = loop_lag(t->loop, stamp.now_us);
    stamp.travel_us = t->peer[seat]->kind->travel_us(t->peer[seat]);
    stamp.cpu_us = cpu_us(t, seat);
    return stamp;
}

static void tell_move(struct table *t, int seat)
{
    const struct pace *pace = match_pace(t->match, seat);

    if (pace->moves == t->moves[seat])
        return;
    t->moves[seat] = pace->moves;
    t->calls->on_move(t->owner, t, seat, pace->last_us);
}

static void pump_later(struct table *t)
{
    loop_later(t->loop, &t->pump);
}

static void on_line(void *owner, struct peer *peer, char *line, size_t len)
{
    struct table *t = owner;
    int seat = seat_of(t, peer);
    struct stamp stamp = stamp_of(t, seat);

    match_line(t->match, seat, line, len, &stamp);
    tell_move(t, seat);
    pump_later(t);
}

static void on_sent(void *owner, struct peer *peer)
{
    struct table *t = owner;
    int seat = seat_of(t, peer);
    struct stamp stamp = stamp_of(t, seat);

    match_sent(t->match, seat, &stamp);
    pump_later(t);
}

static void on_lost(void *owner, struct peer *peer, enum why why,
                    const char *detail)
{
    struct table *t = owner;
    int seat = seat_of(t, peer);
    struct stamp stamp = stamp_of(t, seat);

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

static const struct peer_owner peer_calls = {on_line, on_sent, on_lost, on_away,
                                             on_back};

/* Before a seat is called late its pipe is read once more. */
static void on_alarm(void *arg)
{
    struct table *t = arg;
    int64_t now = loop_now(t->loop);
    seat_set late = match_late(t->match, now);

    for (int i = 0; i < t->seats; i++)
        if (late & SEAT(i))
            t->peer[i]->kind->look(t->peer[i]);
    match_tick(t->match, now);
    pump_later(t);
}

static void on_over(void *arg)
{
    struct table *t = arg;

    t->calls->on_over(t->owner, t);
}

static void flush_seats(struct table *t)
{
    for (int i = 0; i < t->seats; i++)
        if (talk_unsent(t->peer[i]->talk) > 0 &&
            t->peer[i]->kind->flush(t->peer[i])) {
            struct stamp stamp = {.now_us = loop_now(t->loop),
                                  .cpu_us = cpu_us(t, i)};

            match_sent(t->match, i, &stamp);
        }
}

/* A record that cannot be written makes the game void; the referee lives. */
static void store_record(struct table *t)
{
    struct record_writer *writer = match_record(t->match);
    const char *at = writer->text.text;
    size_t left = writer->text.len;

    while (left > 0 && t->record != -1) {
        ssize_t n = write(t->record, at, left);

        if (n > 0) {
            at += n;
            left -= (size_t)n;
        } else if (errno != EINTR) {
            fprintf(stderr, "referee: a record cannot be written: %s\n",
                    strerror(errno));
            close(t->record);
            t->record = -1;
            match_unrecorded(t->match);
        }
    }
    record_taken(writer);
    t->store_us = NEVER;
}

/* Not line by line, which would cost a system call for every move. */
static void keep_record(struct table *t)
{
    size_t len = match_record(t->match)->text.len;
    int64_t now = loop_turn(t->loop);

    if (len == 0)
        return;
    if (len >= STORE_BYTES || match_is_over(t->match) || t->record == -1) {
        store_record(t);
        return;
    }
    if (t->store_us == NEVER)
        t->store_us = now + STORE_WITHIN_US;
    else if (now >= t->store_us)
        store_record(t);
}

/* An alarm that rings too early does no harm: it is set again then. */
static void set_alarm(struct table *t)
{
    int64_t deadline = match_deadline(t->match);

    if (t->store_us < deadline)
        deadline = t->store_us;
    if (deadline < t->alarm.due_us)
        loop_alarm(t->loop, &t->alarm, deadline);
}

/* A bot that nobody waits for must not take time from the others. */
static void end_broken(struct table *t)
{
    for (int i = 0; i < t->seats; i++)
        if (match_is_broken(t->match, i))
            t->peer[i]->kind->cut_off(t->peer[i]);
}

static void pump(void *arg)
{
    struct table *t = arg;

    end_broken(t);
    keep_record(t); /* before anybody is told a result that it may lose */
    flush_seats(t);
    if (match_is_over(t->match))
        loop_later(t->loop, &t->over);
    else
        set_alarm(t);
}

struct table *table_new(struct loop *loop, struct match *match,
                        struct peer *const *peers, int seats, int record,
                        const struct table_owner *calls, void *owner)
{
    struct table *t = calloc(1, sizeof *t);

    if (!t) {
        fputs("referee: out of memory\n", stderr);
        abort();
    }
    *t = (struct table){
        .loop = loop,
        .match = match,
        .seats = seats,
        .record = record,
        .calls = calls,
        .owner = owner,
        .pump = {.run = pump,    .arg = t},
        .over = {.run = on_over, .arg = t},
        .store_us = NEVER
    };
    match_record(match)->off = record == -1;
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
    loop_cancel(t->loop, &t->pump);
    loop_cancel(t->loop, &t->over);
    loop_cancel(t->loop, &t->alarm.errand);
    loop_alarm(t->loop, &t->alarm, NEVER);
    for (int i = 0; i < t->seats; i++)
        peer_listen(t->peer[i], NULL, NULL);
    store_record(t);
    if (t->record != -1)
        close(t->record);
    match_free(t->match);
    free(t);
}

struct match *table_match(const struct table *t)
{
    return t->match;
}

void table_settle(struct table *t)
{
    pump(t);
}
