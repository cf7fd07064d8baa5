/*
 * OpenSSL's plain functions are used, not EVP. EVP reads a configuration file,
 * takes a millisecond before the first byte, and allocates for every hash.
 */
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/sha256.h"

void sha256_begin(struct sha256 *hash)
{
    SHA256_Init(&hash->context);
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t len)
{
    SHA256_Update(&hash->context, bytes, len);
}

void sha256_end(struct sha256 *hash, unsigned char digest[SHA256_BYTES])
{
    SHA256_Final(digest, &hash->context);
}

void sha256_of(const void *bytes, size_t len,
               unsigned char digest[SHA256_BYTES])
{
    struct sha256 hash;

    sha256_begin(&hash);
    sha256_add(&hash, bytes, len);
    sha256_end(&hash, digest);
}
