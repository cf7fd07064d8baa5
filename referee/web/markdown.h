#ifndef REFEREE_WEB_MARKDOWN_H
#define REFEREE_WEB_MARKDOWN_H

/*
 * markdown.h - HTML from the Markdown in which protocol.md is written.
 *
 * Paragraphs, headings of the third level, tables, lists with '*', fences,
 * and in a line **strong**, *emphasis*, `code` and [links](elsewhere), of
 * which only the text is kept. Everything else is text, and is escaped.
 */

#include "base/buf.h"

void markdown_write(const char *text, size_t len, struct buf *out);

#endif
