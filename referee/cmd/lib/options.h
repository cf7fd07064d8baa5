#ifndef REFEREE_CMD_LIB_OPTIONS_H
#define REFEREE_CMD_LIB_OPTIONS_H

/*
 * options.h - a table of options, read with getopt_long().
 *
 *     static const struct opt opts[] = {
 *         {"depth", "D", "how many moves deep", OPT_INT, &depth, 1, 12},
 *         {"quiet", NULL, "say nothing but errors", OPT_FLAG, &quiet},
 *         {NULL},
 *     };
 */

#include "base/err.h"

enum opt_kind {
    OPT_FLAG, /* bool */
    OPT_TEXT, /* const char * */
    OPT_INT,  /* int, in min..max */
    OPT_TIME, /* int64_t, microseconds; in min..max milliseconds */
    OPT_LIST, /* struct texts: may be repeated */
};

enum { TEXTS_MAX = 64 };

struct texts {
    const char *text[TEXTS_MAX];
    int count;
};

struct opt {
    const char *name;
    const char *arg; /* the name of its argument in the help; NULL for a flag */
    const char *help;
    enum opt_kind kind;
    void *to;
    int min, max;
};

/* Store a value as if it came from the command line. */
bool opt_take(const struct opt *opt, const char *value,
              struct err *err) MUST_CHECK;

/* The options of the command's table that the command line gave. */
const bool *opts_given(void);

#endif
