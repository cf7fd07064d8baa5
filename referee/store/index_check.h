#ifndef REFEREE_STORE_INDEX_CHECK_H
#define REFEREE_STORE_INDEX_CHECK_H

/*
 * index_check.h - does every game in the index have a record?
 *
 * The index is a copy, and whoever can write to it can invent games. This looks
 * at places only, so that a daemon can do it whenever it starts: each game
 * must have one of its own, in a file that reaches that far. What the rows say
 * beyond that is as good as the last `referee reindex`.
 */

#include "store/archive.h"

/* `say` hears of each game that has none; *wrong is how many they are. */
typedef void index_say(void *arg, const char *id, const char *why);

bool index_check(const char *data, index_say *say, void *arg, int *wrong,
                 struct err *err) MUST_CHECK;

#endif
