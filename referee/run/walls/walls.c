#include "run/walls/walls.h"

#include "base/alloc.h"
#include "base/text.h"
#include "run/tree.h"
#include "run/walls/cell.h"
#include "run/walls/files.h"
#include "run/walls/host.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const struct walls_limits walls_preset = {
    .memory_bytes = INT64_C(1) << 30,
    .scratch_bytes = INT64_C(64) << 20,
    .processes = 256,
};

/* Two seconds in all for each. */
enum {
    PROBE_PAUSE_US = 100000,
    PROBE_ROUNDS = 20,
    LAST_ROUND_US = 10000,
    LAST_ROUNDS = 200,
};

const char *wall_word(enum wall wall)
{
    static const char *const word[WALLS] = {"none", "limits", "landlock",
                                            "bwrap"};

    return word[wall];
}

/* Probing: a process goes behind a wall, as a bot would, and looks around. */

/* What it found, as it comes through a pipe. */
struct finding {
    int error; /* 0: the wall stands */
    char what[WALLS_REASON_MAX / 2];
};

static void report(int to, int error, const char *what)
{
    struct finding finding = {.error = error};
    ssize_t n;

    snprintf(finding.what, sizeof finding.what, "%s", what);
    n = write(to, &finding, sizeof finding);
    _exit(n > 0 ? 0 : 1);
}

/* Run inside. Nobody listens for refused calls here, so they just fail. */
static void look_around(const struct cell *cell, int to)
{
    int listener;

    if (!cell_enter(cell, &listener))
        report(to, errno, "the wall does not stand");
    close(listener);
    if (open("/boot", O_RDONLY | O_CLOEXEC) != -1 ||
        (!cell_has_spaces(cell) && /* else we are process 1 */
         open("/proc/1/environ", O_RDONLY | O_CLOEXEC) != -1))
        report(to, EACCES, "a file can be opened that should not");
    if (cell->rules != -1 &&
        open("/proc/self/net/unix", O_RDONLY | O_CLOEXEC) != -1)
        report(to, EACCES, "the sockets of others can be seen");
    if (socket(AF_INET, SOCK_STREAM, 0) != -1)
        report(to, EACCES, "a socket can be opened");
    report(to, 0, "");
}

static void try_inside(struct cell *cell, int to)
{
    const char *what = "a control group";
    pid_t first;

    if (!cell_build(cell, NULL))
        report(to, errno, "it cannot be built");
    if (!cell_has_spaces(cell))
        look_around(cell, to);
    first = cell_fork(cell);
    if (first == -1)
        report(to, errno, "no process in a namespace of its own");
    if (first > 0)
        _exit(waitpid(first, NULL, 0) == first ? 0 : 1);
    if (!cell_found(cell, &what))
        report(to, errno, what);
    look_around(cell, to);
}

