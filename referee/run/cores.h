#ifndef REFEREE_RUN_CORES_H
#define REFEREE_RUN_CORES_H

/*
 * cores.h - processors that a bot shares with nobody.
 *
 * A core is all processors that share its circuits: two with hyper-threading,
 * otherwise one. Two bots on the two threads of one core would slow each other
 * down, so a core is handed out as a whole.
 *
 *     core 0     the referee, for itself
 *     core 1..k  handed out, each to one bot at a time
 *     the rest   for all bots that have none of their own, and for whatever
 *                else the referee starts, such as the check of a hand-in
 *
 * cores_fit() refuses a request that does not fit. A bot that is ending keeps
 * its core until it has ended. If the next game does not wait for that, a new
 * bot may share a core with a bot that is still ending.
 */

#include "base/err.h"

#include <sched.h>

enum { CORES_MAX = 512, CORES_TEXT = 160 };

struct cores;

/* Of these processors; NULL: of all that this process may use. `root` is "" or,
 * for tests, a folder that holds a copy of /sys. */
struct cores *cores_look(const char *root, const cpu_set_t *processors);
void cores_free(struct cores *cores);

int cores_count(const struct cores *cores);
int cores_processors(const struct cores *cores); /* in all of them */

/*
 * Are there enough to hand out `own` cores, keep one for the referee and, if
 * there are other bots, keep one for those?
 */
bool cores_fit(const struct cores *cores, int own, bool has_others,
               struct err *err) MUST_CHECK;

/*
 * From now on, hand out this many cores and keep this process, the referee, on
 * its own core.
 */
void cores_split(struct cores *cores, int own);

/* What a bot got. */
struct core_share {
    cpu_set_t set;
    int count; /* cores of its own; 0: it runs with the rest */
};

void cores_take(struct cores *cores, int count, struct core_share *share);
void cores_give_back(struct cores *cores, struct core_share *share);

/*
 * Add a list such as "0-3,8", in the kernel's form, to a set; and write a set
 * in that form.
 */
void cores_read(const char *text, cpu_set_t *set);
void cores_text(const cpu_set_t *set, char text[CORES_TEXT]);

#endif
