/* referee deal - show what chance decides in a game, from a seed. */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/setup.h"
#include "match/record.h"

#include <stdio.h>

static struct setup_args args;
static const char *entropy;

static const struct opt opts[] = {
    SETUP_OPTS(args),
    {"entropy", "WORDS", "the seats' contributions, such as \"6a09 -\"",
     OPT_TEXT, &entropy, 0, 0},
    {0},
};

static int run(int argc, char **argv)
{
    const struct game *game;
    struct setup setup;
    uint8_t seed[SEED_BYTES];
    char hex[2 * SEED_BYTES + 1], commit[HASH_HEX + 1];
    struct buf deal;
    struct err err;

    if (argc > 0)
        return complain("deal takes options only, not \"%.40s\"", argv[0]);
    if (!setup_read(&args, &game, &setup, &err) ||
        !seed_read(&args, seed, &err))
        return complain("%s", err.text);
    if (!game->deal)
        return complain("%s leaves nothing to chance, so there is no deal",
                        game->name);
    if (entropy && !is_entropy(entropy, setup.seats))
        return complain("--entropy takes a word for each of %d seats: up to "
                        "64 hex digits, or -",
                        setup.seats);
    text_hex(hex, seed, SEED_BYTES);
    seed_commit(seed, 1, commit);
    buf_init(&deal, DEAL_TEXT_MAX);
    seed_mix(seed, entropy, seed);
    game_deal(game, &setup, seed, &deal);
    printf("seed %s\ncommit %s\n", hex, commit);
    if (entropy)
        printf("entropy %s\n", entropy);
    printf("deal %s\n", deal.text);
    buf_release(&deal);
    return 0;
}

const struct subcommand cmd_deal = {
    .name = "deal",
    .args = "--game G [--seats N] [--set K=V] [--seed HEX] [--entropy WORDS]",
    .about = "deal a game from a seed, and show the seed's commitment",
    .more = "Prints the seed, its commitment (the SHA-256 that is announced\n"
            "before a game) and the deal computed from it, as protocol.md\n"
            "describes under \"Chance\".",
    .opts = opts,
    .run = run,
};
