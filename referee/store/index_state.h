#ifndef REFEREE_STORE_INDEX_STATE_H
#define REFEREE_STORE_INDEX_STATE_H

/*
 * index_state.h - the inside of an index; for the index_*.c files only.
 */

#include "store/index.h"
#include "store/sql.h"

/* The rows of index_texts[]. */
enum statement {
    BEGIN,
    COMMIT,
    ADD_LADDER,
    ADD_BOT,
    FIND_VERSION,
    ADD_VERSION,
    ADD_GAME,
    ADD_SEAT,
    ADD_STANDING,
    ADD_LATEST,
    ADD_MEETING,
    RESULTS,
    USUAL_MOVES,
    STANDINGS,
    LATEST_ON,
    STANDINGS_OF,
    PLACE_OF,
    LADDERS,
    LADDER_NAMED,
    FIT_OF,
    BOTS,
    LADDERS_OF,
    OPPONENTS,
    ENCOUNTERS,
    START_OF,
    GAME_OF_ID,
    GAMES_ON,
    GAMES_OF,
    ALL_GAMES_ON,
    ALL_GAMES_OF,
    SEATS_OF,
    PATH_OF,
    PLACES,
    UPTO,
    SET_UPTO,
    ENTRANTS,
    DROP_RATINGS,
    ADD_RATING,
    ADD_FIT,
    PLAYED_BY,
    STRUCK,
    SEATS_TO_COUNT,
    TURN_RANKS,
    MARK_GAME,
    DROP_FIT,
    DROP_STANDINGS,
    DROP_MEETINGS,
    FIND_TIMES,
    DROP_LATEST,
    FIND_LATEST,
    STATEMENTS
};

enum { INDEX_SCHEMA = 3 }; /* another one is another program's */

extern const char index_schema[];
extern const char *const index_texts[STATEMENTS];

/* Keys of versions and their numbers; open addressing, a power of two. */
struct numbers {
    struct number_slot {
        int64_t key; /* 0: free */
        int number;
    } * slot;
    int cap, count;
};

/* Versions that were looked for, each in the slot of its hash. */
enum { KNOWN_SLOTS = 256 };

/* What fits.converged may be beside 0 and 1. */
enum { INDEX_FIT_SOLO = 2 };

/* What games.is_void may be beside 0 and 1. A struck game keeps its ranks with
 * the other sign, so it counts for nothing and can come back. */
enum { INDEX_STRUCK = 2 };

struct known_version {
    char name[SUMMARY_NAME_MAX + 1];
    char text[SUMMARY_WORD_MAX + 1];
    int64_t key; /* 0: free */
};

/* See index_tally.c. */
enum { TALLY_LADDERS = 16, TALLY_STANDINGS = 64, TALLY_MEETINGS = 256 };

struct tally {
    struct ladder_sum {
        char name[SUMMARY_WORD_MAX + 1];
        int games, voids;
    } ladder[TALLY_LADDERS];
    struct standing_sum {
        int ladder; /* which of them */
        int64_t version;
        char bot[SUMMARY_NAME_MAX + 1];
        char text[SUMMARY_WORD_MAX + 1];
        int games, forfeits;
        int64_t wins, ranks, scores;
        char first[SUMMARY_WORD_MAX + 1], last[SUMMARY_WORD_MAX + 1];
    } standing[TALLY_STANDINGS];
    struct meeting_sum {
        int standing, opponent; /* which of them */
        int games, wins, ties;
    } meeting[TALLY_MEETINGS];
    int ladders, standings, meetings;
};

struct index {
    struct sql sql;
    struct numbers numbers;
    struct known_version known[KNOWN_SLOTS];
    struct tally tally; /* of the transaction */
    int log_pages;
    int steps_left; /* for who may not ask for long, ... */
    bool is_late;   /* ... and did */
};

/* Count a game so many times, -1 to take it out. When there is no room the
 * sums so far are written. */
bool tally_add(struct index *index, const struct game_summary *summary,
               const int64_t *version, int times, struct err *err) MUST_CHECK;
bool tally_write(struct index *index, struct err *err) MUST_CHECK;
void tally_clear(struct tally *tally);

/* The number of a version's key, new or known. */
int index_number(struct index *index, int64_t key);

#endif
