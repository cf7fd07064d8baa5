#ifndef REFEREE_RUN_WALLS_NOTICE_H
#define REFEREE_RUN_WALLS_NOTICE_H

/*
 * notice.h - reports what a wall stopped, in words that the bot's author
 * understands.
 *
 * A refused call waits in the kernel for an answer. After a number of them the
 * referee stops answering, so that a bot cannot keep it busy.
 */

#include <stdbool.h>

enum { NOTICES_MAX = 32 }; /* of one bot */

/*
 * Take one refused call from the descriptor and refuse it. *words describes it
 * and is never freed; NULL if there was none. False if no process is left that
 * could make one.
 */
bool notice_take(int listener, const char **words);

#endif
