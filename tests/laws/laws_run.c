#include "laws_run.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 110, SHOW_MAX = 1 << 16 };

/* Sentences. */

static void add_setup(const struct run *run, struct buf *out)
{
    const struct game_option *o = run->game->options;

    buf_add(out, "%s, %d seat%s", run->game->name, run->setup->seats,
            run->setup->seats == 1 ? "" : "s");
    for (int i = 0; o && o[i].name; i++)
        if (run->setup->option[i])
            buf_add(out, ", %s=%.60s", o[i].name, run->setup->option[i]);
}

bool broken(struct run *run, const char *law, int seat, const char *fmt, ...)
{
    char why[LAWS_TEXT_MAX];
    struct buf out;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    buf_init(&out, 2 * LAWS_TEXT_MAX);
    buf_add(&out, "%s: ", law);
    add_setup(run, &out);
    buf_add(&out, ", seed %u, after move %d", run->seed, run->moves);
    if (seat >= 0)
        buf_add(&out, ", seat %d", seat + 1);
    buf_add(&out, ": %s", why);
    for (size_t i = 0; i < out.len; i++)
        if (out.text[i] < ' ' || out.text[i] > '~')
            out.text[i] = '?';
    snprintf(run->report->text, sizeof run->report->text, "%s", out.text);
    run->report->law = law;
    buf_release(&out);
    return false;
}

const char *reader(int viewer)
{
    return viewer == AUDIENCE_REFEREE  ? "the referee"
           : viewer == AUDIENCE_PUBLIC ? "the public"
                                       : "the seat";
}

bool same(struct run *run, const char *law, int seat, const char *what,
          const char *a, const char *b)
{
    size_t at = 0, from;

    if (strcmp(a, b) == 0)
        return true;
    while (a[at] == b[at])
        at++;
    from = at < 20 ? 0 : at - 20;
    return broken(run, law, seat,
                  "%s: differs at byte %zu: \"%s%.50s\" and \"%s%.50s\"", what,
                  at, from ? "..." : "", a + from, from ? "..." : "", b + from);
}

static bool same_list(const struct moves *a, const struct moves *b)
{
    return a->count == b->count &&
           (a->count == 0 ||
            memcmp(a->move, b->move, a->count * sizeof *a->move) == 0);
}

bool same_lists(struct run *run, const char *law, seat_set seats,
                const struct state *state, const char *because)
{
    struct moves list = {0};
    bool ok = true;

    for (int seat = 0; ok && seat < run->setup->seats; seat++) {
        if (!(seats & SEAT(seat)))
            continue;
        moves_reset(&list);
        run->game->list(state, seat, &list);
        if (!same_list(&run->legal[seat], &list))
            ok = broken(run, law, seat,
                        "its legal moves (%zu) changed (to %zu) because %s",
                        run->legal[seat].count, list.count, because);
    }
    moves_release(&list);
    return ok;
}

/* prints: every text is printable and within its limit. */

static bool is_clean(const char *text)
{
    return is_plain(text) && !strchr(text, '#');
}

bool prints_text(struct run *run, int seat, const char *what, const char *text,
                 size_t max)
{
    size_t n = strlen(text);

    if (n == 0)
        return broken(run, "prints", seat, "%s: is empty", what);
    if (n > max)
        return broken(run, "prints", seat, "%s: has %zu bytes of at most %zu",
                      what, n, max);
    if (!is_clean(text))
        return broken(run, "prints", seat,
                      "%s: holds a byte that is not printable, or a number "
                      "sign: \"%.80s\"",
                      what, text);
    return true;
}

/* Is the pair at `at` KEY=VALUE, with a key that was not there before? */
static bool is_pair(const char *view, const char *at)
{
    size_t key = strcspn(at, "= ");

    if (key == 0 || at[key] != '=' || strcspn(at + key + 1, " ") == 0)
        return false;
    for (const char *old = view; old < at; old += strcspn(old, " ") + 1)
        if (strncmp(old, at, key + 1) == 0)
            return false;
    return true;
}

static bool prints_view(struct run *run, int viewer, const char *view)
{
    size_t max = viewer == AUDIENCE_REFEREE ? REFEREE_VIEW_MAX : VIEW_TEXT_MAX;
    char what[40];

    snprintf(what, sizeof what, "the view of %s", reader(viewer));
    if (!prints_text(run, viewer, what, view, max))
        return false;
    for (const char *at = view;; at++) {
        if (!is_pair(view, at))
            return broken(run, "prints", viewer,
                          "%s: a KEY=VALUE with a new key, between single "
                          "blanks, is missing at \"%.40s\"",
                          what, at);
        at += strcspn(at, " ");
        if (!*at)
            return true;
    }
}

