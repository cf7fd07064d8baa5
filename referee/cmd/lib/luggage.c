#include "cmd/lib/luggage.h"

#include "base/sha256.h"
#include "base/text.h"
#include "store/digest.h"
#include "store/disk.h"

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bot's folders, as real paths. */
struct trunk {
    const struct bot_entry *entry;
    char top[PATH_MAX];       /* everything packed is below it */
    char directory[PATH_MAX]; /* where the bot runs, relative to the top */
    char folder[PATH_MAX];    /* the same for its folder, if any */
    struct disk_names names;  /* files, relative to the top */
};

/* The path from a folder to one inside it, "" for itself; or NULL. */
static const char *way(const char *from, const char *to)
{
    size_t len = strlen(from);

    if (strncmp(from, to, len) != 0)
        return NULL;
    return to[len] == '/' ? to + len + 1 : to[len] ? NULL : to + len;
}

static bool find_real(const char *path, char real[PATH_MAX], struct err *err)
{
    return realpath(path, real) || fail(err, "there is no %.200s", path);
}

/* If one of the two folders contains the other, it is the top. */
static bool find_top(struct trunk *t, struct err *err)
{
    const struct bot_entry *e = t->entry;
    char runs[PATH_MAX], folder[PATH_MAX];

    if (!find_real(e->directory ? e->directory : ".", runs, err) ||
        !find_real(e->folder ? e->folder : runs, folder, err))
        return false;
    if (way(runs, folder)) {
        strcpy(t->top, runs);
        strcpy(t->folder, way(runs, folder));
        return true;
    }
    if (!way(folder, runs))
        return fail(err,
                    "its folder %.120s does not contain %.120s, where it is "
                    "started, so it cannot play on other machines",
                    folder, runs);
    strcpy(t->top, folder);
    strcpy(t->directory, way(folder, runs));
    return true;
}

static void add_name(struct trunk *t, const char *folder, const char *name)
{
    char path[2 * PATH_MAX];

    text_join(path, sizeof path, folder, *folder ? "/" : "", name, NULL);
    disk_names_add(&t->names, path);
}

static bool add_folder(struct trunk *t, const char *folder, struct err *err)
{
    char path[2 * PATH_MAX];
    struct disk_names names = {0};
    bool ok;

    text_join(path, sizeof path, t->top, "/", folder, NULL);
    ok = digest_names(path, &names, err);
    for (size_t i = 0; ok && i < names.count; i++)
        add_name(t, folder, names.name[i]);
    disk_names_free(&names);
    return ok;
}

/* Make "./bot" into "bot". */
static const char *skip_dots(const char *word)
{
    while (word[0] == '.' && word[1] == '/')
        word += 2 + strspn(word + 2, "/");
    return word;
}

/* A word of the command that names a file of the bot. */
static bool add_word(struct trunk *t, const char *word, struct err *err)
{
    char path[2 * PATH_MAX], real[PATH_MAX];
    struct stat st;

    word = skip_dots(word);
    if (word[0] == '/')
        text_join(path, sizeof path, word, NULL);
    else
        text_join(path, sizeof path, t->top, "/", t->directory, "/", word,
                  NULL);
    if (!*word || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return true;
    if (word[0] == '/')
        return !realpath(word, real) || !way(t->top, real) ||
               fail(err,
                    "its command names %.200s: use a path relative to the "
                    "bot's folder, because this path differs on other "
                    "machines",
                    word);
    if (strncmp(word, "../", 3) == 0 || strstr(word, "/../"))
        return fail(err,
                    "%.200s is outside of the folder in which it is started, "
                    "so it cannot play on other machines",
                    word);
    add_name(t, t->directory, word);
    return true;
}

static bool add_words(struct trunk *t, const char *words, struct err *err)
{
    /* Split where a shell would; ignore words that are not files. */
    static const char ends[] = " \t;&|<>(){}`'\"";
    char word[PATH_MAX];

    for (const char *at = words ? words : ""; *at; at += strspn(at, ends)) {
        size_t len = strcspn(at, ends);

        snprintf(word, sizeof word, "%.*s", (int)len, at);
        if (!add_word(t, word, err))
            return false;
        at += len;
    }
    return true;
}

/* Pack its folder, or the folder of the submitted version. */
static bool find_files(struct trunk *t, struct err *err)
{
    const struct bot_entry *e = t->entry;

    if (!find_top(t, err))
        return false;
    if (e->folder && !add_folder(t, t->folder, err))
        return false;
    if (!e->folder && e->directory && e->version && !add_folder(t, "", err))
        return false;
    return add_words(t, e->command, err) && add_words(t, e->files, err);
}

/* The same files always give the same bytes. */

static la_ssize_t put_bytes(struct archive *archive, void *arg,
                            const void *bytes, size_t len)
{
    buf_put(arg, bytes, len);
    return (la_ssize_t)len;
}

static bool pack_file(struct archive *archive, const struct trunk *t,
                      const char *name, struct err *err)
{
    struct archive_entry *entry = archive_entry_new();
    char from[2 * PATH_MAX], to[2 * PATH_MAX];
    struct stat st;
    struct buf bytes;
    bool ok;

    text_join(from, sizeof from, t->top, "/", name, NULL);
    text_join(to, sizeof to, "bot/", name, NULL);
    buf_init(&bytes, PACK_BYTES_MAX);
    if (lstat(from, &st) != 0 || S_ISLNK(st.st_mode)) {
        ok = fail(err,
                  "%.200s is a link, which cannot be copied to other "
                  "machines",
                  from);
    } else {
        ok = disk_read(from, &bytes, err);
        archive_entry_set_pathname(entry, to);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, st.st_mode & 0100 ? 0755 : 0644);
        archive_entry_set_size(entry, (la_int64_t)bytes.len);
        ok = ok && archive_write_header(archive, entry) == ARCHIVE_OK &&
             archive_write_data(archive, bytes.text, bytes.len) ==
                 (la_ssize_t)bytes.len;
        if (!ok)
            fail(err, "%.200s cannot be packed", from);
    }
    buf_release(&bytes);
    archive_entry_free(entry);
    return ok;
}

