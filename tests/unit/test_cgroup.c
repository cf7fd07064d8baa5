/*
 * Control groups of version 2 as a machine with systemd has them, on a tree of
 * files: mkdir() here makes what the kernel would put into a new group.
 */
#include "run/walls/cgroup.h"

#include "base/text.h"
#include "run/tree.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char root[] = "/tmp/test-cgroup-XXXXXX";
static char own[256]; /* where the referee is */
static char top[64];
static bool top_is_ours, own_is_ours;
static const struct walls_limits limits = {
    .memory_bytes = 1 << 20, .scratch_bytes = 1, .processes = 7};

static void put(const char *folder, const char *file, const char *text)
{
    char path[512];
    FILE *to;

    text_join(path, sizeof path, folder, "/", file, NULL);
    to = fopen(path, "w");
    cr_assert(to, "%s", path);
    fputs(text, to);
    fclose(to);
}

static const char *get(const char *folder, const char *file)
{
    static char text[512];
    char path[512];

    text_join(path, sizeof path, folder, "/", file, NULL);
    read_text(path, text, sizeof text);
    return text;
}

/* Processes in a group, and limits below it, exclude each other but at the
 * very top. */
static bool may_limit(const char *group)
{
    char leaf[512], self[32];

    if (strcmp(group, top) == 0)
        return true;
    text_join(leaf, sizeof leaf, group, "/referee-self", NULL);
    snprintf(self, sizeof self, "%d", (int)getpid());
    return strcmp(get(leaf, "cgroup.procs"), self) == 0;
}

static void fill_group(const char *path, const char *parent)
{
    static bool has_memory, has_pids;
    const bool may = may_limit(parent);
    const char *on = get(parent, "cgroup.subtree_control");

    has_memory = may && (has_memory || strstr(on, "+memory"));
    has_pids = may && (has_pids || strstr(on, "+pids"));
    put(path, "cgroup.procs", "");
    put(path, "cgroup.freeze", "0");
    put(path, "cgroup.controllers", has_memory ? "memory pids" : "");
    put(path, "cpu.stat", "usage_usec 1234\nuser_usec 1000\n");
    if (has_memory) {
        put(path, "memory.max", "max");
        put(path, "memory.swap.max", "max");
        put(path, "memory.oom.group", "0");
        put(path, "memory.events", "low 0\noom 0\noom_kill 0\n");
    }
    if (has_pids) {
        put(path, "pids.max", "max");
        put(path, "pids.events", "max 0\n");
    }
}

/* In place of those of the C library. */
int mkdir(const char *path, mode_t mode)
{
    char parent[512];

    if (strncmp(path, top, strlen(top)) == 0 && *top) {
        snprintf(parent, sizeof parent, "%s", path);
        *strrchr(parent, '/') = '\0';
        if ((strcmp(parent, top) == 0 && !top_is_ours) ||
            (strcmp(parent, own) == 0 && !own_is_ours)) {
            errno = EACCES;
            return -1;
        }
    }
    if (syscall(SYS_mkdir, path, mode) == -1)
        return -1;
    if (strncmp(path, top, strlen(top)) == 0 && *top)
        fill_group(path, parent);
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *where)
{
    return remove(path);
}

