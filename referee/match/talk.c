#include "match/talk.h"

#include "base/alloc.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[COMMANDS] = {
    [COMMAND_LOGIN] = "login",
    [COMMAND_PROTOCOL_VERSION] = "protocol_version",
    [COMMAND_LIST_COMMANDS] = "list_commands",
    [COMMAND_NAME] = "name",
    [COMMAND_VERSION] = "version",
    [COMMAND_NEW_GAME] = "new_game",
    [COMMAND_ENTROPY] = "entropy",
    [COMMAND_TIME_SETTINGS] = "time_settings",
    [COMMAND_TIME_LEFT] = "time_left",
    [COMMAND_STATE] = "state",
    [COMMAND_LEGAL_MOVES] = "legal_moves",
    [COMMAND_GENMOVE] = "genmove",
    [COMMAND_REJECTED] = "rejected",
    [COMMAND_GAME_OVER] = "game_over",
    [COMMAND_RECEIPT] = "receipt",
    [COMMAND_QUIT] = "quit",
    [COMMAND_PONDER] = "ponder",
};

#define LISTS(command) (1u << (command))

/* Sent to every bot, whatever it lists. */
static const unsigned always =
    LISTS(COMMAND_PROTOCOL_VERSION) | LISTS(COMMAND_LIST_COMMANDS) |
    LISTS(COMMAND_NAME) | LISTS(COMMAND_VERSION) | LISTS(COMMAND_NEW_GAME) |
    LISTS(COMMAND_GENMOVE) | LISTS(COMMAND_QUIT);

/* A bot that does not list its commands gets the short ones. */
static const unsigned unsaid =
    LISTS(COMMAND_TIME_SETTINGS) | LISTS(COMMAND_TIME_LEFT) |
    LISTS(COMMAND_REJECTED) | LISTS(COMMAND_GAME_OVER);

const char *command_word(enum command command)
{
    return words[command];
}

void talk_init(struct talk *t)
{
    *t = (struct talk){.next_id = 1};
    buf_init(&t->out, 2 * TALK_UNSENT_MAX);
    buf_init(&t->listed, TALK_LISTED_MAX * (TALK_LINE_MAX + 1) + 1);
    buf_char(&t->listed, '\n');
}

void talk_release(struct talk *t)
{
    buf_release(&t->out);
    buf_release(&t->listed);
    free(t->open);
    t->open = NULL;
}

size_t talk_unsent(const struct talk *t)
{
    return t->out.len - t->sent;
}

bool talk_is_stuck(const struct talk *t)
{
    return !buf_ok(&t->out) || talk_unsent(t) > TALK_UNSENT_MAX ||
           t->open_count == TALK_OPEN_MAX;
}

void talk_sent(struct talk *t, size_t n)
{
    assert(n <= talk_unsent(t));
    t->sent += n;
    if (t->sent == t->out.len) {
        t->sent = 0;
        buf_reset(&t->out);
    } else if (t->sent > TALK_UNSENT_MAX / 2) {
        memmove(t->out.text, t->out.text + t->sent, talk_unsent(t) + 1);
        t->out.len -= t->sent;
        t->sent = 0;
    }
}

/* The ring of unanswered commands. */

static void widen(struct talk *t)
{
    uint32_t cap = t->open_cap ? 2 * t->open_cap : 16;
    uint8_t *open = must_alloc(malloc(cap));

    for (uint32_t i = 0; i < t->open_count; i++)
        open[i] = t->open[(t->open_first + i) & (t->open_cap - 1)];
    free(t->open);
    t->open = open;
    t->open_cap = cap;
    t->open_first = 0;
}

/* A stuck bot is about to leave, so it no longer matters what is sent to it. */
static void push(struct talk *t, enum command command)
{
    if (t->open_count == TALK_OPEN_MAX)
        return;
    if (t->open_count == t->open_cap)
        widen(t);
    t->open[(t->open_first + t->open_count++) & (t->open_cap - 1)] =
        (uint8_t)command;
}

static enum command pop(struct talk *t)
{
    uint8_t command = t->open[t->open_first];

    t->open_first = (t->open_first + 1) & (t->open_cap - 1);
    t->open_count--;
    return command;
}

/* Commands out. */

/* "ID TEXT", to be continued. */
static struct buf *begin(struct talk *t, enum command command, const char *text,
                         size_t len)
{
    char *at = buf_room(&t->out, NUMBER_TEXT + 1 + len);

    push(t, command);
    if (at) {
        at = jot_int(at, t->next_id);
        *at++ = ' ';
        buf_upto(&t->out, jot_text(at, text, len));
    }
    t->next_id++;
    return &t->out;
}

struct buf *talk_begin(struct talk *t, enum command command)
{
    return begin(t, command, words[command], strlen(words[command]));
}

void talk_end(struct talk *t)
{
    buf_char(&t->out, '\n');
}

void talk_event(struct talk *t, const char *text)
{
    begin(t, COMMAND_EVENT, text, strlen(text));
    talk_end(t);
}

void talk_greet(struct talk *t)
{
    static const enum command first[] = {COMMAND_PROTOCOL_VERSION,
                                         COMMAND_LIST_COMMANDS, COMMAND_NAME,
                                         COMMAND_VERSION};

    if (t->greeted)
        return;
    t->greeted = true;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        talk_begin(t, first[i]);
        talk_end(t);
    }
}

bool talk_wants(const struct talk *t, enum command command)
{
    unsigned lists = always | (t->lists_all ? unsaid : t->lists);

    return (lists & LISTS(command)) != 0;
}

bool talk_wants_event(const struct talk *t, const char *word, size_t len)
{
    const char *line = t->listed.text + 1;

    for (; *line && !t->lists_all; line = strchr(line, '\n') + 1)
        if (strncmp(line, word, len) == 0 && line[len] == '\n')
            return true;
    return t->lists_all;
}

