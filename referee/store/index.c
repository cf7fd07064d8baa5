#include "store/index_state.h"

#include "base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS_AT_ONCE = 100 };

/* Opening. */

static bool make_tables(struct index *x, struct err *err)
{
    char version[64];

    snprintf(version, sizeof version, "PRAGMA user_version = %d", INDEX_SCHEMA);
    return sql_exec(&x->sql, "BEGIN IMMEDIATE", err) &&
           sql_exec(&x->sql, index_schema, err) &&
           sql_exec(&x->sql, version, err) && sql_exec(&x->sql, "COMMIT", err);
}

static bool is_empty(struct index *x, bool *empty, struct err *err)
{
    int64_t tables = 0;

    if (!sql_number(&x->sql, "SELECT count(*) FROM sqlite_schema", &tables,
                    err))
        return false;
    *empty = tables == 0;
    return true;
}

static bool check_schema(struct index *x, enum index_mode mode, struct err *err)
{
    int64_t version = 0;
    bool empty = false;

    if (!sql_number(&x->sql, "PRAGMA user_version", &version, err) ||
        !is_empty(x, &empty, err))
        return false;
    if (empty && mode != INDEX_READ)
        return make_tables(x, err);
    if (version == INDEX_SCHEMA && !empty)
        return true;
    return fail(err,
                "%s has tables of version %lld, but this program needs "
                "version %d; \"referee reindex\" rebuilds it from the "
                "records",
                x->sql.path, (long long)version, INDEX_SCHEMA);
}

/* The index can be rebuilt, so a commit need not wait for the disk. The tests
 * check that references hold: rows are only written here. */
static const char *const pragmas[] = {
    [INDEX_READ] = "",
    [INDEX_WRITE] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
    [INDEX_BUILD] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                    "PRAGMA cache_size = -262144;"
                    "PRAGMA locking_mode = EXCLUSIVE",
};

