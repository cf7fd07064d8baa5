#include "daemon/metrics.h"

#include <stddef.h>

const char metrics_type[] = "text/plain; version=0.0.4; charset=utf-8";

static const int64_t lag_bounds[LAG_BUCKETS] = {
    5,    10,    20,    50,    100,    200,    500,    1000,    2000,
    5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000,
};

void metrics_lag(struct metrics *m, int64_t us)
{
    int i = 0;

    us = us < 0 ? 0 : us; /* a sum that decreases would not be a counter */
    while (i < LAG_BUCKETS && us > lag_bounds[i])
        i++;
    m->lag.in[i]++;
    m->lag.sum_us += us;
}

/* A family of one number, or of one for each value of a label. */
struct family {
    const char *name, *type, *help;
    size_t at; /* of its first int64_t in the struct */
    const char *label;
    size_t count;
    const char *(*value)(int i);
};

static const char *kind_word(int kind)
{
    static const char *const words[LISTENER_KINDS] = {
        [LISTEN_TCP] = "tcp", [LISTEN_TLS] = "tls", [LISTEN_UNIX] = "unix"};

    return words[kind];
}

static const char *fault_word(int why)
{
    return why_word((enum why)why);
}

static const char *trouble_word(int kind)
{
    static const char *const words[TROUBLE_KINDS] = {"record", "index",
                                                     "start"};

    return words[kind];
}

static const char *refusal_word(int why)
{
    static const char *const words[HTTP_REFUSALS] = {
        "busy",    "too-long", "crowded",   "slow",
        "foreign", "key",      "no-stream", "late-reader"};

    return words[why];
}

static const char *code_word(int class)
{
    static const char *const words[HTTP_CODES] = {"1xx", "2xx", "3xx", "4xx",
                                                  "5xx"};

    return words[class];
}

#define FAMILY(type, member, name, help, label, word)                      \
    {                                                                      \
        name, type, help, offsetof(struct metrics, member), label,         \
            sizeof((struct metrics *)NULL)->member / sizeof(int64_t), word \
    }
#define GAUGE(member, name, help) \
    FAMILY("gauge", member, name, help, NULL, NULL)
#define COUNTER(member, name, help) \
    FAMILY("counter", member, name, help, NULL, NULL)

static const struct family families[] = {
    GAUGE(start_s, "process_start_time_seconds",
          "When the referee was started, in seconds since 1970."),
    GAUGE(paused, "referee_paused", "1 while no new games start."),
    FAMILY("gauge", trouble, "referee_trouble",
           "1 while no new games start because this fails.", "kind",
           trouble_word),
    GAUGE(games_running, "referee_games_running", "Games that run now."),
    GAUGE(games_closing, "referee_games_closing",
          "Games that are over, but not in the index yet."),
    GAUGE(bots_waiting, "referee_bots_waiting", "Bots that wait for a game."),
    GAUGE(connections_open, "referee_connections",
          "Connections that are open now."),
    COUNTER(games_done, "referee_games_done_total",
            "Games that were played to a result."),
    COUNTER(games_void, "referee_games_void_total",
            "Games that ended without a result."),
    COUNTER(moves, "referee_moves_total", "Moves that were made."),
    FAMILY("counter", faults, "referee_faults_total",
           "Bots that left a game, by the reason in the result.", "why",
           fault_word),
    FAMILY("counter", connections_accepted,
           "referee_connections_accepted_total",
           "Connections that were accepted.", "listener", kind_word),
    COUNTER(connections_refused, "referee_connections_refused_total",
            "Connections that were closed because of a limit."),
    COUNTER(logins_ok, "referee_logins_total", "Bots that have logged in."),
    COUNTER(logins_failed, "referee_logins_failed_total",
            "Logins that were refused."),
    GAUGE(http.connections, "referee_http_connections",
          "Connections over HTTP that are open now, without streams."),
    GAUGE(http.streams, "referee_http_streams",
          "Streams of spectators and players that are open now."),
    FAMILY("counter", http.answers, "referee_http_answers_total",
           "Answers over HTTP, by the class of their status.", "code",
           code_word),
    FAMILY("counter", http.refused, "referee_http_refused_total",
           "Requests that were refused and readers that were dropped.", "why",
           refusal_word),
    COUNTER(http.kept, "referee_http_kept_total",
            "Answers that were given once more without being made anew."),
    COUNTER(bytes_in, "referee_received_bytes_total", "Bytes that bots sent."),
    COUNTER(bytes_out, "referee_sent_bytes_total",
            "Bytes that were sent to bots."),
};

#define OF_LADDER(type, member, name, help)                                  \
    {                                                                        \
        name, type, help, offsetof(struct ladder_metrics, member), "ladder", \
            1, NULL                                                          \
    }

static const struct family ladder_families[] = {
    OF_LADDER("gauge", waiting, "referee_ladder_bots_waiting",
              "Bots that wait for a game on a ladder."),
    OF_LADDER("gauge", running, "referee_ladder_games_running",
              "Games of a ladder that run now."),
    OF_LADDER("counter", done, "referee_ladder_games_total",
              "Games of a ladder that have ended."),
};

