/* referee reindex - rebuild the index of a data folder. */

#include "store/reindex.h"
#include "cmd/cmd.h"
#include "cmd/lib/data.h"
#include "cmd/lib/term.h"
#include "cmd/lib/trust.h"
#include "run/loop.h"

#include <stdio.h>

static bool quiet, takes_unsigned;
static struct texts trusted;

static const struct opt opts[] = {
    {"trust", "KEY", "also count records signed with this key", OPT_LIST,
     &trusted, 0, 0},
    {"unsigned", NULL, "also count unsigned records", OPT_FLAG, &takes_unsigned,
     0, 0},
    {"quiet", NULL, "print only problems", OPT_FLAG, &quiet, 0, 0},
    {0},
};

struct job {
    struct data_folder data;
    struct progress progress;
    bool begun;
};

static struct rate_anchor anchor_of(void *arg, const char *ladder)
{
    const struct job *job = arg;

    return data_anchor(&job->data, ladder);
}

static void say_wrong(void *arg, const char *sentence)
{
    struct job *job = arg;

    if (job->begun)
        progress_done(&job->progress);
    complain("%s", sentence);
}

static void show_progress(void *arg, int64_t bytes, int64_t of)
{
    struct job *job = arg;

    if (!job->begun)
        progress_begin(&job->progress, "reindex, KiB", (size_t)of / 1024);
    job->begun = true;
    progress_show(&job->progress, (size_t)bytes / 1024);
}

static const char *s(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void praise(const struct job *job, const struct reindex_sums *sums,
                   double seconds)
{
    int64_t all = sums->games + sums->voids;

    printf("%s: %lld game%s on %d ladder%s", job->data.path, (long long)all,
           s(all), sums->ladders, s(sums->ladders));
    if (sums->voids)
        printf(", %lld of them void", (long long)sums->voids);
    if (sums->unsealed)
        printf(", %lld unsigned", (long long)sums->unsealed);
    if (sums->running)
        printf(", %lld not over", (long long)sums->running);
    if (sums->wrong)
        printf(", %lld record%s left out", (long long)sums->wrong,
               s(sums->wrong));
    printf("; %.1f MB in %.1f s\n", (double)sums->bytes / 1e6, seconds);
}

static int reindex(struct job *job)
{
    uint8_t keys[CHAIN_KEYS_MAX][SEAL_KEY_BYTES];
    struct reindex reindex = {.data = job->data.path,
                              .takes_unsigned = takes_unsigned,
                              .trusted = keys,
                              .trusts = trusted.count,
                              .anchor = anchor_of,
                              .on_wrong = say_wrong,
                              .on_progress = show_progress,
                              .arg = job};
    struct reindex_sums sums;
    struct err err;
    int64_t start = now_us();
    bool ok =
        trust_read(&trusted, keys, &err) && reindex_run(&reindex, &sums, &err);

    if (job->begun)
        progress_done(&job->progress);
    if (!ok)
        return complain_of(&err);
    if (!quiet)
        praise(job, &sums, (double)(now_us() - start) / 1e6);
    return sums.wrong > 0;
}

static int run(int argc, char **argv)
{
    struct job job = {0};
    struct err err;
    int code;

    if (argc != 1)
        return complain("reindex takes one file or folder: referee reindex "
                        "CONFIG, or the data folder");
    if (!data_find(&job.data, argv[0], &err))
        return complain("%s", err.text);
    code = reindex(&job);
    data_release(&job.data);
    return code;
}

const struct subcommand cmd_reindex = {
    .name = "reindex",
    .args = "CONFIG|DATA [--trust KEY] [--unsigned] [--quiet]",
    .about = "rebuild the index of a data folder from its records",
    .more = "Reads all records of a data folder and rebuilds its index, with "
            "the\n"
            "ratings. CONFIG is the file of a server that is not running. "
            "Damaged\n"
            "records are reported and left out; the exit code is then 1. The "
            "same\n"
            "applies to records that the key of the folder has not signed, and "
            "to\n"
            "duplicate numbers and gaps in a chain. See \"What a record "
            "proves\".",
    .opts = opts,
    .run = run,
};
