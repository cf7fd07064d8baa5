/*
 * How a bot behaved in its last games: how much of its time it used, which of
 * its moves were refused, and why it left. The records have all this, in lines
 * for the referee alone:
 *
 *     @- clock SEAT ... used=MICROSECONDS ...
 *     @- refused SEAT MOVE REASON
 *     @- fault SEAT WHY TEXT
 *
 * Refused moves and faults can show what a seat knew, so they are left out
 * while others play the same deal.
 */

#include "base/text.h"
#include "daemon/api.h"
#include "store/find.h"
#include "web/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAULTY_GAMES = 5,  /* that are looked for ... */
    FAULTY_LOOK = 300, /* ... among so many */
    FAULTS_SHOWN = 12,
    LINE_MAX_SHOWN = 300,
};

struct conduct {
    const char *bot;
    int games;
    int64_t moves, used_us, max_us;
    json_t *faults;
};

/* A game that is being read. */
struct reading {
    struct conduct *conduct;
    const json_t *game;
    bool is_timed; /* its times count */
    bool is_open;  /* nobody plays its deal any more */
};

static bool is_own(const struct reading *r, int seat)
{
    const json_t *seats = json_object_get(r->game, "seats");
    const char *name = json_string_value(
        json_object_get(json_array_get(seats, (size_t)seat - 1), "bot"));

    return name && strcmp(name, r->conduct->bot) == 0;
}

static void take_clock(struct reading *r, const char *at)
{
    const char *used = strstr(at, " used=");
    int64_t us = used ? strtoll(used + 6, NULL, 10) : -1;

    if (!r->is_timed || us < 0)
        return;
    r->conduct->moves++;
    r->conduct->used_us += us;
    if (us > r->conduct->max_us)
        r->conduct->max_us = us;
}

static void add_fault(struct reading *r, const char *what, const char *move,
                      const char *why)
{
    json_t *text = text_json(why), *name = text_json(move);
    json_t *id = json_object_get(r->game, "id");
    json_t *start = json_object_get(r->game, "start");

    if (r->is_open && json_array_size(r->conduct->faults) < FAULTS_SHOWN)
        json_array_append_new(r->conduct->faults,
                              json_pack("{s:O, s:O, s:s, s:O, s:O}", "game", id,
                                        "start", start, "what", what, "move",
                                        name, "why", text));
    json_decref(text);
    json_decref(name);
}

/* "WORD REST", cut in two. */
static char *cut_word(char *at)
{
    char *blank = strchr(at, ' ');

    if (!blank)
        return at + strlen(at);
    *blank = '\0';
    return blank + 1;
}

static void take_refused(struct reading *r, char *at)
{
    char *why = cut_word(at);

    add_fault(r, "refused", at, why);
}

static void take_fault(struct reading *r, char *at)
{
    char *text = cut_word(at), what[40];

    snprintf(what, sizeof what, "left: %.30s", at);
    add_fault(r, what, "", text);
}

static void take_line(struct reading *r, const char *line, size_t len)
{
    char text[LINE_MAX_SHOWN];
    const char *at = text;
    enum { NONE, CLOCK, REFUSED, FAULT } kind = NONE;
    int seat;

    snprintf(text, sizeof text, "%.*s", (int)len, line);
    if (!take_word(&at, "@-"))
        return;
    kind = take_word(&at, "clock")     ? CLOCK
           : take_word(&at, "refused") ? REFUSED
           : take_word(&at, "fault")   ? FAULT
                                       : NONE;
    if (kind == NONE || !take_int(&at, 1, SEATS_MAX, &seat) || !is_own(r, seat))
        return;
    take_char(&at, ' ');
    if (kind == CLOCK)
        take_clock(r, at);
    else if (kind == REFUSED)
        take_refused(r, text + (at - text));
    else
        take_fault(r, text + (at - text));
}

static void read_lines(struct reading *r, const struct buf *record)
{
    const char *at = record->text, *end = at + record->len;

    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((feed ? feed : end) - at);

        if (len > 3 && at[0] == '@' && at[1] == '-')
            take_line(r, at, len);
        at += len + 1;
    }
}

static void read_game(struct server *s, struct reading *r)
{
    const char *id = json_string_value(json_object_get(r->game, "id"));
    struct buf record;
    struct err err;

    buf_init(&record, RECORD_FILE_MAX);
    r->is_open = !api_deal_in_play(s, r->game);
    if (archive_read(s->archive, id, &record, &err))
        read_lines(r, &record);
    r->conduct->games += r->is_timed;
    buf_release(&record);
}

static bool is_among(const json_t *games, const json_t *game)
{
    const json_t *each;
    size_t i;

    json_array_foreach(games, i, each)
    {
        if (json_equal(json_object_get(each, "id"),
                       json_object_get(game, "id")))
            return true;
    }
    return false;
}

/* Earlier games in which it failed. */
static void read_failures(struct server *s, struct conduct *c,
                          const char *ladder, const json_t *played)
{
    const struct find find = {.ladder = ladder,
                              .bot = c->bot,
                              .opponent = "",
                              .fault = "any",
                              .before = "",
                              .limit = FAULTY_GAMES,
                              .look = FAULTY_LOOK};
    char next[SUMMARY_WORD_MAX + 1];
    struct err err;
    json_t *games = find_games(archive_index(s->archive), &find, next, &err);
    json_t *game;
    size_t i;

    json_array_foreach(games, i, game)
    {
        struct reading r = {.conduct = c, .game = game};

        if (!is_among(played, game))
            read_game(s, &r);
    }
    json_decref(games);
}

json_t *conduct_json(struct server *s, const char *ladder, const char *bot,
                     const json_t *played)
{
    struct conduct c = {.bot = bot, .faults = json_array()};
    const json_t *game;
    size_t i;

    json_array_foreach(played, i, game)
    {
        struct reading r = {.conduct = &c, .game = game, .is_timed = true};

        read_game(s, &r);
    }
    read_failures(s, &c, ladder, played);
    return json_pack("{s:i, s:I, s:f, s:f, s:o}", "games", c.games, "moves",
                     (json_int_t)c.moves, "mean_s",
                     c.moves ? (double)c.used_us / (double)c.moves / 1e6 : 0.0,
                     "max_s", (double)c.max_us / 1e6, "faults", c.faults);
}
