#ifndef REFEREE_CMD_LIB_BOT_KEYS_H
#define REFEREE_CMD_LIB_BOT_KEYS_H

/*
 * bot_keys.h - [bot NAME], in every ini file: a struct bot_entry.
 */

#include "cmd/lib/bots.h"
#include "cmd/lib/ini.h"

#define BOT_ABOUT "a program that plays here"

extern const struct ini_key bot_keys[];

/* Is everything required given, and does the folder exist? */
void bot_entry_check(struct ini *ini, const struct ini_section *section);

/* `key` names a bot without a section: suggest the one that may be meant. */
void no_such_bot(struct ini *ini, int line, const char *key, const char *name);

#endif
