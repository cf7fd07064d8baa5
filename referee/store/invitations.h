#ifndef REFEREE_STORE_INVITATIONS_H
#define REFEREE_STORE_INVITATIONS_H

/*
 * invitations.h - codes with which newcomers take a name by themselves.
 *
 * One JSON object a line, and lines are only ever appended; the commands and
 * the server may do so at the same time. What is in force follows from reading
 * them all. The file holds keys (login.h), not codes: who steals it can
 * register, but learns no code.
 *
 *     {"at": "2026-11-18T20:15:00Z", "event": "made", "id": "k7qf2m",
 *      "key": HEX, "uses": 1, "until": "2026-12-01T00:00:00Z",
 *      "owner": "group 3"}
 *     {"at": ..., "event": "used", "id": "k7qf2m", "bot": "dora"}
 *     {"at": ..., "event": "returned", "id": ..., "bot": ...}  it was in vain
 *     {"at": ..., "event": "revoked", "id": "k7qf2m"}
 */

#include "base/date.h"
#include "base/err.h"
#include "match/login.h"

#include <jansson.h>
#include <stddef.h>
#include <time.h>

enum {
    INVITATION_ID = 6,
    INVITATION_CODE = INVITATION_ID + 4 * 5, /* "k7qf2m-9xwp-4tj6-rd3k-m8hn" */
    INVITATION_USES_MAX = 10000,
    INVITATIONS_BYTES_MAX = 32 << 20,
};

struct invitation {
    char id[INVITATION_ID + 1];
    struct login_key key;
    int uses, used;
    char at[DATE_TEXT + 1], until[DATE_TEXT + 1]; /* until: "" for ever */
    char *owner; /* of all bots that come by it; "": each is its own */
    bool is_revoked;
    char **bot; /* `used` of them */
};

/* In the order in which they were made. Starts as zeroes. */
struct invitations {
    struct invitation *one;
    size_t count, cap;
    json_t *by_id;           /* their places */
    struct timespec changed; /* the file that was read, ... */
    long long size;          /* ... and its size */
};

/* A file that is not there is empty. What was read before is replaced, and kept
 * if the file has not changed since. */
bool invitations_read(const char *path, struct invitations *invitations,
                      struct err *err) MUST_CHECK;
void invitations_release(struct invitations *invitations);

/* By its id; NULL if there is none. */
const struct invitation *invitations_find(const struct invitations *invitations,
                                          const char *id);

/* The id at the beginning of a code; false if it cannot be a code. */
bool invitation_id(const char *code, char id[INVITATION_ID + 1]);

/* Why it lets nobody in, at this time: "is used up"; or NULL. */
const char *invitation_why_not(const struct invitation *invitation,
                               const char *now);

/* Each is on the disk when it returns, and the file is to be read again.
 * `until` and `owner` may be "". */
bool invitation_make(const char *path, int uses, const char *until,
                     const char *owner, char code[INVITATION_CODE + 1],
                     struct err *err) MUST_CHECK;
bool invitation_revoke(const char *path, const char *id,
                       struct err *err) MUST_CHECK;

/*
 * The same, and `invitations` has it at once. What others have added since it
 * was read, such as "revoked", counts from the next invitations_read() on.
 */
bool invitations_use(const char *path, struct invitations *invitations,
                     const char *id, const char *bot,
                     struct err *err) MUST_CHECK;
bool invitations_return(const char *path, struct invitations *invitations,
                        const char *id, const char *bot,
                        struct err *err) MUST_CHECK;

#endif
