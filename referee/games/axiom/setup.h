#ifndef REFEREE_GAMES_AXIOM_SETUP_H
#define REFEREE_GAMES_AXIOM_SETUP_H

/*
 * setup.h - the options of Axiom: which rules, which first position.
 */

#include "games/axiom/board.h"
#include "games/game.h"

enum { AXIOM_SEATS = 2, AXIOM_PLIES_MAX = 2000 };

struct axiom_rules {
    struct position first;
    enum contact contact;
    bool pair_loses;   /* both own sceptres on one cube */
    bool nomove_draws; /* and does not lose */
    int repetition;    /* so many equal positions are a draw; 0: never */
    int max_plies;
};

extern const struct game_option axiom_options[];

bool axiom_rules(const struct setup *setup, struct axiom_rules *rules,
                 struct err *err) MUST_CHECK;

/* The options but the first position, as pairs that each follow a blank. */
void axiom_write_rules(const struct axiom_rules *rules, struct buf *out);

/* Members of the game's table. */
int axiom_max_plies(const struct setup *setup);
bool axiom_accepts(const struct setup *setup, struct err *err);
void axiom_warn(const struct setup *setup, struct buf *out);

#endif
