/* referee people - record who owns which bots, and make tokens for a class. */

#include "cmd/people/people.h"
#include "cmd/cmd.h"
#include "cmd/lib/csv.h"
#include "cmd/people/invite.h"
#include "cmd/serve/config.h"
#include "match/login.h"
#include "store/disk.h"
#include "store/invitations.h"
#include "store/keys.h"

#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *people_file = "people.csv", *keys = "keys";
static const char *tokens = "tokens", *config;
static bool as_json, as_csv, all, with_bots;
static const char *invitations = "invitations", *until, *owner;
static int invitations_count = 1, uses = 1;

static const struct opt opts[] = {
    {"people", "FILE", "the file with real names (default people.csv)",
     OPT_TEXT, &people_file, 0, 0},
    {"keys", "FILE", "the file of login keys (default keys)", OPT_TEXT, &keys,
     0, 0},
    {"tokens", "FOLDER", "folder for tokens, one file each (default tokens)",
     OPT_TEXT, &tokens, 0, 0},
    {"config", "FILE",
     "the referee.ini whose data folder must not contain the file of people "
     "(default referee.ini, if it exists)",
     OPT_TEXT, &config, 0, 0},
    {"all", NULL, "with token, revoke and uninvite: all people", OPT_FLAG, &all,
     0, 0},
    {"invitations", "FILE", "file of invitations (default invitations)",
     OPT_TEXT, &invitations, 0, 0},
    {"count", "N", "with invite: number of codes (default 1)", OPT_INT,
     &invitations_count, 1, PEOPLE_MAX},
    {"uses", "N", "with invite: number of bots per code (default 1)", OPT_INT,
     &uses, 1, INVITATION_USES_MAX},
    {"until", "TIME", "with invite: when the codes expire, in UTC", OPT_TEXT,
     &until, 0, 0},
    {"owner", "TEXT",
     "with invite: owner of the bots (default: each its own owner)", OPT_TEXT,
     &owner, 0, 0},
    {"with-bots", NULL, "with uninvite: also revoke the tokens of its bots",
     OPT_FLAG, &with_bots, 0, 0},
    {"json", NULL, "with list and invitations: write JSON", OPT_FLAG, &as_json,
     0, 0},
    {"csv", NULL, "with list and invitations: write CSV", OPT_FLAG, &as_csv, 0,
     0},
    {0},
};

/* The key file, if it exists. */
struct keyring {
    struct key_entry *key;
    int count;
};

static bool read_keys(struct keyring *ring, struct err *err)
{
    *ring = (struct keyring){0};
    return !disk_has(keys) || keys_read(keys, &ring->key, &ring->count, err);
}

static bool has_key(const struct keyring *ring, const char *bot)
{
    return keys_find(ring->key, ring->count, bot) != NULL;
}

/* Tokens. */

static bool make_token(const struct people_row *row, struct err *err)
{
    char token[TOKEN_TEXT + 2], path[DISK_PATH_MAX];
    struct login_key key;
    bool ok;

    token_make(token);
    token_key(token, &key);
    token[TOKEN_TEXT] = '\n';
    snprintf(path, sizeof path, "%s/%s.token", tokens, row->bot);
    ok = disk_write(path, token, TOKEN_TEXT + 1, err) &&
         keys_put(keys, row->bot, &key, row->owner, true, err);
    sodium_memzero(token, sizeof token);
    sodium_memzero(&key, sizeof key);
    return ok;
}

static int tell_tokens(int made)
{
    if (made > 0)
        printf("%d token%s written to %s and shown nowhere else; give each "
               "owner the file of the bot.\n"
               "\"referee reload\" tells a running server.\n",
               made, made == 1 ? "" : "s", tokens);
    return 0;
}

/* The selected rows. Reports a word that matches nobody. */
static bool mark(const struct people *p, int argc, char **argv, bool *is_meant,
                 struct err *err)
{
    if (argc == 0 && !all)
        return fail(err, "name bots, owners or people, or use --all");
    for (int k = 0; k < argc; k++) {
        bool found = false;

        for (int i = 0; i < p->count; i++)
            if (people_is(p, &p->row[i], argv[k]))
                found = is_meant[i] = true;
        if (!found)
            return fail(err, "nobody in %s is called \"%.60s\"", people_file,
                        argv[k]);
    }
    for (int i = 0; i < p->count && all; i++)
        is_meant[i] = true;
    return true;
}

/* The verbs. */

