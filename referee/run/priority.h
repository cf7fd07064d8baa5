#ifndef REFEREE_RUN_PRIORITY_H
#define REFEREE_RUN_PRIORITY_H

/*
 * priority.h - who gets a processor first: the referee, then its bots.
 *
 * A bot's clock runs until the referee looks. The shorter the time slice that
 * the referee asks for, the sooner Linux (since 6.12) runs it when an answer
 * arrives, even if another bot is thinking on that processor.
 *
 * In a crowd, bots run as batch processes. A bot that wakes up then does not
 * preempt the referee, which serves every bot that is ready before it sleeps. A
 * single game is faster without this, because its bot has answered before the
 * referee would sleep.
 *
 * Each bot has a session of its own. Linux may share time by session (sched(7),
 * autogroup), so a bot with a hundred threads takes no more time than any other
 * bot.
 */

#include <stdbool.h>
#include <stdint.h>

/* This process is the referee. The processes it starts do not inherit this. */
void priority_referee(void);
int64_t priority_slice_ns(void); /* its time slice, if Linux shows it */

/* Are this many games at once a crowd: more than there are processors? */
bool priority_crowd(int games);

/* This process, and everything it starts, is a bot, in a crowd or not. */
void priority_bot(bool in_crowd);

#endif
