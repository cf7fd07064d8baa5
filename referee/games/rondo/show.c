#include "games/rondo/rondo.h"

#include "base/paint.h"

#include <string.h>

/* Looking at the state. */

/* A rack that has left the game is shown to nobody. */
static bool sees_rack(const struct state *s, int viewer, int seat)
{
    return viewer == AUDIENCE_REFEREE ||
           (viewer == seat && !(s->left.out & SEAT(seat)));
}

/* The letters in the order of colours, so that slots do not show. */
static void write_rack(const struct state *s, int seat, struct buf *out)
{
    const struct rack *rack = &s->rack[seat];

    for (int c = 0; c < RONDO_COLOURS; c++)
        for (int i = 0; i < rack->count; i++)
            if (s->colour[rack->stone[i]] == c)
                buf_char(out, RONDO_LETTERS[c]);
    if (rack->count == 0)
        buf_char(out, '-');
}

static void view_racks(const struct state *s, int viewer, struct buf *out)
{
    for (int seat = 0; seat < s->seats; seat++) {
        if (seat > 0)
            buf_char(out, ',');
        if (sees_rack(s, viewer, seat))
            write_rack(s, seat, out);
        else
            buf_int(out, s->rack[seat].count);
    }
}

static void view_pile(const struct state *s, int viewer, const struct pile *p,
                      struct buf *out)
{
    if (p->open) {
        buf_int(out, p->open);
        return;
    }
    buf_char(out, 'x');
    if (may_see(viewer, p->layer))
        buf_char(out, RONDO_LETTERS[s->colour[p->down]]);
    if (viewer == AUDIENCE_REFEREE)
        buf_int(out, p->layer + 1);
}

static void view_stones(const struct state *s, int viewer, struct buf *out)
{
    for (bits rest = s->covered; rest; rest &= rest - 1) {
        int f = bits_first(rest);

        if (rest != s->covered)
            buf_char(out, ',');
        buf_str(out, board_of(s)->field[f].name);
        buf_char(out, ':');
        view_pile(s, viewer, &s->pile[f], out);
    }
    if (!s->covered)
        buf_char(out, '-');
}

static void view_bag(const struct state *s, int viewer, struct buf *out)
{
    if (viewer != AUDIENCE_REFEREE) {
        buf_int(out, in_bag(s));
        return;
    }
    for (int i = s->drawn; i < STONES; i++)
        buf_char(out, RONDO_LETTERS[s->colour[i]]);
    if (in_bag(s) == 0)
        buf_char(out, '-');
}

void rondo_view(const struct state *s, int viewer, struct buf *out)
{
    buf_str(out, "board=");
    buf_str(out, board_of(s)->name);
    buf_str(out, " n=");
    buf_int(out, s->seats);
    buf_str(out, " seat=");
    buf_int(out, s->turn + 1);
    buf_str(out, " end=");
    buf_str(out, rondo_end_words[s->end]);
    buf_str(out, " out=");
    if (viewer == AUDIENCE_REFEREE)
        leavers_write(&s->left, out);
    else
        seats_write(s->left.out, out);
    for (int seat = 0; seat < s->seats; seat++) {
        buf_str(out, seat == 0 ? " score=" : ",");
        buf_int(out, s->score[seat]);
    }
    buf_str(out, " rack=");
    view_racks(s, viewer, out);
    buf_str(out, " stones=");
    view_stones(s, viewer, out);
    buf_str(out, " bag=");
    view_bag(s, viewer, out);
}

/*
 * Drawing for a person. A board whose fields and links are all found on the
 * built-in boards is drawn as a map, any other as a table.
 */

static const enum paint inks[] = {PAINT_RED, PAINT_PURPLE, PAINT_GREEN,
                                  PAINT_BLUE, PAINT_YELLOW};
static const enum paint grounds[] = {PAINT_ON_RED, PAINT_ON_PURPLE,
                                     PAINT_ON_GREEN, PAINT_ON_BLUE,
                                     PAINT_ON_YELLOW};

