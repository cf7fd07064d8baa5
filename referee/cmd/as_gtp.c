/*
 * referee as-gtp - run a referee bot under a controller that speaks plain GTP,
 * such as GoGui, Sabaki or gogui-twogtp.
 *
 * The controller sets up boards as it likes, takes moves back and lets one
 * colour move twice. So this program keeps the game as a list of moves. Before
 * it asks the bot for a move, it sends the events that the bot has not seen. If
 * the bot knows a different game, it gets a new_game with resume=yes and all
 * events, as after an interruption.
 */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/engine.h"
#include "games/game.h"
#include "match/talk.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOVES_MAX = 5000,
    WORD_MAX = 7,
    OPTION_MAX = 2600, /* every point of the largest board */
    LOG_MAX = 4 << 20,
    ANSWER_MAX = 1 << 20,
};

static const char *game_name = "go";
static struct texts set;

static const struct opt opts[] = {
    {"game", "G", "the game; GTP supports only go (default go)", OPT_TEXT,
     &game_name, 0, 0},
    {"set", "K=V", "set an option other than size, komi and handicap", OPT_LIST,
     &set, 0, 0},
    {0},
};

struct played {
    int seat;
    char word[WORD_MAX + 1];
};

struct host {
    struct engine bot;
    struct talk talk;
    const struct game *game;
    /* What the controller has set. */
    char size[OPTION_MAX], komi[OPTION_MAX], handicap[OPTION_MAX];
    char settings[80]; /* time settings, in the referee's words */
    char left[2][40];  /* time left on the clocks, or "" */
    struct played move[MOVES_MAX];
    int moves;

    struct setup setup;
    struct state *state;
    struct lines step, log; /* of the last move; of the whole game */
    int seat;               /* the bot's seat in the game it knows; 0: none */
    size_t told;            /* lines of the log that the bot has seen */

    struct buf said; /* the bot's last move */
    bool refused, gone;
    struct buf answer; /* to the controller */
    struct err err;
    bool quit;
};

/* The game as the controller set it up. */

static bool apply_move(struct host *h, int seat, const char *word)
{
    struct move move;

    if (!game_parse(h->game, h->state, seat, word, &move, &h->err))
        return false;
    lines_reset(&h->step);
    game_apply(h->game, h->state, seat, &move, &h->step);
    lines_append(&h->log, &h->step);
    return true;
}

/* Set up the board from the start; the bot will be told of a new game. */
static bool set_up(struct host *h)
{
    struct setup setup = {.seats = 2};
    const char *texts[] = {h->size, h->komi, h->handicap};
    struct state *state;
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof texts / sizeof *texts; i++)
        ok = setup_set(h->game, &setup, texts[i], &h->err);
    for (int i = 0; ok && i < set.count; i++)
        ok = setup_set(h->game, &setup, set.text[i], &h->err);
    if (!ok || !game_accepts(h->game, &setup, &h->err))
        return false;
    lines_reset(&h->step);
    state = game_new(h->game, &setup, NULL, &h->step, &h->err);
    if (!state)
        return false;
    game_free(h->state);
    h->state = state;
    h->setup = setup;
    lines_reset(&h->log);
    lines_append(&h->log, &h->step);
    h->seat = 0;
    return true;
}

static bool to_move(const struct host *h, int seat)
{
    return h->game->to_move(h->state) & SEAT(seat);
}

static void keep_move(struct host *h, int seat, const char *word)
{
    struct played *move = &h->move[h->moves++];

    move->seat = seat;
    snprintf(move->word, sizeof move->word, "%s", word);
}

/* If a colour moves out of turn, the other colour has passed in between. */
static bool give_turn(struct host *h, int seat)
{
    if (to_move(h, seat) || h->game->to_move(h->state) == 0)
        return true;
    if (!apply_move(h, !seat, "pass"))
        return false;
    keep_move(h, !seat, "pass");
    return true;
}

static bool play_move(struct host *h, int seat, const char *word)
{
    if (h->moves + 2 > MOVES_MAX)
        return fail(&h->err, "too many moves");
    if (!give_turn(h, seat) || !apply_move(h, seat, word))
        return false;
    keep_move(h, seat, word);
    return true;
}

