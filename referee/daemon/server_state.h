#ifndef REFEREE_DAEMON_SERVER_STATE_H
#define REFEREE_DAEMON_SERVER_STATE_H

/*
 * server_state.h - what the daemon is made of. For server.c, and for report.c,
 * api.c and site.c, which show it.
 */

#include "daemon/away.h"
#include "daemon/control.h"
#include "daemon/http.h"
#include "daemon/kept.h"
#include "daemon/live.h"
#include "daemon/rater.h"
#include "daemon/reception.h"
#include "daemon/revive.h"
#include "daemon/server.h"
#include "daemon/shares.h"
#include "store/orders.h"
#include "store/report.h"

enum server_phase {
    SERVER_STARTING, /* games of the last run are being taken up */
    SERVER_RUNNING,
    SERVER_PAUSED,
    SERVER_STOPPING
};

struct server {
    struct loop loop;
    struct log log;
    struct metrics metrics;
    struct generations generations;
    struct serve_config *(*reread)(const char *path);
    void (*changes)(const struct serve_config *old,
                    const struct serve_config *now, struct lines *out);
    enum server_phase phase;
    int64_t start_us, stop_us;
    int64_t games_max; /* --games; 0: any number */

    /* What it is made of. Each part's header says what it is for. */
    struct archive *archive;
    struct syncer *syncer;
    struct rater *rater;
    struct doors *doors;
    struct reception *reception;
    struct lobby *lobby;
    struct closing *closing;
    struct units *units;
    struct away *away; /* or NULL */
    struct revival *revival;
    struct troubles troubles;
    struct orders orders;
    struct shares shares;
    struct kept kept;
    struct http *http;
    struct live *live;
    struct control *control;

    struct alarm tick;
    struct alarm renewal;    /* a reload, for what was handed in; ... */
    int64_t renewal_free_us; /* ... not before */
    struct event *signals[3];
};

/* The configuration in force. */
static inline const struct serve_config *config_of(const struct server *server)
{
    return server->generations.newest->config;
}

/* report.c: what it says of itself. */
extern const struct http_calls server_http;
json_t *status_json(const struct server *server);
json_t *games_json(const struct server *server);
json_t *unit_json(const struct unit *unit); /* one that plays */
json_t *phase_json(const struct server *server);

/* api.c: /api/... */
int server_api(void *server, struct http_ask *ask, struct buf *out);
int server_page(void *server, struct http_ask *ask, struct buf *out);
extern const struct live_calls server_live;

/* What pages show as well; report.h says what is in it. */
json_t *api_ladders(struct server *server, struct err *err);
json_t *api_ladder(struct server *server, const char *name,
                   const struct report_page *page, struct err *err);
json_t *api_bot(struct server *server, const char *name, int limit,
                struct err *err);
int api_moves(const struct server *server, const char *id); /* -1: not now */
bool api_knows(struct server *server, const char *id);      /* a game */

/* Does somebody still play on the deal of this game, which is over? */
bool api_deal_in_play(const struct server *server, const json_t *game);

/* presence.c: what a bot does now, on each ladder, and why. */
json_t *presence_json(const struct server *server, const char *name);

/* conduct.c: time used, refused moves and faults, in these games and others of
 * the bot on the ladder. */
json_t *conduct_json(struct server *server, const char *ladder, const char *bot,
                     const json_t *played);
int answer_json(struct buf *out, json_t *json);
int answer_error(struct buf *out, int code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
int no_game(struct buf *out, const char *id);

/*
 * organise.c: what the organiser orders, which is kept in the data folder.
 * organise() carries out an order about a bot, given as JSON; organise_note()
 * writes down what else was done, and logs if it cannot.
 */
json_t *organise(struct server *server, const char *json, const char *who,
                 struct err *err);
void organise_note(struct server *server, enum order_kind kind,
                   const char *name, const char *who, const char *why);

/* Why a bot plays no more, on a ladder or at all; or NULL. */
const char *organise_why(const struct server *server, const char *ladder,
                         const char *name, const char *version);
const char *organise_keeps_out(void *server, const char *ladder,
                               const char *name, const char *version);
const char *organise_ban(void *server, const char *name);

/* A game as this viewer may see it, who must be allowed to. */
bool api_steps(struct server *server, const char *id, int viewer,
               json_t **document, struct err *err);

/* owner.c: what only the owner of a bot may see. */
bool is_owner(struct server *server, struct http_ask *ask, const char *bot,
              struct err *why);
int owner_games(struct server *server, struct http_ask *ask,
                const char *const *word, struct buf *out);
int owner_log(struct server *server, struct http_ask *ask,
              const char *const *word, struct buf *out);
int owner_steps(struct server *server, struct http_ask *ask,
                const char *const *word, struct buf *out);

/* submissions.c: what was handed in; for all, and for the owner. */
int api_submissions(struct server *server, struct http_ask *ask,
                    const char *const *word, struct buf *out);
int owner_submissions(struct server *server, struct http_ask *ask,
                      const char *const *word, struct buf *out);

/* play.c: visitors at tables. */
void play_tick(struct server *server);          /* who has left? */
json_t *play_json(const struct server *server); /* what is offered */
int play_sit(struct server *server, struct http_ask *ask,
             const char *const *word, struct buf *out);
int play_moves(struct server *server, struct http_ask *ask,
               const char *const *word, struct buf *out);
int play_move(struct server *server, struct http_ask *ask,
              const char *const *word, struct buf *out);
int play_leave(struct server *server, struct http_ask *ask,
               const char *const *word, struct buf *out);
int play_stream(struct server *server, struct http_ask *ask,
                const char *const *word, struct buf *out);

/* waiting.c: why a bot waits, and what else its owner is told. */
enum { WHY_WAITS_MAX = 480 };

void why_waits(const struct server *server, const struct connection *connection,
               char *text, size_t size);
/* Why no game starts at all, or NULL. */
const char *why_none_starts(const struct server *server);

/* Why this bot does not play on this ladder; returns what it does, in a word:
 * "waiting", "resting", "exhausted", "refusing", "out" (by order), "late" or
 * "frozen" (after a deadline). */
const char *why_not_playing(const struct server *server,
                            const struct lobby_ladder *ladder, const char *name,
                            const char *version, char *text, size_t size);
void news_ready(const struct server *server, struct connection *connection);
void news_waits(const struct server *server);
void news_ratings(void *server, int64_t began_us);

/* search.c: games that match, newest first, at most `limit`; `next` is where
 * the list goes on, or "". NULL: `why`, a sentence for the one who asks. */
struct site_filter;

json_t *search_games(struct server *server, const json_t *ladders,
                     const struct site_filter *filter, int limit,
                     char next[SUMMARY_WORD_MAX + 1], struct err *why);

/* site.c: pages. */
bool site_is_file(const char *path);
int site_answer(struct server *server, struct http_ask *ask, struct buf *out);

#endif
