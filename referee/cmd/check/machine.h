#ifndef REFEREE_CMD_CHECK_MACHINE_H
#define REFEREE_CMD_CHECK_MACHINE_H

/*
 * machine.h - judge whether this machine is fair to bots, and how to improve
 * it.
 *
 * `root` is NULL, or a folder that holds a copy of /proc and /sys, from another
 * machine or for a test. With a copy, only its files are judged and nothing is
 * measured.
 */

#include "base/err.h"

/* True if there is no fault. */
bool machine_check(const char *root, bool as_json);

#endif
