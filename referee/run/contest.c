#include "run/contest.h"

#include "base/alloc.h"
#include "base/text.h"
#include "run/contest_state.h"
#include "run/priority.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct slot *slot_of(struct group *group)
{
    return (struct slot *)group; /* its first member */
}

/* Keep one sentence and start no more games. */
void contest_fail(struct contest *c, const struct err *err)
{
    if (!c->failed)
        c->err = *err;
    c->failed = true;
    contest_stop(c, true);
}

/* All deals of a contest follow from its seed. */
static void make_deal(struct slot *s)
{
    crypto_auth_hmacsha256_state hash = s->contest->keyed;
    uint8_t seed[SEED_BYTES];

    crypto_auth_hmacsha256_update(&hash, (const unsigned char *)s->unit.deal,
                                  strlen(s->unit.deal));
    crypto_auth_hmacsha256_final(&hash, seed);
    group_deal(&s->group, seed);
}

void go_on(struct slot *s)
{
    loop_later(s->contest->loop, &s->next);
}

static void set_waits(struct slot *s, bool waits)
{
    s->contest->waiting += waits - s->waits;
    s->waits = waits;
}

/* Looking at a thousand slots after every game would cost more than a move. */
static void wake_waiting(struct contest *c)
{
    for (int i = 0; c->waiting > 0 && i < c->slots; i++)
        if (c->slot[i].waits)
            go_on(&c->slot[i]);
}

/* Games. */

void log_path(struct group *g, int member, char *path, size_t size)
{
    const char *folder = slot_of(g)->contest->config.folder;

    path[0] = '\0';
    if (folder)
        text_join(path, size, folder, "/", g->id, ".", g->member[member].name,
                  ".log", NULL);
}

/* A game's id is globally unique; its name within the match is not. */
void about_game(const struct slot *s, int number, const char *id,
                char about[GROUP_ABOUT_MAX + 1])
{
    const char *event = s->contest->config.event;
    char part[48] = "", whole[GROUP_ABOUT_MAX / 2] = "";

    if (s->unit.games > 1)
        snprintf(part, sizeof part, " part=%d/%d", number - s->group.first + 1,
                 s->unit.games);
    if (event)
        text_join(whole, sizeof whole, " id=", s->contest->session, "-", id,
                  " event=", event, NULL);
    text_join(about, GROUP_ABOUT_MAX + 1, "match=", id, whole, part, NULL);
}

static void write_about(struct slot *s)
{
    char about[GROUP_ABOUT_MAX + 1];

    about_game(s, s->group.game, s->group.id, about);
    text_join(s->group.about, sizeof s->group.about, about,
              " start=", date_text(&s->contest->date, time(NULL)), NULL);
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
    const struct slot *s = slot_of(owner);

    s->contest->calls->on_move(s->contest->owner, player_at(s, seat), us);
}

static void fill_report(const struct slot *s, const struct match *match,
                        struct game_report *o)
{
    const struct result *result =
        match_is_void(match) ? NULL : match_result(match);

    o->is_void = match_is_void(match);
    o->moves = match_moves(match);
    o->reason = result ? result->reason : "void";
    for (int i = 0; i < seats(s); i++) {
        o->rank[i] = result ? result->rank[i] : 0;
        o->score[i] = result ? result->score[i] : 0;
        o->left[i] = match_why(match, i) != NULL;
        match_has_left(match, i, &o->why[i]);
        o->detail[i] = match_detail(match, i);
        o->last_words[i] =
            bot_last_words(s->group.bot[group_member_at(&s->group, i)]);
    }
}

/*
 * The game of this slot is over: it has just ended or, without a match, its
 * record was there before. Other slots may be waiting for it.
 */
static void report(struct slot *s, const struct match *match)
{
    struct contest *c = s->contest;
    struct game_report o = {
        .unit = &s->unit, .id = s->group.id, .number = s->group.game};

    for (int i = 0; i < seats(s); i++)
        o.player[i] = player_at(s, i);
    if (match)
        fill_report(s, match, &o);
    else
        fill_old_report(s, &o);
    if (is_brought(s))
        tell_brought(s, &o);
    s->has_game = false;
    c->calls->on_game(c->owner, &o);
    wake_waiting(c);
}

