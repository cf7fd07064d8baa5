#ifndef REFEREE_CMD_HANDIN_RECIPE_H
#define REFEREE_CMD_HANDIN_RECIPE_H

/*
 * recipe.h - how to build and start a bot that was submitted as a folder.
 *
 * bot.ini in the folder says how:
 *
 *     [bot]
 *     build = make
 *     command = ./bot
 *     ladders = rondo, axiom
 *
 * Without it, the recipe is guessed from the files: Python runs bot.py, a
 * Makefile builds ./bot, and so on.
 */

#include "base/pool.h"
#include "cmd/lib/ini.h"

struct recipe {
    const char *build; /* a command, or NULL: nothing to build */
    const char *command;
    const char *ladders; /* with commas; NULL: all that allow it */
    const char *why;     /* "bot.ini", or the file used for the guess */
};

/* The texts are kept in the pool. */
bool recipe_read(const char *folder, struct pool *pool, struct recipe *recipe,
                 struct err *err) MUST_CHECK;

/* True if its author wants it on this ladder. */
bool recipe_wants(const struct recipe *recipe, const char *ladder);

/* Help: the keys of bot.ini, and what is guessed without it. */
void recipe_help(struct buf *out);

#endif
