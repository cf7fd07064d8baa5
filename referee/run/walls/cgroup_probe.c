/* Where control groups can be made. */

#include "base/text.h"
#include "run/tree.h"
#include "run/walls/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_BYTES = 16 * 1024, PROCESSES_BYTES = 64 * 1024, ROUNDS = 8 };

/*
 * The subgroup that we move to, so that our own group can have others below it.
 */
#define LEAF "referee-self"

/* The names of each part. */
static const struct {
    const char *v1; /* controller */
    const char *v2; /* to be switched on below; "": every group has it */
    /* a file that shows that it is available, by version */
    const char *file[2];
} parts[CGROUP_PARTS] = {
    [CGROUP_MEMORY] = {"memory",
                       "+memory",
                       {"memory.limit_in_bytes", "memory.max"}},
    [CGROUP_PIDS] = {"pids", "+pids", {"pids.max", "pids.max"}},
    [CGROUP_CPU] = {"cpuacct", "", {"cgroup.procs", "cgroup.procs"}},
    [CGROUP_FREEZER] = {"freezer", "", {"freezer.state", "cgroup.freeze"}},
};

bool cgroup_put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t n = fd == -1 ? -1 : write(fd, text, strlen(text));
    int error = errno;

    if (fd != -1)
        close(fd);
    errno = error;
    return n > 0;
}

/* Is this controller among "cpu,cpuacct" or "cpu memory pids"? */
static bool lists(const char *list, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || strchr(", \n", at[-1])) &&
            (at[n] == '\0' || strchr(", \n", at[n])))
            return true;
    return false;
}

/*
 * Find "4:memory:/a/b", our own place in the hierarchy of a controller; ""
 * stands for version 2.
 */
static bool own_place(const char *proc, const char *controller, char *place,
                      size_t size)
{
    char path[CGROUP_PATH_MAX], text[FILE_BYTES], *rest = text, *line;

    text_join(path, sizeof path, proc, "/self/cgroup", NULL);
    read_text(path, text, sizeof text);
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *at = line;
        const char *list;

        strsep(&at, ":");
        list = at ? strsep(&at, ":") : NULL;
        if (!at || (*controller ? !lists(list, controller) : *list))
            continue;
        snprintf(place, size, "%s", strcmp(at, "/") == 0 ? "" : at);
        return true;
    }
    return false;
}

/* Find where the hierarchy of a controller is mounted. */
static bool mount_of(const char *proc, const char *controller, char *folder,
                     size_t size)
{
    const char *type = *controller ? "cgroup" : "cgroup2";
    char path[CGROUP_PATH_MAX], line[4096];
    bool found = false;
    FILE *mounts;

    text_join(path, sizeof path, proc, "/self/mounts", NULL);
    mounts = fopen(path, "re");
    while (mounts && !found && fgets(line, sizeof line, mounts)) {
        char *rest = line;
        const char *where, *kind, *options;

        strsep(&rest, " ");
        where = rest ? strsep(&rest, " ") : "";
        kind = rest ? strsep(&rest, " ") : "";
        options = rest ? strsep(&rest, " ") : "";
        found = strcmp(kind, type) == 0 &&
                (!*controller || lists(options, controller));
        if (found)
            snprintf(folder, size, "%s", where);
    }
    if (mounts)
        fclose(mounts);
    return found;
}

static bool may_write(const char *folder, const char *file)
{
    char path[3 * CGROUP_PATH_MAX];

    text_join(path, sizeof path, folder, "/", file, NULL);
    return access(path, W_OK) == 0;
}

/* Does a new group have this file? */
static bool group_has(const char *parent, const char *file)
{
    char path[2 * CGROUP_PATH_MAX];
    bool has;

    snprintf(path, sizeof path, "%s/referee-probe-%d", parent, (int)getpid());
    if (mkdir(path, 0755) == -1 && errno != EEXIST)
        return false;
    has = may_write(path, file) && may_write(path, "cgroup.procs");
    rmdir(path);
    return has;
}

/*
 * Version 2: one place for all parts, because a process is in only one group.
 */

/* Is this part available, if necessary after switching it on? */
static bool can_have(const char *parent, enum cgroup_part part)
{
    char path[2 * CGROUP_PATH_MAX];

    if (*parts[part].v2) {
        snprintf(path, sizeof path, "%s/cgroup.subtree_control", parent);
        cgroup_put(path, parts[part].v2);
    }
    return group_has(parent, parts[part].file[1]);
}

