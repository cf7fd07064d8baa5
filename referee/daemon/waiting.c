/*
 * Why a network bot waits, and what else its owner is told outside of games, on
 * request. Section 6.6 of protocol.md lists the kinds of news.
 */

#include "daemon/server_state.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXT_MAX = WHY_WAITS_MAX,
    WAITED_US = 2000000, /* before it is worth a word */
    TOLD_AT_ONCE = 50,   /* of those who wait, in a tick */
    RATED_AT_ONCE = 100, /* a look-up takes some 50 us */
    VERSIONS_SEEN = 4,   /* of a bot: the last one to play comes first */
};

/* Ratings. */

struct rated {
    const char *version;
    struct index_standing row;
    bool is_found;
};

static bool take_rated(void *arg, const struct index_standing *row)
{
    struct rated *r = arg;

    if (strcmp(row->text, r->version) != 0)
        return true;
    r->row = *row; /* its texts are gone when this is over */
    r->is_found = true;
    return false;
}

/* False if the index does not answer. */
static bool tell_rating(struct server *s, const struct lobby_ladder *l,
                        struct connection *n)
{
    struct index *index = archive_index(s->archive);
    struct rated r = {.version = n->talk.version};
    int64_t place = 0;
    struct err err;

    if (!index_standings_of(index, l->name, n->name, VERSIONS_SEEN, take_rated,
                            &r, &err))
        return false;
    if (!r.is_found || !r.row.is_rated)
        return true;
    r.row.name = n->name;
    r.row.text = n->talk.version;
    if (!r.row.is_current || !index_place(index, l->name, &r.row, &place, &err))
        place = 0;
    if (place > 0)
        connection_tell(n, "rating",
                        "rating on %s: %.0f, 95 %% between %.0f and %.0f, "
                        "place %d after %d game%s",
                        l->name, r.row.elo, r.row.low, r.row.high, (int)place,
                        (int)r.row.games, r.row.games == 1 ? "" : "s");
    return true;
}

/* Each bot that has played since its owner was last told. */
void news_ratings(void *arg, int64_t began_us)
{
    struct server *s = arg;
    const struct lobby_ladder *l;
    int told = 0;

    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)) != NULL; i++)
        for (struct connection *n = doors_connections(s->doors);
             n && l->config && told < RATED_AT_ONCE; n = n->next) {
            int entrant = n->wants_news && lobby_suits(l->config, n)
                              ? ladder_find(l->memory, n->name, n->talk.version)
                              : -1;

            if (entrant < 0 || !ladder_has_news(l->memory, entrant))
                continue;
            told++;
            if (tell_rating(s, l, n))
                ladder_told(l->memory, entrant, began_us);
        }
}

/* Why a bot waits. */

/* A bot that could play: of the network, or of this machine. */
struct seeker {
    const char *name, *version;
};

/* Bots that could play with it, and the obstacles with others. */
struct company {
    const char *name[SEATS_MAX];
    int count;
    bool has_met; /* somebody as often as allowed */
    bool rests;   /* somebody */
    bool plays;   /* somebody */
};

static void add_company(const struct lobby_ladder *l, const struct seeker *bot,
                        const char *name, const char *version, bool is_free,
                        struct company *c)
{
    int a = ladder_find(l->memory, bot->name, bot->version);
    int b = ladder_find(l->memory, name, version);

    if (strcmp(name, bot->name) == 0 || c->count == SEATS_MAX)
        return;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0)
            return;
    if (!is_free)
        c->plays = true;
    else if (b >= 0 && lobby_rests_until(l, b, now_us()) > now_us())
        c->rests = true;
    else if (a >= 0 && b >= 0 &&
             !ladder_may_meet(l->memory, a, b, l->config->meetings_max,
                              parts_of(l->config)))
        c->has_met = true;
    else
        c->name[c->count++] = name;
}

static void find_company(const struct server *s, const struct lobby_ladder *l,
                         const struct seeker *bot, struct company *c)
{
    const struct ladder_config *config = l->config;

    *c = (struct company){0};
    for (int i = 0; i < config->bots; i++) {
        const struct player *p = config->bot[i];
        const char *version = p->digest ? p->digest : "";
        int entrant = ladder_find(l->memory, p->bot.name, version);
        bool is_free =
            entrant < 0 ||
            ladder_entrant(l->memory, entrant)->running < config->copies;

        add_company(l, bot, p->bot.name, version, is_free, c);
    }
    for (const struct connection *other = doors_connections(s->doors);
         other && c->count + 1 < config->setup.seats; other = other->next)
        if (!other->why_gone && other->phase >= CONNECTION_IDLE &&
            lobby_suits(config, other))
            add_company(l, bot, other->name, other->talk.version,
                        lobby_is_waiting(other), c);
}

static void add_has_met(struct buf *out, int times)
{
    buf_str(out, "it has met everybody here ");
    if (times == 1)
        buf_str(out, "once");
    else
        buf_add(out, "%d times", times);
    buf_str(out, ", and max-games-per-pair allows no more; a new version "
                 "plays again");
}

static void add_lack(const struct lobby_ladder *l, const struct company *c,
                     struct buf *out)
{
    int missing = l->config->setup.seats - 1 - c->count;

    if (missing <= 0)
        buf_str(out, "a game begins soon");
    else if (c->plays)
        buf_str(out, "the others are playing");
    else if (c->rests)
        buf_str(out, "the others rest, because they failed");
    else if (c->has_met)
        add_has_met(out, l->config->meetings_max);
    else if (missing == 1)
        buf_str(out, "no opponent is here");
    else
        buf_add(out, "%d more bots are needed", missing);
}

static int seconds_to(int64_t at_us)
{
    return (int)((at_us - now_us() + 999999) / 1000000);
}

