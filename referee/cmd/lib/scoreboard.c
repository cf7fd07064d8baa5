#include "cmd/lib/scoreboard.h"

#include "base/alloc.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LIVE_US = 100000,    /* between two live lines on a terminal ... */
    PLAIN_US = 10000000, /* ... and between two plain ones elsewhere */
};

void scoreboard_init(struct scoreboard *b, const struct contest_config *config,
                     int games, bool duplicate, const char *time,
                     const struct sprt *sprt, const struct contest_run *run)
{
    int n = config->players;
    int units = duplicate ? games / n : games;

    *b = (struct scoreboard){.config = config,
                             .time = time,
                             .players = n,
                             .due = games,
                             .duplicate = duplicate,
                             .sprt = sprt,
                             .run = run,
                             .start_us = now_us(),
                             .live = isatty(STDERR_FILENO)};
    b->stats = must_alloc(calloc((size_t)n, sizeof *b->stats));
    b->unit = must_alloc(calloc((size_t)units, sizeof *b->unit));
    plackett_init(&b->games, n);
}

void scoreboard_release(struct scoreboard *b)
{
    plackett_release(&b->games);
    free(b->stats);
    free(b->unit);
}

static const char *name(const struct scoreboard *b, int player)
{
    return b->config->player[player].bot.name;
}

void scoreboard_move(struct scoreboard *b, int player, int64_t used_us)
{
    time_add(&b->stats[player].time, used_us);
}

/* Games. */

/* Report a fault with the last lines the bot wrote to stderr. */
static void tell_faults(struct scoreboard *b, const struct game_report *r)
{
    char title[24];

    snprintf(title, sizeof title, "game %d", r->number + 1);
    for (int seat = 0; seat < b->players; seat++)
        if (faults_has(&b->faults, r, seat)) {
            scoreboard_show(b, true);
            faults_tell(&b->faults, r, seat, title, name(b, r->player[seat]));
        }
}

static void add_to_unit(struct scoreboard *b, const struct game_report *r)
{
    int size = b->duplicate ? b->players : 1, first = r->player[0] != 0;
    struct unit *unit = &b->unit[r->number / size];

    unit->score += score_of_ranks(r->rank[first], r->rank[1 - first]);
    if (++unit->games == size)
        units_add(&b->units, unit->score / size);
}

/* A single player's goal: does the game have one, and was it reached? */
static const char *goal_of(const struct scoreboard *b, int score, bool left)
{
    const struct result result = {.score = {score},
                                  .reason = left ? "forfeit" : ""};

    return b->players == 1
               ? game_goal(b->config->game, &b->config->setup, &result)
               : NULL;
}

static bool reaches_goal(const struct scoreboard *b,
                         const struct game_report *r)
{
    const char *goal = goal_of(b, r->score[0], r->left[0]);

    return goal && strcmp(goal, "reached") == 0;
}

static void add_stats(struct scoreboard *b, const struct game_report *r)
{
    struct outcome o = {.seats = b->players};

    for (int seat = 0; seat < b->players; seat++) {
        o.bot[seat] = r->player[seat];
        o.rank[seat] = r->rank[seat];
        o.score[seat] = r->score[seat];
        o.forfeit[seat] = r->left[seat] ? (int)r->why[seat] : STATS_NO_FORFEIT;
    }
    o.reached_goal = reaches_goal(b, r);
    stats_game(b->stats, &o);
    plackett_add(&b->games, o.bot, o.rank, b->players);
}

void scoreboard_game(struct scoreboard *b, const struct game_report *r)
{
    b->done++;
    tell_faults(b, r);
    if (r->is_void) {
        b->voids++;
        return;
    }
    add_stats(b, r);
    if (b->players == 2)
        add_to_unit(b, r);
}

bool scoreboard_is_accepted(const struct scoreboard *b)
{
    return b->sprt && sprt_test(b->sprt, &b->units).verdict == SPRT_H1;
}

bool scoreboard_is_decided(const struct scoreboard *b)
{
    return b->sprt && sprt_test(b->sprt, &b->units).verdict != SPRT_RUNNING;
}

/* The live line. */

static void print_time_left(double seconds)
{
    if (seconds >= 3600)
        fprintf(stderr, "%.0fh%02.0fm left", floor(seconds / 3600),
                floor(fmod(seconds, 3600) / 60));
    else if (seconds >= 60)
        fprintf(stderr, "%.0fm%02.0fs left", floor(seconds / 60),
                floor(fmod(seconds, 60)));
    else
        fprintf(stderr, "%.0fs left", ceil(seconds));
}

