#ifndef REFEREE_DAEMON_SESSION_H
#define REFEREE_DAEMON_SESSION_H

/*
 * session.h - a name for each run of the daemon.
 *
 * Games of a run are called 20250131-120000-000001 and so on, and no two games
 * may ever have one name. The name of the last run is kept in DATA/session; a
 * run that begins in the same second, or before it because the clock was set
 * back, is called by a later second.
 */

#include "base/date.h"
#include "base/err.h"

#include <time.h>

/* Name the run that begins now, and keep the name. */
bool session_open(const char *data, time_t now, char name[DATE_NAME_TEXT + 1],
                  struct err *err) MUST_CHECK;

#endif
