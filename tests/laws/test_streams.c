/*
 * What a seat may not know never reaches its bot: not by a byte.
 *
 * A random match is played up to a random point. Then all that one viewer
 * cannot know is replaced by another truth, and a second match is played from
 * the deal of that truth, with the same moves. Up to this point the viewer's
 * stream of bytes must be the same in both: events, states, lists of moves,
 * refusals, times, ids, the end. What others have answered in a step that is
 * not complete is unknown too: they answer differently in the second match.
 *
 * The other viewers' streams do differ at times, or the test would be empty.
 *
 * STREAMS is the number of matches per game and number of seats.
 */

#include "../unit/arena.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 800, ACTS_MAX = 600, WRONG_TRIES = 20 };

/* What a bot did. */
struct act {
    int seat;
    enum { MOVES, ERRS, RESIGNS, GOES } kind;
    struct move move;
    char text[MOVE_TEXT_MAX + 2]; /* an error */
    bool held;                    /* the step was not complete after it */
};

struct stream {
    int viewer;
    struct rng rng;
    struct arena truth, other;
    struct buf words;
    struct act act[ACTS_MAX];
    int acts;
};

static uint32_t draw(struct stream *s, uint32_t k)
{
    return rng_uniform(&s->rng, k);
}

/*
 * A move must be the same thing in both matches, a place and not a name; its
 * text may differ. So the bots here write its parts: "!3,1,0,0,0,0,0,0".
 */

static const struct game *inner;

static bool parse_parts(const struct state *state, int seat, const char *text,
                        struct move *move, struct err *err)
{
    if (*text != '!')
        return inner->parse(state, seat, text, move, err);
    for (int i = 0; i < MOVE_PARTS; i++) {
        text++;
        cr_assert(take_int(&text, INT32_MIN, INT32_MAX, &move->part[i]));
    }
    return true;
}

static struct game written_in_parts(const struct game *game)
{
    struct game copy = *game;

    inner = game;
    copy.parse = parse_parts;
    return copy;
}

static void answer_parts(struct arena *a, int seat, const struct move *move)
{
    char text[8 * 12 + 1] = "";
    size_t n = 0;

    for (int i = 0; i < MOVE_PARTS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%c%d", i ? ',' : '!',
                              (int)move->part[i]);
    arena_answer(a, seat, text);
}

static struct move any_move(struct stream *s, struct arena *a, int seat)
{
    struct moves list = {0};
    struct move move;

    inner->list(a->match->state, seat, &list);
    cr_assert_gt(list.count, 0);
    move = list.move[draw(s, (uint32_t)list.count)];
    moves_release(&list);
    return move;
}

static void perform(struct arena *a, const struct act *act)
{
    switch (act->kind) {
    case MOVES:
        answer_parts(a, act->seat, &act->move);
        break;
    case ERRS:
        arena_answer(a, act->seat, act->text);
        break;
    case RESIGNS:
        arena_answer(a, act->seat, "resign");
        break;
    case GOES:
        arena_gone(a, act->seat, WHY_EXIT);
        break;
    }
}

/* The first match. */

/* A listed move with one character changed, so that it is illegal. */
static bool wrong_text(struct stream *s, int seat, char *text)
{
    static const char some[] = "0123456789abcdexyPRGBYOS:,;/=-";

    for (int i = 0; i < WRONG_TRIES; i++) {
        struct move move;
        struct err err;

        arena_legal(&s->truth, seat, draw(s, UINT32_MAX), text);
        text[draw(s, (uint32_t)strlen(text))] = some[draw(s, sizeof some - 1)];
        if (!game_parse(inner, s->truth.match->state, seat, text, &move, &err))
            return true;
    }
    return false;
}

static void choose(struct stream *s, int seat, struct act *act)
{
    *act = (struct act){.seat = seat};
    if (draw(s, 300) == 0)
        act->kind = RESIGNS;
    else if (draw(s, 300) == 0)
        act->kind = GOES;
    else if (seat == s->viewer && draw(s, 4) == 0 &&
             wrong_text(s, seat, act->text))
        act->kind = ERRS;
    else
        act->move = any_move(s, &s->truth, seat);
}

static int some_asked(struct stream *s)
{
    const seat_set asked = s->truth.asked;
    int seat;

    do
        seat = (int)draw(s, SEATS_MAX);
    while (!(asked & SEAT(seat)));
    return seat;
}

