/* The index over the records. */

#include "store/index_state.h"

#include "store.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *folder;
static char path[512];
static struct index *idx;
static struct err err;

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(path, sizeof path, "%s/index.db", folder);
    idx = index_open(path, INDEX_WRITE, &err);
    cr_assert(idx, "%s", err.text);
}

static void end_test(void)
{
    index_close(idx);
    scratch_free(folder);
}

TestSuite(index, .init = begin_test, .fini = end_test);

/* In a transaction of its own. */
static bool add(struct index *to, struct game_summary b)
{
    bool is_new = false;

    cr_assert(index_begin(to, &err), "%s", err.text);
    cr_assert(index_add(to, &b, "records/x.rec", &is_new, &err), "%s",
              err.text);
    cr_assert(index_commit(to, &err), "%s", err.text);
    return is_new;
}

static bool add_game(const char *id, const char *bots, const char *ranks)
{
    return add(idx, game_of(id, bots, ranks));
}

/* What is asked, as text. */
static struct buf told;

static void add_version(int version)
{
    buf_add(&told, "%d", version);
}

static bool tell_result(void *arg, const struct index_result *r)
{
    for (int i = 0; i < r->seats; i++) {
        buf_str(&told, i ? " " : "");
        add_version(r->version[i]);
        buf_add(&told, ":%d", r->rank[i]);
    }
    buf_char(&told, '\n');
    return !arg;
}

static const char *results(const char *ladder, bool only_one)
{
    buf_release(&told);
    buf_init(&told, 1 << 16);
    cr_assert(
        index_results(idx, ladder, tell_result, only_one ? idx : NULL, &err),
        "%s", err.text);
    return told.text;
}

static const char *results_in_parts(const char *ladder, int most, int *parts)
{
    struct index_mark mark = {0};
    bool is_end = false;

    buf_release(&told);
    buf_init(&told, 1 << 16);
    for (*parts = 0; !is_end; ++*parts)
        cr_assert(index_results_part(idx, ladder, most, &mark, &is_end,
                                     tell_result, NULL, &err),
                  "%s", err.text);
    return told.text;
}

static bool tell_standing(void *arg, const struct index_standing *s)
{
    buf_add(&told, "%s/%s%s %d %.3f %.2f %.2f %d %s %s\n", s->name, s->text,
            s->is_current ? "*" : "", (int)s->games, s->win_share, s->mean_rank,
            s->mean_score, (int)s->forfeits, s->first, s->last);
    cr_assert_not(s->is_rated);
    return true;
}

static const char *standings(const char *ladder)
{
    buf_release(&told);
    buf_init(&told, 1 << 16);
    cr_assert(index_standings(idx, ladder, tell_standing, NULL, &err), "%s",
              err.text);
    return told.text;
}

static bool tell_opponent(void *arg, const struct index_opponent *o)
{
    buf_add(&told, "%s %d+%d=%d;", o->name, (int)o->games, (int)o->wins,
            (int)o->ties);
    return true;
}

static const char *opponents(const char *bot)
{
    buf_release(&told);
    buf_init(&told, 1 << 16);
    cr_assert(index_opponents(idx, "main", bot, 9, tell_opponent, NULL, &err));
    return told.text;
}

#define TIME "2026-11-16T10:00:00Z"

Test(index, an_empty_one_has_nothing)
{
    cr_assert_str_eq(results("main", false), "");
    cr_assert_str_eq(standings("main"), "");
}

Test(index, a_game_is_added_once)
{
    cr_assert(add_game("g1", "anna bob", "1 2"));
    cr_assert_not(add_game("g1", "anna bob", "1 2"));
    cr_assert_str_eq(results("main", false), "0:1 1:2\n");
    cr_assert_str_eq(standings("main"),
                     "anna/* 1 1.000 1.00 9.00 0 " TIME " " TIME "\n"
                     "bob/* 1 0.000 2.00 8.00 0 " TIME " " TIME "\n");
}

