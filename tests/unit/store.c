#include "store.h"

#include "base/text.h"

#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *scratch_new(void)
{
    char *folder = strdup("/tmp/referee-store-XXXXXX");

    if (!folder || !mkdtemp(folder))
        abort();
    return folder;
}

static int remove_one(const char *path, const struct stat *st, int flag,
                      struct FTW *ftw)
{
    return remove(path);
}

void scratch_free(char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
}

const char *scratch_path(const char *folder, const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

struct game_summary game_of(const char *id, const char *bots, const char *ranks)
{
    struct game_summary b = {.status = SUMMARY_FINISHED,
                             .game = game_find("axio-rota"),
                             .event = "main",
                             .start = "2026-11-16T10:00:00Z",
                             .part = 1,
                             .parts = 1,
                             .reason = "end",
                             .moves = 20};
    char text[512], *rest = text, *word;

    snprintf(b.id, sizeof b.id, "%s", id);
    snprintf(text, sizeof text, "%s", bots);
    while ((word = strsep(&rest, " ")) != NULL) {
        struct summary_seat *seat = &b.seat[b.seats++];
        char *slash = strchr(word, '/');

        if (slash) {
            *slash = '\0';
            snprintf(seat->version, sizeof seat->version, "%s", slash + 1);
        }
        snprintf(seat->name, sizeof seat->name, "%s", word);
    }
    for (int i = 0; i < b.seats; i++) {
        b.seat[i].rank = ranks[2 * i] - '0';
        b.seat[i].score = 10 - b.seat[i].rank;
    }
    return b;
}

static void write_result(const struct game_summary *b, struct buf *out)
{
    struct result result = {.reason = b->reason};
    const char *why[SEATS_MAX] = {0};

    for (int i = 0; i < b->seats; i++) {
        result.rank[i] = b->seat[i].rank;
        result.score[i] = b->seat[i].score;
        why[i] = b->seat[i].why[0] ? b->seat[i].why : NULL;
    }
    if (b->status == SUMMARY_VOID)
        buf_add(out, "result void reason=%s", b->reason);
    else
        result_write(&result, b->seats, why, out);
    buf_char(out, '\n');
}

char *record_of(const struct game_summary *b)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    char hex[HASH_HEX + 1];
    struct buf out;

    buf_init(&out, 1 << 20);
    buf_add(&out, "record 1\ngame %s\nseats %d\n", b->game->name, b->seats);
    if (b->id[0])
        buf_add(&out, "about id=%s event=%s start=%s\n", b->id, b->event,
                b->start);
    else if (b->unit[0])
        buf_add(&out, "about match=%s\n", b->unit);
    for (int i = 0; i < b->seats; i++)
        buf_add(&out, "seat %d name=%s version=%s\n", i + 1, b->seat[i].name,
                b->seat[i].version);
    buf_str(&out, "deal none\n");
    for (int i = 0; i < b->moves; i++)
        buf_str(&out, "@- clock 1 0 used=5 lag=0\n");
    if (b->status == SUMMARY_UNCLOSED)
        return out.text;
    write_result(b, &out);
    crypto_hash_sha256(digest, (const unsigned char *)out.text, out.len);
    text_hex(hex, digest, sizeof digest);
    buf_add(&out, "hash %s\n", hex);
    return out.text;
}

static int write_row(void *arg, int columns, char **value, char **name)
{
    for (int i = 0; i < columns; i++)
        buf_add(arg, "%s%s", i > 0 ? "|" : "", value[i] ? value[i] : "NULL");
    buf_char(arg, '\n');
    return 0;
}

/* A row that refers to one that is not there. */
static int refuse_row(void *arg, int count, char **value, char **name)
{
    return 1;
}

char *tables_of(const char *path)
{
    static const char *const tables[] = {
        "ladders",   "bots",   "versions", "games", "seats",
        "standings", "latest", "meetings", "fits",  "ratings"};
    struct buf out;
    sqlite3 *db;

    buf_init(&out, 1 << 24);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        abort();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char query[64];

        buf_add(&out, "%s\n", tables[i]);
        snprintf(query, sizeof query, "SELECT * FROM %s", tables[i]);
        if (sqlite3_exec(db, query, write_row, &out, NULL) != SQLITE_OK)
            abort();
    }
    if (sqlite3_exec(db, "PRAGMA foreign_key_check", refuse_row, NULL, NULL) !=
        SQLITE_OK)
        abort();
    sqlite3_close(db);
    return out.text;
}
