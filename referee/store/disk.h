#ifndef REFEREE_STORE_DISK_H
#define REFEREE_STORE_DISK_H

/* disk.h - files and folders, above all those of the data folder. */

#include "base/buf.h"

#include <stdint.h>

enum { DISK_PATH_MAX = 1024, DISK_DEPTH_MAX = 8 };

/*
 * Append a file to a buf. `err` says that it is too large if the buf is full.
 */
bool disk_read(const char *path, struct buf *out, struct err *err) MUST_CHECK;

/* This many bytes from there on, or as many as there are. */
bool disk_read_part(const char *path, int64_t from, size_t len, struct buf *out,
                    struct err *err) MUST_CHECK;

/* Write all of it. errno tells why it failed. */
bool disk_put(int fd, const void *bytes, size_t len);

/*
 * Write a file that only its owner can read. When this returns, the file is on
 * the disk, whole, or not at all.
 */
bool disk_write(const char *path, const void *bytes, size_t len,
                struct err *err) MUST_CHECK;

/* Make a folder that only its owner can enter, if it does not exist. */
bool disk_folder(const char *path, struct err *err) MUST_CHECK;

bool disk_move(const char *from, const char *to, struct err *err) MUST_CHECK;

/* Bytes that may still be written below a folder, or -1 if not known. */
long long disk_room(const char *folder);

/* Bytes in a file, or -1 if it does not exist. */
long long disk_size(const char *path);

bool disk_has(const char *path);
bool disk_is_folder(const char *path);

/*
 * Open a file, creating it if needed, and lock it against other processes until
 * it is closed. -1 if another process holds the lock and so uses `what`.
 */
int disk_lock(const char *path, const char *what, struct err *err);

/* When this returns, the contents of the file are on the disk. */
bool disk_sync(const char *path, struct err *err) MUST_CHECK;

/*
 * The same for the name of the file, which is in its folder: a file that was
 * created or renamed may be gone after a power failure without this. errno
 * tells why it failed.
 */
bool disk_sync_folder_of(const char *path);

/* Names of files, {0} at first. */
struct disk_names {
    char **name;
    size_t count, cap;
};

void disk_names_add(struct disk_names *names, const char *name);
void disk_names_sort(struct disk_names *names);
void disk_names_free(struct disk_names *names);

/* The names in a folder that end in `ending`, sorted, without it. */
bool disk_list(const char *folder, const char *ending, struct disk_names *names,
               struct err *err) MUST_CHECK;

/*
 * Add the paths of all files in TOP/FOLDER and below whose names end in
 * `ending`, sorted, relative to TOP. A folder that does not exist is empty.
 */
bool disk_walk(const char *top, const char *folder, const char *ending,
               struct disk_names *names, struct err *err) MUST_CHECK;

#endif
