#ifndef REFEREE_BASE_SHA256_H
#define REFEREE_BASE_SHA256_H

/*
 * sha256.h - SHA-256 of many bytes.
 *
 * This is OpenSSL's, which uses the processor's instructions for it: 0.7 ns a
 * byte where libsodium takes 4. A record is hashed while its game is played,
 * and a folder of records as fast as it can be read.
 */

#include <openssl/sha.h>
#include <stddef.h>

enum { SHA256_BYTES = SHA256_DIGEST_LENGTH };

struct sha256 {
    SHA256_CTX context;
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t len);
void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES]);

/* All of it in one call. */
void sha256_of(const void *bytes, size_t len,
               unsigned char digest[SHA256_BYTES]);

#endif
