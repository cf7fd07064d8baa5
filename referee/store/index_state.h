#ifndef REFEREE_INDEX_STATE_H
#define REFEREE_INDEX_STATE_H

/*
 * index_state.h - the inside of an index; for the index_*.c files only.
 */

#include "store/index.h"
#include "store/sql.h"

/* The rows of index_texts[]. */
enum statement {
    BEGIN,
    COMMIT,
    HAS_GAME,
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
    MEETINGS,
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
    START_OF,
    GAME_OF_ID,
    GAMES_ON,
    GAMES_OF,
    ALL_GAMES_ON,
    ALL_GAMES_OF,
    SEATS_OF,
    PATH_OF,
    ENTRANTS,
    DROP_RATINGS,
    ADD_RATING,
    ADD_FIT,
    STATEMENTS
};

enum { INDEX_SCHEMA = 2 }; /* another one is another program's */

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

struct index {
    struct sql sql;
    struct numbers numbers;
    int log_pages;
    int steps_left; /* for who may not ask for long, ... */
    bool is_late;   /* ... and did */
};

/* The number of a version's key, new or known. */
int index_number(struct index *index, int64_t key);

#endif
