/* referee - run and check games between bots. The table of subcommands. */

#include "base/text.h"
#include "cmd/cmd.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

static const struct subcommand *const commands[] = {
    &cmd_match, &cmd_check,   &cmd_replay,   &cmd_games, &cmd_deal,
    &cmd_moves, &cmd_perft,   &cmd_selfplay, &cmd_bot,   &cmd_serve,
    &cmd_token, &cmd_connect, &cmd_status,   &cmd_pause, &cmd_resume,
    &cmd_stop,  &cmd_kick,    &cmd_reload,
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
           "well, 1 a record is not valid, 2 wrong use.\n");
    return 0;
}

static int unknown(const char *name)
{
    const struct subcommand *nearest = commands[0];

    for (int i = 1; i < COMMANDS; i++)
        if (text_distance(name, commands[i]->name) <
            text_distance(name, nearest->name))
            nearest = commands[i];
    return complain("there is no command \"%.40s\"; did you mean \"%s\"? "
                    "\"referee --help\" lists all",
                    name, nearest->name);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return complain("libsodium does not start");
    if (argc < 2)
        return complain("a command is missing; \"referee --help\" lists them");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("referee %s\n", PACKAGE_VERSION);
        return 0;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return run_command(commands[i], argc - 1, argv + 1);
    return unknown(argv[1]);
}
