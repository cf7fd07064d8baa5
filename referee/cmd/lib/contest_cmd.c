#include "cmd/lib/contest_cmd.h"

#include "cmd/lib/bot_cores.h"
#include "cmd/lib/bot_walls.h"
#include "cmd/lib/database.h"

#include "base/alloc.h"
#include "base/readable.h"
#include "base/text.h"
#include "cmd/lib/files.h"
#include "many/handout.h"
#include "many/schema.h"
#include "store/disk.h"
#include "store/pack.h"
#include "store/session.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { PATH_BYTES = 512, FOLDER_BYTES = 400, FAULTS_TOLD = 20 };

/* The folder. A resumed contest must be the one that was started. */

void describe_game(const struct contest_config *c, struct buf *out)
{
    buf_add(out, "game %s\n", c->game->name);
    for (int i = 0; c->game->options && c->game->options[i].name; i++)
        if (c->setup.option[i])
            buf_add(out, "set %s=%s\n", c->game->options[i].name,
                    c->setup.option[i]);
    if (c->retries > 0)
        buf_add(out, "illegal retry:%d\n", c->retries);
    else
        buf_str(out, "illegal forfeit\n");
    buf_add(out, "lenience %lld us\nmove-cap %lld us\n",
            (long long)c->lenience_us, (long long)c->none_us);
}

void describe_player(const struct player *player, struct buf *out)
{
    buf_add(out, "bot %s ", player->bot.name);
    time_control_write(&player->time, out);
    buf_char(out, '\n');
}

/* The text that is stored in the folder. */
static void write_first(const struct folder_args *args, char *line, size_t size)
{
    snprintf(line, size, "%s 3\n", args->kind);
}

static void write_manifest(const struct folder_args *args,
                           const struct contest_config *c, struct buf *out)
{
    char seed[2 * SEED_BYTES + 1], first[32];

    write_first(args, first, sizeof first);
    text_hex(seed, c->seed, SEED_BYTES);
    buf_str(out, first);
    args->describe(args->what, out);
    buf_add(out, "seed %s %s\n", seed, c->seed_is_chosen ? "chosen" : "random");
}

/* Take the seed of the contest being resumed. */
static bool adopt_seed(struct contest_config *c, const char *manifest,
                       const char *path, struct err *err)
{
    const char *at = strstr(manifest, "\nseed ");
    char hex[2 * SEED_BYTES + 1];

    if (!at || strlen(at) < 6 + 2 * SEED_BYTES + 1)
        return fail(err, "%s is damaged: it has no seed", path);
    snprintf(hex, sizeof hex, "%s", at + 6);
    if (!text_unhex(c->seed, SEED_BYTES, hex))
        return fail(err, "%s is damaged: its seed is not hex", path);
    c->seed_is_chosen = strstr(at, " chosen\n") != NULL;
    return true;
}

/* The first line in which two manifests differ. */
static bool same_manifest(const struct folder_args *args, const char *path,
                          const char *was, const char *is, struct err *err)
{
    while (*was || *is) {
        int n = (int)strcspn(was, "\n"), m = (int)strcspn(is, "\n");

        if (n != m || memcmp(was, is, (size_t)n) != 0)
            return fail(err,
                        "%s holds another %s: it has \"%.*s\", but this "
                        "command has \"%.*s\"",
                        path, args->kind, n > 80 ? 80 : n, was, m > 80 ? 80 : m,
                        is);
        was += n + (was[n] == '\n');
        is += m + (is[m] == '\n');
    }
    return true;
}

static bool go_on(const struct folder_args *args, struct contest_config *c,
                  const char *path, const struct buf *was, struct err *err)
{
    char head[32];
    struct buf is;
    bool ok;

    write_first(args, head, sizeof head);
    if (!args->resume)
        return fail(err,
                    "%s already holds a %s: continue it with --resume, or "
                    "name another folder with --records",
                    args->folder, args->kind);
    if (strncmp(was->text, head, strlen(head)) != 0)
        return fail(err,
                    "%s was written by another version of this program: "
                    "continue with that version, or name another folder "
                    "with --records",
                    path);
    if (!args->seed_is_given && !adopt_seed(c, was->text, path, err))
        return false;
    buf_init(&is, 1 << 20);
    write_manifest(args, c, &is);
    ok = same_manifest(args, path, was->text, is.text, err);
    buf_release(&is);
    return ok;
}