/* errno of what is in the way, or 0. The reason is left in why_not. */
static int probe_once(struct walls_host *host, enum wall wall)
{
    struct walls walls = {.host = host, .wall = wall, .limits = walls_preset};
    struct finding finding = {EIO, "the probe has died"};
    char *why = host->why_not[wall];
    struct cell cell;
    struct err err;
    int fd[2];
    pid_t pid;

    if (!cell_open(&cell, &walls, &err)) {
        snprintf(why, WALLS_REASON_MAX, "%.190s", err.text);
        return EIO;
    }
    if (pipe2(fd, O_CLOEXEC) == -1) {
        snprintf(why, WALLS_REASON_MAX, "no pipe: %s", strerror(errno));
        cell_close(&cell);
        return EIO;
    }
    pid = fork();
    if (pid == -1)
        finding = (struct finding){errno, "no process for the probe"};
    if (pid == 0)
        try_inside(&cell, fd[1]);
    close(fd[1]);
    if (pid > 0 && read(fd[0], &finding, sizeof finding) != sizeof finding)
        finding.error = EIO;
    close(fd[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    cell_close(&cell);
    why[0] = '\0';
    if (finding.error)
        snprintf(why, WALLS_REASON_MAX, "%s: %s", finding.what,
                 strerror(finding.error));
    return finding.error;
}

/* A machine that has no process to spare just now may still have the wall. */
static void probe_wall(struct walls_host *host, enum wall wall)
{
    for (int round = 0; round < PROBE_ROUNDS; round++) {
        if (probe_once(host, wall) != EAGAIN)
            return;
        usleep(PROBE_PAUSE_US);
    }
}

static bool build_filter(struct walls_host *host, enum wall wall)
{
    const struct calls_needs needs = {.landlock_abi = host->landlock_abi,
                                      .own_user = host->gives_users,
                                      .own_mounts = wall == WALL_BWRAP,
                                      .own_pids = wall == WALL_BWRAP};
    struct err err;

    if (calls_build(&host->filter[wall], &needs, &err))
        return true;
    snprintf(host->why_not[wall], WALLS_REASON_MAX, "%.190s", err.text);
    return false;
}

static void probe_landlock(struct walls_host *host)
{
    host->landlock_abi = files_abi();
    if (host->landlock_abi == 0)
        snprintf(host->why_not[WALL_LANDLOCK], WALLS_REASON_MAX,
                 "this kernel has no Landlock: %s", strerror(errno));
    else if (build_filter(host, WALL_LANDLOCK))
        probe_wall(host, WALL_LANDLOCK);
}

static void probe_spaces(struct walls_host *host)
{
    struct err err;

    if (!spaces_open(&host->spaces, &err))
        snprintf(host->why_not[WALL_BWRAP], WALLS_REASON_MAX, "%.190s",
                 err.text);
    else if (build_filter(host, WALL_BWRAP))
        probe_wall(host, WALL_BWRAP);
}

/* "0 0 4294967295": in a container root may have only a few users to assign. */
static bool has_users(uid_t first, uid_t count)
{
    char text[4096], *rest = text, *line;
    unsigned long inside, outside, size;

    read_text("/proc/self/uid_map", text, sizeof text);
    while ((line = strsep(&rest, "\n")) != NULL)
        if (sscanf(line, "%lu %lu %lu", &inside, &outside, &size) == 3 &&
            first >= inside && first + count <= inside + size)
            return geteuid() == 0;
    return false;
}

struct walls_host *walls_probe(void)
{
    struct walls_host *host = must_alloc(calloc(1, sizeof *host));

    host->first_user =
        WALLS_FIRST_USER + randombytes_uniform(WALLS_REFEREES) * WALLS_USERS;
    host->gives_users = has_users(host->first_user, WALLS_USERS);
    host->system = files_of_system(&host->pool);
    cgroup_probe(&host->cgroups);
    probe_landlock(host);
    probe_spaces(host);
    return host;
}

/*
 * The processes of a killed guard were killed too, but on a busy machine they
 * take a while to end, and nobody else will remove their group.
 */
static void remove_ended(const struct walls_host *host)
{
    int rounds = 0;

    for (int i = 0; i < WALLS_ENDED; i++)
        while (!cgroup_remove(&host->ended[i]) && rounds++ < LAST_ROUNDS)
            usleep(LAST_ROUND_US);
}

void walls_host_free(struct walls_host *host)
{
    if (!host)
        return;
    remove_ended(host);
    spaces_close(&host->spaces);
    for (int i = 0; i < WALLS; i++)
        calls_release(&host->filter[i]);
    pool_release(&host->pool);
    free(host);
}

/* Choosing. */

const char *walls_why_not(const struct walls_host *host, enum wall wall)
{
    return host->why_not[wall][0] ? host->why_not[wall] : NULL;
}

bool walls_give_users(const struct walls_host *host)
{
    return host->gives_users;
}

static enum wall strongest(const struct walls_host *host)
{
    int wall = WALLS - 1;

    while (walls_why_not(host, (enum wall)wall))
        wall--;
    return (enum wall)wall;
}

bool walls_choose(const struct walls_host *host, const char *word,
                  enum wall *wall, struct err *err)
{
    int index = words_find(WALL_WORDS, word);

    if (index < 0)
        return fail(err,
                    "must be one of none, limits, landlock, bwrap, auto, "
                    "not \"%.40s\"",
                    word);
    if (index == WALLS) {
        *wall = strongest(host);
        return true;
    }
    *wall = (enum wall)index;
    return !walls_why_not(host, *wall) ||
           fail(err, "%s does not work here (%s); auto would be %s", word,
                walls_why_not(host, *wall), wall_word(strongest(host)));
}

void walls_describe(const struct walls_host *host, char *text, size_t size)
{
    static const char *const part[CGROUP_PARTS] = {"memory", "processes", "CPU",
                                                   "freezer"};
    struct buf out;

    buf_init(&out, size);
    buf_add(&out, "auto is %s", wall_word(strongest(host)));
    for (int i = WALL_LANDLOCK; i < WALLS; i++)
        if (host->why_not[i][0])
            buf_add(&out, "; no %s: %s", wall_word((enum wall)i),
                    host->why_not[i]);
    buf_add(&out, "; Landlock %d; control groups:", host->landlock_abi);
    for (int i = 0; i < CGROUP_PARTS; i++)
        if (cgroup_has(&host->cgroups, (enum cgroup_part)i))
            buf_add(&out, " %s (v%d)", part[i], host->cgroups.is_v2[i] ? 2 : 1);
    if (host->cgroups.why[0])
        buf_add(&out, " none, %s", host->cgroups.why);
    snprintf(text, size, "%s", out.text);
    buf_release(&out);
}
