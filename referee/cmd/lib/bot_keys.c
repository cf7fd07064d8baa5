#include "cmd/lib/bot_keys.h"

#include "base/text.h"
#include "cmd/lib/bot_cores.h"
#include "cmd/lib/bot_walls.h"
#include "match/game_summary.h"
#include "run/environment.h"
#include "store/disk.h"
#include "store/keys.h"

#include <string.h>

enum { FILES_BYTES = 64 * 1024 };

static const char blanks[] = " \t";
static const int64_t hour_us = 3600 * INT64_C(1000000);

/* Parse one NAME, NAME=VALUE or NAME="a value" at *at. */
static bool take_variable(const char **at, struct buf *out)
{
    size_t n = environment_name(*at);

    buf_put(out, *at, n);
    *at += n;
    if (n == 0 || **at != '=')
        return n > 0 && (!**at || strchr(blanks, **at));
    buf_char(out, *(*at)++);
    while (**at && !strchr(blanks, **at)) {
        char quote[2] = {**at == '"' || **at == '\'' ? **at : '\0', '\0'};

        *at += quote[0] != '\0';
        n = strcspn(*at, quote[0] ? quote : " \t\"'");
        buf_put(out, *at, n);
        *at += n;
        if (quote[0] && *(*at)++ != quote[0])
            return false;
    }
    return true;
}

static bool add_variable(const struct ini_value *v, const char **at,
                         struct err *err)
{
    struct bot_entry *b = v->to;
    int max = (int)(sizeof b->environment / sizeof *b->environment) - 1;
    const char *word = *at;
    struct buf text;
    bool right;

    if (b->environment_count == max)
        return fail(err, "at most %d of them", max);
    buf_init(&text, INI_LINE_MAX + 1);
    right = take_variable(at, &text) ||
            fail(err,
                 "must be NAME or NAME=VALUE, with quotes around a value "
                 "with blanks, not \"%.40s\"",
                 word);
    if (right)
        b->environment[b->environment_count++] =
            pool_text(v->ini->pool, text.text);
    buf_release(&text);
    return right;
}

static bool read_environment(const struct ini_value *v, struct err *err)
{
    for (const char *at = v->text; *at; at += strspn(at, blanks))
        if (!add_variable(v, &at, err))
            return false;
    return true;
}

static bool read_owner(const struct ini_value *v, struct err *err)
{
    const char **owner = v->to;

    *owner = pool_text(v->ini->pool, v->text);
    return key_owner_check(*owner, err);
}

/* A key given again adds to the value. */
static bool read_files(const struct ini_value *v, struct err *err)
{
    const char **files = v->to;
    struct buf all;
    bool right;

    buf_init(&all, FILES_BYTES);
    buf_add(&all, "%s%s%s", *files ? *files : "", *files ? " " : "", v->text);
    right =
        buf_ok(&all) || fail(err, "more than %d bytes of names", FILES_BYTES);
    if (right)
        *files = pool_text(v->ini->pool, all.text);
    buf_release(&all);
    return right;
}

static bool read_version(const struct ini_value *v, struct err *err)
{
    if (is_word(v->text) && strlen(v->text) <= SUMMARY_WORD_MAX)
        return ini_text(v, err);
    return fail(err, "must be one word of at most %d letters, not \"%.80s\"",
                SUMMARY_WORD_MAX, v->text);
}

static bool read_ponder(const struct ini_value *v, struct err *err)
{
    bool ponders = true;

    if (!yes_read(v->text, &ponders, err))
        return false;
    *(bool *)v->to = !ponders;
    return true;
}

static bool read_size(const struct ini_value *v, struct err *err)
{
    return size_read(v->text, v->to, err);
}

static bool read_control(const struct ini_value *v, struct err *err)
{
    struct time_control control;

    return time_control_parse(v->text, &control, err) && ini_text(v, err);
}

