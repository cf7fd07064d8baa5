/* AXIO rota: a position that looks so to a viewer. */

#include "games/axio_rota/axio_rota.h"

#include "base/text.h"

#include <string.h>

struct making {
    struct state *s;
    int viewer;
    bool used[TILES + 1];
};

static bool take_corners(const char **at, struct rota_tile *tile)
{
    for (int i = 0; i < CORNERS; i++) {
        int corner;

        if (!take_one_of(at, CORNER_LETTERS, &corner))
            return false;
        tile->corner[i] = (uint8_t)corner;
    }
    return true;
}

/* Put a tile that looks so when it is turned at this place of the deal. */
static bool use(struct making *m, int place, const struct rota_tile *tile,
                int turned)
{
    for (int n = 1; n <= TILES; n++) {
        struct rota_tile own = rota_tile_turn(&m->s->set.tile[n], turned);

        if (!m->used[n] && memcmp(&own, tile, sizeof own) == 0) {
            m->used[n] = true;
            m->s->deal.order[place] = (uint8_t)n;
            return true;
        }
    }
    return false;
}

static bool use_turned(struct making *m, int place,
                       const struct rota_tile *tile)
{
    for (int turned = 0; turned < TURNS; turned++)
        if (use(m, place, tile, turned)) {
            if (place < SQUARE)
                m->s->deal.turned[place] = (uint8_t)turned;
            return true;
        }
    return false;
}

static bool take_marks(struct player *p, const char **at)
{
    for (int i = 0; i < COLOURS; i++)
        if ((i > 0 && !take_char(at, '/')) ||
            !take_int(at, 0, GOAL, &p->mark[i]))
            return false;
    return true;
}

/* What is seen of a hand is in the deal where the tile was drawn from. */
static bool take_hand(struct making *m, int seat, const char **at)
{
    struct state *s = m->s;
    struct player *p = &s->player[seat];
    struct rota_tile tile;
    int place = first_of_stack(seat) + p->drawn - 1;

    p->laid = p->drawn;
    if (take_char(at, '-'))
        return !holds_bonus(s, seat);
    if (holds_bonus(s, seat))
        place = s->supply - 1;
    else
        p->laid--;
    if (p->laid < 0)
        return false;
    return take_char(at, '?') ||
           (take_corners(at, &tile) && use(m, place, &tile, 0));
}

static bool take_players(struct making *m, const char *view)
{
    struct state *s = m->s;
    const char *mark, *hand, *stack;

    if (!value_of_key(view, "mark", &mark) ||
        !value_of_key(view, "hand", &hand) ||
        !value_of_key(view, "stack", &stack))
        return false;
    for (int seat = 0; seat < s->seats; seat++) {
        struct player *p = &s->player[seat];
        int left;

        if (seat > 0 && (!take_char(&mark, ',') || !take_char(&hand, ',') ||
                         !take_char(&stack, ',')))
            return false;
        if (!take_marks(p, &mark) || !take_int(&stack, 0, STACK, &left))
            return false;
        p->drawn = STACK - left;
        if (!take_hand(m, seat, &hand))
            return false;
    }
    return true;
}

static bool take_turn(struct state *s, const char *view)
{
    const char *seat, *phase, *supply;
    int left, most = TILES - first_of_supply(s->seats);

    if (!value_of_key(view, "seat", &seat) ||
        !take_int(&seat, 1, s->seats, &s->turn) ||
        !value_of_key(view, "phase", &phase) ||
        !value_of_key(view, "supply", &supply) ||
        !take_int(&supply, 0, most, &left))
        return false;
    s->supply = TILES - left;
    s->bonus = take_char(&phase, 'b');
    s->turn--;
    return !s->bonus ||
           (take_int(&phase, 0, COLOURS, &s->earned) && left < most);
}

/* Those who have left laid what the others did not. */
static bool settle(struct state *s)
{
    int laid = s->board.count - SQUARE -
               (s->supply - first_of_supply(s->seats) - s->bonus);

    for (int seat = 0; seat < s->seats; seat++)
        laid -= is_out(s, seat) ? 0 : s->player[seat].laid;
    for (int seat = 0; seat < s->seats && laid >= 0; seat++)
        if (is_out(s, seat)) {
            int own = laid < STACK ? laid : STACK;

            s->player[seat].laid = s->player[seat].drawn = own;
            laid -= own;
        }
    return laid == 0 && !is_out(s, s->turn) &&
           (s->bonus || s->player[s->turn].drawn > s->player[s->turn].laid);
}

static bool take_lying(struct making *m, const char **at)
{
    struct rota_board *board = &m->s->board;
    struct rota_lying l;
    int x, y;

    if (board->count == TILES || !take_int(at, -TILES, TILES + 1, &x) ||
        !take_char(at, ',') || !take_int(at, -TILES, TILES + 1, &y) ||
        !take_char(at, ':') || !take_corners(at, &l.tile))
        return false;
    l.x = (int8_t)x;
    l.y = (int8_t)y;
    if (rota_board_lies(board, x, y) ||
        (board->count < SQUARE ? x < 0 || x > 1 || y < 0 || y > 1
                               : !rota_board_touches(board, x, y)))
        return false;
    rota_board_put(board, &l);
    return true;
}

/* The tiles that lie come from the places that all have seen. */
static bool use_lying(struct making *m)
{
    const struct state *s = m->s;
    int held = s->bonus ? s->supply - 1 : TILES, i = 0;

    for (int place = 0; place < TILES && i < s->board.count; place++)
        if (rota_has_seen(s, AUDIENCE_PUBLIC, place) && place != held &&
            !use_turned(m, place, &s->board.lying[i++].tile))
            return false;
    return true;
}

/* Any tile that is left over, wherever nobody has looked. */
static void use_rest(struct making *m, const bool *known)
{
    int n = 1;

    for (int place = 0; place < TILES; place++) {
        if (known[place])
            continue;
        while (n < TILES && m->used[n])
            n++;
        m->used[n] = true;
        m->s->deal.order[place] = (uint8_t)n;
    }
}

bool rota_from_view(struct state *s, int viewer, const char *view)
{
    struct making m = {.s = s, .viewer = viewer};
    bool known[TILES];
    const char *at;

    memset(&s->board, 0, sizeof s->board);
    memset(s->deal.order, 0, sizeof s->deal.order);
    if (!take_turn(s, view) || !value_of_key(view, "out", &at) ||
        !seats_read(&at, s->seats, &s->leavers) || !take_players(&m, view) ||
        !value_of_key(view, "tiles", &at))
        return false;
    do
        if (!take_lying(&m, &at))
            return false;
    while (take_char(&at, ';'));
    if (s->board.count < SQUARE || !settle(s) || !use_lying(&m))
        return false;
    for (int place = 0; place < TILES; place++)
        known[place] = s->deal.order[place] != 0;
    use_rest(&m, known);
    return true;
}
