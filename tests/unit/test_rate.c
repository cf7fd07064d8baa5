/* Published ratings, the index made anew, and both as JSON. */

#include "store/archive.h"
#include "store/rate.h"
#include "store/reindex.h"
#include "store/report.h"

#include "near.h"
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;
static char data[512];
static struct index *idx;
static struct err err;

static const char *in_data(const char *name)
{
    return scratch_path(data, name);
}

static void open_index(void)
{
    idx = index_open(in_data("index.db"), INDEX_WRITE, &err);
    cr_assert(idx, "%s", err.text);
}

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(data, sizeof data, "%s/data", folder);
    mkdir(data, 0700);
    open_index();
}

static void end_test(void)
{
    index_close(idx);
    scratch_free(folder);
}

TestSuite(rate, .init = begin_test, .fini = end_test);
TestSuite(reindex, .init = begin_test, .fini = end_test);
TestSuite(report, .init = begin_test, .fini = end_test);

static void add(struct game_summary b)
{
    bool is_new;

    cr_assert(index_begin(idx, &err));
    cr_assert(index_add(idx, &b, "records/x.rec", &is_new, &err), "%s",
              err.text);
    cr_assert(index_commit(idx, &err));
}

/* Many games of the same kind, numbered on. */
static void play(int times, const char *bots, const char *ranks)
{
    static int number;
    char id[16];

    for (int i = 0; i < times; i++) {
        snprintf(id, sizeof id, "g%d", ++number);
        add(game_of(id, bots, ranks));
    }
}

