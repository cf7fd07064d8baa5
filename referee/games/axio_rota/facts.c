/* What the drawing of a move needs: the circles in which its tile scored. */

#include "games/axio_rota/axio_rota.h"

#include <string.h>

/* The colour that was named for the empty corner, or EMPTY. */
static int named_colour(const char *event)
{
    const char *sign = strchr(event, '=');
    const char *found = sign ? memchr(CORNER_LETTERS, sign[1], COLOURS) : NULL;

    return found ? (int)(found - CORNER_LETTERS) : EMPTY;
}

/* How far a corner of a cell is from the south-west one. */
static const struct rota_point {
    int8_t x, y;
} corners[CORNERS] = {
    [NW] = {0, 1}, [NE] = {1, 1}, [SE] = {1, 0}, [SW] = {0, 0}};

static void write_circle(const struct rota_board *b, int corner, int named,
                         struct buf *out)
{
    const struct rota_lying *laid = &b->lying[b->count - 1];
    int own = laid->tile.corner[corner], colour = own == EMPTY ? named : own;
    int x = laid->x + corners[corner].x, y = laid->y + corners[corner].y;
    int others;

    if (colour == EMPTY)
        return;
    others = rota_board_circle(b, x, y, colour) - (own == colour);
    if (others > 0)
        buf_add(out, "%s%d,%d:%c:%d", out->text[out->len - 1] == '=' ? "" : ";",
                x, y, CORNER_LETTERS[colour], others);
}

void rota_event_facts(const struct state *s, const char *event, struct buf *out)
{
    size_t before = out->len;

    if (strncmp(event, "play ", strlen("play ")) != 0)
        return;
    buf_str(out, "circles=");
    for (int corner = 0; corner < CORNERS; corner++)
        write_circle(&s->board, corner, named_colour(event), out);
    if (out->len == before + strlen("circles="))
        buf_char(out, '-');
}
