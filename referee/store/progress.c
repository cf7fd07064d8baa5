#include "store/progress.h"

#include "base/alloc.h"
#include "league/elo.h"
#include "league/performance.h"
#include "store/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A game of the bot. */
struct played {
    char id[SUMMARY_WORD_MAX + 1], start[SUMMARY_WORD_MAX + 1];
    char version[SUMMARY_WORD_MAX + 1];
    int seat, rank;
    int64_t score;
    struct encounter encounter[SEATS_MAX];
    int encounters;
};

/* The newest game first. */
struct history {
    struct played *game;
    int count, most;
};

static struct played *game_of(struct history *h,
                              const struct index_encounter *row)
{
    struct played *p = h->count ? &h->game[h->count - 1] : NULL;

    if (p && strcmp(p->id, row->game) == 0)
        return p;
    if (h->count == h->most)
        return NULL;
    p = &h->game[h->count++];
    *p = (struct played){
        .seat = row->seat, .rank = row->rank, .score = row->score};
    snprintf(p->id, sizeof p->id, "%s", row->game);
    snprintf(p->start, sizeof p->start, "%s", row->start);
    snprintf(p->version, sizeof p->version, "%s", row->version);
    return p;
}

static bool take_encounter(void *arg, const struct index_encounter *row)
{
    struct played *p = game_of(arg, row);

    if (p && row->has_other && row->is_rated && p->encounters < SEATS_MAX)
        p->encounter[p->encounters++] = (struct encounter){
            row->elo, score_of_ranks(row->rank, row->other_rank)};
    return p != NULL;
}

static bool read_history(struct history *h, struct index *index,
                         const char *ladder, const char *bot, int games,
                         struct err *err)
{
    *h = (struct history){.most = games};
    h->game = must_alloc(calloc((size_t)games, sizeof *h->game));
    if (index_encounters(index, ladder, bot, games, take_encounter, h, err))
        return true;
    free(h->game);
    return false;
}

/* Of games [from, to). */
static json_t *performance_json(const struct history *h, int from, int to,
                                double own)
{
    const int most = (to - from) * SEATS_MAX;
    struct encounter *all = must_alloc(calloc((size_t)most + 1, sizeof *all));
    json_t *json;
    int count = 0;

    for (int i = from; i < to; i++)
        for (int k = 0; k < h->game[i].encounters; k++)
            all[count++] = h->game[i].encounter[k];
    json = count ? json_real(performance(all, count, own)) : json_null();
    free(all);
    return json;
}

static double mean_score(const struct history *h, int from, int to)
{
    int64_t sum = 0;

    for (int i = from; i < to; i++)
        sum += h->game[i].score;
    return (double)sum / (to - from);
}

static json_t *span_json(const struct history *h, int from, int to,
                         bool is_rated, double own)
{
    const struct played *last = &h->game[from], *first = &h->game[to - 1];

    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:f}", "start",
                     report_text(first->start), "end", report_text(last->start),
                     "game", report_text(last->id), "version",
                     report_text(last->version), "games", to - from, "elo",
                     is_rated ? performance_json(h, from, to, own)
                              : json_null(),
                     "score", mean_score(h, from, to));
}

static int span_of(int games)
{
    int span = (games + PROGRESS_SPANS - 1) / PROGRESS_SPANS;

    return span < 5 ? 5 : span;
}

/* The oldest span may be short: then it is joined to the next one. */
static json_t *spans_json(const struct history *h, int span, bool is_rated,
                          double own)
{
    json_t *list = json_array();

    for (int from = 0; from < h->count; from += span) {
        int to = from + span;

        if (h->count - to < span)
            to = h->count;
        json_array_insert_new(list, 0, span_json(h, from, to, is_rated, own));
        if (to == h->count)
            break;
    }
    return list;
}

static json_t *seats_json(const struct history *h)
{
    json_t *list = json_array();

    for (int seat = 1; seat <= SEATS_MAX; seat++) {
        int64_t games = 0, first = 0, sum = 0;

        for (int i = 0; i < h->count; i++) {
            const struct played *p = &h->game[i];

            games += p->seat == seat;
            first += p->seat == seat && p->rank == 1;
            sum += p->seat == seat ? p->score : 0;
        }
        if (games > 0)
            json_array_append_new(
                list, json_pack("{s:i, s:I, s:I, s:f}", "seat", seat, "games",
                                (json_int_t)games, "first", (json_int_t)first,
                                "score", (double)sum / (double)games));
    }
    return list;
}

/* With fewer games the rating and the trend would be the same. */
static json_t *trend_json(const struct history *h, bool is_rated, double own)
{
    json_t *now;
    double elo;

    if (!is_rated || h->count < PROGRESS_TREND_GAMES)
        return json_null();
    now = performance_json(h, 0, PROGRESS_TREND_GAMES, own);
    if (!json_is_real(now))
        return now;
    elo = json_real_value(now) - own;
    json_decref(now);
    return json_real(elo);
}

json_t *progress_of(struct index *index, const char *ladder, const char *bot,
                    bool is_rated, double elo, struct err *err)
{
    struct history h;
    json_t *json;
    int span;

    if (!read_history(&h, index, ladder, bot, PROGRESS_GAMES, err))
        return NULL;
    span = span_of(h.count);
    json =
        json_pack("{s:i, s:i, s:o, s:o, s:o}", "games", h.count, "span", span,
                  "spans", spans_json(&h, span, is_rated, elo), "seats",
                  seats_json(&h), "trend", trend_json(&h, is_rated, elo));
    free(h.game);
    return json;
}

json_t *progress_trend(struct index *index, const char *ladder, const char *bot,
                       bool is_rated, double elo, struct err *err)
{
    struct history h;
    json_t *json;

    if (!read_history(&h, index, ladder, bot, PROGRESS_TREND_GAMES, err))
        return NULL;
    json = trend_json(&h, is_rated, elo);
    free(h.game);
    return json;
}