static void rate(const char *anchor, double elo)
{
    struct rate_anchor a = {.elo = elo};

    snprintf(a.name, sizeof a.name, "%s", anchor);
    cr_assert(rate_ladder(idx, "main", &a, RATE_VERSIONS_MAX, &err), "%s",
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

Test(rate, a_score_of_three_quarters_is_191_points)
{
    play(300, "anna bob", "1 2");
    play(100, "anna bob", "2 1");
    rate("", 0);
    ASSERT_NEAR(standing("anna", "").elo, 190.8 / 2, 1);
    ASSERT_NEAR(standing("bob", "").elo, -190.8 / 2, 1);
    cr_assert(standing("anna", "").low < 95 && standing("anna", "").high > 96);
}

Test(rate, the_anchor_has_its_rating)
{
    play(30, "anna bob", "1 2");
    play(10, "anna bob", "2 1");
    rate("bob", 1500);
    cr_assert_eq(standing("bob", "").elo, 1500);
    cr_assert(standing("bob", "").low < 1490);
    ASSERT_NEAR(standing("anna", "").elo, 1685, 6);
    rate("nobody", 1500);
    ASSERT_NEAR(standing("bob", "").elo + standing("anna", "").elo, 0, 1e-9);
}

Test(rate, the_version_with_most_games_is_the_anchor)
{
    play(10, "bob/old anna", "1 2");
    play(11, "bob/new anna", "1 2");
    rate("bob", 100);
    cr_assert_eq(standing("bob", "new").elo, 100);
    cr_assert_neq(standing("bob", "old").elo, 100);
    play(1, "bob/old anna", "1 2");
    rate("bob", 100);
    cr_assert_eq(standing("bob", "new").elo, 100, "n comes before o");
}

Test(rate, forfeits_count_as_last)
{
    struct game_summary b = game_of("left", "anna bob carl", "1 1 3");

    strcpy(b.seat[2].why, "time");
    add(b);
    rate("", 0);
    cr_assert(standing("carl", "").elo < standing("bob", "").elo);
    ASSERT_NEAR(standing("anna", "").elo, standing("bob", "").elo, 1e-9);
}

Test(rate, those_who_never_met_are_in_groups)
{
    play(1, "anna bob", "1 2");
    play(1, "carl dora", "1 2");
    rate("", 0);
    cr_assert_eq(standing("anna", "").group, standing("bob", "").group);
    cr_assert_neq(standing("anna", "").group, standing("carl", "").group);
}

struct question {
    struct rate_anchor anchor;
    bool is_current;
};

/* The texts of a ladder are gone after this call. */
static bool ask_ladder(void *arg, const struct index_ladder *l)
{
    struct question *q = arg;

    q->is_current = rate_is_current(l, &q->anchor);
    return true;
}

static bool is_current(const char *anchor, double elo)
{
    struct question q = {.anchor = {.elo = elo}};

    snprintf(q.anchor.name, sizeof q.anchor.name, "%s", anchor);
    cr_assert(index_ladders(idx, ask_ladder, &q, &err));
    return q.is_current;
}

Test(rate, it_is_known_when_ratings_are_out_of_date)
{
    play(1, "anna bob", "1 2");
    cr_assert_not(is_current("", 0));
    rate("", 0);
    cr_assert(is_current("", 0));
    cr_assert_not(is_current("bob", 0));
    cr_assert_not(is_current("", 1500));
    play(1, "anna bob", "1 2");
    cr_assert_not(is_current("", 0));
    rate("bob", 1500);
    cr_assert(is_current("bob", 1500));
}

Test(rate, void_games_say_nothing_and_solo_ones_make_a_mean)
{
    struct game_summary b = game_of("void", "anna bob", "0 0");

    b.status = SUMMARY_VOID;
    add(b);
    rate("", 0);
    cr_assert(index_begin(idx, &err) && index_commit(idx, &err));
    play(3, "solo", "1");
    rate("", 0);
    cr_assert(standing("solo", "").is_rated);
    cr_assert_eq(standing("solo", "").games, 3);
}

/* More versions than can be compared: those with the fewest games are out. */
Test(rate, too_many_versions_leave_the_rarest_unrated)
{
    struct rate_anchor none = {0};

    play(4, "dora bob", "1 2");
    play(2, "anna/1 bob", "1 2");
    play(1, "emma bob", "1 2");
    play(1, "anna/3 bob", "1 2");
    play(2, "carl bob anna/3", "1 2 3");
    cr_assert(rate_ladder(idx, "main", &none, 4, &err), "%s", err.text);
    cr_assert(standing("dora", "").is_rated && standing("bob", "").is_rated);
    cr_assert(standing("anna", "3").is_rated);
    cr_assert(standing("anna", "1").is_rated, "2 games, and before carl");
    cr_assert_not(standing("emma", "").is_rated);
    cr_assert_not(standing("carl", "").is_rated);
}

/* Four equal bots, and perhaps a friend of one of them that resigns to it under
 * one version after another: what that one gains over the others. */
static double gain_of_anna(int gifts)
{
    static const char *const pairs[] = {"anna bob", "anna carl", "anna dora",
                                        "bob carl", "bob dora",  "carl dora"};
    char bots[32];

    for (int i = 0; i < 6; i++) {
        play(5, pairs[i], "1 2");
        play(5, pairs[i], "2 1");
    }
    for (int i = 0; i < gifts; i++) {
        snprintf(bots, sizeof bots, "anna puppet/%d", i);
        play(1, bots, "1 2");
    }
    rate("", 0);
    return standing("anna", "").elo - standing("bob", "").elo;
}

Test(rate, who_has_a_friend_gains_next_to_nothing)
{
    ASSERT_NEAR(gain_of_anna(0), 0, 1e-6);
    cr_expect_lt(gain_of_anna(200), 50);
    cr_expect(standing("puppet", "7").is_rated);
    ASSERT_NEAR(standing("puppet", "7").elo, standing("puppet", "8").elo, 1e-6);
    cr_expect_lt(standing("puppet", "7").elo, -300);
}

/* Friends under a hundred names, who play one whole game each and lose it. */
Test(rate, friends_who_are_new_give_next_to_nothing)
{
    static const char *const field[] = {"bob", "carl", "dora", "emma"};
    char bots[32];
    double before, after;

    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            snprintf(bots, sizeof bots, "%s %s", field[i], field[j]);
            if (i != j)
                play(10, bots, "1 2");
        }
    play(4, "anna bob", "1 2");
    play(4, "anna carl", "2 1");
    rate("", 0);
    before = standing("anna", "").elo - standing("dora", "").elo;
    for (int i = 0; i < 100; i++) {
        snprintf(bots, sizeof bots, "anna friend%d", i);
        play(1, bots, "1 2");
    }
    rate("", 0);
    after = standing("anna", "").elo - standing("dora", "").elo;
    ASSERT_NEAR(before, 0, 1);
    cr_expect_lt(after, 15, "%.0f", after);
}

Test(rate, old_versions_that_are_known_have_ratings_of_their_own)
{
    play(RATE_KNOWN_GAMES, "anna/1 bob", "1 2");
    play(2, "anna/2 bob", "2 1");
    play(2, "anna/3 bob", "2 1");
    rate("", 0);
    cr_expect_gt(standing("anna", "1").elo, standing("anna", "2").elo + 100);
    ASSERT_NEAR(standing("anna", "2").elo, standing("anna", "3").elo, 1e-6);
}

/* Reindex. */

static void put(const char *name, const struct game_summary *b, bool damage)
{
    char *text = record_of(b);
    FILE *file;

    if (damage)
        *strstr(text, "seat 1") = 'S';
    file = fopen(in_data(name), "w");
    cr_assert(file, "%s", name);
    fputs(text, file);
    fclose(file);
    free(text);
}

static struct buf said;

static void say(void *arg, const char *sentence)
{
    buf_add(&said, "%s\n", sentence);
}

static struct rate_anchor bob_is_1000(void *arg, const char *ladder)
{
    return (struct rate_anchor){.name = "bob", .elo = 1000};
}

static struct reindex_sums reindex(void)
{
    struct reindex job = {.data = data, .on_wrong = say, .anchor = bob_is_1000};
    struct reindex_sums sums;

    index_close(idx);
    buf_release(&said);
    buf_init(&said, 1 << 16);
    cr_assert(reindex_run(&job, &sums, &err), "%s", err.text);
    open_index();
    return sums;
}

static void quiet_game(void *arg, const struct game_summary *b)
{
}

static void keep(struct archive *archive, const struct game_summary *b,
                 char *location)
{
    char *text = record_of(b);
    struct buf bytes;

    buf_init(&bytes, 1 << 20);
    buf_str(&bytes, text);
    location[0] = '\0';
    cr_assert(archive_keep(archive, b->event,
                           &(struct record_bytes){-1, 0, &bytes}, location,
                           &err),
              "%s", err.text);
    buf_release(&bytes);
    free(text);
}

/* The daemon's way: in the order in which games end. */
static void archive_games(const int *order, int count)
{
    struct archive *archive;
    struct archive_news news = {.on_game = quiet_game};

    index_close(idx);
    idx = NULL;
    archive = archive_open(data, &err);
    cr_assert(archive, "%s", err.text);
    for (int i = 0; i < count; i++) {
        char id[16], location[LOCATION_MAX + 1];
        const struct ended ended = {id, NULL, location, false};
        struct game_summary b;

        snprintf(id, sizeof id, "g%02d", order[i]);
        b = game_of(id, order[i] % 3 ? "anna/1 bob" : "bob carl anna/2",
                    order[i] % 2 ? "1 2 2" : "2 1 3");
        snprintf(b.start, sizeof b.start, "2026-11-%02dT10:00Z",
                 order[i] / 4 + 10);
        if (order[i] % 5 == 0)
            b.status = SUMMARY_VOID;
        keep(archive, &b, location);
        cr_assert(archive_index_games(archive, &ended, 1, &news, &err), "%s",
                  err.text);
    }
    archive_close(archive);
    open_index();
}

Test(reindex, gives_the_tables_that_the_daemon_made)
{
    static const int order[] = {3, 0, 1, 11, 2, 5, 9, 4, 6, 10, 8, 7};
    struct rate_anchor anchor = bob_is_1000(NULL, "main");
    struct reindex_sums sums;
    char *before, *after;

    archive_games(order, 12);
    cr_assert(rate_ladder(idx, "main", &anchor, RATE_VERSIONS_MAX, &err));
    index_close(idx);
    before = tables_of(in_data("index.db"));
    open_index();
    sums = reindex();
    after = tables_of(in_data("index.db"));
    cr_assert_str_eq(before, after);
    cr_assert_str_eq(said.text, "");
    cr_assert(sums.games == 9 && sums.voids == 3 && sums.wrong == 0);
    cr_assert(strlen(before) > 1500);
    free(before);
    free(after);
}

static void put_text(const char *name, const char *text)
{
    FILE *file = fopen(in_data(name), "w");

    cr_assert(file, "%s", name);
    fputs(text, file);
    fclose(file);
}

/* Whatever it is, the next daemon sees to it. */
Test(reindex, what_is_running_is_counted_only)
{
    struct game_summary b = game_of("g3", "anna bob", "1 2");
    struct reindex_sums sums;

    mkdir(in_data("records"), 0700);
    mkdir(in_data("running"), 0700);
    put_text("running/g1.rec", "");
    put_text("running/g2.rec", "record 1\ngame ron");
    put("running/g3.rec", &b, true);
    sums = reindex();
    cr_assert(sums.running == 3 && sums.wrong == 0 && sums.games == 0, "%s",
              said.text);
}

Test(reindex, takes_all_that_is_closed_and_names_what_is_not)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    struct reindex_sums sums;

    mkdir(in_data("records"), 0700);
    mkdir(in_data("running"), 0700);
    mkdir(in_data("records/main"), 0700);
    mkdir(in_data("records/main/deep"), 0700);
    put("records/main/deep/g1.rec", &b, false);
    put("records/main/twice.rec", &b, false);
    put("records/main/readme.txt", &b, false);
    put("records/main/bad.rec", &b, true);
    b = game_of("g2", "anna bob", "2 1");
    put("records/main/g2.rec", &b, false);
    b = game_of("g3", "anna bob", "2 1");
    b.status = SUMMARY_UNCLOSED;
    put("running/g3.rec", &b, false);
    put("records/main/open.rec", &b, false);
    sums = reindex();
    cr_assert(sums.games == 2 && sums.running == 1 && sums.wrong == 3 &&
                  sums.ladders == 1,
              "%s", said.text);
    cr_assert(strstr(said.text, "records/main/bad.rec"), "%s", said.text);
    cr_assert(strstr(said.text, "records/main/twice.rec:1: a copy of game g1, "
                                "which is already in records/main/deep/g1.rec"),
              "%s", said.text);
    cr_assert(strstr(said.text, "open.rec:1: the closing hash is missing"));
    cr_assert_eq(standing("bob", "").elo, 1000);
}

