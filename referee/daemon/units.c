#include "daemon/units.h"

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/bot_logs.h"
#include "daemon/budget.h"
#include "daemon/news.h"
#include "store/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t mib = 1 << 20;
static const int64_t day_us = INT64_C(86400000000);

struct units {
    struct units_context its;
    const struct units_owner *calls;
    void *owner;
    struct generation *generation; /* of new ones */
    struct unit *list;
    int number;                     /* of the last one that began here */
    char session[SESSION_TEXT + 1]; /* makes ids unique */
    struct date date;               /* for the records */
    int64_t games_max;              /* 0: any number */
    int64_t begun;         /* of these games; not those that were void */
    int stuck;             /* tables whose record cannot be written */
    struct bot_logs *logs; /* of local bots */
    struct budget notes;   /* bytes of them that went into records */
};

static struct unit *unit_of(struct group *group)
{
    return (struct unit *)group; /* its first member */
}

static int seats_of(const struct unit *u)
{
    return group_seats(&u->group);
}

const char *unit_name_at(const struct unit *u, int seat)
{
    return u->group.member[group_member_at(&u->group, seat)].name;
}

void part_id(const char *unit, int part, char id[GROUP_ID_MAX + 1])
{
    snprintf(id, GROUP_ID_MAX + 1, "%.*s-%d", UNIT_ID_MAX, unit, part);
}

/* "SESSION-000012-3" is part 3 of a group; 0 if it is none. */
int part_in(const char *id, char unit[GROUP_ID_MAX + 1])
{
    const char *dash = strrchr(id, '-'), *at = dash ? dash + 1 : "";
    int part;

    snprintf(unit, GROUP_ID_MAX + 1, "%.*s", (int)(dash ? dash - id : 0), id);
    return strlen(at) == 1 && take_int(&at, 1, SEATS_MAX, &part) && at_end(at)
               ? part
               : 0;
}

bool units_are_enough(const struct units *units)
{
    return units->games_max > 0 && units->begun >= units->games_max;
}