#define OF_MANY(type, member, name, help)                                      \
    {                                                                          \
        name, type, help, offsetof(struct many_metrics, member), NULL, 1, NULL \
    }

static const struct family many_families[] = {
    OF_MANY("gauge", is_ready, "referee_database_up",
            "1 while the database that workers share is there."),
    OF_MANY("gauge", workers, "referee_workers", "Workers that are there."),
    OF_MANY("gauge", units, "referee_units",
            "Units that were handed out and are not over."),
    OF_MANY("gauge", playing, "referee_units_playing",
            "Units that workers play now, of all fronts."),
    OF_MANY("gauge", waiting, "referee_units_waiting",
            "Units that wait for a worker, of all fronts."),
    OF_MANY("gauge", dead_rows, "referee_database_dead_rows",
            "Dead rows in the tables of the queue, which make it slow."),
    OF_MANY("gauge", oldest_s, "referee_database_oldest_transaction_seconds",
            "Age of the oldest transaction, which keeps dead rows."),
    OF_MANY("counter", verified, "referee_units_verified_total",
            "Units whose records were right."),
    OF_MANY("counter", refused, "referee_units_refused_total",
            "Units whose records were refused."),
    OF_MANY("counter", given_up, "referee_units_given_up_total",
            "Units that no worker could play."),
    OF_MANY("counter", rechecked, "referee_units_rechecked_total",
            "Units that a second worker has played as well."),
    OF_MANY("counter", rechecked_different,
            "referee_units_rechecked_different_total",
            "Those of them in which bots made other moves."),
};

static int64_t number_at(const void *base, size_t at)
{
    return *(const int64_t *)(const void *)((const char *)base + at);
}

static void write_head(struct buf *out, const char *name, const char *type,
                       const char *help)
{
    buf_add(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_label(struct buf *out, const char *label, const char *value)
{
    buf_add(out, "{%s=\"", label);
    for (; *value; value++) {
        if (*value == '\\' || *value == '"')
            buf_char(out, '\\');
        if (*value == '\n')
            buf_str(out, "\\n");
        else
            buf_char(out, *value);
    }
    buf_str(out, "\"}");
}

static void write_number(struct buf *out, int64_t number)
{
    buf_char(out, ' ');
    buf_int(out, number);
    buf_char(out, '\n');
}

static void write_family(struct buf *out, const struct family *f,
                         const struct metrics *m)
{
    write_head(out, f->name, f->type, f->help);
    for (size_t i = 0; i < f->count; i++) {
        buf_str(out, f->name);
        if (f->label)
            write_label(out, f->label, f->value((int)i));
        write_number(out, number_at(m, f->at + i * sizeof(int64_t)));
    }
}

static void write_ladders(struct buf *out, const struct family *f,
                          const struct metrics *m)
{
    if (m->ladders == 0)
        return;
    write_head(out, f->name, f->type, f->help);
    for (int i = 0; i < m->ladders; i++) {
        buf_str(out, f->name);
        write_label(out, f->label, m->ladder[i].name);
        write_number(out, number_at(&m->ladder[i], f->at));
    }
}

static void write_many(struct buf *out, const struct family *f,
                       const struct many_metrics *many)
{
    write_head(out, f->name, f->type, f->help);
    buf_str(out, f->name);
    write_number(out, number_at(many, f->at));
}

/* Prometheus counts time in seconds: 1500 is 0.0015. */
static void write_seconds(struct buf *out, int64_t us)
{
    buf_int(out, us / 1000000);
    us %= 1000000;
    if (us == 0)
        return;
    buf_char(out, '.');
    for (int64_t digit = 100000; us > 0; digit /= 10) {
        buf_char(out, (char)('0' + us / digit));
        us %= digit;
    }
}

static void write_lag(struct buf *out, const struct lag_histogram *lag)
{
    static const char name[] = "referee_loop_lag_seconds";
    int64_t count = 0;

    write_head(out, name, "histogram",
               "How long what a bot sent lay there until it was read.");
    for (int i = 0; i < LAG_BUCKETS; i++) {
        count += lag->in[i];
        buf_add(out, "%s_bucket{le=\"", name);
        write_seconds(out, lag_bounds[i]);
        buf_str(out, "\"}");
        write_number(out, count);
    }
    count += lag->in[LAG_BUCKETS];
    buf_add(out, "%s_bucket{le=\"+Inf\"}", name);
    write_number(out, count);
    buf_add(out, "%s_sum ", name);
    write_seconds(out, lag->sum_us);
    buf_add(out, "\n%s_count", name);
    write_number(out, count);
}

void metrics_write(const struct metrics *m, struct buf *out)
{
    const int plain = sizeof families / sizeof *families;
    const int ladder = sizeof ladder_families / sizeof *ladder_families;
    const int many = sizeof many_families / sizeof *many_families;

    for (int i = 0; i < plain; i++)
        write_family(out, &families[i], m);
    for (int i = 0; i < ladder; i++)
        write_ladders(out, &ladder_families[i], m);
    for (int i = 0; m->many && i < many; i++)
        write_many(out, &many_families[i], m->many);
    write_lag(out, &m->lag);
}
