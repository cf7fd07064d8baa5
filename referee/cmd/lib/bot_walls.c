#include "cmd/lib/bot_walls.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t size_min = INT64_C(1) << 20, size_max = INT64_C(1) << 40;

bool size_read(const char *text, int64_t *bytes, struct err *err)
{
    const char *at = text;
    int number, unit;

    if (take_int(&at, 1, 1 << 20, &number) && take_one_of(&at, "kmg", &unit) &&
        at_end(at)) {
        *bytes = (int64_t)number << (10 * (unit + 1));
        if (*bytes >= size_min && *bytes <= size_max)
            return true;
    }
    return fail(err,
                "must be a size from 1m to 1024g, such as 512m, not "
                "\"%.40s\"",
                text);
}

static struct walls_host *machine; /* this value does not change */

static void leave_machine(void)
{
    walls_host_free(machine);
}

static struct walls_host *probed(void)
{
    if (!machine) {
        machine = walls_probe();
        atexit(leave_machine); /* freed when all bots have ended */
    }
    return machine;
}

static void set_limits(struct walls *walls, const struct wall_settings *wall)
{
    walls->limits = walls_preset;
    if (wall->memory_bytes)
        walls->limits.memory_bytes = wall->memory_bytes;
    if (wall->scratch_bytes)
        walls->limits.scratch_bytes = wall->scratch_bytes;
    if (wall->processes)
        walls->limits.processes = wall->processes;
}

/* The section's value, otherwise the command's. */
static bool allow(struct walls *walls, const struct player *player,
                  const struct bot_entry *entry, struct pool *pool,
                  struct err *err)
{
    if (entry->folder && !walls_allow(walls, entry->folder, pool, err))
        return false;
    if (!entry->folder && entry->directory &&
        !walls_allow(walls, entry->directory, pool, err))
        return false;
    return walls_allow_command(walls, player->bot.argv, entry->directory, pool,
                               err);
}

bool player_wall(struct player *player, const struct bot_entry *entry,
                 struct pool *pool, struct err *err)
{
    const char *word = entry->wall.kind ? entry->wall.kind : "none";
    struct walls *walls;
    enum wall wall;

    if (strcmp(word, "none") == 0)
        return true;
    walls = pool_take(pool, sizeof *walls);
    walls->host = probed();
    if (!walls_choose(walls->host, word, &wall, err))
        return fail_at(err, "bot %s: walls", entry->name);
    walls->wall = wall;
    set_limits(walls, &entry->wall);
    if (!allow(walls, player, entry, pool, err))
        return fail_at(err, "bot %s", entry->name);
    player->bot.walls = walls;
    return true;
}

bool walls_keep_out(const struct player *players, int count, const char *path,
                    const char *what, struct err *err)
{
    for (int i = 0; i < count; i++) {
        const struct walls *walls = players[i].bot.walls;

        if (walls && walls->wall >= WALL_LANDLOCK &&
            walls_can_read(walls, path))
            return fail(err,
                        "bot %s could read %.100s, where %s: put it into a "
                        "folder of its own, or name such a folder with "
                        "folder =",
                        players[i].bot.name, path, what);
    }
    return true;
}

const char *walls_in_words(const struct player *players, int count,
                           struct pool *pool)
{
    int stand[WALLS] = {0};
    char about[400];
    struct buf text;
    const char *words;

    for (int i = 0; i < count; i++)
        stand[players[i].bot.walls ? players[i].bot.walls->wall : WALL_NONE]++;
    if (stand[WALL_NONE] == count)
        return "";
    buf_init(&text, 1024);
    buf_str(&text, "walls:");
    for (int i = 0; i < WALLS; i++)
        if (stand[i] > 0)
            buf_add(&text, " %s around %d bot%s,", wall_word((enum wall)i),
                    stand[i], stand[i] == 1 ? "" : "s");
    walls_describe(probed(), about, sizeof about);
    buf_cut(&text, text.len - 1);
    buf_add(&text, "; %s", about);
    words = pool_text(pool, text.text);
    buf_release(&text);
    return words;
}
