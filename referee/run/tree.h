#ifndef REFEREE_RUN_TREE_H
#define REFEREE_RUN_TREE_H

/*
 * tree.h - the descendants of a process, as /proc shows them.
 *
 * A tree is a list with parents before their children. It is out of date as
 * soon as it is made: some processes have ended since, others have started. If
 * that matters, make it again.
 */

#include <stddef.h>
#include <sys/types.h>

enum { TREE_MAX = 32768 }; /* processes listed in one call */

/* Too large for the stack. */
struct tree {
    pid_t pid[TREE_MAX];
    int count;
};

/* Add the children of a process. */
void tree_add_children(struct tree *tree, pid_t parent);

/* All descendants of a process. */
void tree_look(struct tree *tree, pid_t root);

void tree_signal(const struct tree *tree, int number);

/*
 * Kill the listed processes and their descendants, up to `max` in all. Each is
 * stopped as soon as it is found, so that it cannot start another. Some may
 * have done so just before, so call it again.
 */
void tree_end(struct tree *tree, int max);

/* Read a small file as text; "" if it is empty or unreadable. */
void read_text(const char *path, char *text, size_t size);

#endif
