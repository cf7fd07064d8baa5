#include "cmd/check/play.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BREAK_OFF_AFTER = 2, /* moves */
    QUITTER_TURN = 3,    /* moves after which an opponent resigns */
};

struct opponent {
    struct talk talk;
    char move[MOVE_TEXT_MAX + 1];
    int turns;
};

struct play {
    struct exam *exam;
    const struct plan *plan;
    struct played *played;
    struct match *match;
    struct opponent opponent[SEATS_MAX]; /* the bot's entry is unused */
    struct rng choice;
    struct buf inbox; /* of the opponent being read */
    struct buf legal; /* the words of the bot's last legal_moves */
    int64_t begun_us;
};

static struct talk *talk_of(const struct play *p)
{
    return &p->exam->bot->talk;
}

static struct stamp stamp_now(struct play *p)
{
    struct stamp stamp = {.now_us = loop_now(&p->exam->loop)};

    stamp.lag_us = loop_lag(&p->exam->loop, stamp.now_us);
    return stamp;
}

/* The i-th word of a line, or the number of words if i is too large. */
static uint32_t find_word(const char *line, uint32_t i, const char **word)
{
    uint32_t n = 0;

    for (;;) {
        line += strspn(line, " ");
        if (!*line)
            return n;
        if (n++ == i)
            *word = line;
        line += strcspn(line, " ");
    }
}

/* The opponents. */

static void answer(struct play *p, int seat, const char *text)
{
    struct stamp stamp = stamp_now(p);
    char line[MOVE_TEXT_MAX + 8];
    int n = snprintf(line, sizeof line, "%s", text);

    match_line(p->match, seat, line, (size_t)n, &stamp);
}

static void choose_move(struct play *p, struct opponent *o, const char *moves)
{
    const char *word = "resign";
    uint32_t n = find_word(moves, UINT32_MAX, &word);

    if (n > 0)
        find_word(moves, rng_uniform(&p->choice, n), &word);
    snprintf(o->move, sizeof o->move, "%.*s", (int)strcspn(word, " "), word);
}

static void answer_genmove(struct play *p, int seat)
{
    struct opponent *o = &p->opponent[seat];
    char text[MOVE_TEXT_MAX + 4];
    bool resigns = seat == p->plan->quitter && o->turns++ == QUITTER_TURN;

    snprintf(text, sizeof text, "= %s", resigns ? "resign" : o->move);
    answer(p, seat, text);
}

/* "ID COMMAND ARGS" */
static void obey(struct play *p, int seat, const char *line)
{
    const char *word = line + strcspn(line, " ") + 1;
    const char *args = word + strcspn(word, " ");
    size_t n = (size_t)(args - word);

    if (n == 7 && memcmp(word, "genmove", n) == 0) {
        answer_genmove(p, seat);
        return;
    }
    if (n == 11 && memcmp(word, "legal_moves", n) == 0)
        choose_move(p, &p->opponent[seat], args);
    if (n == 13 && memcmp(word, "list_commands", n) == 0)
        answer(p, seat, "= legal_moves");
    else
        answer(p, seat, n == 16 ? "= 2" : "="); /* protocol_version */
}

/* Read everything sent to it, and answer. */
static void serve(struct play *p, int seat)
{
    struct talk *talk = &p->opponent[seat].talk;
    struct stamp stamp = stamp_now(p);

    buf_reset(&p->inbox);
    buf_put(&p->inbox, talk->out.text + talk->sent, talk_unsent(talk));
    talk_sent(talk, talk_unsent(talk));
    match_sent(p->match, seat, &stamp);
    for (char *at = p->inbox.text; *at;) {
        char *end = at + strcspn(at, "\n");

        *end = '\0';
        obey(p, seat, at);
        at = end + 1;
    }
}

static void serve_all(struct play *p)
{
    bool busy = true;

    while (busy) {
        busy = false;
        for (int i = 0; i < p->plan->setup.seats; i++)
            if (i != p->plan->seat && talk_unsent(&p->opponent[i].talk) > 0) {
                serve(p, i);
                busy = true;
            }
    }
}

/* The bot. */

/* Given a line about to be sent, "ID legal_moves WORDS\n", the words, or
 * NULL. */
static char *legal_words(char *line)
{
    char *word = line + strcspn(line, " ");

    return strncmp(word, " legal_moves ", 13) == 0 ? word + 13 : NULL;
}

