/* referee worker - play games on this machine for a front on another. */

#include "many/worker.h"
#include "cmd/cmd.h"
#include "cmd/handin/unpack.h"
#include "cmd/lib/bot_walls.h"
#include "cmd/lib/database.h"
#include "cmd/lib/luggage.h"
#include "store/disk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEASE_S = 60, POLL_MS = 1000, PACK_FILES_MAX = 20000 };

static const char *folder = "worker", *name, *walls, *level = "info";
static int slots;
static int64_t lease_us = LEASE_S * 1000000LL, poll_us = POLL_MS * 1000LL,
               stop_us = 60000000, idle_us;

static const struct opt opts[] = {
    {"folder", "DIR",
     "for its key, the bots, and undelivered records "
     "(default worker)",
     OPT_TEXT, &folder, 0, 0},
    {"concurrency", "N", "games at once (default: one per processor)", OPT_INT,
     &slots, 1, 256},
    {"name", "NAME", "its name (default: kept in its folder)", OPT_TEXT, &name,
     0, 0},
    {"walls", WALL_WORDS,
     "walls around bots for which the front requests "
     "none",
     OPT_TEXT, &walls, 0, 0},
    {"lease", "TIME", "others play its games if it is silent this long (60s)",
     OPT_TIME, &lease_us, 2000, 3600000},
    {"poll", "TIME", "how often to ask for work when there is none (1s)",
     OPT_TIME, &poll_us, 10, 60000},
    {"stop-limit", "TIME", "limit for games after SIGTERM (60s)", OPT_TIME,
     &stop_us, 0, 86400000},
    {"idle", "TIME", "exit when there has been no work for this long", OPT_TIME,
     &idle_us, 0, 86400000},
    {"log-level", "error|warning|info|debug",
     "the least important lines that are logged", OPT_TEXT, &level, 0, 0},
    {0},
};

static bool make_player(void *owner, struct player *player, const json_t *bot,
                        const char *root, struct pool *pool, struct err *err)
{
    return player_unpack(player, bot, root, walls, pool, err);
}

static bool take_apart(void *owner, const char *file, const char *to,
                       struct err *err)
{
    const struct unpack_limits limits = {PACK_BYTES_MAX, PACK_FILES_MAX};
    struct unpacked sums;

    remove_folder(to); /* from a worker that was killed */
    return disk_folder(to, err) && unpack(file, to, &limits, &sums, err);
}

static const struct worker_calls calls = {make_player, take_apart};

static bool check(struct worker_config *config, struct err *err)
{
    if (!log_level_read(level, &config->level))
        return fail(err,
                    "--log-level must be error, warning, info or debug, not "
                    "\"%.20s\"",
                    level);
    if (name && !is_bot_name(name))
        return fail(err,
                    "--name has 1 to 32 letters, digits or ._+-, not "
                    "\"%.40s\"",
                    name);
    if (strlen(folder) > 200)
        return fail(err, "--folder: a path of more than 200 bytes");
    return true;
}

static int run(int argc, char **argv)
{
    struct worker_config config = {.folder = folder,
                                   .name = name,
                                   .program = PACKAGE_VERSION,
                                   .slots = slots,
                                   .lease_s = (int)(lease_us / 1000000),
                                   .poll_us = poll_us,
                                   .stop_us = stop_us,
                                   .idle_us = idle_us};
    struct err err;
    char *url;
    int code;

    if (argc != 1)
        return complain("worker takes one database: referee worker CONFIG, or "
                        "postgresql://...");
    if (!check(&config, &err))
        return complain("%s", err.text);
    if (!slots)
        config.slots = (int)sysconf(_SC_NPROCESSORS_ONLN);
    url = database_url(argv[0], &err);
    if (!url)
        return complain_of(&err);
    config.url = url;
    code = worker_run(&config, &calls, NULL);
    free(url);
    return code;
}

const struct subcommand cmd_worker = {
    .name = "worker",
    .args = "CONFIG|URL [OPTION...]",
    .about = "play games for a front on another machine",
    .more =
        "Takes games of local bots from the database that \"referee\n"
        "serve\" shares (database = in its file), fetches the bots,\n"
        "plays, signs the records and delivers them. Start as many as\n"
        "you like, on any machine that can reach the database. Its\n"
        "public key, which the front must know (worker-keys =), is in\n"
        "its log, and \"referee key DIR/key\" prints it. If the database\n"
        "becomes unreachable, the worker finishes its games and delivers\n"
        "later. After SIGTERM it finishes its games; a second SIGTERM\n"
        "returns them to the queue.\n"
        "\n"
        "Examples:\n"
        "  referee worker postgresql://referee@db.local/games --walls auto\n"
        "  referee worker referee.ini --folder /var/lib/referee/worker1",
    .opts = opts,
    .run = run,
};
