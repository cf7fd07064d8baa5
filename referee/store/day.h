#ifndef REFEREE_STORE_DAY_H
#define REFEREE_STORE_DAY_H

/*
 * day.h - the games of a ladder that ended on one day (UTC), in one file:
 * records/LADDER/20261116.rec, one record behind the other.
 *
 * A record is appended when its game is over, whole or not at all, and never
 * changes after that. A file that is not as the index knows it, because
 * somebody else wrote into it or its end was lost, is left as it is: the day
 * goes on in 20261116-2.rec, and so on.
 */

#include "match/seal.h"
#include "store/disk.h"
#include "store/index.h"

#include <time.h>

/* {0} but for the ladder's name, at first. */
struct day {
    char ladder[SUMMARY_WORD_MAX + 1];
    struct chain chain; /* of the ladder's records; without a name: unknown */
    char path[DISK_PATH_MAX];
    size_t data_len; /* of it, and a slash */
    bool is_open;
    int fd;
    uint64_t inode;
    int64_t date; /* in days */
    int64_t end;  /* where the next record goes */
    struct day_record {
        int64_t offset;
        bool is_added; /* by a transaction that is not committed */
    } * record;        /* that the index does not have, in their order */
    int records, room;
};

/* Its path from the data folder. */
static inline const char *day_file(const struct day *day)
{
    return day->path + day->data_len;
}

/* Open the file of this time, unless that is done. */
bool day_need(struct day *day, const char *data, struct index *index,
              time_t now, struct err *err) MUST_CHECK;
void day_close(struct day *day);

/* The bytes of a record: the first so many of a file, and the rest. */
struct record_bytes {
    int head;
    size_t head_len;
    struct buf *rest;
};

size_t record_bytes_len(const struct record_bytes *bytes);

/* Write them there; errno says why not. */
bool record_bytes_put(const struct record_bytes *bytes, int fd, int64_t at);

/* Append a record. It begins where the end was. */
bool day_append(struct day *day, const struct record_bytes *bytes,
                struct err *err) MUST_CHECK;

/*
 * The index is getting the record that begins there. It has the file up to
 * day_upto() then, if what was added is committed; say so, or that it is not.
 */
void day_add(struct day *day, int64_t offset);
bool day_has_added(const struct day *day);
int64_t day_upto(const struct day *day);
void day_settle(struct day *day, bool is_committed);

/* Is "20261116.rec" or "20261116-2.rec" the last part of the path? */
bool is_day_file(const char *path);

#endif
