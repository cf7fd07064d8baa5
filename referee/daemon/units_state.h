#ifndef REFEREE_DAEMON_UNITS_STATE_H
#define REFEREE_DAEMON_UNITS_STATE_H

/* units_state.h - what units.c, unit_records.c and unit_result.c share. */

#include "daemon/bot_logs.h"
#include "daemon/budget.h"
#include "daemon/units.h"
#include "store/session.h"

struct units {
    struct units_context its;
    const struct units_owner *calls;
    void *owner;
    struct generation *generation; /* of new ones */
    struct unit *list;
    int number;                     /* of the last one that began here */
    char session[SESSION_TEXT + 1]; /* makes ids unique */
    struct date date;               /* for the records */
    int64_t games_max;              /* 0: any number */
    int64_t begun;         /* of these games; not those that were void */
    int stuck;             /* tables whose record cannot be written */
    struct bot_logs *logs; /* of local bots */
    struct budget notes;   /* bytes of them that went into records */
};

static inline struct unit *unit_of(struct group *group)
{
    return (struct unit *)group; /* its first member */
}

static inline int seats_of(const struct unit *u)
{
    return group_seats(&u->group);
}

/* Games of people do not count for --games. */
static inline void count_begun(struct unit *u, int games)
{
    if (!u->config->is_for_people)
        u->units->begun += games;
}

/*
 * unit_records.c: the calls of a table that store its record, ...
 */
void unit_on_trouble(void *unit, struct table *table, const char *why);
bool unit_on_keep(void *unit, struct table *table, int record, struct err *err);
int unit_on_store(void *unit, struct table *table);

/* ... the file in running/, cut to its whole lines, ... */
bool unit_open_record(struct unit *unit, size_t whole, struct err *err);
void unit_unlink_record(const struct unit *unit);

/*
 * ... and the step from part to part. The file of a part is made before the
 * previous part goes to the index. So after a crash, either file shows that the
 * unit continues. A single game gets a file when there is something to store.
 */
bool unit_open_part(struct unit *unit, struct err *err);
void unit_mark_next_part(struct unit *unit);
void unit_queue_for_index(struct unit *unit);
void unit_keep_summary(struct unit *unit, const struct match *match);

/*
 * Make the file of a part before it is played, or a crash would lose the part.
 */
void unit_mark_hand(struct unit *unit, const struct hand *hand);
void unit_unmark_hand(const struct unit *unit, const struct hand *hand);

/* unit_result.c: before a part, and when it is over */
void unit_mute(struct unit *unit, int member);
void unit_count_over(struct unit *unit, const struct match *match);

#endif
