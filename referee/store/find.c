#include "store/find.h"

#include "match/fault.h"
#include "store/report.h"

#include <stdio.h>
#include <string.h>

static const char *const result_words[] = {
    [FIND_ANY] = "",      [FIND_WON] = "won",   [FIND_TIED] = "tied",
    [FIND_LOST] = "lost", [FIND_VOID] = "void",
};

enum { RESULTS = sizeof result_words / sizeof *result_words };

bool find_result_read(const char *word, enum find_result *result)
{
    for (int i = 0; i < RESULTS; i++)
        if (strcmp(word, result_words[i]) == 0) {
            *result = (enum find_result)i;
            return true;
        }
    return false;
}

static bool is_fault(const char *word)
{
    enum why why;

    return !*word || strcmp(word, "any") == 0 || why_read(word, &why);
}

bool find_check(const struct find *find, struct err *err)
{
    bool needs_bot =
        find->seat || (find->result != FIND_ANY && find->result != FIND_VOID);

    if (needs_bot && !*find->bot)
        return fail(err, "a seat or a result needs a bot: name it");
    if (*find->opponent && !*find->bot)
        return fail(err, "an opponent needs a bot: name it");
    if (!is_fault(find->fault))
        return fail(err,
                    "fault must be \"any\" or a reason such as \"time\", "
                    "not \"%.20s\"",
                    find->fault);
    return true;
}

static int ranked_first(const struct index_game *g)
{
    int count = 0;

    for (int i = 0; i < g->seats; i++)
        count += g->seat[i].rank == 1;
    return count;
}

static enum find_result result_of(const struct index_game *g, int seat)
{
    if (g->is_void)
        return FIND_VOID;
    if (g->seat[seat].rank != 1)
        return FIND_LOST;
    return ranked_first(g) > 1 ? FIND_TIED : FIND_WON;
}

/* A bot that resigned has not failed. */
static bool has_fault(const struct index_seat *seat, const char *fault)
{
    if (strcmp(fault, "any") == 0)
        return *seat->why && strcmp(seat->why, why_word(WHY_RESIGN)) != 0;
    return strcmp(seat->why, fault) == 0;
}

static bool has_opponent(const struct index_game *g, int seat, const char *name)
{
    for (int i = 0; i < g->seats; i++)
        if (i != seat && strcmp(g->seat[i].name, name) == 0)
            return true;
    return false;
}

/* Is it this seat that is meant, whose bot is? */
static bool seat_fits(const struct find *f, const struct index_game *g, int i)
{
    if (*f->bot && strcmp(g->seat[i].name, f->bot) != 0)
        return false;
    if (f->seat && f->seat != i + 1)
        return false;
    if (*f->opponent && !has_opponent(g, i, f->opponent))
        return false;
    if (*f->fault && !has_fault(&g->seat[i], f->fault))
        return false;
    return f->result == FIND_ANY || result_of(g, i) == f->result;
}

static bool fits(const struct find *f, const struct index_game *g)
{
    for (int i = 0; i < g->seats; i++)
        if (seat_fits(f, g, i))
            return true;
    return false;
}

struct search {
    const struct find *find;
    json_t *found;
    int looked;
    char *next;
    bool is_full;
};

static bool look_at(void *arg, const struct index_game *game)
{
    struct search *s = arg;

    s->looked++;
    if (fits(s->find, game))
        json_array_append_new(s->found, report_game_json(game));
    s->is_full = (int)json_array_size(s->found) == s->find->limit ||
                 s->looked == s->find->look;
    snprintf(s->next, SUMMARY_WORD_MAX + 1, "%s", game->id);
    return !s->is_full;
}

json_t *find_games(struct index *index, const struct find *find,
                   char next[SUMMARY_WORD_MAX + 1], struct err *err)
{
    struct index_page page = {.ladder = find->ladder,
                              .bot = *find->bot ? find->bot : NULL,
                              .before = *find->before ? find->before : NULL,
                              .limit = find->look};
    struct search search = {.find = find, .found = json_array(), .next = next};

    next[0] = '\0';
    if (!index_games(index, &page, look_at, &search, err)) {
        json_decref(search.found);
        return NULL;
    }
    if (!search.is_full)
        next[0] = '\0';
    return search.found;
}
