/* The data folder: what happens to records, and what outlives a crash. */

#include "store/archive.h"

#include "store.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *folder;
static char data[512];
static struct archive *archive;
static struct err err;

static void open_archive(void)
{
    archive = archive_open(data, &err);
    cr_assert(archive, "%s", err.text);
}

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(data, sizeof data, "%s/data", folder);
    open_archive();
}

static void end_test(void)
{
    archive_close(archive);
    umount2(data, MNT_DETACH);
    scratch_free(folder);
}

TestSuite(archive, .init = begin_test, .fini = end_test);

static const char *in_data(const char *name)
{
    return scratch_path(data, name);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    cr_assert(file, "%s", path);
    fputs(text, file);
    fclose(file);
}

static void put_record(const char *id, const struct brief *b)
{
    char *text = record_of(b), path[512];

    archive_running_path(archive, id, path, sizeof path);
    write_file(path, text);
    free(text);
}

/* What the archive told, as text. */
static struct buf told;

static void tell_game(void *arg, const struct brief *b)
{
    buf_add(&told, "%s;", b->id);
}

static void tell_damaged(void *arg, const char *id, const char *why)
{
    buf_add(&told, "%s damaged: %s;", id, why);
}

static const struct archive_news news = {tell_game, tell_damaged, NULL};

static bool take_games(const struct ended *games, int count)
{
    buf_release(&told);
    buf_init(&told, 1 << 16);
    return archive_take_in(archive, games, count, &news, &err);
}

static bool take_in(const char *const *ids, int count)
{
    static struct ended games[1000];

    cr_assert_leq(count, 1000);
    for (int i = 0; i < count; i++)
        games[i] = (struct ended){ids[i], NULL, ""};
    return take_games(games, count);
}

static bool take_one(const char *id)
{
    return take_in(&id, 1);
}

static bool count_one(void *arg, const struct index_result *result)
{
    ++*(int *)arg;
    return true;
}

static int games_in_index(void)
{
    int count = 0;

    cr_assert(
        index_results(archive_index(archive), "main", count_one, &count, &err));
    return count;
}

static bool has(const char *name)
{
    return access(in_data(name), F_OK) == 0;
}

#define PLACE "records/main/20261116/"

Test(archive, what_is_known_in_brief_is_not_read)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    const struct ended games[] = {
        {"g1", &b,   ""},
        {"g2", NULL, ""}
    };
    struct brief second = game_of("g2", "anna bob", "1 2");
    char path[512];

    archive_running_path(archive, "g1", path, sizeof path);
    write_file(path, "not a record");
    b.bytes = strlen("not a record");
    put_record("g2", &second);
    cr_assert(take_games(games, 2), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;g2;");
    cr_assert_eq(games_in_index(), 2);
    cr_assert_neq(access(path, F_OK), 0);
    cr_assert(take_games(games, 2), "%s", err.text);
    cr_assert_eq(games_in_index(), 2);
}

/* At once, not with the folder of the next day. */
Test(archive, logs_go_on_when_their_folder_was_cleared_away)
{
    for (int i = 0; i < 2; i++) {
        char path[512];

        cr_assert(archive_log_path(archive, "main", "2026-11-16T10:00:00Z",
                                   "g1", "anna", path, sizeof path, &err),
                  "%s", err.text);
        write_file(path, "words");
        cr_assert_eq(unlink(path), 0);
        *strrchr(path, '/') = '\0';
        cr_assert_eq(rmdir(path), 0);
        *strrchr(path, '/') = '\0';
        cr_assert_eq(rmdir(path), 0);
    }
}

Test(archive, a_record_of_another_length_is_read)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    const struct ended game = {"g1", &b, ""};
    char path[512];

    archive_running_path(archive, "g1", path, sizeof path);
    write_file(path, "not a record");
    b.bytes = strlen("not a record") + 1;
    cr_assert(take_games(&game, 1), "%s", err.text);
    cr_assert(strstr(told.text, "g1 damaged: "), "%s", told.text);
    cr_assert_eq(games_in_index(), 0);
}

