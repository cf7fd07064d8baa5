/*
 * Any bytes as SGF. What is read must be records that a replay can look at;
 * what is refused must say why.
 */

#include "cmd/lib/sgf.h"
#include "fuzz/fuzz.h"
#include "match/replay.h"

/* The first record of them; it may be wrong, but it must be readable. */
static void look_at(char *text, size_t len)
{
    struct err err = {0};
    struct replay replay;
    bool ok;

    replay_init(&replay);
    ok = replay_open(&replay, "sgf", text, len, &err);
    while (ok && replay.status == REPLAY_HALFWAY)
        ok = replay_next(&replay, &err);
    insist(ok || err.text[0]);
    replay_release(&replay);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct err err = {0};
    struct buf out;

    buf_init(&out, 1 << 20);
    if (sgf_read(text, &out, &err)) {
        if (buf_ok(&out) && out.len > 0)
            look_at(out.text, out.len);
    } else {
        insist(err.text[0] && is_plain(err.text));
    }
    buf_release(&out);
    free(text);
    return 0;
}
