/* referee submissions - what was handed in, and which version plays. */

#include "cmd/cmd.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/bots.h"
#include "store/shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *shelf = "handins", *withdraw, *choose;
static bool as_json;

static const struct opt opts[] = {
    {"handins", "FOLDER", "where bots are kept (default handins)", OPT_TEXT,
     &shelf, 0, 0},
    {"withdraw", "VERSION", "take a version of NAME back", OPT_TEXT, &withdraw,
     0, 0},
    {"choose", "VERSION", "let this version of NAME play again", OPT_TEXT,
     &choose, 0, 0},
    {"json", NULL, "print all of it as JSON", OPT_FLAG, &as_json, 0, 0},
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

static void print_one(const char *name, const json_t *history)
{
    const char *playing = history_playing(history, NULL);
    json_t *line;
    size_t i;

    printf("%s: %s%s\n", name, playing ? "plays version " : "nothing plays",
           playing ? playing : "");
    json_array_foreach(history, i, line)
        printf("  %s  %-9s  %-16s%s%s%s%s\n", view_text(line, "at"),
               view_text(line, "event"), view_text(line, "version"),
               view_has(line, "stage") ? "  " : "", view_text(line, "stage"),
               view_has(line, "text") ? ": " : "", view_text(line, "text"));
}

/* A version can be asked for by the beginning of its name. */
static bool find_version(const json_t *history, const char *wish, char *version,
                         struct err *err)
{
    json_t *line;
    size_t i;

    json_array_foreach(history, i, line)
    {
        const char *known = view_text(line, "version");

        if (*wish && strncmp(known, wish, strlen(wish)) == 0 &&
            history_accepted_at(history, known)) {
            snprintf(version, VERSION_HEX + 1, "%s", known);
            return true;
        }
    }
    return fail(err, "no version that was accepted begins with \"%.40s\"",
                wish);
}

static bool change(const char *name, const json_t *history, struct err *err)
{
    const char *wish = withdraw ? withdraw : choose;
    char version[VERSION_HEX + 1], path[DISK_PATH_MAX];

    if (!find_version(history, wish, version, err))
        return fail_at(err, "%s", name);
    shelf_path(shelf, name, version, path);
    if (choose && !disk_is_folder(path))
        return fail(err, "%s: the files of version %s are not kept any more",
                    name, version);
    return shelf_add(shelf, name, choose ? HANDIN_CHOSEN : HANDIN_WITHDRAWN,
                     version, NULL, err);
}

static bool show(const char *name, json_t *all, struct err *err)
{
    json_t *history;
    bool ok = true;

    if (!read_history(name, &history, err))
        return false;
    if (withdraw || choose) {
        ok = change(name, history, err);
        json_decref(history);
        ok = ok && shelf_history(shelf, name, &history, err);
    }
    if (!ok)
        return false;
    if (!as_json)
        print_one(name, history);
    json_object_set_new(all, name, history);
    return true;
}

static int run(int argc, char **argv)
{
    struct disk_names names = {0};
    json_t *all = json_object();
    struct err err;
    bool ok = true;

    if ((withdraw || choose) && (argc != 1 || (withdraw && choose)))
        return complain("--withdraw and --choose take one name and one "
                        "version: referee submissions anna --withdraw 3f2a");
    for (int i = 0; i < argc; i++)
        disk_names_add(&names, argv[i]);
    if (argc == 0)
        ok = shelf_names(shelf, &names, &err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = show(names.name[i], all, &err);
    if (ok && as_json) {
        char *text = json_dumps(all, JSON_INDENT(2));

        puts(text);
        free(text);
    }
    json_decref(all);
    disk_names_free(&names);
    return ok ? 0 : complain_of(&err);
}

const struct subcommand cmd_submissions = {
    .name = "submissions",
    .args = "[OPTION...] [NAME...]",
    .about = "show what was handed in, and which version plays",
    .more = "Lists every hand-in with its verdict. --withdraw takes a version "
            "back, so that the one\nbefore plays; --choose lets an older one "
            "play again.\n\n"
            "Examples:\n"
            "  referee submissions\n"
            "  referee submissions anna --choose 3f2a",
    .opts = opts,
    .run = run,
};
