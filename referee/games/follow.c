#include "games/follow.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { QUEUE_MAX = 1 << 24 };

void follow_begin(struct follower *f, const struct game *game,
                  const struct setup *setup, int viewer,
                  const uint8_t seed[SEED_BYTES])
{
    *f = (struct follower){.game = game, .setup = *setup, .viewer = viewer};
    rng_seed(&f->rng, seed);
    lines_init(&f->queue, QUEUE_MAX);
    lines_init(&f->step, QUEUE_MAX);
    lines_init(&f->events, EVENTS_MAX);
}

void follow_end(struct follower *f)
{
    game_free(f->world);
    lines_release(&f->queue);
    lines_release(&f->step);
    lines_release(&f->events);
    moves_release(&f->legal);
}

void follow_again(struct follower *f)
{
    game_free(f->world);
    f->world = NULL;
    f->lost = false;
    f->gone = 0;
    lines_reset(&f->queue);
}

/* A caller that never stops telling is refused at the next follow_settle(). */
void follow_told(struct follower *f, const char *event)
{
    size_t len = strlen(event);

    if (len > LINE_MAX_BYTES || f->queue.text.len + len + 1 > QUEUE_MAX) {
        f->lost = true;
        return;
    }
    buf_put(tell_begin(&f->queue, EVERYONE), event, len);
    tell_end(&f->queue);
}

/* "play 2 MOVE" or "leave 2 WHY": the seat, from 0, and what follows it. */
static bool take_deed(const char *at, const char *word, int *seat,
                      const char **rest)
{
    if (!take_word(&at, word) || !take_int(&at, 1, SEATS_MAX, seat) ||
        !take_char(&at, ' '))
        return false;
    --*seat;
    *rest = at;
    return true;
}

static bool is_deed(const char *text)
{
    return take_word(&text, "play") || take_word(&text, "leave");
}

/* The seats that leave at the beginning of the queue. */
static seat_set leaving(const struct follower *f)
{
    seat_set seats = 0;
    const char *why;
    int seat;

    for (size_t i = 0; i < f->queue.count; i++) {
        if (!take_deed(lines_text(&f->queue, i), "leave", &seat, &why))
            break;
        seats |= SEAT(seat);
    }
    return seats;
}

/*
 * Copy one step from the queue: departures, as many moves as are owed, and the
 * events up to the next departure or move. The first lines of the next step may
 * be among them; the events of the world will tell.
 */
static void copy_step(struct follower *f, seat_set gone)
{
    seat_set owing = f->world ? f->game->to_move(f->world) & ~gone : 0;
    int plays = __builtin_popcount(owing);

    lines_reset(&f->step);
    for (size_t i = 0; i < f->queue.count; i++) {
        const char *line = lines_text(&f->queue, i);

        if (i >= (size_t)__builtin_popcount(gone) && is_deed(line) &&
            plays-- == 0)
            return;
        buf_str(tell_begin(&f->step, EVERYONE), line);
        tell_end(&f->step);
    }
}

static bool is_told(const struct follower *f, seat_set to)
{
    return to & (f->viewer == AUDIENCE_PUBLIC ? WATCHERS : SEAT(f->viewer));
}

/* The next line that the world has told the viewer, or NULL. */
static const char *next_told(const struct follower *f, size_t *i)
{
    while (*i < f->events.count && !is_told(f, f->events.line[*i].to))
        ++*i;
    return *i < f->events.count ? lines_text(&f->events, (*i)++) : NULL;
}

/* Was the viewer told what the world has told, after this many departures? */
static bool agrees(struct follower *f, size_t left, struct err *err)
{
    size_t next = 0, i = left;
    const char *own;

    for (; (own = next_told(f, &next)) != NULL; i++) {
        const char *told =
            i < f->queue.count ? lines_text(&f->queue, i) : "nothing";

        if (strcmp(own, told) != 0)
            return fail(err, "received \"%.60s\" where \"%.60s\" is due", told,
                        own);
    }
    lines_drop(&f->queue, i);
    return true;
}

