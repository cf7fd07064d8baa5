#include "match/replay.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void replay_init(struct replay *r)
{
    *r = (struct replay){0};
    lines_init(&r->events, EVENTS_MAX);
}

void replay_release(struct replay *r)
{
    game_free(r->state);
    lines_release(&r->events);
    r->state = NULL;
}

bool replay_over(const struct replay *r)
{
    return r->record.game->to_move(r->state) == 0;
}

/* The line of the record that this event must match, as in the file. */
static bool differs(struct replay *r, const struct record_line *line,
                    size_t event, struct err *err)
{
    struct buf expected;

    buf_init(&expected, 180);
    buf_char(&expected, '"');
    audience_write(r->events.line[event].to, r->record.setup.seats, &expected);
    buf_str(&expected, lines_text(&r->events, event));
    buf_char(&expected, '"');
    record_wrong(&r->record, line, err, "%s",
                 buf_ok(&expected) ? expected.text : "another event");
    buf_release(&expected);
    return false;
}

static bool same_audience(const struct replay *r, seat_set a, seat_set b)
{
    const seat_set readers = SEATS(r->record.setup.seats) | WATCHERS;

    return (a & readers) == (b & readers);
}

static bool check_event(struct replay *r, const struct record_line *line,
                        struct err *err)
{
    size_t event = r->seen;

    if (!same_audience(r, line->to, r->events.line[event].to) ||
        strcmp(line->text, lines_text(&r->events, event)) != 0)
        return differs(r, line, event, err);
    r->seen++;
    return true;
}

static seat_set seats_out(const struct replay *r)
{
    seat_set out = 0;

    for (int i = 0; i < r->record.setup.seats; i++)
        out |= r->why[i] ? SEAT(i) : 0;
    return out;
}

/* "@- clock SEAT STATE ...": how much time a seat has left. */
static void read_clock(struct replay *r, const struct record_line *line)
{
    const char *at = line->text;
    int seat;

    if (!take_word(&at, "clock") ||
        !take_int(&at, 1, r->record.setup.seats, &seat) || !take_char(&at, ' '))
        return;
    r->clock[seat - 1] = at;
    r->clocks++;
}

/* The next line that is not for the record only. */
static bool next_line(struct replay *r, struct record_line *line,
                      struct err *err)
{
    if (r->has_ahead) {
        *line = r->ahead;
        r->has_ahead = false;
        return true;
    }
    for (;;) {
        if (!record_next(&r->record, line, err) ||
            !clock_check_line(&r->check, &r->record, line, seats_out(r), err))
            return false;
        if (line->number == 0 || line->to != RECORD)
            return true;
        read_clock(r, line);
        if (r->asides)
            tell(r->asides, RECORD, "%s", line->text);
    }
}

/* If a record has only moves: does it have all moves of this step? */
static bool stands_there(const struct replay *r)
{
    if (r->events.count != (size_t)r->untold_count)
        return false;
    for (size_t i = 0; i < r->events.count; i++)
        if (!same_audience(r, r->untold[i].to, r->events.line[i].to) ||
            strcmp(r->untold[i].text, lines_text(&r->events, i)) != 0)
            return false;
    return true;
}

/* Compare the lines that ran ahead of the game with its events so far. */
static bool check_untold(struct replay *r, struct err *err)
{
    int used = 0;

    if (!r->record.told) {
        r->has_gap = r->has_gap || !stands_there(r);
        r->untold_count = 0; /* typed in: any spelling will do */
        return true;
    }
    if (r->events.count == 0)
        return true;
    while (used < r->untold_count && r->seen < r->events.count)
        if (!check_event(r, &r->untold[used++], err))
            return false;
    if (used < r->untold_count)
        return record_wrong(&r->record, &r->untold[used], err,
                            "no such line: the game does not announce it");
    r->untold_count = 0;
    return true;
}

/* The rest of what the game told is in the lines that follow. */
static bool check_told(struct replay *r, struct err *err)
{
    struct record_line line;

    while (r->record.told && r->seen < r->events.count) {
        if (!next_line(r, &line, err))
            return false;
        if (line.number == 0) {
            r->status = REPLAY_UNFINISHED;
            return true;
        }
        if (!check_event(r, &line, err))
            return false;
    }
    return true;
}

/* Nothing of the last step is missing up to here. */
static void mark_complete(struct replay *r)
{
    const char *here = r->record.at;

    if (r->has_gap || r->untold_count > 0)
        return;
    if (r->record.told && r->seen < r->events.count)
        return;
    if (r->has_ahead)
        here = r->before_ahead;
    r->complete = (size_t)(here - r->start);
}