static bool pack_all(const struct trunk *t, struct buf *out, struct err *err)
{
    struct archive *archive = archive_write_new();
    bool ok = true;

    archive_write_set_format_ustar(archive);
    archive_write_set_bytes_per_block(archive, 0);
    archive_write_open(archive, out, NULL, put_bytes, NULL);
    for (size_t i = 0; ok && i < t->names.count; i++)
        if (i == 0 || strcmp(t->names.name[i - 1], t->names.name[i]) != 0)
            ok = pack_file(archive, t, t->names.name[i], err);
    archive_write_close(archive);
    archive_write_free(archive);
    return ok &&
           (buf_ok(out) || fail(err,
                                "its files have more than %d MiB, too much "
                                "to copy to other machines",
                                PACK_BYTES_MAX >> 20));
}

static bool pack_bot(struct trunk *t, struct buf *out, struct err *err)
{
    bool ok = find_files(t, err);

    disk_names_sort(&t->names);
    ok = ok && (t->names.count == 0 || pack_all(t, out, err));
    disk_names_free(&t->names);
    return ok || fail_at(err, "bot %s", t->entry->name);
}

static bool make_pack(const struct luggage *luggage, struct buf *out,
                      struct err *err)
{
    struct trunk t = {.entry = luggage->from};

    return pack_bot(&t, out, err);
}

/* The command to start it on the other machine. */

static void set_text(json_t *json, const char *key, const char *text)
{
    if (text)
        json_object_set_new(json, key, json_string(text));
}

static void set_walls(json_t *json, const struct wall_settings *w)
{
    set_text(json, "walls", w->kind);
    if (w->memory_bytes)
        json_object_set_new(json, "memory", json_integer(w->memory_bytes));
    if (w->scratch_bytes)
        json_object_set_new(json, "scratch", json_integer(w->scratch_bytes));
    if (w->processes)
        json_object_set_new(json, "processes", json_integer(w->processes));
}

static json_t *environment_json(const struct bot_entry *e)
{
    json_t *list = json_array();

    for (int i = 0; i < e->environment_count; i++)
        json_array_append_new(list, json_string(e->environment[i]));
    return list;
}

static json_t *bot_json(const struct trunk *t, const struct player *player)
{
    const struct bot_entry *e = t->entry;
    json_t *json = json_pack("{s:s, s:b, s:b, s:b, s:I, s:o}", "command",
                             e->command, "foreign", e->is_foreign, "restart",
                             player->bot.restarts || e->restart, "freezes",
                             e->freezes, "quit_us", (json_int_t)e->quit_us,
                             "environment", environment_json(e));

    set_text(json, "directory", t->directory);
    set_text(json, "folder", e->folder ? t->folder : NULL);
    set_text(json, "files", e->files);
    set_text(json, "version", e->version);
    set_walls(json, &e->wall);
    return json;
}

