#include "match/record.h"

#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    AUDIENCE_TEXT = 2 * SEATS_MAX + 3, /* "@1,2,3,4,5,6,w " */
    LINES_AT_ONCE = 8, /* room for this many; otherwise memory would be
                        * wasted */
};

void record_init(struct record_writer *w)
{
    *w = (struct record_writer){0};
    buf_init(&w->text, RECORD_FILE_MAX);
    sha256_begin(&w->hash);
}

void record_release(struct record_writer *w)
{
    buf_release(&w->text);
}

/* After the text that was written. */
static char *write_audience(seat_set to, int seats, char *at)
{
    const seat_set all = SEATS(seats) | WATCHERS;
    char comma = '@';

    if ((to & all) == all)
        return at;
    for (int seat = 0; seat < seats; seat++)
        if (to & SEAT(seat)) {
            *at++ = comma;
            *at++ = (char)('1' + seat);
            comma = ',';
        }
    if (to & WATCHERS || comma == '@') {
        *at++ = comma;
        *at++ = to & WATCHERS ? 'w' : '-';
    }
    *at++ = ' ';
    return at;
}

void audience_write(seat_set to, int seats, struct buf *out)
{
    char text[AUDIENCE_TEXT];

    buf_put(out, text, (size_t)(write_audience(to, seats, text) - text));
}

static char *jot_line(char *at, seat_set to, int seats, const char *text,
                      size_t len)
{
    at = jot_text(write_audience(to, seats, at), text, len);
    *at = '\n';
    return at + 1;
}

void record_line(struct record_writer *w, seat_set to, const char *text)
{
    size_t len = strlen(text);
    char *at = w->off ? NULL : buf_room(&w->text, AUDIENCE_TEXT + len + 1);

    if (at)
        buf_upto(&w->text, jot_line(at, to, w->seats, text, len));
}

static void put_lines(struct record_writer *w, const struct lines *lines,
                      size_t first, size_t end)
{
    size_t upto = end < lines->count ? lines->line[end].at : lines->text.len;
    char *at = buf_room(&w->text, upto - lines->line[first].at +
                                      (end - first) * AUDIENCE_TEXT);

    if (!at)
        return;
    for (size_t i = first; i < end; i++)
        at = jot_line(at, lines->line[i].to, w->seats, lines_text(lines, i),
                      lines_len(lines, i));
    buf_upto(&w->text, at);
}

void record_lines(struct record_writer *w, const struct lines *lines,
                  size_t first)
{
    for (size_t end; !w->off && first < lines->count; first = end) {
        end = first + LINES_AT_ONCE;
        end = end < lines->count ? end : lines->count;
        put_lines(w, lines, first, end);
    }
}

/* The line ends after this. */
static void put_word(struct record_writer *w, const char *word)
{
    buf_str(&w->text, word);
    buf_char(&w->text, '\n');
}

void record_head(struct record_writer *w, const struct game *game,
                 const struct setup *setup)
{
    w->seats = setup->seats;
    buf_str(&w->text, "record 1\ngame ");
    put_word(w, game->name);
    for (int i = 0; game->options && game->options[i].name; i++)
        if (setup->option[i])
            buf_add(&w->text, "set %s=%s\n", game->options[i].name,
                    setup->option[i]);
    buf_str(&w->text, "seats ");
    buf_int(&w->text, setup->seats);
    buf_char(&w->text, '\n');
}

static void put_line(struct record_writer *w, const char *word,
                     const char *text)
{
    if (!text)
        return;
    buf_str(&w->text, word);
    put_word(w, text);
}

void record_deal(struct record_writer *w, const char *commit,
                 const char *entropy, const char *deal)
{
    put_line(w, "commit ", commit);
    put_line(w, "entropy ", entropy);
    put_line(w, "deal ", deal);
}

void record_seed(struct record_writer *w, const uint8_t seed[SEED_BYTES])
{
    char hex[2 * SEED_BYTES + 1];

    text_hex(hex, seed, SEED_BYTES);
    buf_str(&w->text, "seed ");
    put_word(w, hex);
}

void record_taken(struct record_writer *w)
{
    if (!w->off && !w->closed)
        sha256_add(&w->hash, w->text.text, w->text.len);
    w->taken += w->text.len;
    buf_reset(&w->text);
}

void record_close(struct record_writer *w)
{
    unsigned char digest[SHA256_BYTES];
    char hex[HASH_HEX + 1];

    sha256_add(&w->hash, w->text.text, w->text.len);
    sha256_end(&w->hash, digest);
    w->closed = true;
    text_hex(hex, digest, sizeof digest);
    buf_str(&w->text, "hash ");
    put_word(w, hex);
    assert(buf_ok(&w->text));
}

void seed_commit(const uint8_t seed[SEED_BYTES], int part,
                 char hex[HASH_HEX + 1])
{
    unsigned char digest[SHA256_BYTES], bytes[SEED_BYTES + 20];
    size_t len = SEED_BYTES;

    memcpy(bytes, seed, SEED_BYTES);
    if (part > 1)
        len += (size_t)snprintf((char *)bytes + len, sizeof bytes - len,
                                "part %d", part);
    sha256_of(bytes, len, digest);
    text_hex(hex, digest, sizeof digest);
}

bool is_contribution(const char *text, size_t len)
{
    return len > 0 && len <= ENTROPY_HEX && len % 2 == 0 &&
           strspn(text, "0123456789abcdef") >= len;
}

bool is_entropy(const char *at, int seats)
{
    for (int i = 0; i < seats; i++) {
        size_t len = strcspn(at, " ");

        if (!(len == 1 && *at == '-') && !is_contribution(at, len))
            return false;
        at += len;
        if (i < seats - 1 && *at++ != ' ')
            return false;
    }
    return *at == '\0';
}

void seed_mix(const uint8_t seed[SEED_BYTES], const char *entropy,
              uint8_t mixed[SEED_BYTES])
{
    char text[32 + 2 * SEED_BYTES + ENTROPY_TEXT], hex[2 * SEED_BYTES + 1];
    int len;

    memmove(mixed, seed, SEED_BYTES);
    if (!entropy)
        return;
    text_hex(hex, seed, SEED_BYTES);
    len = snprintf(text, sizeof text, "referee-entropy-1 %s %s", hex, entropy);
    sha256_of(text, (size_t)len, mixed);
}

static void write_numbers(const int *number, int n, struct buf *out)
{
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_char(out, ',');
        buf_int(out, number[i]);
    }
}

void result_write(const struct result *result, int seats,
                  const char *const *why, struct buf *out)
{
    const char *before = " left=";

    buf_str(out, "result ranks=");
    write_numbers(result->rank, seats, out);
    buf_str(out, " scores=");
    write_numbers(result->score, seats, out);
    buf_str(out, " reason=");
    buf_str(out, result->reason);
    for (int seat = 0; seat < seats; seat++)
        if (why[seat]) {
            buf_add(out, "%s%d:%s", before, seat + 1, why[seat]);
            before = ",";
        }
}
