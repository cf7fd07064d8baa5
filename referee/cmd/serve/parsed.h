#ifndef REFEREE_CMD_SERVE_PARSED_H
#define REFEREE_CMD_SERVE_PARSED_H

/*
 * parsed.h - referee.ini after reading and before checking; for the files of
 * cmd/serve/ only.
 *
 * Reading fills one struct per section. Once the last line is read, the
 * sections are checked against each other and become a serve_config.
 */

#include "cmd/lib/bots.h"
#include "cmd/lib/game_keys.h"
#include "cmd/lib/ini.h"
#include "daemon/config.h"
#include "net/tcp.h"

#include <netinet/in.h>

struct parsed_listener {
    struct listener_config listener;
    const char *kind, *path;
};

struct parsed_ladder {
    struct ladder_config ladder;
    struct parsed_game game;
    const char *bots, *join, *pairing, *handins, *season;
};

enum {
    HANDINS_MAX = 2000, /* submitted bots */
    HANDIN_MIB_MAX = 4096,
    HANDIN_FILES_MAX = 20000,
};

enum { PLAY_BOTS = 4 }; /* built-in bots */

struct parsed_play {
    struct ladder_config ladder; /* for each of its games */
    struct play_config play;
    const char *games, *bots;
};

/* An address and port to listen on. */
struct endpoint {
    const char *who; /* "[listen local]" */
    const char *address;
    int port;
    int line;
};

struct parsed_config {
    struct serve_config config; /* first: the caller gets this part */
    struct pool pool;
    struct ini ini;
    struct endpoint endpoint[SERVE_LISTENERS_MAX + 1];
    int endpoints;
    struct endpoint socket[SERVE_LISTENERS_MAX + 1];
    int sockets;
};

/* tables.c: the tables. */
extern const struct ini_kind serve_kinds[];

/* paths.c: folders, files, sockets, addresses. */
void preset_server(struct parsed_config *parsed); /* a default was used */
void check_server(struct parsed_config *parsed);
void check_listener(struct parsed_config *parsed,
                    const struct ini_section *section);

/* ladders.c: bots and ladders. */
const char *name_with_season(struct parsed_config *parsed,
                             const struct ini_section *section);
void check_bot(struct parsed_config *parsed, const struct ini_section *section);
void check_ladder(struct parsed_config *parsed,
                  const struct ini_section *section);

void check_ladder_game(struct parsed_config *parsed,
                       const struct ini_section *section);

/* serve_play.c: tables for visitors. */
void check_play(struct parsed_config *parsed,
                const struct ini_section *section);

/* Prepare it to play on other machines, if workers play here. */
void pack_player(struct parsed_config *parsed, int line, struct player *player,
                 const struct bot_entry *entry);

/* The items of "a, b" that are [bot NAME] sections, for a ladder. */
void take_bots(struct parsed_config *parsed, const struct ini_section *section,
               const char *names, struct ladder_config *ladder);

/* Find a known bot, or NULL; and add a bot to a ladder. */
struct player *find_player(struct parsed_config *parsed, const char *name);
void add_player(struct ladder_config *ladder, struct player *player);

/* serve_handins.c: the folder of a ladder's submitted bots, or NULL. */
const char *handins_folder(struct parsed_config *parsed,
                           const struct ini_section *section);
void check_handins(struct parsed_config *parsed,
                   const struct ini_section *section);

/* Add every bot that was submitted and wants to play here. */
void take_handins(struct parsed_config *parsed,
                  const struct ini_section *section, const char *shelf,
                  struct ladder_config *ladder);

/*
 * True if a network bot may play anywhere. Call it when all ladders are
 * checked.
 */
bool needs_network(const struct parsed_config *parsed);

#endif
