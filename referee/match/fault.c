#include "match/fault.h"

#include <string.h>

static const char *const words[WHYS] = {
    [WHY_RESIGN] = "resign",     [WHY_ILLEGAL] = "illegal",
    [WHY_TIME] = "time",         [WHY_START] = "start",
    [WHY_REFUSE] = "refuse",     [WHY_EXIT] = "exit",
    [WHY_INPUT] = "input",       [WHY_FLOOD] = "flood",
    [WHY_PROTOCOL] = "protocol",
};

const char *why_word(enum why why)
{
    return words[why];
}

bool why_read(const char *word, enum why *why)
{
    for (int i = 0; i < WHYS; i++)
        if (strcmp(word, words[i]) == 0) {
            *why = (enum why)i;
            return true;
        }
    return false;
}

bool why_breaks(enum why why)
{
    return why != WHY_RESIGN && why != WHY_ILLEGAL && why != WHY_REFUSE;
}

static const struct {
    enum why why;
    const char *text;
} faults[FAULTS] = {
    [FAULT_LATE] = {WHY_TIME, "did not answer in time"},
    [FAULT_NOT_READY] = {WHY_START, "was not ready in time"},
    [FAULT_REFUSED] = {WHY_REFUSE, "does not play this game"},
    [FAULT_CLOSED] = {WHY_EXIT, "closed its output"},
    [FAULT_STUCK] = {WHY_INPUT, "more than 2 MiB of its input are unread, or "
                                "65536 commands unanswered"},
    [FAULT_LONG_LINE] = {WHY_FLOOD, "a line of more than 1024 bytes"},
    [FAULT_NOTES] = {WHY_FLOOD, "more than 1000 notes, or 65536 bytes of "
                                "them, in one game"},
    [FAULT_BLANKS] = {WHY_FLOOD, "more than 1000 empty lines without an "
                                 "answer"},
    [FAULT_LISTED] = {WHY_FLOOD, "more than 256 lines of list_commands"},
    [FAULT_UNASKED] = {WHY_PROTOCOL, "an answer to nothing: every command has "
                                     "been answered"},
    [FAULT_ID] = {WHY_PROTOCOL, "an answer with the wrong id: answer in "
                                "order, or leave the ids out"},
    [FAULT_NO_BLANK] = {WHY_PROTOCOL, "put a blank after = or ? and its "
                                      "number"},
    [FAULT_NOT_ASCII] = {WHY_PROTOCOL, "an answer with bytes that are not "
                                       "ASCII"},
    [FAULT_STRAY_LINE] = {WHY_PROTOCOL,
                          "a line that is not an answer: an answer "
                          "starts with = or ?, a note with a "
                          "number sign"},
    [FAULT_VERSION] = {WHY_PROTOCOL, "the answer to protocol_version must be "
                                     "2"},
};

const char *fault_text(enum fault fault)
{
    return faults[fault].text;
}

enum why fault_why(enum fault fault)
{
    return faults[fault].why;
}
