/* referee submissions - list the hand-ins, and the version that plays. */

#include "cmd/cmd.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/bots.h"
#include "cmd/submit/versions.h"
#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *shelf, *withdraw, *choose;
static struct server_words words;
static bool as_json;

static const struct opt opts[] = {
    {"handins", "FOLDER", "folder of the bots (default handins)", OPT_TEXT,
     &shelf, 0, 0},
    {"withdraw", "VERSION", "take a version back", OPT_TEXT, &withdraw, 0, 0},
    {"choose", "VERSION", "let this version play again", OPT_TEXT, &choose, 0,
     0},
    {"json", NULL, "print all of it as JSON", OPT_FLAG, &as_json, 0, 0},
    SERVER_OPTS(words),
    {0},
};

static bool read_history(const char *name, json_t **history, struct err *err)
{
    char path[DISK_PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", shelf, name);
    if (!is_bot_name(name) || !disk_is_folder(path))
        return fail(err, "%s: nobody called \"%.40s\" has handed in anything",
                    shelf, name);
    return shelf_history(shelf, name, history, err);
}

static void print_one(const char *name, const char *playing,
                      const char *ladders, const json_t *history)
{
    json_t *line;
    size_t i;

    printf("%s: %s%s%s%s\n", name, playing ? "plays version " : "nothing plays",
           playing ? playing : "", *ladders ? ", " : "", ladders);
    json_array_foreach(history, i, line)
        printf("  %s  %-9s  %-16s%s%s%s%s\n", view_text(line, "at"),
               view_text(line, "event"), view_text(line, "version"),
               view_has(line, "stage") || view_has(line, "text") ? "  " : "",
               view_text(line, "stage"), view_has(line, "stage") ? ": " : "",
               view_text(line, "text"));
}

static void print_json(json_t *all)
{
    char *text = json_dumps(all, JSON_INDENT(2));

    puts(text);
    free(text);
}

/* On this machine. */

static bool change(const char *name, struct err *err)
{
    char version[VERSION_HEX + 1];

    return shelf_change(shelf, name, choose ? HANDIN_CHOSEN : HANDIN_WITHDRAWN,
                        choose ? choose : withdraw, "organiser", version,
                        err) ||
           fail_at(err, "%s", name);
}

static bool show(const char *name, json_t *all, struct err *err)
{
    json_t *history;
    bool ok = true;

    if (!read_history(name, &history, err))
        return false;
    if (withdraw || choose) {
        ok = change(name, err);
        json_decref(history);
        ok = ok && shelf_history(shelf, name, &history, err);
    }
    if (!ok)
        return false;
    if (!as_json)
        print_one(name, history_playing(history, NULL), "", history);
    json_object_set_new(all, name, history);
    return true;
}

static int show_here(int argc, char **argv)
{
    struct disk_names names = {0};
    json_t *all = json_object();
    struct err err;
    bool ok = true;

    for (int i = 0; i < argc; i++)
        disk_names_add(&names, argv[i]);
    if (argc == 0)
        ok = shelf_names(shelf, &names, &err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = show(names.name[i], all, &err);
    if (ok && as_json)
        print_json(all);
    json_decref(all);
    disk_names_free(&names);
    return ok ? 0 : complain_of(&err);
}

/* On a server. */

static void print_versions(const char *name, const struct versions *v)
{
    json_t *all;

    if (as_json) {
        all = json_pack("{s:O}", name, v->history);
        print_json(all);
        json_decref(all);
    } else {
        print_one(name, v->playing[0] ? v->playing : NULL, v->ladders,
                  v->history);
    }
    if (v->remark[0])
        complain("%s", v->remark);
}

static int show_there(const char *address)
{
    struct server_login login;
    struct versions versions = {0};
    char order[64];
    struct err err;
    bool ok = server_login_read(address, &words, &login, &err) &&
              server_login_token(&words, &login, &err);

    snprintf(order, sizeof order, "%s %.20s",
             withdraw ? "#withdraw"
             : choose ? "#choose"
                      : "#versions",
             withdraw ? withdraw
             : choose ? choose
                      : "");
    ok = ok && versions_ask(&login, order, &versions, &err);
    if (ok)
        print_versions(words.name, &versions);
    versions_release(&versions);
    server_login_release(&login);
    return ok ? 0 : complain_of(&err);
}

/* Names of bots contain no colon. */
static bool is_address(const char *word)
{
    return strchr(word, ':') != NULL;
}

static int run(int argc, char **argv)
{
    bool is_there = argc > 0 && is_address(argv[0]);

    if (withdraw && choose)
        return complain("--withdraw and --choose cannot be combined: choose "
                        "one");
    if ((withdraw || choose) && argc != 1)
        return complain("--withdraw and --choose take one name and one "
                        "version: referee submissions anna --withdraw 3f2a");
    if (is_there && (argc > 1 || shelf))
        return complain("a server shows the versions of one bot: leave out %s",
                        shelf ? "--handins" : argv[1]);
    if (is_there)
        return show_there(argv[0]);
    if (words.name || words.token_file)
        return complain("--%s belongs to a server: referee submissions "
                        "HOST:PORT --name anna --token-file anna.token",
                        words.name ? "name" : "token-file");
    shelf = shelf ? shelf : "handins";
    return show_here(argc, argv);
}

const struct subcommand cmd_submissions = {
    .name = "submissions",
    .args = "[OPTION...] [NAME...] | HOST:PORT --name N --token-file F "
            "[OPTION...]",
    .about = "show what was handed in, and which version plays",
    .more = "Lists every hand-in with its verdict. --withdraw takes a version "
            "back, so that the one\nbefore plays; --choose lets an older one "
            "play again. An organiser names bots and says\nwith --handins "
            "where they are kept. An owner names a server, and logs in as for "
            "submit.\n\n"
            "Examples:\n"
            "  referee submissions\n"
            "  referee submissions anna --choose 3f2a\n"
            "  referee submissions play.example.org:7000 --tls --name anna \\\n"
            "      --token-file anna.token --withdraw 3f2a",
    .opts = opts,
    .run = run,
};
