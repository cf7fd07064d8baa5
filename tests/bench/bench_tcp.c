/*
 * bench_tcp.c - a move of two bots from the network, in `referee serve`.
 *
 * The daemon deals the same in every game, see same_deal.c. One game is played
 * with random moves; then null bots play it again and again.
 */

#include "figures.h"
#include "parts.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BOTS = 2, WAIT_MS = 10000 };

struct daemon {
    char folder[TEXT_MAX];
    char token[BOTS][128];
    int port;
    pid_t pid, bot[BOTS];
};

static void write_config(const struct daemon *d, const struct played *p,
                         bool durable)
{
    char path[TEXT_MAX + 16];
    FILE *out;

    snprintf(path, sizeof path, "%s/ref.ini", d->folder);
    out = fopen(path, "w");
    if (!out)
        die("%s cannot be written", path);
    fprintf(out,
            "[server]\ndata = %s/data\nkeys = %s/keys\n"
            "plain-tokens = yes\nstop-limit = 1s\nrate-every = 0\n"
            "durable = %s\n"
            "[listen local]\nport = 0\n"
            "[ladder bench]\ngame = %s\nseats = 2\nmeetings = 0\n",
            d->folder, d->folder, durable ? "yes" : "no", p->name);
    if (p->set)
        fprintf(out, "set = %s\n", p->set);
    fclose(out);
}

/* What a command of the referee prints. */
static void ask(char *answer, size_t size, const char *command)
{
    FILE *in = popen(command, "r");

    if (!in || !fgets(answer, (int)size, in))
        die("\"%s\" says nothing", command);
    answer[strcspn(answer, "\n")] = '\0';
    pclose(in);
}

static void make_tokens(struct daemon *d)
{
    char command[2 * TEXT_MAX];

    for (int i = 0; i < BOTS; i++) {
        snprintf(command, sizeof command,
                 REFEREE " token bot%d --keys %s/keys 2>/dev/null", i + 1,
                 d->folder);
        ask(d->token[i], sizeof d->token[i], command);
    }
}

/* "... listening: local on 127.0.0.1 port 40123", on standard error. */
static int port_of(const struct daemon *d)
{
    char path[TEXT_MAX + 16], line[512];
    int port = 0;

    snprintf(path, sizeof path, "%s/log", d->folder);
    for (int ms = 0; port == 0 && ms < WAIT_MS; ms += 10) {
        FILE *in = fopen(path, "r");

        while (in && fgets(line, sizeof line, in)) {
            const char *at = strstr(line, " port ");

            if (at && strstr(line, "listening: local"))
                port = atoi(at + 6);
        }
        if (in)
            fclose(in);
        usleep(10000);
    }
    if (port == 0)
        die("the daemon does not listen, see %s", path);
    return port;
}

static void start_daemon(struct daemon *d)
{
    struct command c = {0};
    char log[TEXT_MAX + 16];

    snprintf(log, sizeof log, "%s/log", d->folder);
    unlink(log); /* with the port of the one before */
    add(&c, "sh");
    add(&c, "-c");
    add(&c, "LD_PRELOAD=./%s exec %s serve %s/ref.ini 2>%s", SAME_DEAL, REFEREE,
        d->folder, log);
    d->pid = launch(&c, "/dev/null", ONE_CORE);
    forget(&c);
    d->port = port_of(d);
}

static void start_bots(struct daemon *d, const char *moves)
{
    for (int i = 0; i < BOTS; i++) {
        struct command c = {0};

        add(&c, NULL_BOT);
        add(&c, "-t%d:bot%d:%s", d->port, i + 1, d->token[i]);
        add(&c, "-c%s/count", folder);
        if (moves)
            add(&c, "%s", moves);
        d->bot[i] = launch(&c, "/dev/null", ONE_CORE);
        forget(&c);
    }
}

/* The bots end when their connections do. */
static void stop(struct daemon *d)
{
    kill(d->pid, SIGTERM);
    finish(d->pid, "referee serve");
    for (int i = 0; i < BOTS; i++)
        waitpid(d->bot[i], NULL, 0);
}

static void copy_record(FILE *in, FILE *out)
{
    char line[8200] = "";

    while (strncmp(line, "hash ", 5) != 0 && fgets(line, sizeof line, in))
        fputs(line, out);
}

/* The first game of the first day, under the name that others expect. */
static void take_record(const struct daemon *d)
{
    char folder_of_days[TEXT_MAX + 32], name[TEXT_MAX + 32];
    glob_t found;
    FILE *in, *out;

    snprintf(folder_of_days, sizeof folder_of_days, "%s/data/records/bench",
             d->folder);
    find_records(folder_of_days, &found);
    snprintf(name, sizeof name, "%s/game.rec", d->folder);
    in = fopen(found.gl_pathv[0], "r");
    out = fopen(name, "w");
    if (!in || !out)
        die("%s cannot be written", name);
    copy_record(in, out);
    fclose(in);
    fclose(out);
    globfree(&found);
}

static void record_one(struct daemon *d, struct played *p)
{
    start_daemon(d);
    start_bots(d, NULL);
    cost_between(d->pid, 0, MOVES / 20);
    stop(d);
    take_record(d);
    write_moves(p, d->folder, 1);
}

static struct cost serve(struct daemon *d, const struct played *p, bool durable)
{
    struct cost c;

    write_config(d, p, durable);
    start_daemon(d);
    start_bots(d, p->moves);
    c = cost_between(d->pid, MOVES / 4, MOVES);
    stop(d);
    c.wall_us /= (double)c.moves;
    c.cpu_us /= (double)c.moves;
    return c;
}

static void measure_tcp(struct daemon *d, const struct played *p)
{
    struct cost a = limit(p, "tcp", MOVES, 2, ONE_CORE);
    struct cost floor = floor_of(p, "tcp", MOVES, 1, ONE_CORE);
    struct cost record = serve(d, p, false), durable = serve(d, p, true);

    sample_moves("tcp", p->name, "A", &a, &a);
    sample_moves("tcp", p->name, "floor", &floor, &a);
    sample_moves("tcp", p->name, "record", &record, &a);
    sample_moves("tcp", p->name, "record, durable", &durable, &a);
}

static void prepare(struct daemon *d, struct played *p)
{
    snprintf(d->folder, sizeof d->folder, "%s", new_folder());
    mkdir(d->folder, 0700);
    write_config(d, p, false);
    make_tokens(d);
    record_one(d, p);
}

void bench_tcp(void)
{
    static struct played p[GAMES];
    static struct daemon d[GAMES];

    for (int g = 0; g < GAMES; g++) {
        p[g] = (struct played){.name = played[g].name, .set = played[g].set};
        if (measured[g])
            prepare(&d[g], &p[g]);
    }
    for (int i = 0; i < rounds_or(7); i++)
        for (int g = 0; g < GAMES; g++)
            if (measured[g])
                measure_tcp(&d[g], &p[g]);
}
