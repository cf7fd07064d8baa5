/* The results of a tournament, for people. */

#include "base/text.h"
#include "cmd/lib/scoreboard.h"
#include "cmd/tournament/tournament.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CROSSTABLE_MAX = 32, RANGE_TEXT = 40 };

bool tournament_rate(const struct tournament *t, struct ratings *ratings)
{
    struct plackett games = t->games;

    if (t->done == t->voids)
        return false;
    plackett_fit(&games, PLACKETT_NO_ANCHOR, ratings);
    return true;
}

static const char *s(int count)
{
    return count == 1 ? "" : "s";
}

static void print_head(const struct tournament *t)
{
    const struct schedule_config *c = &t->config->schedule;
    const char *format;
    int n = (int)words_at(format_words, (int)c->format, &format);

    printf("%s: %.*s of %d, %d round%s\n", t->config->name, n, format,
           c->entrants, t->schedule.rounds, s(t->schedule.rounds));
    printf("%s, %d seats, %d game%s", t->config->contest.game->name, c->seats,
           t->done, s(t->done));
    if (t->voids)
        printf(" (%d void)", t->voids);
    printf(", %d in a pairing%s, %s\n\n", c->games,
           t->config->duplicate ? " with duplicate deals" : "",
           t->config->time);
}

/* Standings. */

/* How far an entrant got in a knockout: "won", "final", "round 2". */
static void write_exit(const struct tournament *t, const struct standing *at,
                       char text[24])
{
    if (at->out < 0 && schedule_is_over(&t->schedule))
        snprintf(text, 24, "won");
    else if (at->out < 0)
        snprintf(text, 24, "in");
    else if (at->out == t->schedule.rounds - 1 && at->place > 2 &&
             t->config->schedule.third_place)
        snprintf(text, 24, "third place");
    else
        round_name(t, at->out, text);
}

static void print_points(const struct tournament *t, const struct standing *at)
{
    char text[24];

    printf("  %7.1f  %7.1f", at->points / 2.0, at->possible / 2.0);
    if (t->config->schedule.format == FORMAT_KNOCKOUT) {
        write_exit(t, at, text);
        printf("  %-11s", text);
        return;
    }
    printf("  %8.1f  %8.2f", at->buchholz / 2.0, (double)at->sonneborn / 4);
    if (t->config->schedule.format == FORMAT_SWISS)
        printf("  %4d", at->byes);
}

static void print_rating(const struct rating *rating)
{
    char range[RANGE_TEXT];

    if (!rating || rating->seats == 0) {
        printf("  %8s  %-20s", "-", "-");
        return;
    }
    snprintf(range, sizeof range, "%+.1f to %+.1f", rating->low, rating->high);
    printf("  %+8.1f  %-20s", rating->elo, range);
}

static void print_titles(const struct tournament *t, int width)
{
    printf("place  %-*s  %7s  %7s", width, "bot", "points", "of");
    if (t->config->schedule.format == FORMAT_KNOCKOUT)
        printf("  %-11s", "until");
    else
        printf("  %8s  %8s", "Buchholz", "S-Berger");
    if (t->config->schedule.format == FORMAT_SWISS)
        printf("  %4s", "byes");
    printf("  %8s  %-20s  forfeits\n", "Elo", "95 % interval");
}

static void print_standings(const struct tournament *t,
                            const struct standing *standings)
{
    struct ratings ratings;
    bool rated = tournament_rate(t, &ratings);
    int width = name_width(t);
    char text[160];

    print_titles(t, width);
    for (int i = 0; i < entrants_of(t); i++) {
        const struct standing *at = &standings[i];

        printf("%5d  %-*s", at->place, width, name_of(t, at->entrant));
        print_points(t, at);
        print_rating(rated ? &ratings.bot[at->entrant] : NULL);
        printf("  %s\n",
               forfeits_text(&t->stats[at->entrant], text, sizeof text));
    }
    if (rated && ratings.groups > 1)
        printf("There are %d groups that never met: Elo compares only "
               "within each.\n",
               ratings.groups);
    if (rated)
        ratings_release(&ratings);
}

/* The crosstable. */

static void print_cell(int points, int games, bool is_self)
{
    if (games == 0)
        printf("  %6s", is_self ? "-" : ".");
    else
        printf("  %6.1f", points / 2.0);
}

static void print_crosstable(const struct tournament *t,
                             const struct standing *standings)
{
    int n = entrants_of(t), width = name_width(t);
    size_t cells = (size_t)n * (size_t)n;
    struct pool pool = {0};
    int *points = pool_take(&pool, cells * sizeof *points);
    int *games = pool_take(&pool, cells * sizeof *games);

    schedule_crosstable(&t->schedule, points, games);
    printf("\nPoints of row against column\n%-*s", width + 5, "");
    for (int j = 0; j < n; j++)
        printf("  %6d", j + 1);
    putchar('\n');
    for (int i = 0; i < n; i++) {
        int row = standings[i].entrant;

        printf("%3d  %-*s", i + 1, width, name_of(t, row));
        for (int j = 0; j < n; j++) {
            int cell = row * n + standings[j].entrant;

            print_cell(points[cell], games[cell], i == j);
        }
        putchar('\n');
    }
    pool_release(&pool);
}

/* The bracket. */

static void print_table(const struct tournament *t, const struct pairing *p,
                        int width)
{
    int order[SEATS_MAX];

    pairing_order(p, order);
    printf("  %3d ", p->table + 1);
    for (int i = 0; i < p->seats; i++)
        printf("%s %-*s %5.1f", i == p->goes_on ? "  |" : " ", width,
               name_of(t, p->entrant[order[i]]),
               pairing_points(p, order[i]) / 2.0);
    if (p->done < p->games)
        printf("  (%d of %d games)", p->done, p->games);
    if (p->replays)
        printf("  played on %d time%s", p->replays, s(p->replays));
    if (p->by_seed)
        printf("%s a tie: the better seed advances", p->replays ? ";" : " ");
    putchar('\n');
}

static void print_byes(const struct tournament *t, int round)
{
    int count = 0;

    for (int k = 0; k < t->schedule.pairings; k++) {
        const struct pairing *p = &t->schedule.pairing[k];

        if (p->round == round && p->seats == 1)
            printf("%s%s", count++ ? ", " : "  bye   ",
                   name_of(t, p->entrant[0]));
    }
    if (count)
        putchar('\n');
}

/* Round by round; the entrant before the bar advances. */
static void print_bracket(const struct tournament *t)
{
    int width = name_width(t);
    char title[24];

    for (int round = 0; round <= t->schedule.round; round++) {
        round_name(t, round, title);
        printf("\n%c%s\n", title[0] - 'a' + 'A', title + 1);
        for (int k = 0; k < t->schedule.pairings; k++) {
            const struct pairing *p = &t->schedule.pairing[k];

            if (p->round != round || p->seats == 1)
                continue;
            if (p->is_third_place)
                printf("Third place\n");
            print_table(t, p, width);
        }
        print_byes(t, round);
    }
}

void tournament_print(const struct tournament *t)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];

    schedule_standings(&t->schedule, standings);
    print_head(t);
    print_standings(t, standings);
    if (t->config->schedule.format == FORMAT_KNOCKOUT)
        print_bracket(t);
    else if (entrants_of(t) <= CROSSTABLE_MAX)
        print_crosstable(t, standings);
    else
        printf("\n"
               "The crosstable of more than %d is too wide; --json has it.\n",
               CROSSTABLE_MAX);
}
