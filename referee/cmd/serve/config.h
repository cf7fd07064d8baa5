#ifndef REFEREE_CMD_SERVE_CONFIG_H
#define REFEREE_CMD_SERVE_CONFIG_H

/*
 * config.h - referee.ini, read and checked.
 *
 * All mistakes are found at once: the words of the file, and what they name:
 * files, folders, programs, keys, addresses. Nothing is created or changed.
 */

#include "base/lines.h"
#include "daemon/config.h"

enum { SERVE_REMARKS_BYTES = 4 << 20 };

/*
 * True if there is no mistake; *out is then to be freed. `remarks`, of
 * SERVE_REMARKS_BYTES, gets one line for each mistake and each warning:
 *
 *     referee.ini:7: [ladder one] has no key "gmae"; did you mean game?
 *     referee.ini:9: warning: ...
 */
bool serve_config_read(const char *path, struct serve_config **out,
                       struct lines *remarks) MUST_CHECK;
/* What differs: in the file, in the bots' files, in the keys. */
void serve_config_changes(const struct serve_config *old,
                          const struct serve_config *now, struct lines *out);

void serve_config_free(struct serve_config *config);

/*
 * Only where the control socket of this file's daemon is, whatever else may be
 * wrong in it by now; to be freed. NULL: the file cannot be read.
 */
char *serve_config_control(const char *path, struct err *err);

/* The same for its shared database, with a reason if it names none. */
char *serve_config_database(const char *path, struct err *err);

/* And for its file of workers' keys; NULL: none. */
char *serve_config_worker_keys(const char *path);

/* The same for its data folder. Each ladder that the file names is told, with
 * its anchor or NULL; the texts live for the call only. */
typedef void serve_each_ladder(void *arg, const char *name, const char *anchor,
                               int elo, int min_games);

char *serve_config_data(const char *path, serve_each_ladder *each, void *arg,
                        struct err *err);

/*
 * Only what [handins] says, and the games of the ladders that take hand-ins;
 * nothing is looked up, no bot, no key. An error if there is no such section or
 * ladder. *out is to be freed.
 */
bool serve_config_handins(const char *path, struct serve_config **out,
                          struct err *err) MUST_CHECK;

/* Every section and key that there is. */
void serve_config_help(struct buf *out);

#endif
