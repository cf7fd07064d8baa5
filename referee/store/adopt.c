#include "store/adopt.h"

#include "store/disk.h"

#include <stdio.h>
#include <string.h>

enum { MARK = 8 }; /* letters of a hash */

/* The line `hash`, which every record that is over has at its end. "" if it
 * cannot be read. */
static void hash_at(const char *data, const char *location,
                    char hash[HASH_HEX + 1])
{
    static const char word[] = "\nhash ";
    const char *at, *next;
    struct buf text;
    struct err why;

    hash[0] = '\0';
    buf_init(&text, RECORD_FILE_MAX);
    if (location_read(data, location, &text, &why)) {
        for (at = text.text; (next = strstr(at, word)) != NULL; at = next)
            next += strlen(word);
        snprintf(hash, HASH_HEX + 1, "%.*s", (int)strcspn(at, "\n"), at);
    }
    buf_release(&text);
}

/* Of the one that has the id. */
static bool hash_of_other(struct index *index, const char *data, const char *id,
                          char hash[HASH_HEX + 1], struct err *err)
{
    char location[DISK_PATH_MAX];

    if (!index_path(index, id, location, sizeof location, err))
        return false;
    hash_at(data, location, hash);
    return true;
}

static void mark_id(struct game_summary *game, const char *hash)
{
    char id[sizeof game->id];

    snprintf(id, sizeof id, "%.*s-%.*s", MARK, hash, (int)sizeof id - MARK - 2,
             game->id);
    strcpy(game->id, id);
}

bool adopt_record(struct index *index, const char *data,
                  struct game_summary *game, const char *location, bool *is_new,
                  struct err *err)
{
    char hash[HASH_HEX + 1], other[HASH_HEX + 1];

    if (!index_add(index, game, location, is_new, err))
        return false;
    if (*is_new)
        return true;
    hash_at(data, location, hash);
    if (!hash_of_other(index, data, game->id, other, err))
        return false;
    if (strcmp(hash, other) == 0)
        return true;
    mark_id(game, hash);
    return index_add(index, game, location, is_new, err);
}
