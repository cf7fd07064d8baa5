#include "run/walls/hidden.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
    SEEN_MAX = 64, /* different files without a name; more are too many */
    DESCRIPTORS_MAX = 8192,    /* that are looked at, of all processes */
    SOCKET_BYTES = 208 * 1024, /* as Linux has it for their buffers */
    PIPE_BYTES = 64 * 1024,
    PART_OF_LIMIT = 8,
    TABLES_MAX = 64, /* of descriptors, in one process */
};

struct search {
    struct hidden found;
    const char *scratch;
    int64_t scratch_max, memory_max;
    dev_t disk; /* of the scratch folder */
    struct {
        dev_t dev;
        ino_t ino;
    } seen[SEEN_MAX];
    int count;
    int descriptors;
};

/* Count a file once, because it is often open several times. */
static bool is_new(struct search *s, dev_t dev, ino_t ino)
{
    for (int i = 0; i < s->count; i++)
        if (s->seen[i].ino == ino && s->seen[i].dev == dev)
            return false;
    if (s->count == SEEN_MAX) {
        s->found.disk_bytes = s->scratch_max + 1;
        return false;
    }
    s->seen[s->count].dev = dev;
    s->seen[s->count++].ino = ino;
    return true;
}

/*
 * "scm_fds: 2": descriptors in transit through a socket, which no process has
 * at the moment.
 */
static bool has_luggage(const char *folder, const char *name)
{
    char path[128], text[512];
    const char *at;

    snprintf(path, sizeof path, "%sinfo/%.16s", folder, name);
    read_text(path, text, sizeof text);
    at = strstr(text, "scm_fds:");
    return at && strtol(at + 8, NULL, 10) > 0;
}

static void count_open(struct search *s, const struct stat *st)
{
    int64_t bytes = (int64_t)st->st_blocks * 512;

    if (S_ISSOCK(st->st_mode))
        s->found.memory_bytes += SOCKET_BYTES;
    else if (S_ISFIFO(st->st_mode))
        s->found.memory_bytes += PIPE_BYTES;
    else if (S_ISREG(st->st_mode) && st->st_nlink == 0 &&
             is_new(s, st->st_dev, st->st_ino))
        *(*s->scratch && st->st_dev == s->disk ? &s->found.disk_bytes
                                               : &s->found.memory_bytes) +=
            bytes;
}

/* "17 (name) Z ...": a thread that has ended has nothing to hide. */
static bool has_ended(const char *folder)
{
    char path[128], text[512];
    const char *end;

    snprintf(path, sizeof path, "%.*sstat", (int)strlen(folder) - 2, folder);
    read_text(path, text, sizeof text);
    end = strrchr(text, ')');
    return !end || end[1] != ' ' || end[2] == 'Z' || end[2] == 'X';
}

/*
 * One table of descriptors, /proc/1/task/1/fd. If it cannot be read although
 * the process belongs to our bot, something is hidden, unless the process has
 * ended meanwhile.
 */
static void look_at_table(struct search *s, const char *folder)
{
    const struct dirent *entry;
    struct stat st;
    DIR *dir = opendir(folder);

    s->found.is_hiding |= !dir && errno == EACCES && !has_ended(folder);
    while (dir && s->descriptors++ < DESCRIPTORS_MAX &&
           (entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (fstatat(dirfd(dir), entry->d_name, &st, 0) == -1) {
            s->found.is_hiding |= errno == EACCES;
            continue;
        }
        count_open(s, &st);
        s->found.is_hiding |=
            S_ISSOCK(st.st_mode) && has_luggage(folder, entry->d_name);
    }
    if (dir)
        closedir(dir);
}

/*
 * Threads nearly always share their descriptors. If the kernel cannot compare
 * them, assume that they do.
 */
static bool has_own_table(pid_t thread, const pid_t *seen, int count)
{
    for (int i = 0; i < count; i++)
        if (syscall(SYS_kcmp, thread, seen[i], KCMP_FILES, 0, 0) < 1)
            return false;
    return true;
}

static void look_at_descriptors(struct search *s, pid_t pid)
{
    const struct dirent *entry;
    pid_t seen[TABLES_MAX];
    int count = 0;
    char path[64];
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)) != NULL) {
        pid_t thread = (pid_t)atoi(entry->d_name);

        if (thread <= 0 || !has_own_table(thread, seen, count))
            continue;
        if (count == TABLES_MAX) {
            s->found.is_hiding = true;
            break;
        }
        seen[count++] = thread;
        snprintf(path, sizeof path, "/proc/%d/task/%d/fd", (int)pid,
                 (int)thread);
        look_at_table(s, path);
    }
    if (dir)
        closedir(dir);
}

/*
 * Shared memory. Its pages may be in no process if the bot has let go of them,
 * so count the whole mapping.
 */
static void count_shared(struct search *s, const char *line)
{
    unsigned long from, to;
    int64_t least = s->memory_max / PART_OF_LIMIT;

    if (sscanf(line, "%lx-%lx", &from, &to) == 2)
        s->found.memory_bytes +=
            (int64_t)(to - from) > least ? (int64_t)(to - from) : least;
}

/* "7f0-7f1 r--s 00000000 fe:00 1234  /tmp/referee-1/x (deleted)" */
static void look_at_map(struct search *s, char *line)
{
    static const char gone[] = " (deleted)";
    size_t len = strcspn(line, "\n"), scratch = strlen(s->scratch);
    unsigned major, minor;
    unsigned long inode;
    const char *name = strchr(line, '/');
    bool in_memory, is_shared;

    line[len] = '\0';
    if (!name || len < sizeof gone ||
        strcmp(line + len - sizeof gone + 1, gone) != 0 ||
        sscanf(line, "%*s %*s %*s %x:%x %lu", &major, &minor, &inode) != 3)
        return;
    in_memory = strncmp(name, "/memfd:", 7) == 0;
    is_shared = strncmp(name, "/dev/zero ", 10) == 0;
    if (!in_memory && !is_shared &&
        (!scratch || strncmp(name, s->scratch, scratch) != 0))
        return;
    if (!is_new(s, makedev(major, minor), inode))
        return;
    if (is_shared)
        count_shared(s, line);
    else if (in_memory)
        s->found.memory_bytes += s->memory_max / PART_OF_LIMIT;
    else
        s->found.disk_bytes += s->scratch_max / PART_OF_LIMIT;
}

static void look_at_maps(struct search *s, pid_t pid)
{
    char path[64], line[1024];
    FILE *maps;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps))
        look_at_map(s, line);
    if (maps)
        fclose(maps);
}

struct hidden hidden_look(const struct tree *tree, const char *scratch,
                          int64_t scratch_max, int64_t memory_max)
{
    struct search s = {.scratch = scratch,
                       .scratch_max = scratch_max,
                       .memory_max = memory_max};
    struct stat st;

    if (*scratch && stat(scratch, &st) == 0)
        s.disk = st.st_dev;
    for (int i = 0; i < tree->count; i++) {
        look_at_descriptors(&s, tree->pid[i]);
        look_at_maps(&s, tree->pid[i]);
    }
    if (s.descriptors >= DESCRIPTORS_MAX)
        s.found.memory_bytes = memory_max + 1;
    return s.found;
}
