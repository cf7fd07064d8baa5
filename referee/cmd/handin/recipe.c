#include "cmd/handin/recipe.h"

#include "store/disk.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct ini_key recipe_keys[] = {
    KEY("build", "COMMAND", NULL, "builds the bot; run in the bot's folder",
        INI_TEXT(struct recipe, build)),
    KEY("command", "COMMAND", NULL, "starts the bot; run in the bot's folder",
        INI_TEXT(struct recipe, command)),
    KEY("ladders", "NAME, NAME, ...", NULL,
        "the ladders it plays on (default: every ladder that admits it)",
        INI_TEXT(struct recipe, ladders)),
    {0},
};

static void *begin_bot(struct ini *ini, const char *name, struct err *err)
{
    return ini->user;
}

static const struct ini_kind kinds[] = {
    {"bot", NULL, "how to build and start the bot", recipe_keys, begin_bot},
    {0},
};

/* The first of these files that exists decides. */
static const struct {
    const char *file;
    bool is_program;
    const char *build, *command;
} guesses[] = {
    {"bot", true, NULL, "./bot"},
    {"bot.py", false, NULL, "python3 bot.py"},
    {"main.py", false, NULL, "python3 main.py"},
    {"Makefile", false, "make", "./bot"},
    {"Main.java", false, "javac Main.java", "java Main"},
    {"Cargo.toml", false, "cargo build --release --offline",
     "./target/release/bot"},
    {"go.mod", false, "go build -o bot .", "./bot"},
    {"package.json", false, NULL, "node ."},
    {"bot.js", false, NULL, "node bot.js"},
    {"bot.rb", false, NULL, "ruby bot.rb"},
    {"bot.pl", false, NULL, "perl bot.pl"},
    {"bot.lua", false, NULL, "lua bot.lua"},
    {"bot.sh", false, NULL, "sh bot.sh"},
};

enum { GUESSES = sizeof guesses / sizeof *guesses };

static bool is_there(const char *folder, const char *file, bool as_program)
{
    char path[DISK_PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, file);
    return !disk_is_folder(path) && access(path, as_program ? X_OK : R_OK) == 0;
}

/* "mybot.py", where "bot.py" would be known, is how most people begin. */
static bool explain_names(const char *folder, struct err *err)
{
    struct disk_names names = {0};
    bool found = false;

    for (int i = 0; i < GUESSES && !found; i++) {
        const char *file = guesses[i].file, *end = strchr(file, '.');
        size_t len = strlen(guesses[i].command) - strlen(file);

        if (!end || strncmp(file, "bot.", 4) != 0)
            continue;
        found = disk_list(folder, end, &names, err) && names.count > 0;
        if (found)
            fail(err,
                 "nothing in the folder says how to start the bot: rename "
                 "%.60s%s to %s, or add a bot.ini with \"[bot]\" and "
                 "\"command = %.*s%.60s%s\"",
                 names.name[0], end, file, (int)len, guesses[i].command,
                 names.name[0], end);
        disk_names_free(&names);
    }
    return found;
}

static bool guess_recipe(const char *folder, struct recipe *recipe,
                         struct err *err)
{
    for (int i = 0; i < GUESSES; i++)
        if (is_there(folder, guesses[i].file, guesses[i].is_program)) {
            *recipe = (struct recipe){guesses[i].build, guesses[i].command,
                                      NULL, guesses[i].file};
            return true;
        }
    if (!explain_names(folder, err))
        fail(err, "nothing in the folder says how to start the bot: add a "
                  "bot.ini with \"[bot]\" and \"command = ...\", or name "
                  "the program bot.py, Main.java, Makefile, or bot");
    return false;
}

/*
 * All remarks about bot.ini as one sentence, because the owner gets one line.
 */
static bool join_remarks(struct ini *ini, struct err *err)
{
    struct lines remarks;
    struct buf all;

    lines_init(&remarks, 1 << 16);
    ini_report(ini, &remarks);
    buf_init(&all, 1 << 16);
    for (size_t i = 0; i < remarks.count; i++)
        buf_add(&all, "%s%s", i ? "; " : "", lines_text(&remarks, i));
    fail(err, "%s", all.text);
    buf_release(&all);
    lines_release(&remarks);
    return false;
}

static bool read_file(const char *path, struct pool *pool,
                      struct recipe *recipe, struct err *err)
{
    struct ini ini = {0};

    recipe->why = "bot.ini";
    ini_read(&ini, path, kinds, recipe, pool);
    ini.path = "bot.ini"; /* the server decides where it is stored */
    if (ini.mistakes == 0 && !recipe->command)
        ini_mistake(&ini, 0,
                    "[bot] has no \"command = ...\"; it says how to start "
                    "the bot");
    return ini.mistakes == 0 || join_remarks(&ini, err);
}

bool recipe_read(const char *folder, struct pool *pool, struct recipe *recipe,
                 struct err *err)
{
    char path[DISK_PATH_MAX];

    *recipe = (struct recipe){0};
    snprintf(path, sizeof path, "%s/bot.ini", folder);
    return disk_has(path) ? read_file(path, pool, recipe, err)
                          : guess_recipe(folder, recipe, err);
}

bool recipe_wants(const struct recipe *recipe, const char *ladder)
{
    struct pool pool = {0};
    const char *at = recipe->ladders, *name;
    bool wants = at == NULL;

    while (!wants && (name = next_name(&at, &pool)) != NULL)
        wants = strcmp(name, ladder) == 0;
    pool_release(&pool);
    return wants;
}

void recipe_help(struct buf *out)
{
    ini_help(kinds, out);
    buf_str(out, "\nWithout bot.ini, the first of these files decides:\n\n");
    for (int i = 0; i < GUESSES; i++)
        buf_add(out, "  %-14s %s%s%s\n", guesses[i].file,
                guesses[i].build ? guesses[i].build : "",
                guesses[i].build ? "; " : "", guesses[i].command);
}
