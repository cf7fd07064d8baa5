#ifndef TESTS_ARENA_H
#define TESTS_ARENA_H

/*
 * arena.h - a match, the bots at its table, and a clock, all in one hand.
 *
 *     arena_open(&a, game, &setup, 7);     a deal that follows from 7
 *     a.lists[0] = "legal_moves play";     what the bot of seat 1 lists
 *     arena_begin(&a);                     the bots get ready
 *     while (arena_owing(&a))
 *         arena_answer(&a, seat, "pass");
 *     arena_close(&a);
 *
 * The bots answer everything but genmove by themselves. All bytes that a bot
 * gets, and all that the record gets, are kept. Every line of the referee is
 * held to the protocol; what breaks it ends the program.
 */

#include "match/match_state.h"

struct arena {
    struct match_config config;
    const char *lists[SEATS_MAX]; /* words, or NULL: it answers '?' */
    bool strangers;               /* the bots get no help at all */
    struct buf deal;
    uint8_t seed[SEED_BYTES];

    struct talk talk[SEATS_MAX];
    struct match *match;
    struct stamp stamp; /* now */
    bool unread[SEATS_MAX];

    struct buf said[SEATS_MAX];  /* all that a bot got */
    struct buf legal[SEATS_MAX]; /* its last list of moves */
    uint32_t ids[SEATS_MAX];     /* of the last command */
    seat_set asked;              /* that owe an answer to genmove */
    struct buf record;
};

void insist(bool what, const char *sentence);

/* A game of this setup whose chance follows from a number. */
void arena_open(struct arena *arena, const struct game *game,
                const struct setup *setup, uint32_t number);
void arena_close(struct arena *arena);

void arena_begin(struct arena *arena);

/* Another game with the same bots; the first must be over. */
void arena_again(struct arena *arena);

/*
 * How many bytes of a record that was cut somewhere are worth to go on from; 0:
 * none. Then go on with them.
 */
size_t record_whole(const struct game *game, const char *bytes, size_t len);
void arena_resume(struct arena *arena, const char *bytes, size_t whole);

/* A line of a bot, as it is; an answer to its genmove, "= TEXT" */
void arena_say(struct arena *arena, int seat, const char *line);
void arena_answer(struct arena *arena, int seat, const char *text);
void arena_gone(struct arena *arena, int seat, enum why why);
void arena_tick(struct arena *arena);
void arena_void(struct arena *arena, const char *reason);

/* After anything was done to the match by other means. */
void arena_pump(struct arena *arena);

/* The i-th listed move of a seat, i modulo how many there are. */
void arena_legal(const struct arena *arena, int seat, uint32_t i, char *text);

/* Has a seat failed for this reason? Does the record have this line? */
bool arena_has_left(const struct arena *arena, int seat, enum why why);
bool arena_recorded(const struct arena *arena, const char *line);

/* Every word that there is to list for this game, but not ponder. */
const char *arena_all_words(const struct game *game, struct buf *out);

/* Every game with every number of seats, of the games that have one of these
 * traits; 0: of all games. Returns how many. */
struct which {
    int game, seats;
};

enum { WHICH_MAX = 64 };
size_t which_games(unsigned traits, struct which all[WHICH_MAX]);

/* FNV-1a, for bots that must always do the same. */
uint32_t text_hash(const char *text, uint32_t start);

#endif
