/* A bot that searches: the protocol, and the time for each move. */

#include "lib/handles.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ANSWER_MAX = 8192,
    MOVES_AHEAD = 20, /* the remaining time is spread over this many moves */
    WITHOUT_CLOCK = 1000, /* ms */
    RESERVE = 40,         /* ms for the answer to reach the referee */
};

struct referee_player {
    char name[40];
    int playouts, ms;
    int level; /* or 0: `playouts` counts */
    referee_rng *rng;
    referee_rules *rules;
    referee_seat *seat;
    int seat_number;
    bool per_move;    /* the time left is for one move, not for many */
    int increment_ms; /* time added after each move */
    int left_ms;      /* or -1 */
    bool quits;
    struct buf out;
};

referee_player *referee_player_new(const char *name, int playouts, int ms,
                                   const char *seed)
{
    referee_player *p = must_alloc(calloc(1, sizeof *p));

    snprintf(p->name, sizeof p->name, "%s", name);
    p->playouts = playouts;
    p->ms = ms;
    p->rng = referee_rng_new(seed);
    buf_init(&p->out, ANSWER_MAX);
    return p;
}

void referee_player_level(referee_player *p, int level)
{
    p->level = level;
    p->ms = 0;
}

static void end_game(referee_player *p)
{
    referee_seat_free(p->seat);
    referee_rules_free(p->rules);
    p->seat = NULL;
    p->rules = NULL;
}

void referee_player_free(referee_player *p)
{
    if (!p)
        return;
    end_game(p);
    referee_rng_free(p->rng);
    buf_release(&p->out);
    free(p);
}

static void fresh_seed(referee_player *p, char seed[24])
{
    snprintf(seed, 24, "%08x%08x", referee_rng_below(p->rng, UINT32_MAX),
             referee_rng_below(p->rng, UINT32_MAX));
}

/* Give the text after the word as the answer; false: refuse with it. */
typedef bool command(referee_player *p, const char *args, struct buf *out);

static bool on_protocol_version(referee_player *p, const char *args,
                                struct buf *out)
{
    buf_str(out, "2");
    return true;
}

static bool on_name(referee_player *p, const char *args, struct buf *out)
{
    buf_str(out, p->name);
    return true;
}

static bool on_version(referee_player *p, const char *args, struct buf *out)
{
    buf_add(out, "api %d", REFEREE_API);
    return true;
}

static bool on_new_game(referee_player *p, const char *args, struct buf *out)
{
    referee_error err = {""};
    char seed[24];

    end_game(p);
    p->left_ms = -1;
    p->increment_ms = 0;
    p->per_move = false;
    p->rules = referee_rules_told(args, &p->seat_number, &err);
    if (!p->rules) {
        buf_str(out, err.text);
        return false;
    }
    fresh_seed(p, seed);
    p->seat = referee_seat_new(p->rules, p->seat_number, seed, NULL);
    return true;
}

static bool on_time_settings(referee_player *p, const char *args,
                             struct buf *out)
{
    int main_ms, next = 0;

    p->per_move = take_word(&args, "move");
    if (take_word(&args, "fischer") || take_word(&args, "delay") ||
        take_word(&args, "bronstein")) {
        if (take_int(&args, 0, INT32_MAX, &main_ms) && take_char(&args, ' '))
            take_int(&args, 0, INT32_MAX, &next);
        p->increment_ms = next;
    }
    return true;
}

/* "SEAT MS [N]": with N, the time is for a period, or for N moves. */
static bool on_time_left(referee_player *p, const char *args, struct buf *out)
{
    int seat, ms, moves;

    if (!take_int(&args, 1, SEATS_MAX, &seat) || !take_char(&args, ' ') ||
        !take_int(&args, 0, INT32_MAX, &ms) || seat != p->seat_number)
        return true;
    p->left_ms = ms;
    if (take_char(&args, ' ') && take_int(&args, 1, INT32_MAX, &moves))
        p->left_ms = ms / 2;
    return true;
}

