#include "cmd/lib/ini.h"

#include "base/text.h"
#include "cmd/lib/bots.h"

#include <assert.h>
#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 30, HELP_WIDTH = 79 };

static const char blanks[] = " \t\r\n\v\f";

/* Remarks. */

static void remark(struct ini *ini, int line, bool is_warning,
                   const struct err *err)
{
    ini->mistakes += !is_warning;
    if (ini->remarks < INI_REMARKS_MAX)
        ini->remark[ini->remarks] = (struct ini_remark){
            .line = line,
            .number = ini->remarks,
            .is_warning = is_warning,
            .text = pool_text(ini->pool, err->text),
        };
    ini->remarks++;
}

/* Like fail(), but no text of the file can disturb a terminal. */
static void say(struct err *err, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

static void say(struct err *err, const char *fmt, va_list ap)
{
    char text[ERR_TEXT_MAX];

    vsnprintf(text, sizeof text, fmt, ap);
    fail(err, "%s", text);
}

void ini_mistake(struct ini *ini, int line, const char *fmt, ...)
{
    struct err err;
    va_list ap;

    va_start(ap, fmt);
    say(&err, fmt, ap);
    va_end(ap);
    remark(ini, line, false, &err);
}

void ini_warning(struct ini *ini, int line, const char *fmt, ...)
{
    struct err err;
    va_list ap;

    va_start(ap, fmt);
    say(&err, fmt, ap);
    va_end(ap);
    remark(ini, line, true, &err);
}

/* Sort by line; remarks about the whole file come last. */
static int by_line(const void *a, const void *b)
{
    const struct ini_remark *r = a, *s = b;
    int left = r->line ? r->line : INT_MAX, right = s->line ? s->line : INT_MAX;

    if (left != right)
        return left < right ? -1 : 1;
    return r->number - s->number;
}

void ini_report(struct ini *ini, struct lines *out)
{
    int kept = ini->remarks < INI_REMARKS_MAX ? ini->remarks : INI_REMARKS_MAX;

    qsort(ini->remark, (size_t)kept, sizeof *ini->remark, by_line);
    for (int i = 0; i < kept; i++) {
        const struct ini_remark *r = &ini->remark[i];
        struct buf *line = tell_begin(out, EVERYONE);

        buf_str(line, ini->path);
        if (r->line)
            buf_add(line, ":%d", r->line);
        buf_add(line, ": %s%s", r->is_warning ? "warning: " : "", r->text);
        tell_end(out);
    }
    if (ini->remarks > kept)
        tell(out, EVERYONE, "and %d more remarks", ini->remarks - kept);
}

/* Sections. */

static const struct ini_key *find_key(const struct ini_kind *kind,
                                      const char *name)
{
    for (const struct ini_key *k = kind->keys; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

static int index_of(const struct ini_section *section, const char *name)
{
    const struct ini_key *key = find_key(section->kind, name);

    assert(key && key - section->kind->keys < INI_KEYS_MAX);
    return (int)(key - section->kind->keys);
}

bool ini_has(const struct ini_section *section, const char *key)
{
    return section->key_line[index_of(section, key)] != 0;
}

bool ini_is_wrong(const struct ini_section *section, const char *key)
{
    return section->key_wrong[index_of(section, key)];
}

int ini_line(const struct ini_section *section, const char *key)
{
    return ini_has(section, key) ? section->key_line[index_of(section, key)]
                                 : section->line;
}

struct ini_section *ini_find(const struct ini *ini, const char *kind,
                             const char *name)
{
    for (struct ini_section *s = ini->first; s; s = s->next)
        if (strcmp(s->kind->name, kind) == 0 && strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static bool read_value(struct ini *ini, const struct ini_key *key,
                       const char *text, void *to, struct err *err)
{
    struct ini_value value = {
        .ini = ini, .key = key, .text = text, .to = (char *)to + key->at};

    return key->read(&value, err);
}

void ini_preset(struct ini *ini, const struct ini_kind *kind, void *to)
{
    struct err err;

    for (const struct ini_key *k = kind->keys; k->name; k++)
        if (k->preset) {
            bool right = read_value(ini, k, k->preset, to, &err);

            assert(right);
        }
}

static const struct ini_kind *find_kind(const struct ini *ini, const char *name)
{
    for (const struct ini_kind *k = ini->kinds; k->name; k++)
        if (strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

/* "[ladder x]", or "[ladder NAME]" if it has no name. */
static void write_title(const struct ini_kind *kind, const char *name,
                        struct buf *out)
{
    buf_add(out, "[%s", kind->name);
    if (kind->argument)
        buf_add(out, " %.40s", name ? name : kind->argument);
    buf_char(out, ']');
}

static void no_such_section(struct ini *ini, const char *name)
{
    struct guess guess;
    struct buf titles;

    buf_init(&titles, 1024);
    guess_begin(&guess, name);
    for (const struct ini_kind *k = ini->kinds; k->name; k++) {
        guess_add(&guess, "", k->name);
        buf_str(&titles, k > ini->kinds ? ", " : "");
        write_title(k, NULL, &titles);
    }
    if (guess.nearest) {
        buf_reset(&titles);
        write_title(find_kind(ini, guess.nearest), NULL, &titles);
        ini_mistake(ini, ini->line,
                    "there is no section [%.40s]; did you mean %s?", name,
                    titles.text);
    } else {
        ini_mistake(ini, ini->line,
                    "there is no section [%.40s]; the sections are %s", name,
                    titles.text);
    }
    guess_end(&guess);
    buf_release(&titles);
}

static void check_name(struct ini *ini, const struct ini_kind *kind,
                       const char *name)
{
    const struct ini_section *twin = ini_find(ini, kind->name, name);

    if (kind->argument && !*name)
        ini_mistake(ini, ini->line, "[%s] needs a name: [%s %s]", kind->name,
                    kind->name, kind->argument);
    else if (kind->argument && !is_bot_name(name))
        ini_mistake(ini, ini->line,
                    "a name has 1 to 32 letters, digits or ._+-, not "
                    "\"%.40s\"",
                    name);
    else if (!kind->argument && *name)
        ini_mistake(ini, ini->line, "[%s] takes no name, such as \"%.40s\"",
                    kind->name, name);
    else if (twin)
        ini_mistake(ini, ini->line,
                    "[%s%s%s] is already in line %d; put all its keys there",
                    kind->name, *name ? " " : "", name, twin->line);
}

/* Check the keys even if the name is wrong. */
static void begin_section(struct ini *ini, const struct ini_kind *kind,
                          const char *name)
{
    struct ini_section *section = pool_take(ini->pool, sizeof *section);
    struct err err;

    check_name(ini, kind, name);
    section->kind = kind;
    section->name = pool_text(ini->pool, name);
    section->line = ini->line;
    section->to = kind->begin(ini, section->name, &err);
    if (!section->to) {
        ini_mistake(ini, ini->line, "%s", err.text);
        return;
    }
    ini_preset(ini, kind, section->to);
    *ini->end = section;
    ini->end = &section->next;
    ini->now = section;
}

static void cut_end(char *text)
{
    size_t n = strlen(text);

    while (n > 0 && strchr(blanks, text[n - 1]))
        n--;
    text[n] = '\0';
}

/* "[bot greedy]" */
static void take_header(struct ini *ini, char *text)
{
    char *end = strchr(text, ']'), *word, *name, *rest;
    const struct ini_kind *kind;

    ini->now = NULL;
    if (!end) {
        ini_mistake(ini, ini->line, "\"%.40s\" has no ] at its end", text);
        return;
    }
    rest = end + 1 + strspn(end + 1, blanks);
    if (*rest && !strchr(";#", *rest))
        ini_mistake(ini, ini->line,
                    "\"%.40s\" follows a section on the same line; begin a "
                    "new line",
                    rest);
    *end = '\0';
    word = text + 1 + strspn(text + 1, blanks);
    cut_end(word);
    name = word + strcspn(word, blanks);
    if (*name) {
        *name++ = '\0';
        name += strspn(name, blanks);
    }
    kind = find_kind(ini, word);
    if (kind)
        begin_section(ini, kind, name);
    else
        no_such_section(ini, word);
}

/* Keys. */

static void guess_key(struct ini *ini, const char *title, const char *name)
{
    struct guess guess;

    guess_begin(&guess, name);
    for (const struct ini_key *k = ini->now->kind->keys; k->name; k++)
        if (!k->is_refused)
            guess_add(&guess, "", k->name);
    if (guess.nearest)
        ini_mistake(ini, ini->line, "%s has no key \"%.40s\"; did you mean %s?",
                    title, name, guess.nearest);
    else
        ini_mistake(ini, ini->line, "%s has no key \"%.40s\"; its keys are %s",
                    title, name, guess.all.text);
    guess_end(&guess);
}

/* Perhaps another kind of section has this key. */
static const struct ini_kind *kind_with(const struct ini *ini, const char *name)
{
    for (const struct ini_kind *kind = ini->kinds; kind->name; kind++)
        if (find_key(kind, name) && !find_key(kind, name)->is_refused)
            return kind;
    return NULL;
}

static void no_such_key(struct ini *ini, const char *name)
{
    const struct ini_kind *other = kind_with(ini, name);
    struct buf here, there;

    buf_init(&here, 256);
    buf_init(&there, 256);
    write_title(ini->now->kind, ini->now->name, &here);
    if (other) {
        write_title(other, NULL, &there);
        ini_mistake(ini, ini->line, "%s has no key \"%.40s\"; %s has it",
                    here.text, name, there.text);
    } else {
        guess_key(ini, here.text, name);
    }
    buf_release(&here);
    buf_release(&there);
}

static void no_section(struct ini *ini, const char *name)
{
    const struct ini_kind *kind = kind_with(ini, name);
    struct buf title;

    buf_init(&title, 256);
    write_title(kind ? kind : ini->kinds, NULL, &title);
    ini_mistake(ini, ini->line,
                "\"%.40s\" comes before the first section; put it under %s",
                name, title.text);
    buf_release(&title);
}

static bool take_value(struct ini *ini, const struct ini_key *key,
                       const char *text, struct err *err)
{
    if (!*text)
        return fail(err, "a value is missing; write %s = %s", key->name,
                    key->form);
    if (strstr(text, " #"))
        return fail(
            err,
            "a comment after a value begins with ; or has a line of its own");
    return read_value(ini, key, text, ini->now->to, err);
}

/* A value given again is appended to the earlier one. */
static void note_value(struct ini *ini, const char **value, const char *text)
{
    struct buf all;

    if (!*value) {
        *value = pool_text(ini->pool, text);
        return;
    }
    buf_init(&all, INI_VALUES_MAX);
    buf_add(&all, "%s, %s", *value, text);
    *value = pool_text(ini->pool, all.text);
    buf_release(&all);
}

static void take_pair(struct ini *ini, const struct ini_key *key,
                      const char *text)
{
    int i = index_of(ini->now, key->name);
    int *seen = &ini->now->key_line[i];
    struct err err;

    if (*seen && !key->again) {
        ini_mistake(ini, ini->line, "%s is already given in line %d", key->name,
                    *seen);
        return;
    }
    *seen = ini->line;
    note_value(ini, &ini->now->value[i], text);
    if (take_value(ini, key, text, &err))
        return;
    ini->now->key_wrong[i] = true;
    ini_mistake(ini, ini->line, "%s: %s", key->name, err.text);
}

/* Reading the file through inih. */

struct source {
    struct ini *ini;
    FILE *file;
    char *text; /* the line, from getline() */
    size_t cap;
    const char *value; /* set if too long for inih; otherwise NULL */
    bool waiting;      /* waiting for inih to find a pair in the line */
    bool in_sections;
};

static int on_pair(void *user, const char *section, const char *name,
                   const char *value)
{
    struct source *s = user;
    struct ini *ini = s->ini;
    const struct ini_key *key;

    s->waiting = false;
    if (!ini->now) {
        if (!s->in_sections)
            no_section(ini, name);
        return 1;
    }
    key = find_key(ini->now->kind, name);
    if (key)
        take_pair(ini, key, s->value ? s->value : value);
    else
        no_such_key(ini, name);
    return 1;
}

/* The next line, trimmed and without comments; NULL at the end. */
static char *next_text(struct source *s)
{
    static const char mark[] = "\xef\xbb\xbf";
    ssize_t n;

    while ((n = getline(&s->text, &s->cap, s->file)) >= 0) {
        char *text = s->text;

        s->ini->line++;
        if (s->ini->line == 1 && strncmp(text, mark, strlen(mark)) == 0)
            text += strlen(mark);
        if (strlen(s->text) != (size_t)n) {
            ini_mistake(s->ini, s->ini->line,
                        "a NUL byte: this is not a text file");
            continue;
        }
        text += strspn(text, blanks);
        cut_end(text);
        if (*text && !strchr(";#", *text))
            return text;
    }
    return NULL;
}

/* Mark the key as given, so that it is not reported as missing. */
static void refuse_long(struct ini *ini, const char *text)
{
    const struct ini_key *key = NULL;
    char name[80];

    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "=:"), text);
    cut_end(name);
    if (ini->now)
        key = find_key(ini->now->kind, name);
    if (key) {
        ini->now->key_line[index_of(ini->now, name)] = ini->line;
        ini->now->key_wrong[index_of(ini->now, name)] = true;
    }
    ini_mistake(ini, ini->line, "a line of %zu bytes; at most %d%s",
                strlen(text), INI_LINE_MAX,
                !key          ? ""
                : !key->again ? "; put the rest into a file of its own"
                              : "; the key may be given more than once, in "
                                "several lines");
}

/* A comment begins with a ';' after a blank. */
static void cut_comment(char *value)
{
    for (char *at = strchr(value, ';'); at; at = strchr(at + 1, ';'))
        if (at == value || strchr(blanks, at[-1])) {
            *at = '\0';
            return;
        }
}

/* inih has room for 199 bytes. It finds the key; the value is kept here. */
static void keep_value(struct source *s, char *text)
{
    char *value = strpbrk(text, "=:");

    if (!value)
        return;
    value += 1 + strspn(value + 1, blanks);
    cut_comment(value);
    cut_end(value);
    s->value = value;
}

/*
 * Pass only pairs to inih, without their leading blanks: it would take an
 * indented line as a continuation of the previous value.
 */
static char *next_line(char *line, int size, void *user)
{
    struct source *s = user;
    struct ini *ini = s->ini;
    char *text;

    if (s->waiting)
        ini_mistake(ini, ini->line, "neither [SECTION] nor KEY = VALUE");
    s->waiting = false;
    s->value = NULL;
    while ((text = next_text(s)) != NULL) {
        if (*text == '[') {
            s->in_sections = true;
            take_header(ini, text);
        } else if (strlen(text) > INI_LINE_MAX) {
            refuse_long(ini, text);
        } else {
            s->waiting = true;
            if (strlen(text) >= (size_t)size)
                keep_value(s, text);
            snprintf(line, (size_t)size, "%s", text);
            return line;
        }
    }
    return NULL;
}

void ini_read(struct ini *ini, const char *path, const struct ini_kind *kinds,
              void *user, struct pool *pool)
{
    struct source s = {.ini = ini};

    *ini =
        (struct ini){.path = path, .kinds = kinds, .user = user, .pool = pool};
    ini->end = &ini->first;
    s.file = fopen(path, "re");
    if (!s.file) {
        ini_mistake(ini, 0, "cannot be opened: %s", strerror(errno));
        return;
    }
    ini_parse_stream(next_line, &s, on_pair, &s);
    if (ferror(s.file))
        ini_mistake(ini, 0, "cannot be read: %s", strerror(errno));
    fclose(s.file);
    free(s.text);
}

/* Help. */

/* Wrap words into lines in a column of their own. */
static void write_help(const char *text, size_t column, struct buf *out)
{
    size_t at = column;

    while (*text) {
        size_t n = strcspn(text, " ");

        if (at > column && at + 1 + n > HELP_WIDTH) {
            buf_add(out, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            buf_char(out, ' ');
            at++;
        }
        buf_put(out, text, n);
        at += n;
        text += n + (text[n] == ' ');
    }
    buf_char(out, '\n');
}

static void key_help(const struct ini_key *key, struct buf *out)
{
    char left[80], text[400];

    snprintf(left, sizeof left, "  %s = %s", key->name, key->form);
    snprintf(text, sizeof text, "%s%s%s%s", key->help,
             key->preset ? " (default " : "", key->preset ? key->preset : "",
             key->preset ? ")" : "");
    buf_add(out, "%-*s", HELP_COLUMN, left);
    if (strlen(left) >= HELP_COLUMN)
        buf_add(out, "\n%*s", HELP_COLUMN, "");
    write_help(text, HELP_COLUMN, out);
}

void ini_help(const struct ini_kind *kinds, struct buf *out)
{
    for (const struct ini_kind *kind = kinds; kind->name; kind++) {
        if (kind > kinds)
            buf_char(out, '\n');
        write_title(kind, NULL, out);
        buf_add(out, "  %s\n", kind->about);
        for (const struct ini_key *k = kind->keys; k->name; k++)
            if (!k->is_refused)
                key_help(k, out);
    }
}
