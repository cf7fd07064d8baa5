#ifndef REFEREE_DAEMON_METRICS_H
#define REFEREE_DAEMON_METRICS_H

/*
 * metrics.h - the daemon in numbers, for Prometheus.
 *
 * Counters only grow; gauges go up and down. Code that sees something happen
 * counts it in place: `metrics->moves++`. A name and a help text for each are
 * rows of a table in metrics.c, and metrics_write() writes them all in the text
 * format 0.0.4.
 */

#include "daemon/config.h"
#include "match/fault.h"

enum {
    LISTENER_KINDS = LISTEN_UNIX + 1,
    LAG_BUCKETS = 17,
    TROUBLE_KINDS = 3, /* record, index, start */
};

extern const char metrics_type[]; /* the MIME type of the text */

/* Why a request over HTTP was refused, or its connection closed. */
enum http_refusal {
    HTTP_BUSY,      /* its address, or all together, had used their time */
    HTTP_TOO_LONG,  /* the index would have been busy for too long */
    HTTP_CROWDED,   /* another address had fewer connections */
    HTTP_SLOW,      /* it took too long to arrive */
    HTTP_FOREIGN,   /* it came from a page of another site */
    HTTP_KEY,       /* a wrong key of a seat, or a wrong token of a bot */
    HTTP_NO_STREAM, /* there were too many streams */
    HTTP_LATE,      /* the reader of a stream did not keep up */
    HTTP_REFUSALS
};

enum { HTTP_CODES = 5 }; /* 1xx to 5xx */

struct http_metrics {
    int64_t connections, streams; /* that are open now */
    int64_t answers[HTTP_CODES];
    int64_t refused[HTTP_REFUSALS];
    int64_t kept; /* answers given from the cache */
};

/* The number of lags up to each length, and the rest. */
struct lag_histogram {
    int64_t in[LAG_BUCKETS + 1]; /* each bucket by itself, not cumulative */
    int64_t sum_us;
};

/* Figures for each ladder. */
struct ladder_metrics {
    const char *name;
    int64_t waiting, running; /* bots, games */
    int64_t done;             /* games */
};

/* What is known of workers on other machines, if there is a database. */
struct many_metrics {
    int64_t is_ready; /* 1: the database is there */
    int64_t units;    /* that are not over */
    int64_t workers, playing, waiting;
    int64_t dead_rows, oldest_s;            /* what makes the queue slow */
    int64_t verified, refused, given_up;    /* units */
    int64_t rechecked, rechecked_different; /* by a second worker */
};

struct metrics {
    /* gauges */
    int64_t start_s;                /* of the daemon, in seconds since 1970 */
    int64_t paused;                 /* 1 while no new games start */
    int64_t trouble[TROUBLE_KINDS]; /* 1 while this problem prevents games */
    int64_t games_running;
    int64_t games_closing; /* over, but not in the index */
    int64_t bots_waiting;
    int64_t connections_open;

    /* counters */
    int64_t games_done, games_void;
    int64_t moves;
    int64_t faults[WHYS];
    int64_t connections_accepted[LISTENER_KINDS];
    int64_t connections_refused;
    int64_t logins_ok, logins_failed;
    int64_t bytes_in, bytes_out;
    struct http_metrics http;
    struct lag_histogram lag;

    /* borrowed; filled in before metrics_write() */
    const struct ladder_metrics *ladder;
    int ladders;
    const struct many_metrics *many; /* or NULL */
};

/* A line waited this long before the referee read it. */
void metrics_lag(struct metrics *metrics, int64_t us);

void metrics_write(const struct metrics *metrics, struct buf *out);

#endif
