#include "cmd/db/move.h"

#include "base/text.h"
#include "many/verify.h"
#include "store/archive.h"
#include "store/records.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 200, EVENT_MAX = 64 };

/* Export. */

/* Open the file of an event and a day; it must not exist yet. */
struct file {
    char path[DISK_PATH_MAX];
    int fd; /* -1: none is open */
    struct chain chain;
};

static bool is_folder_name(const char *event)
{
    return *event && *event != '.' && is_word(event) && !strchr(event, '/') &&
           strlen(event) <= EVENT_MAX;
}

static bool open_file(struct file *f, const char *folder, const char *event,
                      const char *day, struct err *err)
{
    char path[DISK_PATH_MAX], records[DISK_PATH_MAX];

    if (!is_folder_name(event))
        return fail(err,
                    "the database has a record of \"%.40s\", which cannot "
                    "be the name of a folder",
                    event);
    snprintf(records, sizeof records, "%.700s/records/%s", folder, event);
    text_join(path, sizeof path, records, "/", day, ".rec", NULL);
    if (f->fd != -1 && strcmp(path, f->path) == 0)
        return true;
    if (f->fd != -1)
        close(f->fd);
    f->fd = -1;
    if (!disk_folder(records, err))
        return false;
    strcpy(f->path, path);
    f->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return f->fd != -1 ||
           fail(err,
                "%.300s exists already, or cannot be created: export into a "
                "new folder",
                path);
}

/* "event=rondo" from the about line; otherwise the match it belongs to. */
static void event_of(const char *record, char event[EVENT_MAX + 1])
{
    const char *about = strstr(record, "\nabout "), *value = NULL;
    size_t len = 0;
    char line[512];

    if (about) {
        about += strlen("\nabout ");
        snprintf(line, sizeof line, "%.*s", (int)strcspn(about, "\n"), about);
        value = about_find(line, "event", &len);
    }
    snprintf(event, EVENT_MAX + 1, "%.*s", value ? (int)len : 5,
             value ? value : "match");
}

/* In place of what a worker signed. Records of an event come together. */
static bool sign(const struct move_out *m, struct chain *chain,
                 const char *event, struct buf *record, struct err *err)
{
    size_t len = record_without_seal(record->text, record->len);
    uint8_t hash[SHA256_BYTES];
    struct seal seal;

    if (!hash_find(hash, record->text, len))
        return fail(err, "the database has a record of %.64s without a hash",
                    event);
    if (strcmp(chain->name, event) != 0) {
        *chain = (struct chain){0};
        strcpy(chain->name, event);
    }
    buf_cut(record, len);
    seal_make(&seal, chain, hash, m->key);
    seal_append(&seal, record);
    chain_add(chain, &seal);
    return true;
}

static bool write_row(const struct move_out *m, struct file *f,
                      const struct pg_rows *rows, int row, struct err *err)
{
    char event[EVENT_MAX + 1];
    struct buf bytes;
    bool ok;

    buf_init(&bytes, RECORD_FILE_MAX);
    pg_bytes(rows, row, 1, &bytes);
    event_of(bytes.text, event);
    ok = open_file(f, m->folder, event, pg_text(rows, row, 0), err) &&
         (!m->key || sign(m, &f->chain, event, &bytes, err));
    if (ok && !disk_put(f->fd, bytes.text, bytes.len))
        ok = fail(err, "%.300s cannot be written", f->path);
    buf_release(&bytes);
    return ok;
}

static bool fetch(struct pg *pg, const struct move_out *m, struct file *f,
                  int *count, struct err *err)
{
    struct pg_rows *rows;
    char sql[64];
    bool ok = true;

    snprintf(sql, sizeof sql, "FETCH %d FROM them", ROWS);
    if (!pg_run(pg, sql, NULL, 0, &rows, err))
        return false;
    *count = pg_count(rows);
    for (int i = 0; ok && i < *count; i++)
        ok = write_row(m, f, rows, i, err);
    pg_free(rows);
    return ok;
}

/* Only records that count. Those that wait to be verified go to their front
 * later, and refused ones are in another table. */
static const char cursor[] =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"
    "DECLARE them CURSOR FOR SELECT to_char(day, 'YYYYMMDD'), bytes"
    " FROM referee.records r WHERE NOT EXISTS"
    " (SELECT 1 FROM referee.units u WHERE u.id = r.unit) ORDER BY"
    " substring(convert_from(substring(bytes FOR 2000), 'LATIN1')"
    "  FROM 'about [^\\n]*event=([^ \\n]*)'), day, delivered, id";

bool move_out(struct pg *pg, const struct move_out *m, struct move_sums *sums,
              struct err *err)
{
    char records[DISK_PATH_MAX];
    struct file f = {.fd = -1};
    int count = 1;
    bool ok;

