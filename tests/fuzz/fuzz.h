#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

/*
 * fuzz.h - what the fuzz targets share.
 *
 * A target gets any bytes. What the program reads from them must be usable;
 * what it refuses must come with one printable sentence.
 */

#include "base/err.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void insist(bool what)
{
    if (!what)
        abort();
}

/* Accepted, or refused with a sentence. */
static inline void insist_on_reason(bool ok, const struct err *err)
{
    insist(ok || (err->text[0] && is_plain(err->text)));
}

/* The bytes as a text with a NUL at its end; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

/* A folder of this process in memory, which is removed when it ends. */
const char *fuzz_folder(void);

/* The path of a name in that folder, until the next call. */
const char *fuzz_path(const char *name);

/* Write the bytes to a file of that name there. Returns its path. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);

#endif
