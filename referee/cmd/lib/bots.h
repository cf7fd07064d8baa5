#ifndef REFEREE_CMD_LIB_BOTS_H
#define REFEREE_CMD_LIB_BOTS_H

/*
 * bots.h - make players from the command line and from ini files.
 *
 * A BOT on the command line is the name of a [bot NAME] section, or a command
 * line.
 */

#include "base/pool.h"
#include "cmd/lib/options.h"
#include "match/login.h"
#include "run/contest.h"

enum { BOTS_MAX = 64 };

/* Messages about its walls; 0 or NULL: none. See bot_walls.h. */
struct wall_settings {
    const char *kind; /* as in "walls = KIND" */
    int64_t memory_bytes, scratch_bytes;
    int processes;
};

/* A [bot NAME] section, or a command line used in its place. */
struct bot_entry {
    const char *name;
    const char *command;
    const char *directory;
    const char *time;
    const char *owner;
    const char *folder;  /* every file below it belongs to the bot */
    const char *files;   /* these files belong to it too, separated by blanks */
    const char *version; /* replaces the digest */
    char *environment[65]; /* see environment.h; NULL at the end */
    int environment_count;
    bool is_foreign; /* written by somebody else: it gets a clean environment */
    bool restart;
    bool freezes; /* what happens to it between its turns */
    int cores;    /* number of cores of its own; 0: the default for all */
    int64_t quit_us;
    struct wall_settings wall;
};

struct bot_book {
    struct bot_entry entry[BOTS_MAX];
    int count;
    const char *walls; /* for bots without a setting of their own; or NULL */
    int cores;         /* likewise */
    bool travels;      /* workers will play: players need luggage */
};

/* A new entry with the defaults; NULL if the book is full. */
struct bot_entry *bot_book_add(struct bot_book *book, const char *name);

/*
 * Make a player from an entry, which it borrows; everything else is in the
 * pool. `time` applies to a bot without its own time control. If the program
 * cannot be run, it is refused with a sentence.
 */
bool player_make(const struct bot_entry *entry, const struct time_control *time,
                 struct pool *pool, struct player *player,
                 struct err *err) MUST_CHECK;

/*
 * The same for words of the command line; the texts live as long as the
 * process.
 */
bool players_make(struct bot_book *book, const char *const *words, int count,
                  const struct time_control *time, struct player *players,
                  struct err *err) MUST_CHECK;

/* True if argv[0] is a program, seen from the entry's folder. */
bool can_be_run(const struct bot_entry *entry, char *const *argv,
                struct err *err) MUST_CHECK;

/* "500ms", "2s", "5m"; from 0 up to a day. */
bool duration_read(const char *text, int64_t *us, struct err *err) MUST_CHECK;

/* The same, with a range; a value outside it is refused with the range. */
bool duration_within(const char *text, int64_t min_us, int64_t max_us,
                     int64_t *us, struct err *err) MUST_CHECK;

#endif
