#ifndef REFEREE_CMD_LIB_CONFIG_H
#define REFEREE_CMD_LIB_CONFIG_H

/*
 * config.h - the ini file of a command.
 *
 * Each key of a section is a row in a table that names the target of its value.
 * An unknown key or an unsuitable value is reported with file and line, and
 * with the key that was probably meant.
 */

#include "cmd/lib/bots.h"
#include "cmd/lib/options.h"

/*
 * Fill `book` from the [bot NAME] sections. Fill the options that were not
 * given on the command line from the section named after the command. `words`
 * gets the bots that this section names with `bots = a, b`.
 */
bool config_read(const char *path, const char *section, const struct opt *opts,
                 const bool *given, struct bot_book *book, struct texts *words,
                 struct err *err) MUST_CHECK;

#endif
