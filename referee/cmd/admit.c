/* referee admit - check a bot and put it on the shelf if it is fit to play. */

#include "cmd/handin/admit.h"
#include "cmd/cmd.h"
#include "cmd/handin/recipe.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/term.h"
#include "cmd/serve/config.h"
#include "games/game.h"
#include "match/login.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_MAX = 16, MIB_MAX = 4096, FILES_MAX = 20000 };

static const char *shelf = "handins", *name, *check_time, *config_path, *sent;
static struct texts games;
static int mib = 64, files = 2000, keep = 5;
static int64_t build_us = 120000000, check_us = 120000000;
static bool as_json, quiet, help_bot_ini, builds_freely, takes_away;

static const struct opt opts[] = {
    {"config", "FILE",
     "a referee.ini: [handins] replaces the options below, and the bot "
     "chooses among its ladders",
     OPT_TEXT, &config_path, 0, 0},
    {"name", "NAME",
     "the bot's owner (default: the name of the file or "
     "folder)",
     OPT_TEXT, &name, 0, 0},
    {"handins", "FOLDER", "folder for the bots (default handins)", OPT_TEXT,
     &shelf, 0, 0},
    {"game", "G",
     "a game that the bot must play; may be given more than "
     "once",
     OPT_LIST, &games, 0, 0},
    {"time", "LIMIT", "limit per answer in the check (default 10s)", OPT_TEXT,
     &check_time, 0, 0},
    {"size-limit", "MIB", "limit for all files, unpacked (default 64)", OPT_INT,
     &mib, 1, MIB_MAX},
    {"file-limit", "N", "limit for files and folders (default 2000)", OPT_INT,
     &files, 1, FILES_MAX},
    {"build-limit", "TIME", "limit for the build (default 120s)", OPT_TIME,
     &build_us, 1000, 3600 * 1000},
    {"check-limit", "TIME", "limit for the check of one game (default 120s)",
     OPT_TIME, &check_us, 1000, 3600 * 1000},
    {"keep", "N", "number of old versions to keep (default 5)", OPT_INT, &keep,
     0, 1000},
    {"build-freely", NULL, "build without walls if bubblewrap does not work",
     OPT_FLAG, &builds_freely, 0, 0},
    {"sent", "DIGEST", "the archive came over the network and has this SHA-256",
     OPT_TEXT, &sent, 0, 0},
    {"take-away", NULL,
     "after the verdict, move the hand-in to taken/, or remove it if it was "
     "sent",
     OPT_FLAG, &takes_away, 0, 0},
    {"json", NULL, "write each stage as a line of JSON", OPT_FLAG, &as_json, 0,
     0},
    {"quiet", NULL, "print only verdicts", OPT_FLAG, &quiet, 0, 0},
    {"help-bot-ini", NULL, "list what bot.ini may contain", OPT_FLAG,
     &help_bot_ini, 0, 0},
    {0},
};

static int show_help(void)
{
    struct buf help;

    buf_init(&help, 1 << 16);
    recipe_help(&help);
    fputs(help.text, stdout);
    buf_release(&help);
    return 0;
}

static void print_json(const char *whose, const char *stage, const char *text,
                       const char *said)
{
    json_t *line = json_pack("{s:s, s:s, s:s}", "name", whose, "stage", stage,
                             "text", text);
    char *out;

    if (*said)
        json_object_set_new(line, "output", json_string(said));
    out = json_dumps(line, JSON_COMPACT);
    puts(out);
    free(out);
    json_decref(line);
    fflush(stdout);
}

/* After a refusal, show what the program wrote, indented. */
static void print_said(const char *said)
{
    while (*said) {
        size_t n = strcspn(said, "\n");

        printf("    %.*s\n", (int)n, said);
        said += n + (said[n] == '\n');
    }
}

static void on_stage(void *arg, const char *stage, const char *text,
                     const char *said)
{
    bool refused = strcmp(stage, "refused") == 0,
         built = strcmp(stage, "built") == 0;

    if (as_json) {
        print_json(arg, stage, text, said);
        return;
    }
    if (quiet && !refused && strcmp(stage, "accepted") != 0)
        return;
    printf("%s: %s: %s\n", (const char *)arg, stage, text);
    if (refused || built)
        print_said(said);
    fflush(stdout);
}

