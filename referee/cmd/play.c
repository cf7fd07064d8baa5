/*
 * referee play - let a person take part in a game.
 *
 * A person is a bot like any other. "referee play" starts a match in which one
 * of the bots is "referee play --terminal TTY". That bot speaks the protocol on
 * its standard input and output and asks the person on the terminal. It knows
 * only what its seat was told. It picks a world that agrees with this and draws
 * the seat's view of it, so it cannot show anything hidden.
 */

#include "base/alloc.h"
#include "base/date.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/play/line.h"
#include "cmd/play/web.h"
#include "lib/referee.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SHOWN_MAX = 40,       /* moves in a list */
    HINT_PLAYOUTS = 1000, /* but no longer than ... */
    HINT_MS = 3000,
    MOVE_TEXT = 256,
    TEXT_MAX = 1 << 20,
    ARGS_MAX = 40,
};

static const char *game, *control, *terminal, *records;
static const char *walls = "none";
static int seat = 1;
static struct texts sets;
static bool web;

static const struct opt opts[] = {
    {"game", "G", "the game; \"referee games\" lists them", OPT_TEXT, &game, 0,
     0},
    {"seat", "K", "your seat (default 1)", OPT_INT, &seat, 1, 6},
    {"time", "CONTROL", "time control (default none)", OPT_TEXT, &control, 0,
     0},
    {"set", "K=V", "set an option of the game", OPT_LIST, &sets, 0, 0},
    {"records", "DIR", "keep the record below DIR (default referee-games)",
     OPT_TEXT, &records, 0, 0},
    {"walls", "WALL",
     "walls around the bots: none (default), limits, landlock, bwrap, auto",
     OPT_TEXT, &walls, 0, 0},
    {"web", NULL, "play in the browser, on a page served by this machine",
     OPT_FLAG, &web, 0, 0},
    {"terminal", "TTY", "act as the person's bot, as \"play\" itself does",
     OPT_TEXT, &terminal, 0, 0},
    {0},
};

/* The person's side. */

struct person {
    FILE *in, *out; /* the terminal */
    struct line_reader *typed;
    referee_rules *rules;
    referee_seat *knows;
    referee_state *world;
    referee_rng *rng;
    int seat;
    char *text; /* TEXT_MAX bytes for anything */
    char *line; /* of the referee */
    size_t cap;
    int listed[SHOWN_MAX]; /* moves, as numbered on the screen */
    int count;
};

static const char help_text[] =
    "  12        play number 12 of the list\n"
    "  b2:1      play this move; its beginning lists the moves that begin "
    "with it,\n"
    "            and Tab completes it\n"
    "  list      list the moves again\n"
    "  hint      ask the built-in bot what it would play\n"
    "  resign    give up\n";

static void new_game(struct person *p, const char *rest)
{
    referee_error err;

    referee_free(p->world);
    referee_seat_free(p->knows);
    referee_rules_free(p->rules);
    p->world = NULL;
    p->knows = NULL;
    p->rules = referee_rules_told(rest, &p->seat, &err);
    if (!p->rules)
        return;
    p->knows = referee_seat_new(p->rules, p->seat, "person", &err);
    p->world = referee_new(p->rules, "person");
    fprintf(p->out, "\n%s. You have seat %d.\n",
            referee_game_title(referee_rules_game(p->rules)), p->seat);
}

/* An event of the game: print a line for everyone's moves. */
static void told(struct person *p, const char *event)
{
    referee_error err;

    if (p->knows && !referee_seat_told(p->knows, event, &err))
        fprintf(p->out, "  (%s)\n", err.text);
    fprintf(p->out, "  %s\n", event);
}

static void draw(struct person *p)
{
    referee_show(p->world, p->seat, p->text, TEXT_MAX);
    fprintf(p->out, "\n%s\n", p->text);
}

static const char *move_text(struct person *p, int move)
{
    static const char none[] = "";

    return referee_move_text(p->world, p->seat, move, p->text, TEXT_MAX)
               ? p->text
               : none;
}

/* List the moves that begin with this text, with their numbers; if there are
 * none the numbers stay as they were. */
static void list(struct person *p, const char *start)
{
    int moves = referee_moves(p->world, p->seat), found = 0;

    for (int i = 0; i < moves; i++) {
        const char *text = move_text(p, i);

        if (strncmp(text, start, strlen(start)) != 0)
            continue;
        if (found++ == 0)
            p->count = 0;
        if (p->count == SHOWN_MAX)
            continue;
        p->listed[p->count++] = i;
        fprintf(p->out, "%4d  %-18s%s", p->count, text,
                p->count % 3 == 0 ? "\n" : "");
    }
    fputs(found && p->count % 3 ? "\n" : "", p->out);
    if (found == 0)
        fprintf(p->out,
                "No legal move begins with \"%s\"; the numbers are 1 to "
                "%d.\n",
                start, p->count);
    else if (found > SHOWN_MAX)
        fprintf(p->out,
                "%d more. Type the beginning of your move to see "
                "fewer.\n",
                found - SHOWN_MAX);
}

