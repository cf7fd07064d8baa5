#ifndef REFEREE_MATCH_MATCH_STATE_H
#define REFEREE_MATCH_MATCH_STATE_H

/*
 * match_state.h - what a match remembers, and how its parts call each other.
 * For the match*.c files; nobody else looks inside.
 */

#include "match/match.h"

enum { DETAIL_MAX = 199, END_MAX = 255 };

enum phase { STARTING, PLAYING, OVER };

struct seat {
    struct talk *talk;
    struct clock clock;
    struct move_times times;

    uint32_t stale; /* answers still due from the previous game */
    bool ready;     /* has answered new_game; not while it is away */
    bool was_away;  /* its game continues: resume=yes */
    bool owes_entropy;
    char entropy[ENTROPY_HEX + 1]; /* what it has added, or "" */
    bool settled;                  /* has been told the time settings */
    bool ponders;
    /* one bit per word of the game's events, and one for leave */
    unsigned wants;
    size_t told; /* lines of the log that it has been told */

    /* This step. */
    struct move move;
    int tries;
    int64_t asked_us;
    int64_t sent_us; /* when the clock started; -1: the bytes are still here */
    int64_t cpu_us;  /* when the clock started */
    int64_t used_us, lag_us, travel_us;
    int64_t allowed_us; /* travel time granted before it is called late */

    /* When it has failed. */
    enum why why;
    struct buf detail;
};

struct match {
    struct match_config config;
    enum phase phase;
    bool is_void;
    bool is_spoiled;
    bool resumed;
    struct state *state; /* NULL while STARTING, unless resumed */
    struct result result;
    struct buf end; /* "result ..." */
    bool told_end;
    char commit[HASH_HEX + 1]; /* to the seed; "none" if the seed was chosen */
    bool has_asked_entropy;
    char entropy[ENTROPY_TEXT + 1]; /* from all seats, if they were asked, */
    struct buf deal;                /* and the deal that follows from it */
    int seats;
    int moves;
    int64_t start_deadline_us;

    seat_set failed;          /* they leave, or will when they are next asked */
    seat_set out;             /* they have left */
    seat_set broken;          /* their bots are of no further use */
    seat_set asked, answered; /* in this step */

    /* events with their audience: all of them, or the latest */
    struct lines log;
    size_t recorded;    /* lines of the log that are in the record */
    struct moves legal; /* scratch */
    struct record_writer record;
    struct buf remarks; /* for the record, from before it began */
    struct seat seat[];
};

/* match.c: small questions, and failing. */

/* Seats that are asked for a move and have neither answered nor failed. */
seat_set owing(const struct match *match);

/* When the clock of an asked seat started. */
int64_t clock_start(const struct seat *seat);

/* a + b, or NEVER. */
int64_t plus(int64_t a, int64_t b);

void depart(struct match *match, int seat, enum why why,
            const char *detail) RARE;
void blame(struct match *match, int seat, enum fault fault) RARE;
void depart_if_stuck(struct match *match, int seat);

/*
 * Continue if no answer is missing any more. match_answer.c calls it: it has
 * match_line(), and one small function for the answer to each command.
 */
void continue_match(struct match *match, int64_t now_us);

/* match_entropy.c: what seats add to the seed, before the deal. */

/* Ask the seats that want to add, once. */
void ask_entropy(struct match *match, int64_t now_us);
void take_entropy(struct match *match, int seat, const struct answer *answer);

/* All have answered: deal from what they have added, if anything. */
void mix_entropy(struct match *match);

/* match_send.c: commands for one seat, joined in its talk. */

void send_new_game(struct match *match, int seat);

/* Everything that this seat may see and has not been told yet. */
void send_events(struct match *match, int seat);

/* Everything for one turn: events, times, state, legal moves, genmove. */
void send_turn(struct match *match, int seat);
void send_genmove(struct match *match, int seat);
void send_rejected(struct match *match, int seat, const char *text);
void send_game_over(struct match *match, int seat, const char *result);

/* The events that the bot wants, once it has said so. */
void read_subscriptions(struct match *match, int seat);

/* match_record.c: what goes into the record. */

void record_start(struct match *match);
void record_new_events(struct match *match);

/* "@- clock SEAT STATE used=US lag=US", followed by the move. */
void record_clock(struct match *match, int seat);

/* "@- WORD SEAT TEXT" */
void note(struct match *match, const char *word, int seat, const char *text);
void keep_note(struct match *match, int seat, const char *text);
void note_fault(struct match *match, int seat);

void close_record(struct match *match, const char *result);

/* What the record says of the version of a bot without a digest, or "". */
const char *version_of(const struct match *match, int seat);

/* Is the seed told at the end? */
bool reveals_seed(const struct match *match);

#endif
