#ifndef REFEREE_REFEREE_H
#define REFEREE_REFEREE_H

/*
 * referee.h - the rules of all games, for bots that search and learn.
 *
 *     cc bot.c $(pkg-config --cflags --libs referee)
 *
 * There are three kinds of handle. Rules are a game with its options and number
 * of seats; they never change. A state is one position, including everything
 * hidden. A seat receives what the referee tells one player, and makes worlds:
 * states that agree with all of it. A search bot needs no more than this:
 *
 *     referee_seat_told(seat, "play 2 a3:1", NULL);      each event
 *     referee_seat_world(seat, state, rng, NULL);        a possible truth
 *     n = referee_moves(state, 1);                       legal moves 0 .. n-1
 *     referee_apply(state, 1, 0);
 *
 * Seats count from 1, as in every text of the protocol; a set of seats has
 * bit 0 for seat 1. A viewer is a seat, 0 for a spectator, or
 * REFEREE_ALL for everything. Moves are numbered by their place in the list of
 * legal moves, whose order is fixed: it follows from what the seat can see.
 *
 * Functions that can fail take a referee_error last, which may be NULL, and
 * return 0 or NULL. Texts are written as by snprintf(): at most `size` bytes
 * including the NUL; the full length is returned. Different threads may use
 * different states at once. Running out of memory ends the program.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REFEREE_API   4 /* grows when functions are added */
#define REFEREE_SEATS 6 /* at most */
#define REFEREE_ALL   (-1)

typedef struct referee_rules referee_rules;
typedef struct referee_state referee_state;
typedef struct referee_seat referee_seat;
typedef struct referee_rng referee_rng;

typedef struct referee_error {
    char text[400];
} referee_error;

int referee_api(void); /* REFEREE_API of the library in use */

/* Games. */

int referee_games(void);
const char *referee_game_name(int i); /* "rondo"; NULL after the last one */
const char *referee_game_title(const char *name);
const char *referee_game_about(const char *name);
const char *referee_game_events(const char *name); /* "play|draw|score|..." */
int referee_game_seats(const char *name, int *min, int *max);

/* The traits of a game, as bits. */
enum { REFEREE_HIDDEN = 1, REFEREE_CHANCE = 2, REFEREE_SIMULTANEOUS = 4 };
int referee_game_traits(const char *name);

/*
 * The rules of a game. Options are texts such as "board=red", joined by blanks,
 * or NULL. Rules must outlive their states and seats.
 */
referee_rules *referee_rules_new(const char *game, int seats,
                                 const char *options, referee_error *err);

/*
 * The same from the arguments of new_game, "rondo match=m seats=2 seat=1
 * names=a,b board=blue ..."; *seat becomes the bot's seat.
 */
referee_rules *referee_rules_told(const char *new_game, int *seat,
                                  referee_error *err);
void referee_rules_free(referee_rules *rules);
const char *referee_rules_game(const referee_rules *rules);
int referee_rules_seats(const referee_rules *rules);
int referee_rules_max_moves(const referee_rules *rules);

/*
 * Chance. A seed is 64 hex digits, as `referee deal` prints them; any other
 * text stands for its SHA-256. A generator is for one thread at a time.
 */
referee_rng *referee_rng_new(const char *seed);
void referee_rng_free(referee_rng *rng);
uint32_t referee_rng_below(referee_rng *rng, uint32_t n); /* n > 0 */

/* States. */

referee_state *referee_new(const referee_rules *rules, const char *seed);
referee_state *referee_new_dealt(const referee_rules *rules, const char *deal,
                                 referee_error *err);
referee_state *referee_clone(const referee_state *state);
void referee_copy(referee_state *to, const referee_state *from); /* of the same
                                                                    rules */
void referee_free(referee_state *state);
const referee_rules *referee_rules_of(const referee_state *state);

unsigned referee_to_move(const referee_state *state); /* seats; 0: over */
int referee_turn(const referee_state *state); /* the first of them, or 0 */
uint64_t referee_hash(const referee_state *state);
int referee_same(const referee_state *a, const referee_state *b);

/* The number of legal moves of a seat that is to move; 0 for others. */
int referee_moves(referee_state *state, int seat);
size_t referee_move_text(referee_state *state, int seat, int move, char *out,
                         size_t size);
/* All legal moves, joined by blanks. */
size_t referee_move_texts(referee_state *state, int seat, char *out,
                          size_t size);
/* The number of a move in any spelling, or -1. */
int referee_find(referee_state *state, int seat, const char *text,
                 referee_error *err);

/* Play a move by its number, or by its text; 0 if it is not legal. */
int referee_apply(referee_state *state, int seat, int move);
int referee_play(referee_state *state, int seat, const char *text,
                 referee_error *err);
/* Seats resign, all at once; 0 if one of them has left before. */
int referee_leave(referee_state *state, unsigned seats);

/* Stop collecting events, which is faster; copies inherit this. */
void referee_mute(referee_state *state, int mute);

/* The events that the last apply, play or leave (or the start) sent to a
 * viewer, one per line. A new copy has none. */
size_t referee_events(const referee_state *state, int viewer, char *out,
                      size_t size);
size_t referee_view(const referee_state *state, int viewer, char *out,
                    size_t size);
size_t referee_show(const referee_state *state, int viewer, char *out,
                    size_t size); /* a drawing for people */
