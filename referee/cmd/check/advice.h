#ifndef REFEREE_CMD_CHECK_ADVICE_H
#define REFEREE_CMD_CHECK_ADVICE_H

/*
 * advice.h - from what went wrong to what to do about it.
 */

#include "cmd/check/bot.h"

/* A finding, to be filled in. */
void finding_begin(struct finding *finding, enum verdict verdict,
                   const char *check, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Show what the bot wrote to stderr: the end of it, if it is long. */
void quote_stderr(struct finding *finding, const char *words, size_t len);

/*
 * Explain a question that got no proper answer: quotes, what was wanted, and a
 * hint. Whoever is silent is looked at so closely that it does not survive.
 */
void advise(struct exam *exam, enum outcome outcome, struct finding *finding);

/* Explain why a seat left a game. `detail` is what the match says. */
void advise_leaver(struct exam *exam, enum why why, const char *detail,
                   struct finding *finding);

/*
 * Explain an illegal move: was it legal before, or for another seat, or in
 * the game before? The records are those of this game and of the last one.
 */
void advise_illegal(const struct buf *record, const struct buf *before,
                    int seat, const char *detail, struct finding *finding);

#endif
