/* Write the last games of the list as a page that the list links to. */

#include "cmd/ladder/view.h"
#include "cmd/lib/pages.h"
#include "store/archive.h"
#include "store/report.h"

enum { USUAL = 20 };

/* A ladder comes without its games; a bot includes them. */
static bool add_played(struct index *index, json_t *one, int limit,
                       struct err *err)
{
    struct index_page which = {.ladder = view_text(one, "ladder"),
                               .limit = limit ? limit : USUAL};
    json_t *played;

    if (view_has(one, "played"))
        return true;
    played = report_games(index, &which, err);
    if (played)
        json_object_set_new(one, "played", played);
    return played != NULL;
}

static bool add_pages(struct page *page, const char *folder,
                      const json_t *games, struct err *err)
{
    const json_t *game;
    struct buf text;
    bool ok = true;
    size_t i;

    buf_init(&text, RECORD_FILE_MAX);
    json_array_foreach(games, i, game)
    {
        const char *place = view_text(game, "record");

        buf_reset(&text);
        if (ok && *place)
            ok = location_read(folder, place, &text, err) &&
                 pages_add(page, view_text(game, "id"), 0, &text, err);
    }
    buf_release(&text);
    return ok;
}

bool ladder_replays(struct index *index, const char *folder, json_t *list,
                    int limit, const char *path, struct err *err)
{
    struct page page;
    json_t *one;
    bool ok = true;
    size_t i;

    page_init(&page);
    json_array_foreach(list, i, one)
    {
        ok = ok && add_played(index, one, limit, err) &&
             add_pages(&page, folder, json_object_get(one, "played"), err);
    }
    ok = ok && (page_count(&page) == 0 || pages_save(&page, path, err));
    page_release(&page);
    return ok;
}