/* Records of two kinds in one folder would be confusing. */
static bool holds_other_kind(const struct folder_args *args, struct err *err)
{
    const char *other =
        strcmp(args->kind, "match") == 0 ? "tournament" : "match";
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%s.txt", args->folder, other);
    if (!disk_has(path))
        return false;
    fail(err, "%s holds a %s, not a %s: name another folder with --records",
         args->folder, other, args->kind);
    return true;
}

bool folder_open(const struct folder_args *args, struct contest_config *c,
                 struct err *err)
{
    char path[PATH_BYTES];
    struct buf manifest;
    bool ok;

    if (!args->folder)
        return !args->resume ||
               fail(err, "--resume needs the folder: --records DIR");
    if (strlen(args->folder) > FOLDER_BYTES)
        return fail(err, "the name of the folder is too long");
    if (!disk_folder(args->folder, err) || holds_other_kind(args, err) ||
        !walls_keep_out(c->player, c->players, args->folder,
                        "the records are written", err))
        return false;
    snprintf(path, sizeof path, "%s/%s.txt", args->folder, args->kind);
    buf_init(&manifest, 1 << 20);
    c->resumes = disk_has(path);
    if (c->resumes) {
        ok = file_read(path, &manifest, err) &&
             go_on(args, c, path, &manifest, err);
    } else {
        write_manifest(args, c, &manifest);
        ok = pack_is_new(args->folder, err) && file_write(path, &manifest, err);
        if (ok && args->resume)
            fprintf(stderr,
                    "referee: %s contains no %s yet; starting a new one\n",
                    args->folder, args->kind);
    }
    buf_release(&manifest);
    /*
     * Two processes would write the same records. This one holds the lock until
     * it ends.
     */
    return ok && disk_lock(path, args->folder, err) != -1;
}

void folder_sync(const char *folder)
{
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd == -1)
        return;
    syncfs(fd);
    close(fd);
}

/* The resources it needs. */

/* For every bot: pipes, its guard's control pipe, its log. */
enum { DESCRIPTORS_OF_BOT = 5 };

static void raise_limit(const struct contest_config *c)
{
    struct rlimit limit;
    int slot = DESCRIPTORS_OF_BOT * c->setup.seats + 2;
    rlim_t need = (rlim_t)(c->concurrency * slot + IDLE_GUARDS_MAX + 64);

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
        limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void tell_walls(const struct contest_config *c)
{
    struct pool pool = {0};
    const char *words = walls_in_words(c->player, c->players, &pool);

    if (*words)
        fprintf(stderr, "%s\n", words);
    pool_release(&pool);
}

/* Any of its players may take part in any of its games. */
static bool find_cores(const struct contest_config *c, struct core_needs *needs,
                       struct cores **cores, struct err *err)
{
    size_t size = (size_t)c->players * sizeof(struct player *);
    const struct player **players = must_alloc(malloc(size + 1));

    for (int i = 0; i < c->players; i++)
        players[i] = &c->player[i];
    core_needs_add(needs, players, c->players, c->setup.seats, c->concurrency,
                   c->concurrency);
    free(players);
    return cores_for(needs, cores, err);
}

/* Workers. */

static void say(void *owner, const char *text)
{
    struct contest_run *run = owner;

    if (run->wipe)
        run->wipe(run->owner);
    fprintf(stderr, "referee: %s\n", text);
}

/* It is better to fail now than to wait in the contest. */
static bool check_database(const char *url, struct err *err)
{
    struct pg *pg = pg_open(url, err);
    int version;
    bool ok =
        pg && schema_version(pg, &version, err) && schema_fits(version, err);

    pg_close(pg);
    return ok;
}

/* A resumed contest gives its units the same names as before. */
static bool find_session(const struct contest_config *c, char *session,
                         struct err *err)
{
    char path[PATH_BYTES];
    struct buf text;
    bool ok;

    session_name(time(NULL), session);
    if (!c->folder)
        return true;
    snprintf(path, sizeof path, "%s/workers.txt", c->folder);
    if (!disk_has(path))
        return disk_write(path, session, SESSION_TEXT, err);
    buf_init(&text, SESSION_TEXT);
    ok = disk_read(path, &text, err) &&
         ((text.len == SESSION_TEXT && is_word(text.text)) ||
          fail(err, "%s is damaged: take it away", path));
    if (ok)
        memcpy(session, text.text, SESSION_TEXT);
    buf_release(&text);
    return ok;
}

static bool find_workers(struct contest_run *run, struct contest_config *c,
                         struct workers_found *found, struct err *err)
{
    if (!run->workers.given)
        return true;
    if (!workers_find(run->workers.given, run->workers.keys, found, err))
        return false;
    c->session = found->session;
    return check_database(found->url, err) &&
           find_session(c, found->session, err);
}

static void begin_handout(struct contest_run *run, struct contest_config *c,
                          struct workers_found *found)
{
    const struct handout_config config = {.url = found->url,
                                          .session = found->session,
                                          .event = c->event,
                                          .player = c->player,
                                          .players = c->players,
                                          .slots = c->concurrency,
                                          .say = say,
                                          .owner = run};

    run->handout = handout_new(&run->loop, &config, &found->keys);
    found->keys = (struct worker_keys){0};
    c->away = handout_calls(run->handout);
}

void contest_workers(const struct contest_run *run, char text[WORKERS_TEXT])
{
    struct buf state;

    text[0] = '\0';
    if (!run->handout)
        return;
    buf_init(&state, WORKERS_TEXT - 10);
    handout_state(run->handout, &state);
    if (state.len > 0)
        snprintf(text, WORKERS_TEXT, " (%s)", state.text);
    buf_release(&state);
}

/* The run. */

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct contest_run *run = arg;
    bool is_first = !run->signal;
    int games = contest_running(run->contest);

    run->signal = (int)number;
    if (!run->handout || !is_first || games == 0) {
        contest_stop(run->contest, true);
        return;
    }
    say(run, "no new games begin; those that workers play now go on to their "
             "end. Once more takes them back too");
    contest_stop(run->contest, false);
    handout_stop(run->handout);
}

