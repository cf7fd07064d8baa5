#include "cmd/handin/parts.h"
#include "cmd/handin/smoke.h"
#include "run/loop.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KNOWN_MAX = 200,
    SLOW_US = 5000000,
    ROOM_US = 500000,
    CHECK_S = 10 /* for the start and for each answer */
};

static const int64_t memory_max = INT64_C(8) << 30, file_max = 512 << 20;

/* A build's limits, besides its time. */
enum { BUILD_FILES = 20000, BUILD_PROCESSES = 512, BUILD_OUTPUT = 16 << 20 };
static const int64_t build_memory = INT64_C(4) << 30, build_folder = INT64_C(1)
                                                                     << 30;

static bool is_ladder(const struct way *w, const char *name)
{
    for (int i = 0; i < w->a->ladders; i++)
        if (strcmp(w->a->ladder[i].name, name) == 0)
            return true;
    return false;
}

static bool refuse_ladder(struct way *w, const char *name)
{
    char text[ERR_TEXT_MAX];
    struct buf known;

    buf_init(&known, KNOWN_MAX);
    for (int i = 0; i < w->a->ladders; i++)
        buf_add(&known, "%s%s", i ? ", " : "", w->a->ladder[i].name);
    snprintf(text, sizeof text,
             "bot.ini: ladders: no ladder \"%.40s\" accepts hand-ins; %s %s",
             name, w->a->ladders == 1 ? "there is" : "there are", known.text);
    buf_release(&known);
    return refuse(w, "bot.ini", text);
}

bool stage_ladders(struct way *w)
{
    const char *at = w->recipe.ladders ? w->recipe.ladders : "", *name;

    if (w->a->ladders == 0)
        return true;
    while ((name = next_name(&at, &w->pool)) != NULL)
        if (!is_ladder(w, name))
            return refuse_ladder(w, name);
    for (int i = 0; i < w->a->ladders; i++)
        if (recipe_wants(&w->recipe, w->a->ladder[i].name))
            w->wanted[w->wanteds++] = &w->a->ladder[i];
    return w->wanteds > 0 ||
           refuse(w, "bot.ini",
                  "bot.ini: ladders: the line names no ladder; without it a "
                  "bot plays on all ladders that accept hand-ins");
}

static void say_how(enum step_end end, const char *stage,
                    const struct step_limits *l, char text[ERR_TEXT_MAX])
{
    static const size_t size = ERR_TEXT_MAX;

    switch (end) {
    case STEP_TIMED_OUT:
        snprintf(text, size, "the %s took more than %lld s", stage,
                 (long long)(l->time_us / 1000000));
        break;
    case STEP_MEMORY:
        snprintf(text, size, "the %s used more than %lld MiB of memory", stage,
                 (long long)(l->memory_bytes >> 20));
        break;
    case STEP_PROCESSES:
        snprintf(text, size, "the %s had more than %d processes and threads",
                 stage, l->processes);
        break;
    case STEP_FOLDER:
        snprintf(text, size, "the %s wrote more than %lld MiB or %d files",
                 stage, (long long)(l->folder_bytes >> 20), l->folder_files);
        break;
    case STEP_OUTPUT:
        snprintf(text, size, "the %s printed more than %lld MiB", stage,
                 (long long)(l->output_bytes >> 20));
        break;
    case STEP_KILLED:
        snprintf(text, size, "the %s was killed", stage);
        break;
    default:
        snprintf(text, size, "the %s failed", stage);
    }
}

/* If one of our own programs is killed, the machine is to blame. */
static bool judge(struct way *w, const char *stage, enum step_end end,
                  const struct step_limits *limits)
{
    char text[ERR_TEXT_MAX];
    struct err err;

    say_how(end, stage, limits, text);
    if (end != STEP_KILLED || limits->is_foreign)
        return refuse(w, stage, text);
    fail(&err, "%s", text);
    return give_up(w, &err);
}

/*
 * A build writes to its own folder, which a bot's walls do not allow. So this
 * calls bubblewrap directly, with the system read-only, that folder writable,
 * no network, and nothing else.
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
    "--size",
    "16777216",
    "--tmpfs",
    "/dev/shm",
    "--remount-ro",
    "/dev",
    "--size",
    "536870912",
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

/* Did the machine have no room for another process? */
static bool lacks_room(const struct way *w)
{
    const char *said = w->said.len ? w->said.text : "";

    return strstr(said, strerror(EAGAIN)) || strstr(said, strerror(ENOMEM));
}

