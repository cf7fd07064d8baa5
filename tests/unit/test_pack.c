/* Many records in a file: reading them, and the files of a contest. */

#include "store/pack.h"
#include "store/records.h"

#include "store.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD(id)   "record 1\ngame rondo\nseats 2\nabout match=" id " start=x\n"
#define CLOSED(id) HEAD(id) "result void reason=x\nhash 12\n"

static char *folder;
static struct pack *pack;
static struct buf text;
static struct err err;

static void set_up(void)
{
    folder = scratch_new();
    buf_init(&text, RECORD_FILE_MAX);
    err.text[0] = '\0';
}

static void tear_down(void)
{
    pack_close(pack);
    buf_release(&text);
    scratch_free(folder);
}

static void write_file(const char *name, const char *bytes)
{
    FILE *file = fopen(scratch_path(folder, name), "w");

    cr_assert(file && fputs(bytes, file) != EOF && fclose(file) == 0);
}

static const char *content(const char *name)
{
    static char bytes[4096];
    FILE *file = fopen(scratch_path(folder, name), "r");

    cr_assert(file, "%s is not there", name);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    return bytes;
}

/* Records. */

TestSuite(records, .init = set_up, .fini = tear_down);

/* "OFFSET:LINES:LENGTH" of each, with a * behind those that are closed. */
static const char *all_in(const char *bytes)
{
    static char said[512];
    struct records r;
    char path[512];
    bool failed;

    write_file("x.rec", bytes);
    snprintf(path, sizeof path, "%s", scratch_path(folder, "x.rec"));
    cr_assert(records_open(&r, path, &err), "%s", err.text);
    said[0] = '\0';
    while (records_next(&r, &text, &failed, &err)) {
        cr_assert_eq(text.len, r.span.len);
        cr_assert(strncmp(bytes + r.offset, text.text, text.len) == 0);
        snprintf(said + strlen(said), sizeof said - strlen(said),
                 "%lld:%d:%zu%s ", (long long)r.offset, r.lines_before,
                 text.len, r.span.is_closed ? "*" : "");
    }
    cr_assert_not(failed, "%s", err.text);
    records_close(&r);
    return said;
}

Test(records, end_with_their_hash_or_where_the_next_begins)
{
    cr_expect_str_eq(all_in("record 1\na\nhash 12\nrecord 1\nb\n"),
                     "0:0:19* 19:3:11 ");
    cr_expect_str_eq(all_in("record 1\na\nrecord 1\nhash 3\n"),
                     "0:0:11 11:2:16* ");
    cr_expect_str_eq(all_in("# one\nrecord 1\nhash 1\n\n# two\nrecord 1\n"),
                     "6:1:16* 29:5:9 ");
    cr_expect_str_eq(all_in("record 1\nhashing\nrecords\n@- hash 1\n"),
                     "0:0:35 ");
}

Test(records, what_is_no_record_is_given_once)
{
    cr_expect_str_eq(all_in(""), "0:0:0 ");
    cr_expect_str_eq(all_in("nothing\n"), "0:0:8 ");
    cr_expect_str_eq(all_in("nothing\nrecord 1\n"), "0:0:17 ");
    cr_expect_str_eq(all_in("# but\n\n"), "7:2:0 ");
    cr_expect_str_eq(all_in("record 1\nhash 1\n# the\n\n# end"), "0:0:16* ");
    cr_expect_str_eq(all_in("record 1\nhash 1\nend"), "0:0:16* 16:2:3 ");
}

Test(records, may_be_longer_than_what_is_read_at_once)
{
    size_t len = 300000;
    char *bytes = malloc(2 * len + 100);
    char want[64];

    memset(bytes, 'x', 2 * len);
    memcpy(bytes, "record 1\n", 9);
    memcpy(bytes + len, "\nhash 1\nrecord 1\n", 17);
    strcpy(bytes + 2 * len, "\nhash 2\nrecord 1\n");
    snprintf(want, sizeof want, "0:0:%zu* %zu:3:%zu* %zu:6:9 ", len + 8,
             len + 8, len, 2 * len + 8);
    cr_expect_str_eq(all_in(bytes), want);
    free(bytes);
}