Test(archive, a_closed_record_is_added_and_moved)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    put_record("g1", &b);
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;");
    cr_assert(has(PLACE "g1.rec") && !has("running/g1.rec"));
    cr_assert_eq(games_in_index(), 1);
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "");
}

Test(archive, what_is_under_way_stays)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    b.status = BRIEF_UNCLOSED;
    put_record("g1", &b);
    cr_assert(take_one("g1"));
    cr_assert_str_eq(told.text, "");
    cr_assert(has("running/g1.rec"));
    cr_assert_eq(games_in_index(), 0);
}

static bool add_name(void *arg, const char *id)
{
    buf_add(arg, "%s ", id);
    return strcmp(id, "g3") != 0;
}

Test(archive, tells_what_is_running)
{
    struct buf names;

    write_file(in_data("running/g2.rec"), "");
    write_file(in_data("running/g10.rec"), "");
    write_file(in_data("running/g3.rec"), "");
    write_file(in_data("running/g4.rec"), "");
    write_file(in_data("running/note.txt"), "");
    buf_init(&names, 1000);
    cr_assert(archive_running(archive, add_name, &names, &err));
    cr_assert_str_eq(names.text, "g10 g2 g3 ");
    buf_release(&names);
}

/* Between commit and move: known to the index, still in running/. */
Test(archive, a_crash_before_the_move_costs_nothing)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    put_record("g1", &b);
    cr_assert(take_one("g1"));
    unlink(in_data(PLACE "g1.rec"));
    put_record("g1", &b);
    archive_close(archive);
    open_archive();
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "", "it is not new");
    cr_assert(has(PLACE "g1.rec") && !has("running/g1.rec"));
    cr_assert_eq(games_in_index(), 1);
}

Test(archive, damage_is_put_aside_and_said)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    char *text = record_of(&b);
    const char *ids[] = {"g1", "g2", "g3", "g4"};

    put_record("g2", &b);
    *strstr(text, "anna") = 'h';
    write_file(in_data("running/g1.rec"), text);
    b = game_of("g3", "anna bob", "1 2");
    put_record("g3", &b);
    b = game_of("g4", "anna bob", "1 2");
    strcpy(b.event, "../../etc");
    put_record("g4", &b);
    cr_assert(take_in(ids, 4), "%s", err.text);
    cr_assert(strstr(told.text, "g1 damaged: "), "%s", told.text);
    cr_assert(strstr(told.text, "it was changed after it was written"));
    cr_assert(strstr(told.text, "its id is g1;"));
    cr_assert(strstr(told.text, "its id and its event must be names"));
    cr_assert(strstr(told.text, ";g3;"), "%s", told.text);
    cr_assert(has("damaged/g1.rec") && has("damaged/g2.rec") &&
              has("damaged/g4.rec") && has(PLACE "g3.rec"));
    cr_assert_eq(games_in_index(), 1);
    free(text);
}

Test(archive, no_record_is_overwritten)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    put_record("g1", &b);
    cr_assert(take_one("g1"));
    put_record("g1", &b);
    cr_assert(take_one("g1"));
    cr_assert_str_eq(told.text,
                     "g1 damaged: there is another record of that id;");
    cr_assert(has(PLACE "g1.rec") && has("damaged/g1.rec"));
}

Test(archive, many_at_once)
{
    enum { MANY = 600 };
    static char name[MANY][8];
    const char *ids[MANY];

    for (int i = 0; i < MANY; i++) {
        struct brief b;

        snprintf(name[i], sizeof name[i], "g%d", i);
        ids[i] = name[i];
        b = game_of(ids[i], "anna bob", "1 2");
        put_record(ids[i], &b);
    }
    cr_assert(take_in(ids, MANY), "%s", err.text);
    cr_assert_eq(games_in_index(), MANY);
    cr_assert(has(PLACE "g599.rec"));
}

