#include "store/rate.h"

#include "base/alloc.h"
#include "league/gifts.h"
#include "league/plackett.h"
#include "store/disk.h"
#include "store/index_state.h"
#include "store/index_strike.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MS = 5000 }; /* for a daemon to let go of the index */

/* One that is to be rated: a version, or some of one name of which little is
 * known. */
struct entrant {
    int64_t games;
    int64_t counted; /* of them, in its rating */
    struct sum {     /* of the scores of games that it played alone */
        int64_t games;
        double mean, squares; /* of the distances from it */
    } alone;
    bool is_anchor;
    int kept; /* its number when some are dropped, or -1 */
};

/* A version, and who it is. */
struct version {
    int64_t key;
    int number; /* in the index */
    int entrant;
    int name; /* names are numbered in their order */
};

struct field {
    struct index *index;
    int most; /* entrants */
    struct entrant *entrant;
    int count, cap;
    struct version *version;
    int versions, version_cap;
    char pool_of[SUMMARY_NAME_MAX + 1]; /* the name whose unknown ones ... */
    int pool;                           /* ... are this entrant */
    char last_name[SUMMARY_NAME_MAX + 1];
    int names;
    double usual_moves;
    struct gifts gifts;
    int *place; /* by the number of a version: among the entrants, or -1 */
    int *name;  /* and its name */
    int places;
    struct plackett games;
    int *known; /* how well, of each entrant */
    int64_t played;
};

static void field_release(struct field *f)
{
    free(f->entrant);
    free(f->version);
    free(f->place);
    free(f->name);
    free(f->known);
    gifts_release(&f->gifts);
    plackett_release(&f->games);
}

static int new_entrant(struct field *f, bool is_anchor)
{
    if (f->count == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 64;
        f->entrant =
            must_resize(f->entrant, (size_t)f->cap, sizeof *f->entrant);
    }
    f->entrant[f->count] = (struct entrant){.is_anchor = is_anchor};
    return f->count++;
}

/* The one that stands for the unknown versions of a name; names come in order.
 */
static int pool_of(struct field *f, const char *name, bool is_anchor)
{
    if (strcmp(f->pool_of, name) != 0) {
        snprintf(f->pool_of, sizeof f->pool_of, "%s", name);
        f->pool = new_entrant(f, is_anchor);
    }
    return f->pool;
}

static void enter(struct field *f, const char *name, const char *anchor)
{
    struct sql *sql = &f->index->sql;
    int64_t key = sql_int(sql, ENTRANTS, 0), games = sql_int(sql, ENTRANTS, 2);
    bool is_latest = sql_int(sql, ENTRANTS, 3) != 0;
    bool is_anchor = strcmp(name, anchor) == 0;
    int entrant = is_latest || games >= RATE_KNOWN_GAMES
                      ? new_entrant(f, is_anchor)
                      : pool_of(f, name, is_anchor);

    if (f->versions == f->version_cap) {
        f->version_cap = f->version_cap ? 2 * f->version_cap : 64;
        f->version =
            must_resize(f->version, (size_t)f->version_cap, sizeof *f->version);
    }
    if (f->names == 0 || strcmp(f->last_name, name) != 0)
        f->names++;
    snprintf(f->last_name, sizeof f->last_name, "%s", name);
    f->entrant[entrant].games += games;
    f->version[f->versions++] =
        (struct version){.key = key,
                         .number = index_number(f->index, key),
                         .entrant = entrant,
                         .name = f->names - 1};
}

