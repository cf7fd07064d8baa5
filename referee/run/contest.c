#include "run/contest.h"

#include "base/alloc.h"
#include "run/contest_state.h"
#include "run/priority.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ABOUT_MAX = 256 };

static const struct player *player_of(const struct slot *s, int member)
{
    return &s->contest->config.player[s->unit.player[member]];
}

/* The whole contest has failed: one sentence, and no more games. */
static void give_up(struct contest *c, const struct err *err)
{
    if (!c->failed)
        c->err = *err;
    c->failed = true;
    contest_stop(c, true);
}

static void make_deal(struct slot *s)
{
    const struct contest_config *c = &s->contest->config;
    crypto_auth_hmacsha256_state hash;

    hash = s->contest->keyed;
    crypto_auth_hmacsha256_update(&hash, (const unsigned char *)s->unit.deal,
                                  strlen(s->unit.deal));
    crypto_auth_hmacsha256_final(&hash, s->seed);
    game_deal(c->game, &c->setup, s->seed, &s->deal);
}

/* Look for the next game at the end of this turn of the loop. */
static void go_on(struct slot *s)
{
    loop_later(s->contest->loop, &s->next);
}

static void set_waits(struct slot *s, bool waits)
{
    s->contest->waiting += waits - s->waits;
    s->waits = waits;
}

/* To look at a thousand slots after every game would cost more than a move. */
static void wake_waiting(struct contest *c)
{
    for (int i = 0; c->waiting > 0 && i < c->slots; i++)
        if (c->slot[i].waits)
            go_on(&c->slot[i]);
}

/* Bots. */

/* Ending, or about to: it must be gone before the next game. */
static bool is_dying(const struct bot *bot)
{
    return bot && (bot->phase != RUNNING || bot->lost);
}

static bool has_dying(const struct slot *s)
{
    for (int i = 0; i < SEATS_MAX; i++)
        if (is_dying(s->bot[i]))
            return true;
    return false;
}

static void on_line(void *owner, struct bot *bot, char *line, size_t len)
{
    struct answer answer;

    /* What it still had to answer from the last game. */
    talk_line(&bot->talk, line, len, &answer);
}

static void on_sent(void *owner, struct bot *bot)
{
}

static void on_lost(void *owner, struct bot *bot, enum why why,
                    const char *detail)
{
    bot_kill(bot);
}

static void on_ended(void *owner, struct bot *bot)
{
    struct slot *s = owner;

    for (int i = 0; i < SEATS_MAX; i++)
        if (s->bot[i] == bot)
            s->bot[i] = NULL;
    bot_free(bot);
    go_on(s);
}

static const struct bot_owner between_games = {on_line, on_sent, on_lost,
                                               on_ended};

/* The slot goes on when the bot has ended. */
static void dismiss(struct slot *s, struct bot *bot, bool politely)
{
    bot_listen(bot, &between_games, s);
    if (bot->phase == ENDED)
        on_ended(s, bot);
    else if (politely && !bot->lost)
        bot_quit(bot);
    else
        bot_kill(bot);
}

static void dismiss_all(struct slot *s, bool politely)
{
    for (int i = 0; i < SEATS_MAX; i++)
        if (s->bot[i] && s->bot[i]->phase == RUNNING)
            dismiss(s, s->bot[i], politely);
}

/* Which of the unit a player is, or -1. */
static int member_of(const struct slot *s, int player)
{
    for (int i = 0; i < seats(s); i++)
        if (s->unit.player[i] == player)
            return i;
    return -1;
}

/* Bots of an earlier unit that this one does not need. */
static void dismiss_strangers(struct slot *s)
{
    for (int i = 0; i < SEATS_MAX; i++)
        if (s->bot[i] && member_of(s, s->player[i]) < 0)
            dismiss(s, s->bot[i], true);
}

/* The i-th bot is to be that of the i-th of the unit. */
static void line_up(struct slot *s)
{
    struct bot *old[SEATS_MAX];

    memcpy(old, s->bot, sizeof old);
    memset(s->bot, 0, sizeof s->bot);
    for (int i = 0; i < SEATS_MAX; i++)
        if (old[i])
            s->bot[member_of(s, s->player[i])] = old[i];
    memcpy(s->player, s->unit.player, sizeof s->player);
}

static void set_logs(struct slot *s)
{
    const char *folder = s->contest->config.folder;
    struct buf *path = &s->contest->path;

    for (int i = 0; i < seats(s); i++) {
        buf_reset(path);
        if (folder)
            buf_add(path, "%s/%s.%s.log", folder, s->id,
                    player_of(s, i)->bot.name);
        bot_set_log(s->bot[i], path->text);
    }
}

static bool start_bots(struct slot *s, struct err *err)
{
    line_up(s);
    for (int i = 0; i < seats(s); i++) {
        if (s->bot[i])
            continue;
        s->bot[i] = bot_new(s->contest->loop, &player_of(s, i)->bot, err);
        if (!s->bot[i])
            return false;
    }
    set_logs(s);
    return true;
}