enum {
    LOOK = 6,  /* columns of a field: open stones, and who laid them */
    PITCH = 7, /* columns from one field to the next */
    SIDE = 11, /* fields along the outer ring */
    MAP_COLUMNS = PITCH * (SIDE - 1) + LOOK + 2,
    MAP_ROWS = 2 * SIDE,
};

/* What a field shows: its stones, or its colour and value. */
struct look {
    char text[LOOK + 1];
    enum paint ink;
    enum paint frame; /* of the first and last letter */
};

struct point {
    int x, y;
};

struct map {
    char letter[MAP_ROWS][MAP_COLUMNS];
    enum paint paint[MAP_ROWS][MAP_COLUMNS];
};

static struct look look_of_stones(const struct state *s, int viewer, int field)
{
    int colour = board_of(s)->field[field].colour;
    const struct pile *p = &s->pile[field];
    struct look look = {
        .text = "x", .ink = PAINT_ON_CYAN, .frame = PAINT_ON_CYAN};

    if (p->open) {
        memset(look.text, RONDO_LETTERS[colour], p->open);
        look.ink = look.frame = grounds[colour];
    } else if (may_see(viewer, p->layer)) {
        look.text[1] = RONDO_LETTERS[s->colour[p->down]];
    }
    look.text[strlen(look.text)] = (char)('1' + p->layer);
    return look;
}

static struct look look_of(const struct state *s, int viewer, int field)
{
    const struct rondo_field *f = &board_of(s)->field[field];
    bool grey = bits_has(board_of(s)->grey, field);
    struct look look = {.ink = inks[f->colour], .frame = PAINT_PLAIN};

    if (bits_has(s->covered, field))
        return look_of_stones(s, viewer, field);
    look.frame = grey ? PAINT_ON_GREY : inks[f->colour];
    look.text[0] = grey ? '[' : '(';
    look.text[1] = RONDO_LETTERS[f->colour];
    look.text[2] = (char)('0' + f->value);
    look.text[3] = grey ? ']' : ')';
    return look;
}

/* The northern quarter of each circle; three turns give the others. */
static const struct quarter {
    char letter;
    int fields;
    struct point at[10];
} quarters[] = {
    {'a', 1, {{0, -1}}},
    {'b', 5, {{0, -3}, {1, -3}, {2, -3}, {3, -2}, {3, -1}}},
    {'c', 2, {{1, -4}, {4, -1}}},
    {'d', 2, {{2, -4}, {4, -2}}},
    {'e',
     10,
     {{0, -5},
      {1, -5},
      {2, -5},
      {3, -5},
      {4, -5},
      {5, -5},
      {5, -4},
      {5, -3},
      {5, -2},
      {5, -1}}},
};

static struct point place_of(const char *name)
{
    const struct quarter *q = &quarters[name[0] - 'a'];
    struct point p;
    int number = 0;

    for (const char *c = name + 1; *c; c++)
        number = 10 * number + (*c - '0');
    p = q->at[(number - 1) % q->fields];
    for (int turn = (number - 1) / q->fields; turn > 0; turn--)
        p = (struct point){-p.y, p.x};
    return p;
}

/* The same field or the centre on another board, or -1. */
static int twin_of(const struct rondo_board *b, const char *name)
{
    struct rondo_name n;

    return rondo_take_name(&name, &n) ? rondo_find(b, n) : -1;
}

static bool has_twins(const struct rondo_board *b, int place,
                      const struct rondo_board *model, int twin)
{
    for (bits rest = b->near[place]; rest; rest &= rest - 1) {
        int to = twin_of(model, b->field[bits_first(rest)].name);

        if (to < 0 || to == RONDO_CENTRE || !bits_has(model->near[twin], to))
            return false;
    }
    return true;
}

bool rondo_fits_map(const struct rondo_board *b)
{
    struct rondo_board model = {0};
    struct err err;

    if (!rondo_board_load(&model, "blue", &err) ||
        strcmp(b->centre, model.centre) != 0 ||
        !has_twins(b, RONDO_CENTRE, &model, RONDO_CENTRE))
        return false;
    for (int f = 0; f < b->fields; f++) {
        int twin = twin_of(&model, b->field[f].name);

        if (twin < 0 || twin == RONDO_CENTRE || !has_twins(b, f, &model, twin))
            return false;
    }
    return true;
}

