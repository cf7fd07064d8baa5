#include "cmd/check/advice.h"

#include "base/readable.h"
#include "base/text.h"
#include "cmd/check/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DETAIL_US = 200000, EXAMPLES = 3, LAST_LINES = 12 };

#define ID_OR_NOT \
    "\"=ID TEXT\" or \"= TEXT\", and \"?\" instead of \"=\" on failure"

/* What each protocol fault means, for a beginner. */
static const struct {
    const char *where;
    const char *wanted;
    const char *hint;
} advice[FAULTS] = {
    [FAULT_NO_BLANK] =
        {"6.1", ID_OR_NOT,
         "print a blank between \"=\" (or its number) and the text: \"= pass\", "
         "not \"=pass\""},
    [FAULT_ID] =
        {"6.1", "the number of the oldest command without an answer, or none",
         "answer every command once, in order, and repeat its number. A "
         "text that begins with a digit needs a blank after \"=\", or it is "
         "read as the number"},
    [FAULT_UNASKED] =
        {"6.1", "one answer to each command",
         "something is answered twice: print one line with \"=\" or \"?\" "
         "for each command, and none without a command"},
    [FAULT_STRAY_LINE] =
        {"6.1",
         "nothing on standard output but answers, and notes that start with "
         "a number sign",
         "print your own messages to standard error: fprintf(stderr, ...), "
         "print(..., file=sys.stderr), System.err. Or begin the line with a "
         "number sign"},
    [FAULT_NOT_ASCII] =
        {"6.1", "answers in printable ASCII",
         "letters with accents and other non-ASCII characters are allowed "
         "only in notes"},
    [FAULT_VERSION] =
        {"6.2", "\"= 2\"",
         "answer protocol_version with 2, the version of GTP, whatever the "
         "version of your bot"},
    [FAULT_NOTES] = {"5", "at most 1000 notes and 64 KiB of them in one game",
                     "write long logs to standard error"},
    [FAULT_BLANKS] = {"5", "one empty line after each answer",
                      "the bot prints empty lines in a loop"},
    [FAULT_LISTED] = {"5", "at most 256 lines",
                      "end the list with an empty line"},
    [FAULT_LONG_LINE] =
        {"5", "lines of at most 1024 bytes",
         "print the move only; write long texts to standard error"},
    [FAULT_STUCK] =
        {"6.1", "a bot that reads its input even while it thinks",
         "read and answer all commands; the referee sends the next command "
         "without waiting for an answer"},
};

void finding_begin(struct finding *f, enum verdict verdict, const char *check,
                   const char *fmt, ...)
{
    va_list ap;

    *f = (struct finding){.verdict = verdict};
    snprintf(f->check, sizeof f->check, "%s", check);
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, ap);
    va_end(ap);
}

static void set(struct finding *f, const char *where, const char *wanted,
                const char *hint)
{
    f->where = where;
    snprintf(f->wanted, sizeof f->wanted, "%s", wanted);
    snprintf(f->hint, sizeof f->hint, "%s", hint);
}

/* Append ": DETAIL" to the text. */
static void add_detail(struct finding *f, const char *detail)
{
    size_t n = strlen(f->text);

    snprintf(f->text + n, sizeof f->text - n, "%s%s", n ? ": " : "", detail);
}

/* Does the bot print what it reads? If so, it sent back a line we had sent. */
static bool is_echo(const struct finding *f)
{
    const char *last = f->quotes ? f->quote[f->quotes - 1].text : "";

    for (int i = 0; i < f->quotes; i++)
        if (f->quote[i].sent && strstr(f->quote[i].text, last) && last[0] &&
            !f->quote[f->quotes - 1].sent)
            return true;
    return false;
}

/* "=2" to protocol_version is an answer with the id 2 and no text. */
static bool lacks_blank(const struct finding *f)
{
    const char *last = f->quotes ? f->quote[f->quotes - 1].text : "";

    return f->quotes > 1 && take_text(&last, "=2") && !strchr(last, ' ') &&
           strstr(f->quote[f->quotes - 2].text, " protocol_version");
}

/* "=7 pass": the line has a number, and not by accident. */
static bool has_number_and_text(const struct finding *f)
{
    const char *at = f->quotes ? f->quote[f->quotes - 1].text : "";
    int id;

    return (take_char(&at, '=') || take_char(&at, '?')) &&
           take_int(&at, 0, INT32_MAX, &id) && take_char(&at, ' ') &&
           !at_end(at);
}

