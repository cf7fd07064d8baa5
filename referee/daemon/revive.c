#include "daemon/revive.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A part to play, or to continue. */
struct broken_off {
    char id[GROUP_ID_MAX + 1];
    /* The part before, if only that has a record; "": its own. */
    char before[GROUP_ID_MAX + 1];
};

struct revival {
    struct units_context its;
    struct units *units;
    const struct generations *generations;
    void (*on_done)(void *owner); /* NULL: the revival has stopped */
    void *owner;
    struct broken_off *game;
    int count, cap;
    int next;
    struct deferred turn;
    struct replay replay;
    struct lines told;  /* by it */
    struct buf bytes;   /* of a record, as it is */
    struct buf scratch; /* and to be cut into lines */
};

static bool is_last(const struct revival *r, const char *id)
{
    return r->count > 0 && strcmp(r->game[r->count - 1].id, id) == 0;
}

/* Sort the parts of a group in their order. Later parts know more. */
static void remember(struct revival *r, const char *id, const char *before)
{
    struct broken_off *game;

    if (r->count == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 64;
        r->game =
            must_alloc(realloc(r->game, (size_t)r->cap * sizeof *r->game));
    }
    game = &r->game[is_last(r, id) ? r->count - 1 : r->count++];
    snprintf(game->id, sizeof game->id, "%s", id);
    snprintf(game->before, sizeof game->before, "%s", before);
}

/* Looking through running/. */

static void remove_record(struct revival *r, const char *id)
{
    char path[PATH_BYTES];

    archive_running_path(r->its.archive, id, path, sizeof path);
    unlink(path);
}

/* Nothing had happened yet: drop the file. */
static void look_at_empty(struct revival *r, const char *id)
{
    char unit[GROUP_ID_MAX + 1], before[GROUP_ID_MAX + 1];
    int part = part_in(id, unit);

    if (part < 2) {
        remove_record(r, id);
        return;
    }
    part_id(unit, part - 1, before);
    remember(r, id, before);
}

static void quarantine(struct revival *r, const char *id, const struct err *why)
{
    struct err err;

    log_line(r->its.log, LOG_ERROR, id,
             "its record is damaged and does not count: %s", why->text);
    if (!archive_quarantine(r->its.archive, id, &err))
        log_line(r->its.log, LOG_ERROR, id, "%s", err.text);
}

/* Move the record to its place for good, and remove its file in running/. */
static bool keep(struct revival *r, const char *id, const char *ladder,
                 struct buf *bytes, struct err *err)
{
    const struct record_bytes whole = {-1, 0, bytes};
    struct closed_game game = {.has_file = true};
    char path[PATH_BYTES];

    if (!archive_keep(r->its.archive, ladder, &whole, game.location, err))
        return false;
    archive_file(r->its.archive, game.location, path, sizeof path);
    if (r->generations->newest->config->durable && !disk_sync(path, err))
        return false;
    snprintf(game.id, sizeof game.id, "%s", id);
    closing_add(r->its.closing, &game);
    return true;
}

/* Make a file for the next part, or another crash would lose it. */
static bool mark_next(const struct revival *r, const char *id, struct err *err)
{
    char path[PATH_BYTES];
    int fd;

    archive_running_path(r->its.archive, id, path, sizeof path);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd == -1)
        return fail(err, "%s cannot be made: %s", path, strerror(errno));
    close(fd);
    return true;
}

static bool look_at_closed(struct revival *r, const char *id,
                           const struct game_summary *b, struct err *err)
{
    char next[GROUP_ID_MAX + 1];

    if (is_last(r, id))
        r->count--;
    if (b->status != SUMMARY_FINISHED || b->part == b->parts || b->has_seed)
        return true; /* nobody may play a deal that is known */
    part_id(b->unit, b->part + 1, next);
    remember(r, next, id);
    return mark_next(r, next, err);
}

static void copy_bytes(struct revival *r)
{
    buf_reset(&r->scratch);
    buf_put(&r->scratch, r->bytes.text, r->bytes.len);
}

/* A record that is missing from its chain, or no longer exists. */
static void take_seal_off(struct buf *record)
{
    struct seal seal;

    if (!seal_find(&seal, record->text, record->len))
        return;
    do
        buf_cut(record, record->len - 1);
    while (record->text[record->len - 1] != '\n');
}

/* The game is over, and the index has it or will have it. */
static bool look_at_over(struct revival *r, const char *id,
                         const struct game_summary *b, bool is_known,
                         struct err *err)
{
    if (!look_at_closed(r, id, b, err))
        return false;
    if (is_known) {
        remove_record(r, id);
        return true;
    }
    take_seal_off(&r->bytes);
    return keep(r, id, b->event, &r->bytes, err);
}

