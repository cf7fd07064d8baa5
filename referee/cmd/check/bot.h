#ifndef REFEREE_CMD_CHECK_BOT_H
#define REFEREE_CMD_CHECK_BOT_H

/*
 * bot.h - the bot that is examined: started, asked, listened to, ended.
 *
 * Everything here waits, with a limit, in the event loop. Lines go to a
 * listener (a game) or, without one, to whoever waits for answers. What was
 * said last is kept for quotes.
 */

#include "cmd/check/report.h"
#include "match/match.h"
#include "run/bot.h"

enum { HEARD_MAX = 64 };

/* What comes of a question. */
enum outcome {
    OUTCOME_ANSWERED,
    OUTCOME_SILENT, /* no answer in time */
    OUTCOME_BROKEN, /* against the protocol; exam->fault says how */
    OUTCOME_LOST,   /* it has ended, or sent too much; exam->detail says how */
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
    int64_t limit_us; /* for an answer */
    int games;        /* that this process has been asked to play */
    const struct listener *listener;
    void *arg;

    bool lost, ended, timed_out;
    bool deaf;    /* it has broken the protocol: what follows does not matter */
    enum why why; /* if lost */
    char detail[200];

    /* Answers that are waited for, and the last one. */
    int due, refused;
    bool ok, broken;
    char text[TALK_LINE_MAX + 1];
    enum fault fault; /* if broken */

    struct quote heard[HEARD_MAX]; /* a ring */
    unsigned heard_count;

    /* How the answers look. */
    int answers, blanks, with_id, with_cr, strays;

    struct stderr_tally errors; /* all it wrote to stderr */
    int refusals;               /* '?' to commands that it lists, ... */
    struct quote refusal;       /* ... such as this */
};

void exam_init(struct exam *exam, const struct bot_config *config,
               bool verbose);
void exam_release(struct exam *exam);

bool exam_start(struct exam *exam, struct err *err) MUST_CHECK;

/* End it and all it has started, whatever it does. */
void exam_end(struct exam *exam);

/* Is it there, to be asked? */
bool exam_is_up(const struct exam *exam);

/* Write what the talk holds and wait for so many answers. */
enum outcome exam_ask(struct exam *exam, int answers, int64_t limit_us);

/* The same, but each byte comes alone. */
enum outcome exam_ask_by_bytes(struct exam *exam, int answers,
                               int64_t limit_us);

/* Let the world go on until exam_wake(); false if the time is over. */
bool exam_wait(struct exam *exam, int64_t limit_us);
void exam_wake(struct exam *exam);

/* Wait until the process has ended; false if it has not. */
bool exam_wait_end(struct exam *exam, int64_t limit_us);
void exam_close_input(struct exam *exam);

/*
 * The talk has grown since it had `unsent` bytes to write: remember what is
 * new. To be called before exam_wait() or a flush.
 */
void exam_note_new(struct exam *exam, size_t unsent);

/* Count a '?' to a command that the bot says it knows. */
void exam_note_refusal(struct exam *exam, const char *line, size_t len);

/* Quote the last lines of the talk. */
void exam_quote(const struct exam *exam, struct finding *finding);

/*
 * It did not answer. Find out why, which costs it its life: what does it say
 * when its input ends?
 */
void exam_explain_silence(struct exam *exam, struct finding *finding);

#endif
