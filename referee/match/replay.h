#ifndef REFEREE_MATCH_REPLAY_H
#define REFEREE_MATCH_REPLAY_H

/*
 * replay.h - play a record again, and believe none of it.
 *
 * Every `play` and `leave` goes through the same code as in a live game. Every
 * event that this tells must be in the record, word for word, with its audience
 * and in its place. The first line that is wrong is named.
 *
 *     replay_open() --> replay_next() ... --> status
 *         HALFWAY ---- each next: one move or departure more --> HALFWAY
 *         HALFWAY ---- the record ends, the game does not -----> UNFINISHED
 *         HALFWAY ---- the result stands, and is right --------> FINISHED
 *         HALFWAY ---- "result void" --------------------------> VOID
 *
 * A replay can be used for one record after the other; it keeps its memory.
 */

#include "match/clock_check.h"
#include "match/record.h"
#include "match/seal.h"

enum replay_status {
    REPLAY_HALFWAY,
    REPLAY_UNFINISHED,
    REPLAY_FINISHED,
    REPLAY_VOID
};

enum { REPLAY_UNTOLD_MAX = 16 };

struct replay {
    struct record record;
    enum replay_status status;
    struct state *state;
    struct result result;         /* if the game is over */
    const char *why[SEATS_MAX];   /* the seats that left */
    const char *clock[SEATS_MAX]; /* "STATE used=.. lag=..", or NULL */
    struct clock_check check;
    int clocks;       /* the number of lines that tell it */
    const char *seed; /* in hex, if the record reveals it */
    struct seal seal; /* if record.has_seal: its key has signed it */
    int moves;
    int steps;       /* moves and departures */
    size_t complete; /* bytes up to the last step that is complete */
    bool has_gap;    /* a step before was not: nothing after it is complete */
    bool in_step;    /* some of the seats that must move at once have acted */

    /* What the game told in the last step, for callers that want to see it. */
    struct lines events;
    size_t seen; /* of these events, found in the record */

    /* If this is not NULL: each line for the record only, without "@- ". */
    struct lines *asides;
    size_t asides_ahead; /* this many of them come before the line ahead */

    /* Lines of the record that the game has not told yet. */
    struct record_line untold[REPLAY_UNTOLD_MAX];
    int untold_count;

    const char *start;        /* of the bytes */
    struct record_line ahead; /* read but not used */
    bool has_ahead;
    const char *before_ahead; /* where it was read from, including notes */
};

void replay_init(struct replay *replay);
void replay_release(struct replay *replay);

/*
 * Start a record. `text` is borrowed until the next replay_open(), cut into
 * lines in place, and has room for a NUL at len.
 */
bool replay_open(struct replay *replay, const char *name, char *text,
                 size_t len, struct err *err) MUST_CHECK;

/* The same for a record that has this many lines before it in its file. */
bool replay_open_after(struct replay *replay, const char *name, int lines,
                       char *text, size_t len, struct err *err) MUST_CHECK;

/* One move or departure more. The status says whether there was one. */
bool replay_next(struct replay *replay, struct err *err) MUST_CHECK;

/*
 * Collect the lines for the record only in `asides`, which the caller owns,
 * from the next replay_open() on; NULL: no more.
 */
void replay_collect(struct replay *replay, struct lines *asides);

/*
 * What a record that was replayed to its end does not prove, because it is left
 * out: "its clocks are missing"; or NULL.
 */
const char *replay_lacks(const struct replay *replay);

/* How many asides come before the line that is read next. */
size_t replay_asides(const struct replay *replay);

/* Replay to the end of the record. */
bool replay_all(struct replay *replay, struct err *err) MUST_CHECK;

/* The same; everything that it tells goes to `told`. */
bool replay_told(struct replay *replay, const char *name, int lines, char *text,
                 size_t len, struct lines *told, struct err *err) MUST_CHECK;

/* Is the game itself over, whether or not the record says so? */
bool replay_over(const struct replay *replay);

#endif