static bool look_at_record(struct revival *r, const char *id, struct err *err)
{
    struct game_summary summary;
    bool is_known;

    buf_reset(&r->bytes);
    if (!archive_has(r->its.archive, id, &is_known, err) ||
        !archive_read(r->its.archive, id, &r->bytes, err))
        return false;
    if (r->bytes.len == 0 || !record_has_head(r->bytes.text)) {
        look_at_empty(r, id);
        return true;
    }
    copy_bytes(r);
    if (!archive_summary_of(&summary, id, id, &r->scratch, err) ||
        !(is_known || archive_is_ours(r->its.archive, id, r->bytes.text) ||
          fail(err, "this referee has not begun it"))) {
        quarantine(r, id, err);
        return true;
    }
    if (summary.status != SUMMARY_UNCLOSED)
        return look_at_over(r, id, &summary, is_known, err);
    remember(r, id, "");
    return true;
}

static bool look_at(void *arg, const char *id)
{
    struct revival *r = arg;
    struct err err;

    if (strlen(id) <= GROUP_ID_MAX && !look_at_record(r, id, &err))
        log_line(r->its.log, LOG_ERROR, id, "%s", err.text);
    return true;
}

struct revival *revival_new(const struct units_context *context,
                            struct units *units,
                            const struct generations *generations)
{
    struct revival *r = must_alloc(calloc(1, sizeof *r));

    r->its = *context;
    r->units = units;
    r->generations = generations;
    replay_init(&r->replay);
    lines_init(&r->told, RECORD_FILE_MAX);
    buf_init(&r->bytes, RECORD_FILE_MAX);
    buf_init(&r->scratch, RECORD_FILE_MAX);
    return r;
}

bool revival_open(struct revival *r, struct err *err)
{
    if (!archive_running(r->its.archive, look_at, r, err))
        return false;
    closing_flush(r->its.closing);
    return true;
}

/* Can the game continue? */

static bool has_time(const struct ladder_config *c, const struct record *record)
{
    bool same = true;
    struct buf text;

    buf_init(&text, 128);
    time_control_write(&c->time, &text);
    for (int i = 0; i < record->setup.seats; i++)
        same =
            same && record->time[i] && strcmp(record->time[i], text.text) == 0;
    buf_release(&text);
    return same;
}

static bool has_setup(const struct ladder_config *c, const struct setup *setup)
{
    if (c->setup.seats != setup->seats)
        return false;
    for (int i = 0; i < OPTIONS_MAX; i++) {
        const char *a = c->setup.option[i], *b = setup->option[i];

        if (a != b && (!a || !b || strcmp(a, b) != 0))
            return false;
    }
    return true;
}

/* Is the deal derived from our secret? */
static bool has_deal(struct revival *r, const struct ladder_config *c,
                     const struct record *record, const char *unit)
{
    uint8_t seed[SEED_BYTES];
    struct buf deal;
    bool same;

    if (!c->game->deal)
        return true;
    archive_seed(r->its.archive, unit, seed);
    seed_mix(seed, record->entropy, seed);
    buf_init(&deal, DEAL_TEXT_MAX);
    game_deal(c->game, &c->setup, seed, &deal);
    same = record->deal && strcmp(record->deal, deal.text) == 0;
    buf_release(&deal);
    return same;
}

static const struct player *local_bot(const struct ladder_config *c,
                                      const char *name)
{
    for (int i = 0; i < c->bots; i++)
        if (strcmp(c->bot[i]->bot.name, name) == 0)
            return c->bot[i];
    return NULL;
}

static bool has_bots(const struct revival *r, const struct ladder_config *c,
                     const struct record *record, const struct game_summary *b,
                     struct err *why)
{
    for (int i = 0; i < b->seats; i++) {
        const char *name = b->seat[i].name;
        const struct player *p = local_bot(c, name);

        if (!record->seat[i] || !name[0])
            return fail(why, "it does not say who plays");
        if (c->is_for_people && strcmp(name, guest_name) == 0)
            continue;
        if (!b->seat[i].has_digest) { /* it came over the network */
            if (!lobby_admits(c, name) || doors_has_revoked(r->its.doors, name))
                return fail(why, "%s may not play there any more", name);
        } else if (!p) {
            return fail(why, "%s does not play there any more", name);
        } else if (!p->digest || strcmp(p->digest, b->seat[i].version) != 0) {
            return fail(why, "the program of %s was changed", name);
        }
    }
    return true;
}

