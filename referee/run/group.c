#include "run/group.h"

#include "base/text.h"

#include <limits.h>
#include <string.h>

void group_init(struct group *g)
{
    buf_init(&g->deal, DEAL_TEXT_MAX);
}

void group_release(struct group *g)
{
    buf_release(&g->deal);
}

void group_deal(struct group *g, const uint8_t seed[SEED_BYTES])
{
    memcpy(g->seed, seed, sizeof g->seed);
    g->entropy[0] = '\0';
    game_deal(g->match.game, &g->match.setup, g->seed, &g->deal);
}

void group_mix(struct group *g, const char *entropy)
{
    uint8_t seed[SEED_BYTES];

    if (strcmp(g->entropy, entropy ? entropy : "") == 0)
        return;
    text_join(g->entropy, sizeof g->entropy, entropy ? entropy : "", NULL);
    seed_mix(g->seed, entropy, seed);
    game_deal(g->match.game, &g->match.setup, seed, &g->deal);
}

int group_rotate(int seats, int game, int seat)
{
    return (seat + seats - game % seats) % seats;
}

int group_member_at(const struct group *g, int seat)
{
    return group_rotate(group_seats(g), g->game, seat);
}

/* Answers that it still owed from the last game. */
static void on_line(void *owner, struct peer *peer, char *line, size_t len)
{
    struct answer answer;

    talk_line(peer->talk, line, len, &answer);
}

static void on_sent(void *owner, struct peer *peer)
{
}

/* Where bots go when a group no longer needs them. */

static void on_lost_at_home(void *owner, struct peer *peer, enum why why,
                            const char *detail)
{
    bot_kill(bot_of(peer));
}

static void on_ended(void *owner, struct bot *bot)
{
    struct home *home = owner;

    home->bots--;
    bot_free(bot);
    home->on_ended(home->arg);
}

static const struct peer_owner at_home = {
    .on_line = on_line, .on_sent = on_sent, .on_lost = on_lost_at_home};

static void adopt(struct home *home, struct bot *bot)
{
    home->bots++;
    peer_listen(&bot->peer, &at_home, home);
    bot->on_ended = on_ended;
    bot->owner = home;
}

void home_take(struct home *home, struct bot *bot, bool politely)
{
    adopt(home, bot);
    if (bot->phase == BOT_ENDED)
        on_ended(home, bot);
    else if (politely && !bot->lost)
        bot_quit(bot);
    else
        bot_kill(bot);
}

/* Bots. */

/*
 * Between games. The bot may be about to report its end, so it is not freed
 * yet.
 */
static void on_lost(void *owner, struct peer *peer, enum why why,
                    const char *detail)
{
    struct group *g = owner;
    struct bot *bot = bot_of(peer);

    for (int i = 0; i < SEATS_MAX; i++)
        if (g->bot[i] == bot)
            g->bot[i] = NULL;
    adopt(g->home, bot);
    bot_kill(bot);
}

/* A bot is lost before it ends, and a lost bot has been sent home. */
static const struct peer_owner between_games = {
    .on_line = on_line, .on_sent = on_sent, .on_lost = on_lost};

static void send_home(struct group *g, int i, bool politely)
{
    struct bot *bot = g->bot[i];

    g->bot[i] = NULL;
    home_take(g->home, bot, politely);
}

void group_dismiss(struct group *g, bool politely)
{
    for (int i = 0; i < SEATS_MAX; i++)
        if (g->bot[i])
            send_home(g, i, politely);
}

/* The member whose bot this is, or -1. */
static int member_of(const struct group *g, const struct bot *bot)
{
    for (int i = 0; i < group_seats(g); i++)
        if (g->member[i].player && &g->member[i].player->bot == bot->config)
            return i;
    return -1;
}

void group_dismiss_strangers(struct group *g)
{
    for (int i = 0; i < SEATS_MAX; i++)
        if (g->bot[i] && member_of(g, g->bot[i]) < 0)
            send_home(g, i, true);
}

/* The i-th bot must be the bot of the i-th member. */
static void line_up(struct group *g)
{
    struct bot *old[SEATS_MAX];

    group_dismiss_strangers(g);
    memcpy(old, g->bot, sizeof old);
    memset(g->bot, 0, sizeof g->bot);
    for (int i = 0; i < SEATS_MAX; i++)
        if (old[i])
            g->bot[member_of(g, old[i])] = old[i];
}

static bool needs_bot(const struct group *g, int member)
{
    return g->member[member].player && !g->member[member].peer;
}

