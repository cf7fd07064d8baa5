#include "run/walls/cell.h"

#include "base/alloc.h"
#include "run/tree.h"
#include "run/walls/files.h"
#include "run/walls/hidden.h"
#include "run/walls/host.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FILES_MAX = 1024,         /* open files, of each process */
    SPARE_PROCESSES = 64,     /* for other processes of the shared user */
    HIDING_LOOKS = 3,         /* looks in a row */
    LOCKED_BYTES = 64 * 1024, /* as the kernel's own limit once was */
};

/* The referee. */

bool cell_open(struct cell *cell, const struct walls *walls, struct err *err)
{
    struct walls_host *host = walls->host;
    int number = host->started++;

    *cell = (struct cell){.walls = walls, .user = (uid_t)-1, .rules = -1};
    if (host->gives_users && walls->wall >= WALL_LANDLOCK)
        cell->user = host->first_user + (uid_t)number % WALLS_USERS;
    if (walls->wall == WALL_BWRAP)
        snprintf(cell->scratch, sizeof cell->scratch, SPACES_SCRATCH);
    else if (!scratch_name(cell->scratch, err))
        return false;
    return cgroup_make(&cell->cgroup, &host->cgroups, number, &walls->limits,
                       err);
}

/*
 * A group in which processes are still ending cannot be removed yet. Try again
 * after other bots have ended, and at the end.
 */
static void remember(struct walls_host *host, const struct cgroup *group)
{
    struct cgroup *place = &host->ended[host->closed++ % WALLS_ENDED];

    cgroup_remove(place);
    *place = *group;
}

/* The guard has removed everything, unless it was killed. */
void cell_close(struct cell *cell)
{
    cgroup_close(&cell->cgroup);
    cell_raze(cell);
    remember(cell->walls->host, &cell->cgroup);
    cell->walls = NULL;
}

void cell_free(struct cell *cell)
{
    if (cell)
        cell_close(cell);
    free(cell);
}

/* The guard. */

bool cell_has_spaces(const struct cell *cell)
{
    return cell->walls->wall == WALL_BWRAP;
}

static char *variable(const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + 2;
    char *text = must_alloc(malloc(size));

    snprintf(text, size, "%s=%s", name, value);
    return text;
}

/* HOME and TMPDIR are where it may write. */
static void move_home(struct cell *cell, char *const *environment)
{
    size_t n = 0, kept = 2;

    while (environment && environment[n])
        n++;
    cell->environment = must_alloc(calloc(n + 3, sizeof *cell->environment));
    cell->environment[0] = variable("HOME", cell->scratch);
    cell->environment[1] = variable("TMPDIR", cell->scratch);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environment[i], "HOME=", 5) != 0 &&
            strncmp(environment[i], "TMPDIR=", 7) != 0)
            cell->environment[kept++] = environment[i];
}

static void make_rules(struct cell *cell, const char *const *writable)
{
    const struct walls_host *host = cell->walls->host;

    cell->rules =
        files_rules(host->landlock_abi, host->system, cell->walls, writable);
}

bool cell_build(struct cell *cell, char *const *environment)
{
    const struct walls *w = cell->walls;

    move_home(cell, environment);
    cell->has_disk = cell_has_spaces(cell);
    if (cell_has_spaces(cell))
        return spaces_join(&w->host->spaces);
    if (!scratch_make(cell->scratch, cell->user))
        return false;
    cell->has_disk =
        scratch_mount(cell->scratch, cell->user, w->limits.scratch_bytes);
    if (w->wall == WALL_LANDLOCK)
        make_rules(cell, (const char *const[]){cell->scratch, NULL});
    return w->wall != WALL_LANDLOCK || cell->rules != -1;
}

pid_t cell_fork(const struct cell *cell)
{
    return spaces_fork(&cell->walls->host->spaces);
}

/*
 * From inside, control groups cannot be seen. Namespaces hide what belongs to
 * others, except for much of /proc. If there are rules for files, they hide the
 * rest.
 */
bool cell_found(struct cell *cell, const char **what)
{
    const struct walls *w = cell->walls;

    if (!cgroup_join(&cell->cgroup) ||
        !spaces_furnish(&w->host->spaces, w->host->system, w, what))
        return false;
    if (w->host->landlock_abi == 0)
        return true;
    *what = "rules for files";
    make_rules(cell, spaces_writable);
    return cell->rules != -1;
}

