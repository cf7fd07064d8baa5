/* The tables of referee.ini: every section, every key, every default. */

#include "base/text.h"
#include "cmd/lib/bot_cores.h"
#include "cmd/lib/bot_keys.h"
#include "cmd/serve/parsed.h"
#include "daemon/hands.h"
#include "many/pg.h"

#include <string.h>

enum {
    PORT_MAX = 65535,
    MANY = 100000,
    GAMES_MAX = 10000,
    MEETINGS_MAX = 1000000,
    COPIES_MAX = 1000,
    ELO_MAX = 10000,
    NAMES_BYTES = 1 << 20,
};

#define MS     ((int64_t)1000)
#define SECOND (1000 * MS)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)

/* New sections. */

static void *begin(struct ini *ini, const char *kind, int max, size_t size,
                   struct err *err)
{
    int count = 0;

    for (struct ini_section *s = ini->first; s; s = s->next)
        count += strcmp(s->kind->name, kind) == 0;
    if (count < max)
        return pool_take(ini->pool, size);
    fail(err, "more than %d sections [%s NAME]", max, kind);
    return NULL;
}

static void *begin_server(struct ini *ini, const char *name, struct err *err)
{
    struct parsed_config *parsed = ini->user;

    return &parsed->config;
}

static void *begin_listen(struct ini *ini, const char *name, struct err *err)
{
    struct parsed_listener *parsed =
        begin(ini, "listen", SERVE_LISTENERS_MAX, sizeof *parsed, err);

    if (parsed)
        parsed->listener.name = name;
    return parsed;
}

static void *begin_bot(struct ini *ini, const char *name, struct err *err)
{
    struct bot_entry *entry =
        begin(ini, "bot", SERVE_BOTS_MAX, sizeof *entry, err);

    if (entry)
        entry->name = name;
    return entry;
}

static void *begin_ladder(struct ini *ini, const char *name, struct err *err)
{
    struct parsed_ladder *parsed =
        begin(ini, "ladder", SERVE_LADDERS_MAX, sizeof *parsed, err);

    if (parsed)
        parsed->ladder.name = parsed->ladder.title = name;
    return parsed;
}

static void *begin_play(struct ini *ini, const char *name, struct err *err)
{
    return begin(ini, "play", 1, sizeof(struct parsed_play), err);
}

/* Like [server]: a repeated section continues the first. */
static void *begin_handins(struct ini *ini, const char *name, struct err *err)
{
    struct parsed_config *parsed = ini->user;

    return &parsed->config.handins;
}

/* Readers used only by this file. */

static bool read_address(const struct ini_value *v, struct err *err)
{
    struct in6_addr address;
    bool is_local = strcmp(v->text, "localhost") == 0;

    if (!is_local && !ip_read(v->text, &address))
        return fail(
            err,
            "\"%.60s\" is not an address; write 127.0.0.1 or ::1 for this "
            "machine, 0.0.0.0 or :: for the world",
            v->text);
    *(const char **)v->to =
        pool_text(v->ini->pool, is_local ? "127.0.0.1" : v->text);
    return true;
}

/* "127.0.0.1, 10.0.0.0/8" */
static bool read_proxies(const struct ini_value *v, struct err *err)
{
    return proxies_read(v->text, v->to, err);
}

/* "8080", "127.0.0.1:8080", "[::1]:8080" or "off" */
static bool read_http(const struct ini_value *v, struct err *err)
{
    struct serve_config *c = v->to;
    const char *colon = strrchr(v->text, ':');
    const char *host = v->text, *at = colon ? colon + 1 : v->text;
    size_t n = colon ? (size_t)(colon - host) : 0;
    struct in6_addr address;

    if (words_find("off|no", v->text) >= 0)
        return true;
    if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
        host++;
        n -= 2;
    }
    c->http = colon ? pool_part(v->ini->pool, host, n) : "127.0.0.1";
    if (strcmp(c->http, "localhost") == 0)
        c->http = "127.0.0.1";
    if (ip_read(c->http, &address) &&
        take_int(&at, 0, PORT_MAX, &c->http_port) && at_end(at))
        return true;
    return fail(err,
                "must be off, a port, or ADDRESS:PORT such as 127.0.0.1:8080, "
                "not \"%.60s\"",
                v->text);
}