static void hint(struct person *p)
{
    char move[MOVE_TEXT];

    if (referee_search(p->knows, HINT_PLAYOUTS, HINT_MS, "hint", move,
                       sizeof move, NULL) >= 0)
        fprintf(p->out, "Perhaps %s.\n", move);
}

/* Turn the typed text into a move; NULL: nothing to play yet. */
static const char *understand(struct person *p, const char *typed)
{
    const char *at = typed;
    int number;

    if (strcmp(typed, "resign") == 0)
        return typed;
    if (strcmp(typed, "help") == 0 || strcmp(typed, "?") == 0)
        fputs(help_text, p->out);
    else if (strcmp(typed, "hint") == 0)
        hint(p);
    else if (strcmp(typed, "list") == 0 || !*typed)
        list(p, "");
    else if (take_int(&at, 1, p->count, &number) && at_end(at))
        return move_text(p, p->listed[number - 1]);
    else if (referee_find(p->world, p->seat, typed, NULL) >= 0)
        return move_text(p, referee_find(p->world, p->seat, typed, NULL));
    else
        list(p, typed);
    return NULL;
}

/* What Tab can complete. */
static void find_words(void *arg, const char *start, struct buf *out)
{
    static const char *const commands[] = {"help", "hint", "list", "resign"};
    struct person *p = arg;
    size_t n = strlen(start);

    for (int i = 0; i < referee_moves(p->world, p->seat); i++)
        if (strncmp(move_text(p, i), start, n) == 0)
            buf_add(out, "%s\n", p->text);
    for (size_t i = 0; n > 0 && i < sizeof commands / sizeof *commands; i++)
        if (strncmp(commands[i], start, n) == 0)
            buf_add(out, "%s\n", commands[i]);
}

static const char *ask(struct person *p)
{
    const char *move = NULL;

    while (!move) {
        const char *typed = line_read(p->typed);

        if (!typed)
            return "resign";
        move = understand(p, typed);
        fflush(p->out);
    }
    return move;
}

static const char *choose(struct person *p)
{
    referee_error err;

    if (!p->world || !referee_seat_world(p->knows, p->world, p->rng, &err))
        return "resign";
    draw(p);
    list(p, "");
    fflush(p->out);
    return ask(p);
}

static void list_commands(void)
{
    fputs("new_game\ngenmove\ngame_over\nleave\nquit", stdout);
    for (int i = 0; i < referee_games(); i++) {
        const char *word = referee_game_events(referee_game_name(i));

        for (; *word; word += strcspn(word, "|"), word += *word == '|')
            printf("\n%.*s", (int)strcspn(word, "|"), word);
    }
}

/* "ID COMMAND ARGUMENTS"; false after quit. */
static bool answer(struct person *p, char *line)
{
    size_t id = strspn(line, "0123456789");
    const char *at = line + id + strspn(line + id, " ");

    printf("=%.*s ", (int)id, line);
    if (take_word(&at, "protocol_version"))
        fputs("2", stdout);
    else if (take_word(&at, "name"))
        fputs("you", stdout);
    else if (take_word(&at, "version"))
        fputs(PACKAGE_VERSION, stdout);
    else if (take_word(&at, "list_commands"))
        list_commands();
    else if (take_word(&at, "new_game"))
        new_game(p, at);
    else if (take_word(&at, "genmove"))
        fputs(choose(p), stdout);
    else if (take_word(&at, "game_over"))
        fprintf(p->out, "\nThe game is over: %s\n", at);
    else if (strcmp(at, "quit") != 0)
        told(p, at);
    fputs("\n\n", stdout);
    fflush(p->out);
    return strcmp(at, "quit") != 0;
}

static int be_the_person(void)
{
    struct person p = {.in = fopen(terminal, "r"), .out = fopen(terminal, "w")};
    ssize_t n;

    if (!p.in || !p.out)
        return complain("the terminal %.100s cannot be opened", terminal);
    p.text = must_alloc(malloc(TEXT_MAX));
    p.rng = referee_rng_new("person");
    p.typed = line_new(p.in, p.out,
                       "Your move (help, hint, resign): ", find_words, &p);
    while ((n = getline(&p.line, &p.cap, stdin)) > 0) {
        p.line[strcspn(p.line, "\r\n")] = '\0';
        if (!answer(&p, p.line) || fflush(stdout) == EOF)
            break;
    }
    fflush(stdout);
    referee_free(p.world);
    referee_seat_free(p.knows);
    referee_rules_free(p.rules);
    referee_rng_free(p.rng);
    free(p.text);
    free(p.line);
    line_free(p.typed);
    fclose(p.in);
    fclose(p.out);
    return 0;
}

/* The match. */

struct command {
    const char *arg[ARGS_MAX];
    int count;
};

