#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

void out_of(const char *what)
{
    fprintf(stderr, "referee: out of %s\n", what);
    abort();
}

void *must_alloc(void *memory)
{
    if (!memory)
        out_of("memory");
    return memory;
}

void *must_resize(void *old, size_t count, size_t size)
{
    return must_alloc(realloc(old, (count ? count : 1) * size));
}
