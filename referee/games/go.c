/*
 * Go, for two, by the rules of Tromp and Taylor.
 *
 * The board has `size` times `size` points, 2 to 25 each way. Seat 1 is Black,
 * seat 2 is White. Black moves first; with handicap stones, which are Black's
 * and lie on the board at the start, White does.
 *
 * A turn is a pass or a stone of one's own on an empty point. Stones of one
 * colour that are joined along lines are a chain; the empty points next to a
 * chain are its liberties. After a stone is played:
 *   1. every enemy chain without a liberty is removed;
 *   2. then, if the own chain has no liberty, the move is suicide. It is not
 *      allowed, or with suicide=yes that chain is removed.
 *
 * A move must not repeat the board as it was at any time before, the start
 * included (superko=positional); or not with the same side to move next
 * (superko=situational). A pass is always allowed.
 *
 * The game ends after a move, by the first of these that is true: passes both
 * have passed, one right after the other maxmoves as many moves as were agreed
 * on The board is then counted as it lies: a side has a point for each of its
 * stones, and for each empty point from which a path over empty points leads to
 * its stones and not to the other's. No stone counts as dead, so capture dead
 * stones before the end. White also gets komi. More points win; equal points
 * are a draw.
 *
 * Komi may be half a point, so scores are given in half points: 45 points are
 * 90. Handicap stones earn White nothing; put that into komi.
 */

#include "games/game.h"

#include "base/paint.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/*
 * A seat number is also the colour of its stones; the other values are no
 * stones.
 */
enum { BLACK, WHITE, EMPTY, EDGE, SIDES = 2 };

enum {
    SIZE_LEAST = 2,
    SIZE_MOST = 25,
    /* One column and two rows of edge are enough: a row ends where the next
     * begins. */
    POINTS_MAX = (SIZE_MOST + 1) * (SIZE_MOST + 2),
    KOMI_MOST = 999,
    MOVES_MOST = 9999,
    MOVES_LEAST_AUTO = 100,
    BUCKETS = 1024,
    PASS = 0, /* as a point: it is on the edge */
    NEIGHBOURS = 4,
};

/*
 * A chain is a ring of stones; one of them, its head, names it. A liberty that
 * touches k of its stones is in the sums k times: then they are added to and
 * taken from without looking round, and all are one and the same point exactly
 * if `touches` times `squares` is `sum` squared.
 */
struct chain {
    uint64_t print;
    uint32_t sum, squares;
    uint16_t touches, stones;
};

struct point {
    uint16_t head, next;
    uint8_t stone;
};

/*
 * A previous board, by its print, and the move that left it. Prints have 64
 * bits: by chance, two boards of one game share one print once in 10^13 games.
 */
struct ply {
    uint64_t print;
    uint16_t move;
    uint16_t older; /* with its print in the same bucket: its number + 1 */
};

enum end { END_NOT, END_PASSES, END_MAXMOVES, END_FORFEIT };

static const char *const reasons[] = {
    [END_PASSES] = "passes",
    [END_MAXMOVES] = "maxmoves",
    [END_FORFEIT] = "forfeit",
};

struct rules {
    int size;
    int komi; /* in half points */
    int max_moves;
    bool situational, suicide;
};

struct state {
    struct rules rules;
    struct point at[POINTS_MAX];
    struct chain chain[POINTS_MAX]; /* by head */
    uint64_t print;
    int turn, passes;
    int taken[SIDES]; /* stones that this side has captured */
    int plies;
    enum end end;
    struct leavers leavers;
    uint16_t handicap[POINTS_MAX];
    int handicaps;
    uint16_t bucket[BUCKETS]; /* the latest ply with such a print, + 1 */
    struct ply ply[];         /* max_moves and one for the last board */
};

/*
 * Points. A1 is at the bottom left; there is no column I.
 */

static const char columns[] = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

static int stride(const struct rules *rules)
{
    return rules->size + 1;
}

static int point_at(const struct rules *rules, int column, int row)
{
    return (row + 1) * stride(rules) + column;
}

static int column_of(const struct rules *rules, int p)
{
    return p % stride(rules);
}

static int row_of(const struct rules *rules, int p)
{
    return p / stride(rules) - 1;
}

static int first_point(const struct rules *rules)
{
    return point_at(rules, 0, 0);
}

static int end_point(const struct rules *rules)
{
    return point_at(rules, 0, rules->size);
}

/* Points, edges between them included, from A1 up row by row. */
static int neighbour(const struct rules *rules, int p, int i)
{
    const int step[NEIGHBOURS] = {1, -1, stride(rules), -stride(rules)};

    return p + step[i];
}

