/* The bots of a worker: each pack once, by its digest, which is checked. */

#include "many/worker_state.h"

#include "base/sha256.h"
#include "base/text.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PACK_MAX = 256 << 20 };

static void root_of(const struct worker *w, const char *pack, char *path,
                    size_t size)
{
    snprintf(path, size, "%s/bots/%s", w->config->folder, pack);
}

const char *bots_root(const struct worker *w, const char *pack,
                      struct pool *pool)
{
    char path[WORKER_PATH_MAX], real[4096];

    if (!*pack)
        return NULL;
    root_of(w, pack, path, sizeof path);
    return pool_text(pool, realpath(path, real) ? real : path);
}

static bool is_digest(const char *pack)
{
    return strlen(pack) == HASH_HEX &&
           strspn(pack, "0123456789abcdef") == HASH_HEX;
}

/* Unpack beside it, then rename: it is complete or absent. */
static bool unpack(struct worker *w, const char *pack, const struct buf *bytes,
                   struct err *err)
{
    char path[WORKER_PATH_MAX], beside[WORKER_PATH_MAX + 16],
        file[WORKER_PATH_MAX + 16];
    bool ok;

    root_of(w, pack, path, sizeof path);
    snprintf(file, sizeof file, "%s.tar", path);
    snprintf(beside, sizeof beside, "%s.%d", path, (int)getpid());
    ok = disk_write(file, bytes->text, bytes->len, err) &&
         w->calls->unpack(w->owner, file, beside, err);
    if (ok && rename(beside, path) != 0 && !disk_is_folder(path))
        ok = fail_for_now(err, "%s cannot be created", path);
    unlink(file);
    return ok || fail_at(err, "the pack %.16s", pack);
}

static bool take_pack(struct slot *s, const char *pack, const struct buf *bytes,
                      struct err *err)
{
    uint8_t hash[SHA256_BYTES];
    char hex[HASH_HEX + 1];

    sha256_of(bytes->text, bytes->len, hash);
    text_hex(hex, hash, sizeof hash);
    if (strcmp(hex, pack) != 0)
        return fail(err,
                    "the pack %.16s.. in the database is damaged: its bytes "
                    "have the digest %.16s..",
                    pack, hex);
    return unpack(s->worker, pack, bytes, err);
}

/* The answer says which pack it is. */
static void on_pack(void *arg, const struct db_answer *a)
{
    struct slot *s = arg;
    struct buf bytes;
    struct err err;
    bool ok;

    s->fetching--;
    buf_init(&bytes, PACK_MAX);
    if (a->is_lost) {
        ok = fail(&err, "the database became unreachable while its bots "
                        "were being fetched");
    } else if (!a->rows) {
        ok = fail(&err, "%s", a->error);
    } else if (pg_count(a->rows) == 0) {
        ok = fail(&err, "a bot is not in the database");
    } else {
        pg_bytes(a->rows, 0, 1, &bytes);
        ok = take_pack(s, pg_text(a->rows, 0, 0), &bytes, &err);
    }
    buf_release(&bytes);
    if (!ok)
        slot_stop(s, err.text);
    else
        loop_later(&s->worker->loop, &s->next);
}

static bool has(const struct worker *w, const char *pack)
{
    char path[WORKER_PATH_MAX];

    root_of(w, pack, path, sizeof path);
    return disk_is_folder(path);
}

static void fetch(struct slot *s, const char *pack)
{
    const struct pg_value value = PG_TEXT(pack);

    s->fetching++;
    db_ask(s->worker->db,
           "SELECT digest, pack FROM referee.bots WHERE digest = $1", &value, 1,
           on_pack, s);
}

static bool is_asked_for(const struct slot *s, int member)
{
    for (int i = 0; i < member; i++)
        if (strcmp(s->order.member[i].pack, s->order.member[member].pack) == 0)
            return true;
    return false;
}

bool bots_need(struct slot *s, struct err *err)
{
    for (int i = 0; i < s->order.setup.seats; i++) {
        const char *pack = s->order.member[i].pack;

        if (!*pack)
            continue;
        if (!is_digest(pack))
            return fail(err, "\"%.70s\" is not the digest of a pack", pack);
        if (has(s->worker, pack) || is_asked_for(s, i))
            continue;
        if (!db_is_ready(s->worker->db))
            return fail(err, "the database is unreachable, and a bot is "
                             "missing");
        fetch(s, pack);
    }
    return s->fetching == 0;
}