static const int flags[] = {
    [INDEX_READ] = SQLITE_OPEN_READONLY,
    [INDEX_WRITE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
    [INDEX_BUILD] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
};

static bool open_as(struct index *x, const char *path, const char *uri,
                    enum index_mode mode, struct err *err)
{
    sql_close(&x->sql);
    return sql_open(&x->sql, path, uri,
                    flags[mode] | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                    INDEX_PATIENCE_MS, index_texts, STATEMENTS, err) &&
           sql_exec(&x->sql, pragmas[mode], err) && check_schema(x, mode, err);
}

/* "file:PATH", with what would mean something there in another spelling. */
static void write_uri(const char *path, struct buf *uri)
{
    buf_str(uri, "file:");
    for (; *path; path++)
        if (strchr("%?#", *path))
            buf_add(uri, "%%%02x", (unsigned)*path);
        else
            buf_char(uri, *path);
}

/* To read a database with a log, SQLite wants to write files beside it. If it
 * cannot, nobody else can either, unless there is a log already. */
static bool is_still(const char *path)
{
    char log[1100];
    int len = snprintf(log, sizeof log, "%s-wal", path);

    return len < (int)sizeof log && access(log, F_OK) == -1;
}

static bool open_somehow(struct index *x, const char *path,
                         enum index_mode mode, struct err *err)
{
    struct buf uri;
    bool ok;

    buf_init(&uri, 4096);
    write_uri(path, &uri);
    ok = open_as(x, path, uri.text, mode, err);
    if (!ok && mode == INDEX_READ && x->sql.is_shut && is_still(path)) {
        buf_str(&uri, "?immutable=1");
        ok = open_as(x, path, uri.text, mode, err);
    }
    buf_release(&uri);
    return ok;
}

struct index *index_open(const char *path, enum index_mode mode,
                         struct err *err)
{
    struct index *x;

    if (mode == INDEX_READ && access(path, R_OK) == -1) {
        if (errno == ENOENT)
            fail(err, "%s does not exist; \"referee reindex\" creates it",
                 path);
        else
            fail(err, "%s cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    x = must_alloc(calloc(1, sizeof *x));
    if (open_somehow(x, path, mode, err))
        return x;
    index_close(x);
    return NULL;
}

void index_close(struct index *x)
{
    if (!x)
        return;
    sql_close(&x->sql);
    free(x->numbers.slot);
    free(x);
}

void index_be_patient(struct index *x, int patience_ms)
{
    sqlite3_busy_timeout(x->sql.db, patience_ms);
}

static int note_pages(void *arg, sqlite3 *db, const char *name, int pages)
{
    struct index *x = arg;

    x->log_pages = pages;
    return SQLITE_OK;
}

/* SQLite's own way of copying it is such a hook, too. */
void index_keep_log(struct index *x)
{
    sqlite3_wal_hook(x->sql.db, note_pages, x);
}

int index_log_pages(const struct index *x)
{
    return x->log_pages;
}

int index_copy_log(const char *path)
{
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(
        path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);

    if (code == SQLITE_OK)
        code =
            sqlite3_exec(db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE,
                                         NULL, NULL);
    sqlite3_close(db);
    return code;
}

static int count_steps(void *arg)
{
    struct index *x = arg;

    x->steps_left -= STEPS_AT_ONCE;
    x->is_late = x->is_late || x->steps_left <= 0;
    return x->is_late;
}

void index_budget(struct index *x, int steps)
{
    x->steps_left = steps;
    x->is_late = false;
    sqlite3_progress_handler(x->sql.db, STEPS_AT_ONCE,
                             steps > 0 ? count_steps : NULL, x);
}

bool index_is_late(const struct index *x)
{
    return x->is_late;
}

/* Numbers of versions. */

static struct number_slot *find_slot(const struct numbers *n, int64_t key)
{
    int i = (int)((uint64_t)key & (uint64_t)(n->cap - 1));

    while (n->slot[i].key && n->slot[i].key != key)
        i = (i + 1) & (n->cap - 1);
    return &n->slot[i];
}

static void grow(struct numbers *n)
{
    struct numbers old = *n;

    n->cap = old.cap ? 2 * old.cap : 64;
    n->slot = must_alloc(calloc((size_t)n->cap, sizeof *n->slot));
    for (int i = 0; i < old.cap; i++)
        if (old.slot[i].key)
            *find_slot(n, old.slot[i].key) = old.slot[i];
    free(old.slot);
}

int index_number(struct index *x, int64_t key)
{
    struct numbers *n = &x->numbers;
    struct number_slot *slot;

    if (2 * n->count >= n->cap)
        grow(n);
    slot = find_slot(n, key);
    if (!slot->key)
        *slot = (struct number_slot){.key = key, .number = n->count++};
    return slot->number;
}

/* Writing. */

bool index_begin(struct index *x, struct err *err)
{
    assert(sqlite3_get_autocommit(x->sql.db));
    return sql_run_values(&x->sql, BEGIN, NULL, 0, err);
}

bool index_commit(struct index *x, struct err *err)
{
    assert(!sqlite3_get_autocommit(x->sql.db));
    if (tally_write(x, err) && sql_run_values(&x->sql, COMMIT, NULL, 0, err))
        return true;
    index_undo(x);
    return false;
}

void index_undo(struct index *x)
{
    tally_clear(&x->tally);
    memset(x->known, 0, sizeof x->known); /* some may go with the rest */
    if (!sqlite3_get_autocommit(x->sql.db))
        sqlite3_exec(x->sql.db, "ROLLBACK", NULL, NULL, NULL);
}

/* What a row is found by, if there is one; 0 if not. */
static bool find(struct index *x, int which, int64_t *found, struct err *err)
{
    bool ok = true;

    *found = 0;
    while (sql_row(&x->sql, which, &ok, err))
        *found = sql_int(&x->sql, which, 0);
    return ok;
}

/* A version's key is computed from its text, so that it does not depend on the
 * order of arrival. If two collide, the later one takes the next key. */
static int64_t draw_key(const char *name, const char *text)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state state;
    uint64_t key = 0;

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)name,
                              strlen(name) + 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)text,
                              strlen(text));
    crypto_hash_sha256_final(&state, digest);
    for (int i = 0; i < 7; i++)
        key = key << 8 | digest[i];
    return (int64_t)key + 1;
}

