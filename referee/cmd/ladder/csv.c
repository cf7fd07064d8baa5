#include "cmd/lib/csv.h"
#include "cmd/ladder/view.h"

#include <stdlib.h>
#include <string.h>

static void add_text(struct buf *out, const char *text)
{
    csv_cell(out, text);
    buf_char(out, ',');
}

/* A number with all its digits, or nothing. */
static void add_number(struct buf *out, const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    if (json_is_integer(value))
        buf_add(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        buf_add(out, "%.17g", json_real_value(value));
    buf_char(out, ',');
}

static void add_standing(struct buf *out, const char *ladder, const json_t *row)
{
    static const char *const numbers[] = {
        "elo",       "low",       "high",       "group",   "games",
        "win_share", "mean_rank", "mean_score", "forfeits"};

    add_text(out, ladder);
    add_number(out, row, "place");
    add_text(out, view_text(row, "bot"));
    add_text(out, view_text(row, "version"));
    buf_str(out, view_is(row, "current") ? "1," : "0,");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        add_number(out, row, numbers[i]);
    add_text(out, view_text(row, "first"));
    csv_cell(out, view_text(row, "last"));
    buf_char(out, '\n');
}

void standings_as_csv(const json_t *list, struct buf *out)
{
    buf_str(out, "ladder,place,bot,version,current,elo,low,high,group,games,"
                 "win_share,mean_rank,mean_score,forfeits,first,last\n");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const json_t *rows = json_object_get(entry, "standings");

        for (size_t j = 0; j < json_array_size(rows); j++)
            add_standing(out, view_text(entry, "ladder"),
                         json_array_get(rows, j));
    }
}

void games_csv_begin(FILE *to)
{
    fputs("id,start,ladder,game,seat,bot,version,rank,score,left,moves,reason,"
          "void\n",
          to);
}

static void add_seat(struct buf *out, const struct index_game *g, int i)
{
    const struct index_seat *s = &g->seat[i];

    add_text(out, g->id);
    add_text(out, g->start);
    add_text(out, g->ladder);
    add_text(out, g->rules);
    buf_add(out, "%d,", i + 1);
    add_text(out, s->name);
    add_text(out, s->text);
    if (g->is_void)
        buf_str(out, ",,");
    else
        buf_add(out, "%d,%d,", s->rank, s->score);
    add_text(out, s->why);
    buf_add(out, "%lld,", (long long)g->moves);
    add_text(out, g->reason);
    buf_str(out, g->is_void ? "1\n" : "0\n");
}

bool games_csv_add(void *to, const struct index_game *g)
{
    struct buf out;
    bool ok;

    buf_init(&out, 1 << 16);
    for (int i = 0; i < g->seats; i++)
        add_seat(&out, g, i);
    ok = fputs(out.text, to) != EOF;
    buf_release(&out);
    return ok;
}