static bool put_untold(struct replay *r, const struct record_line *line,
                       struct err *err)
{
    if (r->untold_count == REPLAY_UNTOLD_MAX)
        return record_wrong(&r->record, &r->untold[0], err,
                            "a move of a seat that owes one");
    r->untold[r->untold_count++] = *line;
    return true;
}

/* These seats have acted. `owed` are the seats that owed a move until now. */
static void count_in_step(struct replay *r, seat_set seats, seat_set owing)
{
    seat_set left = owing & ~seats;
    bool goes_on = left && r->record.game->to_move(r->state) == left;

    r->in_step = goes_on && (r->in_step || (seats & owing));
}

/* `whole`: all moves that belong to it have been read. */
static bool after_step(struct replay *r, bool whole, struct err *err)
{
    r->steps++;
    if (!check_untold(r, err) || !check_told(r, err))
        return false;
    if (whole)
        mark_complete(r);
    if (replay_over(r))
        game_result(r->record.game, r->state, &r->result);
    return true;
}

static bool owed_by(const struct replay *r, const struct record_line *line,
                    struct err *err)
{
    struct buf seats;

    buf_init(&seats, 64);
    seats_write(r->record.game->to_move(r->state), &seats);
    if (replay_over(r))
        record_wrong(&r->record, line, err, "the result: the game is over");
    else
        record_wrong(&r->record, line, err, "a move of seat %s", seats.text);
    buf_release(&seats);
    return false;
}

/* "play SEAT MOVE" */
static bool play(struct replay *r, const struct record_line *line,
                 const char *at, struct err *err)
{
    const struct game *game = r->record.game;
    const seat_set owing = game->to_move(r->state);
    struct move move;
    int seat;

    if (!take_int(&at, 1, r->record.setup.seats, &seat) || !take_char(&at, ' '))
        return record_wrong(&r->record, line, err, "\"play SEAT MOVE\"");
    seat--;
    if (!(owing & SEAT(seat)))
        return owed_by(r, line, err);
    if (!game_parse(game, r->state, seat, at, &move, err)) {
        struct err why = *err;

        return record_wrong(&r->record, line, err, "a legal move (%s)",
                            why.text);
    }
    if (!put_untold(r, line, err))
        return false;
    lines_reset(&r->events);
    r->seen = 0;
    game_apply(game, r->state, seat, &move, &r->events);
    count_in_step(r, SEAT(seat), owing);
    r->moves++;
    return after_step(r, true, err);
}

/* "leave SEAT WHY": its seat, or -1. */
static int leaver(const struct replay *r, const struct record_line *line,
                  const char **why)
{
    const char *at = line->text;
    enum why word;
    int seat;

    if (line->number == 0 || !take_word(&at, "leave") ||
        !take_int(&at, 1, r->record.setup.seats, &seat) ||
        !take_char(&at, ' ') || line->to != EVERYONE || !why_read(at, &word))
        return -1;
    *why = at;
    return r->why[seat - 1] ? -1 : seat - 1;
}

/* The departures of one simultaneous step come together, in seat order, and
 * take effect together: all that follow while their seats owe a move. */
static bool gather_leavers(struct replay *r, seat_set *out, int last,
                           struct err *err)
{
    const seat_set owing = r->record.game->to_move(r->state);
    const char *why;

    while (owing & *out) {
        int seat;

        r->before_ahead = r->record.at;
        r->asides_ahead = r->asides ? r->asides->count : 0;
        if (!next_line(r, &r->ahead, err))
            return false;
        r->has_ahead = true;
        seat = leaver(r, &r->ahead, &why);
        if (seat <= last || !(owing & SEAT(seat)))
            break;
        r->has_ahead = false;
        if (!put_untold(r, &r->ahead, err))
            return false;
        *out |= SEAT(seat);
        r->why[seat] = why;
        last = seat;
    }
    return true;
}

static bool leave(struct replay *r, const struct record_line *line,
                  struct err *err)
{
    const seat_set owing = r->record.game->to_move(r->state);
    const char *why;
    int seat = leaver(r, line, &why);
    seat_set out;

