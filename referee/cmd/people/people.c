#include "cmd/people/people.h"

#include "base/alloc.h"
#include "cmd/lib/csv.h"
#include "cmd/lib/files.h"
#include "match/login.h"
#include "match/match.h"
#include "store/disk.h"
#include "store/keys.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table as it is in a file. */
struct table {
    struct buf text, cell;
    const char *at;
    struct csv_row row;
    int bot, owner; /* columns, or -1 */
};

static const char *cell_of(struct table *t, int column)
{
    if (column < 0 || column >= t->row.cells)
        return "";
    csv_text(&t->row, column, &t->cell);
    return t->cell.text;
}

/* Read the titles. Spreadsheets put a mark before the first one. */
static bool open_table(struct table *t, const char *path, struct err *err)
{
    static const char mark[] = "\xef\xbb\xbf";

    *t = (struct table){.bot = -1, .owner = -1};
    buf_init(&t->text, CSV_BYTES_MAX);
    buf_init(&t->cell, 1 << 16);
    if (!file_read(path, &t->text, err))
        return false;
    t->at = t->text.text ? t->text.text : "";
    if (strncmp(t->at, mark, strlen(mark)) == 0)
        t->at += strlen(mark);
    if (!csv_next(&t->at, &t->row))
        return fail(err, "%s is empty: its first line must be titles", path);
    for (int i = 0; i < t->row.cells; i++) {
        const char *title = cell_of(t, i);

        if (strcmp(title, "bot") == 0)
            t->bot = i;
        else if (strcmp(title, "owner") == 0)
            t->owner = i;
    }
    return true;
}

static void close_table(struct table *t)
{
    buf_release(&t->text);
    buf_release(&t->cell);
}

static bool is_about(const struct table *t, int column)
{
    return column != t->bot && column != t->owner;
}

static int read_about(struct people *p, struct table *t,
                      const char *about[ABOUT_MAX])
{
    int count = 0;

    for (int i = 0; i < t->row.cells && count < ABOUT_MAX; i++)
        if (is_about(t, i))
            about[count++] = pool_text(&p->pool, cell_of(t, i));
    return count;
}

static struct people_row *add_row(struct people *p)
{
    if (p->count == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 64;
        p->row = must_resize(p->row, (size_t)p->cap, sizeof *p->row);
    }
    p->row[p->count] = (struct people_row){0};
    for (int i = 0; i < ABOUT_MAX; i++)
        p->row[p->count].about[i] = "";
    return &p->row[p->count++];
}

const struct people_row *people_bot(const struct people *p, const char *bot)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->row[i].bot, bot) == 0)
            return &p->row[i];
    return NULL;
}

/* A bot's name, and a pseudonym for its owner. */
static bool check_names(const struct people *p, const char *bot,
                        const char *owner, struct err *err)
{
    if (!is_bot_name(bot))
        return fail(
            err,
            "\"%.40s\" is not the name of a bot: use 1 to %d letters, digits, "
            "or any of ._+-",
            bot, BOT_NAME_MAX);
    if (people_bot(p, bot))
        return fail(err, "there are two bots called %s", bot);
    return *owner ? key_owner_check(owner, err)
                  : fail(err, "the bot %s has no owner", bot);
}

/* Reading our own file. */

static bool read_row(struct people *p, struct table *t, struct err *err)
{
    const char *bot = pool_text(&p->pool, cell_of(t, t->bot));
    const char *owner = pool_text(&p->pool, cell_of(t, t->owner));
    struct people_row *row;

    if (!check_names(p, bot, owner, err))
        return false;
    row = add_row(p);
    row->bot = bot;
    row->owner = owner;
    read_about(p, t, row->about);
    return true;
}

static bool is_blank(const struct csv_row *row)
{
    return row->cells == 1 && row->len[0] == 0;
}

