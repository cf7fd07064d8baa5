/*
 * same_deal.so - with LD_PRELOAD, a daemon that deals the same in every game,
 * so that null bots can play a game of it again. For benches on this machine
 * alone: nonces are the same too.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

void randombytes_buf(void *bytes, size_t size);
uint32_t randombytes_uniform(uint32_t bound);
int crypto_auth_hmacsha256(unsigned char *out, const unsigned char *text,
                           unsigned long long len, const unsigned char *key);

void randombytes_buf(void *bytes, size_t size)
{
    memset(bytes, 7, size);
}

uint32_t randombytes_uniform(uint32_t bound)
{
    return bound - 1;
}

/* Seeds follow from a secret and the id of a game. */
int crypto_auth_hmacsha256(unsigned char *out, const unsigned char *text,
                           unsigned long long len, const unsigned char *key)
{
    (void)text;
    (void)len;
    (void)key;
    memset(out, 7, 32);
    return 0;
}
