#ifndef REFEREE_DAEMON_CONFIG_H
#define REFEREE_DAEMON_CONFIG_H

/*
 * config.h - what a daemon is told to do: the contents of referee.ini.
 *
 * A plain struct: the configuration reader fills it, the server obeys it.
 * All texts belong to the serve_config and live as long as it does; a reload
 * makes a new one.
 */

#include "league/pairing.h"
#include "match/login.h"
#include "net/connection.h"
#include "net/proxy.h"
#include "run/contest.h"
#include "store/keys.h"

enum {
    SERVE_LISTENERS_MAX = 16,
    SERVE_LADDERS_MAX = 1000,
    SERVE_BOTS_MAX = 1000,
};

/* The standings in a tournament's folder of records, which the site shows. */
#define TOURNAMENT_FILE "standings.json"

/* [listen NAME] */
struct listener_config {
    const char *name;
    enum listener_kind kind;
    const char *address;                   /* host or path */
    int port;                              /* 0 for Unix sockets */
    const char *certificate, *private_key; /* files, for TLS */
};

/*
 * [ladder NAME]. Its players are network bots that may join, and local bots,
 * which are [bot] sections of the same file.
 */
struct ladder_config {
    const char *name;  /* with its season: "duel", or "duel.spring" */
    const char *title; /* as the file calls it */
    const struct game *game;
    struct setup setup;
    struct time_control time;
    bool joins_all;      /* any network bot may play here, ... */
    const char **joiner; /* ... or these, sorted */
    int joiners;
    const struct player **bot;
    int bots;
    bool local_games; /* local bots play even without a network bot */
    bool owners_meet; /* bots of one owner may play each other */
    enum pairing_policy pairing;
    int meetings_max;   /* games between the same two versions; 0: any number */
    int64_t rematch_us; /* between games of two bots that have met often */
    /* games of one network bot, in an hour; 0: any number */
    int new_versions_max;
    int games_max; /* at once */
    int share;     /* its share of the tables, relative to other ladders */
    int min_games; /* of a bot that has a place */
    /* versions newer than this do not play; NULL: all do */
    const char *handins_until;
    const char *games_until; /* no games begin after this; NULL: no deadline */
    int copies;              /* of a local bot, at once */
    int interleave;     /* this many deals of network bots are played in turn */
    bool duplicate;     /* play each deal once per rotation of the seats */
    const char *anchor; /* one of the bots, with a fixed rating; or NULL */
    int anchor_elo;
    int retries;
    int min_speed; /* of a worker (many/speed.h) that may play here */
    int64_t start_us, none_us, lenience_us;
    bool
        /* a game of [play]: it starts when a visitor sits down */
        is_for_people;
    bool takes_handins; /* those of [handins] */
};

/*
 * [play]: tables for visitors of the site. Each of its games is an unrated
 * ladder named PLAY_PREFIX plus the game's name.
 */
struct play_config {
    int tables_max; /* 0: there is no [play] */
    int tables_per_address;
    int64_t away_us; /* a visitor whose page is gone for this long has left */
    bool hints;      /* may visitors ask what the built-in bot would play? */
    int own_bots;    /* of its own, which no section names */
};

/* [handins]: bots that are handed in as folders; shelf.h. */
struct handins_config {
    const char *folder; /* the shelf; NULL: there is no [handins] */
    int archive_mib;    /* as it is sent */
    int mib, files;     /* unpacked */
    int64_t build_us, check_us;
    int keep;      /* old versions of a bot */
    int per_day;   /* verdicts on hand-ins of one owner; 0: any number */
    int per_owner; /* hand-ins that are waiting or running */
    int at_once;   /* that are running */
    int queue_max; /* that are waiting */
};

/* The number of games in a unit of this ladder. */
static inline int parts_of(const struct ladder_config *ladder)
{
    return ladder->duplicate ? ladder->setup.seats : 1;
}

struct serve_config {
    const char *path; /* of the ini file */

    /* [server] */
    const char *data;    /* folder for records and logs */
    const char *control; /* Unix socket of `referee status` and friends */
    const char *http;    /* address for /healthz and /metrics, or NULL */
    int http_port;
    const char *tournaments; /* folders of records, "a, b"; or NULL */
    struct proxies proxies;  /* whose X-Forwarded-For counts */
    const char *keys;        /* file of login keys */
    const char *invitations; /* file: who may register; NULL: nobody */
    int registrations_max;   /* in an hour */
    bool plain_tokens;       /* "token:TOKEN" may be sent instead of a proof */
    int connections_max;     /* in all ... */
    int connections_per_address;
    int connections_per_name;
    int64_t login_us;         /* time to log in */
    int failed_logins_max;    /* of one address, per minute */
    int64_t grace_us;         /* for a lost connection to come back */
    int64_t lag_cap_us;       /* of a round trip that is not charged; 0: none */
    int64_t stop_us;          /* for games to end after SIGTERM */
    int64_t rate_every_us;    /* least time between rating fits; 0: never fit */
    const char *walls;        /* around local bots, ... */
    const char *walls_words;  /* ... and in a line for the log; "": none */
    int cores;                /* default for each local bot */
    int own_cores;            /* that local bots may need at once, ... */
    struct cores *machine;    /* ... of these; NULL: none */
    int games_max;            /* at once, on all ladders; 0: any number */
    int log_mib, bot_log_mib; /* of standard error, in all and of one bot */
    int keep_logs_days;       /* 0: for ever */
    int note_mib, bot_note_mib; /* of notes in records, in a day */
    bool durable;         /* announce a result when its record is on the disk */
    const char *database; /* shared with workers on other machines; or NULL */
    const char *worker_keys; /* file: whose records count; or NULL */
    int recheck;             /* percent of units that two workers play */
    const char *log_level;   /* error, warning, info or debug */

    struct listener_config listener[SERVE_LISTENERS_MAX];
    int listeners;
    struct ladder_config *ladder;
    int ladders;
    struct play_config play;
    struct handins_config handins;
    struct player *bot; /* [bot NAME]: local bots */
    int bots;
    struct key_entry *key;
    int key_count;
};

/*
 * Build the index for quick look-ups, once for each configuration. After that,
 * look up the key of a name, or NULL.
 */
void keys_sort(struct serve_config *config);
const struct key_entry *key_named(const struct serve_config *config,
                                  const char *name);

/*
 * Does this token, or this proof of it, match the name? The token itself may
 * replace the proof, as "token:...", if `plain-tokens` allows it. An unknown
 * name takes as long to answer as any other.
 */
bool key_holds_token(const struct serve_config *config, const char *name,
                     const char *token);
bool key_holds(const struct serve_config *config, const char *name,
               const char *nonce, const char *proof);
bool proof_is_token(const char *proof);

#endif
