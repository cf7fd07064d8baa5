#include "daemon/units_state.h"

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/news.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t day_us = INT64_C(86400000000);

const char *unit_name_at(const struct unit *u, int seat)
{
    return u->group.member[group_member_at(&u->group, seat)].name;
}

bool units_are_enough(const struct units *units)
{
    return units->games_max > 0 && units->begun >= units->games_max;
}

static bool can_start(const struct unit *u)
{
    return u->units->calls->can_start(u->units->owner);
}

/* Begin and end. */

static const struct group_calls group_calls;

static void init_group(struct group *g, struct units *units,
                       const struct ladder_config *c)
{
    g->calls = &group_calls;
    g->loop = units->its.loop;
    g->home = &units->generation->home;
    g->last = parts_of(c) - 1;
    g->match = (struct match_config){.game = c->game,
                                     .setup = c->setup,
                                     .holds_end = true,
                                     .voids_refusal = true,
                                     .none_us = c->none_us,
                                     .lenience_us = c->lenience_us,
                                     .retries = c->retries};
    group_init(g);
}

struct unit *unit_new(struct units *units, struct lobby_ladder *l,
                      const char *id)
{
    struct unit *u = must_alloc(calloc(1, sizeof *u));
    uint8_t seed[SEED_BYTES];

    *u = (struct unit){.units = units,
                       .its = &units->its,
                       .generation = units->generation,
                       .config = l->config,
                       .ladder = l,
                       .record = -1,
                       .next = units->list};
    text_join(u->id, sizeof u->id, id, NULL);
    units->list = u;
    units->generation->units++;
    u->hands.parts = parts_of(l->config);
    hands_add(&u->hands, id, 1, "");
    init_group(&u->group, units, l->config);
    archive_seed(units->its.archive, id, seed);
    group_deal(&u->group, seed);
    return u;
}

void unit_enter(struct unit *u, int i, struct connection *connection,
                const struct player *player, int entrant)
{
    u->connection[i] = connection;
    u->entrant[i] = entrant;
    u->group.member[i] = (struct member){
        .name = connection ? connection->name : player->bot.name,
        .player = player,
        .peer = connection ? &connection->peer : NULL,
        .version = player ? NULL : connection->version,
        .time = &u->config->time};
}

void unit_enter_person(struct unit *u, int i, struct person *person)
{
    u->person[i] = person;
    u->entrant[i] = ladder_enter(u->ladder->memory, guest_name, "", now_us());
    u->group.member[i] = (struct member){
        .name = guest_name, .peer = &person->peer, .time = &u->config->time};
}

static void release_connection(struct units *units,
                               struct connection *connection)
{
    connection_unseat(connection);
    if (connection->why_gone)
        return;
    if (doors_has_revoked(units->its.doors, connection->name))
        connection_end(connection, "its key was removed");
    else if (lobby_is_waiting(connection))
        lobby_join(units->its.lobby, connection);
}

static void take_from_list(struct unit *u)
{
    struct unit **at = &u->units->list;

    while (*at != u)
        at = &(*at)->next;
    *at = u->next;
}

/* `unplayed` parts will never be. */
static void unit_end(struct unit *u, int unplayed)
{
    struct units *units = u->units;

    unplayed += u->unplayed;

    take_from_list(u);
    count_begun(u, -unplayed);
    group_dismiss(&u->group, true);
    for (int i = 0; i < seats_of(u); i++)
        if (u->connection[i])
            release_connection(units, u->connection[i]);
        else
            person_free(u->person[i]);
    lobby_ended(units->its.lobby, u->ladder, u->entrant, seats_of(u), unplayed);
    u->generation->units--;
    if (u->record != -1)
        close(u->record);
    loop_cancel(&u->go);
    group_release(&u->group);
    free(u->summary);
    free(u);
    units->calls->on_ended(units->owner);
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
    struct unit *u = unit_of(owner);

    u->its->metrics->moves++;
    metrics_lag(u->its->metrics,
                match_move_times(table_match(table), seat)->lag_us);
    if (u->config->is_for_people)
        u->units->calls->on_move(u->units->owner, u);
}

static struct bot_log log_of(const struct unit *u, int member)
{
    return (struct bot_log){.ladder = u->ladder->name,
                            .start = u->start,
                            .id = u->group.id,
                            .player = u->group.member[member].player};
}

