#ifndef REFEREE_BASE_ERR_H
#define REFEREE_BASE_ERR_H

/*
 * err.h - why something failed, in words that may be sent to anyone.
 *
 * A function that can fail returns bool and takes a struct err last. If it
 * returns false, it has written one printable line there. If it returns true,
 * it has not touched it.
 */

#include <stdbool.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define UP_TO_NULL             __attribute__((sentinel)) /* the last argument is NULL */
#define MUST_CHECK             __attribute__((warn_unused_result))
/* keeps a function off the hot path */
#define RARE __attribute__((cold))

enum { ERR_TEXT_MAX = 400 };

struct err {
    char text[ERR_TEXT_MAX];
    bool passes; /* the problem may go away by itself: trying again can help */
};

/*
 * Write the reason and return false, so that a caller can `return fail(...)`. A
 * text that quotes what a stranger sent stays printable: every other byte, and
 * '#', becomes '?'. A text that is too long is cut.
 */
bool fail(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3) RARE;

/*
 * The same for a problem that may go away by itself, such as an address in use.
 */
bool fail_for_now(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3) RARE;

/* Was the cause a full disk, which goes away by itself? */
bool is_full_disk(int error);

/* Put "PREFIX: " before the reason, for callers that know the place. */
bool fail_at(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3) RARE;

#endif
