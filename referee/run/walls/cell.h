#ifndef REFEREE_RUN_WALLS_CELL_H
#define REFEREE_RUN_WALLS_CELL_H

/*
 * cell.h - the walls around one bot, from its start to its end.
 *
 *     referee    cell_open()   a control group and a user
 *     guard      cell_build()  the scratch folder, the rules for files; or it
 *                              joins namespaces
 *     process 1  cell_found()  its mounts, if it has namespaces
 *     bot-to-be  cell_enter()  limits, user, rules, filter; then it is walled
 *     guard      cell_is_over(), cell_clear()
 *     guard      cell_raze(), at its own end
 *     referee    cell_close()
 *
 * A guard that waits for its next bot keeps the cell. If the kernel does not
 * count, the guard checks ten times a second what the bot uses.
 */

#include "run/walls/cgroup.h"
#include "run/walls/scratch.h"
#include "run/walls/walls.h"

struct tree;

struct cell {
    const struct walls *walls; /* NULL: there are none */
    struct cgroup cgroup;
    uid_t user; /* -1: as the referee */

    /* The guard's own. */
    /* its path as the bot sees it; "": there is none */
    char scratch[SCRATCH_PATH_MAX];
    /* its own sized file system in memory, so the guard need not check it */
    bool has_disk;
    int rules;          /* for files, or -1 */
    int hiding;         /* looks in a row that saw less than there is */
    struct tree *tree;  /* to look at processes */
    char **environment; /* of the bot */
};

enum { CELL_LOOK_MS = 100 };

bool cell_open(struct cell *cell, const struct walls *walls,
               struct err *err) MUST_CHECK;
void cell_close(struct cell *cell);
void cell_free(struct cell *cell); /* closes it; NULL is fine */

/* `environment` is that of the bot (environment.h). False with errno. */
bool cell_build(struct cell *cell, char *const *environment);

/*
 * With namespaces: fork with this, then found the cell in the child. False with
 * errno; *what says what failed.
 */
bool cell_has_spaces(const struct cell *cell);
pid_t cell_fork(const struct cell *cell);
bool cell_found(struct cell *cell, const char **what);

/*
 * Put this process behind the walls; false with errno. *listener is the
 * descriptor that reports refused calls (notice.h), or -1.
 */
bool cell_enter(const struct cell *cell, int *listener);

/*
 * Does the guard have to check every CELL_LOOK_MS? Which limit do the processes
 * below this one exceed?
 */
bool cell_needs_looks(const struct cell *cell);
enum cell_limit cell_is_over(struct cell *cell, pid_t root);

/* No process is left in it: make it ready for the next bot, or remove it. */
void cell_thaw(const struct cell *cell);
void cell_clear(const struct cell *cell);
void cell_clear_up(const struct cell *cell); /* but for its control group */
void cell_raze(const struct cell *cell);

/* "used more than 512 MiB of memory" */
void cell_limit_words(const struct walls *walls, enum cell_limit limit,
                      char *text, size_t size);

#endif
