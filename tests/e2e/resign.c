/*
 * resign KEY <RECORD >RECORD: what a liar does who has a key. The hash and the
 * seal at the end of a record, if there are any, are replaced by right ones.
 */

#include "match/record.h"
#include "store/signing.h"

#include <stdio.h>
#include <string.h>

static void read_all(struct buf *out)
{
    char block[4096];
    size_t n;

    while ((n = fread(block, 1, sizeof block, stdin)) > 0)
        buf_put(out, block, n);
}

static size_t without_end(const char *text)
{
    const char *hash = strstr(text, "\nhash ");

    return hash ? (size_t)(hash + 1 - text) : strlen(text);
}

int main(int argc, char **argv)
{
    struct chain chain = {.name = "worker-liar"};
    struct record_writer writer;
    struct signing_key key;
    uint8_t hash[SHA256_BYTES];
    struct buf text;
    struct seal seal;
    struct err err;

    if (argc != 2 || sodium_init() < 0)
        return 2;
    if (!signing_load(&key, argv[1], &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    buf_init(&text, RECORD_FILE_MAX);
    read_all(&text);
    record_init(&writer);
    buf_put(&writer.text, text.text, without_end(text.text));
    record_close(&writer);
    if (!hash_find(hash, writer.text.text, writer.text.len))
        return 1;
    seal_make(&seal, &chain, hash, &key);
    seal_append(&seal, &writer.text);
    fwrite(writer.text.text, 1, writer.text.len, stdout);
    record_release(&writer);
    buf_release(&text);
    return 0;
}
