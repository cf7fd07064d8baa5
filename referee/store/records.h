#ifndef REFEREE_STORE_RECORDS_H
#define REFEREE_STORE_RECORDS_H

/*
 * records.h - the records in a file, one behind the other.
 *
 * Comments and empty lines before a record are no part of it. The file is read
 * piece by piece and may be larger than the memory; a record has
 * RECORD_FILE_MAX bytes at most.
 */

#include "match/record.h"

struct records {
    const char *path;
    int fd;
    struct buf bytes;        /* read, and not forgotten yet */
    bool has_all;            /* to the end of the file */
    size_t at;               /* in the bytes: where the record begins ... */
    struct record_span span; /* ... that was given last, */
    int64_t offset;          /* where in the file, */
    int lines_before;        /* behind how many lines, */
    int count;               /* and which one it is, from 1 */
};

/* "-" is standard input. The path is borrowed. */
bool records_open(struct records *records, const char *path,
                  struct err *err) MUST_CHECK;
void records_close(struct records *records);

/*
 * Put the next one in the place of what is in `out`; false behind the last, or
 * if `failed`. A file without any has one that is empty, or no record.
 */
bool records_next(struct records *records, struct buf *out, bool *failed,
                  struct err *err) MUST_CHECK;

/* Is the one that was given the only one in the file? */
bool records_is_only(struct records *records, bool *is_only,
                     struct err *err) MUST_CHECK;

#endif
