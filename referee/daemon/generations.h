#ifndef REFEREE_DAEMON_GENERATIONS_H
#define REFEREE_DAEMON_GENERATIONS_H

/*
 * generations.h - the configurations in use.
 *
 * A reload adds a new configuration, which is then in force. Games that began
 * under an older one keep it until they end and their bots are gone; then
 * generations_tidy() frees it. The first one also lives as long as the daemon,
 * because listeners are opened only once.
 */

#include "daemon/config.h"
#include "run/group.h"

struct generation {
    struct serve_config *config;
    int units;        /* groups that play under it */
    struct home home; /* of its local bots */
    struct generation *next;
};

struct generations {
    struct loop *loop;
    void (*release)(struct serve_config *config);
    void (*on_bot_ended)(void *owner);
    void *owner;
    struct generation *newest;         /* the older ones follow it */
    const struct serve_config *opened; /* its listeners are open */
};

/* The generations take it over, and it is in force. */
struct generation *generations_add(struct generations *generations,
                                   struct serve_config *config);

/* Go back to the one before. Nothing may use the newest yet. */
void generations_drop(struct generations *generations);

/* Free the generations that no game and no bot needs. */
void generations_tidy(struct generations *generations);

/* Does any of them have a bot that has not ended yet? */
bool generations_have_bots(const struct generations *generations);

#endif