/* Games of people do not count for --games. */
static void count_begun(struct unit *u, int games)
{
    if (!u->config->is_for_people)
        u->units->begun += games;
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

/* A part that has begun, and whose file is there. */

static void queue_for_index(struct unit *u)
{
    struct closed_game game = {.ladder = u->ladder, .seats = seats_of(u)};

    if (!u->closed[0])
        return;
    strcpy(game.id, u->closed);
    strcpy(game.location, u->location);
    game.has_file = u->has_file;
    memcpy(game.entrant, u->entrant, sizeof game.entrant);
    game.summary = u->summary;
    u->closed[0] = u->location[0] = '\0';
    u->summary = NULL;
    u->ladder->closing++;
    closing_add(u->its->closing, &game);
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

static void on_trouble(void *owner, struct table *table, const char *why)
{
    struct unit *u = unit_of(owner);
    struct units *units = u->units;

    u->in_doubt = true;
    units->stuck += why ? 1 : -1;
    if (why)
        trouble_begin(units->its.troubles, TROUBLE_RECORD,
                      "records cannot be written: %s", why);
    else if (units->stuck == 0)
        trouble_end(units->its.troubles, TROUBLE_RECORD);
}

static void on_synced(void *arg, int error)
{
    struct unit *u = arg;

    table_stored(u->group.table, error);
}

static bool on_keep(void *owner, struct table *table, int record,
                    struct err *err)
{
    struct unit *u = unit_of(owner);
    struct record_writer *w = match_record(table_match(table));
    const struct record_bytes bytes = {record, w->taken, &w->text};
    char path[PATH_BYTES];

    u->has_file = record != -1;
    if (!archive_keep(u->its->archive, u->ladder->name, &bytes, u->location,
                      err))
        return false;
    if (u->generation->config->durable) {
        archive_file(u->its->archive, u->location, path, sizeof path);
        syncer_ask(u->its->syncer, path, on_synced, u);
    } else {
        table_stored(table, 0);
    }
    return true;
}

static struct bot_log log_of(const struct unit *u, int member)
{
    return (struct bot_log){.ladder = u->ladder->name,
                            .start = u->start,
                            .id = u->group.id,
                            .player = u->group.member[member].player};
}

/* Where a bot's stderr goes; nowhere, if that cannot be. */
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

/* Its file in running/; with what is there of it, or empty. */
static int open_running(const struct unit *u, bool keeps)
{
    char path[PATH_BYTES];

    archive_running_path(u->its->archive, u->group.id, path, sizeof path);
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | (keeps ? 0 : O_TRUNC),
                0600);
}

/* With what is whole of it; the rest is cut off. */
static bool open_record(struct unit *u, size_t whole, struct err *err)
{
    u->record = open_running(u, whole > 0);
    if (u->record == -1)
        return fail(err, "running/%s.rec cannot be opened: %s", u->group.id,
                    strerror(errno));
    if (whole == 0)
        return true;
    if (ftruncate(u->record, (off_t)whole) == 0 &&
        lseek(u->record, 0, SEEK_END) == (off_t)whole)
        return true;
    fail(err, "running/%s.rec cannot be cut: %s", u->group.id, strerror(errno));
    close(u->record);
    u->record = -1;
    return false;
}

static int on_store(void *owner, struct table *table)
{
    return open_running(unit_of(owner), false);
}

static void unlink_record(const struct unit *u)
{
    char path[PATH_BYTES];

    archive_running_path(u->its->archive, u->group.id, path, sizeof path);
    unlink(path);
}

/* Its bots may be on their way back, from before the break or a part ago. */
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

/* Or who likes a deal for one seat only would go before it has another. */
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

/* Notes. */

static const char *owner_of(const struct unit *u, int member)
{
    const struct member *m = &u->group.member[member];
    const struct key_entry *key =
        m->player ? NULL : key_named(u->generation->config, m->name);

    return m->player ? m->player->owner : key ? key->owner : "";
}

/* Who is over its budget when a game begins has none of its notes kept. */
static void mute(struct unit *u, int member)
{
    const struct serve_config *c = u->generation->config;
    const struct budget_limits limits = {mib * c->bot_note_mib,
                                         mib * c->note_mib};
    struct member *m = &u->group.member[member];
    bool is_news;

    m->is_muted = !budget_allows(&u->units->notes, m->name, owner_of(u, member),
                                 &limits, now_us(), &is_news);
    if (is_news)
        log_line(u->its->log, LOG_WARNING, NULL,
                 "%s loses its notes for up to a day: note-budget or "
                 "bot-note-budget is used up",
                 m->name);
}

static void charge_notes(struct unit *u, const struct match *match)
{
    for (int i = 0; i < seats_of(u); i++) {
        int bytes = match_note_bytes(match, i);
        int member = group_member_at(&u->group, i);

        if (bytes > 0)
            budget_charge(&u->units->notes, u->group.member[member].name,
                          owner_of(u, member), bytes, now_us());
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
        mute(u, i);
        if (u->connection[i])
            u->connection[i]->games++;
    }
    group_play(&u->group, broken, record);
    news_game(u);
    forfeit_gone(u);
}

/* A unit that has not begun goes; the rest of another waits. */
static void give_up(struct unit *u, const struct err *err)
{
    trouble_begin(u->its->troubles, TROUBLE_START,
                  "a game cannot be started: %s", err->text);
    if (hands_have_begun(&u->hands) || u->was_broken_off)
        return;
    if (u->record != -1)
        unlink_record(u);
    unit_end(u, hands_left(&u->hands));
}

/*
 * The file of a part comes first, and only then the part before goes to the
 * index: so whoever finds the one or the other knows that the unit goes on. A
 * game alone has a file when there is something to store, unless it has one.
 */
static bool open_part(struct unit *u, struct err *err)
{
    if ((u->group.last > 0 || u->was_broken_off) && u->record == -1 &&
        !open_record(u, 0, err))
        return false;
    queue_for_index(u);
    return true;
}

static void play(struct unit *u)
{
    struct units *units = u->units;
    struct err err;

    if (!open_part(u, &err) || !group_start_bots(&u->group, &err)) {
        give_up(u, &err);
        return;
    }
    trouble_end(units->its.troubles, TROUBLE_START);
    log_line(units->its.log, LOG_DEBUG, u->group.id, "%s starts on %s",
             u->config->game->name, u->ladder->name);
    open_table(u, NULL);
}

/* An empty file says that the unit goes on with this part; or else the file of
 * the part before does, which is not handed in then. */
static void mark_next_part(struct unit *u)
{
    struct err err;

    if (!open_part(u, &err))
        log_line(u->its->log, LOG_WARNING, u->group.id, "%s", err.text);
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
        mark_next_part(u);
    else if (u->record != -1)
        unlink_record(u);
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

/* Local bots are started anew for each part, and need not play in turn. */
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

/* It began in another run. */
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
    if (!open_record(u, broken->bytes->len, err) ||
        !group_start_bots(&u->group, err)) {
        unit_end(u, hands_left(&u->hands));
        return false;
    }
    log_line(u->its->log, LOG_INFO, u->group.id, "%s continues on %s",
             u->config->game->name, u->ladder->name);
    open_table(u, broken);
    return true;
}

/* A part is over. */

static void count_result(struct unit *u, const struct match *match)
{
    struct units *units = u->units;

    units->its.metrics->games_running--;
    u->ladder->done++;
    if (match_is_void(match)) {
        units->its.metrics->games_void++;
        count_begun(u, -1);
    } else {
        units->its.metrics->games_done++;
    }
}

/* Who failed again and again has to rest. */
static void count_failure(struct unit *u, int member, bool failed)
{
    struct ladder *l = u->ladder->memory;
    int64_t rest_us =
        ladder_failed(l, u->entrant[member], failed, u->start_us, now_us());

    if (rest_us > 0)
        log_line(u->its->log, rest_us == REST_FIRST_US ? LOG_WARNING : LOG_INFO,
                 NULL,
                 "%s failed in %d games in a row and rests for %d s on %s",
                 u->group.member[member].name,
                 ladder_failures(l, u->entrant[member]),
                 (int)(rest_us / 1000000), u->ladder->name);
}

/* One of these two may have given the game to the other. */
static void count_gift(struct unit *u, const struct match *match, int i, int j)
{
    int a = u->entrant[group_member_at(&u->group, i)];
    int b = u->entrant[group_member_at(&u->group, j)];
    bool i_left = match_why(match, i), j_left = match_why(match, j);
    int giver = i_left == j_left ? NO_ENTRANT : i_left ? a : b;
    int64_t rest_us =
        ladder_gave(u->ladder->memory, a, b, giver, u->start_us, now_us());

    if (rest_us > 0)
        log_line(u->its->log, LOG_WARNING, NULL,
                 "%s has given game after game to %s on %s: they do not meet "
                 "for %d s",
                 unit_name_at(u, i_left ? i : j),
                 unit_name_at(u, i_left ? j : i), u->ladder->name,
                 (int)(rest_us / 1000000));
}

static void count_gifts(struct unit *u, const struct match *match)
{
    for (int i = 0; i < seats_of(u) && !match_is_void(match); i++)
        for (int j = 0; j < i; j++)
            count_gift(u, match, i, j);
}

/* Before the game began: it is void, and that bot is not asked again here. */
static bool was_refused(const struct match *match, int seat)
{
    enum why why;

    return match_is_void(match) && match_has_left(match, seat, &why) &&
           why == WHY_REFUSE;
}

static void note_refusal(struct unit *u, int member)
{
    ladder_refused(u->ladder->memory, u->entrant[member]);
    log_line(u->its->log, LOG_WARNING, NULL,
             "%s does not play %s: it gets no games on %s until it has "
             "another version",
             u->group.member[member].name, u->config->game->name,
             u->ladder->name);
}

static void count_leavers(struct unit *u, const struct match *match)
{
    struct units *units = u->units;

    for (int i = 0; i < seats_of(u); i++) {
        enum why why = WHY_RESIGN;

        if (match_has_left(match, i, &why)) {
            units->its.metrics->faults[why]++;
            log_line(units->its.log, LOG_INFO, u->group.id, "%s %s (%s): %s",
                     unit_name_at(u, i),
                     match_why(match, i) ? "left" : "failed at the end",
                     why_word(why), match_detail(match, i));
        }
        if (was_refused(match, i)) {
            note_refusal(u, group_member_at(&u->group, i));
            u->was_refused = true;
        }
        if (!match_is_void(match))
            count_failure(u, group_member_at(&u->group, i), why != WHY_RESIGN);
    }
}

/* "rondo on main: names=anna,bob result ranks=1,2 ..." */
static void log_result(const struct unit *u, const struct match *match)
{
    const char *why[SEATS_MAX] = {0};
    struct buf text;

    buf_init(&text, 512);
    for (int i = 0; i < seats_of(u); i++) {
        buf_str(&text, i == 0 ? "names=" : ",");
        buf_str(&text, unit_name_at(u, i));
        why[i] = match_why(match, i);
    }
    buf_char(&text, ' ');
    if (match_is_void(match))
        buf_str(&text, "void");
    else
        result_write(match_result(match), seats_of(u), why, &text);
    log_line(u->its->log, LOG_INFO, u->group.id, "%s on %s: %s",
             u->config->game->name, u->ladder->name, text.text);
    buf_release(&text);
}

/* So that nobody has to read what was just written, if that went well. */
static void keep_summary(struct unit *u, const struct match *match)
{
    if (u->in_doubt)
        return;
    u->summary = must_alloc(malloc(sizeof *u->summary));
    if (match_summary(match, u->summary))
        return;
    free(u->summary);
    u->summary = NULL;
}

/* A local bot that had left before a break is started again like the others. */
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

/* A part of a hand has a file before it is played, or a break would lose it. */
static void mark_hand(struct unit *u, const struct hand *hand)
{
    char id[GROUP_ID_MAX + 1], path[PATH_BYTES];
    int fd;

    if (hand->part > u->hands.parts)
        return;
    part_id(hand->id, hand->part, id);
    archive_running_path(u->its->archive, id, path, sizeof path);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd == -1)
        log_line(u->its->log, LOG_WARNING, id, "%s cannot be made: %s", path,
                 strerror(errno));
    else
        close(fd);
}

