#ifndef REFEREE_CMD_PEOPLE_INVITE_H
#define REFEREE_CMD_PEOPLE_INVITE_H

/* invite.h - make, list and revoke invitations. */

#include "base/err.h"

/* The options as given; `keys` is the file with the tokens. */
struct invite_words {
    const char *invitations, *keys, *until, *owner;
    int count, uses;
    bool all, with_bots, as_json, as_csv;
};

bool invite_make(const struct invite_words *words, int argc, char **argv,
                 struct err *err) MUST_CHECK;
bool invite_list(const struct invite_words *words, int argc, char **argv,
                 struct err *err) MUST_CHECK;
bool invite_revoke(const struct invite_words *words, int argc, char **argv,
                   struct err *err) MUST_CHECK;

#endif
