/* The live display of a tournament, on stderr. */

#include "cmd/tournament/tournament.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
    LIVE_US = 100000,    /* between two updates on a terminal ... */
    PLAIN_US = 10000000, /* ... and between two plain lines elsewhere */
    ROWS = 24,           /* if the terminal does not say */
    LEADERS = 5,         /* in a plain line */
};

int name_width(const struct tournament *t)
{
    int width = 4;

    for (int i = 0; i < entrants_of(t); i++)
        if ((int)strlen(name_of(t, i)) > width)
            width = (int)strlen(name_of(t, i));
    return width;
}

void round_name(const struct tournament *t, int round, char text[24])
{
    if (t->config->schedule.format == FORMAT_KNOCKOUT &&
        round == t->schedule.rounds - 1)
        snprintf(text, 24, "final");
    else
        snprintf(text, 24, "round %d", round + 1);
}

void live_begin(struct tournament *t, bool quiet)
{
    t->quiet = quiet;
    t->live = isatty(STDERR_FILENO);
    t->start_us = t->shown_us = now_us();
}

void live_wipe(struct tournament *t)
{
    if (t->lines > 0)
        fprintf(stderr, "\r\033[%dA\033[J", t->lines);
    t->lines = 0;
}

static bool has_rounds(const struct tournament *t)
{
    return t->config->schedule.format == FORMAT_SWISS ||
           t->config->schedule.format == FORMAT_KNOCKOUT;
}

/* "cup, round 2 of 3: 5 of 8 games, 2 running, 1.3/s" */
static void print_state(const struct tournament *t)
{
    int done, games = schedule_games(&t->schedule, &done);
    double seconds = (double)(now_us() - t->start_us) / 1e6;
    char round[24], workers[WORKERS_TEXT];

    round_name(t, t->schedule.round, round);
    contest_workers(&t->run, workers);
    fprintf(stderr, "%s, ", t->config->name);
    if (has_rounds(t))
        fprintf(stderr, "%s of %d: ", round, t->schedule.rounds);
    fprintf(stderr, "%d of %d games, %d running%s, %.1f/s", done, games,
            contest_running(t->run.contest), workers,
            seconds > 0 ? t->done / seconds : 0);
}

static void print_leaders(const struct tournament *t)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];

    schedule_standings(&t->schedule, standings);
    for (int i = 0; i < entrants_of(t) && i < LEADERS; i++)
        fprintf(stderr, "%s%s %.4g", i ? ", " : "",
                name_of(t, standings[i].entrant), standings[i].points / 2.0);
}

/* The entrants still in a knockout, or its winner. */
static void print_field(const struct tournament *t)
{
    const struct schedule *s = &t->schedule;
    struct standing standings[SCHEDULE_ENTRANTS_MAX];

    if (schedule_is_over(s)) {
        schedule_standings(s, standings);
        fprintf(stderr, "%s has won", name_of(t, standings[0].entrant));
        return;
    }
    for (int i = 0; i < s->field_len; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", name_of(t, s->field[i]));
    fputs(" go on", stderr);
}

static int rows(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 3)
        return size.ws_row;
    return ROWS;
}

static void print_block(struct tournament *t)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];
    int width = name_width(t), most = rows() - 3;

    live_wipe(t);
    print_state(t);
    fputc('\n', stderr);
    schedule_standings(&t->schedule, standings);
    t->lines = 1;
    for (int i = 0; i < entrants_of(t) && i < most; i++, t->lines++) {
        const struct standing *s = &standings[i];

        fprintf(stderr, "%4d  %-*s  %7.1f of %.1f%s\n", s->place, width,
                name_of(t, s->entrant), s->points / 2.0, s->possible / 2.0,
                s->out >= 0 ? "  out" : "");
    }
}

/* Limited, so that it costs almost nothing. */
static void show(struct tournament *t)
{
    int64_t now = now_us();

    if (t->quiet || now - t->shown_us < (t->live ? LIVE_US : PLAIN_US))
        return;
    t->shown_us = now;
    if (t->live) {
        print_block(t);
    } else {
        print_state(t);
        fputs(": ", stderr);
        print_leaders(t);
        fputc('\n', stderr);
    }
    fflush(stderr);
}

/* Without a terminal, print a line for every finished round. */
static void tell_rounds(struct tournament *t)
{
    const struct schedule *s = &t->schedule;
    int over = schedule_is_over(s) ? s->rounds : s->round;
    char round[24];

    if (t->quiet || t->live || !has_rounds(t))
        return;
    for (; t->told_round < over; t->told_round++) {
        round_name(t, t->told_round, round);
        fprintf(stderr, "%s, %s is over: ", t->config->name, round);
        if (t->config->schedule.format == FORMAT_KNOCKOUT)
            print_field(t);
        else
            print_leaders(t);
        fputc('\n', stderr);
    }
}

void live_move(struct tournament *t)
{
    show(t);
}

void live_game(struct tournament *t)
{
    tell_rounds(t);
    show(t);
}
