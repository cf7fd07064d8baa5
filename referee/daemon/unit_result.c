/*
 * What is counted and told when a part of a unit is over: games, failures,
 * gifts, notes.
 */

#include "base/text.h"
#include "daemon/units_state.h"

static const int64_t mib = 1 << 20;

/* Notes. */

static const char *owner_of(const struct unit *u, int member)
{
    const struct member *m = &u->group.member[member];
    const struct key_entry *key =
        m->player ? NULL : key_named(u->generation->config, m->name);

    return m->player ? m->player->owner : key ? key->owner : "";
}

/*
 * A bot that is over its budget when a game begins has none of its notes
 * stored.
 */
void unit_mute(struct unit *u, int member)
{
    const struct serve_config *c = u->generation->config;
    const struct budget_limits limits = {mib * c->bot_note_mib,
                                         mib * c->note_mib};
    struct member *m = &u->group.member[member];
    bool is_news;

    m->is_muted = !budget_allows(&u->units->notes, m->name, owner_of(u, member),
                                 &limits, now_us(), &is_news);
    if (is_news)
        log_line(u->its->log, LOG_WARNING, NULL,
                 "%s loses its notes for up to a day: note-budget or "
                 "bot-note-budget is used up",
                 m->name);
}

static void charge_notes(struct unit *u, const struct match *match)
{
    for (int i = 0; i < seats_of(u); i++) {
        int bytes = match_note_bytes(match, i);
        int member = group_member_at(&u->group, i);

        if (bytes > 0)
            budget_charge(&u->units->notes, u->group.member[member].name,
                          owner_of(u, member), bytes, now_us());
    }
}

/* Results. */

static void count_result(struct unit *u, const struct match *match)
{
    struct units *units = u->units;

    units->its.metrics->games_running--;
    u->ladder->done++;
    if (match_is_void(match)) {
        units->its.metrics->games_void++;
        count_begun(u, -1);
    } else {
        units->its.metrics->games_done++;
    }
}

/* Bots that failed repeatedly have to rest. */
static void count_failure(struct unit *u, int member, bool failed)
{
    struct ladder *l = u->ladder->memory;
    int64_t rest_us =
        ladder_failed(l, u->entrant[member], failed, u->start_us, now_us());

    if (rest_us > 0)
        log_line(u->its->log, rest_us == REST_FIRST_US ? LOG_WARNING : LOG_INFO,
                 NULL,
                 "%s failed in %d games in a row and rests for %d s on %s",
                 u->group.member[member].name,
                 ladder_failures(l, u->entrant[member]),
                 (int)(rest_us / 1000000), u->ladder->name);
}

/* One of these two may have given the game to the other. */
static void count_gift(struct unit *u, const struct match *match, int i, int j)
{
    int a = u->entrant[group_member_at(&u->group, i)];
    int b = u->entrant[group_member_at(&u->group, j)];
    bool i_left = match_why(match, i), j_left = match_why(match, j);
    int giver = i_left == j_left ? NO_ENTRANT : i_left ? a : b;
    int64_t rest_us =
        ladder_gave(u->ladder->memory, a, b, giver, u->start_us, now_us());

    if (rest_us > 0)
        log_line(u->its->log, LOG_WARNING, NULL,
                 "%s has given game after game to %s on %s: they do not meet "
                 "for %d s",
                 unit_name_at(u, i_left ? i : j),
                 unit_name_at(u, i_left ? j : i), u->ladder->name,
                 (int)(rest_us / 1000000));
}

static void count_gifts(struct unit *u, const struct match *match)
{
    for (int i = 0; i < seats_of(u) && !match_is_void(match); i++)
        for (int j = 0; j < i; j++)
            count_gift(u, match, i, j);
}

/*
 * It failed before the game began: the game is void, and that bot is not asked
 * again here.
 */
static bool was_refused(const struct match *match, int seat)
{
    enum why why;

    return match_is_void(match) && match_has_left(match, seat, &why) &&
           why == WHY_REFUSE;
}

static void note_refusal(struct unit *u, int member)
{
    ladder_refused(u->ladder->memory, u->entrant[member]);
    log_line(u->its->log, LOG_WARNING, NULL,
             "%s does not play %s: it gets no games on %s until it has "
             "another version",
             u->group.member[member].name, u->config->game->name,
             u->ladder->name);
}

static void count_leavers(struct unit *u, const struct match *match)
{
    struct units *units = u->units;

    for (int i = 0; i < seats_of(u); i++) {
        enum why why = WHY_RESIGN;

        if (match_has_left(match, i, &why)) {
            units->its.metrics->faults[why]++;
            log_line(units->its.log, LOG_INFO, u->group.id, "%s %s (%s): %s",
                     unit_name_at(u, i),
                     match_why(match, i) ? "left" : "failed at the end",
                     why_word(why), match_detail(match, i));
        }
        if (was_refused(match, i)) {
            note_refusal(u, group_member_at(&u->group, i));
            u->was_refused = true;
        }
        if (!match_is_void(match))
            count_failure(u, group_member_at(&u->group, i), why != WHY_RESIGN);
    }
}

/* "rondo on main: names=anna,bob result ranks=1,2 ..." */
static void log_result(const struct unit *u, const struct match *match)
{
    const char *why[SEATS_MAX] = {0};
    struct buf text;

    buf_init(&text, 512);
    for (int i = 0; i < seats_of(u); i++) {
        buf_str(&text, i == 0 ? "names=" : ",");
        buf_str(&text, unit_name_at(u, i));
        why[i] = match_why(match, i);
    }
    buf_char(&text, ' ');
    if (match_is_void(match))
        buf_str(&text, "void");
    else
        result_write(match_result(match), seats_of(u), why, &text);
    log_line(u->its->log, LOG_INFO, u->group.id, "%s on %s: %s",
             u->config->game->name, u->ladder->name, text.text);
    buf_release(&text);
}

void unit_count_over(struct unit *u, const struct match *match)
{
    count_result(u, match);
    count_leavers(u, match);
    count_gifts(u, match);
    charge_notes(u, match);
    log_result(u, match);
}