static bool take_point(const char **at, const struct rules *rules, int *p)
{
    const char *from = *at;
    int column, row;
    char letter[2] = {(char)toupper((unsigned char)**at), '\0'};
    const char *here = letter;

    if (!take_one_of(&here, columns, &column) || column >= rules->size)
        return false;
    (*at)++;
    if (!take_int(at, 1, rules->size, &row)) {
        *at = from;
        return false;
    }
    *p = point_at(rules, column, row - 1);
    return true;
}

static void write_point(const struct rules *rules, int p, struct buf *out)
{
    buf_char(out, columns[column_of(rules, p)]);
    buf_int(out, row_of(rules, p) + 1);
}

/* A point for a sentence. */
struct name {
    char text[8];
};

static struct name name_of(const struct rules *rules, int p)
{
    struct name name;
    char *end = name.text;

    *end++ = columns[column_of(rules, p)];
    *jot_int(end, row_of(rules, p) + 1) = '\0';
    return name;
}

/*
 * Options.
 */

enum option { SIZE, KOMI, HANDICAP, SUPERKO, SUICIDE, MAXMOVES };

static bool read_number(const char *text, int min, int max, int *n)
{
    return take_int(&text, min, max, n) && at_end(text);
}

static bool check_size(const char *text, struct err *err)
{
    int n;

    if (read_number(text, SIZE_LEAST, SIZE_MOST, &n))
        return true;
    return fail(err, "must be a number from %d to %d, not \"%.40s\"",
                SIZE_LEAST, SIZE_MOST, text);
}

/* "7", "7.5", "-0.5": whole or half points. */
static bool read_komi(const char *text, int *half_points)
{
    bool below = take_char(&text, '-');
    int whole;

    if (!take_int(&text, 0, KOMI_MOST, &whole))
        return false;
    *half_points = 2 * whole + take_text(&text, ".5");
    if (below && *half_points == 0)
        return false;
    if (below)
        *half_points = -*half_points;
    return at_end(text);
}

static void write_komi(int half_points, struct buf *out)
{
    if (half_points < 0)
        buf_char(out, '-');
    half_points = half_points < 0 ? -half_points : half_points;
    buf_int(out, half_points / 2);
    if (half_points % 2)
        buf_str(out, ".5");
}

static bool check_komi(const char *text, struct err *err)
{
    int n;

    if (read_komi(text, &n))
        return true;
    return fail(err,
                "must be whole or half points from -%d.5 to %d.5, as in 7 or "
                "7.5, not \"%.40s\"",
                KOMI_MOST, KOMI_MOST, text);
}

/* The points depend on the size, so accepts() looks at them. */
static bool check_handicap(const char *text, struct err *err)
{
    int n;

    if (!is_digit(*text))
        return true;
    if (read_number(text, 0, 9, &n) && n != 1)
        return true;
    return fail(err,
                "must be 0, a number from 2 to 9, or points joined by commas, "
                "as in C3,G7, not \"%.40s\"",
                text);
}

static bool check_maxmoves(const char *text, struct err *err)
{
    int n;

    if (read_number(text, 1, MOVES_MOST, &n))
        return true;
    return fail(err, "must be auto or a number from 1 to %d, not \"%.40s\"",
                MOVES_MOST, text);
}

static const char size_help[] = "Points along a side of the board.";
static const char komi_help[] = "Points that White gets for moving second.";
static const char handicap_help[] =
    "Black stones at the start: how many on the usual points, or the points "
    "themselves. White then moves first.";
static const char superko_help[] =
    "Which positions must not recur: the same board, or the same board with "
    "the same side to move.";
static const char suicide_help[] =
    "May a move take the last liberty of its own chain?";
static const char maxmoves_help[] =
    "After this many moves, passes included, the board is scored; auto is "
    "four per point, at least 100.";

/* clang-format off */
static const struct game_option options[] = {
    [SIZE] = {"size", "9", NULL, "2 to 25", size_help, check_size, NULL},
    [KOMI] = {"komi", "7.5", NULL, "points or half points", komi_help,
              check_komi, NULL},
    [HANDICAP] = {"handicap", "0", NULL, "0, 2 to 9, or POINT,POINT,...",
                  handicap_help, check_handicap, NULL},
    [SUPERKO] = {"superko", "positional", "positional|situational", NULL,
                 superko_help, NULL, NULL},
    [SUICIDE] = {"suicide", "no", "no|yes", NULL, suicide_help, NULL, NULL},
    [MAXMOVES] = {"maxmoves", "auto", "auto", "1 to 9999", maxmoves_help,
                  check_maxmoves, NULL},
    {0},
};
/* clang-format on */