int rmdir(const char *path)
{
    return nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* A machine: "0::/PLACE" in a hierarchy of version 2. */
static void setup_tree(void)
{
    char proc[128], text[512];

    cr_assert(mkdtemp(root));
    snprintf(proc, sizeof proc, "%s/self", root);
    syscall(SYS_mkdir, proc, 0755);
    put(proc, "cgroup", "0::/user.slice/it.scope\n");
    snprintf(text, sizeof text,
             "proc /proc proc rw 0 0\ncgroup2 %s/cg cgroup2 rw 0 0\n", root);
    put(proc, "mounts", text);
    snprintf(top, sizeof top, "%s/cg", root);
    snprintf(own, sizeof own, "%s/user.slice/it.scope", top);
    syscall(SYS_mkdir, top, 0755);
    snprintf(text, sizeof text, "%s/user.slice", top);
    syscall(SYS_mkdir, text, 0755);
    syscall(SYS_mkdir, own, 0755);
    snprintf(text, sizeof text, "%d", (int)getpid());
    put(own, "cgroup.procs", text);
    put(own, "cgroup.controllers", "cpu memory pids");
    put(own, "cgroup.subtree_control", "");
    put(top, "cgroup.subtree_control", "");
    put(top, "cgroup.procs", "");
    top_is_ours = own_is_ours = false;
}

static void remove_tree(void)
{
    rmdir(root);
}

TestSuite(cgroup, .init = setup_tree, .fini = remove_tree);

static void is_at(const struct cgroup_host *host, const char *where)
{
    for (int i = 0; i < CGROUP_PARTS; i++) {
        cr_expect_str_eq(host->parent[i], where);
        cr_expect(host->is_v2[i]);
    }
}

Test(cgroup, delegated_to_us)
{
    struct cgroup_host host;
    struct cgroup group;
    struct err err;
    char path[512], leaf[512], text[32];

    own_is_ours = true;
    cgroup_probe_in(&host, root);
    is_at(&host, own);
    snprintf(leaf, sizeof leaf, "%s/referee-self", own);
    snprintf(text, sizeof text, "%d", (int)getpid());
    cr_expect_str_eq(get(leaf, "cgroup.procs"), text);

    cr_assert(cgroup_make(&group, &host, 3, &limits, &err), "%s", err.text);
    text_join(path, sizeof path, own, "/", group.name, NULL);
    cr_expect_str_eq(get(path, "memory.max"), "1048576");
    cr_expect(strncmp(get(path, "memory.swap.max"), "0", 1) == 0);
    cr_expect_str_eq(get(path, "memory.oom.group"), "1");
    cr_expect(strncmp(get(path, "pids.max"), "7", 1) == 0);
    cr_expect(cgroup_join(&group));
    cr_expect_str_eq(get(path, "cgroup.procs"), "0");
    cr_expect_eq(cgroup_cpu_us(&group), 1234);
    cr_expect(cgroup_freeze(&group, true));
    cr_expect_str_eq(get(path, "cgroup.freeze"), "1");
    cgroup_thaw(&group);
    cr_expect_str_eq(get(path, "cgroup.freeze"), "0");

    cr_expect_eq(cgroup_exceeded(&group), CELL_IN_LIMITS);
    put(path, "pids.events", "max 2\n");
    cr_expect_eq(cgroup_exceeded(&group), CELL_PROCESSES);
    put(path, "memory.events", "low 0\noom 1\noom_kill 1\n");
    cr_expect_eq(cgroup_exceeded(&group), CELL_MEMORY);
    cgroup_close(&group);
    cr_expect(cgroup_remove(&group));
    cr_expect_eq(access(path, F_OK), -1);
}

/* Whoever is in the leaf already makes its groups beside it. */
Test(cgroup, from_the_leaf)
{
    struct cgroup_host host;
    char proc[128];

    own_is_ours = true;
    cgroup_probe_in(&host, root);
    snprintf(proc, sizeof proc, "%s/self", root);
    put(proc, "cgroup", "0::/user.slice/it.scope/referee-self\n");
    cgroup_probe_in(&host, root);
    is_at(&host, own);
}

/* Root moves nobody: there is room at the top. */
Test(cgroup, root)
{
    struct cgroup_host host;
    char leaf[512];

    top_is_ours = own_is_ours = true;
    cgroup_probe_in(&host, root);
    is_at(&host, top);
    snprintf(leaf, sizeof leaf, "%s/referee-self", own);
    cr_expect_eq(access(leaf, F_OK), -1);
}

/* As here: no controller for memory, but every group can be frozen. */
Test(cgroup, without_controllers)
{
    struct cgroup_host host;

    own_is_ours = true;
    put(own, "cgroup.controllers", "hugetlb");
    cgroup_probe_in(&host, root);
    cr_expect(!cgroup_has(&host, CGROUP_MEMORY));
    cr_expect(!cgroup_has(&host, CGROUP_PIDS));
    cr_expect_str_eq(host.parent[CGROUP_FREEZER], own);
    cr_expect_str_eq(host.parent[CGROUP_CPU], own);
    cr_expect_eq(errno == 0 || host.why[0] == '\0', true);
}

Test(cgroup, not_ours)
{
    struct cgroup_host host;

    cgroup_probe_in(&host, root);
    for (int i = 0; i < CGROUP_PARTS; i++)
        cr_expect(!cgroup_has(&host, (enum cgroup_part)i));
    cr_expect(strstr(host.why, "no control group can be made here") != NULL);
}