const struct ini_key bot_keys[] = {
    KEY("command", "COMMAND", NULL,
        "the command that starts it; run by a shell if necessary",
        INI_TEXT(struct bot_entry, command)),
    KEY("directory", "FOLDER", NULL,
        "the folder in which it is started (default: folder, if given)",
        INI_TEXT(struct bot_entry, directory)),
    KEY("folder", "FOLDER", NULL,
        "everything below it is part of the bot and of its version",
        INI_TEXT(struct bot_entry, folder)),
    KEY("files", "FILE ...", NULL,
        "these files are part of its version as well; may be given more "
        "than once",
        INI(struct bot_entry, files, read_files), .again = true),
    KEY("version", "WORD", NULL, "the version, instead of a digest",
        INI(struct bot_entry, version, read_version)),
    KEY("environment", "NAME|NAME=VALUE ...", NULL,
        "variables to pass on or to set; a server passes on only PATH, LANG "
        "and HOME by itself; may be given more than once",
        .read = read_environment, .again = true, .is_secret = true),
    KEY("owner", "TEXT", NULL,
        "the person responsible; on a server, bots of one owner do not meet",
        INI(struct bot_entry, owner, read_owner)),
    KEY("quit-limit", "TIME", "2s", "how long it may take to exit",
        INI_TIME(struct bot_entry, quit_us, 0, hour_us)),
    KEY("restart", "yes|no", "no",
        "restart it for every game; a ladder always does",
        INI_YES(struct bot_entry, restart)),
    KEY("time", "CONTROL", NULL, "its own time control; not on a ladder",
        INI(struct bot_entry, time, read_control)),
    KEY("ponder", "yes|no", "yes",
        "may it think when it is not its turn; no: it is frozen",
        INI(struct bot_entry, freezes, read_ponder)),
    KEY("cores", "N", NULL,
        "processor cores reserved for it (default: as set for all, "
        "otherwise none)",
        INI_INT(struct bot_entry, cores, 1, BOT_CORES_MAX)),
    KEY("walls", WALL_WORDS, NULL,
        "the walls that confine it (default: as set for all, otherwise none)",
        INI_CHOICE(struct bot_entry, wall.kind)),
    KEY("memory", "SIZE", "1g", "with walls: how much memory it may use",
        INI(struct bot_entry, wall.memory_bytes, read_size)),
    KEY("processes", "N", "256", "with walls: processes and threads",
        INI_INT(struct bot_entry, wall.processes, 1, 100000)),
    KEY("scratch", "SIZE", "64m",
        "with walls: how much it may write to its scratch folder, $HOME",
        INI(struct bot_entry, wall.scratch_bytes, read_size)),
    {0},
};

void no_such_bot(struct ini *ini, int line, const char *key, const char *name)
{
    struct guess guess;

    guess_begin(&guess, name);
    for (const struct ini_section *s = ini->first; s; s = s->next)
        if (strcmp(s->kind->name, "bot") == 0)
            guess_add(&guess, "", s->name);
    if (guess.nearest)
        ini_mistake(ini, line,
                    "%s: there is no [bot %.40s]; did you mean %.40s?", key,
                    name, guess.nearest);
    else
        ini_mistake(ini, line, "%s: there is no [bot %.40s]; add that section",
                    key, name);
    guess_end(&guess);
}

void bot_entry_check(struct ini *ini, const struct ini_section *section)
{
    struct bot_entry *entry = section->to;

    if (entry->directory && !disk_is_folder(entry->directory))
        ini_mistake(ini, ini_line(section, "directory"),
                    "directory: there is no folder %.200s", entry->directory);
    if (entry->folder && !disk_is_folder(entry->folder))
        ini_mistake(ini, ini_line(section, "folder"),
                    "folder: there is no folder %.200s", entry->folder);
    if (!entry->directory)
        entry->directory = entry->folder;
    if (!ini_has(section, "command"))
        ini_mistake(ini, section->line,
                    "[bot %s] has no command; for example: command = ./mybot",
                    section->name);
}
