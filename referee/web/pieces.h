#ifndef REFEREE_WEB_PIECES_H
#define REFEREE_WEB_PIECES_H

/*
 * pieces.h - the parts of the pages of site.h: the frame, links, tables.
 *
 * All text from strangers is escaped here, so a name cannot break a page that
 * itself writes only constants.
 */

#include "base/buf.h"
#include "web/page.h"

#include <jansson.h>

/* Members of a JSON object; "", 0 or false if they are missing. */
const char *text_at(const json_t *object, const char *key);
long long int_at(const json_t *object, const char *key);
double real_at(const json_t *object, const char *key);
bool is_true_at(const json_t *object, const char *key);
const json_t *list_at(const json_t *object, const char *key);
bool has_at(const json_t *object, const char *key); /* and it is not null */

/* The frame. `here` is the path of its tab, or "". */
struct site;

void frame_begin(struct buf *out, const struct site *site, const char *title,
                 const char *here);
/* The same for the page of one game, with the scripts of that game only. */
void frame_begin_game(struct buf *out, const struct site *site,
                      const char *title, const char *game);
void frame_end(struct buf *out);
void add_heading(struct buf *out, const char *text, const char *sub);

/* A text as part of an address. */
void add_path(struct buf *out, const char *text);

/* "<a href="/FOLDER/NAME">NAME</a>" */
void add_link(struct buf *out, const char *folder, const char *name);

/* The title of a game, as a link to its rules. */
void add_rules_link(struct buf *out, const char *game);

/* "fischer:60s+1s" for people: "60s + 1s a move". */
void add_time_control(struct buf *out, const char *control);

/* A link from a number to the list of games that it counts. */
struct site_games_of {
    const char *ladder, *bot, *opponent, *result, *fault;
    int seat;
};

void add_games_path(struct buf *out, const struct site_games_of *of);
void add_count(struct buf *out, const struct site_games_of *of,
               long long count);

/*
 * Tables. A column is text if '<' stands before its name, and is left out on
 * phones if '~' does; its cells need the same class.
 */
void table_open(struct buf *out, const char *label, const char *class,
                const char *const *columns);
void table_close(struct buf *out);
void add_number(struct buf *out, long long number);
void add_time(struct buf *out, const char *date);
void date_cell(struct buf *out, const char *date);

/* A digest is long; its beginning tells versions apart. */
void add_version(struct buf *out, const char *version);

/* A shell command to be copied. */
void add_command(struct buf *out, const char *text);

#endif
