/* What a reload changes: settings, files of bots, and keys. */

#include "cmd/serve/config.h"
#include "cmd/serve/parsed.h"
#include "store/keys.h"

#include <string.h>

static const struct player *find_bot(const struct serve_config *c,
                                     const char *name)
{
    for (int i = 0; i < c->bots; i++)
        if (strcmp(c->bot[i].bot.name, name) == 0)
            return &c->bot[i];
    return NULL;
}

static void bot_changes(const struct serve_config *old,
                        const struct serve_config *new, struct lines *out)
{
    for (int i = 0; i < new->bots; i++) {
        const struct player *bot = &new->bot[i];
        const struct player *was = find_bot(old, bot->bot.name);

        if (was && strcmp(was->digest, bot->digest) != 0)
            tell(out, EVERYONE, "[bot %s] is a new version, %.12s",
                 bot->bot.name, bot->digest);
    }
}

static const struct key_entry *find(const struct serve_config *c,
                                    const char *name)
{
    return keys_find(c->key, c->key_count, name);
}

static void key_changes(const struct serve_config *old,
                        const struct serve_config *new, struct lines *out)
{
    for (int i = 0; i < new->key_count; i++) {
        const struct key_entry *was = find(old, new->key[i].name);

        if (!was)
            tell(out, EVERYONE, "keys: %s may log in now", new->key[i].name);
        else if (memcmp(&was->key, &new->key[i].key, sizeof was->key) != 0)
            tell(out, EVERYONE, "keys: %s has a new token", new->key[i].name);
    }
    for (int i = 0; i < old->key_count; i++)
        if (!find(new, old->key[i].name))
            tell(out, EVERYONE, "keys: %s may no longer log in",
                 old->key[i].name);
}

void serve_config_changes(const struct serve_config *old,
                          const struct serve_config *new, struct lines *out)
{
    const struct parsed_config *a = (const struct parsed_config *)old;
    const struct parsed_config *b = (const struct parsed_config *)new;

    ini_changes(&a->ini, &b->ini, out);
    bot_changes(old, new, out);
    key_changes(old, new, out);
}
