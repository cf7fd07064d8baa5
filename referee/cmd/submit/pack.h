#ifndef REFEREE_CMD_SUBMIT_PACK_H
#define REFEREE_CMD_SUBMIT_PACK_H

/*
 * pack.h - pack a hand-in into one file.
 *
 * A folder becomes a compressed tar file without .git and __pycache__, and
 * without dates and owners, so the same folder always gives the same bytes. An
 * archive is sent unchanged.
 */

#include "base/err.h"
#include "base/sha256.h"

struct pack {
    int fd;          /* at its start */
    long long bytes; /* of the archive */
    int files;       /* of a folder; 0: it was an archive */
    char digest[2 * SHA256_BYTES + 1];
};

/* The caller closes the descriptor. */
bool pack_make(const char *path, struct pack *pack, struct err *err) MUST_CHECK;

#endif
