/* Games that one bot gives to another: what they do to ratings, and the audit.
 */

#include "store/audit.h"
#include "store/rate.h"

#include "near.h"
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;
static struct index *idx;
static struct err err;

static void begin_test(void)
{
    folder = scratch_new();
    idx = index_open(scratch_path(folder, "index.db"), INDEX_WRITE, &err);
    cr_assert(idx, "%s", err.text);
}

static void end_test(void)
{
    index_close(idx);
    scratch_free(folder);
}

TestSuite(gifts, .init = begin_test, .fini = end_test);

static void add(struct game_summary b)
{
    bool is_new;

    cr_assert(index_begin(idx, &err));
    cr_assert(index_add(idx, &b, "records/x.rec", &is_new, &err), "%s",
              err.text);
    cr_assert(index_commit(idx, &err));
}

static void rate(void)
{
    static const struct rate_anchor nobody;

    cr_assert(rate_ladder(idx, "main", &nobody, RATE_VERSIONS_MAX, &err), "%s",
              err.text);
}

/* The standing of one version. */
struct wanted {
    const char *name, *text;
    struct index_standing found;
};

static bool find_one(void *arg, const struct index_standing *s)
{
    struct wanted *w = arg;

    if (strcmp(w->name, s->name) != 0 || strcmp(w->text, s->text) != 0)
        return true;
    w->found = *s;
    return false;
}

static struct index_standing standing(const char *name, const char *text)
{
    struct wanted w = {.name = name, .text = text};

    cr_assert(index_standings(idx, "main", find_one, &w, &err));
    return w.found;
}

/* Games that the second gives to the first after so many moves. */
static void give(int times, const char *bots, int moves)
{
    static int number;
    char id[16];

    for (int i = 0; i < times; i++) {
        struct game_summary b;

        snprintf(id, sizeof id, "x%05d", ++number);
        b = game_of(id, bots, "1 2");
        b.moves = moves;
        if (moves > 0)
            strcpy(b.seat[1].why, "resign");
        else
            b.moves = 40;
        add(b);
    }
}

/* Eve is about as good as mal, who is known to be good. */
static void play_with_eve(void)
{
    for (int i = 0; i < 20; i++)
        give(1, i % 2 ? "mal bob" : "bob anna", 0);
    give(10, "mal anna", 0);
    give(2, "mal eve", 0);
    give(2, "eve mal", 0);
    give(4, "bob eve", 0);
}

static double elo_of_eve(int gifts, int moves)
{
    give(gifts, "eve mal", moves);
    rate();
    return standing("eve", "").elo;
}

Test(gifts, gifts_in_a_row_are_held_back)
{
    double three;

    play_with_eve();
    three = elo_of_eve(3, 2);
    cr_assert_eq(elo_of_eve(200, 2), three);
    give(1, "mal eve", 0);
    rate();
    three = standing("eve", "").elo;
    cr_assert(elo_of_eve(1, 2) > three, "after a game they count again");
}

Test(gifts, resigning_late_is_no_gift)
{
    double three;

    play_with_eve();
    three = elo_of_eve(3, 10); /* a quarter of 40 */
    cr_assert(elo_of_eve(20, 10) > three + 20);
}

Test(gifts, new_versions_of_a_giver_are_no_help)
{
    char bots[16];
    double three;

    play_with_eve();
    three = elo_of_eve(3, 2);
    for (int i = 0; i < 50; i++) {
        snprintf(bots, sizeof bots, "eve mal/v%d", i);
        give(1, bots, 2);
    }
    ASSERT_NEAR(elo_of_eve(0, 2), three, 1);
}

/* Bob beats anna, and mal gives the game to both. */
static double gap_after_three(int times)
{
    static int number;
    char id[16];

    for (int i = 0; i < times; i++) {
        struct game_summary b;

        snprintf(id, sizeof id, "y%05d", ++number);
        b = game_of(id, "bob anna mal", "1 2 3");
        b.moves = 2;
        strcpy(b.seat[2].why, "exit");
        add(b);
    }
    rate();
    return standing("bob", "").elo - standing("anna", "").elo;
}

Test(gifts, a_giver_is_taken_out_of_a_game_of_three)
{
    double before, mal;

    play_with_eve();
    before = gap_after_three(3);
    mal = standing("mal", "").elo - standing("anna", "").elo;
    cr_assert(gap_after_three(20) > before + 20, "the others have played");
    cr_assert(standing("mal", "").elo - standing("anna", "").elo > mal - 20,
              "and mal has not");
}

/* What the audit says of these two, as words; to be freed. */
static char *audited(const char *gainer, const char *giver, int64_t *held)
{
    json_t *audit = audit_ladder(idx, "main", &err), *row, *odd;
    char *words = NULL;
    size_t i;

    cr_assert(audit, "%s", err.text);
    json_array_foreach(json_object_get(audit, "pairs"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "gainer")), gainer) !=
                0 ||
            strcmp(json_string_value(json_object_get(row, "giver")), giver) !=
                0)
            continue;
        odd = json_object_get(row, "odd");
        words = json_dumps(odd, 0);
        *held = json_integer_value(json_object_get(row, "held"));
    }
    json_decref(audit);
    return words;
}

Test(gifts, the_audit_says_what_is_held_back)
{
    int64_t held;
    char *odd;

    play_with_eve();
    give(200, "eve mal", 2);
    odd = audited("eve", "mal", &held);
    cr_assert_eq(held, 197);
    cr_assert(strstr(odd, "197 of them excluded from the ratings"), "%s", odd);
    cr_assert_not(strstr(odd, "nobody else played"));
    free(odd);
    cr_assert_null(audited("mal", "eve", &held));
}

Test(gifts, the_audit_says_who_meets_alone)
{
    int64_t held;
    char *odd, id[16];

    play_with_eve();
    for (int i = 0; i < 10; i++) {
        struct game_summary b;

        snprintf(id, sizeof id, "z%05d", i);
        b = game_of(id, "eve mal", "1 2");
        strcpy(b.start, "2026-11-17T03:00:00Z");
        strcpy(b.seat[1].why, i == 5 ? "resign" : "");
        add(b);
    }
    odd = audited("eve", "mal", &held);
    cr_assert(strstr(odd, "10 games at hours when nobody else played"), "%s",
              odd);
    free(odd);
}