static bool read_control(const struct ini_value *v, struct err *err)
{
    struct time_control *control = v->to;

    return time_control_parse(v->text, control, err);
}

static bool read_database(const struct ini_value *v, struct err *err)
{
    if (!pg_is_url(v->text))
        return fail(err, "must be an address such as "
                         "postgresql://referee@localhost/games");
    return ini_text(v, err);
}

/* Repeated values are added; a default is stored unchanged. */
static bool read_names(const struct ini_value *v, struct err *err)
{
    const char **names = v->to;
    struct buf all;
    bool right;

    if (v->text == v->key->preset) {
        *names = v->text;
        return true;
    }
    buf_init(&all, NAMES_BYTES);
    if (*names && *names != v->key->preset)
        buf_add(&all, "%s,", *names);
    buf_str(&all, v->text);
    right =
        buf_ok(&all) || fail(err, "more than %d bytes of names", NAMES_BYTES);
    if (right)
        *names = pool_text(v->ini->pool, all.text);
    buf_release(&all);
    return right;
}

/* "NAME ELO" */
static bool read_anchor(const struct ini_value *v, struct err *err)
{
    struct parsed_ladder *parsed = v->to;
    size_t n = strcspn(v->text, " \t");
    const char *at = v->text + n;

    at += strspn(at, " \t");
    parsed->ladder.anchor = pool_part(v->ini->pool, v->text, n);
    if (take_int(&at, -ELO_MAX, ELO_MAX, &parsed->ladder.anchor_elo) &&
        at_end(at))
        return true;
    return fail(err,
                "must be the name of a bot and its rating from %d to %d, such "
                "as greedy 1500, not \"%.60s\"",
                -ELO_MAX, ELO_MAX, v->text);
}

/* The tables. */

#define SERVE struct serve_config

