/* referee key - manage the key that signs records. */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/data.h"
#include "store/disk.h"
#include "store/signing.h"

#include <stdio.h>

static const struct opt opts[] = {
    {0},
};

static bool ends_in_ini(const char *path)
{
    size_t len = strlen(path);

    return len > 4 && strcmp(path + len - 4, ".ini") == 0;
}

/* The key in a daemon's data folder, or the file itself. */
static bool find_file(const char *given, char path[DISK_PATH_MAX],
                      struct err *err)
{
    struct data_folder data;

    if (!disk_is_folder(given) && !ends_in_ini(given)) {
        snprintf(path, DISK_PATH_MAX, "%s", given);
        return true;
    }
    if (!data_find(&data, given, err))
        return false;
    snprintf(path, DISK_PATH_MAX, "%s/key", data.path);
    data_release(&data);
    return true;
}

static int run(int argc, char **argv)
{
    char path[DISK_PATH_MAX], hex[SEAL_KEY_HEX + 1];
    struct signing_key key;
    struct err err;

    if (argc != 1)
        return complain("key takes one file or folder: referee key CONFIG, the "
                        "data folder, or a file for the key");
    if (!find_file(argv[0], path, &err) || !signing_need(&key, path, &err))
        return complain("%s", err.text);
    text_hex(hex, key.open, sizeof key.open);
    signing_forget(&key);
    puts(hex);
    return 0;
}

const struct subcommand cmd_key = {
    .name = "key",
    .args = "CONFIG|DATA|FILE",
    .about = "show the key with which records are signed",
    .more = "Prints a referee's public key, 64 hex digits. With \"referee "
            "replay\n"
            "--trust KEY\" anyone can check the records that this referee has\n"
            "signed. The key of a server is the file key in its data folder; "
            "that\n"
            "of a match is the file that its --key names. It is created if it\n"
            "does not exist. Keep the file secret: anyone who has it can sign "
            "in\n"
            "your name.",
    .opts = opts,
    .run = run,
};