/* Does the last answer carry the number of a command already answered? */
static bool is_repeated(const struct exam *e, const struct finding *f)
{
    const struct talk *talk = &e->bot->talk;
    const char *at = f->quotes ? f->quote[f->quotes - 1].text : "";
    int id;

    return (take_char(&at, '=') || take_char(&at, '?')) &&
           take_int(&at, 1, INT32_MAX, &id) &&
           (uint32_t)id < talk->next_id - talk->open_count;
}

static void refine(const struct exam *e, struct finding *f, enum fault fault)
{
    if (fault == FAULT_STRAY_LINE && is_echo(f))
        snprintf(f->hint, sizeof f->hint,
                 "the bot prints what it reads: a program that talks to pipes "
                 "must not echo its input");
    else if (fault == FAULT_ID && lacks_blank(f))
        set(f, "6.1", "\"= 2\" or \"=1 2\"",
            "put a blank after \"=\": in \"=2\" the 2 is read as the number "
            "of a command");
    else if (fault == FAULT_ID && is_repeated(e, f))
        snprintf(f->hint, sizeof f->hint,
                 "this number has been answered before: print each answer "
                 "once, with the number of its own command. A text that begins "
                 "with a digit needs a blank after \"=\"");
    else if (fault == FAULT_ID && has_number_and_text(f))
        snprintf(f->hint, sizeof f->hint,
                 "the number is wrong: it must be that of the command, here "
                 "%u. Answer every command once, in order, and repeat its "
                 "number",
                 (unsigned)(e->bot->talk.next_id - e->bot->talk.open_count));
}

/* The offending line may follow the text. */
static bool is_text_of(const char *detail, enum fault fault)
{
    const char *text = fault_text(fault);

    return strncmp(detail, text, strlen(text)) == 0;
}

/* `detail` is the text of a protocol fault. */
static void advise_broken(struct exam *e, const char *detail, struct finding *f)
{
    exam_quote(e, f);
    add_detail(f, detail);
    for (int i = 0; i < FAULTS; i++)
        if (advice[i].hint && is_text_of(detail, (enum fault)i)) {
            set(f, advice[i].where, advice[i].wanted, advice[i].hint);
            refine(e, f, (enum fault)i);
        }
}

/* Cut at the start, on a line boundary: a traceback ends with the error. */
void quote_stderr(struct finding *f, const char *words, size_t len)
{
    size_t room = sizeof f->last_words - 1;
    struct buf text;
    const char *at;

    buf_init(&text, 4 * len + 1);
    buf_readable(&text, words, len);
    at = text.text;
    if (text.len > room) {
        const char *feed = strchr(at + text.len - room, '\n');

        at = feed ? feed + 1 : at + text.len - room;
    }
    snprintf(f->last_words, sizeof f->last_words, "%s", at);
    buf_release(&text);
}

/* The whole last traceback if there is one, otherwise the last lines. */
static void add_last_words(struct exam *e, struct finding *f)
{
    const char *words = bot_last_words(e->bot), *at = words + strlen(words);
    const char *trace = find_last_error(words);
    int lines = 0;

    while (at > words && (trace ? at > trace : lines < LAST_LINES)) {
        at--;
        lines += at > words && at[-1] == '\n';
    }
    quote_stderr(f, at, strlen(at));
}

static void advise_lost(struct exam *e, struct finding *f)
{
    exam_wait_end(e, DETAIL_US);
    if (e->why == WHY_FLOOD) {
        advise_broken(e, e->detail, f);
        return;
    }
    exam_quote(e, f);
    add_detail(f, e->detail);
    add_last_words(e, f);
    if (e->bot->start_error || strstr(e->detail, "code 127"))
        set(f, "6.2", "a program that runs",
            "try the same command line in a shell; a script needs a first line "
            "such as \"#!/usr/bin/env python3\", a compiled program must be "
            "built for this machine");
    else if (e->games > 1 && !*f->last_words)
        set(f, "6.2", "a bot that plays game after game until quit",
            "the bot exits after a game: keep reading, because another "
            "new_game may follow; exit on quit or at the end of the input");
    else
        set(f, "6.5", "a bot that runs until quit",
            *f->last_words ? "the bot's messages on standard error show "
                             "what broke"
                           : "the bot exited by itself: does main() return "
                             "too early, or does something crash?");
}

static void advise_silent(struct exam *e, struct finding *f)
{
    set(f, "6.4", "an answer to every command, within the time limit", "");
    exam_explain_silence(e, f);
    add_last_words(e, f);
}

