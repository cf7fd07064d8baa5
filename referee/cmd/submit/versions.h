#ifndef REFEREE_CMD_SUBMIT_VERSIONS_H
#define REFEREE_CMD_SUBMIT_VERSIONS_H

/* versions.h - the versions of a bot on a server, and which one plays. */

#include "cmd/lib/server_login.h"
#include "store/shelf.h"

struct versions {
    json_t *history; /* as in shelf_history(); as far as the server tells */
    char playing[VERSION_HEX + 1]; /* "": none */
    char ladders[256];             /* "on rondo, axiom", or "" */
    char remark[ERR_TEXT_MAX];     /* message of the server, or "" */
};

/* Send "#versions", "#withdraw VERSION" or "#choose VERSION", and read the
 * answer. Release the result in any case. */
bool versions_ask(const struct server_login *login, const char *order,
                  struct versions *versions, struct err *err) MUST_CHECK;
void versions_release(struct versions *versions);

#endif
