#ifndef REFEREE_MANY_SPEED_H
#define REFEREE_MANY_SPEED_H

/*
 * speed.h - how fast this machine is, by a fixed piece of work.
 *
 * The work is what bots do: games are played with random moves, from fixed
 * seeds, so it is the same everywhere. 100 is a core that does it in 20 ms. Of
 * three tries the fastest counts, because others can only make it slower; so a
 * machine that is busy all the time shows as a slow one.
 */

double speed_measure(void);

#endif
