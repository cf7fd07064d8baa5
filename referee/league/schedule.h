#ifndef REFEREE_LEAGUE_SCHEDULE_H
#define REFEREE_LEAGUE_SCHEDULE_H

/*
 * schedule.h - who meets whom in a tournament.
 *
 * Entrants are numbered from 0, the best seed first. A pairing is a set of
 * them, as many as a game has seats, that plays some games; in its game g the
 * i-th of them has seat (i + g) mod seats. In a game an entrant gets a point
 * for everybody it left behind, and half a point for everybody it tied with:
 * with two seats 1, 1/2 or 0. Points are kept in halves. A void game gives
 * nothing.
 *
 * The owner asks schedule_next() for games, plays them in any order, and tells
 * each result to schedule_game(). What comes next depends only on the config
 * and the results, not on the order of the results. So to continue an old
 * tournament, report its results again.
 *
 * ROUND_ROBIN  Every set of entrants meets once in each cycle. With 2 seats a
 *     round is what can be played at once; with more a round is a set of
 *     entrants, counted round the circle, so that all play equally often.
 *
 * GAUNTLET  Each of the challengers, the first entrants, meets every set of
 *     the others in each cycle. Standings go by the share of the points that
 *     an entrant could have got, since not all play equally often.
 *
 * SWISS  A round begins when the one before is over; everybody plays in each,
 *     or has a bye if the number is not a multiple of the seats. 2 seats:
 *     among all pairings the one with the fewest unfair byes (a second one
 *     before all had one), then the fewest rematches, then the bye lowest in
 *     the standings, then the least differences between the scores, squared,
 *     and then the upper half of each score group against its lower half.
 *     Where a round might leave rematches as the only choice to a later one
 *     (never if there are at most half as many rounds as entrants) a search
 *     looks ahead, up to 64 entrants. More seats: the lowest of those with the
 *     fewest byes sit out, and tables go by score, with as few repeated
 *     meetings as a search by exchange finds. A bye counts as a pairing in
 *     which all games were won against all.
 *
 * KNOCKOUT  A round begins when the one before is over. The last round is one
 *     table: the final. Before it each table of N sends on its best: 1 of 2,
 *     1 of 3, 2 of 4, 1 of 5, 3 of 6; call this A. The field shrinks to N,
 *     2N, 4N .. with 2, 4 and 6 seats, to N, 3N, 9N .. with 3, and to N, 5N
 *     .. with 5: the first round eliminates just so many that one of these
 *     is left (or as many as it can). For that it has as few tables as do; the
 *     best seeds have byes; and where N - A at each table were too many, the
 *     tables of the better seeds eliminate fewer. Seeds are spread as usual:
 *     places are dealt to the tables to and fro, a winner takes the best place
 *     of its table, the second the next best. Entrants that met before are
 *     kept apart where an exchange of equal places can do it. If a tie leaves
 *     open who goes on, the table plays on, one game for each rotation of the
 *     seats, up to `replays` times; then the better seed goes on.
 *
 * Standings: points, then Buchholz (the sum of the points of all that one met,
 * once for each pairing; a bye counts as opponents with one's own points), then
 * Sonneborn-Berger (each point times the points of whom it was won from), then
 * seed. In a knockout: how far one came, then the place at the last table; who
 * is equal in this shares a place.
 */

#include "base/err.h"
#include "base/lines.h"

#include <stdint.h>

enum {
    SCHEDULE_ENTRANTS_MAX = 256,
    SCHEDULE_PAIRINGS_MAX = 100000,
    SCHEDULE_GAMES_MAX = 10000000,
};

enum format {
    FORMAT_ROUND_ROBIN,
    FORMAT_GAUNTLET,
    FORMAT_SWISS,
    FORMAT_KNOCKOUT
};

/* "round-robin|gauntlet|swiss|knockout" */
extern const char format_words[];

struct schedule_config {
    enum format format;
    int entrants;
    int seats;
    int games;        /* of a pairing; 0: one for each rotation */
    int unit;         /* games that are handed out together, or 0: 1 */
    int cycles;       /* round robin, gauntlet; 0: 1 */
    int challengers;  /* GAUNTLET; 0: 1 */
    int rounds;       /* SWISS; 0: log2 of the entrants, rounded up */
    int replays;      /* KNOCKOUT */
    bool third_place; /* KNOCKOUT, 2 seats: played for */
};

struct pairing {
    int round, table; /* from 0; byes stand behind the tables */
    int seats;        /* 1: a bye */
    int entrant[SEATS_MAX];
    int games, dealt, done;
    int goes_on; /* KNOCKOUT: how many of them */
    int replays;
    bool by_seed; /* a tie that only the seeds could decide */
    bool is_third_place;
    int points[SEATS_MAX][SEATS_MAX]; /* of the i-th against the j-th */
};

struct schedule {
    struct schedule_config config;
    struct pairing *pairing;
    int pairings, room;
    int rounds; /* in all */
    int round;  /* that was made last; from 0 */
    int cursor; /* no pairing before it has games to hand out */
    int open;   /* pairings that are not over */
    int field[SCHEDULE_ENTRANTS_MAX]; /* KNOCKOUT: who is in, by place */
    int field_len;
};

/*
 * Fill in what is 0. A refusal begins with the name of the field, as in
 * "rounds: ...".
 */
bool schedule_check(struct schedule_config *config, struct err *err) MUST_CHECK;

/* `config` has been checked. Out of memory ends the program. */
void schedule_init(struct schedule *schedule,
                   const struct schedule_config *config);
void schedule_release(struct schedule *schedule);

/* Games to play now: `games` of a pairing, starting with its game `first`. */
struct turn {
    int pairing;
    int first;
    int games;
};

enum schedule_answer {
    SCHEDULE_TURN,  /* here it is */
    SCHEDULE_WAITS, /* for the results of games that were handed out */
    SCHEDULE_ENDS,  /* all games were handed out, and none will follow */
};

enum schedule_answer schedule_next(struct schedule *schedule,
                                   struct turn *turn);

/*
 * The result of a game: the rank of each entrant of the pairing, in its order,
 * 1 being the best; NULL if the game was void.
 */
void schedule_game(struct schedule *schedule, int pairing, const int *rank);

/* All games are played. */
bool schedule_is_over(const struct schedule *schedule);

/* Games of all rounds made so far, and those of them that are played. */
int schedule_games(const struct schedule *schedule, int *done);

/* The points of one of the pairing, and all from the best to the last. */
int pairing_points(const struct pairing *pairing, int i);
void pairing_order(const struct pairing *pairing, int order[SEATS_MAX]);

struct standing {
    int entrant;
    int place;         /* from 1 */
    int points;        /* in halves */
    int possible;      /* points, in halves */
    int byes;          /* worth points only in a Swiss */
    int buchholz;      /* in halves */
    int64_t sonneborn; /* in quarters */
    int out;           /* KNOCKOUT: in this round, from 0; or -1 */
};

/* From the first to the last; room for all entrants. */
void schedule_standings(const struct schedule *schedule,
                        struct standing *standings);

/* entrants x entrants: points of row against column, and games they shared. */
void schedule_crosstable(const struct schedule *schedule, int *points,
                         int *games);

#endif
