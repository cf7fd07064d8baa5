/* The starter kit: texts, and the protocol. */
#include "referee_bot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Texts. */

static const char blanks[] = " \t\r\n", digits[] = "0123456789";

static void *grown(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* A line of any length, without its end. */
static bool read_line(struct words *line)
{
    size_t used = 0;

    do {
        if (line->size - used < 4096)
            line->text = grown(line->text, line->size = 2 * used + 8192);
        if (!fgets(line->text + used, (int)(line->size - used), stdin))
            return used > 0;
        used += strlen(line->text + used);
    } while (used == 0 || line->text[used - 1] != '\n');
    line->text[strcspn(line->text, "\r\n")] = '\0';
    return true;
}

static void add_word(struct words *words, char *word)
{
    if (words->count == words->room) {
        words->room = 2 * words->room + 64;
        words->word = grown(words->word, words->room * sizeof *words->word);
    }
    words->word[words->count++] = word;
}

static void split(struct words *words)
{
    words->count = 0;
    for (char *w = strtok(words->text, blanks); w; w = strtok(NULL, blanks))
        add_word(words, w);
}

const char *value(const struct words *words, const char *key)
{
    size_t n = strlen(key);

    for (size_t i = 0; i < words->count; i++)
        if (strncmp(words->word[i], key, n) == 0 && words->word[i][n] == '=')
            return words->word[i] + n + 1;
    return "";
}

const char *part(const char *text, char separator, int k)
{
    while (--k > 0 && (text = strchr(text, separator)) != NULL)
        text++;
    return text ? text : "";
}

const char *best_move(const struct game *game,
                      double (*worth)(const char *move, const void *context),
                      const void *context)
{
    const char *best = "resign";
    double most = 0;
    int equal = 0;

    for (size_t i = 0; i < game->moves.count; i++) {
        const char *move = game->moves.word[i];
        double now = worth(move, context);

        if (i == 0 || now > most)
            equal = 0;
        else if (now < most)
            continue;
        most = now;
        if (rand() % ++equal == 0)
            best = move;
    }
    return best;
}

/* The protocol. */

struct session {
    const struct bot *bot;
    struct game game;
    struct words line;
};

/* The rest of the line stays with the words; their old line is used up next. */
static void keep(struct session *s, struct words *words)
{
    char *line = words->text;
    size_t size = words->size;

    words->text = s->line.text;
    words->size = s->line.size;
    s->line.text = line;
    s->line.size = size;
}

static const char *on_version_2(struct session *s, char *args)
{
    (void)s, (void)args;
    return "2";
}

static const char *on_name(struct session *s, char *args)
{
    (void)args;
    return s->bot->name ? s->bot->name : "bot";
}

static const char *on_version(struct session *s, char *args)
{
    (void)args;
    return s->bot->version ? s->bot->version : "1";
}

static const char *on_new_game(struct session *s, char *args)
{
    struct game *game = &s->game;

    (void)args;
    game->view.count = game->moves.count = 0;
    game->time_left_ms = -1;
    game->piece_count = 0;
    keep(s, &game->options);
    split(&game->options);
    /* The line is ID new_game NAME ..., or without the ID. */
    for (size_t i = 1; i < game->options.count; i++)
        if (strcmp(game->options.word[i - 1], "new_game") == 0)
            snprintf(game->name, sizeof game->name, "%.32s",
                     game->options.word[i]);
    game->seat = atoi(value(&game->options, "seat"));
    game->seats = atoi(value(&game->options, "seats"));
    return s->bot->game && strcmp(s->bot->game, game->name) != 0 ? NULL : "";
}

static const char *on_time_left(struct session *s, char *args)
{
    char *end;

    if (strtol(args, &end, 10) == s->game.seat)
        s->game.time_left_ms = strtol(end, NULL, 10);
    return "";
}

static const char *on_state(struct session *s, char *args)
{
    (void)args;
    keep(s, &s->game.view);
    split(&s->game.view);
    return "";
}

/* Only the moves themselves are words of "moves": drop what leads to them. */
static const char *on_legal_moves(struct session *s, char *args)
{
    struct words *moves = &s->game.moves;

    keep(s, moves);
    memmove(moves->text, args, strlen(args) + 1);
    split(moves);
    return "";
}

static const char *on_rejected(struct session *s, char *args)
{
    struct words *moves = &s->game.moves;
    size_t kept = 0, n = strcspn(args, blanks);

    fprintf(stderr, "rejected: %s\n", args);
    for (size_t i = 0; i < moves->count; i++)
        if (strlen(moves->word[i]) != n || strncmp(moves->word[i], args, n))
            moves->word[kept++] = moves->word[i];
    moves->count = kept;
    return "";
}

static const char *on_genmove(struct session *s, char *args)
{
    const struct words *moves = &s->game.moves;
    const char *move = s->bot->choose(&s->game);

    (void)args;
    if (move)
        return move;
    return moves->count ? moves->word[(size_t)rand() % moves->count] : "resign";
}

/* "piece P11 xxx/x..": no other event is needed to understand the moves. */
static void hear_piece(struct game *game, const char *rest)
{
    struct piece *piece = &game->piece[game->piece_count];
    size_t n = strcspn(rest, blanks);

    if (game->piece_count == PIECES_MAX || n >= sizeof piece->card || !rest[n])
        return;
    snprintf(piece->card, sizeof piece->card, "%.*s", (int)n, rest);
    snprintf(piece->rows, sizeof piece->rows, "%s", rest + n + 1);
    game->piece_count++;
}

static const char *on_event(struct session *s, char *args)
{
    if (strncmp(args, "piece ", 6) == 0)
        hear_piece(&s->game, args + 6);
    if (s->bot->hear)
        s->bot->hear(&s->game, args);
    return "";
}

static const char *on_quit(struct session *s, char *args)
{
    (void)s, (void)args;
    return "";
}

static const char *on_list_commands(struct session *s, char *args);

static const struct command {
    const char *word;
    const char *(*answer)(struct session *s, char *args); /* NULL: refuse */
} commands[] = {
    {"protocol_version", on_version_2    },
    {"list_commands",    on_list_commands},
    {"name",             on_name         },
    {"version",          on_version      },
    {"new_game",         on_new_game     },
    {"time_left",        on_time_left    },
    {"state",            on_state        },
    {"legal_moves",      on_legal_moves  },
    {"genmove",          on_genmove      },
    {"rejected",         on_rejected     },
    {"quit",             on_quit         },
 /* Events: their function gets the whole line. */
    {"game_over",        on_event        },
    {"play",             on_event        },
    {"leave",            on_event        },
    {"remove",           on_event        },
    {"lay",              on_event        },
    {"hand",             on_event        },
    {"marks",            on_event        },
    {"bonus",            on_event        },
    {"draw",             on_event        },
    {"score",            on_event        },
    {"last_round",       on_event        },
    {"piece",            on_event        },
    {"start",            on_event        },
    {"round",            on_event        },
    {"second",           on_event        },
    {"out",              on_event        },
    {"one",              on_event        },
    {"part",             on_event        },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const char *on_list_commands(struct session *s, char *args)
{
    static char list[32 * COMMANDS];
    size_t used = 0;

    (void)s, (void)args;
    for (int i = 0; i < COMMANDS; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i ? "\n" : "", commands[i].word);
    return list;
}

static const struct command *find_command(const char *word, size_t length)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strlen(commands[i].word) == length &&
            strncmp(commands[i].word, word, length) == 0)
            return &commands[i];
    return NULL;
}

