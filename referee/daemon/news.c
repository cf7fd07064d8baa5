#include "daemon/news.h"

enum { TEXT_MAX = 480 };

static void add_others(const struct unit *u, int seat, struct buf *out)
{
    int seats = group_seats(&u->group);
    const char *before = " against ";

    for (int i = 0; i < seats; i++)
        if (i != seat) {
            buf_add(out, "%s%s", before, unit_name_at(u, i));
            before = ", ";
        }
}

static struct connection *connection_at(const struct unit *u, int seat)
{
    return u->connection[group_member_at(&u->group, seat)];
}

void news_game(const struct unit *u)
{
    struct buf text;

    for (int i = 0; i < group_seats(&u->group); i++) {
        struct connection *n = connection_at(u, i);

        if (!n || !n->wants_news)
            continue;
        n->told = 0;
        buf_init(&text, TEXT_MAX);
        add_others(u, i, &text);
        connection_tell(n, "game", "game %s: %s on %s, seat %d%s", u->group.id,
                        u->config->game->name, u->ladder->name, i + 1,
                        text.text);
        buf_release(&text);
    }
}

/* "won 57 to 40 against bob", "place 2 of 3, score 40 against bob 57, ..." */
static void add_outcome(const struct unit *u, const struct result *r, int seat,
                        struct buf *out)
{
    int seats = group_seats(&u->group);

    if (seats == 1) {
        const char *goal = game_goal(u->config->game, &u->config->setup, r);

        buf_add(out, "score %d%s%s", r->score[0], goal ? ", goal " : "",
                goal ? goal : "");
    } else if (seats == 2) {
        int other = 1 - seat;

        buf_add(out, "%s %d to %d against %s",
                r->rank[seat] < r->rank[other]    ? "won"
                : r->rank[seat] == r->rank[other] ? "drew"
                                                  : "lost",
                r->score[seat], r->score[other], unit_name_at(u, other));
    } else {
        buf_add(out, "place %d of %d, score %d", r->rank[seat], seats,
                r->score[seat]);
        for (int i = 0; i < seats; i++)
            if (i != seat)
                buf_add(out, ", %s %d", unit_name_at(u, i), r->score[i]);
    }
    buf_add(out, " (%s)", r->reason);
}

static void add_leavers(const struct unit *u, const struct match *match,
                        int seat, struct buf *out)
{
    for (int i = 0; i < group_seats(&u->group); i++)
        if (i != seat && match_why(match, i))
            buf_add(out, "; %s left: %s", unit_name_at(u, i),
                    match_why(match, i));
}

void news_over(const struct unit *u, const struct match *match)
{
    struct buf text;

    for (int i = 0; i < group_seats(&u->group); i++) {
        struct connection *n = connection_at(u, i);
        enum why why;

        if (!n || !n->wants_news)
            continue;
        if (match_has_left(match, i, &why) && why != WHY_RESIGN)
            connection_tell(n, "fault", "game %s: %s: %s", u->group.id,
                            why_word(why), match_detail(match, i));
        buf_init(&text, TEXT_MAX);
        if (match_is_void(match))
            buf_str(&text, "void, it does not count");
        else
            add_outcome(u, match_result(match), i, &text);
        add_leavers(u, match, i, &text);
        connection_tell(n, "result", "game %s: %s", u->group.id, text.text);
        buf_release(&text);
    }
}
