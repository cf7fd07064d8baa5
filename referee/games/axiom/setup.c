/* The options of Axiom and what an organiser may set. */

#include "games/axiom/setup.h"

#include "base/text.h"

enum option {
    START,
    SETUP,
    CONTACT,
    OWNPAIR,
    REPETITION,
    MAXPLIES,
    RULES,
    TABLE,
    NOMOVE
};

enum { TABLE_MIN = 2, TABLE_MAX = 99 };

static const char starts[] = "standard|tower|wall|steps|square";

static const char *const start_text[] = {
    "b-1,0,1WU;b0,0,1WS;b1,0,1WU;w-1,1,1EU;w0,1,1EN;w1,1,1EU;"
    "b-1,0,2E;b0,0,2D;b1,0,2E;w-1,1,2W;w0,1,2D;w1,1,2W|"
    "b-1,0,2U;b1,0,2U;w-1,1,2U;w1,1,2U|b",

    "b0,0,1EU;b1,0,1NU;w0,1,1SU;w1,1,1WU;b0,0,2EN;b1,0,2U;w0,1,2U;w1,1,2WS;"
    "b0,0,3D;b1,0,3N;w0,1,3S;w1,1,3D|"
    "b0,0,3U;b1,0,3U;w0,1,3U;w1,1,3U|b",

    "b-2,0,1EN;b-1,0,1EU;b0,0,1NU;w1,0,1SU;w2,0,1WU;w3,0,1WS;"
    "b-2,0,2D;b-1,0,2W;b0,0,2W;w1,0,2E;w2,0,2E;w3,0,2D|"
    "b-2,0,2U;b0,0,2U;w1,0,2U;w3,0,2U|b",

    "b-1,0,1EN;b0,0,1EU;b1,0,1ES;w-1,1,1WN;w0,1,1WU;w1,1,1WS;"
    "b-1,0,2D;b0,0,2W;w0,1,2E;w1,1,2D;b-1,0,3D;w1,1,3D|"
    "b0,0,2U;b-1,0,3U;w0,1,2U;w1,1,3U|b",

    "b0,0,1EN;b1,0,1E;b2,0,1EN;b3,0,1E;b0,1,1N;b3,1,1ES;"
    "w0,2,1WN;w3,2,1S;w0,3,1W;w1,3,1WS;w2,3,1W;w3,3,1WS|"
    "b0,0,1U;b3,0,1U;w0,3,1U;w3,3,1U|b",
};

static const char contacts[] = "edge|face|interlock";
static const char pairs[] = "legal|loss";
static const char editions[] = "1988|2008";
static const char no_moves[] = "loss|draw";

static bool is_number(const char *text, int min, int max, int *n)
{
    return take_int(&text, min, max, n) && at_end(text);
}

static bool check_setup(const char *text, struct err *err)
{
    struct position position;

    return axiom_read(text, &position, err);
}

static bool check_repetition(const char *text, struct err *err)
{
    int n;

    if (is_number(text, 0, 9, &n) && n != 1)
        return true;
    return fail(err, "must be 0 (off) or a number from 2 to 9, not \"%.40s\"",
                text);
}

static bool check_maxplies(const char *text, struct err *err)
{
    int n;

    if (is_number(text, 1, AXIOM_PLIES_MAX, &n))
        return true;
    return fail(err, "must be a number from 1 to %d, not \"%.40s\"",
                AXIOM_PLIES_MAX, text);
}

static bool check_table(const char *text, struct err *err)
{
    int n;

    if (is_number(text, TABLE_MIN, TABLE_MAX, &n))
        return true;
    return fail(err, "must be a number from %d to %d, not \"%.40s\"", TABLE_MIN,
                TABLE_MAX, text);
}

static const char start_help[] =
    "The first position. standard is from the play-by-email sheet of 2002; "
    "tower, wall, steps and square are published only by name, their "
    "layouts are ours.";
static const char setup_help[] =
    "Any first position, written as in the view; instead of start.";
static const char contact_help[] =
    "How a cube on the table must touch another; interlock is from 2008.";
static const char ownpair_help[] =
    "Moving both of your sceptres onto one cube; loss is from 2008.";
