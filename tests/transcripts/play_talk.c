/*
 * play_talk FILE... - play talks between the referee and bots through the
 * match code, and compare every line.
 *
 *     game rondo              the head: as in a record, and
 *     seats 2
 *     deal YPRR...
 *     time move:1s            a time control for all (default none)
 *     time 2 bank:5s          or for one seat
 *     retries 1               after illegal moves (default 0)
 *     lenience 50ms           (default 0)
 *     seed HEX                chosen (default: no seed)
 *     secret HEX              drawn; without a deal line it makes the deal
 *     R>1 1 protocol_version  the referee's next line to seat 1 must be this
 *     1>R =1 2                seat 1 says this
 *     1>R*99 # note           ... so many times
 *     ready 1 legal_moves     seat 1 is greeted, lists these words, is ready
 *     quiet 1                 nothing waits for seat 1
 *     +500ms                  time passes
 *     lag 5ms                 what is said next had to wait so long for us
 *     unread 1                bytes for seat 1 stay with us ...
 *     read 1                  ... until now
 *     gone 2 exit             seat 2 is lost
 *     void disk               the world fails
 *     record @- note 1 text   the record's next line of this kind is this
 *     result ranks=..         the game is over, with this result
 *
 * "R>1 ..." alone stands for any one line. At the end every line of the
 * referee must have been expected, and the record must replay. Empty lines and
 * '#' comments are skipped; "1>R" alone is an empty line of the bot.
 */

#include "base/text.h"
#include "match/match.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct talk_test {
    const char *file;
    int line;
    struct setup setup;
    struct match_config config;
    char *kept[64]; /* texts that the config borrows */
    int kept_count;
    uint8_t seed[SEED_BYTES];
    struct talk talk[SEATS_MAX];
    struct match *match;
    int64_t now_us, lag_us;
    bool unread[SEATS_MAX];
    struct buf deal;
    struct buf record; /* all that was written to it */
    size_t found;      /* up to here in it */
};

static const char *const names[SEATS_MAX] = {"anna", "bob",  "cleo",
                                             "dan",  "emma", "finn"};

static void wrong(const struct talk_test *t, const char *what,
                  const char *found, const char *expected)
{
    printf("%s:%d: %s: found \"%s\", expected \"%s\"\n", t->file, t->line, what,
           found, expected);
    exit(1);
}

static const char *keep(struct talk_test *t, const char *text)
{
    if (t->kept_count == 64)
        wrong(t, "head", text, "fewer lines");
    return t->kept[t->kept_count++] = strdup(text);
}

static int64_t duration(const struct talk_test *t, const char *text)
{
    struct time_control control;
    struct err err;
    char move[64];

    snprintf(move, sizeof move, "move:%s", text);
    if (!time_control_parse(move, &control, &err))
        wrong(t, "duration", text, err.text);
    return control.main_us;
}

static void read_time(struct talk_test *t, const char *at)
{
    struct time_control control;
    struct err err;
    int seat = 0;

    if (take_int(&at, 1, SEATS_MAX, &seat) && !take_char(&at, ' '))
        wrong(t, "time", at, "a time control");
    if (!time_control_parse(at, &control, &err))
        wrong(t, "time", at, err.text);
    for (int i = 0; i < SEATS_MAX; i++)
        if (seat == 0 || seat == i + 1)
            t->config.time[i] = control;
}

static void read_seed(struct talk_test *t, const char *at)
{
    if (!text_unhex(t->seed, SEED_BYTES, at))
        wrong(t, "seed", at, "64 hex digits");
    t->config.seed = t->seed;
    t->config.reveal_seed = true;
}

