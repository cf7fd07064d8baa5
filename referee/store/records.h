#ifndef REFEREE_STORE_RECORDS_H
#define REFEREE_STORE_RECORDS_H

/*
 * records.h - the records in a file, concatenated.
 *
 * Comments and empty lines before a record are not part of it. The file is read
 * piece by piece and may be larger than memory. A record has RECORD_FILE_MAX
 * bytes at most.
 */

#include "match/record.h"

struct records {
    const char *path;
    int fd;
    struct buf bytes;        /* read and still needed */
    bool has_all;            /* to the end of the file */
    size_t at;               /* in the bytes: the start ... */
    struct record_span span; /* ... of the latest record, */
    int64_t offset;          /* its start in the file, */
    int lines_before;        /* the number of lines before it, */
    int count;               /* and its number, from 1 */
};

/* "-" is standard input. The path is borrowed. */
bool records_open(struct records *records, const char *path,
                  struct err *err) MUST_CHECK;
void records_close(struct records *records);

/*
 * Replace the contents of `out` by the next record. False after the last one,
 * or if `failed`. A file without records has one that is empty, or is not a
 * record.
 */
bool records_next(struct records *records, struct buf *out, bool *failed,
                  struct err *err) MUST_CHECK;

/* Is the latest record the only one in the file? */
bool records_is_only(struct records *records, bool *is_only,
                     struct err *err) MUST_CHECK;

#endif
