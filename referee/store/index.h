#ifndef REFEREE_STORE_INDEX_H
#define REFEREE_STORE_INDEX_H

/*
 * index.h - what the records say, as a database: SQLite.
 *
 * The records are the truth. Everything here follows from them, and
 * `referee reindex` rebuilds it, so a lost index loses nothing. A game is added
 * at most once, whatever happened before. The same games give the same tables,
 * whatever order they arrive in: keys are what the records say.
 *
 * One process writes (the daemon, or reindex); any number read at the same
 * time. Nothing waits: a database that is locked for longer than a moment, or
 * full, or read-only, is an error, and the caller tries again later.
 *
 *     bots --< versions --< seats >-- games >-- ladders
 *                  |                             |
 *                  +-------< ratings >-----------+
 *
 * Sums that would take long to compute are stored too: standings (games, wins,
 * forfeits of a version on a ladder), meetings (of two versions there) and the
 * latest version of each bot there, since there can be thousands. The view
 * `results` has a row per game and seat, for people with sqlite3.
 *
 * A version is the name of a bot and a text: the digest of its files, or what
 * the bot calls its version. Here it has a number, from 0, which is valid while
 * the index is open. The numbers have few gaps, so they suit arrays.
 */

#include "match/game_summary.h"

/*
 * BUILD is for a new index that nobody else uses. It is faster, but a failure
 * in a transaction spoils the index.
 */
enum index_mode { INDEX_READ, INDEX_WRITE, INDEX_BUILD };

enum { INDEX_PATIENCE_MS = 50 }; /* for a lock, unless told otherwise */

struct index;

/*
 * INDEX_WRITE creates the index if it does not exist. An index that is damaged,
 * or was made by another version of this program, is refused: reindex.
 */
struct index *index_open(const char *path, enum index_mode mode,
                         struct err *err);
void index_close(struct index *index);

/* For callers that have nothing else to do. */
void index_be_patient(struct index *index, int patience_ms);

/*
 * Committed data first goes to a log. When the log is long it must be copied to
 * the database, and that waits for the disk. A commit does so now and then
 * unless index_keep_log() was called. Then the caller runs index_copy_log() for
 * the path when the log is long, in another thread if it likes.
 */
enum { INDEX_LOG_PAGES = 1000 }; /* a long one */

void index_keep_log(struct index *index);
int index_log_pages(const struct index *index); /* after the last commit */
int index_copy_log(const char *path);           /* 0, or an error of SQLite */

/*
 * Writing. What happens between begin and commit is stored wholly or not at
 * all; a failure in between undoes it. `path` is the record's, from the data
 * folder. The summary is of a closed game, and names an id, an event and every
 * bot.
 */
bool index_begin(struct index *index, struct err *err) MUST_CHECK;
bool index_add(struct index *index, const struct game_summary *summary,
               const char *path, bool *is_new, struct err *err) MUST_CHECK;
bool index_commit(struct index *index, struct err *err) MUST_CHECK;
void index_undo(struct index *index);

/*
 * For callers that must not be kept long: until the next call, all questions
 * together may take this many steps of SQLite, about 10 for each row, and then
 * fail. 0: no limit.
 */
void index_budget(struct index *index, int steps);

/* Has a question failed since then because it took too many steps? */
bool index_is_late(const struct index *index);

/*
 * Reading. Each function calls `each` for every row, in the stated order. Texts
 * live only during the call. `each` returns false to stop, and must not ask the
 * same question. A ladder that does not exist has no rows.
 */

/*
 * A game by the numbers of its versions, for ratings. Void games are left out.
 * Oldest first.
 */
struct index_result {
    int seats;
    int version[SEATS_MAX];
    int rank[SEATS_MAX];
    int64_t score[SEATS_MAX];
    int left_moves[SEATS_MAX]; /* it resigned or forfeited: those of the game;
                                  or STAYED */
};

enum { STAYED = -1 };

typedef bool index_each_result(void *arg, const struct index_result *result);

bool index_results(struct index *index, const char *ladder,
                   index_each_result *each, void *arg,
                   struct err *err) MUST_CHECK;

/* The mean of the moves of games on a ladder that nobody left; 0: none. */
bool index_usual_moves(struct index *index, const char *ladder, double *moves,
                       struct err *err) MUST_CHECK;

/*
 * The same in parts: at most this many games after the mark, which is {0} at
 * first and moves on. `is_end` says that there are no more. A caller that
 * failed or stopped begins again.
 */
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
    bool is_current;  /* the latest version of this name that played here */
    int64_t games;    /* seats, if it had several in one game */
    double win_share; /* wins with ties shared, 0 .. 1 */
    double mean_rank, mean_score;
    int64_t forfeits; /* it left, but did not resign */
    bool is_rated;
    double elo, low, high;    /* 95 % interval */
    int group;                /* bots that met, directly or through others */
    const char *first, *last; /* start of its first and last game */
};

typedef bool index_each_standing(void *arg, const struct index_standing *row);

bool index_standings(struct index *index, const char *ladder,
                     index_each_standing *each, void *arg,
                     struct err *err) MUST_CHECK;

/*
 * Only the latest version of each bot: `limit` of them after the first `after`.
 */
bool index_latest(struct index *index, const char *ladder, int after, int limit,
                  index_each_standing *each, void *arg,
                  struct err *err) MUST_CHECK;

