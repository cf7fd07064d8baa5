#ifndef REFEREE_CMD_CHECK_MACHINE_H
#define REFEREE_CMD_CHECK_MACHINE_H

/*
 * machine.h - is this machine fair to bots, and what would make it fairer?
 *
 * `root` is NULL, or a folder that holds a copy of /proc and /sys, of another
 * machine or for a test. Then only what is written there is judged, and
 * nothing is measured.
 */

#include "base/err.h"

/* True if there is no fault. */
bool machine_check(const char *root, bool as_json);

#endif
