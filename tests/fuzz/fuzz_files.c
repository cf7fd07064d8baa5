/*
 * Any bytes as a file of records: read one by one, opened as the pack of a
 * match that is resumed, and indexed as the file of a day of a daemon; as the
 * record of a game that was running when a daemon ended; and as the match.txt
 * of a match that is resumed.
 */

#include "cmd/lib/contest_cmd.h"
#include "fuzz/fuzz.h"
#include "match/replay.h"
#include "store/pack.h"
#include "store/records.h"
#include "store/reindex.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* None is lost, and none is there twice. */
static void read_all(const char *path, size_t size)
{
    struct records records;
    struct err err = {0};
    struct buf record;
    bool failed = false;
    int64_t end = 0;

    buf_init(&record, RECORD_FILE_MAX);
    insist(records_open(&records, path, &err));
    while (records_next(&records, &record, &failed, &err)) {
        insist(records.offset >= end);
        end = records.offset + (int64_t)record.len;
        insist(end <= (int64_t)size);
        buf_reset(&record);
    }
    insist_on_reason(!failed, &err);
    records_close(&records);
    buf_release(&record);
}

static void resume(const char *folder)
{
    struct err err = {0};
    struct pack *pack = pack_open(folder, true, 2, NULL, NULL, &err);
    const struct packed *found;
    struct buf out;

    insist_on_reason(pack != NULL, &err);
    if (!pack)
        return;
    buf_init(&out, RECORD_FILE_MAX);
    found = pack_find(pack, "game-000001");
    if (found)
        insist(pack_read(pack, found, &out, &err) && out.len == found->len);
    buf_release(&out);
    pack_close(pack);
}

static void on_wrong(void *arg, const char *sentence)
{
    insist(sentence[0] && is_plain(sentence));
}

/* As the file of a day whose index is lost. */
static void reindex(const char *data)
{
    const struct reindex args = {
        .data = data, .takes_unsigned = true, .on_wrong = on_wrong};
    struct reindex_sums sums = {0};
    struct err err = {0};

    insist_on_reason(reindex_run(&args, &sums, &err), &err);
}

/* What is whole of it is whole when it is read again. */
static void read_running(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *again = fuzz_text(data, size);
    struct replay replay;
    struct lines told;
    struct err err = {0};
    bool ok;

    replay_init(&replay);
    lines_init(&told, RECORD_FILE_MAX);
    ok = replay_told(&replay, "fuzz", 0, text, size, &told, &err);
    insist_on_reason(ok, &err);
    if (ok && replay.complete > 0) {
        size_t whole = replay.complete;

        insist(whole <= size);
        again[whole] = '\0';
        insist(replay_told(&replay, "fuzz", 0, again, whole, &told, &err) &&
               replay.complete == whole);
    }
    lines_release(&told);
    replay_release(&replay);
    free(text);
    free(again);
}

static void describe(const void *what, struct buf *out)
{
    buf_str(out, "game rondo\nset seats=2\n");
}

/* Only that of the very same match is taken. */
static void read_manifest(const char *folder)
{
    const struct folder_args args = {.kind = "match",
                                     .folder = folder,
                                     .resume = true,
                                     .describe = describe};
    struct contest_config config = {.setup = {.seats = 2}};
    struct err err = {0};
    int next = dup(0);
    bool ok;

    close(next);
    ok = folder_open(&args, &config, &err);
    insist_on_reason(ok, &err);
    insist(!ok || config.resumes);
    close(next); /* it would hold a lock until the end */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[256];

    snprintf(folder, sizeof folder, "%s", fuzz_path("pack"));
    mkdir(folder, 0700);
    fuzz_file("pack/games-001.rec", data, size);
    read_all(fuzz_path("pack/games-001.rec"), size);
    resume(folder);
    mkdir(fuzz_path("records"), 0700);
    mkdir(fuzz_path("records/main"), 0700);
    fuzz_file("records/main/20261116.rec", data, size);
    reindex(fuzz_folder());
    read_running(data, size);
    snprintf(folder, sizeof folder, "%s", fuzz_path("match"));
    mkdir(folder, 0700);
    fuzz_file("match/match.txt", data, size);
    read_manifest(folder);
    return 0;
}
