/*
 * referee gtp - let an engine that speaks plain GTP play Go as a bot.
 *
 * The referee asks this program in its own protocol, and this program asks
 * the engine in GTP, one command at a time:
 *
 *     new_game go size=9 komi=7.5 ...   boardsize 9, clear_board, komi 7.5
 *     handicap C3 G7                    set_free_handicap C3 G7
 *     play 2 D4                         play w D4
 *     time_left 1 60000                 time_left b 60 0
 *     genmove 1                         genmove b
 *
 * After an interruption, the referee sends new_game and all events again, so
 * resuming a game needs no code here.
 */

#include "base/lines.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/engine.h"
#include "match/talk.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Leave some room: the referee has game limits and counts more strictly. */
enum {
    NOTES_MOST = TALK_NOTES_MAX / 2,
    NOTE_BYTES_MOST = TALK_NOTE_BYTES_MAX / 2,
    NOTE_LINE_MAX = 400,
    MOVE_MAX = 15,
    TIMES_MAX = 3, /* how many numbers a time control has */
};

static bool no_notes;
static const char *analyze;

static const struct opt opts[] = {
    {"analyze", "COMMAND",
     "ask the engine this after each of its moves, and keep the answer as "
     "notes",
     OPT_TEXT, &analyze, 0, 0},
    {"no-notes", NULL,
     "pass the engine's stderr on instead of turning it into notes", OPT_FLAG,
     &no_notes, 0, 0},
    {0},
};

/* What an engine does not have to support. */
enum known {
    KNOWS_FREE_HANDICAP = 1 << 0,
    KNOWS_TIME_SETTINGS = 1 << 1,
    KNOWS_TIME_LEFT = 1 << 2,
    KNOWS_KGS_TIME = 1 << 3,
    KNOWS_UNDO = 1 << 4,
    KNOWS_KATA_RULES = 1 << 5,
};

static const struct {
    const char *word;
    enum known bit;
} known_words[] = {
    {"set_free_handicap", KNOWS_FREE_HANDICAP},
    {"time_settings", KNOWS_TIME_SETTINGS},
    {"time_left", KNOWS_TIME_LEFT},
    {"kgs-time_settings", KNOWS_KGS_TIME},
    {"undo", KNOWS_UNDO},
    {"kata-set-rules", KNOWS_KATA_RULES},
};

struct adapter {
    struct engine engine;
    unsigned knows;
    struct buf heard;  /* the engine's last answer */
    struct buf answer; /* our answer to the referee */
    struct buf legal;  /* legal moves, with a blank before and after each */
    bool refuses;      /* the answer begins with '?' */
    bool over;
    char own[MOVE_MAX + 1]; /* the engine has already played this move */
    const struct clock_form *clock;
    int notes, note_bytes;
};

/* Notes. */

static void note(struct adapter *a, const char *text)
{
    size_t n = strlen(text);

    if (n > NOTE_LINE_MAX)
        n = NOTE_LINE_MAX;
    if (no_notes || a->notes >= NOTES_MOST ||
        a->note_bytes + (int)n > NOTE_BYTES_MOST) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    a->notes++;
    a->note_bytes += (int)n;
    printf("#%.*s\n", (int)n, text);
}

static void on_engine_error(void *owner, const char *line)
{
    if (*line)
        note(owner, line);
}

/* The engine. */