/* "exports/anna.zip" belongs to anna. */
static void name_of_path(const char *path, char out[33])
{
    const char *end = path + strlen(path), *slash;
    size_t n;

    while (end > path + 1 && end[-1] == '/')
        end--;
    slash = end;
    while (slash > path && slash[-1] != '/')
        slash--;
    n = strcspn(slash, "./");
    if (slash + n > end)
        n = (size_t)(end - slash);
    snprintf(out, 33, "%.*s", (int)n, slash);
}

static int admit_one(const char *path, const char *const *wanted,
                     const struct serve_config *config)
{
    struct admission a = {
        .shelf = shelf,
        .from = path,
        .games = wanted,
        .ladder = config ? config->ladder : NULL,
        .ladders = config ? config->ladders : 0,
        .sent = sent,
        .takes_away = takes_away,
        .builds_freely = builds_freely,
        .time = check_time,
        .keep = keep,
        .limits = {(long long)mib << 20, files},
        .build_us = build_us,
        .check_us = check_us,
        .on_stage = on_stage,
    };
    struct verdict_of_handin verdict;
    char guessed[33];
    struct err err;

    name_of_path(path, guessed);
    a.name = name ? name : guessed;
    if (!is_bot_name(a.name) || a.name[0] == '.')
        return complain("%s: \"%.40s\" cannot be the name of a bot; use "
                        "--name NAME, with 1 to 32 letters, digits or ._+-",
                        path, a.name);
    a.arg = pool_text(&(struct pool){0}, a.name);
    if (!disk_has(path) && !disk_is_folder(path))
        return complain("%s: there is no such file or folder", path);
    if (!admit(&a, &verdict, &err)) /* no verdict, also if it may pass */
        return complain("%s: %s", a.name, err.text);
    return verdict.accepted ? 0 : 1;
}

static bool read_games(const char **wanted, struct err *err)
{
    const struct game *game;

    if (games.count == 0 || games.count > GAMES_MAX)
        return fail(err,
                    "use --game G to name the games that the bot must play, "
                    "at most %d; or --config FILE to name the ladders",
                    GAMES_MAX);
    for (int i = 0; i < games.count; i++) {
        if (!game_named(games.text[i], &game, err))
            return fail_at(err, "--game");
        wanted[i] = games.text[i];
    }
    return true;
}

/* The values in [handins] override all options. */
static void obey(const struct handins_config *c)
{
    shelf = c->folder;
    mib = c->mib;
    files = c->files;
    keep = c->keep;
    build_us = c->build_us;
    check_us = c->check_us;
}

static int run(int argc, char **argv)
{
    const char *wanted[GAMES_MAX + 1] = {NULL};
    struct serve_config *config = NULL;
    struct err err;
    int code = 0;

    if (help_bot_ini)
        return show_help();
    if (argc == 0)
        return complain("admit needs a folder or an archive: referee admit "
                        "--game rondo anna.zip");
    if (name && argc > 1)
        return complain("--name is for one bot; %d were given", argc);
    if (config_path && games.count > 0)
        return complain("--config already names the games; leave out --game");
    if (!(config_path ? serve_config_handins(config_path, &config, &err)
                      : read_games(wanted, &err)))
        return complain("%s", err.text);
    if (config)
        obey(&config->handins);
    for (int i = 0; i < argc; i++) {
        int one = admit_one(argv[i], wanted, config);

        code = one > code ? one : code;
    }
    serve_config_free(config);
    return code;
}

const struct subcommand cmd_admit = {
    .name = "admit",
    .args = "--config FILE|--game G [OPTION...] FOLDER|ARCHIVE...",
    .about = "unpack, build and check bots that were handed in",
    .more = "Accepts folders, zip files and tar files, such as a learning\n"
            "platform exports. Each is unpacked, built and checked, and\n"
            "plays a game on each ladder that it chooses. If all of that\n"
            "succeeds, this version plays from now on; if not, the previous\n"
            "version stays. bot.ini in the folder says how to build and\n"
            "start the bot; without it, the files there usually suffice: see\n"
            "--help-bot-ini.\n"
            "\n"
            "Exit code 0: all were accepted; 1: at least one was refused; 2:\n"
            "at least one could not be judged, which is not its fault.\n"
            "\n"
            "Examples:\n"
            "  referee admit --game rondo --name anna ./mybot\n"
            "  referee admit --config referee.ini exports/*.zip",
    .opts = opts,
    .run = run,
};