bool people_read(struct people *p, const char *path, struct err *err)
{
    struct table t;
    int line = 1;
    bool ok;

    *p = (struct people){0};
    if (!disk_has(path))
        return true;
    ok = open_table(&t, path, err);
    if (ok && (t.bot < 0 || t.owner < 0))
        ok = fail(err, "%s: the titles must begin with bot,owner", path);
    if (ok)
        p->titles = read_about(p, &t, p->title);
    while (ok && csv_next(&t.at, &t.row)) {
        line++;
        if (!is_blank(&t.row))
            ok = read_row(p, &t, err) || fail_at(err, "%s:%d", path, line);
    }
    close_table(&t);
    return ok;
}

void people_release(struct people *p)
{
    free(p->row);
    pool_release(&p->pool);
}

/* Not csv_cell(): the file must keep the exact text. */
static void add_cell(struct buf *out, const char *text, bool is_last)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    if (quoted)
        buf_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buf_char(out, '"');
        buf_char(out, *text);
    }
    if (quoted)
        buf_char(out, '"');
    buf_char(out, is_last ? '\n' : ',');
}

static void add_line(const struct people *p, struct buf *out, const char *bot,
                     const char *owner, const char *const *about)
{
    add_cell(out, bot, false);
    add_cell(out, owner, p->titles == 0);
    for (int i = 0; i < p->titles; i++)
        add_cell(out, about[i], i == p->titles - 1);
}

bool people_write(const struct people *p, const char *path, struct err *err)
{
    struct buf out;
    bool ok;

    buf_init(&out, CSV_BYTES_MAX);
    add_line(p, &out, "bot", "owner", p->title);
    for (int i = 0; i < p->count; i++)
        add_line(p, &out, p->row[i].bot, p->row[i].owner, p->row[i].about);
    ok = buf_ok(&out) ? disk_write(path, out.text, out.len, err)
                      : fail(err, "%s would be larger than %d MiB", path,
                             CSV_BYTES_MAX >> 20);
    buf_release(&out);
    return ok;
}

/* Importing a class list. */

static bool is_same_person(const struct people *p, const struct people_row *row,
                           const char *const *about)
{
    for (int i = 0; i < p->titles; i++)
        if (strcmp(row->about[i], about[i]) != 0)
            return false;
    return true;
}

static const struct people_row *find_person(const struct people *p,
                                            const char *const *about)
{
    for (int i = 0; i < p->count; i++)
        if (is_same_person(p, &p->row[i], about))
            return &p->row[i];
    return NULL;
}

static bool has_owner(const struct people *p, const char *owner)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->row[i].owner, owner) == 0)
            return true;
    return false;
}

/* A name that nobody has; if the words run out, with a number. */
static const char *new_pseudonym(struct people *p)
{
    char name[PSEUDONYM_MAX + 1], numbered[PSEUDONYM_MAX + 16];

    for (int tries = 0;; tries++) {
        pseudonym_make(name);
        snprintf(numbered, sizeof numbered, tries < 100 ? "%s" : "%s-%d", name,
                 tries);
        if (!has_owner(p, numbered) && !people_bot(p, numbered))
            return pool_text(&p->pool, numbered);
    }
}

static bool add_bot(struct people *p, const char *bot, const char *owner,
                    const char *const *about, struct err *err)
{
    const struct people_row *there = people_bot(p, bot);
    struct people_row *row;

    if (there && is_same_person(p, there, about))
        return true;
    if (p->count == PEOPLE_MAX)
        return fail(err, "more than %d bots", PEOPLE_MAX);
    if (!check_names(p, bot, owner, err))
        return false;
    row = add_row(p);
    row->bot = bot;
    row->owner = owner;
    memcpy(row->about, about, (size_t)p->titles * sizeof *about);
    row->is_new = true;
    return true;
}

