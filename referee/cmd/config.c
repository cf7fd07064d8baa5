#include "cmd/config.h"

#include "base/text.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* inih cuts longer lines in two. */
enum { LINE_BYTES = 198 };

struct reader {
    const char *path;
    const char *section;
    const struct opt *opts;
    const bool *given;
    struct bot_book *book;
    struct texts *words;
    struct err *err;
    FILE *file;
    int line;
    bool failed;
};

static int wrong(struct reader *r)
{
    r->failed = true;
    fail_at(r->err, "%s:%d", r->path, r->line);
    return 0;
}

static char *keep(const char *text)
{
    char *copy = strdup(text);

    if (!copy)
        abort();
    return copy;
}

static bool read_yes(const char *text, bool *value, struct err *err)
{
    static const char yes[] = "yes|true|on|1", no[] = "no|false|off|0";

    if (words_find(yes, text) >= 0)
        *value = true;
    else if (words_find(no, text) >= 0)
        *value = false;
    else
        return fail(err, "\"%.40s\" must be yes or no", text);
    return true;
}

/* The keys of [bot NAME]. */

static bool set_command(struct bot_entry *b, const char *value, struct err *err)
{
    b->command = keep(value);
    return true;
}

static bool set_directory(struct bot_entry *b, const char *value,
                          struct err *err)
{
    b->directory = keep(value);
    return true;
}

static bool set_environment(struct bot_entry *b, const char *value,
                            struct err *err)
{
    int max = (int)(sizeof b->environment / sizeof *b->environment) - 1;

    if (!strchr(value, '=') || value[0] == '=')
        return fail(err, "environment must be NAME=VALUE, one per line");
    if (b->environment_count == max)
        return fail(err, "at most %d lines of environment", max);
    b->environment[b->environment_count++] = keep(value);
    return true;
}

static bool set_restart(struct bot_entry *b, const char *value, struct err *err)
{
    return read_yes(value, &b->restart, err);
}

static bool set_time(struct bot_entry *b, const char *value, struct err *err)
{
    struct time_control control;

    b->time = keep(value);
    return time_control_parse(value, &control, err);
}

static bool set_quit(struct bot_entry *b, const char *value, struct err *err)
{
    return duration_read(value, &b->quit_us, err);
}

static const struct bot_key {
    const char *name;
    bool (*set)(struct bot_entry *entry, const char *value, struct err *err);
} bot_keys[] = {
    {"command",     set_command    },
    {"directory",   set_directory  },
    {"environment", set_environment},
    {"restart",     set_restart    },
    {"time",        set_time       },
    {"quit-limit",  set_quit       },
};

enum { BOT_KEYS = sizeof bot_keys / sizeof *bot_keys };

static struct bot_entry *entry_of(struct reader *r, const char *section)
{
    const char *name = section + strlen("bot ");
    struct bot_entry *entry = bot_book_find(r->book, name);

    if (entry)
        return entry;
    if (!is_bot_name(name)) {
        fail(r->err,
             "a bot's name has 1 to 32 letters, digits or ._+-, not "
             "\"%.40s\"",
             name);
        return NULL;
    }
    entry = bot_book_add(r->book, keep(name));
    if (entry)
        entry->line = r->line;
    else
        fail(r->err, "more than %d bots", BOTS_MAX);
    return entry;
}

static int bot_line(struct reader *r, const char *section, const char *name,
                    const char *value)
{
    struct bot_entry *entry = entry_of(r, section);
    const char *nearest = bot_keys[0].name;

    if (!entry)
        return wrong(r);
    for (int i = 0; i < BOT_KEYS; i++) {
        if (strcmp(name, bot_keys[i].name) == 0)
            return bot_keys[i].set(entry, value, r->err) || wrong(r);
        if (text_distance(name, bot_keys[i].name) <
            text_distance(name, nearest))
            nearest = bot_keys[i].name;
    }
    fail(r->err, "[%.40s] has no key \"%.40s\"; did you mean %s?", section,
         name, nearest);
    return wrong(r);
}

/* The keys of the command's own section are its options. */

static bool add_words(struct texts *words, const char *value, struct err *err)
{
    char *at = keep(value), *word;

    while ((word = strsep(&at, ", \t")) != NULL)
        if (*word) {
            if (words->count == TEXTS_MAX)
                return fail(err, "more than %d bots", TEXTS_MAX);
            words->text[words->count++] = word;
        }
    return true;
}

static bool set_option(const struct opt *o, const char *value, struct err *err)
{
    if (o->kind == OPT_FLAG)
        return read_yes(value, o->to, err);
    return opt_take(o, keep(value), err);
}

static int option_line(struct reader *r, const char *name, const char *value)
{
    const char *nearest = "bots";

    if (strcmp(name, "bots") == 0)
        return add_words(r->words, value, r->err) || wrong(r);
    for (int i = 0; r->opts[i].name; i++) {
        if (strcmp(name, r->opts[i].name) == 0) {
            if (r->given[i])
                return 1; /* the command line decides */
            return set_option(&r->opts[i], value, r->err) || wrong(r);
        }
        if (text_distance(name, r->opts[i].name) < text_distance(name, nearest))
            nearest = r->opts[i].name;
    }
    fail(r->err, "[%s] has no key \"%.40s\"; did you mean %s?", r->section,
         name, nearest);
    return wrong(r);
}

static int on_pair(void *user, const char *section, const char *name,
                   const char *value)
{
    struct reader *r = user;

    if (r->failed)
        return 0;
    if (strcmp(section, r->section) == 0)
        return option_line(r, name, value);
    if (strncmp(section, "bot ", 4) == 0)
        return bot_line(r, section, name, value);
    fail(r->err,
         "\"%.40s\" stands in no section that is known: [%s] or "
         "[bot NAME]",
         name, r->section);
    return wrong(r);
}

/* inih asks for lines here, so that we can count them. */
static char *next_line(char *text, int size, void *user)
{
    struct reader *r = user;

    if (r->failed || !fgets(text, size, r->file))
        return NULL;
    r->line++;
    if (strlen(text) > LINE_BYTES) {
        fail(r->err, "a line of more than %d bytes", LINE_BYTES);
        wrong(r);
        return NULL;
    }
    return text;
}

static bool is_complete(struct reader *r)
{
    for (int i = 0; i < r->book->count; i++)
        if (!r->book->entry[i].command) {
            r->line = r->book->entry[i].line;
            fail(r->err, "[bot %s] has no command", r->book->entry[i].name);
            wrong(r);
            return false;
        }
    return true;
}

bool config_read(const char *path, const char *section, const struct opt *opts,
                 const bool *given, struct bot_book *book, struct texts *words,
                 struct err *err)
{
    struct reader r = {.path = path,
                       .section = section,
                       .opts = opts,
                       .given = given,
                       .book = book,
                       .words = words,
                       .err = err};
    int line;

    r.file = fopen(path, "re");
    if (!r.file)
        return fail(err, "%s cannot be opened: %s", path, strerror(errno));
    line = ini_parse_stream(next_line, &r, on_pair, &r);
    fclose(r.file);
    if (r.failed)
        return false;
    if (line != 0)
        return fail(err, "%s:%d: neither [SECTION] nor KEY = VALUE", path,
                    line);
    return is_complete(&r);
}