static const struct ini_key server_keys[] = {
    KEY("data", "FOLDER", "data", "records and logs go here",
        INI_TEXT(SERVE, data)),
    KEY("keys", "FILE", "keys",
        "keys of the bots that may log in; \"referee token NAME\" adds one",
        INI_TEXT(SERVE, keys)),
    KEY("walls", WALL_WORDS, "none",
        "walls around local bots without walls of their own",
        INI_CHOICE(SERVE, walls)),
    KEY("cores", "N", NULL,
        "processor cores reserved for each local bot without such a key",
        INI_INT(SERVE, cores, 1, BOT_CORES_MAX)),
    KEY("control", "PATH", NULL,
        "Unix socket for \"referee status\" and similar commands (default: "
        "control in the data folder)",
        INI_TEXT(SERVE, control)),
    KEY("http", "ADDRESS:PORT", "off",
        "the site, /healthz, /metrics and /api; a port alone means 127.0.0.1",
        .read = read_http),
    KEY("tournaments", "FOLDER,...", NULL,
        "records of tournaments that the site shows, as written by "
        "tournament --records",
        INI_TEXT(SERVE, tournaments)),
    KEY("trusted-proxy", "ADDRESS,...", NULL,
        "proxies in front of http, or networks such as 10.0.0.0/8, whose "
        "X-Forwarded-For names the client",
        INI(SERVE, proxies, read_proxies)),
    KEY("database", "URL", NULL,
        "postgresql://...: workers on any number of machines that share "
        "this database play the games between local bots",
        .is_secret = true, INI(SERVE, database, read_database)),
    KEY("worker-keys", "FILE", NULL,
        "the public keys of these workers, one per line, as \"referee key\" "
        "prints them",
        INI_TEXT(SERVE, worker_keys)),
    KEY("recheck", "PERCENT", "2",
        "share of units that a second worker plays again, for comparison",
        INI_INT(SERVE, recheck, 0, 100)),
    KEY("log-level", "error|warning|info|debug", "info",
        "the least important lines that are logged",
        INI_CHOICE(SERVE, log_level)),
    KEY("connections", "N", "1000", "maximum number of connections",
        INI_INT(SERVE, connections_max, 1, MANY)),
    KEY("connections-per-address", "N", "50", "maximum number from one address",
        INI_INT(SERVE, connections_per_address, 1, MANY)),
    KEY("connections-per-name", "N", "8", "maximum number of one bot",
        INI_INT(SERVE, connections_per_name, 1, MANY)),
    KEY("login-limit", "TIME", "10s", "limit for a connection to log in",
        INI_TIME(SERVE, login_us, 100 * MS, HOUR)),
    KEY("invitations", "FILE", NULL,
        "newcomers register with codes of this file, which \"referee people "
        "invite\" makes",
        INI_TEXT(SERVE, invitations)),
    KEY("registrations", "N", "200", "newcomers in an hour",
        INI_INT(SERVE, registrations_max, 1, MANY)),
    KEY("failed-logins", "N", "10",
        "failed logins of a name from one address in a minute before it is "
        "locked out",
        INI_INT(SERVE, failed_logins_max, 1, MANY)),
    KEY("plain-tokens", "yes|no", "no",
        "may a bot send its token instead of a proof",
        INI_YES(SERVE, plain_tokens)),
    KEY("grace", "TIME", "60s", "how long a game waits for a lost connection",
        INI_TIME(SERVE, grace_us, 0, DAY)),
    KEY("lag-cap", "TIME", "0",
        "how much of the round trip of a move is not charged to a bot",
        INI_TIME(SERVE, lag_cap_us, 0, 10 * SECOND)),
    KEY("stop-limit", "TIME", "60s",
        "how long games may continue after SIGTERM; the others continue "
        "after the next start",
        INI_TIME(SERVE, stop_us, 0, DAY)),
    KEY("rate-every", "TIME", "10s",
        "how often, at most, ratings are computed; 0 for never",
        INI_TIME(SERVE, rate_every_us, 0, DAY)),
    KEY("games", "N", "0",
        "maximum number of games on all ladders; 0: only the ladders have "
        "limits",
        INI_INT(SERVE, games_max, 0, MANY)),
    KEY("log-budget", "MIB", "1024",
        "how much standard error of all local bots is kept in the data "
        "folder",
        INI_INT(SERVE, log_mib, 0, MANY)),
    KEY("bot-log-budget", "MIB", "64",
        "how much standard error of one local bot is kept",
        INI_INT(SERVE, bot_log_mib, 0, MANY)),
    KEY("keep-logs", "DAYS", "30",
        "when logs of local bots are removed; 0 for never",
        INI_INT(SERVE, keep_logs_days, 0, 36500)),
    KEY("note-budget", "MIB", "256",
        "how many notes of all bots go into records per day",
        INI_INT(SERVE, note_mib, 0, MANY)),
    KEY("bot-note-budget", "MIB", "16",
        "how many notes of one bot go into records per day",
        INI_INT(SERVE, bot_note_mib, 0, MANY)),
    KEY("durable", "yes|no", "yes",
        "announce a result only when its record is safe on the disk",
        INI_YES(SERVE, durable)),
    {0},
};

#define LISTEN struct parsed_listener

static const struct ini_key listen_keys[] = {
    KEY("kind", "tcp|tls|unix", "tcp", "the kind of connection",
        INI_CHOICE(LISTEN, kind)),
    KEY("address", "ADDRESS", "127.0.0.1",
        "0.0.0.0 is all of IPv4, :: is all of IPv6 and IPv4",
        INI(LISTEN, listener.address, read_address)),
    KEY("port", "PORT", NULL, "for tcp and tls; 0 means any free port",
        INI_INT(LISTEN, listener.port, 0, PORT_MAX)),
    KEY("path", "PATH", NULL, "the socket, for unix", INI_TEXT(LISTEN, path)),
    KEY("certificate", "FILE", NULL, "PEM, with its chain, for tls",
        INI_TEXT(LISTEN, listener.certificate)),
    KEY("private-key", "FILE", NULL, "PEM, without a password, for tls",
        INI_TEXT(LISTEN, listener.private_key)),
    {0},
};

