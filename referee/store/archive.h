#ifndef REFEREE_ARCHIVE_H
#define REFEREE_ARCHIVE_H

/*
 * archive.h - the data folder of a daemon.
 *
 *     data/lock                            held by the one who writes
 *     data/secret                          32 bytes, all seeds follow from it
 *     data/running/ID.rec                  under way, or not in the index yet
 *     data/records/LADDER/20261116/ID.rec  finished, and in the index or about
 *                                          to be
 *     data/damaged/ID.rec                  its hash, or its text, is wrong
 *     data/logs/LADDER/20261116/ID.NAME.log  what a bot wrote to stderr
 *     data/index.db                        can be lost: `referee reindex`
 *     data/clean                           its last user closed the archive,
 * and the index has all of records/
 *
 * A record is written in running/. When it is closed it is added to the index,
 * and when the index has it for good it moves to records/. Whoever starts after
 * a crash finds in running/ closed records, which are added (once, if they were
 * in the index before) and moved, and games under way.
 *
 * Records in records/ that the index does not have are those of short games,
 * which are written there at once, and of games whose rows went with the power:
 * the index does not wait for the disk. So who finds that the archive was not
 * closed, or with some of them missing, has to call archive_make_up(), before
 * it looks into running/.
 */

#include "store/index.h"

struct archive;

/*
 * Make the folders, take the lock ("another referee uses ..."), open the
 * index. A folder with records but without an index is refused: reindex.
 */
struct archive *archive_open(const char *data, struct err *err);
void archive_close(struct archive *archive);

struct index *archive_index(struct archive *archive);

/*
 * The index's log becomes long: call archive_copy_log(), in another thread,
 * for it waits for the disk. The archive must not be closed meanwhile. Returns
 * 0, or an error of SQLite.
 */
bool archive_log_is_long(const struct archive *archive);
int archive_copy_log(void *archive);

/* HMAC-SHA256(secret, text): the seed of a unit of games. */
void archive_seed(const struct archive *archive, const char *text,
                  uint8_t seed[SEED_BYTES]);

/*
 * A file for a record that is whole: where it belongs, so that it need not move
 * there. Says where that is, from the data folder. Or -1, and errno.
 */
enum { ARCHIVE_PLACE_MAX = 255 };

int archive_open_place(struct archive *archive, const char *ladder,
                       const char *start, const char *id,
                       char place[ARCHIVE_PLACE_MAX + 1]);

/* data/running/ID.rec */
void archive_running_path(const struct archive *archive, const char *id,
                          char *path, size_t size);

/* data/logs/...; makes the folders. `start` is that of the game. */
bool archive_log_path(struct archive *archive, const char *ladder,
                      const char *start, const char *id, const char *name,
                      char *path, size_t size, struct err *err) MUST_CHECK;

/* All ids in running/, sorted; `each` returns false to stop. */
typedef bool archive_each_id(void *arg, const char *id);

bool archive_running(struct archive *archive, archive_each_id *each, void *arg,
                     struct err *err) MUST_CHECK;

/*
 * Take in games that have ended: read, add to the index in one transaction,
 * move. What is not closed stays where it is. If the database or the disk
 * fails nothing is lost: call again later with the same ones. What is known in
 * brief is not read, if it is in its place, or as long as it should be.
 *
 * `on_game` hears of each game that is new to the index, after the commit.
 * `on_damaged` hears why a record was moved to data/damaged/; it may be NULL.
 */
typedef void archive_on_game(void *arg, const struct brief *brief);
typedef void archive_on_damaged(void *arg, const char *id, const char *why);

struct archive_news {
    archive_on_game *on_game;
    archive_on_damaged *on_damaged;
    void *arg;
};

struct ended {
    const char *id;
    const struct brief *brief; /* or NULL: its record knows */
    const char *place;         /* where it lies already; or "": in running/ */
};

bool archive_take_in(struct archive *archive, const struct ended *games,
                     int count, const struct archive_news *news,
                     struct err *err) MUST_CHECK;

/* To damaged/. */
bool archive_put_aside(const struct archive *archive, const struct ended *game,
                       struct err *err) MUST_CHECK;

/*
 * If the archive was not closed the last time, add what is in records/ and not
 * in the index; what is not closed, because it was just being written, goes to
 * running/. `on_damaged` hears of the path of what cannot be added. Call it
 * before anything is taken in.
 */
bool archive_make_up(struct archive *archive, const struct archive_news *news,
                     struct err *err) MUST_CHECK;

/* The bytes of a record, in running/ or wherever the index says; into an empty
 * buf. */
bool archive_read(struct archive *archive, const char *id, struct buf *out,
                  struct err *err) MUST_CHECK;

/* Of one that is not in the index yet, but in its place. */
bool archive_read_at(const struct archive *archive, const char *place,
                     struct buf *out, struct err *err) MUST_CHECK;

/* Parts of it, for reindex and ladder. */

/* -1: another referee has it; the lock is lost when the fd is closed. */
int archive_lock(const char *data, struct err *err);

/* Does somebody hold the lock now? */
bool archive_is_locked(const char *data);

/* Where the record of a game belongs, from the data folder. */
void archive_place(const struct brief *brief, char *path, size_t size);

/*
 * A place for one record of many in a file: "records/cup/games-001.rec@OFFSET+
 * LENGTH".
 */
void archive_part(const char *file, int64_t offset, size_t len, char *place,
                  size_t size);

/*
 * Take a record apart; `name` is its path, for messages, where it stands
 * behind so many lines. What it does not say,
 * its place does: `stem`, the name of its file, is its id, and `ladder` its
 * event. Refuses what the index could not hold, but not unclosed ones.
 */
bool archive_brief(struct brief *brief, const char *name, int behind,
                   const char *stem, const char *ladder, struct buf *text,
                   struct err *err) MUST_CHECK;

#endif
