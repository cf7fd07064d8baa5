#ifndef REFEREE_BASE_POOL_H
#define REFEREE_BASE_POOL_H

/*
 * pool.h - pieces of memory that are freed together.
 *
 * All zero is an empty pool. Running out of memory ends the program.
 */

#include <stddef.h>

struct pool {
    struct pool_piece *last;
};

/* Zeroed, and aligned for anything. */
void *pool_take(struct pool *pool, size_t size);

/* A copy of the text, or of its first `len` bytes. */
char *pool_text(struct pool *pool, const char *text);
char *pool_part(struct pool *pool, const char *text, size_t len);

void pool_release(struct pool *pool);

#endif