static bool start_bot(struct group *g, int i, struct err *err)
{
    char path[PATH_MAX];

    if (!g->bot[i]) {
        g->bot[i] = bot_new(g->loop, &g->member[i].player->bot, err);
        if (!g->bot[i])
            return false;
        peer_listen(&g->bot[i]->peer, &between_games, g);
    }
    g->calls->log_path(g, i, path, sizeof path);
    bot_set_log(g->bot[i], path);
    return true;
}

bool group_start_bots(struct group *g, struct err *err)
{
    line_up(g);
    for (int i = 0; i < group_seats(g); i++)
        if (needs_bot(g, i) && !start_bot(g, i, err))
            return false;
    return true;
}

/* Games. */

static void fill_config(const struct group *g, struct match_config *m)
{
    *m = g->match;
    m->id = g->id;
    m->about = g->about[0] ? g->about : NULL;
    m->deal = m->game->deal ? g->deal.text : NULL;
    m->seed = g->seed;
    m->entropy = g->entropy[0] ? g->entropy : NULL;
    m->asks_entropy = group_part(g) == 1;
    m->part = group_part(g);
    m->reveal_seed = g->game == g->last;
    for (int i = 0; i < group_seats(g); i++) {
        const struct member *member = &g->member[group_member_at(g, i)];

        m->name[i] = member->name;
        m->time[i] = *member->time;
        m->version[i] = member->version;
        m->muted |= member->is_muted ? SEAT(i) : 0;
        if (!member->player)
            continue;
        m->digest[i] = member->player->digest;
        if (member->player->bot.walls)
            m->walls[i] = wall_word(member->player->bot.walls->wall);
    }
}

static struct peer *take_peer(struct group *g, int member)
{
    return g->bot[member] ? &g->bot[member]->peer : g->member[member].peer;
}

/* The processors that only this bot uses. */
static void tell_cores(struct group *g, struct match *match)
{
    char text[CORES_TEXT];

    for (int i = 0; i < group_seats(g); i++) {
        const struct bot *bot = g->bot[group_member_at(g, i)];

        if (!bot || bot->share.count == 0)
            continue;
        cores_text(&bot->share.set, text);
        match_remark(match, i, "cores", text);
    }
}

void group_play(struct group *g, const struct broken_game *broken, int record)
{
    struct peer *peers[SEATS_MAX];
    struct talk *talks[SEATS_MAX];
    struct match_config config;
    struct match *match;

    fill_config(g, &config);
    for (int i = 0; i < group_seats(g); i++) {
        peers[i] = take_peer(g, group_member_at(g, i));
        talks[i] = peers[i]->talk;
    }
    match = broken ? match_resume(&config, talks, broken->replay, broken->told,
                                  broken->bytes, loop_now(g->loop))
                   : match_new(&config, talks, loop_now(g->loop));
    tell_cores(g, match);
    g->table = table_new(g->loop, match, peers, group_seats(g), record,
                         &g->calls->table, g);
}

/*
 * Must this bot be replaced? Yes if bots are restarted for every game, or if
 * the next game has the same deal, because a bot that stays would know all of
 * it.
 */
static bool is_asked_to_go(const struct group *g, const struct bot *bot)
{
    return bot->config->restarts || (g->match.game->deal && g->game < g->last);
}

/* Members whose bots must be replaced or have failed. */
static seat_set leavers(const struct group *g, const struct match *match)
{
    seat_set leave = 0;

    for (int i = 0; i < group_seats(g); i++) {
        int member = group_member_at(g, i);

        if (g->bot[member] && (is_asked_to_go(g, g->bot[member]) ||
                               match_broken(match) & SEAT(i)))
            leave |= SEAT(member);
    }
    return leave;
}

/* It must be gone before the next game. */
static bool is_dying(const struct bot *bot)
{
    return bot->phase != BOT_RUNNING || bot->lost;
}

static void settle_bots(struct group *g, seat_set leave)
{
    for (int i = 0; i < group_seats(g); i++) {
        if (!g->bot[i])
            continue;
        peer_listen(&g->bot[i]->peer, &between_games, g);
        if (leave & SEAT(i) || is_dying(g->bot[i]))
            send_home(g, i, is_asked_to_go(g, g->bot[i]));
    }
}

void group_over(void *arg, struct table *table)
{
    struct group *g = arg;
    seat_set leave = leavers(g, table_match(table));

    group_mix(g, match_entropy(table_match(table)));
    g->table = NULL; /* a game that is over is not broken off */
    g->calls->on_over(g, table);
    table_free(table);
    settle_bots(g, leave);
    g->calls->on_next(g);
}

void group_break_off(struct group *g)
{
    if (!g->table)
        return;
    table_free(g->table);
    g->table = NULL;
    settle_bots(g, 0);
}
