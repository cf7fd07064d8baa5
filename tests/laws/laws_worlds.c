#include "laws_run.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXTS_BLIND = 24, /* per viewer and position */
    MOVES_BLIND = 400,
    ORDERS = 3, /* of a simultaneous step */
};

/* replays, and the past of blind: the same moves from a deal. */

/* Another course of the game, told to one viewer; REFEREE compares all. */
struct course {
    const char *law;
    int viewer;
    struct state *state;
    struct lines events;
    struct buf text;
};

static bool reads(const struct course *course, seat_set to)
{
    return course->viewer == AUDIENCE_REFEREE ? true
           : course->viewer == AUDIENCE_PUBLIC
               ? (to & WATCHERS) != 0
               : (to & SEAT(course->viewer)) != 0;
}

/* The next event for this reader in from .. to-1, or `to`. */
static size_t next_event(const struct course *course, const struct lines *lines,
                         size_t from, size_t to)
{
    while (from < to && !reads(course, lines->line[from].to))
        from++;
    return from;
}

/* Did the last step of the course tell what step k of the run told? */
static bool told_the_same(struct run *run, struct course *course, size_t k)
{
    size_t i = k ? run->step[k - 1].events : 0, end = run->step[k].events;
    const struct lines *mine = &run->events, *other = &course->events;
    char what[40];

    snprintf(what, sizeof what, "an event of step %zu", k);
    for (size_t j = 0;; i++, j++) {
        i = next_event(course, mine, i, end);
        j = next_event(course, other, j, other->count);
        if (i == end && j == other->count)
            return true;
        if (!same(run, course->law, course->viewer, what,
                  i < end ? lines_text(mine, i) : "",
                  j < other->count ? lines_text(other, j) : ""))
            return false;
        if (course->viewer == AUDIENCE_REFEREE &&
            mine->line[i].to != other->line[j].to)
            return broken(run, course->law, NOBODY,
                          "%s: \"%.80s\" has another audience", what,
                          lines_text(mine, i));
    }
}

static bool looked_the_same(struct run *run, struct course *course, size_t k)
{
    int last = course->viewer == AUDIENCE_REFEREE ? run->setup->seats - 1
                                                  : course->viewer;
    char what[60];

    for (int viewer = course->viewer; viewer <= last; viewer++) {
        write_view(run, course->state, viewer, &course->text);
        snprintf(what, sizeof what, "the view of %s after step %zu",
                 reader(viewer), k);
        if (!same(run, course->law, viewer, what, view_after(run, k, viewer),
                  course->text.text))
            return false;
    }
    return true;
}

/*
 * A record replays from texts. In another world it is the struct that counts:
 * its text may differ there, and may first mean an equal thing at another
 * place, but it must be a text that is accepted.
 */
static bool retrace_move(struct run *run, struct course *course, size_t k)
{
    const struct step *step = &run->step[k];
    const char *text = run->texts.text + step->text;
    struct move move;
    struct err err;

    if (course->viewer != AUDIENCE_REFEREE) {
        write_move(run, course->state, step->seat, &step->move, &course->text);
        text = course->text.text;
    }
    if (!game_parse(run->game, course->state, step->seat, text, &move, &err))
        return broken(run, course->law, course->viewer,
                      "step %zu, \"%.64s\" of seat %d, is refused: %s", k, text,
                      step->seat + 1, err.text);
    if (course->viewer == AUDIENCE_REFEREE && !same_move(&move, &step->move))
        return broken(run, course->law, course->viewer,
                      "step %zu, \"%.64s\" of seat %d, is read as another move",
                      k, text, step->seat + 1);
    game_apply(run->game, course->state, step->seat, &step->move,
               &course->events);
    return true;
}

static bool retrace_step(struct run *run, struct course *course, size_t k)
{
    const struct step *step = &run->step[k];

    lines_reset(&course->events);
    if (step->seat != NOBODY) {
        if (!retrace_move(run, course, k))
            return false;
    } else if (run->game->to_move(course->state)) {
        game_leave(run->game, course->state, step->leave, &course->events);
    }
    return told_the_same(run, course, k) && looked_the_same(run, course, k);
}