    if (!owing)
        return owed_by(r, line, err);
    if (seat < 0)
        return record_wrong(&r->record, line, err,
                            "\"leave SEAT WHY\" with a seat that is still in "
                            "and WHY such as resign or time");
    if (r->in_step && owing & SEAT(seat))
        return record_wrong(&r->record, line, err,
                            "this before all moves of its step, with "
                            "departures in seat order");
    if (!put_untold(r, line, err))
        return false;
    r->why[seat] = why;
    out = SEAT(seat);
    if (!gather_leavers(r, &out, seat, err))
        return false;
    lines_reset(&r->events);
    r->seen = 0;
    for (int i = 0; i < r->record.setup.seats; i++)
        if (out & SEAT(i))
            tell(&r->events, EVERYONE, "leave %d %s", i + 1, r->why[i]);
    game_leave(r->record.game, r->state, out, &r->events);
    count_in_step(r, out, owing);
    return after_step(r, replay_over(r) || !(owing & ~out), err);
}

/* The part of a group of games on one deal: "part=K/N"; or 1. */
static int part_of(const struct record *record)
{
    size_t len = 0;
    const char *at = about_find(record->about, "part", &len);
    int part = 1;

    return at && take_int(&at, 1, SEATS_MAX, &part) ? part : 1;
}

/* The commit promised the seed, and the deal follows from it. */
static bool check_seed(struct replay *r, const struct record_line *line,
                       const char *hex, struct err *err)
{
    const struct record *record = &r->record;
    uint8_t seed[SEED_BYTES];
    char commit[HASH_HEX + 1];
    struct buf deal;
    bool same;

    if (!text_unhex(seed, sizeof seed, hex))
        return record_wrong(record, line, err, "\"seed\" and 64 hex digits");
    seed_commit(seed, part_of(record), commit);
    if (record->commit && strcmp(record->commit, "none") != 0 &&
        strcmp(record->commit, commit) != 0)
        return record_wrong(record, line, err,
                            "the seed that the record committed to");
    if (!record->deal)
        return record_wrong(record, line, err, "no seed: %s has no chance",
                            record->game->name);
    seed_mix(seed, record->entropy, seed);
    buf_init(&deal, DEAL_TEXT_MAX);
    game_deal(record->game, &record->setup, seed, &deal);
    same = strcmp(deal.text, record->deal) == 0;
    buf_release(&deal);
    if (!same)
        return record_wrong(record, line, err, "the seed that gives this deal");
    return true;
}

/* The key has signed it. Others must know whose key that is. */
static bool check_seal(struct replay *r, const struct record_line *line,
                       const char *text, struct err *err)
{
    if (!seal_read(&r->seal, text))
        return record_wrong(&r->record, line, err,
                            "\"seal CHAIN NUMBER BEFORE KEY SIGNATURE\"");
    text_unhex(r->seal.hash, sizeof r->seal.hash, r->record.hash);
    return seal_holds(&r->seal) ||
           record_wrong(&r->record, line, err,
                        "a signature of this record by the key in its seal");
}

/* After the result: a seed, a hash and a seal, each once, and nothing else. */
static bool tail(struct replay *r, struct err *err)
{
    struct record_line line;
    const char *at;

    if (!next_line(r, &line, err))
        return false;
    at = line.text;
    if (line.number && take_word(&at, "seed")) {
        if (!check_seed(r, &line, at, err))
            return false;
        r->seed = at;
        if (!next_line(r, &line, err))
            return false;
        at = line.text;
    }
    if (line.number && r->record.has_hash && take_word(&at, "hash")) {
        if (strcmp(at, r->record.hash) != 0)
            return record_wrong(&r->record, &line, err,
                                "\"hash %s\": it was changed after it was "
                                "closed",
                                r->record.hash);
        if (!next_line(r, &line, err))
            return false;
        at = line.text;
        if (line.number && r->record.has_seal && take_word(&at, "seal") &&
            (!check_seal(r, &line, at, err) || !next_line(r, &line, err)))
            return false;
    }
    if (line.number)
        return record_wrong(&r->record, &line, err,
                            "\"seed HEX\", \"hash HEX\" or the end");
    return true;
}

static bool void_result(struct replay *r, const struct record_line *line,
                        struct err *err)
{
    const char *at = line->text;

    if (!take_text(&at, "result void reason=") || *at == '\0' ||
        strchr(at, ' '))
        return record_wrong(&r->record, line, err,
                            "\"result void reason=WORD\"");
    r->status = REPLAY_VOID;
    return tail(r, err);
}

static bool check_result(struct replay *r, const struct record_line *line,
                         struct err *err)
{
    struct buf expected;
    bool same;