static void print_llr(const struct scoreboard *b)
{
    struct sprt_state s = sprt_test(b->sprt, &b->units);

    fprintf(stderr, "  llr %.2f (%.2f to %.2f)", s.llr, s.lower, s.upper);
}

static void print_scores(const struct scoreboard *b)
{
    for (int p = 0; p < b->players; p++)
        fprintf(stderr, "  %s %.4g", name(b, p),
                b->players == 1 ? stats_mean_score(&b->stats[p])
                                : stats_wins(&b->stats[p]));
    if (b->sprt)
        print_llr(b);
}

void scoreboard_show(struct scoreboard *b, bool last)
{
    int64_t now = now_us();
    double seconds = (double)(now - b->start_us) / 1e6;
    double rate = seconds > 0 ? b->done / seconds : 0;
    char workers[WORKERS_TEXT];

    if (last) {
        if (b->live)
            fputs("\r\033[K", stderr);
        b->shown_us = 0;
        return;
    }
    if (now - b->shown_us < (b->live ? LIVE_US : PLAIN_US))
        return;
    if (!b->live && b->shown_us == 0) {
        b->shown_us = now; /* a short match prints none */
        return;
    }
    b->shown_us = now;
    contest_workers(b->run, workers);
    fprintf(stderr, "%s%d of %d games%s, %.1f/s, ", b->live ? "\r\033[K" : "",
            b->done, b->due, workers, rate);
    print_time_left(rate > 0 ? (b->due - b->done) / rate : 0);
    print_scores(b);
    fputs(b->live ? "" : "\n", stderr);
    fflush(stderr);
}

/* The tables. */

const char *forfeits_text(const struct bot_stats *s, char *text, size_t size)
{
    size_t n = 0;

    snprintf(text, size, "-");
    for (int why = 0; why < WHYS; why++)
        if (s->forfeits[why])
            n += (size_t)snprintf(text + n, size - n, "%s%s %lld",
                                  n ? ", " : "", why_word((enum why)why),
                                  (long long)s->forfeits[why]);
    return text;
}

/* "12.3 ms", in a unit that suits it. */
static const char *duration(double us, char text[16])
{
    if (us < 1000)
        snprintf(text, 16, "%.0f us", us);
    else if (us < 1e6)
        snprintf(text, 16, "%.3g ms", us / 1000);
    else
        snprintf(text, 16, "%.3g s", us / 1e6);
    return text;
}

static int name_width(const struct scoreboard *b)
{
    int width = 4;

    for (int p = 0; p < b->players; p++)
        if ((int)strlen(name(b, p)) > width)
            width = (int)strlen(name(b, p));
    return width;
}

static void print_head(const struct scoreboard *b)
{
    printf("%s, %d game%s", b->config->game->name, b->done,
           b->done == 1 ? "" : "s");
    if (b->duplicate)
        printf(" in duplicate groups of %d", b->players);
    if (b->voids)
        printf(" (%d void)", b->voids);
    printf(", %d seat%s, %s\n\n", b->players, b->players == 1 ? "" : "s",
           b->time);
}

static void print_times(const struct time_stats *time)
{
    char mean[16], high[16], most[16];

    if (time->moves == 0) {
        printf("%8s %8s %8s ", "-", "-", "-");
        return;
    }
    printf("%8s %8s %8s ", duration(time_mean_us(time), mean),
           duration((double)time_percentile_us(time, 99), high),
           duration((double)time->max_us, most));
}

/* Nothing has no mean. */
static void print_means(const struct bot_stats *s)
{
    if (s->games == 0)
        printf("%5s  %6s  %8s  ", "-", "-", "-");
    else
        printf("%5.1f  %6.2f  %8.2f  ", 100 * stats_wins(s) / (double)s->games,
               stats_mean_rank(s), stats_mean_score(s));
}

static void print_row(const struct scoreboard *b, int p, int width)
{
    const struct bot_stats *s = &b->stats[p];
    char text[160];

    printf("%-*s  %6lld  %8.1f  ", width, name(b, p), (long long)s->games,
           stats_wins(s));
    print_means(s);
    print_times(&s->time);
    for (int seat = 0; seat < b->players; seat++)
        printf("  %6.1f", stats_seat_wins(s, seat));
    printf("   %s\n", forfeits_text(s, text, sizeof text));
}

