#ifndef REFEREE_SERVER_STATE_H
#define REFEREE_SERVER_STATE_H

/*
 * server_state.h - what the daemon remembers. For the server_*.c files only.
 */

#include "base/log.h"
#include "host/bot.h"
#include "host/control.h"
#include "host/http.h"
#include "host/metrics.h"
#include "host/net.h"
#include "host/server.h"
#include "host/table.h"

#include <event2/listener.h>
#include <openssl/ssl.h>

enum server_phase { SERVER_RUNNING, SERVER_PAUSED, SERVER_STOPPING };

struct ladder {
    char name[BOT_NAME_MAX + 1];
    const struct ladder_config *config; /* NULL: removed by a reload */
    int running, done;
};

/* A configuration that is in use; old ones go with their last bot. */
struct generation {
    struct server *server;
    struct serve_config *config;
    int games;
    int bots; /* local ones that have not ended */
    struct generation *next;
};

struct game_seat {
    struct net *net; /* one of these two */
    struct bot *bot;
    const char *name;
};

struct running_game {
    struct server *server;
    struct generation *generation;
    const struct ladder_config *config;
    struct ladder *ladder;
    char id[64];
    struct table *table;
    struct game_seat seat[SEATS_MAX];
    uint8_t seed[SEED_BYTES];
    struct buf deal;
    int64_t start_us;
    struct running_game *next;
};

struct server_listener {
    struct server *server;
    struct listener_config config; /* its texts are the two below */
    char name[BOT_NAME_MAX + 1];
    char address[256];
    struct evconnlistener *listener;
    SSL_CTX *tls;
    bool rests; /* no descriptor was left; on_tick() wakes it */
};

/* Failed logins of one address in the last minute. */
struct offender {
    char address[NET_ADDRESS_MAX];
    int failures;
    int64_t since_us;
};

enum { OFFENDERS = 256 };

struct server {
    struct loop loop;
    struct generation *generation; /* the newest first */
    serve_reader *reread;
    serve_freer *release;
    enum server_phase phase;
    int64_t start_us, stop_us;
    int64_t rest_us; /* no game starts before */
    int game_number;
    char session[24]; /* makes ids of games unique over restarts */

    struct server_listener *listener[SERVE_LISTENERS_MAX];
    int listeners;
    struct ladder ladder[SERVE_LADDERS_MAX];
    int ladders;
    struct net *nets;
    int net_count;
    int nets_max;       /* for which there are descriptors */
    struct net **queue; /* all that wait for a game, and some that did */
    int queue_len, queue_cap;
    struct running_game *games;
    int bots_alive;
    struct offender offender[OFFENDERS];

    struct log log;
    struct metrics metrics;
    struct http *http;
    struct control *control;
    struct event *tick;
    struct event *signals[3];
};

/* The configuration in force. */
static inline const struct serve_config *config_of(const struct server *server)
{
    return server->generation->config;
}

/* server_net.c: listeners and logins. */
bool listeners_open(struct server *server, struct err *err) MUST_CHECK;
void listeners_close(struct server *server);
void listeners_wake(struct server *server);

/* Its key is not in the file any more: it plays no more. */
bool is_revoked(const struct server *server, const struct net *net);

/* For quick look-ups; once for each configuration. */
void keys_sort(struct serve_config *config);

/* server_games.c: ladders and games. */
void ladders_read(struct server *server);
void start_games(struct server *server);
void cut_off_games(struct server *server);
void queue_join(struct server *server, struct net *net);
void queue_leave(struct server *server, struct net *net);
bool ladder_waits_for(const struct ladder *ladder, const struct net *net);

/* server.c */
void end_if_done(struct server *server);

#endif
