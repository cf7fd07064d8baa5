#ifndef REFEREE_CMD_LIB_CONTEST_CMD_H
#define REFEREE_CMD_LIB_CONTEST_CMD_H

/*
 * contest_cmd.h - what the commands share that hold a contest: its folder, its
 * signals, its faults.
 */

#include "run/contest.h"

/*
 * The folder for records. KIND.txt in it says what is played there: some lines
 * that must be the same when it is resumed, and the seed.
 */
struct folder_args {
    const char *kind;   /* "match" or "tournament" */
    const char *folder; /* or NULL */
    bool resume;
    bool seed_is_given; /* else that of the folder is taken when resuming */
    void (*describe)(const void *what, struct buf *out);
    const void *what;
};

bool folder_open(const struct folder_args *args, struct contest_config *config,
                 struct err *err) MUST_CHECK;

/* What is printed must be on the disk. */
void folder_sync(const char *folder);

/* "game rondo" and "set board=red" lines for a description. */
void describe_game(const struct contest_config *config, struct buf *out);

/* "bot anna move 10000" */
void describe_player(const struct player *player, struct buf *out);

/* Workers that play in place of this machine (many/handout.h). */
struct workers_args {
    const char *given; /* database.h; NULL: none */
    const char *keys;  /* a file; NULL: the one that the ini file names */
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

/* For --workers: how many units are handed out at once. */
enum { WORKERS_AT_ONCE = 64 };

/*
 * A contest that SIGINT and SIGTERM end. With workers, the first one takes back
 * what none has begun, and the second one everything.
 */
struct contest_run {
    struct workers_args workers;
    void (*wipe)(void *owner); /* the live display, before a line is printed */
    struct loop loop;
    struct contest *contest;
    struct handout *handout; /* NULL: this machine plays */
    void *owner;
    int signal; /* that stopped it, or 0 */
};

bool contest_play(struct contest_run *run, const struct contest_config *config,
                  const struct contest_owner *calls, void *owner,
                  struct err *err) MUST_CHECK;

/* " (3 workers, 12 units wait)", or "" if this machine plays. */
enum { WORKERS_TEXT = 80 };
void contest_workers(const struct contest_run *run, char text[WORKERS_TEXT]);

/*
 * On stderr: "TITLE: NAME is out (time): ..", with what the bot wrote there
 * last. After 20 of them further faults are only counted.
 */
struct faults {
    int told;
};

/* Is there something to tell about this seat? */
bool faults_has(const struct faults *faults, const struct game_report *report,
                int seat);
void faults_tell(struct faults *faults, const struct game_report *report,
                 int seat, const char *title, const char *name);

#endif
