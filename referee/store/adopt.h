#ifndef REFEREE_STORE_ADOPT_H
#define REFEREE_STORE_ADOPT_H

/*
 * adopt.h - put a record that somebody brought into the index.
 *
 * Programs older than session.h gave the same id to games of different
 * tournaments. Such a game gets an id of its own, which begins with its hash:
 * 5f0c12ab-r01-t01-1. A copy of a record that the index already has is left
 * out.
 */

#include "store/archive.h"
#include "store/index.h"

/*
 * The record is at `location` of the data folder. If it is not new, the index
 * already has it, and the id is that of the other copy.
 */
bool adopt_record(struct index *index, const char *data,
                  struct game_summary *game, const char *location, bool *is_new,
                  struct err *err) MUST_CHECK;

#endif
