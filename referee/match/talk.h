#ifndef REFEREE_MATCH_TALK_H
#define REFEREE_MATCH_TALK_H

/*
 * talk.h - the talk with one bot: commands go out, answers come in.
 *
 * GTP version 2: the referee writes "ID COMMAND ARGS", and the bot answers
 * "=ID TEXT" or "?ID TEXT", in the order of the commands. The referee does not
 * wait between commands, so a talk remembers which ones are unanswered. Ids
 * count up, so it is enough to keep the kinds, oldest first.
 *
 *              '=' or '?'
 *     OUTSIDE ------------> INSIDE    the answer is complete at once; what
 *        ^                    |       follows in its lines is a note
 *        |    empty line      |
 *        +--------------------+
 *        |                    |  to list_commands
 *        +---- LISTING <------+       each line is a command
 *
 * A talk outlives a game: a bot says once what it understands and may play
 * many games. Nothing here does I/O: the owner of the connection takes the
 * bytes of `out` and hands in lines.
 */

#include "base/buf.h"
#include "match/fault.h"

#include <stdint.h>

enum {
    TALK_LINE_MAX = 1024,           /* a bot's line, without the line feed */
    TALK_UNSENT_MAX = 2 << 20,      /* bytes that a bot has not read */
    TALK_OPEN_MAX = 1 << 16,        /* commands that a bot has not answered */
    TALK_LISTED_MAX = 256,          /* lines of list_commands */
    TALK_BLANKS_MAX = 1000,         /* empty lines without an answer */
    TALK_NOTES_MAX = 1000,          /* notes in a game, ... */
    TALK_NOTE_BYTES_MAX = 64 << 10, /* ... and their bytes */
    TALK_TITLE_MAX = 64,            /* of name and version */
};

/* What the referee can say. protocol.md has one paragraph for each. */
enum command {
    COMMAND_LOGIN, /* over a network only */
    COMMAND_PROTOCOL_VERSION,
    COMMAND_LIST_COMMANDS,
    COMMAND_NAME,
    COMMAND_VERSION,
    COMMAND_NEW_GAME,
    COMMAND_ENTROPY,
    COMMAND_TIME_SETTINGS,
    COMMAND_TIME_LEFT,
    COMMAND_STATE,
    COMMAND_LEGAL_MOVES,
    COMMAND_GENMOVE,
    COMMAND_REJECTED,
    COMMAND_GAME_OVER,
    COMMAND_RECEIPT,
    COMMAND_QUIT,
    COMMAND_PONDER, /* never sent: a bot that lists it gets events at once */
    COMMAND_EVENT,  /* of a game; the text itself is the command */
    COMMANDS
};

/* The word of a command; NULL for EVENT. */
const char *command_word(enum command command);

struct talk {
    struct buf out;
    size_t sent; /* bytes of `out` that the owner has written */

    uint32_t next_id;
    uint8_t *open; /* a ring of unanswered commands, oldest first */
    uint32_t open_first, open_count, open_cap;

    enum { TALK_OUTSIDE, TALK_INSIDE, TALK_LISTING } reading;
    int blanks;            /* empty lines since the last answer */
    int notes, note_bytes; /* in this game */

    bool greeted;      /* the first commands have been sent */
    bool said_version; /* and the last of them is answered */
    bool has_played;   /* a game to its end */
    bool lists_all;    /* answered '?' to list_commands */
    unsigned lists;    /* a bit per command */
    struct buf listed; /* all words, each between two line feeds */
    int listed_count;

    char name[TALK_TITLE_MAX + 1];
    char version[TALK_TITLE_MAX + 1];
};

/* A whole answer. */
struct answer {
    enum command command;
    bool ok;          /* '=', not '?' */
    const char *text; /* without blanks around it; part of the given line */
    enum fault fault; /* the fault, if it is one */
};

enum talk_got {
    GOT_NOTHING, /* an empty line, or a part of a longer answer */
    GOT_ANSWER,
    GOT_NOTE,  /* answer->text is the note */
    GOT_FAULT, /* answer->fault says what is wrong */
};

/* False if the bot has just said that it speaks another protocol. */
bool answer_is_ours(const struct answer *answer);

void talk_init(struct talk *talk);
void talk_release(struct talk *talk);

/* Ask once what the bot is and understands. */
void talk_greet(struct talk *talk);

/*
 * Write a command: begin, append its arguments (each after a blank) to the
 * buffer, end. talk_event() writes a whole line that is an event.
 */
struct buf *talk_begin(struct talk *talk, enum command command);
void talk_end(struct talk *talk);
void talk_event(struct talk *talk, const char *text);

/* Does the bot want this command? `word` is the first word of an event. */
bool talk_wants(const struct talk *talk, enum command command);
bool talk_wants_event(const struct talk *talk, const char *word, size_t len);

/*
 * Does it play this game? A bot lists "new_game GAME" for each game, or for
 * none.
 */
bool talk_plays(const struct talk *talk, const char *game);

/* Bytes that wait to be written. More than TALK_UNSENT_MAX is a fault. */
size_t talk_unsent(const struct talk *talk);
bool talk_is_stuck(const struct talk *talk);

/* The owner has written n bytes from out.text + sent. */
void talk_sent(struct talk *talk, size_t n);

/* Count the notes of a new game from 0. */
void talk_new_game(struct talk *talk);

/* Count a text that is kept as a note. False if there are too many. */
bool talk_count_note(struct talk *talk, const char *text);

/*
 * Take a line, without its line feed. It is cleaned in place and must have room
 * for a NUL at len.
 */
enum talk_got talk_line(struct talk *talk, char *line, size_t len,
                        struct answer *answer);

/* The same for an empty line, which ends an answer. False if it is a fault. */
bool talk_blank(struct talk *talk);

#endif
