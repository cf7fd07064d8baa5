#ifndef REFEREE_MATCH_MATCH_H
#define REFEREE_MATCH_MATCH_H

/*
 * match.h - one game between bots, from new_game to game_over.
 *
 *                every seat has answered          no seat owes a move
 *     STARTING ---- new_game or failed ----> PLAYING -----------------> OVER
 *         |                                     |
 *         +----------- match_void() ------------+---------------------> OVER
 *
 * A match is a state machine with no I/O and no clock of its own. Lines,
 * departures and the time go in; commands for the bots gather in their talks,
 * and the record in its writer. It never calls its owner, so it can be driven
 * by an event loop, by a test, or by a fuzzer, and cannot tell which.
 *
 * A step: every seat that owes a move is asked at once. Answers are checked
 * when they come and held back. When all have answered or failed, departures
 * take effect, in seat order, then the moves, in seat order. A bot that fails
 * while it owes nothing leaves when it next would be asked.
 */

#include "match/clock.h"
#include "match/game_summary.h"
#include "match/record.h"
#include "match/replay.h"
#include "match/talk.h"

#define NEVER INT64_MAX

enum {
    LEGAL_MOVES_MAX = 1 << 20, /* bytes of that command */
    BOT_NAME_MAX = 32,
    REMARKS_MAX = 4096, /* bytes, before a game begins */
};

/* When something happened, in microseconds on one monotonic clock. */
struct stamp {
    int64_t now_us;
    int64_t lag_us;    /* the referee was busy so long before it could look */
    int64_t cpu_us;    /* CPU time that this bot has used; 0 if nobody counts */
    int64_t travel_us; /* what the way there and back took; not charged */
};

/* All texts are borrowed for as long as the match lives. */
struct match_config {
    const struct game *game;
    struct setup setup;
    const char *id;      /* one word */
    const char *about;   /* "KEY=VALUE ..." for the record, or NULL */
    const char *deal;    /* NULL if the game has none */
    const uint8_t *seed; /* what the deal follows from, or NULL */
    const char *entropy; /* what was added to the seed before, or NULL */
    bool asks_entropy;   /* seats may add to it now: deal when they have */
    int part;            /* of the games on one deal, from 1; 0: there is one */
    bool seed_is_chosen; /* then there is no commitment */
    bool reveal_seed;    /* when the game is over */
    bool holds_end;      /* until match_tell_end() */
    const char *name[SEATS_MAX];    /* of the bots */
    const char *digest[SEATS_MAX];  /* of their programs, or NULL */
    const char *version[SEATS_MAX]; /* or NULL: what they say themselves */
    const char *walls[SEATS_MAX];   /* around them, a word; or NULL */
    struct time_control time[SEATS_MAX];
    int64_t start_us;    /* to be ready */
    int64_t none_us;     /* for a move under the time control `none` */
    int64_t lenience_us; /* beyond the clock */
    int retries;         /* after an illegal move */
    bool voids_refusal;  /* a game that somebody refuses at first is void */
    bool restarts;       /* a program that ends between games is started anew */
    bool forgets;        /* no seat comes back with match_back() */
};

struct match;

/*
 * Greet the bots that were not greeted before, and ask all for a new game. The
 * talks are borrowed. The caller frees the match with match_free().
 */
struct match *match_new(const struct match_config *config,
                        struct talk *const *talks, int64_t now_us);
void match_free(struct match *match);

/*
 * The same for a game that was interrupted: `replay` has been played to the
 * end of the record, of which `bytes` are all there are; `log` is what it told
 * on the way. State and log go over to the match. The bots are told all they
 * had seen, and the clocks go on as they were.
 */
struct match *match_resume(const struct match_config *config,
                           struct talk *const *talks, struct replay *replay,
                           struct lines *log, const struct buf *bytes,
                           int64_t now_us);

/*
 * Inputs. A line has no line feed, and room for a NUL at len. match_sent():
 * the bytes for this seat have been handed to the kernel, or as many as there
 * was room for: its clock starts. match_waited(): the rest went out when the
 * bot had made room, and the referee noticed that stamp->lag_us late, which is
 * not charged. match_allow(): of the time that this seat is awaited so much is
 * the way's; for a seat that match_late() names, before match_tick().
 * match_tick(): the time has come that match_deadline() named.
 */
void match_line(struct match *match, int seat, char *line, size_t len,
                const struct stamp *stamp);
void match_gone(struct match *match, int seat, enum why why, const char *detail,
                const struct stamp *stamp);
void match_sent(struct match *match, int seat, const struct stamp *stamp);
void match_waited(struct match *match, int seat, const struct stamp *stamp);
void match_allow(struct match *match, int seat, int64_t travel_us);

/*
 * A connection broke: its clock runs on, and nothing is sent. It is there
 * again, with a new talk in the place of the old one: it is told all anew.
 */
void match_away(struct match *match, int seat);
void match_back(struct match *match, int seat, int64_t now_us);

void match_tick(struct match *match, int64_t now_us);

/* The world failed: disk, memory, host. One word. */
void match_void(struct match *match, const char *reason);

/* The record could not be stored: void, even if the game was just over. */
void match_unrecorded(struct match *match);

/*
 * Tell the bots that the game is over, and how. Where the config says
 * `holds_end` the owner does so when the record is safe; else it is done.
 */
void match_tell_end(struct match *match);

/*
 * What game_summary_read() would find in the record, which is closed, without
 * reading it. False if only the record knows: it was begun by another match.
 */
bool match_summary(const struct match *match,
                   struct game_summary *summary) MUST_CHECK;

/* Outputs, besides the talks. */
const char *match_entropy(const struct match *match); /* or NULL */
int64_t match_deadline(const struct match *match);    /* or NEVER */
seat_set match_late(const struct match *match, int64_t now_us);
bool match_is_over(const struct match *match);
bool match_is_void(const struct match *match);

/*
 * A program that has played a game to its end was gone before it answered
 * new_game: it was on its way out. Nothing has happened yet; start it anew and
 * begin again. Only where the config says `restarts`.
 */
bool match_is_spoiled(const struct match *match);
const struct result *match_result(const struct match *match); /* when over */

/* A line "@- WORD SEAT TEXT" for the record, as long as it is open. */
void match_remark(struct match *match, int seat, const char *word,
                  const char *text);

/* Bytes for the record gather here until the owner stores them. */
struct record_writer *match_record(struct match *match);

/* Whether a seat has failed or left, and why. */
bool match_has_left(const struct match *match, int seat, enum why *why);
const char *match_why(const struct match *match, int seat);
const char *match_detail(const struct match *match, int seat);

/*
 * Whose bots are of no further use: late, lost, or breaking the protocol? The
 * owner should end them. Those that resigned, refused or played an illegal move
 * are not among them.
 */
seat_set match_broken(const struct match *match);

/* Does this seat's clock count CPU time? Then stamps must have it. */
bool match_counts_cpu(const struct match *match, int seat);

/* Is it asked for a move? */
bool match_clock_runs(const struct match *match, int seat);

/* Which of the seats that were asked in this step have answered. */
seat_set match_answered(const struct match *match);

/* What is left of its time, or NEVER without a limit. */
int64_t match_time_left(const struct match *match, int seat, int64_t now_us);

/* The position, with everything hidden; NULL before the game has begun. */
const struct state *match_state(const struct match *match);

/* What this seat used for its moves so far. */
struct move_times {
    int moves;
    int64_t last_us; /* the last one */
    int64_t lag_us;  /* which the referee saw so late */
};

const struct move_times *match_move_times(const struct match *match, int seat);
int match_moves(const struct match *match);

#endif
