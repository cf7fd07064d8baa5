#include "games/rondo/board.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* By table: 120 letters in a deal, and which comes next cannot be foreseen. */
bool rondo_take_colour(const char **at, int *colour)
{
    static const uint8_t known[256] = {
        ['R'] = 1, ['P'] = 2, ['G'] = 3, ['B'] = 4, ['Y'] = 5,
    };
    int found = known[(unsigned char)**at];

    if (!found)
        return false;
    *colour = found - 1;
    ++*at;
    return true;
}

/* The number of digits, or 0 if that is no number 0 to 99. */
static int digits(const char *c)
{
    if (!is_digit(c[0]))
        return 0;
    if (!is_digit(c[1]))
        return 1;
    return c[0] != '0' && !is_digit(c[2]) ? 2 : 0;
}

bool rondo_take_name(const char **at, struct rondo_name *name)
{
    const char *c = *at;
    int n;

    if (*c < 'a' || *c > 'z')
        return false;
    n = digits(c + 1);
    *name =
        (struct rondo_name){{c[0], n > 0 ? c[1] : '\0', n > 1 ? c[2] : '\0'}};
    *at = c + 1 + n;
    return true;
}

static bool is_named(const struct rondo_board *b, int place, const char *name)
{
    return memcmp(place == RONDO_CENTRE ? b->centre : b->field[place].name,
                  name, 4) == 0;
}

/* Where a name stands in `by_name`, or should. */
static unsigned slot_of(const struct rondo_board *b, struct rondo_name name)
{
    uint32_t hash;
    unsigned slot;

    memcpy(&hash, name.text, sizeof hash);
    slot = hash * 2654435761u >> 24;
    while (b->by_name[slot] && !is_named(b, b->by_name[slot] - 1, name.text))
        slot = (slot + 1) % RONDO_NAMES;
    return slot;
}

int rondo_find(const struct rondo_board *b, struct rondo_name name)
{
    return b->by_name[slot_of(b, name)] - 1;
}

static void add_field(struct rondo_board *b, struct rondo_name name, int colour,
                      int value, bool grey)
{
    struct rondo_field *f = &b->field[b->fields];

    memcpy(f->name, name.text, sizeof f->name);
    f->colour = (uint8_t)colour;
    f->value = (uint8_t)value;
    b->all |= bit(b->fields);
    if (grey)
        b->grey |= bit(b->fields);
    b->by_name[slot_of(b, name)] = (uint8_t)(b->fields + 1);
    b->fields++;
}

static void set_centre(struct rondo_board *b, struct rondo_name name)
{
    b->by_name[slot_of(b, name)] = RONDO_CENTRE + 1;
    memcpy(b->centre, name.text, sizeof b->centre);
}

/* The neighbours of a field do not hold the centre: it takes no stones. */
static void add_link(struct rondo_board *b, int from, int to)
{
    if (to != RONDO_CENTRE)
        b->near[from] |= bit(to);
    if (from != RONDO_CENTRE)
        b->near[to] |= bit(from);
}

static bool is_linked(const struct rondo_board *b, int from, int to)
{
    return to != RONDO_CENTRE ? bits_has(b->near[from], to)
                              : bits_has(b->near[RONDO_CENTRE], from);
}

static int neighbours(const struct rondo_board *b, int place)
{
    return bits_count(b->near[place]) +
           (place != RONDO_CENTRE && bits_has(b->near[RONDO_CENTRE], place));
}

/*
 * The built-in boards: a cross of four fields around the centre, a ring of
 * twenty, eight spokes of two fields, a ring of forty. All count clockwise
 * from the north, and a letter is a circle, counted from the middle.
 */

struct circle {
    char letter;
    int fields;
};

static const struct circle circles[] = {
    {'a', 4}, {'b', 20}, {'c', 8}, {'d', 8}, {'e', 40},
};

enum { CIRCLES = sizeof circles / sizeof *circles };

struct built_in {
    const char *name;
    const char *circle[CIRCLES]; /* three letters a field, '*' is grey */
};

