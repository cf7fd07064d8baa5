#ifndef REFEREE_STORE_PACK_H
#define REFEREE_STORE_PACK_H

/*
 * pack.h - the records of a contest: FOLDER/games-001.rec, games-002.rec, ...
 *
 * A file for every game would cost more than the rest of its record (10 of
 * 18 us, and 25 on a disk). So a game is appended to a file in which no game is
 * under way. There are as many files as there were games at once.
 *
 *     take --> its bytes are appended --> give back        the game is over
 *          --> cut to what counts of it, and go on         it begins again
 *          --> the referee ends                            it is unfinished
 *
 * So only the last record of a file can be unfinished. That game continues in
 * the same file, and no other game gets the file.
 */

#include "match/record.h"
#include "match/seal.h"

struct pack;

/* Does the folder have none of these files? */
bool pack_is_new(const char *folder, struct err *err) MUST_CHECK;

/*
 * Open a pack for this many games at once; use existing files if it `resumes`.
 * The folder is borrowed. If `chain` is not NULL, it is told how far the chain
 * is that this key has sealed there; it gets no name if there is none.
 */
struct pack *pack_open(const char *folder, bool resumes, int at_once,
                       struct chain *chain, const uint8_t key[SEAL_KEY_BYTES],
                       struct err *err);
void pack_close(struct pack *pack);

/* The record of a game, as it was when the pack was opened. */
struct packed {
    char *name;       /* of the game: "about match=..", or "id=.." */
    int file;         /* the file it is in, */
    int64_t offset;   /* its start there, */
    size_t len;       /* its length, */
    int lines_before; /* and the number of lines before it */
    bool is_closed;
};

const struct packed *pack_find(const struct pack *pack, const char *name);
bool pack_read(struct pack *pack, const struct packed *record, struct buf *out,
               struct err *err) MUST_CHECK;

/*
 * A file for a game, or -1: the file that has the beginning of the game, of
 * which this many bytes count, or a free file.
 */
int pack_take(struct pack *pack, const char *name, size_t keep,
              struct err *err);
void pack_give_back(struct pack *pack, int file);

/* Only this many bytes count of the game that the file was taken for. */
bool pack_cut(struct pack *pack, int file, size_t len,
              struct err *err) MUST_CHECK;

/* To append to. The pack keeps the descriptor. */
int pack_fd(const struct pack *pack, int file);

/* For messages, until the next call. */
const char *pack_path(struct pack *pack, int file);

#endif
