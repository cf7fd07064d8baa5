/*
 * Axiom for the eye: one plan of each level, seen from above, north up.
 *
 *      +--^--+     a white cube with domes north and down, a black sceptre on
 *      |w B dW     top of it and a white one in its east face
 *      +-----+
 *
 * Only rows and columns with a cube are drawn, so twelve cubes fit on a screen
 * however far apart they are. A colon marks where some were left out.
 */

#include "games/axiom/board.h"

#include "base/paint.h"

#include <stdio.h>

enum {
    LABEL_WIDTH = 5,
    CELL_WIDTH = 7,
    CELL_LINES = 3,
    BETWEEN = 4, /* levels side by side */
    SCREEN_WIDTH = 80,
};

/* The coordinates that occur, ascending. */
struct axis {
    int at[CUBES];
    int count;
};

struct plan {
    const struct position *p;
    struct axis x, y;
    int levels;
    bool colour;
    struct buf *out;
};

static void axis_add(struct axis *axis, int value)
{
    int i = axis->count;

    for (int j = 0; j < axis->count; j++)
        if (axis->at[j] == value)
            return;
    for (; i > 0 && axis->at[i - 1] > value; i--)
        axis->at[i] = axis->at[i - 1];
    axis->at[i] = value;
    axis->count++;
}

static struct plan make_plan(const struct position *p, bool colour,
                             struct buf *out)
{
    struct plan plan = {.p = p, .colour = colour, .out = out};

    for (int i = 0; i < CUBES; i++) {
        if (p->cube[i] == NOWHERE)
            continue;
        axis_add(&plan.x, cell_x(p->cube[i]));
        axis_add(&plan.y, cell_y(p->cube[i]));
        if (cell_z(p->cube[i]) > plan.levels)
            plan.levels = cell_z(p->cube[i]);
    }
    return plan;
}

/* Is something left out before the i-th? */
static bool has_gap(const struct axis *axis, int i)
{
    return i > 0 && axis->at[i] != axis->at[i - 1] + 1;
}

static int level_width(const struct plan *plan)
{
    int width = LABEL_WIDTH;

    for (int i = 0; i < plan->x.count; i++)
        width += CELL_WIDTH + has_gap(&plan->x, i);
    return width;
}

static void spaces(struct buf *out, int n)
{
    buf_add(out, "%*s", n, "");
}

static void paint_cube(const struct plan *plan, int cube)
{
    paint(plan->out, plan->colour,
          cube_owner(cube) == BLACK ? PAINT_ON_BLACK : PAINT_ON_WHITE);
}

/* A face is a sceptre, a dome, or else a plain wall. */
static void draw_face(const struct plan *plan, int cube, int face, char wall)
{
    const struct position *p = plan->p;
    int sceptre = axiom_sceptre_in(p, p->cube[cube], face);
    bool black = sceptre != NONE && sceptre_owner(sceptre) == BLACK;

    if (sceptre != NONE) {
        paint(plan->out, plan->colour, black ? PAINT_ON_RED : PAINT_ON_BLUE);
        buf_char(plan->out, black ? 'B' : 'W');
        paint_cube(plan, cube);
    } else {
        buf_char(plan->out,
                 has_face(p->domes[cube], face) ? "><^vud"[face] : wall);
    }
}

static void draw_middle(const struct plan *plan, int cube)
{
    draw_face(plan, cube, WEST, '|');
    buf_str(plan->out, cube_owner(cube) == BLACK ? "b " : "w ");
    draw_face(plan, cube, UP, ' ');
    buf_char(plan->out, ' ');
    draw_face(plan, cube, DOWN, ' ');
    draw_face(plan, cube, EAST, '|');
}

static void draw_cube(const struct plan *plan, int cube, int line)
{
    paint_cube(plan, cube);
    if (line == 1) {
        draw_middle(plan, cube);
    } else {
        buf_str(plan->out, "+--");
        draw_face(plan, cube, line == 0 ? NORTH : SOUTH, '-');
        buf_str(plan->out, "--+");
    }
    paint(plan->out, plan->colour, PAINT_PLAIN);
}

