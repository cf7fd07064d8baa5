#ifndef REFEREE_STORE_INDEX_H
#define REFEREE_STORE_INDEX_H

/*
 * index.h - what the records say, in a form that can be asked: SQLite.
 *
 * The records are the truth. Everything here follows from them, and
 * `referee reindex` makes it anew; so a lost index loses nothing, and a game
 * is added at most once, whatever happened before. The same games give the
 * same tables, in whatever order they came: keys are what the records say,
 * never the order of arrival.
 *
 * One process writes (the daemon, or reindex), any number read meanwhile.
 * Nothing waits: a database that is locked for longer than a moment, or full,
 * or read-only, is an err, and the caller tries again later.
 *
 *     bots --< versions --< seats >-- games >-- ladders
 *                  |                             |
 *                  +-------< ratings >-----------+
 *
 * Sums that would take long to add up are kept beside: standings (games, wins,
 * forfeits of a version on a ladder), meetings (of two versions there) and the
 * latest version of each bot there, of which there can be thousands. The view
 * `results` has a row per game and seat, for people with sqlite3.
 *
 * A version is the name of a bot and a text: the digest of its files, or what
 * the bot calls its version. Here it has a number, from 0, which holds for as
 * long as the index is open, and in which there are few gaps: fit for arrays.
 */

#include "match/game_summary.h"

/* BUILD is for a new one that nobody else uses: it is faster, but a failure in
 * a transaction spoils it. */
enum index_mode { INDEX_READ, INDEX_WRITE, INDEX_BUILD };

enum { INDEX_PATIENCE_MS = 50 }; /* for a lock, unless told otherwise */

struct index;

/*
 * INDEX_WRITE makes it if it is not there. One that is damaged, or was made by
 * another version of this program, is refused: reindex.
 */
struct index *index_open(const char *path, enum index_mode mode,
                         struct err *err);
void index_close(struct index *index);

/* For those who have nothing else to do. */
void index_be_patient(struct index *index, int patience_ms);

/*
 * What is committed goes to a log first. When that is long it must be copied to
 * the database, which waits for the disk, and is done by a commit now and then
 * unless index_keep_log() was called. Then somebody else calls index_copy_log()
 * for the path, in another thread if he likes, when the log is long.
 */
enum { INDEX_LOG_PAGES = 1000 }; /* a long one */

void index_keep_log(struct index *index);
int index_log_pages(const struct index *index); /* after the last commit */
int index_copy_log(const char *path);           /* 0, or an error of SQLite */

/*
 * Writing. What is between begin and commit is there wholly or not at all; a
 * failure in between undoes it. `path` is the record's, from the data folder.
 * The summary is of a closed game, and names an id, an event and every bot.
 */
bool index_begin(struct index *index, struct err *err) MUST_CHECK;
bool index_add(struct index *index, const struct game_summary *summary,
               const char *path, bool *is_new, struct err *err) MUST_CHECK;
bool index_commit(struct index *index, struct err *err) MUST_CHECK;
void index_undo(struct index *index);

/*
 * For who must not be kept long: what is asked until the next call may take
 * that many steps of SQLite in all, some 10 for a row, and then fails. 0: any
 * number.
 */
void index_budget(struct index *index, int steps);

/* Did something fail since then because it took too many? */
bool index_is_late(const struct index *index);

/*
 * Reading. Each calls `each` for every row, in the order that is named, and
 * texts live for the call only; `each` returns false to stop, and does not ask
 * the index the same. A ladder that is not there has no rows.
 */

/* A game by the numbers of its versions: for ratings. Void games are not told.
 * Oldest first. */
struct index_result {
    int seats;
    int version[SEATS_MAX];
    int rank[SEATS_MAX];
    int64_t score[SEATS_MAX];
};

typedef bool index_each_result(void *arg, const struct index_result *result);

bool index_results(struct index *index, const char *ladder,
                   index_each_result *each, void *arg,
                   struct err *err) MUST_CHECK;

/* The same in parts: at most so many behind the mark, which is {0} at first and
 * moves on; `is_end` says that there are no more. Who was failed, or has
 * stopped it, begins anew. */
struct index_mark {
    char start[SUMMARY_WORD_MAX + 1];
    char game[SUMMARY_WORD_MAX + 1];
};

bool index_results_part(struct index *index, const char *ladder, int most,
                        struct index_mark *mark, bool *is_end,
                        index_each_result *each, void *arg,
                        struct err *err) MUST_CHECK;

/* A version of a bot on a ladder, the best published rating first. */
struct index_standing {
    int version;
    const char *name;
    const char *text; /* of the version: a digest, or what the bot stated */
    bool is_current;  /* the latest of this name that played here */
    int64_t games;    /* seats, if it sat on several of one game */
    double win_share; /* wins with ties shared, 0 .. 1 */
    double mean_rank, mean_score;
    int64_t forfeits; /* it left, but did not resign */
    bool is_rated;
    double elo, low, high;    /* 95 % interval */
    int group;                /* bots that met, if only through others */
    const char *first, *last; /* start of its first and last game */
};

