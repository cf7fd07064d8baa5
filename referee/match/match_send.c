#include "match/match_state.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The position of an event's word in the game's list; one more for leave. */
static unsigned word_bit(const struct match *m, const char *line)
{
    char word[32];
    size_t n = strcspn(line, " ");
    int i;

    assert(n < sizeof word);
    memcpy(word, line, n);
    word[n] = '\0';
    i = words_find(m->config.game->events, word);
    return 1u << (i < 0 ? 31 : i);
}

void read_subscriptions(struct match *m, int k)
{
    struct seat *s = &m->seat[k];
    const char *word = m->config.game->events;
    size_t n;

    s->wants = 0; /* another program may have come back */
    for (unsigned bit = 1; *word; bit <<= 1, word += n + (word[n] == '|')) {
        n = strcspn(word, "|");
        if (talk_wants_event(s->talk, word, n))
            s->wants |= bit;
    }
    if (talk_wants_event(s->talk, "leave", strlen("leave")))
        s->wants |= 1u << 31;
    s->ponders = talk_wants(s->talk, COMMAND_PONDER);
}

static void send_time_settings(struct match *m, int i)
{
    struct seat *s = &m->seat[i];

    if (!s->settled && talk_wants(s->talk, COMMAND_TIME_SETTINGS)) {
        struct buf *out = talk_begin(s->talk, COMMAND_TIME_SETTINGS);

        buf_char(out, ' ');
        time_settings_write(&s->clock.control, out);
        talk_end(s->talk);
    }
    s->settled = true;
}

void send_events(struct match *m, int i)
{
    struct seat *s = &m->seat[i];

    send_time_settings(m, i);
    for (; s->wants && s->told < m->log.count; s->told++) {
        const char *line = lines_text(&m->log, s->told);

        if (m->log.line[s->told].to & SEAT(i) && s->wants & word_bit(m, line))
            talk_event(s->talk, line);
    }
    s->told = m->log.count;
}

static void send_times(struct match *m, int i)
{
    struct talk *talk = m->seat[i].talk;

    if (!talk_wants(talk, COMMAND_TIME_LEFT))
        return;
    for (int k = 0; k < m->seats; k++) {
        struct buf *out;

        if (m->out & SEAT(k) || m->seat[k].clock.control.system == TIME_NONE)
            continue;
        out = talk_begin(talk, COMMAND_TIME_LEFT);
        buf_char(out, ' ');
        buf_int(out, k + 1);
        buf_char(out, ' ');
        clock_left_write(&m->seat[k].clock, out);
        talk_end(talk);
    }
}

static void send_state(struct match *m, int i)
{
    struct talk *talk = m->seat[i].talk;
    struct buf *out;

    if (!talk_wants(talk, COMMAND_STATE))
        return;
    out = talk_begin(talk, COMMAND_STATE);
    buf_char(out, ' ');
    m->config.game->view(m->state, i, out);
    talk_end(talk);
}

/* A list longer than the limit is truncated; each move on it is legal. A move
 * takes at least two bytes, with its blank. */
static void send_legal_moves(struct match *m, int i)
{
    struct talk *talk = m->seat[i].talk;
    struct buf *out;
    size_t start;

    if (!talk_wants(talk, COMMAND_LEGAL_MOVES))
        return;
    moves_reset(&m->legal);
    m->legal.max = LEGAL_MOVES_MAX / 2;
    m->config.game->list(m->state, i, &m->legal);
    out = talk_begin(talk, COMMAND_LEGAL_MOVES);
    start = out->len;
    for (size_t k = 0; k < m->legal.count; k++) {
        if (out->len - start > LEGAL_MOVES_MAX - MOVE_TEXT_MAX - 32)
            break;
        buf_char(out, ' ');
        m->config.game->format(m->state, i, &m->legal.move[k], out);
    }
    talk_end(talk);
}

void send_genmove(struct match *m, int i)
{
    struct talk *talk = m->seat[i].talk;
    struct buf *out = talk_begin(talk, COMMAND_GENMOVE);

    buf_char(out, ' ');
    buf_int(out, i + 1);
    talk_end(talk);
}