size_t referee_deal(const referee_state *state, char *out, size_t size);

/*
 * Ranks and scores by seat; rank 1 is best. Returns the reason, or NULL while
 * the game is not over; then ranks and scores are 0. Arrays have REFEREE_SEATS
 * elements.
 */
const char *referee_result(const referee_state *state, int *ranks, int *scores);

/* The value by seat, from 1 (better than all others) to 0; ties share. A seat
 * that plays alone has its score. 0 while the game is not over. */
int referee_values(const referee_state *state, double *values);

/* Replace what the viewer cannot know by another possible truth. */
void referee_redeal(referee_state *state, int viewer, referee_rng *rng);

/*
 * A random state that gives a viewer (a seat, or 0) this view, which is a line
 * of referee_view() or of the command "state" from a running game. With it, a
 * search can begin at the current position, without the events that led there.
 * Draw more such states with referee_redeal(). Whatever the view does not
 * contain, such as earlier positions in Go, is treated as if it never happened,
 * and no seat can leave the game. NULL if no state has this view.
 */
referee_state *referee_from_view(const referee_rules *rules, int viewer,
                                 const char *view, referee_rng *rng,
                                 referee_error *err);

/* Play to the end with random moves; returns the number of moves. */
int referee_playout(referee_state *state, referee_rng *rng);

/*
 * The same with moves that the game's own rule of thumb considers good, which
 * says more about a position. The other function gives one such move by its
 * number, or -1 for a seat that is not to move. A game without such a rule
 * plays at random.
 */
int referee_rollout(referee_state *state, referee_rng *rng);
int referee_hint(referee_state *state, int seat, referee_rng *rng);

/*
 * For programs that learn: a viewer's view as numbers, and a move as
 * REFEREE_MOVE_CODE numbers. The size of an observation depends only on the
 * game. Positions that a viewer cannot tell apart have equal numbers.
 * observations.md explains each number.
 */
#define REFEREE_MOVE_CODE 8
int referee_observation_size(const referee_rules *rules);
void referee_observe(const referee_state *state, int viewer, int32_t *out);
int referee_move_code(referee_state *state, int seat, int move, int32_t *out);

/* What one seat knows; seat 0 is a spectator. */

referee_seat *referee_seat_new(const referee_rules *rules, int seat,
                               const char *seed, referee_error *err);
void referee_seat_free(referee_seat *seat);
void referee_seat_again(referee_seat *seat); /* a new game begins */
int referee_seat_told(referee_seat *seat, const char *event,
                      referee_error *err);

/*
 * Make `state` a random world that agrees with everything told. The events must
 * be complete up to a point where a move is due. 0 if no game could have
 * produced them.
 */
int referee_seat_world(referee_seat *seat, referee_state *state,
                       referee_rng *rng, referee_error *err);

/*
 * Search for a good move of a seat that is to move, with a limit on playouts
 * and on milliseconds. 0 means no limit; with both 0 the move is random. The
 * same seat, seed and playouts give the same move. Writes the text of the move;
 * returns the number of playouts made, or -1.
 */
int referee_search(referee_seat *seat, int playouts, int ms, const char *seed,
                   char *move, size_t size, referee_error *err);

/*
 * A bot: for each line of the referee, it returns the answer to be written. It
 * plays every game, with a fixed number of playouts or (0) as the clock allows,
 * but spends at most `ms` (0: no limit) on a move; with both 0 it plays at
 * random. The answer is valid until the next call.
 */
typedef struct referee_player referee_player;
referee_player *referee_player_new(const char *name, int playouts, int ms,
                                   const char *seed);
void referee_player_free(referee_player *player);
const char *referee_player_answer(referee_player *player, const char *line);
int referee_player_quits(
    const referee_player *player); /* True after the referee told it to quit. */

/*
 * Levels of strength, from 1 (random moves) to the strongest. They are numbers
 * of playouts, so that they are the same on any machine. Levels are about 110
 * Elo points apart, so their number depends on the game; a number above it
 * means the strongest level. The playouts of a move are an average: 2.5 means 2
 * or 3 at random, 0 means a random move. A player with a level uses it in every
 * game.
 */
#define REFEREE_LEVELS 50 /* at most */
int referee_levels(const char *game);
double referee_level_playouts(const char *game, int level);
void referee_player_level(referee_player *player, int level);

/*
 * Many states at once, on several threads (0: one for each processor). A step
 * allocates no memory.
 *
 * referee_batch_step() plays moves[i] of the first seat to move in each state;
 * a negative number stands for a random move. States that are over and illegal
 * moves are skipped. Returns the number of moves played. referee_batch_masks()
 * fills rows of `width` bytes, 1 for each legal move of the first seat to move,
 * and sets counts[i] to their number. referee_batch_playouts() plays n random
 * games, each from a world of the viewer redealt from `state`, adds up the
 * values by seat, and returns the number of moves played. The same seed gives
 * the same sums on any number of threads.
 */
long referee_batch_step(referee_state *const *states, int n,
                        const int32_t *moves, const char *seed, int threads);
void referee_batch_masks(referee_state *const *states, int n, uint8_t *masks,
                         int width, int32_t *counts, int threads);
long referee_batch_playouts(const referee_state *state, int viewer, int n,
                            const char *seed, int threads, double *values);

#ifdef __cplusplus
}
#endif

#endif