static struct state *new_world(struct follower *f, const char *deal,
                               struct err *err)
{
    lines_reset(&f->events);
    return game_new(f->game, &f->setup, deal, &f->events, err);
}

/* Try any world first, then one whose deal fits what was told. */
static bool start_world(struct follower *f, struct err *err)
{
    struct buf deal;

    buf_init(&deal, DEAL_TEXT_MAX);
    if (f->game->deal)
        f->game->deal(&f->setup, &f->rng, &deal);
    f->world = new_world(f, f->game->deal ? deal.text : NULL, err);
    if (f->world && f->game->fit) {
        f->game->fit(f->world, f->viewer, &f->step, true);
        buf_reset(&deal);
        f->game->dealt(f->world, &deal);
        game_free(f->world);
        f->world = new_world(f, deal.text, err);
    }
    buf_release(&deal);
    return f->world && agrees(f, 0, err);
}

/* Does this move, played in a copy, tell the viewer this line first? */
static bool tells(struct follower *f, int seat, const struct move *move,
                  const char *line)
{
    struct state *copy = game_clone(f->world);
    size_t before = f->events.count, next = before;
    size_t len = f->events.text.len;
    const char *told;
    bool same;

    f->game->apply(copy, seat, move, &f->events);
    told = next_told(f, &next);
    same = told && strcmp(told, line) == 0;
    f->events.count = before;
    buf_cut(&f->events.text, len);
    game_free(copy);
    return same;
}

/*
 * A move that was shown only in part stands for any move that looks the same.
 */
static bool guess_move(struct follower *f, int seat, const char *line,
                       struct move *move)
{
    uint32_t same = 0;

    moves_reset(&f->legal);
    f->game->list(f->world, seat, &f->legal);
    for (size_t i = 0; i < f->legal.count; i++)
        if (tells(f, seat, &f->legal.move[i], line) &&
            rng_uniform(&f->rng, ++same) == 0)
            *move = f->legal.move[i];
    return same > 0;
}

static bool play_line(struct follower *f, const char *line, struct err *err)
{
    struct move move;
    const char *text;
    int seat;

    if (!take_deed(line, "play", &seat, &text))
        return true;
    if (game_parse(f->game, f->world, seat, text, &move, err) ||
        (f->game->to_move(f->world) & SEAT(seat) && f->game->fit &&
         guess_move(f, seat, line, &move))) {
        game_apply(f->game, f->world, seat, &move, &f->events);
        return true;
    }
    return fail_at(err, "cannot follow \"%.60s\"", line);
}

static bool play_step(struct follower *f, struct err *err)
{
    seat_set gone = leaving(f);
    size_t before = f->queue.count;

    if (!f->game->to_move(f->world))
        return fail(err, "received \"%.60s\" after the end",
                    lines_text(&f->queue, 0));
    if (gone & (f->gone | ~SEATS(f->setup.seats)))
        return fail(err, "received the departure of a seat that had left");
    copy_step(f, gone);
    lines_reset(&f->events);
    if (f->game->fit)
        f->game->fit(f->world, f->viewer, &f->step, false);
    f->gone |= gone;
    if (gone)
        game_leave(f->game, f->world, gone, &f->events);
    for (size_t i = 0; i < f->step.count; i++)
        if (!play_line(f, lines_text(&f->step, i), err))
            return false;
    if (!agrees(f, (size_t)__builtin_popcount(gone), err))
        return false;
    return f->queue.count < before ||
           fail(err, "received \"%.60s\", which cannot come here",
                lines_text(&f->queue, 0));
}

bool follow_settle(struct follower *f, struct err *err)
{
    bool ok = !f->lost;

    if (!ok)
        return fail(err, "the events so far cannot have happened");
    if (!f->world) {
        copy_step(f, 0);
        ok = start_world(f, err);
    }
    while (ok && f->queue.count > 0)
        ok = play_step(f, err);
    f->lost = !ok;
    return ok;
}
