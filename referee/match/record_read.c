/*
 * Records, taken apart: record.h says how.
 */

#include "match/record.h"

#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool record_wrong(const struct record *r, const struct record_line *line,
                  struct err *err, const char *fmt, ...)
{
    char expected[300];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(expected, sizeof expected, fmt, ap);
    va_end(ap);
    if (line->number == 0)
        return fail(err, "%s:%d: found the end of the file, expected %s",
                    r->name, r->lines + 1, expected);
    return fail(err, "%s:%d: found \"%.80s%s\", expected %s", r->name,
                line->number, line->whole,
                strlen(line->whole) > 80 ? "..." : "", expected);
}

/* Cut off the next line. False at the end. */
static bool cut_line(struct record *r, struct record_line *line)
{
    char *feed;

    *line = (struct record_line){0};
    if (r->at == r->end)
        return false;
    feed = memchr(r->at, '\n', (size_t)(r->end - r->at));
    assert(feed);
    *feed = '\0';
    line->number = ++r->lines;
    line->whole = line->text = r->at;
    line->to = EVERYONE;
    r->at = feed + 1;
    return true;
}

/* "1,3,w " or "- " behind an '@'. */
static bool read_audience(const struct record *r, struct record_line *line)
{
    const char *at = line->text + 1;
    int seat;

    line->to = RECORD;
    if (take_text(&at, "- ")) {
        line->text += at - line->text;
        return true;
    }
    for (;;) {
        if (take_char(&at, 'w'))
            line->to |= WATCHERS;
        else if (take_int(&at, 1, r->setup.seats, &seat))
            line->to |= SEAT(seat - 1);
        else
            return false;
        if (take_char(&at, ' '))
            break;
        if (!take_char(&at, ','))
            return false;
    }
    line->text += at - line->text;
    return true;
}

/* A bot's note may contain letters of any language. */
static bool is_note(const char *line)
{
    if (strncmp(line, "@- note ", 8) != 0)
        return false;
    for (; *line; line++)
        if ((unsigned char)*line < ' ' || *line == 0x7f)
            return false;
    return true;
}

/* Printable ASCII at the start of the text. */
static size_t plain_length(const char *text)
{
    size_t n = 0;

    while (text[n] >= ' ' && text[n] <= '~')
        n++;
    return n;
}

/* A line that is long or not plain: a note, or the reason why not. */
static bool check_line(const struct record *r, const struct record_line *line,
                       size_t len, struct err *err)
{
    if (strlen(line->whole) != len) /* a NUL would hide what follows it */
        return record_wrong(r, line, err, "a line without a NUL byte");
    if (len > LINE_MAX_BYTES)
        return record_wrong(r, line, err, "at most %d bytes in a line",
                            LINE_MAX_BYTES);
    return is_note(line->whole) ||
           record_wrong(r, line, err, "%s",
                        strchr(line->whole, '\r')
                            ? "a line without a carriage return"
                            : "printable ASCII");
}

bool record_next(struct record *r, struct record_line *line, struct err *err)
{
    size_t len;

    do
        if (!cut_line(r, line))
            return true;
    while (line->whole[0] == '#' || line->whole[0] == '\0');
    len = (size_t)(r->at - 1 - line->whole);
    if ((plain_length(line->whole) != len || len > LINE_MAX_BYTES) &&
        !check_line(r, line, len, err))
        return false;
    if (line->whole[0] == '@' && !read_audience(r, line))
        return record_wrong(r, line, err,
                            "an audience such as @1,w and then an event");
    return true;
}

/* Is there a line at `at` that starts with this word and a blank? */
static bool starts(const char *at, const char *end, const char *word)
{
    size_t n = strlen(word);

    return (size_t)(end - at) > n && memcmp(at, word, n) == 0 && at[n] == ' ';
}

/* After the hash, which ends at `at`: the seal or the beginning of it. */
static void span_seal(struct record_span *span, const char *at, const char *end)
{
    static const char word[] = "seal ";
    size_t left = (size_t)(end - at);
    const char *feed = memchr(at, '\n', left);

    if (memcmp(at, word, left < strlen(word) ? left : strlen(word)) != 0)
        return;
    span->may_grow = left == 0;
    if (left > 0 && !feed)
        span->is_closed = span->ends = false; /* its writer was killed */
    if (!feed || left < strlen(word))
        return;
    span->lines++;
    span->len += (size_t)(feed + 1 - at);
}

/*
 * The first line "record ..." is its own; the second belongs to the next one.
 */
struct record_span record_span(const char *text, size_t len)
{
    struct record_span span = {0};
    const char *at = text, *end = text + len, *feed;
    bool has_begun = false;