static void unmark_hand(const struct unit *u, const struct hand *hand)
{
    char id[GROUP_ID_MAX + 1], path[PATH_BYTES];

    part_id(hand->id, hand->part, id);
    archive_running_path(u->its->archive, id, path, sizeof path);
    unlink(path);
}

/* The group is to play this hand. */
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

/* What is over is handed in, if the next part has its file. */
static void prepare_next_part(struct unit *u)
{
    struct err err;

    replace_gone(u);
    take_hand(u);
    if (!open_part(u, &err))
        give_up(u, &err);
    loop_later(u->its->loop, &u->go);
}

/* Go on to the next part, if there is one. */
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
        mark_hand(u, hand);
    return more;
}

/* Nothing more of it is played. */
static void drop_hands(struct unit *u)
{
    for (int i = 0; i < u->hands.count; i++)
        if (i != u->hands.at && u->hands.hand[i].part > 1 &&
            u->hands.hand[i].part <= u->hands.parts)
            unmark_hand(u, &u->hands.hand[i]);
}

static void on_over(struct group *g, struct table *table)
{
    struct unit *u = unit_of(g);
    const struct match *match = table_match(table);

    count_result(u, match);
    count_leavers(u, match);
    count_gifts(u, match);
    charge_notes(u, match);
    log_result(u, match);
    news_over(u, match);
    keep_summary(u, match);
    syncer_forget(u->its->syncer, u);
}

/* What its bots have logged. Those of the next part have other files. */
static void charge_logs(struct unit *u)
{
    for (int i = 0; i < seats_of(u); i++) {
        const struct bot_log log = log_of(u, i);

        if (log.player)
            bot_logs_charge(u->units->logs, &log);
    }
}

/* Every part is played, whoever has failed: a group is worth nothing else. */
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
    queue_for_index(u);
    unit_end(u, u->was_refused ? hands_left(&u->hands) - 1 : 0);
}

/* Records go to the archive. */
static const struct group_calls group_calls = {
    .table =
        {
            .on_move = on_move,
            .on_over = group_over,
            .open_record = on_store,
            .on_trouble = on_trouble,
            .keep_record = on_keep,
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