/* There may be room a moment later. */
static void wait_for_room(struct way *w)
{
    usleep(ROOM_US);
    buf_reset(&w->said);
}

bool stage_build(struct way *w)
{
    char full[PATH_MAX];
    const char *const rest[] = {"--bind", full,           full, "--chdir",
                                full,     "--remount-ro", "/",  "/bin/sh",
                                "-c",     w->recipe.build};
    char *argv[BUILD_WALLS + sizeof rest / sizeof *rest + 1] = {NULL};
    const struct step_limits limits = {
        .time_us = w->a->build_us,
        .memory_bytes = build_memory,
        .file_bytes = file_max,
        .processes = BUILD_PROCESSES,
        .folder_bytes = build_folder,
        .folder_files = BUILD_FILES,
        .output_bytes = BUILD_OUTPUT,
        .is_foreign = true,
    };
    bool walled = bwrap_works(w);
    enum step_end end;
    struct err err;
    int n = 0;

    if (!walled && !w->a->builds_freely) {
        fail(&err, "nothing can be built here, because bubblewrap does not "
                   "work; --build-freely builds without walls");
        return give_up(w, &err);
    }
    if (!realpath(w->fresh, full)) {
        fail_for_now(&err, "%s is gone", w->fresh);
        return give_up(w, &err);
    }
    for (int i = 0; walled && i < BUILD_WALLS; i++)
        argv[n++] = pool_text(&w->pool, build_walls[i]);
    for (size_t i = walled ? 0 : 7; i < sizeof rest / sizeof *rest; i++)
        argv[n++] = pool_text(&w->pool, rest[i]);
    if (!step_run(argv, w->fresh, &limits, &w->said, &end, &err))
        return give_up(w, &err);
    if (end == STEP_FAILED && lacks_room(w)) {
        wait_for_room(w);
        if (!step_run(argv, w->fresh, &limits, &w->said, &end, &err))
            return give_up(w, &err);
    }
    if (end != STEP_DONE)
        return judge(w, "build", end, &limits);
    told(w, "built", "%s%s", w->recipe.build,
         walled ? "" : " (without walls: bubblewrap does not work here)");
    return true;
}

/* The first "  FAULT   SUBJECT   PROBLEM" of its report. */
static bool take_fault(const char *said, char *text, size_t size)
{
    const char *at = strstr(said, "\n  FAULT ");
    size_t len = 0;

    if (!at)
        return false;
    at += strlen("\n  FAULT ");
    at += strspn(at, " ");
    for (; *at && *at != '\n' && len + 1 < size; at++)
        if (*at != ' ' || at[1] != ' ')
            text[len++] = *at;
    text[len] = '\0';
    return true;
}

/* A bot that plays only some of the games must say so. */
static const char *first_other(const struct way *w, const char *game)
{
    if (!w->recipe.ladders)
        for (int i = 0; i < w->wanteds; i++)
            if (strcmp(w->wanted[i]->game->name, game) != 0)
                return w->wanted[i]->name;
    return NULL;
}

static bool refuse_check(struct way *w, const char *game)
{
    const char *said = w->said.len ? w->said.text : "", *other;
    char fault[160], text[ERR_TEXT_MAX];
    size_t len;

    if (!take_fault(said, fault, sizeof fault))
        snprintf(fault, sizeof fault, "it failed");
    snprintf(text, sizeof text, "the check of %s: %s", game, fault);
    len = strlen(text);
    other = first_other(w, game);
    if (other && strstr(fault, "new_game"))
        snprintf(text + len, sizeof text - len,
                 "; if it does not play %s, write \"ladders = %s\" in "
                 "bot.ini",
                 game, other);
    return refuse(w, "check", text);
}

/*
 * On a busy machine an honest bot may be late. A check that fails after this
 * time, or while the machine is overloaded, is run once more.
 */
static bool may_be_late(int64_t begun_us)
{
    return now_us() - begun_us > SLOW_US || step_patience() > 1;
}

/* The check gave no reason. */
static bool is_unexplained(const struct way *w)
{
    char fault[160];

    return !take_fault(w->said.len ? w->said.text : "", fault, sizeof fault);
}

static char *seconds(struct way *w, int count)
{
    char text[24];

    snprintf(text, sizeof text, "%ds", count);
    return pool_text(&w->pool, text);
}

