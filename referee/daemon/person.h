#ifndef REFEREE_DAEMON_PERSON_H
#define REFEREE_DAEMON_PERSON_H

/*
 * person.h - a visitor of the site who sits at a table.
 *
 * To the table it is a peer like any other: it is asked for moves, has a clock
 * and can fail. It answers every command at once, except genmove, which waits
 * until person_answer() brings the move. The person reads nothing here: the
 * page shows the steps of that seat, made from the record.
 */

#include "daemon/hint.h"
#include "net/tcp.h"
#include "run/loop.h"
#include "run/peer.h"

enum { PERSON_ID_MAX = 10 }; /* digits of a command's number */

extern const char guest_name[]; /* its name in records */

struct person {
    struct peer peer;
    struct talk talk;
    struct loop *loop;
    char origin[ORIGIN_MAX];
    /* the number of the pending genmove, or "" */
    char asked[PERSON_ID_MAX + 1];
    bool resigns;       /* the person leaves as soon as it is asked */
    struct buf answers; /* on their way to the table */
    struct deferred tell;
    int64_t seen_us; /* when its page last made a request */
    struct hint hint;
};

struct person *person_new(struct loop *loop, const char *origin);
void person_free(struct person *person);

static inline bool person_is_asked(const struct person *person)
{
    return person->asked[0] != '\0';
}

/* The requested move, which must be legal. */
void person_answer(struct person *person, const char *move);

/* Resign now, or when it is asked next. */
void person_resign(struct person *person);

/* Its page has been gone for too long. */
void person_leave(struct person *person);

#endif
