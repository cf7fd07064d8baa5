/*
 * A starter kit for bots of the referee, in standard C17.
 *
 *     #include "referee_bot.h"
 *
 *     static const char *choose(const struct game *game)
 *     {
 *         return game->moves.word[0];
 *     }
 *
 *     int main(void)
 *     {
 *         return run(&(struct bot){.name = "my-bot", .choose = choose});
 *     }
 *
 * The kit talks with the referee and keeps the game up to date. The referee
 * writes "ID COMMAND ARGS" and a line feed, the bot answers "=ID TEXT" and an
 * empty line, or "?ID TEXT" if it cannot. Everything else is for people and
 * belongs on stderr. KIT.md says more.
 */
#ifndef REFEREE_BOT_H
#define REFEREE_BOT_H

#include <stdbool.h>
#include <stddef.h>

enum { SEATS_MAX = 6, PIECES_MAX = 200 };

/* A line and its words. */
struct words {
    char *text, **word;
    size_t size, count, room;
};

/* What is told of a piece of second-chance: "P11" and "xxx/x..". */
struct piece {
    char card[8], rows[96];
};

/* All that a bot knows of the game it plays. */
struct game {
    char name[33];        /* "rondo" */
    int seat, seats;      /* yours, counted from 1, and how many */
    long time_left_ms;    /* yours; -1 where there is no clock */
    struct words options; /* KEY=VALUE, as new_game told */
    struct words view;    /* KEY=VALUE, the state as your seat sees it */
    struct words moves;   /* the legal ones */
    int piece_count;      /* second-chance: all cards */
    struct piece piece[PIECES_MAX];
};

/* A bot is a name and a function that chooses; the rest may be left out. */
struct bot {
    const char *name, *version;
    const char *game;                               /* the only one it plays */
    const char *(*choose)(const struct game *game); /* a move, or "resign" */
    void (*hear)(const struct game *game, const char *event);
};

/* Play until the referee says quit or hangs up; what main returns. */
int run(const struct bot *bot);

/* The VALUE of a KEY, or "" if there is none: value(&game->view, "phase"). */
const char *value(const struct words *words, const char *key);

/* The K-th of the texts that the separator joins, from 1, up to its end. */
const char *part(const char *text, char separator, int k);

/* The legal move that is worth most, any one of them if several are; "resign"
 * if none is known. The context is yours. */
const char *best_move(const struct game *game,
                      double (*worth)(const char *move, const void *context),
                      const void *context);

#endif