static bool retrace_all(struct run *run, struct course *course)
{
    if (!told_the_same(run, course, 0) || !looked_the_same(run, course, 0))
        return false;
    for (size_t k = 1; k < run->steps; k++)
        if (!retrace_step(run, course, k))
            return false;
    return true;
}

/* Play the game so far from this deal; it must end in the state `goal`. */
static bool retrace(struct run *run, const char *law, int viewer,
                    const char *deal, const struct state *goal)
{
    struct course course = {.law = law, .viewer = viewer};
    struct buf there;
    struct err err;
    bool ok;

    lines_init(&course.events, EVENTS_MAX);
    buf_init(&course.text, 2 * REFEREE_VIEW_MAX);
    buf_init(&there, 2 * REFEREE_VIEW_MAX);
    course.state = game_new(run->game, run->setup, deal, &course.events, &err);
    if (!course.state)
        ok = broken(run, law, viewer, "start() refuses the deal \"%.80s\": %s",
                    deal, err.text);
    else
        ok = retrace_all(run, &course);
    if (ok) {
        write_view(run, course.state, AUDIENCE_REFEREE, &course.text);
        write_view(run, goal, AUDIENCE_REFEREE, &there);
        ok = same(run, law, viewer,
                  "the state that the same moves lead to from its deal",
                  there.text, course.text.text);
    }
    game_free(course.state);
    lines_release(&course.events);
    buf_release(&course.text);
    buf_release(&there);
    return ok;
}

bool law_replays(struct run *run)
{
    return retrace(run, "replays", AUDIENCE_REFEREE,
                   run->game->deal ? run->deal.text : NULL, run->state);
}

/* at once: simultaneous moves give one result in any order of arrival. */

struct answer {
    int seat;
    struct move move;
};

/* Play the answers in this order on a copy; tell only with the last. */
static bool play_answers(struct run *run, const struct answer *answer, int n,
                         struct lines *events, struct buf *view)
{
    struct state *copy = game_clone(run->state);
    bool ok = true;

    lines_reset(events);
    for (int i = 0; ok && i < n; i++) {
        game_apply(run->game, copy, answer[i].seat, &answer[i].move, events);
        if (i + 1 < n && events->count)
            ok = broken(run, "at once", answer[i].seat,
                        "\"%.80s\" is told before all have answered",
                        lines_text(events, 0));
    }
    write_view(run, copy, AUDIENCE_REFEREE, view);
    game_free(copy);
    return ok;
}

static bool same_events(struct run *run, const char *law, const struct lines *a,
                        const struct lines *b)
{
    if (a->count != b->count)
        return broken(run, law, NOBODY, "%zu events or %zu", a->count,
                      b->count);
    for (size_t i = 0; i < a->count; i++) {
        if (!same(run, law, NOBODY, "an event", lines_text(a, i),
                  lines_text(b, i)))
            return false;
        if (a->line[i].to != b->line[i].to)
            return broken(run, law, NOBODY, "\"%.80s\" has another audience",
                          lines_text(a, i));
    }
    return true;
}

static int draw_answers(struct run *run, struct answer *answer)
{
    int n = 0;

    for (int seat = 0; seat < run->setup->seats; seat++) {
        const struct moves *legal = &run->legal[seat];

        if (legal->count)
            answer[n++] = (struct answer){
                seat, legal->move[draw(run, (uint32_t)legal->count)]};
    }
    return n;
}

bool law_at_once(struct run *run)
{
    struct answer answer[SEATS_MAX];
    int n = draw_answers(run, answer);
    struct lines events, others;
    struct buf view, other;
    bool ok;

    if (n < 2)
        return true;
    lines_init(&events, EVENTS_MAX);
    lines_init(&others, EVENTS_MAX);
    buf_init(&view, 2 * REFEREE_VIEW_MAX);
    buf_init(&other, 2 * REFEREE_VIEW_MAX);
    ok = play_answers(run, answer, n, &events, &view);
    for (int i = 0; ok && i < ORDERS; i++) {
        rng_shuffle(&run->rng, answer, (size_t)n, sizeof *answer);
        ok = play_answers(run, answer, n, &others, &other) &&
             same(run, "at once", NOBODY, "the state after another order",
                  view.text, other.text) &&
             same_events(run, "at once", &events, &others);
    }
    lines_release(&events);
    lines_release(&others);
    buf_release(&view);
    buf_release(&other);
    return ok;
}