static bool can_limit(const char *parent)
{
    return can_have(parent, CGROUP_MEMORY) && can_have(parent, CGROUP_PIDS);
}

/* "12\n34\n": move all these processes, including ourselves. */
static void move_all(const char *list, const char *to)
{
    char *end;

    for (long pid = strtol(list, &end, 10); end != list;
         pid = strtol(list, &end, 10)) {
        char number[32];

        list = end;
        snprintf(number, sizeof number, "%ld", pid);
        cgroup_put(to, number);
    }
}

/*
 * A group that has processes cannot limit groups below it. If the group was
 * delegated to us, as with Delegate=yes in systemd, move all its processes into
 * a subgroup. This takes a few rounds, because processes may fork meanwhile.
 */
static bool make_room(const char *parent)
{
    static char text[PROCESSES_BYTES];
    char from[2 * CGROUP_PATH_MAX], to[2 * CGROUP_PATH_MAX];

    snprintf(to, sizeof to, "%s/" LEAF, parent);
    if (mkdir(to, 0755) == -1 && errno != EEXIST)
        return false;
    snprintf(to, sizeof to, "%s/" LEAF "/cgroup.procs", parent);
    snprintf(from, sizeof from, "%s/cgroup.procs", parent);
    for (int i = 0; i < ROUNDS; i++) {
        read_text(from, text, sizeof text);
        move_all(text, to);
        if (can_limit(parent))
            return true;
    }
    return false;
}

/*
 * The first place that works, among those that have a memory controller at all:
 * our own group, the top one, which only root may use, or our own group after
 * moving its processes.
 */
static bool find_limits(const char *top, const char *own, char *parent)
{
    char path[2 * CGROUP_PATH_MAX], text[FILE_BYTES];

    snprintf(path, sizeof path, "%s/cgroup.controllers", own);
    read_text(path, text, sizeof text);
    if (!lists(text, "memory") || !lists(text, "pids"))
        return false;
    if (can_limit(own) || (!can_limit(top) && make_room(own)))
        snprintf(parent, CGROUP_PATH_MAX, "%s", own);
    else if (can_limit(top))
        snprintf(parent, CGROUP_PATH_MAX, "%s", top);
    else
        return false;
    return true;
}

/*
 * If an earlier probe has moved us, the groups of bots go beside that subgroup.
 */
static void leave_leaf(char *place)
{
    const size_t n = strlen(place), m = strlen("/" LEAF);

    if (n >= m && strcmp(place + n - m, "/" LEAF) == 0)
        place[n - m] = '\0';
}

static bool probe_v2(struct cgroup_host *host, const char *proc)
{
    char top[CGROUP_PATH_MAX / 2], place[CGROUP_PATH_MAX / 2];
    char own[CGROUP_PATH_MAX], parent[CGROUP_PATH_MAX];
    bool any = false;

    if (!mount_of(proc, "", top, sizeof top) ||
        !own_place(proc, "", place, sizeof place))
        return false;
    leave_leaf(place);
    text_join(own, sizeof own, top, place, NULL);
    if (!find_limits(top, own, parent))
        memcpy(parent, own, sizeof parent);
    for (int part = 0; part < CGROUP_PARTS; part++) {
        if (!can_have(parent, (enum cgroup_part)part))
            continue;
        memcpy(host->parent[part], parent, sizeof parent);
        host->is_v2[part] = any = true;
    }
    return any;
}

static bool try_v1(struct cgroup_host *host, const char *proc,
                   enum cgroup_part part)
{
    char top[CGROUP_PATH_MAX / 2], place[CGROUP_PATH_MAX / 2];
    char parent[CGROUP_PATH_MAX];

    if (!mount_of(proc, parts[part].v1, top, sizeof top) ||
        !own_place(proc, parts[part].v1, place, sizeof place))
        return false;
    text_join(parent, sizeof parent, top, place, NULL);
    if (!group_has(parent, parts[part].file[0]))
        return false;
    memcpy(host->parent[part], parent, sizeof parent);
    return true;
}

void cgroup_probe_in(struct cgroup_host *host, const char *proc)
{
    bool any;

    *host = (struct cgroup_host){0};
    any = probe_v2(host, proc);
    for (int part = 0; part < CGROUP_PARTS; part++)
        if (!host->is_v2[part])
            any |= try_v1(host, proc, (enum cgroup_part)part);
    if (!any)
        snprintf(host->why, sizeof host->why,
                 "no control group can be made here: %s", strerror(errno));
}

void cgroup_probe(struct cgroup_host *host)
{
    cgroup_probe_in(host, "/proc");
}
