/*
 * Any bytes as a record: replayed, read in summary, shown to a spectator; or
 * refused with one printable sentence.
 */

#include "fuzz/fuzz.h"
#include "match/game_summary.h"
#include "match/replay.h"
#include "match/watch.h"

static void replay(const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct replay replay;
    char *text = fuzz_text(data, size);

    replay_init(&replay);
    insist((replay_open(&replay, "fuzz", text, size, &err) &&
            replay_all(&replay, &err)) ||
           (err.text[0] && is_plain(err.text)));
    replay_release(&replay);
    free(text);
}

/* With its right hash behind it, or nothing much would be read. */
static void read_summary_only(const uint8_t *data, size_t size)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    char hex[HASH_HEX + 1];
    struct err err = {0};
    struct game_summary summary;
    struct buf text;

    buf_init(&text, 1 << 24);
    buf_put(&text, (const char *)data, size);
    crypto_hash_sha256(digest, data, size);
    text_hex(hex, digest, sizeof digest);
    buf_add(&text, "hash %s\n", hex);
    insist(game_summary_read(&summary, "fuzz", 0, text.text, text.len, &err) ||
           (err.text[0] && is_plain(err.text)));
    buf_release(&text);
}

static void show(const uint8_t *data, size_t size)
{
    struct err err = {0};
    struct buf seen;
    char *text = fuzz_text(data, size);

    buf_init(&seen, 1 << 24);
    insist(watch_write("fuzz", text, size, &seen, &err) ||
           (err.text[0] && is_plain(err.text)));
    insist(strstr(seen.text, "\nseed ") == NULL);
    buf_release(&seen);
    free(text);
}

/* One behind the other, none is empty, and together they are all of it. */
static void cut_apart(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), name[RECORD_NAME_MAX + 1];
    size_t at = 0;

    record_name(text, name);
    insist(strlen(name) < sizeof name);
    while (at < size) {
        struct record_span span = record_span(text + at, size - at);

        insist(span.len > 0 && span.len <= size - at);
        insist(span.ends || at + span.len == size);
        insist(span.ends || !span.is_closed);
        at += span.len;
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    replay(data, size);
    cut_apart(data, size);
    read_summary_only(data, size);
    show(data, size);
    return 0;
}