void advise(struct exam *e, enum outcome outcome, struct finding *f)
{
    switch (outcome) {
    case OUTCOME_SILENT:
        add_detail(f, "no answer in time");
        advise_silent(e, f);
        break;
    case OUTCOME_BROKEN:
        advise_broken(e, fault_text(e->fault), f);
        break;
    case OUTCOME_LOST:
        advise_lost(e, f);
        break;
    case OUTCOME_ANSWERED:
        break;
    }
}

void advise_leaver(struct exam *e, enum why why, const char *detail,
                   struct finding *f)
{
    switch (why) {
    case WHY_TIME:
    case WHY_START:
        add_detail(f, detail);
        advise_silent(e, f);
        break;
    case WHY_EXIT:
        advise_lost(e, f);
        break;
    default:
        advise_broken(e, detail, f);
    }
}

/* Illegal moves. */

struct trail {
    const char *move;
    int seat;
    bool mine;      /* it was legal for this seat on an earlier turn */
    seat_set other; /* seats for which it was legal on their last turn */
    struct buf examples;
    size_t legal; /* number of moves the seat had at the end */
};

static void add_examples(struct trail *t, const struct game *game,
                         const struct state *state)
{
    struct moves moves = {0};

    game->list(state, t->seat, &moves);
    t->legal = moves.count;
    buf_reset(&t->examples);
    for (size_t i = 0; i < moves.count && i < EXAMPLES; i++) {
        buf_str(&t->examples, i ? ", " : "");
        game->format(state, t->seat, &moves.move[i], &t->examples);
    }
    moves_release(&moves);
}

static void look(struct trail *t, const struct game *game,
                 const struct state *state)
{
    seat_set owing = game->to_move(state);

    for (int i = 0; i < SEATS_MAX; i++) {
        struct move move;
        struct err err;
        bool legal;

        if (!(owing & SEAT(i)))
            continue;
        legal = game_parse(game, state, i, t->move, &move, &err);
        if (i == t->seat)
            t->mine = t->mine || legal;
        else
            t->other = legal ? t->other | SEAT(i) : t->other & ~SEAT(i);
    }
    if (owing & SEAT(t->seat))
        add_examples(t, game, state);
}

/* Replay a game up to the point where the seat left. */
static void follow(struct trail *t, const struct buf *record)
{
    struct replay replay;
    struct buf text;
    struct err err;

    if (record->len == 0)
        return;
    replay_init(&replay);
    buf_init(&text, record->len + 1);
    buf_put(&text, record->text, record->len);
    if (replay_open(&replay, "record", text.text, text.len, &err))
        do
            look(t, replay.record.game, replay.state);
        while (replay.status == REPLAY_HALFWAY && replay_next(&replay, &err) &&
               !replay.why[t->seat] && !replay_over(&replay));
    buf_release(&text);
    replay_release(&replay);
}

static void say_why_illegal(const struct trail *now, const struct trail *then,
                            struct finding *f)
{
    char *out = f->hint;
    size_t room = sizeof f->hint;

    if (now->mine)
        snprintf(out, room,
                 "it was legal at an earlier turn: the bot does not follow "
                 "the game. Use the latest legal_moves or state");
    else if (now->other)
        snprintf(out, room,
                 "it was legal for another seat: play for the seat that "
                 "genmove names, which is also seat= in new_game");
    else if (then->mine)
        snprintf(out, room,
                 "it was legal in the previous game: reset everything when "
                 "new_game comes");
    else
        snprintf(out, room,
                 "answer one of the moves of legal_moves exactly as "
                 "written, or \"resign\"");
}

void advise_illegal(const struct buf *record, const struct buf *before,
                    int seat, const char *detail, struct finding *f)
{
    char move[80];
    struct trail now = {.move = move, .seat = seat}, then = now;

    snprintf(move, sizeof move, "%.*s", (int)strcspn(detail, " "), detail);
    if (*move && move[strlen(move) - 1] == ':')
        move[strlen(move) - 1] = '\0';
    buf_init(&now.examples, 1024);
    buf_init(&then.examples, 1024);
    follow(&now, record);
    follow(&then, before);
    add_detail(f, detail + strcspn(detail, " ") +
                      strspn(detail + strcspn(detail, " "), " "));
    f->where = "6.3";
    snprintf(f->wanted, sizeof f->wanted,
             now.legal ? "one of %zu legal moves, for example %s"
                       : "a legal move",
             now.legal, now.examples.text);
    say_why_illegal(&now, &then, f);
    buf_release(&now.examples);
    buf_release(&then.examples);
}