Test(records, know_whether_there_are_others)
{
    static const struct {
        const char *bytes;
        bool is_only;
    } cases[] = {
        {"record 1\nhash 1\n", true},
        {"record 1\nhash 1\n# more\n", true},
        {"record 1\nhash 1\nrecord 1\n", false},
        {"record 1\nhash 1\n# x\nrecord 1\n", false},
        {"", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct records r;
        bool failed, is_only;

        write_file("x.rec", cases[i].bytes);
        cr_assert(records_open(&r, scratch_path(folder, "x.rec"), &err));
        cr_assert(records_next(&r, &text, &failed, &err));
        cr_assert(records_is_only(&r, &is_only, &err));
        cr_expect_eq(is_only, cases[i].is_only, "%s", cases[i].bytes);
        records_close(&r);
    }
}

Test(records, too_long_a_record_is_refused)
{
    struct records r;
    bool failed;

    write_file("x.rec", "record 1\n");
    cr_assert_eq(
        truncate(scratch_path(folder, "x.rec"), (off_t)3 * RECORD_FILE_MAX), 0);
    cr_assert(records_open(&r, "x.rec", &err) == false);
    cr_assert(strstr(err.text, "x.rec cannot be opened: "), "%s", err.text);
    cr_assert(records_open(&r, scratch_path(folder, "x.rec"), &err));
    cr_assert_not(records_next(&r, &text, &failed, &err));
    cr_assert(failed &&
                  strstr(err.text, "x.rec has a record that is larger than 64"),
              "%s", err.text);
    records_close(&r);
}

/* Packs. */

TestSuite(pack, .init = set_up, .fini = tear_down);

static void open_pack(bool resumes)
{
    pack = pack_open(folder, resumes, 2, NULL, NULL, &err);
    cr_assert(pack, "%s", err.text);
}

static int take(const char *name, size_t keep)
{
    int file = pack_take(pack, name, keep, &err);

    cr_assert_neq(file, -1, "%s", err.text);
    return file;
}

static void append(int file, const char *bytes)
{
    cr_assert_eq(write(pack_fd(pack, file), bytes, strlen(bytes)),
                 (ssize_t)strlen(bytes));
}

Test(pack, has_as_many_files_as_games_at_once)
{
    int a, b;

    open_pack(false);
    a = take("g1", 0);
    append(a, "1\n");
    b = take("g2", 0);
    append(b, "2\n");
    append(a, "one\n");
    pack_give_back(pack, a);
    cr_assert_eq(take("g3", 0), a);
    append(a, "3\n");
    pack_give_back(pack, b);
    pack_give_back(pack, a);
    cr_assert_str_eq(content("games-001.rec"), "1\none\n3\n");
    cr_assert_str_eq(content("games-002.rec"), "2\n");
}

Test(pack, a_game_that_begins_again_leaves_nothing_behind)
{
    int file;

    open_pack(false);
    file = take("g1", 0);
    append(file, "first\n");
    pack_give_back(pack, file);
    file = take("g2", 0);
    append(file, "spoiled\n");
    cr_assert(pack_cut(pack, file, 0, &err), "%s", err.text);
    append(file, "again\n");
    cr_assert_str_eq(content("games-001.rec"), "first\nagain\n");
}

Test(pack, writes_into_no_file_of_another_match)
{
    write_file("games-003.rec", CLOSED("g1"));
    cr_assert_not(pack_is_new(folder, &err));
    cr_assert(strstr(err.text, "games-003.rec already exists"), "%s", err.text);
    unlink(scratch_path(folder, "games-003.rec"));
    write_file("games-3.rec", "");
    write_file("games-1000000.rec", "");
    cr_assert(pack_is_new(folder, &err), "%s", err.text);
    open_pack(false);
    write_file("games-001.rec", CLOSED("g1"));
    cr_assert_eq(pack_take(pack, "g1", 0, &err), -1);
    cr_assert(strstr(err.text, "games-001.rec cannot be written: File exists"),
              "%s", err.text);
    cr_assert_str_eq(content("games-001.rec"), CLOSED("g1"));
}

Test(pack, keeps_no_more_files_open_than_it_needs)
{
    char name[32];

    for (int i = 1; i <= 5; i++) {
        char text_of[200];

        snprintf(name, sizeof name, "games-%03d.rec", i);
        snprintf(text_of, sizeof text_of,
                 "record 1\ngame x\nseats 1\nabout match=g%d\n", i);
        write_file(name, text_of);
    }
    open_pack(true);
    for (int i = 1; i <= 5; i++) {
        snprintf(name, sizeof name, "g%d", i);
        cr_assert_eq(take(name, 0), i - 1);
    }
    for (int i = 0; i < 5; i++)
        pack_give_back(pack, i);
    cr_assert_eq(pack_fd(pack, 0), -1);
    cr_assert_eq(pack_fd(pack, 2), -1);
    cr_assert_neq(pack_fd(pack, 3), -1);
    cr_assert_neq(pack_fd(pack, 4), -1);
    append(take("g6", 0), "6\n");
    append(take("g7", 0), "7\n");
    append(take("g8", 0), "8\n");
    cr_assert_str_eq(content("games-003.rec"), "8\n");
}

static bool is_there(const char *name)
{
    return access(scratch_path(folder, name), F_OK) == 0;
}

Test(pack, leaves_no_empty_files)
{
    write_file("games-002.rec", "");
    write_file("games-003.rec", CLOSED("g1"));
    open_pack(true);
    cr_assert_not(is_there("games-002.rec"));
    take("g2", 0);
    take("g3", 0);
    cr_assert(is_there("games-003.rec") && is_there("games-004.rec"));
    pack_close(pack);
    pack = NULL;
    cr_assert(is_there("games-003.rec") && !is_there("games-004.rec"));
}

Test(pack, finds_what_is_there)
{
    const struct packed *found;

    write_file("games-001.rec", CLOSED("g2") CLOSED("g10") HEAD("g3"));
    write_file("games-004.rec", CLOSED("g1"));
    write_file("games-2.rec", CLOSED("g4"));
    write_file("other.rec", CLOSED("g5"));
    open_pack(true);
    found = pack_find(pack, "g10");
    cr_assert(found && found->is_closed && found->lines_before == 6);
    cr_assert(pack_read(pack, found, &text, &err), "%s", err.text);
    cr_assert_str_eq(text.text, CLOSED("g10"));
    cr_assert(pack_find(pack, "g1") && pack_find(pack, "g2"));
    cr_assert_not(pack_find(pack, "g3")->is_closed);
    cr_assert_null(pack_find(pack, "g4"));
    cr_assert_null(pack_find(pack, "g5"));
}

Test(pack, goes_on_with_a_game_where_it_is)
{
    int file;

    write_file("games-001.rec", CLOSED("g1") HEAD("g2") "half a li");
    open_pack(true);
    file = take("g3", 0); /* not behind what is unfinished */
    append(file, "3\n");
    cr_assert_str_eq(content("games-002.rec"), "3\n");
    file = take("g2", strlen(HEAD("g2")));
    append(file, "2\n");
    cr_assert_str_eq(content("games-001.rec"), CLOSED("g1") HEAD("g2") "2\n");
    pack_give_back(pack, file);
    cr_assert_eq(take("g4", 0), file);
}

Test(pack, a_torn_head_counts_for_nothing)
{
    write_file("games-001.rec", CLOSED("g1") "record 1\ngame ron");
    write_file("games-002.rec", CLOSED("g2") "# fine\nrec");
    write_file("games-003.rec",
               CLOSED("g3") "record 1\ngame rondo\nseats 2\nab");
    write_file("games-004.rec", "record 1\ngame rondo\nset x");
    open_pack(true);
    cr_assert_str_eq(content("games-001.rec"), CLOSED("g1"));
    cr_assert_str_eq(content("games-002.rec"), CLOSED("g2") "# fine\n");
    cr_assert_str_eq(content("games-003.rec"), CLOSED("g3"));
    cr_assert_neq(access(scratch_path(folder, "games-004.rec"), F_OK), 0);
    append(take("g4", 0), "4\n");
    cr_assert_str_eq(content("games-003.rec"), CLOSED("g3") "4\n");
}

Test(pack, a_comment_at_the_end_of_a_file_stays_there)
{
    write_file("games-001.rec", CLOSED("g1") "# well played");
    open_pack(true);
    append(take("g2", 0), "2\n");
    cr_assert_str_eq(content("games-001.rec"), CLOSED("g1") "# well played");
    cr_assert_str_eq(content("games-002.rec"), "2\n");
}

static void refuse(const char *sentence)
{
    pack = pack_open(folder, true, 2, NULL, NULL, &err);
    cr_assert_null(pack);
    cr_expect(strstr(err.text, sentence), "%s", err.text);
}

Test(pack, refuses_what_no_referee_wrote)
{
    write_file("games-001.rec", CLOSED("g1") HEAD("g2") CLOSED("g3"));
    refuse("games-001.rec:7: the record that begins here has no hash, but");
    write_file("games-001.rec", CLOSED("g1") CLOSED("g2"));
    write_file("games-002.rec", CLOSED("g2"));
    refuse(": this is the second record of g2: remove one of them");
    write_file("games-002.rec", "record 1\nhash 1\n");
    refuse("games-002.rec:1: what begins here is not a record of a match");
    write_file("games-002.rec",
               CLOSED("g4") "record 1\ngame x\nseats 1\ntime 1\n");
    refuse("games-002.rec:7: what begins here is not a record of a match");
    write_file("games-002.rec", CLOSED("g4") "garbage");
    refuse("games-002.rec:7: what begins here is not a record of a match");
    cr_assert_str_eq(content("games-002.rec"), CLOSED("g4") "garbage");
}
