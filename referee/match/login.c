#include "match/login.h"

#include "base/text.h"
#include "match/match.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

const char bot_name_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "abcdefghijklmnopqrstuvwxyz0123456789._+-";

bool is_bot_name(const char *name)
{
    size_t n = strlen(name);

    return n >= 1 && n <= BOT_NAME_MAX && strspn(name, bot_name_bytes) == n;
}

void token_make(char token[TOKEN_TEXT + 1])
{
    uint8_t bytes[32];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(token, TOKEN_TEXT + 1, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

void nonce_make(char nonce[NONCE_HEX + 1])
{
    uint8_t bytes[NONCE_HEX / 2];

    randombytes_buf(bytes, sizeof bytes);
    text_hex(nonce, bytes, sizeof bytes);
}

static void put_words(uint8_t out[32], const uint32_t word[8])
{
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(word[i / 4] >> (24 - 8 * (i % 4)));
}

static void get_words(uint32_t word[8], const uint8_t in[32])
{
    memset(word, 0, 8 * sizeof *word);
    for (int i = 0; i < 32; i++)
        word[i / 4] |= (uint32_t)in[i] << (24 - 8 * (i % 4));
}

void token_key(const char *token, struct login_key *key)
{
    crypto_auth_hmacsha256_state hmac;

    crypto_auth_hmacsha256_init(&hmac, (const unsigned char *)token,
                                strlen(token));
    put_words(key->inner, hmac.ictx.state);
    put_words(key->outer, hmac.octx.state);
    sodium_memzero(&hmac, sizeof hmac);
}

void login_key_write(const struct login_key *key, char hex[KEY_HEX + 1])
{
    text_hex(hex, key->inner, 32);
    text_hex(hex + 64, key->outer, 32);
}

bool login_key_read(struct login_key *key, const char *hex)
{
    uint8_t both[64];

    if (!text_unhex(both, sizeof both, hex))
        return false;
    memcpy(key->inner, both, 32);
    memcpy(key->outer, both + 32, 32);
    return true;
}

/* The state of HMAC after its first block, the token. */
static void hmac_begin(crypto_auth_hmacsha256_state *hmac,
                       const struct login_key *key)
{
    memset(hmac, 0, sizeof *hmac);
    get_words(hmac->ictx.state, key->inner);
    get_words(hmac->octx.state, key->outer);
    hmac->ictx.count = hmac->octx.count = 512; /* bits */
}

/* HMAC of "WHAT NAME NONCE". */
static void authenticate(const struct login_key *key, const char *what,
                         const char *name, const char *nonce,
                         unsigned char bytes[crypto_auth_hmacsha256_BYTES])
{
    crypto_auth_hmacsha256_state hmac;
    char text[160];
    int n = snprintf(text, sizeof text, "%s %s %s", what, name, nonce);

    assert(n > 0 && n < (int)sizeof text);
    hmac_begin(&hmac, key);
    crypto_auth_hmacsha256_update(&hmac, (const unsigned char *)text,
                                  (unsigned)n);
    crypto_auth_hmacsha256_final(&hmac, bytes);
}

static void prove(const struct login_key *key, const char *what,
                  const char *name, const char *nonce,
                  char proof[PROOF_HEX + 1])
{
    unsigned char bytes[crypto_auth_hmacsha256_BYTES];

    authenticate(key, what, name, nonce, bytes);
    text_hex(proof, bytes, sizeof bytes);
}

static bool holds(const struct login_key *key, const char *what,
                  const char *name, const char *nonce, const char *proof)
{
    char right[PROOF_HEX + 1];

    prove(key, what, name, nonce, right);
    return strlen(proof) == PROOF_HEX &&
           sodium_memcmp(right, proof, PROOF_HEX) == 0;
}

static const char login[] = "referee-login-1";
static const char registration[] = "referee-register-1";

void login_prove(const char *token, const char *name, const char *nonce,
                 char proof[PROOF_HEX + 1])
{
    struct login_key key;

    token_key(token, &key);
    prove(&key, login, name, nonce, proof);
    sodium_memzero(&key, sizeof key);
}

bool login_holds(const struct login_key *key, const char *name,
                 const char *nonce, const char *proof)
{
    return holds(key, login, name, nonce, proof);
}

void register_prove(const char *code, const char *name, const char *nonce,
                    char proof[PROOF_HEX + 1])
{
    struct login_key key;

    token_key(code, &key);
    prove(&key, registration, name, nonce, proof);
    sodium_memzero(&key, sizeof key);
}

bool register_holds(const struct login_key *key, const char *name,
                    const char *nonce, const char *proof)
{
    return holds(key, registration, name, nonce, proof);
}

void register_token(const struct login_key *key, const char *name,
                    const char *nonce, char token[TOKEN_TEXT + 1])
{
    unsigned char bytes[crypto_auth_hmacsha256_BYTES];

    authenticate(key, "referee-token-1", name, nonce, bytes);
    sodium_bin2base64(token, TOKEN_TEXT + 1, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

bool login_request_read(const char *line, int *id, const char **nonce)
{
    unsigned char bytes[NONCE_HEX / 2];

    if (!take_int(&line, 0, INT32_MAX, id) || !take_char(&line, ' ') ||
        !take_word(&line, "login"))
        return false;
    *nonce = line;
    return text_unhex(bytes, sizeof bytes, line);
}
