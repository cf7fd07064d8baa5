#ifndef REFEREE_CMD_SERVE_CONFIG_H
#define REFEREE_CMD_SERVE_CONFIG_H

/*
 * config.h - read and check referee.ini.
 *
 * All mistakes are found in one pass, in the text of the file and in the things
 * that it names: files, folders, programs, keys, addresses. Nothing is created
 * or changed.
 */

#include "base/lines.h"
#include "daemon/config.h"

enum { SERVE_REMARKS_BYTES = 4 << 20 };

/*
 * True if there is no mistake; the caller then frees *out. `remarks`, of
 * SERVE_REMARKS_BYTES, gets one line for each mistake and each warning:
 *
 *     referee.ini:7: [ladder one] has no key "gmae"; did you mean game?
 *     referee.ini:9: warning: ...
 */
bool serve_config_read(const char *path, struct serve_config **out,
                       struct lines *remarks) MUST_CHECK;
/* The differences: settings, files of bots, and keys. */
void serve_config_changes(const struct serve_config *old,
                          const struct serve_config *now, struct lines *out);

void serve_config_free(struct serve_config *config);

/*
 * Read only the path of the daemon's control socket, whatever else may be wrong
 * in the file by now. The caller frees it. NULL: the file cannot be read.
 */
char *serve_config_control(const char *path, struct err *err);

/* The same for its shared database, with a reason if it names none. */
char *serve_config_database(const char *path, struct err *err);

/* The same for its file of workers' keys; NULL: none. */
char *serve_config_worker_keys(const char *path);

/* The same for its data folder. `each` is called for each ladder in the file,
 * with its anchor or NULL; the texts are valid only during the call. */
typedef void serve_each_ladder(void *arg, const char *name, const char *anchor,
                               int elo, int min_games);

char *serve_config_data(const char *path, serve_each_ladder *each, void *arg,
                        struct err *err);

/*
 * Read only [handins] and the games of the ladders that accept hand-ins. No bot
 * or key is looked up. It is an error if there is no such section or ladder.
 * The caller frees *out.
 */
bool serve_config_handins(const char *path, struct serve_config **out,
                          struct err *err) MUST_CHECK;

/* Help: every section and key. */
void serve_config_help(struct buf *out);

#endif
