#ifndef REFEREE_STORE_DIGEST_H
#define REFEREE_STORE_DIGEST_H

/*
 * digest.h - one number for a program and all its files.
 *
 * A digest is the SHA-256 of what was added, in the order in which it was
 * added. Two digests are the same only if names, contents and permissions to
 * execute are. It does not depend on dates, owners, or the order in which a
 * file system lists its files.
 */

#include "base/err.h"
#include "base/sha256.h"

enum {
    DIGEST_HEX = 2 * SHA256_BYTES,
    DIGEST_FILE_MAX = 256 << 20, /* bytes; larger: only size and date count */
    DIGEST_FILES_MAX = 20000,    /* in a folder and below it */
};

struct digest {
    struct sha256 hash;
};

void digest_begin(struct digest *digest);
void digest_end(struct digest *digest, char hex[DIGEST_HEX + 1]);

/* A text, which ends where it ends: "ab" "c" is not "a" "bc". */
void digest_word(struct digest *digest, const char *word);

/* The contents of a file. False, and nothing is added, if it is none. */
bool digest_contents(struct digest *digest, const char *path);

/* Its name, permission to execute and contents. */
bool digest_file(struct digest *digest, const char *path, const char *name,
                 struct err *err) MUST_CHECK;

/*
 * Every file in a folder and below it, by path in the order of their bytes,
 * without .git and __pycache__, which come and go by themselves. Links to
 * files count with what they lead to. It is called by no name of its own: a
 * folder that is moved keeps its digest.
 */
bool digest_folder(struct digest *digest, const char *folder,
                   struct err *err) MUST_CHECK;

/* The digest of a folder and nothing else. */
bool digest_of_folder(const char *folder, char hex[DIGEST_HEX + 1],
                      struct err *err) MUST_CHECK;

#endif
