#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);

    insist(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static char folder[] = "/dev/shm/referee-fuzz-XXXXXX";
static bool is_made;

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *where)
{
    return remove(path);
}

static void remove_all(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    if (!is_made) {
        insist(mkdtemp(folder) != NULL);
        is_made = true;
        atexit(remove_all);
    }
    return folder;
}

const char *fuzz_path(const char *name)
{
    static char path[sizeof folder + 128];

    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    return path;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    const char *path = fuzz_path(name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    insist(fd != -1 && write(fd, data, size) == (ssize_t)size);
    close(fd);
    return path;
}
