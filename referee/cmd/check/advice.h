#ifndef REFEREE_CMD_CHECK_ADVICE_H
#define REFEREE_CMD_CHECK_ADVICE_H

/* advice.h - explain what went wrong and how to fix it. */

#include "cmd/check/bot.h"

/* An empty finding, to be filled in. */
void finding_begin(struct finding *finding, enum verdict verdict,
                   const char *check, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Show the end of what the bot wrote to stderr. */
void quote_stderr(struct finding *finding, const char *words, size_t len);

/*
 * Explain a question that got no proper answer: quotes, what was expected, and
 * a hint. A silent bot is examined further; that ends its process.
 */
void advise(struct exam *exam, enum outcome outcome, struct finding *finding);

/* Explain why a seat left a game. `detail` is the match's reason. */
void advise_leaver(struct exam *exam, enum why why, const char *detail,
                   struct finding *finding);

/*
 * Explain an illegal move: was it legal earlier, for another seat, or in the
 * previous game? The records are those of this game and the previous one.
 */
void advise_illegal(const struct buf *record, const struct buf *before,
                    int seat, const char *detail, struct finding *finding);

#endif