Test(archive, an_index_that_is_locked_loses_nothing)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    sqlite3 *other;

    put_record("g1", &b);
    cr_assert_eq(sqlite3_open(in_data("index.db"), &other), SQLITE_OK);
    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    cr_assert_not(take_one("g1"));
    cr_assert(strstr(err.text, "is locked"), "%s", err.text);
    cr_assert_str_eq(told.text, "");
    cr_assert(has("running/g1.rec"));
    sqlite3_close(other);
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;");
}

/* A file in the place of a folder: the move fails, whoever we are. */
Test(archive, a_move_that_fails_is_made_up_for)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    put_record("g1", &b);
    write_file(in_data("records/main"), "");
    cr_assert_not(take_one("g1"));
    cr_assert(strstr(err.text, "records/main"), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;", "the index has it");
    unlink(in_data("records/main"));
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "");
    cr_assert(has(PLACE "g1.rec"));
}

/* Closed and opened again: what make_up tells. */
static const char *make_up(void)
{
    buf_release(&told);
    buf_init(&told, 1 << 16);
    cr_assert(archive_make_up(archive, &news, &err), "%s", err.text);
    return told.text;
}

static void take_game_of(const char *id, const char *start)
{
    struct brief b = game_of(id, "anna bob", "1 2");

    snprintf(b.start, sizeof b.start, "%s", start);
    put_record(id, &b);
    cr_assert(take_one(id), "%s", err.text);
}

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT, 0600);
    ssize_t n;

    cr_assert(in != -1 && out != -1);
    while ((n = read(in, bytes, sizeof bytes)) > 0)
        cr_assert_eq(write(out, bytes, (size_t)n), n);
    close(in);
    close(out);
}

/* Three games of two days, of which the index on the disk has the first. */
static void lose_two_games(void)
{
    char kept[512];

    cr_assert_str_eq(make_up(), "");
    take_game_of("g1", "2026-11-16T10:00:00Z");
    archive_close(archive);
    snprintf(kept, sizeof kept, "%s/kept.db", folder);
    copy_file(in_data("index.db"), kept);
    open_archive();
    take_game_of("g2", "2026-11-15T23:00:00Z");
    take_game_of("g3", "2026-11-17T01:00:00Z");
    archive_close(archive);
    cr_assert_eq(rename(kept, in_data("index.db")), 0);
}

Test(archive, a_power_failure_takes_no_game_from_the_index)
{
    char *lost;

    lose_two_games();
    unlink(in_data("clean"));
    open_archive();
    cr_assert_eq(games_in_index(), 1);
    write_file(in_data("records/a file"), "");
    write_file(in_data(PLACE "g9.rec"), "record 1\nhash 12\n");
    write_file(in_data(PLACE "games-001.rec"), "record 1\nhash 12\n");
    lost = strdup(make_up());
    cr_assert(has(PLACE "games-001.rec") && !strstr(lost, "games-001"), "%s",
              lost);
    cr_assert(strstr(lost, "g9.rec damaged: "), "%s", lost);
    cr_assert(strstr(lost, "g2;") && strstr(lost, "g3;"), "%s", lost);
    cr_assert(!strstr(lost, "g1;"), "%s", lost);
    cr_assert_eq(games_in_index(), 3);
    free(lost);
    archive_close(archive);
    open_archive();
    cr_assert_str_eq(make_up(), "", "and it is asked once only");
}

/* A record that is in its place from the beginning, and what says so. */
static struct ended place_record(const struct brief *b, size_t bytes,
                                 char place[ARCHIVE_PLACE_MAX + 1])
{
    char *text = record_of(b);
    int fd = archive_open_place(archive, b->event, b->start, b->id, place);

    cr_assert_neq(fd, -1);
    if (bytes > strlen(text))
        bytes = strlen(text);
    cr_assert_eq(write(fd, text, bytes), (ssize_t)bytes);
    close(fd);
    free(text);
    return (struct ended){b->id, NULL, place};
}

