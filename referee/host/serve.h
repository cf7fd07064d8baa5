#ifndef REFEREE_SERVE_H
#define REFEREE_SERVE_H

/*
 * serve.h - what a daemon is told to do: the contents of referee.ini.
 *
 * A plain struct: the configuration reader fills it, the server obeys it.
 * All texts belong to the serve_config and live as long as it does; a reload
 * makes a new one.
 */

#include "host/contest.h"
#include "match/login.h"

enum {
    SERVE_LISTENERS_MAX = 16,
    SERVE_LOBBIES_MAX = 64,
    SERVE_BOTS_MAX = 256,
    SERVE_KEYS_MAX = 65536,
    LOBBY_FILL_MAX = SEATS_MAX,
};

enum listener_kind { LISTEN_TCP, LISTEN_TLS, LISTEN_UNIX };

/* [listen NAME] */
struct listener_config {
    const char *name;
    enum listener_kind kind;
    const char *address;                   /* host or path */
    int port;                              /* 0 for Unix sockets */
    const char *certificate, *private_key; /* files, for TLS */
};

/* [lobby NAME] */
struct lobby_config {
    const char *name;
    const struct game *game;
    struct setup setup;
    struct time_control time;
    const char *join;                 /* names joined by ',' or "all" */
    const char *fill[LOBBY_FILL_MAX]; /* local bots for empty seats */
    int fill_count;
    int64_t fill_after_us; /* how long the first bot waits for others */
    int games_max;         /* at once */
    int retries;
    int64_t start_us, none_us, lenience_us;
};

/* A line of the key file. */
struct key_entry {
    const char *name;
    const char *owner;
    struct login_key key;
};

struct serve_config {
    const char *path; /* of the ini file */

    /* [server] */
    const char *data;    /* folder for records and logs */
    const char *control; /* Unix socket of `referee status` and friends */
    const char *http;    /* address for /healthz and /metrics, or NULL */
    int http_port;
    const char *keys;    /* file of login keys */
    bool plain_tokens;   /* "token:TOKEN" may be sent instead of a proof */
    int connections_max; /* in all ... */
    int connections_per_address;
    int connections_per_name;
    int64_t login_us;      /* to log in */
    int failed_logins_max; /* of one address, per minute */
    int64_t grace_us;      /* for a lost connection to come back */
    int64_t lag_cap_us;    /* of a round trip that is not charged; 0: none */
    int64_t stop_us;       /* for games to end after SIGTERM */
    const char *log_level; /* error, warning, info or debug */

    struct listener_config listener[SERVE_LISTENERS_MAX];
    int listeners;
    struct lobby_config lobby[SERVE_LOBBIES_MAX];
    int lobbies;
    struct player *bot; /* [bot NAME]: local bots */
    int bots;
    struct key_entry *key;
    int key_count;
};

#endif
