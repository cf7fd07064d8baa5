#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

void *must_alloc(void *memory)
{
    if (!memory) {
        fputs("referee: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *must_resize(void *old, size_t count, size_t size)
{
    return must_alloc(realloc(old, (count ? count : 1) * size));
}