/* Games. */

/* An id is for all times; the name of a game in a match is not. */
static void write_about(struct slot *s)
{
    const char *event = s->contest->config.event;

    buf_reset(&s->about);
    buf_str(&s->about, event ? "id=" : "match=");
    buf_str(&s->about, s->id);
    if (event) {
        buf_str(&s->about, " event=");
        buf_str(&s->about, event);
    }
    if (s->unit.games > 1)
        buf_add(&s->about, " part=%d/%d", s->game - s->unit.first + 1,
                s->unit.games);
    buf_str(&s->about, " start=");
    buf_str(&s->about, date_text(&s->contest->date, time(NULL)));
}

static void fill_config(struct slot *s, struct match_config *m)
{
    const struct contest_config *c = &s->contest->config;
    int last = s->unit.first + s->unit.games - 1;

    *m = (struct match_config){.game = c->game,
                               .setup = c->setup,
                               .id = s->id,
                               .about = c->folder ? s->about.text : NULL,
                               .deal = c->game->deal ? s->deal.text : NULL,
                               .seed = s->seed,
                               .part = s->game - s->unit.first + 1,
                               .seed_is_chosen = c->seed_is_chosen,
                               .reveal_seed = s->game == last,
                               .start_us = c->start_us,
                               .none_us = c->none_us,
                               .lenience_us = c->lenience_us,
                               .retries = c->retries,
                               .restarts = true,
                               .forgets = true};
    for (int i = 0; i < seats(s); i++) {
        const struct player *p = player_of(s, member_at(s, i));

        m->name[i] = p->bot.name;
        m->digest[i] = p->digest;
        m->time[i] = p->time;
    }
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
    struct slot *s = owner;

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
        o->last_words[i] = bot_last_words(s->bot[member_at(s, i)]);
    }
}

/*
 * The game of this slot is over, now or, without a match, long ago. Others may
 * wait for that.
 */
static void report(struct slot *s, const struct match *match)
{
    struct contest *c = s->contest;
    struct game_report o = {.unit = &s->unit, .id = s->id, .number = s->game};

    for (int i = 0; i < seats(s); i++)
        o.player[i] = player_at(s, i);
    if (match)
        fill_report(s, match, &o);
    else
        fill_old_report(s, &o);
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
    give_up(s->contest, &err);
}

/* Its record is whole, so the next game can be written behind it. */
static void end_game(struct slot *s, const struct match *match)
{
    leave_record(s);
    report(s, match);
}

/* The next game has the same deal: who stays would know all of it. */
static bool goes_on_with_deal(const struct slot *s)
{
    return s->contest->config.game->deal &&
           s->game < s->unit.first + s->unit.games - 1;
}

static bool is_asked_to_go(const struct slot *s, int member)
{
    return player_of(s, member)->bot.restarts || goes_on_with_deal(s);
}

/* Bots that failed, and those that are started for every game, go. */
static bool must_go(const struct slot *s, const struct match *match, int member)
{
    int seat = (member + s->game) % seats(s);

    return is_asked_to_go(s, member) || match_broken(match) & SEAT(seat);
}

static void on_over(void *owner, struct table *table)
{
    struct slot *s = owner;
    const struct match *match = table_match(table);
    bool go[SEATS_MAX], asked[SEATS_MAX];

    for (int i = 0; i < seats(s); i++) {
        asked[i] = is_asked_to_go(s, i);
        go[i] = must_go(s, match, i);
    }
    s->table = NULL; /* what is over cannot be cut off */
    s->contest->running--;
    if (table_error(table))
        give_record_up(s, table_error(table));
    else if (!match_is_spoiled(match)) /* or it begins again */
        end_game(s, match);
    table_free(table);
    for (int i = 0; i < seats(s); i++) {
        bot_listen(s->bot[i], &between_games, s);
        if (go[i] || is_dying(s->bot[i]))
            dismiss(s, s->bot[i], asked[i]);
    }
    go_on(s);
}

static const struct table_owner table_calls = {.on_move = on_move,
                                               .on_over = on_over};

static bool start_game(struct slot *s, struct err *err)
{
    struct contest *c = s->contest;
    struct peer *peers[SEATS_MAX];
    struct talk *talks[SEATS_MAX];
    struct match_config config;
    struct match *match;

    if (!start_bots(s, err) || !open_record(s, err))
        return false;
    if (c->pack)
        write_about(s);
    fill_config(s, &config);
    for (int i = 0; i < seats(s); i++) {
        struct bot *bot = s->bot[member_at(s, i)];

        bot_listen(bot, NULL, NULL);
        peers[i] = &bot->peer;
        talks[i] = &bot->talk;
    }
    if (s->old.len > 0)
        match = match_resume(&config, talks, &c->replay, &s->told, &s->old,
                             loop_now(c->loop));
    else
        match = match_new(&config, talks, loop_now(c->loop));
    tell_old_moves(s);
    buf_reset(&s->old);
    c->running++;
    s->table =
        table_new(c->loop, match, peers, seats(s),
                  c->pack ? pack_fd(c->pack, s->file) : -1, &table_calls, s);
    return true;
}

