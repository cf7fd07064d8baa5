#include "match/seal.h"

#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
    DIGEST_HEX = 2 * SHA256_BYTES,
    SIGNATURE_HEX = 2 * crypto_sign_BYTES,
    HASH_LINE = 5 + DIGEST_HEX + 1, /* "hash HEX" and a line feed */
    MESSAGE_MAX = SEAL_CHAIN_MAX + 3 * DIGEST_HEX + 48,
};

void signing_key_make(struct signing_key *key, const uint8_t *seed)
{
    crypto_sign_seed_keypair(key->open, key->secret, seed);
}

/* What is signed, and its length. */
static size_t write_message(const struct seal *s, char text[MESSAGE_MAX])
{
    char before[DIGEST_HEX + 1], hash[DIGEST_HEX + 1], key[SEAL_KEY_HEX + 1];

    text_hex(before, s->before, sizeof s->before);
    text_hex(hash, s->hash, sizeof s->hash);
    text_hex(key, s->key, sizeof s->key);
    return (size_t)snprintf(text, MESSAGE_MAX, "referee-seal-1 %s %d %s %s %s",
                            s->chain, s->number, before, hash, key);
}

void seal_make(struct seal *s, const struct chain *chain,
               const uint8_t hash[SHA256_BYTES], const struct signing_key *key)
{
    char text[MESSAGE_MAX];
    size_t len;

    *s = (struct seal){.number = chain->number + 1};
    memcpy(s->chain, chain->name, sizeof s->chain);
    memcpy(s->before, chain->link, sizeof s->before);
    memcpy(s->hash, hash, sizeof s->hash);
    memcpy(s->key, key->open, sizeof s->key);
    len = write_message(s, text);
    crypto_sign_detached(s->signature, NULL, (unsigned char *)text, len,
                         key->secret);
}

void seal_link(const struct seal *s, uint8_t link[SHA256_BYTES])
{
    char text[MESSAGE_MAX];
    size_t len = write_message(s, text);

    sha256_of(text, len, link);
}

void chain_add(struct chain *chain, const struct seal *s)
{
    chain->number = s->number;
    seal_link(s, chain->link);
}

bool seal_holds(const struct seal *s)
{
    char text[MESSAGE_MAX];
    size_t len = write_message(s, text);

    return crypto_sign_verify_detached(s->signature, (unsigned char *)text, len,
                                       s->key) == 0;
}

void seal_write(const struct seal *s, struct buf *out)
{
    char hex[SIGNATURE_HEX + 1];

    buf_add(out, "%s %d ", s->chain, s->number);
    text_hex(hex, s->before, sizeof s->before);
    buf_str(out, hex);
    buf_char(out, ' ');
    text_hex(hex, s->key, sizeof s->key);
    buf_str(out, hex);
    buf_char(out, ' ');
    text_hex(hex, s->signature, sizeof s->signature);
    buf_str(out, hex);
}

void seal_append(const struct seal *s, struct buf *record)
{
    buf_str(record, "seal ");
    seal_write(s, record);
    buf_char(record, '\n');
}

/* This many bytes in hex, followed by a blank or the end. */
static bool take_hex(const char **at, uint8_t *bytes, size_t len)
{
    char hex[SIGNATURE_HEX + 1];
    size_t n = strcspn(*at, " \n");

    if (n != 2 * len)
        return false;
    memcpy(hex, *at, n);
    hex[n] = '\0';
    if (!text_unhex(bytes, len, hex))
        return false;
    *at += n;
    *at += **at == ' ';
    return true;
}

bool seal_read(struct seal *s, const char *at)
{
    size_t len = strcspn(at, " \n");

    *s = (struct seal){0};
    if (len == 0 || len > SEAL_CHAIN_MAX)
        return false;
    memcpy(s->chain, at, len);
    at += len;
    return take_char(&at, ' ') && take_int(&at, 1, INT_MAX - 1, &s->number) &&
           take_char(&at, ' ') && take_hex(&at, s->before, sizeof s->before) &&
           take_hex(&at, s->key, sizeof s->key) &&
           take_hex(&at, s->signature, sizeof s->signature) &&
           (*at == '\0' || *at == '\n');
}

void receipt_write(const struct seal *s, struct buf *out)
{
    char hex[DIGEST_HEX + 1];

    text_hex(hex, s->hash, sizeof s->hash);
    buf_str(out, hex);
    buf_char(out, ' ');
    seal_write(s, out);
}

bool receipt_read(struct seal *s, const char *at)
{
    uint8_t hash[SHA256_BYTES];

    if (!take_hex(&at, hash, sizeof hash) || !seal_read(s, at))
        return false;
    memcpy(s->hash, hash, sizeof s->hash);
    return true;
}

bool hash_find(uint8_t hash[SHA256_BYTES], const char *record, size_t len)
{
    const char *at = len > HASH_LINE ? record + len - HASH_LINE : "";

    return *at && at[-1] == '\n' && record[len - 1] == '\n' &&
           take_text(&at, "hash ") && take_hex(&at, hash, SHA256_BYTES) &&
           *at == '\n';
}

bool seal_find(struct seal *s, const char *record, size_t len)
{
    const char *at = len > 0 ? record + len - 1 : "";
    uint8_t hash[SHA256_BYTES];
    size_t start;

    if (*at != '\n')
        return false;
    while (at > record && at[-1] != '\n')
        at--;
    start = (size_t)(at - record);
    if (!take_text(&at, "seal ") || !seal_read(s, at) ||
        !hash_find(hash, record, start))
        return false;
    memcpy(s->hash, hash, sizeof s->hash);
    return true;
}
