#ifndef REFEREE_MATCH_LOGIN_H
#define REFEREE_MATCH_LOGIN_H

/*
 * login.h - tokens, and the proof that a bot has one.
 *
 * A token is a secret text that a bot's owner keeps. The referee sends a fresh
 * nonce, and the bot answers with its name and
 *
 *     PROOF = hex(HMAC-SHA256(TOKEN, "referee-login-1 NAME NONCE"))
 *
 * so the token itself never travels. The referee does not keep it either. It
 * keeps a key: the two states of HMAC after it has read the token. A thief of
 * the keys can log in to this referee in the bots' names, but learns no token.
 *
 * An invitation has a code, which lets a newcomer take a name. It works as a
 * token does: the referee keeps a key, and the newcomer answers with
 *
 *     PROOF = hex(HMAC-SHA256(CODE, "referee-register-1 NAME NONCE"))
 *
 * The token of the new bot never travels either, because both sides compute it:
 *
 *     TOKEN = base64url(HMAC-SHA256(CODE, "referee-token-1 NAME NONCE"))
 */

#include "base/buf.h"

#include <stdint.h>

enum {
    NONCE_HEX = 32,
    PROOF_HEX = 64,
    TOKEN_TEXT = 43, /* 32 random bytes in base64url */
    KEY_HEX = 128,
};

/* [A-Za-z0-9._+-]{1,32} */
extern const char bot_name_bytes[];
bool is_bot_name(const char *name);

struct login_key {
    uint8_t inner[32], outer[32];
};

void token_make(char token[TOKEN_TEXT + 1]);
void token_key(const char *token, struct login_key *key);

void login_key_write(const struct login_key *key, char hex[KEY_HEX + 1]);
bool login_key_read(struct login_key *key, const char *hex);

void nonce_make(char nonce[NONCE_HEX + 1]);

/* "1 login 0123456789abcdef0123456789abcdef", as the referee asks. */
bool login_request_read(const char *line, int *id, const char **nonce);

/* What a bot answers. */
void login_prove(const char *token, const char *name, const char *nonce,
                 char proof[PROOF_HEX + 1]);

/* The same with the code of an invitation, and the token that follows from it
 * and its key. */
void register_prove(const char *code, const char *name, const char *nonce,
                    char proof[PROOF_HEX + 1]);
bool register_holds(const struct login_key *key, const char *name,
                    const char *nonce, const char *proof);
void register_token(const struct login_key *key, const char *name,
                    const char *nonce, char token[TOKEN_TEXT + 1]);

/* Is this what the owner of the key would answer? Takes constant time. */
bool login_holds(const struct login_key *key, const char *name,
                 const char *nonce, const char *proof);

#endif