static const char *option(const struct setup *setup, enum option o)
{
    return setup->option[o] ? setup->option[o] : options[o].preset;
}

static int choice(const struct setup *setup, enum option o)
{
    return words_find(options[o].values, option(setup, o));
}

static int auto_moves(int size)
{
    int n = 4 * size * size;

    return n < MOVES_LEAST_AUTO ? MOVES_LEAST_AUTO : n;
}

/* Of options that were checked one by one. */
static struct rules rules_of(const struct setup *setup)
{
    struct rules rules = {
        .situational = choice(setup, SUPERKO) == 1,
        .suicide = choice(setup, SUICIDE) == 1,
    };

    (void)read_number(option(setup, SIZE), SIZE_LEAST, SIZE_MOST, &rules.size);
    (void)read_komi(option(setup, KOMI), &rules.komi);
    if (!read_number(option(setup, MAXMOVES), 1, MOVES_MOST, &rules.max_moves))
        rules.max_moves = auto_moves(rules.size);
    return rules;
}

static int max_moves(const struct setup *setup)
{
    return rules_of(setup).max_moves;
}

static size_t size(const struct setup *setup)
{
    size_t plies = (size_t)max_moves(setup) + 1;

    return sizeof(struct state) + plies * sizeof(struct ply);
}

/* How many stones have usual points on this board. */
static int handicap_most(int size)
{
    if (size < 7)
        return 0;
    return size % 2 == 0 || size == 7 ? 4 : 9;
}

/*
 * The usual points, as GTP lays them: l is the third or fourth line from the
 * near edge, m the middle, h as far from the far edge. The last of five or
 * seven stones lies in the middle.
 */
static int usual_handicap(const struct rules *rules, int n, uint16_t *out)
{
    static const char places[] = "ll hh lh hl lm hm ml mh mm";
    int low = rules->size < 13 ? 2 : 3, high = rules->size - 1 - low;

    for (int i = 0; i < n; i++) {
        bool is_middle = i == n - 1 && n % 2 && n > 4;
        const char *place = places + 3 * (is_middle ? 8 : i);
        int line[2];

        for (int k = 0; k < 2; k++)
            line[k] = place[k] == 'l'   ? low
                      : place[k] == 'h' ? high
                                        : rules->size / 2;
        out[i] = (uint16_t)point_at(rules, line[0], line[1]);
    }
    return n;
}

/* Points joined by commas; their number, or -1. */
static int read_points(const struct rules *rules, const char *text,
                       uint16_t *out, struct err *err)
{
    int n = 0, p;

    do {
        if (!take_point(&text, rules, &p)) {
            fail(
                err,
                "handicap: on a board of size %d, \"%.24s\" does not begin with a point such as C3",
                rules->size, text);
            return -1;
        }
        for (int i = 0; i < n; i++)
            if (out[i] == p) {
                fail(err, "handicap: %s appears twice", name_of(rules, p).text);
                return -1;
            }
        out[n++] = (uint16_t)p;
    } while (take_char(&text, ','));
    if (!at_end(text))
        fail(err,
             "handicap: join points by commas; this one continues with "
             "\"%.24s\"",
             text);
    else if (n == rules->size * rules->size)
        fail(err, "handicap: leave a point of the board empty");
    else
        return n;
    return -1;
}

static int read_handicap(const struct setup *setup, const struct rules *rules,
                         uint16_t *out, struct err *err)
{
    const char *text = option(setup, HANDICAP);
    int n;

    if (!read_number(text, 0, 9, &n))
        return read_points(rules, text, out, err);
    if (n <= handicap_most(rules->size))
        return usual_handicap(rules, n, out);
    fail(err,
         "handicap: a board of size %d has usual points for %d stones, not "
         "%d; name the points",
         rules->size, handicap_most(rules->size), n);
    return -1;
}

static bool accepts(const struct setup *setup, struct err *err)
{
    struct rules rules = rules_of(setup);
    uint16_t points[POINTS_MAX];

    return read_handicap(setup, &rules, points, err) >= 0;
}

/*
 * Stones and chains.
 */

/*
 * The finaliser of splitmix64: every bit of x affects every bit of the result.
 */
