#ifndef REFEREE_BASE_TEXT_H
#define REFEREE_BASE_TEXT_H

/*
 * text.h - reading a line from left to right.
 *
 * Each take_ function reads one thing at *at and, if it is there, moves *at
 * past it. If not, *at stays and the function returns false. They chain:
 *
 *     if (!take_int(&at, 0, 80, &x) || !take_char(&at, ',') ||
 *         !take_int(&at, 0, 80, &y) || !at_end(at))
 *         return fail(err, "say X,Y");
 */

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Exactly this character. */
bool take_char(const char **at, char c);

/* Exactly this text. */
bool take_text(const char **at, const char *text);

/* This word and the blanks after it. A word ends at a blank or at the end. */
bool take_word(const char **at, const char *word);

/*
 * A number in its only spelling: "0", or digits without a leading zero, with a
 * '-' before a negative number. No '+', no "-0", nothing outside min..max.
 */
bool take_int(const char **at, int min, int max, int *value);

/* One of the characters of `set`; *index is its position there. */
bool take_one_of(const char **at, const char *set, int *index);

bool at_end(const char *at);

/* What follows "KEY=" in a line of such pairs; false if there is none. */
bool value_of_key(const char *line, const char *key, const char **value);

/* True if text is one line of printable ASCII. */
bool is_plain(const char *text);

/* Make it printable: every other byte becomes '?'. */
void make_plain(char *text);

/* The same without blanks. */
bool is_word(const char *text);

/*
 * Join texts up to a NULL, cut where there is no room: what snprintf() does for
 * "%s/%s.rec", at a tenth of its cost.
 */
void text_join(char *out, size_t size, ...) UP_TO_NULL;

/* How many letters differ: insertions, deletions, changes, swaps. */
int text_distance(const char *a, const char *b);

/*
 * What somebody may have meant by an unknown word. `nearest` is a known name
 * that differs from it by a typing error, or NULL. `all` lists the known names,
 * separated by commas.
 */
struct guess {
    const char *word;
    const char *nearest;
    struct buf all;
};

void guess_begin(struct guess *guess, const char *word);
void guess_add(struct guess *guess, const char *before, const char *name);
void guess_end(struct guess *guess);

/*
 * A word from a list such as "edge|face|interlock": its position, or -1.
 * words_at() returns the length of the i-th word and points *word at it, or
 * returns 0.
 */
int words_find(const char *words, const char *word);
size_t words_at(const char *words, int i, const char **word);

/* Lower-case hex, both ways. text_hex() writes 2 * len digits and a NUL. */
void text_hex(char *out, const unsigned char *bytes, size_t len);
bool text_unhex(unsigned char *out, size_t len, const char *hex);

#endif
