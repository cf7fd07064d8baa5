/* The starter kit's help for the four games, one section per game. */
#include "referee_games.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Read a number and the one character behind it, if it is this one. */
static int number(const char **text, char behind)
{
    char *end;
    long n = strtol(*text, &end, 10);

    *text = *end == behind && behind ? end + 1 : end;
    return n < -INT_MAX ? -INT_MAX : n > INT_MAX ? INT_MAX : (int)n;
}

/* Axiom. */

enum { ROW = 1 << 13, LEVEL = 1 << 26, MIDDLE = 1 << 12, RECESSES = 72 };

static const int step[FACES] = {1, -1, ROW, -ROW, LEVEL, -LEVEL};
static const char face_letters[] = "EWNSUD";

/* "0,1,2DE": the cell, and the set of the faces. */
static int read_cell(const char **at, unsigned *faces)
{
    int x = number(at, ','), y = number(at, ','), z = number(at, 0);
    const char *letter;

    for (*faces = 0; **at && (letter = strchr(face_letters, **at)); ++*at)
        *faces |= 1u << (letter - face_letters);
    return x + MIDDLE + (y + MIDDLE) * ROW + z * LEVEL;
}

static int only_face(unsigned faces)
{
    int face = 0;

    while (face < FACES - 1 && faces >> face != 1)
        face++;
    return face;
}

void axiom_read(struct axiom *p, const struct game *game)
{
    const char *at = value(&game->view, "position");
    unsigned faces;

    *p = (struct axiom){0};
    for (; *at && *at != '|' && p->cubes < 12; at += *at == ';') {
        struct cube *cube = &p->cube[p->cubes++];

        cube->side = *at++;
        cube->cell = read_cell(&at, &cube->domes);
    }
    for (at += *at == '|'; *at && *at != '|' && p->sceptres < 4;
         at += *at == ';') {
        struct sceptre *sceptre = &p->sceptre[p->sceptres++];

        sceptre->side = *at++;
        sceptre->cell = read_cell(&at, &faces);
        sceptre->face = only_face(faces);
    }
    p->side = *at ? at[1] : 'b';
}

struct axiom_move axiom_move(const char *text)
{
    struct axiom_move move = {.is_cube = *text++ == 'C'};
    unsigned faces;

    move.from = read_cell(&text, &faces);
    move.from_face = only_face(faces);
    text += *text == '/';
    move.to = read_cell(&text, &move.domes);
    move.to_face = only_face(move.domes);
    return move;
}

static int find_cube(const struct axiom *p, int cell)
{
    for (int i = 0; i < p->cubes; i++)
        if (p->cube[i].cell == cell)
            return i;
    return -1;
}

static bool has_cube(const struct axiom *p, int cell)
{
    return find_cube(p, cell) >= 0;
}

static bool is_free(const struct axiom *p, int cell)
{
    for (int i = 0; i < p->sceptres; i++)
        if (p->sceptre[i].cell == cell)
            return false;
    return !has_cube(p, cell + LEVEL);
}

static void move_sceptre(struct axiom *p, const struct axiom_move *move)
{
    int left = find_cube(p, move->from), entered = find_cube(p, move->to);

    for (int i = 0; i < p->sceptres; i++) {
        struct sceptre *s = &p->sceptre[i];

        if (s->cell == move->from && s->face == move->from_face) {
            s->cell = move->to;
            s->face = move->to_face;
            break;
        }
    }
    /* Home from an enemy cube: that cube is removed if it is free now. */
    if (p->cube[left].side != p->side && p->cube[entered].side == p->side &&
        is_free(p, move->from))
        p->cube[left] = p->cube[--p->cubes];
}

void axiom_play(struct axiom *p, const struct axiom_move *move)
{
    if (move->is_cube) {
        struct cube *cube = &p->cube[find_cube(p, move->from)];

        cube->cell = move->to;
        cube->domes = move->domes;
    } else {
        move_sceptre(p, move);
    }
    p->side = p->side == 'b' ? 'w' : 'b';
}

/* A sceptre on its way: where it is, and where it goes; b only on diagonals. */
struct walker {
    int cell, face, a, b;
};

static bool walk_on(const struct axiom *p, struct walker *w)
{
    int ahead = w->cell + step[w->a], wall = ahead + step[w->face];
    int face = w->face;

    if (has_cube(p, wall)) {
        *w = (struct walker){wall, w->a ^ 1, face, -1};
    } else if (has_cube(p, ahead)) {
        w->cell = ahead;
    } else {
        if (w->a == DOWN && w->cell < 2 * LEVEL)
            return false; /* the table */
        w->face = w->a;
        w->a = face ^ 1;
    }
    return true;
}