static const struct built_in built_ins[] = {
    {"blue",
     {"R2 P2 B2 Y2 ",
      "P1 B4 R3*P1 G3 B1 Y3 P3*B2 G3 Y1 R3 B3*Y1 G4 R1 P2 Y3*R2 G3 ",
      "Y1 Y4 R1 R2 P2 P2 B4 B1 ", "G5 R2 G4 P4 G4 B1 G1 Y2 ",
      "B4*Y2 R1 P3 G1 Y5*R1 B3 P3 G2 Y4*R3 P1 B3 G1 R5*P1 Y3 B2 G3 "
      "R4*P3 B2 Y4 G1 P5*B1 R4 Y3 G2 P4*B3 Y2 R4 G2 B5*Y1 P4 R3 G2 "}},
    {"red",
     {"R3 Y3 B3 P3 ",
      "B2 P3 Y4*B1 G5 P2 R3 B4*P2 G4 R2 Y2 P4*R2 G4 Y2 B3 R4*Y1 G5 ",
      "R4 R2 Y3 Y3 B4 B2 P2 P1 ", "G3 P3 G4 R1 G3 Y4 G4 B4 ",
      "P5*R1 B3 Y4 P1 R5*G2 Y4 B2 G3 R5*Y1 P3 B4 R2 Y5*G2 B3 P4 G2 "
      "Y5*B1 R3 P4 Y2 B5*G2 P4 R3 G1 B5*P2 Y3 R4 B2 P5*G1 R4 Y2 G3 "}},
};

/* Where spoke 1..8 leaves the inner and meets the outer ring. */
static const int spoke_from[] = {2, 5, 7, 10, 12, 15, 17, 20};
static const int spoke_to[] = {3, 9, 13, 19, 23, 29, 33, 39};

static struct rondo_name name_of(char letter, int number)
{
    struct rondo_name name = {{letter}};

    assert(number >= 0 && number <= 99);
    *jot_int(name.text + 1, number) = '\0';
    return name;
}

/* The first field of a circle; the others follow it. */
static int first_of(const struct rondo_board *b, char letter)
{
    return rondo_find(b, name_of(letter, 1));
}

static void link_ring(struct rondo_board *b, int first, int fields)
{
    for (int i = 0; i < fields; i++)
        add_link(b, first + i, first + (i + 1) % fields);
}

static void link_circles(struct rondo_board *b)
{
    int cross = first_of(b, 'a'), inner = first_of(b, 'b');
    int near = first_of(b, 'c'), far = first_of(b, 'd');
    int outer = first_of(b, 'e');

    for (int i = 0; i < 4; i++) {
        add_link(b, RONDO_CENTRE, cross + i);
        add_link(b, cross + i, inner + 5 * i);
    }
    link_ring(b, inner, 20);
    for (int k = 0; k < 8; k++) {
        add_link(b, inner + spoke_from[k] - 1, near + k);
        add_link(b, near + k, far + k);
        add_link(b, far + k, outer + spoke_to[k] - 1);
    }
    link_ring(b, outer, 40);
}

static void build(struct rondo_board *b, const struct built_in *plan)
{
    snprintf(b->name, sizeof b->name, "%s", plan->name);
    set_centre(b, (struct rondo_name){"m"});
    for (int c = 0; c < CIRCLES; c++)
        for (int i = 0; i < circles[c].fields; i++) {
            const char *f = plan->circle[c] + (ptrdiff_t)3 * i;
            int colour = (int)(strchr(RONDO_LETTERS, f[0]) - RONDO_LETTERS);

            add_field(b, name_of(circles[c].letter, i + 1), colour, f[1] - '0',
                      f[2] == '*');
        }
    link_circles(b);
}

/*
 * The loader. It reads the text twice, because a link may stand before the
 * fields that it joins.
 */

enum { WORDS_MAX = 5 };

struct word {
    const char *text;
    int len;
};

struct entry {
    const char *text;
    int len;
    int words; /* may be more than WORDS_MAX: the rest is not kept */
    struct word word[WORDS_MAX];
};

struct loader {
    struct rondo_board *board;
    int links;
};

/* Commas may stand double, as the blanks of a file may. */
static bool take_entry(const char **text, struct entry *e)
{
    const char *c = *text + strspn(*text, ",;");

    *e = (struct entry){.text = c, .len = (int)strcspn(c, ";")};
    *text = c + e->len;
    while (c < *text) {
        int n = (int)strcspn(c, ",;");

        if (e->words < WORDS_MAX)
            e->word[e->words] = (struct word){c, n};
        e->words++;
        c += n;
        c += strspn(c, ",");
    }
    return e->words > 0;
}