static void give_record_up(struct slot *s, int error)
{
    struct err err;

    fail_for_now(&err,
                 "%s cannot be written: %s; --resume goes on with what is "
                 "there",
                 pack_path(s->contest->pack, s->file), strerror(error));
    contest_fail(s->contest, &err);
}

/* Its record is complete, so the next game can be appended to it. */
static void end_game(struct slot *s, const struct match *match)
{
    leave_record(s);
    report(s, match);
}

static void on_over(struct group *g, struct table *table)
{
    struct slot *s = slot_of(g);
    const struct match *match = table_match(table);

    s->contest->running--;
    if (table_error(table))
        give_record_up(s, table_error(table));
    else if (!match_is_spoiled(match)) /* otherwise it begins again */
        end_game(s, match);
}

static void on_close(void *owner, struct record_writer *record)
{
    seal_record(slot_of(owner)->contest, record);
}

static void on_next_game(struct group *g)
{
    go_on(slot_of(g));
}

/* Records are appended to the pack. */
static const struct group_calls group_calls = {
    .table = {.on_move = on_move,
              .on_over = group_over,
              .seal_record = on_close},
    .log_path = log_path,
    .on_over = on_over,
    .on_next = on_next_game,
};

static bool start_game(struct slot *s, struct err *err)
{
    struct contest *c = s->contest;
    const struct broken_game broken = {&c->replay, &s->told, &s->old};

    if (!group_start_bots(&s->group, err) || !open_record(s, err))
        return false;
    if (c->pack)
        write_about(s);
    c->running++;
    group_play(&s->group, s->old.len > 0 ? &broken : NULL,
               c->pack ? pack_fd(c->pack, s->file) : -1);
    tell_old_moves(s);
    buf_reset(&s->old);
    return true;
}

/* Slots. */

void name_of_game(const struct slot *s, int number, char id[GROUP_ID_MAX + 1])
{
    char *at = jot_text(id, s->unit.stem, strlen(s->unit.stem));

    *jot_padded(at, number + 1, s->unit.digits) = '\0';
}

static void begin_unit(struct slot *s)
{
    struct group *g = &s->group;

    for (int i = 0; i < seats(s); i++) {
        const struct player *p = &s->contest->config.player[s->unit.player[i]];

        g->member[i] =
            (struct member){.name = p->bot.name, .player = p, .time = &p->time};
    }
    g->game = g->first = s->unit.first;
    g->last = s->unit.first + s->unit.games - 1;
    make_deal(s);
}

/* The next game of this slot's unit, or the first of a new unit. */
static enum unit_answer choose_game(struct slot *s)
{
    struct contest *c = s->contest;
    enum unit_answer answer;

    if (c->stopping && !s->brought)
        return UNIT_WAS_LAST;
    if (s->has_game)
        return UNIT_IS_READY;
    if (s->group.game < s->group.last) {
        s->group.game++;
    } else {
        answer = c->calls->next_unit(c->owner, &s->unit);
        if (answer != UNIT_IS_READY)
            return answer;
        begin_unit(s);
    }
    s->has_game = true;
    name_of_game(s, s->group.game, s->group.id);
    return UNIT_IS_READY;
}

/*
 * All games are played: send the bots home. When the last one has ended, the
 * run ends.
 */
static void retire(struct slot *s)
{
    struct contest *c = s->contest;

    s->retired = true;
    set_waits(s, false);
    group_dismiss(&s->group, !c->failed);
    if (s->home.bots > 0 || s->empty)
        return;
    s->empty = true;
    if (++c->empty == c->slots)
        loop_stop(c->loop);
}

/*
 * Load the game from its record, or start it. It may have to wait until old
 * bots have ended.
 */
static bool play_game(struct slot *s, struct err *err)
{
    bool done;

    if (!look_for_record(s, &done, err))
        return false;
    if (done) {
        tell_old_moves(s);
        report(s, NULL);
        drop_brought(s);
        loop_soon(s->contest->loop, &s->next); /* others get a turn first */
        return true;
    }
    if (s->contest->config.away) {
        hand_out(s);
        return true;
    }
    group_dismiss_strangers(&s->group);
    return s->home.bots > 0 || start_game(s, err);
}

/* Is there a game whose result other slots may wait for? */
static bool is_any_busy(const struct contest *c)
{
    for (int i = 0; i < c->slots; i++) {
        const struct slot *s = &c->slot[i];

        if (s->has_game || s->group.game < s->group.last)
            return true;
    }
    return false;
}

