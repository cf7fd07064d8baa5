/* The results of a tournament, for machines. */

#include "base/alloc.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/scoreboard.h"
#include "cmd/tournament/tournament.h"

#include "store/disk.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *rating_json(const struct rating *rating)
{
    if (!rating || rating->seats == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:i}", "elo", rating->elo, "low",
                     rating->low, "high", rating->high, "group",
                     rating->group + 1);
}

static json_t *standing_json(const struct tournament *t,
                             const struct standing *at,
                             const struct rating *rating)
{
    const struct bot_stats *stats = &t->stats[at->entrant];
    json_t *row = json_pack(
        "{s:i, s:s, s:i, s:f, s:f, s:I, s:f, s:o, s:o}", "place", at->place,
        "name", name_of(t, at->entrant), "seed", at->entrant + 1, "points",
        at->points / 2.0, "possible", at->possible / 2.0, "games",
        (json_int_t)stats->games, "wins", stats_wins(stats), "forfeits",
        forfeits_json(stats), "rating", rating_json(rating));

    if (t->config->schedule.format != FORMAT_KNOCKOUT) {
        json_object_set_new(row, "buchholz", json_real(at->buchholz / 2.0));
        json_object_set_new(row, "sonneborn_berger",
                            json_real((double)at->sonneborn / 4));
    } else {
        json_object_set_new(row, "out_in_round",
                            at->out < 0 ? json_null()
                                        : json_integer(at->out + 1));
    }
    if (t->config->schedule.format == FORMAT_SWISS)
        json_object_set_new(row, "byes", json_integer(at->byes));
    return row;
}

static json_t *standings_json(const struct tournament *t,
                              const struct standing *standings)
{
    json_t *list = json_array();
    struct ratings ratings;
    bool rated = tournament_rate(t, &ratings);

    for (int i = 0; i < entrants_of(t); i++)
        json_array_append_new(
            list,
            standing_json(t, &standings[i],
                          rated ? &ratings.bot[standings[i].entrant] : NULL));
    if (rated)
        ratings_release(&ratings);
    return list;
}

/* Best first. */
static json_t *members_json(const struct tournament *t, const struct pairing *p)
{
    json_t *list = json_array();
    int order[SEATS_MAX];

    pairing_order(p, order);
    for (int i = 0; i < p->seats; i++) {
        json_t *member =
            json_pack("{s:s, s:f}", "name", name_of(t, p->entrant[order[i]]),
                      "points", pairing_points(p, order[i]) / 2.0);

        if (t->config->schedule.format == FORMAT_KNOCKOUT)
            json_object_set_new(
                member, "goes_on",
                json_boolean(p->seats == 1 ||
                             (p->done == p->games && i < p->goes_on)));
        json_array_append_new(list, member);
    }
    return list;
}

static json_t *pairing_json(const struct tournament *t, const struct pairing *p)
{
    json_t *row =
        json_pack("{s:i, s:i, s:b, s:i, s:i, s:o}", "round", p->round + 1,
                  "table", p->table + 1, "bye", p->seats == 1, "games",
                  p->games, "played", p->done, "entrants", members_json(t, p));

    if (t->config->schedule.format == FORMAT_KNOCKOUT) {
        json_object_set_new(row, "replays", json_integer(p->replays));
        json_object_set_new(row, "by_seed", json_boolean(p->by_seed));
        json_object_set_new(row, "third_place",
                            json_boolean(p->is_third_place));
    }
    return row;
}

static json_t *pairings_json(const struct tournament *t)
{
    json_t *list = json_array();

    for (int k = 0; k < t->schedule.pairings; k++)
        json_array_append_new(list, pairing_json(t, &t->schedule.pairing[k]));
    return list;
}

/* Rows and columns in the order of the standings. */
static json_t *matrix_json(const struct standing *standings, int n,
                           const int *cell, double per)
{
    json_t *rows = json_array();

    for (int i = 0; i < n; i++) {
        json_t *row = json_array();

        for (int j = 0; j < n; j++)
            json_array_append_new(
                row, json_real(
                         cell[standings[i].entrant * n + standings[j].entrant] /
                         per));
        json_array_append_new(rows, row);
    }
    return rows;
}

