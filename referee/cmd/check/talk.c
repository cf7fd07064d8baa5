#include "base/text.h"
#include "cmd/check/advice.h"
#include "cmd/check/parts.h"

#include <stdio.h>
#include <string.h>

enum {
    BURST = 30,       /* times three commands, in one write */
    TRAIL_US = 50000, /* for output that follows an answer */
};

static void add(struct check *c, enum command command)
{
    talk_begin(&c->exam.bot->talk, command);
    talk_end(&c->exam.bot->talk);
}

static bool start(struct check *c)
{
    struct finding f;
    struct err err;

    if (exam_start(&c->exam, &err)) {
        c->exam.bot->talk.greeted = true;
        return true;
    }
    finding_begin(&f, VERDICT_FAULT, "start", "%s", err.text);
    report_add(&c->report, &f);
    return false;
}

/* Ask one question; report a failure. */
static bool ask(struct check *c, enum command command, int64_t limit_us)
{
    enum outcome outcome;
    struct finding f;

    add(c, command);
    outcome = exam_ask(&c->exam, 1, limit_us);
    if (outcome == OUTCOME_ANSWERED)
        return true;
    finding_begin(&f, VERDICT_FAULT, command_word(command), "%s", "");
    advise(&c->exam, outcome, &f);
    report_add(&c->report, &f);
    return false;
}

/* The handshake. */

static bool check_version(struct check *c)
{
    struct exam *e = &c->exam;
    struct finding f;
    int64_t took;

    if (!ask(c, COMMAND_PROTOCOL_VERSION, c->start_us))
        return false;
    took = now_us() - e->started_us;
    if (e->ok && strcmp(e->text, "2") == 0) {
        report_ok(&c->report, "start", "the first answer came after %s",
                  short_time(took));
        report_ok(&c->report, "protocol_version", "2");
        return true;
    }
    finding_begin(&f, VERDICT_FAULT, "protocol_version", "is not 2");
    exam_quote(e, &f);
    f.where = "6.2";
    snprintf(f.wanted, sizeof f.wanted, "\"= 2\"");
    snprintf(f.hint, sizeof f.hint,
             "answer 2, the version of GTP, whatever the version of your bot");
    report_add(&c->report, &f);
    return false;
}

/* The words a game's events may use; every game can have a leave. */
static bool is_event(const char *word)
{
    for (size_t g = 0; g < game_count(); g++)
        if (words_find(game_at(g)->events, word) >= 0)
            return true;
    return strcmp(word, "leave") == 0;
}

/* The command that resembles an unknown word, or NULL. */
static const char *slip_of(const char *word)
{
    struct guess guess;

    guess_begin(&guess, word);
    for (int i = 0; i < COMMANDS; i++)
        if (command_word((enum command)i))
            guess_add(&guess, "", command_word((enum command)i));
    guess_end(&guess);
    return guess.nearest && strcmp(guess.nearest, word) != 0 && !is_event(word)
               ? guess.nearest
               : NULL;
}

static void report_line_of_words(struct check *c, const char *line)
{
    struct finding f;

    finding_begin(&f, VERDICT_FAULT, "list_commands",
                  "several commands on one line");
    f.quotes = 1;
    snprintf(f.quote[0].text, QUOTE_BYTES, "%s", line);
    f.where = "6.2";
    snprintf(f.wanted, sizeof f.wanted,
             "one command on each line, then an empty line");
    snprintf(f.hint, sizeof f.hint,
             "join the commands with line feeds, not with blanks");
    report_add(&c->report, &f);
}

static void report_slip(struct check *c, const char *word, const char *nearest)
{
    struct finding f;

    finding_begin(&f, VERDICT_REMARK, "list_commands",
                  "\"%.40s\" is unknown; did you mean \"%s\"?", word, nearest);
    report_add(&c->report, &f);
}

/* Check every line of the list; return the number of good ones. */
static int read_list(struct check *c)
{
    char list[TALK_LISTED_MAX * 64], *at = list, *word;
    const char *slip;
    int n = 0;

    snprintf(list, sizeof list, "%s", c->exam.bot->talk.listed.text);
    while ((word = strsep(&at, "\n")) != NULL) {
        if (!*word)
            continue;
        if (strncmp(word, "new_game ", 9) == 0)
            continue; /* a game that the bot plays */
        if (strchr(word, ' '))
            report_line_of_words(c, word);
        else if ((slip = slip_of(word)) != NULL)
            report_slip(c, word, slip);
        else
            n++;
    }
    return n;
}

static bool sees_anything(const struct talk *talk)
{
    return talk->lists_all || talk_wants(talk, COMMAND_LEGAL_MOVES) ||
           talk_wants(talk, COMMAND_STATE) ||
           talk_wants_event(talk, "play", strlen("play"));
}