static const char repetition_help[] =
    "A position that occurs this often is a draw; 0 is never.";
static const char maxplies_help[] = "After this many moves the game is a draw.";

static const char rules_help[] =
    "1988 is the sheet of 1988 and 1993, the default; 2008 stands for "
    "contact=interlock ownpair=loss.";
static const char table_help[] =
    "The table has an edge: x and y of a cube are from -N to N. Without this "
    "option it has none.";
static const char nomove_help[] =
    "What happens to a player with no legal move; the default is loss.";

/* What was added later has no default: so the first words to a bot, and old
 * records, stay as they are. */
/* clang-format off */
const struct game_option axiom_options[] = {
    [START] = {"start", "standard", starts, NULL, start_help, NULL, "setup"},
    [SETUP] = {"setup", NULL, NULL, "CUBES|SCEPTRES|SIDE", setup_help,
               check_setup, NULL},
    [CONTACT] = {"contact", "edge", contacts, NULL, contact_help, NULL, "rules"},
    [OWNPAIR] = {"ownpair", "legal", pairs, NULL, ownpair_help, NULL, "rules"},
    [REPETITION] = {"repetition", "3", NULL, "0 or 2 to 9", repetition_help,
                    check_repetition, NULL},
    [MAXPLIES] = {"maxplies", "400", NULL, "1 to 2000", maxplies_help,
                  check_maxplies, NULL},
    [RULES] = {"rules", NULL, editions, NULL, rules_help, NULL, NULL},
    [TABLE] = {"table", NULL, NULL, "N", table_help, check_table, NULL},
    [NOMOVE] = {"nomove", NULL, no_moves, NULL, nomove_help, NULL, NULL},
    {0},
};
/* clang-format on */

static const char *option(const struct setup *setup, enum option o)
{
    return setup->option[o] ? setup->option[o] : axiom_options[o].preset;
}

/* The first, where nothing is said. */
static int choice(const struct setup *setup, enum option o)
{
    const char *text = option(setup, o);

    return text ? words_find(axiom_options[o].values, text) : 0;
}

static int number(const struct setup *setup, enum option o)
{
    const char *at = option(setup, o);
    int n = 0;

    if (at)
        (void)take_int(&at, 0, AXIOM_PLIES_MAX, &n);
    return n;
}

int axiom_max_plies(const struct setup *setup)
{
    return number(setup, MAXPLIES);
}

/* The built-in ones are read once. */
static bool built_in(int start, struct position *first, struct err *err)
{
    static struct position known[sizeof start_text / sizeof *start_text];
    struct position *p = &known[start];

    if (p->cube[0] == NOWHERE && !axiom_read(start_text[start], p, err))
        return false;
    *first = *p;
    return true;
}

static bool first_position(const struct setup *setup, struct position *first,
                           struct err *err)
{
    const char *text = setup->option[SETUP];

    return text ? axiom_read(text, first, err)
                : built_in(choice(setup, START), first, err);
}

static bool has_pair(const struct position *p, int side)
{
    return axiom_shares_cube(p, side * SCEPTRES_EACH, side);
}

bool axiom_rules(const struct setup *setup, struct axiom_rules *rules,
                 struct err *err)
{
    if (!first_position(setup, &rules->first, err))
        return false;
    rules->first.table = number(setup, TABLE);
    rules->contact = choice(setup, RULES) == 1
                         ? CONTACT_INTERLOCK
                         : (enum contact)choice(setup, CONTACT);
    rules->pair_loses =
        choice(setup, RULES) == 1 || choice(setup, OWNPAIR) == 1;
    rules->nomove_draws = choice(setup, NOMOVE) == 1;
    rules->repetition = number(setup, REPETITION);
    rules->max_plies = number(setup, MAXPLIES);
    return true;
}

static void write_word(const char *key, const char *words, int i,
                       struct buf *out)
{
    const char *word;
    size_t n = words_at(words, i, &word);

    buf_str(out, key);
    buf_put(out, word, n);
}