/* Answer the line that was read; false after "quit". */
static bool answer(struct session *s)
{
    char *id = s->line.text + strspn(s->line.text, blanks);
    int id_length = (int)strspn(id, digits);
    char *word = id + id_length + strspn(id + id_length, blanks);
    size_t length = strcspn(word, blanks);
    char *args = word + length + strspn(word + length, blanks);
    const struct command *command = find_command(word, length);
    char id_text[32];
    const char *text;

    if (length == 0)
        return true;
    snprintf(id_text, sizeof id_text, "%.*s", id_length, id);
    if (command && command->answer == on_event)
        args = word;
    text = command ? command->answer(s, args) : "unknown command";
    if (command && text)
        printf("=%s%s%s\n\n", id_text, *text ? " " : "", text);
    else
        printf("?%s %s\n\n", id_text, text ? text : "not this game");
    fflush(stdout); /* or the answer would wait here for more */
    return !command || command->answer != on_quit;
}

int run(const struct bot *bot)
{
    static struct session s;
    struct timespec now;

    timespec_get(&now, TIME_UTC); /* nanoseconds: no two bots start alike */
    srand((unsigned)(now.tv_sec ^ now.tv_nsec));
    s.bot = bot;
    while (read_line(&s.line) && answer(&s))
        ;
    return 0;
}
