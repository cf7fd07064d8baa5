#include "store/index_check.h"

#include "store/disk.h"

#include <stdio.h>
#include <string.h>

struct audit {
    const char *data;
    char last[LOCATION_MAX + 1]; /* they are sorted by it */
    index_say *say;
    void *arg;
    int wrong;
};

static bool look_at(void *arg, const char *id, const char *path)
{
    struct audit *a = arg;
    struct err why;

    if (strcmp(path, a->last) == 0)
        fail(&why, "its record belongs to another game: %.200s", path);
    else if (!location_exists(a->data, path))
        fail(&why, "it has no record: %.200s", path);
    else {
        snprintf(a->last, sizeof a->last, "%s", path);
        return true;
    }
    a->wrong++;
    a->say(a->arg, id, why.text);
    return true;
}

bool index_check(const char *data, index_say *say, void *arg, int *wrong,
                 struct err *err)
{
    struct audit audit = {.data = data, .say = say, .arg = arg};
    char path[DISK_PATH_MAX];
    struct index *index;
    bool ok;

    snprintf(path, sizeof path, "%s/index.db", data);
    index = index_open(path, INDEX_READ, err);
    ok = index && index_places(index, look_at, &audit, err);
    index_close(index);
    *wrong = audit.wrong;
    return ok;
}
