#include "many/packs.h"

#include <string.h>

enum { LIST_MAX = 16 << 20, PACK_MAX = 256 << 20 };

void packs_init(struct packs *p, struct db *db, const struct packs_calls *calls,
                void *owner)
{
    *p = (struct packs){.db = db, .calls = calls, .owner = owner, .open = -1};
}

void packs_forget(struct packs *p)
{
    p->open = -1;
    p->needs_again = false;
}

static void pack_is_there(struct packs *p)
{
    if (--p->open == 0)
        p->calls->on_there(p->owner);
}

static void take_pack(void *arg, const struct db_answer *answer)
{
    struct packs *p = arg;

    if (answer->is_lost) {
        p->needs_again = true; /* check all of them again */
        return;
    }
    if (answer->error)
        p->calls->on_error(p->owner, answer->error);
    pack_is_there(p);
}

static const struct player *player_with(const struct packs *p, const char *pack)
{
    for (int i = 0; i < p->players; i++)
        if (p->player[i].luggage &&
            strcmp(p->player[i].luggage->pack, pack) == 0)
            return &p->player[i];
    return NULL;
}

static void put_pack(struct packs *p, const char *pack)
{
    const struct player *player = player_with(p, pack);
    struct pg_value values[2] = {PG_TEXT(pack)};
    struct buf bytes;
    struct err err;

    buf_init(&bytes, PACK_MAX);
    if (!player || !player->luggage->make_pack(player->luggage, &bytes, &err)) {
        if (player)
            p->calls->on_error(p->owner, err.text);
        pack_is_there(p);
    } else {
        values[1] = PG_BYTES(bytes.text, bytes.len);
        db_ask(p->db,
               "INSERT INTO referee.bots (digest, pack)"
               " SELECT $1, $2::bytea WHERE encode(sha256($2), 'hex') = $1"
               " ON CONFLICT DO NOTHING",
               values, 2, take_pack, p);
    }
    buf_release(&bytes);
}

/* The packs that the database lacks. */
static void take_missing(void *arg, const struct db_answer *answer)
{
    struct packs *p = arg;

    if (!answer->rows) {
        p->needs_again = true;
        if (!answer->is_lost)
            p->calls->on_error(p->owner, answer->error);
        return;
    }
    for (int i = 0; i < pg_count(answer->rows); i++) {
        p->open++;
        put_pack(p, pg_text(answer->rows, i, 0));
    }
    pack_is_there(p);
}

void packs_need(struct packs *p, const struct player *player, int players)
{
    struct pg_value value;
    struct buf list;

    p->player = player;
    p->players = players;
    p->needs_again = false;
    buf_init(&list, LIST_MAX);
    buf_char(&list, '{');
    for (int i = 0; i < players; i++)
        if (player[i].luggage && *player[i].luggage->pack)
            buf_add(&list, "%s%s", list.len > 1 ? "," : "",
                    player[i].luggage->pack);
    buf_char(&list, '}');
    value = PG_TEXT(list.text);
    p->open = 1;
    db_ask(p->db,
           "SELECT DISTINCT p FROM unnest($1::text[]) AS p WHERE NOT EXISTS"
           " (SELECT 1 FROM referee.bots b WHERE b.digest = p)",
           &value, 1, take_missing, p);
    buf_release(&list);
}