static uint64_t stir(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t stone_print(int p, int side)
{
    return stir(((uint64_t)p * SIDES + (uint64_t)side + 1) *
                UINT64_C(0x9e3779b97f4a7c15));
}

/* The same board with another side to move is another situation. */
static uint64_t situation(const struct state *s, uint64_t print, int turn)
{
    return s->rules.situational && turn == WHITE ? ~print : print;
}

static bool is_stone(const struct state *s, int p)
{
    return s->at[p].stone < EMPTY;
}

static struct chain *chain_of(struct state *s, int p)
{
    return &s->chain[s->at[p].head];
}

static void add_touch(struct chain *chain, int p)
{
    chain->touches++;
    chain->sum += (uint32_t)p;
    chain->squares += (uint32_t)(p * p);
}

static void drop_touch(struct chain *chain, int p)
{
    chain->touches--;
    chain->sum -= (uint32_t)p;
    chain->squares -= (uint32_t)(p * p);
}

/* Is there only one liberty? A stone there would take it. */
static bool in_atari(const struct chain *chain)
{
    return (uint64_t)chain->touches * chain->squares ==
           (uint64_t)chain->sum * chain->sum;
}

/* Two chains become one, under the head of the larger one. */
static void join(struct state *s, int a, int b)
{
    int large = s->chain[a].stones < s->chain[b].stones ? b : a;
    int small = large == a ? b : a, p = small;
    struct chain *to = &s->chain[large], *from = &s->chain[small];
    uint16_t next;

    to->print ^= from->print;
    to->sum += from->sum;
    to->squares += from->squares;
    to->touches = (uint16_t)(to->touches + from->touches);
    to->stones = (uint16_t)(to->stones + from->stones);
    do {
        s->at[p].head = (uint16_t)large;
        p = s->at[p].next;
    } while (p != small);
    next = s->at[large].next;
    s->at[large].next = s->at[small].next;
    s->at[small].next = next;
}

static void put_stone(struct state *s, int p, int side)
{
    struct chain *chain = &s->chain[p];

    s->at[p] = (struct point){(uint16_t)p, (uint16_t)p, (uint8_t)side};
    *chain = (struct chain){.print = stone_print(p, side), .stones = 1};
    s->print ^= chain->print;
    for (int i = 0; i < NEIGHBOURS; i++) {
        int q = neighbour(&s->rules, p, i);

        if (s->at[q].stone == EMPTY)
            add_touch(chain, q);
        else if (is_stone(s, q))
            drop_touch(chain_of(s, q), p);
    }
    for (int i = 0; i < NEIGHBOURS; i++) {
        int q = neighbour(&s->rules, p, i);

        if (s->at[q].stone == side && s->at[q].head != s->at[p].head)
            join(s, s->at[p].head, s->at[q].head);
    }
}

/*
 * When a chain is removed, its stones that are still there get liberties for a
 * moment. Nobody sees these.
 */
static void remove_chain(struct state *s, int head)
{
    int p = head;

    s->print ^= s->chain[head].print;
    do {
        s->at[p].stone = EMPTY;
        for (int i = 0; i < NEIGHBOURS; i++) {
            int q = neighbour(&s->rules, p, i);

            if (is_stone(s, q))
                add_touch(chain_of(s, q), p);
        }
        p = s->at[p].next;
    } while (p != head);
}

/* Some heads, each once. */
struct heads {
    int head[NEIGHBOURS];
    int count;
};

static bool heads_add(struct heads *heads, int head)
{
    for (int i = 0; i < heads->count; i++)
        if (heads->head[i] == head)
            return false;
    heads->head[heads->count++] = head;
    return true;
}

/* The chains of one colour next to a point that have no liberty. */
static void find_dead(const struct state *s, int p, int side,
                      struct heads *dead)
{
    for (int i = 0; i < NEIGHBOURS; i++) {
        int q = neighbour(&s->rules, p, i);

        if (s->at[q].stone == side && s->chain[s->at[q].head].touches == 0)
            heads_add(dead, s->at[q].head);
    }
}

static bool is_among(const struct state *s, int p, const struct heads *heads)
{
    for (int i = 0; is_stone(s, p) && i < heads->count; i++)
        if (s->at[p].head == heads->head[i])
            return true;
    return false;
}

static void tell_capture(const struct state *s, const struct heads *dead,
                         struct lines *events)
{
    struct buf *out = tell_begin(events, EVERYONE);

    buf_str(out, "capture");
    for (int p = first_point(&s->rules); p < end_point(&s->rules); p++)
        if (is_among(s, p, dead)) {
            buf_char(out, ' ');
            write_point(&s->rules, p, out);
        }
    tell_end(events);
}

static void play_stone(struct state *s, int p, int side, struct lines *events)
{
    struct heads dead = {.count = 0};

    put_stone(s, p, side);
    find_dead(s, p, !side, &dead);
    /* Suicide: the liberties are gone, and no capture brings one. */
    if (dead.count == 0 && chain_of(s, p)->touches == 0)
        heads_add(&dead, s->at[p].head);
    if (dead.count == 0)
        return;
    if (events)
        tell_capture(s, &dead, events);
    for (int i = 0; i < dead.count; i++) {
        int loser = s->at[dead.head[i]].stone;

        s->taken[!loser] += s->chain[dead.head[i]].stones;
        remove_chain(s, dead.head[i]);
    }
}

/*
 * Which moves are allowed.
 */

static void keep_board(struct state *s)
{
    struct ply *ply = &s->ply[s->plies];
    uint16_t *bucket;

    ply->print = situation(s, s->print, s->turn);
    bucket = &s->bucket[ply->print % BUCKETS];
    ply->older = *bucket;
    *bucket = (uint16_t)(s->plies + 1);
}

/* The move after which the board was like this; -1 if never. */
static int seen_before(const struct state *s, uint64_t print)
{
    int i = s->bucket[print % BUCKETS];

    while (i && s->ply[i - 1].print != print)
        i = s->ply[i - 1].older;
    return i - 1;
}

enum verdict { ALLOWED, OCCUPIED, SUICIDAL, REPEATED };

/*
 * The effect of a stone: the print of the board after it, and whether the stone
 * stays.
 */
static uint64_t print_after(const struct state *s, int p, int side,
                            bool *stands)
{
    uint64_t captured = 0, own = 0;
    struct heads met = {.count = 0};

    *stands = false;
    for (int i = 0; i < NEIGHBOURS; i++) {
        int q = neighbour(&s->rules, p, i);
        const struct chain *chain = &s->chain[s->at[q].head];

        if (s->at[q].stone == EMPTY)
            *stands = true;
        if (!is_stone(s, q) || !heads_add(&met, s->at[q].head))
            continue;
        if (s->at[q].stone == side) {
            *stands |= !in_atari(chain);
            own ^= chain->print;
        } else if (in_atari(chain)) {
            *stands = true;
            captured ^= chain->print;
        }
    }
    return *stands ? s->print ^ stone_print(p, side) ^ captured
                   : s->print ^ own;
}

static enum verdict judge(const struct state *s, int p, int side, int *when)
{
    bool stands;
    uint64_t after;

    if (s->at[p].stone != EMPTY)
        return OCCUPIED;
    after = print_after(s, p, side, &stands);
    if (!stands && !s->rules.suicide)
        return SUICIDAL;
    *when = seen_before(s, situation(s, after, !side));
    return *when < 0 ? ALLOWED : REPEATED;
}

static bool may_play(const struct state *s, int p, int side)
{
    int when;

    return judge(s, p, side, &when) == ALLOWED;
}

static bool is_pass(const char *text)
{
    const char *pass = "pass";

    while (*pass && tolower((unsigned char)*text) == *pass) {
        text++;
        pass++;
    }
    return *pass == '\0' && *text == '\0';
}

static bool parse(const struct state *s, int seat, const char *text,
                  struct move *move, struct err *err)
{
    const char *at = text;
    int p, when;

    if (is_pass(text)) {
        move->part[0] = PASS;
        return true;
    }
    if (!take_point(&at, &s->rules, &p) || !at_end(at))
        return fail(err,
                    "a move is pass or a point from A1 to %c%d without column "
                    "I, not \"%.24s\"",
                    columns[s->rules.size - 1], s->rules.size, text);
    move->part[0] = p;
    switch (judge(s, p, seat, &when)) {
    case ALLOWED:
        return true;
    case OCCUPIED:
        return fail(err,
                    "there is already a stone on %s: play on an empty "
                    "point, or pass",
                    name_of(&s->rules, p).text);
    case SUICIDAL:
        return fail(err,
                    "%s is suicide: the stone and its chain would have no "
                    "liberty, and it captures nothing",
                    name_of(&s->rules, p).text);
    case REPEATED:
        break;
    }
    return fail(err,
                "%s is ko: the board would be as it was after move %d; play "
                "elsewhere, or pass",
                name_of(&s->rules, p).text, when);
}

static void format_move(const struct rules *rules, int p, struct buf *out)
{
    if (p == PASS)
        buf_str(out, "pass");
    else
        write_point(rules, p, out);
}

static void format(const struct state *s, int seat, const struct move *move,
                   struct buf *out)
{
    format_move(&s->rules, move->part[0], out);
}

static void list(const struct state *s, int seat, struct moves *out)
{
    struct move move = {{0}};

    for (int p = first_point(&s->rules); p < end_point(&s->rules); p++)
        if (s->at[p].stone == EMPTY && may_play(s, p, seat)) {
            move.part[0] = p;
            moves_add(out, &move);
        }
    move.part[0] = PASS;
    moves_add(out, &move);
}

/*
 * The course of a game.
 */

static void lay_handicap(struct state *s, struct lines *events)
{
    struct buf *out;

    if (s->handicaps == 0)
        return;
    out = tell_begin(events, EVERYONE);
    buf_str(out, "handicap");
    for (int i = 0; i < s->handicaps; i++) {
        put_stone(s, s->handicap[i], BLACK);
        buf_char(out, ' ');
        write_point(&s->rules, s->handicap[i], out);
    }
    tell_end(events);
    s->turn = WHITE;
}

static void clear_board(struct state *s)
{
    memset(s->at, 0, sizeof s->at);
    s->print = 0;
    for (int p = 0; p < POINTS_MAX; p++)
        s->at[p].stone = EDGE;
    for (int row = 0; row < s->rules.size; row++)
        for (int column = 0; column < s->rules.size; column++)
            s->at[point_at(&s->rules, column, row)].stone = EMPTY;
}

static bool start(struct state *s, const struct setup *setup, const char *deal,
                  struct lines *events, struct err *err)
{
    s->rules = rules_of(setup);
    s->handicaps = read_handicap(setup, &s->rules, s->handicap, err);
    if (s->handicaps < 0)
        return false;
    clear_board(s);
    lay_handicap(s, events);
    keep_board(s);
    return true;
}

static seat_set to_move(const struct state *s)
{
    return s->end == END_NOT ? SEAT(s->turn) : 0;
}

static void apply(struct state *s, int seat, const struct move *move,
                  struct lines *events)
{
    int p = move->part[0];

    if (events) {
        format(s, seat, move, tell_of(events, EVERYONE, "play", seat));
        tell_end(events);
    }
    s->passes = p == PASS ? s->passes + 1 : 0;
    if (p != PASS)
        play_stone(s, p, seat, events);
    s->ply[s->plies++].move = (uint16_t)p;
    s->turn = !seat;
    keep_board(s);
    if (s->passes == SIDES)
        s->end = END_PASSES;
    else if (s->plies == s->rules.max_moves)
        s->end = END_MAXMOVES;
}

/* The stones at the corners of a point, EDGE beyond the board. */
static int corner(const struct state *s, int p, int i)
{
    int q =
        p + (i & 1 ? stride(&s->rules) : -stride(&s->rules)) + (i & 2 ? 1 : -1);

    return q < 0 ? EDGE : s->at[q].stone;
}

/* An eye of this side: own stones around it, and not too many others at its
 * corners to be a real one. */
static bool is_eye(const struct state *s, int p, int side)
{
    int hostile = 0;
    bool edge = false;

    for (int i = 0; i < NEIGHBOURS; i++) {
        int stone = s->at[neighbour(&s->rules, p, i)].stone;

        if (stone != side && stone != EDGE)
            return false;
        edge |= stone == EDGE;
    }
    for (int i = 0; i < NEIGHBOURS; i++)
        hostile += corner(s, p, i) == !side;
    return hostile + edge < 2;
}

/* Any move that does not fill an own eye; pass if there is none. */
static void hint(const struct state *s, int seat, struct rng *rng,
                 struct move *move)
{
    int first = first_point(&s->rules), points = end_point(&s->rules) - first;
    int from = (int)rng_uniform(rng, (uint32_t)points);

    *move = (struct move){{PASS}};
    for (int i = 0; i < points; i++) {
        int p = first + (from + i) % points;

        if (s->at[p].stone == EMPTY && !is_eye(s, p, seat) &&
            may_play(s, p, seat)) {
            move->part[0] = p;
            return;
        }
    }
}

static void leave(struct state *s, seat_set seats, struct lines *events)
{
    leavers_add(&s->leavers, seats);
    s->end = END_FORFEIT;
}

/* An empty region: how large, and which sides border on it. */
struct region {
    int points;
    bool meets[SIDES];
};

static struct region flood(const struct state *s, int from, bool *seen)
{
    uint16_t todo[POINTS_MAX];
    struct region region = {.points = 0};
    int n = 0;

    todo[n++] = (uint16_t)from;
    seen[from] = true;
    while (n > 0) {
        int p = todo[--n];

        region.points++;
        for (int i = 0; i < NEIGHBOURS; i++) {
            int q = neighbour(&s->rules, p, i);

            if (is_stone(s, q))
                region.meets[s->at[q].stone] = true;
            if (s->at[q].stone != EMPTY || seen[q])
                continue;
            seen[q] = true;
            todo[n++] = (uint16_t)q;
        }
    }
    return region;
}

/* Points on the board of each side. */
static void count_area(const struct state *s, int area[SIDES])
{
    bool seen[POINTS_MAX] = {false};

    area[BLACK] = area[WHITE] = 0;
    for (int p = first_point(&s->rules); p < end_point(&s->rules); p++) {
        struct region region;

        if (is_stone(s, p))
            area[s->at[p].stone]++;
        if (s->at[p].stone != EMPTY || seen[p])
            continue;
        region = flood(s, p, seen);
        if (region.meets[BLACK] != region.meets[WHITE])
            area[region.meets[BLACK] ? BLACK : WHITE] += region.points;
    }
}

static void count_score(const struct state *s, int score[SIDES])
{
    int area[SIDES];

    count_area(s, area);
    score[BLACK] = 2 * area[BLACK];
    score[WHITE] = 2 * area[WHITE] + s->rules.komi;
}

static void result(const struct state *s, struct result *r)
{
    int64_t key[SIDES];

    count_score(s, r->score);
    key[BLACK] = r->score[BLACK];
    key[WHITE] = r->score[WHITE];
    result_rank(r, SIDES, key, &s->leavers);
    r->reason = reasons[s->end];
}

/*
 * Views and drawings.
 */

static void write_board(const struct state *s, struct buf *out)
{
    for (int row = s->rules.size - 1; row >= 0; row--) {
        for (int column = 0; column < s->rules.size; column++)
            buf_char(out, "xo."[s->at[point_at(&s->rules, column, row)].stone]);
        if (row > 0)
            buf_char(out, '/');
    }
}

/* Empty points where the side to move may not play. */
static void write_banned(const struct state *s, struct buf *out)
{
    const char *comma = "";

    for (int p = first_point(&s->rules); p < end_point(&s->rules); p++)
        if (s->at[p].stone == EMPTY && !may_play(s, p, s->turn)) {
            buf_str(out, comma);
            write_point(&s->rules, p, out);
            comma = ",";
        }
    if (!*comma)
        buf_char(out, '-');
}

static void write_handicap(const struct state *s, struct buf *out)
{
    if (s->handicaps == 0)
        buf_char(out, '-');
    for (int i = 0; i < s->handicaps; i++) {
        if (i > 0)
            buf_char(out, ',');
        write_point(&s->rules, s->handicap[i], out);
    }
}

static void write_moves(const struct state *s, struct buf *out)
{
    if (s->plies == 0)
        buf_char(out, '-');
    for (int i = 0; i < s->plies; i++) {
        if (i > 0)
            buf_char(out, ',');
        format_move(&s->rules, s->ply[i].move, out);
    }
}

/* Parts of the state that no bot needs. */
static void write_rest(const struct state *s, struct buf *out)
{
    buf_add(out, " superko=%s suicide=%s maxmoves=%d handicap=",
            s->rules.situational ? "situational" : "positional",
            s->rules.suicide ? "yes" : "no", s->rules.max_moves);
    write_handicap(s, out);
    buf_str(out, " moves=");
    write_moves(s, out);
    buf_str(out, " left=");
    leavers_write(&s->leavers, out);
}

static void view(const struct state *s, int viewer, struct buf *out)
{
    buf_add(out, "size=%d komi=", s->rules.size);
    write_komi(s->rules.komi, out);
    buf_add(out, " turn=%d move=%d passes=%d captured=%d,%d board=",
            s->end == END_NOT ? s->turn + 1 : 0, s->plies, s->passes,
            s->taken[BLACK], s->taken[WHITE]);
    write_board(s, out);
    buf_str(out, " banned=");
    write_banned(s, out);
    if (viewer == AUDIENCE_REFEREE)
        write_rest(s, out);
}

static bool take_board(struct state *s, const char *at)
{
    for (int row = s->rules.size - 1; row >= 0; row--) {
        for (int column = 0; column < s->rules.size; column++) {
            int stone;

            if (!take_one_of(&at, "xo.", &stone))
                return false;
            if (stone != EMPTY)
                put_stone(s, point_at(&s->rules, column, row), stone);
        }
        if (row > 0 && !take_char(&at, '/'))
            return false;
    }
    return true;
}

/* Add a board to the previous ones. */
static void keep_print(struct state *s, int ply, uint64_t print)
{
    uint16_t *bucket = &s->bucket[print % BUCKETS];

    s->ply[ply] = (struct ply){.print = print, .move = PASS, .older = *bucket};
    *bucket = (uint16_t)(ply + 1);
}

/*
 * The moves before are not known, but the boards that may not come again are.
 * They are added to the previous boards; the other places get prints that no
 * board has.
 */
static bool invent_history(struct state *s, const char *banned)
{
    int n = 0, p;
    bool stands;

    if (!take_char(&banned, '-'))
        do {
            if (!take_point(&banned, &s->rules, &p) || p == PASS)
                return false;
            if (!may_play(s, p, s->turn))
                continue;
            if (n == s->plies)
                return false;
            keep_print(
                s, n++,
                situation(s, print_after(s, p, s->turn, &stands), !s->turn));
        } while (take_char(&banned, ','));
    while (n < s->plies) {
        keep_print(s, n, stir((uint64_t)n + 1));
        n++;
    }
    keep_board(s);
    return true;
}

static bool from_view(struct state *s, int viewer, const char *view)
{
    const char *turn, *move, *passes, *taken, *board, *banned;

    if (!value_of_key(view, "turn", &turn) ||
        !take_int(&turn, 1, SIDES, &s->turn) ||
        !value_of_key(view, "move", &move) ||
        !take_int(&move, 0, s->rules.max_moves - 1, &s->plies) ||
        !value_of_key(view, "passes", &passes) ||
        !take_int(&passes, 0, SIDES - 1, &s->passes) ||
        !value_of_key(view, "captured", &taken) ||
        !take_int(&taken, 0, INT32_MAX, &s->taken[BLACK]) ||
        !take_char(&taken, ',') ||
        !take_int(&taken, 0, INT32_MAX, &s->taken[WHITE]) ||
        !value_of_key(view, "board", &board) ||
        !value_of_key(view, "banned", &banned))
        return false;
    s->turn--;
    memset(s->bucket, 0, sizeof s->bucket);
    clear_board(s);
    return take_board(s, board) && invent_history(s, banned);
}

static void draw_columns(const struct state *s, struct buf *out)
{
    buf_str(out, "  ");
    for (int column = 0; column < s->rules.size; column++)
        buf_add(out, " %c", columns[column]);
    buf_char(out, '\n');
}

/* Brackets mark the last stone. */
static void draw_row(const struct state *s, int row, bool colour,
                     struct buf *out)
{
    int last = s->plies ? s->ply[s->plies - 1].move : PASS;
    bool closes = false;

    buf_add(out, "%2d", row + 1);
    for (int column = 0; column < s->rules.size; column++) {
        int p = point_at(&s->rules, column, row);
        int stone = s->at[p].stone;

        buf_char(out, p == last ? '(' : closes ? ')' : ' ');
        closes = p == last;
        if (stone == EMPTY)
            painted(out, colour, PAINT_DIM, ".");
        else
            painted(out, colour,
                    stone == BLACK ? PAINT_ON_BLACK : PAINT_ON_WHITE,
                    stone == BLACK ? "X" : "O");
    }
    buf_add(out, "%c%d\n", closes ? ')' : ' ', row + 1);
}

static void show_head(const struct state *s, bool colour, struct buf *out)
{
    int score[SIDES], area[SIDES];

    paint(out, colour, PAINT_BOLD);
    count_score(s, score);
    if (s->end == END_NOT)
        buf_add(out, "%s to move",
                s->turn == BLACK ? "Black (X)" : "White (O)");
    else if (s->end == END_FORFEIT)
        buf_str(out, "The game is over (forfeit)");
    else if (score[BLACK] == score[WHITE])
        buf_add(out, "A draw (%s)", reasons[s->end]);
    else
        buf_add(out, "%s has won (%s)",
                score[BLACK] > score[WHITE] ? "Black (X)" : "White (O)",
                reasons[s->end]);
    paint(out, colour, PAINT_PLAIN);
    count_area(s, area);
    buf_add(out, ", %d moves played\narea %d to %d, komi ", s->plies,
            area[BLACK], area[WHITE]);
    write_komi(s->rules.komi, out);
    buf_add(out, ", stones captured by Black %d, by White %d\n\n",
            s->taken[BLACK], s->taken[WHITE]);
}

static void show(const struct state *s, int viewer, bool colour,
                 struct buf *out)
{
    show_head(s, colour, out);
    draw_columns(s, out);
    for (int row = s->rules.size - 1; row >= 0; row--)
        draw_row(s, row, colour, out);
    draw_columns(s, out);
}

static const char notation[] =
    "pass, or a point: its column A to Z without I, then its row from the\n"
    "bottom, as in D4. Letters may be in lower case.\n";

const struct game go_game = {
    .name = "go",
    .title = "Go",
    .about = "Surround more of the board than the other side.",
    .version = 1,
    .min_seats = SIDES,
    .max_seats = SIDES,
    .size = size,
    .options = options,
    .notation = notation,
    .events = "handicap|play|capture",
    .reasons = "passes|maxmoves|forfeit",
    .max_moves = max_moves,
    .accepts = accepts,
    .start = start,
    .to_move = to_move,
    .parse = parse,
    .format = format,
    .list = list,
    .apply = apply,
    .view = view,
    .result = result,
    .leave = leave,
    .show = show,
    .from_view = from_view,
    .hint = hint,
};
