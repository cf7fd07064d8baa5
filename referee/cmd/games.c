/* referee games - list the games and their options. */

#include "cmd/cmd.h"
#include "games/game.h"
#include "web/rules.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static bool as_json, with_rules;

static const struct opt opts[] = {
    {"rules", NULL, "print the rules of the game, as in protocol.md", OPT_FLAG,
     &with_rules, 0, 0},
    {"json", NULL, "write JSON", OPT_FLAG, &as_json, 0, 0},
    {0},
};

static const char *seats_text(const struct game *game)
{
    static char text[16];

    if (game->min_seats == game->max_seats)
        snprintf(text, sizeof text, "%d", game->min_seats);
    else
        snprintf(text, sizeof text, "%d to %d", game->min_seats,
                 game->max_seats);
    return text;
}

static void print_list(void)
{
    printf("%-14s %-7s %s\n", "GAME", "SEATS", "WHAT IT IS");
    for (size_t i = 0; i < game_count(); i++)
        printf("%-14s %-7s %s\n", game_at(i)->name, seats_text(game_at(i)),
               game_at(i)->about);
    printf("\n\"referee games NAME\" shows the options and the notation.\n");
}

/* "contact=edge|face|interlock", "repetition=0, or 2 to 9" */
static void print_option(const struct game_option *o)
{
    printf("  %s=%s%s%s\n", o->name, o->values ? o->values : "",
           o->values && o->form ? "|" : "", o->form ? o->form : "");
    if (o->preset)
        printf("      %s (default %s)\n", o->help, o->preset);
    else
        printf("      %s\n", o->help);
}

static void print_words(const char *title, const char *words)
{
    printf("%s", title);
    for (; *words; words++)
        putchar(*words == '|' ? ' ' : *words);
    printf("\n");
}

static void print_game(const struct game *game)
{
    printf("%s (%s), version %d, %s seats\n%s\n\nOptions (--set NAME=VALUE):\n",
           game->title, game->name, game->version, seats_text(game),
           game->about);
    if (!game->options)
        printf("  none\n");
    for (const struct game_option *o = game->options; o && o->name; o++)
        print_option(o);
    printf("\nMoves:\n%s\n", game->notation);
    if (game->notation[strlen(game->notation) - 1] != '\n')
        printf("\n");
    print_words("Events: ", game->events);
    print_words("Ends:   ", game->reasons);
}

static json_t *words_json(const char *words)
{
    json_t *list = json_array();

    while (words && *words) {
        size_t n = strcspn(words, "|");

        json_array_append_new(list, json_stringn(words, n));
        words += n + (words[n] == '|');
    }
    return list;
}

static json_t *game_json(const struct game *game)
{
    json_t *options = json_array();

    for (const struct game_option *o = game->options; o && o->name; o++)
        json_array_append_new(options,
                              json_pack("{s:s, s:s?, s:o, s:s?, s:s}", "name",
                                        o->name, "default", o->preset, "values",
                                        words_json(o->values), "form", o->form,
                                        "help", o->help));
    return json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:i, s:b, s:b, s:b, s:o, s:s, "
        "s:o, s:o}",
        "name", game->name, "title", game->title, "about", game->about,
        "version", game->version, "min_seats", game->min_seats, "max_seats",
        game->max_seats, "hidden", (game->traits & TRAIT_HIDDEN) != 0, "chance",
        (game->traits & TRAIT_CHANCE) != 0, "simultaneous",
        (game->traits & TRAIT_SIMULTANEOUS) != 0, "options", options,
        "notation", game->notation, "events", words_json(game->events),
        "reasons", words_json(game->reasons));
}

static void print_json(const struct game *only)
{
    json_t *list = json_array();

    for (size_t i = 0; i < game_count(); i++)
        if (!only || only == game_at(i))
            json_array_append_new(list, game_json(game_at(i)));
    json_dumpf(only ? json_array_get(list, 0) : list, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(list);
}

static int run(int argc, char **argv)
{
    const struct game *game = NULL;
    struct err err;

    if (argc > 1)
        return complain("games takes one name, not %d", argc);
    if (argc == 1 && !game_named(argv[0], &game, &err))
        return complain("%s", err.text);
    if (with_rules && (as_json || !game))
        return complain("--rules takes the name of a game, and no other "
                        "option: referee games NAME --rules");
    if (with_rules)
        fputs(rules_text(game), stdout);
    else if (as_json)
        print_json(game);
    else if (game)
        print_game(game);
    else
        print_list();
    return 0;
}

const struct subcommand cmd_games = {
    .name = "games",
    .args = "[NAME] [--rules|--json]",
    .about = "list the games, or describe one",
    .opts = opts,
    .run = run,
};
