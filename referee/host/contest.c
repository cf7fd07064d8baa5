#include "host/contest.h"

#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

/* One game after the other, with its own copies of the bots. */
struct slot {
    struct contest *contest;
    struct bot *bot[SEATS_MAX]; /* by player; NULL: not running */
    struct table *table;        /* NULL between games */
    int game;                   /* its number, or -1 */
    int last;                   /* of its unit */
    uint8_t seed[SEED_BYTES];
    char id[32];
    struct buf deal;
    struct buf old;    /* an unfinished record */
    struct lines told; /* by it */
    int record;        /* its descriptor, until the table has it */
    bool again;        /* this game has still to be played */
    bool retired;      /* nothing left to play */
    struct event *next;
};

struct contest {
    struct loop *loop;
    struct contest_config config;
    const struct contest_owner *calls;
    void *owner;
    struct slot *slot;
    int slots;
    int next_unit; /* game number at which the next unit starts */
    int running;   /* games */
    struct replay replay;
    struct buf bytes; /* for it */
    bool stopping;
    bool failed;
    struct err err;
};

static int players(const struct contest *c)
{
    return c->config.setup.seats;
}

static int seat_of(const struct contest *c, int player, int game)
{
    return (player + game) % players(c);
}

static int player_at(const struct contest *c, int seat, int game)
{
    return (seat + players(c) - game % players(c)) % players(c);
}

/* The whole contest has failed: one sentence, and no more games. */
static void give_up(struct contest *c, const struct err *err)
{
    if (!c->failed)
        c->err = *err;
    c->failed = true;
    contest_stop(c, true);
}

/* The seeds follow one way from the contest's: HMAC-SHA256(seed, "deal K"). */
static void make_deal(struct slot *s)
{
    const struct contest_config *c = &s->contest->config;
    int deal = c->duplicate ? s->game / c->setup.seats : s->game;
    char text[32];
    struct rng rng;

    snprintf(text, sizeof text, "deal %d", deal + 1);
    crypto_auth_hmacsha256(s->seed, (const unsigned char *)text, strlen(text),
                           c->seed);
    buf_reset(&s->deal);
    if (!c->game->deal)
        return;
    rng_seed(&rng, s->seed);
    c->game->deal(&c->setup, &rng, &s->deal);
}

/* Bots. */

