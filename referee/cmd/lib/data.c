#include "cmd/lib/data.h"

#include "cmd/lib/files.h"
#include "cmd/serve/config.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const struct data_ladder *find_ladder(const struct data_folder *data,
                                             const char *name)
{
    const struct data_ladder *ladder = data->ladders;

    while (ladder && strcmp(ladder->name, name) != 0)
        ladder = ladder->next;
    return ladder;
}

static void keep_anchor(struct data_folder *data, const char *name,
                        const char *anchor, double elo, int min_games)
{
    struct data_ladder *ladder = pool_take(&data->pool, sizeof *ladder);

    *ladder = (struct data_ladder){.name = pool_text(&data->pool, name),
                                   .anchor.elo = elo,
                                   .anchor.min_games = min_games,
                                   .next = data->ladders};
    snprintf(ladder->anchor.name, sizeof ladder->anchor.name, "%s", anchor);
    data->ladders = ladder;
}

static void keep_given(void *arg, const char *name, const char *anchor, int elo,
                       int min_games)
{
    keep_anchor(arg, name, anchor ? anchor : "", anchor ? elo : 0, min_games);
}

static bool keep_stored(void *arg, const struct index_ladder *row)
{
    if (!find_ladder(arg, row->name))
        keep_anchor(arg, row->name, row->anchor, row->anchor_elo, 0);
    return true;
}

/* Anchors that the file does not name stay as they were. An index that cannot
 * be read counts as empty; its readers report the error. */
static void learn_anchors(struct data_folder *data)
{
    struct err err;
    struct index *index = index_open(data->index, INDEX_READ, &err);
    struct data_ladder *given = data->ladders;

    if (index && !index_ladders(index, keep_stored, data, &err))
        data->ladders = given;
    index_close(index);
}

bool data_find(struct data_folder *data, const char *given, struct err *err)
{
    char *path;

    *data = (struct data_folder){0};
    path = disk_is_folder(given)
               ? strdup(given)
               : serve_config_data(given, keep_given, data, err);
    if (!path)
        return false;
    data->path = pool_text(&data->pool, path);
    data->index = index_in(data);
    free(path);
    if (!disk_is_folder(data->path)) {
        fail(err, "%s: its data folder %s does not exist", given, data->path);
        data_release(data);
        return false;
    }
    learn_anchors(data);
    return true;
}

static bool read_anchor(struct data_folder *data, const char *line)
{
    char ladder[64 + 1], name[32 + 1], rest;
    int elo = 0;
    int words = sscanf(line, "%64s %32s %6d %c", ladder, name, &elo, &rest);

    if (words != 1 && words != 3)
        return false;
    keep_anchor(data, ladder, words == 3 ? name : "", elo, 0);
    return true;
}

bool data_read_anchors(struct data_folder *data, const char *path,
                       struct err *err)
{
    struct buf text;
    bool ok;

    buf_init(&text, 1 << 20);
    ok = file_read(path, &text, err);
    for (char *line = text.text; ok && *line;) {
        char *feed = line + strcspn(line, "\n");
        bool is_last = *feed == '\0';

        *feed = '\0';
        if (!read_anchor(data, line))
            ok = fail(err,
                      "%s: \"%.60s\" should be LADDER NAME ELO, or LADDER for "
                      "none",
                      path, line);
        line = is_last ? feed : feed + 1;
    }
    buf_release(&text);
    return ok;
}

void data_release(struct data_folder *data)
{
    pool_release(&data->pool);
    *data = (struct data_folder){0};
}

struct rate_anchor data_anchor(const struct data_folder *data, const char *name)
{
    const struct data_ladder *ladder = find_ladder(data, name);

    return ladder ? ladder->anchor : (struct rate_anchor){0};
}
