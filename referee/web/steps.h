#ifndef REFEREE_WEB_STEPS_H
#define REFEREE_WEB_STEPS_H

/*
 * steps.h - a game as JSON, step by step, for programs that draw it.
 *
 * A document has a head, the steps and an end; protocol.md specifies them. One
 * step is one turn, or one simultaneous choice of several seats. The audience
 * is fixed before anything is written: a seat, AUDIENCE_PUBLIC, or
 * AUDIENCE_REFEREE for a document with everybody's views. Whatever the audience
 * may not know is not in the bytes.
 *
 * A record is read like this; a step that is returned belongs to the caller:
 *
 *     steps_init(&steps, AUDIENCE_PUBLIC);
 *     if (!steps_open(&steps, name, 0, text, len, &err)) ...
 *     head = steps_head(&steps);
 *     while ((ok = steps_next(&steps, &step, &err)) && step) ...
 *     end = steps_end(&steps);
 *
 * A running game has its own state and events: fill a struct step and call
 * step_json() for each audience, once a step is complete.
 */

#include "match/replay.h"

#include <jansson.h>

/* One complete step; everything is borrowed. */
struct step {
    const struct game *game;
    const struct state *state; /* after the step */
    int seats;
    int number; /* 0 is the start */
    int moves;  /* played up to here */
    const struct lines *events;
    size_t first;               /* of the events that this step told */
    const struct lines *asides; /* "clock 1 ...", "note 1 ..."; or NULL */
    size_t asides_end;          /* so many of them belong to this step */
};

json_t *step_json(const struct step *step, int viewer);

struct steps {
    struct replay replay;
    struct lines events, asides;
    int viewer;
    int number; /* of the next step */
    int from;   /* steps before this one are played, but not returned; 0 */
};

void steps_init(struct steps *steps, int viewer);
void steps_release(struct steps *steps);

/*
 * Start a record as replay_open_after() does. Refuses a record that does not
 * have the viewer's seat.
 */
bool steps_open(struct steps *steps, const char *name, int lines_before,
                char *text, size_t len, struct err *err) MUST_CHECK;

json_t *steps_head(const struct steps *steps);

/* The next step; *step is NULL after the last one. */
bool steps_next(struct steps *steps, json_t **step, struct err *err) MUST_CHECK;

/* How it ended; call it after the last step. */
json_t *steps_end(const struct steps *steps);

/* All of the above at once. */
bool steps_read(struct steps *steps, const char *name, int lines_before,
                char *text, size_t len, json_t **document,
                struct err *err) MUST_CHECK;

/* Parts that other JSON uses as well. */

/* Who plays: [{"name", "version", "time"}] by seat. */
json_t *players_json(const struct record *record);

/* {"ranks", "scores", "reason", "left"}, or null while the game goes on. */
json_t *result_json(const struct replay *replay);

/* "valid", "unfinished" or "void". */
const char *replay_status_word(const struct replay *replay);

/* Clocks, notes, refused moves and faults that the viewer may see. */
void asides_json(const struct lines *asides, int viewer, json_t *object);

/* A text with bytes that are not UTF-8 has '?' for all beyond ASCII. */
json_t *text_json(const char *text);

#endif
