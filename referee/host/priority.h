#ifndef REFEREE_PRIORITY_H
#define REFEREE_PRIORITY_H

/*
 * priority.h - who gets a processor first: the referee, then its bots.
 *
 * The clock of a bot runs until the referee looks. The less the referee asks
 * for at a time, the sooner Linux (from 6.12) lets it run when an answer is
 * there, even if another bot thinks on that processor.
 *
 * In a crowd, bots run as batch processes: one that is woken does not take the
 * processor from the referee, which serves all who are ready before it sleeps.
 * A game alone is faster without: its bot has answered before the referee
 * would sleep.
 */

#include <stdbool.h>
#include <stdint.h>

/* This process is the referee. Who is started by it gets nothing of this. */
void priority_referee(void);
int64_t priority_slice_ns(void); /* what it gets at a time, if Linux says */

/* This process, and who is started by it, is one of a crowd. */
void priority_crowd(void);

/* Are these more games than processors that we may use? */
bool priority_is_crowd(int games);

#endif
