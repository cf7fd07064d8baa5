#ifndef REFEREE_CMD_LIB_CONTEST_CMD_H
#define REFEREE_CMD_LIB_CONTEST_CMD_H

/*
 * contest_cmd.h - shared by the commands that run a contest: its folder, its
 * signals, its faults.
 */

#include "run/contest.h"

/*
 * The folder for records. KIND.txt in it describes the contest: some lines that
 * must be the same when it is resumed, and the seed.
 */
struct folder_args {
    const char *kind;   /* "match" or "tournament" */
    const char *folder; /* or NULL */
    bool resume;
    bool seed_is_given; /* otherwise the folder's seed is used when resuming */
    void (*describe)(const void *what, struct buf *out);
    const void *what;
};

bool folder_open(const struct folder_args *args, struct contest_config *config,
                 struct err *err) MUST_CHECK;

/* Flush printed output to disk. */
void folder_sync(const char *folder);

/* The lines "game rondo" and "set board=red" of a description. */
void describe_game(const struct contest_config *config, struct buf *out);

/* "bot anna move 10000" */
void describe_player(const struct player *player, struct buf *out);

/* Workers that play instead of this machine (many/handout.h). */
struct workers_args {
    const char *given; /* database.h; NULL: none */
    const char *keys;  /* a file; NULL: the one named in the ini file */
};

#define WORKERS_OPTS(args)                                              \
    {"workers",                                                         \
     "CONFIG|URL",                                                      \
     "let the workers of this database play (\"referee worker\")",      \
     OPT_TEXT,                                                          \
     &(args).given,                                                     \
     0,                                                                 \
     0},                                                                \
    {                                                                   \
        "worker-keys", "FILE",                                          \
            "public keys of the workers whose records count", OPT_TEXT, \
            &(args).keys, 0, 0                                          \
    }

/* For --workers: how many units may be out at once. */
enum { WORKERS_AT_ONCE = 64 };

/*
 * A contest that SIGINT and SIGTERM end. With workers, the first signal takes
 * back the units that none has begun, the second takes back all units.
 */
struct contest_run {
    struct workers_args workers;
    void (*wipe)(
        void *owner); /* removes the live display before a line is printed */
    struct loop loop;
    struct contest *contest;
    struct handout *handout; /* NULL: this machine plays */
    void *owner;
    int signal; /* signal that stopped it, or 0 */
};

bool contest_play(struct contest_run *run, const struct contest_config *config,
                  const struct contest_owner *calls, void *owner,
                  struct err *err) MUST_CHECK;

/* " (3 workers, 12 units wait)", or "" if this machine plays. */
enum { WORKERS_TEXT = 80 };
void contest_workers(const struct contest_run *run, char text[WORKERS_TEXT]);

/*
 * Prints "TITLE: NAME is out (time): .." on stderr, with the last lines that
 * the bot wrote there. After 20 faults, further ones are only counted.
 */
struct faults {
    int told;
};

/* Is there a fault to report about this seat? */
bool faults_has(const struct faults *faults, const struct game_report *report,
                int seat);
void faults_tell(struct faults *faults, const struct game_report *report,
                 int seat, const char *title, const char *name);

#endif