/* The limits of "referee check" as they are, or longer on a busy machine. */
static int add_limits(struct way *w, char **argv, int patience)
{
    char start[] = "--start-limit", time[] = "--time";
    int n = 0;

    argv[n++] = pool_text(&w->pool, start);
    argv[n++] = seconds(w, CHECK_S * patience);
    argv[n++] = pool_text(&w->pool, time);
    argv[n++] = w->a->time ? pool_text(&w->pool, w->a->time)
                           : seconds(w, CHECK_S * patience);
    return n;
}

/* The check that owners can run too: referee check. */
static bool run_check(struct way *w, const char *game, int patience,
                      const struct step_limits *limits, enum step_end *end)
{
    char self[] = "/proc/self/exe", check[] = "check", flag[] = "--game",
         walls[] = "--walls", strongest[] = "auto";
    char *argv[12] = {self,      check, walls,
                      strongest, flag,  pool_text(&w->pool, game)};
    int n = 6;
    struct err err;

    n += add_limits(w, argv + n, patience);
    argv[n] = pool_text(&w->pool, w->recipe.command);
    return step_run(argv, w->fresh, limits, &w->said, end, &err) ||
           give_up(w, &err);
}

/* Nobody can say how good it is. */
static bool give_up_check(struct way *w, const char *game)
{
    struct err err;

    fail_for_now(&err, "the check of %s could not be run: %.200s", game,
                 w->said.text);
    return give_up(w, &err);
}

static bool check_game(struct way *w, const char *game)
{
    const struct step_limits limits = {.time_us = w->a->check_us,
                                       .memory_bytes = memory_max,
                                       .file_bytes = file_max,
                                       .processes = 4096};
    int64_t begun_us = now_us();
    enum step_end end;

    if (!run_check(w, game, 1, &limits, &end))
        return false;
    if (end == STEP_FAILED &&
        (may_be_late(begun_us) || is_unexplained(w) || lacks_room(w))) {
        wait_for_room(w);
        if (!run_check(w, game, step_patience(), &limits, &end))
            return false;
    }
    if (end == STEP_FAILED && is_unexplained(w) && lacks_room(w))
        return give_up_check(w, game);
    if (end == STEP_FAILED)
        return refuse_check(w, game);
    if (end != STEP_DONE)
        return judge(w, "check", end, &limits);
    buf_reset(&w->said);
    told(w, "checked", "%s", game);
    return true;
}

/* Check a game once, even if several ladders play it. */
static bool is_checked(const struct way *w, int ladder)
{
    for (int i = 0; i < ladder; i++)
        if (w->wanted[i]->game == w->wanted[ladder]->game)
            return true;
    return false;
}

bool stage_check(struct way *w)
{
    for (const char *const *game = w->a->games; game && *game; game++)
        if (!check_game(w, *game))
            return false;
    for (int i = 0; i < w->wanteds; i++)
        if (!is_checked(w, i) && !check_game(w, w->wanted[i]->game->name))
            return false;
    return true;
}

static enum smoke play_once(struct way *w, const struct ladder_config *ladder,
                            int patience, struct err *sentence)
{
    const struct smoke_bot bot = {w->a->name, w->recipe.command, w->fresh};

    return smoke_game(ladder, &bot, patience, w->a->check_us, &w->pool,
                      sentence);
}

/* The bot ended, or did not start; or no game was played at all. */
static bool may_be_nobodys(const struct err *sentence)
{
    return strstr(sentence->text, ": exit)") ||
           strstr(sentence->text, ": start)") ||
           strstr(sentence->text, "no game could be played");
}

static bool play_on(struct way *w, const struct ladder_config *ladder)
{
    int64_t begun_us = now_us();
    struct err sentence;
    enum smoke came = play_once(w, ladder, 1, &sentence);

    if ((came == SMOKE_FAULT || came == SMOKE_OURS) &&
        (may_be_late(begun_us) || may_be_nobodys(&sentence))) {
        wait_for_room(w);
        came = play_once(w, ladder, step_patience(), &sentence);
    }
    switch (came) {
    case SMOKE_FAULT:
        return refuse(w, "game", sentence.text);
    case SMOKE_OURS:
        return give_up(w, &sentence);
    default:
        told(w, "played", "%s", sentence.text);
        return true;
    }
}

bool stage_play(struct way *w)
{
    for (int i = 0; i < w->wanteds; i++)
        if (!play_on(w, w->wanted[i]))
            return false;
    return true;
}