    if (strncmp(line->text, "result void", 11) == 0)
        return void_result(r, line, err);
    if (!replay_over(r))
        return owed_by(r, line, err);
    buf_init(&expected, 256);
    result_write(&r->result, r->record.setup.seats, r->why, &expected);
    same = strcmp(expected.text, line->text) == 0;
    if (!same)
        record_wrong(&r->record, line, err, "\"%s\"", expected.text);
    buf_release(&expected);
    r->status = r->record.cut ? REPLAY_UNFINISHED : REPLAY_FINISHED;
    return same && tail(r, err);
}

/* The record ends without a result: it was written by hand, or its writer was
 * killed. */
static bool stops(struct replay *r, const struct record_line *line,
                  struct err *err)
{
    if (r->record.has_hash)
        return owed_by(r, line, err);
    r->status = replay_over(r) && !r->record.told && !r->record.cut
                    ? REPLAY_FINISHED
                    : REPLAY_UNFINISHED;
    return true;
}

bool replay_open(struct replay *r, const char *name, char *text, size_t len,
                 struct err *err)
{
    return replay_open_after(r, name, 0, text, len, err);
}

bool replay_open_after(struct replay *r, const char *name, int lines,
                       char *text, size_t len, struct err *err)
{
    struct lines events = r->events;

    game_free(r->state);
    *r = (struct replay){.events = events, .asides = r->asides, .start = text};
    lines_reset(&r->events);
    if (!record_open(&r->record, name, lines, text, len, err))
        return false;
    clock_check_begin(&r->check, &r->record);
    r->state = game_new(r->record.game, &r->record.setup, r->record.deal,
                        &r->events, err);
    if (!r->state)
        return fail_at(err, "%s:%d", name, r->record.lines);
    r->has_gap = !r->record.told && r->events.count > 0;
    if (!check_told(r, err))
        return false;
    mark_complete(r);
    return true;
}

void replay_collect(struct replay *r, struct lines *asides)
{
    r->asides = asides;
}

size_t replay_asides(const struct replay *r)
{
    return r->has_ahead ? r->asides_ahead : r->asides->count;
}

bool replay_next(struct replay *r, struct err *err)
{
    while (r->status == REPLAY_HALFWAY) {
        struct record_line line;
        const char *at;

        if (!next_line(r, &line, err))
            return false;
        if (line.number == 0)
            return stops(r, &line, err);
        at = line.text;
        if (take_word(&at, "play"))
            return play(r, &line, at, err);
        if (strncmp(line.text, "leave ", 6) == 0)
            return leave(r, &line, err);
        if (r->untold_count == 0 && take_word(&at, "result"))
            return check_result(r, &line, err);
        /* Announced at the end of a step, but its moves are still to come. */
        if (replay_over(r) || strncmp(line.text, "hash ", 5) == 0)
            return owed_by(r, &line, err);
        if (!put_untold(r, &line, err))
            return false;
    }
    return true;
}

bool replay_told(struct replay *r, const char *name, int lines, char *text,
                 size_t len, struct lines *told, struct err *err)
{
    lines_reset(told);
    if (!replay_open_after(r, name, lines, text, len, err))
        return false;
    lines_append(told, &r->events);
    while (r->status == REPLAY_HALFWAY) {
        int steps = r->steps;

        if (!replay_next(r, err))
            return false;
        if (r->steps > steps)
            lines_append(told, &r->events);
    }
    return true;
}

bool replay_all(struct replay *r, struct err *err)
{
    while (r->status == REPLAY_HALFWAY)
        if (!replay_next(r, err))
            return false;
    return true;
}

/* The seed is told with the last game on its deal. */
static bool owes_seed(const struct record *record)
{
    size_t len = 0;
    const char *at = about_find(record->about, "part", &len);

    if (!record->commit || strcmp(record->commit, "none") == 0)
        return false;
    return !at || len != 3 || at[1] != '/' || at[0] == at[2];
}

const char *replay_lacks(const struct replay *r)
{
    bool is_timed = false;

    for (int i = 0; i < SEATS_MAX; i++)
        is_timed |= r->record.time[i] != NULL;
    if (!r->record.has_hash)
        return "it has no closing hash";
    if (owes_seed(&r->record) && !r->seed)
        return "the seed that it committed to is missing";
    if (is_timed && r->moves > 0 && r->clocks == 0)
        return "its clocks are missing";
    for (int i = 0; i < SEATS_MAX; i++)
        if (r->why[i] && strcmp(r->why[i], "time") == 0 &&
            !r->check.was_late[i])
            return "nothing shows that the seat that left for its time was "
                   "late";
    return NULL;
}
