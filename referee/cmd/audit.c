/* referee audit - who gained from whom on a ladder, and what is odd about it.
 */

#include "store/audit.h"
#include "cmd/cmd.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/data.h"
#include "store/report.h"

#include <stdio.h>
#include <string.h>

static bool as_json, as_csv;

static const struct opt opts[] = {
    {"json", NULL, "write JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "write CSV, one row per pair", OPT_FLAG, &as_csv, 0, 0},
    {0},
};

static long long number(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

static void print_reasons(const json_t *odd, const char *between)
{
    for (size_t i = 0; i < json_array_size(odd); i++)
        printf("%s%s", i ? between : "",
               json_string_value(json_array_get(odd, i)));
}

/*
 * Names are single words, so every comma here comes from this file's own texts.
 */
static void print_csv(const json_t *audit, const json_t *row)
{
    printf("%s,%s,%s,%lld,%lld,%lld,%lld,%lld,%lld,%s,%s,\"",
           view_text(audit, "ladder"), view_text(row, "gainer"),
           view_text(row, "giver"), number(row, "games"), number(row, "won"),
           number(row, "given"), number(row, "held"), number(row, "run"),
           number(row, "versions"), view_text(row, "first"),
           view_text(row, "last"));
    print_reasons(json_object_get(row, "odd"), "; ");
    puts("\"");
}

static void print_text(const json_t *row)
{
    printf("  %s gained from %s: won %lld of %lld games, %lld of them gifts",
           view_text(row, "gainer"), view_text(row, "giver"),
           number(row, "won"), number(row, "games"), number(row, "given"));
    if (number(row, "given") > 0)
        printf(" (%s to %s)", view_text(row, "first"), view_text(row, "last"));
    printf("\n    odd: ");
    print_reasons(json_object_get(row, "odd"), "; ");
    putchar('\n');
}

static void print_audit(const json_t *audit)
{
    const json_t *pairs = json_object_get(audit, "pairs");
    size_t count = json_array_size(pairs);

    if (!as_csv && count == 0)
        printf("%s: %lld games, nothing odd\n", view_text(audit, "ladder"),
               number(audit, "games"));
    else if (!as_csv)
        printf("%s: %lld games, %zu odd pair%s\n", view_text(audit, "ladder"),
               number(audit, "games"), count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        if (as_csv)
            print_csv(audit, json_array_get(pairs, i));
        else
            print_text(json_array_get(pairs, i));
}

/* The selected ladders; NULL and a reason if there are none. */
static json_t *audit_all(struct index *index, const char *ladder,
                         struct err *err)
{
    json_t *ladders = report_ladders(index, false, err), *all = json_array();

    for (size_t i = 0; i < json_array_size(ladders); i++) {
        const char *name = view_text(json_array_get(ladders, i), "ladder");
        json_t *one = ladder && strcmp(ladder, name) != 0
                          ? NULL
                          : audit_ladder(index, name, err);

        if (one && !json_is_null(one))
            json_array_append_new(all, one);
    }
    if (ladders && json_array_size(all) == 0) {
        fail(err, "there are no games%s%.40s", ladder ? " on a ladder " : "",
             ladder ? ladder : "");
        json_decref(all);
        all = NULL;
    }
    json_decref(ladders);
    return all;
}

static int show(const json_t *all)
{
    size_t odd = 0;

    if (as_json) {
        json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    if (as_csv)
        puts(
            "ladder,gainer,giver,games,won,given,held,run,versions,first,last,odd");
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *audit = json_array_get(all, i);

        odd += json_array_size(json_object_get(audit, "pairs"));
        if (!as_json)
            print_audit(audit);
    }
    return odd > 0;
}

static int run(int argc, char **argv)
{
    struct data_folder data = {0};
    struct index *index;
    json_t *all = NULL;
    struct err err;
    int code;

    if (argc < 1 || argc > 2)
        return complain(
            "audit takes a file or folder, and optionally a ladder: "
            "referee audit CONFIG [LADDER]");
    if (!data_find(&data, argv[0], &err))
        return complain("%s", err.text);
    index = index_open(data.index, INDEX_READ, &err);
    if (index)
        all = audit_all(index, argc > 1 ? argv[1] : NULL, &err);
    code = all ? show(all) : complain("%s", err.text);
    json_decref(all);
    index_close(index);
    data_release(&data);
    return code;
}

const struct subcommand cmd_audit = {
    .name = "audit",
    .args = "CONFIG|DATA [LADDER] [OPTION...]",
    .about = "list suspicious results of a ladder: who gained from whom",
    .more = "Lists pairs of bots in which one gave games to the other by\n"
            "resigning or forfeiting: many in a row, under many versions,\n"
            "after few moves, or so often that they are most of the other\n"
            "bot's wins. This proves nothing; look at the games. The exit\n"
            "code is 1 if a pair is suspicious.\n"
            "\n"
            "Examples:\n"
            "  referee audit referee.ini main\n"
            "  referee audit data --csv",
    .opts = opts,
    .run = run,
};