static bool play_again(struct host *h, int moves)
{
    if (!set_up(h))
        return false;
    h->moves = moves;
    for (int i = 0; i < moves; i++)
        if (!apply_move(h, h->move[i].seat, h->move[i].word))
            return false;
    return true;
}

/* Talking with the bot. */

static bool send_all(struct host *h)
{
    struct talk *t = &h->talk;
    size_t n = talk_unsent(t);
    bool ok = engine_write(&h->bot, t->out.text + t->sent, n);

    talk_sent(t, n);
    return ok;
}

static bool lose_bot(struct host *h, const char *why)
{
    h->gone = true;
    return fail(&h->err, "%s", why);
}

static bool take_line(struct host *h, char *line)
{
    struct answer answer = {.text = ""};

    switch (talk_line(&h->talk, line, strlen(line), &answer)) {
    case GOT_ANSWER:
        if (answer.command == COMMAND_GENMOVE ||
            answer.command == COMMAND_NEW_GAME) {
            h->refused |= !answer.ok;
            buf_reset(&h->said);
            buf_str(&h->said, answer.text);
        }
        return true;
    case GOT_NOTE:
        fprintf(stderr, "%s\n", answer.text);
        return true;
    case GOT_FAULT:
        return lose_bot(h, fault_text(answer.fault));
    default:
        return true;
    }
}

/* Wait until every question is answered; keep the last answer. */
static bool ask_bot(struct host *h)
{
    h->refused = false;
    if (h->gone || !send_all(h))
        return lose_bot(h, "the bot has exited");
    while (h->talk.open_count > 0) {
        char *line = engine_line(&h->bot);

        if (!line)
            return lose_bot(h, "the bot has exited");
        if (!take_line(h, line))
            return false;
    }
    return !h->refused ||
           fail(&h->err, "the bot refuses: %.200s", h->said.text);
}

static void send_new_game(struct host *h, int seat)
{
    struct buf *out = talk_begin(&h->talk, COMMAND_NEW_GAME);
    const struct game_option *o = h->game->options;

    buf_add(out, " %s match=gtp seats=2 seat=%d names=black,white",
            h->game->name, seat + 1);
    for (int i = 0; o[i].name; i++)
        buf_add(out, " %s=%s", o[i].name, setup_option(h->game, &h->setup, i));
    if (h->moves > 0)
        buf_str(out, " resume=yes");
    talk_end(&h->talk);
    talk_new_game(&h->talk);
    h->seat = seat + 1;
    h->told = 0;
    if (h->settings[0] && talk_wants(&h->talk, COMMAND_TIME_SETTINGS)) {
        buf_add(talk_begin(&h->talk, COMMAND_TIME_SETTINGS), " %s",
                h->settings);
        talk_end(&h->talk);
    }
}

static void send_events(struct host *h)
{
    for (; h->told < h->log.count; h->told++) {
        const char *line = lines_text(&h->log, h->told);

        if (talk_wants_event(&h->talk, line, strcspn(line, " ")))
            talk_event(&h->talk, line);
    }
}

static void send_times(struct host *h)
{
    for (int seat = 0; seat < 2; seat++)
        if (h->left[seat][0] && talk_wants(&h->talk, COMMAND_TIME_LEFT)) {
            buf_add(talk_begin(&h->talk, COMMAND_TIME_LEFT), " %d %s", seat + 1,
                    h->left[seat]);
            talk_end(&h->talk);
        }
}

static void send_moves(struct host *h, int seat)
{
    struct moves moves = {0};
    struct buf *out = talk_begin(&h->talk, COMMAND_LEGAL_MOVES);

    h->game->list(h->state, seat, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        buf_char(out, ' ');
        h->game->format(h->state, seat, &moves.move[i], out);
    }
    talk_end(&h->talk);
    moves_release(&moves);
}

static bool ask_for_move(struct host *h, int seat)
{
    if (h->seat != seat + 1)
        send_new_game(h, seat);
    send_events(h);
    send_times(h);
    if (talk_wants(&h->talk, COMMAND_STATE)) {
        struct buf *out = talk_begin(&h->talk, COMMAND_STATE);

        buf_char(out, ' ');
        h->game->view(h->state, seat, out);
        talk_end(&h->talk);
    }
    if (talk_wants(&h->talk, COMMAND_LEGAL_MOVES))
        send_moves(h, seat);
    buf_add(talk_begin(&h->talk, COMMAND_GENMOVE), " %d", seat + 1);
    talk_end(&h->talk);
    return ask_bot(h);
}

