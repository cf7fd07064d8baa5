#include "store/signing.h"

#include "base/text.h"
#include "store/disk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEED_HEX = 2 * crypto_sign_SEEDBYTES, FILE_MAX = 4096 };

static const char kind[] = "referee-key-1 ";

void signing_forget(struct signing_key *key)
{
    sodium_memzero(key, sizeof *key);
}

static bool parse(struct signing_key *key, const char *text)
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    char hex[SEED_HEX + 1];
    bool ok = take_text(&text, kind) && strcspn(text, "\n") == SEED_HEX;

    if (ok)
        snprintf(hex, sizeof hex, "%s", text);
    ok = ok && text_unhex(seed, sizeof seed, hex);
    if (ok)
        signing_key_make(key, seed);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(hex, sizeof hex);
    return ok;
}

bool signing_load(struct signing_key *key, const char *path, struct err *err)
{
    struct buf text;
    struct stat st;
    bool ok;

    buf_init(&text, FILE_MAX);
    ok = disk_read(path, &text, err);
    if (ok && !parse(key, text.text))
        ok = fail(err, "%s is not a key of a referee: it must be \"%sHEX\"",
                  path, kind);
    if (text.len > 0)
        sodium_memzero(text.text, text.len);
    buf_release(&text);
    if (ok && stat(path, &st) == 0 && (st.st_mode & 077) != 0)
        ok = fail(err, "other users can read %s: run chmod 600 %s", path, path);
    return ok;
}

/* Whoever makes it at the same time is as good; but there is one. */
static bool make(const char *path, struct err *err)
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    char own[DISK_PATH_MAX], text[sizeof kind + SEED_HEX + 1];
    bool ok;

    randombytes_buf(seed, sizeof seed);
    strcpy(text, kind);
    text_hex(text + strlen(kind), seed, sizeof seed);
    strcat(text, "\n");
    snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    ok = disk_write(own, text, strlen(text), err);
    if (ok && link(own, path) != 0 && errno != EEXIST)
        ok = fail(err, "%s cannot be created: %s", path, strerror(errno));
    unlink(own);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(text, sizeof text);
    return ok;
}

bool signing_need(struct signing_key *key, const char *path, struct err *err)
{
    return (disk_has(path) || make(path, err)) && signing_load(key, path, err);
}

bool signing_read_public(uint8_t key[SEAL_KEY_BYTES], const char *given,
                         struct err *err)
{
    struct buf text;
    bool ok;

    if (text_unhex(key, SEAL_KEY_BYTES, given))
        return true;
    if (!disk_has(given))
        return fail(
            err,
            "\"%.80s\" is not a key: give 64 hex digits, as \"referee key\" "
            "prints them, or a file with them",
            given);
    buf_init(&text, FILE_MAX);
    ok = disk_read(given, &text, err);
    if (ok && text.len >= SEAL_KEY_HEX)
        buf_cut(&text, SEAL_KEY_HEX);
    if (ok && !text_unhex(key, SEAL_KEY_BYTES, text.text ? text.text : ""))
        ok = fail(err, "%s does not begin with 64 hex digits, a key", given);
    buf_release(&text);
    return ok;
}