/* Ending, or about to: it must be gone before the next game. */
static bool is_dying(const struct bot *bot)
{
    return bot && (bot->phase != RUNNING || bot->lost);
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

    for (int p = 0; p < players(s->contest); p++)
        if (s->bot[p] == bot)
            s->bot[p] = NULL;
    bot_free(bot);
    event_active(s->next, 0, 0);
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

static void set_logs(struct slot *s)
{
    const struct contest_config *c = &s->contest->config;
    char path[PATH_BYTES];

    for (int p = 0; p < players(s->contest); p++) {
        path[0] = '\0';
        if (c->folder)
            snprintf(path, sizeof path, "%s/%s.%s.log", c->folder, s->id,
                     c->player[p].bot.name);
        bot_set_log(s->bot[p], path);
    }
}

static bool start_bots(struct slot *s, struct err *err)
{
    struct contest *c = s->contest;

    for (int p = 0; p < players(c); p++) {
        if (s->bot[p])
            continue;
        s->bot[p] = bot_new(c->loop, &c->config.player[p].bot, err);
        if (!s->bot[p])
            return false;
    }
    set_logs(s);
    return true;
}

/* Records. */

static void record_path(const struct slot *s, char *path)
{
    snprintf(path, PATH_BYTES, "%s/%s.rec", s->contest->config.folder, s->id);
}

static bool open_record(struct slot *s, struct err *err)
{
    char path[PATH_BYTES];
    struct stat st;

    s->record = -1;
    if (!s->contest->config.folder)
        return true;
    record_path(s, path);
    s->record = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (s->record == -1)
        return fail(err, "%s cannot be written: %s", path, strerror(errno));
    /* Only if need be: to cut a new file makes ext4 write it out at once. */
    if (fstat(s->record, &st) == -1 ||
        (st.st_size > (off_t)s->old.len &&
         ftruncate(s->record, (off_t)s->old.len) == -1))
        return fail(err, "%s cannot be cut: %s", path, strerror(errno));
    return true;
}

static bool read_record(const char *path, struct buf *out, struct err *err)
{
    char bytes[16 * 1024];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n;

    buf_reset(out);
    if (fd == -1)
        return errno == ENOENT ||
               fail(err, "%s cannot be read: %s", path, strerror(errno));
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        buf_put(out, bytes, (size_t)n);
    close(fd);
    return n == 0 || fail(err, "%s cannot be read: %s", path, strerror(errno));
}

/* Report a game that was played before. */
static void report_old(struct slot *s)
{
    struct contest *c = s->contest;
    const struct replay *r = &c->replay;
    struct game_report o = {.number = s->game,
                            .is_void = r->status == VOID,
                            .moves = r->moves,
                            .reason =
                                r->status == VOID ? "void" : r->result.reason};

    for (int p = 0; p < players(c); p++) {
        int seat = seat_of(c, p, s->game);

        o.seat[p] = seat;
        o.rank[p] = r->result.rank[seat];
        o.score[p] = r->result.score[seat];
        o.left[p] = r->why[seat] && why_read(r->why[seat], &o.why[p]);
        o.detail[p] = o.last_words[p] = "";
    }
    c->calls->on_game(c->owner, &o);
}

/* Play a record to its end, and keep what it tells. */
static bool replay_old(struct slot *s, const char *path, struct err *err)
{
    struct contest *c = s->contest;
    struct replay *r = &c->replay;

    buf_reset(&c->bytes);
    buf_put(&c->bytes, s->old.text, s->old.len);
    lines_reset(&s->told);
    if (!replay_open(r, path, c->bytes.text, c->bytes.len, err))
        return false;
    lines_append(&s->told, &r->events);
    while (r->status == HALFWAY) {
        int steps = r->steps;

        if (!replay_next(r, err))
            return false;
        if (r->steps > steps)
            lines_append(&s->told, &r->events);
    }
    return true;
}

/* A record of another match in the folder must not be taken for this game. */
static bool is_ours(const struct slot *s, const char *path, struct err *err)
{
    const struct contest_config *c = &s->contest->config;
    const struct record *r = &s->contest->replay.record;

    if (r->game == c->game && r->setup.seats == c->setup.seats &&
        (!r->deal || strcmp(r->deal, s->deal.text) == 0))
        return true;
    return fail(err,
                "%s is the record of another match: its game, seats or deal "
                "are not those of this one",
                path);
}

/* Had its writer got so far that its last line is all there? */
static bool has_head(const struct contest_config *c, const char *text)
{
    char time[16];
    const char *last;

    snprintf(time, sizeof time, "\ntime %d ", c->setup.seats);
    last = strstr(text, c->game->deal ? "\ndeal " : time);
    return last && strchr(last + 1, '\n');
}

/*
 * Look whether there is a record of this game. Closed: it is reported, and
 * *done is set. Unfinished: what is whole of it stays in s->old.
 */
static bool look_for_record(struct slot *s, bool *done, struct err *err)
{
    struct contest *c = s->contest;
    char path[PATH_BYTES];

    *done = false;
    buf_reset(&s->old);
    if (!c->config.folder)
        return true;
    record_path(s, path);
    if (!read_record(path, &s->old, err))
        return false;
    if (s->old.len == 0)
        return true;
    if (!has_head(&c->config, s->old.text)) {
        buf_reset(&s->old);
        return true;
    }
    if (!replay_old(s, path, err) || !is_ours(s, path, err))
        return false;
    *done = c->replay.record.has_hash;
    if (*done) {
        report_old(s);
        return true;
    }
    buf_cut(&s->old, c->replay.steps ? c->replay.complete : 0);
    return s->old.len == 0 || replay_old(s, path, err);
}

/* Games. */

static void fill_config(const struct slot *s, struct match_config *m)
{
    const struct contest_config *c = &s->contest->config;

    *m = (struct match_config){.game = c->game,
                               .setup = c->setup,
                               .id = s->id,
                               .deal = c->game->deal ? s->deal.text : NULL,
                               .seed = s->seed,
                               .seed_is_chosen = c->seed_is_chosen,
                               .reveal_seed = s->game == s->last,
                               .start_us = c->start_us,
                               .none_us = c->none_us,
                               .lenience_us = c->lenience_us,
                               .retries = c->retries,
                               .restarts = true,
                               .forgets = true};
    for (int i = 0; i < c->setup.seats; i++) {
        const struct player *p = &c->player[player_at(s->contest, i, s->game)];

        m->name[i] = p->bot.name;
        m->digest[i] = p->digest;
        m->time[i] = p->time;
    }
}

static void on_move(void *owner, struct table *table, int seat, int64_t us)
{
    struct slot *s = owner;

    s->contest->calls->on_move(s->contest->owner,
                               player_at(s->contest, seat, s->game), us);
}

static void report(struct slot *s)
{
    struct contest *c = s->contest;
    const struct match *match = table_match(s->table);
    const struct result *result =
        match_is_void(match) ? NULL : match_result(match);
    struct game_report o = {.number = s->game,
                            .is_void = match_is_void(match),
                            .moves = match_moves(match),
                            .reason = result ? result->reason : "void"};

    for (int p = 0; p < players(c); p++) {
        int seat = seat_of(c, p, s->game);

        o.seat[p] = seat;
        o.rank[p] = result ? result->rank[seat] : 0;
        o.score[p] = result ? result->score[seat] : 0;
        o.left[p] = match_why(match, seat) != NULL;
        match_has_left(match, seat, &o.why[p]);
        o.detail[p] = match_detail(match, seat);
        o.last_words[p] = bot_last_words(s->bot[p]);
    }
    c->calls->on_game(c->owner, &o);
}

/* Bots that failed, and those that are started for every game, go. */
static bool must_go(const struct slot *s, int player)
{
    const struct contest *c = s->contest;

    return c->config.player[player].restart ||
           match_is_broken(table_match(s->table), seat_of(c, player, s->game));
}

static void on_over(void *owner, struct table *table)
{
    struct slot *s = owner;
    bool go[SEATS_MAX];

    s->again = match_is_spoiled(table_match(table));
    if (!s->again)
        report(s);
    for (int p = 0; p < players(s->contest); p++)
        go[p] = must_go(s, p);
    table_free(table);
    s->table = NULL;
    s->contest->running--;
    for (int p = 0; p < players(s->contest); p++) {
        bot_listen(s->bot[p], &between_games, s);
        if (go[p] || is_dying(s->bot[p]))
            dismiss(s, s->bot[p], s->contest->config.player[p].restart);
    }
    event_active(s->next, 0, 0);
}

static const struct table_owner table_calls = {on_move, on_over};

static bool start_game(struct slot *s, struct err *err)
{
    struct contest *c = s->contest;
    struct peer *peers[SEATS_MAX];
    struct talk *talks[SEATS_MAX];
    struct match_config config;
    struct match *match;

    if (!start_bots(s, err) || !open_record(s, err))
        return false;
    fill_config(s, &config);
    for (int i = 0; i < players(c); i++) {
        struct bot *bot = s->bot[player_at(c, i, s->game)];

        bot_listen(bot, NULL, NULL);
        peers[i] = &bot->peer;
        talks[i] = &bot->talk;
    }
    if (s->old.len > 0)
        match = match_resume(&config, talks, &c->replay, &s->told, &s->old,
                             loop_now(c->loop));
    else
        match = match_new(&config, talks, loop_now(c->loop));
    buf_reset(&s->old);
    c->running++;
    s->table = table_new(c->loop, match, peers, players(c), s->record,
                         &table_calls, s);
    return true;
}

/* The next game of this slot's unit, or the first of a new unit; or none. */
static bool next_number(struct slot *s)
{
    struct contest *c = s->contest;
    int unit = c->config.duplicate ? players(c) : 1;

    if (c->stopping)
        return false;
    if (s->again)
        return true;
    if (s->game >= 0 && s->game < s->last) {
        s->game++;
        return true;
    }
    if (c->next_unit >= c->config.games)
        return false;
    s->game = c->next_unit;
    s->last = s->game + unit - 1;
    if (s->last >= c->config.games)
        s->last = c->config.games - 1;
    c->next_unit = s->last + 1;
    return true;
}

/* Everything is played: send the bots home, and the last one ends the run. */
static void retire(struct slot *s)
{
    struct contest *c = s->contest;

    s->retired = true;
    for (int p = 0; p < players(c); p++)
        if (s->bot[p] && s->bot[p]->phase == RUNNING)
            dismiss(s, s->bot[p], !c->failed);
    for (int i = 0; i < c->slots; i++) {
        if (!c->slot[i].retired)
            return;
        for (int p = 0; p < players(c); p++)
            if (c->slot[i].bot[p])
                return;
    }
    loop_stop(c->loop);
}

/* One game, or one look at a record, per turn of the loop. */
static void on_next(evutil_socket_t fd, short what, void *arg)
{
    struct slot *s = arg;
    struct contest *c = s->contest;
    struct err err;
    bool done;

    loop_now(c->loop); /* what takes long here is lag for the others */
    if (s->table)
        return;
    for (int p = 0; p < players(c); p++)
        if (is_dying(s->bot[p]))
            return;
    if (s->retired || !next_number(s)) {
        retire(s);
        return;
    }
    snprintf(s->id, sizeof s->id, "game-%06d", s->game + 1);
    make_deal(s);
    if (!look_for_record(s, &done, &err) || (!done && !start_game(s, &err))) {
        give_up(c, &err);
        retire(s);
    } else if (done) {
        event_active(s->next, 0, 0);
    }
}

struct contest *contest_new(struct loop *loop,
                            const struct contest_config *config,
                            const struct contest_owner *calls, void *owner)
{
    struct contest *c = calloc(1, sizeof *c);
    struct slot *slots = calloc((size_t)config->concurrency, sizeof *slots);

    if (!c || !slots) {
        fputs("referee: out of memory\n", stderr);
        abort();
    }
    *c = (struct contest){.loop = loop,
                          .config = *config,
                          .calls = calls,
                          .owner = owner,
                          .slot = slots,
                          .slots = config->concurrency};
    replay_init(&c->replay);
    buf_init(&c->bytes, RECORD_FILE_MAX);
    for (int i = 0; i < c->slots; i++) {
        struct slot *s = &slots[i];

        *s = (struct slot){.contest = c, .game = -1, .record = -1};
        buf_init(&s->deal, DEAL_TEXT_MAX);
        buf_init(&s->old, RECORD_FILE_MAX);
        lines_init(&s->told, RECORD_FILE_MAX);
        s->next = evtimer_new(loop->base, on_next, s);
    }
    return c;
}

void contest_free(struct contest *c)
{
    for (int i = 0; i < c->slots; i++) {
        buf_release(&c->slot[i].deal);
        buf_release(&c->slot[i].old);
        lines_release(&c->slot[i].told);
        event_free(c->slot[i].next);
    }
    replay_release(&c->replay);
    buf_release(&c->bytes);
    free(c->slot);
    free(c);
}

bool contest_run(struct contest *c, struct err *err)
{
    for (int i = 0; i < c->slots; i++)
        event_active(c->slot[i].next, 0, 0);
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
    for (int p = 0; p < players(s->contest); p++) {
        bot_listen(s->bot[p], &between_games, s);
        if (is_dying(s->bot[p]))
            dismiss(s, s->bot[p], false);
    }
    event_active(s->next, 0, 0);
}

void contest_stop(struct contest *c, bool now)
{
    c->stopping = true;
    for (int i = 0; i < c->slots; i++)
        if (now)
            cut_off(&c->slot[i]);
}

int contest_running(const struct contest *c)
{
    return c->running;
}
