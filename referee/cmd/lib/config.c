#include "cmd/lib/config.h"

#include "base/text.h"
#include "cmd/lib/bot_keys.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The structs that receive the values. */
struct target {
    const struct opt *opts;
    const bool *given;
    struct bot_book *book;
    struct texts *words;
};

static bool read_words(const struct ini_value *v, struct err *err)
{
    struct texts *words = ((struct target *)v->ini->user)->words;
    char *at = pool_text(v->ini->pool, v->text), *word;

    while ((word = strsep(&at, ", \t")) != NULL)
        if (*word) {
            if (words->count == TEXTS_MAX)
                return fail(err, "more than %d bots", TEXTS_MAX);
            words->text[words->count++] = word;
        }
    return true;
}

/* The key's `at` is the index of the option. */
static bool read_option(const struct ini_value *v, struct err *err)
{
    const struct target *target = v->ini->user;
    const struct opt *opt = &target->opts[v->key->at];

    if (target->given[v->key->at])
        return true; /* the command line takes precedence */
    if (opt->kind == OPT_FLAG)
        return yes_read(v->text, opt->to, err);
    return opt_take(opt, pool_text(v->ini->pool, v->text), err);
}

/* Keys that only a command understands. */
static bool refuse_option(const struct ini_value *v, struct err *err)
{
    return fail(err, "belongs on the command line, as --%s", v->key->name);
}

static bool is_refused(const char *name)
{
    return strcmp(name, "config") == 0 || strcmp(name, "resume") == 0;
}

/* The keys of a command's own section are its options and its bots. */
static void fill_keys(const struct opt *opts, struct ini_key *keys)
{
    int n = 0;

    keys[n++] = (struct ini_key){.name = "bots",
                                 .form = "BOT, BOT, ...",
                                 .read = read_words,
                                 .again = true};
    for (int i = 0; opts[i].name; i++) {
        assert(n < INI_KEYS_MAX - 1);
        keys[n++] = (struct ini_key){
            .name = opts[i].name,
            .form = opts[i].arg ? opts[i].arg : "yes",
            .read = is_refused(opts[i].name) ? refuse_option : read_option,
            .at = (size_t)i,
            .again = opts[i].kind == OPT_LIST,
            .is_refused = is_refused(opts[i].name),
        };
    }
}

static void *begin_command(struct ini *ini, const char *name, struct err *err)
{
    static char nothing[INI_KEYS_MAX]; /* an option has its own target */

    return nothing;
}

static void *begin_bot(struct ini *ini, const char *name, struct err *err)
{
    const struct target *target = ini->user;
    struct bot_entry *entry = bot_book_add(target->book, name);

    if (!entry)
        fail(err, "more than %d bots", BOTS_MAX);
    return entry;
}

/* A command reports one mistake at a time. */
static bool is_right(struct ini *ini, struct err *err)
{
    struct lines remarks;

    if (ini->mistakes == 0)
        return true;
    lines_init(&remarks, 4 << 20);
    ini_report(ini, &remarks);
    fail(err, "%s", lines_text(&remarks, 0));
    lines_release(&remarks);
    return false;
}

bool config_read(const char *path, const char *section, const struct opt *opts,
                 const bool *given, struct bot_book *book, struct texts *words,
                 struct err *err)
{
    static struct pool pool;
    static struct ini ini;
    struct target target = {opts, given, book, words};
    struct ini_key keys[INI_KEYS_MAX] = {0};
    struct ini_kind kinds[] = {
        {section, NULL, "", keys, begin_command},
        {"bot", "NAME", BOT_ABOUT, bot_keys, begin_bot},
        {0},
    };

    fill_keys(opts, keys);
    ini_read(&ini, path, kinds, &target, &pool);
    for (struct ini_section *s = ini.first; s; s = s->next)
        if (s->kind == &kinds[1])
            bot_entry_check(&ini, s);
    return is_right(&ini, err);
}
