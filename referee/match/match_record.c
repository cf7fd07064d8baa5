#include "match/match_state.h"

#include <stdio.h>
#include <string.h>

enum { CLOCK_LINE_MAX = 40 + CLOCK_STATE_TEXT + 3 * NUMBER_TEXT };

static void add_remark(struct buf *out, int seat, const char *word,
                       const char *text)
{
    buf_add(out, "@- %s %d %s\n", word, seat + 1, text);
}

void match_remark(struct match *m, int seat, const char *word, const char *text)
{
    if (m->phase == STARTING && !m->resumed)
        add_remark(&m->remarks, seat, word, text);
    else if (!m->record.off && m->phase == PLAYING)
        add_remark(&m->record.text, seat, word, text);
}

void note(struct match *m, const char *word, int seat, const char *text)
{
    add_remark(&m->record.text, seat, word, text);
}

void keep_note(struct match *m, int seat, const char *text)
{
    if (!(m->config.muted & SEAT(seat)))
        note(m, "note", seat, text);
}

int match_note_bytes(const struct match *m, int seat)
{
    return m->config.muted & SEAT(seat) ? 0 : m->seat[seat].talk->note_bytes;
}

void record_new_events(struct match *m)
{
    record_lines(&m->record, &m->log, m->recorded);
    m->recorded = m->log.count;
}

const char *version_of(const struct match *m, int i)
{
    return m->config.version[i] ? m->config.version[i]
                                : m->seat[i].talk->version;
}

bool reveals_seed(const struct match *m)
{
    return m->config.reveal_seed && m->config.seed && m->config.deal;
}

static void record_seats(struct match *m)
{
    struct buf *out = &m->record.text;

    for (int i = 0; i < m->seats; i++) {
        const char *version = version_of(m, i);

        buf_str(out, "seat ");
        buf_int(out, i + 1);
        buf_str(out, " name=");
        buf_str(out, m->config.name[i]);
        if (m->config.digest[i]) {
            buf_str(out, " digest=");
            buf_str(out, m->config.digest[i]);
        }
        if (version[0]) {
            buf_str(out, " version=");
            buf_str(out, version);
        }
        buf_char(out, '\n');
    }
    for (int i = 0; i < m->seats; i++) {
        buf_str(out, "time ");
        buf_int(out, i + 1);
        buf_char(out, ' ');
        time_control_write(&m->config.time[i], out);
        buf_char(out, '\n');
    }
}

void record_start(struct match *m)
{
    if (m->record.off)
        return;
    record_head(&m->record, m->config.game, &m->config.setup);
    if (m->config.about)
        buf_add(&m->record.text, "about %s\n", m->config.about);
    record_seats(m);
    record_deal(&m->record, m->commit[0] ? m->commit : NULL, m->config.entropy,
                m->config.deal);
    for (int i = 0; i < m->seats; i++)
        if (m->config.walls[i])
            note(m, "walls", i, m->config.walls[i]);
    buf_str(&m->record.text, m->remarks.text);
}

static char *jot_us(char *at, const char *name, size_t len, int64_t us)
{
    return jot_int(jot_text(at, name, len), us);
}

void record_clock(struct match *m, int i)
{
    const struct seat *s = &m->seat[i];
    struct buf *out = &m->record.text;
    char *at;

    if (m->record.off)
        return;
    at = buf_room(out, CLOCK_LINE_MAX);
    if (!at)
        return;
    at = jot_text(at, "@- clock ", 9);
    *at++ = (char)('1' + i);
    *at++ = ' ';
    at = clock_state_jot(&s->clock, at);
    at = jot_us(at, " used=", 6, s->used_us);
    at = jot_us(at, " lag=", 5, s->lag_us);
    if (s->travel_us)
        at = jot_us(at, " travel=", 8, s->travel_us);
    *at++ = '\n';
    buf_upto(out, at);
}

void note_fault(struct match *m, int i)
{
    char text[DETAIL_MAX + 16];

    snprintf(text, sizeof text, "%s %s", why_word(m->seat[i].why),
             m->seat[i].detail.text);
    note(m, "fault", i, text);
}

void close_record(struct match *m, const char *result)
{
    if (m->record.off)
        return;
    record_line(&m->record, EVERYONE, result);
    if (reveals_seed(m))
        record_seed(&m->record, m->config.seed);
    record_close(&m->record);
}