/* One turn is one write. */
void send_turn(struct match *m, int i)
{
    send_events(m, i);
    send_times(m, i);
    send_state(m, i);
    send_legal_moves(m, i);
    send_genmove(m, i);
}

static void add_option(struct buf *out, const struct game *game,
                       const struct setup *setup, int i)
{
    const char *value = setup_option(game, setup, i);

    if (!value)
        return;
    buf_char(out, ' ');
    buf_str(out, game->options[i].name);
    buf_char(out, '=');
    buf_str(out, value);
}

void send_new_game(struct match *m, int i)
{
    const struct match_config *c = &m->config;
    struct buf *out = talk_begin(m->seat[i].talk, COMMAND_NEW_GAME);

    buf_char(out, ' ');
    buf_str(out, c->game->name);
    buf_str(out, " match=");
    buf_str(out, c->id);
    buf_str(out, " seats=");
    buf_int(out, m->seats);
    buf_str(out, " seat=");
    buf_int(out, i + 1);
    for (int k = 0; k < m->seats; k++) {
        buf_str(out, k ? "," : " names=");
        buf_str(out, c->name[k]);
    }
    for (int k = 0; c->game->options && c->game->options[k].name; k++)
        add_option(out, c->game, &c->setup, k);
    if (m->commit[0]) {
        buf_str(out, " commit=");
        buf_str(out, m->commit);
    }
    if (m->resumed || m->seat[i].was_away)
        buf_str(out, " resume=yes");
    talk_end(m->seat[i].talk);
}

void send_rejected(struct match *m, int i, const char *text)
{
    struct talk *talk = m->seat[i].talk;
    struct buf *out;

    if (!talk_wants(talk, COMMAND_REJECTED))
        return;
    out = talk_begin(talk, COMMAND_REJECTED);
    buf_char(out, ' ');
    buf_str(out, text);
    talk_end(talk);
}

/* The owner's seal, if there is one. */
static void send_receipt(struct match *m, int i)
{
    struct talk *talk = m->seat[i].talk;
    const struct buf *record = &m->record.text;
    struct seal seal;
    struct buf *out;

    if (!talk_wants(talk, COMMAND_RECEIPT) || !m->seat[i].ready ||
        record->len == 0 || !seal_find(&seal, record->text, record->len))
        return;
    out = talk_begin(talk, COMMAND_RECEIPT);
    buf_char(out, ' ');
    receipt_write(&seal, out);
    talk_end(talk);
}

/* For seats that add to the seed: what all have added. */
static void add_entropy(const struct match *m, int i, struct buf *out)
{
    const char *text = m->config.entropy;

    if (!text || !talk_wants(m->seat[i].talk, COMMAND_ENTROPY))
        return;
    buf_str(out, " entropy=");
    for (; *text; text++)
        buf_char(out, *text == ' ' ? ',' : *text);
}

/* "game_over" and what follows "result" in the record. */
static void send_result(struct match *m, int i, const char *result)
{
    struct talk *talk = m->seat[i].talk;
    const char *goal =
        m->is_void ? NULL
                   : game_goal(m->config.game, &m->config.setup, &m->result);
    struct buf *out;

    if (!talk_wants(talk, COMMAND_GAME_OVER) || !m->seat[i].ready)
        return;
    if (!(m->out & SEAT(i)))
        send_events(m, i);
    out = talk_begin(talk, COMMAND_GAME_OVER);
    buf_str(out, result);
    if (goal)
        buf_add(out, " goal=%s", goal);
    if (reveals_seed(m)) {
        char hex[2 * SEED_BYTES + 1];

        text_hex(hex, m->config.seed, SEED_BYTES);
        buf_add(out, " seed=%s", hex);
        add_entropy(m, i, out);
    }
    talk_end(talk);
}

void send_game_over(struct match *m, int i, const char *result)
{
    send_result(m, i, result);
    send_receipt(m, i);
}
