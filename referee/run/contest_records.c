/* The records of a contest: those that exist, and the next one. */

#include "run/contest_state.h"

#include "base/text.h"
#include "store/disk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name sets it apart from another match with the same seed. */
static void name_chain(struct chain *chain)
{
    uint8_t random[8];

    randombytes_buf(random, sizeof random);
    strcpy(chain->name, "match-");
    text_hex(chain->name + strlen(chain->name), random, sizeof random);
}

bool open_pack(struct contest *c, struct err *err)
{
    const struct contest_config *config = &c->config;

    if (!config->folder)
        return true;
    if (config->key && !signing_need(&c->key, config->key, err))
        return false;
    c->pack = pack_open(config->folder, config->resumes, config->concurrency,
                        config->key ? &c->chain : NULL, c->key.open, err);
    if (c->pack && !c->chain.name[0])
        name_chain(&c->chain);
    return c->pack != NULL;
}

static void seal_text(struct contest *c, struct buf *text)
{
    uint8_t hash[SHA256_BYTES];
    struct seal seal;

    if (!c->config.key || !hash_find(hash, text->text, text->len))
        return;
    seal_make(&seal, &c->chain, hash, &c->key);
    seal_append(&seal, text);
    chain_add(&c->chain, &seal);
}

void seal_record(struct contest *c, struct record_writer *record)
{
    seal_text(c, &record->text);
}

bool open_record(struct slot *s, struct err *err)
{
    struct pack *pack = s->contest->pack;

    if (!pack)
        return true;
    if (s->file != -1)
        return pack_cut(pack, s->file, s->old.len, err);
    s->file = pack_take(pack, s->group.id, s->old.len, err);
    return s->file != -1;
}

void leave_record(struct slot *s)
{
    if (s->file != -1)
        pack_give_back(s->contest->pack, s->file);
    s->file = -1;
}

void fill_old_report(const struct slot *s, struct game_report *o)
{
    const struct replay *r = &s->contest->replay;

    o->is_void = r->status == REPLAY_VOID;
    o->moves = r->moves;
    o->reason = o->is_void ? "void" : r->result.reason;
    for (int i = 0; i < seats(s); i++) {
        o->rank[i] = r->result.rank[i];
        o->score[i] = r->result.score[i];
        o->left[i] = r->why[i] && why_read(r->why[i], &o->why[i]);
        o->detail[i] = o->last_words[i] = "";
    }
}

/* "@1,w play 2 x" is told to some readers; it does not matter here to which. */
static const char *skip_audience(const char *line)
{
    const char *blank = *line == '@' ? strchr(line, ' ') : NULL;

    return blank ? blank + 1 : line;
}

const char *after_seat(const char *line, const char *word, int seats, int *seat)
{
    line = skip_audience(line);
    return take_word(&line, word) && take_int(&line, 1, seats, seat) ? line
                                                                     : NULL;
}

/* "WORD SEAT ": the seat, or -1. */
static int seat_in(const struct slot *s, const char *line, const char *word)
{
    int seat;

    return after_seat(line, word, seats(s), &seat) ? seat - 1 : -1;
}

/* What follows "used=" in this line, or NULL. */
static const char *used_in(const char *line, const char *end)
{
    static const char word[] = " used=";
    const char *at = strstr(line, word);

    return at && at < end ? at + strlen(word) : NULL;
}

/* A seat's clock comes before its move; other clocks may come with it. */
void tell_old_moves(const struct slot *s)
{
    const struct contest *c = s->contest;
    const char *used[SEATS_MAX] = {0}, *feed;

    for (const char *at = s->old.text; (feed = strchr(at, '\n')) != NULL;
         at = feed + 1) {
        int seat = seat_in(s, at, "clock");

        if (seat >= 0)
            used[seat] = used_in(at, feed);
        seat = seat_in(s, at, "play");
        if (seat < 0 || !used[seat])
            continue;
        c->calls->on_move(c->owner, player_at(s, seat),
                          strtoll(used[seat], NULL, 10));
        used[seat] = NULL;
    }
}

/* Where a record is; NULL: it came from elsewhere. */
static const char *path_of(const struct slot *s, const struct packed *record)
{
    return record ? pack_path(s->contest->pack, record->file) : s->group.id;
}

static int lines_before(const struct packed *record)
{
    return record ? record->lines_before : 0;
}

/* Replay a record to its end, and keep what it says. */
static bool replay_old(struct slot *s, const struct packed *record,
                       struct err *err)
{
    struct contest *c = s->contest;

    buf_reset(&c->bytes);
    buf_put(&c->bytes, s->old.text, s->old.len);
    return replay_told(&c->replay, path_of(s, record), lines_before(record),
                       c->bytes.text, c->bytes.len, &s->told, err);
}

