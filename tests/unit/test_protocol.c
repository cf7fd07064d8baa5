/* The tables of protocol.md and those in the code say the same, both ways. */

#include "base/text.h"
#include "games/random_game.h"
#include "match/match.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void read_protocol(void)
{
    const char *src = getenv("srcdir");
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/protocol.md", src ? src : ".");
    file = fopen(path, "r");
    cr_assert(file, "%s", path);
    text = calloc(1, 1 << 20);
    cr_assert_gt(fread(text, 1, (1 << 20) - 1, file), 1000);
    fclose(file);
}

static void forget_protocol(void)
{
    free(text);
}

TestSuite(protocol, .init = read_protocol, .fini = forget_protocol);

/* From a heading to the next one of any level, as a string to be freed. */
static char *section(const char *heading)
{
    const char *at = strstr(text, heading), *end;

    cr_assert(at, "no section \"%s\"", heading);
    end = strstr(at + 1, "\n##");
    return strndup(at, end ? (size_t)(end - at) : strlen(at));
}

/* The next table row whose first cell starts so; *at moves behind it. */
static char *next_row(const char **at, const char *start)
{
    const char *row = *at;

    while ((row = strstr(row, "\n| ")) != NULL) {
        size_t n = strcspn(row + 1, "\n");

        *at = row + 1;
        if (strncmp(row + 3, start, strlen(start)) == 0)
            return strndup(row + 1, n);
        row++;
    }
    return NULL;
}

/* The next `code` in a row; *at moves behind it. */
static bool next_code(const char **at, char code[256])
{
    const char *open = strchr(*at, '`'), *close;

    if (!open)
        return false;
    close = strchr(open + 1, '`');
    cr_assert(close, "an open ` in %s", *at);
    snprintf(code, 256, "%.*s", (int)(close - open - 1), open + 1);
    *at = close + 1;
    return true;
}

/* All but the first cell of a row is cut off. */
static const char *cut_to_first(char *row)
{
    row[1 + strcspn(row + 1, "|")] = '\0';
    return row;
}

static void first_word(char *code)
{
    code[strcspn(code, " ")] = '\0';
}

Test(protocol, commands)
{
    char *part = section("### 6.2 Commands");
    const char *at = part;
    unsigned seen = 0;
    char *row, code[256];

    while ((row = next_row(&at, "`")) != NULL) {
        const char *cell = row;
        int command = 0;

        cr_assert(next_code(&cell, code));
        first_word(code);
        while (command < COMMANDS && (!command_word(command) ||
                                      strcmp(command_word(command), code) != 0))
            command++;
        cr_assert_lt(command, COMMANDS, "%s is not in the code", code);
        seen |= 1u << command;
        free(row);
    }
    for (int c = 0; c < COMMANDS; c++)
        if (c == COMMAND_PONDER)
            cr_assert(strstr(part, "`ponder`"));
        else if (c != COMMAND_EVENT)
            cr_assert(seen & 1u << c, "%s is not in protocol.md",
                      command_word(c));
    free(part);
}

static char *game_section(const struct game *game)
{
    const char *at = text;

    while ((at = strstr(at, "\n### 2.")) != NULL) {
        const char *name = strchr(at, ' ') + 1 + strlen("2.1 ");
        char heading[64];

        at++;
        if (strncmp(name, game->name, strlen(game->name)) != 0 ||
            name[strlen(game->name)] != '\n')
            continue;
        snprintf(heading, sizeof heading, "%.*s", (int)strcspn(at, "\n"), at);
        return section(heading);
    }
    cr_assert(false, "no section for %s", game->name);
    return NULL;
}

/* Each event in the doc is the game's, and each of the game's is there. */
static void check_events(const struct game *game, const char *part)
{
    bool seen[32] = {false};
    const char *at = part, *word;
    char *row, code[256];

    while ((row = next_row(&at, "")) != NULL) {
        const char *cell = row;

        if (strncmp(row, "| events", 8) == 0 || strncmp(row, "| solo", 6) == 0)
            while (next_code(&cell, code)) {
                int i;

                first_word(code);
                if (code[0] < 'a' || code[0] > 'z' || strchr(code, ':'))
                    continue; /* a value, not an event */
                i = words_find(game->events, code);
                cr_assert_geq(i, 0, "%s: %s is no event", game->name, code);
                seen[i] = true;
            }
        free(row);
    }
    for (int i = 0; words_at(game->events, i, &word); i++)
        cr_assert(seen[i], "%s: event %d of %s is not in protocol.md",
                  game->name, i, game->events);
}

