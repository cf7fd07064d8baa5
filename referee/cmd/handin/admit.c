#include "cmd/handin/admit.h"

#include "base/pool.h"
#include "cmd/handin/recipe.h"
#include "cmd/handin/step.h"
#include "store/digest.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SAID_MAX = 64 << 10 };

static const int64_t memory_max = INT64_C(8) << 30, file_max = 512 << 20;

/* A hand-in on its way. */
struct way {
    const struct admission *a;
    struct verdict_of_handin *verdict;
    struct pool pool;
    struct recipe recipe;
    struct unpacked sums;
    struct buf said;           /* by the program of this stage */
    char fresh[DISK_PATH_MAX]; /* where it is until it has a version */
    char folder[DISK_PATH_MAX];
};

static void told(struct way *w, const char *stage, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

static void told(struct way *w, const char *stage, const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    w->a->on_stage(w->a->arg, stage, text, w->said.len ? w->said.text : "");
    buf_reset(&w->said);
}

/* The owner's fault; always false, so that the next stage does not follow. */
static bool refuse(struct way *w, const char *stage, const char *text)
{
    w->verdict->stage = stage;
    snprintf(w->verdict->text, sizeof w->verdict->text, "%s", text);
    w->a->on_stage(w->a->arg, "refused", text, w->said.len ? w->said.text : "");
    buf_reset(&w->said);
    return false;
}

static bool unpack_it(struct way *w)
{
    char hex[DIGEST_HEX + 1];
    struct err err;

    if (!unpack(w->a->from, w->fresh, &w->a->limits, &w->sums, &err) ||
        !digest_of_folder(w->fresh, hex, &err))
        return refuse(w, "unpack", err.text);
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

static bool run_stage(struct way *w, const char *stage, char *const *argv,
                      int64_t time_us)
{
    const struct step_limits limits = {
        .time_us = time_us,
        .memory_bytes = memory_max,
        .file_bytes = file_max,
        .processes = 4096,
    };
    enum step_end end;
    char text[ERR_TEXT_MAX];
    struct err err;

    if (!step_run(argv, w->fresh, &limits, &w->said, &end, &err))
        return refuse(w, stage, err.text);
    if (end == STEP_DONE)
        return true;
    if (end == STEP_TIMED_OUT)
        snprintf(text, sizeof text, "the %s took more than %lld s", stage,
                 (long long)(time_us / 1000000));
    else
        snprintf(text, sizeof text, "the %s failed", stage);
    return refuse(w, stage, text);
}

/*
 * A build writes into its own folder, which a bot's walls do not allow, so
 * bubblewrap is asked directly: the system read-only, that folder, no network,
 * and nothing else.
 */
static const char *const build_walls[] = {
    "bwrap",
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/usr",
    "/usr",
    "--ro-bind-try",
    "/bin",
    "/bin",
    "--ro-bind-try",
    "/lib",
    "/lib",
    "--ro-bind-try",
    "/lib64",
    "/lib64",
    "--ro-bind-try",
    "/opt",
    "/opt",
    "--ro-bind-try",
    "/etc/alternatives",
    "/etc/alternatives",
    "--ro-bind-try",
    "/etc/ld.so.cache",
    "/etc/ld.so.cache",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
};

enum { BUILD_WALLS = sizeof build_walls / sizeof *build_walls };

static bool bwrap_works(struct way *w)
{
    char bwrap[] = "bwrap", all[] = "--unshare-all", bind[] = "--ro-bind",
         root[] = "/", yes[] = "true";
    char *argv[] = {bwrap, all, bind, root, root, yes, NULL};
    const struct step_limits limits = {.time_us = 10000000,
                                       .memory_bytes = memory_max,
                                       .file_bytes = file_max,
                                       .processes = 4096};
    enum step_end end;
    struct err err;
    bool works =
        step_run(argv, "/", &limits, &w->said, &end, &err) && end == STEP_DONE;

    buf_reset(&w->said);
    return works;
}

static bool build_it(struct way *w)
{
    char full[PATH_MAX];
    const char *const rest[] = {"--bind", full,      full, "--chdir",
                                full,     "/bin/sh", "-c", w->recipe.build};
    char *argv[BUILD_WALLS + sizeof rest / sizeof *rest + 1] = {NULL};
    bool walled = bwrap_works(w);
    int n = 0;

    if (!realpath(w->fresh, full))
        return refuse(w, "build", "its folder is gone");
    for (int i = 0; walled && i < BUILD_WALLS; i++)
        argv[n++] = pool_text(&w->pool, build_walls[i]);
    for (size_t i = walled ? 0 : 5; i < sizeof rest / sizeof *rest; i++)
        argv[n++] = pool_text(&w->pool, rest[i]);
    if (!run_stage(w, "build", argv, w->a->build_us))
        return false;
    told(w, "built", "%s%s", w->recipe.build,
         walled ? "" : " (without walls: bubblewrap does not work here)");
    return true;
}

/* What the owner can run as well: referee check. */
static bool check_game(struct way *w, const char *game)
{
    char self[] = "/proc/self/exe", check[] = "check", flag[] = "--game",
         flag_time[] = "--time", walls[] = "--walls", strongest[] = "auto";
    char *argv[10] = {self,      check, walls,
                      strongest, flag,  pool_text(&w->pool, game)};
    int n = 6;

    if (w->a->time) {
        argv[n++] = flag_time;
        argv[n++] = pool_text(&w->pool, w->a->time);
    }
    argv[n] = pool_text(&w->pool, w->recipe.command);
    if (!run_stage(w, "check", argv, w->a->check_us))
        return false;
    told(w, "checked", "%s", game);
    return true;
}

static bool check_all(struct way *w)
{
    for (const char *const *game = w->a->games; *game; game++)
        if (!check_game(w, *game))
            return false;
    return true;
}

/* Old versions go, but never the one that plays. */
static void forget_old(const struct admission *a)
{
    json_t *history, *line;
    const char *playing;
    struct err err;
    int kept = 0;
    size_t i;

    if (!shelf_history(a->shelf, a->name, &history, &err))
        return;
    playing = history_playing(history, NULL);
    for (i = json_array_size(history); i-- > 0;) {
        char path[DISK_PATH_MAX];
        const char *version;

        line = json_array_get(history, i);
        version = json_string_value(json_object_get(line, "version"));
        if (!version || strlen(version) != VERSION_HEX)
            continue;
        shelf_path(a->shelf, a->name, version, path);
        if (!disk_is_folder(path) || (playing && !strcmp(version, playing)))
            continue;
        if (++kept > a->keep)
            remove_folder(path);
    }
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

static bool write_verdict(struct way *w, struct err *err)
{
    const struct verdict_of_handin *v = w->verdict;

    if (v->accepted)
        return shelf_add(w->a->shelf, w->a->name, HANDIN_ACCEPTED, v->version,
                         json_pack("{s:i, s:I}", "files", w->sums.files,
                                   "bytes", (json_int_t)w->sums.bytes),
                         err);
    return shelf_add(
        w->a->shelf, w->a->name, HANDIN_REFUSED,
        v->version[0] ? v->version : NULL,
        json_pack("{s:s, s:s}", "stage", v->stage, "text", v->text), err);
}

static bool to_shelf(struct way *w, struct err *err)
{
    remove_folder(w->folder); /* a beginning that a crash left */
    if (rename(w->fresh, w->folder) != 0)
        return fail(err, "%s cannot be renamed", w->fresh);
    return true;
}

static bool go_through(struct way *w, struct err *err)
{
    if (!unpack_it(w))
        return write_verdict(w, err);
    shelf_path(w->a->shelf, w->a->name, w->verdict->version, w->folder);
    w->verdict->is_known = is_accepted(w);
    w->verdict->accepted =
        w->verdict->is_known ||
        (read_recipe(w) && (!w->recipe.build || build_it(w)) && check_all(w));
    if (w->verdict->accepted && !w->verdict->is_known && !to_shelf(w, err))
        return false;
    if (!write_verdict(w, err))
        return false;
    if (w->verdict->accepted)
        told(w, "accepted", "version %s plays from now on%s",
             w->verdict->version,
             w->verdict->is_known ? "; it was accepted before" : "");
    return true;
}

bool admit(const struct admission *admission, struct verdict_of_handin *verdict,
           struct err *err)
{
    struct way w = {.a = admission, .verdict = verdict};
    char own[DISK_PATH_MAX];
    bool ok;

    *verdict = (struct verdict_of_handin){0};
    snprintf(own, sizeof own, "%s/%s", admission->shelf, admission->name);
    snprintf(w.fresh, sizeof w.fresh, "%s/%s/.new-XXXXXX", admission->shelf,
             admission->name);
    if (!disk_folder(admission->shelf, err) || !disk_folder(own, err))
        return false;
    if (!mkdtemp(w.fresh))
        return fail_for_now(err, "%s cannot be made", w.fresh);
    buf_init(&w.said, SAID_MAX);
    ok = go_through(&w, err);
    remove_folder(w.fresh);
    if (ok && verdict->accepted)
        forget_old(admission);
    buf_release(&w.said);
    pool_release(&w.pool);
    return ok;
}
