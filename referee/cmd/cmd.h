#ifndef REFEREE_CMD_CMD_H
#define REFEREE_CMD_CMD_H

/*
 * cmd.h - the subcommands of `referee`: one file and one table row each.
 *
 * The options of a command are already in its own static variables when it runs
 * (a process runs one command); it gets the remaining arguments. It returns the
 * exit code: 0 for success, 1 for "checked and found wrong", 2 for wrong usage.
 */

#include "cmd/lib/options.h"

struct subcommand {
    const char *name;
    const char *args;  /* follows the name in the usage line */
    const char *about; /* one line for the list of commands */
    const char *more;  /* the help text, or NULL */
    const struct opt *opts;
    int (*run)(int argc, char **argv);
};

extern const struct subcommand cmd_admit, cmd_as_gtp, cmd_bot, cmd_check,
    cmd_connect, cmd_db, cmd_deal, cmd_games, cmd_grade, cmd_gtp, cmd_head,
    cmd_key, cmd_audit, cmd_ban, cmd_kick, cmd_ladder, cmd_log, cmd_match,
    cmd_moves, cmd_pause, cmd_play, cmd_people, cmd_perft, cmd_reindex,
    cmd_reload, cmd_replay, cmd_resume, cmd_retire, cmd_selfplay, cmd_serve,
    cmd_sgf, cmd_similar, cmd_status, cmd_stop, cmd_strike, cmd_submissions,
    cmd_register, cmd_submit, cmd_token, cmd_tournament, cmd_worker,
    cmd_workers;

/* Read the options, handle --help, run. */
int run_command(const struct subcommand *command, int argc, char **argv);

/* Print one sentence on stderr; return 2, the exit code for wrong usage. */
int complain(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* The exit code of an error: 1 if it may be temporary, otherwise 2. */
int complain_of(const struct err *err);

#endif