static bool bots_are_free(const struct people *p, struct err *err)
{
    struct keyring ring;
    bool ok = read_keys(&ring, err);

    for (int i = 0; ok && i < p->count; i++)
        if (p->row[i].is_new && has_key(&ring, p->row[i].bot))
            ok = fail(err, "%s already has a bot called %s", keys,
                      p->row[i].bot);
    free(ring.key);
    return ok;
}

static bool import(struct people *p, int argc, char **argv, struct err *err)
{
    int made = 0;

    if (argc != 1)
        return fail(err, "import takes one class list: referee people import "
                         "CLASS.csv");
    if (!people_import(p, argv[0], err) || !bots_are_free(p, err) ||
        !people_write(p, people_file, err) || !disk_folder(tokens, err))
        return false;
    for (int i = 0; i < p->count; i++)
        if (p->row[i].is_new && !make_token(&p->row[i], err))
            return false;
        else
            made += p->row[i].is_new;
    printf("%s: %d bot%s, %d of them new\n", people_file, p->count,
           p->count == 1 ? "" : "s", made);
    tell_tokens(made);
    return true;
}

static bool renew(struct people *p, int argc, char **argv, struct err *err)
{
    bool *is_meant = calloc((size_t)p->count + 1, sizeof *is_meant);
    bool ok = is_meant && mark(p, argc, argv, is_meant, err) &&
              disk_folder(tokens, err);
    int made = 0;

    for (int i = 0; ok && i < p->count; i++) {
        ok = !is_meant[i] || make_token(&p->row[i], err);
        made += is_meant[i];
    }
    free(is_meant);
    if (ok)
        tell_tokens(made);
    return ok;
}

static bool revoke(struct people *p, int argc, char **argv, struct err *err)
{
    bool *is_meant = calloc((size_t)p->count + 1, sizeof *is_meant);
    const char **names = calloc((size_t)p->count + 1, sizeof *names);
    bool ok = is_meant && names && mark(p, argc, argv, is_meant, err);
    int count = 0, removed = 0;

    for (int i = 0; ok && i < p->count; i++)
        if (is_meant[i])
            names[count++] = p->row[i].bot;
    ok = ok && keys_remove(keys, names, count, &removed, err);
    if (ok)
        printf("%d token%s revoked. \"referee reload\" tells a running "
               "server, which closes their connections.\n",
               removed, removed == 1 ? "" : "s");
    free(is_meant);
    free(names);
    return ok;
}

static void list_json(const struct people *p, const struct keyring *ring)
{
    json_t *list = json_array();

    for (int i = 0; i < p->count; i++) {
        const struct people_row *row = &p->row[i];
        json_t *about = json_object();

        for (int k = 0; k < p->titles; k++)
            json_object_set_new(about, p->title[k], json_string(row->about[k]));
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:o}", "bot",
                                              row->bot, "owner", row->owner,
                                              "token", has_key(ring, row->bot),
                                              "person", about));
    }
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(list);
}

static void list_csv(const struct people *p, const struct keyring *ring)
{
    struct buf out;

    buf_init(&out, CSV_BYTES_MAX);
    buf_str(&out, "bot,owner,token");
    for (int k = 0; k < p->titles; k++) {
        buf_char(&out, ',');
        csv_cell(&out, p->title[k]);
    }
    buf_char(&out, '\n');
    for (int i = 0; i < p->count; i++) {
        const struct people_row *row = &p->row[i];

        buf_add(&out, "%s,%s,%d", row->bot, row->owner,
                has_key(ring, row->bot));
        for (int k = 0; k < p->titles; k++) {
            buf_char(&out, ',');
            csv_cell(&out, row->about[k]);
        }
        buf_char(&out, '\n');
    }
    fputs(out.text, stdout);
    buf_release(&out);
}

static void list_text(const struct people *p, const struct keyring *ring)
{
    printf("%-24s  %-24s  %-7s  person\n", "bot", "owner", "token");
    for (int i = 0; i < p->count; i++) {
        const struct people_row *row = &p->row[i];

        printf("%-24s  %-24s  %-7s ", row->bot, row->owner,
               has_key(ring, row->bot) ? "yes" : "none");
        for (int k = 0; k < p->titles; k++)
            printf("%s %s", k ? "," : "", row->about[k]);
        putchar('\n');
    }
}

