#ifndef REFEREE_STORE_ARCHIVE_H
#define REFEREE_STORE_ARCHIVE_H

/*
 * archive.h - the data folder of a daemon.
 *
 *     data/lock                        held by the process that writes
 *     data/secret                      32 bytes; all seeds follow from it
 *     data/running/ID.rec              a game under way
 *     data/records/LADDER/20261116.rec   games that ended that day
 *     data/damaged/ID.rec              a record that is wrong or has no end
 *     data/logs/LADDER/20261116/ID.NAME.log   a bot's stderr
 *     data/index.db                    can be lost: `referee reindex`
 *
 *                 the game is over
 *     running/ID.rec ------------> records/ ----> index, and running/ID.rec
 *     or memory                                   is removed
 *
 * The record of a long game is written to running/. When the game is over, all
 * of it is appended to the file of the day and then added to the index. The
 * index knows up to where it has each file of a day. After a crash, or a power
 * failure that took the last rows of the index, archive_catch_up() adds what
 * follows. Files in running/ whose games are not in the index are then games
 * under way.
 */

#include "store/day.h"
#include "store/location.h"

struct archive;

/*
 * Make the folders, take the lock ("another referee uses ..."), and open the
 * index. A folder with records but without an index is refused: reindex.
 */
struct archive *archive_open(const char *data, struct err *err);
void archive_close(struct archive *archive);

struct index *archive_index(struct archive *archive);

/*
 * The index's log is getting long: call archive_copy_log() in another thread,
 * because it waits for the disk. The archive must not be closed meanwhile.
 * Returns 0, or an error of SQLite.
 */
bool archive_log_is_long(const struct archive *archive);
int archive_copy_log(void *archive);

/* HMAC-SHA256(secret, text): the seed of a unit of games. */
void archive_seed(const struct archive *archive, const char *text,
                  uint8_t seed[SEED_BYTES]);

/*
 * Append the record of a finished game to the file of this day. `location` then
 * says where it is (location.h). The record gets a seal (seal.h),
 * which follows its hash in `bytes`.
 *
 * If `location` is already set, a sync of that file has failed. The kernel may
 * have forgotten what was written and think the rest is clean, so another sync
 * would do nothing. So the record is written again, in the same place, or
 * elsewhere if the file is not as it was.
 */
bool archive_keep(struct archive *archive, const char *ladder,
                  const struct record_bytes *bytes,
                  char location[LOCATION_MAX + 1], struct err *err) MUST_CHECK;

/* The key with which it seals, and how far a ladder's chain is. */
const struct signing_key *archive_key(const struct archive *archive);
bool archive_chain(struct archive *archive, const char *ladder,
                   struct chain *chain, struct err *err) MUST_CHECK;

/*
 * A word for the record of a game that begins. archive_is_ours() recognises it
 * in running/, so a person who can write there cannot add a game.
 */
enum { ARCHIVE_TAG_TEXT = 32 };

void archive_tag(const struct archive *archive, const char *id,
                 char tag[ARCHIVE_TAG_TEXT + 1]);
bool archive_is_ours(const struct archive *archive, const char *id,
                     const char *record);

/* The file that a location is in, to be synced. */
void archive_file(const struct archive *archive, const char *location,
                  char *path, size_t size);

/* data/running/ID.rec */
void archive_running_path(const struct archive *archive, const char *id,
                          char *path, size_t size);

/* data/logs/...; makes the folders. `start` is the start of the game. */
bool archive_log_path(struct archive *archive, const char *ladder,
                      const char *start, const char *id, const char *name,
                      char *path, size_t size, struct err *err) MUST_CHECK;

/* All ids in running/, sorted. `each` returns false to stop. */
typedef bool archive_each_id(void *arg, const char *id);

bool archive_running(struct archive *archive, archive_each_id *each, void *arg,
                     struct err *err) MUST_CHECK;

/*
 * Add finished games to the index, in one transaction, and then remove their
 * files in running/. If the database fails nothing is lost: call again later
 * with the same games. Games that are already known are not read.
 *
 * After the commit, `on_game` is told of each game that is new to the index.
 * `on_damaged` is told why a record was not added; it may be NULL.
 */
typedef void archive_on_game(void *arg, const struct game_summary *summary);
typedef void archive_on_damaged(void *arg, const char *id, const char *why);

struct archive_news {
    archive_on_game *on_game;
    archive_on_damaged *on_damaged;
    void *arg;
};

struct ended {
    const char *id;
    const struct game_summary *summary; /* or NULL: the record knows */
    const char *location;               /* as archive_keep() said */
    bool has_file;                      /* in running/ */
};

bool archive_index_games(struct archive *archive, const struct ended *games,
                         int count, const struct archive_news *news,
                         struct err *err) MUST_CHECK;

/* From running/ to damaged/. */
bool archive_quarantine(const struct archive *archive, const char *id,
                        struct err *err) MUST_CHECK;

/*
 * Add to the index what the files of days have beyond what it knows. A record
 * that was just being written goes to running/. `on_game` is told of each game
 * as it is added, `on_damaged` of the path of each record that cannot be. Call
 * this before anything is kept.
 */
bool archive_catch_up(struct archive *archive, const struct archive_news *news,
                      struct err *err) MUST_CHECK;

/*
 * The bytes of a record, from the place that the index names or from running/,
 * into an empty buf.
 */
bool archive_read(struct archive *archive, const char *id, struct buf *out,
                  struct err *err) MUST_CHECK;

/* Does the index have this game? */
bool archive_has(struct archive *archive, const char *id, bool *has,
                 struct err *err) MUST_CHECK;

/* The same for a record that is not in the index yet, but at its location. */
bool archive_read_at(const struct archive *archive, const char *location,
                     struct buf *out, struct err *err) MUST_CHECK;

/* Parts of it, for reindex and ladder. */

/* -1: another referee holds it. Closing the descriptor releases the lock. */
int archive_lock(const char *data, struct err *err);

/* Does somebody hold the lock now? */
bool archive_is_locked(const char *data);

/*
 * Take a record apart. `name` is its path, for messages; `lines_before` lines
 * come before it there. What the record does not say, its location does:
 * `stem`, the name of its file, is its id, and `ladder` its event. Refuses what
 * the index could not hold, but not unclosed records.
 */
bool archive_summary(struct game_summary *summary, const char *name,
                     int lines_before, const char *stem, const char *ladder,
                     struct buf *text, struct err *err) MUST_CHECK;

/*
 * The same for the record of a game whose id is known; another id is refused.
 */
bool archive_summary_of(struct game_summary *summary, const char *name,
                        const char *id, struct buf *text,
                        struct err *err) MUST_CHECK;

#endif
