#include "match/match_state.h"

#include <stdio.h>
#include <string.h>

void note(struct match *m, const char *word, int seat, const char *text)
{
    buf_add(&m->record.text, "@- %s %d %s\n", word, seat + 1, text);
}

void record_new_events(struct match *m)
{
    record_lines(&m->record, &m->log, m->recorded);
    m->recorded = m->log.count;
}

static void record_seats(struct match *m)
{
    struct buf *out = &m->record.text;

    for (int i = 0; i < m->seats; i++) {
        buf_add(out, "seat %d name=%s", i + 1, m->config.name[i]);
        if (m->config.digest[i])
            buf_add(out, " digest=%s", m->config.digest[i]);
        if (m->seat[i].talk->version[0])
            buf_add(out, " version=%s", m->seat[i].talk->version);
        buf_char(out, '\n');
    }
    for (int i = 0; i < m->seats; i++) {
        buf_add(out, "time %d ", i + 1);
        time_control_write(&m->config.time[i], out);
        buf_char(out, '\n');
    }
}

void record_start(struct match *m)
{
    char commit[HASH_HEX + 1];
    bool has_seed = m->config.deal && m->config.seed;

    if (m->record.off)
        return;
    if (has_seed)
        commit_text(m, commit);
    record_head(&m->record, m->config.game, &m->config.setup);
    if (m->config.about)
        buf_add(&m->record.text, "about %s\n", m->config.about);
    record_seats(m);
    record_deal(&m->record, has_seed ? commit : NULL, m->config.deal);
}

void record_clock(struct match *m, int i)
{
    struct buf *out = &m->record.text;

    if (m->record.off)
        return;
    buf_str(out, "@- clock ");
    buf_int(out, i + 1);
    buf_char(out, ' ');
    clock_state_write(&m->seat[i].clock, out);
    buf_str(out, " used=");
    buf_int(out, m->seat[i].used_us);
    buf_str(out, " lag=");
    buf_int(out, m->seat[i].lag_us);
    if (m->seat[i].travel_us) {
        buf_str(out, " travel=");
        buf_int(out, m->seat[i].travel_us);
    }
    buf_char(out, '\n');
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
    if (m->config.reveal_seed && m->config.seed && m->config.deal)
        record_seed(&m->record, m->config.seed);
    record_close(&m->record);
}
