/* What the last run left in running/: what is over, and what is nothing. */

#include "daemon/revive.h"

#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folder;
static char data[256];
static struct loop loop;
static struct log log_;
static struct metrics metrics;
static struct serve_config config;
static struct generation generation = {.config = &config};
static struct generations generations = {.newest = &generation};
static struct troubles troubles = {.log = &log_};
static struct units_context context;
static struct revival *revival;
static struct err err;
static int indexed;

static void on_game(void *owner, const struct game_summary *summary)
{
    indexed++;
}

static void on_indexed(void *owner, const struct closed_game *game)
{
}

static void on_tried(void *owner)
{
}

static const struct closing_owner closing_calls = {on_game, on_indexed,
                                                   on_tried};

static void begin_test(void)
{
    folder = scratch_new();
    snprintf(data, sizeof data, "%s/data", folder);
    loop_init(&loop);
    log_init(&log_, fopen("/dev/null", "w"), LOG_ERROR);
    context = (struct units_context){.loop = &loop,
                                     .log = &log_,
                                     .metrics = &metrics,
                                     .archive = archive_open(data, &err),
                                     .syncer = syncer_new(&loop),
                                     .troubles = &troubles};
    cr_assert(context.archive, "%s", err.text);
    context.closing = closing_new(&loop, &log_, context.archive, context.syncer,
                                  &troubles, &closing_calls, NULL);
    revival = revival_new(&context, NULL, &generations);
}

static void end_test(void)
{
    revival_free(revival);
    syncer_free(context.syncer);
    closing_free(context.closing);
    archive_close(context.archive);
    loop_release(&loop);
    scratch_free(folder);
}

TestSuite(revive, .init = begin_test, .fini = end_test, .timeout = 60);

static void leave(const char *id, const char *text)
{
    char path[512];
    FILE *file;

    archive_running_path(context.archive, id, path, sizeof path);
    file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A record that this daemon began, or one that somebody put there. */
static char *record_with(const char *id, bool is_ours, int status)
{
    struct game_summary b = game_of(id, "anna bob", "1 2");
    char tag[ARCHIVE_TAG_TEXT + 1];

    b.status = status;
    archive_tag(context.archive, id, tag);
    if (is_ours)
        snprintf(b.event, sizeof b.event, "main tag=%s", tag);
    return record_of(&b);
}

static void leave_record(const char *id, bool is_ours)
{
    char *text = record_with(id, is_ours, SUMMARY_FINISHED);

    leave(id, text);
    free(text);
}

static bool is_there(const char *where, const char *id)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s/%s.rec", data, where, id);
    file = fopen(path, "r");
    if (file)
        fclose(file);
    return file != NULL;
}

static bool is_known(const char *id)
{
    bool has = false;

    return archive_has(context.archive, id, &has, &err) && has;
}

static void on_done(void *owner)
{
    *(bool *)owner = true;
    loop_stop(&loop);
}

static void look(void)
{
    bool done = false;

    cr_assert(revival_open(revival, &err), "%s", err.text);
    revival_begin(revival, on_done, &done);
    if (!done)
        loop_run(&loop);
    cr_assert(done, "it tells that all have been looked at");
}

Test(revive, an_empty_folder_needs_nothing)
{
    look();
    cr_expect_eq(indexed, 0);
}

Test(revive, a_game_that_had_not_begun_is_dropped)
{
    leave("a-000001", "");
    leave("a-000002", "record 1\ngame axio-rota\nse");
    look();
    cr_expect_not(is_there("running", "a-000001"));
    cr_expect_not(is_there("running", "a-000002"));
    cr_expect_not(is_there("damaged", "a-000002"), "nothing had happened");
    cr_expect_eq(indexed, 0);
}

Test(revive, a_game_that_is_over_is_kept_and_counts_once)
{
    leave_record("a-000001", true);
    look();
    cr_expect(is_known("a-000001"));
    cr_expect_not(is_there("running", "a-000001"));
    cr_expect_eq(indexed, 1);

    leave_record("a-000001", true);
    look();
    cr_expect_not(is_there("running", "a-000001"));
    cr_expect_eq(indexed, 1, "the index has it already");
}

Test(revive, a_record_of_somebody_else_does_not_count)
{
    leave_record("a-000001", false);
    look();
    cr_expect_not(is_known("a-000001"));
    cr_expect(is_there("damaged", "a-000001"));
    cr_expect_eq(indexed, 0);
}

Test(revive, a_record_that_was_changed_does_not_count)
{
    char *text = record_with("a-000001", true, SUMMARY_FINISHED);

    strstr(text, "anna")[0] = 'h';
    leave("a-000001", text);
    free(text);
    look();
    cr_expect_not(is_known("a-000001"), "its hash is wrong");
    cr_expect(is_there("damaged", "a-000001"));
}
