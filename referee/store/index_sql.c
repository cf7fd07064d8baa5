#include "store/index_state.h"

/*
 * Rows lie in the order in which they are asked for: the seats of a ladder by
 * time, which is also the order of its games; once more by bot. Wins are
 * counted in parts of 1/840, as in league/summary.h, so that all sums are of
 * whole numbers.
 */
const char index_schema[] =
    "CREATE TABLE ladders ("
    " name TEXT PRIMARY KEY,"
    " games INTEGER NOT NULL," /* finished */
    " voids INTEGER NOT NULL"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE bots ("
    " name TEXT PRIMARY KEY"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE versions ("
    " key INTEGER PRIMARY KEY,"
    " bot TEXT NOT NULL REFERENCES bots,"
    " text TEXT NOT NULL,"
    " UNIQUE (bot, text)"
    ") STRICT;"

    "CREATE TABLE games ("
    " id TEXT PRIMARY KEY,"
    " ladder TEXT NOT NULL REFERENCES ladders,"
    " start TEXT NOT NULL,"
    " game TEXT NOT NULL,"
    " seats INTEGER NOT NULL,"
    " unit TEXT NOT NULL,"
    " part INTEGER NOT NULL,"
    " parts INTEGER NOT NULL,"
    " is_void INTEGER NOT NULL,"
    " reason TEXT NOT NULL,"
    " moves INTEGER NOT NULL,"
    " path TEXT NOT NULL"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE seats ("
    " ladder TEXT NOT NULL,"
    " start TEXT NOT NULL,"
    " game TEXT NOT NULL REFERENCES games,"
    " seat INTEGER NOT NULL,"
    " bot TEXT NOT NULL,"
    " version INTEGER NOT NULL REFERENCES versions,"
    " rank INTEGER," /* NULL: void */
    " score INTEGER,"
    " why TEXT," /* NULL: it stayed */
    " PRIMARY KEY (ladder, start, game, seat)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX seats_of_bot ON seats (bot, ladder, start, game);"

    "CREATE TABLE standings ("
    " ladder TEXT NOT NULL REFERENCES ladders,"
    " version INTEGER NOT NULL REFERENCES versions,"
    " games INTEGER NOT NULL,"
    " wins INTEGER NOT NULL," /* in parts of 1/840 */
    " ranks INTEGER NOT NULL,"
    " scores INTEGER NOT NULL,"
    " forfeits INTEGER NOT NULL,"
    " first TEXT NOT NULL,"
    " last TEXT NOT NULL,"
    " PRIMARY KEY (ladder, version)"
    ") STRICT, WITHOUT ROWID;"

    /* The version of a bot that played last there. */
    "CREATE TABLE latest ("
    " ladder TEXT NOT NULL REFERENCES ladders,"
    " bot TEXT NOT NULL REFERENCES bots,"
    " version INTEGER NOT NULL REFERENCES versions,"
    " text TEXT NOT NULL,"
    " last TEXT NOT NULL,"
    " PRIMARY KEY (ladder, bot)"
    ") STRICT, WITHOUT ROWID;"
    "CREATE INDEX latest_of_bot ON latest (bot, ladder);"

    "CREATE TABLE meetings ("
    " ladder TEXT NOT NULL REFERENCES ladders,"
    " version INTEGER NOT NULL REFERENCES versions,"
    " opponent INTEGER NOT NULL REFERENCES versions,"
    " games INTEGER NOT NULL,"
    " wins INTEGER NOT NULL,"
    " ties INTEGER NOT NULL,"
    " PRIMARY KEY (ladder, version, opponent)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE fits ("
    " ladder TEXT PRIMARY KEY REFERENCES ladders,"
    " games INTEGER NOT NULL," /* that went in */
    " anchor TEXT NOT NULL,"   /* a name; \"\": the mean is 0 */
    " anchor_elo REAL NOT NULL,"
    " converged INTEGER NOT NULL"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE ratings ("
    " ladder TEXT NOT NULL REFERENCES ladders,"
    " version INTEGER NOT NULL REFERENCES versions,"
    " elo REAL NOT NULL,"
    " low REAL NOT NULL,"
    " high REAL NOT NULL,"
    " part INTEGER NOT NULL," /* bots of one part met */
    " games INTEGER NOT NULL,"
    " PRIMARY KEY (ladder, version)"
    ") STRICT, WITHOUT ROWID;"

    /* Of daemons, which append to them. */
    "CREATE TABLE files ("
    " path TEXT PRIMARY KEY,"
    " upto INTEGER NOT NULL" /* bytes */
    ") STRICT, WITHOUT ROWID;"

    "CREATE VIEW results AS"
    " SELECT g.id AS game, s.start, s.ladder, g.game AS rules, s.seat, s.bot,"
    "  v.text AS version, iif(s.rank > 0, s.rank, NULL) AS rank, s.score, s.why, g.moves, g.is_void,"
    "  g.reason"
    " FROM seats s JOIN games g ON g.id = s.game"
    " JOIN versions v ON v.key = s.version;";

/* CROSS JOIN: from left to right. SQLite has no statistics here and could
 * choose another order, which takes longer with every game. */

/* Games by their first seat, or by the first of a bot. */
#define GAME                                                            \
    "SELECT g.id, g.ladder, g.start, g.game, g.unit, g.reason, g.path," \
    " g.part, g.parts, g.moves, g.is_void"                              \
    " FROM seats s CROSS JOIN games g ON g.id = s.game"
#define ON_LADDER " WHERE s.ladder = ?1 AND s.seat = 1"
#define OF_BOT                                                                \
    " WHERE s.bot = ?2 AND s.ladder = ?1 AND NOT EXISTS (SELECT 1 FROM seats" \
    " t WHERE t.ladder = s.ladder AND t.start = s.start AND t.game = s.game"  \
    " AND t.seat < s.seat AND t.bot = s.bot)"
#define OLDEST_FIRST " ORDER BY s.start, s.game"
#define NEWEST_FIRST                    \
    " AND (s.start, s.game) < (?3, ?4)" \
    " ORDER BY s.start DESC, s.game DESC LIMIT ?5"

/* Standings: of versions v, or of the latest ones e. */
#define STANDING(bot, text, is_current)                                      \
    "SELECT s.version, " bot ", " text ", " is_current ", s.games, s.wins,"  \
    " s.ranks, s.scores, s.forfeits, s.first, s.last, r.elo, r.low, r.high," \
    " r.part"
#define VERSION_STANDING                                                \
    STANDING("v.bot", "v.text",                                         \
             "EXISTS (SELECT 1 FROM latest e WHERE e.ladder = s.ladder" \
             " AND e.bot = v.bot AND e.version = s.version)")
#define WITH_RATING \
    " LEFT JOIN ratings r ON r.ladder = s.ladder AND r.version = s.version"

#define LADDER_ROW                                            \
    "SELECT l.name, l.games, l.voids, ifnull(f.games, 0),"    \
    " ifnull(f.anchor, ''), ifnull(f.anchor_elo, 0),"         \
    " ifnull(f.converged, 1), g.start, g.game FROM ladders l" \
    " LEFT JOIN fits f ON f.ladder = l.name"                  \
    " JOIN games g ON g.id = (SELECT game FROM seats"         \
    "  WHERE ladder = l.name ORDER BY start DESC, game DESC LIMIT 1)"

const char *const index_texts[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ADD_LADDER] =
        "INSERT INTO ladders VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
        " games = games + excluded.games, voids = voids + excluded.voids",
    [ADD_BOT] = "INSERT INTO bots VALUES (?) ON CONFLICT DO NOTHING",
    [FIND_VERSION] = "SELECT key FROM versions WHERE bot = ? AND text = ?",
    [ADD_VERSION] =
        "INSERT INTO versions VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
    [ADD_GAME] = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                 " ON CONFLICT DO NOTHING",
    [ADD_SEAT] = "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_STANDING] =
        "INSERT INTO standings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET games = games + excluded.games,"
        " wins = wins + excluded.wins, ranks = ranks + excluded.ranks,"
        " scores = scores + excluded.scores,"
        " forfeits = forfeits + excluded.forfeits,"
        " first = min(first, excluded.first), last = max(last, excluded.last)",
    [ADD_LATEST] =
        "INSERT INTO latest VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " version = excluded.version, text = excluded.text,"
        " last = excluded.last WHERE excluded.last > last"
        " OR (excluded.last = last AND excluded.text < text)",
    [ADD_MEETING] = "INSERT INTO meetings VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET games = games + excluded.games,"
                    " wins = wins + excluded.wins, ties = ties + excluded.ties",
    [RESULTS] = "SELECT seat, version, rank, start, game, score,"
                " CASE WHEN why IS NOT NULL THEN"
                " (SELECT moves FROM games g WHERE g.id = seats.game) END"
                " FROM seats"
                " WHERE ladder = ? AND (start, game) > (?, ?)"
                " AND rank > 0 ORDER BY start, game, seat",
    /* Of games that nobody left; a thousand say enough. */
    [USUAL_MOVES] =
        "SELECT ifnull(avg(moves), 0) FROM (SELECT g.moves FROM seats s"
        " CROSS JOIN games g ON g.id = s.game"
        " WHERE s.ladder = ?1 AND s.seat = 1 AND s.rank > 0"
        " AND NOT EXISTS (SELECT 1 FROM seats t WHERE t.ladder = s.ladder"
        " AND t.start = s.start AND t.game = s.game AND t.why IS NOT NULL)"
        " LIMIT 1000)",
    [STANDINGS] = VERSION_STANDING
    " FROM standings s JOIN versions v ON v.key = s.version" WITH_RATING
    " WHERE s.ladder = ?"
    " ORDER BY r.elo IS NULL, r.elo DESC, v.bot, s.last DESC, v.text",
    [LATEST_ON] = STANDING(
        "e.bot", "e.text",
        "1") " FROM latest e CROSS JOIN standings s"
             " ON s.ladder = e.ladder AND s.version = e.version" WITH_RATING
             " WHERE e.ladder = ?"
             " ORDER BY r.elo IS NULL, r.elo DESC, e.bot LIMIT ? OFFSET ?",
    [STANDINGS_OF] = VERSION_STANDING
    " FROM versions v CROSS JOIN standings s"
    " ON s.ladder = ?1 AND s.version = v.key" WITH_RATING
    " WHERE v.bot = ?2 ORDER BY s.last DESC, v.text LIMIT ?3",
    [PLACE_OF] =
        "SELECT 1 + count(*) FROM latest e LEFT JOIN ratings r"
        " ON r.ladder = e.ladder AND r.version = e.version"
        " WHERE e.ladder = ?1 AND (r.elo IS NULL, ifnull(-r.elo, 0), e.bot)"
        " < (?3, ?4, ?2)",
    [ENTRANTS] = "SELECT s.version, v.bot, s.games, e.version = s.version"
                 " FROM standings s JOIN versions v ON v.key = s.version"
                 " LEFT JOIN latest e ON e.ladder = s.ladder AND e.bot = v.bot"
                 " WHERE s.ladder = ?"
                 " ORDER BY v.bot, v.text",
    [DROP_RATINGS] = "DELETE FROM ratings WHERE ladder = ?",
    [ADD_RATING] = "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?)",
    [ADD_FIT] = "INSERT OR REPLACE INTO fits VALUES (?, ?, ?, ?, ?)",
    [PLAYED_BY] = "SELECT s.game, s.ladder, v.text FROM seats s"
                  " JOIN versions v ON v.key = s.version"
                  " WHERE s.bot = ? AND s.rank > 0",
    [STRUCK] = "SELECT id FROM games WHERE is_void = 2",
    [SEATS_TO_COUNT] = "SELECT s.bot, v.text, s.version, s.why, s.rank,"
                       " s.score, s.ladder, s.start, g.is_void FROM games g"
                       " CROSS JOIN seats s ON s.ladder = g.ladder"
                       " AND s.start = g.start AND s.game = g.id"
                       " JOIN versions v ON v.key = s.version"
                       " WHERE g.id = ? ORDER BY s.seat",
    [TURN_RANKS] = "UPDATE seats SET rank = -rank"
                   " WHERE ladder = ? AND start = ? AND game = ?",
    [MARK_GAME] = "UPDATE games SET is_void = ? WHERE id = ?",
    [DROP_FIT] = "DELETE FROM fits WHERE ladder = ?",
    [DROP_STANDINGS] = "DELETE FROM standings WHERE ladder = ? AND games = 0",
    [DROP_MEETINGS] = "DELETE FROM meetings WHERE ladder = ? AND games = 0",
    [FIND_TIMES] =
        "UPDATE standings AS s SET (first, last) ="
        " (SELECT min(t.start), max(t.start) FROM versions v"
        "  CROSS JOIN seats t ON t.bot = v.bot AND t.ladder = s.ladder"
        "  WHERE v.key = s.version AND t.version = s.version AND t.rank > 0)"
        " WHERE ladder = ?",
    [DROP_LATEST] = "DELETE FROM latest WHERE ladder = ?",
    [FIND_LATEST] =
        "INSERT INTO latest SELECT ladder, bot, version, text, last FROM"
        " (SELECT s.ladder, v.bot, s.version, v.text, s.last, row_number()"
        "  OVER (PARTITION BY v.bot ORDER BY s.last DESC, v.text) AS place"
        "  FROM standings s JOIN versions v ON v.key = s.version"
        "  WHERE s.ladder = ?) WHERE place = 1",
    [LADDERS] = LADDER_ROW " ORDER BY l.name",
    [LADDER_NAMED] = LADDER_ROW " WHERE l.name = ?",
    [FIT_OF] = "SELECT ifnull(max(r.part) + 1, 0), EXISTS (SELECT 1"
               " FROM versions v CROSS JOIN ratings a"
               " ON a.ladder = ?1 AND a.version = v.key WHERE v.bot = ?2)"
               " FROM ratings r WHERE r.ladder = ?1",
    [BOTS] = "SELECT bot, ladder FROM latest WHERE bot > ?"
             " ORDER BY bot, ladder",
    [LADDERS_OF] = "SELECT ladder FROM latest WHERE bot = ? AND ladder > ?"
                   " ORDER BY ladder LIMIT ?",
    [OPPONENTS] =
        "SELECT o.bot, sum(m.games) AS n, sum(m.wins), sum(m.ties)"
        " FROM versions v"
        " CROSS JOIN meetings m ON m.ladder = ?1 AND m.version = v.key"
        " CROSS JOIN versions o ON o.key = m.opponent"
        " WHERE v.bot = ?2 AND o.bot <> ?2"
        " GROUP BY o.bot ORDER BY n DESC, o.bot LIMIT ?3",
    /* In the order of the index: there is nothing to sort. */
    [ENCOUNTERS] =
        "SELECT s.game, s.start, v.text, s.seat, s.rank, s.score, t.rank,"
        " r.elo FROM seats s INDEXED BY seats_of_bot"
        " CROSS JOIN versions v ON v.key = s.version"
        " LEFT JOIN seats t ON t.ladder = ?1 AND t.start = s.start"
        "  AND t.game = s.game AND t.bot <> ?2"
        " LEFT JOIN ratings r ON r.ladder = ?1 AND r.version = t.version"
        " WHERE s.bot = ?2 AND s.ladder = ?1 AND s.rank > 0"
        " ORDER BY s.start DESC, s.game DESC LIMIT ?3",
    [START_OF] = "SELECT start FROM games WHERE id = ?",
    [GAME_OF_ID] = "SELECT id, ladder, start, game, unit, reason, path, part,"
                   " parts, moves, is_void FROM games WHERE id = ?",
    [GAMES_ON] = GAME ON_LADDER NEWEST_FIRST,
    [GAMES_OF] = GAME OF_BOT NEWEST_FIRST,
    [ALL_GAMES_ON] = GAME ON_LADDER OLDEST_FIRST,
    [ALL_GAMES_OF] = GAME OF_BOT OLDEST_FIRST,
    [SEATS_OF] = "SELECT s.bot, v.text, s.why, s.rank, s.score FROM seats s"
                 " JOIN versions v ON v.key = s.version"
                 " WHERE s.ladder = ? AND s.start = ? AND s.game = ?"
                 " ORDER BY s.seat",
    [PATH_OF] = "SELECT path FROM games WHERE id = ?",
    [PLACES] = "SELECT id, path FROM games ORDER BY path, id",
    [UPTO] = "SELECT upto FROM files WHERE path = ?",
    [SET_UPTO] = "INSERT OR REPLACE INTO files VALUES (?, ?)",
};
