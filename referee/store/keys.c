#include "store/keys.h"

#include "base/alloc.h"
#include "match/match.h"
#include "store/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEYS_FILE_MAX = 32 << 20 };

/* Reading. */

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

bool key_owner_check(const char *owner, struct err *err)
{
    size_t n = strlen(owner);

    if (n > KEY_OWNER_MAX)
        return fail(err, "the owner has %zu bytes; at most %d are allowed", n,
                    KEY_OWNER_MAX);
    for (const char *c = owner; *c; c++)
        if (is_control(*c))
            return fail(err, "the owner must be one line without tabs");
    if (n > 0 && (owner[0] == ' ' || owner[n - 1] == ' '))
        return fail(err, "the owner must not begin or end with a blank");
    return true;
}

static void drop_blanks_at_end(char *line)
{
    size_t n = strlen(line);

    while (n > 0 && strchr(" \t\r", line[n - 1]))
        line[--n] = '\0';
}

static bool is_entry(const char *line)
{
    return line[0] != '\0' && line[0] != '#';
}

/* Cut "NAME KEYHEX OWNER" in place. */
static bool read_entry(char *line, struct key_entry *entry, struct err *err)
{
    char *rest = line;
    const char *name = strsep(&rest, " ");
    const char *hex = rest ? strsep(&rest, " ") : "";

    if (!is_bot_name(name))
        return fail(
            err,
            "\"%.40s\" is not a name: use 1 to %d letters, digits, or any of "
            "._+-",
            name, BOT_NAME_MAX);
    if (!login_key_read(&entry->key, hex))
        return fail(err, "the key of %s must be %d hex digits, not %zu bytes",
                    name, KEY_HEX, strlen(hex));
    entry->name = name;
    entry->owner = rest ? rest : "";
    return key_owner_check(entry->owner, err);
}

static int by_name(const void *a, const void *b)
{
    const struct key_entry *const *one = a, *const *two = b;

    return strcmp((*one)->name, (*two)->name);
}

