/*
 * referee check - test whether a bot is fit for a contest, and explain why not.
 */

#include "cmd/check/advice.h"
#include "cmd/check/machine.h"
#include "cmd/check/parts.h"
#include "cmd/cmd.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/setup.h"
#include "store/disk.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { GAMES_MAX = 100000 };

static struct setup_args args;
static int games;
static const char *limit_text = "10s", *start_text = "10s";
static const char *walls = "none";
static const char *root;
static bool as_json, verbose, machine;

static const struct opt opts[] = {
    {"game", "G", "which game (default: all that the bot plays)", OPT_TEXT,
     &args.game, 0, 0},
    {"games", "N",
     "number of games of each kind (default: enough for all "
     "setups)",
     OPT_INT, &games, 1, GAMES_MAX},
    {"time", "LIMIT", "limit per answer (default 10s)", OPT_TEXT, &limit_text,
     0, 0},
    {"start-limit", "LIMIT", "limit for the bot to be ready (default 10s)",
     OPT_TEXT, &start_text, 0, 0},
    {"seed", "TEXT", "64 hex digits or any text (default: random)", OPT_TEXT,
     &args.seed, 0, 0},
    {"walls", "WALL",
     "walls around the bot: none (default), limits, landlock, bwrap, auto",
     OPT_TEXT, &walls, 0, 0},
    {"machine", NULL, "check this machine instead: is it fair to bots?",
     OPT_FLAG, &machine, 0, 0},
    {"root", "DIR",
     "with --machine: read /proc and /sys below DIR, copied from a machine",
     OPT_TEXT, &root, 0, 0},
    {"json", NULL, "write the findings as JSON", OPT_FLAG, &as_json, 0, 0},
    {"verbose", NULL, "show the conversation on stderr", OPT_FLAG, &verbose, 0,
     0},
    {0},
};

static bool read_limit(const char *option, const char *text, int64_t *us,
                       struct err *err)
{
    if (!duration_read(text, us, err))
        return fail_at(err, "--%s", option);
    return *us > 0 || fail(err, "--%s must be more than 0", option);
}

static bool read_args(struct check *c, struct player *player, const char *word,
                      const struct game **game, struct err *err)
{
    static struct bot_book book;
    const struct time_control none = {0};

    *game = NULL;
    book.walls = walls;
    c->games = games;
    c->seed_is_chosen = args.seed != NULL;
    return (!args.game || game_named(args.game, game, err)) &&
           read_limit("time", limit_text, &c->limit_us, err) &&
           read_limit("start-limit", start_text, &c->start_us, err) &&
           seed_read(&args, c->seed, err) &&
           players_make(&book, &word, 1, &none, player, err);
}

static void check_games(struct check *c, const struct game *chosen)
{
    struct finding f;

    for (size_t i = 0; i < game_count(); i++)
        if (!chosen || game_at(i) == chosen)
            check_game(c, game_at(i), chosen != NULL);
    if (c->kinds > 0 || chosen)
        return;
    finding_begin(&f, VERDICT_FAULT, "new_game",
                  "the bot does not play any game");
    f.where = "6.2";
    snprintf(f.wanted, sizeof f.wanted, "\"=\" in answer to new_game");
    snprintf(f.hint, sizeof f.hint,
             "\"?\" in answer to new_game means that the bot does not want "
             "to play; is new_game a command that the bot does not know?");
    report_add(&c->report, &f);
}

static int run(int argc, char **argv)
{
    static const struct report_words words = {
        "bot", "this bot can play in a contest.",
        "this bot would lose games in a contest."};
    static struct check c;
    static struct player player;
    const struct game *game;
    struct err err;
    bool complete, passed;

    if (machine && argc > 0)
        return complain("check --machine takes no bot");
    if (root && !machine)
        return complain("--root belongs to --machine");
    if (root && !disk_is_folder(root))
        return complain("--root: there is no folder %.200s", root);
    if (machine)
        return machine_check(root, as_json) ? 0 : 1;
    if (argc == 0)
        return complain("check needs a bot: referee check ./mybot");
    if (argc > 1)
        return complain("check takes one bot; quote a command with "
                        "arguments: \"%.40s %.40s\"",
                        argv[0], argv[1]);
    if (!read_args(&c, &player, argv[0], &game, &err))
        return complain("%s", err.text);
    signal(SIGPIPE, SIG_IGN);
    report_begin(&c.report, &words, argv[0], as_json);
    exam_init(&c.exam, &player.bot, verbose);
    c.exam.limit_us = c.limit_us;
    player.bot.tally = &c.exam.errors;
    complete = check_talk(&c);
    if (complete) {
        check_games(&c, game);
        check_end(&c);
    }
    exam_release(&c.exam);
    passed = report_end(&c.report, complete);
    return passed ? 0 : 1;
}

const struct subcommand cmd_check = {
    .name = "check",
    .args = "[--game G] [OPTION...] BOT | --machine",
    .about = "check whether a bot is ready for a contest",
    .more =
        "Starts the bot, talks to it as a contest would, and plays games\n"
        "against random opponents with every number of seats. Reports what\n"
        "is wrong and how to fix it. Errors on standard error, such as a\n"
        "traceback, are faults even if the bot continues. BOT is a command\n"
        "line. Exit code 0: no fault; 1: at least one fault.\n"
        "\n"
        "Examples:\n"
        "  referee check --game rondo ./mybot\n"
        "  referee check --time 500ms --verbose \"python3 mybot.py\"",
    .opts = opts,
    .run = run,
};
