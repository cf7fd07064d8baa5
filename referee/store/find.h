#ifndef REFEREE_STORE_FIND_H
#define REFEREE_STORE_FIND_H

/*
 * find.h - the games of a ladder that match what somebody asks for.
 *
 * The index has no order for most of these questions, so games are examined
 * one by one, newest first. A search ends when it has found enough games or
 * has examined enough of them, and says where the next one has to begin.
 */

#include "store/index.h"

#include <jansson.h>

enum find_result { FIND_ANY, FIND_WON, FIND_TIED, FIND_LOST, FIND_VOID };

/* Empty texts, 0 and FIND_ANY match every game. */
struct find {
    const char *ladder;
    const char *bot;         /* one of the seats */
    const char *opponent;    /* another seat */
    int seat;                /* where `bot` sits, from 1 */
    enum find_result result; /* for `bot`; FIND_VOID needs no bot */
    const char *fault;  /* why a seat left (that of `bot`), or "any" of these */
    const char *before; /* the id of a game: only older ones */
    int limit;          /* games found */
    int look;           /* games examined */
};

/* "won", "tied", "lost", "void", or "" for any. */
bool find_result_read(const char *word, enum find_result *result);

/* Does this make sense? Without a bot, a seat does not. */
bool find_check(const struct find *find, struct err *err) MUST_CHECK;

/*
 * [game...] as in report.h, newest first. `next` is the value of `before` with
 * which the search goes on, or "" if there are no more games.
 */
json_t *find_games(struct index *index, const struct find *find,
                   char next[SUMMARY_WORD_MAX + 1], struct err *err);

#endif