/* Never leaves its plane, nor squeezes through a closed corner. */
static bool leap_on(const struct axiom *p, struct walker *w)
{
    int end = w->cell + step[w->a] + step[w->b], out = step[w->face];

    if (!has_cube(p, end) || has_cube(p, end + out) ||
        (has_cube(p, w->cell + out + step[w->a]) &&
         has_cube(p, w->cell + out + step[w->b])))
        return false;
    w->cell = end;
    return true;
}

static bool is_blocked(const struct axiom *p, const struct walker *w)
{
    for (int i = 0; i < p->sceptres; i++)
        if (p->sceptre[i].cell == w->cell && p->sceptre[i].face == w->face)
            return true;
    return p->cube[find_cube(p, w->cell)].domes >> w->face & 1;
}

/* Sceptres are long: not everywhere is room to stop. */
static bool can_stop(const struct axiom *p, int self, const struct walker *w)
{
    int out = step[w->face];

    for (int i = 0; i < p->sceptres; i++) {
        const struct sceptre *s = &p->sceptre[i];

        if (i != self &&
            (s->cell + step[s->face] == w->cell + out ||
             (s->cell == w->cell + 3 * out && s->face == (w->face ^ 1))))
            return false;
    }
    return !has_cube(p, w->cell + 2 * out);
}

static void follow(const struct axiom *p, int self, struct walker w,
                   bool seen[RECESSES], struct prospects *sum)
{
    while (w.b < 0 ? walk_on(p, &w) : leap_on(p, &w)) {
        bool *here = &seen[find_cube(p, w.cell) * FACES + w.face];

        if (is_blocked(p, &w))
            return;
        if (*here || !can_stop(p, self, &w))
            continue;
        *here = true;
        sum->room++;
        for (int i = 0; i < p->sceptres; i++)
            if (p->sceptre[i].cell == w.cell &&
                p->sceptre[i].side != p->sceptre[self].side) {
                sum->wins++;
                break;
            }
    }
}

struct prospects axiom_prospects(const struct axiom *p, char side)
{
    struct prospects sum = {0};

    for (int i = 0; i < p->sceptres; i++) {
        const struct sceptre *s = &p->sceptre[i];
        bool seen[RECESSES] = {0};

        if (s->side != side)
            continue;
        for (int a = 0; a < FACES; a++) {
            if (a >> 1 == s->face >> 1)
                continue;
            follow(p, i, (struct walker){s->cell, s->face, a, -1}, seen, &sum);
            for (int b = (a | 1) + 1; b < FACES; b++)
                if (b >> 1 != s->face >> 1)
                    follow(p, i, (struct walker){s->cell, s->face, a, b}, seen,
                           &sum);
        }
    }
    return sum;
}

/* Axio Rota. */

static const char colours[] = "RGBOP";
static const int corner_x[4] = {0, 1, 1, 0}, corner_y[4] = {1, 1, 0, 0};

void rota_read(struct rota *rota, const struct game *game)
{
    const char *at = value(&game->view, "mark");

    *rota = (struct rota){0};
    for (int i = 0; i < game->seats && i < SEATS_MAX; i++)
        for (int k = 0; k < 5; k++)
            rota->mark[i][k] = number(&at, k < 4 ? '/' : ',');
    at = part(value(&game->view, "hand"), ',', game->seat);
    snprintf(rota->hand, sizeof rota->hand, "%.4s", at);
    at = value(&game->view, "tiles");
    for (int n; *at && rota->tiles < 64; at += *at == ';') {
        struct tile *tile = &rota->tile[rota->tiles++];

        tile->x = number(&at, ',');
        tile->y = number(&at, ':');
        n = snprintf(tile->corners, sizeof tile->corners, "%.4s", at);
        at += n < 4 ? n : 4;
    }
}

struct rota_move rota_move(const char *text)
{
    struct rota_move move;

    move.x = number(&text, ',');
    move.y = number(&text, ',');
    move.turn = number(&text, '=');
    move.name = *text;
    return move;
}

/* How many corners at this point show the colour? */
static int count_at(const struct rota *rota, int x, int y, char colour)
{
    int count = 0;

    for (const struct tile *t = rota->tile; t < rota->tile + rota->tiles; t++)
        for (int i = 0; i < 4; i++)
            count += t->x + corner_x[i] == x && t->y + corner_y[i] == y &&
                     t->corners[i] == colour;
    return count;
}

void rota_gains(const struct rota *rota, const struct rota_move *move,
                int gains[5])
{
    memset(gains, 0, 5 * sizeof *gains);
    for (int i = 0; i < 4; i++) {
        char colour = rota->hand[(i - move->turn) & 3];
        const char *which;

        if (colour == '.')
            colour = move->name;
        which = colour ? strchr(colours, colour) : NULL;
        if (which)
            gains[which - colours] += count_at(rota, move->x + corner_x[i],
                                               move->y + corner_y[i], colour);
    }
}