bool prints_event(struct run *run, seat_set to, const char *line)
{
    seat_set readers = SEATS(run->setup->seats) | WATCHERS | RECORD;
    size_t n = strcspn(line, " ");
    char word[40];

    if (!prints_text(run, NOBODY, "an event", line, LINE_MAX_BYTES - 16))
        return false;
    snprintf(word, sizeof word, "%.*s", (int)(n < 39 ? n : 39), line);
    if (words_find(run->game->events, word) < 0)
        return broken(run, "prints", NOBODY,
                      "the event \"%s\" is not in \"%s\"", word,
                      run->game->events);
    if (!(to & readers))
        return broken(run, "prints", NOBODY, "nobody may read \"%.80s\"", line);
    return true;
}

static bool prints_drawing(struct run *run, int viewer, bool colour,
                           struct buf *out)
{
    size_t width = 0;

    buf_reset(out);
    game_show(run->game, run->state, viewer, colour, out);
    if (out->len == 0 || !buf_ok(out))
        return broken(run, "prints", viewer, "the drawing has %zu bytes%s",
                      out->len, buf_ok(out) ? "" : " and more");
    for (size_t i = 0; i < out->len; i++) {
        char c = out->text[i];

        width = c == '\n' ? 0 : width + 1;
        if (c != '\n' && !(colour && c == '\033') && (c < ' ' || c > '~'))
            return broken(run, "prints", viewer,
                          "the drawing holds a byte 0x%02x", (unsigned char)c);
        if (!colour && width > COLUMNS_MAX)
            return broken(run, "prints", viewer,
                          "the drawing has a line of over %d columns",
                          COLUMNS_MAX);
    }
    return true;
}

bool law_prints(struct run *run)
{
    struct buf out;
    bool ok = true;

    buf_init(&out, SHOW_MAX);
    for (int viewer = AUDIENCE_REFEREE; ok && viewer < run->setup->seats;
         viewer++)
        ok = prints_drawing(run, viewer, false, &out) &&
             prints_drawing(run, viewer, true, &out);
    buf_release(&out);
    return ok;
}

/* traits: what shows must be declared. */

bool shows(struct run *run, unsigned trait, const char *how)
{
    run->report->traits |= trait;
    if (run->game->traits & trait)
        return true;
    return broken(run, "traits", NOBODY, "%s, but the trait is not declared",
                  how);
}

static bool is_shared(const struct run *run, seat_set to)
{
    seat_set readers = SEATS(run->setup->seats) | WATCHERS;

    return (to & readers) == 0 || (to & readers) == readers;
}

/* An answer that waits for the others is no hidden thing of the game. */
static bool traits_of_views(struct run *run)
{
    if (run->answered)
        return true;
    for (int seat = 0; seat < run->setup->seats; seat++)
        if (strcmp(view_now(run, seat), view_now(run, AUDIENCE_PUBLIC)) != 0)
            return shows(run, TRAIT_HIDDEN,
                         "a seat sees what the public does not: hidden");
    return true;
}

bool traits_are_whole(struct run *run)
{
    const struct game *game = run->game;
    bool chance = game->traits & TRAIT_CHANCE;

    if (chance != (game->deal != NULL) || chance != (game->redeal != NULL) ||
        chance != (game->dealt != NULL))
        return broken(run, "traits", NOBODY,
                      "chance is declared if and only if there are deal(), "
                      "redeal() and dealt()");
    if (chance)
        run->report->traits |= TRAIT_CHANCE;
    return true;
}

/* Memory. */

static bool remember_views(struct run *run)
{
    struct buf text;
    bool ok = true;

    buf_init(&text, 2 * REFEREE_VIEW_MAX);
    for (int viewer = AUDIENCE_REFEREE; ok && viewer < run->setup->seats;
         viewer++) {
        size_t i =
            run->steps * viewers(run) + (size_t)(viewer - AUDIENCE_REFEREE);

        write_view(run, run->state, viewer, &text);
        run->view[i] = run->views.len;
        buf_put(&run->views, text.text, text.len + 1);
        ok = prints_view(run, viewer, text.text);
    }
    buf_release(&text);
    return ok;
}

static bool remember_events(struct run *run)
{
    size_t i = run->steps ? run->step[run->steps - 1].events : 0;
    size_t at = i < run->events.count ? run->events.line[i].at : 0;

    if (i < run->events.count && run->events.text.len - at > EVENTS_MAX)
        return broken(run, "prints", NOBODY, "one step told %zu bytes",
                      run->events.text.len - at);
    for (; i < run->events.count; i++) {
        seat_set to = run->events.line[i].to;

        if (!prints_event(run, to, lines_text(&run->events, i)))
            return false;
        if (!is_shared(run, to) &&
            !shows(run, TRAIT_HIDDEN, "an event is not for all: hidden"))
            return false;
    }
    return true;
}

bool remember(struct run *run, int seat, const struct move *move,
              const char *text, seat_set leave)
{
    struct step *step = &run->step[run->steps];

    if (!remember_events(run) || !remember_views(run))
        return false;
    *step = (struct step){.seat = seat,
                          .leave = leave,
                          .text = run->texts.len,
                          .events = run->events.count};
    if (move)
        step->move = *move;
    buf_put(&run->texts, text, strlen(text) + 1);
    run->steps++;
    return traits_of_views(run);
}
