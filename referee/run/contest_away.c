/* A contest that is played elsewhere. */

#include "base/alloc.h"
#include "base/text.h"
#include "run/contest_state.h"

#include <assert.h>
#include <stdlib.h>

/* Up to a game that has been played, for the seed is told after the last. */
static int games_in_row(const struct slot *s)
{
    int count = 1;

    while (count < AWAY_GAMES_MAX && s->group.game + count <= s->group.last &&
           !has_closed_record(s, s->group.game + count))
        count++;
    return count;
}

static int number_of(const struct slot *s)
{
    return (int)(s - s->contest->slot);
}

void hand_out(struct slot *s)
{
    const struct contest_away *away = s->contest->config.away;
    int games = games_in_row(s);
    struct game_names *names = must_alloc(calloc((size_t)games, sizeof *names));

    for (int i = 0; i < games; i++) {
        int number = s->group.game + i;

        name_of_game(s, number, names[i].name);
        about_game(s, number, names[i].name, names[i].about);
        text_join(names[i].id, sizeof names[i].id, s->contest->session, "-",
                  names[i].name, NULL);
    }
    buf_reset(&s->old);
    s->away = games;
    s->contest->running += games;
    away->hand_out(away->owner, number_of(s), &s->group, names, games);
    free(names);
}

void contest_played(struct contest *c, int slot, const struct buf *record,
                    int games)
{
    struct slot *s = &c->slot[slot];

    assert(s->away == games && !s->brought);
    s->brought = must_alloc(calloc((size_t)games, sizeof *s->brought));
    s->brought_from = s->group.game;
    s->brought_to = s->group.game + games - 1;
    for (int i = 0; i < games; i++) {
        buf_init(&s->brought[i], RECORD_FILE_MAX);
        buf_put(&s->brought[i], record[i].text, record[i].len);
    }
    contest_gave_back(c, slot);
}

void contest_gave_back(struct contest *c, int slot)
{
    struct slot *s = &c->slot[slot];

    c->running -= s->away;
    s->away = 0;
    go_on(s);
}

void forget_brought(struct slot *s)
{
    for (int i = s->brought_from; s->brought && i <= s->brought_to; i++)
        buf_release(&s->brought[i - s->brought_from]);
    free(s->brought);
    s->brought = NULL;
}

void drop_brought(struct slot *s)
{
    const struct contest_away *away = s->contest->config.away;

    if (!s->brought || s->group.game < s->brought_to)
        return;
    forget_brought(s);
    away->counted(away->owner, number_of(s));
}
