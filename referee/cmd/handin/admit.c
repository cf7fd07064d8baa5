#include "cmd/handin/parts.h"

#include "store/digest.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAID_MAX = 64 << 10, STAGES_MAX = 1 << 20 };

#define BEGUN ".new-" /* a temporary folder until it has a version */

static int is_begun(const struct dirent *entry)
{
    return strncmp(entry->d_name, BEGUN, strlen(BEGUN)) == 0;
}

static bool has_name(const struct disk_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

/* The text may contain any bytes. */
static const char *what_it_said(struct way *w)
{
    for (size_t i = 0; i < w->said.len; i++) {
        char *c = &w->said.text[i];

        if (*c != '\n' && *c != '\t' && (*c < ' ' || *c > '~'))
            *c = '?';
    }
    return w->said.len ? w->said.text : "";
}

static void tell_and_keep(struct way *w, const char *stage, const char *text)
{
    const char *said = what_it_said(w);
    json_t *line = json_pack("{s:s, s:s}", "stage", stage, "text", text);
    char *kept;

    if (*said)
        json_object_set_new(line, "output", json_string(said));
    kept = json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII);
    buf_add(&w->stages, "%s\n", kept);
    free(kept);
    json_decref(line);
    w->a->on_stage(w->a->arg, stage, text, said);
    buf_reset(&w->said);
}

void told(struct way *w, const char *stage, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    tell_and_keep(w, stage, text);
}

bool refuse(struct way *w, const char *stage, const char *text)
{
    w->verdict->stage = stage;
    snprintf(w->verdict->text, sizeof w->verdict->text, "%s", text);
    tell_and_keep(w, "refused", text);
    return false;
}

bool give_up(struct way *w, const struct err *why)
{
    w->ours = *why;
    return false;
}

static bool unpack_it(struct way *w)
{
    char hex[DIGEST_HEX + 1];
    struct err err = {.passes = false};

    if (!unpack(w->a->from, w->fresh, &w->a->limits, &w->sums, &err) ||
        !digest_of_folder(w->fresh, hex, &err))
        return err.passes ? give_up(w, &err) : refuse(w, "unpack", err.text);
    snprintf(w->verdict->version, sizeof w->verdict->version, "%.*s",
             VERSION_HEX, hex);
    told(w, "unpacked", "%d file%s, %lld KiB; version %s", w->sums.files,
         w->sums.files == 1 ? "" : "s", (w->sums.bytes + 1023) / 1024,
         w->verdict->version);
    return true;
}

static bool read_recipe(struct way *w)
{
    struct err err;

    if (!recipe_read(w->fresh, &w->pool, &w->recipe, &err))
        return refuse(w, "bot.ini", err.text);
    told(w, "recipe", "%s: %s%s\"%s\" starts it", w->recipe.why,
         w->recipe.build ? w->recipe.build : "",
         w->recipe.build ? " builds it, " : "", w->recipe.command);
    return true;
}

/* Delete old versions, but never the one that plays. */
static void forget_old(const struct admission *a)
{
    struct disk_names kept = {0};
    json_t *history;
    const char *playing;
    struct err err;

    if (!shelf_history(a->shelf, a->name, &history, &err))
        return;
    playing = history_playing(history, NULL);
    for (size_t i = json_array_size(history); i-- > 0;) {
        const char *version = json_string_value(
            json_object_get(json_array_get(history, i), "version"));
        char path[DISK_PATH_MAX];

        if (!version || strlen(version) != VERSION_HEX ||
            (playing && strcmp(version, playing) == 0) ||
            has_name(&kept, version))
            continue;
        shelf_path(a->shelf, a->name, version, path);
        if (!disk_is_folder(path))
            continue;
        disk_names_add(&kept, version);
        if (kept.count > (size_t)a->keep)
            remove_folder(path);
    }
    disk_names_free(&kept);
    json_decref(history);
}

static bool is_accepted(const struct way *w)
{
    json_t *history;
    struct err err;
    bool known;

    if (!shelf_history(w->a->shelf, w->a->name, &history, &err))
        return false;
    known = history_accepted_at(history, w->verdict->version) != NULL;
    json_decref(history);
    return known && disk_is_folder(w->folder);
}

/* Where it came from, for the history. */
static void add_origin(const struct admission *a, json_t *line)
{
    json_object_set_new(line, "by",
                        json_string(a->sent ? "submit" : "organiser"));
    if (a->sent)
        json_object_set_new(line, "archive", json_string(a->sent));
}

static bool write_verdict(struct way *w, struct err *err)
{
    const struct verdict_of_handin *v = w->verdict;
    json_t *line = v->accepted ? json_pack("{s:i, s:I}", "files", w->sums.files,
                                           "bytes", (json_int_t)w->sums.bytes)
                               : json_pack("{s:s, s:s}", "stage", v->stage,
                                           "text", v->text);

    add_origin(w->a, line);
    return shelf_add(w->a->shelf, w->a->name,
                     v->accepted ? HANDIN_ACCEPTED : HANDIN_REFUSED,
                     v->version[0] ? v->version : NULL, line, err);
}