static void check_reasons(const struct game *game, const char *part)
{
    const char *at = part, *word;
    char *row = next_row(&at, "reasons"), code[256];
    const char *cell = row;
    int count = 0, expected = 0;

    cr_assert(row);
    while (next_code(&cell, code)) {
        cr_assert_geq(words_find(game->reasons, code), 0, "%s: %s", game->name,
                      code);
        count++;
    }
    while (words_at(game->reasons, expected, &word))
        expected++;
    cr_assert_eq(count, expected, "%s has %d reasons", game->name, expected);
    free(row);
}

/* The keys of KEY=VALUE pairs, joined by '|'. */
static void add_keys(const char *pair, struct buf *keys)
{
    for (; *pair; pair += strspn(pair, " ")) {
        buf_add(keys, "%s%.*s", keys->len ? "|" : "", (int)strcspn(pair, "="),
                pair);
        pair += strcspn(pair, " ");
    }
}

/* The keys of the table, all of them or those that everybody sees. */
static void add_table_keys(const char *part, bool all, struct buf *keys)
{
    const char *at = strstr(part, "\n| key |"), *end, *cell;
    char *row, code[256];

    cr_assert(at);
    end = strstr(at, "\n\n");
    while ((row = next_row(&at, "`")) != NULL && at < end) {
        bool hidden = strstr(row, "| referee") != NULL;
        bool optional = strstr(row, "| referee: only if") != NULL;

        cell = cut_to_first(row);
        while ((all || !hidden) && !optional && next_code(&cell, code))
            buf_add(keys, "%s%s", keys->len ? "|" : "", code);
        free(row);
    }
    free(row);
}

static void check_all_in(const struct game *game, const char *words,
                         const char *others)
{
    const char *word;
    size_t n;

    for (int i = 0; (n = words_at(words, i, &word)) > 0; i++) {
        char one[64];

        snprintf(one, sizeof one, "%.*s", (int)n, word);
        cr_assert_geq(words_find(others, one), 0, "%s: %s is not in %s",
                      game->name, one, others);
    }
}

/*
 * The keys of a spectator's view, in order, are the first code of the row, and
 * the table of keys has those and the referee's.
 */
static void check_views(const struct game *game, const char *part)
{
    const uint8_t seed[SEED_BYTES] = {1};
    struct setup setup = {.seats = game->max_seats};
    const char *at = part;
    char *row = next_row(&at, "view"), code[256];
    const char *cell = row;
    struct buf view, keys, table;
    struct random_game random;

    cr_assert(row && next_code(&cell, code));
    random_game_begin(&random, game, &setup, seed);
    buf_init(&view, 1 << 20);
    buf_init(&keys, 1024);
    buf_init(&table, 1024);
    game->view(random.state, AUDIENCE_PUBLIC, &view);
    add_keys(view.text, &keys);
    for (char *c = code; (c = strchr(c, ' ')) != NULL;)
        *c = '|';
    cr_assert_str_eq(code, keys.text, "%s", game->name);
    add_table_keys(part, false, &table);
    cr_assert_str_eq(table.text, keys.text, "%s", game->name);
    buf_reset(&view);
    buf_reset(&keys);
    buf_reset(&table);
    game->view(random.state, AUDIENCE_REFEREE, &view);
    add_keys(view.text, &keys);
    add_table_keys(part, true, &table);
    check_all_in(game, table.text, keys.text);
    check_all_in(game, keys.text, table.text);
    buf_release(&view);
    buf_release(&keys);
    buf_release(&table);
    random_game_end(&random);
    free(row);
}

Test(protocol, games)
{
    for (size_t i = 0; i < game_count(); i++) {
        char *part = game_section(game_at(i));

        check_events(game_at(i), part);
        check_reasons(game_at(i), part);
        check_views(game_at(i), part);
        free(part);
    }
}

Test(protocol, faults)
{
    char *part = section("### 6.5 Faults");
    const char *at = part;
    char *row, code[256], *rows[WHYS] = {NULL};

    while ((row = next_row(&at, "`")) != NULL) {
        const char *cell = row;
        enum why why;

        cr_assert(next_code(&cell, code));
        cr_assert(why_read(code, &why), "%s is not in the code", code);
        rows[why] = row;
    }
    for (int why = 0; why < WHYS; why++)
        cr_assert(rows[why], "%s is not in protocol.md", why_word(why));
    for (int f = 0; f < FAULTS; f++)
        cr_assert(strstr(rows[fault_why(f)], fault_text(f)),
                  "\"%s\" is not in the row of %s", fault_text(f),
                  why_word(fault_why(f)));
    for (int why = 0; why < WHYS; why++)
        free(rows[why]);
    free(part);
}