/* Rondo. */

/* The circles a to e, each clockwise from the north; * is grey. */
static const char *const built_in[][2] = {
    {"blue", "R2 P2 B2 Y2 "
             "P1 B4 R3*P1 G3 B1 Y3 P3*B2 G3 Y1 R3 B3*Y1 G4 R1 P2 Y3*R2 G3 "
             "Y1 Y4 R1 R2 P2 P2 B4 B1 "
             "G5 R2 G4 P4 G4 B1 G1 Y2 "
             "B4*Y2 R1 P3 G1 Y5*R1 B3 P3 G2 Y4*R3 P1 B3 G1 R5*P1 Y3 B2 G3 "
             "R4*P3 B2 Y4 G1 P5*B1 R4 Y3 G2 P4*B3 Y2 R4 G2 B5*Y1 P4 R3 G2 "},
    {"red",  "R3 Y3 B3 P3 "
            "B2 P3 Y4*B1 G5 P2 R3 B4*P2 G4 R2 Y2 P4*R2 G4 Y2 B3 R4*Y1 G5 "
            "R4 R2 Y3 Y3 B4 B2 P2 P1 "
            "G3 P3 G4 R1 G3 Y4 G4 B4 "
            "P5*R1 B3 Y4 P1 R5*G2 Y4 B2 G3 R5*Y1 P3 B4 R2 Y5*G2 B3 P4 G2 "
            "Y5*B1 R3 P4 Y2 B5*G2 P4 R3 G1 B5*P2 Y3 R4 B2 P5*G1 R4 Y2 G3 "  },
};
/* Where the circles begin, and where the spokes end in the two rings. */
enum { A = 1, B = 5, C = 25, D = 33, E = 41, END = 81 };
static const int inner[8] = {2, 5, 7, 10, 12, 15, 17, 20};
static const int outer[8] = {3, 9, 13, 19, 23, 29, 33, 39};

static void link_fields(struct board *b, int one, int two)
{
    if (one < 0 || two < 0 || b->nears[one] == NEAR_MAX ||
        b->nears[two] == NEAR_MAX)
        return;
    b->near[one][b->nears[one]++] = two;
    b->near[two][b->nears[two]++] = one;
}

static void name_field(struct board *b, int field, const char *name, size_t n)
{
    snprintf(b->name[field], sizeof b->name[field], "%.*s", n < 3 ? (int)n : 3,
             name);
}

static void build(struct board *b, const char *fields)
{
    static const int begin[] = {A, B, C, D, E, END};

    name_field(b, 0, "m", 1);
    for (b->fields = 1; b->fields < END; b->fields++, fields += 3) {
        int i = b->fields, circle = 0;

        while (i >= begin[circle + 1])
            circle++;
        snprintf(b->name[i], sizeof b->name[i], "%c%d", 'a' + circle,
                 (i - begin[circle] + 1) % 100);
        b->colour[i] = fields[0];
        b->value[i] = fields[1] - '0';
        b->grey[i] = fields[2] == '*';
    }
    for (int i = 0; i < 4; i++) {
        link_fields(b, 0, A + i);
        link_fields(b, A + i, B + 5 * i);
    }
    for (int i = 0; i < 20; i++)
        link_fields(b, B + i, B + (i + 1) % 20);
    for (int i = 0; i < 40; i++)
        link_fields(b, E + i, E + (i + 1) % 40);
    for (int i = 0; i < 8; i++) {
        link_fields(b, B + inner[i] - 1, C + i);
        link_fields(b, C + i, D + i);
        link_fields(b, D + i, E + outer[i] - 1);
    }
}

/* One line of a board file, its blanks turned into commas. */
static void read_board_line(struct board *b, const char *line)
{
    const char *name = part(line, ',', 2), *next = part(line, ',', 3);
    size_t length = strcspn(name, ",;");

    if (strncmp(line, "centre,", 7) == 0) {
        name_field(b, 0, name, length);
    } else if (strncmp(line, "field,", 6) == 0 && b->fields < FIELDS_MAX) {
        name_field(b, b->fields, name, length);
        b->colour[b->fields] = next[0];
        b->value[b->fields] = next[2] - '0';
        b->grey[b->fields++] = next[3] == ',';
    } else if (strncmp(line, "link,", 5) == 0) {
        link_fields(b, board_field(b, name), board_field(b, next));
    }
}

void board_read(struct board *b, const struct game *game)
{
    const char *text = value(&game->options, "board");

    *b = (struct board){.fields = 1};
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (strcmp(*text ? text : "blue", built_in[i][0]) == 0)
            build(b, built_in[i][1]);
    if (b->fields > 1)
        return;
    for (; *text; text = part(text, ';', 2))
        read_board_line(b, text);
}

