#include "league/plackett.h"

#include "base/alloc.h"
#include "league/likelihood.h"
#include "league/plackett_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void *plackett_grab(void *old, size_t n, size_t size)
{
    return must_alloc(realloc(old, (n ? n : 1) * size));
}

void plackett_init(struct plackett *games, int bots)
{
    assert(bots >= 0 && bots <= PLACKETT_BOTS);
    *games = (struct plackett){.bots = bots};
}

void plackett_release(struct plackett *games)
{
    free(games->rows);
    plackett_init(games, games->bots);
}

void plackett_know(struct plackett *games, const int *known)
{
    games->known = known;
}

void plackett_add(struct plackett *games, const int *bot, const int *rank,
                  int seats)
{
    struct plackett_row row = {.times = 1, .seats = (uint8_t)seats};
    int order[PLACKETT_SEATS];

    assert(seats <= PLACKETT_SEATS);
    if (seats < 2)
        return;
    row.tied = (uint8_t)likelihood_order(rank, bot, seats, order);
    for (int i = 0; i < seats; i++) {
        assert(bot[i] >= 0 && bot[i] < games->bots);
        row.bot[i] = (uint16_t)bot[order[i]];
    }
    if (games->len == games->cap) {
        games->cap = games->cap ? 2 * games->cap : 64;
        games->rows = plackett_grab(games->rows, games->cap, sizeof row);
    }
    games->rows[games->len++] = row;
}

enum { SORT_KEYS = PLACKETT_BOTS > 256 ? PLACKETT_BOTS : 256 };

/* What rows are sorted by, the last thing first. */
enum { SORT_STEPS = PLACKETT_SEATS + 2 };

static size_t sort_key(const struct plackett_row *row, int step)
{
    if (step < PLACKETT_SEATS)
        return row->bot[PLACKETT_SEATS - 1 - step];
    return step == PLACKETT_SEATS ? row->tied : row->seats;
}

/* From `rows` to `sorted`, equal keys in the order they had. */
static void sort_by(int step, const struct plackett_row *rows, size_t len,
                    size_t *first, struct plackett_row *sorted)
{
    size_t before = 0;

    for (size_t key = 0; key < SORT_KEYS; key++) {
        size_t count = first[key];

        first[key] = before;
        before += count;
    }
    for (size_t i = 0; i < len; i++)
        sorted[first[sort_key(&rows[i], step)]++] = rows[i];
}

static void sort_rows(struct plackett *games)
{
    struct plackett_row *other = plackett_grab(NULL, games->len, sizeof *other);

    for (int step = 0; step < SORT_STEPS; step++) {
        size_t first[SORT_KEYS] = {0};
        struct plackett_row *rows = games->rows;

        for (size_t i = 0; i < games->len; i++)
            first[sort_key(&rows[i], step)]++;
        if (first[sort_key(&rows[0], step)] == games->len)
            continue;
        sort_by(step, rows, games->len, first, other);
        games->rows = other;
        other = rows;
    }
    free(other);
}

static bool are_equal(const struct plackett_row *a,
                      const struct plackett_row *b)
{
    return a->seats == b->seats && a->tied == b->tied &&
           memcmp(a->bot, b->bot, sizeof a->bot) == 0;
}

static void merge_rows(struct plackett *games)
{
    struct plackett_row *rows = games->rows;
    size_t kept = 0;

    for (size_t i = 1; i < games->len; i++)
        if (are_equal(&rows[kept], &rows[i]))
            rows[kept].times += rows[i].times;
        else
            rows[++kept] = rows[i];
    games->len = kept + 1;
}

struct plackett plackett_sorted(const struct plackett *games)
{
    struct plackett copy = {
        .bots = games->bots, .known = games->known, .len = games->len};

    if (games->len == 0)
        return copy;
    copy.rows = plackett_grab(NULL, games->len, sizeof *copy.rows);
    copy.cap = games->len;
    memcpy(copy.rows, games->rows, games->len * sizeof *copy.rows);
    sort_rows(&copy);
    merge_rows(&copy);
    return copy;
}
