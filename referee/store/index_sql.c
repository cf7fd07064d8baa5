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

    "CREATE VIEW results AS"
    " SELECT g.id AS game, s.start, s.ladder, g.game AS rules, s.seat, s.bot,"
    "  v.text AS version, s.rank, s.score, s.why AS left, g.moves, g.is_void,"
    "  g.reason"
    " FROM seats s JOIN games g ON g.id = s.game"
    " JOIN versions v ON v.key = s.version;";

const char *const index_texts[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [HAS_GAME] = "SELECT 1 FROM games WHERE id = ?",
    [ADD_LADDER] =
        "INSERT INTO ladders VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET"
        " games = games + excluded.games, voids = voids + excluded.voids",
    [ADD_BOT] = "INSERT INTO bots VALUES (?) ON CONFLICT DO NOTHING",
    [FIND_VERSION] = "SELECT key FROM versions WHERE bot = ? AND text = ?",
    [ADD_VERSION] =
        "INSERT INTO versions VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
    [ADD_GAME] =
        "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_SEAT] = "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [ADD_STANDING] =
        "INSERT INTO standings VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?7)"
        " ON CONFLICT DO UPDATE SET games = games + 1,"
        " wins = wins + excluded.wins, ranks = ranks + excluded.ranks,"
        " scores = scores + excluded.scores,"
        " forfeits = forfeits + excluded.forfeits,"
        " first = min(first, excluded.first), last = max(last, excluded.last)",
    [ADD_MEETING] = "INSERT INTO meetings VALUES (?, ?, ?, 1, ?, ?)"
                    " ON CONFLICT DO UPDATE SET games = games + 1,"
                    " wins = wins + excluded.wins, ties = ties + excluded.ties",
    [RESULTS] = "SELECT seat, version, rank FROM seats"
                " WHERE ladder = ? AND rank IS NOT NULL"
                " ORDER BY start, game, seat",
    [MEETINGS] = "SELECT version, opponent, games, wins, ties FROM meetings"
                 " WHERE ladder = ? ORDER BY version, opponent",
    [STANDINGS] =
        "SELECT s.version, v.bot, v.text, row_number() OVER (PARTITION BY"
        "  v.bot ORDER BY s.last DESC, v.text) = 1, s.games, s.wins, s.ranks, s.scores,"
        "  s.forfeits, s.first, s.last, r.elo, r.low, r.high, r.part"
        " FROM standings s JOIN versions v ON v.key = s.version"
        " LEFT JOIN ratings r ON r.ladder = s.ladder AND r.version = s.version"
        " WHERE s.ladder = ?"
        " ORDER BY r.elo IS NULL, r.elo DESC, v.bot, s.last DESC, v.text",
    [PATH_OF] = "SELECT path FROM games WHERE id = ?",
};
