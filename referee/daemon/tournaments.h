#ifndef REFEREE_DAEMON_TOURNAMENTS_H
#define REFEREE_DAEMON_TOURNAMENTS_H

/*
 * tournaments.h - the tournaments that the site shows.
 *
 * Each is a folder in which "referee tournament" keeps its standings and its
 * records, and perhaps still plays. In URLs it has the name of its folder. A
 * game is named after its match, "r01-t02-1". The files are searched once for
 * the start of each record, a part with each request. After that only new bytes
 * are searched.
 */

#include "base/buf.h"
#include "base/err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct tournament_file;

/* Starts as zeroes. */
struct tournaments {
    struct tournament_file *file;
    int count;
};

void tournaments_release(struct tournaments *tournaments);

/*
 * Standings as "referee tournament --json" writes them, each with "folder", its
 * name. `folders` is "DIR, DIR" of the configuration, or NULL.
 */
json_t *tournaments_list(const char *folders);

/* One of them, whose pairings have "matches"; NULL: there is none. */
json_t *tournament_named(struct tournaments *tournaments, const char *folders,
                         const char *name);

/*
 * The record of a match so far. If false, *err says why: there is none, or
 * (err->passes) its file is still being searched.
 */
bool tournament_record(struct tournaments *tournaments, const char *folders,
                       const char *name, const char *match, struct buf *out,
                       struct err *err) MUST_CHECK;

#endif
