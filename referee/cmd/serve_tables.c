/* The tables of referee.ini: every section, every key, every default. */

#include "base/text.h"
#include "cmd/bot_keys.h"
#include "cmd/serve_draft.h"

#include <string.h>

enum { PORT_MAX = 65535, MANY = 100000, GAMES_MAX = 10000 };

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
    struct serve_draft *draft = ini->user;

    return &draft->config;
}

static void *begin_listen(struct ini *ini, const char *name, struct err *err)
{
    struct listen_draft *draft =
        begin(ini, "listen", SERVE_LISTENERS_MAX, sizeof *draft, err);

    if (draft)
        draft->listener.name = name;
    return draft;
}

static void *begin_bot(struct ini *ini, const char *name, struct err *err)
{
    struct bot_entry *entry =
        begin(ini, "bot", SERVE_BOTS_MAX, sizeof *entry, err);

    if (entry)
        entry->name = name;
    return entry;
}

static void *begin_lobby(struct ini *ini, const char *name, struct err *err)
{
    struct lobby_draft *draft =
        begin(ini, "lobby", SERVE_LOBBIES_MAX, sizeof *draft, err);

    if (draft)
        draft->lobby.name = name;
    return draft;
}

/* Readers for what only this file has. */

static bool read_address(const struct ini_value *v, struct err *err)
{
    struct in6_addr address;
    bool is_local = strcmp(v->text, "localhost") == 0;

    if (!is_local && !ip_read(v->text, &address))
        return fail(err,
                    "\"%.60s\" is no address; say 127.0.0.1 or ::1 for this "
                    "machine, 0.0.0.0 or :: for the world",
                    v->text);
    *(const char **)v->to =
        pool_text(v->ini->pool, is_local ? "127.0.0.1" : v->text);
    return true;
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

    if (!time_control_parse(v->text, control, err))
        return false;
    if (control->cpu)
        return fail(err, "CPU time cannot be measured over a network; say "
                         "\",wall\" or nothing in place of \",cpu\"");
    return true;
}

/* The tables. */

#define SERVE struct serve_config

static const struct ini_key server_keys[] = {
    KEY("data", "FOLDER", "data", "records and logs go here",
        INI_TEXT(SERVE, data)),
    KEY("keys", "FILE", "keys",
        "who may log in; \"referee token NAME\" adds a bot",
        INI_TEXT(SERVE, keys)),
    KEY("control", "PATH", NULL,
        "Unix socket for \"referee status\" and its like (default: control "
        "in the data folder)",
        INI_TEXT(SERVE, control)),
    KEY("http", "ADDRESS:PORT", "off",
        "/healthz and /metrics; a port alone is on 127.0.0.1",
        .read = read_http),
    KEY("log-level", "error|warning|info|debug", "info", "how much is logged",
        INI_CHOICE(SERVE, log_level)),
    KEY("connections", "N", "1000", "at once, in all",
        INI_INT(SERVE, connections_max, 1, MANY)),
    KEY("connections-per-address", "N", "50", "at once, from one address",
        INI_INT(SERVE, connections_per_address, 1, MANY)),
    KEY("connections-per-name", "N", "8", "at once, of one bot",
        INI_INT(SERVE, connections_per_name, 1, MANY)),
    KEY("login-limit", "TIME", "10s", "for a connection to log in",
        INI_TIME(SERVE, login_us, 100 * MS, HOUR)),
    KEY("failed-logins", "N", "10",
        "from one address in a minute, before it is refused",
        INI_INT(SERVE, failed_logins_max, 1, MANY)),
    KEY("plain-tokens", "yes|no", "no",
        "may a bot send its token instead of a proof",
        INI_YES(SERVE, plain_tokens)),
    KEY("grace", "TIME", "60s", "for a lost connection to come back",
        INI_TIME(SERVE, grace_us, 0, DAY)),
    KEY("lag-cap", "TIME", "0",
        "how much of a round trip is not charged to a bot, per move",
        INI_TIME(SERVE, lag_cap_us, 0, 10 * SECOND)),
    KEY("stop-limit", "TIME", "60s",
        "for games to end after SIGTERM; then they are cut off",
        INI_TIME(SERVE, stop_us, 0, DAY)),
    {0},
};

#define LISTEN struct listen_draft

static const struct ini_key listen_keys[] = {
    KEY("kind", "tcp|tls|unix", "tcp", "what is spoken there",
        INI_CHOICE(LISTEN, kind)),
    KEY("address", "ADDRESS", "127.0.0.1",
        "0.0.0.0 is all of IPv4, :: is all of IPv6 and IPv4",
        INI(LISTEN, listener.address, read_address)),
    KEY("port", "PORT", NULL, "for tcp and tls; 0 takes any that is free",
        INI_INT(LISTEN, listener.port, 0, PORT_MAX)),
    KEY("path", "PATH", NULL, "of the socket, for unix",
        INI_TEXT(LISTEN, path)),
    KEY("certificate", "FILE", NULL, "PEM, with its chain, for tls",
        INI_TEXT(LISTEN, listener.certificate)),
    KEY("private-key", "FILE", NULL, "PEM, without a password, for tls",
        INI_TEXT(LISTEN, listener.private_key)),
    {0},
};

#define LOBBY struct lobby_draft

static const struct ini_key lobby_keys[] = {
    GAME_KEYS(LOBBY),
    KEY("time", "CONTROL", "move:10s", "time control of every seat",
        INI(LOBBY, lobby.time, read_control)),
    KEY("join", "all|NAME,...", "all", "whose bots may play here",
        INI_TEXT(LOBBY, lobby.join)),
    KEY("fill", "NAME,...", NULL,
        "[bot NAME] sections that take the seats left empty",
        INI_TEXT(LOBBY, fill)),
    KEY("fill-after", "TIME", "10s", "how long the first bot waits for others",
        INI_TIME(LOBBY, lobby.fill_after_us, 0, DAY)),
    KEY("games", "N", "10", "at once",
        INI_INT(LOBBY, lobby.games_max, 1, GAMES_MAX)),
    KEY("illegal", "forfeit|retry:N", "forfeit", "what an illegal move costs",
        INI(LOBBY, lobby.retries, read_illegal)),
    KEY("lenience", "TIME", "0", "beyond the clock",
        INI_TIME(LOBBY, lobby.lenience_us, 0, 60 * SECOND)),
    KEY("start-limit", "TIME", "10s", "for a bot to be ready",
        INI_TIME(LOBBY, lobby.start_us, 100 * MS, HOUR)),
    KEY("move-cap", "TIME", "60s", "for a move under time = none",
        INI_TIME(LOBBY, lobby.none_us, 10 * MS, DAY)),
    {0},
};

const struct ini_kind serve_kinds[] = {
    {"server",              NULL, "the daemon itself", server_keys, begin_server},
    {"listen",  "NAME", "where bots connect", listen_keys, begin_listen},
    {"bot",         "NAME", BOT_ABOUT, bot_keys, begin_bot},
    {"lobby",              "NAME", "where bots wait for a game", lobby_keys, begin_lobby},
    {0},
};
