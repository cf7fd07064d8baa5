#ifndef REFEREE_SGF_H
#define REFEREE_SGF_H

/*
 * sgf.h - convert games of Go to SGF, the format that Go programs read, and
 * back.
 *
 *     sgf_begin(&sgf, &replay);                  after replay_open()
 *     sgf_step(&sgf, &replay);                   after each replay_next()
 *     sgf_end(&sgf, &replay, out);
 *
 * The tree has one branch: names, size, komi, handicap stones, result, and for
 * each move the time left on the clock and the bots' notes.
 */

#include "match/replay.h"

struct sgf {
    struct buf nodes;   /* text of the moves: the root needs the result first */
    struct buf comment; /* of the next move */
    struct lines asides; /* clocks and notes, collected by the replay */
    char handicap[LINE_MAX_BYTES];
};

void sgf_init(struct sgf *sgf);
void sgf_release(struct sgf *sgf);

/* Call this before replay_open(): it makes the replay collect asides. */
void sgf_open(struct sgf *sgf, struct replay *replay);

/* False if it is not a game of Go. */
bool sgf_begin(struct sgf *sgf, const struct replay *replay,
               struct err *err) MUST_CHECK;
void sgf_step(struct sgf *sgf, const struct replay *replay);
void sgf_end(struct sgf *sgf, const struct replay *replay, struct buf *out);

/*
 * The other way: the main branch of every game in the text becomes a record
 * with a head and moves. Only the form is checked here; a replay checks the
 * rest.
 */
bool sgf_read(const char *text, struct buf *out, struct err *err) MUST_CHECK;

#endif