bool answered_alone(struct run *run, int seat, seat_set owing)
{
    size_t now = run->steps - 1;

    if (run->game->to_move(run->state) != (owing & ~SEAT(seat)))
        return broken(run, "at once", seat,
                      "its answer changed who else owes a move");
    if (run->step[now].events != run->step[now - 1].events)
        return broken(run, "at once", seat,
                      "something is told before all have answered");
    for (int viewer = AUDIENCE_PUBLIC; viewer < run->setup->seats; viewer++)
        if (viewer != seat &&
            !same(run, "at once", viewer, "a view after another seat's answer",
                  view_after(run, now - 1, viewer), view_now(run, viewer)))
            return false;
    return same_lists(run, "at once", owing & ~SEAT(seat), run->state,
                      "another seat answered");
}

/* blind: redeal() changes nothing the viewer can read. */

/* The truth, and another one that the viewer must not tell from it. */
struct worlds {
    int viewer;
    struct state *other;
    struct buf text, more;
};

static bool blind_to_text(struct run *run, struct worlds *w, const char *text)
{
    struct err here = {.text = "untouched"}, there = {.text = "untouched"};
    struct move a, b;
    bool ok = game_parse(run->game, run->state, w->viewer, text, &a, &here);
    char what[120];

    snprintf(what, sizeof what, "the answer to \"%.64s\" in another world",
             text);
    if (game_parse(run->game, w->other, w->viewer, text, &b, &there) != ok)
        return broken(run, "blind", w->viewer, "%s: accepted or \"%.200s\"",
                      what, ok ? there.text : here.text);
    return same(run, "blind", w->viewer, what, here.text, there.text);
}

static bool blind_to_texts(struct run *run, struct worlds *w)
{
    for (int i = 0; i < TEXTS_BLIND; i++) {
        some_text(run, &w->text, &w->more);
        if (!blind_to_text(run, w, w->text.text))
            return false;
    }
    return true;
}

static bool blind_in_list(struct run *run, struct worlds *w)
{
    const struct moves *mine = &run->legal[w->viewer];
    struct moves list = {0};
    bool ok = true;

    run->game->list(w->other, w->viewer, &list);
    if (list.count != mine->count)
        ok = broken(run, "blind", w->viewer,
                    "%zu legal moves, but %zu in another world", mine->count,
                    list.count);
    for (size_t i = 0; ok && i < mine->count;
         i += 1 + mine->count / MOVES_BLIND) {
        write_move(run, run->state, w->viewer, &mine->move[i], &w->text);
        write_move(run, w->other, w->viewer, &list.move[i], &w->more);
        ok = same(run, "blind", w->viewer, "a legal move in another world",
                  w->text.text, w->more.text);
    }
    moves_release(&list);
    return ok;
}

/* Advice is a legal move, and the same in every world. */
static bool blind_in_hint(struct run *run, struct worlds *w)
{
    static const uint8_t seed[SEED_BYTES];
    const struct moves *legal = &run->legal[w->viewer];
    struct move here = {0}, there = {0};
    struct rng rng;
    size_t i = 0;

    if (!run->game->hint)
        return true;
    rng_seed(&rng, seed);
    run->game->hint(run->state, w->viewer, &rng, &here);
    rng_seed(&rng, seed);
    run->game->hint(w->other, w->viewer, &rng, &there);
    while (i < legal->count && !same_move(&legal->move[i], &here))
        i++;
    write_move(run, run->state, w->viewer, &here, &w->text);
    if (i == legal->count)
        return broken(run, "blind", w->viewer, "the hint %.40s is not legal",
                      w->text.text);
    write_move(run, w->other, w->viewer, &there, &w->more);
    return same(run, "blind", w->viewer, "the hint in another world",
                w->text.text, w->more.text);
}

/* The result is told to all, so every possible truth has the same one. */
static bool blind_to_result(struct run *run, struct worlds *w)
{
    struct result here = {0}, there = {0};

    run->game->result(run->state, &here);
    run->game->result(w->other, &there);
    for (int seat = 0; seat < run->setup->seats; seat++)
        if (here.rank[seat] != there.rank[seat] ||
            here.score[seat] != there.score[seat])
            return broken(run, "blind", w->viewer,
                          "seat %d has rank %d, score %d, but %d, %d in "
                          "another world",
                          seat + 1, here.rank[seat], here.score[seat],
                          there.rank[seat], there.score[seat]);
    return same(run, "blind", w->viewer, "the reason in another world",
                here.reason, there.reason);
}