Test(archive, a_record_in_its_place_is_added_and_stays)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    char place[ARCHIVE_PLACE_MAX + 1], again[ARCHIVE_PLACE_MAX + 1];
    struct ended game = place_record(&b, SIZE_MAX, place);
    struct buf bytes;

    cr_assert_str_eq(place, PLACE "g1.rec");
    cr_assert_eq(archive_open_place(archive, b.event, b.start, b.id, again), -1,
                 "another one is not written over");
    buf_init(&bytes, 10000);
    cr_assert(archive_read_at(archive, place, &bytes, &err), "%s", err.text);
    cr_assert(bytes.len > 0);
    buf_release(&bytes);
    cr_assert(take_games(&game, 1), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;");
    cr_assert(has(PLACE "g1.rec"));
    b = game_of("g2", "anna bob", "1 2");
    game = place_record(&b, SIZE_MAX, place);
    game.brief = &b;
    cr_assert(take_games(&game, 1), "%s", err.text);
    cr_assert(has(PLACE "g2.rec"));
    cr_assert_eq(games_in_index(), 2);
}

Test(archive, a_damaged_record_in_its_place_is_put_aside)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    char place[ARCHIVE_PLACE_MAX + 1];
    struct ended game = place_record(&b, 5, place);

    cr_assert(take_games(&game, 1), "%s", err.text);
    cr_assert(strstr(told.text, "g1 damaged: "), "%s", told.text);
    cr_assert(has("damaged/g1.rec") && !has(PLACE "g1.rec"));
}

/* It is not in the index, and lies in records/ or was just being put there. */
Test(archive, a_crash_after_a_record_was_placed_costs_nothing)
{
    char place[ARCHIVE_PLACE_MAX + 1];
    struct brief b = game_of("g1", "anna bob", "1 2");

    cr_assert_str_eq(make_up(), "");
    place_record(&b, SIZE_MAX, place);
    b = game_of("g2", "anna bob", "1 2");
    place_record(&b, 60, place);
    b = game_of("g3", "anna bob", "1 2");
    place_record(&b, 0, place);
    archive_close(archive);
    unlink(in_data("clean"));
    open_archive();
    cr_assert_str_eq(make_up(), "g1;");
    cr_assert_eq(games_in_index(), 1);
    cr_assert(has("running/g2.rec") && !has(PLACE "g2.rec"));
    cr_assert(has("running/g3.rec") && !has(PLACE "g3.rec"));
}

/* The daemon was told to stop while its index could not be written. */
Test(archive, who_leaves_a_record_out_of_the_index_leaves_it_to_be_found)
{
    struct brief first = game_of("g1", "anna bob", "1 2");
    struct brief second = game_of("g2", "anna bob", "1 2");
    char place[ARCHIVE_PLACE_MAX + 1];
    struct ended game;

    cr_assert_str_eq(make_up(), "");
    game = place_record(&first, SIZE_MAX, place);
    cr_assert(take_games(&game, 1) && take_games(&game, 1), "%s", err.text);
    place_record(&second, SIZE_MAX, place);
    archive_close(archive);
    cr_assert(!has("clean"));
    open_archive();
    cr_assert_str_eq(make_up(), "g2;");
    archive_close(archive);
    cr_assert(has("clean"));
    open_archive();
}

/* It was told, and its deal is known: it was moved here when it was over. */
Test(archive, a_part_of_a_group_that_lost_its_end_does_not_go_on)
{
    char place[ARCHIVE_PLACE_MAX + 1];
    struct brief b = game_of("20261116-100000-000012-2", "anna bob", "1 2");

    place_record(&b, 60, place);
    cr_assert(strstr(make_up(), "-2.rec damaged: "), "%s", told.text);
    cr_assert(has(place) && !has("running/20261116-100000-000012-2.rec"));
}

