#ifndef REFEREE_MATCH_GAME_SUMMARY_H
#define REFEREE_MATCH_GAME_SUMMARY_H

/*
 * game_summary.h - what an index keeps of a record: who played, where, and how
 * it ended.
 *
 * The hash is checked. The moves are not played again; replay.h does that. What
 * a record does not say is "".
 */

#include "match/record.h"

enum {
    SUMMARY_WORD_MAX = 64, /* of an id, an event, a version, ... */
    SUMMARY_NAME_MAX = 32,
};

/* Unclosed: its writer was killed, or is still writing. */
enum summary_status { SUMMARY_UNCLOSED, SUMMARY_FINISHED, SUMMARY_VOID };

struct summary_seat {
    char name[SUMMARY_NAME_MAX + 1];
    /* digest of its files, or what it says itself */
    char version[SUMMARY_WORD_MAX + 1];
    /* a local bot: the version is its digest */
    bool has_digest;
    char why[SUMMARY_NAME_MAX + 1]; /* why it left; "": it stayed */
    int rank, score;                /* if finished */
};

struct game_summary {
    enum summary_status status;
    const struct game *game;
    int seats;
    char id[SUMMARY_WORD_MAX + 1]; /* from here on: from the line `about` */
    char event[SUMMARY_WORD_MAX + 1];
    char unit[SUMMARY_WORD_MAX + 1];
    char start[SUMMARY_WORD_MAX + 1];
    int part, parts; /* of the unit; 1 of 1 if it is alone */
    struct summary_seat seat[SEATS_MAX];
    char reason[SUMMARY_WORD_MAX + 1]; /* why it ended, or is void */
    int moves;
    bool has_seed; /* it reveals the seed */
    size_t bytes;  /* length of the record */
};

/* Parts of it: the line `about`, or NULL; and "result ...". */
bool summary_about(struct game_summary *summary, const char *about) MUST_CHECK;
bool summary_result(struct game_summary *summary, const char *line) MUST_CHECK;

/* Copy it, if it is not too long. */
bool game_summary_copy(char *to, size_t size, const char *from,
                       size_t len) MUST_CHECK;

/*
 * `text` is borrowed, cut in place, and has room for a NUL at len.
 * `lines_before` lines come before it in its file.
 */
bool game_summary_read(struct game_summary *summary, const char *name,
                       int lines_before, char *text, size_t len,
                       struct err *err) MUST_CHECK;

#endif
