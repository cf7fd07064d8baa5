#include "cmd/lib/server_login.h"

#include "cmd/lib/bots.h"
#include "cmd/lib/secret.h"

#include <stdio.h>

static bool read_tls(const struct server_words *w, struct server_login *login,
                     struct err *err)
{
    const char *host = w->name_check ? w->name_check : login->address.host;
    struct address named = {.port = "1"};

    if (!w->tls)
        return !(w->ca || w->name_check) ||
               fail(err, "--%s needs --tls", w->ca ? "ca" : "name-check");
    if (!w->name_check && address_is_unix(&login->address))
        return fail(err, "--tls over a Unix socket needs --name-check HOST");
    snprintf(named.host, sizeof named.host, "%s", host);
    login->uses_tls = tls_client_init(&login->tls, host,
                                      address_is_number(&named), w->ca, err);
    return login->uses_tls;
}

bool server_login_read(const char *address, const struct server_words *w,
                       struct server_login *login, struct err *err)
{
    const char *limit = w->login_limit ? w->login_limit : "30s";

    *login =
        (struct server_login){.name = w->name, .plain_token = w->plain_token};
    if (!address_read(address, &login->address, err))
        return false;
    if (!w->name)
        return fail(err, "--name is missing: the bot's name on the server");
    if (!is_bot_name(w->name))
        return fail(
            err,
            "--name: \"%.40s\" is not a name: use 1 to %d letters, digits, or "
            "any of ._+-",
            w->name, BOT_NAME_MAX);
    if (!w->token_file)
        return fail(err, "--token-file is missing: a file with the token");
    if (!duration_read(limit, &login->login_us, err))
        return fail_at(err, "--login-limit");
    return read_tls(w, login, err);
}

bool server_login_token(const struct server_words *w,
                        struct server_login *login, struct err *err)
{
    login->token = secret_read(w->token_file, err);
    return login->token != NULL;
}

void server_login_release(struct server_login *login)
{
    if (login->token)
        secret_free(login->token);
    if (login->uses_tls)
        tls_client_release(&login->tls);
}

bool server_login_is_open(const struct server_login *login)
{
    return login->plain_token && !login->uses_tls &&
           !address_is_unix(&login->address);
}
