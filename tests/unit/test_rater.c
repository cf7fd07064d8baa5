/* The rater: a process of its own computes the ratings of an index. */

#include "daemon/rater.h"

#include "store.h"
#include "store/index.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;
static struct loop loop;
static struct log log_;
static FILE *logged;
static char *log_text;
static size_t log_len;
static struct rater *rater;
static struct index *idx;
static struct err err;
static struct alarm look;
static bool (*is_done)(void);

static void on_look(void *arg)
{
    fflush(logged);
    if (is_done())
        loop_stop(&loop);
    else
        loop_alarm(&loop, &look, now_us() + 1000);
}

/* Run the loop until this is so. */
static void run_until(bool (*done)(void))
{
    is_done = done;
    loop_alarm(&loop, &look, now_us());
    loop_run(&loop);
}

static int fits;

static void on_fitted(void *owner, int64_t began_us)
{
    fits++;
}

static void begin_test(void)
{
    folder = scratch_new();
    loop_init(&loop);
    logged = open_memstream(&log_text, &log_len);
    log_init(&log_, logged, LOG_DEBUG);
    alarm_init(&look, on_look, NULL);
    rater = rater_new(&loop, &log_, folder, on_fitted, NULL);
}

static void end_test(void)
{
    rater_free(rater);
    index_close(idx);
    loop_release(&loop);
    fclose(logged);
    free(log_text);
    scratch_free(folder);
}

TestSuite(rater, .init = begin_test, .fini = end_test, .timeout = 120);

static void add_game(const char *id)
{
    struct game_summary game = game_of(id, "anna bob", "1 2");
    bool is_new;

    cr_assert(index_begin(idx, &err) &&
                  index_add(idx, &game, "records/x.rec", &is_new, &err) &&
                  index_commit(idx, &err),
              "%s", err.text);
}

static void open_index(void)
{
    idx = index_open(scratch_path(folder, "index.db"), INDEX_WRITE, &err);
    cr_assert(idx, "%s", err.text);
}

static struct index_ladder found;
static char anchor[64];

static bool note(void *arg, const struct index_ladder *row)
{
    found = *row;
    snprintf(anchor, sizeof anchor, "%s", row->anchor);
    return true;
}

static bool is_rated(void)
{
    if (fits == 0)
        return false;
    cr_assert(index_ladder(idx, "main", note, NULL, &err), "%s", err.text);
    return found.rated == found.games;
}

Test(rater, computes_the_ratings_of_new_games)
{
    const struct ladder_config ladder = {
        .name = "main", .anchor = "anna", .anchor_elo = 500};

    open_index();
    add_game("g1");
    rater_set(rater, 1, &ladder, 1);
    rater_news(rater);
    run_until(is_rated);
    cr_expect_str_eq(anchor, "anna");
    cr_expect_eq(found.anchor_elo, 500);
    fits = 0;
    add_game("g2");
    rater_news(rater);
    run_until(is_rated);
    cr_expect_eq(found.rated, 2);
}

static bool has_complained(void)
{
    return strstr(log_text, "ratings were not computed") != NULL;
}

Test(rater, says_why_it_cannot)
{
    rater_set(rater, 1, NULL, 0);
    rater_news(rater);
    run_until(has_complained);
    cr_expect(strstr(log_text, "index.db"), "%s", log_text);
}

static bool was_given_up(void)
{
    return strstr(log_text, "was killed") != NULL;
}

/* Whoever kills it: the daemon lives on, and says so. */
Test(rater, outlives_its_helper)
{
    rater_set(rater, 1, NULL, 0);
    kill(loop.children.member[loop.children.count - 1], SIGKILL);
    run_until(was_given_up);
    rater_news(rater);
}
