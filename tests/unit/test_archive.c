/* The data folder: what happens to records, and what outlives a crash. */

#include "store/archive.h"

#include "store.h"
#include "store/day.h"
#include "store/disk.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
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

/* What the archive told, as text. */
static struct buf told;

static void tell_game(void *arg, const struct game_summary *b)
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
    return archive_index_games(archive, games, count, &news, &err);
}

/* What was kept last. */
static char location[LOCATION_MAX + 1];

static bool keep_text(const char *text)
{
    struct buf rest;
    bool ok;

    buf_init(&rest, 1 << 20);
    buf_str(&rest, text);
    location[0] = '\0';
    ok = archive_keep(archive, "main", &(struct record_bytes){-1, 0, &rest},
                      location, &err);
    buf_release(&rest);
    return ok;
}

static bool keep_game(const struct game_summary *b)
{
    char *text = record_of(b);
    bool ok = keep_text(text);

    free(text);
    return ok;
}

/* As of a game on main that has just ended. */
static void keep(const char *id)
{
    struct game_summary b = game_of(id, "anna bob", "1 2");

    cr_assert(keep_game(&b), "%s", err.text);
}

/* What was kept last. */
static bool take_one(const char *id)
{
    const struct ended game = {id, NULL, location, false};

    return take_games(&game, 1);
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

/* The path of a day's file; of the last one, which sorts first, if there are
 * several. */
static const char *file_of_day(int count)
{
    static char path[512];
    glob_t found;

    cr_assert_eq(glob(in_data("records/main/*.rec"), 0, NULL, &found), 0);
    cr_assert_eq((int)found.gl_pathc, count);
    snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    cr_assert(is_day_file(path), "%s", path);
    return path;
}

static long long day_size(int count)
{
    return disk_size(file_of_day(count));
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");

    cr_assert(file);
    fputs(text, file);
    fclose(file);
}

static void read_at(const char *where, struct buf *bytes)
{
    buf_reset(bytes);
    cr_assert(archive_read_at(archive, where, bytes, &err), "%s", err.text);
}

/* The record, and the seal that it got. */
static void assert_sealed(const struct buf *bytes, const char *text)
{
    struct seal seal;

    cr_assert_eq(strncmp(bytes->text, text, strlen(text)), 0);
    cr_assert_eq(strncmp(bytes->text + strlen(text), "seal main ", 10), 0);
    cr_assert(seal_find(&seal, bytes->text, bytes->len));
    cr_assert(seal_holds(&seal));
    cr_assert_eq(memcmp(seal.key, archive_key(archive)->open, sizeof seal.key),
                 0);
}

Test(archive, records_lie_one_behind_the_other)
{
    struct game_summary first = game_of("g1", "anna bob", "1 2");
    struct game_summary second = game_of("g2", "anna bob", "2 1");
    char *one = record_of(&first), *two = record_of(&second);
    char of_first[LOCATION_MAX + 1];
    struct buf bytes;
    long long both;

    buf_init(&bytes, 1 << 20);
    cr_assert(keep_text(one), "%s", err.text);
    strcpy(of_first, location);
    cr_assert(keep_text(two), "%s", err.text);
    read_at(of_first, &bytes);
    assert_sealed(&bytes, one);
    both = (long long)bytes.len;
    read_at(location, &bytes);
    assert_sealed(&bytes, two);
    cr_assert_eq(day_size(1), both + (long long)bytes.len);
    buf_release(&bytes);
    free(one);
    free(two);
}

Test(archive, the_beginning_of_a_record_can_be_in_a_file)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    char *text = record_of(&b), path[512];
    struct ended game = {"g1", NULL, location, true};
    struct buf rest, bytes;
    int fd;

    archive_running_path(archive, "g1", path, sizeof path);
    write_file(path, text); /* more of it than counts */
    fd = open(path, O_RDWR);
    buf_init(&rest, 1 << 20);
    buf_init(&bytes, 1 << 20);
    buf_str(&rest, text + 50);
    cr_assert(archive_keep(archive, "main",
                           &(struct record_bytes){fd, 50, &rest}, location,
                           &err));
    read_at(location, &bytes);
    assert_sealed(&bytes, text);
    cr_assert(has("running/g1.rec"));
    cr_assert(take_games(&game, 1), "%s", err.text);
    cr_assert(!has("running/g1.rec"), "the index has it");
    close(fd);
    buf_release(&rest);
    buf_release(&bytes);
    free(text);
}

