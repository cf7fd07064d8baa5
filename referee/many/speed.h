#ifndef REFEREE_MANY_SPEED_H
#define REFEREE_MANY_SPEED_H

/*
 * speed.h - how fast this machine is, by a fixed piece of work.
 *
 * The work resembles that of bots: it plays games with random moves from fixed
 * seeds, so it is the same everywhere. A core that does it in 20 ms has speed
 * 100. The fastest of three runs counts, because other programs can only slow
 * it down. A machine that is always busy therefore measures as slow.
 */

double speed_measure(void);

#endif
