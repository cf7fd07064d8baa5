#include "match/game_summary.h"

#include "base/text.h"

#include <string.h>

bool game_summary_copy(char *to, size_t size, const char *from, size_t len)
{
    if (len >= size)
        return false;
    memcpy(to, from, len);
    to[len] = '\0';
    return true;
}

static bool copy_value(const char *words, const char *key, char *to,
                       size_t size)
{
    size_t len = 0;
    const char *value = about_find(words, key, &len);

    return game_summary_copy(to, size, value ? value : "", len);
}

bool summary_about(struct game_summary *b, const char *about)
{
    char part[SUMMARY_WORD_MAX + 1];
    const char *at = part;

    b->part = b->parts = 1;
    if (!copy_value(about, "id", b->id, sizeof b->id) ||
        !copy_value(about, "event", b->event, sizeof b->event) ||
        !copy_value(about, "unit", b->unit, sizeof b->unit) ||
        !copy_value(about, "start", b->start, sizeof b->start) ||
        !copy_value(about, "part", part, sizeof part))
        return false;
    return part[0] == '\0' ||
           (take_int(&at, 1, SEATS_MAX, &b->part) && take_char(&at, '/') &&
            take_int(&at, b->part, SEATS_MAX, &b->parts) && at_end(at));
}

/* The version goes to the end of the line, blanks included. */
static bool read_seat(struct summary_seat *seat, const char *line)
{
    const char *version = strstr(line, " version=");
    size_t len;
    const char *digest = about_find(line, "digest", &len);

    if (!copy_value(line, "name", seat->name, sizeof seat->name) ||
        seat->name[0] == '\0')
        return false;
    seat->has_digest = digest && (!version || digest < version);
    if (seat->has_digest)
        return copy_value(line, "digest", seat->version, sizeof seat->version);
    if (!version)
        return true;
    version += strlen(" version=");
    return game_summary_copy(seat->version, sizeof seat->version, version,
                             strlen(version));
}

static bool read_numbers(const char **at, const char *key,
                         struct game_summary *b, size_t offset)
{
    bool ok = take_text(at, key);

    for (int i = 0; ok && i < b->seats; i++) {
        char *to = (char *)&b->seat[i] + offset;

        ok = (i == 0 || take_char(at, ',')) &&
             take_int(at, INT32_MIN + 1, INT32_MAX, (int *)(void *)to);
    }
    return ok;
}

/* "1:time,3:exit" */
static bool read_left(const char *at, struct game_summary *b)
{
    int seat;

    do {
        size_t len;

        if (!take_int(&at, 1, b->seats, &seat) || !take_char(&at, ':'))
            return false;
        len = strcspn(at, ",");
        if (!game_summary_copy(b->seat[seat - 1].why, sizeof b->seat->why, at,
                               len))
            return false;
        at += len;
    } while (take_char(&at, ','));
    return at_end(at);
}

bool summary_result(struct game_summary *b, const char *at)
{
    size_t len;

    if (take_text(&at, "result void reason=")) {
        b->status = SUMMARY_VOID;
        return game_summary_copy(b->reason, sizeof b->reason, at, strlen(at));
    }
    b->status = SUMMARY_FINISHED;
    if (!take_text(&at, "result ") ||
        !read_numbers(&at, "ranks=", b, offsetof(struct summary_seat, rank)) ||
        !read_numbers(&at, " scores=", b,
                      offsetof(struct summary_seat, score)) ||
        !take_text(&at, " reason="))
        return false;
    len = strcspn(at, " ");
    if (!game_summary_copy(b->reason, sizeof b->reason, at, len))
        return false;
    at += len;
    return at_end(at) || (take_text(&at, " left=") && read_left(at, b));
}

/*
 * Every move is told to its own seat, and perhaps in another form to the
 * others.
 */
static bool is_move(const struct game_summary *b,
                    const struct record_line *line)
{
    const char *at = line->text;
    int seat;

    return take_text(&at, "play ") && take_int(&at, 1, b->seats, &seat) &&
           line->to & SEAT(seat - 1);
}

/* From the first event to the hash. */
static bool read_body(struct game_summary *b, struct record *r, struct err *err)
{
    struct record_line line;

    while (record_next(r, &line, err)) {
        if (line.number == 0)
            return record_wrong(r, &line, err, "the result");
        b->moves += is_move(b, &line);
        if (strncmp(line.text, "result ", 7) != 0)
            continue;
        return summary_result(b, line.text) ||
               record_wrong(r, &line, err, "a result for %d seats", b->seats);
    }
    return false;
}

/* The seed may be between the result and the hash. */
static bool hash_holds(struct game_summary *b, struct record *r,
                       struct err *err)
{
    struct record_line line;

    do {
        if (!record_next(r, &line, err))
            return false;
        b->has_seed =
            b->has_seed || (line.number && strncmp(line.text, "seed ", 5) == 0);
    } while (line.number && strncmp(line.text, "hash ", 5) != 0);
    return (line.number && strcmp(line.text + 5, r->hash) == 0) ||
           record_wrong(r, &line, err,
                        "\"hash %s\": it was changed after it was written",
                        r->hash);
}

bool game_summary_read(struct game_summary *b, const char *name,
                       int lines_before, char *text, size_t len,
                       struct err *err)
{
    struct record r;

    *b = (struct game_summary){.bytes = len};
    if (!record_open(&r, name, lines_before, text, len, err))
        return false;
    b->game = r.game;
    b->seats = r.setup.seats;
    if (!summary_about(b, r.about))
        return fail(err,
                    "%s: the line \"about\" has a value of more than %d "
                    "bytes, or a part that is not K/N",
                    name, SUMMARY_WORD_MAX);
    for (int i = 0; i < b->seats; i++)
        if (r.seat[i] && !read_seat(&b->seat[i], r.seat[i]))
            return fail(err, "%s: the name or version of seat %d is too long",
                        name, i + 1);
    if (!r.has_hash || r.cut)
        return true;
    return read_body(b, &r, err) && hash_holds(b, &r, err);
}
