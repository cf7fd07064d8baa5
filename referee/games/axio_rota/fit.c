/* AXIO rota: a deal that agrees with the tiles a seat is told of. */

#include "games/axio_rota/axio_rota.h"

#include "base/text.h"

#include <string.h>

struct fitting {
    struct state *s;
    int viewer;
    bool starting;
    bool fixed[TILES];
    int seat; /* who plays in this step, and how the tile is turned */
    int turned;
};

static bool take_tile(const char **at, struct rota_tile *tile)
{
    for (int i = 0; i < CORNERS; i++) {
        int corner;

        if (!take_one_of(at, CORNER_LETTERS, &corner))
            return false;
        tile->corner[i] = (uint8_t)corner;
    }
    return true;
}

static bool is_tile(const struct state *s, int place,
                    const struct rota_tile *tile, int turned)
{
    struct rota_tile own =
        rota_tile_turn(&s->set.tile[s->deal.order[place]], turned);

    return memcmp(own.corner, tile->corner, sizeof own.corner) == 0;
}

static bool is_free(const struct fitting *f, int place)
{
    return !f->fixed[place] &&
           (f->starting || !rota_has_seen(f->s, f->viewer, place));
}

static void swap_places(struct rota_deal *deal, int a, int b)
{
    uint8_t hold = deal->order[a];

    deal->order[a] = deal->order[b];
    deal->order[b] = hold;
}

/*
 * The tile looked for lies in the start square, where nobody could tell it
 * from one that is the same but printed with another corner on top.
 */
static void fit_from_square(struct fitting *f, int place,
                            const struct rota_tile *tile)
{
    struct state *s = f->s;

    for (int i = 0; i < SQUARE; i++)
        for (int turned = 0; is_tile(s, i, tile, 0) && turned < TURNS; turned++)
            for (int other = SQUARE; other < TILES; other++)
                if (turned && !f->fixed[other] && is_free(f, other) &&
                    is_tile(s, other, tile, turned)) {
                    swap_places(&s->deal, i, other);
                    s->deal.turned[i] =
                        (uint8_t)((s->deal.turned[i] + turned) % TURNS);
                    swap_places(&s->deal, other, place);
                    return;
                }
}

/* The tile at this place of the deal is this one. */
static void fit_tile(struct fitting *f, int place, const struct rota_tile *tile)
{
    if (place >= TILES || !is_free(f, place))
        return;
    for (int other = 0; other < TILES; other++)
        if (is_free(f, other) && is_tile(f->s, other, tile, 0)) {
            swap_places(&f->s->deal, place, other);
            f->fixed[place] = true;
            return;
        }
    fit_from_square(f, place, tile);
    f->fixed[place] = true;
}

/* The tile of the start square, turned in whatever way makes it look so. */
static void fit_square(struct fitting *f, int i, const struct rota_tile *tile)
{
    for (int turned = 0; turned < TURNS; turned++)
        for (int other = 0; other < TILES; other++)
            if (!f->fixed[other] && is_tile(f->s, other, tile, turned)) {
                swap_places(&f->s->deal, i, other);
                f->s->deal.turned[i] = (uint8_t)turned;
                f->fixed[i] = true;
                return;
            }
}

/* The place of the tile that a seat is about to lay, if it is hidden. */
static int place_of_hand(const struct fitting *f)
{
    if (f->seat < 0 || holds_bonus(f->s, f->seat))
        return TILES;
    return first_of_stack(f->seat) + f->s->player[f->seat].laid;
}

/* "0,1:RGOP 1,1:RGBP 1,0:RGOP 0,0:BGOR" at the start, later one of them. */
static void fit_lay(struct fitting *f, const char *at)
{
    for (int i = 0; i < SQUARE && (at = strchr(at, ':')) != NULL; i++) {
        struct rota_tile tile;

        at++;
        if (!take_tile(&at, &tile))
            return;
        if (f->starting) {
            fit_square(f, i, &tile);
            continue;
        }
        tile = rota_tile_turn(&tile, TURNS - f->turned);
        fit_tile(f, place_of_hand(f), &tile);
    }
}

/* "2 1,-1,3=P" */
static void hear_play(struct fitting *f, const char *at)
{
    int x, y, seat;

    if (take_int(&at, 1, f->s->seats, &seat) && take_char(&at, ' ') &&
        take_int(&at, -99, 99, &x) && take_char(&at, ',') &&
        take_int(&at, -99, 99, &y) && take_char(&at, ',') &&
        take_int(&at, 0, TURNS - 1, &f->turned))
        f->seat = seat - 1;
}

/* "1 GPOB": the next tile of a stack, or of the supply. */
static void fit_taken(struct fitting *f, const char *at, bool bonus)
{
    const struct state *s = f->s;
    struct rota_tile tile;
    int seat, place;

    if (!take_int(&at, 1, s->seats, &seat) || !take_char(&at, ' ') ||
        !take_tile(&at, &tile))
        return;
    place = first_of_stack(--seat);
    if (bonus)
        place = s->supply;
    else if (!f->starting)
        place += s->player[seat].drawn;
    fit_tile(f, place, &tile);
}

static void fit_line(struct fitting *f, const char *at)
{
    if (take_word(&at, "play"))
        hear_play(f, at);
    else if (take_word(&at, "lay"))
        fit_lay(f, at);
    else if (take_word(&at, "bonus"))
        fit_taken(f, at, true);
    else if (take_word(&at, "hand"))
        fit_taken(f, at, false);
}

void rota_fit(struct state *s, int viewer, const struct lines *told,
              bool starting)
{
    struct fitting f = {
        .s = s, .viewer = viewer, .starting = starting, .seat = -1};

    for (size_t i = 0; i < told->count; i++)
        fit_line(&f, lines_text(told, i));
}
