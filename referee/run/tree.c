#include "run/tree.h"

#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = 0;

    if (fd != -1) {
        n = read(fd, text, size - 1);
        close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
}

/*
 * Take all numbers that are followed by a blank, and leave the rest. A number
 * at the cut-off end of a buffer may be incomplete.
 */
static size_t take_pids(struct tree *tree, char *text)
{
    const char *at = text, *left = text;
    int pid;

    while (take_int(&at, 2, INT_MAX, &pid) && take_char(&at, ' ')) {
        if (tree->count < TREE_MAX)
            tree->pid[tree->count++] = (pid_t)pid;
        left = at;
    }
    memmove(text, left, strlen(left) + 1);
    return strlen(text);
}

/* The children of one thread, as the kernel lists them: "12 34 ". */
static void add_children_of(struct tree *tree, pid_t pid, const char *thread)
{
    char path[64], text[4096];
    size_t left = 0;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/task/%.16s/children", (int)pid,
             thread);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd != -1 &&
           (n = read(fd, text + left, sizeof text - 1 - left)) > 0) {
        text[left + (size_t)n] = '\0';
        left = take_pids(tree, text);
    }
    if (fd != -1)
        close(fd);
}

void tree_add_children(struct tree *tree, pid_t parent)
{
    char path[32];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    dir = opendir(path);
    while (dir && (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            add_children_of(tree, parent, entry->d_name);
    if (dir)
        closedir(dir);
}

void tree_look(struct tree *tree, pid_t root)
{
    tree->count = 0;
    tree_add_children(tree, root);
    for (int i = 0; i < tree->count && tree->count < TREE_MAX; i++)
        tree_add_children(tree, tree->pid[i]);
}

static void signal_from(const struct tree *tree, int first, int number)
{
    for (int i = first; i < tree->count; i++)
        kill(tree->pid[i], number);
}

void tree_signal(const struct tree *tree, int number)
{
    signal_from(tree, 0, number);
}

void tree_end(struct tree *tree, int max)
{
    tree_signal(tree, SIGSTOP);
    for (int i = 0; i < tree->count && tree->count < max; i++) {
        int found = tree->count;

        tree_add_children(tree, tree->pid[i]);
        signal_from(tree, found, SIGSTOP);
    }
    tree_signal(tree, SIGKILL);
}