/* The file for a bot's stderr; "" if there can be none. */
static void log_path(struct group *g, int member, char *path, size_t size)
{
    const struct unit *u = unit_of(g);
    const struct bot_log log = log_of(u, member);

    bot_logs_path(u->units->logs, &log, path, size);
}

static void name_part(struct unit *u, int part)
{
    struct group *g = &u->group;
    int parts = g->last + 1;
    char digit[2] = {(char)('0' + part)}, of[2] = {(char)('0' + parts)};
    char tag[ARCHIVE_TAG_TEXT + 1];

    g->game = part - 1;
    if (parts == 1)
        text_join(g->id, sizeof g->id, u->id, NULL);
    else
        part_id(u->id, part, g->id);
    strcpy(u->start, date_text(&u->units->date, time(NULL)));
    archive_tag(u->its->archive, g->id, tag);
    text_join(g->about, sizeof g->about, "id=", g->id,
              " event=", u->ladder->name, " unit=", u->id, " part=", digit, "/",
              of, " start=", u->start, " tag=", tag, NULL);
}

/* Its bots may still be ending, after a break or the last part. */
static int64_t start_limit(const struct unit *u)
{
    const struct serve_config *c = u->generation->config;
    int64_t limit = u->config->start_us;

    for (int i = 0; i < seats_of(u); i++) {
        const struct connection *connection = u->connection[i];

        if (connection &&
            (u->was_broken_off || connection->phase == CONNECTION_AWAY) &&
            limit < c->grace_us)
            limit = c->grace_us + 1000000;
    }
    return limit;
}

/*
 * Otherwise a bot that likes a deal for one seat only could leave before it
 * gets another seat.
 */
static void forfeit_gone(struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++) {
        struct connection *connection = u->connection[i];

        if (connection && connection->why_gone)
            connection->peer.calls->on_lost(connection->peer.owner,
                                            &connection->peer, WHY_EXIT,
                                            connection->why_gone);
    }
}

static void open_table(struct unit *u, const struct broken_game *broken)
{
    int record = u->record;

    u->group.match.start_us = start_limit(u);
    u->record = -1;
    u->start_us = now_us();
    u->its->metrics->games_running++;
    for (int i = 0; i < seats_of(u); i++) {
        unit_mute(u, i);
        if (u->connection[i])
            u->connection[i]->games++;
    }
    group_play(&u->group, broken, record);
    news_game(u);
    forfeit_gone(u);
}

/* A unit that has not begun is dropped; a begun one waits. */
static void complain(const struct unit *u, const struct err *err)
{
    trouble_begin(u->its->troubles, TROUBLE_START,
                  "a game cannot be started: %s", err->text);
}

static void give_up(struct unit *u, const struct err *err)
{
    complain(u, err);
    if (hands_have_begun(&u->hands) || u->was_broken_off)
        return;
    if (u->record != -1)
        unit_unlink_record(u);
    unit_end(u, hands_left(&u->hands));
}

static void play(struct unit *u)
{
    struct units *units = u->units;
    struct err err;

    if (!unit_open_part(u, &err) || !group_start_bots(&u->group, &err)) {
        give_up(u, &err);
        return;
    }
    trouble_end(units->its.troubles, TROUBLE_START);
    log_line(units->its.log, LOG_DEBUG, u->group.id, "%s starts on %s",
             u->config->game->name, u->ladder->name);
    open_table(u, NULL);
}

static void break_table_off(struct unit *u)
{
    syncer_forget(u->its->syncer, u);
    group_break_off(&u->group);
    u->its->metrics->games_running--;
}

static void break_off(struct unit *u)
{
    bool has_begun = u->group.table || hands_have_begun(&u->hands);

    if (u->group.table)
        break_table_off(u);
    else if (has_begun)
        unit_mark_next_part(u);
    else if (u->record != -1)
        unit_unlink_record(u);
    if (has_begun && (!u->location[0] || hands_left(&u->hands) > 1))
        log_line(u->its->log, LOG_INFO, u->group.id,
                 "broken off; it continues when the referee starts again");
    unit_end(u, 0);
}

static void on_go(void *arg)
{
    struct unit *u = arg;

    loop_now(u->its->loop);
    if (u->group.table)
        return;
    if (u->units->calls->is_stopping(u->units->owner))
        break_off(u);
    else if (can_start(u))
        play(u);
}

struct bot_logs *units_logs(const struct units *units)
{
    return units->logs;
}

