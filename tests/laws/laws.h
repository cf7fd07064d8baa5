#ifndef TESTS_LAWS_H
#define TESTS_LAWS_H

/*
 * laws.h - hold a game to the laws at the end of games/game.h.
 *
 *     struct laws_report report = {0};
 *
 *     for (uint32_t seed = 0; seed < 100; seed++)
 *         if (!laws_hold(game, &setup, seed, &report))
 *             return puts(report.text);
 *     if (!laws_were_met(game, &report))
 *         return puts(report.text);
 *
 * laws_hold() plays one random game, in which seats may leave, and checks
 * every law: the cheap ones after each move, the others at some positions.
 * The same seed gives the same game and the same checks for ever.
 *
 * A broken law can also end in an assert of games/game.c, or in whatever the
 * game does with a move that it should not have listed.
 */

#include "games/game.h"

enum { LAWS_TEXT_MAX = 1600, LAWS_SIGHTS = 1 << 14 };

/* What a seat saw, and what it could play then; as hashes. */
struct laws_sight {
    uint64_t view, list;
    size_t count;
};

struct laws_report {
    const char *law; /* the first broken one, or NULL */
    char text[LAWS_TEXT_MAX];

    /* What was met so far; adds up over the calls. */
    long games, moves, leaves;
    int most_seats;
    long positions;       /* looked at closely */
    long texts, refusals; /* tried as moves, and refused */
    long redeals;
    long other_deals, other_views;        /* redeals that changed these */
    unsigned traits;                      /* that showed */
    long seen_again;                      /* positions that look the same */
    struct laws_sight sight[LAWS_SIGHTS]; /* the last of each hash */
};

/* Does one random game of an accepted setup obey? If not, report->text. */
bool laws_hold(const struct game *game, const struct setup *setup,
               uint32_t seed, struct laws_report *report) MUST_CHECK;

/*
 * Did what must happen at times, happen? To be asked after many games with
 * one report: a trait that never shows is not true, and a redeal() that never
 * changes anything would make the law of the blind empty.
 */
bool laws_were_met(const struct game *game,
                   struct laws_report *report) MUST_CHECK;

#endif
