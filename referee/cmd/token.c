/* referee token - make a secret for a network bot. */

#include "cmd/cmd.h"
#include "cmd/lib/bots.h"
#include "store/keys.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *owner, *keys = "keys";
static bool replace;

static const struct opt opts[] = {
    {"owner", "TEXT", "the person responsible for the bot", OPT_TEXT, &owner, 0,
     0},
    {"keys", "FILE", "the file of login keys (default keys)", OPT_TEXT, &keys,
     0, 0},
    {"replace", NULL, "replace the existing token of this name", OPT_FLAG,
     &replace, 0, 0},
    {0},
};

/* What a person must know, but a pipe must not get. */
static void explain(const char *name)
{
    fprintf(stderr,
            "That was the token of %s. It is shown only once: %s "
            "contains a key\n"
            "that can check it, not the token. Its owner saves it in a file\n"
            "that nobody else can read, and runs\n"
            "\n"
            "    chmod 600 %s.token\n"
            "    referee connect HOST:PORT --name %s --token-file "
            "%s.token -- COMMAND\n"
            "\n"
            "A running server reads the keys again after \"referee\n"
            "reload\" or SIGHUP.\n",
            name, keys, name, name, name);
}

/* Bypass the buffers of stdio, where the token would stay. */
static bool print(char token[TOKEN_TEXT + 1])
{
    bool ok;

    token[TOKEN_TEXT] = '\n';
    ok = write(STDOUT_FILENO, token, TOKEN_TEXT + 1) == TOKEN_TEXT + 1;
    token[TOKEN_TEXT] = '\0';
    return ok;
}

static int run(int argc, char **argv)
{
    char token[TOKEN_TEXT + 1];
    struct login_key key;
    struct err err;
    bool ok;

    if (argc != 1)
        return complain("token takes one name: referee token NAME");
    if (!is_bot_name(argv[0]))
        return complain(
            "\"%.40s\" is not a name: use 1 to %d letters, digits, or "
            "any of ._+-",
            argv[0], BOT_NAME_MAX);
    if (owner && !key_owner_check(owner, &err))
        return complain("%s", err.text);
    token_make(token);
    token_key(token, &key);
    ok = keys_put(keys, argv[0], &key, owner, replace, &err);
    if (!ok)
        complain("%s", err.text);
    else if (print(token))
        explain(argv[0]);
    else
        ok = complain(
                 "the token cannot be printed (%s), and is lost: make a new "
                 "one with --replace",
                 strerror(errno)) == 0;
    sodium_memzero(token, sizeof token);
    sodium_memzero(&key, sizeof key);
    return ok ? 0 : 2;
}

const struct subcommand cmd_token = {
    .name = "token",
    .args = "NAME [OPTION...]",
    .about = "make a secret token with which a bot can log in",
    .more =
        "Makes a random token for the bot NAME, prints it once on stdout,\n"
        "and stores a key with which the server can check a login. A thief\n"
        "who steals the key file can log in to this server, but learns no\n"
        "token.\n"
        "\n"
        "Examples:\n"
        "  (umask 077; referee token anna --owner \"Anna, group 3\" > "
        "anna.token)\n"
        "  (umask 077; referee token anna --replace > anna.token)",
    .opts = opts,
    .run = run,
};
