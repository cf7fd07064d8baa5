#include "arena.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SEATS_MAX] = {"anna", "bob",  "cleo",
                                             "dan",  "emma", "finn"};

void insist(bool what, const char *sentence)
{
    if (what)
        return;
    fprintf(stderr, "%s\n", sentence);
    abort();
}

uint32_t text_hash(const char *text, uint32_t start)
{
    uint32_t hash = 2166136261u ^ start;

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash ^ hash >> 15;
}

size_t which_games(unsigned traits, struct which all[WHICH_MAX])
{
    size_t n = 0;

    for (size_t g = 0; g < game_count(); g++)
        for (int s = game_at(g)->min_seats; s <= game_at(g)->max_seats; s++)
            if (!traits || game_at(g)->traits & traits) {
                insist(n < WHICH_MAX, "there are too many games");
                all[n++] = (struct which){(int)g, s};
            }
    return n;
}

const char *arena_all_words(const struct game *game, struct buf *out)
{
    const char *word;
    size_t n;

    for (int c = 0; c < COMMANDS; c++)
        if (c != COMMAND_PONDER && command_word((enum command)c))
            buf_add(out, "%s ", command_word((enum command)c));
    for (int i = 0; (n = words_at(game->events, i, &word)) != 0; i++)
        buf_add(out, "%.*s ", (int)n, word);
    buf_str(out, "leave");
    return out->text;
}

void arena_open(struct arena *a, const struct game *game,
                const struct setup *setup, uint32_t number)
{
    struct rng rng;

    *a = (struct arena){.config = {.game = game,
                                   .setup = *setup,
                                   .id = "arena",
                                   .start_us = 10000000,
                                   .none_us = 60000000}};
    buf_init(&a->deal, DEAL_TEXT_MAX);
    buf_init(&a->record, 1 << 26);
    memcpy(a->seed, &number, sizeof number);
    if (game->deal) {
        rng_seed(&rng, a->seed);
        game->deal(setup, &rng, &a->deal);
        a->config.deal = a->deal.text;
        a->config.seed = a->seed;
        a->config.reveal_seed = true;
    }
    for (int i = 0; i < SEATS_MAX; i++) {
        a->config.name[i] = names[i];
        a->lists[i] = "legal_moves";
        talk_init(&a->talk[i]);
        buf_init(&a->said[i], 1 << 26);
        buf_init(&a->legal[i], 1 << 21);
    }
}

void arena_close(struct arena *a)
{
    match_free(a->match);
    buf_release(&a->deal);
    buf_release(&a->record);
    for (int i = 0; i < SEATS_MAX; i++) {
        talk_release(&a->talk[i]);
        buf_release(&a->said[i]);
        buf_release(&a->legal[i]);
    }
}

/* What the referee says. */

static void check_line(struct arena *a, int seat, const char *line)
{
    const char *at = line;
    int id;
    bool list;

    insist(take_int(&at, 1, INT32_MAX, &id) && take_char(&at, ' '),
           "a line of the referee has no id");
    insist((uint32_t)id == ++a->ids[seat], "the ids do not count up");
    list = strncmp(at, "legal_moves", 11) == 0;
    insist(*at && *at != ' ', "a line of the referee has no command");
    insist(strlen(line) <= (list ? LEGAL_MOVES_MAX : LINE_MAX_BYTES),
           "a line of the referee is too long");
    insist(is_plain(line), "a line of the referee is not printable");
    insist(!strchr(line, '#'), "a line of the referee has a number sign");
}

static void hear(struct arena *a, int seat, const char *line)
{
    struct stamp stamp = a->stamp;
    char copy[TALK_LINE_MAX + 1];

    snprintf(copy, sizeof copy, "%s", line);
    match_line(a->match, seat, copy, strlen(copy), &stamp);
}

static void list_words(struct arena *a, int seat)
{
    char words[1000], *rest = words, *word;

    if (!a->lists[seat]) {
        hear(a, seat, "? unknown command");
        return;
    }
    snprintf(words, sizeof words, "%s", a->lists[seat]);
    hear(a, seat, "=");
    while ((word = strsep(&rest, " ")) != NULL)
        if (*word)
            hear(a, seat, word);
    hear(a, seat, "");
}

/* A bot's reading of one line; it does not answer genmove. */
static void take_command(struct arena *a, int seat, const char *line)
{
    const char *at = line + strcspn(line, " ") + 1;

    if (take_word(&at, "genmove"))
        a->asked |= SEAT(seat);
    else if (take_word(&at, "list_commands"))
        list_words(a, seat);
    else if (take_word(&at, "protocol_version"))
        hear(a, seat, "= 2");
    else if (take_word(&at, "legal_moves")) {
        buf_reset(&a->legal[seat]);
        buf_str(&a->legal[seat], at);
        hear(a, seat, "=");
    } else
        hear(a, seat, "=");
}

/* Take what waits for a seat in one read; a turn comes whole. */
static void read_all(struct arena *a, int seat)
{
    struct talk *talk = &a->talk[seat];
    char *text = strdup(talk->out.text + talk->sent), *rest = text, *line;
    bool asked = false;

    insist(talk_unsent(talk) == strlen(text), "a NUL from the referee");
    insist(text[0] && text[strlen(text) - 1] == '\n',
           "a line of the referee has no end");
    buf_str(&a->said[seat], text);
    talk_sent(talk, talk_unsent(talk));
    match_sent(a->match, seat, &a->stamp);
    while ((line = strsep(&rest, "\n")) != NULL && rest) {
        check_line(a, seat, line);
        if (a->strangers)
            continue;
        insist(!asked || strstr(line, " game_over"),
               "something behind the genmove of a turn");
        asked = asked || strstr(line, " genmove ");
        take_command(a, seat, line);
    }
    free(text);
}