bool contest_play(struct contest_run *run, const struct contest_config *config,
                  const struct contest_owner *calls, void *owner,
                  struct err *err)
{
    struct event *term, *interrupt;
    struct contest_config its = *config;
    struct workers_found found = {0};
    struct core_needs needs = {0};
    struct cores *cores = NULL;
    bool ok;

    if (!find_workers(run, &its, &found, err) ||
        (!found.url && !find_cores(config, &needs, &cores, err))) {
        workers_forget(&found);
        return false;
    }
    raise_limit(config);
    if (!found.url)
        tell_walls(config);
    run->owner = owner;
    signal(SIGPIPE, SIG_IGN);
    loop_init(&run->loop);
    if (cores)
        cores_split(cores, needs.own);
    run->loop.children.cores = cores;
    if (found.url)
        begin_handout(run, &its, &found);
    run->contest = contest_new(&run->loop, &its, calls, owner);
    if (run->handout)
        handout_begin(run->handout, run->contest);
    term = evsignal_new(run->loop.base, SIGTERM, on_signal, run);
    interrupt = evsignal_new(run->loop.base, SIGINT, on_signal, run);
    loop_watch(term);
    loop_watch(interrupt);
    ok = contest_run(run->contest, err);
    event_free(term);
    event_free(interrupt);
    if (run->handout)
        handout_free(run->handout);
    run->handout = NULL;
    workers_forget(&found);
    contest_free(run->contest);
    loop_release(&run->loop);
    return ok;
}

/* Faults. */

/* Print line by line, with nothing that could move the cursor. */
static void tell_last_words(const char *last)
{
    bool fresh = true;
    struct buf text;

    buf_init(&text, 4 * strlen(last) + 1);
    buf_readable(&text, last, strlen(last));
    for (const char *words = text.text; *words; words++) {
        if (*words == '\n') {
            fputs(fresh ? "" : "\n", stderr);
            fresh = true;
            continue;
        }
        if (fresh)
            fputs("    stderr: ", stderr);
        fresh = false;
        fputc(*words, stderr);
    }
    if (!fresh)
        fputc('\n', stderr);
    buf_release(&text);
}

bool faults_has(const struct faults *faults, const struct game_report *r,
                int seat)
{
    return r->left[seat] && r->detail[seat][0] && r->why[seat] != WHY_RESIGN &&
           faults->told <= FAULTS_TOLD;
}

void faults_tell(struct faults *faults, const struct game_report *r, int seat,
                 const char *title, const char *name)
{
    if (faults->told++ == FAULTS_TOLD) {
        fputs("further faults are counted but not shown\n", stderr);
        return;
    }
    fprintf(stderr, "%s: %s is out (%s): %s\n", title, name,
            why_word(r->why[seat]), r->detail[seat]);
    tell_last_words(r->last_words[seat]);
}