void units_wake(struct units *units)
{
    for (struct unit *u = units->list; u; u = u->next)
        if (!u->group.table && u->go.run)
            loop_later(units->its.loop, &u->go);
}

static void count_members(struct unit *u, int part)
{
    hands_now(&u->hands)->part = part;
    name_part(u, part);
    lobby_began(u->ladder, u->entrant, hands_left(&u->hands));
    count_begun(u, hands_left(&u->hands));
    u->go = (struct deferred){.run = on_go, .arg = u};
}

void unit_begin(struct unit *u, int part)
{
    count_members(u, part);
    for (int i = 0; i < seats_of(u); i++)
        if (u->connection[i] && !u->was_broken_off)
            connection_seat(u->connection[i], u);
    if (can_start(u))
        play(u);
}

bool unit_add_hand(struct unit *u, const char *id, int part,
                   const char *entropy)
{
    int games = u->hands.parts - part + 1;

    if (!hands_add(&u->hands, id, part, entropy))
        return false;
    lobby_added(u->ladder, u->entrant, games);
    count_begun(u, games);
    return true;
}

void units_count(struct units *units, int games)
{
    units->begun += games;
}

void units_next_id(struct units *units, char id[UNIT_ID_MAX + 1])
{
    char number[NUMBER_TEXT + 1];

    *jot_padded(number, ++units->number, 6) = '\0';
    text_join(id, UNIT_ID_MAX + 1, units->session, "-", number, NULL);
}

static bool has_connection(const struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++)
        if (u->connection[i])
            return true;
    return false;
}

/* May its members play so many games? */
static bool may_play(const struct unit *u, int games)
{
    const struct units *units = u->units;

    if (units->games_max > 0 && units->begun + games > units->games_max)
        return false;
    if (u->config->meetings_max > 0 && games > u->config->meetings_max)
        return false; /* ladder_may_meet() lets a unit alone have more */
    for (int i = 0; i < seats_of(u); i++)
        for (int j = 0; j < i; j++)
            if (!ladder_may_meet(u->ladder->memory, u->entrant[i],
                                 u->entrant[j], u->config->meetings_max, games))
                return false;
    return true;
}

/*
 * Local bots are started anew for each part, so they need not play hands in
 * turn.
 */
static void add_hands(struct unit *u)
{
    const struct ladder_config *c = u->config;
    char id[UNIT_ID_MAX + 1];

    if (!c->duplicate || !c->game->deal || !has_connection(u))
        return;
    while (u->hands.count < c->interleave &&
           may_play(u, (u->hands.count + 1) * u->hands.parts)) {
        units_next_id(u->units, id);
        hands_add(&u->hands, id, 1, "");
    }
}

void units_start(struct units *units, struct lobby_ladder *l,
                 const struct guest *guest)
{
    char id[UNIT_ID_MAX + 1];
    struct unit *u;

    units_next_id(units, id);
    u = unit_new(units, l, id);
    for (int i = 0; i < seats_of(u); i++)
        if (guest[i].person)
            unit_enter_person(u, i, guest[i].person);
        else
            unit_enter(u, i, guest[i].connection, guest[i].player,
                       guest[i].entrant);
    add_hands(u);
    unit_begin(u, 1);
}

/* This unit began in another run. */
static void keep_start(struct unit *u, const struct record *record)
{
    size_t len = 0;
    const char *start = about_find(record->about, "start", &len);

    if (start && len < sizeof u->start)
        snprintf(u->start, sizeof u->start, "%.*s", (int)len, start);
}

bool unit_resume(struct unit *u, int part, const struct broken_game *broken,
                 struct err *err)
{
    count_members(u, part);
    keep_start(u, &broken->replay->record);
    if (!unit_open_record(u, broken->bytes->len, err) ||
        !group_start_bots(&u->group, err)) {
        unit_end(u, hands_left(&u->hands));
        return false;
    }
    log_line(u->its->log, LOG_INFO, u->group.id, "%s continues on %s",
             u->config->game->name, u->ladder->name);
    open_table(u, broken);
    return true;
}

/* A local bot that left before a break is started again like the others. */
static void replace_gone(struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++) {
        const struct player *player = u->group.member[i].player;

        if (!player || !u->connection[i])
            continue;
        connection_unseat(u->connection[i]);
        unit_enter(u, i, NULL, player, u->entrant[i]);
    }
}

