#ifndef REFEREE_CMD_HANDIN_UNPACK_H
#define REFEREE_CMD_HANDIN_UNPACK_H

/*
 * unpack.h - unpack a stranger's archive, or copy a folder, into our own
 * folder.
 *
 * libarchive reads zip files, tar files with any compression, and folders. Only
 * plain files and folders are accepted. A link, a device, a path that leads
 * outside, or more than the limits allow is refused, in a sentence that names
 * the entry. Bytes are counted as they arrive, so a small archive that would
 * fill the disk stops at the limit.
 */

#include "base/err.h"

struct unpack_limits {
    long long bytes; /* of all files together */
    int files;       /* and folders */
};

struct unpacked {
    long long bytes;
    int files; /* not counting folders */
};

/*
 * `to` is an existing, empty folder. If the archive has only one folder at the
 * top, the contents of that folder are unpacked. On failure, `to` may hold
 * anything.
 */
bool unpack(const char *from, const char *to,
            const struct unpack_limits *limits, struct unpacked *sums,
            struct err *err) MUST_CHECK;

/* Remove a folder and everything in it; links are not followed. */
void remove_folder(const char *path);

#endif
