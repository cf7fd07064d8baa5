#include "run/walls/cgroup.h"

#include "run/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The files that are kept open. */
static const struct {
    const char *usage_v1, *usage_v2;
} parts[CGROUP_PARTS] = {
    [CGROUP_CPU] = {"cpuacct.usage", "cpu.stat"},
    [CGROUP_FREEZER] = {"freezer.state", "cgroup.freeze"},
};

/* Files. */

static void path_of(const struct cgroup *g, enum cgroup_part part,
                    const char *file, char *path, size_t size)
{
    snprintf(path, size, "%s/%s%s%s", g->host->parent[part], g->name,
             *file ? "/" : "", file);
}

static bool put(const struct cgroup *g, enum cgroup_part part, const char *file,
                const char *text)
{
    char path[2 * CGROUP_PATH_MAX];

    path_of(g, part, file, path, sizeof path);
    return cgroup_put(path, text);
}

static bool put_number(const struct cgroup *g, enum cgroup_part part,
                       const char *file, int64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRId64, number);
    return put(g, part, file, text);
}

/* One group. */

/* In version 2, several parts share one folder. */
static bool is_first(const struct cgroup *g, int part)
{
    for (int i = 0; i < part; i++)
        if (strcmp(g->host->parent[i], g->host->parent[part]) == 0)
            return false;
    return cgroup_has(g->host, (enum cgroup_part)part);
}

static bool set_limits(const struct cgroup *g, const struct walls_limits *l)
{
    const struct cgroup_host *host = g->host;

    if (cgroup_has(host, CGROUP_MEMORY) && host->is_v2[CGROUP_MEMORY]) {
        put(g, CGROUP_MEMORY, "memory.swap.max", "0");
        put(g, CGROUP_MEMORY, "memory.oom.group", "1");
        if (!put_number(g, CGROUP_MEMORY, "memory.max", l->memory_bytes))
            return false;
    } else if (cgroup_has(host, CGROUP_MEMORY)) {
        if (!put_number(g, CGROUP_MEMORY, "memory.limit_in_bytes",
                        l->memory_bytes))
            return false;
        put_number(g, CGROUP_MEMORY, "memory.memsw.limit_in_bytes",
                   l->memory_bytes);
    }
    return !cgroup_has(host, CGROUP_PIDS) ||
           put_number(g, CGROUP_PIDS, "pids.max", l->processes);
}

static int open_in(const struct cgroup *g, enum cgroup_part part, int flags)
{
    char path[2 * CGROUP_PATH_MAX];

    if (!cgroup_has(g->host, part))
        return -1;
    path_of(g, part,
            g->host->is_v2[part] ? parts[part].usage_v2 : parts[part].usage_v1,
            path, sizeof path);
    return open(path, flags | O_CLOEXEC);
}

bool cgroup_make(struct cgroup *g, const struct cgroup_host *host, int number,
                 const struct walls_limits *limits, struct err *err)
{
    char path[2 * CGROUP_PATH_MAX];

    *g = (struct cgroup){.host = host, .freezer = -1, .cpu = -1};
    snprintf(g->name, sizeof g->name, "referee-%d-%d", (int)getpid(), number);
    for (int i = 0; i < CGROUP_PARTS; i++) {
        if (!is_first(g, i))
            continue;
        path_of(g, (enum cgroup_part)i, "", path, sizeof path);
        if (mkdir(path, 0755) == -1 && errno != EEXIST) {
            fail(err, "no control group %.200s: %s", path, strerror(errno));
            cgroup_remove(g);
            return false;
        }
    }
    if (!set_limits(g, limits)) {
        fail(err, "the limits of a control group cannot be set: %s",
             strerror(errno));
        cgroup_remove(g);
        return false;
    }
    g->freezer = open_in(g, CGROUP_FREEZER, O_WRONLY);
    g->cpu = open_in(g, CGROUP_CPU, O_RDONLY);
    return true;
}

bool cgroup_join(const struct cgroup *g)
{
    for (int i = 0; i < CGROUP_PARTS && g->name[0]; i++)
        if (is_first(g, i) && !put(g, (enum cgroup_part)i, "cgroup.procs", "0"))
            return false;
    return true;
}

static const char *freezer_word(const struct cgroup *g, bool frozen)
{
    if (g->host->is_v2[CGROUP_FREEZER])
        return frozen ? "1" : "0";
    return frozen ? "FROZEN" : "THAWED";
}

bool cgroup_freeze(const struct cgroup *g, bool frozen)
{
    const char *word = freezer_word(g, frozen);

    return g->freezer != -1 && pwrite(g->freezer, word, strlen(word), 0) > 0;
}

void cgroup_thaw(const struct cgroup *g)
{
    if (g->name[0] && cgroup_has(g->host, CGROUP_FREEZER))
        put(g, CGROUP_FREEZER,
            g->host->is_v2[CGROUP_FREEZER] ? parts[CGROUP_FREEZER].usage_v2
                                           : parts[CGROUP_FREEZER].usage_v1,
            freezer_word(g, false));
}

/* Version 1 gives nanoseconds; version 2 "usage_usec N" in its first line. */
int64_t cgroup_cpu_us(const struct cgroup *g)
{
    char text[256];
    ssize_t n = g->cpu == -1 ? -1 : pread(g->cpu, text, sizeof text - 1, 0);

    if (n <= 0)
        return -1;
    text[n] = '\0';
    if (g->host->is_v2[CGROUP_CPU])
        return strtoll(text + strcspn(text, " "), NULL, 10);
    return strtoll(text, NULL, 10) / 1000;
}

/* The number after a word in one of its files, or the only number in it. */
static int64_t get_number(const struct cgroup *g, enum cgroup_part part,
                          const char *file, const char *word)
{
    char path[2 * CGROUP_PATH_MAX], text[1024];
    const char *at;

    path_of(g, part, file, path, sizeof path);
    read_text(path, text, sizeof text);
    at = *word ? strstr(text, word) : text;
    return at ? strtoll(at + strlen(word), NULL, 10) : 0;
}

enum cell_limit cgroup_exceeded(const struct cgroup *g)
{
    if (!g->name[0])
        return CELL_IN_LIMITS;
    if (cgroup_has(g->host, CGROUP_MEMORY) &&
        get_number(g, CGROUP_MEMORY,
                   g->host->is_v2[CGROUP_MEMORY] ? "memory.events"
                                                 : "memory.oom_control",
                   "oom_kill ") > 0)
        return CELL_MEMORY;
    if (cgroup_has(g->host, CGROUP_PIDS) &&
        get_number(g, CGROUP_PIDS, "pids.events", "max ") > 0)
        return CELL_PROCESSES;
    return CELL_IN_LIMITS;
}

void cgroup_close(struct cgroup *g)
{
    if (g->name[0] && g->freezer != -1)
        close(g->freezer);
    if (g->name[0] && g->cpu != -1)
        close(g->cpu);
    g->freezer = g->cpu = -1;
}

bool cgroup_remove(const struct cgroup *g)
{
    char path[2 * CGROUP_PATH_MAX];
    bool is_gone = true;

    for (int i = 0; i < CGROUP_PARTS && g->name[0]; i++)
        if (is_first(g, i)) {
            path_of(g, (enum cgroup_part)i, "", path, sizeof path);
            is_gone &= rmdir(path) == 0 || errno == ENOENT;
        }
    return is_gone;
}