Test(archive, a_clock_that_was_ahead_hides_no_game)
{
    char place[ARCHIVE_PLACE_MAX + 1], day[16];
    struct brief b = game_of("g2", "anna bob", "1 2");
    time_t now = time(NULL);

    take_game_of("g1", "2999-01-01T10:00:00Z");
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    snprintf(b.start, sizeof b.start, "%sT10:00:00Z", day);
    place_record(&b, SIZE_MAX, place);
    cr_assert_str_eq(make_up(), "g2;");
}

Test(archive, who_closed_it_leaves_nothing_to_look_for)
{
    lose_two_games();
    cr_assert(has("clean"));
    open_archive();
    cr_assert(!has("clean"), "from here on the power may fail");
    cr_assert_str_eq(make_up(), "");
    cr_assert_eq(games_in_index(), 1);
}

Test(archive, who_did_not_look_says_nothing)
{
    lose_two_games();
    unlink(in_data("clean"));
    open_archive();
    archive_close(archive);
    cr_assert(!has("clean"));
    open_archive();
    make_up();
    cr_assert_eq(games_in_index(), 3);
}

Test(archive, it_has_one_user)
{
    cr_assert(archive_is_locked(data));
    cr_assert_null(archive_open(data, &err));
    cr_assert(strstr(err.text, "another referee uses "), "%s", err.text);
    archive_close(archive);
    cr_assert_not(archive_is_locked(data));
    open_archive();
}

Test(archive, a_process_that_shares_the_lock_for_a_moment_is_waited_for)
{
    int ends[2];
    pid_t child;
    char go = 1;

    cr_assert_eq(pipe(ends), 0);
    child = fork();
    cr_assert_neq(child, -1);
    if (child == 0) {
        cr_assert_eq(read(ends[0], &go, 1), 1);
        usleep(100000);
        _exit(0);
    }
    archive_close(archive);
    cr_assert(archive_is_locked(data));
    cr_assert_eq(write(ends[1], &go, 1), 1);
    open_archive();
    cr_assert_eq(waitpid(child, NULL, 0), child);
}