static const char resting[] = "resting", exhausted[] = "exhausted";

/* Its state in a word. */
static const char *add_reason(const struct server *s,
                              const struct lobby_ladder *l,
                              const struct seeker *bot, struct buf *out)
{
    const struct ladder_config *config = l->config;
    int number = ladder_find(l->memory, bot->name, bot->version);
    const struct entrant *e =
        number < 0 ? NULL : ladder_entrant(l->memory, number);
    const char *kept_out = organise_why(s, l->name, bot->name, bot->version);
    struct company company;

    if (kept_out) {
        buf_add(out, "the organiser has taken it out: %s", kept_out);
        return "out";
    } else if (lobby_is_frozen(config)) {
        buf_add(out, "its last games began before %s (games-until)",
                config->games_until);
        return "frozen";
    } else if (number >= 0 && lobby_is_late(l, number)) {
        buf_add(out, "new versions were welcome until %s (handins-until)",
                config->handins_until);
        return "late";
    } else if (l->is_loading) {
        buf_str(out, "its games are being read");
    } else if (e && e->refuses) {
        buf_str(out, "it has refused this game; a new version may play it");
        return "refusing";
    } else if (e && ladder_rests_until(l->memory, number) > now_us()) {
        buf_add(out,
                "it rests for %d s, because it failed in %d games in a row",
                seconds_to(ladder_rests_until(l->memory, number)),
                ladder_failures(l->memory, number));
        return resting;
    } else if (e && lobby_rests_until(l, number, now_us()) > now_us()) {
        buf_add(out,
                "there were too many new versions of it, or of its owner's "
                "bots, within an hour (new-versions); another %d s",
                seconds_to(lobby_rests_until(l, number, now_us())));
        return resting;
    } else if (e && config->setup.seats == 1 && config->meetings_max > 0 &&
               e->games >= config->meetings_max) {
        buf_add(out,
                "it has played %d games, and max-games-per-pair allows no "
                "more; a new version plays again",
                e->games);
        return exhausted;
    } else if (l->pause_us > now_us()) {
        buf_add(out,
                "it has played that often, so the next game begins in %d s "
                "(rematch-pause)",
                seconds_to(l->pause_us));
    } else if (l->running >= config->games_max) {
        buf_add(out, "all %d tables are taken", config->games_max);
    } else {
        find_company(s, l, bot, &company);
        add_lack(l, &company, out);
        return company.has_met && !company.plays && !company.rests &&
                       company.count + 1 < config->setup.seats
                   ? exhausted
                   : "waiting";
    }
    return "waiting";
}

const char *why_none_starts(const struct server *s)
{
    if (trouble_text(&s->troubles))
        return trouble_text(&s->troubles);
    if (s->phase == SERVER_PAUSED)
        return "the organiser has paused the games";
    return units_are_enough(s->units) ? "the referee begins no more games"
                                      : NULL;
}

const char *why_not_playing(const struct server *s,
                            const struct lobby_ladder *l, const char *name,
                            const char *version, char *text, size_t size)
{
    const struct seeker bot = {name, version};
    struct buf why;
    const char *state;

    buf_init(&why, TEXT_MAX);
    state = add_reason(s, l, &bot, &why);
    snprintf(text, size, "%s", why.text);
    buf_release(&why);
    return state;
}

static void add_reasons(const struct server *s, const struct connection *n,
                        struct buf *out)
{
    const char *before = "waits on ";
    const struct seeker bot = {n->name, n->talk.version};
    const struct lobby_ladder *l;

    if (why_none_starts(s)) {
        buf_add(out, "waits: %s", why_none_starts(s));
        return;
    }
    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)) != NULL; i++) {
        if (!l->config || !lobby_suits(l->config, n))
            continue;
        buf_add(out, "%s%s: ", before, l->name);
        before = "; on ";
        add_reason(s, l, &bot, out);
    }
    if (out->len == 0)
        buf_str(out, "waits: no ladder here admits it");
}

void why_waits(const struct server *s, const struct connection *n, char *text,
               size_t size)
{
    struct buf why;

    buf_init(&why, TEXT_MAX);
    add_reasons(s, n, &why);
    snprintf(text, size, "%s", why.text);
    buf_release(&why);
}

/* A hash of a text without its numbers, which change with time; never 0. */
static uint32_t mark_of(const char *text)
{
    uint32_t mark = 2166136261u;

    for (; *text; text++)
        if (*text < '0' || *text > '9')
            mark = (mark ^ (unsigned char)*text) * 16777619u;
    return mark | 1;
}

void news_waits(const struct server *s)
{
    int64_t now = now_us();
    struct connection *n;

    for (int i = 0, told = 0;
         told < TOLD_AT_ONCE && (n = lobby_queued(s->lobby, i)) != NULL; i++) {
        char text[TEXT_MAX];

        if (!n->wants_news || !lobby_is_waiting(n) ||
            now - n->since_us < WAITED_US)
            continue;
        told++;
        why_waits(s, n, text, sizeof text);
        if (mark_of(text) == n->told)
            continue;
        n->told = mark_of(text);
        connection_tell(n, "wait", "%s", text);
    }
}

void news_ready(const struct server *s, struct connection *n)
{
    const struct lobby_ladder *l;
    struct buf names;

    if (!n->wants_news)
        return;
    buf_init(&names, TEXT_MAX);
    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)) != NULL; i++)
        if (l->config && lobby_suits(l->config, n))
            buf_add(&names, "%s%s", names.len > 0 ? ", " : "", l->name);
    connection_tell(n, "wait",
                    "logged in as %s, version \"%s\"; it plays on: %s", n->name,
                    n->talk.version, names.len > 0 ? names.text : "no ladder");
    buf_release(&names);
}