Test(index, results_come_by_time_and_then_by_id)
{
    struct game_summary late = game_of("a", "anna bob", "2 1");

    strcpy(late.start, "2026-11-16T10:00:01Z");
    add(idx, late);
    add_game("c", "anna bob", "1 1");
    add_game("b", "bob anna", "1 2");
    cr_assert_str_eq(results("main", false), "0:1 1:2\n1:1 0:1\n1:2 0:1\n");
    cr_assert_str_eq(results("main", true), "0:1 1:2\n");
    cr_assert_str_eq(results("main", false), "0:1 1:2\n1:1 0:1\n1:2 0:1\n");
}

Test(index, ladders_do_not_mix)
{
    struct game_summary other = game_of("g2", "anna bob", "2 1");

    add_game("g1", "anna bob", "1 2");
    strcpy(other.event, "other");
    add(idx, other);
    cr_assert_str_eq(results("main", false), "0:1 1:2\n");
    cr_assert_str_eq(results("other", false), "0:2 1:1\n");
    cr_assert_str_eq(results("none", false), "");
}

Test(index, wins_are_shared_and_ranks_are_compared_in_pairs)
{
    add_game("g1", "anna bob carl dora", "1 1 1 4");
    cr_assert_str_eq(standings("main"),
                     "anna/* 1 0.333 1.00 9.00 0 " TIME " " TIME "\n"
                     "bob/* 1 0.333 1.00 9.00 0 " TIME " " TIME "\n"
                     "carl/* 1 0.333 1.00 9.00 0 " TIME " " TIME "\n"
                     "dora/* 1 0.000 4.00 6.00 0 " TIME " " TIME "\n");
    cr_assert_str_eq(opponents("anna"), "bob 1+0=1;carl 1+0=1;dora 1+1=0;");
    cr_assert_str_eq(opponents("dora"), "anna 1+0=0;bob 1+0=0;carl 1+0=0;");
    add_game("g2", "dora carl", "1 2");
    cr_assert_str_eq(opponents("dora"), "carl 2+1=0;anna 1+0=0;bob 1+0=0;");
}

/* A local bot that fills two seats does not meet itself. */
Test(index, a_bot_may_sit_twice)
{
    add_game("g1", "fill anna fill", "1 2 2");
    cr_assert_str_eq(results("main", false), "0:1 1:2 0:2\n");
    cr_assert_str_eq(opponents("fill"), "anna 2+1=1;");
    cr_assert(strstr(standings("main"), "fill/* 2 0.500 1.50 8.50 0 "));
}

Test(index, leaving_is_a_forfeit_but_resigning_is_not)
{
    struct game_summary b = game_of("g1", "anna bob carl", "1 2 3");

    strcpy(b.seat[1].why, "resign");
    strcpy(b.seat[2].why, "time");
    add(idx, b);
    cr_assert_str_eq(standings("main"),
                     "anna/* 1 1.000 1.00 9.00 0 " TIME " " TIME "\n"
                     "bob/* 1 0.000 2.00 8.00 0 " TIME " " TIME "\n"
                     "carl/* 1 0.000 3.00 7.00 1 " TIME " " TIME "\n");
}

Test(index, void_games_are_kept_but_count_for_nothing)
{
    struct game_summary b = game_of("g1", "anna bob", "0 0");
    char where[64];

    b.status = SUMMARY_VOID;
    cr_assert(add(idx, b));
    cr_assert_not(add(idx, b));
    cr_assert_str_eq(results("main", false), "");
    cr_assert_str_eq(standings("main"), "");
    cr_assert(index_path(idx, "g1", where, sizeof where, &err));
    cr_assert_str_eq(where, "records/x.rec");
    cr_assert(index_path(idx, "g2", where, sizeof where, &err));
    cr_assert_str_eq(where, "");
}

Test(index, versions_count_apart_and_the_latest_is_current)
{
    struct game_summary b = game_of("g2", "anna/2 bob", "1 2");

    strcpy(b.start, "2026-11-17T00:00:00Z");
    add(idx, b);
    add_game("g1", "anna/1 bob", "2 1");
    cr_assert_str_eq(standings("main"),
                     "anna/2* 1 1.000 1.00 9.00 0 2026-11-17T00:00:00Z "
                     "2026-11-17T00:00:00Z\n"
                     "anna/1 1 0.000 2.00 8.00 0 " TIME " " TIME "\n"
                     "bob/* 2 0.500 1.50 8.50 0 " TIME
                     " 2026-11-17T00:00:00Z\n");
}

