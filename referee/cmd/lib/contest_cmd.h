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

/* A contest that SIGINT and SIGTERM end. */
struct contest_run {
    struct loop loop;
    struct contest *contest;
    int signal; /* that stopped it, or 0 */
};

bool contest_play(struct contest_run *run, const struct contest_config *config,
                  const struct contest_owner *calls, void *owner,
                  struct err *err) MUST_CHECK;

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