/* All versions of a bot, the one that played last first. */
bool index_standings_of(struct index *index, const char *ladder,
                        const char *bot, int limit, index_each_standing *each,
                        void *arg, struct err *err) MUST_CHECK;

/* The place, from 1, of a standing among the latest versions. */
bool index_place(struct index *index, const char *ladder,
                 const struct index_standing *standing, int64_t *place,
                 struct err *err) MUST_CHECK;

/* A ladder, by name. */
struct index_ladder {
    const char *name;
    const char *rules; /* the game of its last record */
    int64_t games;     /* finished */
    int64_t voids;
    /* games in the published ratings; 0: there are no ratings */
    int64_t rated;
    const char *anchor; /* a name, or "" */
    double anchor_elo;
    bool converged;
    bool is_solo;     /* its ratings are mean scores: nobody met anybody */
    const char *last; /* start of its last game */
};

typedef bool index_each_ladder(void *arg, const struct index_ladder *row);

bool index_ladders(struct index *index, index_each_ladder *each, void *arg,
                   struct err *err) MUST_CHECK;

/* The ladder of that name, if there is one. */
bool index_ladder(struct index *index, const char *name,
                  index_each_ladder *each, void *arg,
                  struct err *err) MUST_CHECK;

/* Its published ratings. */
struct index_fit {
    int groups;
    bool has_anchor; /* it is rated */
};

bool index_fit(struct index *index, const char *ladder, const char *anchor,
               struct index_fit *fit, struct err *err) MUST_CHECK;

/*
 * Bots that finished a game there, by name and then by ladder, after `after`
 * ("": all).
 */
typedef bool index_each_bot(void *arg, const char *bot, const char *ladder);

bool index_bots(struct index *index, const char *after, index_each_bot *each,
                void *arg, struct err *err) MUST_CHECK;

/* The ladders of one bot, after `after`. */
bool index_ladders_of(struct index *index, const char *bot, const char *after,
                      int limit, index_each_bot *each, void *arg,
                      struct err *err) MUST_CHECK;

/*
 * How a bot, with all its versions, did against another; the most games first.
 */
struct index_opponent {
    const char *name;
    int64_t games, wins, ties; /* the rest were lost */
};

typedef bool index_each_opponent(void *arg, const struct index_opponent *row);

bool index_opponents(struct index *index, const char *ladder, const char *bot,
                     int limit, index_each_opponent *each, void *arg,
                     struct err *err) MUST_CHECK;

/* A game of a bot, once for each opponent in it; without one in a solo game. */
struct index_encounter {
    const char *game, *start;
    const char *version;
    int seat; /* of the bot, from 1 */
    int rank;
    int64_t score;
    bool has_other, is_rated; /* is there an opponent, and is it rated? */
    int other_rank;
    double elo; /* published, of the opponent */
};

typedef bool index_each_encounter(void *arg, const struct index_encounter *row);

/* Those of its last finished games, the newest game first. */
bool index_encounters(struct index *index, const char *ladder, const char *bot,
                      int games, index_each_encounter *each, void *arg,
                      struct err *err) MUST_CHECK;

/* A game with its seats. */
struct index_seat {
    const char *name, *text;
    const char *why; /* why it left; "": it stayed */
    int rank, score;
};

struct index_game {
    const char *id, *ladder, *start, *rules, *unit, *reason, *path;
    int part, parts;
    int64_t moves;
    bool is_void;   /* then ranks and scores are 0 */
    bool is_struck; /* it would count, but for the organiser's order */
    int seats;
    struct index_seat seat[SEATS_MAX];
};

typedef bool index_each_game(void *arg, const struct index_game *game);

/*
 * The latest games of a ladder, or of a bot there, newest first, at most
 * `limit`. `before` is the id of a game: only games that follow it in this
 * order are listed. After a game that does not exist there are none.
 */
struct index_page {
    const char *ladder;
    const char *bot;    /* NULL: all */
    const char *before; /* NULL: start with the newest */
    int limit;
};

bool index_games(struct index *index, const struct index_page *page,
                 index_each_game *each, void *arg, struct err *err) MUST_CHECK;

/* The game of that id, if there is one. */
bool index_game(struct index *index, const char *id, index_each_game *each,
                void *arg, struct err *err) MUST_CHECK;

/* All games of a ladder, or of a bot there, oldest first. */
bool index_all_games(struct index *index, const char *ladder, const char *bot,
                     index_each_game *each, void *arg,
                     struct err *err) MUST_CHECK;

/*
 * The number of bytes at the beginning of a file of records, named from the
 * data folder, from which the index has every record. 0 if it does not know the
 * file.
 */
bool index_upto(struct index *index, const char *file, int64_t *bytes,
                struct err *err) MUST_CHECK;
bool index_set_upto(struct index *index, const char *file, int64_t bytes,
                    struct err *err) MUST_CHECK; /* between begin and commit */

/* Where the records of all games are, sorted by that. */
typedef bool index_each_place(void *arg, const char *id, const char *path);

bool index_places(struct index *index, index_each_place *each, void *arg,
                  struct err *err) MUST_CHECK;

/* Where the record of a game is, from the data folder; "": not here. */
bool index_path(struct index *index, const char *id, char *path, size_t size,
                struct err *err) MUST_CHECK;

#endif