/* As programs once wrote them: two tournaments with the same ids. */
Test(reindex, takes_other_games_of_the_same_id)
{
    struct game_summary b = game_of("r01-t01-1", "anna bob", "1 2");
    struct reindex_sums sums;
    char id[24], path[80];

    mkdir(in_data("records"), 0700);
    put("records/spring.rec", &b, false);
    b = game_of("r01-t01-1", "anna bob", "2 1");
    put("records/summer-1.rec", &b, false);
    put("records/summer-2.rec", &b, false);
    sums = reindex();
    cr_assert(sums.games == 2 && sums.wrong == 1, "%s", said.text);
    cr_assert_eq(
        sscanf(said.text, "%*[^:]:1: a copy of game %23[0-9a-zt-], which", id),
        1, "%s", said.text);
    cr_assert_str_eq(strchr(id, '-'), "-r01-t01-1");
    cr_assert(index_path(idx, id, path, sizeof path, &err));
    cr_assert_str_eq(path, "records/summer-1.rec");
}

static void append_record(const char *name, const char *match)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    FILE *file = fopen(in_data(name), "a");
    char *text;

    b.id[0] = b.event[0] = b.start[0] = '\0';
    snprintf(b.unit, sizeof b.unit, "%s", match);
    text = record_of(&b);
    cr_assert(file && fputs(text, file) != EOF && fclose(file) == 0);
    free(text);
}

