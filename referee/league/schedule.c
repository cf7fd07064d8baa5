#include "league/schedule.h"

#include "base/alloc.h"
#include "league/schedule_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char format_words[] = "round-robin|gauntlet|swiss|knockout";

/* Which tournaments there can be. */

static bool check_entrants(const struct schedule_config *c, struct err *err)
{
    if (c->seats < 2 || c->seats > SEATS_MAX)
        return fail(err, "seats: a tournament needs games of 2 to %d, not %d",
                    SEATS_MAX, c->seats);
    if (c->entrants < 2 || c->entrants > SCHEDULE_ENTRANTS_MAX)
        return fail(err, "entrants: a tournament has 2 to %d, not %d",
                    SCHEDULE_ENTRANTS_MAX, c->entrants);
    if (c->entrants < c->seats)
        return fail(err, "seats: %d at a table need as many entrants, not %d",
                    c->seats, c->entrants);
    return true;
}

static bool check_games(struct schedule_config *c, struct err *err)
{
    if (c->games == 0)
        c->games = c->seats;
    if (c->unit == 0)
        c->unit = 1;
    if (c->games % c->unit != 0)
        return fail(err,
                    "games: with duplicate deals a pairing of %d needs a "
                    "multiple of %d, not %d",
                    c->seats, c->unit, c->games);
    return true;
}

static bool check_challengers(struct schedule_config *c, struct err *err)
{
    int most = c->entrants - c->seats + 1;

    if (c->challengers == 0)
        c->challengers = 1;
    if (c->challengers <= most)
        return true;
    return fail(err,
                "challengers: %d at most, so that %d of the %d entrants are "
                "left for the other seats, not %d",
                most, c->seats - 1, c->entrants, c->challengers);
}

/* Is it no more than anybody could play? */
static bool check_size(struct schedule_config *c, struct err *err)
{
    int64_t pairings = count_sets(c->entrants, c->seats);

    if (c->format == FORMAT_GAUNTLET)
        pairings = c->challengers *
                   count_sets(c->entrants - c->challengers, c->seats - 1);
    if (c->cycles == 0)
        c->cycles = 1;
    pairings *= c->cycles;
    if (pairings > SCHEDULE_PAIRINGS_MAX)
        return fail(err,
                    "entrants: %d at tables of %d make %lld pairings, more "
                    "than %d; a swiss has fewer",
                    c->entrants, c->seats, (long long)pairings,
                    SCHEDULE_PAIRINGS_MAX);
    if (pairings * c->games > SCHEDULE_GAMES_MAX)
        return fail(err, "games: %d for each of %lld pairings are more than %d",
                    c->games, (long long)pairings, SCHEDULE_GAMES_MAX);
    return true;
}

static int log2_up(int n)
{
    int log = 0;

    while (1 << log < n)
        log++;
    return log;
}

static bool check_rounds(struct schedule_config *c, struct err *err)
{
    int most = c->entrants - 1 + c->entrants % 2;

    if (c->rounds == 0)
        c->rounds = log2_up(c->entrants);
    if (c->rounds <= most)
        return true;
    return fail(err,
                "rounds: a swiss of %d entrants has at most %d, not %d; a "
                "round-robin can have more cycles",
                c->entrants, most, c->rounds);
}

static bool check_third_place(const struct schedule_config *c, struct err *err)
{
    if (!c->third_place || (c->seats == 2 && c->entrants >= 4))
        return true;
    if (c->seats > 2)
        return fail(err,
                    "third-place: needs 2 seats; with %d, the final decides it",
                    c->seats);
    return fail(err, "third-place: needs 4 entrants, not %d", c->entrants);
}

bool schedule_check(struct schedule_config *c, struct err *err)
{
    if (!check_entrants(c, err) || !check_games(c, err))
        return false;
    switch (c->format) {
    case FORMAT_ROUND_ROBIN:
        return check_size(c, err);
    case FORMAT_GAUNTLET:
        return check_challengers(c, err) && check_size(c, err);
    case FORMAT_SWISS:
        return check_rounds(c, err);
    case FORMAT_KNOCKOUT:
        return check_third_place(c, err);
    }
    return false;
}

/* Pairings. */

struct pairing *add_pairing(struct schedule *s, int round, const int *entrants,
                            int seats)
{
    struct pairing *p;

    if (s->pairings == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->pairing = must_alloc(
            realloc(s->pairing, (size_t)s->room * sizeof *s->pairing));
    }
    p = &s->pairing[s->pairings++];
    *p = (struct pairing){.round = round, .seats = seats};
    if (s->pairings > 1 && p[-1].round == round)
        p->table = p[-1].table + 1;
    memcpy(p->entrant, entrants, (size_t)seats * sizeof *entrants);
    if (seats > 1) {
        p->games = s->config.games;
        s->open++;
    }
    s->round = round;
    return p;
}

void count_meetings(const struct schedule *s, int *meetings)
{
    int n = s->config.entrants;

    memset(meetings, 0, (size_t)n * (size_t)n * sizeof *meetings);
    for (const struct pairing *p = s->pairing; p < s->pairing + s->pairings;
         p++)
        for (int i = 0; i < p->seats; i++)
            for (int j = 0; j < p->seats; j++)
                if (i != j)
                    meetings[p->entrant[i] * n + p->entrant[j]]++;
}

/*
 * Seats. Where the games of a pairing are no multiple of the seats, some seats
 * come once more often than others: these should go round. All sets of a round
 * robin can be seated evenly from the start, but nobody knows who will meet in
 * a later round of the others: they give each what it had least of.
 */

