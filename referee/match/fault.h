#ifndef REFEREE_MATCH_FAULT_H
#define REFEREE_MATCH_FAULT_H

/*
 * fault.h - why a seat leaves a game, in a word and in a sentence.
 *
 * The word is in the `leave` event and in the result. The sentence is in the
 * record and in the report to the bot's owner. protocol.md lists them all.
 */

#include <stdbool.h>

enum why {
    WHY_RESIGN,
    WHY_ILLEGAL,
    WHY_TIME,
    WHY_START,
    WHY_REFUSE,
    WHY_EXIT,
    WHY_INPUT,
    WHY_FLOOD,
    WHY_PROTOCOL,
    WHYS
};

/* The word for a fault, and the fault for a word. */
const char *why_word(enum why why);
bool why_read(const char *word, enum why *why);

/* Is a bot that left for this reason of no further use? */
bool why_breaks(enum why why);

enum fault {
    FAULT_LATE,
    FAULT_NOT_READY,
    FAULT_REFUSED,
    FAULT_CLOSED,
    FAULT_STUCK,
    FAULT_LONG_LINE,
    FAULT_NOTES,
    FAULT_BLANKS,
    FAULT_LISTED,
    FAULT_UNASKED,
    FAULT_ID,
    FAULT_NO_BLANK,
    FAULT_NOT_ASCII,
    FAULT_STRAY_LINE,
    FAULT_VERSION,
    FAULTS
};

const char *fault_text(enum fault fault);
enum why fault_why(enum fault fault);

#endif
