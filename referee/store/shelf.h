#ifndef REFEREE_STORE_SHELF_H
#define REFEREE_STORE_SHELF_H

/*
 * shelf.h - the folder with all that was handed in.
 *
 *     handins/
 *       anna/
 *         history.jsonl       what happened, one JSON object a line
 *         verdict.jsonl       what was told of the last hand-in, stage by
 *                             stage, with what compilers and bots printed
 *         3f2a9c0172b1e4d0/   a version: unpacked, and built
 *         sent-3b9f...        came over the network, and waits
 *         bot-v2.zip          an organiser put it there, and it waits
 *         taken/bot-v1.zip    that had its verdict
 *
 * A version is called by the beginning of the digest of its content, so the
 * same content is the same version. History only grows: what played at any
 * time can be told from it. A version that is refused never takes the place of
 * one that was accepted.
 *
 *     {"at": "2026-11-18T16:40:00Z", "event": "accepted", "version": "3f..."}
 *     {"at": ..., "event": "refused", "version": ..., "stage": "build",
 *      "text": "..."}
 *     {"at": ..., "event": "withdrawn", "version": ...}
 *     {"at": ..., "event": "chosen", "version": ...}      a roll back
 *
 * "by" says who did it: "submit" and "owner" over the network, "organiser" on
 * this machine.
 */

#include "base/date.h"
#include "base/err.h"
#include "store/disk.h"

#include <jansson.h>

enum { VERSION_HEX = 16, HISTORY_BYTES_MAX = 16 << 20 };

#define SHELF_VERDICT "verdict.jsonl"
#define SHELF_TAKEN   "taken"
#define SHELF_SENT    "sent-"

enum handin_event {
    HANDIN_ACCEPTED,
    HANDIN_REFUSED,
    HANDIN_WITHDRAWN,
    HANDIN_CHOSEN,
    HANDIN_EVENTS
};

const char *handin_event_word(enum handin_event event);

/* The names on the shelf, sorted. A folder that is not there is empty. */
bool shelf_names(const char *shelf, struct disk_names *names,
                 struct err *err) MUST_CHECK;

/* What happened to a name: an array, which the caller frees; it may be []. */
bool shelf_history(const char *shelf, const char *name, json_t **history,
                   struct err *err) MUST_CHECK;

/*
 * Write it down; on the disk when this returns. `more` may hold further keys
 * and is freed; or NULL.
 */
bool shelf_add(const char *shelf, const char *name, enum handin_event event,
               const char *version, json_t *more, struct err *err) MUST_CHECK;

/*
 * Take a version back, or let one play again: the only accepted one that begins
 * with `wish`. Its whole name is put into `version`. `by` says who did it.
 */
bool shelf_change(const char *shelf, const char *name, enum handin_event event,
                  const char *wish, const char *by,
                  char version[VERSION_HEX + 1], struct err *err) MUST_CHECK;

/*
 * The version that played at that time, "2026-11-18T16:40:00Z", or plays now
 * if `until` is NULL. NULL: none.
 */
const char *history_playing(const json_t *history, const char *until);

/* When this version was accepted, the last time; or NULL. */
const char *history_accepted_at(const json_t *history, const char *version);

/* The folder of a version. */
void shelf_path(const char *shelf, const char *name, const char *version,
                char path[DISK_PATH_MAX]);

#endif
