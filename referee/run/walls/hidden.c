#include "run/walls/hidden.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
    SEEN_MAX = 64, /* different files without a name; more are too many */
    DESCRIPTORS_MAX = 8192,    /* that are looked at, of all processes */
    SOCKET_BYTES = 208 * 1024, /* as Linux has it for their buffers */
    PIPE_BYTES = 64 * 1024,
    PART_OF_LIMIT = 8,
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

/* The same file is often open several times. */
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

static void look_at_descriptors(struct search *s, pid_t pid)
{
    const struct dirent *entry;
    char path[64];
    struct stat st;
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    dir = opendir(path);
    while (dir && s->descriptors++ < DESCRIPTORS_MAX &&
           (entry = readdir(dir)) != NULL)
        if (fstatat(dirfd(dir), entry->d_name, &st, 0) == 0)
            count_open(s, &st);
    if (dir)
        closedir(dir);
}

/* "7f0-7f1 r--s 00000000 fe:00 1234  /tmp/referee-1/x (deleted)" */
static void look_at_map(struct search *s, char *line)
{
    static const char gone[] = " (deleted)";
    size_t len = strcspn(line, "\n"), scratch = strlen(s->scratch);
    unsigned major, minor;
    unsigned long inode;
    const char *name = strchr(line, '/');
    bool in_memory;

    line[len] = '\0';
    if (!name || len < sizeof gone ||
        strcmp(line + len - sizeof gone + 1, gone) != 0 ||
        sscanf(line, "%*s %*s %*s %x:%x %lu", &major, &minor, &inode) != 3)
        return;
    in_memory = strncmp(name, "/memfd:", 7) == 0;
    if (!in_memory && (!scratch || strncmp(name, s->scratch, scratch) != 0))
        return;
    if (!is_new(s, makedev(major, minor), inode))
        return;
    if (in_memory)
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