/* After a commit nothing is held any longer. */
static void play_truth(struct stream *s)
{
    int acts = (int)draw(s, 10 + draw(s, 200));

    while (s->acts < acts && !match_is_over(s->truth.match)) {
        struct act *act = &s->act[s->acts++];
        size_t told = s->truth.match->log.count;

        choose(s, some_asked(s), act);
        perform(&s->truth, act);
        act->held = true;
        if (s->truth.match->log.count > told)
            for (int i = 0; i < s->acts; i++)
                s->act[i].held = false;
    }
}

/* The second. */

static bool deal_other(struct stream *s, uint64_t *hash)
{
    struct state *state = game_clone(s->truth.match->state);
    bool differs;

    inner->redeal(state, s->viewer, &s->rng);
    buf_reset(&s->other.deal);
    inner->dealt(state, &s->other.deal);
    s->other.config.deal = s->other.deal.text;
    *hash = game_hash(inner, state);
    game_free(state);
    differs = strcmp(s->other.deal.text, s->truth.deal.text) != 0;
    return differs;
}

static void play_other(struct stream *s)
{
    for (int i = 0; i < s->acts; i++) {
        struct act act = s->act[i];

        if (act.held && act.kind == MOVES && act.seat != s->viewer)
            act.move = any_move(s, &s->other, act.seat);
        perform(&s->other, &act);
    }
}

/* Comparing. */

/* Are both the same? If not, report->text says where they part. */
static bool same(const struct stream *s, const char *what, const char *a,
                 const char *b, struct err *report)
{
    size_t at = 0, from;

    if (strcmp(a, b) == 0)
        return true;
    while (a[at] == b[at])
        at++;
    from = at < 40 ? 0 : at - 40;
    return fail(report,
                "%s for %d, after %d acts: viewer %d can tell by %s: \"%.80s\" "
                "and \"%.80s\"",
                inner->name, s->truth.config.setup.seats, s->acts,
                s->viewer + 1, what, a + from, b + from);
}

static void add_log(const struct arena *a, int viewer, struct buf *out)
{
    const struct lines *log = &a->match->log;
    seat_set reader = viewer == AUDIENCE_PUBLIC ? WATCHERS : SEAT(viewer);

    for (size_t i = 0; i < log->count; i++)
        if (log->line[i].to & reader)
            buf_add(out, "%s\n", lines_text(log, i));
    inner->view(a->match->state, viewer, out);
}

/* The lines of the record that a reader of it may see: "@1,w draw 1 ??". */
static bool is_for(const char *line, int viewer)
{
    char name = (char)(viewer == AUDIENCE_PUBLIC ? 'w' : '1' + viewer);

    return line[0] != '@' || memchr(line, name, strcspn(line, " "));
}

static void add_recorded(const struct arena *a, int viewer, struct buf *out)
{
    const char *at = strstr(a->record.text, "\ndeal ") + 1;

    for (at += strcspn(at, "\n") + 1; *at; at += strcspn(at, "\n") + 1)
        if (is_for(at, viewer) && strncmp(at, "hash ", 5) != 0)
            buf_put(out, at, strcspn(at, "\n") + 1);
}

typedef void writer(const struct arena *a, int viewer, struct buf *out);

static bool same_writing(const struct stream *s, const char *what,
                         writer *write, struct err *report)
{
    struct buf truth, other;
    bool ok;

    buf_init(&truth, 1 << 24);
    buf_init(&other, 1 << 24);
    write(&s->truth, s->viewer, &truth);
    write(&s->other, s->viewer, &other);
    ok = same(s, what, truth.text, other.text, report);
    buf_release(&truth);
    buf_release(&other);
    return ok;
}

static bool same_stream(const struct stream *s, struct err *report)
{
    if (s->viewer >= 0 && !same(s, "its bytes", s->truth.said[s->viewer].text,
                                s->other.said[s->viewer].text, report))
        return false;
    return same_writing(s, "its events and view", add_log, report) &&
           same_writing(s, "its part of the record", add_recorded, report);
}

static bool others_differ(const struct stream *s)
{
    for (int i = 0; i < s->truth.config.setup.seats; i++)
        if (i != s->viewer &&
            strcmp(s->truth.said[i].text, s->other.said[i].text) != 0)
            return true;
    return false;
}

/* One pair of matches. */