bool talk_plays(const struct talk *t, const char *game)
{
    static const char word[] = "\nnew_game ";
    const char *line = t->listed.text;
    size_t len = strlen(game);
    bool says_games = false;

    while ((line = strstr(line, word)) != NULL) {
        line += sizeof word - 1;
        says_games = true;
        if (strncmp(line, game, len) == 0 && line[len] == '\n')
            return true;
    }
    return !says_games;
}

void talk_new_game(struct talk *t)
{
    t->notes = t->note_bytes = 0;
}

/* Lines in. */

/*
 * Drop control characters, turn tabs into blanks, cut blanks at the end. True
 * if only printable ASCII is left.
 */
static bool clean(char *line, size_t len)
{
    bool plain = true;
    size_t to = 0;

    while (to < len && line[to] >= ' ' && line[to] <= '~')
        to++; /* as in almost all lines */
    for (size_t i = to; i < len; i++) {
        unsigned char c = (unsigned char)line[i];

        if (c == '\t')
            c = ' ';
        if (c < ' ' || c == 0x7f)
            continue;
        plain = plain && c < 0x80;
        line[to++] = (char)c;
    }
    while (to > 0 && line[to - 1] == ' ')
        to--;
    line[to] = '\0';
    return plain;
}

static enum talk_got blame(struct answer *answer, enum fault fault)
{
    answer->fault = fault;
    return GOT_FAULT;
}

bool talk_count_note(struct talk *t, const char *text)
{
    t->notes++;
    t->note_bytes += (int)strlen(text);
    return t->notes <= TALK_NOTES_MAX && t->note_bytes <= TALK_NOTE_BYTES_MAX;
}

static enum talk_got take_note(struct talk *t, const char *text,
                               struct answer *answer)
{
    if (!talk_count_note(t, text))
        return blame(answer, FAULT_NOTES);
    answer->text = text;
    return GOT_NOTE;
}

bool talk_blank(struct talk *t)
{
    t->reading = TALK_OUTSIDE;
    return ++t->blanks <= TALK_BLANKS_MAX;
}

static void add_listed(struct talk *t, const char *word)
{
    for (int c = 0; c < COMMANDS; c++)
        if (words[c] && strcmp(words[c], word) == 0)
            t->lists |= LISTS(c);
    buf_str(&t->listed, word);
    buf_char(&t->listed, '\n');
}

static enum talk_got take_listed(struct talk *t, const char *text,
                                 struct answer *answer)
{
    text += strspn(text, " ");
    if (*text == '\0')
        return GOT_NOTHING;
    if (++t->listed_count > TALK_LISTED_MAX)
        return blame(answer, FAULT_LISTED);
    add_listed(t, text);
    return GOT_NOTHING;
}

/* Digits after '=' or '?', if any, are the id. Otherwise it stays as it was. */
static void take_id(const char **at, uint32_t *id)
{
    if (**at < '0' || **at > '9')
        return;
    *id = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        *id = *id <= (UINT32_MAX - 9) / 10 ? 10 * *id + (uint32_t)(**at - '0')
                                           : UINT32_MAX;
}

static void keep_title(char *title, const struct answer *answer)
{
    snprintf(title, TALK_TITLE_MAX + 1, "%s", answer->ok ? answer->text : "");
}

/* What the talk itself wants to know. */
static enum talk_got complete(struct talk *t, struct answer *answer)
{
    switch (answer->command) {
    case COMMAND_LIST_COMMANDS:
        t->lists_all = !answer->ok;
        t->reading = answer->ok ? TALK_LISTING : TALK_INSIDE;
        if (answer->ok)
            take_listed(t, answer->text, answer);
        break;
    case COMMAND_NAME:
        keep_title(t->name, answer);
        break;
    case COMMAND_VERSION:
        keep_title(t->version, answer);
        t->said_version = true;
        break;
    default:
        break;
    }
    return GOT_ANSWER;
}

static enum talk_got take_answer(struct talk *t, char *line,
                                 struct answer *answer)
{
    const uint32_t oldest = t->next_id - t->open_count;
    const char *at = line + 1;
    uint32_t id = oldest;

    take_id(&at, &id);
    if (*at != '\0' && *at != ' ')
        return blame(answer, FAULT_NO_BLANK);
    if (t->open_count == 0)
        return blame(answer, FAULT_UNASKED);
    if (id != oldest)
        return blame(answer, FAULT_ID);
    t->reading = TALK_INSIDE;
    t->blanks = 0;
    answer->command = pop(t);
    answer->ok = line[0] == '=';
    while (*at == ' ')
        at++;
    answer->text = at;
    return complete(t, answer);
}

bool answer_is_ours(const struct answer *answer)
{
    return answer->command != COMMAND_PROTOCOL_VERSION ||
           (answer->ok && strcmp(answer->text, "2") == 0);
}

enum talk_got talk_line(struct talk *t, char *line, size_t len,
                        struct answer *answer)
{
    bool plain = clean(line, len);

    if (line[0] == '#')
        return take_note(t, line + 1, answer);
    if (line[0] == '\0')
        return talk_blank(t) ? GOT_NOTHING : blame(answer, FAULT_BLANKS);
    if (line[0] == '=' || line[0] == '?')
        return plain ? take_answer(t, line, answer)
                     : blame(answer, FAULT_NOT_ASCII);
    if (t->reading == TALK_LISTING && plain)
        return take_listed(t, line, answer);
    if (t->reading == TALK_INSIDE)
        return take_note(t, line, answer);
    return blame(answer, FAULT_STRAY_LINE);
}