typedef bool index_each_standing(void *arg, const struct index_standing *row);

bool index_standings(struct index *index, const char *ladder,
                     index_each_standing *each, void *arg,
                     struct err *err) MUST_CHECK;

/* Those of the latest version of each bot only: `limit` of them behind the
 * first `after`. */
bool index_latest(struct index *index, const char *ladder, int after, int limit,
                  index_each_standing *each, void *arg,
                  struct err *err) MUST_CHECK;

/* Those of a bot, the last to play first. */
bool index_standings_of(struct index *index, const char *ladder,
                        const char *bot, int limit, index_each_standing *each,
                        void *arg, struct err *err) MUST_CHECK;

/* The place, from 1, of a standing of a latest version among them. */
bool index_place(struct index *index, const char *ladder,
                 const struct index_standing *standing, int64_t *place,
                 struct err *err) MUST_CHECK;

/* A ladder, by name. */
struct index_ladder {
    const char *name;
    const char *rules; /* the game of its last record */
    int64_t games;     /* finished */
    int64_t voids;
    int64_t rated;      /* games in the published ratings; 0: there are none */
    const char *anchor; /* a name, or "" */
    double anchor_elo;
    bool converged;
    bool is_solo;     /* its ratings are mean scores: nobody met anybody */
    const char *last; /* start of its last game */
};

typedef bool index_each_ladder(void *arg, const struct index_ladder *row);

bool index_ladders(struct index *index, index_each_ladder *each, void *arg,
                   struct err *err) MUST_CHECK;

/* The one of that name, if it is there. */
bool index_ladder(struct index *index, const char *name,
                  index_each_ladder *each, void *arg,
                  struct err *err) MUST_CHECK;

/* Of its published ratings. */
struct index_fit {
    int groups;
    bool has_anchor; /* it is rated */
};

bool index_fit(struct index *index, const char *ladder, const char *anchor,
               struct index_fit *fit, struct err *err) MUST_CHECK;

/* Bots that finished a game there, by name, then by ladder; those behind
 * `after` ("": all). */
typedef bool index_each_bot(void *arg, const char *bot, const char *ladder);

bool index_bots(struct index *index, const char *after, index_each_bot *each,
                void *arg, struct err *err) MUST_CHECK;

/* Of one bot; the ladders behind `after`. */
bool index_ladders_of(struct index *index, const char *bot, const char *after,
                      int limit, index_each_bot *each, void *arg,
                      struct err *err) MUST_CHECK;

/* How a bot, all its versions, did against another; the most games first. */
struct index_opponent {
    const char *name;
    int64_t games, wins, ties; /* the rest was lost */
};

typedef bool index_each_opponent(void *arg, const struct index_opponent *row);

bool index_opponents(struct index *index, const char *ladder, const char *bot,
                     int limit, index_each_opponent *each, void *arg,
                     struct err *err) MUST_CHECK;

/* A game with its seats. */
struct index_seat {
    const char *name, *text;
    const char *why; /* it left; "": it stayed */
    int rank, score;
};

struct index_game {
    const char *id, *ladder, *start, *rules, *unit, *reason, *path;
    int part, parts;
    int64_t moves;
    bool is_void; /* then ranks and scores are 0 */
    int seats;
    struct index_seat seat[SEATS_MAX];
};

typedef bool index_each_game(void *arg, const struct index_game *game);

/*
 * The latest games of a ladder, or of a bot there, newest first, at most
 * `limit`. `before` is the id of a game: only those that come behind it in
 * this order; a game that is not there has none behind it.
 */
struct index_page {
    const char *ladder;
    const char *bot;    /* NULL: all */
    const char *before; /* NULL: from the newest on */
    int limit;
};

bool index_games(struct index *index, const struct index_page *page,
                 index_each_game *each, void *arg, struct err *err) MUST_CHECK;

/* The game of that id, if it is there. */
bool index_game(struct index *index, const char *id, index_each_game *each,
                void *arg, struct err *err) MUST_CHECK;

/* All games of a ladder, or of a bot there, oldest first. */
bool index_all_games(struct index *index, const char *ladder, const char *bot,
                     index_each_game *each, void *arg,
                     struct err *err) MUST_CHECK;

/*
 * How far the index has a file of records, from the data folder: of so many
 * bytes at its beginning it has every record. 0 if it knows nothing of it.
 */
bool index_upto(struct index *index, const char *file, int64_t *bytes,
                struct err *err) MUST_CHECK;
bool index_set_upto(struct index *index, const char *file, int64_t bytes,
                    struct err *err) MUST_CHECK; /* between begin and commit */

/* Where the records of all games lie, sorted by that. */
typedef bool index_each_place(void *arg, const char *id, const char *path);

bool index_places(struct index *index, index_each_place *each, void *arg,
                  struct err *err) MUST_CHECK;

/* Where the record of a game lies, from the data folder; "": not here. */
bool index_path(struct index *index, const char *id, char *path, size_t size,
                struct err *err) MUST_CHECK;

#endif