Test(index, names_are_never_part_of_a_statement)
{
    struct game_summary b =
        game_of("'; DROP TABLE games; --", "anna bob", "1 2");

    strcpy(b.seat[0].name, "x'); DELETE FROM seats; --");
    strcpy(b.seat[1].version, "\"%s%n'); --");
    strcpy(b.event, "main' OR '1'='1");
    cr_assert(add(idx, b));
    cr_assert_str_eq(results("main", false), "");
    cr_assert_str_eq(results("main' OR '1'='1", false), "0:1 1:2\n");
    cr_assert_str_eq(standings("main' OR '1'='1"),
                     "bob/\"%s%n'); --* 1 0.000 2.00 8.00 0 " TIME " " TIME
                     "\nx'); DELETE FROM seats; --/* 1 1.000 1.00 9.00 0 " TIME
                     " " TIME "\n");
}

/* Games of four bots with versions, some void, some with leavers. */
static struct game_summary some_game(int i)
{
    static const char *const bots[] = {"anna/1 bob", "bob carl/x anna/2",
                                       "dora anna/1 bob carl/y", "carl/x dora"};
    static const char *const ranks[] = {"1 2", "2 1 2", "1 1 3 4", "2 1"};
    char id[16];
    struct game_summary b;

    snprintf(id, sizeof id, "g%d", i);
    b = game_of(id, bots[i % 4], ranks[i % 4]);
    snprintf(b.start, sizeof b.start, "2026-11-16T10:%02d:00Z", i * 7 % 20);
    if (i % 5 == 0)
        strcpy(b.seat[b.seats - 1].why, "exit");
    if (i % 7 == 0)
        b.status = SUMMARY_VOID;
    if (i % 3 == 0)
        strcpy(b.event, "second");
    return b;
}

enum { SOME = 60 };

Test(index, the_order_of_adding_leaves_no_trace)
{
    char *forwards, *backwards, *mixed;
    struct index *other;
    char second[600];

    for (int i = 0; i < SOME; i++)
        add(idx, some_game(i));
    forwards = tables_of(path);
    for (int turn = 0; turn < 2; turn++) {
        snprintf(second, sizeof second, "%s/%d.db", folder, turn);
        other = index_open(second, INDEX_WRITE, &err);
        cr_assert(other);
        for (int i = SOME - 1; i >= 0; i--)
            add(other, some_game(turn ? i * 17 % SOME : i));
        index_close(other);
    }
    backwards = tables_of(scratch_path(folder, "0.db"));
    mixed = tables_of(scratch_path(folder, "1.db"));
    cr_assert(strlen(forwards) > 4000);
    cr_assert_str_eq(forwards, backwards);
    cr_assert_str_eq(forwards, mixed);
    free(forwards);
    free(backwards);
    free(mixed);
}

/* Of more bots and ladders than are summed up at once. */
static struct game_summary game_of_many(int i)
{
    char id[16], bots[64];
    struct game_summary b;

    snprintf(id, sizeof id, "m%d", i);
    snprintf(bots, sizeof bots, "b%d b%d/%d b%d", i % 97, i % 89 + 100, i % 3,
             i % 101 + 200);
    b = game_of(id, bots, i % 2 ? "1 2 3" : "2 2 1");
    snprintf(b.event, sizeof b.event, "ladder%d", i % 23);
    snprintf(b.start, sizeof b.start, "2026-11-16T%02d:00:00Z", i * 11 % 24);
    return b;
}

