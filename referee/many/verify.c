#include "many/verify.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_BYTES_MAX = 1 << 20 };

/* Keys. */

static bool take_key(struct worker_keys *keys, const char *path, int line,
                     const char *text, struct err *err)
{
    char hex[SEAL_KEY_HEX + 1];

    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return true;
    snprintf(hex, sizeof hex, "%s", text);
    keys->key =
        must_resize(keys->key, (size_t)keys->count + 1, sizeof *keys->key);
    if (strcspn(text, " \t\r") != SEAL_KEY_HEX ||
        !text_unhex(keys->key[keys->count], SEAL_KEY_BYTES, hex))
        return fail(err,
                    "%s:%d: must be a public key, 64 hex digits as \"referee "
                    "key\" prints them, not \"%.70s\"",
                    path, line, text);
    keys->count++;
    return true;
}

bool worker_keys_read(struct worker_keys *keys, const char *path,
                      struct err *err)
{
    struct buf text;
    char *at, *line;
    int number = 0;
    bool ok;

    *keys = (struct worker_keys){0};
    buf_init(&text, KEYS_BYTES_MAX);
    ok = disk_read(path, &text, err);
    at = text.text;
    while (ok && at && (line = strsep(&at, "\n")) != NULL)
        ok = take_key(keys, path, ++number, line, err);
    buf_release(&text);
    if (!ok)
        worker_keys_free(keys);
    return ok;
}

void worker_keys_free(struct worker_keys *keys)
{
    free(keys->key);
    *keys = (struct worker_keys){0};
}

static bool knows(const struct worker_keys *keys,
                  const uint8_t key[SEAL_KEY_BYTES])
{
    for (int i = 0; i < keys->count; i++)
        if (memcmp(keys->key[i], key, SEAL_KEY_BYTES) == 0)
            return true;
    return false;
}

/* Records. */

void verifier_init(struct verifier *v, const struct worker_keys *keys)
{
    v->keys = keys;
    replay_init(&v->replay);
    buf_init(&v->copy, RECORD_FILE_MAX);
}

void verifier_release(struct verifier *v)
{
    replay_release(&v->replay);
    buf_release(&v->copy);
}

size_t record_without_seal(const char *record, size_t len)
{
    struct seal seal;

    if (!seal_find(&seal, record, len))
        return len;
    while (len > 1 && record[len - 2] != '\n')
        len--;
    return len - 1;
}

static bool is_signed(const struct verifier *v, struct err *why)
{
    char hex[SEAL_KEY_HEX + 1];

    if (!v->replay.record.has_seal)
        return fail(why, "it is not signed");
    if (knows(v->keys, v->replay.seal.key))
        return true;
    text_hex(hex, v->replay.seal.key, SEAL_KEY_BYTES);
    return fail(
        why, "it is signed by %s, which is not the key of a known worker", hex);
}

/* "name=anna digest=5f.." */
static bool has_value(const char *line, const char *key, const char *value)
{
    size_t len = 0;
    const char *at = line ? about_find(line, key, &len) : NULL;

    return at && len == strlen(value) && memcmp(at, value, len) == 0;
}

static bool has_time(const char *line, const struct time_control *time)
{
    struct buf text;
    bool same;

    buf_init(&text, 256);
    time_control_write(time, &text);
    same = line && strcmp(line, text.text) == 0;
    buf_release(&text);
    return same;
}

static bool has_right_seats(const struct replay *r, const struct order *o,
                            int part, struct err *why)
{
    for (int i = 0; i < o->setup.seats; i++) {
        const struct order_member *m =
            &o->member[group_rotate(o->setup.seats, o->first + part, i)];

        if (!has_value(r->record.seat[i], "name", m->name))
            return fail(why, "seat %d does not belong to %s", i + 1, m->name);
        if (!has_value(r->record.seat[i], "digest", m->digest))
            return fail(why, "%s has another digest than the one ordered",
                        m->name);
        if (!has_time(r->record.time[i], &m->time))
            return fail(why,
                        "%s has another time control than the one "
                        "ordered",
                        m->name);
    }
    return true;
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool has_right_setup(const struct replay *r, const struct order *o,
                            struct err *why)
{
    if (r->record.game != o->game || r->record.setup.seats != o->setup.seats)
        return fail(why, "it is not the game that was ordered");
    for (int i = 0; o->game->options && o->game->options[i].name; i++)
        if (!is_same(setup_option(o->game, &r->record.setup, i),
                     setup_option(o->game, &o->setup, i)))
            return fail(why, "its %s is not the one ordered",
                        o->game->options[i].name);
    return true;
}

/* The deal follows from the ordered seed, and from what seats added. */
static bool has_right_deal(const struct replay *r, const struct order *o,
                           struct err *why)
{
    uint8_t mixed[SEED_BYTES];
    struct buf deal;
    bool same;

    if (!o->game->deal)
        return true;
    seed_mix(o->seed, r->record.entropy, mixed);
    buf_init(&deal, DEAL_TEXT_MAX);
    game_deal(o->game, &o->setup, mixed, &deal);
    same = r->record.deal && strcmp(r->record.deal, deal.text) == 0;
    buf_release(&deal);
    return same || fail(why, "its deal is not the one ordered");
}

/* "id=.. event=..", followed by what the worker adds. */
static bool has_right_about(const struct replay *r, const struct order *o,
                            int part, struct err *why)
{
    const char *want = order_about(o, part), *is = r->record.about;
    size_t len = strlen(want);

    return (is && strncmp(is, want, len) == 0 && is[len] == ' ') ||
           fail(why, "it is not the record of game %s", order_id(o, part));
}

static bool is_over(const struct replay *r, struct err *why)
{
    const char *lacks = replay_lacks(r);

    if (r->status != REPLAY_FINISHED && r->status != REPLAY_VOID)
        return fail(why, "its game is not over");
    if (r->record.cut || lacks)
        return fail(why, "%s", lacks ? lacks : "its last line is cut off");
    return r->record.told || r->status == REPLAY_VOID ||
           fail(why, "it does not have its events");
}

bool verify_part(struct verifier *v, const struct order *o, int part,
                 const char *record, size_t len, struct err *why)
{
    const struct replay *r = &v->replay;

    buf_reset(&v->copy);
    buf_put(&v->copy, record, len);
    return replay_open(&v->replay, order_id(o, part), v->copy.text, v->copy.len,
                       why) &&
           replay_all(&v->replay, why) && is_over(r, why) &&
           is_signed(v, why) && has_right_about(r, o, part, why) &&
           has_right_setup(r, o, why) && has_right_seats(r, o, part, why) &&
           has_right_deal(r, o, why);
}
