/*
 * Any bytes as the archive that a stranger hands in. What comes out is plain
 * files and folders within the limits, and nothing outside the folder.
 */

#include "cmd/handin/unpack.h"
#include "fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

static const struct unpack_limits limits = {.bytes = 1 << 20, .files = 64};
static struct unpack_limits found;

static int look(const char *path, const struct stat *st, int type,
                struct FTW *where)
{
    insist(S_ISREG(st->st_mode) || S_ISDIR(st->st_mode));
    insist(st->st_nlink == 1 || S_ISDIR(st->st_mode));
    insist(!(st->st_mode & (S_ISUID | S_ISGID)));
    found.bytes += S_ISREG(st->st_mode) ? st->st_size : 0;
    found.files++;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char from[256], to[256];
    struct unpacked sums = {0};
    struct err err = {0};
    bool ok;

    snprintf(from, sizeof from, "%s", fuzz_file("handin", data, size));
    snprintf(to, sizeof to, "%s", fuzz_path("out"));
    insist(mkdir(to, 0700) == 0);
    ok = unpack(from, to, &limits, &sums, &err);
    insist_on_reason(ok, &err);
    found = (struct unpack_limits){0, -1}; /* the folder itself */
    insist(nftw(to, look, 16, FTW_PHYS) == 0);
    insist(found.bytes <= limits.bytes && found.files <= limits.files + 1);
    insist(!ok || (sums.bytes == found.bytes && sums.files <= found.files));
    remove_folder(to);
    return 0;
}