/* For "%.*s" in a sentence, which must not fill up with a stranger's text. */
#define QUOTE(span) (span).len < 40 ? (span).len : 40, (span).text

static bool word_is(struct word w, const char *text)
{
    return (size_t)w.len == strlen(text) &&
           memcmp(w.text, text, strlen(text)) == 0;
}

static bool word_name(struct word w, struct rondo_name *name)
{
    const char *c = w.text;

    return rondo_take_name(&c, name) && c == w.text + w.len;
}

static bool on_name(struct loader *l, const struct entry *e, struct err *err)
{
    struct word w = e->word[1];
    char *name = l->board->name;

    if (*name)
        return fail(err, "the board already has a name, %s", name);
    if (w.len > RONDO_BOARD_NAME_MAX ||
        (int)strspn(w.text, "abcdefghijklmnopqrstuvwxyz0123456789-") < w.len)
        return fail(err, "a name is 1 to %d of a-z, 0-9 and -, not %.*s",
                    RONDO_BOARD_NAME_MAX, QUOTE(w));
    memcpy(name, w.text, (size_t)w.len);
    if (words_find(RONDO_BOARDS, name) >= 0)
        return fail(err, "%s is a built-in board: choose another name", name);
    return true;
}

static bool on_centre(struct loader *l, const struct entry *e, struct err *err)
{
    struct word w = e->word[1];
    struct rondo_name name;

    if (*l->board->centre)
        return fail(err, "there is already a centre, %s; a board has one",
                    l->board->centre);
    if (!word_name(w, &name))
        return fail(err,
                    "the centre's name is a letter a-z, or one and a "
                    "number 0 to 99, not %.*s",
                    QUOTE(w));
    if (rondo_find(l->board, name) >= 0)
        return fail(err,
                    "%.*s is already a field; the centre needs a name of "
                    "its own",
                    QUOTE(w));
    set_centre(l->board, name);
    return true;
}

static bool new_field(const struct loader *l, struct word w,
                      struct rondo_name *name, struct err *err)
{
    int there;

    if (!word_name(w, name) || name->text[1] == '\0')
        return fail(err,
                    "a field's name is a letter a-z and a number 0 to 99 "
                    "without a leading zero, not %.*s",
                    QUOTE(w));
    there = rondo_find(l->board, *name);
    if (there == RONDO_CENTRE)
        return fail(err, "%.*s is the centre; a field needs a name of its own",
                    QUOTE(w));
    if (there >= 0)
        return fail(err, "there is already a field %.*s; names must differ",
                    QUOTE(w));
    if (l->board->fields == RONDO_FIELDS_MAX)
        return fail(err, "this is one field too many; a board has at most %d",
                    RONDO_FIELDS_MAX);
    return true;
}

static bool on_field(struct loader *l, const struct entry *e, struct err *err)
{
    const struct word *w = e->word;
    const char *colour = w[2].text, *value = w[3].text;
    struct rondo_name name;
    int c, v;

    if (!new_field(l, w[1], &name, err))
        return false;
    if (w[2].len != 1 || !rondo_take_colour(&colour, &c))
        return fail(err, "%.*s is not a colour; use one of R P G B Y",
                    QUOTE(w[2]));
    if (w[3].len != 1 || !take_int(&value, 1, 5, &v))
        return fail(err, "%.*s is not a value; use 1 to 5", QUOTE(w[3]));
    if (e->words > 4 && !word_is(w[4], "grey"))
        return fail(err, "%.*s is unknown here; only grey may follow the value",
                    QUOTE(w[4]));
    add_field(l->board, name, c, v, e->words > 4);
    return true;
}

static bool linked_place(const struct loader *l, struct word w, int *place,
                         struct err *err)
{
    struct rondo_name name;

    *place = word_name(w, &name) ? rondo_find(l->board, name) : -1;
    if (*place < 0)
        return fail(err, "%.*s is neither a field nor the centre", QUOTE(w));
    return true;
}

static bool has_room(const struct loader *l, struct word w, int place,
                     struct err *err)
{
    if (neighbours(l->board, place) < RONDO_NEIGHBOURS_MAX)
        return true;
    return fail(err,
                "%.*s already has %d neighbours, and no more are "
                "allowed",
                QUOTE(w), RONDO_NEIGHBOURS_MAX);
}