/* A single player beats nobody: only the score and the goal count. */
static void print_alone(const struct scoreboard *b)
{
    const struct bot_stats *s = &b->stats[0];
    bool has_goal = goal_of(b, 0, false) != NULL;
    int width = name_width(b);
    char text[160];

    printf("%-*s  %6s  %26s %12s  %-26s\n", width, "", "", "score",
           has_goal ? "goal" : "", " time per move");
    printf("%-*s  %6s  %8s %8s %8s %12s  %8s %8s %8s   forfeits\n", width,
           "bot", "games", "mean", "spread", "range", has_goal ? "reached" : "",
           "mean", "99 %", "max");
    printf("%-*s  %6lld  ", width, name(b, 0), (long long)s->games);
    if (s->games > 0)
        printf("%8.2f %8.2f %4lld-%-3lld ", stats_mean_score(s),
               stats_spread(s), (long long)s->lowest, (long long)s->highest);
    else
        printf("%8s %8s %8s ", "-", "-", "-");
    if (has_goal)
        printf("%5lld of %-3lld  ", (long long)s->goals, (long long)s->games);
    else
        printf("%12s  ", "");
    print_times(&s->time);
    printf("  %s\n", forfeits_text(s, text, sizeof text));
}

static void print_table(const struct scoreboard *b)
{
    int width = name_width(b);

    if (b->players == 1) {
        print_alone(b);
        return;
    }

    printf("%-*s  %6s  %8s  %5s  %6s  %8s  %-26s ", width, "", "", "", "",
           "mean", "mean", "time per move");
    printf(" wins on seat\n");
    printf("%-*s  %6s  %8s  %5s  %6s  %8s  %8s %8s %8s ", width, "bot", "games",
           "wins", "%", "rank", "score", "mean", "99 %", "max");
    for (int seat = 0; seat < b->players; seat++)
        printf("  %6d", seat + 1);
    printf("   forfeits\n");
    for (int p = 0; p < b->players; p++)
        print_row(b, p, width);
}

static const char *verdict_text(enum sprt_verdict verdict)
{
    static const char *const texts[] = {"not decided", "no", "yes"};

    return texts[verdict];
}

static void print_elo(const struct scoreboard *b)
{
    struct elo elo = elo_of_units(&b->units);

    if (elo.n == 0)
        return;
    printf("\n%s against %s: %+.1f Elo, 95 %% between %+.1f and %+.1f; "
           "stronger with likelihood %.1f %%\n",
           name(b, 0), name(b, 1), elo.elo, elo.low, elo.high, 100 * elo.los);
    if (b->sprt) {
        struct sprt_state s = sprt_test(b->sprt, &b->units);

        printf("SPRT of %g against %g Elo: llr %.2f (%.2f to %.2f)\n",
               b->sprt->elo0, b->sprt->elo1, s.llr, s.lower, s.upper);
        printf("%s is at least %g Elo better than %s: %s\n", name(b, 0),
               b->sprt->elo1, name(b, 1), verdict_text(s.verdict));
    }
}

static void print_strengths(const struct scoreboard *b)
{
    struct plackett games = b->games;
    struct ratings ratings;
    int width = name_width(b);

    if (b->done == b->voids)
        return;
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &ratings);
    printf(
        "\nStrength (Plackett-Luce, Elo scale, mean 0) with 95 %% interval\n");
    for (int p = 0; p < b->players; p++)
        printf("%-*s  %+7.1f   %+.1f to %+.1f\n", width, name(b, p),
               ratings.bot[p].elo, ratings.bot[p].low, ratings.bot[p].high);
    ratings_release(&ratings);
}

void scoreboard_print(const struct scoreboard *b)
{
    print_head(b);
    print_table(b);
    if (b->players == 2)
        print_elo(b);
    else if (b->players > 2)
        print_strengths(b);
}

/* For machines. */

static json_t *seats_json(const struct scoreboard *b, int p)
{
    json_t *list = json_array();

    for (int seat = 0; seat < b->players; seat++)
        json_array_append_new(list,
                              json_real(stats_seat_wins(&b->stats[p], seat)));
    return list;
}

json_t *forfeits_json(const struct bot_stats *s)
{
    json_t *object = json_object();

    for (int why = 0; why < WHYS; why++)
        if (s->forfeits[why])
            json_object_set_new(object, why_word((enum why)why),
                                json_integer(s->forfeits[why]));
    return object;
}

/* Without games there is no mean. */
static json_t *mean_json(const struct bot_stats *s, double mean)
{
    return s->games > 0 ? json_real(mean) : json_null();
}

