#ifndef REFEREE_CMD_SUBMIT_PACK_H
#define REFEREE_CMD_SUBMIT_PACK_H

/*
 * pack.h - what is handed in, as one file.
 *
 * A folder becomes a tar file, compressed, without .git and __pycache__, and
 * without dates and owners: the same folder gives the same bytes. An archive
 * stays what it is.
 */

#include "base/err.h"
#include "base/sha256.h"

struct pack {
    int fd;          /* at its beginning */
    long long bytes; /* of the archive */
    int files;       /* of a folder; 0: it was an archive */
    char digest[2 * SHA256_BYTES + 1];
};

/* The descriptor is the caller's then. */
bool pack_make(const char *path, struct pack *pack, struct err *err) MUST_CHECK;

#endif
