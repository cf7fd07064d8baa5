#ifndef REFEREE_SGF_H
#define REFEREE_SGF_H

/*
 * sgf.h - games of Go as SGF, the format that Go programs read, and back.
 *
 *     sgf_begin(&sgf, &replay);                  after replay_open()
 *     sgf_step(&sgf, &replay);                   after each replay_next()
 *     sgf_end(&sgf, &replay, out);
 *
 * A tree with one branch: names, size, komi, handicap stones, result, and for
 * each move what was left on the clock and what the bots noted.
 */

#include "match/replay.h"

struct sgf {
    struct buf nodes;    /* of the moves: the root needs the result first */
    struct buf comment;  /* of the next move */
    struct lines asides; /* clocks and notes, collected by the replay */
    char handicap[LINE_MAX_BYTES];
};

void sgf_init(struct sgf *sgf);
void sgf_release(struct sgf *sgf);

/* To be called before replay_open(): it makes the replay collect asides. */
void sgf_open(struct sgf *sgf, struct replay *replay);

/* False if it is no game of Go. */
bool sgf_begin(struct sgf *sgf, const struct replay *replay,
               struct err *err) MUST_CHECK;
void sgf_step(struct sgf *sgf, const struct replay *replay);
void sgf_end(struct sgf *sgf, const struct replay *replay, struct buf *out);

/*
 * The other way: the main branch of every game in the text becomes a record
 * with a head and moves. Nothing is checked here but the form; a replay does
 * the rest.
 */
bool sgf_read(const char *text, struct buf *out, struct err *err) MUST_CHECK;

#endif
