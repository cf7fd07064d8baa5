#ifndef REFEREE_CMD_LIB_BOTS_H
#define REFEREE_CMD_LIB_BOTS_H

/*
 * bots.h - from what is typed, or stands in an ini file, to players.
 *
 * A BOT on the command line is the name of a [bot NAME] section, or a command
 * line.
 */

#include "base/pool.h"
#include "cmd/lib/options.h"
#include "match/login.h"
#include "run/contest.h"

enum { BOTS_MAX = 64 };

/* What is said about its walls; 0 or NULL: nothing. See bot_walls.h. */
struct wall_settings {
    const char *kind; /* as in "walls = KIND" */
    int64_t memory_bytes, scratch_bytes;
    int processes;
};

/* A [bot NAME] section, or a command line in its place. */
struct bot_entry {
    const char *name;
    const char *command;
    const char *directory;
    const char *time;
    const char *owner;
    const char *folder;    /* every file below it belongs to the bot */
    const char *files;     /* so do these, with blanks between them */
    const char *version;   /* in place of the digest */
    char *environment[65]; /* see environment.h; NULL at the end */
    int environment_count;
    bool is_foreign; /* somebody else's: it gets a clean environment */
    bool restart;
    bool freezes; /* between its turns */
    int cores;    /* of its own; 0: as for all */
    int64_t quit_us;
    struct wall_settings wall;
};

struct bot_book {
    struct bot_entry entry[BOTS_MAX];
    int count;
    const char *walls; /* of bots that do not say themselves; or NULL */
    int cores;         /* the same */
    bool travels;      /* to workers: its players have luggage */
};

/* A new entry with the defaults; NULL if the book is full. */
struct bot_entry *bot_book_add(struct bot_book *book, const char *name);

/*
 * Make a player of an entry, which it borrows; all else is in the pool. `time`
 * is what a bot without its own has. Refuses programs that cannot be run, with
 * a sentence.
 */
bool player_make(const struct bot_entry *entry, const struct time_control *time,
                 struct pool *pool, struct player *player,
                 struct err *err) MUST_CHECK;

/* The same for words; what they need lives as long as the process. */
bool players_make(struct bot_book *book, const char *const *words, int count,
                  const struct time_control *time, struct player *players,
                  struct err *err) MUST_CHECK;

/* Is argv[0] a program, seen from the entry's folder? */
bool can_be_run(const struct bot_entry *entry, char *const *argv,
                struct err *err) MUST_CHECK;

/* "500ms", "2s", "5m"; from 0 up to a day. */
bool duration_read(const char *text, int64_t *us, struct err *err) MUST_CHECK;

/* The same, refused with the range if it is not in it. */
bool duration_within(const char *text, int64_t min_us, int64_t max_us,
                     int64_t *us, struct err *err) MUST_CHECK;

#endif
