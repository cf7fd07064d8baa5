#include "daemon/budget.h"

#include <fts.h>
#include <string.h>
#include <sys/stat.h>

/* "ID.NAME.log"; an id has no dots. */
static void count_file(struct budget *b, char *file, int64_t bytes)
{
    char *name = strchr(file, '.'), *end = strrchr(file, '.');

    if (!name || name == end || strcmp(end, ".log") != 0)
        return;
    *end = '\0';
    budget_charge(b, name + 1, bytes);
    *end = '.';
}

void budget_count(struct budget *b, const char *logs)
{
    char path[1024], *paths[] = {path, NULL};
    FTSENT *entry;
    FTS *tree;

    if (strlen(logs) >= sizeof path)
        return;
    strcpy(path, logs);
    tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    while (tree && (entry = fts_read(tree)) != NULL)
        if (entry->fts_info == FTS_F)
            count_file(b, entry->fts_name, entry->fts_statp->st_size);
    if (tree)
        fts_close(tree);
}

void budget_release(struct budget *b)
{
    accounts_release(&b->names);
}

void budget_charge(struct budget *b, const char *name, int64_t bytes)
{
    accounts_at(&b->names, accounts_of(&b->names, name))->log_bytes += bytes;
    b->all += bytes;
}

bool budget_allows(struct budget *b, const char *name, int64_t most,
                   int64_t most_in_all, bool *is_news)
{
    struct account *a = accounts_at(&b->names, accounts_of(&b->names, name));
    bool allows = a->log_bytes < most && b->all < most_in_all;

    *is_news = !allows && !a->lost_log;
    a->lost_log = !allows;
    return allows;
}
