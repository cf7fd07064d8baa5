/*
 * Any bytes as a configuration file: of a daemon, a tournament, a course, and
 * as the bot.ini of a hand-in. The first byte says which of them.
 */

#include "cmd/grade/course.h"
#include "cmd/handin/recipe.h"
#include "cmd/serve/config.h"
#include "cmd/tournament/config.h"
#include "fuzz/fuzz.h"

/* Every mistake and every warning is one printable line. */
static void insist_on_remarks(bool ok, const struct lines *remarks)
{
    insist(ok || remarks->count > 0);
    for (size_t i = 0; i < remarks->count; i++)
        insist(is_plain(lines_text(remarks, i)));
}

static void read_serve(const char *path)
{
    struct serve_config *config = NULL;
    struct lines remarks;
    bool ok;

    lines_init(&remarks, SERVE_REMARKS_BYTES);
    ok = serve_config_read(path, &config, &remarks);
    insist_on_remarks(ok, &remarks);
    if (ok)
        serve_config_free(config);
    lines_release(&remarks);
}

static void read_tournament(const char *path)
{
    const struct tournament_args args = {0};
    struct tournament_config *config = NULL;
    struct lines remarks;
    bool ok;

    lines_init(&remarks, TOURNAMENT_REMARKS_BYTES);
    ok = tournament_config_read(path, &args, &config, &remarks);
    insist_on_remarks(ok, &remarks);
    if (ok)
        tournament_config_free(config);
    lines_release(&remarks);
}

static void read_course(const char *path)
{
    const struct course_args args = {.handins = fuzz_folder(),
                                     .out = fuzz_folder()};
    struct course *course = NULL;
    struct lines remarks;
    bool ok;

    lines_init(&remarks, COURSE_REMARKS_BYTES);
    ok = course_read(path, &args, &course, &remarks);
    insist_on_remarks(ok, &remarks);
    if (ok)
        course_free(course);
    lines_release(&remarks);
}

static void read_recipe(const char *path)
{
    struct pool pool = {0};
    struct recipe recipe = {0};
    struct err err = {0};
    bool ok = recipe_read(fuzz_folder(), &pool, &recipe, &err);

    insist_on_reason(ok, &err);
    insist(!ok || (recipe.command && recipe.command[0]));
    pool_release(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(const char *path) = {
        read_serve, read_tournament, read_course, read_recipe};

    if (size > 0)
        readers[data[0] % 4](fuzz_file("bot.ini", data + 1, size - 1));
    return 0;
}
