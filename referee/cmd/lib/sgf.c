#include "cmd/lib/sgf.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 16 << 20, COMMENT_MAX = 1 << 20 };

/*
 * Writing.
 */

void sgf_init(struct sgf *sgf)
{
    *sgf = (struct sgf){.handicap = ""};
    buf_init(&sgf->nodes, NODES_MAX);
    buf_init(&sgf->comment, COMMENT_MAX);
    lines_init(&sgf->asides, RECORD_FILE_MAX);
}

void sgf_release(struct sgf *sgf)
{
    buf_release(&sgf->nodes);
    buf_release(&sgf->comment);
    lines_release(&sgf->asides);
}

void sgf_open(struct sgf *sgf, struct replay *replay)
{
    buf_reset(&sgf->nodes);
    buf_reset(&sgf->comment);
    lines_reset(&sgf->asides);
    sgf->handicap[0] = '\0';
    replay_collect(replay, &sgf->asides);
}

static const char *option(const struct replay *r, const char *name)
{
    const struct game_option *o = r->record.game->options;

    for (int i = 0; o && o[i].name; i++)
        if (strcmp(o[i].name, name) == 0)
            return setup_option(r->record.game, &r->record.setup, i);
    return NULL;
}

static int board_size(const struct replay *r)
{
    const char *text = option(r, "size");

    return text ? atoi(text) : 0;
}

/* These characters have a meaning in a value. */
static void write_value(const char *text, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ']' || text[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, text[i]);
    }
}

/* Turn "D4" into "[df]": columns and rows are letters, rows from the top. */
static void write_point(const char *text, int size, struct buf *out)
{
    int column = text[0] - 'A' - (text[0] > 'I');
    int row = size - atoi(text + 1);

    buf_char(out, '[');
    if (is_digit(text[1])) {
        buf_char(out, (char)('a' + column));
        buf_char(out, (char)('a' + row));
    }
    buf_char(out, ']');
}

/*
 * Read "clock 1 59000000,3 used=.." and "note 1 text" of the seat that moves.
 */
static void write_asides(struct sgf *sgf, size_t count, int mover)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = lines_text(&sgf->asides, i);
        int seat;

        if (take_word(&at, "clock") && take_int(&at, 1, 2, &seat) &&
            seat == mover && take_char(&at, ' ') && is_digit(*at))
            buf_add(&sgf->nodes, "%s[%.3f]", seat == 1 ? "BL" : "WL",
                    strtod(at, NULL) / 1e6);
        at = lines_text(&sgf->asides, i);
        if (take_word(&at, "note") && take_int(&at, 1, 2, &seat))
            buf_add(&sgf->comment, "%s%s: %s", sgf->comment.len ? "\n" : "",
                    seat == 1 ? "Black" : "White", at + strspn(at, " "));
    }
    if (sgf->comment.len == 0)
        return;
    buf_str(&sgf->nodes, "C[");
    write_value(sgf->comment.text, sgf->comment.len, &sgf->nodes);
    buf_char(&sgf->nodes, ']');
    buf_reset(&sgf->comment);
}

static void write_move(struct sgf *sgf, const struct replay *r, int seat,
                       const char *move)
{
    buf_str(&sgf->nodes, seat == 1 ? "\n;B" : "\n;W");
    write_point(move, board_size(r), &sgf->nodes);
    write_asides(sgf, replay_asides(r), seat);
    lines_drop(&sgf->asides, replay_asides(r));
}

void sgf_step(struct sgf *sgf, const struct replay *r)
{
    for (size_t i = 0; i < r->events.count; i++) {
        const char *at = lines_text(&r->events, i);
        int seat;

        if (take_word(&at, "handicap"))
            snprintf(sgf->handicap, sizeof sgf->handicap, "%s", at);
        else if (take_word(&at, "play") && take_int(&at, 1, 2, &seat) &&
                 take_char(&at, ' '))
            write_move(sgf, r, seat, at);
    }
}

bool sgf_begin(struct sgf *sgf, const struct replay *r, struct err *err)
{
    if (strcmp(r->record.game->name, "go") != 0)
        return fail(err, "%s: --sgf writes games of go, not of %s",
                    r->record.name, r->record.game->name);
    sgf_step(sgf, r);
    return true;
}

