#ifndef REFEREE_STORE_ARCHIVE_H
#define REFEREE_STORE_ARCHIVE_H

/*
 * archive.h - the data folder of a daemon.
 *
 *     data/lock                      held by the one who writes
 *     data/secret                    32 bytes, all seeds follow from it
 *     data/running/ID.rec            a game under way
 *     data/records/LADDER/20261116.rec    those that ended that day
 *     data/damaged/ID.rec            its hash, or its text, is wrong, or its
 * end is missing data/logs/LADDER/20261116/ID.NAME.log  what a bot wrote to
 * stderr data/index.db                  can be lost: `referee reindex`
 *
 *                 the game is over
 *     running/ID.rec ------------> records/ ----> index, and running/ID.rec
 *     or memory                                   is removed
 *
 * The record of a game that takes long is written to running/. When the game
 * is over, all of it is appended to the file of the day, and then added to the
 * index, which says up to where it has each file of a day. So whoever starts
 * after a crash, or a power failure that took the last rows of the index, adds
 * what lies behind: archive_catch_up(). Then what is in running/ and not in the
 * index are games under way.
 */

#include "store/day.h"

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
 * Put the record of a game that is over into the file of this day. Says where
 * it is, from the data folder: "records/LADDER/20261116.rec@OFFSET+LENGTH". It
 * gets a seal (seal.h), which stands behind its hash in `bytes` then.
 *
 * If `location` says so already, a sync of that file has failed: the kernel may
 * have forgotten what was written, and takes the rest for clean, so that
 * another sync would have nothing to do. So it is written again, there, or
 * elsewhere if the file is not what it was.
 */
enum { ARCHIVE_LOCATION_MAX = 255 };

bool archive_keep(struct archive *archive, const char *ladder,
                  const struct record_bytes *bytes,
                  char location[ARCHIVE_LOCATION_MAX + 1],
                  struct err *err) MUST_CHECK;

/* The key with which it seals, and how far a ladder's chain is. */
const struct signing_key *archive_key(const struct archive *archive);
bool archive_chain(struct archive *archive, const char *ladder,
                   struct chain *chain, struct err *err) MUST_CHECK;

/*
 * A word for the record of a game that begins, by which archive_is_ours() knows
 * it again in running/: whoever can write there cannot add a game.
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

/* data/logs/...; makes the folders. `start` is that of the game. */
bool archive_log_path(struct archive *archive, const char *ladder,
                      const char *start, const char *id, const char *name,
                      char *path, size_t size, struct err *err) MUST_CHECK;

/* All ids in running/, sorted; `each` returns false to stop. */
typedef bool archive_each_id(void *arg, const char *id);

bool archive_running(struct archive *archive, archive_each_id *each, void *arg,
                     struct err *err) MUST_CHECK;

/*
 * Add games that have ended to the index, in one transaction; then their files
 * in running/ go. If the database fails nothing is lost: call again later with
 * the same ones. What is already known is not read.
 *
 * `on_game` hears of each game that is new to the index, after the commit.
 * `on_damaged` hears why a record was not added; it may be NULL.
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
    const struct game_summary *summary; /* or NULL: its record knows */
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
 * Add to the index what the files of days have behind what it knows of them. A
 * record that was just being written goes to running/. `on_game` hears of each
 * as it is added, `on_damaged` of the path of what cannot be. Call it before
 * anything is kept.
 */
bool archive_catch_up(struct archive *archive, const struct archive_news *news,
                      struct err *err) MUST_CHECK;

/* The bytes of a record, wherever the index says, or in running/; into an empty
 * buf. */
bool archive_read(struct archive *archive, const char *id, struct buf *out,
                  struct err *err) MUST_CHECK;

/* Does the index have it? */
bool archive_has(struct archive *archive, const char *id, bool *has,
                 struct err *err) MUST_CHECK;

/* Of one that is not in the index yet, but in its location. */
bool archive_read_at(const struct archive *archive, const char *location,
                     struct buf *out, struct err *err) MUST_CHECK;

/* Is there room for a record in this location of a data folder? */
bool archive_has_place(const char *data, const char *location);

/* Parts of it, for reindex and ladder. */

/* What stands at a location of that data folder. */
bool archive_read_in(const char *data, const char *location, struct buf *out,
                     struct err *err) MUST_CHECK;

/* -1: another referee has it; the lock is lost when the fd is closed. */
int archive_lock(const char *data, struct err *err);

/* Does somebody hold the lock now? */
bool archive_is_locked(const char *data);

/*
 * A location for one record of many in a file:
 * "records/cup/games-001.rec@OFFSET+ LENGTH".
 */
void archive_part(const char *file, int64_t offset, size_t len, char *location,
                  size_t size);

/*
 * Take a record apart; `name` is its path, for messages, where it stands
 * behind so many lines. What it does not say, its location does: `stem`, the
 * name of its file, is its id, and `ladder` its event. Refuses what the index
 * could not hold, but not unclosed ones.
 */
bool archive_summary(struct game_summary *summary, const char *name,
                     int lines_before, const char *stem, const char *ladder,
                     struct buf *text, struct err *err) MUST_CHECK;

/* The same for that of a game whose id is known: another one is refused. */
bool archive_summary_of(struct game_summary *summary, const char *name,
                        const char *id, struct buf *text,
                        struct err *err) MUST_CHECK;

#endif
