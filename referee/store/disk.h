#ifndef REFEREE_DISK_H
#define REFEREE_DISK_H

/*
 * disk.h - files and folders of the data folder; for the files of store/ only.
 */

#include "base/buf.h"

enum { DISK_PATH_MAX = 1024 };

/* Append a file to a buf; `err` calls it too large if the buf is full. */
bool disk_read(const char *path, struct buf *out, struct err *err) MUST_CHECK;

/* Write a file that only its owner can read. When this returns it is on the
 * disk, whole, or not at all. */
bool disk_write(const char *path, const void *bytes, size_t len,
                struct err *err) MUST_CHECK;

/* Make a folder that only its owner can enter, if it is not there. */
bool disk_folder(const char *path, struct err *err) MUST_CHECK;

bool disk_move(const char *from, const char *to, struct err *err) MUST_CHECK;

bool disk_has(const char *path);

/* The names in a folder that end in `ending`, sorted, without it. */
struct disk_names {
    char **name;
    size_t count, cap;
};

bool disk_list(const char *folder, const char *ending, struct disk_names *names,
               struct err *err) MUST_CHECK;
void disk_names_free(struct disk_names *names);

#endif
