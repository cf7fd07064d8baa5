#include "match/match_state.h"

#include <stdio.h>
#include <string.h>

enum { WORD_BYTES_MAX = 64 }; /* of a refused move, when it is quoted */

static void reject(struct match *m, int i, const char *text,
                   const struct err *err)
{
    struct seat *s = &m->seat[i];
    char word[WORD_BYTES_MAX + 1], line[WORD_BYTES_MAX + ERR_TEXT_MAX + 8];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " "), text);
    if (!word[0])
        strcpy(word, "-");
    snprintf(line, sizeof line, "%s %s", word, err->text);
    for (char *c = line; *c; c++)
        if (*c == '#')
            *c = '?';
    note(m, "refused", i, line);
    if (s->tries++ >= m->config.retries) {
        snprintf(line, sizeof line, "%s: %s", word, err->text);
        depart(m, i, WHY_ILLEGAL, line);
        return;
    }
    send_rejected(m, i, line);
    send_genmove(m, i);
    depart_if_stuck(m, i);
}

static int64_t used(const struct seat *s, const struct stamp *stamp)
{
    int64_t us = s->clock.control.cpu ? stamp->cpu_us - s->cpu_us
                                      : stamp->now_us - clock_start(s) -
                                            stamp->lag_us - stamp->travel_us;

    return us > 0 ? us : 0;
}

static bool is_late(const struct match *m, const struct seat *s)
{
    if (s->clock.control.system == TIME_NONE)
        return s->used_us > plus(m->config.none_us, m->config.lenience_us);
    return clock_late(&s->clock, s->used_us, m->config.lenience_us);
}

static void blame_late(struct match *m, int i)
{
    const struct seat *s = &m->seat[i];
    bool has_clock = s->clock.control.system != TIME_NONE;
    int64_t limit = has_clock ? clock_limit(&s->clock) : m->config.none_us;
    char text[DETAIL_MAX];

    snprintf(text, sizeof text, "%s: it took %.3f ms of %.3f",
             fault_text(FAULT_LATE), (double)s->used_us / 1000,
             (double)plus(limit, m->config.lenience_us) / 1000);
    depart(m, i, WHY_TIME, text);
}

/* It has no meaning for the match, but a reader of the record may want it. */
static void on_remark(struct match *m, int i, const struct answer *answer,
                      const struct stamp *stamp)
{
    if (*answer->text == '\0' || m->phase != PLAYING)
        return;
    if (talk_count_note(m->seat[i].talk, answer->text))
        keep_note(m, i, answer->text);
    else
        blame(m, i, FAULT_NOTES);
}

static void on_move(struct match *m, int i, const struct answer *answer,
                    const struct stamp *stamp)
{
    struct seat *s = &m->seat[i];
    struct err err;

    if (!(owing(m) & SEAT(i)))
        return;
    s->used_us = used(s, stamp);
    s->lag_us = stamp->lag_us;
    s->travel_us = stamp->travel_us;
    if (is_late(m, s)) {
        blame_late(m, i);
        return;
    }
    if (answer->ok && strcmp(answer->text, "resign") == 0) {
        depart(m, i, WHY_RESIGN, "");
        return;
    }
    if (!answer->ok) {
        on_remark(m, i, answer, stamp);
        fail(&err, "the bot failed to move: answer = and a move");
    } else if (game_parse(m->config.game, m->state, i, answer->text, &s->move,
                          &err)) {
        m->answered |= SEAT(i);
        s->times.moves++;
        s->times.last_us = s->used_us;
        s->times.lag_us = s->lag_us;
        return;
    }
    reject(m, i, answer->ok ? answer->text : "-", &err);
}

/* A seat that was away continues where it stopped. Its clock never stopped. */
static void take_up(struct match *m, int i)
{
    struct seat *s = &m->seat[i];

    read_subscriptions(m, i);
    if (owing(m) & SEAT(i))
        send_turn(m, i);
    else if (s->ponders)
        send_events(m, i);
    depart_if_stuck(m, i);
}

static void on_new_game(struct match *m, int i, const struct answer *answer,
                        const struct stamp *stamp)
{
    struct seat *s = &m->seat[i];

    if (answer->ok) {
        s->ready = true;
        if (m->phase == PLAYING && !(m->failed & SEAT(i)))
            take_up(m, i);
    } else
        depart(m, i, WHY_REFUSE,
               *answer->text ? answer->text : fault_text(FAULT_REFUSED));
}

static void on_entropy(struct match *m, int i, const struct answer *answer,
                       const struct stamp *stamp)
{
    take_entropy(m, i, answer);
}

static void on_protocol_version(struct match *m, int i,
                                const struct answer *answer,
                                const struct stamp *stamp)
{
    if (!answer_is_ours(answer))
        blame(m, i, FAULT_VERSION);
}

static void on_nothing(struct match *m, int i, const struct answer *answer,
                       const struct stamp *stamp)
{
}

typedef void on_answer(struct match *m, int i, const struct answer *answer,
                       const struct stamp *stamp);

static on_answer *const on_answers[COMMANDS] = {
    [COMMAND_LOGIN] = on_nothing,
    [COMMAND_PROTOCOL_VERSION] = on_protocol_version,
    [COMMAND_LIST_COMMANDS] = on_nothing,
    [COMMAND_NAME] = on_nothing,
    [COMMAND_VERSION] = on_nothing,
    [COMMAND_NEW_GAME] = on_new_game,
    [COMMAND_ENTROPY] = on_entropy,
    [COMMAND_TIME_SETTINGS] = on_remark,
    [COMMAND_TIME_LEFT] = on_remark,
    [COMMAND_STATE] = on_remark,
    [COMMAND_LEGAL_MOVES] = on_remark,
    [COMMAND_GENMOVE] = on_move,
    [COMMAND_REJECTED] = on_remark,
    [COMMAND_GAME_OVER] = on_remark,
    [COMMAND_RECEIPT] = on_remark,
    [COMMAND_QUIT] = on_nothing,
    [COMMAND_EVENT] = on_remark,
};

/* The offending line, in quotes. */
static void blame_line(struct match *m, int i, enum fault fault,
                       const char *line)
{
    char text[DETAIL_MAX];

    snprintf(text, sizeof text, *line ? "%s: \"%.80s\"" : "%s",
             fault_text(fault), line);
    for (char *c = text; *c; c++)
        if (*c < ' ' || *c > '~' || *c == '#')
            *c = '?';
    depart(m, i, fault_why(fault), text);
}

/* Of the game before, if not yet of this one. */
static bool is_stale(struct seat *s)
{
    if (s->stale == 0)
        return false;
    s->stale--;
    return true;
}

void match_line(struct match *m, int i, char *line, size_t len,
                const struct stamp *stamp)
{
    struct answer answer;

    switch (talk_line(m->seat[i].talk, line, len, &answer)) {
    case GOT_NOTHING:
        return;
    case GOT_ANSWER:
        if (!is_stale(&m->seat[i]))
            on_answers[answer.command](m, i, &answer, stamp);
        break;
    case GOT_NOTE:
        if (m->phase == PLAYING)
            keep_note(m, i, answer.text);
        return;
    case GOT_FAULT:
        blame_line(m, i, answer.fault, line);
        break;
    }
    continue_match(m, stamp->now_us);
}
