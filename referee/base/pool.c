#include "base/pool.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct pool_piece {
    struct pool_piece *before;
    max_align_t bytes[];
};

void *pool_take(struct pool *pool, size_t size)
{
    struct pool_piece *piece = must_alloc(calloc(1, sizeof *piece + size));

    piece->before = pool->last;
    pool->last = piece;
    return piece->bytes;
}

char *pool_part(struct pool *pool, const char *text, size_t len)
{
    char *copy = pool_take(pool, len + 1);

    memcpy(copy, text, len);
    return copy;
}

char *pool_text(struct pool *pool, const char *text)
{
    return pool_part(pool, text, strlen(text));
}

void pool_release(struct pool *pool)
{
    while (pool->last) {
        struct pool_piece *piece = pool->last;

        pool->last = piece->before;
        free(piece);
    }
}
