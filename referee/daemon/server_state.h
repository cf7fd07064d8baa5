#ifndef REFEREE_DAEMON_SERVER_STATE_H
#define REFEREE_DAEMON_SERVER_STATE_H

/*
 * server_state.h - what the daemon remembers. For the server_*.c files only.
 */

#include "base/log.h"
#include "daemon/control.h"
#include "daemon/doors.h"
#include "daemon/http.h"
#include "daemon/ladder.h"
#include "daemon/live.h"
#include "daemon/metrics.h"
#include "daemon/rater.h"
#include "daemon/server.h"
#include "daemon/syncer.h"
#include "run/group.h"
#include "store/archive.h"
#include "store/report.h"

enum server_phase {
    SERVER_STARTING, /* games of the last run are being taken up */
    SERVER_RUNNING,
    SERVER_PAUSED,
    SERVER_STOPPING
};

enum { UNIT_ID_MAX = 48, PATH_BYTES = 1024 };

struct server_ladder {
    char name[BOT_NAME_MAX + 1];
    const struct ladder_config *config; /* NULL: removed by a reload */
    struct ladder *memory;
    int running;       /* units */
    int closing;       /* games that are over, but not in the index */
    int done;          /* games */
    bool is_loading;   /* its games are being learnt from the index */
    bool is_changed;   /* since no game could be started */
    bool is_exhausted; /* all who are there have met as often as they may */
    int64_t again_us;  /* when to look again all the same */
    int64_t rest_us;   /* but not before */
};

/* A configuration that is in use; old ones go with their last bot. */
struct generation {
    struct server *server;
    struct serve_config *config;
    int units;
    struct home home; /* of its local bots */
    struct generation *next;
};

/*
 * A unit: a group (group.h) that plays one game on a ladder, or with
 * `duplicate` one for every rotation of the seats; part k is its game k - 1.
 * Its records go to the archive.
 *
 *                    bots, record            over          was it the last?
 *     begin --> READY -----------> PLAYING -------> READY ... ------------> end
 */
struct unit {
    struct group group; /* first: its calls get from there to here */
    struct server *server;
    struct generation *generation;
    const struct ladder_config *config;
    struct server_ladder *ladder;
    char id[UNIT_ID_MAX + 1];
    /* By member: its connection, also of a local bot that is gone; or NULL. */
    struct connection *connection[SEATS_MAX];
    int entrant[SEATS_MAX];                  /* on its ladder */
    int record;                              /* until the table has it; or -1 */
    char location[ARCHIVE_LOCATION_MAX + 1]; /* of its record; "": not kept */
    bool has_file;                           /* in running/, too */
    char closed[GROUP_ID_MAX + 1];           /* the part that is over, or "" */
    struct game_summary *summary;            /* of that one, if it is known */
    bool in_doubt;             /* its record could not be written once */
    char start[DATE_TEXT + 1]; /* of this part */
    int64_t start_us;
    bool was_broken_off; /* it goes on after a start of the daemon */
    struct deferred go;  /* on with the next part */
    struct unit *next;
};

/* A record that is closed, but not in the index yet. */
struct closed_game {
    char id[GROUP_ID_MAX + 1];
    struct game_summary *summary;            /* or NULL: the record knows */
    char location[ARCHIVE_LOCATION_MAX + 1]; /* where it lies */
    bool has_file;                           /* in running/, too */
    struct server_ladder *ladder;
    int entrant[SEATS_MAX];
    int seats;
};

/* Why no game starts, though nobody said pause. */
enum trouble_kind {
    TROUBLE_RECORD, /* what runs cannot be written */
    TROUBLE_INDEX,  /* what is over cannot be taken in */
    TROUBLE_START,  /* a game could not be started */
    TROUBLES
};

struct trouble {
    bool is_on;
    char text[256];
    int64_t again_us; /* TROUBLE_START: when to try again */
};

/* Who had how much time for /api/... in this second. */
enum { API_CLIENTS_MAX = 64 };

struct api_use {
    int64_t since_us, used_us;
    int64_t turn_us, used_in_turn_us; /* of the loop */
    struct api_client {
        char origin[ORIGIN_MAX];
        int64_t used_us;
    } client[API_CLIENTS_MAX];
    int clients;
};

struct server {
    struct loop loop;
    struct generation *generation;     /* the newest first */
    const struct serve_config *opened; /* whose doors are open */
    struct serve_config *(*reread)(const char *path);
    void (*release)(struct serve_config *config);
    enum server_phase phase;
    int64_t start_us, stop_us;
    int64_t games_max;   /* --games; 0: any number */
    int64_t games_begun; /* of these; not those that were void */
    int unit_number;
    char session[DATE_NAME_TEXT + 1]; /* makes ids unique over restarts */
    struct date date;                 /* for the records */

