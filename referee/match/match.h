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
 * departures and the time go in. Commands for the bots gather in their talks,
 * and the record in its writer. A match never calls its owner, so an event
 * loop, a test or a fuzzer can drive it, and it cannot tell which one does.
 *
 * In a step, every seat that owes a move is asked at once. Answers are checked
 * when they come and held back. When all seats have answered or failed, first
 * the departures take effect, in seat order, and then the moves, in seat order.
 * A bot that fails while it owes nothing leaves when it would next be asked.
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

/* When something happened, in microseconds of one monotonic clock. */
struct stamp {
    int64_t now_us;
    int64_t lag_us;    /* how long the referee was busy before it could look */
    int64_t cpu_us;    /* CPU time that this bot has used; 0 if not measured */
    int64_t travel_us; /* travel time both ways, which is not charged */
};

/* All texts are borrowed for as long as the match lives. */
struct match_config {
    const struct game *game;
    struct setup setup;
    const char *id;      /* one word */
    const char *about;   /* "KEY=VALUE ..." for the record, or NULL */
    const char *deal;    /* NULL if the game has none */
    const uint8_t *seed; /* the deal follows from it; or NULL */
    const char *entropy; /* what was added to the seed earlier, or NULL */
    bool asks_entropy;   /* seats may add to it now; deal when they have */
    /* of the games on one deal, from 1; 0: there is only one */
    int part;
    bool seed_is_chosen;            /* so there is no commitment */
    bool reveal_seed;               /* when the game is over */
    bool holds_end;                 /* until match_tell_end() */
    const char *name[SEATS_MAX];    /* of the bots */
    const char *digest[SEATS_MAX];  /* of their programs, or NULL */
    const char *version[SEATS_MAX]; /* or NULL: what they say themselves */
    const char *walls[SEATS_MAX];   /* around them, as a word; or NULL */
    struct time_control time[SEATS_MAX];
    int64_t start_us;    /* to be ready */
    int64_t none_us;     /* for a move under the time control `none` */
    int64_t lenience_us; /* allowed beyond the clock */
    int retries;         /* after an illegal move */
    seat_set muted;      /* their notes are not kept */
    bool voids_refusal;  /* a game is void if a bot refuses it at the start */
    /* a program that ends between games is started again */
    bool restarts;
    bool forgets; /* no seat comes back with match_back() */
};

struct match;

/*
 * Greet the bots that have not been greeted, and ask all for a new game. The
 * talks are borrowed. The caller frees the match with match_free().
 */
struct match *match_new(const struct match_config *config,
                        struct talk *const *talks, int64_t now_us);
void match_free(struct match *match);

/*
 * The same for a game that was interrupted. `replay` has been played to the end
 * of the record, which has `bytes` bytes; `log` is what it told on the way. The
 * match takes over state and log. The bots are told everything they had seen,
 * and the clocks continue as they were.
 */
struct match *match_resume(const struct match_config *config,
                           struct talk *const *talks, struct replay *replay,
                           struct lines *log, const struct buf *bytes,
                           int64_t now_us);

/*
 * Inputs. A line has no line feed, and room for a NUL at len. match_sent(): the
 * bytes for this seat have been handed to the kernel, or as many as there was
 * room for, so its clock starts. match_waited(): the rest went out when the bot
 * had made room. The referee noticed that stamp->lag_us late, and this is not
 * charged. match_allow(): so much of the time that this seat is awaited is
 * travel time. Call it for a seat that match_late() names, before match_tick().
 * match_tick(): the time that match_deadline() named has come.
 */
void match_line(struct match *match, int seat, char *line, size_t len,
                const struct stamp *stamp);
void match_gone(struct match *match, int seat, enum why why, const char *detail,
                const struct stamp *stamp);
void match_sent(struct match *match, int seat, const struct stamp *stamp);
void match_waited(struct match *match, int seat, const struct stamp *stamp);
void match_allow(struct match *match, int seat, int64_t travel_us);

/*
 * A connection broke: its clock keeps running, and nothing is sent. Then it is
 * back, with a new talk in place of the old one, and is told everything again.
 */
void match_away(struct match *match, int seat);
void match_back(struct match *match, int seat, int64_t now_us);

void match_tick(struct match *match, int64_t now_us);

/* The world failed: disk, memory, host. One word. */
void match_void(struct match *match, const char *reason);

/* The record could not be stored: void, even if the game was just over. */
void match_unrecorded(struct match *match);

/*
 * Tell the bots that the game is over, and how. If the config says `holds_end`,
 * the owner does so when the record is safe; otherwise it is done already.
 */
void match_tell_end(struct match *match);

/*
 * What game_summary_read() would find in the closed record, without reading it.
 * False if only the record knows, because another match began it.
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
 * new_game: it was already ending. Nothing has happened yet, so start it again
 * and begin again. Only where the config says `restarts`.
 */
bool match_is_spoiled(const struct match *match);
/* Of its notes, so many bytes are in the record, or will be. */
int match_note_bytes(const struct match *match, int seat);

const struct result *match_result(const struct match *match); /* when over */

/* Add a line "@- WORD SEAT TEXT" to the record, as long as it is open. */
void match_remark(struct match *match, int seat, const char *word,
                  const char *text);

/* Bytes for the record gather here until the owner stores them. */
struct record_writer *match_record(struct match *match);

/* Whether a seat has failed or left, and why. */
bool match_has_left(const struct match *match, int seat, enum why *why);
const char *match_why(const struct match *match, int seat);
const char *match_detail(const struct match *match, int seat);

/*
 * Seats whose bots are of no further use because they were late, lost, or broke
 * the protocol. The owner should end them. Bots that resigned, refused or
 * played an illegal move are not among them.
 */
seat_set match_broken(const struct match *match);

/* Does this seat's clock count CPU time? Then its stamps must include it. */
bool match_counts_cpu(const struct match *match, int seat);

/* Is it asked for a move? */
bool match_clock_runs(const struct match *match, int seat);

/* The seats asked in this step that have answered. */
seat_set match_answered(const struct match *match);

/* What is left of its time, or NEVER without a limit. */
int64_t match_time_left(const struct match *match, int seat, int64_t now_us);

/* The position, with everything hidden; NULL before the game has begun. */
const struct state *match_state(const struct match *match);

/* The time that this seat has used for its moves so far. */
struct move_times {
    int moves;
    int64_t last_us; /* the last move */
    int64_t lag_us;  /* how late the referee saw it */
};

const struct move_times *match_move_times(const struct match *match, int seat);
int match_moves(const struct match *match);

#endif
