#include "cmd/lib/trust.h"

#include "base/text.h"
#include "cmd/cmd.h"
#include "store/disk.h"
#include "store/signing.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bool trust_read(const struct texts *given,
                uint8_t keys[CHAIN_KEYS_MAX][SEAL_KEY_BYTES], struct err *err)
{
    if (given->count >= CHAIN_KEYS_MAX)
        return fail(err, "--trust: at most %d keys", CHAIN_KEYS_MAX - 1);
    for (int i = 0; i < given->count; i++)
        if (!signing_read_public(keys[i], given->text[i], err))
            return fail_at(err, "--trust");
    return true;
}

/* "receipt ..." in a line, whatever comes before it. */
static bool find_receipt(struct seal *seal, const char *text)
{
    const char *at = strstr(text, "receipt ");

    for (; at; at = strstr(at + 1, "receipt "))
        if (receipt_read(seal, at + strlen("receipt ")))
            return true;
    return false;
}

static bool read_receipt(struct trust *t, struct err *err)
{
    struct buf text;
    bool ok;

    buf_init(&text, 1 << 20);
    ok = disk_read(t->receipt, &text, err);
    if (ok && !find_receipt(&t->promised, text.text ? text.text : ""))
        ok = fail(err,
                  "%s contains no receipt: a line \"receipt HASH CHAIN "
                  "NUMBER BEFORE KEY SIGNATURE\"",
                  t->receipt);
    buf_release(&text);
    if (!ok)
        return fail_at(err, "--receipt");
    if (!seal_holds(&t->promised))
        return fail(err, "--receipt: %s has no valid signature", t->receipt);
    return t->check.keys == 0 || chain_trusts(&t->check, t->promised.key) ||
           fail(err,
                "--receipt: %s is signed with another key than those of "
                "--trust",
                t->receipt);
}

/* "CHAIN NUMBER LINK"; the key may follow. */
static bool read_head(const char *text, char chain[SEAL_CHAIN_MAX + 1],
                      int *number, uint8_t link[SHA256_BYTES])
{
    char hex[2 * SHA256_BYTES + 1];

    return sscanf(text, "%64s %d %64s", chain, number, hex) == 3 &&
           text_unhex(link, SHA256_BYTES, hex);
}

static bool check_head(const struct trust *t, struct err *err)
{
    char chain[SEAL_CHAIN_MAX + 1];
    uint8_t link[SHA256_BYTES];
    int number;

    if (t->check.keys == 0)
        return fail(err, "--head needs --trust KEY: whose chain is it?");
    return read_head(t->head, chain, &number, link) ||
           fail(err,
                "--head: \"%.80s\" must be \"CHAIN NUMBER LINK\", as "
                "\"referee head\" prints it",
                t->head);
}

bool trust_open(struct trust *t, const struct texts *keys, struct err *err)
{
    t->check.keys = keys->count;
    return trust_read(keys, t->check.key, err) &&
           (!t->receipt || read_receipt(t, err)) &&
           (!t->head || check_head(t, err));
}

void trust_close(struct trust *t)
{
    chain_check_release(&t->check);
}

/* True if this record has the number promised to another. */
static bool is_refuted(const struct trust *t, const struct seal *seal)
{
    return seal->number == t->promised.number &&
           strcmp(seal->chain, t->promised.chain) == 0 &&
           memcmp(seal->key, t->promised.key, sizeof seal->key) == 0;
}

static bool compare(struct trust *t, const struct replay *r, const char *place,
                    struct err *why)
{
    char hash[HASH_HEX + 1];

    text_hex(hash, t->promised.hash, sizeof t->promised.hash);
    if (r->record.has_hash && strcmp(r->record.hash, hash) == 0)
        t->is_kept = true;
    else if (r->record.has_seal && is_refuted(t, &r->seal))
        return fail(why,
                    "%s: the receipt contradicts it: number %d of the chain "
                    "%s had the hash %s",
                    place, t->promised.number, t->promised.chain, hash);
    return true;
}

bool trust_record(struct trust *t, const struct replay *r, const char *place,
                  struct err *why)
{
    return (!t->receipt || compare(t, r, place, why)) &&
           (t->check.keys == 0 ||
            chain_check_add(&t->check, r->record.has_seal ? &r->seal : NULL,
                            place, why));
}

static void say(void *arg, const char *sentence)
{
    complain("%s", sentence);
}

static void print_head(void *arg, const struct chain *chain,
                       const uint8_t key[SEAL_KEY_BYTES])
{
    char link[2 * SHA256_BYTES + 1];

    text_hex(link, chain->link, sizeof chain->link);
    printf("chain %s: %d record%s, the last link is %s\n", chain->name,
           chain->number, chain->number == 1 ? "" : "s", link);
}

static bool keeps_head(const struct trust *t, struct err *why)
{
    char chain[SEAL_CHAIN_MAX + 1];
    uint8_t link[SHA256_BYTES];
    int number = 0;

    return !t->head || (read_head(t->head, chain, &number, link) &&
                        chain_check_head(&t->check, chain, number, link, why));
}

int trust_end(struct trust *t, bool quiet)
{
    int wrong = chain_check_end(&t->check, t->head != NULL, say, NULL);
    struct err why;

    if (!keeps_head(t, &why)) {
        complain("%s", why.text);
        wrong++;
    }
    if (t->receipt && !t->is_kept) {
        complain("the record that %s describes, number %d of the chain %s, "
                 "is missing",
                 t->receipt, t->promised.number, t->promised.chain);
        wrong++;
    }
    if (quiet || wrong > 0)
        return wrong;
    chain_check_heads(&t->check, print_head, NULL);
    if (t->receipt)
        printf("receipt accepted: number %d of the chain %s\n",
               t->promised.number, t->promised.chain);
    return 0;
}
