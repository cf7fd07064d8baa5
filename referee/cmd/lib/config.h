#ifndef REFEREE_CMD_LIB_CONFIG_H
#define REFEREE_CMD_LIB_CONFIG_H

/*
 * config.h - the ini file of a command.
 *
 * Each key of a section is a row in a table, with where its value goes. A key
 * that no table has, or a value that does not fit, is reported with file and
 * line, and with the key that was probably meant.
 */

#include "cmd/lib/bots.h"
#include "cmd/lib/options.h"

/*
 * Fill `book` from the [bot NAME] sections and the options of a command from
 * the section of its name, for those that were not given on the command line.
 * `words` gets the bots that the section names with `bots = a, b`.
 */
bool config_read(const char *path, const char *section, const struct opt *opts,
                 const bool *given, struct bot_book *book, struct texts *words,
                 struct err *err) MUST_CHECK;

#endif
