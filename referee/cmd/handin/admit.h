#ifndef REFEREE_CMD_HANDIN_ADMIT_H
#define REFEREE_CMD_HANDIN_ADMIT_H

/*
 * admit.h - from what somebody handed in to a version that plays, or a
 * sentence that says why not.
 *
 *     unpack --> read bot.ini --> build --> check --> a game --> onto the shelf
 *
 * Every stage is told to the owner as it is done, and all of them are kept in
 * verdict.jsonl until the next time. Whatever is refused is written into the
 * history with its reason, and leaves the version that plays as it was.
 */

#include "base/buf.h"
#include "cmd/handin/unpack.h"
#include "daemon/config.h"
#include "store/shelf.h"

struct admission {
    const char *shelf, *name;
    const char *from;         /* an archive, or a folder */
    const char *const *games; /* each must be playable; NULL at the end; or: */
    const struct ladder_config *ladder; /* it may choose among these */
    int ladders;
    const char *sent;   /* over the network: the digest of the archive; NULL */
    bool takes_away;    /* `from` lies on the shelf, and goes when it is done */
    bool builds_freely; /* also where bubblewrap does not work */
    const char *time;   /* of an answer, for the check; or NULL */
    int keep;           /* so many old versions stay */
    struct unpack_limits limits;
    int64_t build_us, check_us;
    /* "unpacked", "3 files, 12 KiB"; and what a program wrote, or "". */
    void (*on_stage)(void *arg, const char *stage, const char *text,
                     const char *said);
    void *arg;
};

struct verdict_of_handin {
    bool accepted;
    bool is_known; /* accepted before: nothing was done again */
    char version[VERSION_HEX + 1];
    const char *stage; /* that refused it */
    char text[ERR_TEXT_MAX];
};

/* Fails only if the fault is ours: the disk, say. Then nothing is changed. */
bool admit(const struct admission *admission, struct verdict_of_handin *verdict,
           struct err *err) MUST_CHECK;

#endif
