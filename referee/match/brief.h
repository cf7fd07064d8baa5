#ifndef REFEREE_BRIEF_H
#define REFEREE_BRIEF_H

/*
 * brief.h - what an index keeps of a record: who played, where, and how it
 * ended.
 *
 * The hash is checked; the moves are not played again, which is what replay.h
 * is for. What a record does not say is "".
 */

#include "match/record.h"

enum {
    BRIEF_WORD_MAX = 64, /* of an id, an event, a version, ... */
    BRIEF_NAME_MAX = 32,
};

/* Unclosed: its writer was killed, or still writes. */
enum brief_status { BRIEF_UNCLOSED, BRIEF_FINISHED, BRIEF_VOID };

struct brief_seat {
    char name[BRIEF_NAME_MAX + 1];
    char version[BRIEF_WORD_MAX + 1]; /* digest of its files, or its word */
    bool has_digest;                  /* a local bot: the version is that */
    char why[BRIEF_NAME_MAX + 1];     /* it left; "": it stayed */
    int rank, score;                  /* if finished */
};

struct brief {
    enum brief_status status;
    const struct game *game;
    int seats;
    char id[BRIEF_WORD_MAX + 1]; /* from here on: the line `about` */
    char event[BRIEF_WORD_MAX + 1];
    char unit[BRIEF_WORD_MAX + 1];
    char start[BRIEF_WORD_MAX + 1];
    int part, parts; /* of the unit; 1 of 1 if it is alone */
    struct brief_seat seat[SEATS_MAX];
    char reason[BRIEF_WORD_MAX + 1]; /* why it ended, or is void */
    int moves;
    bool has_seed; /* it reveals it */
    size_t bytes;  /* of the record */
};

/* Parts of it: the line `about`, or NULL; and "result ...". */
bool brief_about(struct brief *brief, const char *about) MUST_CHECK;
bool brief_result(struct brief *brief, const char *line) MUST_CHECK;

/* Copy it, if it is not too long. */
bool brief_copy(char *to, size_t size, const char *from, size_t len) MUST_CHECK;

/*
 * `text` is borrowed, cut in place, and has room for a NUL at len; in its file
 * it stands behind so many lines.
 */
bool brief_read(struct brief *brief, const char *name, int behind, char *text,
                size_t len, struct err *err) MUST_CHECK;

#endif