/* "tiger, lion" */
static bool add_bots(struct people *p, const char *bots, const char *owner,
                     const char *const *about, struct err *err)
{
    static const char between[] = ", ;";

    for (bots += strspn(bots, between); *bots; bots += strspn(bots, between)) {
        size_t n = strcspn(bots, between);

        if (!add_bot(p, pool_part(&p->pool, bots, n), owner, about, err))
            return false;
        bots += n;
    }
    return true;
}

static bool import_row(struct people *p, struct table *t, struct err *err)
{
    const char *about[ABOUT_MAX] = {0};
    const char *owner = pool_text(&p->pool, cell_of(t, t->owner));
    const char *bots = pool_text(&p->pool, cell_of(t, t->bot));
    const struct people_row *known;
    int count = read_about(p, t, about);

    if (count < p->titles)
        return fail(err, "%d cells of %d are missing", p->titles - count,
                    p->titles);
    known = find_person(p, about);
    if (known && *owner && strcmp(known->owner, owner) != 0)
        return fail(err, "the owner of this person is already %s, not %s",
                    known->owner, owner);
    if (known)
        owner = known->owner;
    else if (!*owner)
        owner = new_pseudonym(p);
    if (!*bots && known)
        return true;
    return add_bots(p, *bots ? bots : owner, owner, about, err);
}

static bool import_titles(struct people *p, struct table *t, const char *path,
                          struct err *err)
{
    const char *title[ABOUT_MAX];
    int count = read_about(p, t, title);
    bool same = count == p->titles;

    if (count == 0)
        return fail(err, "%s: no column identifies the people", path);
    if (p->count == 0) {
        memcpy(p->title, title, (size_t)count * sizeof *title);
        p->titles = count;
        return true;
    }
    for (int i = 0; same && i < count; i++)
        same = strcmp(title[i], p->title[i]) == 0;
    return same || fail(err,
                        "%s has other columns than the existing people: %s "
                        "is not %s",
                        path, title[0], p->title[0]);
}

bool people_import(struct people *p, const char *path, struct err *err)
{
    struct table t;
    int line = 1;
    bool ok = open_table(&t, path, err) && import_titles(p, &t, path, err);

    while (ok && csv_next(&t.at, &t.row)) {
        line++;
        if (!is_blank(&t.row))
            ok = import_row(p, &t, err) || fail_at(err, "%s:%d", path, line);
    }
    close_table(&t);
    return ok;
}

bool people_is(const struct people *p, const struct people_row *row,
               const char *word)
{
    if (strcmp(row->bot, word) == 0 || strcmp(row->owner, word) == 0)
        return true;
    for (int i = 0; i < p->titles; i++)
        if (*word && strcmp(row->about[i], word) == 0)
            return true;
    return false;
}

/* Where the file is. */

static bool has_file(const char *folder, const char *name)
{
    char path[PATH_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return disk_has(path);
}

/* The folder, without links, of a file that may not exist yet. */
static bool find_folder(const char *path, char folder[PATH_MAX],
                        struct err *err)
{
    const char *end = strrchr(path, '/');
    char part[PATH_MAX];

    snprintf(part, sizeof part, "%.*s", end ? (int)(end - path) + 1 : 1,
             end ? path : ".");
    return realpath(part, folder) ||
           fail(err, "the folder of %s does not exist", path);
}

static bool is_data(const char *folder, const char *data)
{
    char real[PATH_MAX];

    if (data && realpath(data, real) && strcmp(real, folder) == 0)
        return true;
    return has_file(folder, "index.db") || has_file(folder, "orders.jsonl");
}

bool people_is_apart(const char *path, const char *data, struct err *err)
{
    char folder[PATH_MAX], *end;

    if (!find_folder(path, folder, err))
        return false;
    for (; *folder; *end = '\0') {
        if (is_data(folder, data))
            return fail(err,
                        "%s is in the data folder %s, which is shown, "
                        "backed up and passed on; keep real names elsewhere",
                        path, folder);
        end = strrchr(folder, '/');
    }
    return true;
}
