#ifndef REFEREE_BASE_ERR_H
#define REFEREE_BASE_ERR_H

/*
 * err.h - why something failed, in words fit to send.
 *
 * A function that can fail returns bool and takes a struct err last. When it
 * returns false it has written one printable line there; when it returns true
 * it has not touched it.
 */

#include <stdbool.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define UP_TO_NULL             __attribute__((sentinel)) /* the last argument is NULL */
#define MUST_CHECK             __attribute__((warn_unused_result))
#define RARE                   __attribute__((cold)) /* kept off the path */

enum { ERR_TEXT_MAX = 400 };

struct err {
    char text[ERR_TEXT_MAX];
    bool passes; /* by itself: another try may do */
};

/*
 * Write the reason and return false, so that a caller can `return fail(...)`.
 * A text that quotes what a stranger sent stays printable: every other byte,
 * and '#', becomes '?'. Too long a text is cut.
 */
bool fail(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3) RARE;

/* The same for what may pass by itself, such as an address that is in use. */
bool fail_for_now(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3) RARE;

/* Is a full disk to blame, which passes? */
bool is_full_disk(int error);

/* Put "PREFIX: " before the reason; for callers that know the place. */
bool fail_at(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3) RARE;

#endif