/* Other hands must show to those who hold them, other deals to the referee. */
static bool count_redeal(struct run *run, struct worlds *w)
{
    bool other_deal, other_view = false;

    buf_reset(&w->more);
    run->game->dealt(w->other, &w->more);
    other_deal = strcmp(run->deal.text, w->more.text) != 0;
    for (int seat = 0; seat < run->setup->seats; seat++) {
        write_view(run, w->other, seat, &w->text);
        other_view |= strcmp(view_now(run, seat), w->text.text) != 0;
    }
    write_view(run, w->other, AUDIENCE_REFEREE, &w->text);
    if (other_deal &&
        strcmp(view_now(run, AUDIENCE_REFEREE), w->text.text) == 0)
        return broken(run, "blind", NOBODY,
                      "the view of the referee does not determine the state: "
                      "it is the same for another deal");
    run->report->redeals++;
    run->report->other_deals += other_deal;
    run->report->other_views += other_view && !run->answered;
    return true;
}

static bool blind_to_drawing(struct run *run, struct worlds *w)
{
    buf_reset(&w->text);
    buf_reset(&w->more);
    game_show(run->game, run->state, w->viewer, true, &w->text);
    game_show(run->game, w->other, w->viewer, true, &w->more);
    return same(run, "blind", w->viewer, "the drawing of another world",
                w->text.text, w->more.text);
}

enum { OBSERVED_MAX = 4096 };

/* Numbers: all of them are written, and they tell no more than the view. */
static bool blind_in_numbers(struct run *run, struct worlds *w)
{
    static int32_t here[OBSERVED_MAX], there[OBSERVED_MAX];
    size_t size = (size_t)run->game->observed * sizeof *here;

    if (!run->game->observe)
        return true;
    memset(here, 0x55, sizeof here);
    memset(there, 0xaa, sizeof there);
    run->game->observe(run->state, w->viewer, here);
    run->game->observe(w->other, w->viewer, there);
    if (run->game->observed > OBSERVED_MAX - 1 ||
        here[run->game->observed] != 0x55555555)
        return broken(run, "blind", w->viewer, "there are more numbers");
    return memcmp(here, there, size) == 0 ||
           broken(run, "blind", w->viewer,
                  "the numbers of another world are others");
}

static bool blind_in_world(struct run *run, struct worlds *w)
{
    seat_set owing = run->game->to_move(run->state);

    write_view(run, w->other, w->viewer, &w->text);
    if (!same(run, "blind", w->viewer, "the view in another world",
              view_now(run, w->viewer), w->text.text) ||
        !blind_to_drawing(run, w) || !blind_in_numbers(run, w))
        return false;
    if (run->game->to_move(w->other) != owing)
        return broken(run, "blind", w->viewer,
                      "in another world others are to move");
    if (!owing && !blind_to_result(run, w))
        return false;
    if (w->viewer >= 0 && owing & SEAT(w->viewer) &&
        (!blind_in_list(run, w) || !blind_in_hint(run, w) ||
         !blind_to_texts(run, w)))
        return false;
    if (!count_redeal(run, w))
        return false;
    return run->answered ||
           retrace(run, "blind", w->viewer, w->more.text, w->other);
}

bool law_blind(struct run *run)
{
    struct worlds w;
    bool ok = true;

    if (!run->game->redeal)
        return true;
    buf_init(&w.text, 2 * REFEREE_VIEW_MAX);
    buf_init(&w.more, 2 * REFEREE_VIEW_MAX);
    for (int viewer = AUDIENCE_PUBLIC; ok && viewer < run->setup->seats;
         viewer++) {
        w.viewer = viewer;
        w.other = game_clone(run->state);
        run->game->redeal(w.other, viewer, &run->rng);
        ok = blind_in_world(run, &w);
        game_free(w.other);
    }
    buf_release(&w.text);
    buf_release(&w.more);
    return ok;
}
