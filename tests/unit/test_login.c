/* Tokens and proofs. */

#include "match/login.h"

#include <criterion/criterion.h>
#include <sodium.h>
#include <string.h>

/* Python: hmac.new(b"secret", b"referee-login-1 anna " + b"0" * 32, sha256) */
Test(login, test_vector)
{
    char proof[PROOF_HEX + 1];

    login_prove("secret", "anna", "00000000000000000000000000000000", proof);
    cr_assert_str_eq(proof, "e146d5bade87a7ecd9259bd11c7990c6"
                            "3e4ba66316e589a7627aee2c9c76bf31");
}

/* protocol.md, 6.8 */
Test(login, an_invitation_gives_both_sides_the_same_token)
{
    static const char code[] = "k7qf2m-9xwp-4tj6-rd3k-m8hn";
    static const char nonce[] = "00000000000000000000000000000000";
    char proof[PROOF_HEX + 1], token[TOKEN_TEXT + 1];
    struct login_key key;

    register_prove(code, "anna", nonce, proof);
    cr_assert_str_eq(proof, "b676265bcde53641ecd423e3ae930810"
                            "6b87bcb3f2754c1fda4f223819361fe8");
    token_key(code, &key);
    cr_assert(register_holds(&key, "anna", nonce, proof));
    cr_assert_not(register_holds(&key, "anne", nonce, proof));
    cr_assert_not(login_holds(&key, "anna", nonce, proof));
    register_token(&key, "anna", nonce, token);
    cr_assert_str_eq(token, "Fw338BDGDRfcq9qnAan1pYdQPzLrbWHOK9dSkJRSLTY");
}

Test(login, a_key_knows_the_proof_without_the_token)
{
    char token[TOKEN_TEXT + 1], nonce[NONCE_HEX + 1], proof[PROOF_HEX + 1];
    char hex[KEY_HEX + 1];
    struct login_key key, back;

    for (int i = 0; i < 100; i++) {
        token_make(token);
        nonce_make(nonce);
        cr_assert_eq(strlen(token), TOKEN_TEXT);
        cr_assert_eq(strlen(nonce), NONCE_HEX);
        token_key(token, &key);
        login_key_write(&key, hex);
        cr_assert_not(strstr(hex, token));
        cr_assert(login_key_read(&back, hex));
        login_prove(token, "anna", nonce, proof);
        cr_assert(login_holds(&back, "anna", nonce, proof));
        cr_assert_not(login_holds(&back, "bob", nonce, proof));
        proof[i % PROOF_HEX] ^= 1;
        cr_assert_not(login_holds(&back, "anna", nonce, proof));
        cr_assert_not(login_holds(&back, "anna", nonce, ""));
    }
}

Test(login, another_nonce_needs_another_proof)
{
    char one[NONCE_HEX + 1], two[NONCE_HEX + 1], proof[PROOF_HEX + 1];
    struct login_key key;

    nonce_make(one);
    nonce_make(two);
    cr_assert_str_neq(one, two);
    token_key("t", &key);
    login_prove("t", "anna", one, proof);
    cr_assert(login_holds(&key, "anna", one, proof));
    cr_assert_not(login_holds(&key, "anna", two, proof));
}

/* A token longer than a block of SHA-256 is hashed first, as HMAC says. */
Test(login, long_tokens)
{
    char token[200], proof[PROOF_HEX + 1];
    struct login_key key;

    memset(token, 'x', sizeof token - 1);
    token[sizeof token - 1] = '\0';
    token_key(token, &key);
    login_prove(token, "anna", "00", proof);
    cr_assert(login_holds(&key, "anna", "00", proof));
    cr_assert_str_eq(proof, "eb9fd2fc2cb912e51cbbe6938d10d1d5"
                            "63b8ea175dd20d2fc966e88a4e9bc604");
}

Test(login, damaged_keys_are_refused)
{
    struct login_key key;

    cr_assert_not(login_key_read(&key, ""));
    cr_assert_not(login_key_read(&key, "00"));
    cr_assert_not(login_key_read(&key, "xyz"));
}