bool player_pack(struct player *player, const struct bot_entry *entry,
                 struct pool *pool, struct err *err)
{
    struct luggage *luggage = pool_take(pool, sizeof *luggage);
    struct trunk t = {.entry = entry};
    uint8_t hash[SHA256_BYTES];
    char hex[HASH_HEX + 1] = "", *text;
    struct buf pack;
    json_t *json;
    bool ok;

    buf_init(&pack, PACK_BYTES_MAX);
    ok = pack_bot(&t, &pack, err);
    if (ok && pack.len > 0) {
        sha256_of(pack.text, pack.len, hash);
        text_hex(hex, hash, sizeof hash);
    }
    buf_release(&pack);
    if (!ok)
        return false;
    json = bot_json(&t, player);
    text = json_dumps(json, JSON_COMPACT);
    *luggage = (struct luggage){.about = pool_text(pool, text),
                                .pack = pool_text(pool, hex),
                                .make_pack = make_pack,
                                .from = entry};
    free(text);
    json_decref(json);
    player->luggage = luggage;
    return true;
}

/* On the other machine. */

static const char *text_in(const json_t *json, const char *key,
                           struct pool *pool)
{
    const char *text = json_string_value(json_object_get(json, key));

    return text ? pool_text(pool, text) : NULL;
}

/* "" is the root itself; a path that leaves the root is refused. */
static bool below(const char *root, const char *name, struct pool *pool,
                  const char **path, struct err *err)
{
    char text[2 * PATH_MAX];

    *path = NULL;
    if (!root || !name)
        return true;
    if (name[0] == '/' || strstr(name, ".."))
        return fail(err, "\"%.100s\" leads out of the bot's folder", name);
    text_join(text, sizeof text, root, *name ? "/" : "", name, NULL);
    *path = pool_text(pool, text);
    return true;
}

static bool read_environment(struct bot_entry *e, const json_t *bot,
                             struct pool *pool, struct err *err)
{
    const json_t *list = json_object_get(bot, "environment");
    int room = sizeof e->environment / sizeof *e->environment - 1;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));

        if (!text || e->environment_count == room)
            return fail(err, "its environment cannot be read");
        e->environment[e->environment_count++] = pool_text(pool, text);
    }
    return true;
}

static void read_wall_settings(struct bot_entry *e, const json_t *bot,
                               const char *walls, struct pool *pool)
{
    const char *given = text_in(bot, "walls", pool);

    e->wall = (struct wall_settings){
        .kind = given && strcmp(given, "none") != 0 ? given : walls,
        .memory_bytes = json_integer_value(json_object_get(bot, "memory")),
        .scratch_bytes = json_integer_value(json_object_get(bot, "scratch")),
        .processes =
            (int)json_integer_value(json_object_get(bot, "processes"))};
}

static bool read_entry(struct bot_entry *e, const json_t *bot, const char *root,
                       const char *walls, struct pool *pool, struct err *err)
{
    *e = (struct bot_entry){
        .name = text_in(bot, "name", pool),
        .command = text_in(bot, "command", pool),
        .files = text_in(bot, "files", pool),
        .version = text_in(bot, "version", pool),
        .is_foreign = json_is_true(json_object_get(bot, "foreign")),
        .restart = json_is_true(json_object_get(bot, "restart")),
        .freezes = json_is_true(json_object_get(bot, "freezes")),
        .quit_us = json_integer_value(json_object_get(bot, "quit_us"))};
    read_wall_settings(e, bot, walls, pool);
    if (!e->name || !e->command)
        return fail(err, "a bot has no name or no command");
    return below(root, text_in(bot, "directory", pool), pool, &e->directory,
                 err) &&
           below(root, text_in(bot, "folder", pool), pool, &e->folder, err) &&
           read_environment(e, bot, pool, err);
}

bool player_unpack(struct player *player, const json_t *bot, const char *root,
                   const char *walls, struct pool *pool, struct err *err)
{
    struct bot_entry *entry = pool_take(pool, sizeof *entry);
    const char *digest = text_in(bot, "digest", pool);
    const char *text = text_in(bot, "time", pool);
    struct time_control time;

    if (!digest || !text || !time_control_parse(text, &time, err))
        return fail(err, "a bot has no digest or no time control");
    if (!read_entry(entry, bot, root, walls, pool, err) ||
        !player_make(entry, &time, pool, player, err))
        return false;
    return strcmp(player->digest, digest) == 0 ||
           fail(err,
                "bot %s has the digest %.16s.. on this machine, not "
                "%.16s..: a program or file that its command names differs "
                "here",
                entry->name, player->digest, digest);
}