/* A line of the head; false if it is none. */
static bool head_line(struct talk_test *t, const char *line)
{
    const char *at = line;
    struct err err;

    if (take_word(&at, "game")) {
        if (!game_named(at, &t->config.game, &err))
            wrong(t, "game", at, err.text);
    } else if (take_word(&at, "set")) {
        if (!setup_set(t->config.game, &t->config.setup, keep(t, at), &err))
            wrong(t, "set", at, err.text);
    } else if (take_word(&at, "seats")) {
        t->config.setup.seats = atoi(at);
    } else if (take_word(&at, "deal")) {
        t->config.deal = keep(t, at);
    } else if (take_word(&at, "time")) {
        read_time(t, at);
    } else if (take_word(&at, "retries")) {
        t->config.retries = atoi(at);
    } else if (take_word(&at, "lenience")) {
        t->config.lenience_us = duration(t, at);
    } else if (take_word(&at, "seed")) {
        read_seed(t, at);
        t->config.seed_is_chosen = true;
    } else if (take_word(&at, "secret")) {
        read_seed(t, at);
    } else {
        return false;
    }
    return true;
}

/* Every byte is handed to the kernel at once, unless it is unread. */
static void all_sent(struct talk_test *t)
{
    struct stamp stamp = {.now_us = t->now_us};

    for (int i = 0; i < t->config.setup.seats; i++)
        if (!t->unread[i])
            match_sent(t->match, i, &stamp);
    buf_put(&t->record, match_record(t->match)->text.text,
            match_record(t->match)->text.len);
    record_taken(match_record(t->match));
}

static void deal_from_seed(struct talk_test *t)
{
    struct rng rng;

    if (t->config.deal || !t->config.seed || !t->config.game->deal)
        return;
    rng_seed(&rng, t->seed);
    t->config.game->deal(&t->config.setup, &rng, &t->deal);
    t->config.deal = t->deal.text;
}

static void start(struct talk_test *t)
{
    struct talk *talks[SEATS_MAX];
    struct err err;

    if (!game_accepts(t->config.game, &t->config.setup, &err))
        wrong(t, "head", "this setup", err.text);
    deal_from_seed(t);
    for (int i = 0; i < SEATS_MAX; i++) {
        talk_init(&t->talk[i]);
        talks[i] = &t->talk[i];
    }
    t->match = match_new(&t->config, talks, t->now_us);
    all_sent(t);
}

/* The next line that waits for a seat, cut off its talk; or NULL. */
static const char *next_line(struct talk *talk)
{
    static char line[1 << 16];
    char *at = talk->out.text + talk->sent;
    size_t n = strcspn(at, "\n");

    if (talk_unsent(talk) == 0)
        return NULL;
    snprintf(line, sizeof line, "%.*s", (int)n, at);
    talk_sent(talk, n + 1);
    return line;
}

static void expect_line(struct talk_test *t, int seat, const char *expected)
{
    const char *found = next_line(&t->talk[seat]);

    if (!found)
        wrong(t, "the referee says nothing", "", expected);
    if (strcmp(expected, "...") != 0 && strcmp(found, expected) != 0)
        wrong(t, "the referee", found, expected);
}

static void say(struct talk_test *t, int seat, const char *text)
{
    struct stamp stamp = {.now_us = t->now_us, .lag_us = t->lag_us};
    char line[TALK_LINE_MAX + 1];

    snprintf(line, sizeof line, "%s", text);
    match_line(t->match, seat, line, strlen(line), &stamp);
    t->lag_us = 0;
    all_sent(t);
}

/* "1>R TEXT" or "1>R*N TEXT" behind the R. */
static void say_often(struct talk_test *t, int seat, const char *at)
{
    int times = 1;

    if (take_char(&at, '*') && !take_int(&at, 1, 1 << 20, &times))
        wrong(t, "this file", at, "how often");
    at += *at == ' ';
    for (; times > 0; times--)
        say(t, seat, at);
}

/* The ordinary start of a talk, which most talks are not about. */
static void greet(struct talk_test *t, const char *at)
{
    char words[1000], *word, *rest = words;
    int seat;

    if (!take_int(&at, 1, SEATS_MAX, &seat))
        wrong(t, "ready", at, "SEAT WORD...");
    snprintf(words, sizeof words, "%s", at);
    seat--;
    expect_line(t, seat, "1 protocol_version");
    expect_line(t, seat, "2 list_commands");
    expect_line(t, seat, "3 name");
    expect_line(t, seat, "4 version");
    expect_line(t, seat, "...");
    say(t, seat, "=1 2");
    say(t, seat, "=2");
    while ((word = strsep(&rest, " ")) != NULL)
        if (*word)
            say(t, seat, word);
    say(t, seat, "=3");
    say(t, seat, "=4");
    say(t, seat, "=5");
}