Test(index, games_of_one_transaction_count_as_one_by_one)
{
    enum { MANY = 400 };
    struct index *other =
        index_open(scratch_path(folder, "at-once.db"), INDEX_WRITE, &err);
    char *one_by_one, *at_once;
    bool is_new;

    cr_assert(other && index_begin(other, &err));
    for (int i = 0; i < SOME + MANY; i++) {
        struct game_summary b = i < SOME ? some_game(i) : game_of_many(i);

        add(idx, b);
        cr_assert(index_add(other, &b, "records/x.rec", &is_new, &err));
        cr_assert(is_new);
        cr_assert(index_add(other, &b, "records/x.rec", &is_new, &err));
        cr_assert_not(is_new);
    }
    cr_assert(index_commit(other, &err), "%s", err.text);
    index_close(other);
    one_by_one = tables_of(path);
    at_once = tables_of(scratch_path(folder, "at-once.db"));
    cr_assert(strlen(one_by_one) > 40000);
    cr_assert_str_eq(one_by_one, at_once);
    free(one_by_one);
    free(at_once);
}

Test(index, what_is_undone_was_never_there)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    char *before = tables_of(path), *after;
    bool is_new;

    cr_assert(index_begin(idx, &err));
    cr_assert(index_add(idx, &b, "x", &is_new, &err));
    cr_assert(is_new);
    index_undo(idx);
    after = tables_of(path);
    cr_assert_str_eq(before, after);
    free(before);
    free(after);
}

Test(index, what_is_added_after_that_is_whole)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    struct index *other =
        index_open(scratch_path(folder, "other.db"), INDEX_WRITE, &err);
    char *undone, *fresh;
    bool is_new;

    cr_assert(other, "%s", err.text);
    cr_assert(index_begin(idx, &err));
    cr_assert(index_add(idx, &b, "x", &is_new, &err));
    index_undo(idx);
    cr_assert(add(idx, b) && add(other, b));
    undone = tables_of(path);
    fresh = tables_of(scratch_path(folder, "other.db"));
    cr_expect_str_eq(undone, fresh);
    index_close(other);
    free(undone);
    free(fresh);
}

Test(index, it_is_there_after_it_was_closed)
{
    add_game("g1", "anna bob", "1 2");
    index_close(idx);
    idx = index_open(path, INDEX_READ, &err);
    cr_assert(idx, "%s", err.text);
    cr_assert_str_eq(results("main", false), "0:1 1:2\n");
}

Test(index, others_read_while_one_writes)
{
    struct game_summary b = game_of("g2", "anna bob", "1 2");
    struct index *writer = idx;
    bool is_new;

    add_game("g1", "anna bob", "1 2");
    cr_assert(index_begin(writer, &err));
    cr_assert(index_add(writer, &b, "x", &is_new, &err));
    idx = index_open(path, INDEX_READ, &err);
    cr_assert(idx, "%s", err.text);
    cr_assert_str_eq(results("main", false), "0:1 1:2\n");
    cr_assert(index_commit(writer, &err));
    cr_assert_str_eq(results("main", false), "0:1 1:2\n0:1 1:2\n");
    index_close(writer);
}