static bool can_go_on(struct revival *r, const struct record *record,
                      const struct game_summary *b, struct err *why)
{
    const struct lobby_ladder *l = lobby_ladder(r->its.lobby, b->event);
    const struct ladder_config *c = l ? l->config : NULL;

    if (!c)
        return fail(why, "there is no ladder %s any more", b->event);
    if (c->game != record->game || !has_setup(c, &record->setup) ||
        b->parts != parts_of(c))
        return fail(why, "%s is another game now", b->event);
    if (!has_time(c, record))
        return fail(why, "%s has another time control now", b->event);
    if (strlen(b->unit) > UNIT_ID_MAX || !has_deal(r, c, record, b->unit))
        return fail(why, "it was dealt with another secret");
    return has_bots(r, c, record, b, why);
}

/* Continuing the games. */

static void enter(struct unit *u, int member, const struct summary_seat *seat,
                  bool has_left)
{
    const struct player *player =
        seat->has_digest ? local_bot(u->config, seat->name) : NULL;
    struct connection *connection = NULL;
    int entrant;

    if (u->config->is_for_people && strcmp(seat->name, guest_name) == 0) {
        unit_enter_person(u, member, person_new(u->its->loop, ""));
        return;
    }
    entrant =
        ladder_enter(u->ladder->memory, seat->name, seat->version, now_us());
    if (!player || has_left)
        connection =
            doors_expect(u->its->doors, player ? player->bot.name : seat->name,
                         seat->version, u);
    if (has_left)
        connection->why_gone = "it has left its game";
    unit_enter(u, member, connection, player, entrant);
}

/* Is the bot of no further use? */
static bool is_gone(const char *word)
{
    enum why why;

    return word && (!why_read(word, &why) || why_breaks(why));
}

static struct unit *make_unit(struct revival *r, const struct game_summary *b,
                              const char *const *why)
{
    struct unit *u =
        unit_new(r->units, lobby_ladder(r->its.lobby, b->event), b->unit);

    u->was_broken_off = true;
    if (b->part > 1 || r->bytes.len > 0) /* or they are asked again */
        group_mix(&u->group, r->replay.record.entropy);
    for (int i = 0; i < b->seats; i++)
        enter(u, group_rotate(b->seats, b->part - 1, i), &b->seat[i],
              is_gone(why[i]));
    return u;
}

/* Replay the bytes to their end, and keep what that shows. */
static bool replay_bytes(struct revival *r, const char *id, struct err *err)
{
    copy_bytes(r);
    return replay_told(&r->replay, id, 0, r->scratch.text, r->scratch.len,
                       &r->told, err);
}

/* The record of a game that cannot continue: close its whole part. */
static bool keep_void(struct revival *r, const char *id, const char *ladder,
                      size_t whole, struct err *err)
{
    struct record_writer w;
    bool ok;

    record_init(&w);
    w.seats = r->replay.record.setup.seats;
    buf_put(&w.text, r->bytes.text, whole);
    buf_str(&w.text, "result void reason=changed\n");
    record_close(&w);
    ok = keep(r, id, ladder, &w.text, err);
    record_release(&w);
    return ok;
}

static void make_void(struct revival *r, const char *id, const char *ladder,
                      const struct err *why)
{
    size_t whole = r->replay.complete;
    struct err err;

    log_line(r->its.log, LOG_WARNING, id, "cannot continue and is void: %s",
             why->text);
    if (whole == 0) {
        remove_record(r, id); /* nothing had happened */
        return;
    }
    if (keep_void(r, id, ladder, whole, &err))
        r->its.metrics->games_void++;
    else
        log_line(r->its.log, LOG_ERROR, id, "%s", err.text);
}

/* Its own record is there. */
static void go_on(struct revival *r, const char *id,
                  const struct game_summary *b)
{
    const struct broken_game broken = {&r->replay, &r->told, &r->bytes};
    struct err err;
    struct unit *u;

    if (!replay_bytes(r, id, &err)) {
        quarantine(r, id, &err);
        return;
    }
    if (!can_go_on(r, &r->replay.record, b, &err)) {
        make_void(r, id, b->event, &err);
        return;
    }
    buf_cut(&r->bytes, r->replay.complete);
    if (r->bytes.len > 0 && !replay_bytes(r, id, &err)) {
        quarantine(r, id, &err);
        return;
    }
    u = make_unit(r, b, r->replay.why);
    if (r->bytes.len == 0)
        unit_begin(u, b->part);
    else if (!unit_resume(u, b->part, &broken, &err))
        log_line(r->its.log, LOG_ERROR, id,
                 "cannot continue before the next start: %s", err.text);
}