static void add_crosstable(const struct tournament *t, json_t *all,
                           const struct standing *standings)
{
    int n = entrants_of(t);
    size_t cells = (size_t)n * (size_t)n;
    struct pool pool = {0};
    int *points = pool_take(&pool, cells * sizeof *points);
    int *games = pool_take(&pool, cells * sizeof *games);

    schedule_crosstable(&t->schedule, points, games);
    json_object_set_new(all, "crosstable",
                        json_pack("{s:o, s:o}", "points",
                                  matrix_json(standings, n, points, 2), "games",
                                  matrix_json(standings, n, games, 1)));
    pool_release(&pool);
}

static json_t *result_of(const struct tournament *t)
{
    const struct schedule_config *c = &t->config->schedule;
    struct standing standings[SCHEDULE_ENTRANTS_MAX];
    const char *format;
    size_t n = words_at(format_words, (int)c->format, &format);
    json_t *all;

    schedule_standings(&t->schedule, standings);
    all = json_pack(
        "{s:s, s:s%, s:b, s:s, s:i, s:i, s:i, s:i, s:i, s:b, s:s, s:o, s:o}",
        "name", t->config->name, "format", format, n, "finished",
        schedule_is_over(&t->schedule), "game", t->config->contest.game->name,
        "seats", c->seats, "rounds", t->schedule.rounds, "games", t->done,
        "void", t->voids, "games_per_pairing", c->games, "duplicate",
        t->config->duplicate, "time", t->config->time, "standings",
        standings_json(t, standings), "pairings", pairings_json(t));
    add_crosstable(t, all, standings);
    return all;
}

void tournament_json(const struct tournament *t)
{
    json_t *all = result_of(t);

    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(all);
}

/* For a server's site. A failure here must not stop the games. */
void tournament_keep(const struct tournament *t)
{
    char path[DISK_PATH_MAX], *text;
    struct err err;
    json_t *all;

    if (!t->config->contest.folder)
        return;
    all = result_of(t);
    text = must_alloc(json_dumps(all, JSON_COMPACT));
    snprintf(path, sizeof path, "%s/%s", t->config->contest.folder,
             TOURNAMENT_FILE);
    if (!disk_write(path, text, strlen(text), &err))
        complain("%s", err.text);
    free(text);
    json_decref(all);
}

/* One row for each entrant. */
void tournament_csv(const struct tournament *t)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];
    struct ratings ratings;
    bool rated = tournament_rate(t, &ratings);

    schedule_standings(&t->schedule, standings);
    printf("place,bot,seed,points,possible,buchholz,sonneborn_berger,byes,"
           "out_in_round,games,wins");
    for (int why = 0; why < WHYS; why++)
        printf(",%s", why_word((enum why)why));
    printf(",elo,elo_low,elo_high\n");
    for (int i = 0; i < entrants_of(t); i++) {
        const struct standing *at = &standings[i];
        const struct bot_stats *stats = &t->stats[at->entrant];

        printf("%d,%s,%d,%.6g,%.6g,%.6g,%.6g,%d,", at->place,
               name_of(t, at->entrant), at->entrant + 1, at->points / 2.0,
               at->possible / 2.0, at->buchholz / 2.0,
               (double)at->sonneborn / 4, at->byes);
        if (at->out >= 0)
            printf("%d", at->out + 1);
        printf(",%lld,%.6g", (long long)stats->games, stats_wins(stats));
        for (int why = 0; why < WHYS; why++)
            printf(",%lld", (long long)stats->forfeits[why]);
        if (rated && ratings.bot[at->entrant].seats > 0)
            printf(",%.6g,%.6g,%.6g\n", ratings.bot[at->entrant].elo,
                   ratings.bot[at->entrant].low, ratings.bot[at->entrant].high);
        else
            printf(",,,\n");
    }
    if (rated)
        ratings_release(&ratings);
}
