#ifndef REFEREE_DAEMON_CLOSING_H
#define REFEREE_DAEMON_CLOSING_H

/*
 * closing.h - games that are over, on their way into the index.
 *
 *     closing_add() --> waits --> one transaction --> on_game(), on_indexed()
 *                         ^            |
 *                         +-- failed --+  after a second, until it works
 *
 * The record of such a game is stored already, so nothing is lost if the index
 * cannot be written, but no new game starts meanwhile (trouble.h).
 * Games that end within a tenth of a second share a transaction, because each
 * transaction costs the loop about as much as a game.
 */

#include "daemon/syncer.h"
#include "daemon/trouble.h"
#include "run/group.h"
#include "store/archive.h"

struct lobby_ladder;

struct closed_game {
    char id[GROUP_ID_MAX + 1];
    /* freed with the game; NULL: read it from the record */
    struct game_summary *summary;
    char location[LOCATION_MAX + 1]; /* where its record is */
    bool has_file;                   /* it has a file in running/ as well */
    struct lobby_ladder *ladder;     /* that counts it, or NULL */
    int entrant[SEATS_MAX];          /* its bots on that ladder */
    int seats;
};

struct closing_owner {
    /* A game that is new to the index. */
    void (*on_game)(void *owner, const struct game_summary *summary);
    /* The archive no longer needs this record, even if it was damaged. */
    void (*on_indexed)(void *owner, const struct closed_game *game);
    /* A transaction was tried. */
    void (*on_tried)(void *owner);
};

struct closing;

/* All pointers are borrowed for as long as it lives. */
struct closing *closing_new(struct loop *loop, struct log *log,
                            struct archive *archive, struct syncer *syncer,
                            struct troubles *troubles,
                            const struct closing_owner *calls, void *owner);
void closing_free(struct closing *closing); /* NULL is allowed */

/* This game is over. */
void closing_add(struct closing *closing, const struct closed_game *game);

/* The number that are waiting; and one of them, or NULL. */
int closing_count(const struct closing *closing);
const struct closed_game *closing_find(const struct closing *closing,
                                       const char *id);

/* Index all that are waiting now, as far as possible. */
void closing_flush(struct closing *closing);

/* Before the first game: index what a power failure took from the index. */
bool closing_catch_up(struct closing *closing, struct err *err) MUST_CHECK;

#endif
