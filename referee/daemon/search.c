/*
 * A search for games, on one ladder or on all of them.
 *
 * Each ladder is searched on its own, newest game first, and examines only so
 * many games. So games of this ladder may be missing after the point where its
 * search stopped. The merged list ends at the newest such point, and the next
 * page continues there.
 */

#include "base/text.h"
#include "daemon/server_state.h"
#include "store/find.h"
#include "web/site.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK = 500, LOOK_LEAST = 20 };

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* The newer game first, as in the index. */
static int by_age(const void *a, const void *b)
{
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    int order = strcmp(text_in(y, "start"), text_in(x, "start"));

    return order ? order : strcmp(text_in(y, "id"), text_in(x, "id"));
}

/* A merged list and its end. */
struct merge {
    json_t *games;
    json_t *edge; /* the newest game at which a search ended, or NULL */
};

static bool take_edge(struct server *s, struct merge *m, const char *id,
                      struct err *err)
{
    json_t *game = report_game(archive_index(s->archive), id, err);

    if (!json_is_object(game)) {
        json_decref(game);
        return false;
    }
    if (!m->edge || by_age(&game, &m->edge) < 0) {
        json_decref(m->edge);
        m->edge = game;
    } else {
        json_decref(game);
    }
    return true;
}

static bool search_ladder(struct server *s, const struct find *find,
                          struct merge *m, struct err *err)
{
    char next[SUMMARY_WORD_MAX + 1];
    json_t *games = find_games(archive_index(s->archive), find, next, err);

    if (!games)
        return false;
    json_array_extend(m->games, games);
    json_decref(games);
    return !*next || take_edge(s, m, next, err);
}

static json_t *sorted(const json_t *games)
{
    size_t count = json_array_size(games);
    json_t **each = calloc(count + 1, sizeof *each), *list = json_array();

    if (!each)
        abort();
    for (size_t i = 0; i < count; i++)
        each[i] = json_array_get(games, i);
    qsort(each, count, sizeof *each, by_age);
    for (size_t i = 0; i < count; i++)
        json_array_append(list, each[i]);
    free(each);
    return list;
}

/* Cut the list at its end and to `limit`; return where it continues. */
static json_t *finish(struct merge *m, int limit,
                      char next[SUMMARY_WORD_MAX + 1])
{
    json_t *list = sorted(m->games);
    size_t count = json_array_size(list);
    json_t *last;

    while (m->edge && count > 0 &&
           (last = json_array_get(list, count - 1)) != NULL &&
           by_age(&last, &m->edge) > 0)
        json_array_remove(list, --count);
    text_join(next, SUMMARY_WORD_MAX + 1, m->edge ? text_in(m->edge, "id") : "",
              NULL);
    if (count <= (size_t)limit)
        return list;
    while (count > (size_t)limit)
        json_array_remove(list, --count);
    text_join(next, SUMMARY_WORD_MAX + 1,
              text_in(json_array_get(list, count - 1), "id"), NULL);
    return list;
}

static bool find_of(const struct site_filter *f, struct find *find,
                    struct err *why)
{
    const char *seat = f->seat;

    *find = (struct find){.bot = f->bot,
                          .opponent = f->opponent,
                          .fault = f->fault,
                          .before = f->before};
    if (*seat && (!take_int(&seat, 1, SEATS_MAX, &find->seat) || *seat))
        return fail(why, "Seat must be 1 to %d.", SEATS_MAX);
    if (!find_result_read(f->result, &find->result))
        return fail(why, "Result must be won, tied, lost or void.");
    return find_check(find, why);
}

static bool is_meant(const json_t *ladder, const struct site_filter *f)
{
    return !*f->ladder || strcmp(text_in(ladder, "ladder"), f->ladder) == 0;
}

static int count_meant(const json_t *ladders, const struct site_filter *f)
{
    const json_t *ladder;
    int count = 0;
    size_t i;

    json_array_foreach(ladders, i, ladder) count += is_meant(ladder, f);
    return count;
}

/* Many ladders share the limit of one. */
static bool search_all(struct server *s, const json_t *ladders,
                       const struct site_filter *f, struct find *find,
                       struct merge *m, struct err *why)
{
    int count = count_meant(ladders, f);
    const json_t *ladder;
    size_t i;

    find->look = count > 0 ? LOOK / count : LOOK;
    if (find->look < LOOK_LEAST)
        find->look = LOOK_LEAST;
    if (*f->ladder && count == 0)
        return fail(why, "There is no ladder of that name.");
    json_array_foreach(ladders, i, ladder)
    {
        find->ladder = text_in(ladder, "ladder");
        if (is_meant(ladder, f) && !search_ladder(s, find, m, why))
            return false;
    }
    return true;
}

json_t *search_games(struct server *s, const json_t *ladders,
                     const struct site_filter *filter, int limit,
                     char next[SUMMARY_WORD_MAX + 1], struct err *why)
{
    struct merge merge = {.games = json_array()};
    struct find find;
    json_t *list = NULL;

    if (find_of(filter, &find, why)) {
        find.limit = limit;
        if (search_all(s, ladders, filter, &find, &merge, why))
            list = finish(&merge, limit, next);
    }
    json_decref(merge.games);
    json_decref(merge.edge);
    return list;
}
