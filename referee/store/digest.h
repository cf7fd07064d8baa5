#ifndef REFEREE_STORE_DIGEST_H
#define REFEREE_STORE_DIGEST_H

/*
 * digest.h - one number for a program and all its files.
 *
 * A digest is the SHA-256 of everything that was added, in the order of adding.
 * Two digests are equal only if names, contents and permissions to execute are.
 * Dates, owners, and the order in which a file system lists its files do not
 * matter.
 */

#include "base/err.h"
#include "base/sha256.h"
#include "store/disk.h"

enum {
    DIGEST_HEX = 2 * SHA256_BYTES,
    /* bytes; of a larger file only size and date count */
    DIGEST_FILE_MAX = 256 << 20,
    DIGEST_FILES_MAX = 20000, /* in a folder and below it */
};

struct digest {
    struct sha256 hash;
};

void digest_begin(struct digest *digest);
void digest_end(struct digest *digest, char hex[DIGEST_HEX + 1]);

/* A text with its end marked, so that "ab" "c" differs from "a" "bc". */
void digest_word(struct digest *digest, const char *word);

/* The contents of a file. False, and nothing is added, if it is not a file. */
bool digest_contents(struct digest *digest, const char *path);

/* Its name, permission to execute and contents. */
bool digest_file(struct digest *digest, const char *path, const char *name,
                 struct err *err) MUST_CHECK;

/*
 * Every file in a folder and below it, ordered by the bytes of its path, except
 * for .git and __pycache__, which change by themselves. A link to a file counts
 * with the file's contents. The folder's own name does not count, so a folder
 * that is moved keeps its digest.
 */
bool digest_folder(struct digest *digest, const char *folder,
                   struct err *err) MUST_CHECK;

/* Add the names of these files, as seen from the folder, in this order. */
bool digest_names(const char *folder, struct disk_names *names,
                  struct err *err) MUST_CHECK;

/* The digest of one folder. */
bool digest_of_folder(const char *folder, char hex[DIGEST_HEX + 1],
                      struct err *err) MUST_CHECK;

#endif