static void add(struct command *c, const char *arg)
{
    if (c->count < ARGS_MAX - 1)
        c->arg[c->count++] = arg;
}

static void add_pair(struct command *c, const char *name, const char *value)
{
    add(c, name);
    add(c, value);
}

/* DIR/20261118-153000: each game has its own folder. */
static bool make_folder(char *path, size_t size)
{
    const char *top = records ? records : "referee-games";
    char now[DATE_NAME_TEXT + 1];

    date_name(time(NULL), now);
    snprintf(path, size, "%s/%s-%d", top, now, (int)getpid());
    return (mkdir(top, 0777) == 0 || access(top, W_OK) == 0);
}

static bool find_self(char *self, size_t size)
{
    ssize_t len = readlink("/proc/self/exe", self, size - 1);

    self[len > 0 ? len : 0] = '\0';
    return len > 0;
}

static int start_web(int bots, char **bot)
{
    char self[4096], folder[4096];
    struct web_play play = {.self = self,
                            .folder = folder,
                            .game = game,
                            .time = control,
                            .walls = walls,
                            .bot = bot,
                            .bots = bots};

    if (sets.count > 0)
        return complain("--set works in the terminal; the page plays with "
                        "the usual options");
    if (!find_self(self, sizeof self) || !make_folder(folder, sizeof folder))
        return complain("the folder for records, %.100s, cannot be created",
                        records ? records : "referee-games");
    printf("The records are kept in %s.\n", folder);
    fflush(stdout);
    return web_play(&play);
}

/*
 * The person needs the terminal, so that "bot" runs without walls. A file in
 * memory tells the match this; the match opens it by this name.
 */
static bool write_person(const char *self, const char *tty, char path[40])
{
    int fd = memfd_create("you", 0);

    snprintf(path, 40, "/proc/self/fd/%d", fd);
    return fd != -1 && dprintf(fd,
                               "[bot you]\n"
                               "command = env '%s' play --terminal %s\n"
                               "walls = none\n",
                               self, tty) > 0;
}

static int start_match(int bots, char **bot)
{
    char self[4096], person[40], other[4200], folder[4096];
    struct command c = {.count = 0};
    const char *tty = ttyname(STDIN_FILENO);

    if (!tty)
        return complain("play needs a terminal; a program plays with "
                        "\"referee match\"");
    if (!find_self(self, sizeof self) || !make_folder(folder, sizeof folder))
        return complain("the folder for records, %.100s, cannot be created",
                        records ? records : "referee-games");
    if (!write_person(self, tty, person))
        return complain("the match cannot be started");
    snprintf(other, sizeof other, "level-8='%s' bot --level 8", self);
    add(&c, self);
    add(&c, "match");
    add_pair(&c, "--config", person);
    add_pair(&c, "--walls", walls);
    add_pair(&c, "--game", game);
    add_pair(&c, "--games", "1");
    add_pair(&c, "--time", control ? control : "none");
    add_pair(&c, "--move-cap", "1h");
    add_pair(&c, "--records", folder);
    add(&c, "--quiet");
    for (int i = 0; i < sets.count; i++)
        add_pair(&c, "--set", sets.text[i]);
    for (int i = 0; i <= (bots ? bots : 1); i++) {
        if (i == seat - 1)
            add(&c, "you");
        else
            add(&c, bots ? bot[i - (i > seat - 1)] : other);
    }
    c.arg[c.count] = NULL;
    printf("The record is kept in %s.\n", folder);
    fflush(stdout);
    execv(self, (char *const *)(void *)c.arg);
    return complain("the match cannot be started");
}

static int run(int argc, char **argv)
{
    if (terminal)
        return be_the_person();
    if (web)
        return start_web(argc, argv);
    if (!game)
        return complain("which game? Use --game G; \"referee games\" lists "
                        "them");
    if (argc > 5)
        return complain("at most 5 bots can play against you, not %d", argc);
    if (seat > (argc ? argc : 1) + 1)
        return complain("there are %d seats, so --seat must be 1 to %d, not %d",
                        (argc ? argc : 1) + 1, (argc ? argc : 1) + 1, seat);
    return start_match(argc, argv);
}

const struct subcommand cmd_play = {
    .name = "play",
    .args = "--game G [OPTION...] [BOT...]",
    .about = "play against bots yourself, in the terminal or the browser",
    .more =
        "Seats you at a game with bots (default: \"referee bot --level 8\"). You see "
        "what your seat\nmay see. Choose a move by its number, or type it; the "
        "beginning of a move lists the\nmoves that begin so. The record is "
        "kept like that of any match.\n\n"
        "With --web you play in the browser: the page is on this machine, for "
        "you alone. There\nyou choose game, opponent and seat.\n\n"
        "To play on a server, let your terminal be the bot:\n"
        "  referee connect HOST:PORT --name you --token-file F -- referee play "
        "--terminal $(tty)\n\n"
        "Example:\n"
        "  referee play --game rondo \"referee bot\"",
    .opts = opts,
    .run = run,
};
