/* referee - run and check games between bots. The table of subcommands. */

#include "base/text.h"
#include "cmd/cmd.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const struct subcommand *const commands[] = {
    &cmd_match,       &cmd_play,     &cmd_tournament, &cmd_admit,
    &cmd_submissions, &cmd_register, &cmd_submit,     &cmd_grade,
    &cmd_check,       &cmd_replay,   &cmd_games,      &cmd_deal,
    &cmd_moves,       &cmd_perft,    &cmd_selfplay,   &cmd_bot,
    &cmd_serve,       &cmd_token,    &cmd_connect,    &cmd_status,
    &cmd_pause,       &cmd_resume,   &cmd_stop,       &cmd_people,
    &cmd_kick,        &cmd_ban,      &cmd_strike,     &cmd_retire,
    &cmd_log,         &cmd_reload,   &cmd_ladder,     &cmd_audit,
    &cmd_similar,     &cmd_reindex,  &cmd_key,        &cmd_head,
    &cmd_gtp,         &cmd_as_gtp,   &cmd_sgf,        &cmd_db,
    &cmd_worker,      &cmd_workers,
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(void)
{
    printf("Usage: referee COMMAND [OPTION...]\n\n"
           "A referee for bots that play board games.\n\nCommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->about);
    printf("\n\"referee COMMAND --help\" says more about one of them; "
           "\"referee --version\" tells\nthe version. Exit codes: 0 all is "
           "well, 1 checked and found wrong, 2 wrong use.\n");
    return 0;
}

static const struct subcommand *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static int unknown(const char *name)
{
    struct guess guess;

    if (name[0] == '-')
        return complain(
            "referee has no option \"%.40s\", only --help and "
            "--version; put the options of a command after its name",
            name);
    guess_begin(&guess, name);
    for (int i = 0; i < COMMANDS; i++)
        guess_add(&guess, "", commands[i]->name);
    if (guess.nearest)
        complain("there is no command \"%.40s\"; did you mean \"%s\"? "
                 "\"referee --help\" lists all",
                 name, guess.nearest);
    else
        complain("there is no command \"%.40s\"; the commands are %s", name,
                 guess.all.text);
    guess_end(&guess);
    return 2;
}

/* "referee help match" */
static int help_about(const char *name)
{
    char option[] = "--help";
    const struct subcommand *command = find(name);

    if (!command)
        return unknown(name);
    return run_command(command, 2, (char *[]){option, option, NULL});
}

int main(int argc, char **argv)
{
    const struct subcommand *command;

    if (sodium_init() < 0)
        return complain("libsodium does not start");
    if (argc < 2)
        return complain("a command is missing; \"referee --help\" lists them");
    if (strcmp(argv[1], "help") == 0 && argc > 2)
        return help_about(argv[2]);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("referee %s\n", PACKAGE_VERSION);
        return 0;
    }
    command = find(argv[1]);
    return command ? run_command(command, argc - 1, argv + 1)
                   : unknown(argv[1]);
}