static void store(struct arena *a)
{
    struct record_writer *writer = match_record(a->match);

    insist(buf_ok(&writer->text), "the record is full");
    buf_put(&a->record, writer->text.text, writer->text.len);
    record_taken(writer);
}

void arena_pump(struct arena *a)
{
    bool more;

    do {
        more = false;
        for (int i = 0; i < a->config.setup.seats; i++)
            if (!a->unread[i] && talk_unsent(&a->talk[i]) > 0) {
                read_all(a, i);
                more = true;
            }
    } while (more);
    store(a);
}

static void table_of(struct arena *a, struct talk **talks)
{
    for (int i = 0; i < SEATS_MAX; i++)
        talks[i] = &a->talk[i];
}

void arena_begin(struct arena *a)
{
    struct talk *talks[SEATS_MAX];

    table_of(a, talks);
    a->match = match_new(&a->config, talks, a->stamp.now_us);
    arena_pump(a);
}

void arena_again(struct arena *a)
{
    match_free(a->match);
    buf_reset(&a->record);
    a->asked = 0;
    arena_begin(a);
}

/* Played to its end; what it told gathers in `log`. */
static bool replay_text(struct replay *r, char *text, size_t len,
                        struct lines *log)
{
    struct err err;
    bool ok;

    lines_reset(log);
    ok = replay_open(r, "arena", text, len, &err);
    if (ok)
        lines_append(log, &r->events);
    while (ok && r->status == REPLAY_HALFWAY) {
        int steps = r->steps;

        ok = replay_next(r, &err);
        if (ok && r->steps > steps)
            lines_append(log, &r->events);
    }
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    return ok;
}

static char *copy_of(const char *bytes, size_t len)
{
    char *text = calloc(1, len + 1);

    insist(text, "out of memory");
    memcpy(text, bytes, len);
    return text;
}

static bool has_head(const struct game *game, const char *text)
{
    const char *last = strstr(text, game->deal ? "\ndeal " : "\nseats ");

    return last && strchr(last + 1, '\n');
}

size_t record_whole(const struct game *game, const char *bytes, size_t len)
{
    struct replay r;
    struct lines log;
    char *text = copy_of(bytes, len);
    size_t whole = 0;

    replay_init(&r);
    lines_init(&log, 1 << 26);
    if (has_head(game, text)) {
        insist(replay_text(&r, text, len, &log), "a cut record is refused");
        whole = r.steps ? r.complete : 0;
    }
    lines_release(&log);
    replay_release(&r);
    free(text);
    return whole;
}

void arena_resume(struct arena *a, const char *bytes, size_t whole)
{
    char *text = copy_of(bytes, whole);
    struct talk *talks[SEATS_MAX];
    struct replay r;
    struct lines log;
    struct buf old;

    replay_init(&r);
    lines_init(&log, 1 << 26);
    insist(replay_text(&r, text, whole, &log) && r.complete == whole,
           "what is whole of a record is not");
    buf_init(&old, 1 << 26);
    buf_put(&old, bytes, whole);
    buf_put(&a->record, bytes, whole);
    table_of(a, talks);
    a->match = match_resume(&a->config, talks, &r, &log, &old, a->stamp.now_us);
    arena_pump(a);
    buf_release(&old);
    lines_release(&log);
    replay_release(&r);
    free(text);
}

/* What the bots do. */

void arena_say(struct arena *a, int seat, const char *line)
{
    hear(a, seat, line);
    arena_pump(a);
}

void arena_answer(struct arena *a, int seat, const char *text)
{
    char line[TALK_LINE_MAX + 1];

    insist(a->asked & SEAT(seat), "nobody has asked this seat");
    a->asked &= ~SEAT(seat);
    snprintf(line, sizeof line, "= %s", text);
    arena_say(a, seat, line);
}

void arena_gone(struct arena *a, int seat, enum why why)
{
    match_gone(a->match, seat, why, "gone", &a->stamp);
    a->asked &= ~SEAT(seat);
    arena_pump(a);
}

void arena_tick(struct arena *a)
{
    match_tick(a->match, a->stamp.now_us);
    arena_pump(a);
}

void arena_void(struct arena *a, const char *reason)
{
    match_void(a->match, reason);
    arena_pump(a);
}

void arena_legal(const struct arena *a, int seat, uint32_t i, char *text)
{
    const char *at = a->legal[seat].text;
    uint32_t n = 1;

    for (const char *c = at; *c; c++)
        n += *c == ' ';
    for (i %= n; i > 0; i--)
        at += strcspn(at, " ") + 1;
    snprintf(text, MOVE_TEXT_MAX + 1, "%.*s", (int)strcspn(at, " "), at);
}

bool arena_has_left(const struct arena *a, int seat, enum why why)
{
    enum why found;

    return match_has_left(a->match, seat, &found) && found == why;
}

bool arena_recorded(const struct arena *a, const char *line)
{
    char text[300];

    snprintf(text, sizeof text, "\n%s\n", line);
    return strstr(a->record.text, text) != NULL;
}