/* Each place has two rows: its name, and below it what it shows. */
static int column_of(struct point p)
{
    return PITCH * (p.x + SIDE / 2) + LOOK / 2;
}

static int row_of(struct point p)
{
    return 2 * (p.y + SIDE / 2) + 1;
}

static void put(struct map *map, int row, int column, char letter,
                enum paint paint)
{
    map->letter[row][column] = letter;
    map->paint[row][column] = paint;
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

/* Links run along a row, along a column, or to the next place aslant. */
static void draw_link(struct map *map, struct point a, struct point b)
{
    int row = row_of(a), column = column_of(a);
    int down = sign(b.y - a.y), right = sign(b.x - a.x);

    if (down && right) {
        put(map, (row + row_of(b)) / 2, (column + column_of(b) + 3) / 2,
            down == right ? '\\' : '/', PAINT_DIM);
        return;
    }
    while (row != row_of(b) || column != column_of(b)) {
        put(map, row, column, down ? '|' : '-', PAINT_DIM);
        row += down;
        column += right;
    }
}

static void draw_text(struct map *map, struct point p, const struct look *look)
{
    int n = (int)strlen(look->text), row = row_of(p);
    int column = column_of(p) - (n - 1) / 2;

    for (int i = 0; i < n; i++)
        put(map, row, column + i, look->text[i],
            i == 0 || i == n - 1 ? look->frame : look->ink);
}

static void draw_name(struct map *map, struct point p, const char *name)
{
    for (int i = 0; name[i]; i++)
        put(map, row_of(p) - 1, column_of(p) + 1 + i, name[i], PAINT_PLAIN);
}

static void draw_links(struct map *map, const struct rondo_board *b, int place,
                       struct point p)
{
    for (bits rest = b->near[place]; rest; rest &= rest - 1)
        draw_link(map, p, place_of(b->field[bits_first(rest)].name));
}

static void draw_map(struct map *map, const struct state *s, int viewer)
{
    static const struct look centre = {" m ", PAINT_ON_WHITE, PAINT_ON_WHITE};
    struct point middle = {0, 0};

    memset(map->letter, ' ', sizeof map->letter);
    draw_links(map, board_of(s), RONDO_CENTRE, middle);
    for (int f = 0; f < board_of(s)->fields; f++)
        draw_links(map, board_of(s), f, place_of(board_of(s)->field[f].name));
    draw_text(map, middle, &centre);
    for (int f = 0; f < board_of(s)->fields; f++) {
        struct look look = look_of(s, viewer, f);
        struct point p = place_of(board_of(s)->field[f].name);

        draw_name(map, p, board_of(s)->field[f].name);
        draw_text(map, p, &look);
    }
}

static void print_row(const char *letter, const enum paint *paints, bool colour,
                      struct buf *out)
{
    enum paint now = PAINT_PLAIN;
    int columns = MAP_COLUMNS;

    while (columns > 0 && letter[columns - 1] == ' ')
        columns--;
    for (int i = 0; i < columns; i++) {
        if (paints[i] != now) {
            if (now != PAINT_PLAIN)
                paint(out, colour, PAINT_PLAIN);
            now = paints[i];
            if (now != PAINT_PLAIN)
                paint(out, colour, now);
        }
        buf_char(out, letter[i]);
    }
    if (now != PAINT_PLAIN)
        paint(out, colour, PAINT_PLAIN);
    buf_char(out, '\n');
}

static void show_map(const struct state *s, int viewer, bool colour,
                     struct buf *out)
{
    struct map map = {0};

