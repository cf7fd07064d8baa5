/*
 * Any bytes as the small texts that the program reads: addresses, tests,
 * seals, receipts, numbers. The first byte says which of them.
 */

#include "fuzz/fuzz.h"
#include "league/sprt.h"
#include "match/seal.h"
#include "net/dial.h"

static void read_address(const char *text)
{
    struct address address;
    struct err err = {0};
    bool ok = address_read(text, &address, &err);

    insist_on_reason(ok, &err);
    insist(!ok || strlen(address.host) <= DIAL_HOST_MAX);
}

static void read_sprt(const char *text)
{
    struct sprt sprt;
    struct err err = {0};

    sprt_init(&sprt);
    insist_on_reason(sprt_read(&sprt, text, &err) && sprt_check(&sprt, &err),
                     &err);
}

/* What was read is written as it was. */
static void read_receipt(const char *text)
{
    struct seal seal;
    struct buf out;

    if (!receipt_read(&seal, text))
        return;
    buf_init(&out, 2 * SEAL_LINE_MAX);
    receipt_write(&seal, &out);
    insist(buf_ok(&out) && strcmp(out.text, text) == 0);
    buf_release(&out);
    seal_holds(&seal);
}

static void find_seal(const char *text)
{
    struct seal seal;
    uint8_t hash[SHA256_BYTES];

    if (seal_find(&seal, text, strlen(text)))
        seal_holds(&seal);
    hash_find(hash, text, strlen(text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(const char *text) = {
        read_address, read_sprt, read_receipt, find_seal};
    char *text = fuzz_text(data, size);

    if (size > 0)
        readers[data[0] % 4](text + 1);
    free(text);
    return 0;
}
