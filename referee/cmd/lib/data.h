#ifndef REFEREE_CMD_LIB_DATA_H
#define REFEREE_CMD_LIB_DATA_H

/*
 * data.h - the data folder that a command is about, and its ladders.
 *
 * The command line names a daemon's referee.ini, or the folder itself. The file
 * also gives the anchors of its ladders; other ladders keep the anchor that
 * their ratings were computed with.
 */

#include "base/pool.h"
#include "store/rate.h"

/* A ladder whose anchor is known. */
struct data_ladder {
    const char *name;
    struct rate_anchor anchor;
    struct data_ladder *next;
};

struct data_folder {
    const char *path;
    const char *index;           /* PATH/index.db */
    struct data_ladder *ladders; /* the last one read comes first */
    struct pool pool;
};

bool data_find(struct data_folder *data, const char *given,
               struct err *err) MUST_CHECK;
void data_release(struct data_folder *data);

/*
 * Read other anchors from a file, or from standard input for "-". Each line is
 * "LADDER NAME ELO", or "LADDER" for no anchor.
 */
bool data_read_anchors(struct data_folder *data, const char *path,
                       struct err *err) MUST_CHECK;

/* The anchor of a ladder, or none. */
struct rate_anchor data_anchor(const struct data_folder *data,
                               const char *name);

#endif
