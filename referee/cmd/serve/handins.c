/* Submitted bots, on the ladders that accept them. */

#include "cmd/handin/recipe.h"
#include "cmd/serve/parsed.h"
#include "store/keys.h"
#include "store/shelf.h"

#include <stdio.h>
#include <string.h>

/* [handins] */

static bool is_that_of_handins(const struct parsed_config *d,
                               const char *folder)
{
    const char *own = d->config.handins.folder;

    return folder && own &&
           (strcmp(folder, "yes") == 0 || strcmp(folder, own) == 0);
}

const char *handins_folder(struct parsed_config *d, const struct ini_section *s)
{
    struct parsed_ladder *parsed = s->to;
    const char *folder = parsed->handins;

    parsed->ladder.takes_handins = is_that_of_handins(d, folder);
    if (parsed->ladder.takes_handins)
        return d->config.handins.folder;
    if (!folder || strcmp(folder, "yes") != 0)
        return folder;
    ini_mistake(&d->ini, ini_line(s, "handins"),
                "handins: \"yes\" means the folder of the section "
                "[handins], but there is none");
    return NULL;
}

void check_handins(struct parsed_config *d, const struct ini_section *s)
{
    for (int i = 0; i < d->config.ladders; i++)
        if (d->config.ladder[i].takes_handins)
            return;
    ini_warning(&d->ini, s->line,
                "[handins]: no ladder accepts these bots; set handins = yes "
                "in a [ladder NAME]");
}

/* Strangers' programs always get walls. */
static const char *walls_of(const struct parsed_config *d)
{
    const char *walls = d->config.walls;

    return walls && strcmp(walls, "none") != 0 ? walls : "auto";
}

/* The name in the key file, because the person may have network bots too; or
 * NULL. */
static const char *owner_of(const struct parsed_config *d, const char *name)
{
    const struct key_entry *key =
        keys_find(d->config.key, d->config.key_count, name);

    return key && key->owner[0] ? key->owner : NULL;
}

/* NULL and a remark if it cannot be started; the others still play. */
static struct player *make_player(struct parsed_config *d,
                                  const struct ini_section *s, const char *name,
                                  const char *version, const char *folder,
                                  const struct recipe *recipe)
{
    static const struct time_control of_the_ladder = {0};
    struct bot_entry *entry = pool_take(&d->pool, sizeof *entry);
    struct player *player = &d->config.bot[d->config.bots];
    struct err err;

    *entry = (struct bot_entry){.name = pool_text(&d->pool, name),
                                .command = recipe->command,
                                .directory = pool_text(&d->pool, folder),
                                .version = pool_text(&d->pool, version),
                                .is_foreign = true,
                                .wall.kind = walls_of(d),
                                .cores = d->config.cores,
                                .quit_us = 2000000};
    if (!player_make(entry, &of_the_ladder, &d->pool, player, &err)) {
        ini_warning(&d->ini, ini_line(s, "handins"), "handins: %s: %s", name,
                    err.text);
        return NULL;
    }
    player->bot.restarts = true;
    player->owner = owner_of(d, name);
    pack_player(d, ini_line(s, "handins"), player, entry);
    d->config.bots++;
    return player;
}

static bool take_handin(struct parsed_config *d, const struct ini_section *s,
                        const char *shelf, struct ladder_config *ladder,
                        const char *name, struct err *err)
{
    char folder[DISK_PATH_MAX];
    struct player *player = NULL;
    struct recipe recipe;
    const char *version;
    json_t *history;
    bool ok = true;

    if (!shelf_history(shelf, name, &history, err))
        return false;
    version = history_playing(history, ladder->handins_until);
    if (version && ini_find(&d->ini, "bot", name)) {
        ok = fail(err, "the file also has a [bot %s]", name);
    } else if (version) {
        shelf_path(shelf, name, version, folder);
        ok = recipe_read(folder, &d->pool, &recipe, err);
        if (ok && recipe_wants(&recipe, s->name)) {
            player = find_player(d, name);
            if (!player)
                player = make_player(d, s, name, version, folder, &recipe);
        }
    }
    json_decref(history);
    if (player)
        add_player(ladder, player);
    return ok || fail_at(err, "%s", name);
}

void take_handins(struct parsed_config *d, const struct ini_section *s,
                  const char *shelf, struct ladder_config *ladder)
{
    struct disk_names names = {0};
    const struct player **all;
    struct err err;

    if (!shelf)
        return;
    if (!shelf_names(shelf, &names, &err)) {
        ini_mistake(&d->ini, ini_line(s, "handins"), "handins: %s", err.text);
        return;
    }
    all = pool_take(&d->pool,
                    ((size_t)ladder->bots + names.count + 1) * sizeof *all);
    memcpy(all, ladder->bot, (size_t)ladder->bots * sizeof *all);
    ladder->bot = all;
    for (size_t i = 0; i < names.count && i < HANDINS_MAX; i++)
        if (!take_handin(d, s, shelf, ladder, names.name[i], &err))
            ini_warning(&d->ini, ini_line(s, "handins"), "handins: %s",
                        err.text);
    disk_names_free(&names);
}