static void open_match(struct stream *s, struct arena *a,
                       const struct game *game, const struct setup *setup,
                       uint32_t number)
{
    arena_open(a, game, setup, number);
    a->config.seed = NULL;
    a->config.reveal_seed = false;
    a->config.retries = 1000;
    for (int i = 0; i < setup->seats; i++)
        a->lists[i] = s->words.text;
}

struct met {
    int deals, whole, held, others;
};

static bool try_pair(const struct game *game, int seats, uint32_t number,
                     struct met *met, struct err *report)
{
    struct setup setup = {.seats = seats};
    struct stream *s = calloc(1, sizeof *s);
    uint64_t hash;
    bool ok;

    s->viewer = (int)(number % (uint32_t)(seats + 1)) - 1;
    buf_init(&s->words, 2000);
    arena_all_words(game, &s->words);
    if (number % 2)
        buf_str(&s->words, " ponder");
    open_match(s, &s->truth, game, &setup, number);
    open_match(s, &s->other, game, &setup, number);
    rng_seed(&s->rng, s->truth.seed);
    arena_begin(&s->truth);
    play_truth(s);
    met->deals += deal_other(s, &hash);
    arena_begin(&s->other);
    play_other(s);
    cr_assert_eq(game_hash(inner, s->other.match->state), hash);
    ok = same_stream(s, report);
    met->whole += match_is_over(s->truth.match);
    met->held += s->acts > 0 && s->act[s->acts - 1].held;
    met->others += others_differ(s);
    arena_close(&s->truth);
    arena_close(&s->other);
    buf_release(&s->words);
    free(s);
    return ok;
}

ParameterizedTestParameters(streams, are_blind)
{
    static struct which all[WHICH_MAX];

    return cr_make_param_array(struct which, all,
                               which_games(TRAIT_HIDDEN | TRAIT_CHANCE, all));
}

ParameterizedTest(struct which *which, streams, are_blind)
{
    const char *more = getenv("STREAMS");
    int streams = more ? atoi(more) : STREAMS;
    struct game game = written_in_parts(game_at((size_t)which->game));
    struct met met = {0};
    struct err report;

    for (int i = 0; i < streams; i++)
        cr_assert(try_pair(&game, which->seats, (uint32_t)i, &met, &report),
                  "%s", report.text);
    cr_log_info("%s for %d: %d streams, %d other deals, %d whole matches, %d "
                "in a step, %d seen by others",
                inner->name, which->seats, streams, met.deals, met.whole,
                met.held, met.others);
    cr_expect_gt(met.deals, streams / 2);
    cr_expect_gt(met.whole, 0);
    if (inner->traits & TRAIT_HIDDEN && which->seats > 1)
        cr_expect_gt(met.others, streams / 4);
}

/* The test itself: games that let something out are caught. */

static void open_view(const struct state *state, int viewer, struct buf *out)
{
    inner->view(state, AUDIENCE_REFEREE, out);
}

static bool telling_parse(const struct state *state, int seat, const char *text,
                          struct move *move, struct err *err)
{
    if (parse_parts(state, seat, text, move, err))
        return true;
    return fail(err, "no: %08x", (unsigned)game_hash(inner, state));
}

static void telling_apply(struct state *state, int seat,
                          const struct move *move, struct lines *events)
{
    inner->apply(state, seat, move, events);
    tell(events, EVERYONE, "draw %08x", (unsigned)game_hash(inner, state));
}

/* An order that follows from what nobody may know. */
static void telling_list(const struct state *state, int seat, struct moves *out)
{
    inner->list(state, seat, out);
    if (out->count > 1 && game_hash(inner, state) % 2) {
        struct move first = out->move[0];

        out->move[0] = out->move[1];
        out->move[1] = first;
    }
}

static bool is_caught(const struct game *game)
{
    struct met met = {0};
    struct err report;

    for (uint32_t i = 0; i < 60; i++)
        if (!try_pair(game, 2, i, &met, &report))
            return true;
    return false;
}

Test(streams, bite)
{
    const struct game sound = written_in_parts(game_find("rondo"));
    struct game leaky = sound;

    cr_expect_not(is_caught(&sound));
    leaky.view = open_view;
    cr_expect(is_caught(&leaky), "the view");
    leaky = sound;
    leaky.parse = telling_parse;
    cr_expect(is_caught(&leaky), "a refusal");
    leaky = sound;
    leaky.apply = telling_apply;
    cr_expect(is_caught(&leaky), "an event");
    leaky = sound;
    leaky.list = telling_list;
    cr_expect(is_caught(&leaky), "the order of the moves");
}