/* As `referee match` writes them. */
Test(reindex, takes_all_records_of_a_file)
{
    char path[80];
    struct archive *archive;
    struct buf bytes;

    mkdir(in_data("records"), 0700);
    mkdir(in_data("records/cup"), 0700);
    append_record("records/cup/games-001.rec", "game-1");
    append_record("records/cup/games-001.rec", "game-2");
    append_record("records/cup/games-001.rec", "");
    append_record("records/cup/games-002.rec", "game-3");
    append_record("records/cup/games-002.rec", "game-1");
    cr_assert_eq(reindex().games, 4, "%s", said.text);
    cr_assert(strstr(said.text, "records/cup/games-002.rec:30: a copy of game "
                                "cup-game-1, which is already in "
                                "records/cup/games-001.rec@0+"),
              "%s", said.text);
    cr_assert(index_path(idx, "cup-games-001-3", path, sizeof path, &err));
    cr_assert(strstr(path, "records/cup/games-001.rec@"), "%s", path);
    index_close(idx);
    idx = NULL;
    archive = archive_open(data, &err);
    cr_assert(archive, "%s", err.text);
    buf_init(&bytes, 1 << 20);
    cr_assert(archive_read(archive, "cup-game-2", &bytes, &err), "%s",
              err.text);
    cr_assert(strstr(bytes.text, "about match=game-2\n"), "%s", bytes.text);
    cr_assert(strstr(bytes.text, "\nhash "), "%s", bytes.text);
    cr_assert_null(strstr(bytes.text + 1, "record 1"), "%s", bytes.text);
    put_text("records/cup/games-001.rec", "record 1\nhash 1\n");
    buf_reset(&bytes);
    cr_assert_not(archive_read(archive, "cup-game-2", &bytes, &err));
    cr_assert(
        strstr(err.text, "games-001.rec was changed after it was indexed"),
        "%s", err.text);
    buf_release(&bytes);
    archive_close(archive);
    open_index();
}

