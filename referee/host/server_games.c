#include "host/server_state.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REST_S = 5 }; /* after a game could not be started */

/* Ladders. */

static struct ladder *find_ladder(struct server *s, const char *name)
{
    for (int i = 0; i < s->ladders; i++)
        if (strcmp(s->ladder[i].name, name) == 0)
            return &s->ladder[i];
    return NULL;
}

static bool is_named(const struct serve_config *c, const char *ladder)
{
    for (int i = 0; i < c->ladders; i++)
        if (strcmp(c->ladder[i].name, ladder) == 0)
            return true;
    return false;
}

/* A new one, or that of a ladder which is gone. */
static struct ladder *free_ladder(struct server *s)
{
    struct ladder *ladder = NULL;

    if (s->ladders < SERVE_LADDERS_MAX)
        ladder = &s->ladder[s->ladders++];
    for (int i = 0; i < s->ladders && !ladder; i++)
        if (!is_named(config_of(s), s->ladder[i].name) &&
            s->ladder[i].running == 0)
            ladder = &s->ladder[i];
    if (ladder)
        *ladder = (struct ladder){0};
    return ladder;
}

/* Ladders that are new join; those that are gone finish their games. */
void ladders_read(struct server *s)
{
    const struct serve_config *c = config_of(s);

    for (int i = 0; i < s->ladders; i++)
        s->ladder[i].config = NULL;
    for (int i = 0; i < c->ladders; i++) {
        struct ladder *ladder = find_ladder(s, c->ladder[i].name);

        if (!ladder)
            ladder = free_ladder(s);
        if (!ladder) {
            log_line(
                &s->log, LOG_ERROR, NULL,
                "no room for the ladder %s until games of removed ones end",
                c->ladder[i].name);
            continue;
        }
        if (!ladder->name[0]) {
            snprintf(ladder->name, sizeof ladder->name, "%s",
                     c->ladder[i].name);
        }
        ladder->config = &c->ladder[i];
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool may_join(const struct ladder_config *c, const char *name)
{
    return c->joins_all ||
           (c->joiners > 0 && bsearch(&name, c->joiner, (size_t)c->joiners,
                                      sizeof *c->joiner, by_text));
}

static bool is_waiting(const struct net *n)
{
    return n->phase == NET_IDLE && !n->why_gone;
}

/* The queue: thousands may play, but few wait. */

void queue_join(struct server *s, struct net *n)
{
    if (n->queued)
        return;
    if (s->queue_len == s->queue_cap) {
        s->queue_cap = s->queue_cap ? 2 * s->queue_cap : 64;
        s->queue = realloc(s->queue, (size_t)s->queue_cap * sizeof *s->queue);
        if (!s->queue)
            abort();
    }
    n->queued = true;
    s->queue[s->queue_len++] = n;
}

static void take_out(struct server *s, int i)
{
    s->queue[i]->queued = false;
    s->queue[i] = s->queue[--s->queue_len];
}

void queue_leave(struct server *s, struct net *n)
{
    for (int i = 0; n->queued && i < s->queue_len; i++)
        if (s->queue[i] == n)
            take_out(s, i);
}

static void queue_tidy(struct server *s)
{
    for (int i = s->queue_len - 1; i >= 0; i--)
        if (!is_waiting(s->queue[i]))
            take_out(s, i);
}

/* No bot plays against itself. */
static bool is_seated(const struct game_seat *seats, int count,
                      const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(seats[i].name, name) == 0)
            return true;
    return false;
}

/* Those who have waited longest, one of each name. */
static int choose(struct server *s, const struct ladder_config *c,
                  struct game_seat *seats, int64_t *first_us)
{
    int count = 0;

    queue_tidy(s);
    while (count < c->setup.seats) {
        struct net *best = NULL;

        for (int i = 0; i < s->queue_len; i++) {
            struct net *n = s->queue[i];

            if ((!best || n->since_us < best->since_us) &&
                may_join(c, n->name) && !is_seated(seats, count, n->name))
                best = n;
        }
        if (!best)
            break;
        if (count == 0)
            *first_us = best->since_us;
        seats[count++] = (struct game_seat){.net = best, .name = best->name};
    }
    return count;
}

/* Games. */

static void on_bot_line(void *owner, struct bot *bot, char *line, size_t len)
{
}

static void on_bot_sent(void *owner, struct bot *bot)
{
}

static void on_bot_lost(void *owner, struct bot *bot, enum why why,
                        const char *detail)
{
    bot_kill(bot);
}

static void on_bot_ended(void *owner, struct bot *bot)
{
    struct generation *g = owner;

    g->bots--;
    g->server->bots_alive--;
    bot_free(bot);
    end_if_done(g->server);
}

static const struct bot_owner bot_calls = {on_bot_line, on_bot_sent,
                                           on_bot_lost, on_bot_ended};

static void send_home(struct generation *g, struct bot *bot)
{
    bot_listen(bot, &bot_calls, g);
    if (bot->phase == ENDED)
        on_bot_ended(g, bot);
    else if (bot->lost)
        bot_kill(bot);
    else
        bot_quit(bot);
}

static const struct player *local_bot(const struct serve_config *c,
                                      const char *name)
{
    for (int i = 0; i < c->bots; i++)
        if (strcmp(c->bot[i].bot.name, name) == 0)
            return &c->bot[i];
    return NULL;
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
    struct running_game *g = owner;

    g->server->metrics.moves++;
    metrics_lag(&g->server->metrics,
                match_pace(table_match(table), seat)->lag_us);
}

static void free_game(struct running_game *g)
{
    struct server *s = g->server;
    struct running_game **at = &s->games;

    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    if (g->table)
        table_free(g->table);
    for (int i = 0; i < g->config->setup.seats; i++) {
        struct net *net = g->seat[i].net;

        if (net) {
            net_unseat(net);
            queue_join(s, net);
        }
        if (net && is_revoked(s, net))
            net_end(net, "its key was removed");
        if (g->seat[i].bot)
            send_home(g->generation, g->seat[i].bot);
    }
    g->ladder->running--;
    g->generation->games--;
    s->metrics.games_running--;
    buf_release(&g->deal);
    free(g);
}

static void count_result(struct running_game *g)
{
    struct server *s = g->server;
    const struct match *match = table_match(g->table);
    enum why why;

    g->ladder->done++;
    if (match_is_void(match))
        s->metrics.games_void++;
    else
        s->metrics.games_done++;
    for (int i = 0; i < g->config->setup.seats; i++)
        if (match_has_left(match, i, &why)) {
            s->metrics.faults[why]++;
            log_line(&s->log, LOG_INFO, g->id, "%s left (%s): %s",
                     g->seat[i].name, why_word(why), match_detail(match, i));
        }
}

static void log_result(const struct running_game *g)
{
    const struct match *match = table_match(g->table);
    const char *why[SEATS_MAX] = {0};
    struct buf text;

    buf_init(&text, 256);
    for (int i = 0; i < g->config->setup.seats; i++)
        why[i] = match_why(match, i);
    if (!match_is_void(match))
        result_write(match_result(match), g->config->setup.seats, why, &text);
    log_line(&g->server->log, LOG_INFO, g->id, "%s",
             match_is_void(match) ? "void" : text.text);
    buf_release(&text);
}

static void record_path(const struct running_game *g, char *path, size_t size)
{
    snprintf(path, size, "%s/%s.rec", g->generation->config->data, g->id);
}

/* Of a game in which nothing has happened. */
static void unlink_record(const struct running_game *g)
{
    char path[512];

    record_path(g, path, sizeof path);
    unlink(path);
}

static void on_over(void *owner, struct table *table)
{
    struct running_game *g = owner;
    struct server *s = g->server;

    if (match_is_spoiled(table_match(table))) {
        log_line(&s->log, LOG_INFO, g->id, "a bot has gone; it never began");
        unlink_record(g);
    } else {
        count_result(g);
        log_result(g);
    }
    free_game(g);
    start_games(s);
    end_if_done(s);
}

static const struct table_owner table_calls = {.on_move = on_move,
                                               .on_over = on_over};

/* Chance decides who sits where. */
static void shuffle_seats(struct running_game *g)
{
    for (int i = g->config->setup.seats - 1; i > 0; i--) {
        int j = (int)randombytes_uniform((uint32_t)i + 1);
        struct game_seat hold = g->seat[i];

        g->seat[i] = g->seat[j];
        g->seat[j] = hold;
    }
}

static void deal(struct running_game *g)
{
    const struct game *game = g->config->game;
    struct rng rng;

    randombytes_buf(g->seed, SEED_BYTES);
    buf_init(&g->deal, DEAL_TEXT_MAX);
    if (!game->deal)
        return;
    rng_seed(&rng, g->seed);
    game->deal(&g->config->setup, &rng, &g->deal);
}

static bool start_local_bots(struct running_game *g, struct err *err)
{
    const struct serve_config *c = g->generation->config;
    char path[512];

    for (int i = 0; i < g->config->setup.seats; i++) {
        struct game_seat *seat = &g->seat[i];

        if (seat->net)
            continue;
        seat->bot =
            bot_new(&g->server->loop, &local_bot(c, seat->name)->bot, err);
        if (!seat->bot)
            return false;
        g->server->bots_alive++;
        g->generation->bots++;
        snprintf(path, sizeof path, "%s/%s.%s.log", c->data, g->id, seat->name);
        bot_set_log(seat->bot, path);
    }
    return true;
}

/* A daemon that was started in the same second may have taken some names. */
static int open_record(struct running_game *g, struct err *err)
{
    struct server *s = g->server;
    char path[512];
    int fd;

    do {
        snprintf(g->id, sizeof g->id, "%s-%06d", s->session, ++s->game_number);
        record_path(g, path, sizeof path);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
                  0600);
    } while (fd == -1 && errno == EEXIST);
    if (fd == -1)
        fail(err, "%s cannot be written: %s", path, strerror(errno));
    return fd;
}