static void draw_line(const struct plan *plan, int level, int y, int line)
{
    if (line == 1)
        buf_add(plan->out, "%-*d", LABEL_WIDTH, y);
    else
        spaces(plan->out, LABEL_WIDTH);
    for (int i = 0; i < plan->x.count; i++) {
        int cell = cell_at(plan->x.at[i], y, level);
        int cube = axiom_cube_at(plan->p, cell);

        if (has_gap(&plan->x, i))
            buf_char(plan->out, ':');
        if (cube != NONE)
            draw_cube(plan, cube, line);
        else
            buf_str(plan->out, line == 1 ? "   .   " : "       ");
    }
}

static void draw_heading(const struct plan *plan)
{
    buf_add(plan->out, "%-*s", LABEL_WIDTH, "y\\x");
    for (int i = 0; i < plan->x.count; i++) {
        char number[16];
        int n = snprintf(number, sizeof number, "%d", plan->x.at[i]);
        int before = (CELL_WIDTH - n + 1) / 2;

        if (has_gap(&plan->x, i))
            buf_char(plan->out, ':');
        buf_add(plan->out, "%*s%-*s", before, "", CELL_WIDTH - before, number);
    }
}

static void draw_title(const struct plan *plan, int level)
{
    paint(plan->out, plan->colour, PAINT_BOLD);
    buf_add(plan->out, "level %-*d", level_width(plan) - 6, level);
    paint(plan->out, plan->colour, PAINT_PLAIN);
}

enum part { TITLE, HEADING, LINE };

/* One text line of several levels side by side. */
static void draw_across(const struct plan *plan, int first, int last,
                        enum part part, int y, int line)
{
    for (int level = first; level <= last; level++) {
        if (level > first)
            spaces(plan->out, BETWEEN);
        if (part == TITLE)
            draw_title(plan, level);
        else if (part == HEADING)
            draw_heading(plan);
        else
            draw_line(plan, level, y, line);
    }
    buf_char(plan->out, '\n');
}

static void draw_band(const struct plan *plan, int first, int last)
{
    draw_across(plan, first, last, TITLE, 0, 0);
    draw_across(plan, first, last, HEADING, 0, 0);
    for (int i = plan->y.count - 1; i >= 0; i--) {
        for (int line = 0; line < CELL_LINES; line++)
            draw_across(plan, first, last, LINE, plan->y.at[i], line);
        if (has_gap(&plan->y, i))
            buf_str(plan->out, ":\n");
    }
    buf_char(plan->out, '\n');
}

static bool leaves_out(const struct axis *axis)
{
    for (int i = 0; i < axis->count; i++)
        if (has_gap(axis, i))
            return true;
    return false;
}

static bool has_wall_sceptre(const struct position *p)
{
    for (int i = 0; i < SCEPTRES; i++)
        if (p->sceptre[i] != NOWHERE && p->face[i] < UP)
            return true;
    return false;
}

/* What only some positions need. */
static void draw_rare_legend(const struct plan *plan)
{
    bool gaps = leaves_out(&plan->x) || leaves_out(&plan->y);
    bool walls = has_wall_sceptre(plan->p);

    if (walls)
        buf_str(plan->out, "B W in a border: a sceptre in that wall");
    if (walls && gaps)
        buf_str(plan->out, "   ");
    if (gaps)
        buf_str(plan->out, ": empty rows or columns left out");
    if (walls || gaps)
        buf_char(plan->out, '\n');
}

static void draw_legend(const struct plan *plan)
{
    buf_str(plan->out, "cubes ");
    painted(plan->out, plan->colour, PAINT_ON_BLACK, "b");
    buf_char(plan->out, ' ');
    painted(plan->out, plan->colour, PAINT_ON_WHITE, "w");
    buf_str(plan->out, "   sceptres ");
    painted(plan->out, plan->colour, PAINT_ON_RED, "B");
    buf_char(plan->out, ' ');
    painted(plan->out, plan->colour, PAINT_ON_BLUE, "W");
    buf_str(plan->out, "   domes < > ^ v, u up, d down\n");
}

void axiom_draw(const struct position *p, bool colour, struct buf *out)
{
    struct plan plan = make_plan(p, colour, out);
    int width = level_width(&plan) + BETWEEN;
    int across = (SCREEN_WIDTH + BETWEEN) / width;

    across = across > 0 ? across : 1; /* a level may be wider than a screen */
    for (int level = 1; level <= plan.levels; level += across) {
        int last = level + across - 1;

        draw_band(&plan, level, last < plan.levels ? last : plan.levels);
    }
    draw_legend(&plan);
    draw_rare_legend(&plan);
}