/* A record that is alone in its file needs no name. */
Test(reindex, a_record_that_says_nothing_is_what_its_place_says)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    char path[64];

    mkdir(in_data("records"), 0700);
    mkdir(in_data("records/cup"), 0700);
    b.id[0] = b.event[0] = b.start[0] = '\0';
    put("records/cup/game-1.rec", &b, false);
    put("records/loose.rec", &b, false);
    cr_assert_eq(reindex().games, 2, "%s", said.text);
    cr_assert(index_path(idx, "cup-game-1", path, sizeof path, &err));
    cr_assert_str_eq(path, "records/cup/game-1.rec");
    cr_assert(index_path(idx, "loose", path, sizeof path, &err));
    cr_assert_str_eq(path, "records/loose.rec");
}

Test(reindex, the_daemon_comes_first)
{
    struct reindex job = {.data = data};
    struct reindex_sums sums;
    int lock = archive_lock(data, &err);

    cr_assert_neq(lock, -1);
    cr_assert_not(reindex_run(&job, &sums, &err));
    cr_assert(strstr(err.text, "another referee uses"), "%s", err.text);
    close(lock);
    cr_assert(reindex_run(&job, &sums, &err), "%s", err.text);
}

Test(reindex, a_damaged_index_is_replaced)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    FILE *file;

    play(100, "anna bob", "1 2");
    mkdir(in_data("records"), 0700);
    put("records/g1.rec", &b, false);
    index_close(idx);
    idx = NULL;
    file = fopen(in_data("index.db"), "r+");
    for (int i = 0; i < 4096; i++)
        fputc('x', file);
    fclose(file);
    cr_assert_null(index_open(in_data("index.db"), INDEX_WRITE, &err));
    cr_assert(strstr(err.text, "is damaged"), "%s", err.text);
    cr_assert_eq(reindex().games, 1);
    cr_assert_eq(standing("anna", "").games, 1);
}

/* Reports. */

static json_t *ask(json_t *answer)
{
    cr_assert(answer, "%s", err.text);
    return answer;
}

static const char *text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static int64_t number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

Test(report, tells_ladders_with_standings)
{
    json_t *all, *ladder, *rows;

    play(2, "anna/1 bob", "1 2");
    play(1, "anna/2 bob", "1 2");
    rate("bob", 500);
    play(1, "carl bob", "1 2");
    all = ask(report_ladders(idx, true, &err));
    cr_assert_eq(json_array_size(all), 1);
    ladder = json_array_get(all, 0);
    cr_assert_str_eq(text(ladder, "ladder"), "main");
    cr_assert_str_eq(text(ladder, "game"), "axio-rota");
    cr_assert_eq(number(ladder, "games"), 4);
    cr_assert_eq(number(json_object_get(ladder, "rating"), "games"), 3);
    cr_assert_str_eq(text(json_object_get(ladder, "rating"), "anchor"), "bob");
    rows = json_object_get(ladder, "standings");
    cr_assert_eq(json_array_size(rows), 4);
    cr_assert(json_is_null(json_object_get(json_array_get(rows, 3), "elo")));
    cr_assert_str_eq(text(json_array_get(rows, 3), "bot"), "carl");
    cr_assert_str_eq(text(json_array_get(rows, 2), "bot"), "bob");
    cr_assert_eq(number(json_array_get(rows, 2), "place"), 2);
    json_decref(all);
    all = ask(report_ladder(idx, "none", NULL, &err));
    cr_assert(json_is_null(all));
    json_decref(all);
}

