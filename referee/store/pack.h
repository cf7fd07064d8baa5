#ifndef REFEREE_STORE_PACK_H
#define REFEREE_STORE_PACK_H

/*
 * pack.h - the records of a contest: FOLDER/games-001.rec, games-002.rec, ...
 *
 * A file for every game would cost more than all the rest of its record (10 of
 * 18 us, and 25 on a disk). So a game is written behind others, into a file in
 * which none is under way: there are as many files as there were games at once.
 *
 *     take --> its bytes are appended --> give back        the game is over
 *          --> cut to what counts of it, and go on         it begins again
 *          --> the referee ends                            it is unfinished
 *
 * So only the last record of a file can be unfinished, and who takes up that
 * game goes on in that file. Nobody else gets it.
 */

#include "match/record.h"
#include "match/seal.h"

struct pack;

/* Is none of these files in the folder? */
bool pack_is_new(const char *folder, struct err *err) MUST_CHECK;

/*
 * With what is there, if it `resumes`; for so many games at once. The folder is
 * borrowed. If `chain` is not NULL it is told how far the chain is that this
 * key has sealed there; without a name if there is none.
 */
struct pack *pack_open(const char *folder, bool resumes, int at_once,
                       struct chain *chain, const uint8_t key[SEAL_KEY_BYTES],
                       struct err *err);
void pack_close(struct pack *pack);

/* The record of a game, as it was when the pack was opened. */
struct packed {
    char *name;       /* of the game: "about match=..", or "id=.." */
    int file;         /* in which it is, */
    int64_t offset;   /* from there on, */
    size_t len;       /* so long, */
    int lines_before; /* behind so many lines */
    bool is_closed;
};

const struct packed *pack_find(const struct pack *pack, const char *name);
bool pack_read(struct pack *pack, const struct packed *record, struct buf *out,
               struct err *err) MUST_CHECK;

/*
 * A file for a game, or -1: the one that has the beginning of it, of which so
 * many bytes count, or a free one.
 */
int pack_take(struct pack *pack, const char *name, size_t keep,
              struct err *err);
void pack_give_back(struct pack *pack, int file);

/* Of the game that the file was taken for no more than so many bytes count. */
bool pack_cut(struct pack *pack, int file, size_t len,
              struct err *err) MUST_CHECK;

/* To append to; it stays the pack's. */
int pack_fd(const struct pack *pack, int file);

/* For messages, until the next call. */
const char *pack_path(struct pack *pack, int file);

#endif
