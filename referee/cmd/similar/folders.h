#ifndef REFEREE_CMD_SIMILAR_FOLDERS_H
#define REFEREE_CMD_SIMILAR_FOLDERS_H

/*
 * folders.h - the sources of all bots, laid out for a source comparison tool.
 *
 * OUT/NAME has the files of the version of NAME that plays: one folder for each
 * student, as JPlag and others want it. What builds made is there, too; links
 * and devices are not.
 */

#include "base/err.h"

/* `out` must not exist. *count is the number of bots. */
bool similar_folders(const char *shelf, const char *out, int *count,
                     struct err *err) MUST_CHECK;

#endif
