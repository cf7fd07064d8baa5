#ifndef REFEREE_CMD_HANDIN_UNPACK_H
#define REFEREE_CMD_HANDIN_UNPACK_H

/*
 * unpack.h - a stranger's archive, or folder, into a folder of ours.
 *
 * libarchive reads zip, tar and its compressed kinds, and folders. What comes
 * out is plain files and folders and nothing else: a link, a device, a path
 * that leads out, or more than the limits allow is refused, in a sentence that
 * names the entry. The bytes are counted as they come, so a small archive that
 * would fill the disk ends at the limit.
 */

#include "base/err.h"

struct unpack_limits {
    long long bytes; /* of all files together */
    int files;       /* and folders */
};

struct unpacked {
    long long bytes;
    int files; /* without folders */
};

/*
 * `to` is a folder that exists and is empty. An archive with one folder on top
 * gives what is in that folder. If this fails, `to` holds anything.
 */
bool unpack(const char *from, const char *to,
            const struct unpack_limits *limits, struct unpacked *sums,
            struct err *err) MUST_CHECK;

/* Remove a folder with all that is in it; links are not followed. */
void remove_folder(const char *path);

#endif