    draw_map(&map, s, viewer);
    for (int row = 0; row < MAP_ROWS; row++)
        print_row(map.letter[row], map.paint[row], colour, out);
}

/* Neighbours in columns; returns how many there are. */
static int show_neighbours(const struct rondo_board *b, int f, struct buf *out)
{
    int count = 0;

    if (bits_has(b->near[RONDO_CENTRE], f)) {
        buf_add(out, " %-3s", b->centre);
        count++;
    }
    for (bits rest = b->near[f]; rest; rest &= rest - 1) {
        buf_add(out, " %-3s", b->field[bits_first(rest)].name);
        count++;
    }
    return count;
}

static void show_line(const struct state *s, int viewer, int f, bool colour,
                      struct buf *out)
{
    struct look look = look_of(s, viewer, f);
    int missing = LOOK - (int)strlen(look.text);

    buf_add(out, "%-3s ", board_of(s)->field[f].name);
    painted(out, colour, look.ink, look.text);
    buf_add(out, "%*s touches", missing, "");
    missing = RONDO_NEIGHBOURS_MAX - show_neighbours(board_of(s), f, out);
    buf_add(out, "%*s", 4 * missing, "");
}

static void show_table(const struct state *s, int viewer, bool colour,
                       struct buf *out)
{
    int half = (board_of(s)->fields + 1) / 2;

    for (int f = 0; f < half; f++) {
        show_line(s, viewer, f, colour, out);
        if (f + half < board_of(s)->fields)
            show_line(s, viewer, f + half, colour, out);
        while (out->len > 0 && out->text[out->len - 1] == ' ')
            out->text[--out->len] = '\0';
        buf_char(out, '\n');
    }
}

static void show_rack(const struct state *s, int viewer, int seat, bool colour,
                      struct buf *out)
{
    const struct rack *rack = &s->rack[seat];

    if (!sees_rack(s, viewer, seat)) {
        buf_add(out, " %d stone%s", rack->count, rack->count == 1 ? "" : "s");
        return;
    }
    for (int c = 0; c < RONDO_COLOURS; c++)
        for (int i = 0; i < rack->count; i++)
            if (s->colour[rack->stone[i]] == c) {
                buf_char(out, ' ');
                painted(out, colour, grounds[c],
                        (char[]){RONDO_LETTERS[c], '\0'});
            }
    if (rack->count == 0)
        buf_str(out, " empty");
}

static void show_seat(const struct state *s, int viewer, int seat, bool colour,
                      struct buf *out)
{
    bool active = s->turn == seat;

    if (active)
        paint(out, colour, PAINT_BOLD);
    buf_add(out, "%c seat %d  %3d point%s ", active ? '>' : ' ', seat + 1,
            s->score[seat], s->score[seat] == 1 ? " " : "s");
    if (active)
        paint(out, colour, PAINT_PLAIN);
    buf_str(out, " rack:");
    show_rack(s, viewer, seat, colour, out);
    if (s->left.out & SEAT(seat))
        painted(out, colour, PAINT_DIM, " (has left)");
    buf_char(out, '\n');
}

static void show_status(const struct state *s, struct buf *out)
{
    buf_add(out, "Board %s, %d in the bag, %d of %d grey fields free; ",
            board_of(s)->name, in_bag(s),
            bits_count(board_of(s)->grey & ~s->covered),
            bits_count(board_of(s)->grey));
    if (s->turn == OVER)
        buf_add(out, "the game is over (%s).\n", end_reason(s));
    else if (s->end)
        buf_add(out, "seat %d plays, last round (%s).\n", s->turn + 1,
                rondo_end_words[s->end]);
    else
        buf_add(out, "seat %d plays.\n", s->turn + 1);
}

void rondo_show(const struct state *s, int viewer, bool colour, struct buf *out)
{
    if (rondo_fits_map(board_of(s)))
        show_map(s, viewer, colour, out);
    else
        show_table(s, viewer, colour, out);
    painted(out, colour, PAINT_DIM,
            "(R2) empty   [R2] empty and grey   RR1 two open stones of seat 1"
            "   x1 face down");
    buf_char(out, '\n');
    show_status(s, out);
    for (int seat = 0; seat < s->seats; seat++)
        show_seat(s, viewer, seat, colour, out);
}
