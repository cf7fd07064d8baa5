#ifndef REFEREE_CMD_PEOPLE_PEOPLE_H
#define REFEREE_CMD_PEOPLE_PEOPLE_H

/*
 * people.h - who owns which bots: the only file that has real names.
 *
 *     bot,owner,Full name,Email
 *     calm-otter,calm-otter,"Adams, Anna",anna@example.org
 *     tiger,calm-otter,"Adams, Anna",anna@example.org
 *     brave-heron,brave-heron,Bob Brown,bob@example.org
 *
 * Everybody sees `bot`. `owner` is a pseudonym: it goes into the key file and
 * groups the bots of one owner. The other columns hold whatever the class list
 * says about the person. The server never reads this file, and it must not be
 * in the server's data folder.
 */

#include "base/err.h"
#include "base/pool.h"

enum { ABOUT_MAX = 16, PEOPLE_MAX = 65536, PSEUDONYM_MAX = 32 };

struct people_row {
    const char *bot, *owner;
    const char *about[ABOUT_MAX]; /* as many as there are titles */
    bool is_new;                  /* changed since the file was read */
};

struct people {
    const char *title[ABOUT_MAX]; /* titles of the columns after the owner */
    int titles;
    struct people_row *row;
    int count, cap;
    struct pool pool;
};

/* A missing file has no people. Release the people in any case. */
bool people_read(struct people *people, const char *path,
                 struct err *err) MUST_CHECK;
void people_release(struct people *people);

/*
 * The file is replaced in one step or not at all, and only its owner can read
 * it.
 */
bool people_write(const struct people *people, const char *path,
                  struct err *err) MUST_CHECK;

/*
 * Add the people of a class list, a CSV file with a line of titles. If it has
 * columns named "bot" (one name or several) and "owner", their values are used;
 * otherwise pseudonyms are made for both. A person already in the file keeps
 * the pseudonym and the bots, and gets the new bots too.
 */
bool people_import(struct people *people, const char *path,
                   struct err *err) MUST_CHECK;

/* The row of a bot, or NULL. */
const struct people_row *people_bot(const struct people *people,
                                    const char *bot);

/* True if this is the name of the row's bot, of its owner, or of its person in
 * any column. */
bool people_is(const struct people *people, const struct people_row *row,
               const char *word);

/*
 * Check that the file is not in a data folder: not in `data`, unless it is
 * NULL, and not in any folder that looks like one.
 */
bool people_is_apart(const char *path, const char *data,
                     struct err *err) MUST_CHECK;

/* Two words that reveal nothing about anybody, such as "calm-otter". */
void pseudonym_make(char name[PSEUDONYM_MAX + 1]);

#endif
