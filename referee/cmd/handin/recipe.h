#ifndef REFEREE_CMD_HANDIN_RECIPE_H
#define REFEREE_CMD_HANDIN_RECIPE_H

/*
 * recipe.h - how to build and start a bot that came as a folder.
 *
 * bot.ini in the folder says so:
 *
 *     [bot]
 *     build = make
 *     command = ./bot
 *     ladders = rondo, axiom
 *
 * Without it, the files that are there say enough: bot.py is run by Python, a
 * Makefile builds ./bot, and so on.
 */

#include "base/pool.h"
#include "cmd/lib/ini.h"

struct recipe {
    const char *build; /* a command, or NULL: nothing to build */
    const char *command;
    const char *ladders; /* names with commas, or NULL: wherever it may */
    const char *why;     /* "bot.ini", or the file that it was guessed from */
};

/* The texts live in the pool. */
bool recipe_read(const char *folder, struct pool *pool, struct recipe *recipe,
                 struct err *err) MUST_CHECK;

/* Does its author want it on this ladder? */
bool recipe_wants(const struct recipe *recipe, const char *ladder);

/* What may stand in bot.ini, and what is guessed without it. */
void recipe_help(struct buf *out);

#endif
