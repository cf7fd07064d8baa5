#include "laws.h"

#include "laws_run.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = 1 << 30 /* bytes of one game's texts */ };

/* ranks: 1-based, ties share, gaps follow ties; leavers behind. */

static bool is_ranked(struct run *run, const struct result *r, int seat)
{
    int better = 0;

    for (int i = 0; i < run->setup->seats; i++)
        better += r->rank[i] < r->rank[seat];
    if (r->rank[seat] != better + 1)
        return broken(run, "ranks", seat, "rank %d behind %d seats",
                      r->rank[seat], better);
    return true;
}

/* When did the seat leave? Who stayed comes after all who left. */
static int left_at(const struct run *run, int seat)
{
    return run->gone & SEAT(seat) ? run->when[seat] : run->calls + 1;
}

static bool leavers_are_ranked(struct run *run, const struct result *r)
{
    for (int a = 0; a < run->setup->seats; a++)
        for (int b = 0; b < run->setup->seats; b++) {
            int x = left_at(run, a), y = left_at(run, b);

            if (x > y && r->rank[a] >= r->rank[b])
                return broken(run, "leaves", a,
                              "left later than seat %d, or stayed, but has "
                              "rank %d, not better than %d",
                              b + 1, r->rank[a], r->rank[b]);
            if (x == y && x <= run->calls && r->rank[a] != r->rank[b])
                return broken(run, "leaves", a,
                              "left together with seat %d, but has rank %d, "
                              "not %d",
                              b + 1, r->rank[a], r->rank[b]);
        }
    return true;
}

static bool is_forfeit(const struct run *run)
{
    return count(seats_in(run)) <= (run->setup->seats > 1 ? 1 : 0);
}

static bool ends_well(struct run *run, const struct state *state)
{
    struct result r = {0};

    run->game->result(state, &r);
    if (!r.reason || words_find(run->game->reasons, r.reason) < 0)
        return broken(run, "ends", NOBODY, "the reason \"%s\" is not in \"%s\"",
                      r.reason ? r.reason : "", run->game->reasons);
    for (int seat = 0; seat < run->setup->seats; seat++)
        if (!is_ranked(run, &r, seat))
            return false;
    if (is_forfeit(run) && strcmp(r.reason, "forfeit") != 0)
        return broken(run, "leaves", NOBODY,
                      "all others left, but the reason is \"%s\", not "
                      "\"forfeit\"",
                      r.reason);
    if (!run->gone && strcmp(r.reason, "forfeit") == 0)
        return broken(run, "ends", NOBODY, "\"forfeit\", but nobody left");
    return leavers_are_ranked(run, &r);
}

/* leaves: any seats may leave at any time. */

static seat_set draw_seats(struct run *run, seat_set seats)
{
    seat_set some = 0;

    if (draw(run, 4) == 0)
        return seats;
    while (!some)
        some = seats & (seat_set)draw(run, SEAT(SEATS_MAX));
    return some;
}

static void note_leave(struct run *run, seat_set seats)
{
    run->gone |= seats;
    run->calls++;
    for (int seat = 0; seat < run->setup->seats; seat++)
        if (seats & SEAT(seat))
            run->when[seat] = run->calls;
}

/* The seats have just left `after`; run->legal is still from before. */
static bool left_well(struct run *run, const struct state *after,
                      seat_set owing, seat_set seats)
{
    seat_set now = run->game->to_move(after), rest = owing & ~seats;
    int one = draw_seat(run, seats);

    if (is_forfeit(run) && now)
        return broken(run, "leaves", one,
                      "it left, nobody is left to play against, but the game "
                      "is not over");
    if (now & ~seats_in(run))
        return broken(run, "leaves", one, "a seat that left owes a move");
    if (!now)
        return ends_well(run, after);
    if (rest && now != rest)
        return broken(run, "leaves", one,
                      "its leaving changed who else owes a move");
    return same_lists(run, "leaves", rest, after, "another seat left");
}

/* On a copy, as if it happened now. */
static bool law_leaves(struct run *run)
{
    seat_set owing = run->game->to_move(run->state);
    struct run then = *run;
    struct state *copy;
    struct lines events;
    seat_set seats;
    bool ok;

    if (!owing)
        return true;
    seats = draw_seats(run, seats_in(run));
    copy = game_clone(run->state);
    lines_init(&events, EVENTS_MAX);
    game_leave(run->game, copy, seats, &events);
    note_leave(&then, seats);
    ok = left_well(&then, copy, owing, seats);
    for (size_t i = 0; ok && i < events.count; i++)
        ok = prints_event(run, events.line[i].to, lines_text(&events, i));
    lines_release(&events);
    game_free(copy);
    return ok;
}

/* copies: a clone, played on, leaves the original as it was. */

