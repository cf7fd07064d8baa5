#ifndef REFEREE_DAEMON_RECEPTION_STATE_H
#define REFEREE_DAEMON_RECEPTION_STATE_H

/*
 * reception_state.h - what the reception is made of; for its own files only.
 *
 *     reception.c   the queue, and what lies on the shelf
 *     visit.c       who is there: what may be handed in, and who is told what
 *     sending.c     archives on their way to the shelf
 *     choosing.c    which of the owner's versions plays
 */

#include "daemon/handin.h"
#include "daemon/reception.h"

#define SENDING ".sending-" /* how a file is called until it is whole */

enum visit_state {
    VISIT_BEGINS,  /* it has said nothing yet */
    VISIT_WAITS,   /* to send */
    VISIT_SENDS,   /* its archive */
    VISIT_WATCHES, /* what comes of it */
    VISIT_CHOOSES, /* it waits until the configuration has been read */
    VISIT_ENDS     /* it is told why, and closed */
};

/* A connection that hands in. */
struct visit {
    struct reception *reception;
    struct connection *connection;
    enum visit_state state;
    int64_t heard_us;
    long long bytes, got; /* of its archive: announced, and come */
    char digest[HANDIN_DIGEST_HEX + 1];
    struct sha256 hash;
    struct buf piece; /* to be written */
    int fd;
    char path[DISK_PATH_MAX];
    struct handin *handin; /* that it watches */
    size_t told;           /* lines of it */
    struct visit *next;
};

struct reception {
    struct loop *loop;
    struct log *log;
    const struct reception_owner *calls;
    void *owner;
    const struct serve_config *config;
    struct visit *visits; /* the newest is first */
    struct handin *queue; /* the oldest is first */
    struct deferred next;
    bool is_stopping;
    long long accepted, refused, failed;
    unsigned uploads; /* so that each has a name of its own */
};

static inline const struct handins_config *rules_of(const struct reception *r)
{
    return &r->config->handins;
}

/* reception.c */
struct handin *reception_enqueue(struct reception *reception, const char *name,
                                 const char *path, const char *sent);
void reception_start_soon(struct reception *reception);
int reception_count(const struct reception *reception, enum handin_state state);
int reception_place(const struct reception *reception,
                    const struct handin *handin);
void reception_add_ladders(const struct reception *reception, const char *name,
                           const char *version, struct buf *out);
void reception_tell_playing(const struct reception *reception,
                            struct handin *handin);

/* visit.c: an error that its owner reads last; what comes of a hand-in. */
void visit_turn_away(struct visit *visit, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
void visit_watch(struct visit *visit, struct handin *handin);
void visit_tell_place(struct visit *visit);
void visit_pump(struct visit *visit); /* as many lines as it reads */

/* choosing.c: the versions of its bot. */
void choosing_list(struct visit *visit, const char *nothing);
void choosing_withdraw(struct visit *visit, const char *version);
void choosing_choose(struct visit *visit, const char *version);

/* `plays`: what it chose plays now; or it will when the file is mended. */
void choosing_done(struct visit *visit, bool plays);

/* sending.c */
enum { PIECE_MAX = 768, WRITE_BYTES = 64 << 10 };

void sending_let(struct reception *reception); /* somebody may */
void sending_take(struct visit *visit, const char *base64);
void sending_stop(struct visit *visit);

#endif