/* The controller's commands. Each returns true, or an error. */

/* "b", "B", "black", "Black", ... */
static bool take_colour(const char **at, int *seat)
{
    size_t n = strcspn(*at, " ");

    for (int i = 0; i < 2; i++) {
        const char *word = i == 0 ? "black" : "white";

        if ((n == 1 || n == 5) && strncasecmp(*at, word, n) == 0) {
            *seat = i;
            *at += n;
            *at += strspn(*at, " ");
            return true;
        }
    }
    return false;
}

/* Set one of the options; if it is refused, the old value stays. */
static bool set_option(struct host *h, char option[OPTION_MAX],
                       const char *name, const char *value)
{
    char old[OPTION_MAX];

    memcpy(old, option, OPTION_MAX);
    snprintf(option, OPTION_MAX, "%s=%s", name, value);
    if (play_again(h, h->moves))
        return true;
    memcpy(option, old, OPTION_MAX);
    (void)play_again(h, h->moves);
    return false;
}

static bool on_boardsize(struct host *h, const char *at)
{
    h->moves = 0;
    snprintf(h->handicap, sizeof h->handicap, "handicap=0");
    return set_option(h, h->size, "size", at) ||
           fail(&h->err, "unacceptable size");
}

static bool on_clear_board(struct host *h, const char *at)
{
    h->left[0][0] = h->left[1][0] = '\0';
    snprintf(h->handicap, sizeof h->handicap, "handicap=0");
    return play_again(h, 0);
}

/* "6.50" is 6.5, and "7.0" is 7. */
static bool on_komi(struct host *h, const char *at)
{
    char text[32];

    snprintf(text, sizeof text, "%g", strtod(at, NULL) + 0.0);
    return set_option(h, h->komi, "komi", strcmp(text, "-0") ? text : "0");
}

static void list_handicap(struct host *h)
{
    if (h->log.count > 0)
        buf_str(&h->answer, strchr(lines_text(&h->log, 0), ' ') + 1);
}

static bool on_fixed_handicap(struct host *h, const char *at)
{
    if (h->moves > 0)
        return fail(&h->err, "board not empty");
    if (!set_option(h, h->handicap, "handicap", at))
        return false;
    list_handicap(h);
    return true;
}

static bool on_set_free_handicap(struct host *h, const char *at)
{
    char points[OPTION_MAX];

    snprintf(points, sizeof points, "%s", at);
    for (char *c = points; *c; c++)
        if (*c == ' ')
            *c = ',';
    if (h->moves > 0)
        return fail(&h->err, "board not empty");
    return set_option(h, h->handicap, "handicap", points);
}

static bool on_play(struct host *h, const char *at)
{
    char word[WORD_MAX + 1];
    int seat;

    if (!take_colour(&at, &seat) || strlen(at) > WORD_MAX)
        return fail(&h->err, "invalid color or coordinate");
    snprintf(word, sizeof word, "%s", at);
    return play_move(h, seat, word) || fail_at(&h->err, "illegal move");
}

static bool on_genmove(struct host *h, const char *at)
{
    int seat;

    if (!take_colour(&at, &seat))
        return fail(&h->err, "invalid color");
    if (!give_turn(h, seat))
        return false;
    /* Some controllers keep asking after two passes. */
    if (h->game->to_move(h->state) == 0) {
        buf_str(&h->answer, "pass");
        return true;
    }
    if (!ask_for_move(h, seat))
        return false;
    buf_str(&h->answer, h->said.text);
    if (strcmp(h->said.text, "resign") == 0)
        return true;
    return play_move(h, seat, h->said.text) ||
           fail_at(&h->err, "the bot's move is not legal");
}

static bool on_undo(struct host *h, const char *at)
{
    if (h->moves == 0)
        return fail(&h->err, "cannot undo");
    return play_again(h, h->moves - 1);
}

