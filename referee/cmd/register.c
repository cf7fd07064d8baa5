/* referee register - register a name on a server with an invitation code. */

#include "cmd/cmd.h"
#include "cmd/lib/secret.h"
#include "cmd/lib/server_login.h"
#include "net/caller.h"
#include "net/connection.h"
#include "store/disk.h"
#include "store/invitations.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct server_words words;
static const char *code, *code_file;

static const struct opt opts[] = {
    {"code", "CODE", "the code that the organiser gave you", OPT_TEXT, &code, 0,
     0},
    {"code-file", "F", "a file with the code, of mode 600", OPT_TEXT,
     &code_file, 0, 0},
    {"name", "N", "the name that the bot shall have", OPT_TEXT, &words.name, 0,
     0},
    {"token-file", "F", "where its token goes (default N.token)", OPT_TEXT,
     &words.token_file, 0, 0},
    {"tls", NULL, "encrypt, and check the server's certificate", OPT_FLAG,
     &words.tls, 0, 0},
    {"ca", "FILE", "trust these CAs instead of the system's", OPT_TEXT,
     &words.ca, 0, 0},
    {"name-check", "HOST", "the certificate must be for this host", OPT_TEXT,
     &words.name_check, 0, 0},
    {"login-limit", "TIME", "for the server to ask for the login (default 30s)",
     OPT_TEXT, &words.login_limit, 0, 0},
    {0},
};

struct registration {
    struct loop loop;
    struct caller *caller;
    const char *code;
    bool is_written; /* the token file */
    bool is_taken;   /* we got the name */
    char bye[ERR_TEXT_MAX];
    struct err err;
};

/* Write the token before the server hears of us: we must not lose it. */
static bool on_nonce(void *owner, const char *nonce)
{
    struct registration *r = owner;
    char token[TOKEN_TEXT + 1];
    struct login_key key;

    token_key(r->code, &key);
    register_token(&key, words.name, nonce, token);
    token[TOKEN_TEXT] = '\n';
    r->is_written =
        disk_write(words.token_file, token, TOKEN_TEXT + 1, &r->err);
    sodium_memzero(token, sizeof token);
    sodium_memzero(&key, sizeof key);
    return r->is_written;
}

static void on_told(void *owner, const char *kind, const char *text)
{
    struct registration *r = owner;

    if (strcmp(kind, "registered") == 0)
        r->is_taken = true;
    else if (strcmp(kind, "bye") == 0)
        snprintf(r->bye, sizeof r->bye, "%s", text);
}

static void on_room(void *owner)
{
}

static void on_done(void *owner, bool joined, const char *why)
{
    struct registration *r = owner;

    if (!r->bye[0] && !r->is_taken && !(joined && r->is_written))
        fail(&r->err, "%s", r->err.text[0] ? r->err.text : why);
    loop_stop(&r->loop);
}

static const struct caller_owner calls = {.on_nonce = on_nonce,
                                          .on_told = on_told,
                                          .on_room = on_room,
                                          .on_done = on_done};

static void talk(struct registration *r, const struct server_login *login,
                 const char *id)
{
    char request[CONNECTION_INVITATION_MAX + 16];
    const struct caller_config config = {
        .address = &login->address,
        .tls = login->uses_tls ? &login->tls : NULL,
        .name = login->name,
        .token = r->code,
        .invitation = id,
        .requests = request,
        .login_us = login->login_us,
    };

    snprintf(request, sizeof request, "register=%s", id);
    signal(SIGPIPE, SIG_IGN);
    loop_init(&r->loop);
    r->caller = caller_new(&r->loop, &config, &calls, r);
    loop_run(&r->loop);
    caller_free(r->caller);
    /* libevent frees a bufferevent only in the next turn of the loop. */
    event_base_loop(r->loop.base, EVLOOP_NONBLOCK);
    loop_release(&r->loop);
}

static void tell_next(const char *address)
{
    printf("%s is registered; its token is in %s. Keep this file: nobody can "
           "make it again.\n",
           words.name, words.token_file);
    printf("Now hand a bot in, or let one play from here:\n\n"
           "    referee submit %s%s --name %s --token-file %s FOLDER\n"
           "    referee connect %s%s --name %s --token-file %s -- COMMAND\n",
           address, words.tls ? " --tls" : "", words.name, words.token_file,
           address, words.tls ? " --tls" : "", words.name, words.token_file);
}

static int tell_outcome(const struct registration *r, const char *address)
{
    if (r->is_taken) {
        tell_next(address);
        if (strcmp(r->bye, "that is all") != 0 && r->bye[0])
            complain("%s", r->bye);
        return 0;
    }
    if (r->is_written && r->bye[0])
        unlink(words.token_file);
    if (r->bye[0]) {
        complain("%s", r->bye);
        return 1;
    }
    if (r->err.text[0])
        return complain("%s", r->err.text);
    return complain("the connection was lost, so it is not known whether %s is "
                    "registered; if it is, the token in %s works: referee "
                    "submissions %s --name %s --token-file %s",
                    words.name, words.token_file, address, words.name,
                    words.token_file);
}

static bool check_words(char id[INVITATION_ID + 1], const char *given,
                        struct err *err)
{
    if (!invitation_id(given, id))
        return fail(err, "this is not a code: one looks like "
                         "k7qf2m-9xwp-4tj6-rd3k-m8hn");
    if (disk_has(words.token_file))
        return fail(err,
                    "%s is there already and may be the token of another bot; "
                    "say where the new one goes with --token-file",
                    words.token_file);
    return true;
}

static int run(int argc, char **argv)
{
    struct registration r = {0};
    struct server_login login = {0};
    char id[INVITATION_ID + 1], file[DISK_PATH_MAX];
    const char *secret = NULL;
    struct err err;
    bool ok;

    if (argc != 1)
        return complain("register needs a server: referee register HOST:PORT "
                        "--code CODE --name anna");
    if (!code == !code_file)
        return complain("say which code the organiser gave you, with --code or "
                        "--code-file");
    snprintf(file, sizeof file, "%s.token", words.name ? words.name : "");
    if (!words.token_file)
        words.token_file = file;
    ok = server_login_read(argv[0], &words, &login, &err);
    if (ok && code_file) {
        secret = secret_read(code_file, &err);
        ok = secret != NULL;
    }
    r.code = code_file ? secret : code;
    ok = ok && check_words(id, r.code, &err);
    if (ok)
        talk(&r, &login, id);
    if (secret)
        secret_free(secret);
    server_login_release(&login);
    return ok ? tell_outcome(&r, argv[0]) : complain("%s", err.text);
}

const struct subcommand cmd_register = {
    .name = "register",
    .args = "HOST:PORT|unix:PATH --code CODE --name N [OPTION...]",
    .about = "take a name on a server, with an invitation",
    .more = "A server that takes newcomers has invitations. Whoever has the "
            "code of one takes a name\nthat is free, and gets a token for it, "
            "which neither side sends: both compute it. The\nname is shown to "
            "everybody, so it need not be yours.\n\n"
            "Exit code 0: registered; 1: refused; 2: not done.\n\n"
            "Examples:\n"
            "  referee register play.example.org:7000 --tls --name "
            "calm-otter \\\n"
            "      --code k7qf2m-9xwp-4tj6-rd3k-m8hn",
    .opts = opts,
    .run = run,
};
