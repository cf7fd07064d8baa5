#include "cmd/game_keys.h"

#include "base/text.h"
#include "cmd/setup.h"

#include <string.h>

bool read_set(const struct ini_value *v, struct err *err)
{
    struct game_draft *draft = v->to;

    if (!strchr(v->text, '=') || v->text[0] == '=')
        return fail(err, "must be OPTION=VALUE, one per line, not \"%.40s\"",
                    v->text);
    if (draft->sets == OPTIONS_MAX)
        return fail(err, "no game has more than %d options", OPTIONS_MAX);
    draft->set[draft->sets++] = (struct set_draft){
        .text = pool_text(v->ini->pool, v->text), .line = v->ini->line};
    return true;
}

bool illegal_read(const char *text, int *retries, struct err *err)
{
    const char *at = text;

    *retries = 0;
    if (strcmp(text, "forfeit") == 0)
        return true;
    if (take_text(&at, "retry:") && take_int(&at, 0, 1000, retries) &&
        at_end(at))
        return true;
    return fail(err,
                "must be forfeit or retry:N, such as retry:2, not \"%.40s\"",
                text);
}

bool read_illegal(const struct ini_value *v, struct err *err)
{
    return illegal_read(v->text, v->to, err);
}

/* Was this option set by an earlier line? */
static const struct set_draft *twin_of(const struct game_draft *draft, int i)
{
    size_t n = strcspn(draft->set[i].text, "=") + 1;

    for (int j = 0; j < i; j++)
        if (strncmp(draft->set[j].text, draft->set[i].text, n) == 0)
            return &draft->set[j];
    return NULL;
}

static bool check_sets(struct ini *ini, struct game_draft *draft)
{
    bool all = true;

    for (int i = 0; i < draft->sets; i++) {
        const struct set_draft *set = &draft->set[i];
        const struct set_draft *twin = twin_of(draft, i);
        struct err err;

        if (twin)
            ini_mistake(ini, set->line, "set: %.*s is set already in line %d",
                        (int)strcspn(set->text, "="), set->text, twin->line);
        else if (!setup_set_text(draft->game, &draft->setup, set->text,
                                 ini->pool, &err))
            ini_mistake(ini, set->line, "set: %s", err.text);
        else
            continue;
        all = false;
    }
    return all;
}

static void warn_of_setup(struct ini *ini, const struct ini_section *s,
                          const struct game_draft *draft)
{
    struct buf warnings;

    if (!draft->game->warn)
        return;
    buf_init(&warnings, 1 << 16);
    draft->game->warn(&draft->setup, &warnings);
    for (const char *at = warnings.text; *at;) {
        int n = (int)strcspn(at, "\n");

        ini_warning(ini, ini_line(s, "game"), "%.*s", n, at);
        at += n + (at[n] == '\n');
    }
    buf_release(&warnings);
}

static void check_seats(struct ini *ini, const struct ini_section *s,
                        const char *title, struct game_draft *draft)
{
    const struct game *game = draft->game;
    bool sets = check_sets(ini, draft);
    struct err err;

    draft->setup.seats = draft->seats;
    if (!ini_has(s, "seats"))
        ini_mistake(ini, s->line,
                    "%s has no seats; %s has %d to %d, so say for example "
                    "seats = %d",
                    title, game->name, game->min_seats, game->max_seats,
                    game->max_seats);
    else if (draft->seats == 0)
        return;
    else if (!game_accepts(game, &draft->setup, &err))
        ini_mistake(ini, ini_line(s, "seats"), "%s", err.text);
    else if (sets)
        warn_of_setup(ini, s, draft);
}

void game_draft_check(struct ini *ini, const struct ini_section *s,
                      const char *title, struct game_draft *draft)
{
    struct err err;

    if (!draft->name) {
        if (!ini_has(s, "game"))
            ini_mistake(ini, s->line,
                        "%s has no game; say for example game = %s", title,
                        game_at(0)->name);
        if (!ini_has(s, "seats"))
            ini_mistake(ini, s->line,
                        "%s has no seats; say for example seats = 2", title);
    } else if (game_named(draft->name, &draft->game, &err)) {
        check_seats(ini, s, title, draft);
    } else {
        draft->game = NULL;
        ini_mistake(ini, ini_line(s, "game"), "game: %s", err.text);
    }
}