static void check_list(struct check *c)
{
    const struct talk *talk = &c->exam.bot->talk;
    int faults = c->report.count[VERDICT_FAULT], n = read_list(c);
    struct finding f;

    c->wants = talk->lists;
    if (c->report.count[VERDICT_FAULT] > faults)
        return;
    if (talk->lists_all) {
        finding_begin(&f, VERDICT_REMARK, "list_commands",
                      "refused, so the bot gets all events, but neither "
                      "state nor legal_moves");
        report_add(&c->report, &f);
    } else if (!sees_anything(talk)) {
        finding_begin(&f, VERDICT_REMARK, "list_commands",
                      "lists neither legal_moves nor state nor play: the "
                      "bot will not learn the position");
        f.where = "6.2";
        snprintf(f.wanted, sizeof f.wanted,
                 "the optional commands that the bot wants");
        snprintf(f.hint, sizeof f.hint,
                 "a command that is not listed is not sent; legal_moves is "
                 "the easiest");
        report_add(&c->report, &f);
    } else {
        report_ok(&c->report, "list_commands", "%d command%s", n,
                  n == 1 ? "" : "s");
    }
}

/* Something that does not belong there may follow the answers. */
static bool check_trail(struct check *c)
{
    struct finding f;

    exam_wait(&c->exam, TRAIL_US);
    if (!c->exam.broken)
        return true;
    finding_begin(&f, VERDICT_FAULT, "after the answers", "%s", "");
    advise(&c->exam, OUTCOME_BROKEN, &f);
    report_add(&c->report, &f);
    return false;
}

/*
 * A ladder recognises a new version by it, and lets a changed bot play again.
 */
static void report_names(struct check *c)
{
    const struct talk *talk = &c->exam.bot->talk;
    struct finding f;

    finding_begin(&f, *talk->version ? VERDICT_PASSED : VERDICT_REMARK,
                  "name, version", "\"%s\", \"%s\"", talk->name, talk->version);
    if (!*talk->version)
        snprintf(f.hint, sizeof f.hint,
                 "the version is empty: answer version with a text that "
                 "changes when the bot does, so that a ladder can tell its "
                 "versions apart");
    report_add(&c->report, &f);
}

static bool check_handshake(struct check *c)
{
    if (!check_version(c) || !ask(c, COMMAND_LIST_COMMANDS, c->limit_us) ||
        !ask(c, COMMAND_NAME, c->limit_us) ||
        !ask(c, COMMAND_VERSION, c->limit_us) || !check_trail(c))
        return false;
    check_list(c);
    report_names(c);
    return true;
}

/* Framing. */

bool check_is_up(struct check *c)
{
    if (exam_is_up(&c->exam))
        return true;
    exam_end(&c->exam);
    if (!start(c))
        return false;
    c->exam.bot->talk.greeted = false; /* the game will check this */
    return true;
}

/* The bot is running and greeted: ready for questions outside games. */
static bool is_ready(struct check *c)
{
    if (exam_is_up(&c->exam))
        return true;
    exam_end(&c->exam);
    return start(c) && ask(c, COMMAND_PROTOCOL_VERSION, c->start_us) &&
           ask(c, COMMAND_LIST_COMMANDS, c->limit_us) &&
           ask(c, COMMAND_NAME, c->limit_us);
}

static void report_outcome(struct check *c, const char *check,
                           enum outcome outcome, const char *wanted)
{
    struct finding f;

    finding_begin(&f, VERDICT_FAULT, check, "%s", "");
    advise(&c->exam, outcome, &f);
    if (outcome == OUTCOME_SILENT || outcome == OUTCOME_LOST) {
        f.where = "6.1";
        snprintf(f.wanted, sizeof f.wanted, "%s", wanted);
    }
    report_add(&c->report, &f);
}

static void check_unknown(struct check *c)
{
    enum outcome outcome;
    struct finding f;

    if (!is_ready(c))
        return;
    talk_event(&c->exam.bot->talk, "no_such_command 1 2");
    outcome = exam_ask(&c->exam, 1, c->limit_us);
    if (outcome != OUTCOME_ANSWERED) {
        report_outcome(c, "unknown command", outcome,
                       "\"?\" in answer to a command that the bot does not "
                       "know");
    } else if (!c->exam.ok) {
        report_ok(&c->report, "unknown command", "answered with \"?\"");
    } else {
        finding_begin(&f, VERDICT_REMARK, "unknown command",
                      "answered with \"=\"");
        exam_quote(&c->exam, &f);
        f.where = "6.1";
        snprintf(f.wanted, sizeof f.wanted, "\"? unknown command\"");
        report_add(&c->report, &f);
    }
}

