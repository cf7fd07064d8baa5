#ifndef REFEREE_BASE_ALLOC_H
#define REFEREE_BASE_ALLOC_H

/*
 * alloc.h - memory, or the end of the program.
 *
 *     struct seat *seats = must_alloc(calloc(n, sizeof *seats));
 */

#include <stddef.h>

/* Something the program cannot work without is missing: say what, and abort. */
_Noreturn void out_of(const char *what);

/* Returns `memory`. If it is NULL, writes a sentence to stderr and aborts. */
void *must_alloc(void *memory);

/* Room for this many elements. `old` may be NULL. */
void *must_resize(void *old, size_t count, size_t size);

#endif
