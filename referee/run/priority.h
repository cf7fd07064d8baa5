#ifndef REFEREE_RUN_PRIORITY_H
#define REFEREE_RUN_PRIORITY_H

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
 *
 * A bot has a session of its own, and where Linux groups processes by session
 * (sched(7), autogroup) a bot with a hundred threads takes no more from the
 * others than any other bot. But in a throng that grouping costs a tenth of all
 * moves, and the bots that wait behind the referee take its processor from it
 * every 100 us, while another one sleeps, a fifth of the time. So there they
 * stay in the session of the referee, and are nice. With fewer of them that
 * would be wrong: beside somebody else's work nice bots get next to nothing,
 * and lose on time; from some 60 for a processor on they weigh as much as he
 * does.
 */

#include <stdint.h>

/* This process is the referee. Who is started by it gets nothing of this. */
void priority_referee(void);
int64_t priority_slice_ns(void); /* what it gets at a time, if Linux says */

/* More games at once than processors that we may use; and many more. */
enum crowding { NO_CROWD, A_CROWD, A_THRONG };

enum crowding priority_crowd(int games);

/* This process, and who is started by it, is a bot of such a crowd. */
void priority_bot(enum crowding crowd);

#endif
