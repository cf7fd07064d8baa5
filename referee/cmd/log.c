/* referee log - show what the organiser did, and why. */

#include "cmd/cmd.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/csv.h"
#include "cmd/lib/data.h"
#include "store/orders.h"

#include <stdio.h>
#include <string.h>

static bool as_json, as_csv, in_force;

static const struct opt opts[] = {
    {"in-force", NULL,
     "only strikes, retirements and bans that are in "
     "force now",
     OPT_FLAG, &in_force, 0, 0},
    {"json", NULL, "write JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "write CSV", OPT_FLAG, &as_csv, 0, 0},
    {0},
};

static const char *const columns[] = {"at",     "who",     "what", "name",
                                      "ladder", "version", "why"};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_cell(struct buf *out, const json_t *order, const char *key)
{
    csv_cell(out, view_text(order, key));
    buf_char(out, ',');
}

static void print_csv(const json_t *all)
{
    struct buf out;
    size_t i;
    json_t *order;

    buf_init(&out, ORDERS_BYTES_MAX);
    buf_str(&out, "at,who,what,name,ladder,version,why,undo\n");
    json_array_foreach(all, i, order)
    {
        for (int k = 0; k < COLUMNS; k++)
            add_cell(&out, order, columns[k]);
        buf_str(&out, view_is(order, "undo") ? "1\n" : "0\n");
    }
    fputs(out.text, stdout);
    buf_release(&out);
}

/* "root: strike anna on rondo, version 1.2: it is a copy" */
static void print_text(const json_t *all)
{
    size_t i;
    json_t *o;

    json_array_foreach(all, i, o)
    {
        printf("%s  %s: %s%s", view_text(o, "at"), view_text(o, "who"),
               view_is(o, "undo") ? "undo " : "", view_text(o, "what"));
        if (view_has(o, "name"))
            printf(" %s", view_text(o, "name"));
        if (view_has(o, "ladder"))
            printf(" on %s", view_text(o, "ladder"));
        if (view_has(o, "version"))
            printf(", version %s", view_text(o, "version"));
        if (view_has(o, "why"))
            printf(": %s", view_text(o, "why"));
        putchar('\n');
    }
    if (json_array_size(all) == 0)
        puts(in_force ? "no order is in force" : "no order was given");
}

static json_t *read_in_force(const char *data, struct err *err)
{
    struct orders orders = {0};
    json_t *all = NULL;

    if (orders_load(data, &orders, err)) {
        all = json_array();
        for (size_t i = 0; i < orders.count; i++)
            json_array_append_new(all, order_json(&orders.order[i]));
    }
    orders_release(&orders);
    return all;
}

static json_t *read_orders(const char *data, struct err *err)
{
    json_t *all = NULL;

    if (in_force)
        return read_in_force(data, err);
    return orders_read(data, &all, err) ? all : NULL;
}

static void print(const json_t *all)
{
    if (as_json) {
        json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
    } else if (as_csv) {
        print_csv(all);
    } else {
        print_text(all);
    }
}

static int run(int argc, char **argv)
{
    struct data_folder data = {0};
    json_t *all = NULL;
    struct err err;

    if (argc != 1)
        return complain("log takes a file or folder: referee log CONFIG");
    if (as_json && as_csv)
        return complain("--json and --csv cannot be combined: choose one");
    if (data_find(&data, argv[0], &err))
        all = read_orders(data.path, &err);
    if (all)
        print(all);
    json_decref(all);
    data_release(&data);
    return all ? 0 : complain("%s", err.text);
}

const struct subcommand cmd_log = {
    .name = "log",
    .args = "CONFIG|DATA [OPTION...]",
    .about = "show the organiser's orders, with reasons",
    .more = "Shows every strike, retirement, ban, pause, kick, reload and "
            "stop:\n"
            "the time, the user, the order and the reason. The server keeps "
            "them\n"
            "in DATA/orders.jsonl.\n"
            "\n"
            "Examples:\n"
            "  referee log referee.ini\n"
            "  referee log data --in-force --csv",
    .opts = opts,
    .run = run,
};
