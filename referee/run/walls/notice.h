#ifndef REFEREE_RUN_WALLS_NOTICE_H
#define REFEREE_RUN_WALLS_NOTICE_H

/*
 * notice.h - what a wall stopped, in the words of the bot's author.
 *
 * A refused call waits in the kernel for an answer. After some of them nobody
 * answers any more, so that a bot cannot keep the referee busy.
 */

#include <stdbool.h>

enum { NOTICES_MAX = 32 }; /* of one bot */

/*
 * Take one refused call from the descriptor and refuse it. *words is what it
 * was, never freed; or NULL, if there was none. False if nobody is left who
 * could make one.
 */
bool notice_take(int listener, const char **words);

#endif
