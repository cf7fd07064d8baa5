/* referee head - show the heads of the record chains. */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/data.h"
#include "store/chain_head.h"
#include "store/disk.h"
#include "store/signing.h"

#include <stdio.h>
#include <string.h>

static const struct opt opts[] = {
    {0},
};

static void print_head(const struct chain *chain, const char *key)
{
    char link[2 * SHA256_BYTES + 1];

    text_hex(link, chain->link, sizeof chain->link);
    printf("%s %d %s %s\n", chain->name, chain->number, link, key);
}

/* For all ladders, or for this one. */
static bool print_heads(const char *data, const char *ladder,
                        const struct signing_key *key, int *count,
                        struct err *err)
{
    char folder[DISK_PATH_MAX], hex[SEAL_KEY_HEX + 1];
    struct disk_names names = {0};
    bool ok;

    text_hex(hex, key->open, sizeof key->open);
    snprintf(folder, sizeof folder, "%s/records", data);
    ok = disk_list(folder, "", &names, err);
    for (size_t i = 0; ok && i < names.count; i++) {
        struct chain chain = {0};

        if (ladder && strcmp(ladder, names.name[i]) != 0)
            continue;
        snprintf(chain.name, sizeof chain.name, "%s", names.name[i]);
        snprintf(folder, sizeof folder, "%s/records/%s", data, names.name[i]);
        ok = chain_head(&chain, folder, key->open, err);
        if (ok && chain.number > 0) {
            print_head(&chain, hex);
            ++*count;
        }
    }
    disk_names_free(&names);
    return ok;
}

static int run(int argc, char **argv)
{
    const char *ladder = argc > 1 ? argv[1] : NULL;
    struct signing_key key = {0};
    struct data_folder data;
    char path[DISK_PATH_MAX];
    struct err err;
    int count = 0;
    bool ok;

    if (argc < 1 || argc > 2)
        return complain(
            "head takes a file or folder, and optionally a ladder: referee "
            "head CONFIG [LADDER]");
    if (!data_find(&data, argv[0], &err))
        return complain("%s", err.text);
    snprintf(path, sizeof path, "%s/key", data.path);
    ok = signing_load(&key, path, &err) &&
         print_heads(data.path, ladder, &key, &count, &err);
    signing_forget(&key);
    data_release(&data);
    if (!ok)
        return complain("%s", err.text);
    if (ladder && count == 0)
        return complain("%s has no signed record of a ladder %.80s", argv[0],
                        ladder);
    return 0;
}

const struct subcommand cmd_head = {
    .name = "head",
    .args = "CONFIG|DATA [LADDER]",
    .about = "show the last link of each ladder's chain of records",
    .more =
        "Prints a line for each ladder: CHAIN NUMBER LINK KEY. NUMBER is\n"
        "that of the last signed record, and LINK depends on all records\n"
        "before it. Anyone who has kept this line can tell later whether one\n"
        "of them was changed or removed:\n"
        "\n"
        "  referee replay --trust KEY --head \"CHAIN NUMBER LINK\" "
        "data/records/LADDER",
    .opts = opts,
    .run = run,
};