/* Do control groups count processes and memory? */
static bool is_counted(const struct cell *cell)
{
    const struct cgroup_host *groups = &cell->walls->host->cgroups;

    return cgroup_has(groups, CGROUP_MEMORY) && cgroup_has(groups, CGROUP_PIDS);
}

bool cell_needs_looks(const struct cell *cell)
{
    return !cell->has_disk || !is_counted(cell);
}

/* "120 34 ...": the second number is the pages in memory. */
static int64_t memory_in(const char *statm)
{
    char text[128];

    read_text(statm, text, sizeof text);
    return strtoll(text + strcspn(text, " "), NULL, 10) * getpagesize();
}

/*
 * If the first thread of a process has ended, the process's own entry shows no
 * memory, but the entries of its other threads do.
 */
static int64_t memory_of(pid_t pid)
{
    const struct dirent *entry;
    char path[64];
    int64_t bytes;
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    bytes = memory_in(path);
    if (bytes > 0)
        return bytes;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir && bytes == 0 && (entry = readdir(dir)) != NULL) {
        snprintf(path, sizeof path, "/proc/%d/task/%.16s/statm", (int)pid,
                 entry->d_name);
        bytes = memory_in(path);
    }
    if (dir)
        closedir(dir);
    return bytes;
}

static int threads_of(pid_t pid)
{
    char path[64];
    struct stat st;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    return stat(path, &st) == 0 && st.st_nlink > 2 ? (int)st.st_nlink - 2 : 0;
}

/*
 * What all processes that were found use together, plus `bytes` that belong to
 * none of them.
 */
static enum cell_limit count_processes(const struct cell *cell, int64_t bytes)
{
    const struct walls_limits *l = &cell->walls->limits;
    int threads = 0;

    for (int i = 0; i < cell->tree->count; i++) {
        bytes += memory_of(cell->tree->pid[i]);
        threads += threads_of(cell->tree->pid[i]);
    }
    if (bytes > l->memory_bytes)
        return CELL_MEMORY;
    return threads > l->processes ? CELL_PROCESSES : CELL_IN_LIMITS;
}

/*
 * If root lacks some capabilities, as in a container, the guard may not inspect
 * another user's processes at all. Then an unreadable process is no sign of
 * hiding.
 */
static bool hides(struct cell *cell, const struct hidden *hidden)
{
    bool may_look = cell->user == (uid_t)-1;

    cell->hiding = hidden->is_hiding && may_look ? cell->hiding + 1 : 0;
    return cell->hiding >= HIDING_LOOKS;
}

enum cell_limit cell_is_over(struct cell *cell, pid_t root)
{
    const struct walls_limits *l = &cell->walls->limits;
    struct hidden hidden;

    if (!cell->has_disk && scratch_is_full(cell->scratch, l->scratch_bytes))
        return CELL_SCRATCH;
    if (cell->has_disk && is_counted(cell))
        return CELL_IN_LIMITS;
    tree_look(cell->tree, root);
    hidden = hidden_look(cell->tree, cell->has_disk ? "" : cell->scratch,
                         l->scratch_bytes, l->memory_bytes);
    if (!cell->has_disk && hidden.disk_bytes > l->scratch_bytes)
        return CELL_SCRATCH;
    if (hides(cell, &hidden))
        return CELL_HIDING;
    return is_counted(cell) ? CELL_IN_LIMITS
                            : count_processes(cell, hidden.memory_bytes);
}

void cell_thaw(const struct cell *cell)
{
    cgroup_thaw(&cell->cgroup);
}

void cell_clear(const struct cell *cell)
{
    if (!cell_has_spaces(cell))
        scratch_empty(cell->scratch);
}

void cell_clear_up(const struct cell *cell)
{
    if (cell_has_spaces(cell))
        return;
    if (cell->has_disk)
        scratch_unmount(cell->scratch);
    scratch_remove(cell->scratch);
}

void cell_raze(const struct cell *cell)
{
    cell_clear_up(cell);
    cgroup_remove(&cell->cgroup);
}

