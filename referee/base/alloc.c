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