#define LADDER struct parsed_ladder

static const struct ini_key ladder_keys[] = {
    GAME_KEYS(LADDER),
    KEY("time", "CONTROL", "move:10s", "time control of every seat",
        INI(LADDER, ladder.time, read_control)),
    KEY("join", "all|none|NAME,...", "all",
        "the network bots that may play here; names may be given more than "
        "once",
        INI(LADDER, join, read_names), .again = true),
    KEY("bots", "NAME,...", NULL,
        "the [bot NAME] sections that play here; may be given more than once",
        INI(LADDER, bots, read_names), .again = true),
    KEY("handins", "yes|FOLDER", NULL,
        "bots that were handed in also play here: those of [handins], or "
        "those that \"referee admit\" put into this folder",
        INI_TEXT(LADDER, handins)),
    KEY("season", "WORD", NULL,
        "a new season begins with no games; the last one keeps its games "
        "and standings",
        INI_TEXT(LADDER, season)),
    KEY("handins-until", "TIME", NULL,
        "deadline in UTC: later versions do not play here",
        INI(LADDER, ladder.handins_until, ini_date)),
    KEY("games-until", "TIME", NULL,
        "in UTC: no games start later, and the standings are frozen",
        INI(LADDER, ladder.games_until, ini_date)),
    KEY("min-games", "N", "0",
        "games that a version needs before it has a rating and a place",
        INI_INT(LADDER, ladder.min_games, 0, MANY)),
    KEY("local-games", "yes|no", "yes",
        "may games be played without a network bot",
        INI_YES(LADDER, ladder.local_games)),
    KEY("owners-meet", "yes|no", "no", "may bots of one owner play each other",
        INI_YES(LADDER, ladder.owners_meet)),
    KEY("pairing", "close|even|random", "close",
        "how opponents are chosen: by similar strength, all equally often, "
        "or at random",
        INI_CHOICE(LADDER, pairing)),
    KEY("max-games-per-pair", "N", "0",
        "maximum number of games between the same two versions of bots; 0: "
        "no limit",
        INI_INT(LADDER, ladder.meetings_max, 0, MEETINGS_MAX)),
    KEY("meetings", "N", NULL, "the old name of max-games-per-pair",
        INI_INT(LADDER, ladder.meetings_max, 0, MEETINGS_MAX)),
    KEY("rematch-pause", "TIME", "10s",
        "between games of a network bot with its only opponent, after 100 "
        "games; 0: none",
        INI_TIME(LADDER, ladder.rematch_us, 0, DAY)),
    KEY("new-versions", "N", "20",
        "how many new versions of one network bot may start here within an "
        "hour, and twice as many of one owner; 0: no limit",
        INI_INT(LADDER, ladder.new_versions_max, 0, MANY)),
    KEY("duplicate", "yes|no", "no",
        "play every deal once for each rotation of the seats",
        INI_YES(LADDER, ladder.duplicate)),
    KEY("interleave", "N", "4",
        "how many deals network bots play in turn, so that the second part "
        "of a deal does not follow its first",
        INI_INT(LADDER, ladder.interleave, 1, HANDS_MAX)),
    KEY("anchor", "NAME ELO", NULL,
        "one of the bots, and its rating by definition", .read = read_anchor),
    KEY("games", "N", "10", "at once",
        INI_INT(LADDER, ladder.games_max, 1, GAMES_MAX)),
    KEY("share", "N", "1",
        "share of the playing time when games in [server] limits all ladders",
        INI_INT(LADDER, ladder.share, 1, COPIES_MAX)),
    KEY("copies", "N", "1", "maximum number of games at the same time",
        INI_INT(LADDER, ladder.copies, 1, COPIES_MAX)),
    KEY("min-speed", "N", "0",
        "speed that a worker needs to play its games; 100 is a typical core",
        INI_INT(LADDER, ladder.min_speed, 0, MANY)),
    KEY("illegal", "forfeit|retry:N", "forfeit",
        "what happens after an illegal move",
        INI(LADDER, ladder.retries, read_illegal)),
    LIMIT_KEYS(LADDER, ladder),
    {0},
};