/* To the end of the pause, stopping wherever the match wants to be woken. */
static void pass_time(struct talk_test *t, int64_t us)
{
    int64_t until = t->now_us + us;

    while (match_deadline(t->match) <= until) {
        t->now_us = match_deadline(t->match);
        match_tick(t->match, t->now_us);
        all_sent(t);
    }
    t->now_us = until;
}

static void lose(struct talk_test *t, const char *at)
{
    struct stamp stamp = {.now_us = t->now_us};
    enum why why;
    int seat;

    if (!take_int(&at, 1, SEATS_MAX, &seat) || !take_char(&at, ' ') ||
        !why_read(at, &why))
        wrong(t, "gone", at, "SEAT WHY");
    match_gone(t->match, seat - 1, why, "test", &stamp);
}

static void expect_quiet(struct talk_test *t, int seat)
{
    const char *found = next_line(&t->talk[seat]);

    if (found)
        wrong(t, "the referee", found, "nothing for this seat");
}

/* The first word behind the audience, if there is one. */
static size_t kind_of(const char *line)
{
    size_t n = line[0] == '@' ? strcspn(line, " ") + 1 : 0;

    return n + strcspn(line + n, " \n");
}

/* Lines of other kinds may stand before it. */
static void expect_in_record(struct talk_test *t, const char *expected)
{
    char *at = t->record.text + t->found;
    size_t kind = kind_of(expected);

    for (; *at; at += strcspn(at, "\n") + 1) {
        size_t n = strcspn(at, "\n");

        if (kind_of(at) != kind || memcmp(at, expected, kind) != 0)
            continue;
        if (n != strlen(expected) || memcmp(at, expected, n) != 0) {
            at[n] = '\0';
            wrong(t, "the record", at, expected);
        }
        t->found = (size_t)(at + n + 1 - t->record.text);
        return;
    }
    wrong(t, "the record", "no such line", expected);
}

static void expect_result(struct talk_test *t, const char *line)
{
    struct buf text;
    const char *why[SEATS_MAX] = {0};

    if (!match_is_over(t->match))
        wrong(t, "the game", "not over", line);
    if (match_is_void(t->match)) {
        expect_in_record(t, line);
        return;
    }
    for (int i = 0; i < t->config.setup.seats; i++)
        why[i] = match_why(t->match, i);
    buf_init(&text, 256);
    result_write(match_result(t->match), t->config.setup.seats, why, &text);
    if (strcmp(text.text, line) != 0)
        wrong(t, "the game", text.text, line);
    buf_release(&text);
}

/* A line that starts with its own word; false if it is none. */
static bool other_line(struct talk_test *t, const char *line)
{
    const char *at = line;

    if (take_word(&at, "ready"))
        greet(t, at);
    else if (take_word(&at, "quiet"))
        expect_quiet(t, atoi(at) - 1);
    else if (take_word(&at, "lag"))
        t->lag_us = duration(t, at);
    else if (take_word(&at, "unread"))
        t->unread[atoi(at) - 1] = true;
    else if (take_word(&at, "read"))
        t->unread[atoi(at) - 1] = false;
    else if (take_word(&at, "gone"))
        lose(t, at);
    else if (take_word(&at, "void"))
        match_void(t->match, at);
    else if (take_word(&at, "record"))
        expect_in_record(t, at);
    else if (take_word(&at, "result"))
        expect_result(t, line);
    else
        return false;
    return true;
}

static void talk_line_of(struct talk_test *t, const char *line)
{
    const char *at = line;
    int seat;

    if (!t->match && !head_line(t, line))
        start(t);
    if (!t->match)
        return;
    if (take_text(&at, "R>") && take_int(&at, 1, SEATS_MAX, &seat) &&
        take_char(&at, ' '))
        expect_line(t, seat - 1, at);
    else if (at = line,
             take_int(&at, 1, SEATS_MAX, &seat) && take_text(&at, ">R"))
        say_often(t, seat - 1, at);
    else if (at = line, take_char(&at, '+'))
        pass_time(t, duration(t, at));
    else if (!other_line(t, line))
        wrong(t, "this file", line, "a line as at the head of play_talk.c");
    all_sent(t);
}

