#include "cmd/lib/setup.h"

#include "base/text.h"
#include "cmd/lib/files.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* "board=@my-board.txt" becomes "board=rondo-board,1;name,mine;...". */
static bool set_from_file(const struct game *game, struct setup *setup,
                          const char *text, const char *path, struct pool *pool,
                          struct err *err)
{
    struct buf line;
    bool ok;

    buf_init(&line, 1 << 20);
    buf_put(&line, text, (size_t)(path - 1 - text));
    ok = file_as_line(path, &line, err);
    if (ok && !setup_set(game, setup, pool_text(pool, line.text), err))
        ok = fail_at(err, "%s", path);
    buf_release(&line);
    return ok;
}

bool setup_set_text(const struct game *game, struct setup *setup,
                    const char *text, struct pool *pool, struct err *err)
{
    const char *at = strstr(text, "=@");

    if (at && at == strchr(text, '='))
        return set_from_file(game, setup, text, at + 2, pool, err);
    return setup_set(game, setup, pool_text(pool, text), err);
}

static void show_warnings(const struct game *game, const struct setup *setup)
{
    struct buf warnings;

    if (!game->warn)
        return;
    buf_init(&warnings, 1 << 16);
    game->warn(setup, &warnings);
    for (const char *at = warnings.text; *at;) {
        int n = (int)strcspn(at, "\n");

        fprintf(stderr, "referee: note: %.*s\n", n, at);
        at += n + (at[n] == '\n');
    }
    buf_release(&warnings);
}

bool setup_read(const struct setup_args *args, const struct game **game,
                struct setup *setup, struct err *err)
{
    static struct pool pool;

    if (!args->game)
        return fail(err,
                    "--game is missing; \"referee games\" lists the games");
    if (!game_named(args->game, game, err))
        return false;
    *setup = (struct setup){.seats = args->seats ? args->seats : 2};
    for (int i = 0; i < args->set.count; i++)
        if (!setup_set_text(*game, setup, args->set.text[i], &pool, err))
            return false;
    if (!game_accepts(*game, setup, err))
        return false;
    show_warnings(*game, setup);
    return true;
}

/* Any text is accepted; the record has the 64 digits, so print them. */
static void seed_from_text(const char *text, uint8_t seed[SEED_BYTES])
{
    char hex[2 * SEED_BYTES + 1];

    crypto_hash_sha256(seed, (const unsigned char *)text, strlen(text));
    text_hex(hex, seed, SEED_BYTES);
    fprintf(stderr, "referee: note: --seed %.40s stands for its SHA-256, %s\n",
            text, hex);
}

bool seed_read(const struct setup_args *args, uint8_t seed[SEED_BYTES],
               struct err *err)
{
    if (!args->seed) {
        randombytes_buf(seed, SEED_BYTES);
        return true;
    }
    if (!*args->seed)
        return fail(err, "--seed needs a text, such as 42");
    if (!text_unhex(seed, SEED_BYTES, args->seed))
        seed_from_text(args->seed, seed);
    return true;
}