/* The group plays this hand next. */
static void take_hand(struct unit *u)
{
    const struct hand *hand = hands_now(&u->hands);
    uint8_t seed[SEED_BYTES];

    if (strcmp(u->id, hand->id) != 0) {
        text_join(u->id, sizeof u->id, hand->id, NULL);
        archive_seed(u->its->archive, u->id, seed);
        group_deal(&u->group, seed);
        group_mix(&u->group, hand->entropy);
    }
    name_part(u, hand->part);
}

/* Hand in the finished part, if the next part has its file. */
static void prepare_next_part(struct unit *u)
{
    struct err err;

    replace_gone(u);
    take_hand(u);
    if (!unit_open_part(u, &err))
        complain(u, &err); /* it is retried: a part has been played */
    loop_later(u->its->loop, &u->go);
}

/* Continue with the next part, if there is one. */
static bool next_part(struct unit *u)
{
    struct hand *hand = hands_now(&u->hands);
    bool more;

    text_join(hand->entropy, sizeof hand->entropy, u->group.entropy, NULL);
    for (int i = 0; i < seats_of(u); i++)
        if (u->connection[i] && u->connection[i]->why_gone)
            u->unplayed += hands_drop_new(&u->hands);
    hand = hands_now(&u->hands);
    more = hands_next(&u->hands);
    if (u->hands.count > 1)
        unit_mark_hand(u, hand);
    return more;
}

/* No more of it is played. */
static void drop_hands(struct unit *u)
{
    for (int i = 0; i < u->hands.count; i++)
        if (i != u->hands.at && u->hands.hand[i].part > 1 &&
            u->hands.hand[i].part <= u->hands.parts)
            unit_unmark_hand(u, &u->hands.hand[i]);
}

static void on_over(struct group *g, struct table *table)
{
    struct unit *u = unit_of(g);
    const struct match *match = table_match(table);

    unit_count_over(u, match);
    news_over(u, match);
    unit_keep_summary(u, match);
    syncer_forget(u->its->syncer, u);
}

/*
 * Count what its bots have logged. The bots of the next part have other files.
 */
static void charge_logs(struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++) {
        const struct bot_log log = log_of(u, i);

        if (log.player)
            bot_logs_charge(u->units->logs, &log);
    }
}

/* Play every part, even after a fault, because only a whole group counts. */
static void on_next(struct group *g)
{
    struct unit *u = unit_of(g);

    charge_logs(u);
    u->was_broken_off = u->in_doubt = false;
    strcpy(u->closed, g->id);
    if (!u->was_refused && next_part(u)) {
        prepare_next_part(u);
        return;
    }
    if (u->was_refused)
        drop_hands(u);
    unit_queue_for_index(u);
    unit_end(u, u->was_refused ? hands_left(&u->hands) - 1 : 0);
}

/* Records go to the archive. */
static const struct group_calls group_calls = {
    .table =
        {
            .on_move = on_move,
            .on_over = group_over,
            .open_record = unit_on_store,
            .on_trouble = unit_on_trouble,
            .keep_record = unit_on_keep,
        },
    .log_path = log_path,
    .on_over = on_over,
    .on_next = on_next,
};

void units_break_off(struct units *units)
{
    while (units->list)
        break_off(units->list);
}

/* All of them. */

struct units *units_new(const struct units_context *context, int64_t games_max,
                        const struct units_owner *calls, void *owner)
{
    struct units *units = must_alloc(calloc(1, sizeof *units));

    units->its = *context;
    units->games_max = games_max;
    units->calls = calls;
    units->owner = owner;
    units->logs = bot_logs_new(context->loop, context->log, context->archive);
    units->notes.window_us = day_us;
    return units;
}

void units_free(struct units *units)
{
    if (!units)
        return;
    bot_logs_free(units->logs);
    budget_release(&units->notes);
    free(units);
}

void units_name(struct units *units, const char *session)
{
    text_join(units->session, sizeof units->session, session, NULL);
}

void units_configure(struct units *units, struct generation *generation)
{
    bot_logs_configure(units->logs, generation->config);
    units->generation = generation;
}

struct unit *units_list(const struct units *units)
{
    return units->list;
}

struct unit *units_playing(const struct units *units, const char *id)
{
    for (struct unit *u = units->list; u; u = u->next)
        if (u->group.table && strcmp(u->group.id, id) == 0)
            return u;
    return NULL;
}