static json_t *bot_json(const struct scoreboard *b, int p)
{
    const struct bot_stats *s = &b->stats[p];

    return json_pack(
        "{s:s, s:I, s:f, s:o, s:o, s:o, s:{s:I, s:f, s:I, s:I}, s:o}", "name",
        name(b, p), "games", (json_int_t)s->games, "wins", stats_wins(s),
        "mean_rank", mean_json(s, stats_mean_rank(s)), "mean_score",
        mean_json(s, stats_mean_score(s)), "forfeits", forfeits_json(s),
        "move_us", "moves", (json_int_t)s->time.moves, "mean",
        time_mean_us(&s->time), "p99",
        (json_int_t)time_percentile_us(&s->time, 99), "max",
        (json_int_t)s->time.max_us, "wins_by_seat", seats_json(b, p));
}

static json_t *elo_json(const struct scoreboard *b)
{
    struct elo elo = elo_of_units(&b->units);

    return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f}", "units",
                     (json_int_t)elo.n, "score", elo.score, "elo", elo.elo,
                     "low", elo.low, "high", elo.high, "superiority", elo.los);
}

static json_t *sprt_json(const struct scoreboard *b)
{
    static const char *const words[] = {"running", "H0", "H1"};
    struct sprt_state s = sprt_test(b->sprt, &b->units);

    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:s}", "elo0", b->sprt->elo0,
                     "elo1", b->sprt->elo1, "llr", s.llr, "lower", s.lower,
                     "upper", s.upper, "verdict", words[s.verdict]);
}

static json_t *strengths_json(const struct scoreboard *b)
{
    struct plackett games = b->games;
    struct ratings ratings;
    json_t *list = json_array();

    plackett_fit(&games, PLACKETT_NO_ANCHOR, &ratings);
    for (int p = 0; p < b->players; p++)
        json_array_append_new(
            list, json_pack("{s:s, s:f, s:f, s:f}", "name", name(b, p), "elo",
                            ratings.bot[p].elo, "low", ratings.bot[p].low,
                            "high", ratings.bot[p].high));
    ratings_release(&ratings);
    return list;
}

static void add_alone(const struct scoreboard *b, json_t *bot)
{
    const struct bot_stats *s = &b->stats[0];

    json_object_set_new(bot, "spread", mean_json(s, stats_spread(s)));
    if (goal_of(b, 0, false))
        json_object_set_new(bot, "goals", json_integer(s->goals));
}

void scoreboard_json(const struct scoreboard *b)
{
    json_t *bots = json_array(), *all;

    for (int p = 0; p < b->players; p++)
        json_array_append_new(bots, bot_json(b, p));
    if (b->players == 1)
        add_alone(b, json_array_get(bots, 0));
    all = json_pack("{s:s, s:i, s:i, s:i, s:b, s:s, s:o}", "game",
                    b->config->game->name, "seats", b->players, "games",
                    b->done, "void", b->voids, "duplicate", (int)b->duplicate,
                    "time", b->time, "bots", bots);
    if (b->players == 2)
        json_object_set_new(all, "elo", elo_json(b));
    if (b->players == 2 && b->sprt)
        json_object_set_new(all, "sprt", sprt_json(b));
    if (b->players > 2 && b->done > b->voids)
        json_object_set_new(all, "strengths", strengths_json(b));
    json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(all);
}

void scoreboard_csv(const struct scoreboard *b)
{
    printf("bot,games,wins,mean_rank,mean_score");
    for (int why = 0; why < WHYS; why++)
        printf(",%s", why_word((enum why)why));
    printf(",moves,mean_us,p99_us,max_us");
    for (int seat = 0; seat < b->players; seat++)
        printf(",wins_seat_%d", seat + 1);
    printf("\n");
    for (int p = 0; p < b->players; p++) {
        const struct bot_stats *s = &b->stats[p];

        printf("%s,%lld,%.6g", name(b, p), (long long)s->games, stats_wins(s));
        if (s->games > 0)
            printf(",%.6g,%.6g", stats_mean_rank(s), stats_mean_score(s));
        else
            printf(",,");
        for (int why = 0; why < WHYS; why++)
            printf(",%lld", (long long)s->forfeits[why]);
        printf(",%lld,%.0f,%lld,%lld", (long long)s->time.moves,
               time_mean_us(&s->time),
               (long long)time_percentile_us(&s->time, 99),
               (long long)s->time.max_us);
        for (int seat = 0; seat < b->players; seat++)
            printf(",%.6g", stats_seat_wins(s, seat));
        printf("\n");
    }
}