Test(index, a_locked_database_is_said_and_tried_again)
{
    sqlite3 *other;

    cr_assert_eq(sqlite3_open(path, &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                 SQLITE_OK);
    cr_assert_not(index_begin(idx, &err));
    cr_assert(strstr(err.text, "index.db is locked by another program"), "%s",
              err.text);
    cr_assert_str_eq(results("main", false), "");
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    cr_assert(add_game("g1", "anna bob", "1 2"));
    sqlite3_close(other);
}

static void limit_pages(int pages)
{
    char text[64];

    snprintf(text, sizeof text, "PRAGMA max_page_count = %d", pages);
    cr_assert_eq(sqlite3_exec(idx->sql.db, text, NULL, NULL, NULL), SQLITE_OK);
}

Test(index, a_full_database_is_said_and_tried_again)
{
    char *before, *after;
    bool is_new, ok;
    int i = 0;

    add(idx, some_game(0));
    before = tables_of(path);
    limit_pages(1);
    cr_assert(index_begin(idx, &err));
    do {
        struct game_summary b = some_game(++i);
        char id[32];

        snprintf(id, sizeof id, "much-%d", i);
        strcpy(b.id, id);
        ok = index_add(idx, &b, "x", &is_new, &err);
    } while (ok && i < 100000);
    cr_assert_not(ok);
    cr_assert(strstr(err.text, "the disk is full"), "%s", err.text);
    after = tables_of(path);
    cr_assert_str_eq(before, after);
    limit_pages(1 << 20);
    cr_assert(add(idx, some_game(1)));
    free(before);
    free(after);
}

Test(index, a_missing_one_is_not_made_for_readers)
{
    struct index *none =
        index_open(scratch_path(folder, "none.db"), INDEX_READ, &err);

    cr_assert_null(none);
    cr_assert(strstr(err.text, "none.db does not exist; \"referee reindex\""),
              "%s", err.text);
    cr_assert_null(index_open("/no/such/folder/x.db", INDEX_WRITE, &err));
    cr_assert(strstr(err.text, "cannot be opened"), "%s", err.text);
}

static void write_file(const char *to, const char *text)
{
    FILE *file = fopen(to, "w");

    cr_assert(file);
    fputs(text, file);
    fclose(file);
}

Test(index, a_damaged_one_is_refused)
{
    const char *bad = scratch_path(folder, "bad.db");

    write_file(bad, "this was never a database, whatever its name may say; "
                    "it is longer than the head of one, which has 100 bytes");
    cr_assert_null(index_open(bad, INDEX_WRITE, &err));
    cr_assert(strstr(err.text, "is damaged"), "%s", err.text);
    cr_assert(strstr(err.text, "\"referee reindex\""), "%s", err.text);
}

Test(index, one_of_another_program_is_refused)
{
    sqlite3 *db;

    index_close(idx);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 7", NULL, NULL, NULL);
    sqlite3_close(db);
    idx = index_open(path, INDEX_WRITE, &err);
    cr_assert_null(idx);
    cr_assert(strstr(err.text, "has tables of version 7"), "%s", err.text);
}

static bool note_number(void *arg, const struct index_standing *s)
{
    bool *seen = arg;

    cr_assert(s->version >= 0 && s->version < 1001 && !seen[s->version]);
    seen[s->version] = true;
    return true;
}

Test(index, numbers_of_many_versions_are_small)
{
    char name[16], bots[64];
    bool seen[1001] = {0};

    cr_assert(index_begin(idx, &err));
    for (int i = 0; i < 1000; i++) {
        struct game_summary b;
        bool is_new;

        snprintf(name, sizeof name, "g%d", i);
        snprintf(bots, sizeof bots, "anna/%d bob", i);
        b = game_of(name, bots, "1 2");
        cr_assert(index_add(idx, &b, "x", &is_new, &err));
    }
    cr_assert(index_commit(idx, &err));
    cr_assert(index_standings(idx, "main", note_number, seen, &err));
    cr_assert(seen[0] && seen[1000]);
}

/* Pages of games, and who met whom. */

static bool tell_game(void *arg, const struct index_game *g)
{
    buf_add(&told, "%s%s", told.len ? " " : "", g->id);
    return true;
}

static const char *page(const char *bot, const char *before, int limit)
{
    struct index_page asked = {"main", bot, before, limit};

    buf_release(&told);
    buf_init(&told, 1 << 16);
    cr_assert(index_games(idx, &asked, tell_game, NULL, &err), "%s", err.text);
    return told.text;
}

static void add_at(const char *id, int minute, const char *bots)
{
    struct game_summary b = game_of(id, bots, "1 2 3");

    snprintf(b.start, sizeof b.start, "2026-11-16T10:%02d:00Z", minute);
    add(idx, b);
}

Test(index, games_come_in_pages)
{
    add_at("c", 1, "anna bob");
    add_at("a", 2, "bob carl anna");
    add_at("b", 2, "carl bob");
    add_at("d", 0, "bob anna");
    cr_assert_str_eq(page(NULL, NULL, 10), "b a c d");
    cr_assert_str_eq(page(NULL, NULL, 2), "b a");
    cr_assert_str_eq(page(NULL, "a", 2), "c d");
    cr_assert_str_eq(page(NULL, "d", 2), "");
    cr_assert_str_eq(page("anna", NULL, 10), "a c d");
    cr_assert_str_eq(page("anna", "b", 1), "a");
    cr_assert_str_eq(page("anna", "a", 10), "c d");
    cr_assert_str_eq(page("nobody", NULL, 10), "");
    cr_assert_str_eq(page(NULL, "no such game", 10), "");
}

Test(index, a_bot_on_two_seats_has_one_game)
{
    add_at("c", 1, "fill anna fill");
    add_at("d", 2, "fill fill");
    cr_assert_str_eq(page("fill", NULL, 10), "d c");
    cr_assert_str_eq(page("fill", NULL, 1), "d");
    cr_assert_str_eq(page("anna", NULL, 10), "c");
}

static bool tell_all(void *arg, const struct index_game *g)
{
    buf_add(&told, "%s %s %s %s %s %d/%d %d %d %s %s:", g->id, g->ladder,
            g->start, g->rules, g->unit, g->part, g->parts, (int)g->moves,
            g->is_void, g->reason, g->path);
    for (int i = 0; i < g->seats; i++)
        buf_add(&told, " %s/%s %d %d %s", g->seat[i].name, g->seat[i].text,
                g->seat[i].rank, g->seat[i].score, g->seat[i].why);
    buf_char(&told, '\n');
    return true;
}

Test(index, a_game_has_all_that_its_record_said)
{
    struct game_summary b = game_of("g1", "anna/v1 bob", "2 1");

    strcpy(b.unit, "u7");
    strcpy(b.seat[0].why, "time");
    b.part = 2;
    b.parts = 2;
    add(idx, b);
    buf_init(&told, 1000);
    cr_assert(index_game(idx, "g1", tell_all, NULL, &err));
    cr_assert_str_eq(told.text, "g1 main " TIME " axio-rota u7 2/2 20 0 end "
                                "records/x.rec: anna/v1 2 8 time bob/ 1 9 \n");
    buf_reset(&told);
    cr_assert(index_game(idx, "g2", tell_all, NULL, &err));
    cr_assert_str_eq(told.text, "");
    cr_assert(index_all_games(idx, "main", "bob", tell_game, NULL, &err));
    cr_assert_str_eq(told.text, "g1");
    cr_assert(index_all_games(idx, "main", NULL, tell_game, NULL, &err));
    cr_assert_str_eq(told.text, "g1 g1");
}

Test(index, versions_of_a_bot_have_opponents_in_common)
{
    add_game("g1", "anna/1 bob/1 carl", "1 2 3");
    add_game("g2", "anna/2 bob/1", "1 1");
    add_game("g3", "bob/2 anna/2", "1 2");
    add_game("g4", "anna/1 anna/2", "1 2");
    cr_assert_str_eq(opponents("anna"), "bob 3+1=1;carl 1+1=0;");
}

static bool tell_bot(void *arg, const char *bot, const char *ladder)
{
    buf_add(&told, "%s on %s;", bot, ladder);
    return true;
}

Test(index, bots_are_told_with_their_ladders)
{
    struct game_summary b = game_of("g2", "anna carl", "1 2");

    add_game("g1", "anna/1 bob", "1 2");
    add_game("g3", "anna/2 bob", "1 2");
    strcpy(b.event, "a ladder");
    add(idx, b);
    buf_init(&told, 1000);
    cr_assert(index_bots(idx, "", tell_bot, NULL, &err));
    cr_assert_str_eq(told.text, "anna on a ladder;anna on main;bob on main;"
                                "carl on a ladder;");
    buf_reset(&told);
    cr_assert(index_bots(idx, "anna", tell_bot, NULL, &err));
    cr_assert_str_eq(told.text, "bob on main;carl on a ladder;");
    buf_reset(&told);
    cr_assert(
        index_ladders_of(idx, "anna", "a ladder", 9, tell_bot, NULL, &err));
    cr_assert_str_eq(told.text, "anna on main;");
}

/* Which version is the latest does not depend on the order of arrival. */
Test(index, a_game_that_comes_late_changes_no_latest_version)
{
    struct game_summary late = game_of("g2", "anna/1 bob", "1 2");

    add_game("g1", "anna/2 bob", "1 2");
    strcpy(late.start, "2026-11-16T09:00:00Z");
    add(idx, late);
    buf_init(&told, 1000);
    cr_assert(index_latest(idx, "main", 0, 1, tell_standing, NULL, &err));
    cr_assert_str_eq(told.text,
                     "anna/2* 1 1.000 1.00 9.00 0 " TIME " " TIME "\n");
}

static int64_t size_of(const char *name)
{
    struct stat st;

    return stat(name, &st) == 0 ? st.st_size : -1;
}

/* Commits leave the database alone; who copies the log makes it short. */
Test(index, its_log_is_copied_by_somebody_else)
{
    int64_t size = size_of(path);
    char id[16];
    int pages = 0;

    index_keep_log(idx);
    for (int i = 0; pages < INDEX_LOG_PAGES; i++) {
        snprintf(id, sizeof id, "g%d", i);
        add_game(id, "anna bob", "1 2");
        cr_assert_gt(index_log_pages(idx), pages);
        pages = index_log_pages(idx);
    }
    add_game("more", "anna bob", "1 2");
    cr_assert_eq(size_of(path), size);
    cr_assert_eq(index_copy_log(path), 0);
    cr_assert_gt(size_of(path), size);
    add_game("after", "anna bob", "1 2");
    cr_assert_lt(index_log_pages(idx), pages / 2);
}

Test(index, results_can_be_told_in_parts)
{
    struct game_summary b = game_of("g3", "anna bob", "1 2");
    char whole[200];
    int parts;

    cr_assert_str_eq(results_in_parts("main", 1, &parts), "");
    add_game("g1", "anna bob", "1 2");
    add_game("g2", "anna bob", "2 1");
    b.status = SUMMARY_VOID;
    add(idx, b);
    add_game("g4", "anna bob cleo", "1 2 3");
    strcpy(b.id, "a0");
    strcpy(b.start, "2036-01-01T00:00:00Z");
    b.status = SUMMARY_FINISHED;
    add(idx, b);
    snprintf(whole, sizeof whole, "%s", results("main", false));
    for (int most = 1; most <= 5; most++) {
        cr_expect_str_eq(results_in_parts("main", most, &parts), whole);
        cr_expect_eq(parts, (4 + most - 1) / most);
    }
}

Test(index, who_asks_for_too_much_is_stopped)
{
    char id[16];

    for (int i = 0; i < 100; i++) {
        snprintf(id, sizeof id, "g%d", i);
        add_game(id, "anna bob", "1 2");
    }
    buf_init(&told, 1 << 16);
    index_budget(idx, 300);
    cr_assert_not(index_is_late(idx));
    cr_assert_not(index_results(idx, "main", tell_result, NULL, &err));
    cr_assert(index_is_late(idx));
    cr_assert_not(index_results(idx, "main", tell_result, NULL, &err),
                  "nor is there more for the next question");
    index_budget(idx, 1000000);
    cr_assert(index_results(idx, "main", tell_result, NULL, &err));
    index_budget(idx, 0);
    cr_assert(index_results(idx, "main", tell_result, NULL, &err));
    cr_assert_not(index_is_late(idx));
}

static bool tell_ladder(void *arg, const struct index_ladder *l)
{
    buf_add(&told, "%s %s %d %d %d %s;", l->name, l->rules, (int)l->games,
            (int)l->voids, (int)l->rated, l->last);
    return true;
}

Test(index, ladders_are_told)
{
    struct game_summary b = game_of("g2", "anna bob", "1 2");

    add_game("g1", "anna bob", "1 2");
    strcpy(b.event, "a ladder");
    b.status = SUMMARY_VOID;
    b.game = game_find("rondo");
    add(idx, b);
    buf_init(&told, 1000);
    cr_assert(index_ladders(idx, tell_ladder, NULL, &err));
    cr_assert_str_eq(told.text, "a ladder rondo 0 1 0 " TIME
                                ";main axio-rota 1 0 0 " TIME ";");
}
