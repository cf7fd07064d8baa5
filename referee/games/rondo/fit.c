/* Rondo: a deal that agrees with the stones a seat is told of. */

#include "games/rondo/rondo.h"

#include "base/text.h"

#include <string.h>

struct fitting {
    struct state *s;
    int viewer;
    bool starting;
    int unseens;
    uint8_t unseen[STONES];
    bool fixed[STONES];
};

/* The stone at this place of the deal has this colour. */
static void fit_stone(struct fitting *f, int place, int colour)
{
    uint8_t *have = f->s->colour;

    if (place >= STONES)
        return;
    f->fixed[place] = true;
    for (int i = 0; i < f->unseens && have[place] != colour; i++) {
        int other = f->unseen[i];

        if (f->fixed[other] || have[other] != colour)
            continue;
        have[other] = have[place];
        have[place] = (uint8_t)colour;
    }
}

/* "RP": at the start these are on the rack already. */
static void fit_draw(struct fitting *f, const char *at)
{
    const struct rack *rack = &f->s->rack[f->viewer];
    int colour;

    for (int i = 0; rondo_take_colour(&at, &colour); i++)
        if (!f->starting)
            fit_stone(f, f->s->drawn + i, colour);
        else if (i < rack->count)
            fit_stone(f, rack->stone[i], colour);
}

/* How many open stones of each colour does "a3:2,b1:x" need? */
static void count_open(const struct state *s, const char *at,
                       int need[RONDO_COLOURS])
{
    do {
        struct rondo_name name;
        int field, count;

        if (!rondo_take_name(&at, &name) || !take_char(&at, ':'))
            return;
        field = rondo_find(board_of(s), name);
        if (take_int(&at, 1, RACK_MAX, &count) && field >= 0 &&
            field != RONDO_CENTRE)
            need[board_of(s)->field[field].colour] += count;
        else
            at += strcspn(at, ",");
    } while (take_char(&at, ','));
}

/* Stones that are there already stay; the others of the rack make room. */
static void fit_play(struct fitting *f, int seat, const char *move)
{
    const struct rack *rack = &f->s->rack[seat];
    int need[RONDO_COLOURS] = {0};

    count_open(f->s, move, need);
    for (int i = 0; i < rack->count; i++) {
        int place = rack->stone[i], colour = f->s->colour[place];

        if (need[colour] > 0) {
            need[colour]--;
            f->fixed[place] = true;
        }
    }
    for (int i = 0, colour = 0; i < rack->count; i++) {
        while (colour < RONDO_COLOURS && need[colour] == 0)
            colour++;
        if (colour == RONDO_COLOURS)
            return;
        if (f->fixed[rack->stone[i]])
            continue;
        fit_stone(f, rack->stone[i], colour);
        need[colour]--;
    }
}

static void fit_line(struct fitting *f, const char *at)
{
    int seat;
    bool draws = take_word(&at, "draw");

    if (!draws && !take_word(&at, "play"))
        return;
    if (!take_int(&at, 1, f->s->seats, &seat) || !take_char(&at, ' '))
        return;
    seat--;
    if (draws && seat == f->viewer)
        fit_draw(f, at);
    else if (!draws && seat != f->viewer)
        fit_play(f, seat, at);
}

void rondo_fit(struct state *s, int viewer, const struct lines *told,
               bool starting)
{
    struct fitting f = {.s = s, .viewer = viewer, .starting = starting};

    f.unseens = rondo_unseen(s, starting ? AUDIENCE_PUBLIC : viewer, f.unseen);
    for (size_t i = 0; i < told->count; i++)
        fit_line(&f, lines_text(told, i));
}
