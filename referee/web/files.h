#ifndef REFEREE_FILES_H
#define REFEREE_FILES_H

/*
 * files.h - the scripts and the style sheet of the page, put into the program
 * by make. WEB_FILES in Makefile.am lists them, in the order of loading.
 */

#include <stdbool.h>
#include <stddef.h>

struct web_file {
    const char *name; /* "draw.js" */
    const char *text;
    size_t len;
};

size_t web_file_count(void);
const struct web_file *web_file_at(size_t i);
const struct web_file *web_file_find(const char *name); /* or NULL */

/*
 * True if only pages where people play need it, or only pages of the daemon.
 */
bool web_file_is_for_play(const struct web_file *file);
bool web_file_is_for_site(const struct web_file *file);

/* True for a board or an input of another game: a page that shows only this
 * game does without it. */
bool web_file_is_for_other(const struct web_file *file, const char *game);

/* "text/javascript; charset=utf-8" and the like. */
const char *web_file_type(const struct web_file *file);

#endif