/* A head with the words of the table is read. */
Test(protocol, record_head)
{
    static const char *const behind[] = {
        "1",           "rondo",     "board=blue", "2",      "id=1",
        "1 name=anna", "1 move:1s", "none",       "6a09 -", "RPGBY"};
    enum { HEAD = sizeof behind / sizeof *behind };
    char *part = section("## 4 Records"), *row, code[256], other[256];
    const char *at = part, *cell;
    struct record r;
    struct buf head;
    struct err err;

    buf_init(&head, 1024);
    for (int i = 0; i < HEAD; i++) {
        row = next_row(&at, "`");
        cr_assert(row);
        cell = cut_to_first(row);
        cr_assert(next_code(&cell, code));
        first_word(code);
        buf_add(&head, "%s %s\n", code, behind[i]);
        while (next_code(&cell, other)) {
            first_word(other);
            cr_assert_str_eq(other, code);
        }
        free(row);
    }
    row = next_row(&at, "`");
    cr_assert(row && strncmp(row, "| `@- ", 6) == 0, "another line: %s", row);
    free(row);
    cr_assert(record_open(&r, "head", 0, head.text, head.len, &err), "%s",
              err.text);
    cr_assert(r.about && r.seat[0] && r.time[0] && r.commit && r.entropy);
    cr_assert_str_eq(r.deal, "RPGBY");
    buf_release(&head);
    free(part);
}

/* The first word, and how many words there are. */
static int words_of(char *text)
{
    int count = 1;

    for (const char *at = text; (at = strchr(at, ' ')) != NULL; at++)
        count++;
    first_word(text);
    return count;
}

Test(protocol, time_settings)
{
    char *part = section("### 6.4 Time"), *row, code[256];
    const char *at = part, *cell;
    struct buf text;

    free(next_row(&at, "`time_settings`"));
    buf_init(&text, 256);
    for (enum time_system system = 0; system <= TIME_HOURGLASS; system++) {
        const struct time_control c = {system, 1000000, 1000000, 2, false};

        buf_reset(&text);
        time_settings_write(&c, &text);
        cell = row = next_row(&at, "`");
        cr_assert(row && next_code(&cell, code), "no row for %s", text.text);
        cr_assert_eq(words_of(code), words_of(text.text), "%s", code);
        cr_assert_str_eq(code, text.text);
        free(row);
    }
    cr_assert_null(next_row(&at, "`"));
    buf_release(&text);
    free(part);
}

static const struct {
    const char *what;
    long value;
} limits[] = {
    {"seats", SEATS_MAX},
    {"a line of the referee, or of a record", LINE_MAX_BYTES},
    {"`legal_moves`", LEGAL_MOVES_MAX},
    {"a line of a bot", TALK_LINE_MAX},
    {"lines of `list_commands`", TALK_LISTED_MAX},
    {"notes in a game", TALK_NOTES_MAX},
    {"bytes of notes in a game", TALK_NOTE_BYTES_MAX},
    {"empty lines without an answer", TALK_BLANKS_MAX},
    {"unread bytes", TALK_UNSENT_MAX},
    {"unanswered commands", TALK_OPEN_MAX},
    {"a move in its canonical spelling", MOVE_TEXT_MAX},
    {"the value of an option", OPTION_TEXT_MAX},
    {"a bot's name", BOT_NAME_MAX},
    {"a record that `referee replay` reads", RECORD_FILE_MAX},
};

enum { LIMITS = sizeof limits / sizeof *limits };

Test(protocol, limits)
{
    char *part = section("## 5 Limits");
    const char *at = part;
    int rows = 0;
    char *row;

    for (int i = 0; i < LIMITS; i++) {
        char want[128];

        snprintf(want, sizeof want, "\n| %s | %ld ", limits[i].what,
                 limits[i].value);
        cr_assert(strstr(part, want), "no row \"%s\"", want + 1);
    }
    while ((row = next_row(&at, "")) != NULL) {
        rows += strncmp(row, "| what", 6) != 0 && row[2] != '-';
        free(row);
    }
    cr_assert_eq(rows, LIMITS);
    free(part);
}