/* Every name once. */
static bool all_differ(const struct key_entry *keys, int count, struct err *err)
{
    const struct key_entry **sorted =
        must_alloc(calloc((size_t)count + 1, sizeof(const struct key_entry *)));
    bool ok = true;

    for (int i = 0; i < count; i++)
        sorted[i] = &keys[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    for (int i = 1; ok && i < count; i++)
        if (by_name(&sorted[i - 1], &sorted[i]) == 0)
            ok = fail(err, "%s is listed twice: keep one of its lines",
                      sorted[i]->name);
    free(sorted);
    return ok;
}

static int count_lines(const char *text)
{
    int n = 1;

    for (; (text = strchr(text, '\n')) != NULL; text++)
        n++;
    return n;
}

static bool read_lines(const char *path, char *text, struct key_entry *keys,
                       int *count, struct err *err)
{
    char *line;
    int n = 0, number = 0;

    while ((line = strsep(&text, "\n")) != NULL) {
        number++;
        drop_blanks_at_end(line);
        if (!is_entry(line))
            continue;
        if (n == KEYS_MAX)
            return fail(err, "%s:%d: more than %d names", path, number,
                        KEYS_MAX);
        if (!read_entry(line, &keys[n++], err))
            return fail_at(err, "%s:%d", path, number);
    }
    *count = n;
    return all_differ(keys, n, err) || fail_at(err, "%s", path);
}

/* The entries, and behind them the text that they point into. */
static bool read_text(const char *path, const struct buf *text,
                      struct key_entry **out, int *count, struct err *err)
{
    size_t lines = (size_t)count_lines(text->text);
    struct key_entry *keys =
        must_alloc(malloc(lines * sizeof *keys + text->len + 1));
    char *copy = (char *)(keys + lines);

    memcpy(copy, text->text, text->len + 1);
    if (strlen(copy) != text->len) {
        fail(err, "%s holds a NUL byte: it is not a text file", path);
    } else if (read_lines(path, copy, keys, count, err)) {
        *out = keys;
        return true;
    }
    free(keys);
    return false;
}

bool keys_read(const char *path, struct key_entry **out, int *count,
               struct err *err)
{
    struct buf text;
    bool ok;

    buf_init(&text, KEYS_FILE_MAX);
    ok = disk_read(path, &text, err) && read_text(path, &text, out, count, err);
    buf_release(&text);
    return ok;
}

const struct key_entry *keys_find(const struct key_entry *keys, int count,
                                  const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* Writing. */

static void add_entry(struct buf *out, const char *name,
                      const struct login_key *key, const char *owner)
{
    char hex[KEY_HEX + 1];

    login_key_write(key, hex);
    buf_add(out, "%s %s%s%s\n", name, hex, *owner ? " " : "", owner);
    sodium_memzero(hex, sizeof hex);
}

static bool is_line_of(const char *line, const char *name)
{
    size_t n = strlen(name);

    return strncmp(line, name, n) == 0 && line[n] == ' ';
}

/* The text as it was, but for the line of that name. */
static void rewrite(struct buf *out, const char *was, const char *name,
                    const struct login_key *key, const char *owner)
{
    bool done = false;

    while (*was) {
        size_t n = strcspn(was, "\n");

        if (is_line_of(was, name)) {
            add_entry(out, name, key, owner);
            done = true;
        } else {
            buf_put(out, was, n);
            buf_char(out, '\n');
        }
        was += n + (was[n] == '\n');
    }
    if (!done)
        add_entry(out, name, key, owner);
}

/* The server may run as another user than who makes the tokens. */
static void keep_user(int fd, const char *path)
{
    struct stat st;

    if (geteuid() == 0 && stat(path, &st) == 0 &&
        fchown(fd, st.st_uid, st.st_gid) == -1)
        fprintf(stderr, "referee: %s now belongs to root: %s\n", path,
                strerror(errno));
}

/* A new file in its place, which only its owner can read. */
static bool replace_file(const char *path, const struct buf *text,
                         struct err *err)
{
    char new[4096];
    int fd;

    snprintf(new, sizeof new, "%s.new", path);
    unlink(new); /* of one that was killed */
    fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd == -1)
        return fail(err, "%s cannot be written: %s", path, strerror(errno));
    keep_user(fd, path);
    if (!buf_ok(text)) {
        fail(err, "%s would have more than %d MiB", path, KEYS_FILE_MAX >> 20);
    } else if (!disk_put(fd, text->text, text->len) || fsync(fd) == -1 ||
               rename(new, path) == -1 || !disk_sync_folder_of(path)) {
        fail(err, "%s cannot be written: %s", path, strerror(errno));
    } else {
        close(fd);
        return true;
    }
    close(fd);
    unlink(new);
    return false;
}

static bool put(const char *path, const char *name, const struct login_key *key,
                const char *owner, bool replace, struct err *err)
{
    struct buf was, is;
    struct key_entry *keys = NULL;
    const struct key_entry *old = NULL;
    int count = 0;
    bool ok = true;

    buf_init(&was, KEYS_FILE_MAX);
    buf_init(&is, KEYS_FILE_MAX);
    if (disk_has(path))
        ok = disk_read(path, &was, err) &&
             read_text(path, &was, &keys, &count, err);
    if (ok)
        old = keys_find(keys, count, name);
    if (old && !replace)
        ok = fail(
            err,
            "%s already has a token; --replace makes a new one, and the old "
            "one stops working",
            name);
    if (ok && !old && count == KEYS_MAX)
        ok = fail(err, "%s is full: it has %d names", path, KEYS_MAX);
    if (ok) {
        rewrite(&is, was.text, name, key,
                owner ? owner
                : old ? old->owner
                      : "");
        ok = replace_file(path, &is, err);
    }
    free(keys);
    sodium_memzero(was.text, was.len);
    sodium_memzero(is.text, is.len);
    buf_release(&was);
    buf_release(&is);
    return ok;
}

/* Its folder is the lock: the file itself changes. */
static int lock_folder(const char *path, struct err *err)
{
    char copy[4096];
    int fd;

    snprintf(copy, sizeof copy, "%s", path);
    fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd != -1 && flock(fd, LOCK_EX) == 0)
        return fd;
    fail(err, "the folder of %s cannot be locked: %s", path, strerror(errno));
    if (fd != -1)
        close(fd);
    return -1;
}

bool keys_put(const char *path, const char *name, const struct login_key *key,
              const char *owner, bool replace, struct err *err)
{
    int lock;
    bool ok;

    if (strlen(path) > 4000)
        return fail(err, "the name of the key file is too long");
    lock = lock_folder(path, err);
    if (lock == -1)
        return false;
    ok = put(path, name, key, owner, replace, err);
    close(lock);
    return ok;
}

/* The text as it was, but for the lines of those names. */
static int leave_out(struct buf *out, const char *was, const char *const *names,
                     int count)
{
    int removed = 0;

    while (*was) {
        size_t n = strcspn(was, "\n");
        int i = 0;

        while (i < count && !is_line_of(was, names[i]))
            i++;
        if (i < count) {
            removed++;
        } else {
            buf_put(out, was, n);
            buf_char(out, '\n');
        }
        was += n + (was[n] == '\n');
    }
    return removed;
}

bool keys_remove(const char *path, const char *const *names, int count,
                 int *removed, struct err *err)
{
    int lock = lock_folder(path, err);
    struct buf was, is;
    bool ok;

    *removed = 0;
    if (lock == -1)
        return false;
    buf_init(&was, KEYS_FILE_MAX);
    buf_init(&is, KEYS_FILE_MAX);
    ok = disk_read(path, &was, err);
    if (ok && was.len > 0)
        *removed = leave_out(&is, was.text, names, count);
    if (*removed > 0)
        ok = replace_file(path, &is, err);
    close(lock);
    sodium_memzero(was.text, was.len);
    buf_release(&was);
    buf_release(&is);
    return ok;
}
