/* Axiom in numbers; referee/doc/observations.md says which is what. */

#include "games/axiom/board.h"

#include <string.h>

static int32_t *put_cell(int32_t *out, int cell)
{
    *out++ = cell_x(cell);
    *out++ = cell_y(cell);
    *out++ = cell_z(cell);
    return out;
}

/* The pieces of a side in the order of their cells, whatever their slots. */
static void put_side(int32_t *out, const struct position *p, int side)
{
    int order[CUBES], n = axiom_cubes(p, order);
    int sceptres[SCEPTRES_EACH], m = axiom_sceptres(p, side, sceptres);
    int32_t *at = out;

    for (int i = 0; i < n; i++)
        if (cube_owner(order[i]) == side) {
            at = put_cell(at, p->cube[order[i]]);
            *at++ = p->domes[order[i]];
        }
    at = out + 4 * CUBES_EACH;
    for (int i = 0; i < m; i++) {
        at = put_cell(at, p->sceptre[sceptres[i]]);
        *at++ = p->face[sceptres[i]] + 1;
    }
}

void axiom_observe(const struct position *p, int viewer, int32_t *out)
{
    int first = viewer < 0 ? BLACK : viewer;

    memset(out, 0, AXIOM_OBSERVED * sizeof *out);
    put_side(out, p, first);
    put_side(out + AXIOM_SIDE_OBSERVED, p, !first);
}
