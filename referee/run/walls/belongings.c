/* What a bot may read because it belongs to its command. */

#include "base/text.h"
#include "run/walls/host.h"
#include "run/walls/walls.h"

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 1024 };

static bool is_below(const char *path, const char *top)
{
    size_t n = strlen(top);

    return strncmp(path, top, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

bool walls_can_read(const struct walls *w, const char *path)
{
    char real[PATH_MAX], top[PATH_MAX];

    if (w->wall < WALL_LANDLOCK || !realpath(path, real))
        return w->wall < WALL_LANDLOCK;
    for (int i = 0; i < w->readable_count; i++)
        if (realpath(w->readable[i], top) && is_below(real, top))
            return true;
    for (const char *const *s = w->host->system; *s; s++)
        if (realpath(*s, top) && is_below(real, top))
            return true;
    return false;
}

/* Can other users enter all folders above, and read it? */
static bool is_open_to_all(const char *path)
{
    char part[PATH_MAX];
    struct stat st;

    snprintf(part, sizeof part, "%s", path);
    if (stat(part, &st) == -1 || !(st.st_mode & S_IROTH))
        return false;
    for (char *at = strrchr(part, '/'); at && at > part;
         at = strrchr(part, '/')) {
        *at = '\0';
        if (stat(part, &st) == -1 || !(st.st_mode & S_IXOTH))
            return false;
    }
    return true;
}

bool walls_allow(struct walls *w, const char *path, struct pool *pool,
                 struct err *err)
{
    char real[PATH_MAX];

    if (!realpath(path, real) || strcmp(real, "/") == 0)
        return fail(err, "%.200s cannot be the folder of a bot with walls",
                    path);
    for (const char *const *s = w->host->system; *s; s++)
        if (is_below(real, *s) && is_below(path, *s))
            return true;
    for (int i = 0; i < w->readable_count; i++)
        if (is_below(path, w->readable[i]) && is_below(real, w->readable[i]))
            return true;
    if (w->readable_count + 2 >= WALLS_PATHS_MAX)
        return fail(err, "more than %d files and folders to be read",
                    WALLS_PATHS_MAX - 2);
    w->is_hidden |= !is_open_to_all(real);
    w->readable[w->readable_count++] = pool_text(pool, real);
    if (path[0] == '/' && strcmp(path, real) != 0)
        w->readable[w->readable_count++] = pool_text(pool, path);
    return true;
}

/* A folder for everybody, such as /tmp. */
static bool is_shared(const char *folder)
{
    static const char *const shared[] = {"/",     "/tmp", "/var/tmp", "/home",
                                         "/root", "/opt", "/srv"};
    const char *home = getenv("HOME");

    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strcmp(folder, shared[i]) == 0)
            return true;
    return home && strcmp(folder, home) == 0;
}

/* A file together with its folder, because it may need the files beside it. */
static bool allow_file(struct walls *w, const char *path, struct pool *pool,
                       struct err *err)
{
    char copy[PATH_MAX], *folder;

    snprintf(copy, sizeof copy, "%s", path);
    folder = dirname(copy);
    return walls_allow(w, path, pool, err) &&
           (is_shared(folder) || walls_allow(w, folder, pool, err));
}

/* ~/.pyenv/shims/python3: all of ~/.pyenv. */
static bool allow_program(struct walls *w, const char *path, struct pool *pool,
                          struct err *err)
{
    static const char *const usual[] = {"/bin", "/sbin", "/shims", "/libexec"};
    char copy[PATH_MAX], *folder;

    snprintf(copy, sizeof copy, "%s", path);
    folder = dirname(copy);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        size_t n = strlen(folder), m = strlen(usual[i]);

        if (n <= m || strcmp(folder + n - m, usual[i]) != 0)
            continue;
        folder[n - m] = '\0';
        if (!is_shared(folder))
            return walls_allow(w, folder, pool, err);
    }
    return allow_file(w, path, pool, err);
}

/*
 * venv/bin/python, jdk-17/bin/java, .pyenv/shims/python3: an interpreter that
 * needs the files installed with it, not a bot that happens to be in bin/.
 */
static bool is_installed(const char *program)
{
    static const char *const witness[] = {"/../pyvenv.cfg", "/../lib",
                                          "/../libexec", "/../versions"};
    char copy[PATH_MAX], path[PATH_MAX + 32];
    const char *folder;

    snprintf(copy, sizeof copy, "%s", program);
    folder = dirname(copy);
    for (size_t i = 0; i < sizeof witness / sizeof *witness; i++) {
        snprintf(path, sizeof path, "%s%s", folder, witness[i]);
        if (access(program, X_OK) == 0 && access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* Where PATH finds a program. */
static bool find_program(const char *name, char *path, size_t size)
{
    const char *dirs = getenv("PATH");

    while (dirs && *dirs) {
        size_t n = strcspn(dirs, ":");

        if (n + strlen(name) + 2 > size)
            return false;
        text_join(path, n + 1, dirs, NULL);
        text_join(path + n, size - n, "/", name, NULL);
        if (access(path, X_OK) == 0)
            return true;
        dirs += n + (dirs[n] == ':');
    }
    return false;
}

static bool allow_word(struct walls *w, const char *word, size_t len,
                       const char *directory, struct pool *pool,
                       struct err *err);

/* "#!/usr/bin/env python3" */
static bool allow_interpreter(struct walls *w, const char *path,
                              struct pool *pool, struct err *err)
{
    char head[256] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd == -1 ? -1 : read(fd, head, sizeof head - 1);
    const char *at = head + 2;

    if (fd != -1)
        close(fd);
    if (n < 3 || head[0] != '#' || head[1] != '!')
        return true;
    head[strcspn(head, "\r\n")] = '\0';
    while (*(at += strspn(at, " \t"))) {
        size_t len = strcspn(at, " \t");

        if (!allow_word(w, at, len, NULL, pool, err))
            return false;
        at += len;
    }
    return true;
}

/* Allow what a word names: a file, a folder or a program. */
static bool allow_word(struct walls *w, const char *word, size_t len,
                       const char *directory, struct pool *pool,
                       struct err *err)
{
    bool below = directory && word[0] != '/';
    char path[PATH_MAX], program[PATH_MAX], name[NAME_BYTES];
    struct stat st;

    if (len == 0 || len >= sizeof name)
        return true;
    text_join(name, len + 1, word, NULL);
    text_join(path, sizeof path, below ? directory : "", below ? "/" : "", name,
              NULL);
    /* the folder of "java -cp java Bot" has the name of a program */
    if (!strchr(name, '/') && find_program(name, program, sizeof program) &&
        !allow_program(w, program, pool, err))
        return false;
    if (stat(path, &st) == -1)
        return true;
    if (S_ISDIR(st.st_mode))
        return is_shared(path) || walls_allow(w, path, pool, err);
    if (is_installed(path))
        return allow_program(w, path, pool, err);
    return allow_file(w, path, pool, err) &&
           allow_interpreter(w, path, pool, err);
}

bool walls_allow_command(struct walls *w, char *const *argv,
                         const char *directory, struct pool *pool,
                         struct err *err)
{
    static const char gaps[] = " \t;&|<>(){}`'\":=,";

    for (; *argv; argv++) {
        const char *at = *argv;

        if (!allow_word(w, at, strlen(at), directory, pool, err))
            return false;
        while (*(at += strspn(at, gaps))) {
            size_t len = strcspn(at, gaps);

            if (!allow_word(w, at, len, directory, pool, err))
                return false;
            at += len;
        }
    }
    return true;
}