static void write_text(const char *key, const char *pairs, const char *name,
                       struct buf *out)
{
    size_t len;
    const char *text = pairs ? about_find(pairs, name, &len) : NULL;

    if (!text)
        return;
    buf_add(out, "%s[", key);
    write_value(text, len, out);
    buf_char(out, ']');
}

static void write_handicap(const struct sgf *sgf, int size, struct buf *out)
{
    const char *at = sgf->handicap;
    int stones = 0;

    for (const char *c = at; *c; c++)
        stones += *c == ' ';
    if (!*at)
        return;
    buf_add(out, "HA[%d]AB", stones + 1);
    while (*at) {
        write_point(at, size, out);
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
}

/* "B+3.5", "W+R", "0", or nothing if the result is unknown. */
static void write_result(const struct replay *r, struct buf *out)
{
    int margin = r->result.score[0] - r->result.score[1];
    bool black = r->result.rank[0] < r->result.rank[1];
    const char *why = r->why[black ? 1 : 0];

    if (!replay_over(r))
        return;
    if (r->result.rank[0] == r->result.rank[1])
        buf_str(out, "RE[0]");
    else if (why)
        buf_add(out, "RE[%c+%c]", black ? 'B' : 'W',
                strcmp(why, "resign") == 0 ? 'R'
                : strcmp(why, "time") == 0 ? 'T'
                                           : 'F');
    else
        buf_add(out, "RE[%c+%g]", black ? 'B' : 'W', abs(margin) / 2.0);
}

void sgf_end(struct sgf *sgf, const struct replay *r, struct buf *out)
{
    int size = board_size(r);

    buf_add(out, "(;FF[4]GM[1]CA[UTF-8]AP[referee:%s]SZ[%d]KM[%s]",
            PACKAGE_VERSION, size, option(r, "komi"));
    buf_add(out, "RU[Tromp-Taylor, %s superko, %ssuicide]",
            option(r, "superko"),
            strcmp(option(r, "suicide"), "yes") == 0 ? "" : "no ");
    write_text("PB", r->record.seat[0], "name", out);
    write_text("PW", r->record.seat[1], "name", out);
    write_text("EV", r->record.about, "event", out);
    write_text("GN", r->record.about, "id", out);
    write_text("GN", r->record.about, "match", out);
    if (r->record.about) {
        size_t len;
        const char *start = about_find(r->record.about, "start", &len);

        if (start && len >= 10)
            buf_add(out, "DT[%.10s]", start);
    }
    if (r->record.time[0])
        buf_add(out, "OT[%s]", r->record.time[0]);
    write_handicap(sgf, size, out);
    write_result(r, out);
    buf_str(out, sgf->nodes.text ? sgf->nodes.text : "");
    buf_str(out, ")\n");
}

/*
 * Reading. Of a tree, the first branch at each fork is the game.
 */

enum { VALUE_MAX = 256, KEY_MAX = 8, NAME_MAX_BYTES = 32 };

struct reader {
    const char *at;
    int depth; /* depth of open brackets */
    char key[KEY_MAX];
    char value[VALUE_MAX];
    int number, size; /* properties of the game, and of its board */
    struct buf head, moves, stones, end;
    int handicaps, plies;
    char name[2][NAME_MAX_BYTES + 1];
    char last; /* who moved: 'B', 'W', or 0 */
};

static bool wrong(const struct reader *r, struct err *err, const char *what)
{
    return fail(err, "game %d: %s%s%s", r->number, r->key, *r->key ? ": " : "",
                what);
}

/* Read "[...]" as plain text; cut what is too long. */
static bool take_value(struct reader *r)
{
    size_t n = 0;

    r->at += strspn(r->at, " \t\r\n");
    if (*r->at != '[')
        return false;
    for (r->at++; *r->at && *r->at != ']'; r->at++) {
        if (*r->at == '\\' && r->at[1])
            r->at++;
        if (n < VALUE_MAX - 1)
            r->value[n++] = *r->at;
    }
    r->value[n] = '\0';
    if (*r->at == ']')
        r->at++;
    return true;
}

/* Turn "df" into "D4"; "" is a pass, and so is "tt" on boards up to 19. */
static bool write_vertex(const struct reader *r, struct buf *out)
{
    int column = r->value[0] - 'a', row = r->value[1] - 'a';

    if (!r->value[0] || (strcmp(r->value, "tt") == 0 && r->size <= 19)) {
        buf_str(out, "pass");
        return true;
    }
    if (strlen(r->value) != 2 || column < 0 || column >= r->size || row < 0 ||
        row >= r->size)
        return false;
    buf_add(out, "%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column], r -> size - row);
    return true;
}

static bool on_game(struct reader *r, struct err *err)
{
    return strcmp(r->value, "1") == 0 ||
           wrong(r, err, "this is not a game of Go");
}

static bool on_size(struct reader *r, struct err *err)
{
    const char *at = r->value;

    if (r->moves.len || r->stones.len)
        return wrong(r, err, "the size must come before the stones");
    if (!take_int(&at, 2, 25, &r->size) || !at_end(at))
        return wrong(r, err, "the board must be square, of size 2 to 25");
    return true;
}

/* "6.50" is 6.5, and "7.0" is 7. */
static bool on_komi(struct reader *r, struct err *err)
{
    double komi = strtod(r->value, NULL);
    char text[32];
    size_t n;

    snprintf(text, sizeof text, "%.2f", komi);
    n = strlen(text);
    if (strcmp(text + n - 3, ".00") == 0)
        text[n - 3] = '\0';
    else if (text[n - 1] == '0')
        text[n - 1] = '\0';
    buf_add(&r->head, "set komi=%s\n", text[0] == '-' && !komi ? "0" : text);
    return true;
}

/* Setup stones are allowed only for Black and before the first move. */
static bool on_black_stone(struct reader *r, struct err *err)
{
    if (r->moves.len)
        return wrong(r, err, "stones must not be added after the first move");
    if (r->handicaps++)
        buf_char(&r->stones, ',');
    return write_vertex(r, &r->stones) || wrong(r, err, "no such point");
}

static bool on_other_setup(struct reader *r, struct err *err)
{
    return wrong(r, err, "only black stones can be set up, as a handicap");
}

static bool on_move(struct reader *r, struct err *err)
{
    bool black = r->key[0] == 'B';
    char expected = r->last == 0     ? (r->handicaps ? 'W' : 'B')
                    : r->last == 'B' ? 'W'
                                     : 'B';

    /* If somebody moved twice, the other player has passed in between. */
    if (r->key[0] != expected) {
        buf_add(&r->moves, "play %d pass\n", black ? 2 : 1);
        r->plies++;
    }
    buf_add(&r->moves, "play %d ", black ? 1 : 2);
    if (!write_vertex(r, &r->moves))
        return wrong(r, err, "no such point");
    buf_char(&r->moves, '\n');
    r->last = r->key[0];
    r->plies++;
    return true;
}

/* Names of bots contain no blanks. */
static bool on_name(struct reader *r, struct err *err)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq"
                                  "rstuvwxyz0123456789._+-";

    r->value[NAME_MAX_BYTES] = '\0';
    for (char *c = r->value; *c; c++)
        if (!strchr(allowed, *c))
            *c = '-';
    memcpy(r->name[r->key[1] == 'W'], r->value, NAME_MAX_BYTES + 1);
    return true;
}

/*
 * A player who resigned or lost on time left; a score follows from the moves.
 */
static bool on_result(struct reader *r, struct err *err)
{
    const char *value = r->value;

    if ((value[0] == 'B' || value[0] == 'W') && value[1] == '+' &&
        (value[2] == 'R' || value[2] == 'T'))
        buf_add(&r->end, "leave %d %s\n", value[0] == 'B' ? 2 : 1,
                value[2] == 'R' ? "resign" : "time");
    return true;
}

static const struct {
    const char *key;
    bool (*run)(struct reader *r, struct err *err);
} properties[] = {
    {"GM", on_game},        {"SZ", on_size},        {"KM", on_komi},
    {"AB", on_black_stone}, {"AW", on_other_setup}, {"AE", on_other_setup},
    {"PB", on_name},        {"PW", on_name},        {"RE", on_result},
    {"B", on_move},         {"W", on_move},
};

static bool use_value(struct reader *r, struct err *err)
{
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (strcmp(r->key, properties[i].key) == 0)
            return properties[i].run(r, err);
    return true;
}

/* Old files write BLACK in full; read only the capitals. */
static bool take_property(struct reader *r, struct err *err)
{
    size_t n = 0;

    while ((*r->at >= 'A' && *r->at <= 'Z') ||
           (*r->at >= 'a' && *r->at <= 'z')) {
        if (*r->at <= 'Z' && n < KEY_MAX - 1)
            r->key[n++] = *r->at;
        r->at++;
    }
    r->key[n] = '\0';
    if (!take_value(r))
        return wrong(r, err, "a value in [ ] is missing");
    do
        if (!use_value(r, err))
            return false;
    while (take_value(r));
    return true;
}

/* Skip to the end of this tree; brackets inside values mean nothing. */
static void skip_tree(struct reader *r, int depth)
{
    while (*r->at && r->depth > depth) {
        if (*r->at == '[') {
            (void)take_value(r);
            continue;
        }
        r->depth += (*r->at == '(') - (*r->at == ')');
        r->at++;
    }
}

/* Read the first branch, down to where it closes. */
static bool take_branch(struct reader *r, struct err *err)
{
    while (*r->at && *r->at != ')') {
        bool is_letter = (*r->at >= 'A' && *r->at <= 'Z') ||
                         (*r->at >= 'a' && *r->at <= 'z');

        if (is_letter) {
            if (!take_property(r, err))
                return false;
            continue;
        }
        if (*r->at == '(')
            r->depth++;
        else if (!strchr("; \t\r\n", *r->at))
            return fail(err, "game %d: \"%.20s\" is not a property", r->number,
                        r->at);
        r->at++;
    }
    if (!*r->at)
        return fail(err, "game %d: its last ) is missing", r->number);
    skip_tree(r, 0);
    return true;
}

static void write_record(const struct reader *r, struct buf *out)
{
    bool is_long = r->plies > 4 * r->size * r->size && r->plies > 100;

    buf_str(out, "record 1\ngame go\n");
    buf_add(out, "set size=%d\n", r->size);
    buf_str(out, r->head.text ? r->head.text : "");
    if (r->handicaps)
        buf_add(out, "set handicap=%s\n", r->stones.text);
    if (is_long)
        buf_add(out, "set maxmoves=%d\n", r->plies);
    buf_str(out, "seats 2\n");
    for (int i = 0; i < 2; i++)
        if (r->name[i][0])
            buf_add(out, "seat %d name=%s\n", i + 1, r->name[i]);
    buf_str(out, r->moves.text ? r->moves.text : "");
    buf_str(out, r->end.text ? r->end.text : "");
}

static bool read_game(struct reader *r, struct buf *out, struct err *err)
{
    struct buf *parts[] = {&r->head, &r->moves, &r->stones, &r->end};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        buf_reset(parts[i]);
    r->number++;
    r->depth = 1;
    r->size = 19; /* SGF's default */
    r->handicaps = r->plies = 0;
    r->last = 0;
    memset(r->name, 0, sizeof r->name);
    r->key[0] = '\0';
    if (!take_branch(r, err))
        return false;
    write_record(r, out);
    return true;
}

bool sgf_read(const char *text, struct buf *out, struct err *err)
{
    struct reader r = {.at = text};
    struct buf *parts[] = {&r.head, &r.moves, &r.stones, &r.end};
    bool ok = true;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        buf_init(parts[i], NODES_MAX);
    while (ok && (r.at = strchr(r.at, '(')) != NULL) {
        r.at++;
        ok = read_game(&r, out, err);
    }
    if (ok && r.number == 0)
        ok = fail(err, "this is not SGF: it has no (");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        buf_release(parts[i]);
    return ok;
}
