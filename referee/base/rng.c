#include "base/rng.h"

#include <assert.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK_BYTES = 64 };

void rng_seed(struct rng *rng, const uint8_t seed[SEED_BYTES])
{
    *rng = (struct rng){.used = sizeof rng->bytes};
    memcpy(rng->seed, seed, SEED_BYTES);
}

void rng_seed_apart(struct rng *rng, const uint8_t seed[SEED_BYTES])
{
    uint8_t other[SEED_BYTES];

    for (int i = 0; i < SEED_BYTES; i++)
        other[i] = (uint8_t)~seed[i];
    rng_seed(rng, other);
}

/* The next piece of randombytes_buf_deterministic(), which cannot seek. */
static void refill(struct rng *rng)
{
    static const unsigned char nonce[] = "LibsodiumDRG";

    memset(rng->bytes, 0, sizeof rng->bytes);
    crypto_stream_chacha20_ietf_xor_ic(rng->bytes, rng->bytes,
                                       sizeof rng->bytes, nonce,
                                       rng->next_block, rng->seed);
    rng->next_block += sizeof rng->bytes / BLOCK_BYTES;
    rng->used = 0;
}

static uint32_t next_word(struct rng *rng)
{
    const uint8_t *b;

    if (rng->used == sizeof rng->bytes)
        refill(rng);
    b = rng->bytes + rng->used;
    rng->used += 4;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

/*
 * Is the word at or above the largest multiple of k below 2^32? Only the last k
 * words can be, so almost none needs a division.
 */
static bool is_over(uint32_t word, uint32_t k)
{
    return word > UINT32_MAX - k && word > UINT32_MAX - (0 - k) % k;
}

/* Such words are discarded, so that every result is equally likely. */
uint32_t rng_uniform(struct rng *rng, uint32_t k)
{
    uint32_t word;

    assert(k > 0);
    do
        word = next_word(rng);
    while (is_over(word, k));
    return word % k;
}

static void swap(char *a, char *b, size_t size)
{
    for (; size-- > 0; a++, b++) {
        char hold = *a;

        *a = *b;
        *b = hold;
    }
}

void rng_shuffle(struct rng *rng, void *items, size_t n, size_t size)
{
    char *base = items;

    for (size_t i = n; i-- > 1;)
        swap(base + i * size, base + rng_uniform(rng, (uint32_t)(i + 1)) * size,
             size);
}