/* Is this one the i-th member of it? */
static bool is_member(const struct unit *u, int i,
                      const struct summary_seat *seat)
{
    const struct connection *connection = u->connection[i];
    const struct player *player = u->group.member[i].player;
    const char *version = connection                 ? connection->version
                          : player && player->digest ? player->digest
                                                     : "";

    return u->group.member[i].name &&
           strcmp(u->group.member[i].name, seat->name) == 0 &&
           strcmp(version, seat->version) == 0;
}

/* They already play another hand, in turn with this one. */
static struct unit *unit_of_same(const struct revival *r,
                                 const struct game_summary *b)
{
    for (struct unit *u = units_list(r->units); u; u = u->next) {
        bool same = strcmp(u->ladder->name, b->event) == 0 &&
                    group_seats(&u->group) == b->seats;
        bool by_net = false;

        for (int i = 0; same && i < b->seats; i++) {
            int member = group_rotate(b->seats, b->part - 1, i);

            same = is_member(u, member, &b->seat[i]);
            by_net = by_net || u->connection[member];
        }
        if (same && by_net)
            return u;
    }
    return NULL;
}

static bool joins_another(struct revival *r, const struct game_summary *b)
{
    const char *entropy = r->replay.record.entropy;
    struct unit *u = unit_of_same(r, b);

    return u && unit_add_hand(u, b->unit, b->part + 1, entropy ? entropy : "");
}

/*
 * Only the part before it has a record: the players of that part play the next
 * one.
 */
static void follow(struct revival *r, const char *id,
                   const struct game_summary *b)
{
    static const char *const nobody[SEATS_MAX];
    struct err err;

    copy_bytes(r);
    if (replay_open(&r->replay, id, r->scratch.text, r->scratch.len, &err) &&
        can_go_on(r, &r->replay.record, b, &err)) {
        if (!joins_another(r, b))
            unit_begin(make_unit(r, b, nobody), b->part + 1);
        return;
    }
    log_line(r->its.log, LOG_WARNING, id, "its group cannot continue: %s",
             err.text);
    remove_record(r, id);
}

static void revive(struct revival *r, const struct broken_off *game)
{
    const char *source = game->before[0] ? game->before : game->id;
    struct game_summary summary;
    struct err err;

    buf_reset(&r->bytes);
    if (!archive_read(r->its.archive, source, &r->bytes, &err)) {
        log_line(r->its.log, LOG_ERROR, game->id,
                 "cannot continue before the next start: %s", err.text);
        return;
    }
    copy_bytes(r);
    if (!game_summary_read(&summary, source, 0, r->scratch.text, r->scratch.len,
                           &err))
        quarantine(r, game->id, &err);
    else if (game->before[0])
        follow(r, game->id, &summary);
    else
        go_on(r, game->id, &summary);
}

/* Continue one game per turn of the loop, so that running games do not wait. */
static void on_turn(void *arg)
{
    struct revival *r = arg;

    loop_now(r->its.loop);
    if (!r->on_done)
        return;
    if (r->next < r->count) {
        revive(r, &r->game[r->next++]);
        loop_soon(r->its.loop, &r->turn);
        return;
    }
    r->on_done(r->owner);
}

/*
 * A running game comes before other hands that its members play in turn with
 * it.
 */
static void put_begun_first(struct revival *r)
{
    struct broken_off *all =
        must_alloc(malloc(((size_t)r->count + 1) * sizeof *all));
    int n = 0;

    for (int follows = 0; follows < 2; follows++)
        for (int i = r->next; i < r->count; i++)
            if ((r->game[i].before[0] != '\0') == follows)
                all[n++] = r->game[i];
    memcpy(&r->game[r->next], all, (size_t)n * sizeof *all);
    free(all);
}

void revival_begin(struct revival *r, void (*on_done)(void *owner), void *owner)
{
    put_begun_first(r);
    r->on_done = on_done;
    r->owner = owner;
    r->turn = (struct deferred){.run = on_turn, .arg = r};
    loop_soon(r->its.loop, &r->turn);
}

void revival_stop(struct revival *r)
{
    r->on_done = NULL;
    loop_cancel(&r->turn);
}

void revival_free(struct revival *r)
{
    if (!r)
        return;
    revival_stop(r);
    replay_release(&r->replay);
    lines_release(&r->told);
    buf_release(&r->bytes);
    buf_release(&r->scratch);
    free(r->game);
    free(r);
}