static bool list(struct people *p, int argc, char **argv, struct err *err)
{
    struct keyring ring;
    bool ok = argc == 0 ? read_keys(&ring, err)
                        : fail(err, "list takes options only");

    if (!ok)
        return false;
    if (as_json)
        list_json(p, &ring);
    else if (as_csv)
        list_csv(p, &ring);
    else
        list_text(p, &ring);
    free(ring.key);
    return true;
}

/* Invitations do not need anybody's real name. */

static struct invite_words invite_words(void)
{
    return (struct invite_words){.invitations = invitations,
                                 .keys = keys,
                                 .until = until,
                                 .owner = owner,
                                 .count = invitations_count,
                                 .uses = uses,
                                 .all = all,
                                 .with_bots = with_bots,
                                 .as_json = as_json,
                                 .as_csv = as_csv};
}

static bool invite(struct people *p, int argc, char **argv, struct err *err)
{
    const struct invite_words words = invite_words();

    return invite_make(&words, argc, argv, err);
}

static bool list_invitations(struct people *p, int argc, char **argv,
                             struct err *err)
{
    const struct invite_words words = invite_words();

    return invite_list(&words, argc, argv, err);
}

static bool uninvite(struct people *p, int argc, char **argv, struct err *err)
{
    const struct invite_words words = invite_words();

    return invite_revoke(&words, argc, argv, err);
}

static const struct {
    const char *word;
    bool (*run)(struct people *people, int argc, char **argv, struct err *err);
} verbs[] = {{"import", import},    {"list", list},
             {"token", renew},      {"revoke", revoke},
             {"invite", invite},    {"invitations", list_invitations},
             {"uninvite", uninvite}};

enum { VERBS = sizeof verbs / sizeof *verbs };

static const char verb_words[] =
    "people takes import, list, token, revoke, invite, invitations or uninvite";

static void ignore(void *arg, const char *ladder, const char *anchor, int elo,
                   int min_games)
{
}

/* The server's data folder, which the caller frees; or NULL. */
static char *data_of_server(struct err *err)
{
    const char *path = config ? config : "referee.ini";

    if (!config && !disk_has(path))
        return NULL;
    return serve_config_data(path, ignore, NULL, err);
}

static bool is_apart(struct err *err)
{
    struct err unread = {0};
    char *data = data_of_server(&unread);
    bool ok;

    if (config && !data) {
        *err = unread;
        return false;
    }
    ok = people_is_apart(people_file, data, err);
    free(data);
    return ok;
}

static int run(int argc, char **argv)
{
    struct people people = {0};
    struct err err;
    bool ok;
    int i = 0;

    while (argc > 0 && i < VERBS && strcmp(argv[0], verbs[i].word) != 0)
        i++;
    if (argc == 0)
        return complain("%s", verb_words);
    if (i == VERBS)
        return complain("%s, not \"%.40s\"", verb_words, argv[0]);
    if (as_json && as_csv)
        return complain("--json and --csv cannot be combined: choose one");
    ok = is_apart(&err) && people_read(&people, people_file, &err) &&
         verbs[i].run(&people, argc - 1, argv + 1, &err);
    people_release(&people);
    return ok ? 0 : complain("%s", err.text);
}

const struct subcommand cmd_people = {
    .name = "people",
    .args = "import CLASS.csv | list | token WHO... | revoke WHO... | invite | "
            "invitations | uninvite ID... [OPTION...]",
    .about = "keep who owns which bots, under pseudonyms; invite newcomers",
    .more =
        "import reads a class list, a CSV file with a line of titles, gives "
        "every person a\npseudonym and a bot unless columns called owner and "
        "bot say which, makes a token for\neach bot, and writes it all to "
        "people.csv, the only file with real names. list shows\nit, without "
        "tokens, which nobody can see again. token makes new tokens, and "
        "revoke\ntakes them away: WHO is a bot, an owner, or a person by any "
        "column.\n\n"
        "invite makes codes with which newcomers register by themselves, one a "
        "line;\ninvitations lists who came by which, and uninvite revokes "
        "them. A server takes\ncodes if its file says invitations = FILE.\n\n"
        "The server sees only pseudonyms and never reads people.csv, which "
        "must not be in its\ndata folder.\n\n"
        "Examples:\n"
        "  referee people import class.csv\n"
        "  referee people list\n"
        "  referee people revoke calm-otter anna@example.org\n"
        "  referee people invite --count 40 --until 2026-12-01 >codes\n"
        "  referee people uninvite k7qf2m --with-bots\n"
        "  referee grade course.ini --fill platform.csv --roster people.csv",
    .opts = opts,
    .run = run,
};
