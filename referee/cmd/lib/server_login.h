#ifndef REFEREE_CMD_LIB_SERVER_LOGIN_H
#define REFEREE_CMD_LIB_SERVER_LOGIN_H

/*
 * server_login.h - the name and address with which a command logs in to a
 * server: the same options for every such command.
 */

#include "cmd/lib/options.h"
#include "net/dial.h"
#include "net/tls_client.h"

/* The options as given. */
struct server_words {
    bool tls, plain_token;
    const char *ca, *name_check, *name, *token_file, *login_limit;
};

/* The rows of a table of options; `words` is a struct server_words. */
#define SERVER_OPTS(words)                                                      \
    {"name", "N", "the bot's name on the server", OPT_TEXT, &(words).name,      \
     0,      0},                                                                \
        {"token-file",                                                          \
         "F",                                                                   \
         "a file with its token, with mode 600",                                \
         OPT_TEXT,                                                              \
         &(words).token_file,                                                   \
         0,                                                                     \
         0},                                                                    \
        {"tls",    NULL,         "encrypt, and check the server's certificate", \
         OPT_FLAG, &(words).tls, 0,                                             \
         0},                                                                    \
        {"ca",     "FILE",      "trust these CAs instead of the system's",      \
         OPT_TEXT, &(words).ca, 0,                                              \
         0},                                                                    \
        {"name-check",                                                          \
         "HOST",                                                                \
         "the host for which the certificate must be valid",                    \
         OPT_TEXT,                                                              \
         &(words).name_check,                                                   \
         0,                                                                     \
         0},                                                                    \
        {"plain-token",                                                         \
         NULL,                                                                  \
         "send the token itself, not a proof of it",                            \
         OPT_FLAG,                                                              \
         &(words).plain_token,                                                  \
         0,                                                                     \
         0},                                                                    \
    {                                                                           \
        "login-limit", "TIME",                                                  \
            "limit for the server to ask for the login (default 30s)",          \
            OPT_TEXT, &(words).login_limit, 0, 0                                \
    }

struct server_login {
    struct address address;
    struct tls_client tls;
    bool uses_tls;
    const char *name, *token;
    bool plain_token;
    int64_t login_us;
};

/*
 * Check everything but the token: a command may have more mistakes to report
 * first.
 */
bool server_login_read(const char *address, const struct server_words *words,
                       struct server_login *login, struct err *err) MUST_CHECK;

/* Then read the token; release it afterwards. */
bool server_login_token(const struct server_words *words,
                        struct server_login *login, struct err *err) MUST_CHECK;
void server_login_release(struct server_login *login);

/* True if an eavesdropper on the way would learn the token. */
bool server_login_is_open(const struct server_login *login);

#endif