static void check_bytes(struct check *c)
{
    enum outcome outcome;

    if (!is_ready(c))
        return;
    add(c, COMMAND_NAME);
    add(c, COMMAND_VERSION);
    outcome = exam_ask_by_bytes(&c->exam, 2, c->limit_us);
    if (outcome == OUTCOME_ANSWERED)
        report_ok(&c->report, "byte by byte",
                  "commands that arrive in pieces are understood");
    else
        report_outcome(c, "byte by byte", outcome,
                       "a bot that reads up to the line feed, however the "
                       "bytes arrive");
}

static void check_burst(struct check *c)
{
    enum outcome outcome;

    if (!is_ready(c))
        return;
    for (int i = 0; i < BURST; i++) {
        add(c, COMMAND_PROTOCOL_VERSION);
        add(c, COMMAND_NAME);
        add(c, COMMAND_VERSION);
    }
    outcome = exam_ask(&c->exam, 3 * BURST, c->limit_us);
    if (outcome == OUTCOME_ANSWERED)
        report_ok(&c->report, "many at once",
                  "%d commands in one write, all answered", 3 * BURST);
    else
        report_outcome(c, "many at once", outcome,
                       "an answer to each of many commands that arrive in one "
                       "piece");
}

static void check_end_of_input(struct check *c)
{
    int64_t begin = now_us();
    struct finding f;

    if (!is_ready(c))
        return;
    exam_close_input(&c->exam);
    if (exam_wait_end(&c->exam, c->exam.config->quit_us)) {
        report_ok(&c->report, "end of input", "the bot %s after %s",
                  c->exam.detail, short_time(now_us() - begin));
    } else {
        finding_begin(&f, VERDICT_REMARK, "end of input",
                      "the bot still runs %s after its input has ended",
                      short_time(c->exam.config->quit_us));
        f.where = "6.2";
        snprintf(f.wanted, sizeof f.wanted,
                 "a bot that exits when there is nothing more to read");
        snprintf(f.hint, sizeof f.hint,
                 "check what your read function returns at the end of the "
                 "file: NULL, None, an empty text, an exception; then exit");
        report_add(&c->report, &f);
    }
}

bool check_talk(struct check *c)
{
    report_section(&c->report, "The talk");
    if (!start(c) || !check_handshake(c))
        return false;
    check_unknown(c);
    check_bytes(c);
    check_burst(c);
    check_end_of_input(c);
    exam_end(&c->exam);
    return true;
}

/* The end. */

static void check_quit(struct check *c)
{
    struct exam *e = &c->exam;
    int64_t begin, limit = e->config->quit_us;
    struct finding f;

    if (!is_ready(c))
        return;
    begin = now_us();
    add(c, COMMAND_QUIT);
    exam_note_new(e, 0);
    bot_flush(e->bot);
    if (exam_wait_end(e, limit)) {
        bool clean = strstr(e->detail, "code 0") != NULL;

        finding_begin(&f, clean ? VERDICT_PASSED : VERDICT_REMARK, "quit",
                      "the bot %s after %s", e->detail,
                      short_time(now_us() - begin));
        report_add(&c->report, &f);
        return;
    }
    exam_quote(e, &f);
    exam_close_input(e);
    if (exam_wait_end(e, limit))
        finding_begin(&f, VERDICT_REMARK, "quit",
                      "the bot exits only when its input ends, too");
    else
        finding_begin(&f, VERDICT_FAULT, "quit", "the bot still runs %s later",
                      short_time(now_us() - begin));
    exam_quote(e, &f);
    f.where = "6.2";
    snprintf(f.wanted, sizeof f.wanted, "a bot that ends");
    snprintf(f.hint, sizeof f.hint,
             "leave the loop that reads when quit comes; threads that think "
             "must stop, too");
    report_add(&c->report, &f);
}

static void check_form(struct check *c)
{
    const struct exam *e = &c->exam;
    struct finding f;

    if (e->strays > 0) {
        finding_begin(&f, VERDICT_REMARK, "other lines",
                      "%d lines right after answers were taken as notes",
                      e->strays);
        f.where = "6.1";
        snprintf(f.hint, sizeof f.hint,
                 "your own messages belong on standard error, or after a "
                 "number sign");
        report_add(&c->report, &f);
    }
    if (2 * e->blanks < e->answers) {
        finding_begin(&f, VERDICT_REMARK, "form",
                      "no empty line after an answer; this referee does not "
                      "need it, but other GTP programs do");
        report_add(&c->report, &f);
    } else {
        report_ok(&c->report, "form", "%d answers, %s numbers, lines end %s",
                  e->answers, e->with_id ? "with" : "without",
                  e->with_cr ? "with CR LF" : "with LF");
    }
}

void check_end(struct check *c)
{
    report_section(&c->report, "The end");
    check_quit(c);
    check_form(c);
    exam_end(&c->exam);
    check_errors(c);
}