static bool ask(struct adapter *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* On failure, the answer holds the refusal; the engine may also be gone. */
static bool ask(struct adapter *a, const char *fmt, ...)
{
    struct buf command;
    enum engine_answer answer;
    va_list ap;

    buf_init(&command, LINE_MAX_BYTES);
    va_start(ap, fmt);
    buf_vadd(&command, fmt, ap);
    va_end(ap);
    answer =
        a->over ? ENGINE_GONE : engine_ask(&a->engine, command.text, &a->heard);
    if (answer != ENGINE_SAYS) {
        a->refuses = true;
        buf_reset(&a->answer);
        if (answer == ENGINE_GONE)
            buf_str(&a->answer, "the engine has exited");
        else
            buf_add(&a->answer, "the engine refuses \"%.100s\": %.200s",
                    command.text, a->heard.text);
    }
    a->over |= answer == ENGINE_GONE;
    buf_release(&command);
    return answer == ENGINE_SAYS;
}

/* The first line of its last answer. */
static void answer_heard(struct adapter *a)
{
    buf_put(&a->answer, a->heard.text ? a->heard.text : "",
            strcspn(a->heard.text ? a->heard.text : "", "\n"));
}

static void learn_commands(struct adapter *a)
{
    if (!ask(a, "list_commands"))
        return;
    for (char *word = strtok(a->heard.text, " \n"); word;
         word = strtok(NULL, " \n"))
        for (size_t i = 0; i < sizeof known_words / sizeof *known_words; i++)
            if (strcmp(word, known_words[i].word) == 0)
                a->knows |= known_words[i].bit;
}

static const char *colour(int seat)
{
    return seat == 1 ? "b" : "w";
}

static bool take_seat(const char **at, int *seat)
{
    if (!take_int(at, 1, 2, seat))
        return false;
    *at += strspn(*at, " ");
    return true;
}

/* Time. GTP has seconds of main time, then periods for a number of moves. */

/* The meaning of each number in the referee's time settings; -1: absent. */
struct clock_form {
    const char *word;
    int main, period, stones;
    bool has_periods; /* periods of one move each, and their number */
};

static const struct clock_form clock_forms[] = {
    {"move", -1, 0, -1, false},      {"bank", 0, -1, -1, false},
    {"fischer", 0, -1, -1, false},   {"delay", 0, -1, -1, false},
    {"bronstein", 0, -1, -1, false}, {"hourglass", 0, -1, -1, false},
    {"byoyomi", 0, 1, 2, true},      {"canadian", 0, 1, 2, false},
};

/* Rounded down, so that an engine that uses all of it is on time. */
static int seconds(const int *ms, int which)
{
    return which < 0 ? 0 : ms[which] / 1000;
}

static void send_settings(struct adapter *a, const struct clock_form *form,
                          const int *ms)
{
    int period = seconds(ms, form->period);

    if (form->has_periods && a->knows & KNOWS_KGS_TIME) {
        ask(a, "kgs-time_settings byoyomi %d %d %d", seconds(ms, form->main),
            period, ms[form->stones]);
        return;
    }
    /* A period of 0 would mean no limit. */
    if (form->period >= 0 && period == 0)
        period = 1;
    ask(a, "time_settings %d %d %d", seconds(ms, form->main), period,
        form->period < 0                        ? 0
        : form->stones < 0 || form->has_periods ? 1
                                                : ms[form->stones]);
}

static void on_time_settings(struct adapter *a, const char *at)
{
    int ms[TIMES_MAX] = {0}, n = 0;

    a->clock = NULL;
    if (!(a->knows & KNOWS_TIME_SETTINGS))
        return;
    if (take_word(&at, "none")) {
        ask(a, "time_settings 0 1 0"); /* no time limit, in GTP */
        return;
    }
    for (size_t i = 0; i < sizeof clock_forms / sizeof *clock_forms; i++)
        if (take_word(&at, clock_forms[i].word))
            a->clock = &clock_forms[i];
    while (n < TIMES_MAX && take_int(&at, 0, INT32_MAX, &ms[n])) {
        n++;
        at += strspn(at, " ");
    }
    if (a->clock)
        send_settings(a, a->clock, ms);
}

static void on_time_left(struct adapter *a, const char *at)
{
    int seat, ms, stones = 0;

    if (!(a->knows & KNOWS_TIME_LEFT) || !a->clock)
        return;
    if (!take_seat(&at, &seat) || !take_int(&at, 0, INT32_MAX, &ms))
        return;
    at += strspn(at, " ");
    if (a->clock->main < 0)
        stones = 1;
    else if (take_int(&at, 0, INT32_MAX, &stones) && a->clock->has_periods &&
             !(a->knows & KNOWS_KGS_TIME))
        stones = 1;
    ask(a, "time_left %s %d %d", colour(seat), ms / 1000, stones);
}

/* A game. */

/* The value of a key in "GAME KEY=VALUE KEY=VALUE". */
static bool find_value(const char *at, const char *key, char *value, int size)
{
    size_t n = strlen(key);

    while ((at = strchr(at, ' ')) != NULL) {
        at++;
        if (strncmp(at, key, n) == 0 && at[n] == '=') {
            snprintf(value, (size_t)size, "%.*s", (int)strcspn(at + n + 1, " "),
                     at + n + 1);
            return true;
        }
    }
    return false;
}

/* Plain GTP has no rules command; others copy KataGo's extension. */
static bool send_rules(struct adapter *a, const char *at)
{
    char superko[16] = "positional", suicide[8] = "no";

    find_value(at, "superko", superko, sizeof superko);
    find_value(at, "suicide", suicide, sizeof suicide);
    return !(a->knows & KNOWS_KATA_RULES) ||
           ask(a,
               "kata-set-rules {\"ko\":\"%s\",\"scoring\":\"AREA\","
               "\"tax\":\"NONE\",\"suicide\":%s,\"hasButton\":false,"
               "\"whiteHandicapBonus\":\"0\",\"friendlyPassOk\":false}",
               strcmp(superko, "situational") == 0 ? "SITUATIONAL"
                                                   : "POSITIONAL",
               strcmp(suicide, "yes") == 0 ? "true" : "false");
}

static void on_new_game(struct adapter *a, const char *at)
{
    const char *game = at;
    char size[8], komi[16];

    a->own[0] = '\0';
    a->clock = NULL;
    a->notes = a->note_bytes = 0;
    if (!take_word(&game, "go") || !find_value(at, "size", size, sizeof size) ||
        !find_value(at, "komi", komi, sizeof komi)) {
        a->refuses = true;
        buf_str(&a->answer, "this adapter plays go, and no other game");
        return;
    }
    (void)(ask(a, "boardsize %s", size) && ask(a, "clear_board") &&
           send_rules(a, at) && ask(a, "komi %s", komi));
}

/* GTP has no handicap of one stone. */
static void on_handicap(struct adapter *a, const char *at)
{
    if (a->knows & KNOWS_FREE_HANDICAP && strchr(at, ' ')) {
        ask(a, "set_free_handicap %s", at);
        return;
    }
    while (*at) {
        size_t n = strcspn(at, " ");

        if (!ask(a, "play b %.*s", (int)n, at))
            return;
        at += n + strspn(at + n, " ");
    }
}

static void on_play(struct adapter *a, const char *at)
{
    bool known;
    int seat;

    if (!take_seat(&at, &seat))
        return;
    known = strcasecmp(a->own, at) == 0;
    a->own[0] = '\0';
    if (!known)
        ask(a, "play %s %s", colour(seat), at);
}

/* GTP accepts either case; we write d4 as D4, and PASS as pass. */
static void keep_move(struct adapter *a, const char *move)
{
    bool is_word = strlen(move) > 3;

    snprintf(a->own, sizeof a->own, "%s", move);
    for (char *c = a->own; *c; c++)
        *c = (char)(is_word ? tolower((unsigned char)*c)
                            : toupper((unsigned char)*c));
}

static void on_legal_moves(struct adapter *a, const char *at)
{
    buf_reset(&a->legal);
    buf_add(&a->legal, " %s ", at);
}

static bool is_legal(const struct adapter *a, const char *move)
{
    char word[MOVE_MAX + 3];

    snprintf(word, sizeof word, " %s ", move);
    return strcmp(move, "resign") == 0 || !a->legal.len ||
           strstr(a->legal.text, word);
}

/* Most engines do not know every ko rule. */
static void pass_instead(struct adapter *a, int seat)
{
    char text[NOTE_LINE_MAX];

    snprintf(text, sizeof text,
             "the engine wants to play %s, which is illegal: passed instead",
             a->own);
    note(a, text);
    if (ask(a, "undo") && ask(a, "play %s pass", colour(seat)))
        snprintf(a->own, sizeof a->own, "pass");
}

static void on_genmove(struct adapter *a, const char *at)
{
    int seat;

    if (!take_seat(&at, &seat) || !ask(a, "genmove %s", colour(seat)))
        return;
    answer_heard(a);
    keep_move(a, a->answer.text);
    if (!is_legal(a, a->own) && a->knows & KNOWS_UNDO)
        pass_instead(a, seat);
    if (a->refuses)
        return;
    buf_reset(&a->answer);
    buf_str(&a->answer, a->own);
}

static void on_version(struct adapter *a, const char *at)
{
    if (ask(a, "version"))
        answer_heard(a);
}

static void on_name(struct adapter *a, const char *at)
{
    if (ask(a, "name"))
        answer_heard(a);
}

static void on_protocol_version(struct adapter *a, const char *at)
{
    buf_str(&a->answer, "2");
}

static void on_list_commands(struct adapter *a, const char *at);

static void on_quit(struct adapter *a, const char *at)
{
    if (!a->over)
        (void)engine_ask(&a->engine, "quit", &a->heard);
    a->over = true;
}

static const struct {
    const char *word;
    void (*run)(struct adapter *a, const char *at);
} commands[] = {
    {"protocol_version", on_protocol_version},
    {"list_commands", on_list_commands},
    {"name", on_name},
    {"version", on_version},
    {"new_game", on_new_game},
    {"time_settings", on_time_settings},
    {"handicap", on_handicap},
    {"play", on_play},
    {"time_left", on_time_left},
    {"legal_moves", on_legal_moves},
    {"genmove", on_genmove},
    {"quit", on_quit},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void on_list_commands(struct adapter *a, const char *at)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        buf_add(&a->answer, "%s%s", i ? "\n" : "", commands[i].word);
}

/* After its move, when no clock runs. */
static void analyze_move(struct adapter *a)
{
    if (!analyze || a->over ||
        engine_ask(&a->engine, analyze, &a->heard) == ENGINE_GONE)
        return;
    for (char *line = strtok(a->heard.text, "\n"); line;
         line = strtok(NULL, "\n")) {
        char text[NOTE_LINE_MAX];

        snprintf(text, sizeof text, "%.100s: %s", analyze, line);
        note(a, text);
    }
    fflush(stdout);
}

/* "ID COMMAND ARGUMENTS"; an unknown command is answered with "=". */
static void answer_line(struct adapter *a, const char *line)
{
    size_t id = strspn(line, "0123456789");
    const char *at = line + id + strspn(line + id, " ");
    bool moved = strncmp(at, "genmove", 7) == 0;

    buf_reset(&a->answer);
    a->refuses = false;
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (take_word(&at, commands[i].word)) {
            commands[i].run(a, at);
            break;
        }
    printf("%c%.*s %s\n\n", a->refuses ? '?' : '=', (int)id, line,
           a->answer.text ? a->answer.text : "");
    fflush(stdout);
    if (moved)
        analyze_move(a);
}

static int play(struct adapter *a)
{
    char *line = NULL;
    size_t cap = 0;

    learn_commands(a);
    while (!a->over && getline(&line, &cap, stdin) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        answer_line(a, line);
    }
    free(line);
    return a->refuses ? complain("%s", a->answer.text) : 0;
}

static int run(int argc, char **argv)
{
    struct adapter a = {.knows = 0};
    struct err err;
    int code;

    if (argc < 1)
        return complain("gtp needs the engine's command after --, as in "
                        "\"referee gtp -- gnugo --mode gtp\"");
    if (!engine_start(&a.engine, argv, on_engine_error, &a, &err))
        return complain("%s", err.text);
    buf_init(&a.heard, ENGINE_LINE_MAX);
    buf_init(&a.answer, LINE_MAX_BYTES);
    buf_init(&a.legal, LINE_MAX_BYTES);
    code = play(&a);
    engine_end(&a.engine);
    buf_release(&a.heard);
    buf_release(&a.answer);
    buf_release(&a.legal);
    return code;
}

const struct subcommand cmd_gtp = {
    .name = "gtp",
    .args = "[OPTION...] -- COMMAND...",
    .about = "let a Go engine that speaks plain GTP play as a bot",
    .more =
        "Starts COMMAND, an engine, and acts as a bot towards the referee\n"
        "and as a controller towards the engine. The engine's standard error\n"
        "becomes notes in the record. The engine is told times in whole\n"
        "seconds, rounded down, but a limit per move is never less than one\n"
        "second. If the engine makes an illegal move, the move is taken back\n"
        "and the bot passes. Engines that know kata-set-rules are told the\n"
        "rules; set those of others on their command line.\n"
        "\n"
        "Examples:\n"
        "  referee match --game go ./mybot \\\n"
        "      \"referee gtp -- gnugo --mode gtp --chinese-rules "
        "--positional-superko\\\n"
        "       --forbid-suicide --capture-all-dead\"\n"
        "  referee gtp --analyze estimate_score -- gnugo --mode gtp",
    .opts = opts,
    .run = run,
};
