#ifndef REFEREE_CMD_CHECK_BOT_H
#define REFEREE_CMD_CHECK_BOT_H

/*
 * bot.h - start, question, observe and end the bot under examination.
 *
 * Every wait here runs the event loop and has a limit. Lines go to a listener
 * (a game), or, if there is none, to the code waiting for answers. The last
 * lines exchanged are kept for quotes.
 */

#include "cmd/check/report.h"
#include "match/match.h"
#include "run/bot.h"

enum { HEARD_MAX = 64 };

/* The outcome of a question. */
enum outcome {
    OUTCOME_ANSWERED,
    OUTCOME_SILENT, /* no answer in time */
    OUTCOME_BROKEN, /* it broke the protocol; exam->fault says how */
    OUTCOME_LOST,   /* it ended, or sent too much; exam->detail says how */
};

struct listener {
    void (*on_line)(void *arg, char *line, size_t len);
    void (*on_sent)(void *arg);
    void (*on_lost)(void *arg);
};

struct exam {
    struct loop loop;
    const struct bot_config *config;
    bool verbose;
    struct bot *bot; /* NULL: not running */
    struct event *timer;
    int64_t started_us;
    int64_t limit_us; /* time limit for an answer */
    int games;        /* how often this process has been asked to play */
    const struct listener *listener;
    void *arg;

    bool lost, ended, timed_out;
    bool deaf;    /* it has broken the protocol; ignore what follows */
    enum why why; /* if lost */
    char detail[200];

    /* Answers still expected, and the last one received. */
    int due, refused;
    bool ok, broken;
    char text[TALK_LINE_MAX + 1];
    enum fault fault; /* if broken */

    struct quote heard[HEARD_MAX]; /* a ring */
    unsigned heard_count;

    /* The form of the answers. */
    int answers, blanks, with_id, with_cr, strays;

    struct stderr_tally errors; /* everything it wrote to stderr */
    int refusals;               /* '?' answers to commands it lists, ... */
    struct quote refusal;       /* ... one of which is this */
};

void exam_init(struct exam *exam, const struct bot_config *config,
               bool verbose);
void exam_release(struct exam *exam);

bool exam_start(struct exam *exam, struct err *err) MUST_CHECK;

/* End it and every process it started, whatever it does. */
void exam_end(struct exam *exam);

/* True if it is running and can be asked. */
bool exam_is_up(const struct exam *exam);

/* Send the unsent text and wait for this many answers. */
enum outcome exam_ask(struct exam *exam, int answers, int64_t limit_us);

/* The same, but send each byte separately. */
enum outcome exam_ask_by_bytes(struct exam *exam, int answers,
                               int64_t limit_us);

/* Run the event loop until exam_wake(); false if the time is up. */
bool exam_wait(struct exam *exam, int64_t limit_us);
void exam_wake(struct exam *exam);

/* Wait until the process ends; false if it does not. */
bool exam_wait_end(struct exam *exam, int64_t limit_us);
void exam_close_input(struct exam *exam);

/*
 * Remember the text added since the talk had `unsent` bytes to write. Call this
 * before exam_wait() or a flush.
 */
void exam_note_new(struct exam *exam, size_t unsent);

/* Count a '?' answer to a command that the bot lists. */
void exam_note_refusal(struct exam *exam, const char *line, size_t len);

/* Quote the last lines of the talk. */
void exam_quote(const struct exam *exam, struct finding *finding);

/*
 * It did not answer. Find out why by closing its input and reading what it
 * says; this ends the process.
 */
void exam_explain_silence(struct exam *exam, struct finding *finding);

#endif
