#include "base/text.h"

#include <stdint.h>
#include <string.h>

enum {
    WORD_MAX = 40,
    CUT_SHORT = 3, /* enough letters to recognise a name */
};

bool take_char(const char **at, char c)
{
    if (**at != c || c == '\0')
        return false;
    ++*at;
    return true;
}

bool take_text(const char **at, const char *text)
{
    size_t n = strlen(text);

    if (strncmp(*at, text, n) != 0)
        return false;
    *at += n;
    return true;
}

bool take_word(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0 || ((*at)[n] != ' ' && (*at)[n] != '\0'))
        return false;
    *at += n;
    *at += strspn(*at, " ");
    return true;
}

bool take_int(const char **at, int min, int max, int *value)
{
    bool negative = **at == '-';
    const char *first = *at + negative, *c = first;
    uint32_t size = 0;
    int64_t n;

    for (; is_digit(*c); c++) {
        if (size > INT32_MAX / 10)
            return false;
        size = 10 * size + (uint32_t)(*c - '0');
    }
    if (c == first || (*first == '0' && (negative || c - first > 1)))
        return false;
    n = negative ? -(int64_t)size : size;
    if (n < min || n > max)
        return false;
    *value = (int)n;
    *at = c;
    return true;
}

bool take_one_of(const char **at, const char *set, int *index)
{
    int i = 0;

    while (set[i] && set[i] != **at)
        i++;
    if (!set[i])
        return false;
    *index = i;
    ++*at;
    return true;
}

void text_join(char *out, size_t size, ...)
{
    char *end = out + size - 1;
    const char *part;
    va_list parts;

    va_start(parts, size);
    while ((part = va_arg(parts, const char *)) != NULL) {
        size_t len = strlen(part), room = (size_t)(end - out);

        if (len > room)
            len = room;
        out = jot_text(out, part, len);
    }
    va_end(parts);
    *out = '\0';
}

bool at_end(const char *at)
{
    return *at == '\0';
}

bool value_of_key(const char *line, const char *key, const char **value)
{
    size_t len = strlen(key);

    for (const char *at = line; *at; at += strspn(at, " ")) {
        if (strncmp(at, key, len) == 0 && at[len] == '=') {
            *value = at + len + 1;
            return true;
        }
        at += strcspn(at, " ");
    }
    return false;
}

bool is_plain(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

void make_plain(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

bool is_word(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~')
            return false;
    return true;
}

static int word_length(const char *word)
{
    const char *end = memchr(word, '\0', WORD_MAX);

    return end ? (int)(end - word) : WORD_MAX;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Three rows of the Damerau-Levenshtein table are enough. */
int text_distance(const char *a, const char *b)
{
    int row[3][WORD_MAX + 1];
    int *above = row[0], *last = row[1], *now = row[2];
    int na = word_length(a), nb = word_length(b);

    for (int j = 0; j <= nb; j++)
        above[j] = last[j] = j;
    for (int i = 1; i <= na; i++) {
        int *spare = above;

        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1,
                           last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], above[j - 2] + 1);
        }
        above = last;
        last = now;
        now = spare;
    }
    return last[nb];
}

/*
 * About every third letter may differ, that is one letter in a name of two to
 * four; or the name may be cut short. More than that would be a wild guess.
 */
static bool is_near(const char *word, const char *name)
{
    int n = word_length(word);

    return text_distance(word, name) <= (word_length(name) + 1) / 3 ||
           (n >= CUT_SHORT && strncmp(word, name, (size_t)n) == 0);
}

void guess_begin(struct guess *guess, const char *word)
{
    *guess = (struct guess){.word = word};
    buf_init(&guess->all, 4096);
}

void guess_add(struct guess *guess, const char *before, const char *name)
{
    buf_add(&guess->all, "%s%s%s", guess->all.len ? ", " : "", before, name);
    if (!is_near(guess->word, name))
        return;
    if (!guess->nearest || text_distance(guess->word, name) <
                               text_distance(guess->word, guess->nearest))
        guess->nearest = name;
}

void guess_end(struct guess *guess)
{
    buf_release(&guess->all);
}

size_t words_at(const char *words, int i, const char **word)
{
    for (; i > 0; i--) {
        words = strchr(words, '|');
        if (!words)
            return 0;
        words++;
    }
    *word = words;
    return strcspn(words, "|");
}

int words_find(const char *words, const char *word)
{
    const char *at;
    size_t n;

    for (int i = 0; (n = words_at(words, i, &at)) != 0; i++)
        if (strlen(word) == n && memcmp(at, word, n) == 0)
            return i;
    return -1;
}

static const char hex_digits[] = "0123456789abcdef";

void text_hex(char *out, const unsigned char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = hex_digits[bytes[i] >> 4];
        out[2 * i + 1] = hex_digits[bytes[i] & 15];
    }
    out[2 * len] = '\0';
}

bool text_unhex(unsigned char *out, size_t len, const char *hex)
{
    for (size_t i = 0; i < len; i++) {
        int high, low;

        if (!take_one_of(&hex, hex_digits, &high) ||
            !take_one_of(&hex, hex_digits, &low))
            return false;
        out[i] = (unsigned char)(high << 4 | low);
    }
    return at_end(hex);
}
