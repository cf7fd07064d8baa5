#ifndef REFEREE_CMD_GRADE_COURSE_H
#define REFEREE_CMD_GRADE_COURSE_H

/*
 * course.h - a graded course: its file, its students, its levels.
 *
 * Every student's bot plays every level, a bot of known strength, on the same
 * deals, each deal once from both seats. A level is passed when the student's
 * bot is better than that bot, with the stated confidence (anytime.h). Points
 * add up. A student's grade does not depend on other students, unless the
 * organiser asks for places: then the graded version also gets points for its
 * place among the students on a ladder.
 *
 *     course_read() --> course_play() --> course_places()
 *                                               |
 *                       the writers <-- course_json()
 */

#include "cmd/lib/bots.h"
#include "cmd/lib/contest_cmd.h"
#include "cmd/lib/ini.h"
#include "league/anytime.h"
#include "store/shelf.h"

enum {
    LEVELS_MAX = 32,
    STUDENTS_MAX = 2000,
    PLACES_MAX = 1000,
    PLACE_POINTS_MAX = 1000000
};

/* A bot of known strength. */
struct level {
    struct bot_entry entry;
    int points;
    bool is_hidden;     /* students learn its name, but not its command */
    const char *digest; /* required beginning of its digest, or NULL */
};

/* A game of a trial, from the student's point of view. */
enum outcome_of_game { NOT_OVER, IS_VOID, LOST_IT, TIED_IT, WON_IT };

struct trial_game {
    unsigned char outcome;
    signed char why; /* an enum why if the student's bot left, otherwise -1 */
};

/* A student's bot against a level. The count depends on no other trial. */
struct trial {
    struct anytime test;
    int handed_out; /* deals */
    int counted;    /* deals, in order, until the verdict */
    int wins, ties, losses;
    int forfeits;
    int lost, won;           /* numbers of games worth a look, or -1 */
    const char *fault;       /* why it left the first time; or NULL */
    struct trial_game *game; /* two for each deal of the budget */
};

/* [places] */
struct places {
    const char *data, *ladder;
    int points[PLACES_MAX]; /* of the first place, the second, ... */
    int count;
};

struct student {
    const char *name;
    const char *version; /* NULL: nothing playable was submitted */
    const char *at;      /* when it was submitted */
    char why[200];       /* there is no version, or it cannot start */
    int player;          /* -1: it has none */
    struct trial trial[LEVELS_MAX];
    bool is_ranked; /* games on the places ladder with this version */
    double rating;
    int ladder_games, place, place_points;
};

struct course {
    const char *name, *handins, *out, *deadline;
    struct contest_config contest; /* the first players are the levels */
    struct level *level[LEVELS_MAX];
    int levels;
    struct places *places; /* NULL: not requested */
    int budget;            /* games of a student against a level */
    int confidence;        /* percent */
    struct student *student;
    int students;
    const char *time;
    struct workers_args workers;
    struct pool pool;
};

struct course_args {
    const char *out, *handins;
    int concurrency;
    struct workers_args workers;
};

enum { COURSE_REMARKS_BYTES = 1 << 16 };

/* Remarks list the mistakes. Free the course in any case. */
bool course_read(const char *path, const struct course_args *args,
                 struct course **out, struct lines *remarks) MUST_CHECK;
void course_free(struct course *course);
void course_help(struct buf *out);

/* Play the undecided trials. *signal is set if a signal stopped it. */
bool course_play(struct course *course, bool quiet, int *signal,
                 struct err *err) MUST_CHECK;

/* Find each student's place on the ladder. */
bool course_places(struct course *course, struct err *err) MUST_CHECK;

/* Reads "10 6 3" into a struct places. */
bool places_read_points(const struct ini_value *value,
                        struct err *err) MUST_CHECK;

/* "passed", "failed" or "undecided" */
const char *trial_word(const struct trial *trial);

/* The id of a game in the records. */
void trial_game_id(const struct course *course, int student, int level,
                   int game, char id[64]);

/* Everything known, for people and programs; the caller frees it. */
json_t *course_json(const struct course *course);

/*
 * Write files to the folder `out`: grades.json, grades.csv, junit.xml,
 * gradescope/NAME.json, students/NAME.html and NAME-games.html.
 */
bool grades_write(const struct course *course, const json_t *grades,
                  struct err *err) MUST_CHECK;

/* One student's page. */
void student_page(const json_t *grades, const json_t *student, bool has_games,
                  struct buf *out);

/*
 * The changes since the previous grades, one sentence for each student;
 * `before` may be NULL.
 */
void grades_compare(const json_t *before, const json_t *grades,
                    struct lines *out);

/*
 * Copy a teacher's file from a learning platform and fill in the points. A row
 * belongs to a student if one of its cells is the student's name, or the name
 * that the roster (a CSV file of name,student) gives. The points go into the
 * column whose title is or begins with `column`.
 */
bool grades_fill(const json_t *grades, const char *path, const char *roster,
                 const char *column, struct buf *out,
                 struct err *err) MUST_CHECK;

#endif
