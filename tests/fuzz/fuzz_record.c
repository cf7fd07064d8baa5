/* Any bytes as a record: replayed, or refused with one printable sentence. */

#include "base/text.h"
#include "match/replay.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = {""};
    struct replay replay;
    char *text = malloc(size + 1);

    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    replay_init(&replay);
    if (!replay_open(&replay, "fuzz", text, size, &err) ||
        !replay_all(&replay, &err)) {
        if (!err.text[0] || !is_plain(err.text))
            abort();
    }
    replay_release(&replay);
    free(text);
    return 0;
}
