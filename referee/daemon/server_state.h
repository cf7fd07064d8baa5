#ifndef REFEREE_DAEMON_SERVER_STATE_H
#define REFEREE_DAEMON_SERVER_STATE_H

/*
 * server_state.h - the parts of the daemon. For server.c, and for report.c,
 * site.c and the files of api.h, which show it.
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
#include "daemon/tournaments.h"
#include "store/invitations.h"
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

    /* The parts. Each part's header says what it is for. */
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
    struct invitations invitations;
    int registered;        /* newcomers, ... */
    int64_t registered_us; /* ... in the hour that began then */
    struct shares shares;
    struct kept kept;
    struct tournaments tournaments;
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

/*
 * reload.c: reads the configuration again. Returns what changed, or NULL: the
 * old one stays. reload_all() also looks at the shelf of hand-ins.
 * reload_soon() asks for reload_renew(), which waits between two reloads.
 */
json_t *reload_all(struct server *server, const char *who, bool *needs_restart);
void reload_soon(void *server);
void reload_renew(void *server);

/* What the start sets in the same way. */
void reload_rater(struct server *server);
void reload_cores(struct server *server, const struct serve_config *config);

/* report.c: the status of the daemon. */
extern const struct http_calls server_http;
json_t *status_json(const struct server *server);
json_t *games_json(const struct server *server);
json_t *unit_json(const struct unit *unit); /* one that plays */
json_t *phase_json(const struct server *server);

/* presence.c: what a bot is doing on each ladder, and why. */
json_t *presence_json(const struct server *server, const char *name);

/* conduct.c: time used, refused moves and faults, in these games and others of
 * the bot on the ladder. */
json_t *conduct_json(struct server *server, const char *ladder, const char *bot,
                     const json_t *played);

/*
 * organise.c: the organiser's orders, which are stored in the data folder.
 * organise() carries out an order about a bot, given as JSON. organise_note()
 * records other actions, and logs a failure to do so.
 */
json_t *organise(struct server *server, const char *json, const char *who,
                 struct err *err);
void organise_note(struct server *server, enum order_kind kind,
                   const char *name, const char *who, const char *why);

/* registration.c: a client has an invitation. */
enum invite server_invited(void *server, struct connection *connection,
                           const char *name, const char *proof);

/* Why a bot no longer plays, on a ladder or at all; or NULL. */
const char *organise_why(const struct server *server, const char *ladder,
                         const char *name, const char *version);
const char *organise_keeps_out(void *server, const char *ladder,
                               const char *name, const char *version);
const char *organise_ban(void *server, const char *name);

/* play.c: visitors at tables. */
void play_tick(struct server *server); /* have visitors left? */
/* waiting.c: why a bot waits, and other news for its owner. */
enum { WHY_WAITS_MAX = 480 };

void why_waits(const struct server *server, const struct connection *connection,
               char *text, size_t size);
/* Why no game starts at all, or NULL. */
const char *why_none_starts(const struct server *server);

/*
 * Why this bot does not play on this ladder. Returns its state in a word:
 * "waiting", "resting", "exhausted", "refusing", "out" (by order), "late" or
 * "frozen" (after a deadline).
 */
const char *why_not_playing(const struct server *server,
                            const struct lobby_ladder *ladder, const char *name,
                            const char *version, char *text, size_t size);
void news_ready(const struct server *server, struct connection *connection);
void news_waits(const struct server *server);
void news_ratings(void *server, int64_t began_us);

/*
 * search.c: matching games, newest first, at most `limit`; `next` is where the
 * list continues, or "". NULL on failure, with a sentence for the client in
 * `why`.
 */
struct site_filter;

json_t *search_games(struct server *server, const json_t *ladders,
                     const struct site_filter *filter, int limit,
                     char next[SUMMARY_WORD_MAX + 1], struct err *why);

/* site.c: pages. */
bool site_is_file(const char *path);
int site_answer(struct server *server, struct http_ask *ask, struct buf *out);

/* Turn an error for programs into a page. */
void site_excuse(struct server *server, int code, struct buf *out);

#endif