static bool law_copies(struct run *run)
{
    struct state *copy = game_clone(run->state);
    struct moves list = {0};
    struct lines events;
    struct buf view;
    seat_set owing;
    bool ok;

    lines_init(&events, MEMORY_MAX);
    buf_init(&view, 2 * REFEREE_VIEW_MAX);
    for (int i = 0; i < 3 && (owing = run->game->to_move(copy)) != 0; i++) {
        int seat = draw_seat(run, owing);

        moves_reset(&list);
        run->game->list(copy, seat, &list);
        if (list.count)
            game_apply(run->game, copy, seat,
                       &list.move[draw(run, (uint32_t)list.count)], &events);
    }
    if (run->game->to_move(copy))
        game_leave(run->game, copy, seats_in(run), &events);
    write_view(run, run->state, AUDIENCE_REFEREE, &view);
    ok = same(run, "copies", NOBODY, "the original after play on a copy",
              view_now(run, AUDIENCE_REFEREE), view.text);
    lines_release(&events);
    buf_release(&view);
    moves_release(&list);
    game_free(copy);
    return ok;
}

/* The position as it stands. */

static bool deal_is_kept(struct run *run)
{
    struct buf deal;
    bool ok;

    if (!run->game->dealt)
        return true;
    buf_init(&deal, DEAL_TEXT_MAX);
    run->game->dealt(run->state, &deal);
    ok = same(run, "replays", NOBODY, "dealt() and the deal", run->deal.text,
              deal.text);
    buf_release(&deal);
    return ok;
}

static bool list_seats(struct run *run, seat_set owing)
{
    struct state *before = game_clone(run->state);
    bool ok;

    for (int seat = 0; seat < run->setup->seats; seat++) {
        moves_reset(&run->legal[seat]);
        if (owing & SEAT(seat))
            run->game->list(run->state, seat, &run->legal[seat]);
    }
    ok = game_same(before, run->state);
    game_free(before);
    return ok || broken(run, "copies", NOBODY, "list() changed the state");
}

static bool list_all(struct run *run)
{
    seat_set owing = run->game->to_move(run->state);

    if (owing & ~SEATS(run->setup->seats))
        return broken(run, "ends", NOBODY, "a seat owes that does not exist");
    if (owing & run->gone)
        return broken(run, "leaves", NOBODY, "a seat that left owes a move");
    if (count(owing) > 1 &&
        !shows(run, TRAIT_SIMULTANEOUS, "several seats owe a move at once"))
        return false;
    if (!list_seats(run, owing))
        return false;
    for (int seat = 0; seat < run->setup->seats; seat++)
        if (owing & SEAT(seat) && !run->legal[seat].count)
            return broken(run, "ends", seat, "owes a move but has none");
    return true;
}

static const struct {
    const char *name;
    bool (*holds)(struct run *run);
} laws[] = {
    {"replays", law_replays}, {"copies", law_copies},
    {"prints", law_prints},   {"spells", law_spells},
    {"refuses", law_refuses}, {"at once", law_at_once},
    {"blind", law_blind},     {"view", law_view},
    {"leaves", law_leaves},
};

/* Check all laws here; none of them may leave a trace in the state. */
static bool look_closely(struct run *run)
{
    struct state *before = game_clone(run->state);
    bool ok = true;

    run->report->positions++;
    for (size_t i = 0; ok && i < sizeof laws / sizeof *laws; i++) {
        ok = laws[i].holds(run);
        if (ok && !game_same(before, run->state))
            ok = broken(run, "copies", NOBODY,
                        "the state changed while \"%s\" was checked",
                        laws[i].name);
    }
    game_free(before);
    return ok;
}

/* The game itself. */

static bool play_move(struct run *run)
{
    seat_set owing = run->game->to_move(run->state);
    int seat = draw_seat(run, owing);
    const struct moves *legal = &run->legal[seat];
    size_t at = draw(run, (uint32_t)legal->count);
    struct move move;
    struct buf text;
    bool ok;

    if (run->edgy && draw(run, 4) == 0)
        at = draw(run, 2) ? 0 : legal->count - 1;
    move = legal->move[at];
    buf_init(&text, 1 << 16);
    ok = spells(run, seat, &move, &text);
    if (ok) {
        game_apply(run->game, run->state, seat, &move, &run->events);
        run->answered = count(owing) > 1 ? run->answered | SEAT(seat) : 0;
        run->moves++;
        ok = remember(run, seat, &move, text.text, 0);
    }
    buf_release(&text);
    return ok && (count(owing) == 1 || answered_alone(run, seat, owing));
}

static bool play_leave(struct run *run)
{
    seat_set owing = run->game->to_move(run->state);
    seat_set seats = draw_seats(run, seats_in(run));

    game_leave(run->game, run->state, seats, &run->events);
    note_leave(run, seats);
    run->report->leaves++;
    if (!left_well(run, run->state, owing, seats))
        return false;
    /* A forfeit does not settle the step under way. */
    if (!(owing & ~seats) && !is_forfeit(run))
        run->answered = 0;
    return remember(run, NOBODY, NULL, "", seats);
}

