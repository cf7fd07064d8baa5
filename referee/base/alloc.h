#ifndef REFEREE_BASE_ALLOC_H
#define REFEREE_BASE_ALLOC_H

/*
 * alloc.h - memory or the end.
 *
 *     struct seat *seats = must_alloc(calloc(n, sizeof *seats));
 */

#include <stddef.h>

/* Something is missing without which nothing goes on: say what, and abort. */
_Noreturn void out_of(const char *what);

/* `memory`, or if it is NULL a sentence on stderr and abort(). */
void *must_alloc(void *memory);

/* Room for so many; NULL is an old one, too. */
void *must_resize(void *old, size_t count, size_t size);

#endif
