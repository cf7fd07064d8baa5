/* referee serve - run the daemon, for bots on the network. */

#include "cmd/cmd.h"
#include "cmd/serve/config.h"
#include "daemon/server.h"

#include <signal.h>
#include <stdio.h>

static bool only_check, help_config;
static int games;

static const struct opt opts[] = {
    {"check", NULL, "only check the file, and report all mistakes", OPT_FLAG,
     &only_check, 0, 0},
    {"help-config", NULL, "list the sections and keys of the file", OPT_FLAG,
     &help_config, 0, 0},
    {"games", "N", "stop after this many games", OPT_INT, &games, 1,
     CONTEST_GAMES_MAX},
    {0},
};

/* Prints its own errors; NULL if the file has a mistake. */
static struct serve_config *read_config(const char *path)
{
    struct serve_config *config = NULL;
    struct lines remarks;
    bool right;

    lines_init(&remarks, SERVE_REMARKS_BYTES);
    right = serve_config_read(path, &config, &remarks);
    for (size_t i = 0; i < remarks.count; i++)
        complain("%s", lines_text(&remarks, i));
    lines_release(&remarks);
    return right ? config : NULL;
}

static int show_help(void)
{
    struct buf help;

    buf_init(&help, 1 << 16);
    serve_config_help(&help);
    fputs(help.text, stdout);
    buf_release(&help);
    return 0;
}

static const char *s(int count)
{
    return count == 1 ? "" : "s";
}

static void praise(const struct serve_config *c)
{
    int bots = c->bots - c->play.own_bots, ladders = 0;

    for (int i = 0; i < c->ladders; i++)
        ladders += !c->ladder[i].is_for_people;
    printf("%s is correct: %d listener%s, %d ladder%s, %d bot%s, %d key%s",
           c->path, c->listeners, s(c->listeners), ladders, s(ladders), bots,
           s(bots), c->key_count, s(c->key_count));
    if (c->ladders > ladders)
        printf("; visitors can play %d game%s", c->ladders - ladders,
               s(c->ladders - ladders));
    putchar('\n');
}

static int run(int argc, char **argv)
{
    struct serve_config *config;

    if (help_config)
        return show_help();
    if (argc != 1)
        return complain("serve takes one file: referee serve CONFIG");
    if (!only_check)
        signal(SIGHUP, SIG_IGN); /* nothing can be reloaded yet */
    config = read_config(argv[0]);
    if (!config)
        return 2;
    if (!only_check)
        return server_run(
            config, &(struct serve_options){.reread = read_config,
                                            .changes = serve_config_changes,
                                            .release = serve_config_free,
                                            .games = games});
    praise(config);
    serve_config_free(config);
    return 0;
}

const struct subcommand cmd_serve = {
    .name = "serve",
    .args = "CONFIG [--check] [--games N]",
    .about = "run the server: ladders of local bots and bots on the network",
    .more =
        "Local bots and bots that log in over the network play on ladders,\n"
        "as the file says: see referee.ini(5), or --help-config. SIGHUP\n"
        "makes the server read the file again; after SIGTERM and SIGINT it\n"
        "waits for running games. Games that do not end in time, or that a\n"
        "kill interrupts, continue when the server starts again.\n"
        "\n"
        "Examples:\n"
        "  referee serve --check referee.ini\n"
        "  referee serve referee.ini",
    .opts = opts,
    .run = run,
};
