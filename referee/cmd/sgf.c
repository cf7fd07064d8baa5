/* referee sgf - convert SGF games of Go into records. */

#include "cmd/lib/sgf.h"
#include "cmd/cmd.h"
#include "cmd/lib/files.h"

#include <stdio.h>

static const struct opt opts[] = {
    {0},
};

static bool print_file(const char *path, struct err *err)
{
    struct buf text, records;
    bool ok;

    buf_init(&text, RECORD_FILE_MAX);
    buf_init(&records, RECORD_FILE_MAX);
    ok = file_read(path, &text, err) &&
         (sgf_read(text.text ? text.text : "", &records, err) ||
          fail_at(err, "%s", path));
    if (ok)
        fputs(records.text, stdout);
    buf_release(&text);
    buf_release(&records);
    return ok;
}

static int run(int argc, char **argv)
{
    struct err err;

    if (argc < 1)
        return complain("sgf needs a file, or - for standard input");
    for (int i = 0; i < argc; i++)
        if (!print_file(argv[i], &err))
            return complain("%s", err.text);
    return 0;
}

const struct subcommand cmd_sgf = {
    .name = "sgf",
    .args = "FILE...",
    .about = "turn games of go in SGF into records",
    .more =
        "Writes a record with a head and the moves for the main branch\n"
        "of each game in FILE, or in standard input for -. If a player\n"
        "moves twice in a row, the other passes in between. Setup stones\n"
        "must be black. \"referee replay\" verifies the record, and writes\n"
        "SGF with --sgf.\n"
        "\n"
        "Example:\n"
        "  referee sgf game.sgf >game.rec && referee replay --show game.rec",
    .opts = opts,
    .run = run,
};