    snprintf(records, sizeof records, "%.700s/records", m->folder);
    ok = disk_folder(m->folder, err) && disk_folder(records, err) &&
         pg_script(pg, cursor, err);
    while (ok && count > 0) {
        ok = fetch(pg, m, &f, &count, err);
        sums->moved += ok ? count : 0;
    }
    if (f.fd != -1)
        close(f.fd);
    return ok && pg_script(pg, "COMMIT", err);
}

/* Import. A worker's game may already be stored under the day on which it was
 * handed out. */

static const char insert_sql[] =
    "INSERT INTO referee.records (day, unit, part, id, client, worker, hash,"
    " bytes) SELECT $1::date, $2, $3::int, $4, 'import', '', $5, $6::bytea"
    " WHERE NOT EXISTS (SELECT 1 FROM referee.records r WHERE r.id = $4"
    "  AND r.day = ANY (ARRAY(SELECT $1::date - n"
    "   FROM generate_series(-1, 8) AS n)))"
    " ON CONFLICT DO NOTHING RETURNING 1";

static bool put_record(struct pg *pg, const struct game_summary *s,
                       const struct buf *bytes, bool *is_new, struct err *err)
{
    char part[16], day[16], hash[HASH_HEX + 1] = "";
    const char *at = strstr(bytes->text, "\nhash ");
    struct pg_value values[6] = {
        PG_TEXT(day),   PG_TEXT(s->unit), PG_TEXT(part),
        PG_TEXT(s->id), PG_TEXT(hash),    PG_BYTES(bytes->text, bytes->len)};
    struct pg_rows *rows;

    if (!s->unit[0])
        values[1] = PG_TEXT(s->id);
    snprintf(part, sizeof part, "%d", s->part);
    snprintf(day, sizeof day, "%.10s", s->start[0] ? s->start : "1970-01-01");
    if (at)
        snprintf(hash, sizeof hash, "%.64s", at + strlen("\nhash "));
    if (!pg_run(pg, insert_sql, values, 6, &rows, err))
        return false;
    *is_new = pg_count(rows) > 0;
    pg_free(rows);
    return true;
}

static bool take_record(struct pg *pg, const char *path, const char *event,
                        const struct records *file, const struct buf *bytes,
                        struct move_sums *sums, struct err *err)
{
    struct game_summary summary;
    struct buf copy;
    bool ok, is_new = false;

    buf_init(&copy, RECORD_FILE_MAX);
    buf_put(&copy, bytes->text, bytes->len);
    ok = archive_summary(&summary, path, file->lines_before, "", event, &copy,
                         err);
    buf_release(&copy);
    if (ok && summary.status == SUMMARY_UNCLOSED)
        return true; /* its game is not over */
    ok = ok && put_record(pg, &summary, bytes, &is_new, err);
    sums->moved += ok && is_new;
    sums->known += ok && !is_new;
    return ok;
}

/* "records/rondo/20261118.rec" */
static void ladder_of(const char *name, char event[EVENT_MAX + 1])
{
    const char *start = strchr(name, '/') ? strchr(name, '/') + 1 : name;
    const char *end = strchr(start, '/');

    snprintf(event, EVENT_MAX + 1, "%.*s", end ? (int)(end - start) : 5,
             end ? start : "match");
}

static bool take_file(struct pg *pg, const char *folder, const char *name,
                      struct move_sums *sums, struct err *err)
{
    char path[2 * DISK_PATH_MAX], event[EVENT_MAX + 1];
    bool ok, failed = false;
    struct records file;
    struct buf bytes;

    text_join(path, sizeof path, folder, "/", name, NULL);
    ladder_of(name, event);
    if (!records_open(&file, path, err))
        return false;
    buf_init(&bytes, RECORD_FILE_MAX);
    ok = pg_script(pg, "BEGIN", err);
    while (ok && records_next(&file, &bytes, &failed, err)) {
        if (bytes.len > 0)
            ok = take_record(pg, path, event, &file, &bytes, sums, err);
        buf_reset(&bytes);
    }
    ok = ok && !failed && pg_script(pg, "COMMIT", err);
    buf_release(&bytes);
    records_close(&file);
    return ok;
}

bool move_in(struct pg *pg, const char *folder, struct move_sums *sums,
             struct err *err)
{
    struct disk_names names = {0};
    bool ok = disk_walk(folder, "records", ".rec", &names, err);

    if (ok && names.count == 0)
        ok = fail(err, "%.300s/records has no files of records", folder);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = take_file(pg, folder, names.name[i], sums, err);
    disk_names_free(&names);
    return ok;
}
