#include "many/delivery.h"

#include "base/alloc.h"
#include "base/text.h"
#include "many/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns: unit, why it was last given back, worker, bytes, order, the unit it
 * is a twin of, output of its bots. */

static void add_record(struct delivery *d, const struct pg_rows *rows, int row)
{
    d->record = must_resize(d->record, (size_t)d->parts + 1, sizeof *d->record);
    buf_init(&d->record[d->parts], RECORD_FILE_MAX);
    pg_bytes(rows, row, 3, &d->record[d->parts++]);
}

int delivery_read(struct delivery *d, const struct pg_rows *rows, int row)
{
    *d = (struct delivery){.is_given_up = pg_is_null(rows, row, 3)};
    snprintf(d->unit, sizeof d->unit, "%s", pg_text(rows, row, 0));
    snprintf(d->why, sizeof d->why, "%s", pg_text(rows, row, 1));
    snprintf(d->worker, sizeof d->worker, "%s", pg_text(rows, row, 2));
    d->orders = must_alloc(strdup(pg_text(rows, row, 4)));
    if (!pg_is_null(rows, row, 5))
        d->original = must_alloc(strdup(pg_text(rows, row, 5)));
    d->said = said_read(pg_text(rows, row, 6));
    for (; row < pg_count(rows) && strcmp(pg_text(rows, row, 0), d->unit) == 0;
         row++)
        if (!d->is_given_up && d->parts < ORDER_GAMES_MAX)
            add_record(d, rows, row);
    return row;
}

void delivery_free(struct delivery *d)
{
    for (int i = 0; i < d->parts; i++)
        buf_release(&d->record[i]);
    free(d->record);
    json_decref(d->said);
    free(d->original);
    free(d->orders);
    *d = (struct delivery){0};
}

/* The first game of a group determines what seats add to its seed. */
static bool has_one_entropy(const struct verifier *v, const struct order *o,
                            int part, char entropy[ENTROPY_TEXT + 1],
                            struct err *why)
{
    const char *is = v->replay.record.entropy ? v->replay.record.entropy : "";

    if (part == 0 && o->first == o->begin)
        snprintf(entropy, ENTROPY_TEXT + 1, "%s", is);
    return strcmp(is, entropy) == 0 ||
           fail(why, "it has another entropy than the first game of its deal");
}

bool delivery_is_right(struct verifier *v, const struct order *o,
                       const struct delivery *d, struct err *why)
{
    char entropy[ENTROPY_TEXT + 1];

    snprintf(entropy, sizeof entropy, "%s", o->entropy);
    if (d->parts != o->games)
        return fail(why, "%d records were delivered, not %d", d->parts,
                    o->games);
    for (int i = 0; i < d->parts; i++)
        if (!verify_part(v, o, i, d->record[i].text, d->record[i].len, why) ||
            !has_one_entropy(v, o, i, entropy, why))
            return false;
    return true;
}

bool delivery_summary(struct verifier *v, const struct order *o,
                      const struct delivery *d, int part,
                      struct game_summary *summary, struct err *err)
{
    buf_reset(&v->copy);
    buf_put(&v->copy, d->record[part].text, d->record[part].len);
    return archive_summary_of(summary, d->unit, order_id(o, part), &v->copy,
                              err);
}

/* Tell the database. If it is away, it will offer the unit again. */

static void add_list(struct buf *out, const char *text, bool is_first)
{
    buf_str(out, is_first ? "{\"" : ",\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_char(out, '\\');
        buf_char(out, *text);
    }
    buf_char(out, '"');
}

/* The clock lines of each seat in a record. */
struct pace {
    int moves[SEATS_MAX];
    int64_t used_us[SEATS_MAX];
};

/* "@- clock 1 10000000 used=12 lag=18" */
static void measure_pace(const struct buf *record, int seats, struct pace *pace)
{
    static const char word[] = "\n@- clock ", used[] = " used=";

    *pace = (struct pace){0};
    for (const char *at = record->text; (at = strstr(at, word)) != NULL;) {
        const char *end, *time;
        int seat;

        at += strlen(word);
        end = at + strcspn(at, "\n");
        time = strstr(at, used);
        if (!take_int(&at, 1, seats, &seat) || !time || time > end)
            continue;
        pace->moves[seat - 1]++;
        pace->used_us[seat - 1] += strtoll(time + strlen(used), NULL, 10);
    }
}

/* "ranks=1,2 names=anna,bob left=-,time moves=17,16 used_ms=120,3000", or
 * "void" */
static void summarize(const struct game_summary *s, const struct buf *record,
                      struct buf *out)
{
    struct pace pace;

    if (s->status == SUMMARY_VOID) {
        buf_str(out, "void");
        return;
    }
    measure_pace(record, s->seats, &pace);
    buf_str(out, "ranks=");
    for (int i = 0; i < s->seats; i++)
        buf_add(out, "%s%d", i ? "," : "", s->seat[i].rank);
    buf_str(out, " names=");
    for (int i = 0; i < s->seats; i++)
        buf_add(out, "%s%s", i ? "," : "", s->seat[i].name);
    buf_str(out, " left=");
    for (int i = 0; i < s->seats; i++)
        buf_add(out, "%s%s", i ? "," : "",
                s->seat[i].why[0] ? s->seat[i].why : "-");
    buf_str(out, " moves=");
    for (int i = 0; i < s->seats; i++)
        buf_add(out, "%s%d", i ? "," : "", pace.moves[i]);
    buf_str(out, " used_ms=");
    for (int i = 0; i < s->seats; i++)
        buf_add(out, "%s%lld", i ? "," : "",
                (long long)(pace.used_us[i] / 1000));
}

void delivery_accept(struct db *db, struct verifier *v, const struct order *o,
                     const struct delivery *d)
{
    struct buf ids, summaries, one;
    struct pg_value values[4] = {PG_TEXT(d->unit), PG_TEXT(o->event)};
    struct err err;

    if (!db_is_ready(db))
        return;
    buf_init(&ids, ORDER_MAX);
    buf_init(&summaries, ORDER_MAX);
    buf_init(&one, 4096);
    for (int i = 0; i < d->parts; i++) {
        struct game_summary summary;

        buf_reset(&one);
        if (delivery_summary(v, o, d, i, &summary, &err))
            summarize(&summary, &d->record[i], &one);
        add_list(&ids, order_id(o, i), i == 0);
        add_list(&summaries, one.text, i == 0);
    }
    buf_char(&ids, '}');
    buf_char(&summaries, '}');
    values[2] = PG_TEXT(ids.text);
    values[3] = PG_TEXT(summaries.text);
    db_ask(db, "SELECT referee.accept($1, $2, $3::text[], $4::text[])", values,
           4, NULL, NULL);
    buf_release(&ids);
    buf_release(&summaries);
    buf_release(&one);
}