static void fill_config(const struct running_game *g, struct match_config *m)
{
    const struct ladder_config *c = g->config;
    const struct player *player;

    *m = (struct match_config){.game = c->game,
                               .setup = c->setup,
                               .id = g->id,
                               .deal = c->game->deal ? g->deal.text : NULL,
                               .seed = g->seed,
                               .reveal_seed = true,
                               .start_us = c->start_us,
                               .none_us = c->none_us,
                               .lenience_us = c->lenience_us,
                               .retries = c->retries};
    for (int i = 0; i < c->setup.seats; i++) {
        m->name[i] = g->seat[i].name;
        m->time[i] = c->time;
        player = g->seat[i].net ? NULL
                                : local_bot(g->generation->config, m->name[i]);
        if (player)
            m->digest[i] = player->digest;
    }
}

static void open_table(struct running_game *g, int record)
{
    struct server *s = g->server;
    struct match_config config;
    struct peer *peers[SEATS_MAX];
    struct talk *talks[SEATS_MAX];
    int seats = g->config->setup.seats;

    fill_config(g, &config);
    for (int i = 0; i < seats; i++) {
        struct game_seat *seat = &g->seat[i];

        peers[i] = seat->net ? &seat->net->peer : &seat->bot->peer;
        talks[i] = peers[i]->talk;
    }
    g->table =
        table_new(&s->loop, match_new(&config, talks, loop_now(&s->loop)),
                  peers, seats, record, &table_calls, g);
}

