#ifndef REFEREE_STORE_DAY_H
#define REFEREE_STORE_DAY_H

/*
 * day.h - the games of a ladder that ended on one day (UTC), concatenated in
 * one file: records/LADDER/20261116.rec.
 *
 * A record is appended when its game is over, whole or not at all, and never
 * changes after that. If a file is not as the index knows it, because somebody
 * else wrote into it or its end was lost, it stays as it is, and the day
 * continues in 20261116-2.rec, and so on.
 */

#include "match/seal.h"
#include "store/disk.h"
#include "store/index.h"

#include <time.h>

/* {0} except for the ladder's name, at first. */
struct day {
    char ladder[SUMMARY_WORD_MAX + 1];
    /* of the ladder's records; without a name: not known yet */
    struct chain chain;
    char path[DISK_PATH_MAX];
    size_t data_len; /* of the data folder's path, and a slash */
    bool is_open;
    int fd;
    uint64_t inode;
    int64_t date; /* in days */
    int64_t end;  /* where the next record goes */
    struct day_record {
        int64_t offset;
        bool is_added; /* by a transaction that is not committed */
        /* records that the index does not have, in their order */
    } * record;
    int records, room;
};

/* Its path from the data folder. */
static inline const char *day_file(const struct day *day)
{
    return day->path + day->data_len;
}

/* Open the file for this time, unless it is open. */
bool day_need(struct day *day, const char *data, struct index *index,
              time_t now, struct err *err) MUST_CHECK;
void day_close(struct day *day);

/* The bytes of a record: the first part is in a file, the rest in memory. */
struct record_bytes {
    int head;
    size_t head_len;
    struct buf *rest;
};

size_t record_bytes_len(const struct record_bytes *bytes);

/* Write them there. errno tells why it failed. */
bool record_bytes_put(const struct record_bytes *bytes, int fd, int64_t at);

/* Append a record. It begins where the end was. */
bool day_append(struct day *day, const struct record_bytes *bytes,
                struct err *err) MUST_CHECK;

/*
 * The index is getting the record that begins there. It then has the file up to
 * day_upto(), if the transaction commits. Tell whether it did.
 */
void day_add(struct day *day, int64_t offset);
bool day_has_added(const struct day *day);
int64_t day_upto(const struct day *day);
void day_settle(struct day *day, bool is_committed);

/* Is "20261116.rec" or "20261116-2.rec" the last part of the path? */
bool is_day_file(const char *path);

#endif
