#ifndef REFEREE_MATCH_RECORD_H
#define REFEREE_MATCH_RECORD_H

/*
 * record.h - a game as a text file, written and taken apart.
 *
 *     record 1                          the head, in this order
 *     game rondo
 *     set board=red                     options that were given
 *     seats 2
 *     about id=7 event=main             where the game belongs
 *     seat 1 name=anna digest=5f.. version=1.2
 *     time 1 fischer:1m+1s
 *     commit 9f86d0..                   or "commit none": the seed was chosen
 *     entropy 6a09.. -                  what seats added to the seed, or not
 *     deal YPRRBP...
 *     @1 draw 1 YP                      events; @ names who saw them
 *     @2,w draw 1 ??                    w: watchers; no @: all of them
 *     play 1 pass
 *     leave 2 time
 *     @- note 1 text                    for the record only
 *     result ranks=1,2 scores=3,0 reason=forfeit left=2:time
 *     seed 000102..
 *     hash 2cf24d..                     SHA-256 of all bytes before it
 *     seal main 7 9c0f.. 3b6a.. 51d2..  who closed it: seal.h
 *
 * about, seat, time, commit, events, "@-" lines, result, seed, hash and seal
 * may be missing, so that a game can be typed in. Either all events are told or
 * none. Empty lines and lines that start with '#' are comments. A file may hold
 * many records, concatenated. Nothing here does I/O: a record is bytes in
 * memory. protocol.md is the norm.
 */

#include "base/sha256.h"
#include "games/game.h"
#include "match/fault.h"

#include <sodium.h>

enum {
    HASH_HEX = 2 * SHA256_BYTES,
    RECORD_FILE_MAX = 64 << 20, /* bytes */
};

/*
 * How a record is written: bytes gather in `text` until the caller takes them.
 */
struct record_writer {
    struct buf text;
    struct sha256 hash; /* of the bytes that were taken, */
    size_t taken;       /* and their number */
    int seats;
    bool off;    /* nobody keeps it: save the work */
    bool closed; /* the hash is told: what follows no longer counts */
};

void record_init(struct record_writer *writer);
void record_release(struct record_writer *writer);

/*
 * The head in two parts. Lines about the game, the seats and the time may be
 * written between them. `commit`, `entropy` and `deal` may be NULL.
 */
void record_head(struct record_writer *writer, const struct game *game,
                 const struct setup *setup);
void record_deal(struct record_writer *writer, const char *commit,
                 const char *entropy, const char *deal);
void record_line(struct record_writer *writer, seat_set to, const char *text);
void record_lines(struct record_writer *writer, const struct lines *lines,
                  size_t first); /* from this one on */
void record_seed(struct record_writer *writer, const uint8_t seed[SEED_BYTES]);

/* Add the closing hash. */
void record_close(struct record_writer *writer);

/* Count the gathered bytes as written: the caller has just stored them. */
void record_taken(struct record_writer *writer);

/* "result ranks=.. scores=.. reason=.. [left=..]"; why[] by seat or NULL. */
void result_write(const struct result *result, int seats,
                  const char *const *why, struct buf *out);

/* "@1,w ", or nothing if all seats and the watchers read it. */
void audience_write(seat_set to, int seats, struct buf *out);

/*
 * hex(SHA-256(seed)), as in the commit line. In part K > 1 of a group of games
 * on one deal it is hex(SHA-256(seed "part K")), so that no two commits are
 * alike.
 */
void seed_commit(const uint8_t seed[SEED_BYTES], int part,
                 char hex[HASH_HEX + 1]);

/*
 * What the seats of the first game on a deal have added to its seed, in seat
 * order: "HEX - HEX", up to 32 bytes each, '-' for nothing. The deal follows
 * from the mixed seed, SHA-256("referee-entropy-1 SEED HEX - HEX"); with NULL
 * it follows from the seed itself.
 */
enum {
    ENTROPY_HEX = 64, /* of a seat, at most */
    ENTROPY_TEXT = SEATS_MAX * (ENTROPY_HEX + 1),
};

bool is_contribution(const char *text, size_t len);
bool is_entropy(const char *text, int seats);
void seed_mix(const uint8_t seed[SEED_BYTES], const char *entropy,
              uint8_t mixed[SEED_BYTES]);

/* How far the first of several records, or the beginning of it, extends. */
struct record_span {
    size_t len;
    int lines;
    bool is_closed; /* it ends with its hash, or with the seal after that, */
    bool ends;      /* or there, or because the next one begins */
    bool may_grow;  /* nothing follows, but its seal could */
};

struct record_span record_span(const char *text, size_t len);

/* The bytes of comments and empty lines at the beginning, and their lines. */
size_t comment_bytes(const char *text, size_t len, int *lines);

/*
 * The name of its game: "about id=NAME", or else "about match=NAME". "" if it
 * does not say, or if the name is too long.
 */
enum { RECORD_NAME_MAX = 64 };

void record_name(const char *text, char name[RECORD_NAME_MAX + 1]);

/*
 * The same the other way round. The name that a game has in its match is
 * shorter, but other matches use it too.
 */
void record_match_name(const char *text, char name[RECORD_NAME_MAX + 1]);

/*
 * Had its writer reached the end of the head, so that the game can continue
 * from there? This reads what a referee writes. A head that was typed in may be
 * shorter.
 */
bool record_has_head(const char *text);

/* One line of a record. */
struct record_line {
    int number;  /* from 1; 0 at the end of the file */
    char *whole; /* with its audience */
    char *text;  /* without it */
    seat_set to; /* only RECORD for "@-" */
};

/* How a record is read. The bytes are borrowed, and cut into lines in place. */
struct record {
    const char *name; /* of the file, for messages */
    char *at, *end;
    int lines;     /* read so far */
    bool cut;      /* the last line has no line feed: its writer was killed */
    bool told;     /* it has events, not only plays and leaves */
    bool has_seal; /* after the hash */
    bool has_hash; /* a closing hash is there ... */
    char hash[HASH_HEX + 1]; /* ... and should be this */
    const struct game *game;
    struct setup setup;
    const char *about; /* "KEY=VALUE ...", or NULL, like those below */
    const char *deal;
    const char *commit;
    const char *entropy;
    const char *seat[SEATS_MAX]; /* "name=NAME [digest=..] [version=..]" */
    const char *time[SEATS_MAX];
};

/* The value of KEY in "KEY=VALUE KEY=VALUE", and its length; or NULL. */
const char *about_find(const char *about, const char *key, size_t *len);

/*
 * Read the head, and hash the rest. `text` has room for a NUL at len.
 * `lines_before` lines come before it in its file.
 */
bool record_open(struct record *record, const char *name, int lines_before,
                 char *text, size_t len, struct err *err) MUST_CHECK;

/* The next line that is not a comment; number 0 at the end. */
bool record_next(struct record *record, struct record_line *line,
                 struct err *err) MUST_CHECK;

/* "NAME:LINE: found "X", expected Y". */
bool record_wrong(const struct record *record, const struct record_line *line,
                  struct err *err, const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