static void start_game(struct server *s, struct ladder *ladder,
                       const struct game_seat *seats)
{
    struct running_game *g = calloc(1, sizeof *g);
    struct err err;
    int record;

    if (!g)
        abort();
    *g = (struct running_game){.server = s,
                               .generation = s->generation,
                               .config = ladder->config,
                               .ladder = ladder,
                               .start_us = now_us(),
                               .next = s->games};
    memcpy(g->seat, seats, sizeof g->seat);
    s->games = g;
    s->generation->games++;
    s->metrics.games_running++;
    ladder->running++;
    shuffle_seats(g);
    deal(g);
    for (int i = 0; i < g->config->setup.seats; i++)
        if (g->seat[i].net)
            net_seat(g->seat[i].net, g);
    record = open_record(g, &err);
    if (record == -1 || !start_local_bots(g, &err)) {
        log_line(&s->log, LOG_ERROR, g->id, "%s; no new games for %d s",
                 err.text, REST_S);
        s->rest_us = now_us() + REST_S * (int64_t)1000000;
        if (record != -1) {
            close(record);
            unlink_record(g);
        }
        free_game(g);
        return;
    }
    log_line(&s->log, LOG_INFO, g->id, "%s starts in %s", g->config->game->name,
             ladder->name);
    open_table(g, record);
}

/* Enough bots, or the first has waited long enough for local ones. */
static bool start_one(struct server *s, struct ladder *ladder)
{
    const struct ladder_config *c = ladder->config;
    struct game_seat seats[SEATS_MAX] = {{0}};
    int64_t first_us = 0;
    int count;

    if (!c || ladder->running >= c->games_max)
        return false;
    count = choose(s, c, seats, &first_us);
    if (count == 0)
        return false;
    for (int i = 0; count < c->setup.seats && i < c->bots; i++)
        seats[count++].name = c->bot[i]->bot.name;
    if (count < c->setup.seats)
        return false;
    start_game(s, ladder, seats);
    return true;
}

void start_games(struct server *s)
{
    for (int i = 0; i < s->ladders; i++)
        while (s->phase == SERVER_RUNNING && now_us() >= s->rest_us &&
               start_one(s, &s->ladder[i]))
            continue;
}

/* on_over() follows for each of them, from the loop. */
void cut_off_games(struct server *s)
{
    for (struct running_game *g = s->games; g; g = g->next) {
        if (match_is_over(table_match(g->table)))
            continue;
        match_void(table_match(g->table), "stopped");
        table_settle(g->table);
    }
}

bool ladder_waits_for(const struct ladder *ladder, const struct net *net)
{
    return ladder->config && is_waiting(net) &&
           may_join(ladder->config, net->name);
}
