#include "cmd/lib/bot_keys.h"

#include "base/text.h"
#include "store/disk.h"

#include <string.h>

static const int64_t hour_us = 3600 * INT64_C(1000000);

static bool read_environment(const struct ini_value *v, struct err *err)
{
    struct bot_entry *b = v->to;
    int max = (int)(sizeof b->environment / sizeof *b->environment) - 1;

    if (!strchr(v->text, '=') || v->text[0] == '=')
        return fail(err, "must be NAME=VALUE, one per line, not \"%.40s\"",
                    v->text);
    if (b->environment_count == max)
        return fail(err, "at most %d of them", max);
    b->environment[b->environment_count++] = pool_text(v->ini->pool, v->text);
    return true;
}

static bool read_control(const struct ini_value *v, struct err *err)
{
    struct time_control control;

    return time_control_parse(v->text, &control, err) && ini_text(v, err);
}

const struct ini_key bot_keys[] = {
    KEY("command", "COMMAND", NULL,
        "how it is started; by a shell if the line needs one",
        INI_TEXT(struct bot_entry, command)),
    KEY("directory", "FOLDER", NULL, "where it is started",
        INI_TEXT(struct bot_entry, directory)),
    KEY("environment", "NAME=VALUE", NULL,
        "for its environment; may be given again", .read = read_environment,
        .again = true),
    KEY("quit-limit", "TIME", "2s", "how long it may take to end",
        INI_TIME(struct bot_entry, quit_us, 0, hour_us)),
    KEY("restart", "yes|no", "no",
        "start it anew for every game; a ladder always does",
        INI_YES(struct bot_entry, restart)),
    KEY("time", "CONTROL", NULL,
        "its own time control, which a ladder does not grant",
        INI(struct bot_entry, time, read_control)),
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
    const struct bot_entry *entry = section->to;

    if (entry->directory && !disk_is_folder(entry->directory))
        ini_mistake(ini, ini_line(section, "directory"),
                    "directory: there is no folder %.200s", entry->directory);
    if (!ini_has(section, "command"))
        ini_mistake(ini, section->line,
                    "[bot %s] has no command; say for example command = "
                    "./mybot",
                    section->name);
}
