/* referee db - manage the tables that a front and its workers share. */

#include "cmd/cmd.h"
#include "cmd/db/move.h"
#include "cmd/lib/database.h"
#include "many/schema.h"
#include "store/signing.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static bool as_json;
static const char *key_file;

static const struct opt opts[] = {
    {"key", "FILE", "with export: sign all records with this key", OPT_TEXT,
     &key_file, 0, 0},
    {"json", NULL, "with status: print it as JSON", OPT_FLAG, &as_json, 0, 0},
    {0},
};

static bool make(struct pg *pg, const char *given, struct err *err)
{
    int from = 0, to = 0;

    if (!schema_migrate(pg, true, &from, &to, err))
        return false;
    printf("the tables exist, version %d\n", to);
    return true;
}

static bool migrate(struct pg *pg, const char *given, struct err *err)
{
    int from = 0, to = 0;

    if (!schema_migrate(pg, false, &from, &to, err))
        return false;
    if (from == to)
        printf("nothing to do: the tables have version %d\n", to);
    else
        printf("the tables are upgraded from version %d to version %d\n", from,
               to);
    return true;
}

static const char *folder;

static bool find_schema(struct pg *pg, struct err *err)
{
    int version;

    return schema_version(pg, &version, err) && schema_fits(version, err);
}

static bool take_out(struct pg *pg, const char *given, struct err *err)
{
    struct move_sums sums = {0};
    struct signing_key key = {0};
    struct move_out out = {folder, key_file ? &key : NULL};
    bool ok = (!key_file || signing_load(&key, key_file, err)) &&
              find_schema(pg, err) && move_out(pg, &out, &sums, err);

    signing_forget(&key);
    if (!ok)
        return false;
    printf("%lld records written; \"referee reindex %s\" builds their "
           "index\n",
           sums.moved, folder);
    return true;
}

static bool import_records(struct pg *pg, const char *given, struct err *err)
{
    struct move_sums sums = {0};

    if (!find_schema(pg, err) || !move_in(pg, folder, &sums, err))
        return false;
    printf("%lld records added, %lld were there already\n", sums.moved,
           sums.known);
    return true;
}

/* The name of a figure, and how to find it. */
struct figure {
    const char *key, *says, *sql;
};

static const struct figure figures[] = {
    {"workers", "active workers",
     "SELECT count(*) FROM referee.workers WHERE until > now()"},
    {"waiting", "waiting units", "SELECT count(*) FROM referee.waiting"},
    {"playing", "units being played", "SELECT count(*) FROM referee.leases"},
    {"delivered", "units to be verified",
     "SELECT count(*) FROM referee.arrivals"},
    {"games", "accepted games", "SELECT count(*) FROM referee.games"},
    {"records", "records", "SELECT count(*) FROM referee.records"},
    {"refused", "refused records", "SELECT count(*) FROM referee.refused"},
    {"bots", "bots", "SELECT count(*) FROM referee.bots"},
    {"bytes", "bytes in the database",
     "SELECT pg_database_size(current_database())"},
    {"dead_rows", "dead rows in the queue",
     "SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables WHERE"
     " schemaname = 'referee' AND relname IN ('waiting', 'leases', 'units',"
     " 'arrivals', 'workers')"},
    {"oldest_transaction_s", "age of the oldest transaction in seconds",
     "SELECT coalesce(extract(epoch FROM now() - min(xact_start)), 0)::bigint"
     " FROM pg_stat_activity WHERE datname = current_database()"
     " AND pid <> pg_backend_pid()"},
};

static bool find_figure(struct pg *pg, const struct figure *f, int64_t *value,
                        struct err *err)
{
    struct pg_rows *rows;

    if (!pg_run(pg, f->sql, NULL, 0, &rows, err))
        return false;
    *value = pg_number(rows, 0, 0);
    pg_free(rows);
    return true;
}

static bool print_figures(struct pg *pg, json_t *json, struct err *err)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        int64_t value;

        if (!find_figure(pg, &figures[i], &value, err))
            return false;
        if (as_json)
            json_object_set_new(json, figures[i].key, json_integer(value));
        else
            printf("%-34s %lld\n", figures[i].says, (long long)value);
    }
    return true;
}

static bool status(struct pg *pg, const char *given, struct err *err)
{
    int version;
    json_t *json;
    bool ok;

    if (!schema_version(pg, &version, err) || !schema_fits(version, err))
        return false;
    json = json_pack("{s:i}", "version", version);
    if (!as_json)
        printf("%-34s %d\n", "version of the tables", version);
    ok = print_figures(pg, json, err);
    if (ok && as_json) {
        json_dumpf(json, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(json);
    return ok;
}

static const struct verb {
    const char *name;
    bool (*run)(struct pg *pg, const char *given, struct err *err);
    bool has_folder;
} verbs[] = {{"init", make, false},
             {"migrate", migrate, false},
             {"status", status, false},
             {"export", take_out, true},
             {"import", import_records, true}};

enum { VERBS = sizeof verbs / sizeof *verbs };

static const struct verb *find_verb(const char *name)
{
    for (int i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static int run(int argc, char **argv)
{
    const struct verb *verb = argc > 0 ? find_verb(argv[0]) : NULL;
    struct pg *pg;
    struct err err;
    bool ok;

    if (argc < 2)
        return complain("db takes an action and the database: referee db "
                        "init|migrate|status|export|import CONFIG|URL "
                        "[FOLDER]");
    if (!verb)
        return complain("db: there is no \"%.40s\"; use init, migrate, "
                        "status, export or import",
                        argv[0]);
    if (argc != 2 + verb->has_folder)
        return complain(verb->has_folder
                            ? "db %s takes a folder after the database"
                            : "db %s takes nothing after the database",
                        verb->name);
    if (key_file && verb->run != take_out)
        return complain("--key is for db export");
    folder = argc > 2 ? argv[2] : NULL;
    pg = database_open(argv[1], &err);
    ok = pg && verb->run(pg, argv[1], &err);
    pg_close(pg);
    return ok ? 0 : complain_of(&err);
}

const struct subcommand cmd_db = {
    .name = "db",
    .args = "init|migrate|status|export|import CONFIG|URL [FOLDER]",
    .about = "manage the database that many machines share",
    .more =
        "Creates the tables in PostgreSQL that a front (\"referee serve\"\n"
        "with database = in its file) and its workers (\"referee worker\")\n"
        "share, upgrades them to the version that this program needs, or\n"
        "shows how much is in them. export writes all records into a\n"
        "folder for \"referee reindex\", and import reads such a folder\n"
        "into the database.\n"
        "\n"
        "The database is given by the file whose [server] names it, or as\n"
        "postgresql://USER@HOST/NAME. Keep a password in ~/.pgpass.\n"
        "\n"
        "Examples:\n"
        "  referee db init postgresql://referee@db.local/games\n"
        "  referee db status referee.ini",
    .opts = opts,
    .run = run,
};