Test(archive, the_lock_ends_with_its_process)
{
    pid_t child;
    int out[2];
    char byte;

    archive_close(archive);
    archive = NULL;
    cr_assert_eq(pipe(out), 0);
    child = fork();
    if (child == 0) {
        if (!archive_open(data, &err))
            _exit(1);
        if (write(out[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    close(out[1]);
    cr_assert_eq(read(out[0], &byte, 1), 1);
    cr_assert(archive_is_locked(data));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    open_archive();
    close(out[0]);
}

Test(archive, seeds_follow_from_the_secret)
{
    uint8_t one[SEED_BYTES], again[SEED_BYTES], other[SEED_BYTES];
    struct stat st;

    archive_seed(archive, "unit 1", one);
    archive_seed(archive, "unit 2", other);
    cr_assert_neq(memcmp(one, other, SEED_BYTES), 0);
    archive_close(archive);
    open_archive();
    archive_seed(archive, "unit 1", again);
    cr_assert_eq(memcmp(one, again, SEED_BYTES), 0);
    cr_assert_eq(stat(in_data("secret"), &st), 0);
    cr_assert(st.st_size == 32 && (st.st_mode & 0777) == 0600);
}

Test(archive, a_secret_that_others_know_is_refused)
{
    archive_close(archive);
    chmod(in_data("secret"), 0640);
    archive = archive_open(data, &err);
    cr_assert_null(archive);
    cr_assert(strstr(err.text, "others can read"), "%s", err.text);
    chmod(in_data("secret"), 0600);
    write_file(in_data("secret"), "short");
    cr_assert_null(archive_open(data, &err));
    cr_assert(strstr(err.text, "has 5 bytes, not 32"), "%s", err.text);
}

Test(archive, a_lost_index_is_not_begun_anew)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    put_record("g1", &b);
    cr_assert(take_one("g1"));
    archive_close(archive);
    unlink(in_data("index.db"));
    archive = archive_open(data, &err);
    cr_assert_null(archive);
    cr_assert(strstr(err.text, "\"referee reindex "), "%s", err.text);
    cr_assert_not(archive_is_locked(data));
}

Test(archive, gives_the_bytes_of_a_record)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    char *text = record_of(&b);
    struct buf bytes;

    buf_init(&bytes, 1 << 20);
    put_record("g1", &b);
    cr_assert(archive_read(archive, "g1", &bytes, &err), "%s", err.text);
    cr_assert_str_eq(bytes.text, text);
    cr_assert(take_one("g1"));
    buf_reset(&bytes);
    cr_assert(archive_read(archive, "g1", &bytes, &err), "%s", err.text);
    cr_assert_str_eq(bytes.text, text);
    cr_assert_not(archive_read(archive, "g2", &bytes, &err));
    cr_assert_str_eq(err.text, "there is no game g2");
    cr_assert_not(archive_read(archive, "../secret", &bytes, &err));
    cr_assert(strstr(err.text, "is no id"), "%s", err.text);
    buf_release(&bytes);
    free(text);
}

Test(archive, logs_have_a_place)
{
    char path[512];

    cr_assert(archive_log_path(archive, "main", "2026-11-16T10:00Z", "g1",
                               "anna", path, sizeof path, &err),
              "%s", err.text);
    cr_assert_str_eq(path, in_data("logs/main/20261116/g1.anna.log"));
    cr_assert(has("logs/main/20261116"));
    cr_assert(archive_log_path(archive, "main", "yesterday", "g1", "anna", path,
                               sizeof path, &err));
    cr_assert_str_eq(path, in_data("logs/main/undated/g1.anna.log"));
}

/*
 * A small disk of our own, which nobody else sees; every test is a process.
 * Where that is not allowed there is nothing to test.
 */
static void mount_small_disk(void)
{
    archive_close(archive);
    archive = NULL;
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("disk", data, "tmpfs", 0, "size=1m") != 0)
        cr_skip_test("this user may not mount");
    open_archive();
}

static void fill_disk(void)
{
    static const char bytes[4096];
    int fd = open(in_data("ballast"), O_WRONLY | O_CREAT, 0600);

    cr_assert_neq(fd, -1);
    while (write(fd, bytes, sizeof bytes) > 0)
        continue;
    cr_assert_eq(errno, ENOSPC);
    close(fd);
}

Test(archive, a_full_disk_loses_nothing)
{
    struct brief b = game_of("g1", "anna bob", "1 2");

    mount_small_disk();
    put_record("g1", &b);
    fill_disk();
    cr_assert_not(take_one("g1"));
    cr_assert(strstr(err.text, "the disk is full"), "%s", err.text);
    cr_assert_str_eq(told.text, "");
    cr_assert(has("running/g1.rec"));
    unlink(in_data("ballast"));
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;");
    cr_assert(has(PLACE "g1.rec"));
    cr_assert_eq(games_in_index(), 1);
}

Test(archive, a_read_only_disk_is_said)
{
    mount_small_disk();
    archive_close(archive);
    cr_assert_eq(mount("disk", data, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
    archive = archive_open(data, &err);
    cr_assert_null(archive);
    cr_assert(strstr(err.text, "Read-only file system"), "%s", err.text);
}

/* People can look at it there nevertheless. */
Test(archive, an_index_on_a_read_only_disk_can_be_read)
{
    struct brief b = game_of("g1", "anna bob", "1 2");
    struct index *index;
    int count = 0;

    mount_small_disk();
    put_record("g1", &b);
    cr_assert(take_one("g1"));
    archive_close(archive);
    archive = NULL;
    cr_assert_eq(mount("disk", data, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
    index = index_open(in_data("index.db"), INDEX_READ, &err);
    cr_assert(index, "%s", err.text);
    cr_assert(index_results(index, "main", count_one, &count, &err));
    cr_assert_eq(count, 1);
    index_close(index);
}
