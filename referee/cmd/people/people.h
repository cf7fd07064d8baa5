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
 * `bot` is what everybody sees. `owner` is a pseudonym: it goes into the key
 * file, and bots of one owner belong together. The other columns are whatever
 * the organiser knows about the person, as the class list has it. The server
 * never reads this file, and it must not be in the server's data folder.
 */

#include "base/err.h"
#include "base/pool.h"

enum { ABOUT_MAX = 16, PEOPLE_MAX = 65536, PSEUDONYM_MAX = 32 };

struct people_row {
    const char *bot, *owner;
    const char *about[ABOUT_MAX]; /* as many as there are titles */
    bool is_new;                  /* since the file was read */
};

struct people {
    const char *title[ABOUT_MAX]; /* of the columns behind the owner */
    int titles;
    struct people_row *row;
    int count, cap;
    struct pool pool;
};

/* A file that is not there has nobody. Release the people in any case. */
bool people_read(struct people *people, const char *path,
                 struct err *err) MUST_CHECK;
void people_release(struct people *people);

/* The file changes at once or not at all, and only its owner can read it. */
bool people_write(const struct people *people, const char *path,
                  struct err *err) MUST_CHECK;

/*
 * Add the people of a class list, a CSV file with a line of titles. Columns
 * called "bot" (one name or several) and "owner" are taken if they are there;
 * else both are pseudonyms that are made here. A person who is there already
 * keeps the pseudonym and the bots, and gets those that are new.
 */
bool people_import(struct people *people, const char *path,
                   struct err *err) MUST_CHECK;

/* The row of a bot, or NULL. */
const struct people_row *people_bot(const struct people *people,
                                    const char *bot);

/* Is this the name of the row's bot, of its owner, or of its person in any
 * column? */
bool people_is(const struct people *people, const struct people_row *row,
               const char *word);

/*
 * The file must not be in a data folder: in `data`, if that is not NULL, or in
 * any folder that looks like one.
 */
bool people_is_apart(const char *path, const char *data,
                     struct err *err) MUST_CHECK;

/* Two words that say nothing about anybody, such as "calm-otter". */
void pseudonym_make(char name[PSEUDONYM_MAX + 1]);

#endif
