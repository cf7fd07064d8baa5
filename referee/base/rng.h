#ifndef REFEREE_BASE_RNG_H
#define REFEREE_BASE_RNG_H

/*
 * rng.h - the source of all randomness in a game.
 *
 * The stream is libsodium's randombytes_buf_deterministic() for a 32-byte seed
 * (ChaCha20, RFC 8439, nonce "LibsodiumDRG"), read as 32-bit little-endian
 * words. It must be a cipher and not merely a fast generator: bots see many
 * outcomes and must not be able to compute the next one. The same seed and the
 * same calls give the same values for ever, because records depend on it.
 * protocol.md describes the same, with a test vector.
 */

#include <stddef.h>
#include <stdint.h>

enum { SEED_BYTES = 32 };

struct rng {
    uint8_t seed[SEED_BYTES];
    uint32_t next_block;
    uint8_t bytes[512];
    size_t used; /* in bytes */
};

void rng_seed(struct rng *rng, const uint8_t seed[SEED_BYTES]);

/* A second stream, for choices that must not follow from the deal. */
void rng_seed_apart(struct rng *rng, const uint8_t seed[SEED_BYTES]);

/* A uniform number in 0 .. k-1; k > 0. */
uint32_t rng_uniform(struct rng *rng, uint32_t k);

/* Fisher-Yates: for i = n-1 down to 1, swap items i and uniform(i + 1). */
void rng_shuffle(struct rng *rng, void *items, size_t n, size_t size);

#endif
