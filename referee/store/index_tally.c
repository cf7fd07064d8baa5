/*
 * index_tally.c - what the games of a transaction add to ladders, standings
 * and meetings is summed up here, so that each row is written once for all of
 * them. Most games that come together are of few bots.
 */

#include "store/index_state.h"

#include "league/summary.h"

#include <string.h>

void tally_clear(struct tally *t)
{
    t->ladders = t->standings = t->meetings = 0;
}

/* Writing. */

static bool write_ladders(struct index *x, struct err *err)
{
    bool ok = true;

    for (int i = 0; ok && i < x->tally.ladders; i++) {
        const struct ladder_sum *l = &x->tally.ladder[i];

        ok = sql_run(&x->sql, ADD_LADDER, err, SQL_T(l->name), SQL_I(l->games),
                     SQL_I(l->voids));
    }
    return ok;
}

static bool write_standings(struct index *x, struct err *err)
{
    bool ok = true;

    for (int i = 0; ok && i < x->tally.standings; i++) {
        const struct standing_sum *s = &x->tally.standing[i];
        const char *ladder = x->tally.ladder[s->ladder].name;

        ok = sql_run(&x->sql, ADD_STANDING, err, SQL_T(ladder),
                     SQL_I(s->version), SQL_I(s->games), SQL_I(s->wins),
                     SQL_I(s->ranks), SQL_I(s->scores), SQL_I(s->forfeits),
                     SQL_T(s->first), SQL_T(s->last)) &&
             sql_run(&x->sql, ADD_LATEST, err, SQL_T(ladder), SQL_T(s->bot),
                     SQL_I(s->version), SQL_T(s->text), SQL_T(s->last));
    }
    return ok;
}

static bool write_meetings(struct index *x, struct err *err)
{
    bool ok = true;

    for (int i = 0; ok && i < x->tally.meetings; i++) {
        const struct meeting_sum *m = &x->tally.meeting[i];
        const struct standing_sum *s = &x->tally.standing[m->standing];

        ok = sql_run(&x->sql, ADD_MEETING, err,
                     SQL_T(x->tally.ladder[s->ladder].name), SQL_I(s->version),
                     SQL_I(x->tally.standing[m->opponent].version),
                     SQL_I(m->games), SQL_I(m->wins), SQL_I(m->ties));
    }
    return ok;
}

bool tally_write(struct index *x, struct err *err)
{
    bool ok = write_ladders(x, err) && write_standings(x, err) &&
              write_meetings(x, err);

    tally_clear(&x->tally);
    return ok;
}

/* Summing up. */

static bool has_room(const struct tally *t, int seats)
{
    return t->ladders < TALLY_LADDERS &&
           t->standings + seats <= TALLY_STANDINGS &&
           t->meetings + seats * (seats - 1) <= TALLY_MEETINGS;
}

static int ladder_of(struct tally *t, const char *name)
{
    int i = 0;

    while (i < t->ladders && strcmp(t->ladder[i].name, name) != 0)
        i++;
    if (i == t->ladders) {
        t->ladder[t->ladders++] = (struct ladder_sum){0};
        strcpy(t->ladder[i].name, name);
    }
    return i;
}

static int standing_of(struct tally *t, int ladder, int64_t version,
                       const struct summary_seat *seat, const char *start)
{
    int i = 0;

    while (i < t->standings && (t->standing[i].version != version ||
                                t->standing[i].ladder != ladder))
        i++;
    if (i == t->standings) {
        struct standing_sum *s = &t->standing[t->standings++];

        *s = (struct standing_sum){.ladder = ladder, .version = version};
        strcpy(s->bot, seat->name);
        strcpy(s->text, seat->version);
        strcpy(s->first, start);
        strcpy(s->last, start);
    }
    return i;
}

static struct meeting_sum *meeting_of(struct tally *t, int standing,
                                      int opponent)
{
    int i = 0;

    while (i < t->meetings && (t->meeting[i].standing != standing ||
                               t->meeting[i].opponent != opponent))
        i++;
    if (i == t->meetings)
        t->meeting[t->meetings++] =
            (struct meeting_sum){.standing = standing, .opponent = opponent};
    return &t->meeting[i];
}

/* The first place, shared by all that have it. */
static int win_of(const struct game_summary *b, int i)
{
    int first = 0;

    for (int j = 0; j < b->seats; j++)
        first += b->seat[j].rank == 1;
    return b->seat[i].rank == 1 ? STATS_WIN / first : 0;
}

static bool is_forfeit(const struct summary_seat *seat)
{
    return seat->why[0] && strcmp(seat->why, why_word(WHY_RESIGN)) != 0;
}

static void count_seat(struct standing_sum *s, const struct game_summary *b,
                       int i, int times)
{
    s->games += times;
    s->wins += times * win_of(b, i);
    s->ranks += times * b->seat[i].rank;
    s->scores += times * b->seat[i].score;
    s->forfeits += times * is_forfeit(&b->seat[i]);
    if (strcmp(b->start, s->first) < 0)
        strcpy(s->first, b->start);
    if (strcmp(b->start, s->last) > 0)
        strcpy(s->last, b->start);
}

static void count_meetings(struct tally *t, const struct game_summary *b, int i,
                           const int *standing, int times)
{
    for (int j = 0; j < b->seats; j++)
        if (standing[j] != standing[i]) {
            struct meeting_sum *m = meeting_of(t, standing[i], standing[j]);

            m->games += times;
            m->wins += times * (b->seat[i].rank < b->seat[j].rank);
            m->ties += times * (b->seat[i].rank == b->seat[j].rank);
        }
}

bool tally_add(struct index *x, const struct game_summary *b,
               const int64_t *version, int times, struct err *err)
{
    struct tally *t = &x->tally;
    int standing[SEATS_MAX], ladder;

    if (!has_room(t, b->seats) && !tally_write(x, err))
        return false;
    ladder = ladder_of(t, b->event);
    t->ladder[ladder].games += times * (b->status == SUMMARY_FINISHED);
    t->ladder[ladder].voids += times * (b->status == SUMMARY_VOID);
    if (b->status == SUMMARY_VOID)
        return true;
    for (int i = 0; i < b->seats; i++) {
        standing[i] = standing_of(t, ladder, version[i], &b->seat[i], b->start);
        count_seat(&t->standing[standing[i]], b, i, times);
    }
    for (int i = 0; i < b->seats; i++)
        count_meetings(t, b, i, standing, times);
    return true;
}
