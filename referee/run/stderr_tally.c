#include "run/stderr_tally.h"

void stderr_tally_init(struct stderr_tally *t, size_t max_bytes)
{
    *t = (struct stderr_tally){0};
    buf_init(&t->head, max_bytes);
}

void stderr_tally_release(struct stderr_tally *t)
{
    buf_release(&t->head);
}

void stderr_tally_add(struct stderr_tally *t, const char *bytes, size_t count)
{
    size_t room = t->head.max - t->head.len;

    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\n' && bytes[i] != '\r' && !t->is_inside)
            t->lines++;
        t->is_inside = bytes[i] != '\n' && (bytes[i] != '\r' || t->is_inside);
    }
    buf_put(&t->head, bytes, count < room ? count : room);
}
