#ifndef REFEREE_CMD_GRADE_COURSE_H
#define REFEREE_CMD_GRADE_COURSE_H

/*
 * course.h - a course that is graded: its file, its students, its levels.
 *
 * Every student's bot plays every level, a bot of known strength, on the same
 * deals, each deal once from both seats. A level is passed when the student's
 * bot is better than that bot, with the stated confidence (anytime.h). Points
 * add up. What a student gets does not depend on other students, unless the
 * organiser asks for it: then the place of the graded version among the
 * students on a ladder gives points, too.
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
    const char *digest; /* how its digest must begin, or NULL */
};

/* A game of a trial, by the student's side. */
enum outcome_of_game { NOT_OVER, IS_VOID, LOST_IT, TIED_IT, WON_IT };

struct trial_game {
    unsigned char outcome;
    signed char why; /* an enum why if the student's bot left, or -1 */
};

/* A student's bot against a level; what is counted depends on no other. */
struct trial {
    struct anytime test;
    int handed_out; /* deals */
    int counted;    /* deals, in their order, up to the verdict */
    int wins, ties, losses;
    int forfeits;
    int lost, won;           /* numbers of games to look at, or -1 */
    const char *fault;       /* why it left, the first time; or NULL */
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
    const char *version; /* NULL: nothing that can play was handed in */
    const char *at;      /* when it was */
    char why[200];       /* there is no version, or it cannot be started */
    int player;          /* -1: it has none */
    struct trial trial[LEVELS_MAX];
    bool is_ranked; /* on the ladder of the places, with this version */
    double rating;
    int ladder_games, place, place_points;
};

struct course {
    const char *name, *handins, *out, *deadline;
    struct contest_config contest; /* the first players are the levels */
    struct level *level[LEVELS_MAX];
    int levels;
    struct places *places; /* NULL: nobody asked for them */
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

/* Remarks say what is wrong. The course is to be freed. */
bool course_read(const char *path, const struct course_args *args,
                 struct course **out, struct lines *remarks) MUST_CHECK;
void course_free(struct course *course);
void course_help(struct buf *out);

/* Play what is not decided. *signal is set if one stopped it. */
bool course_play(struct course *course, bool quiet, int *signal,
                 struct err *err) MUST_CHECK;

/* Who has which place on the ladder. */
bool course_places(struct course *course, struct err *err) MUST_CHECK;

/* Reads "10 6 3" into a struct places. */
bool places_read_points(const struct ini_value *value,
                        struct err *err) MUST_CHECK;

/* "passed", "failed" or "undecided" */
const char *trial_word(const struct trial *trial);

/* The id of a game in the records. */
void trial_game_id(const struct course *course, int student, int level,
                   int game, char id[64]);

/* All that is known, for people and programs; the caller frees it. */
json_t *course_json(const struct course *course);

/*
 * Files in the folder `out`: grades.json, grades.csv, junit.xml,
 * gradescope/NAME.json, students/NAME.html and NAME-games.html.
 */
bool grades_write(const struct course *course, const json_t *grades,
                  struct err *err) MUST_CHECK;

/* One student's page. */
void student_page(const json_t *grades, const json_t *student, bool has_games,
                  struct buf *out);

/*
 * What differs from the grades that were there, a sentence for each student;
 * `before` may be NULL.
 */
void grades_compare(const json_t *before, const json_t *grades,
                    struct lines *out);

/*
 * The teacher's file from a learning platform, with the points filled in: a
 * row in which a cell is a student's name, or what the roster (a CSV file of
 * name,student) says the student is called there, gets the points in the
 * column whose title is or begins with `column`.
 */
bool grades_fill(const json_t *grades, const char *path, const char *roster,
                 const char *column, struct buf *out,
                 struct err *err) MUST_CHECK;

#endif
