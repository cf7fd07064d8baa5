#include "cmd/check/machine_look.h"

#include "run/cores.h"
#include "run/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void look_raw(const struct look *l, const char *path, char *text, size_t size)
{
    char whole[LOOK_PATH];

    snprintf(whole, sizeof whole, "%.250s%.250s", l->root, path);
    read_text(whole, text, size);
}

void look_text(const struct look *l, const char *path, char *text, size_t size)
{
    size_t n;

    look_raw(l, path, text, size);
    n = strlen(text);
    while (n > 0 && strchr(" \t\n", text[n - 1]))
        text[--n] = '\0';
}

long look_number(const struct look *l, const char *path, long otherwise)
{
    char text[40], *end;
    long number;

    look_text(l, path, text, sizeof text);
    number = strtol(text, &end, 10);
    return end > text ? number : otherwise;
}

/* In a copy, count the processors that were online. */
static void find_processors(struct look *l)
{
    char list[256];

    CPU_ZERO(&l->processors);
    look_text(l, "/sys/devices/system/cpu/online", list, sizeof list);
    if (!l->is_copy)
        sched_getaffinity(0, sizeof l->processors, &l->processors);
    else
        cores_read(list, &l->processors);
}

void look_begin(struct look *l, const char *root)
{
    *l = (struct look){.root = root ? root : "", .is_copy = root != NULL};
    find_processors(l);
    l->cores = cores_look(l->root, &l->processors);
    if (!l->is_copy)
        l->walls = walls_probe();
}

void look_end(struct look *l)
{
    cores_free(l->cores);
    walls_host_free(l->walls);
}

/* The quota. */

/* "200000 100000" of version 2; version 1 has two files. */
static double quota_in(const struct look *l, const char *group)
{
    char path[LOOK_PATH], text[64], *end;
    double quota, period;

    snprintf(path, sizeof path, "%.250s/cpu.max", group);
    look_text(l, path, text, sizeof text);
    quota = strtod(text, &end);
    period = strtod(end, NULL);
    if (!*text) {
        snprintf(path, sizeof path, "%.250s/cpu.cfs_quota_us", group);
        quota = (double)look_number(l, path, -1);
        snprintf(path, sizeof path, "%.250s/cpu.cfs_period_us", group);
        period = (double)look_number(l, path, 0);
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

static void take_less(double *least, double quota)
{
    if (quota > 0 && (*least == 0 || quota < *least))
        *least = quota;
}

/* Our group and its ancestors. */
static double quota_above(const struct look *l, const char *top,
                          const char *place)
{
    char group[LOOK_PATH];
    double least = 0;
    char *slash;

    snprintf(group, sizeof group, "%s%.200s", top, place);
    do {
        take_less(&least, quota_in(l, group));
        slash = strrchr(group, '/');
        if (slash)
            *slash = '\0';
    } while (slash && strlen(group) >= strlen(top));
    return least;
}

/* Is "cpu" among "cpu,cpuacct"? */
static bool is_of_cpu(const char *list)
{
    return strncmp(list, "cpu", 3) == 0 && (list[3] == ',' || list[3] == '\0');
}

/* "4:cpu,cpuacct:/docker/17" and "0::/user.slice". */
double look_quota(const struct look *l)
{
    char text[4096], *rest = text, *line;
    double least = 0;

    look_raw(l, "/proc/self/cgroup", text, sizeof text);
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *place = line;
        const char *list;

        strsep(&place, ":");
        list = place ? strsep(&place, ":") : NULL;
        if (!place)
            continue;
        if (!*list) {
            take_less(&least, quota_above(l, "/sys/fs/cgroup", place));
            take_less(&least, quota_above(l, "/sys/fs/cgroup/unified", place));
        } else if (is_of_cpu(list)) {
            take_less(&least, quota_above(l, "/sys/fs/cgroup/cpu", place));
        }
    }
    return least;
}