/* What it costs to begin the rotation with the entrant number `first`. */
static int unfairness(const struct pairing *p, int first, int (*had)[SEATS_MAX])
{
    int cost = 0;

    for (int game = 0; game < p->games % p->seats; game++)
        for (int i = 0; i < p->seats; i++) {
            int entrant = p->entrant[(first + i) % p->seats];

            cost += had[entrant][(i + game) % p->seats];
        }
    return cost;
}

static void seat(struct pairing *p, int (*had)[SEATS_MAX])
{
    int best = 0, old[SEATS_MAX];

    for (int first = 1; first < p->seats; first++)
        if (unfairness(p, first, had) < unfairness(p, best, had))
            best = first;
    memcpy(old, p->entrant, sizeof old);
    for (int i = 0; i < p->seats; i++)
        p->entrant[i] = old[(best + i) % p->seats];
    for (int game = 0; game < p->games % p->seats; game++)
        for (int i = 0; i < p->seats; i++)
            had[p->entrant[i]][(i + game) % p->seats]++;
}

/* All from pairing `from` on are new. */
static void seat_all(struct schedule *s, int from)
{
    int had[SCHEDULE_ENTRANTS_MAX][SEATS_MAX] = {0};

    for (int i = 0; i < s->pairings; i++) {
        struct pairing *p = &s->pairing[i];

        if (i >= from) {
            seat(p, had);
            continue;
        }
        for (int game = 0; game < s->config.games % p->seats; game++)
            for (int j = 0; j < p->seats; j++)
                had[p->entrant[j]][(j + game) % p->seats]++;
    }
}

/* Rounds. */

static void make_round(struct schedule *s)
{
    int from = s->pairings;

    if (s->config.format == FORMAT_SWISS)
        make_swiss_round(s);
    else
        make_knockout_round(s);
    seat_all(s, from);
}

void schedule_init(struct schedule *s, const struct schedule_config *config)
{
    *s = (struct schedule){.config = *config, .round = -1};
    switch (config->format) {
    case FORMAT_ROUND_ROBIN:
        make_round_robin(s);
        break;
    case FORMAT_GAUNTLET:
        make_gauntlet(s);
        break;
    case FORMAT_SWISS:
        s->rounds = config->rounds;
        make_round(s);
        return;
    case FORMAT_KNOCKOUT:
        s->rounds = count_knockout_rounds(config);
        make_round(s);
        return;
    }
    s->rounds = s->round + 1;
}

void schedule_release(struct schedule *s)
{
    free(s->pairing);
}

/* Games. */

enum schedule_answer schedule_next(struct schedule *s, struct turn *turn)
{
    while (s->cursor < s->pairings &&
           s->pairing[s->cursor].dealt == s->pairing[s->cursor].games)
        s->cursor++;
    if (s->cursor < s->pairings) {
        struct pairing *p = &s->pairing[s->cursor];

        *turn = (struct turn){s->cursor, p->dealt, s->config.unit};
        p->dealt += turn->games;
        return SCHEDULE_TURN;
    }
    if (schedule_is_over(s))
        return SCHEDULE_ENDS;
    /* Only these two can still have games that nobody knows of. */
    if (s->config.format == FORMAT_KNOCKOUT ||
        (s->config.format == FORMAT_SWISS && s->round + 1 < s->rounds))
        return SCHEDULE_WAITS;
    return SCHEDULE_ENDS;
}

bool schedule_is_over(const struct schedule *s)
{
    return s->open == 0;
}

int pairing_points(const struct pairing *p, int i)
{
    int sum = 0;

    for (int j = 0; j < p->seats; j++)
        sum += p->points[i][j];
    return sum;
}

/* Is the i-th before the j-th? */
static bool is_ahead(const struct pairing *p, int i, int j)
{
    int own = pairing_points(p, i), other = pairing_points(p, j);

    return own != other ? own > other : p->entrant[i] < p->entrant[j];
}

void pairing_order(const struct pairing *p, int order[SEATS_MAX])
{
    for (int i = 0; i < p->seats; i++) {
        int at = i;

        for (; at > 0 && is_ahead(p, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Does only a tie divide who goes on from who does not? */
static bool is_tied(const struct pairing *p)
{
    int order[SEATS_MAX];

    pairing_order(p, order);
    return pairing_points(p, order[p->goes_on - 1]) ==
           pairing_points(p, order[p->goes_on]);
}

/* Every game is played; true if that is the end of the pairing. */
static bool settle(struct schedule *s, struct pairing *p)
{
    if (s->config.format != FORMAT_KNOCKOUT || !is_tied(p))
        return true;
    if (p->replays == s->config.replays) {
        p->by_seed = true;
        return true;
    }
    p->replays++;
    p->games += p->seats;
    if (s->cursor > p - s->pairing)
        s->cursor = (int)(p - s->pairing);
    return false;
}

void schedule_game(struct schedule *s, int pairing, const int *rank)
{
    struct pairing *p = &s->pairing[pairing];

    assert(p->done < p->dealt);
    p->done++;
    for (int i = 0; rank && i < p->seats; i++)
        for (int j = 0; j < p->seats; j++)
            if (i != j)
                p->points[i][j] += rank[i] < rank[j] ? 2 : rank[i] == rank[j];
    if (p->done < p->games || !settle(s, p) || --s->open > 0)
        return;
    if (s->round + 1 < s->rounds)
        make_round(s);
}

int schedule_games(const struct schedule *s, int *done)
{
    int games = 0;

    *done = 0;
    for (int i = 0; i < s->pairings; i++) {
        games += s->pairing[i].games;
        *done += s->pairing[i].done;
    }
    return games;
}
