/* referee bot - the built-in players. */

#include "base/alloc.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "lib/referee.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int level = 1;
static const char *seed;
static bool levels;

static const struct opt opts[] = {
    {"level", "N", "how strong, from 1 (random moves, the default)", OPT_INT,
     &level, 1, REFEREE_LEVELS},
    {"levels", NULL, "list the levels of every game, and stop", OPT_FLAG,
     &levels, 0, 0},
    {"seed", "TEXT", "any text: play the same game again", OPT_TEXT, &seed, 0,
     0},
    {0},
};

/* The last legal_moves line, and where its moves start. */
struct player {
    char *moves;
    size_t cap;
    struct rng choice;
};

static void keep_moves(struct player *p, const char *moves)
{
    size_t need = strlen(moves) + 1;

    if (need > p->cap) {
        p->cap = 2 * need;
        free(p->moves);
        p->moves = must_alloc(malloc(p->cap));
    }
    memcpy(p->moves, moves, need);
}

/* Pick a legal move at random, each with the same chance. */
static void print_move(struct player *p)
{
    uint32_t count = 0, chosen;
    const char *at = p->moves ? p->moves : "";

    for (const char *c = at; *c; c++)
        count += *c == ' ';
    if (*at == '\0') {
        fputs("resign", stdout);
        return;
    }
    for (chosen = rng_uniform(&p->choice, count + 1); chosen > 0; chosen--)
        at = strchr(at, ' ') + 1;
    printf("%.*s", (int)strcspn(at, " "), at);
}

/* Answer "ID COMMAND ARGUMENTS"; the ID is optional. False after quit. */
static bool answer(struct player *p, char *line)
{
    size_t id = strspn(line, "0123456789");
    const char *at = line + id + strspn(line + id, " ");

    printf("=%.*s ", (int)id, line);
    if (take_word(&at, "protocol_version"))
        fputs("2", stdout);
    else if (take_word(&at, "name"))
        fputs("referee bot", stdout);
    else if (take_word(&at, "version"))
        fputs(PACKAGE_VERSION, stdout);
    else if (take_word(&at, "list_commands"))
        fputs("legal_moves\ngenmove\nquit", stdout);
    else if (take_word(&at, "legal_moves"))
        keep_moves(p, at);
    else if (take_word(&at, "genmove"))
        print_move(p);
    fputs("\n\n", stdout);
    return strcmp(at, "quit") != 0;
}

/* From level 2 upwards: a search with the rules. */
static int run_search(void)
{
    char name[32], fresh[32];
    char *line = NULL;
    size_t cap = 0;
    referee_player *p;

    snprintf(name, sizeof name, "referee level %d", level);
    snprintf(fresh, sizeof fresh, "%08x%08x", randombytes_random(),
             randombytes_random());
    p = referee_player_new(name, 0, 0, seed ? seed : fresh);
    referee_player_level(p, level);
    while (!referee_player_quits(p) && getline(&line, &cap, stdin) > 0) {
        fputs(referee_player_answer(p, line), stdout);
        if (fflush(stdout) == EOF)
            break;
    }
    referee_player_free(p);
    free(line);
    return 0;
}

/* Playouts per move, by level and game. */
static int print_levels(void)
{
    int most = 0;

    fputs("LEVEL", stdout);
    for (int i = 0; i < referee_games(); i++) {
        const char *game = referee_game_name(i);

        most = referee_levels(game) > most ? referee_levels(game) : most;
        printf("%15s", game);
    }
    for (int l = 1; l <= most; l++) {
        printf("\n%5d", l);
        for (int i = 0; i < referee_games(); i++) {
            const char *game = referee_game_name(i);
            double n = referee_level_playouts(game, l);

            if (l > referee_levels(game))
                printf("%15s", "-");
            else
                printf("%15.*f", n > 0 && n < 100, n);
        }
    }
    putchar('\n');
    return 0;
}

static void seed_choice(struct player *p)
{
    uint8_t bytes[SEED_BYTES];

    if (seed)
        sha256_of(seed, strlen(seed), bytes);
    else
        randombytes_buf(bytes, sizeof bytes);
    rng_seed(&p->choice, bytes);
}

static int run(int argc, char **argv)
{
    struct player player = {0};
    char *line = NULL;
    size_t cap = 0;

    if (argc > 0)
        return complain("bot takes no arguments, so no \"%.40s\"", argv[0]);
    if (levels)
        return print_levels();
    if (level > 1)
        return run_search();
    seed_choice(&player);
    while (getline(&line, &cap, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!answer(&player, line) || fflush(stdout) == EOF)
            break;
    }
    fflush(stdout);
    free(line);
    free(player.moves);
    return 0;
}

const struct subcommand cmd_bot = {
    .name = "bot",
    .args = "[--level N]",
    .about = "run a built-in player, from random moves to a search",
    .more =
        "Speaks the protocol over standard input and output and plays any "
        "game: an opponent\nthat is always there. Level 1 plays random legal "
        "moves. Higher levels search\nwith a fixed number of playouts a move, "
        "up to 4096, so a level means the same on any\nmachine, as long as the "
        "clock allows that many. Neighbours are about 110 Elo points\napart. "
        "How many levels there are depends on the game, as --levels shows; a "
        "higher\nnumber plays the strongest.\n\n"
        "Example:\n"
        "  referee match --game rondo ./mybot \"referee bot --level 3\"",
    .opts = opts,
    .run = run,
};