/* The rows of the whole whose version is the current one. */
static json_t *current_rows(const json_t *whole)
{
    json_t *rows = json_array(), *row;
    size_t i;

    json_array_foreach(json_object_get(whole, "standings"), i, row)
    {
        if (json_is_true(json_object_get(row, "current")))
            json_array_append(rows, row);
    }
    return rows;
}

/* Old versions, two bots of equal strength, one that is not rated. */
static void play_on_a_full_ladder(void)
{
    play(3, "anna/1 bob/1", "1 2");
    play(3, "anna/2 bob/1", "2 1");
    play(2, "carl dora", "1 1");
    play(1, "bob/2 emil", "2 1");
    cr_assert(rate_ladder(idx, "main", &(struct rate_anchor){"bob", 1500, 0}, 9,
                          &err));
    play(1, "fred bob/3", "1 2");
}

Test(report, pages_make_up_the_whole)
{
    json_t *whole, *current, *page, *seen = json_array();

    play_on_a_full_ladder();
    whole = ask(report_ladder(idx, "main", NULL, &err));
    current = current_rows(whole);
    cr_assert_eq(json_array_size(current), 6);
    for (int after = 0; after < 8; after += 2) {
        struct report_page two = {after, 2};

        page = ask(report_ladder(idx, "main", &two, &err));
        cr_assert(json_equal(json_object_get(page, "rating"),
                             json_object_get(whole, "rating")));
        json_array_extend(seen, json_object_get(page, "standings"));
        json_decref(page);
    }
    cr_assert(json_equal(seen, current));
    json_decref(seen);
    json_decref(current);
    json_decref(whole);
}

Test(report, a_bot_has_the_place_it_has_among_all)
{
    json_t *whole, *current, *row, *bot;
    size_t i;

    play_on_a_full_ladder();
    whole = ask(report_ladder(idx, "main", NULL, &err));
    current = current_rows(whole);
    json_array_foreach(current, i, row)
    {
        bot = ask(report_bot(idx, "main", text(row, "bot"), 1, &err));
        cr_assert(json_equal(
            json_array_get(json_object_get(bot, "standings"), 0), row));
        json_decref(bot);
    }
    json_decref(current);
    json_decref(whole);
}

Test(report, tells_all_about_a_bot)
{
    json_t *bot, *games;

    play(3, "anna bob", "1 2");
    play(2, "carl bob", "1 2");
    bot = ask(report_bot(idx, "main", "anna", 2, &err));
    cr_assert_eq(json_array_size(json_object_get(bot, "standings")), 1);
    cr_assert_eq(json_array_size(json_object_get(bot, "opponents")), 1);
    games = json_object_get(bot, "played");
    cr_assert_eq(json_array_size(games), 2);
    cr_assert_eq(
        json_array_size(json_object_get(json_array_get(games, 0), "seats")), 2);
    json_decref(bot);
    bot = ask(report_bot(idx, "main", "nobody", 2, &err));
    cr_assert(json_is_null(bot));
    json_decref(bot);
}

Test(report, tells_games)
{
    struct index_page page = {"main", NULL, NULL, 10};
    struct game_summary b = game_of("left", "anna bob", "1 2");
    json_t *list, *game;

    strcpy(b.seat[1].why, "exit");
    add(b);
    list = ask(report_games(idx, &page, &err));
    cr_assert_eq(json_array_size(list), 1);
    game = ask(report_game(idx, "left", &err));
    cr_assert(json_equal(game, json_array_get(list, 0)));
    cr_assert_str_eq(
        text(json_array_get(json_object_get(game, "seats"), 1), "left"),
        "exit");
    json_decref(game);
    json_decref(list);
    game = ask(report_game(idx, "none", &err));
    cr_assert(json_is_null(game));
    json_decref(game);
}
