/* Knockouts: the field, its tables, and who goes on. */

#include "base/pool.h"
#include "league/schedule_parts.h"

#include <assert.h>
#include <string.h>

/* How many of a full table go on: the largest part that divides it. */
static int share_of(int seats)
{
    int share = seats / 2;

    while (seats % share != 0)
        share--;
    return share;
}

/* The effect of a round on a field. */
struct cut {
    int tables;
    int byes;
    int out; /* how many are eliminated in all */
};

/* Down to N, or N / A times that, and so on; or as far as it goes. */
static struct cut cut_field(int field, int seats)
{
    int share = share_of(seats), goal = seats, most;
    struct cut cut;

    if (field == seats)
        return (struct cut){.tables = 1, .out = seats - 1};
    while (goal * (seats / share) < field)
        goal *= seats / share;
    most = field / seats * (seats - share);
    cut.out = field - goal < most ? field - goal : most;
    cut.tables = (cut.out + seats - share - 1) / (seats - share);
    cut.byes = field - cut.tables * seats;
    return cut;
}

int count_knockout_rounds(const struct schedule_config *c)
{
    int rounds = 0;

    for (int field = c->entrants; field > 1; rounds++)
        field -= cut_field(field, c->seats).out;
    return rounds;
}

/* The tables of better seeds eliminate fewer, where not all eliminate alike. */
static int goes_on_from(const struct cut *cut, int seats, int table)
{
    int all = cut->out / cut->tables, rest = cut->out % cut->tables;

    return seats - all - (table >= cut->tables - rest);
}

/* The field after a round. */

static int place_of(const struct schedule *s, int entrant)
{
    int place = 0;

    while (s->field[place] != entrant)
        place++;
    return place;
}

/*
 * The entrants that advance take the best places of their table, in their
 * order.
 */
static void refill_places(const struct schedule *s, const struct pairing *p,
                          int *field)
{
    int order[SEATS_MAX], places[SEATS_MAX];

    for (int i = 0; i < p->seats; i++) {
        int place = place_of(s, p->entrant[i]), at = i;

        for (; at > 0 && places[at - 1] > place; at--)
            places[at] = places[at - 1];
        places[at] = place;
    }
    pairing_order(p, order);
    for (int i = 0; i < p->seats; i++)
        field[places[i]] = i < p->goes_on ? p->entrant[order[i]] : -1;
}

static void advance(struct schedule *s)
{
    int field[SCHEDULE_ENTRANTS_MAX], len = 0;

    memcpy(field, s->field, sizeof field);
    for (int i = 0; i < s->pairings; i++)
        if (s->pairing[i].round == s->round && s->pairing[i].seats > 1)
            refill_places(s, &s->pairing[i], field);
    for (int i = 0; i < s->field_len; i++)
        if (field[i] >= 0)
            s->field[len++] = field[i];
    s->field_len = len;
}

/* Tables. */

struct draw {
    int seats, tables, entrants;
    int who[SCHEDULE_ENTRANTS_MAX]; /* table by table, best place first */
    int *meetings;
};

static int meetings_at(const struct draw *d, int entrant, int seat)
{
    int first = seat - seat % d->seats, sum = 0;

    for (int i = first; i < first + d->seats; i++)
        if (i != seat)
            sum += d->meetings[entrant * d->entrants + d->who[i]];
    return sum;
}

/* Exchange two of one tier if that leaves fewer repeated meetings. */
static bool keep_apart(struct draw *d, int i, int j)
{
    int a = d->who[i], b = d->who[j];

    if (meetings_at(d, a, j) + meetings_at(d, b, i) >=
        meetings_at(d, a, i) + meetings_at(d, b, j))
        return false;
    d->who[i] = b;
    d->who[j] = a;
    return true;
}

static void keep_all_apart(struct draw *d)
{
    bool again = true;

    while (again) {
        again = false;
        for (int tier = 0; tier < d->seats; tier++)
            for (int t = 0; t < d->tables; t++)
                for (int u = t + 1; u < d->tables; u++)
                    again |=
                        keep_apart(d, t * d->seats + tier, u * d->seats + tier);
    }
}

/* To and fro: 1 8, 2 7, 3 6, 4 5. */
static void deal_places(struct draw *d, const int *places)
{
    for (int i = 0; i < d->tables * d->seats; i++) {
        int tier = i / d->tables, at = i % d->tables;
        int table = tier % 2 ? d->tables - 1 - at : at;

        d->who[table * d->seats + tier] = places[i];
    }
}

/* Those who lost before the final play for the third place. */
static void add_third_place(struct schedule *s, int round)
{
    int losers[2], n = 0;
    struct pairing *p;

    for (int i = 0; i < s->pairings; i++) {
        int order[SEATS_MAX];

        p = &s->pairing[i];
        if (p->round != round - 1 || p->seats == 1)
            continue;
        assert(n < 2);
        pairing_order(p, order);
        losers[n++] = p->entrant[order[1]];
    }
    if (n < 2)
        return; /* with a bye to the final, the only loser is third */
    p = add_pairing(s, round, losers, 2);
    p->is_third_place = true;
    p->goes_on = 1;
}

static void add_tables(struct schedule *s, const struct cut *cut, int round)
{
    struct draw d = {.seats = s->config.seats,
                     .tables = cut->tables,
                     .entrants = s->config.entrants};
    struct pool pool = {0};
    size_t cells = (size_t)d.entrants * (size_t)d.entrants;

    d.meetings = pool_take(&pool, cells * sizeof *d.meetings);
    count_meetings(s, d.meetings);
    deal_places(&d, s->field + cut->byes);
    keep_all_apart(&d);
    for (int t = 0; t < cut->tables; t++)
        add_pairing(s, round, &d.who[t * d.seats], d.seats)->goes_on =
            goes_on_from(cut, d.seats, t);
    pool_release(&pool);
}

void make_knockout_round(struct schedule *s)
{
    int round = s->round + 1;
    struct cut cut;

    if (round == 0) {
        s->field_len = s->config.entrants;
        for (int i = 0; i < s->field_len; i++)
            s->field[i] = i;
    } else {
        advance(s);
    }
    cut = cut_field(s->field_len, s->config.seats);
    add_tables(s, &cut, round);
    if (s->config.third_place && round == s->rounds - 1)
        add_third_place(s, round);
    for (int i = 0; i < cut.byes; i++)
        add_pairing(s, round, &s->field[i], 1);
}
