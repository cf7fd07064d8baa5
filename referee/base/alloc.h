#ifndef REFEREE_ALLOC_H
#define REFEREE_ALLOC_H

/*
 * alloc.h - memory or the end.
 *
 *     struct seat *seats = must_alloc(calloc(n, sizeof *seats));
 */

/* `memory`, or if it is NULL a sentence on stderr and abort(). */
void *must_alloc(void *memory);

#endif
