#ifndef REFEREE_PAGE_H
#define REFEREE_PAGE_H

/*
 * page.h - games as one self-contained HTML file.
 *
 * Scripts, style and games are in the file. Its policy allows exactly these, by
 * their hashes, and no network. Without scripts it is a text log. It contains
 * what its documents contain, so the audience is chosen when they are made.
 */

#include "base/buf.h"

#include <jansson.h>

struct page {
    json_t *games; /* [{"game": DOCUMENT, "file": NAME, "record": TEXT}] */
};

void page_init(struct page *page);
void page_release(struct page *page);

/*
 * Add a document of steps.h, which then belongs to the page. `record` is the
 * record as text. Pass it only with a document for the referee, because a
 * record reveals everything.
 */
void page_add(struct page *page, json_t *document, const char *file,
              const char *record);

size_t page_count(const struct page *page);
void page_write(const struct page *page, struct buf *out);

/* Text in HTML: & < > " ' are written as entities. */
void html_text(struct buf *out, const char *text);

#endif