Test(archive, a_game_with_a_known_summary_is_not_read)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    struct ended games[] = {{"g1", &b, "records/main/nowhere.rec@0+12", false},
                            {"g2", NULL, location, false}};

    keep("g2");
    cr_assert(take_games(games, 2), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;g2;");
    cr_assert_eq(games_in_index(), 2);
    cr_assert(take_games(games, 2), "%s", err.text);
    cr_assert_str_eq(told.text, "", "they are not new");
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

Test(archive, damage_is_said_and_not_added)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    char *text = record_of(&b);

    *strstr(text, "anna") = 'h';
    cr_assert(keep_text(text));
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert(strstr(told.text, "g1 damaged: "), "%s", told.text);
    cr_assert(strstr(told.text, "it was changed after it was written"));
    keep("g1");
    cr_assert(take_one("g2"), "%s", err.text);
    cr_assert(strstr(told.text, "its id is g1, not g2"), "%s", told.text);
    strcpy(b.event, "../../etc");
    cr_assert(keep_game(&b));
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert(
        strstr(told.text, "its id and its event must be usable as file names"));
    strcpy(location, "records/main/20261116.rec@7+100");
    cr_assert(take_one("g3"), "%s", err.text);
    cr_assert(strstr(told.text, "g3 damaged: "), "%s", told.text);
    cr_assert_eq(games_in_index(), 0);
    free(text);
}

Test(archive, what_cannot_be_read_now_is_read_later)
{
    struct rlimit before, none = {0, 0};

    keep("g1");
    cr_assert(take_one("g1"), "%s", err.text); /* and the index is in use */
    keep("g2");
    getrlimit(RLIMIT_NOFILE, &before);
    none.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_NOFILE, &none);
    cr_expect_not(take_one("g2"));
    setrlimit(RLIMIT_NOFILE, &before);
    cr_assert(strstr(err.text, "Too many open files"), "%s", err.text);
    cr_assert_str_eq(told.text, "");
    cr_assert(take_one("g2"), "%s", err.text);
    cr_assert_str_eq(told.text, "g2;");
}

Test(archive, many_at_once)
{
    enum { MANY = 600 };
    static char name[MANY][8], where[MANY][LOCATION_MAX + 1];
    static struct ended games[MANY];

    for (int i = 0; i < MANY; i++) {
        snprintf(name[i], sizeof name[i], "g%d", i);
        keep(name[i]);
        strcpy(where[i], location);
        games[i] = (struct ended){name[i], NULL, where[i], false};
    }
    cr_assert(take_games(games, MANY), "%s", err.text);
    cr_assert_eq(games_in_index(), MANY);
    file_of_day(1);
}

