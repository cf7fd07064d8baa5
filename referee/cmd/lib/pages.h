#ifndef REFEREE_CMD_PAGES_H
#define REFEREE_CMD_PAGES_H

/*
 * pages.h - games of record files as one HTML file, and tables that link to
 * it. A game in the file FILE has the address FILE#game=ID.
 */

#include "base/err.h"
#include "web/page.h"

/* Add a record; `file` is its file name, and the call consumes its text. */
bool pages_add(struct page *page, const char *file, int lines_before,
               struct buf *text, struct err *err) MUST_CHECK;

/* Add the records of all *.rec files in a folder. */
bool pages_add_folder(struct page *page, const char *folder,
                      struct err *err) MUST_CHECK;

/* Write text to a file; "-" is standard output. */
bool pages_save_text(const struct buf *text, const char *path,
                     struct err *err) MUST_CHECK;
bool pages_save(const struct page *page, const char *path,
                struct err *err) MUST_CHECK;

/* Turn "cup.html" into "cup-games.html". */
void pages_name(const char *path, struct buf *out);

/* A link to a game of that file; only its id if `file` is NULL. */
void pages_link(struct buf *out, const char *file, const char *id);

#endif