/* Shuffle the words before `end`. The length stays the same. */
static void shuffle_words(struct play *p, char *words, char *end)
{
    uint32_t n = 1;
    const char **word;
    struct buf mixed;

    for (char *c = words; c < end; c++)
        n += *c == ' ';
    word = must_alloc(calloc(n, sizeof *word));
    n = 0;
    for (char *c = words; c < end; c += strcspn(c, " \n") + 1)
        word[n++] = c;
    rng_shuffle(&p->choice, word, n, sizeof *word);
    buf_init(&mixed, LEGAL_MOVES_MAX + 1);
    for (uint32_t i = 0; i < n; i++) {
        buf_str(&mixed, i ? " " : "");
        buf_put(&mixed, word[i], strcspn(word[i], " \n"));
    }
    memcpy(words, mixed.text, mixed.len);
    buf_release(&mixed);
    free(word);
}

/* Inspect what the match has written for the bot. */
static void look_at_new(struct play *p, size_t unsent)
{
    struct buf *out = &talk_of(p)->out;
    char *at = out->text + out->len - (talk_unsent(talk_of(p)) - unsent);

    while (*at) {
        size_t n = strcspn(at, "\n");
        char *words = legal_words(at);

        if (words && p->plan->shuffle)
            shuffle_words(p, words, at + n);
        if (words) {
            buf_reset(&p->legal);
            buf_put(&p->legal, words, (size_t)(at + n - words));
        }
        if (n > p->played->longest)
            p->played->longest = n;
        at += n + 1;
    }
}

static bool is_broken_off(const struct play *p)
{
    return p->plan->twist == TWIST_BREAK_OFF &&
           match_move_times(p->match, p->plan->seat)->moves >= BREAK_OFF_AFTER;
}

static bool is_broken(const struct play *p)
{
    return match_broken(p->match) & SEAT(p->plan->seat);
}

/* A bot that left without breaking still sees the end of the game. */
static bool is_done(const struct play *p)
{
    return match_is_over(p->match) || is_broken(p);
}

/* If it was too slow, its answer may still come. */
static bool is_late(const struct play *p)
{
    enum why why;

    return match_has_left(p->match, p->plan->seat, &why) &&
           (why == WHY_TIME || why == WHY_START);
}

/* Let everyone read; `unsent` is what was already waiting for the bot. */
static void pump(struct play *p, size_t unsent)
{
    serve_all(p);
    if (is_broken_off(p) || now_us() > p->plan->until_us) {
        match_void(p->match, "check");
        p->played->ending = ENDING_CUT_OFF;
    }
    if (is_broken(p)) {
        p->exam->deaf = p->exam->lost || !is_late(p);
        exam_wake(p->exam);
        return;
    }
    look_at_new(p, unsent);
    exam_note_new(p->exam, unsent);
    if (talk_unsent(talk_of(p)) > 0) {
        struct stamp stamp;

        bot_flush(p->exam->bot);
        stamp = stamp_now(p);
        match_sent(p->match, p->plan->seat, &stamp);
    }
    exam_wake(p->exam);
}

/* Pretend that a move was illegal, and see whether the bot moves again. */
static bool rejects(struct play *p, char *line, size_t len)
{
    struct talk *talk = talk_of(p);
    struct answer a;
    struct buf *out;

    if (p->plan->twist != TWIST_REJECT_MOVE || p->played->twisted ||
        line[0] != '=' || talk->open_count == 0 ||
        talk->open[talk->open_first] != COMMAND_GENMOVE)
        return false;
    p->played->twisted = true;
    if (talk_line(talk, line, len, &a) != GOT_ANSWER) {
        struct stamp stamp = stamp_now(p);

        match_gone(p->match, p->plan->seat, fault_why(a.fault),
                   fault_text(a.fault), &stamp);
        return true;
    }
    out = talk_begin(talk, COMMAND_REJECTED);
    buf_add(out, " %.64s only a check: please move again", a.text);
    talk_end(talk);
    buf_add(talk_begin(talk, COMMAND_GENMOVE), " %d", p->plan->seat + 1);
    talk_end(talk);
    return true;
}

/* While the others move, send the last legal moves again and again. */
static void send_long_line(struct play *p)
{
    struct buf *out;
    size_t start;

    if (p->plan->twist != TWIST_LONG_LINE || p->played->twisted ||
        p->legal.len == 0 || talk_unsent(talk_of(p)) > 0 ||
        match_move_times(p->match, p->plan->seat)->moves == 0)
        return;
    p->played->twisted = true;
    out = talk_begin(talk_of(p), COMMAND_LEGAL_MOVES);
    start = out->len;
    while (out->len - start + p->legal.len + 16 < LEGAL_MOVES_MAX) {
        buf_char(out, ' ');
        buf_put(out, p->legal.text, p->legal.len);
    }
    talk_end(talk_of(p));
}

static void count_move(struct play *p)
{
    const struct move_times *times = match_move_times(p->match, p->plan->seat);
    struct played *played = p->played;

    if (times->moves == played->moves)
        return;
    played->moves = times->moves;
    played->total_us += times->last_us;
    if (times->last_us > played->max_us)
        played->max_us = times->last_us;
}

