#ifndef REFEREE_CMD_HANDIN_ADMIT_H
#define REFEREE_CMD_HANDIN_ADMIT_H

/*
 * admit.h - turn a hand-in into a version that plays, or a sentence that says
 * why not.
 *
 *     unpack --> read bot.ini --> build --> check --> a game --> onto the shelf
 *
 * The owner hears of every stage when it ends. verdict.jsonl keeps all stages
 * until the next hand-in. A refusal and its reason are written to the history,
 * and the version that plays stays as it was.
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
    const char *sent;   /* the archive's digest; NULL if local */
    bool takes_away;    /* `from` is on the shelf; delete it when done */
    bool builds_freely; /* even where bubblewrap does not work */
    const char *time;   /* time for an answer, for the check; or NULL */
    int keep;           /* number of old versions to keep */
    struct unpack_limits limits;
    int64_t build_us, check_us;
    /* "unpacked", "3 files, 12 KiB"; and a program's output, or "". */
    void (*on_stage)(void *arg, const char *stage, const char *text,
                     const char *said);
    void *arg;
};

struct verdict_of_handin {
    bool accepted;
    bool is_known; /* accepted earlier; nothing was done again */
    char version[VERSION_HEX + 1];
    const char *stage; /* the stage that refused it */
    char text[ERR_TEXT_MAX];
};

/*
 * Fails only if the fault is ours, such as a full disk. Nothing is changed
 * then.
 */
bool admit(const struct admission *admission, struct verdict_of_handin *verdict,
           struct err *err) MUST_CHECK;

#endif
