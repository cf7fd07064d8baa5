#ifndef REFEREE_STORE_LOCATION_H
#define REFEREE_STORE_LOCATION_H

/*
 * location.h - where a record is, as a text.
 *
 * One record of many in a file: "records/LADDER/20261116.rec@OFFSET+LENGTH". A
 * file of its own: "running/ID.rec". The path starts at the data folder. The
 * index keeps locations; it is not trusted, so what it names must be in a
 * folder of records, and must be a whole record.
 */

#include "base/buf.h"
#include "base/err.h"
#include "store/disk.h"

enum { LOCATION_MAX = 255 };

/* One record of many. */
struct location {
    char path[DISK_PATH_MAX]; /* with the data folder */
    long long offset;
    size_t len;
};

/* `file` is a path from the data folder. */
void location_write(const char *file, int64_t offset, size_t len, char *text,
                    size_t size);

/* False if the text is not of one record of many. */
bool location_find(const char *data, const char *text,
                   struct location *location);

/* Its file: how much of the text that is, and the path. */
size_t location_file_len(const char *text);
void location_file(const char *data, const char *text, char *path, size_t size);

/* What is there, into an empty buf. */
bool location_read(const char *data, const char *text, struct buf *out,
                   struct err *err) MUST_CHECK;

/* Is there a record's place? */
bool location_exists(const char *data, const char *text);

/* Fails: what is in this file is not what the index knows. */
bool location_was_changed(const char *path, struct err *err);

#endif