void axiom_write_rules(const struct axiom_rules *rules, struct buf *out)
{
    write_word(" contact=", contacts, (int)rules->contact, out);
    write_word(" ownpair=", pairs, rules->pair_loses, out);
    buf_str(out, " repetition=");
    buf_int(out, rules->repetition);
    buf_str(out, " maxplies=");
    buf_int(out, rules->max_plies);
    if (rules->first.table)
        buf_add(out, " table=%d", rules->first.table);
    if (rules->nomove_draws)
        buf_str(out, " nomove=draw");
}

/* Does it lie on the table? */
static bool fits_table(const struct axiom_rules *rules, struct err *err)
{
    const struct position *p = &rules->first;

    for (int i = 0; i < CUBES && p->table; i++)
        if (p->cube[i] != NOWHERE && is_beyond_edge(p->cube[i], p->table))
            return fail(err,
                        "table=%d is too small: the first position has a cube "
                        "in %s",
                        p->table, axiom_spell_cell(p->cube[i]).text);
    return true;
}

static bool names_rules_twice(const struct setup *setup)
{
    return setup->option[RULES] &&
           (setup->option[CONTACT] || setup->option[OWNPAIR]);
}

bool axiom_accepts(const struct setup *setup, struct err *err)
{
    struct axiom_rules rules;

    if (names_rules_twice(setup))
        return fail(err, "rules determines contact and ownpair; give rules "
                         "or these");
    if (setup->option[START] && setup->option[SETUP])
        return fail(err, "start and setup cannot be combined; give one");
    if (!setup->option[SETUP] && !setup->option[TABLE])
        return true;
    if (!axiom_rules(setup, &rules, err))
        return fail_at(err, "setup");
    if (!fits_table(&rules, err))
        return false;
    if (!setup->option[SETUP])
        return true;
    if (!axiom_stands(&rules.first, err))
        return fail_at(err, "setup");
    for (int side = 0; side < AXIOM_SEATS; side++)
        if (rules.pair_loses && has_pair(&rules.first, side))
            return fail(err,
                        "setup: both sceptres of %s are on one cube, which "
                        "ownpair=loss forbids",
                        colour_name(side));
    if (!axiom_can_move(&rules.first, rules.contact))
        return fail(err, "setup: %s is to move but has no legal move",
                    colour_name(rules.first.turn));
    return true;
}

static int count(const int *slots, int first, int n)
{
    int found = 0;

    for (int i = first; i < first + n; i++)
        found += slots[i] != NOWHERE;
    return found;
}

static bool can_win_at_once(const struct position *p)
{
    int own = p->turn * SCEPTRES_EACH, enemy = !p->turn * SCEPTRES_EACH;

    for (int i = own; i < own + SCEPTRES_EACH; i++) {
        struct reach reach;

        if (p->sceptre[i] == NOWHERE)
            continue;
        axiom_reach(p, i, &reach);
        for (int j = enemy; j < enemy + SCEPTRES_EACH; j++)
            if (p->sceptre[j] != NOWHERE &&
                reach.stops[axiom_cube_at(p, p->sceptre[j])])
                return true;
    }
    return false;
}

/* A setup of one's own is easily unfair. */
void axiom_warn(const struct setup *setup, struct buf *out)
{
    struct position p;
    struct err err;
    int cubes[AXIOM_SEATS], sceptres[AXIOM_SEATS];

    if (!setup->option[SETUP] || !axiom_accepts(setup, &err) ||
        !first_position(setup, &p, &err))
        return;
    for (int side = 0; side < AXIOM_SEATS; side++) {
        cubes[side] = count(p.cube, side * CUBES_EACH, CUBES_EACH);
        sceptres[side] = count(p.sceptre, side * SCEPTRES_EACH, SCEPTRES_EACH);
    }
    if (cubes[BLACK] != cubes[WHITE] || sceptres[BLACK] != sceptres[WHITE])
        buf_add(out,
                "setup is uneven: Black has cubes=%d sceptres=%d, White has "
                "cubes=%d sceptres=%d\n",
                cubes[BLACK], sceptres[BLACK], cubes[WHITE], sceptres[WHITE]);
    if (can_win_at_once(&p))
        buf_add(out, "setup is decided: %s can win with the first move\n",
                colour_name(p.turn));
}