/* Does the record name other bots in these seats? */
static bool has_other_names(const struct slot *s)
{
    for (int i = 0; i < seats(s); i++) {
        const char *name = s->contest->config.player[player_at(s, i)].bot.name;
        char start[32];
        const char *line;
        size_t n;

        snprintf(start, sizeof start, "\nseat %d name=", i + 1);
        line = strstr(s->old.text, start);
        if (!line)
            continue;
        line += strlen(start);
        n = strcspn(line, " \n");
        if (n != strlen(name) || memcmp(line, name, n) != 0)
            return true;
    }
    return false;
}

/* A bot whose digest differs from the one in the record; or NULL. */
static const char *changed_bot(const struct slot *s)
{
    for (int i = 0; i < seats(s); i++) {
        const struct player *p = &s->contest->config.player[player_at(s, i)];
        const char *seat = s->contest->replay.record.seat[i];
        size_t len;
        const char *old = about_find(seat, "digest", &len);

        if (old && p->digest &&
            (len != strlen(p->digest) || memcmp(old, p->digest, len) != 0))
            return p->bot.name;
    }
    return NULL;
}

/* A record of another match in the folder must not be taken for this game. */
static bool is_ours(const struct slot *s, const struct packed *record,
                    struct err *err)
{
    const struct contest_config *c = &s->contest->config;
    const struct record *r = &s->contest->replay.record;
    const char *changed = changed_bot(s);
    bool ok = true;

    if (r->game != c->game || r->setup.seats != c->setup.seats ||
        (r->deal && strcmp(r->deal, s->group.deal.text) != 0) ||
        has_other_names(s))
        ok = fail(err,
                  "%s is the record of another match: its game, seats, bots "
                  "or deal are not those of this one; take it out of the file, "
                  "and its game is played again",
                  s->group.id);
    else if (changed)
        ok = fail(err,
                  "%s was played by another version of %s: its command or its "
                  "files have changed; put them back, or begin a new match in "
                  "another folder",
                  s->group.id, changed);
    return ok ||
           fail_at(err, "%s:%d", path_of(s, record), lines_before(record) + 1);
}

/* Nothing is discarded unless the user asked for it. */
static bool advise(struct err *err)
{
    struct err why = *err;

    return fail(
        err,
        "%.320s; take this record out of the file, and its game is played again",
        why.text);
}

/* Discard what this run has already written of it. */
static bool keep_brought(struct slot *s, struct err *err)
{
    struct pack *pack = s->contest->pack;
    int file = pack ? pack_take(pack, s->group.id, 0, err) : -1;
    bool ok;

    if (!pack)
        return true;
    if (file == -1)
        return false;
    ok = disk_put(pack_fd(pack, file), s->old.text, s->old.len) ||
         fail_for_now(err,
                      "%s cannot be written: %s; --resume goes on with what "
                      "is there",
                      pack_path(pack, file), strerror(errno));
    pack_give_back(pack, file);
    return ok;
}

static bool take_brought(struct slot *s, struct err *err)
{
    const struct buf *brought =
        &s->brought[s->group.game - s->brought_from].record;

    buf_put(&s->old, brought->text, brought->len);
    seal_text(s->contest, &s->old);
    if (!replay_old(s, NULL, err))
        return false;
    group_mix(&s->group, s->contest->replay.record.entropy);
    return is_ours(s, NULL, err) && keep_brought(s, err);
}

bool has_closed_record(const struct slot *s, int number)
{
    const struct contest *c = s->contest;
    char id[GROUP_ID_MAX + 1];
    const struct packed *record;

    name_of_game(s, number, id);
    record = c->pack ? pack_find(c->pack, id) : NULL;
    return record && record->is_closed;
}

bool look_for_record(struct slot *s, bool *done, struct err *err)
{
    struct contest *c = s->contest;
    const struct packed *record =
        c->pack ? pack_find(c->pack, s->group.id) : NULL;

    *done = false;
    buf_reset(&s->old);
    if (is_brought(s)) {
        *done = true;
        return take_brought(s, err);
    }
    if (!record)
        return true;
    if (!pack_read(c->pack, record, &s->old, err))
        return false;
    if (!record->is_closed && !record_has_head(s->old.text)) {
        buf_reset(&s->old);
        return true;
    }
    if (!replay_old(s, record, err))
        return advise(err);
    group_mix(&s->group, c->replay.record.entropy);
    if (!is_ours(s, record, err))
        return false;
    *done = c->replay.record.has_hash && !c->replay.record.cut;
    if (*done)
        return true;
    buf_cut(&s->old, c->replay.steps ? c->replay.complete : 0);
    if (s->old.len == 0 && group_part(&s->group) == 1)
        group_mix(&s->group, NULL); /* these seats are asked again */
    return s->old.len == 0 || replay_old(s, record, err);
}