/* In the order of names and versions. */
static bool find_entrants(struct field *f, const char *ladder,
                          const char *anchor, struct err *err)
{
    struct sql *sql = &f->index->sql;
    bool ok = true;

    sql_ask(sql, ENTRANTS, SQL_T(ladder));
    while (sql_row(sql, ENTRANTS, &ok, err))
        enter(f, sql_text(sql, ENTRANTS, 1), anchor);
    return ok;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* How many games the last has that finds room, and how many such find it. */
static int64_t least_games(const struct field *f, int *room)
{
    int64_t *games = must_resize(NULL, (size_t)f->count, sizeof *games), least;

    for (int i = 0; i < f->count; i++)
        games[i] = f->entrant[i].games;
    qsort(games, (size_t)f->count, sizeof *games, by_number);
    least = games[f->count - f->most];
    for (*room = 0; *room < f->most; ++*room)
        if (games[f->count - f->most + *room] > least)
            break;
    free(games);
    return least;
}

static void drop_some(struct field *f)
{
    int room, kept = 0;
    int64_t least;

    if (f->count <= f->most)
        return;
    least = least_games(f, &room);
    for (int i = 0; i < f->count; i++) {
        bool stays = f->entrant[i].games > least ||
                     (f->entrant[i].games == least && room-- > 0);

        f->entrant[i].kept = stays ? kept++ : -1;
    }
    for (int i = 0; i < f->versions; i++)
        f->version[i].entrant = f->entrant[f->version[i].entrant].kept;
    for (int i = 0; i < f->count; i++)
        if (f->entrant[i].kept >= 0)
            f->entrant[f->entrant[i].kept] = f->entrant[i];
    f->count = kept;
}

/* Those of entrants that were not dropped. */
static void number_names(struct field *f)
{
    int last = -1, names = 0;

    for (int i = 0; i < f->versions; i++) {
        const struct version *v = &f->version[i];

        if (v->entrant == -1)
            continue;
        if (v->name != last)
            names++;
        last = v->name;
        f->name[v->number] = names - 1;
    }
    gifts_init(&f->gifts, names);
}

static void give_places(struct field *f)
{
    f->places = f->index->numbers.count;
    f->place = must_resize(NULL, (size_t)f->places, sizeof *f->place);
    f->name = must_resize(NULL, (size_t)f->places, sizeof *f->name);
    for (int i = 0; i < f->places; i++)
        f->place[i] = f->name[i] = -1;
    for (int i = 0; i < f->versions; i++) {
        f->place[f->version[i].number] = f->version[i].entrant;
    }
    number_names(f);
    plackett_init(&f->games, f->count);
}

/* As Welford does it: no large sums. */
static void add_score(struct sum *sum, double score)
{
    double off = score - sum->mean;

    sum->games++;
    sum->mean += off / (double)sum->games;
    sum->squares += off * (score - sum->mean);
}

static int name_of(const struct field *f, const struct index_result *result,
                   int seat)
{
    int version = result->version[seat];

    return version < f->places ? f->name[version] : -1;
}

/* Has this one gained from that one, which left at once? */
static bool is_gift(const struct field *f, const struct index_result *result,
                    int gainer, int giver)
{
    return result->left_moves[gainer] == STAYED &&
           result->left_moves[giver] != STAYED &&
           result->rank[gainer] < result->rank[giver] &&
           gift_is_short(result->left_moves[giver], f->usual_moves);
}

/* Those who have given too much, to one of the others. */
static seat_set find_givers(struct field *f, const struct index_result *result)
{
    seat_set givers = 0;

    for (int i = 0; i < result->seats; i++)
        for (int j = 0; j < result->seats; j++) {
            int gainer = name_of(f, result, i), giver = name_of(f, result, j);

            if (gainer == giver || gainer == -1 || giver == -1)
                continue;
            if (gifts_hold(&f->gifts, gainer, giver, is_gift(f, result, i, j)))
                givers |= SEAT(j);
        }
    return givers;
}

static bool count_game(void *arg, const struct index_result *result)
{
    struct field *f = arg;
    int bot[SEATS_MAX], rank[SEATS_MAX], seats = 0;
    seat_set givers = find_givers(f, result);

    f->played++;
    for (int i = 0; i < result->seats; i++) {
        int version = result->version[i];

        if (version >= f->places || f->place[version] == -1 || givers & SEAT(i))
            continue;
        bot[seats] = f->place[version];
        rank[seats++] = result->rank[i];
    }
    if (result->seats == 1 && seats == 1)
        add_score(&f->entrant[bot[0]].alone, (double)result->score[0]);
    for (int i = 0; i < seats && seats > 1; i++)
        f->entrant[bot[i]].counted++;
    plackett_add(&f->games, bot, rank, seats);
    return true;
}

/* If no bots have met, the mean of the scores is the rating, with 1.96 standard
 * errors. This needs two games: one says nothing about the spread. Where fewer
 * points are better, points count as negative, so that the best is first. */
static void rate_scores(const struct field *f, bool fewer_is_better,
                        struct ratings *r)
{
    *r = (struct ratings){.bots = f->count, .groups = 1, .converged = true};
    r->bot = must_alloc(calloc((size_t)f->count + 1, sizeof *r->bot));
    for (int i = 0; i < f->count; i++) {
        const struct sum *sum = &f->entrant[i].alone;
        double n = (double)sum->games;
        double margin = 1.96 * sqrt(sum->squares / (n - 1) / n);

        if (sum->games > 1)
            r->bot[i] =
                (struct rating){.elo = fewer_is_better ? -sum->mean : sum->mean,
                                .from_mean = margin,
                                .seats = sum->games};
    }
}

static bool note_rules(void *arg, const struct index_ladder *ladder)
{
    const struct game *game = game_find(ladder->rules);

    *(bool *)arg = game && game->fewer_is_better;
    return true;
}

/* A version that is new tells little about the others. */
static void tell_known(struct field *f)
{
    f->known = must_resize(NULL, (size_t)f->count + 1, sizeof *f->known);
    for (int i = 0; i < f->count; i++) {
        int64_t games = f->entrant[i].counted;

        f->known[i] = games < 1                  ? 1
                      : games > RATE_KNOWN_GAMES ? RATE_KNOWN_GAMES
                                                 : (int)games;
    }
    plackett_know(&f->games, f->known);
}

static bool is_solo(const struct field *f)
{
    return f->games.len == 0;
}

/* One state of the index, although it is queried twice. */
static bool read_field(struct field *f, const char *ladder, const char *anchor,
                       struct err *err)
{
    bool ok;

    if (!sql_exec(&f->index->sql, "BEGIN", err))
        return false;
    ok = find_entrants(f, ladder, anchor, err);
    if (ok) {
        drop_some(f);
        give_places(f);
        ok = index_usual_moves(f->index, ladder, &f->usual_moves, err) &&
             index_results(f->index, ladder, count_game, f, err);
    }
    index_undo(f->index);
    return ok;
}

static int find_anchor(const struct field *f)
{
    int best = PLACKETT_NO_ANCHOR;

    for (int i = 0; i < f->count; i++)
        if (f->entrant[i].is_anchor &&
            (best == PLACKETT_NO_ANCHOR ||
             f->entrant[i].games > f->entrant[best].games))
            best = i;
    return best;
}

/* Intervals from the mean: the anchor's own one tells how well it is known. */
static bool store_rating(const struct field *f, const char *ladder,
                         const struct version *version,
                         const struct ratings *ratings, double shift,
                         int min_games, struct err *err)
{
    const struct rating *r;

    if (version->entrant == -1)
        return true;
    r = &ratings->bot[version->entrant];
    if (r->seats < min_games)
        return true;
    return r->seats == 0 || !isfinite(r->from_mean) ||
           sql_run(&f->index->sql, ADD_RATING, err, SQL_T(ladder),
                   SQL_I(version->key), SQL_D(r->elo + shift),
                   SQL_D(r->elo + shift - r->from_mean),
                   SQL_D(r->elo + shift + r->from_mean), SQL_I(r->group),
                   SQL_I(r->seats));
}

static bool store_all(const struct field *f, const char *ladder,
                      const struct rate_anchor *anchor, double shift,
                      const struct ratings *ratings, struct err *err)
{
    struct index *index = f->index;
    bool ok;

    if (!index_begin(index, err))
        return false;
    ok = sql_run(&index->sql, DROP_RATINGS, err, SQL_T(ladder)) &&
         sql_run(&index->sql, ADD_FIT, err, SQL_T(ladder), SQL_I(f->played),
                 SQL_T(anchor->name), SQL_D(anchor->elo),
                 SQL_I(is_solo(f) ? INDEX_FIT_SOLO : ratings->converged));
    for (int i = 0; ok && i < f->versions; i++)
        ok = store_rating(f, ladder, &f->version[i], ratings, shift,
                          anchor->min_games, err);
    if (ok)
        return index_commit(index, err);
    index_undo(index);
    return false;
}

bool rate_ladder(struct index *index, const char *ladder,
                 const struct rate_anchor *anchor, int most, struct err *err)
{
    struct field field = {.index = index, .most = most};
    struct ratings ratings;
    bool fewer_is_better = false;
    bool ok = index_ladder(index, ladder, note_rules, &fewer_is_better, err) &&
              read_field(&field, ladder, anchor->name, err);
    int zero;

    if (ok && field.played > 0) {
        zero = is_solo(&field) ? PLACKETT_NO_ANCHOR : find_anchor(&field);
        if (is_solo(&field))
            rate_scores(&field, fewer_is_better, &ratings);
        else {
            tell_known(&field);
            plackett_fit(&field.games, zero, &ratings);
        }
        ok = store_all(&field, ladder, anchor,
                       zero == PLACKETT_NO_ANCHOR ? 0 : anchor->elo, &ratings,
                       err);
        ratings_release(&ratings);
    }
    field_release(&field);
    return ok;
}

bool rate_leaves_out(const char *ladder)
{
    return strncmp(ladder, PLAY_PREFIX, strlen(PLAY_PREFIX)) == 0;
}

bool rate_is_current(const struct index_ladder *ladder,
                     const struct rate_anchor *anchor)
{
    if (rate_leaves_out(ladder->name))
        return true;
    return ladder->rated == ladder->games &&
           strcmp(ladder->anchor, anchor->name) == 0 &&
           ladder->anchor_elo == anchor->elo;
}

/* All that are out of date. */

struct stale {
    const char *only; /* NULL: any */
    rate_anchor_of *anchor_of;
    void *arg;
    struct disk_names ladders;
};

static bool note_stale(void *arg, const struct index_ladder *row)
{
    struct stale *s = arg;
    struct rate_anchor anchor = s->anchor_of(s->arg, row->name);

    if (row->games > 0 && (!s->only || strcmp(s->only, row->name) == 0) &&
        !rate_is_current(row, &anchor))
        disk_names_add(&s->ladders, row->name);
    return true;
}

/* The organiser's orders are in the folder of the index. */
static bool load_orders(const char *path, struct orders *orders,
                        struct err *err)
{
    char data[DISK_PATH_MAX];
    const char *end = strrchr(path, '/');

    snprintf(data, sizeof data, "%.*s", end ? (int)(end - path) : 1,
             end ? path : ".");
    return orders_load(data, orders, err);
}

static bool strike(const char *path, const struct orders *orders,
                   struct err *err)
{
    struct index *index = index_open(path, INDEX_WRITE, err);
    bool ok = index != NULL;

    if (ok) {
        index_be_patient(index, PATIENCE_MS);
        ok = index_strike(index, orders, err);
    }
    index_close(index);
    return ok;
}

/* Whoever finds nothing to do has not asked for the lock. */
static bool strike_if_needed(const char *path, struct err *err)
{
    struct index *index = index_open(path, INDEX_READ, err);
    struct orders orders = {0};
    bool is_struck = true;
    bool ok = index && load_orders(path, &orders, err) &&
              index_is_struck(index, &orders, &is_struck, err);

    index_close(index);
    if (ok && !is_struck)
        ok = strike(path, &orders, err);
    orders_release(&orders);
    return ok;
}

static bool find_stale(struct stale *s, const char *path, struct err *err)
{
    struct index *index = index_open(path, INDEX_READ, err);
    bool ok = index && index_ladders(index, note_stale, s, err);

    index_close(index);
    return ok;
}

static bool rate_found(const struct stale *s, const char *path, struct err *err)
{
    struct index *index = index_open(path, INDEX_WRITE, err);
    bool ok = index != NULL;

    if (ok)
        index_be_patient(index, PATIENCE_MS);
    for (size_t i = 0; ok && i < s->ladders.count; i++) {
        const char *name = s->ladders.name[i];
        struct rate_anchor anchor = s->anchor_of(s->arg, name);

        ok = rate_ladder(index, name, &anchor, RATE_VERSIONS_MAX, err);
    }
    index_close(index);
    return ok;
}

bool rate_stale(const char *path, const char *only, rate_anchor_of *anchor_of,
                void *arg, struct err *err)
{
    struct stale stale = {only, anchor_of, arg, {0}};
    bool ok = strike_if_needed(path, err) && find_stale(&stale, path, err) &&
              (stale.ladders.count == 0 || rate_found(&stale, path, err));

    disk_names_free(&stale.ladders);
    return ok;
}