/* Slots. */

static void name_game(struct slot *s)
{
    char *at = jot_text(s->id, s->unit.stem, strlen(s->unit.stem));

    *jot_padded(at, s->game + 1, s->unit.digits) = '\0';
}

/* The next game of this slot's unit, or the first of a new unit. */
static enum unit_answer choose_game(struct slot *s)
{
    struct contest *c = s->contest;
    enum unit_answer answer;

    if (c->stopping)
        return UNIT_WAS_LAST;
    if (s->has_game)
        return UNIT_IS_READY;
    if (s->game + 1 < s->unit.first + s->unit.games) {
        s->game++;
    } else {
        answer = c->calls->next_unit(c->owner, &s->unit);
        if (answer != UNIT_IS_READY) {
            s->unit = (struct contest_unit){0};
            s->game = 0;
            return answer;
        }
        s->game = s->unit.first;
        make_deal(s);
    }
    s->has_game = true;
    name_game(s);
    return UNIT_IS_READY;
}

static bool has_bots(const struct slot *s)
{
    for (int i = 0; i < SEATS_MAX; i++)
        if (s->bot[i])
            return true;
    return false;
}

/* Everything is played: send the bots home, and the last one ends the run. */
static void retire(struct slot *s)
{
    struct contest *c = s->contest;

    s->retired = true;
    set_waits(s, false);
    dismiss_all(s, !c->failed);
    if (has_bots(s) || s->empty)
        return;
    s->empty = true;
    if (++c->empty == c->slots)
        loop_stop(c->loop);
}

/* A record tells the game, or it begins; it may have to wait for bots to go. */
static bool play_game(struct slot *s, struct err *err)
{
    bool done;

    if (!look_for_record(s, &done, err))
        return false;
    if (done) {
        tell_old_moves(s);
        report(s, NULL);
        loop_soon(s->contest->loop, &s->next); /* others get a turn first */
        return true;
    }
    dismiss_strangers(s);
    return has_dying(s) || start_game(s, err);
}

/* Is there a game whose result others may wait for? */
static bool is_any_busy(const struct contest *c)
{
    for (int i = 0; i < c->slots; i++) {
        const struct slot *s = &c->slot[i];

        if (s->has_game || s->game + 1 < s->unit.first + s->unit.games)
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

    loop_now(c->loop); /* what takes long here is lag for the others */
    if (s->table || has_dying(s))
        return;
    answer = s->retired ? UNIT_WAS_LAST : choose_game(s);
    set_waits(s, answer == UNIT_MAY_FOLLOW);
    if (answer == UNIT_WAS_LAST) {
        retire(s);
    } else if (s->waits) {
        assert(is_any_busy(c));
        dismiss_all(s, true);
    } else if (!play_game(s, &err)) {
        give_up(c, &err);
        retire(s);
    }
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
    crypto_auth_hmacsha256_init(&c->keyed, config->seed, sizeof config->seed);
    loop->children.crowd = priority_crowd(c->slots);
    replay_init(&c->replay);
    buf_init(&c->bytes, RECORD_FILE_MAX);
    buf_init(&c->path, PATH_MAX);
    for (int i = 0; i < c->slots; i++) {
        struct slot *s = &slots[i];

        *s = (struct slot){
            .contest = c, .file = -1, .next = {.run = on_next, .arg = s}};
        buf_init(&s->about, ABOUT_MAX);
        buf_init(&s->deal, DEAL_TEXT_MAX);
        buf_init(&s->old, RECORD_FILE_MAX);
        lines_init(&s->told, RECORD_FILE_MAX);
    }
    return c;
}

void contest_free(struct contest *c)
{
    for (int i = 0; i < c->slots; i++) {
        buf_release(&c->slot[i].about);
        buf_release(&c->slot[i].deal);
        buf_release(&c->slot[i].old);
        lines_release(&c->slot[i].told);
        loop_cancel(&c->slot[i].next);
    }
    pack_close(c->pack);
    replay_release(&c->replay);
    buf_release(&c->bytes);
    buf_release(&c->path);
    free(c->slot);
    free(c);
}

bool contest_run(struct contest *c, struct err *err)
{
    const struct contest_config *config = &c->config;

    if (config->folder) {
        c->pack = pack_open(config->folder, config->resumes,
                            config->concurrency, err);
        if (!c->pack)
            return false;
    }
    for (int i = 0; i < c->slots; i++)
        go_on(&c->slot[i]);
    loop_run(c->loop);
    if (c->failed)
        *err = c->err;
    return !c->failed;
}

/* A record that is cut off here goes on with --resume. */
static void cut_off(struct slot *s)
{
    if (!s->table)
        return;
    table_free(s->table);
    s->table = NULL;
    s->contest->running--;
    for (int i = 0; i < seats(s); i++) {
        bot_listen(s->bot[i], &between_games, s);
        if (is_dying(s->bot[i]))
            dismiss(s, s->bot[i], false);
    }
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