/* Playouts for this move: a level may lie between two numbers. */
static int playouts_of(const referee_player *p)
{
    double wanted, rest;

    if (p->level == 0)
        return p->playouts;
    wanted = referee_level_playouts(referee_rules_game(p->rules), p->level);
    rest = wanted - (int)wanted;
    return (int)wanted +
           (referee_rng_below(p->rng, 1 << 16) < rest * (1 << 16));
}

/* Milliseconds for this move; 0: no limit, only playouts count. */
static int budget(const referee_player *p, int playouts)
{
    int64_t left = p->left_ms, share;

    if (p->left_ms < 0)
        return p->ms > 0 ? p->ms : playouts > 0 ? 0 : WITHOUT_CLOCK;
    share = p->per_move ? left * 8 / 10 - RESERVE
                        : left / MOVES_AHEAD + p->increment_ms * 7 / 10;
    if (share > left - RESERVE)
        share = left / 2;
    if (p->ms > 0 && share > p->ms)
        share = p->ms;
    return share < 1 ? 1 : (int)share;
}

static bool on_genmove(referee_player *p, const char *args, struct buf *out)
{
    char move[MOVE_TEXT_MAX + 1], seed[24];
    referee_error err = {"no game has begun"};
    int playouts = p->seat ? playouts_of(p) : 0;
    bool random = playouts == 0 && p->ms == 0;

    fresh_seed(p, seed);
    if (!p->seat ||
        referee_search(p->seat, playouts, random ? 0 : budget(p, playouts),
                       seed, move, sizeof move, &err) < 0) {
        buf_str(out, err.text);
        return false;
    }
    buf_str(out, move);
    return true;
}

static bool on_quit(referee_player *p, const char *args, struct buf *out)
{
    p->quits = true;
    return true;
}

static command on_list_commands;

static const struct {
    const char *word;
    command *answer;
} commands[] = {
    {"protocol_version", on_protocol_version},
    {"list_commands", on_list_commands},
    {"name", on_name},
    {"version", on_version},
    {"new_game", on_new_game},
    {"time_settings", on_time_settings},
    {"time_left", on_time_left},
    {"genmove", on_genmove},
    {"quit", on_quit},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static bool on_list_commands(referee_player *p, const char *args,
                             struct buf *out)
{
    for (int i = 0; i < COMMANDS; i++)
        buf_add(out, "%s\n", commands[i].word);
    for (size_t g = 0; g < game_count(); g++) {
        const char *word, *events = game_at(g)->events;
        size_t len;

        for (int i = 0; (len = words_at(events, i, &word)) > 0; i++) {
            buf_put(out, word, len);
            buf_char(out, '\n');
        }
    }
    buf_str(out, "leave");
    return true;
}

/* True if this is an event of the current game. */
static bool is_event(const referee_player *p, const char *line)
{
    char word[40];
    size_t n = strcspn(line, " ");

    snprintf(word, sizeof word, "%.*s", (int)(n < 39 ? n : 39), line);
    return p->seat && (strcmp(word, "leave") == 0 ||
                       words_find(p->rules->game->events, word) >= 0);
}

static bool answer(referee_player *p, const char *line, struct buf *out)
{
    for (int i = 0; i < COMMANDS; i++) {
        const char *args = line;

        if (take_word(&args, commands[i].word))
            return commands[i].answer(p, args, out);
    }
    if (is_event(p, line))
        return referee_seat_told(p->seat, line, NULL);
    buf_str(out, "unknown command");
    return false;
}

const char *referee_player_answer(referee_player *p, const char *line)
{
    size_t id = strspn(line, "0123456789");
    const char *at = line + id + strspn(line + id, " ");
    char *copy = must_alloc(strdup(at));
    struct buf text;
    bool ok;

    copy[strcspn(copy, "\r\n")] = '\0';
    buf_init(&text, ANSWER_MAX - 64);
    ok = answer(p, copy, &text);
    buf_reset(&p->out);
    buf_char(&p->out, ok ? '=' : '?');
    buf_put(&p->out, line, id < 20 ? id : 20);
    if (text.len > 0)
        buf_char(&p->out, ' ');
    buf_put(&p->out, text.len ? text.text : "", text.len);
    buf_str(&p->out, "\n\n");
    buf_release(&text);
    free(copy);
    return p->out.text;
}

int referee_player_quits(const referee_player *p)
{
    return p->quits;
}