#define PLAY struct parsed_play

static const struct ini_key play_keys[] = {
    KEY("games", "all|GAME,...", "all", "the games that visitors may play",
        INI_TEXT(PLAY, games)),
    KEY("bots", "NAME,...", NULL,
        "the [bot NAME] sections to play against; each must play all these "
        "games (default: four levels of \"referee bot\")",
        INI(PLAY, bots, read_names), .again = true),
    KEY("tables", "N", "8", "visitors' games at the same time",
        INI_INT(PLAY, play.tables_max, 1, GAMES_MAX)),
    KEY("tables-per-address", "N", "2", "how many of these from one address",
        INI_INT(PLAY, play.tables_per_address, 1, GAMES_MAX)),
    KEY("time", "CONTROL", "fischer:15m+15s", "time control of every seat",
        INI(PLAY, ladder.time, read_control)),
    KEY("away", "TIME", "2m",
        "a visitor whose page is closed for this long loses the seat",
        INI_TIME(PLAY, play.away_us, SECOND, DAY)),
    KEY("hints", "yes|no", "yes",
        "may visitors ask what the built-in bot would play",
        INI_YES(PLAY, play.hints)),
    LIMIT_KEYS(PLAY, ladder),
    {0},
};

#define HANDINS struct handins_config

static const struct ini_key handins_keys[] = {
    KEY("folder", "FOLDER", "handins", "where all versions are kept",
        INI_TEXT(HANDINS, folder)),
    KEY("archive-limit", "MIB", "16", "limit for an archive",
        INI_INT(HANDINS, archive_mib, 1, HANDIN_MIB_MAX)),
    KEY("size-limit", "MIB", "64", "limit for all files, unpacked",
        INI_INT(HANDINS, mib, 1, HANDIN_MIB_MAX)),
    KEY("file-limit", "N", "2000", "limit for files and folders",
        INI_INT(HANDINS, files, 1, HANDIN_FILES_MAX)),
    KEY("build-limit", "TIME", "120s", "for a build",
        INI_TIME(HANDINS, build_us, SECOND, HOUR)),
    KEY("check-limit", "TIME", "120s",
        "limit for the check of a game, and for the game on a ladder",
        INI_TIME(HANDINS, check_us, SECOND, HOUR)),
    KEY("keep", "N", "5", "old versions of a bot that are kept",
        INI_INT(HANDINS, keep, 0, COPIES_MAX)),
    KEY("per-day", "N", "50",
        "verdicts for one owner within 24 hours; 0: no limit",
        INI_INT(HANDINS, per_day, 0, MANY)),
    KEY("per-owner", "N", "2",
        "hand-ins of one owner that may wait for a "
        "verdict",
        INI_INT(HANDINS, per_owner, 1, COPIES_MAX)),
    KEY("at-once", "N", "2",
        "hand-ins that are built and checked at the "
        "same time",
        INI_INT(HANDINS, at_once, 1, 64)),
    KEY("queue", "N", "500", "hand-ins that may wait in total",
        INI_INT(HANDINS, queue_max, 1, GAMES_MAX)),
    {0},
};

const struct ini_kind serve_kinds[] = {
    {"server", NULL, "the server itself", server_keys, begin_server},
    {"listen", "NAME", "where bots connect", listen_keys, begin_listen},
    {"bot", "NAME", BOT_ABOUT, bot_keys, begin_bot},
    {"ladder", "NAME", "a game that is played continuously, with ratings",
     ladder_keys, begin_ladder},
    {"play", NULL, "tables for visitors of the site; not rated", play_keys,
     begin_play},
    {"handins", NULL, "bots that are handed in as folders or archives",
     handins_keys, begin_handins},
    {0},
};
