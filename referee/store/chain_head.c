#include "store/chain_head.h"

#include "base/text.h"
#include "store/disk.h"

#include <stdio.h>
#include <string.h>

/* Of a file, in which its last record should end. */
enum { END_BYTES = 64 * 1024 };

/* Those that are not later are not even verified. */
static bool is_later(const struct chain *chain, const struct seal *s,
                     const uint8_t key[SEAL_KEY_BYTES])
{
    return memcmp(s->key, key, sizeof s->key) == 0 &&
           s->number > chain->number &&
           (!chain->name[0] || strcmp(s->chain, chain->name) == 0) &&
           seal_holds(s);
}

/* From the end, where the latest one should be. */
void chain_look(struct chain *chain, const char *bytes, size_t len,
                const uint8_t key[SEAL_KEY_BYTES])
{
    struct seal s;

    for (; len > 0; len--)
        if (bytes[len - 1] == '\n' && seal_find(&s, bytes, len) &&
            is_later(chain, &s, key)) {
            memcpy(chain->name, s.chain, sizeof chain->name);
            chain_add(chain, &s);
        }
}

bool chain_head(struct chain *chain, const char *folder,
                const uint8_t key[SEAL_KEY_BYTES], struct err *err)
{
    struct disk_names names = {0};
    char path[DISK_PATH_MAX];
    struct buf text;
    bool ok;

    chain->number = 0;
    memset(chain->link, 0, sizeof chain->link);
    if (!disk_is_folder(folder))
        return true;
    buf_init(&text, END_BYTES);
    ok = disk_list(folder, ".rec", &names, err);
    for (size_t i = 0; ok && i < names.count; i++) {
        long long size, from;

        text_join(path, sizeof path, folder, "/", names.name[i], ".rec", NULL);
        size = disk_size(path);
        if (size <= 0)
            continue;
        from = size > END_BYTES ? size - END_BYTES : 0;
        buf_reset(&text);
        ok = disk_read_part(path, from, END_BYTES, &text, err);
        if (ok && text.len > 0)
            chain_look(chain, text.text, text.len, key);
    }
    buf_release(&text);
    disk_names_free(&names);
    return ok;
}