    struct doors *doors;
    struct server_ladder **ladder;
    int ladders, ladder_cap;
    int first_ladder;          /* whose turn it is to be looked at first */
    struct connection **queue; /* all that wait for a game, and some that did */
    int queue_len, queue_cap;
    struct unit *units;
    struct rng rng; /* for the pairing */

    struct archive *archive;
    struct syncer *syncer;
    struct rater *rater;
    struct closed_game *closed;
    int closed_len, closed_cap;
    int64_t indexed_us; /* when that was last tried */
    bool is_copying;    /* the index's log, in a thread */
    int caught_up;      /* games that the index had lost */
    struct trouble trouble[TROUBLES];
    int stuck; /* tables whose record cannot be written */
    struct revival *revival;

    struct log log;
    struct metrics metrics;
    struct http *http;
    struct live *live;
    struct api_use api;
    struct control *control;
    struct alarm starter; /* of games */
    struct alarm taker;   /* of games that are over, into the index */
    struct alarm tick;
    struct event *signals[3];
};

/* The configuration in force. */
static inline const struct serve_config *config_of(const struct server *server)
{
    return server->generation->config;
}

/* server.c */
void end_if_done(struct server *server);
void server_ready(struct server *server);
void server_stop(struct server *server);

/* server_report.c: what it says of itself. */
extern const struct http_calls server_http;
json_t *status_json(const struct server *server);
json_t *games_json(const struct server *server);
json_t *unit_json(const struct unit *unit); /* one that plays */
json_t *phase_json(const struct server *server);

/* server_api.c: /api/... */
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

/* site.c: pages. */
bool site_is_file(const char *path);
int site_answer(struct server *server, struct http_ask *ask, struct buf *out);

/* server_ladders.c: who waits, and who plays next. */
bool ladders_read(struct server *server, struct err *err) MUST_CHECK;
void ladders_tidy(
    struct server *server); /* those removed, when they are idle */
void ladders_free(struct server *server);
struct server_ladder *ladder_named(const struct server *server,
                                   const char *name);
void ladders_changed(struct server *server);
void queue_join(struct server *server, struct connection *connection);
void queue_leave(struct server *server, struct connection *connection);
bool may_join(const struct ladder_config *ladder, const char *name);
bool is_waiting(const struct connection *connection);
void start_games(struct server *server); /* from the loop, soon */
void on_start(void *server);

/* server_units.c: their games. */
struct unit *unit_new(struct server *server, struct server_ladder *ladder,
                      const char *id);

/* The i-th member is a network bot, or a local one, or that is gone. */
void unit_enter(struct unit *unit, int i, struct connection *connection,
                const struct player *player, int entrant);

/* The members are known: seat them, and play from this part on. */
void unit_begin(struct unit *unit, int part);

/* The same for a part that was broken off. If this fails the unit is gone, and
 * its record is as it was. */
bool unit_resume(struct unit *unit, int part, const struct broken_game *broken,
                 struct err *err) MUST_CHECK;
const char *unit_name_at(const struct unit *unit, int seat);

/* A group of this ladder plays so many parts. */
int parts_of(const struct ladder_config *config);

/* The id of a part, and back: 0 if it is none. */
void part_id(const char *unit, int part, char id[GROUP_ID_MAX + 1]);
int part_in(const char *id, char unit[GROUP_ID_MAX + 1]);
bool has_enough(const struct server *server); /* games: --games */
void units_wake(struct server *server);
void units_break_off(struct server *server);

/* server_store.c: records and the index. */
bool can_start(const struct server *server);
const char *trouble_text(const struct server *server); /* or NULL */
void trouble_begin(struct server *server, enum trouble_kind kind,
                   const char *fmt, ...) PRINTF_LIKE(3, 4);
void trouble_end(struct server *server, enum trouble_kind kind);
void game_closed(struct server *server, const struct closed_game *game);
void closed_free(struct server *server);
void on_index_games(void *server);
void index_closed_games(struct server *server);
bool session_open(struct server *server, struct err *err) MUST_CHECK;

/* server_revive.c: games that were under way when the last run ended. */
bool revival_open(struct server *server, struct err *err) MUST_CHECK;
void revival_begin(struct server *server);
void revival_free(struct server *server);

#endif
