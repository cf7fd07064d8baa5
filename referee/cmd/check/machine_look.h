#ifndef REFEREE_CMD_CHECK_MACHINE_LOOK_H
#define REFEREE_CMD_CHECK_MACHINE_LOOK_H

/* machine_look.h - read /proc and /sys, live or from a copy. */

#include "run/walls/walls.h"

#include <sched.h>
#include <stddef.h>

enum { LOOK_PATH = 512 };

struct look {
    const char *root; /* "" or a folder */
    bool is_copy;     /* a copy: nothing can be measured or tried */
    cpu_set_t processors;
    struct cores *cores;
    struct walls_host *walls; /* NULL for a copy */
};

void look_begin(struct look *look, const char *root);
void look_end(struct look *look);

/* Read the first of these files that exists, without blanks at its ends; "" if
 * there is none. */
void look_text(const struct look *look, const char *path, char *text,
               size_t size);
void look_raw(const struct look *look, const char *path, char *text,
              size_t size);

/* The number in the file, or `otherwise`. */
long look_number(const struct look *look, const char *path, long otherwise);

/* How many processors the quota allows before it throttles; 0: no limit. */
double look_quota(const struct look *look);

#endif