/*
 * This is the bot-to-be, which shares the guard's memory. So do not allocate,
 * and use system calls instead of C library functions that would try to change
 * all threads of the process.
 */

static bool limit(int what, int64_t max)
{
    struct rlimit now, new;

    if (getrlimit((__rlimit_resource_t)what, &now) == -1)
        return false;
    new.rlim_max = (rlim_t)max < now.rlim_max ? (rlim_t)max : now.rlim_max;
    new.rlim_cur = new.rlim_max;
    return setrlimit((__rlimit_resource_t)what, &new) == 0;
}

/* Processes of the user that the bot shares with us, at this moment. */
static int processes_of_user(void)
{
    char text[4096];
    const char *at;

    /* "1.00 1.00 1.00 RUNNING/ALL LAST": more than the user has, not less. */
    read_text("/proc/loadavg", text, sizeof text);
    at = strchr(text, '/');
    return at ? (int)strtol(at + 1, NULL, 10) : 0;
}

static bool set_limits(const struct cell *cell)
{
    const struct walls *w = cell->walls;
    const struct cgroup_host *groups = &w->host->cgroups;
    int64_t processes = w->limits.processes;

    if (cell->user == (uid_t)-1 && !cell_has_spaces(cell))
        processes += processes_of_user() + SPARE_PROCESSES;
    return limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, FILES_MAX) &&
           limit(RLIMIT_FSIZE, w->limits.scratch_bytes) &&
           limit(RLIMIT_MEMLOCK, LOCKED_BYTES) && limit(RLIMIT_MSGQUEUE, 0) &&
           limit(RLIMIT_NPROC, processes) &&
           (cgroup_has(groups, CGROUP_MEMORY) ||
            limit(RLIMIT_DATA, w->limits.memory_bytes));
}

/*
 * Drop all capabilities. Only if the bot's folder is among root's own files,
 * keep the right to read; the walls decide what there is to read.
 */
static bool drop_rights(bool reads)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct set[2] = {{0}};
    const uint32_t bit = reads ? 1U << CAP_DAC_READ_SEARCH : 0;

    set[0] = (struct __user_cap_data_struct){bit, bit, bit};
    return syscall(SYS_capset, &head, set) == 0 &&
           (!reads || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE,
                            CAP_DAC_READ_SEARCH, 0, 0) == 0);
}

static bool become_user(const struct cell *cell)
{
    long id = (long)cell->user;

    if (cell->user == (uid_t)-1)
        return true;
    return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_setgroups, 0, NULL) == 0 &&
           syscall(SYS_setresgid, id, id, id) == 0 &&
           syscall(SYS_setresuid, id, id, id) == 0 &&
           drop_rights(cell->walls->is_hidden);
}

bool cell_enter(const struct cell *cell, int *listener)
{
    const struct walls *w = cell->walls;

    *listener = -1;
    if ((!cell_has_spaces(cell) && !cgroup_join(&cell->cgroup)) ||
        !set_limits(cell) || !become_user(cell))
        return false;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a new user has none */
    if (cell->rules != -1 && !files_restrict(cell->rules))
        return false;
    if (w->wall < WALL_LANDLOCK)
        return true;
    *listener = calls_restrict(&w->host->filter[w->wall]);
    return *listener != -1;
}

/* Words. */

void cell_limit_words(const struct walls *walls, enum cell_limit limit,
                      char *text, size_t size)
{
    const struct walls_limits *l = &walls->limits;

    switch (limit) {
    case CELL_MEMORY:
        snprintf(text, size, "used more than %lld MiB of memory",
                 (long long)(l->memory_bytes >> 20));
        break;
    case CELL_PROCESSES:
        snprintf(text, size, "had more than %d processes and threads",
                 l->processes);
        break;
    case CELL_SCRATCH:
        snprintf(text, size,
                 "wrote more than %lld MiB or %d files to its scratch folder",
                 (long long)(l->scratch_bytes >> 20), SCRATCH_FILES_MAX);
        break;
    case CELL_HIDING:
        snprintf(text, size,
                 "hid what it has open, so that its memory and files could not "
                 "be counted");
        break;
    default:
        snprintf(text, size, "stayed within its limits");
    }
}