static bool to_shelf(struct way *w, struct err *err)
{
    remove_folder(w->folder); /* leftovers of a crash */
    if (rename(w->fresh, w->folder) != 0)
        return fail_for_now(err, "%s cannot be renamed", w->fresh);
    return true;
}

/* Run every stage up to the verdict. */
static bool is_fit(struct way *w)
{
    if (!unpack_it(w))
        return false;
    shelf_path(w->a->shelf, w->a->name, w->verdict->version, w->folder);
    w->verdict->is_known = is_accepted(w);
    return w->verdict->is_known || (read_recipe(w) && stage_ladders(w) &&
                                    (!w->recipe.build || stage_build(w)) &&
                                    stage_check(w) && stage_play(w));
}

/* Keep it for later questions, with the programs' output. */
static bool keep_stages(const struct way *w, struct err *err)
{
    char path[DISK_PATH_MAX];

    shelf_path(w->a->shelf, w->a->name, SHELF_VERDICT, path);
    return disk_write(path, w->stages.text, w->stages.len, err);
}

static bool go_through(struct way *w, struct err *err)
{
    w->verdict->accepted = is_fit(w);
    if (w->ours.text[0]) {
        *err = w->ours;
        return false;
    }
    if (w->verdict->accepted && !w->verdict->is_known && !to_shelf(w, err))
        return false;
    if (!write_verdict(w, err))
        return false;
    if (w->verdict->accepted)
        told(w, "accepted", "version %s plays from now on%s",
             w->verdict->version,
             w->verdict->is_known ? "; it was accepted before" : "");
    return keep_stages(w, err);
}

/* A hand-in over the network has an owner; a local one has the organiser. */
static bool take_away(const struct admission *a, struct err *err)
{
    const char *name = strrchr(a->from, '/');
    char folder[DISK_PATH_MAX], path[DISK_PATH_MAX];

    if (a->sent)
        return unlink(a->from) == 0 ||
               fail(err, "%s cannot be removed: %s", a->from, strerror(errno));
    shelf_path(a->shelf, a->name, SHELF_TAKEN, folder);
    shelf_path(a->shelf, a->name, SHELF_TAKEN, path);
    snprintf(path + strlen(path), sizeof path - strlen(path), "/%s",
             name ? name + 1 : a->from);
    if (!disk_folder(folder, err))
        return false;
    remove_folder(path); /* the verdict of an earlier hand-in */
    return rename(a->from, path) == 0 ||
           fail(err, "%s cannot be moved to %s: %s", a->from, folder,
                strerror(errno));
}

/* Remove leftovers of a crash; nobody else is at work, as we hold the lock. */
static void tidy_up(const struct admission *a, const char *own)
{
    struct dirent **found;
    char path[DISK_PATH_MAX];
    int count = scandir(own, &found, is_begun, NULL);

    for (int i = 0; i < count; i++) {
        shelf_path(a->shelf, a->name, found[i]->d_name, path);
        remove_folder(path);
        free(found[i]);
    }
    if (count >= 0)
        free(found);
}

static bool admit_alone(struct way *w, const char *own, struct err *err)
{
    const struct admission *a = w->a;
    bool ok;

    tidy_up(a, own);
    shelf_path(a->shelf, a->name, BEGUN "XXXXXX", w->fresh);
    if (!mkdtemp(w->fresh))
        return fail_for_now(err, "%s cannot be created: %s", w->fresh,
                            strerror(errno));
    ok = go_through(w, err);
    remove_folder(w->fresh);
    if (ok && w->verdict->accepted)
        forget_old(a);
    return ok && (!a->takes_away || take_away(a, err));
}

bool admit(const struct admission *admission, struct verdict_of_handin *verdict,
           struct err *err)
{
    struct way w = {.a = admission, .verdict = verdict};
    char own[DISK_PATH_MAX], path[DISK_PATH_MAX];
    bool ok;
    int lock;

    *verdict = (struct verdict_of_handin){0};
    snprintf(own, sizeof own, "%s/%s", admission->shelf, admission->name);
    shelf_path(admission->shelf, admission->name, ".lock", path);
    if (!disk_folder(admission->shelf, err) || !disk_folder(own, err))
        return false;
    lock = disk_lock(path, own, err);
    if (lock == -1)
        return false;
    buf_init(&w.said, SAID_MAX);
    buf_init(&w.stages, STAGES_MAX);
    ok = admit_alone(&w, own, err);
    buf_release(&w.said);
    buf_release(&w.stages);
    pool_release(&w.pool);
    close(lock);
    return ok;
}