/* GTP time settings: main time, period, and stones per period, in seconds. */
static bool on_time_settings(struct host *h, const char *at)
{
    int main, period, stones;

    if (sscanf(at, "%d %d %d", &main, &period, &stones) != 3 || main < 0 ||
        period < 0 || stones < 0 || main > 1000000 || period > 1000000)
        return fail(&h->err, "time_settings needs three numbers");
    if (stones == 0 && period > 0)
        snprintf(h->settings, sizeof h->settings, "none");
    else if (period == 0)
        snprintf(h->settings, sizeof h->settings, "bank %d", 1000 * main);
    else if (main == 0 && stones == 1)
        snprintf(h->settings, sizeof h->settings, "move %d", 1000 * period);
    else
        snprintf(h->settings, sizeof h->settings, "canadian %d %d %d",
                 1000 * main, 1000 * period, stones);
    h->seat = 0;
    return true;
}

static bool on_time_left(struct host *h, const char *at)
{
    int seat, seconds, stones;

    if (!take_colour(&at, &seat) ||
        sscanf(at, "%d %d", &seconds, &stones) != 2 || seconds < 0 ||
        seconds > 1000000)
        return fail(&h->err, "time_left needs a colour and two numbers");
    if (stones > 0 && strncmp(h->settings, "move", 4) != 0)
        snprintf(h->left[seat], sizeof h->left[seat], "%d %d", 1000 * seconds,
                 stones);
    else
        snprintf(h->left[seat], sizeof h->left[seat], "%d", 1000 * seconds);
    return true;
}

/* Score the board as it stands, or as it would after two passes. */
static bool on_final_score(struct host *h, const char *at)
{
    struct state *end = game_clone(h->state);
    struct result result;
    int margin;

    while (h->game->to_move(end) != 0) {
        int seat = h->game->to_move(end) & SEAT(1) ? 1 : 0;
        struct move move;

        if (!game_parse(h->game, end, seat, "pass", &move, &h->err))
            break;
        lines_reset(&h->step);
        game_apply(h->game, end, seat, &move, &h->step);
    }
    game_result(h->game, end, &result);
    margin = result.score[0] - result.score[1];
    if (margin == 0)
        buf_char(&h->answer, '0');
    else
        buf_add(&h->answer, "%c+%.1f", margin > 0 ? 'B' : 'W',
                abs(margin) / 2.0);
    game_free(end);
    return true;
}

/* No stones are considered dead. */
static bool on_final_status_list(struct host *h, const char *at)
{
    return true;
}

static bool on_showboard(struct host *h, const char *at)
{
    buf_char(&h->answer, '\n');
    game_show(h->game, h->state, AUDIENCE_PUBLIC, false, &h->answer);
    /* In GTP, an empty line ends an answer. */
    for (char *c = h->answer.text; (c = strstr(c, "\n\n")) != NULL;)
        memmove(c, c + 1, strlen(c));
    h->answer.len = strlen(h->answer.text);
    if (h->answer.len > 0 && h->answer.text[h->answer.len - 1] == '\n')
        buf_cut(&h->answer, h->answer.len - 1);
    return true;
}

static bool on_protocol_version(struct host *h, const char *at)
{
    buf_char(&h->answer, '2');
    return true;
}

static bool on_name(struct host *h, const char *at)
{
    buf_str(&h->answer, h->talk.name);
    return true;
}

static bool on_version(struct host *h, const char *at)
{
    buf_str(&h->answer, h->talk.version);
    return true;
}

static bool on_quit(struct host *h, const char *at)
{
    h->quit = true;
    return true;
}

static bool on_known_command(struct host *h, const char *at);
static bool on_list_commands(struct host *h, const char *at);

static const struct {
    const char *word;
    bool (*run)(struct host *h, const char *at);
} commands[] = {
    {"protocol_version", on_protocol_version},
    {"name", on_name},
    {"version", on_version},
    {"known_command", on_known_command},
    {"list_commands", on_list_commands},
    {"quit", on_quit},
    {"boardsize", on_boardsize},
    {"clear_board", on_clear_board},
    {"komi", on_komi},
    {"fixed_handicap", on_fixed_handicap},
    {"place_free_handicap", on_fixed_handicap},
    {"set_free_handicap", on_set_free_handicap},
    {"play", on_play},
    {"genmove", on_genmove},
    {"undo", on_undo},
    {"time_settings", on_time_settings},
    {"time_left", on_time_left},
    {"final_score", on_final_score},
    {"final_status_list", on_final_status_list},
    {"showboard", on_showboard},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static bool on_known_command(struct host *h, const char *at)
{
    bool known = false;

    for (int i = 0; i < COMMAND_COUNT; i++)
        known |= strcmp(at, commands[i].word) == 0;
    buf_str(&h->answer, known ? "true" : "false");
    return true;
}

static bool on_list_commands(struct host *h, const char *at)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        buf_add(&h->answer, "%s%s", i ? "\n" : "", commands[i].word);
    return true;
}

