#ifndef REFEREE_STORE_SESSION_H
#define REFEREE_STORE_SESSION_H

/*
 * session.h - a name for each run of a program that plays games.
 *
 * The name is the first half of the ids of its games. No two games may ever
 * have the same id, on whichever machine and in whichever folder they are
 * played. So the name of a run is the second of its start, and letters drawn at
 * random, because another run may start in the same second:
 * 20250131-120000-k3x9qa.
 */

#include "base/date.h"
#include "base/err.h"

enum {
    SESSION_LETTERS = 6,
    SESSION_TEXT = DATE_NAME_TEXT + 1 + SESSION_LETTERS,
};

void session_name(long long second, char name[SESSION_TEXT + 1]);

/*
 * Name the run of a daemon that begins now, and keep the name in DATA/session.
 * If the last run began in the same second, or later because the clock was set
 * back, this run takes a later second: later games have later names.
 */
bool session_open(const char *data, long long now, char name[SESSION_TEXT + 1],
                  struct err *err) MUST_CHECK;

/*
 * A unit of several games has parts, and their ids end in a digit: part 3 of
 * 20250131-120000-k3x9qa-000012 is 20250131-120000-k3x9qa-000012-3.
 */
enum { PART_ID_MAX = 63 };

void part_id(const char *unit, int part, char id[PART_ID_MAX + 1]);

/* The part, and its unit; 0 if the id is not of a part. */
int part_in(const char *id, char unit[PART_ID_MAX + 1]);

#endif
