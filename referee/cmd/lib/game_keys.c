#include "cmd/lib/game_keys.h"

#include "base/text.h"
#include "cmd/lib/setup.h"

#include <string.h>

bool read_set(const struct ini_value *v, struct err *err)
{
    struct parsed_game *parsed = v->to;

    if (!strchr(v->text, '=') || v->text[0] == '=')
        return fail(err, "must be OPTION=VALUE, one per line, not \"%.40s\"",
                    v->text);
    if (parsed->sets == OPTIONS_MAX)
        return fail(err, "no game has more than %d options", OPTIONS_MAX);
    parsed->set[parsed->sets++] = (struct set_parsed){
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

/* True if an earlier line set this option. */
static const struct set_parsed *twin_of(const struct parsed_game *parsed, int i)
{
    size_t n = strcspn(parsed->set[i].text, "=") + 1;

    for (int j = 0; j < i; j++)
        if (strncmp(parsed->set[j].text, parsed->set[i].text, n) == 0)
            return &parsed->set[j];
    return NULL;
}

static bool check_sets(struct ini *ini, struct parsed_game *parsed)
{
    bool all = true;

    for (int i = 0; i < parsed->sets; i++) {
        const struct set_parsed *set = &parsed->set[i];
        const struct set_parsed *twin = twin_of(parsed, i);
        struct err err;

        if (twin)
            ini_mistake(ini, set->line, "set: %.*s is already set in line %d",
                        (int)strcspn(set->text, "="), set->text, twin->line);
        else if (!setup_set_text(parsed->game, &parsed->setup, set->text,
                                 ini->pool, &err))
            ini_mistake(ini, set->line, "set: %s", err.text);
        else
            continue;
        all = false;
    }
    return all;
}

static void warn_of_setup(struct ini *ini, const struct ini_section *s,
                          const struct parsed_game *parsed)
{
    struct buf warnings;

    if (!parsed->game->warn)
        return;
    buf_init(&warnings, 1 << 16);
    parsed->game->warn(&parsed->setup, &warnings);
    for (const char *at = warnings.text; *at;) {
        int n = (int)strcspn(at, "\n");

        ini_warning(ini, ini_line(s, "game"), "%.*s", n, at);
        at += n + (at[n] == '\n');
    }
    buf_release(&warnings);
}

static void check_seats(struct ini *ini, const struct ini_section *s,
                        const char *title, struct parsed_game *parsed)
{
    const struct game *game = parsed->game;
    bool sets = check_sets(ini, parsed);
    struct err err;

    parsed->setup.seats = parsed->seats;
    if (!parsed->seats && !ini_has(s, "seats"))
        ini_mistake(ini, s->line,
                    "%s has no seats; %s has %d to %d, for example: seats = "
                    "%d",
                    title, game->name, game->min_seats, game->max_seats,
                    game->max_seats);
    else if (parsed->seats == 0)
        return;
    else if (!game_accepts(game, &parsed->setup, &err))
        ini_mistake(ini, ini_line(s, "seats"), "%s", err.text);
    else if (sets)
        warn_of_setup(ini, s, parsed);
}

void parsed_game_check(struct ini *ini, const struct ini_section *s,
                       const char *title, struct parsed_game *parsed)
{
    struct err err;

    if (!parsed->name) {
        if (!ini_has(s, "game"))
            ini_mistake(ini, s->line, "%s has no game; for example: game = %s",
                        title, game_at(0)->name);
        if (!parsed->seats && !ini_has(s, "seats"))
            ini_mistake(ini, s->line, "%s has no seats; for example: seats = 2",
                        title);
    } else if (game_named(parsed->name, &parsed->game, &err)) {
        check_seats(ini, s, title, parsed);
    } else {
        parsed->game = NULL;
        ini_mistake(ini, ini_line(s, "game"), "game: %s", err.text);
    }
}