static bool on_link(struct loader *l, const struct entry *e, struct err *err)
{
    const struct word *w = e->word;
    int from, to;

    if (!linked_place(l, w[1], &from, err) || !linked_place(l, w[2], &to, err))
        return false;
    if (from == to)
        return fail(err, "a link joins two different places");
    if (is_linked(l->board, from, to))
        return fail(err,
                    "%.*s and %.*s are already linked; give the link "
                    "once",
                    QUOTE(w[1]), QUOTE(w[2]));
    if (l->links == RONDO_LINKS_MAX)
        return fail(err, "this is one link too many; a board has at most %d",
                    RONDO_LINKS_MAX);
    if (!has_room(l, w[1], from, err) || !has_room(l, w[2], to, err))
        return false;
    add_link(l->board, from, to);
    l->links++;
    return true;
}

enum reading { PLACES, LINKS };

static const struct rule {
    const char *word;
    int min_words, max_words;
    enum reading reading;
    bool (*on)(struct loader *, const struct entry *, struct err *);
    const char *form;
} rules[] = {
    {"name", 2, 2, PLACES, on_name, "name,NAME"},
    {"centre", 2, 2, PLACES, on_centre, "centre,NAME"},
    {"field", 4, 5, PLACES, on_field, "field,NAME,COLOUR,VALUE[,grey]"},
    {"link", 3, 3, LINKS, on_link, "link,A,B"},
};

static bool read_one(struct loader *l, const struct entry *e,
                     enum reading reading, struct err *err)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *r = &rules[i];

        if (!word_is(e->word[0], r->word))
            continue;
        if (e->words < r->min_words || e->words > r->max_words)
            return fail(err, "found %d word%s; write %s", e->words,
                        e->words == 1 ? "" : "s", r->form);
        return r->reading != reading || r->on(l, e, err);
    }
    return fail(err,
                "an entry begins with name, centre, field or link, not "
                "%.*s",
                QUOTE(e->word[0]));
}

static bool read_all(struct loader *l, const char *text, enum reading reading,
                     struct err *err)
{
    struct entry e;

    for (int i = 2; take_entry(&text, &e); i++)
        if (!read_one(l, &e, reading, err))
            return fail_at(err, "entry %d, \"%.*s\"", i, QUOTE(e));
    return true;
}

static bool is_connected(const struct rondo_board *b, struct err *err)
{
    bits reached = b->near[RONDO_CENTRE], rest = reached;

    while (rest) {
        bits more = b->near[bits_first(rest)] & ~reached;

        reached |= more;
        rest = (rest & (rest - 1)) | more;
    }
    if (reached == b->all)
        return true;
    return fail(
        err,
        "%s cannot be reached from the centre; links must join every field to it",
        b->field[bits_first(b->all & ~reached)].name);
}

static bool is_complete(const struct rondo_board *b, struct err *err)
{
    if (!*b->name)
        return fail(err, "the board has no name; add an entry such as "
                         "name,mine");
    if (!*b->centre)
        return fail(err, "the board has no centre; add an entry such as "
                         "centre,m");
    if (!b->grey)
        return fail(err, "the board has no grey field, but the last round "
                         "begins when grey fields are covered; add grey to "
                         "at least one");
    return is_connected(b, err);
}

/* "rondo-board,1" stands first, so that nothing else passes for a board. */
static bool take_header(const char **text, struct err *err)
{
    struct entry e;

    if (take_entry(text, &e) && e.words == 2 &&
        word_is(e.word[0], "rondo-board") && word_is(e.word[1], "1"))
        return true;
    return fail(err,
                "\"%.*s\" is neither blue, red nor the text of a board, "
                "which begins with rondo-board,1;",
                QUOTE(e));
}

bool rondo_board_load(struct rondo_board *b, const char *text, struct err *err)
{
    struct loader l = {.board = b};
    int i = words_find(RONDO_BOARDS, text);

    if (i >= 0) {
        build(b, &built_ins[i]);
        return true;
    }
    return take_header(&text, err) && read_all(&l, text, PLACES, err) &&
           read_all(&l, text, LINKS, err) && is_complete(b, err);
}

const struct rondo_board *rondo_board_printed(const char *name)
{
    static struct rondo_board board[sizeof built_ins / sizeof *built_ins];
    int i = words_find(RONDO_BOARDS, name);

    if (i < 0)
        return NULL;
    if (board[i].fields == 0)
        build(&board[i], &built_ins[i]);
    return &board[i];
}