static void on_line(void *arg, char *line, size_t len)
{
    struct play *p = arg;
    size_t unsent = talk_unsent(talk_of(p));

    exam_note_refusal(p->exam, line, len);
    if (!rejects(p, line, len)) {
        struct stamp stamp = stamp_now(p);

        match_line(p->match, p->plan->seat, line, len, &stamp);
        count_move(p);
        send_long_line(p);
    }
    pump(p, unsent);
}

static void on_sent(void *arg)
{
    struct play *p = arg;
    struct stamp stamp = stamp_now(p);

    match_waited(p->match, p->plan->seat, &stamp);
}

static void on_lost(void *arg)
{
    struct play *p = arg;
    struct stamp stamp = stamp_now(p);

    match_gone(p->match, p->plan->seat, p->exam->why, p->exam->detail, &stamp);
}

static const struct listener calls = {on_line, on_sent, on_lost};

/* The game. */

static void make_match(struct play *p, struct buf *deal)
{
    const struct plan *plan = p->plan;
    static const char *const names[SEATS_MAX] = {
        "random-1", "random-2", "random-3", "random-4", "random-5", "random-6"};
    struct match_config c = {
        .game = plan->game,
        .setup = plan->setup,
        .id = plan->id,
        .deal = game_deal(plan->game, &plan->setup, plan->seed, deal),
        .seed = plan->seed,
        .seed_is_chosen = plan->seed_is_chosen,
        .reveal_seed = true,
        .start_us = plan->start_us,
        .none_us = plan->limit_us,
    };
    struct talk *talks[SEATS_MAX];

    for (int i = 0; i < plan->setup.seats; i++) {
        bool own = i == plan->seat;

        c.name[i] = own ? p->exam->config->name : names[i];
        c.time[i] = plan->time;
        talks[i] = own ? talk_of(p) : &p->opponent[i].talk;
    }
    p->begun_us = loop_now(&p->exam->loop);
    p->match = match_new(&c, talks, p->begun_us);
}

/* Run until the game is over, or the bot has left it. */
static void run(struct play *p)
{
    while (!is_done(p)) {
        int64_t now = now_us(), at = match_deadline(p->match);
        size_t unsent = talk_unsent(talk_of(p));

        if (p->plan->until_us < at)
            at = p->plan->until_us;
        if (exam_wait(p->exam, at > now ? at - now : 0))
            continue;
        if (match_late(p->match, now_us()) && exam_is_up(p->exam))
            link_look(&p->exam->bot->link); /* one last check */
        match_tick(p->match, now_us());
        pump(p, unsent);
    }
}

static void note_ending(struct play *p)
{
    struct played *played = p->played;

    if (match_has_left(p->match, p->plan->seat, &played->why)) {
        played->ending = played->why == WHY_RESIGN   ? ENDING_GAVE_UP
                         : played->why == WHY_REFUSE ? ENDING_REFUSED
                                                     : ENDING_FAILED;
        snprintf(played->detail, sizeof played->detail, "%s",
                 match_detail(p->match, p->plan->seat));
    }
    buf_reset(&played->record);
    buf_put(&played->record, match_record(p->match)->text.text,
            match_record(p->match)->text.len);
}

/* Wait for answers the bot still owes, such as the one to game_over. */
static void settle(struct play *p)
{
    struct exam *e = p->exam;
    int due = (int)talk_of(p)->open_count;

    if (p->played->ending == ENDING_FAILED || e->lost)
        return;
    p->played->outcome = exam_ask(e, due, p->plan->limit_us);
    if (p->played->outcome != OUTCOME_ANSWERED)
        p->played->ending = ENDING_UNSETTLED;
}

void play_game(struct exam *exam, const struct plan *plan,
               struct played *played)
{
    struct play p = {.exam = exam, .plan = plan, .played = played};
    struct buf deal, record = played->record;

    *played = (struct played){.ending = ENDING_PLAYED, .record = record};
    buf_init(&deal, DEAL_TEXT_MAX);
    buf_init(&p.inbox, 4 << 20);
    buf_init(&p.legal, 2 << 20);
    rng_seed_apart(&p.choice, plan->seed);
    for (int i = 0; i < plan->setup.seats; i++)
        talk_init(&p.opponent[i].talk);
    exam->games++;
    exam->listener = &calls;
    exam->arg = &p;
    make_match(&p, &deal);
    pump(&p, 0);
    run(&p);
    note_ending(&p);
    exam->listener = NULL;
    settle(&p);
    match_free(p.match);
    for (int i = 0; i < plan->setup.seats; i++)
        talk_release(&p.opponent[i].talk);
    buf_release(&deal);
    buf_release(&p.inbox);
    buf_release(&p.legal);
}
