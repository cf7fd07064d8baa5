#include "cmd/data.h"

#include "cmd/serve_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A ladder whose anchor is known. */
struct data_ladder {
    const char *name;
    struct rate_anchor anchor;
    struct data_ladder *next;
};

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static const char *index_in(struct data_folder *data)
{
    struct buf path;
    const char *copy;

    buf_init(&path, strlen(data->path) + sizeof "/index.db");
    buf_add(&path, "%s/index.db", data->path);
    copy = pool_text(&data->pool, path.text);
    buf_release(&path);
    return copy;
}

static bool keep_anchor(void *arg, const struct index_ladder *row)
{
    struct data_folder *data = arg;
    struct data_ladder *ladder = pool_take(&data->pool, sizeof *ladder);

    *ladder = (struct data_ladder){.name = pool_text(&data->pool, row->name),
                                   .anchor.elo = row->anchor_elo,
                                   .next = data->ladders};
    snprintf(ladder->anchor.name, sizeof ladder->anchor.name, "%s",
             row->anchor);
    data->ladders = ladder;
    return true;
}

/* An index that cannot be read knows none, and others will complain. */
static void learn_anchors(struct data_folder *data)
{
    struct err err;
    struct index *index = index_open(data->index, INDEX_READ, &err);

    if (index && !index_ladders(index, keep_anchor, data, &err))
        data->ladders = NULL;
    index_close(index);
}

bool data_find(struct data_folder *data, const char *given, struct err *err)
{
    bool has_config = !is_folder(given);
    char *path = has_config ? serve_config_data(given, err) : strdup(given);

    *data = (struct data_folder){0};
    if (!path)
        return false;
    data->path = pool_text(&data->pool, path);
    data->index = index_in(data);
    free(path);
    if (!is_folder(data->path)) {
        fail(err, "%s: its data folder %s is not there", given, data->path);
        data_release(data);
        return false;
    }
    learn_anchors(data);
    return true;
}

void data_release(struct data_folder *data)
{
    pool_release(&data->pool);
    *data = (struct data_folder){0};
}

struct rate_anchor data_anchor(const struct data_folder *data,
                               const char *ladder)
{
    for (const struct data_ladder *l = data->ladders; l; l = l->next)
        if (strcmp(l->name, ladder) == 0)
            return l->anchor;
    return (struct rate_anchor){0};
}