Test(archive, an_index_that_is_locked_loses_nothing)
{
    sqlite3 *other;

    keep("g1");
    write_file(in_data("running/g1.rec"), "");
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

/* A file in the location of a folder: it cannot be kept, whoever we are. */
Test(archive, what_could_not_be_kept_can_be_later)
{
    struct game_summary b = game_of("g1", "anna bob", "1 2");

    write_file(in_data("records/main"), "");
    cr_assert_not(keep_game(&b));
    cr_assert(strstr(err.text, "records/main"), "%s", err.text);
    unlink(in_data("records/main"));
    keep("g1");
    cr_assert(take_one("g1"), "%s", err.text);
    cr_assert_str_eq(told.text, "g1;");
}

/* The bytes of what was kept last are lost by the disk. */
static void lose_bytes(size_t len)
{
    static const char zeros[4096];
    int fd = open(file_of_day(1), O_WRONLY);
    long long offset = day_size(1) - (long long)len;

    cr_assert_eq(pwrite(fd, zeros, len, (off_t)offset), (ssize_t)len);
    close(fd);
}

Test(archive, bytes_that_a_sync_may_have_lost_are_written_again)
{
    struct game_summary b = game_of("g2", "anna bob", "1 2");
    char *text = record_of(&b);
    struct buf rest, bytes;
    const struct record_bytes whole = {-1, 0, &rest};

    buf_init(&rest, 1 << 20);
    buf_init(&bytes, 1 << 20);
    buf_str(&rest, text);
    keep("g1");
    location[0] = '\0';
    cr_assert(archive_keep(archive, "main", &whole, location, &err), "%s",
              err.text);
    lose_bytes(rest.len);
    cr_assert(archive_keep(archive, "main", &whole, location, &err), "%s",
              err.text);
    read_at(location, &bytes);
    assert_sealed(&bytes, text);
    cr_assert_eq(truncate(file_of_day(1), day_size(1) - 1), 0);
    cr_assert(archive_keep(archive, "main", &whole, location, &err), "%s",
              err.text);
    cr_assert(strstr(location, "-2.rec@0+"), "%s", location);
    unlink(file_of_day(2));
    cr_assert(archive_keep(archive, "main", &whole, location, &err), "%s",
              err.text);
    read_at(location, &bytes);
    assert_sealed(&bytes, text);
    buf_release(&rest);
    buf_release(&bytes);
    free(text);
}

Test(archive, a_file_that_somebody_wrote_into_is_left_as_it_is)
{
    const char *path;
    long long size;

    keep("g1");
    append(file_of_day(1), "# checked by anna\n");
    size = day_size(1);
    keep("g2");
    keep("g3");
    file_of_day(2);
    cr_assert(strstr(location, "-2.rec@"), "%s", location);
    unlink(file_of_day(2));
    cr_assert_eq(day_size(1), size);
    keep("g4");
    cr_assert(strstr(location, "-2.rec@0+"), "one that was removed: %s",
              location);
    path = file_of_day(2);
    cr_assert_eq(rename(path, in_data("records/moved.rec")), 0);
    keep("g5");
    cr_assert(strstr(location, "-2.rec@0+"), "one that was moved: %s",
              location);
    file_of_day(2);
}

/* A copy has the same size, but what is appended to the old one is lost. */
Test(archive, a_file_of_the_day_that_was_replaced_is_noticed)
{
    const char *copy = "records/copy";
    struct buf bytes;
    FILE *file;

    keep("g1");
    buf_init(&bytes, 1 << 20);
    cr_assert(disk_read(file_of_day(1), &bytes, &err), "%s", err.text);
    file = fopen(in_data(copy), "w");
    cr_assert(file);
    fwrite(bytes.text, 1, bytes.len, file);
    fclose(file);
    cr_assert_eq(rename(in_data(copy), file_of_day(1)), 0);
    keep("g2");
    read_at(location, &bytes);
    cr_assert(strstr(bytes.text, "id=g2"), "%s", bytes.text);
    buf_release(&bytes);
}

/* Write this byte into the file of the day. */
static void put_byte(char byte, long long offset)
{
    int fd = open(file_of_day(1), O_WRONLY);

    cr_assert_eq(pwrite(fd, &byte, 1, (off_t)offset), 1);
    close(fd);
}

static bool can_be_read(void)
{
    struct buf bytes;
    bool ok;

    buf_init(&bytes, 1 << 20);
    ok = archive_read(archive, "g1", &bytes, &err);
    buf_release(&bytes);
    return ok;
}

Test(archive, a_part_that_is_no_record_any_more_is_refused)
{
    struct buf bytes;
    const char *hash;
    long long at;

    keep("g1");
    cr_assert(take_one("g1"));
    buf_init(&bytes, 1 << 20);
    cr_assert(disk_read(file_of_day(1), &bytes, &err), "%s", err.text);
    hash = strstr(bytes.text, "\nhash ");
    cr_assert(hash);
    at = hash + 1 - bytes.text;
    buf_release(&bytes);

    put_byte('R', 0); /* its first word */
    cr_assert_not(can_be_read());
    cr_assert(strstr(err.text, "was changed after"), "%s", err.text);
    put_byte('r', 0);
    cr_assert(can_be_read(), "%s", err.text);
    put_byte('H', at); /* its last line */
    cr_assert_not(can_be_read());
    put_byte('h', at);
    cr_assert_eq(truncate(file_of_day(1), day_size(1) - 1), 0);
    cr_assert_not(can_be_read(), "it was cut");
}

Test(archive, every_ladder_has_files_of_its_own)
{
    enum { LADDERS = 20 };
    struct game_summary b = game_of("g1", "anna bob", "1 2");
    char *text = record_of(&b);
    struct buf bytes;
    const struct record_bytes whole = {-1, 0, &bytes};
    long long size = 0;

    buf_init(&bytes, 1 << 20);
    for (int i = 0; i < 3 * LADDERS; i++) {
        char ladder[16], pattern[64];
        glob_t found;

        buf_reset(&bytes);
        buf_str(&bytes, text);

        snprintf(ladder, sizeof ladder, "ladder-%d", i % LADDERS);
        location[0] = '\0';
        cr_assert(archive_keep(archive, ladder, &whole, location, &err), "%s",
                  err.text);
        snprintf(pattern, sizeof pattern, "records/%s/*", ladder);
        cr_assert_eq(glob(in_data(pattern), 0, NULL, &found), 0);
        cr_assert_eq((int)found.gl_pathc, 1);
        if (i % LADDERS < 10) { /* names of the same length */
            size = i % LADDERS == 0 ? size + (long long)bytes.len : size;
            cr_assert_eq(disk_size(found.gl_pathv[0]), size);
        }
        globfree(&found);
    }
    buf_release(&bytes);
    free(text);
}

Test(archive, a_day_has_a_file_of_its_own)
{
    struct day day = {.ladder = "main"};
    struct index *index = archive_index(archive);
    const time_t noon = 1794830400; /* 2026-11-16 */
    struct buf rest;
    const struct record_bytes whole = {-1, 0, &rest};

    buf_init(&rest, 100);
    buf_str(&rest, "record 1\nhash 2\n");
    for (int i = 0; i < 3; i++) {
        time_t now = noon + (i == 2 ? 86400 : i * 3600);

        cr_assert(day_need(&day, data, index, now, &err), "%s", err.text);
        cr_assert_str_eq(day_file(&day), i == 2 ? "records/main/20261117.rec"
                                                : "records/main/20261116.rec");
        cr_assert(day_append(&day, &whole, &err), "%s", err.text);
    }
    cr_assert_eq(day_upto(&day), 0, "of that day");
    day_add(&day, 0);
    cr_assert_eq(day_upto(&day), (int64_t)rest.len);
    day_settle(&day, false);
    cr_assert_eq(day_upto(&day), 0);
    cr_assert(day_append(&day, &whole, &err), "%s", err.text);
    day_add(&day, (int64_t)rest.len);
    day_settle(&day, true);
    cr_assert_eq(day_upto(&day), 0, "the first is missing");
    day_add(&day, 0);
    cr_assert_eq(day_upto(&day), 2 * (int64_t)rest.len);
    cr_assert_eq(disk_size(in_data("records/main/20261116.rec")),
                 2 * (long long)rest.len);
    day_close(&day);
    buf_release(&rest);
    cr_assert(is_day_file("20261116.rec") && is_day_file("a/20261116-12.rec"));
    cr_assert(!is_day_file("2026111.rec") && !is_day_file("20261116") &&
              !is_day_file("20261116-1.rec") && !is_day_file("20261116x.rec") &&
              !is_day_file("games-001.rec"));
}

/* What catch_up tells. */
static const char *catch_up(void)
{
    buf_release(&told);
    buf_init(&told, 1 << 16);
    cr_assert(archive_catch_up(archive, &news, &err), "%s", err.text);
    return told.text;
}

static void open_again(void)
{
    archive_close(archive);
    open_archive();
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

Test(archive, a_power_failure_takes_no_game_from_the_index)
{
    char kept[512];

    keep("g1");
    cr_assert(take_one("g1"));
    archive_close(archive);
    snprintf(kept, sizeof kept, "%s/kept.db", folder);
    copy_file(in_data("index.db"), kept);
    open_archive();
    keep("g2");
    cr_assert(take_one("g2"));
    keep("g3");
    cr_assert(take_one("g3"));
    archive_close(archive);
    cr_assert_eq(rename(kept, in_data("index.db")), 0);
    open_archive();
    cr_assert_eq(games_in_index(), 1);
    write_file(in_data("records/a file"), "");
    write_file(in_data("records/main/games-001.rec"), "record 1\nhash 12\n");
    cr_assert_str_eq(catch_up(), "g2;g3;");
    cr_assert_eq(games_in_index(), 3);
    unlink(in_data("records/main/games-001.rec"));
    open_again();
    cr_assert_str_eq(catch_up(), "", "and it is asked once only");
    keep("g4");
    file_of_day(1);
}

Test(archive, a_crash_after_a_record_was_kept_costs_nothing)
{
    const struct ended game = {"g2", NULL, location, false};

    keep("g1");
    keep("g2");
    cr_assert(take_games(&game, 1), "%s", err.text);
    open_again();
    cr_assert_eq(games_in_index(), 1);
    cr_assert_str_eq(catch_up(), "g1;", "one that ended before another");
    cr_assert_eq(games_in_index(), 2);
    keep("g3");
    file_of_day(1);
}

/* The writer of its record is killed. */
static void tear(const char *id)
{
    struct game_summary b = game_of(id, "anna bob", "1 2");
    char *text = record_of(&b);

    archive_close(archive);
    strstr(text, "hash ")[10] = '\0';
    append(file_of_day(1), text);
    open_archive();
    free(text);
}

Test(archive, a_record_that_was_just_being_written_is_cut_off)
{
    keep("g1");
    tear("g2");
    cr_assert_str_eq(catch_up(), "g1;");
    cr_assert(has("running/g2.rec"), "its game goes on");
    tear("g3");
    cr_assert_str_eq(catch_up(), "");
    write_file(in_data("running/g4.rec"), "");
    tear("g4");
    cr_assert_str_eq(catch_up(), "");
    cr_assert_eq(disk_size(in_data("running/g4.rec")), 0, "from what it had");
    archive_close(archive);
    append(file_of_day(1), "reco");
    open_archive();
    cr_assert_str_eq(catch_up(), "");
    keep("g5");
    file_of_day(1);
}

Test(archive, a_torn_record_that_is_kept_elsewhere_is_forgotten)
{
    const struct ended game = {"g2", NULL, location, false};

    keep("g1");
    keep("g2");
    cr_assert(take_games(&game, 1), "%s", err.text);
    tear("g2");
    cr_assert_str_eq(catch_up(), "g1;");
    cr_assert(!has("running/g2.rec"));
}

Test(archive, what_is_no_record_stays)
{
    long long size;

    keep("g1");
    archive_close(archive);
    append(file_of_day(1), "junk\n");
    size = day_size(1);
    open_archive();
    cr_assert(strstr(catch_up(), "what begins here is not a record"), "%s",
              told.text);
    cr_assert_eq(day_size(1), size);
    keep("g2");
    file_of_day(2);
}

Test(archive, an_empty_file_goes)
{
    keep("g1");
    archive_close(archive);
    write_file(in_data("records/main/20010101.rec"), "");
    open_archive();
    cr_assert_str_eq(catch_up(), "g1;");
    file_of_day(1);
}

/* It was told, and its deal is known. */
Test(archive, a_part_of_a_group_that_lost_its_end_does_not_go_on)
{
    keep("g1");
    tear("20261116-100000-000012-2");
    cr_assert(strstr(catch_up(), "the last record is incomplete"), "%s",
              told.text);
    cr_assert(has("damaged/20261116-100000-000012-2.rec") &&
              !has("running/20261116-100000-000012-2.rec"));
}

Test(archive, a_wrong_record_in_the_file_of_a_day_is_said_once)
{
    struct game_summary b = game_of("g2", "anna bob", "1 2");
    char *text = record_of(&b);

    keep("g1");
    archive_close(archive);
    append(file_of_day(1), "record 1\nhash 12\nrecord 1\ngame rondo\n");
    append(file_of_day(1), text);
    open_archive();
    cr_assert(strstr(catch_up(), "g1;"), "%s", told.text);
    cr_assert(strstr(told.text, ".rec damaged: "), "%s", told.text);
    cr_assert_eq(games_in_index(), 1, "the other one has no seal");
    cr_assert(has("running/g2.rec"), "as if its writer had been killed");
    open_again();
    cr_assert_str_eq(catch_up(), "");
    free(text);
}

/* A record with a seal, at the end of the day. */
static void append_sealed(const char *text, const struct seal *seal)
{
    struct buf bytes;

    buf_init(&bytes, 1 << 20);
    buf_str(&bytes, text);
    seal_append(seal, &bytes);
    append(file_of_day(1), bytes.text);
    buf_release(&bytes);
}

Test(archive, what_somebody_appends_to_a_day_does_not_count)
{
    struct game_summary b = game_of("g2", "anna bob", "1 2");
    char *text = record_of(&b);
    struct signing_key key;
    struct chain chain = {.name = "main", .number = 1};
    uint8_t seed[crypto_sign_SEEDBYTES] = {1}, hash[SHA256_BYTES];
    struct seal seal;
    struct buf bytes;

    keep("g1");
    buf_init(&bytes, 1 << 20);
    read_at(location, &bytes);
    archive_close(archive);
    append(file_of_day(1), text);       /* unsigned */
    append(file_of_day(1), bytes.text); /* a twin */
    signing_key_make(&key, seed);
    cr_assert(hash_find(hash, text, strlen(text)));
    seal_make(&seal, &chain, hash, &key);
    append_sealed(text, &seal); /* a stranger's */
    open_archive();
    cr_assert(strstr(catch_up(), "g1;"), "%s", told.text);
    cr_assert(strstr(told.text, "it is unsigned"), "%s", told.text);
    cr_assert(strstr(told.text, "it is a duplicate"), "%s", told.text);
    cr_assert(strstr(told.text, "is not signed by this referee"), "%s",
              told.text);
    cr_assert_eq(games_in_index(), 1);
    buf_release(&bytes);
    free(text);
}

/* It names our key. */
static void forge(const char *chain_name, bool is_signed)
{
    struct game_summary b = game_of("g2", "anna bob", "1 2");
    struct signing_key key = *archive_key(archive);
    struct chain chain = {.number = 1};
    uint8_t hash[SHA256_BYTES];
    char *text = record_of(&b);
    struct seal seal;

    snprintf(chain.name, sizeof chain.name, "%s", chain_name);
    cr_assert(hash_find(hash, text, strlen(text)));
    seal_make(&seal, &chain, hash, &key);
    if (!is_signed)
        seal.signature[0] ^= 1;
    archive_close(archive);
    append_sealed(text, &seal);
    open_archive();
    free(text);
}

static void assert_refused(const char *what)
{
    cr_expect(strstr(catch_up(), "it is not signed by this referee for main"),
              "%s: %s", what, told.text);
    cr_expect_eq(games_in_index(), 1, "%s: it counts", what);
}

Test(archive, a_record_whose_seal_is_wrong_does_not_count)
{
    keep("g1");
    forge("main", false);
    assert_refused("the signature is not ours");
    forge("other", true);
    assert_refused("it is of another ladder");
    forge("main", true);
    cr_expect_str_eq(catch_up(), "g2;", "what we have signed counts");
}

/* Whatever happens, the numbers go on from what is there. */
Test(archive, a_chain_goes_on_after_a_crash)
{
    struct chain chain;

    keep("g1");
    keep("g2");
    cr_assert(archive_chain(archive, "main", &chain, &err));
    cr_assert_eq(chain.number, 2);
    tear("g3");
    catch_up();
    cr_assert(archive_chain(archive, "main", &chain, &err));
    cr_assert_eq(chain.number, 2);
    keep("g3");
    cr_assert(archive_chain(archive, "main", &chain, &err));
    cr_assert_eq(chain.number, 3);
    archive_close(archive);
    cr_assert_eq(truncate(file_of_day(1), day_size(1) - 20), 0);
    open_archive();
    catch_up();
    cr_assert(has("running/g3.rec"), "a torn seal is as good as none");
    keep("g4");
    cr_assert(archive_chain(archive, "main", &chain, &err));
    cr_assert_eq(chain.number, 3);
    cr_assert(archive_chain(archive, "other", &chain, &err));
    cr_assert_eq(chain.number, 0);
}

Test(archive, a_file_that_lost_its_end_is_said)
{
    long long size;

    keep("g1");
    size = day_size(1);
    keep("g2");
    cr_assert(take_one("g2"));
    keep("g3"); /* so that the index cannot say how far it has it */
    open_again();
    cr_assert_str_eq(catch_up(), "g1;g3;");
    archive_close(archive);
    cr_assert_eq(truncate(file_of_day(1), size + 10), 0);
    open_archive();
    cr_assert(strstr(catch_up(), "its last games are lost"), "%s", told.text);
    keep("g4");
    file_of_day(2);
    cr_assert(strstr(location, "-2.rec@0+"), "%s", location);
}

Test(archive, knows_what_the_index_has)
{
    bool has_it = false;

    keep("g1");
    cr_assert(archive_has(archive, "g1", &has_it, &err) && !has_it);
    cr_assert(take_one("g1"));
    cr_assert(archive_has(archive, "g1", &has_it, &err) && has_it);
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
    cr_assert(strstr(err.text, "other users can read"), "%s", err.text);
    chmod(in_data("secret"), 0600);
    write_file(in_data("secret"), "short");
    cr_assert_null(archive_open(data, &err));
    cr_assert(strstr(err.text, "has 5 bytes, not 32"), "%s", err.text);
}

Test(archive, a_lost_index_is_not_begun_anew)
{
    keep("g1");
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
    struct game_summary b = game_of("g1", "anna bob", "1 2"), other;
    const struct ended wrong = {"g3", &other, location, false};
    char *text = record_of(&b);
    struct buf bytes;

    buf_init(&bytes, 1 << 20);
    write_file(in_data("running/g1.rec"), "the beginning");
    cr_assert(archive_read(archive, "g1", &bytes, &err), "%s", err.text);
    cr_assert_str_eq(bytes.text, "the beginning");
    keep("g1");
    cr_assert(take_one("g1"));
    buf_reset(&bytes);
    cr_assert(archive_read(archive, "g1", &bytes, &err), "%s", err.text);
    assert_sealed(&bytes, text); /* not what is left in running/ */
    cr_assert_not(archive_read(archive, "g2", &bytes, &err));
    cr_assert_str_eq(err.text, "there is no game g2");
    other = game_of("g3", "anna bob", "1 2");
    cr_assert(take_games(&wrong, 1), "%s", err.text);
    buf_reset(&bytes);
    cr_assert_not(archive_read(archive, "g3", &bytes, &err));
    cr_assert(strstr(err.text, "was changed after"), "%s", err.text);
    cr_assert_not(archive_read(archive, "../secret", &bytes, &err));
    cr_assert(strstr(err.text, "is not the id"), "%s", err.text);
    buf_release(&bytes);
    free(text);
}

/* Whatever is written into the index, it leads to no other file. */
Test(archive, a_path_in_the_index_is_not_trusted)
{
    static const char *const paths[] = {"secret",
                                        "../keys",
                                        "records/../secret",
                                        "records/../../keys@0+9",
                                        "running/fifo",
                                        "records/main/x.rec@-5+9",
                                        "/etc/hostname"};
    struct game_summary b = game_of("g", "anna bob", "1 2");
    struct buf bytes;

    buf_init(&bytes, 1 << 20);
    write_file(scratch_path(folder, "keys"), "record 1\nabout id=g0\nkeys\n");
    cr_assert_eq(mkfifo(in_data("running/fifo"), 0600), 0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct ended game = {b.id, &b, paths[i], false};

        snprintf(b.id, sizeof b.id, "g%zu", i);
        cr_assert(take_games(&game, 1), "%s", err.text);
        cr_expect_not(archive_read(archive, b.id, &bytes, &err), "%s",
                      paths[i]);
        cr_expect_eq(bytes.len, 0, "%s: %s", paths[i], bytes.text);
    }
    buf_release(&bytes);
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
    struct game_summary b = game_of("g2", "anna bob", "1 2");
    char *text = record_of(&b);
    long long size;

    mount_small_disk();
    keep("g1");
    size = day_size(1);
    fill_disk();
    while (keep_text(text))
        size = day_size(1); /* to the end of its page */
    cr_assert(strstr(err.text, "No space left"), "%s", err.text);
    cr_assert_eq(day_size(1), size, "nothing is left of it");
    unlink(in_data("ballast"));
    cr_assert(keep_text(text), "%s", err.text);
    cr_assert(take_one("g2"), "%s", err.text);
    cr_assert_str_eq(told.text, "g2;");
    file_of_day(1);
    free(text);
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
    struct index *index;
    int count = 0;

    mount_small_disk();
    keep("g1");
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