    while (!span.ends &&
           (feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        bool begins = starts(at, feed, "record");

        span.ends = begins && has_begun;
        if (span.ends)
            break;
        has_begun = has_begun || begins;
        span.is_closed = span.ends = starts(at, feed, "hash");
        span.lines++;
        at = feed + 1;
    }
    span.len = (size_t)(at - text);
    if (span.is_closed)
        span_seal(&span, at, end);
    if (!span.ends)
        span.len = len;
    return span;
}

/* Examine the body before it is cut into lines: does it have events, and is
 * there a hash? The first line that a hand-written game would not have
 * decides. */
static bool tells_events(const char *at, const char *end)
{
    static const char *const typed[] = {"play", "leave", "result", "seed",
                                        "@-"};

    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        bool more = *at != '#' && *at != '\n';

        for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
            if (starts(at, end, typed[i]))
                more = false;
        if (more)
            return true;
        at = feed + 1;
    }
    return false;
}

size_t comment_bytes(const char *text, size_t len, int *lines)
{
    const char *at = text, *end = text + len;

    *lines = 0;
    while (at < end && (*at == '#' || *at == '\n')) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));

        *lines += feed != NULL;
        at = feed ? feed + 1 : end;
    }
    return (size_t)(at - text);
}

/* The start of the line that ends before `end`. */
static const char *line_before(const char *text, const char *end)
{
    const char *at = end > text ? end - 1 : text;

    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/*
 * The last line may be "hash HEX", which covers all bytes before it, or the
 * seal after that.
 */
static void look_for_hash(struct record *r, const char *text)
{
    unsigned char digest[SHA256_BYTES];
    const char *last = line_before(text, r->end), *before;

    if (starts(last, r->end, "seal")) {
        before = line_before(text, last);
        r->has_seal = starts(before, last, "hash");
        last = r->has_seal ? before : last;
    }
    r->has_hash = starts(last, r->end, "hash");
    if (!r->has_hash)
        return;
    sha256_of(text, (size_t)(last - text), digest);
    text_hex(r->hash, digest, sizeof digest);
}

/* The text after this word, if the line starts with it. */
static char *after(const struct record_line *line, const char *word)
{
    size_t n = strlen(word);

    if (line->number == 0 || strncmp(line->text, word, n) != 0 ||
        line->text[n] != ' ' || line->text[n + 1] == '\0')
        return NULL;
    return line->text + n + 1;
}

static bool is_hash_hex(const char *text)
{
    unsigned char bytes[SHA256_BYTES];

    return text_unhex(bytes, sizeof bytes, text);
}

/* "seat K name=NAME ...", K from 1 upwards. */
static bool read_seat_line(struct record *r, struct record_line *line,
                           const char *at, int *seats, struct err *err)
{
    int seat;

    if (!take_int(&at, 1, r->setup.seats, &seat) || seat != *seats + 1 ||
        !take_text(&at, " name="))
        return record_wrong(r, line, err, "\"seat %d name=NAME ...\"",
                            *seats + 1);
    r->seat[(*seats)++] = at - strlen("name=");
    return true;
}

/* "time K CONTROL", in any order. */
static bool read_time_line(struct record *r, struct record_line *line,
                           const char *at, struct err *err)
{
    int seat;

    if (!take_int(&at, 1, r->setup.seats, &seat) || !take_text(&at, " "))
        return record_wrong(r, line, err, "\"time K CONTROL\"");
    r->time[seat - 1] = at;
    return true;
}

const char *about_find(const char *about, const char *key, size_t *len)
{
    size_t n = strlen(key);

    for (const char *at = about; at && *at; at += strcspn(at, " ")) {
        at += *at == ' ';
        if (strncmp(at, key, n) == 0 && at[n] == '=') {
            *len = strcspn(at + n + 1, " ");
            return at + n + 1;
        }
    }
    return NULL;
}

static void find_name(const char *text, const char *first, const char *second,
                      char name[RECORD_NAME_MAX + 1])
{
    static const char about[] = "\nabout ";
    const char *at = strstr(text, about), *value;
    const char *feed = at ? strchr(at + 1, '\n') : NULL;
    char line[LINE_MAX_BYTES + 1];
    size_t len;

    name[0] = '\0';
    if (!feed || (size_t)(feed - at) >= sizeof line)
        return;
    len = (size_t)(feed - at) - strlen(about);
    memcpy(line, at + strlen(about), len);
    line[len] = '\0';
    value = about_find(line, first, &len);
    if (!value)
        value = about_find(line, second, &len);
    if (value && len <= RECORD_NAME_MAX) {
        memcpy(name, value, len);
        name[len] = '\0';
    }
}

void record_name(const char *text, char name[RECORD_NAME_MAX + 1])
{
    find_name(text, "id", "match", name);
}

void record_match_name(const char *text, char name[RECORD_NAME_MAX + 1])
{
    find_name(text, "match", "id", name);
}

/* Words, each KEY=VALUE. */
static bool is_about(const char *at)
{
    while (*at) {
        size_t word = strcspn(at, " "), key = strcspn(at, "= ");

        if (key == 0 || key + 1 >= word)
            return false;
        at += word;
        if (*at && *++at == '\0')
            return false;
    }
    return true;
}

static bool read_about(struct record *r, struct record_line *line,
                       struct err *err)
{
    r->about = after(line, "about");
    if (!r->about)
        return true;
    if (!is_about(r->about))
        return record_wrong(r, line, err, "\"about KEY=VALUE ...\"");
    return record_next(r, line, err);
}

static bool read_entropy(struct record *r, struct record_line *line,
                         struct err *err)
{
    const char *at = after(line, "entropy");

    if (!at)
        return true;
    if (!is_entropy(at, r->setup.seats))
        return record_wrong(r, line, err,
                            "\"entropy\" and a word per seat: up to 64 hex "
                            "digits, or -");
    r->entropy = at;
    return record_next(r, line, err);
}

/* The lines between `seats` and `deal`, each of which may be missing. */
static bool read_particulars(struct record *r, struct record_line *line,
                             struct err *err)
{
    const char *at;
    int seats = 0;

    if (!read_about(r, line, err))
        return false;
    while ((at = after(line, "seat")) != NULL)
        if (!read_seat_line(r, line, at, &seats, err) ||
            !record_next(r, line, err))
            return false;
    while ((at = after(line, "time")) != NULL)
        if (!read_time_line(r, line, at, err) || !record_next(r, line, err))
            return false;
    if ((at = after(line, "commit")) == NULL)
        return true;
    if (strcmp(at, "none") != 0 && !is_hash_hex(at))
        return record_wrong(r, line, err,
                            "\"commit\" and 64 hex digits, or \"commit none\"");
    r->commit = at;
    return record_next(r, line, err) && read_entropy(r, line, err);
}

static bool read_game(struct record *r, struct err *err)
{
    struct record_line line;
    const char *name;

    if (!record_next(r, &line, err))
        return false;
    name = after(&line, "game");
    if (!name)
        return record_wrong(r, &line, err, "\"game NAME\"");
    if (!game_named(name, &r->game, err))
        return fail_at(err, "%s:%d", r->name, line.number);
    return true;
}

/* `set` lines, then `seats`. `line` is left on the one that follows. */
static bool read_setup(struct record *r, struct record_line *line,
                       struct err *err)
{
    const char *at;
    int number;

    if (!record_next(r, line, err))
        return false;
    while ((at = after(line, "set")) != NULL) {
        if (!setup_set(r->game, &r->setup, at, err))
            return fail_at(err, "%s:%d", r->name, line->number);
        if (!record_next(r, line, err))
            return false;
    }
    at = after(line, "seats");
    number = line->number;
    if (!at || !take_int(&at, 1, SEATS_MAX, &r->setup.seats) || !at_end(at))
        return record_wrong(r, line, err, "\"seats N\" or \"set NAME=VALUE\"");
    if (!game_accepts(r->game, &r->setup, err))
        return fail_at(err, "%s:%d", r->name, number);
    return record_next(r, line, err);
}

/* Put the line back: it belongs to the body. */
static void put_back(struct record *r, const struct record_line *line)
{
    if (line->number == 0)
        return;
    line->whole[strlen(line->whole)] = '\n';
    r->at = line->whole;
    r->lines = line->number - 1;
}

/* The line that begins like this, if it is complete; without its beginning. */
static const char *whole_line(const char *text, const char *begin)
{
    const char *at = strstr(text, begin);

    return at && strchr(at + 1, '\n') ? at + strlen(begin) : NULL;
}

bool record_has_head(const char *text)
{
    const char *game = whole_line(text, "\ngame ");
    const char *seats = whole_line(text, "\nseats ");
    char word[32], time[32];
    const struct game *found;

    if (!game || !seats || strcspn(game, "\n") >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(game, "\n"), game);
    snprintf(time, sizeof time, "\ntime %.*s ", (int)strspn(seats, "123456789"),
             seats);
    found = game_find(word);
    return found && whole_line(text, found->deal ? "\ndeal " : time);
}

bool record_open(struct record *r, const char *name, int lines_before,
                 char *text, size_t len, struct err *err)
{
    struct record_line line;
    int lines;

    *r = (struct record){
        .name = name, .at = text, .end = text + len, .lines = lines_before};
    while (r->end > text && r->end[-1] != '\n') {
        r->cut = true;
        r->end--;
    }
    text += comment_bytes(text, (size_t)(r->end - text), &lines);
    look_for_hash(r, text);
    if (!record_next(r, &line, err))
        return false;
    if (line.number == 0 || strcmp(line.text, "record 1") != 0)
        return record_wrong(r, &line, err, "\"record 1\"");
    if (!read_game(r, err) || !read_setup(r, &line, err) ||
        !read_particulars(r, &line, err))
        return false;
    if (r->game->deal) {
        r->deal = after(&line, "deal");
        if (!r->deal)
            return record_wrong(r, &line, err, "\"deal ...\"");
    } else {
        if (after(&line, "deal"))
            return record_wrong(r, &line, err, "no deal: %s has no chance",
                                r->game->name);
        put_back(r, &line);
    }
    r->told = tells_events(r->at, r->end);
    return true;
}
