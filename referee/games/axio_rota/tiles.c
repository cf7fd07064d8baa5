#include "games/axio_rota/tiles.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

enum { NAME_MAX_BYTES = 32 };

/*
 * Fifty tiles with four different colours, each four of them ten times, and
 * each three colours once with an empty corner: 46 corners of every colour.
 * Every pair of colours is neighbouring 22 times and opposite 11 times.
 */
static const char built_in[TILES][CORNERS + 1] = {
    "GBOP", "GBOP", "GBPO", "GOBP", "GOBP", "GOPB", "GPBO", "GPBO", "GPOB",
    "GPOB", "RBOP", "RBOP", "RBPO", "RBPO", "ROBP", "ROPB", "ROPB", "RPBO",
    "RPOB", "RPOB", "RGOP", "RGOP", "RGPO", "ROGP", "ROGP", "ROPG", "RPGO",
    "RPGO", "RPOG", "RPOG", "RGBP", "RGBP", "RGPB", "RGPB", "RBGP", "RBPG",
    "RBPG", "RPGB", "RPBG", "RPBG", "RGBO", "RGBO", "RGOB", "RBGO", "RBGO",
    "RBOG", "ROGB", "ROGB", "ROBG", "ROBG", ".PRG", ".RGB", ".GBO", ".BOP",
    ".OPR", ".BRO", ".OGP", ".PBR", ".ROG", ".GPB",
};

/* One piece of the text between semicolons; what is too long is cut. */
struct entry {
    int number;
    char text[64];
};

/* A line end at the end of a file, or an empty line, is no entry. */
static bool next_entry(const char **at, struct entry *entry)
{
    size_t n, kept;

    *at += strspn(*at, ";");
    n = strcspn(*at, ";");
    if (n == 0)
        return false;
    kept = n < sizeof entry->text ? n : sizeof entry->text - 1;
    memcpy(entry->text, *at, kept);
    entry->text[kept] = '\0';
    entry->number++;
    *at += n;
    return true;
}

static bool fail_entry(const struct entry *entry, struct err *err)
{
    return fail_at(err, "entry %d \"%.40s\"", entry->number, entry->text);
}

static bool take_corners(const char **at, struct rota_tile *tile)
{
    const char *end = *at;

    for (int i = 0; i < CORNERS; i++) {
        int corner;

        if (!take_one_of(&end, CORNER_LETTERS, &corner))
            return false;
        tile->corner[i] = (uint8_t)corner;
    }
    *at = end;
    return true;
}

static int count_corners(const struct rota_tile *tile, int corner)
{
    int count = 0;

    for (int i = 0; i < CORNERS; i++)
        count += tile->corner[i] == corner;
    return count;
}

static bool read_tile(const char *at, int number, struct rota_tile *tile,
                      struct err *err)
{
    int found;

    if (!take_text(&at, "tile,"))
        return fail(err, "this must be tile,%d,CORNERS", number);
    if (!take_int(&at, number, number, &found) || !take_char(&at, ','))
        return fail(
            err,
            "this must be tile %d, because the numbers run from 1 to %d "
            "in order",
            number, TILES);
    if (!take_corners(&at, tile) || !at_end(at))
        return fail(err, "the corners must be four letters, each one of R G B "
                         "O P or . for empty");
    if (count_corners(tile, EMPTY) > 1)
        return fail(err, "a tile may have one empty corner, not %d",
                    count_corners(tile, EMPTY));
    return true;
}

static bool read_tiles(struct rota_set *set, const char *at,
                       struct entry *entry, struct err *err)
{
    for (int number = 1; number <= TILES; number++) {
        if (!next_entry(&at, entry))
            return fail(err, "the text ends where tile %d of %d must follow",
                        number, TILES);
        if (!read_tile(entry->text, number, &set->tile[number], err))
            return fail_entry(entry, err);
    }
    if (!next_entry(&at, entry))
        return true;
    fail(err, "nothing may follow tile %d", TILES);
    return fail_entry(entry, err);
}

static bool is_name(const char *text)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");

    return n > 0 && n <= NAME_MAX_BYTES && text[n] == '\0';
}

static bool read_name(const char *at, struct err *err)
{
    if (!take_text(&at, "name,"))
        return fail(err, "this must be name,NAME");
    if (!is_name(at))
        return fail(err, "the name must be 1 to %d letters, digits or . _ + -",
                    NAME_MAX_BYTES);
    return true;
}

static bool read_text(struct rota_set *set, const char *at, struct err *err)
{
    struct entry entry = {0};

    if (!next_entry(&at, &entry) ||
        strcmp(entry.text, "axio-rota-tiles,1") != 0)
        return fail(err,
                    "\"%.40s\" is neither the word default nor a tile set, "
                    "which begins with axio-rota-tiles,1;",
                    entry.text);
    if (!next_entry(&at, &entry))
        return fail(err, "the text ends where name,NAME must follow");
    if (!read_name(entry.text, err))
        return fail_entry(&entry, err);
    return read_tiles(set, at, &entry, err);
}

/* Read once: nearly every game is played with them. */
static const struct rota_set *built_in_set(void)
{
    static struct rota_set set;
    static bool is_read;

    for (int i = 0; !is_read && i < TILES; i++) {
        const char *letters = built_in[i];
        bool right = take_corners(&letters, &set.tile[i + 1]);

        assert(right);
        (void)right;
    }
    is_read = true;
    return &set;
}