static bool play_step(struct run *run)
{
    if (run->leave_odds && draw(run, run->leave_odds) == 0)
        return play_leave(run);
    if (run->moves == run->max_moves)
        return broken(run, "ends", NOBODY,
                      "not over, but no more than %d moves were promised",
                      run->max_moves);
    return play_move(run);
}

/* Close looks become rarer as the game goes on, but never stop. */
static bool play_on(struct run *run)
{
    size_t next = 0;

    for (;;) {
        bool over = !run->game->to_move(run->state);

        if (!list_all(run) || !deal_is_kept(run))
            return false;
        if (over && !ends_well(run, run->state))
            return false;
        if (over || run->steps > next) {
            if (!look_closely(run))
                return false;
            next = run->steps + draw(run, 2 + (uint32_t)run->steps / 3);
        }
        if (over)
            return true;
        if (!play_step(run))
            return false;
    }
}

static void seed_rng(struct rng *rng, uint32_t number, uint8_t use)
{
    uint8_t seed[SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8),
                                (uint8_t)(number >> 16),
                                (uint8_t)(number >> 24), use};

    rng_seed(rng, seed);
}

static bool begin(struct run *run)
{
    const struct game *game = run->game;
    struct err err;
    struct rng rng;

    if (!game_accepts(game, run->setup, &err))
        return broken(run, "starts", NOBODY, "the setup is refused: %s",
                      err.text);
    if (!traits_are_whole(run))
        return false;
    run->max_moves = game->max_moves(run->setup);
    if (run->max_moves < 1)
        return broken(run, "ends", NOBODY, "max_moves is %d", run->max_moves);
    if (game->deal) {
        seed_rng(&rng, run->seed, 'd');
        game->deal(run->setup, &rng, &run->deal);
        if (!prints_text(run, NOBODY, "the deal", run->deal.text,
                         DEAL_TEXT_MAX))
            return false;
    }
    run->state = game_new(game, run->setup, game->deal ? run->deal.text : NULL,
                          &run->events, &err);
    if (!run->state)
        return broken(run, "replays", NOBODY, "start() refuses its deal: %s",
                      err.text);
    return true;
}

static void *must_alloc(size_t n, size_t size)
{
    void *memory = calloc(n, size);

    if (!memory)
        abort();
    return memory;
}

static bool play(struct run *run)
{
    size_t most;

    if (!begin(run))
        return false;
    most = (size_t)run->max_moves + SEATS_MAX + 1;
    run->step = must_alloc(most, sizeof *run->step);
    run->view = must_alloc(most * viewers(run), sizeof *run->view);
    if (!remember(run, NOBODY, NULL, "", 0) || !list_all(run))
        return false;
    if (run->game->deal && !try_deals(run))
        return false;
    return play_on(run);
}

bool laws_hold(const struct game *game, const struct setup *setup,
               uint32_t seed, struct laws_report *report)
{
    static const uint32_t odds[] = {0, 0, 0, 100, 30, 8};
    struct run run = {
        .game = game, .setup = setup, .report = report, .seed = seed};
    bool ok;

    seed_rng(&run.rng, seed, 'c');
    run.leave_odds = odds[draw(&run, sizeof odds / sizeof *odds)];
    run.edgy = draw(&run, 2);
    buf_init(&run.deal, MEMORY_MAX);
    buf_init(&run.texts, MEMORY_MAX);
    buf_init(&run.views, MEMORY_MAX);
    lines_init(&run.events, MEMORY_MAX);
    ok = play(&run);
    report->games++;
    if (setup->seats > report->most_seats)
        report->most_seats = setup->seats;
    report->moves += run.moves;
    game_free(run.state);
    free(run.step);
    free(run.view);
    for (int seat = 0; seat < SEATS_MAX; seat++)
        moves_release(&run.legal[seat]);
    buf_release(&run.deal);
    buf_release(&run.texts);
    buf_release(&run.views);
    lines_release(&run.events);
    return ok;
}

static bool never(const struct game *game, struct laws_report *report,
                  const char *law, const char *what)
{
    report->law = law;
    snprintf(report->text, sizeof report->text, "%s: %s, %ld games: %s", law,
             game->name, report->games, what);
    return false;
}

bool laws_were_met(const struct game *game, struct laws_report *report)
{
    unsigned unseen = game->traits & ~report->traits;

    if (unseen & TRAIT_SIMULTANEOUS && report->most_seats > 1)
        return never(game, report, "traits",
                     "simultaneous is declared, but no two seats ever owed a "
                     "move at once");
    if (unseen & TRAIT_HIDDEN)
        return never(game, report, "traits",
                     "hidden is declared, but all viewers always saw the same");
    if (report->redeals && !report->other_deals)
        return never(game, report, "blind", "redeal() never changed the deal");
    if (report->redeals && game->traits & TRAIT_HIDDEN && !report->other_views)
        return never(game, report, "blind",
                     "redeal() never changed what another seat sees");
    return true;
}