int board_field(const struct board *b, const char *name)
{
    size_t n = strcspn(name, ":,;");

    for (int i = 0; i < b->fields; i++)
        if (strncmp(b->name[i], name, n) == 0 && !b->name[i][n])
            return i;
    return -1;
}

void rondo_read(struct rondo *rondo, const struct board *board,
                const struct game *game)
{
    const char *at = value(&game->view, "score");

    *rondo = (struct rondo){.bag = atoi(value(&game->view, "bag"))};
    for (int i = 0; i < game->seats && i < SEATS_MAX; i++)
        rondo->score[i] = number(&at, ',');
    at = part(value(&game->view, "rack"), ',', game->seat);
    snprintf(rondo->rack, sizeof rondo->rack, "%.*s",
             *at == '-' ? 0 : (int)strcspn(at, ","), at);
    rondo->last_round = *value(&game->view, "end") != '-';
    at = value(&game->view, "stones");
    for (; *at && *at != '-'; at = part(at, ',', 2)) {
        int field = board_field(board, at);

        if (field >= 0)
            rondo->stones[field] = *part(at, ':', 2);
    }
}

struct rondo_move rondo_move(const struct board *board, const char *text)
{
    struct rondo_move move = {0};

    if (strcmp(text, "pass") == 0)
        return move;
    for (; *text && move.steps < STEPS_MAX; text = part(text, ',', 2)) {
        int i = move.steps++;
        const char *what = part(text, ':', 2);

        move.step[i].field = board_field(board, text);
        if (*what == 'x')
            move.step[i].colour = what[1];
        else
            move.step[i].count = atoi(what);
    }
    return move;
}

/* Second Chance. */

static struct shape quarter_turn(const struct shape *s)
{
    struct shape t = {.height = s->width, .width = s->height};

    for (int r = 0; r < s->height; r++)
        for (int c = 0; c < s->width; c++)
            if (s->row[r] >> c & 1)
                t.row[c] |= 1u << (s->height - 1 - r);
    return t;
}

static struct shape mirrored(const struct shape *s)
{
    struct shape m = {.height = s->height, .width = s->width};

    for (int r = 0; r < s->height; r++)
        for (int c = 0; c < s->width; c++)
            if (s->row[r] >> c & 1)
                m.row[r] |= 1u << (s->width - 1 - c);
    return m;
}

struct shape shape_read(const char *rows, int turn)
{
    struct shape s = {.height = 1};
    int c = 0;

    for (; *rows; rows++) {
        if (*rows == '/') {
            s.height++;
            c = 0;
        } else {
            if (*rows == 'x' && s.height <= 9 && c < 9)
                s.row[s.height - 1] |= 1u << c;
            s.width = ++c;
        }
    }
    if (s.height > 9 || s.width > 9)
        return (struct shape){0};
    if (turn >= 4)
        s = mirrored(&s);
    for (turn %= 4; turn > 0; turn--)
        s = quarter_turn(&s);
    return s;
}

struct grid grid_read(const struct game *game, int seat)
{
    const char *at = part(value(&game->view, "grids"), ',', seat);
    struct grid free = {0};

    for (int r = 0; r < 9; r++, at += *at == '/')
        for (int c = 0; c < 9 && *at; c++)
            if (*at++ == '.')
                free.row[r] |= 1u << c;
    return free;
}

struct placement placement(const struct game *game, const char *text)
{
    const char *corner = part(text, ':', 2), *turn = part(text, ':', 3);
    size_t n = strcspn(text, ":");
    struct placement p = {.row = corner[1] - '1', .column = corner[0] - 'a'};

    for (int i = 0; i < game->piece_count; i++)
        if (strncmp(game->piece[i].card, text, n) == 0)
            p.shape = shape_read(game->piece[i].rows, *turn - '0');
    return p;
}

void grid_fill(struct grid *free, const struct placement *p)
{
    for (int r = 0; r < p->shape.height; r++)
        free->row[p->row + r] &= ~(p->shape.row[r] << p->column);
}

static bool fits_at(const struct grid *free, const struct shape *s, int row,
                    int column)
{
    for (int r = 0; r < s->height; r++)
        if ((free->row[row + r] >> column & s->row[r]) != s->row[r])
            return false;
    return true;
}

bool grid_fits(const struct grid *free, const struct shape *s)
{
    for (int r = 0; r + s->height <= 9; r++)
        for (int c = 0; c + s->width <= 9; c++)
            if (fits_at(free, s, r, c))
                return true;
    return false;
}

int grid_count(const struct grid *squares)
{
    int count = 0;

    for (int r = 0; r < 9; r++)
        for (unsigned row = squares->row[r]; row; row &= row - 1)
            count++;
    return count;
}
