#ifndef REFEREE_CMD_CHECK_MACHINE_LOOK_H
#define REFEREE_CMD_CHECK_MACHINE_LOOK_H

/*
 * machine_look.h - what /proc and /sys say, here or in a copy.
 */

#include "run/walls/walls.h"

#include <sched.h>
#include <stddef.h>

enum { LOOK_PATH = 512 };

struct look {
    const char *root; /* "" or a folder */
    bool is_copy;     /* nothing can be measured, or tried */
    cpu_set_t processors;
    struct cores *cores;
    struct walls_host *walls; /* NULL for a copy */
};

void look_begin(struct look *look, const char *root);
void look_end(struct look *look);

/* A file; "" if there is none. The first of these without blanks at its ends.
 */
void look_text(const struct look *look, const char *path, char *text,
               size_t size);
void look_raw(const struct look *look, const char *path, char *text,
              size_t size);

/* The number in it, or `otherwise`. */
long look_number(const struct look *look, const char *path, long otherwise);

/* So many processors may be used before everything stops; 0: no limit. */
double look_quota(const struct look *look);

#endif