static struct known_version *slot_of(struct index *x,
                                     const struct summary_seat *seat)
{
    uint32_t hash = 2166136261;

    for (const char *at = seat->name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619;
    for (const char *at = seat->version; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619;
    return &x->known[hash % KNOWN_SLOTS];
}

static bool is_known(const struct known_version *k,
                     const struct summary_seat *seat)
{
    return k->key && strcmp(k->name, seat->name) == 0 &&
           strcmp(k->text, seat->version) == 0;
}

static bool make_version(struct index *x, const struct summary_seat *seat,
                         int64_t *key, struct err *err)
{
    if (!sql_run(&x->sql, ADD_BOT, err, SQL_T(seat->name)))
        return false;
    for (*key = draw_key(seat->name, seat->version);; ++*key) {
        if (!sql_run(&x->sql, ADD_VERSION, err, SQL_I(*key), SQL_T(seat->name),
                     SQL_T(seat->version)))
            return false;
        if (sqlite3_changes(x->sql.db) == 1)
            return true;
    }
}

static bool need_version(struct index *x, const struct summary_seat *seat,
                         int64_t *key, struct err *err)
{
    struct known_version *k = slot_of(x, seat);

    if (!is_known(k, seat)) {
        sql_ask(&x->sql, FIND_VERSION, SQL_T(seat->name), SQL_T(seat->version));
        if (!find(x, FIND_VERSION, key, err) ||
            (!*key && !make_version(x, seat, key, err)))
            return false;
        k->key = *key;
        strcpy(k->name, seat->name);
        strcpy(k->text, seat->version);
    }
    *key = k->key;
    return true;
}

/* Unless it is there. */
static bool add_game(struct index *x, const struct game_summary *b,
                     const char *path, bool *is_new, struct err *err)
{
    if (!sql_run(&x->sql, ADD_GAME, err, SQL_T(b->id), SQL_T(b->event),
                 SQL_T(b->start), SQL_T(b->game->name), SQL_I(b->seats),
                 SQL_T(b->unit), SQL_I(b->part), SQL_I(b->parts),
                 SQL_I(b->status == SUMMARY_VOID), SQL_T(b->reason),
                 SQL_I(b->moves), SQL_T(path)))
        return false;
    *is_new = sqlite3_changes(x->sql.db) == 1;
    return true;
}

static bool add_seat(struct index *x, const struct game_summary *b, int i,
                     int64_t version, struct err *err)
{
    const struct summary_seat *s = &b->seat[i];
    bool is_void = b->status == SUMMARY_VOID;

    return sql_run(&x->sql, ADD_SEAT, err, SQL_T(b->event), SQL_T(b->start),
                   SQL_T(b->id), SQL_I(i + 1), SQL_T(s->name), SQL_I(version),
                   is_void ? SQL_N : SQL_I(s->rank),
                   is_void ? SQL_N : SQL_I(s->score),
                   s->why[0] ? SQL_T(s->why) : SQL_N);
}

bool index_add(struct index *x, const struct game_summary *b, const char *path,
               bool *is_new, struct err *err)
{
    int64_t version[SEATS_MAX];
    bool ok;

    assert(b->status != SUMMARY_UNCLOSED && b->id[0] && b->event[0]);
    assert(!sqlite3_get_autocommit(x->sql.db));
    ok = add_game(x, b, path, is_new, err);
    for (int i = 0; ok && *is_new && i < b->seats; i++)
        ok = need_version(x, &b->seat[i], &version[i], err) &&
             add_seat(x, b, i, version[i], err);
    if (ok && *is_new)
        ok = tally_add(x, b, version, 1, err);
    if (!ok)
        index_undo(x);
    return ok;
}

bool index_upto(struct index *x, const char *file, int64_t *bytes,
                struct err *err)
{
    sql_ask(&x->sql, UPTO, SQL_T(file));
    return find(x, UPTO, bytes, err);
}

bool index_set_upto(struct index *x, const char *file, int64_t bytes,
                    struct err *err)
{
    if (sql_run(&x->sql, SET_UPTO, err, SQL_T(file), SQL_I(bytes)))
        return true;
    index_undo(x);
    return false;
}