/* Skip comments, carriage returns and other control characters. */
static void clean(char *line)
{
    char *to = line;

    line[strcspn(line, "#\n")] = '\0';
    for (const char *c = line; *c; c++)
        if (*c == '\t')
            *to++ = ' ';
        else if (!iscntrl((unsigned char)*c))
            *to++ = *c;
    while (to > line && to[-1] == ' ')
        to--;
    *to = '\0';
}

static void answer_line(struct host *h, const char *line)
{
    size_t id = strspn(line, "0123456789");
    const char *at = line + id + strspn(line + id, " ");
    bool ok = false;

    buf_reset(&h->answer);
    fail(&h->err, "unknown command");
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (take_word(&at, commands[i].word)) {
            ok = commands[i].run(h, at);
            break;
        }
    printf("%c%.*s %s\n\n", ok ? '=' : '?', (int)id, line,
           !ok              ? h->err.text
           : h->answer.text ? h->answer.text
                            : "");
    fflush(stdout);
}

static void serve(struct host *h)
{
    char *line = NULL;
    size_t cap = 0;

    while (!h->quit && getline(&line, &cap, stdin) > 0) {
        clean(line);
        if (*line)
            answer_line(h, line);
    }
    free(line);
    if (!h->gone) {
        talk_begin(&h->talk, COMMAND_QUIT);
        talk_end(&h->talk);
        (void)send_all(h);
    }
}

static void on_bot_error(void *owner, const char *line)
{
    fprintf(stderr, "%s\n", line);
}

static bool greet(struct host *h)
{
    snprintf(h->size, sizeof h->size, "size=19");
    snprintf(h->komi, sizeof h->komi, "komi=7.5");
    snprintf(h->handicap, sizeof h->handicap, "handicap=0");
    if (!play_again(h, 0))
        return false;
    talk_greet(&h->talk);
    return ask_bot(h);
}

static int run(int argc, char **argv)
{
    static struct host h;
    int code = 0;

    if (argc < 1)
        return complain("as-gtp needs the bot's command after --");
    if (strcmp(game_name, "go") != 0)
        return complain("--game: as-gtp plays go, not \"%.40s\"", game_name);
    h.game = game_find(game_name);
    if (!engine_start(&h.bot, argv, on_bot_error, &h, &h.err))
        return complain("%s", h.err.text);
    talk_init(&h.talk);
    lines_init(&h.step, EVENTS_MAX);
    lines_init(&h.log, LOG_MAX);
    buf_init(&h.said, TALK_LINE_MAX);
    buf_init(&h.answer, ANSWER_MAX);
    if (greet(&h))
        serve(&h);
    else
        code = complain("%s", h.err.text);
    engine_end(&h.bot);
    talk_release(&h.talk);
    lines_release(&h.step);
    lines_release(&h.log);
    buf_release(&h.said);
    buf_release(&h.answer);
    game_free(h.state);
    return code;
}

const struct subcommand cmd_as_gtp = {
    .name = "as-gtp",
    .args = "[--game go] [--set K=V] -- COMMAND...",
    .about = "let a bot play go under a GTP controller",
    .more = "Starts COMMAND, a bot, and turns it into a GTP engine for GoGui,\n"
            "Sabaki, gogui-twogtp and others. If a colour moves out of turn,\n"
            "the other colour passes in between. The bot's notes and\n"
            "standard error go to standard error.\n"
            "\n"
            "Example:\n"
            "  gogui-twogtp -black \"gnugo --mode gtp\" \\\n"
            "      -white \"referee as-gtp -- ./mybot\"",
    .opts = opts,
    .run = run,
};