bool rota_set_read(struct rota_set *set, const char *text, struct err *err)
{
    if (strcmp(text, "default") != 0)
        return read_text(set, text, err);
    *set = *built_in_set();
    return true;
}

static bool repeats_a_colour(const struct rota_tile *tile)
{
    for (int colour = 0; colour < COLOURS; colour++)
        if (count_corners(tile, colour) > 1)
            return true;
    return false;
}

static void warn_of_repeats(const struct rota_set *set, struct buf *out)
{
    int count = 0, first = 0;

    for (int number = TILES; number > 0; number--)
        if (repeats_a_colour(&set->tile[number])) {
            count++;
            first = number;
        }
    if (count == 0)
        return;
    buf_add(out, "%d of %d tiles show a colour twice, the first is tile %d, ",
            count, TILES, first);
    rota_tile_write(&set->tile[first], out);
    buf_char(out, '\n');
}

static void warn_of_totals(const struct rota_set *set, struct buf *out)
{
    int total[COLOURS] = {0};
    bool equal = true;

    for (int colour = 0; colour < COLOURS; colour++) {
        for (int number = 1; number <= TILES; number++)
            total[colour] += count_corners(&set->tile[number], colour);
        equal = equal && total[colour] == total[0];
    }
    if (equal)
        return;
    buf_str(out, "the colours are not equally frequent:");
    for (int colour = 0; colour < COLOURS; colour++)
        buf_add(out, " %c %d", CORNER_LETTERS[colour], total[colour]);
    buf_char(out, '\n');
}

void rota_set_warn(const struct rota_set *set, struct buf *out)
{
    warn_of_repeats(set, out);
    warn_of_totals(set, out);
}

void rota_tile_write(const struct rota_tile *tile, struct buf *out)
{
    char letters[CORNERS];

    for (int i = 0; i < CORNERS; i++)
        letters[i] = CORNER_LETTERS[tile->corner[i]];
    buf_put(out, letters, CORNERS);
}

int rota_tile_empty(const struct rota_tile *tile)
{
    for (int i = 0; i < CORNERS; i++)
        if (tile->corner[i] == EMPTY)
            return i;
    return -1;
}

struct rota_tile rota_tile_turn(const struct rota_tile *tile, int quarters)
{
    struct rota_tile turned;

    for (int i = 0; i < CORNERS; i++)
        turned.corner[i] = tile->corner[(i - quarters) & 3];
    return turned;
}

/* A rotation is drawn for every tile of the square, needed or not. */
void rota_deal_shuffle(struct rota_deal *deal, struct rng *rng)
{
    for (int i = 0; i < TILES; i++)
        deal->order[i] = (uint8_t)(i + 1);
    rng_shuffle(rng, deal->order, TILES, sizeof *deal->order);
    for (int i = 0; i < SQUARE; i++)
        deal->turned[i] = (uint8_t)rng_uniform(rng, TURNS);
}

void rota_numbers_write(const uint8_t *number, int n, char between,
                        struct buf *out)
{
    char *at = n > 0 ? buf_room(out, (size_t)n * sizeof "60") : NULL;

    if (!at)
        return;
    for (int i = 0; i < n; i++) {
        at = jot_int(at, number[i]);
        *at++ = between;
    }
    buf_upto(out, at - 1);
}

void rota_deal_write(const struct rota_deal *deal, char gap, struct buf *out)
{
    rota_numbers_write(deal->order, TILES, ',', out);
    buf_char(out, gap);
    for (int i = 0; i < SQUARE; i++)
        buf_int(out, deal->turned[i]);
}

static bool read_order(const char **at, uint8_t order[TILES], struct err *err)
{
    int place[TILES + 1] = {0};

    for (int i = 0; i < TILES; i++) {
        int number;

        if ((i > 0 && !take_char(at, ',')) || !take_int(at, 1, TILES, &number))
            return fail(err,
                        "place %d of the deal reads \"%.20s\": it must name "
                        "%d tiles by number, 1 to %d, joined by commas",
                        i + 1, *at, TILES, TILES);
        if (place[number])
            return fail(err,
                        "the deal has tile %d at places %d and %d: each "
                        "tile must occur once",
                        number, place[number], i + 1);
        place[number] = i + 1;
        order[i] = (uint8_t)number;
    }
    return true;
}

bool rota_deal_read(struct rota_deal *deal, const char *at, struct err *err)
{
    if (!read_order(&at, deal->order, err))
        return false;
    if (!take_char(&at, ' '))
        return fail(err,
                    "after %d tiles the deal reads \"%.20s\": a blank and "
                    "four rotations must follow, such as 0003",
                    TILES, at);
    for (int i = 0; i < SQUARE; i++) {
        int turned;

        if (!take_one_of(&at, "0123", &turned))
            return fail(err,
                        "rotation %d of the deal reads \"%.20s\": it must "
                        "end with four digits 0 to 3, such as 0003",
                        i + 1, at);
        deal->turned[i] = (uint8_t)turned;
    }
    if (!at_end(at))
        return fail(err,
                    "the deal continues with \"%.20s\": it must end after "
                    "four rotations",
                    at);
    return true;
}