static bool is_same_seat(const struct summary_seat *a,
                         const struct summary_seat *b)
{
    return strcmp(a->name, b->name) == 0 &&
           strcmp(a->version, b->version) == 0 &&
           a->has_digest == b->has_digest && strcmp(a->why, b->why) == 0 &&
           a->rank == b->rank && a->score == b->score;
}

static bool is_same(const struct game_summary *a, const struct game_summary *b)
{
    bool same =
        a->status == b->status && a->game == b->game && a->seats == b->seats &&
        strcmp(a->id, b->id) == 0 && strcmp(a->event, b->event) == 0 &&
        strcmp(a->unit, b->unit) == 0 && strcmp(a->start, b->start) == 0 &&
        a->part == b->part && a->parts == b->parts &&
        strcmp(a->reason, b->reason) == 0 && a->moves == b->moves &&
        a->has_seed == b->has_seed && a->bytes == b->bytes;

    for (int i = 0; i < SEATS_MAX; i++)
        same = same && is_same_seat(&a->seat[i], &b->seat[i]);
    return same;
}

/* What the match knows in summary is what its record says. */
static void check_summary(struct talk_test *t)
{
    struct game_summary known, read;
    struct buf text;
    struct err err;

    if (!match_is_over(t->match))
        return;
    buf_init(&text, 1 << 24);
    buf_put(&text, t->record.text, t->record.len);
    if (!game_summary_read(&read, t->file, 0, text.text, text.len, &err))
        wrong(t, "its record in summary", err.text, "none of that");
    if (!match_summary(t->match, &known) || !is_same(&known, &read))
        wrong(t, "the match in summary", "other facts", "those of its record");
    buf_release(&text);
}

/* What was recorded must replay. */
static void check_record(struct talk_test *t)
{
    struct replay replay;
    struct err err;

    if (t->record.len == 0)
        return;
    replay_init(&replay);
    if (!replay_open(&replay, t->file, t->record.text, t->record.len, &err) ||
        !replay_all(&replay, &err)) {
        printf("its record: %s\n", err.text);
        exit(1);
    }
    if (match_is_over(t->match) && replay.status == REPLAY_UNFINISHED)
        wrong(t, "its record", "unfinished", "a result");
    replay_release(&replay);
}

static void finish(struct talk_test *t)
{
    for (int i = 0; i < SEATS_MAX; i++) {
        const char *left = t->match ? next_line(&t->talk[i]) : NULL;

        if (left)
            wrong(t, "the end", left, "nothing more for this seat");
        if (t->match)
            talk_release(&t->talk[i]);
    }
    if (t->record.len > 0)
        check_summary(t);
    check_record(t);
    match_free(t->match);
    buf_release(&t->record);
    buf_release(&t->deal);
    for (int i = 0; i < t->kept_count; i++)
        free(t->kept[i]);
}

static void play_file(const char *path)
{
    struct talk_test t = {
        .file = path,
        .config = {.id = "test",
                   .about = "id=test event=cup unit=7 part=1/2 start=today",
                   .start_us = 10000000}};
    static char line[1 << 16];
    FILE *file = fopen(path, "r");

    if (!file) {
        perror(path);
        exit(1);
    }
    t.config.none_us = 60000000;
    for (int i = 0; i < SEATS_MAX; i++)
        t.config.name[i] = names[i];
    buf_init(&t.record, 1 << 24);
    buf_init(&t.deal, DEAL_TEXT_MAX);
    while (fgets(line, sizeof line, file)) {
        t.line++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0' && line[0] != '#')
            talk_line_of(&t, line);
    }
    fclose(file);
    finish(&t);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0 || argc < 2)
        return 1;
    for (int i = 1; i < argc; i++)
        play_file(argv[i]);
    printf("%d talks as written\n", argc - 1);
    return 0;
}