static void on_next(void *arg)
{
    struct slot *s = arg;
    struct contest *c = s->contest;
    enum unit_answer answer;
    struct err err;

    loop_now(c->loop); /* the time this takes is lag for the others */
    if (s->group.table || s->home.bots > 0 || s->away > 0)
        return;
    answer = s->retired ? UNIT_WAS_LAST : choose_game(s);
    set_waits(s, answer == UNIT_MAY_FOLLOW);
    if (answer == UNIT_WAS_LAST) {
        retire(s);
    } else if (s->waits) {
        assert(is_any_busy(c));
        group_dismiss(&s->group, true);
    } else if (!play_game(s, &err)) {
        contest_fail(c, &err);
        retire(s);
    }
}

static void on_home_ended(void *arg)
{
    go_on(arg);
}

static void init_slot(struct slot *s, struct contest *c)
{
    const struct contest_config *config = &c->config;

    *s = (struct slot){.contest = c,
                       .file = -1,
                       .home = {.on_ended = on_home_ended, .arg = s},
                       .next = {.run = on_next, .arg = s}};
    s->group.calls = &group_calls;
    s->group.loop = c->loop;
    s->group.home = &s->home;
    s->group.match =
        (struct match_config){.game = config->game,
                              .setup = config->setup,
                              .seed_is_chosen = config->seed_is_chosen,
                              .start_us = config->start_us,
                              .none_us = config->none_us,
                              .lenience_us = config->lenience_us,
                              .retries = config->retries,
                              .restarts = true,
                              .forgets = true};
    group_init(&s->group);
    buf_init(&s->old, RECORD_FILE_MAX);
    lines_init(&s->told, RECORD_FILE_MAX);
}

struct contest *contest_new(struct loop *loop,
                            const struct contest_config *config,
                            const struct contest_owner *calls, void *owner)
{
    struct contest *c = must_alloc(calloc(1, sizeof *c));
    struct slot *slots =
        must_alloc(calloc((size_t)config->concurrency, sizeof *slots));

    *c = (struct contest){.loop = loop,
                          .config = *config,
                          .calls = calls,
                          .owner = owner,
                          .slot = slots,
                          .slots = config->concurrency};
    if (config->session)
        text_join(c->session, sizeof c->session, config->session, NULL);
    else
        session_name(time(NULL), c->session);
    crypto_auth_hmacsha256_init(&c->keyed, config->seed, sizeof config->seed);
    loop->children.in_crowd = priority_crowd(c->slots);
    replay_init(&c->replay);
    buf_init(&c->bytes, RECORD_FILE_MAX);
    for (int i = 0; i < c->slots; i++)
        init_slot(&slots[i], c);
    return c;
}

void contest_free(struct contest *c)
{
    for (int i = 0; i < c->slots; i++) {
        group_release(&c->slot[i].group);
        buf_release(&c->slot[i].old);
        lines_release(&c->slot[i].told);
        loop_cancel(&c->slot[i].next);
        forget_brought(&c->slot[i]);
    }
    pack_close(c->pack);
    signing_forget(&c->key);
    replay_release(&c->replay);
    buf_release(&c->bytes);
    free(c->slot);
    free(c);
}

bool contest_run(struct contest *c, struct err *err)
{
    if (!open_pack(c, err))
        return false;
    for (int i = 0; i < c->slots; i++)
        go_on(&c->slot[i]);
    loop_run(c->loop);
    if (c->failed)
        *err = c->err;
    return !c->failed;
}

/* A record that is cut off here is continued by --resume. */
static void cut_off(struct slot *s)
{
    forget_brought(s);
    if (s->away > 0) {
        s->contest->config.away->take_back(s->contest->config.away->owner,
                                           (int)(s - s->contest->slot));
        contest_gave_back(s->contest, (int)(s - s->contest->slot));
    }
    if (!s->group.table)
        return;
    group_break_off(&s->group);
    s->contest->running--;
    go_on(s);
}

void contest_stop(struct contest *c, bool now)
{
    c->stopping = true;
    for (int i = 0; now && i < c->slots; i++)
        cut_off(&c->slot[i]);
    wake_waiting(c);
}

int contest_running(const struct contest *c)
{
    return c->running;
}
