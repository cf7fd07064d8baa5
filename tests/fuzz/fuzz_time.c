/*
 * Any bytes as a time control. What is accepted must be written and read again
 * as the same; what is refused must say why.
 */

#include "fuzz/fuzz.h"
#include "match/clock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct time_control read = {0}, again = {0};
    struct err err = {0};
    struct buf first, second;

    buf_init(&first, 200);
    buf_init(&second, 200);
    if (time_control_parse(text, &read, &err)) {
        time_control_write(&read, &first);
        insist(buf_ok(&first) && time_control_parse(first.text, &again, &err));
        time_control_write(&again, &second);
        insist(strcmp(first.text, second.text) == 0);
    } else {
        insist(err.text[0] && is_plain(err.text));
    }
    buf_release(&first);
    buf_release(&second);
    free(text);
    return 0;
}
