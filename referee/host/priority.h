#ifndef REFEREE_PRIORITY_H
#define REFEREE_PRIORITY_H

/*
 * priority.h - who gets a processor first: the referee, then its bots.
 *
 * The clock of a bot runs until the referee looks. The less the referee asks
 * for at a time, the sooner Linux (from 6.12) lets it run when an answer is
 * there, even if another bot thinks on that processor.
 *
 * A bot has a session of its own. Linux gives the processes of each session the
 * same share of a processor, so a bot that runs a hundred threads takes no more
 * from the others than any other bot.
 *
 * In a crowd, bots run as batch processes: one that is woken does not take the
 * processor from the referee, which serves all who are ready before it sleeps.
 * A game alone is faster without: its bot has answered before the referee
 * would sleep.
 *
 * In a throng the bots stay in the session of the referee, and are as nice as
 * can be. Sessions by the hundred cost a tenth of all moves; and the bots that
 * wait behind the referee would take its processor from it every 100 us, while
 * another one sleeps, a fifth of the time.
 */

#include <stdint.h>

/* This process is the referee. Who is started by it gets nothing of this. */
void priority_referee(void);
int64_t priority_slice_ns(void); /* what it gets at a time, if Linux says */

/* More games at once than processors that we may use; and many more. */
enum crowd { NO_CROWD, A_CROWD, A_THRONG };

enum crowd priority_crowd(int games);

/*
 * This process, and who is started by it, is a bot of such a crowd. In a throng
 * it still has the referee's terminal, but hears no Ctrl-C.
 */
void priority_bot(enum crowd crowd);

#endif
