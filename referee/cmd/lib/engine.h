#ifndef REFEREE_ENGINE_H
#define REFEREE_ENGINE_H

/*
 * engine.h - a program that is asked over its standard input and answers in
 * lines, for commands that stand between two others and wait for both.
 *
 * Everything here blocks. While it waits for a line or for room to write, it
 * also reads the program's standard error, whose lines go to the owner at
 * once; so the program never hangs because nobody listens.
 */

#include "base/buf.h"

#include <sys/types.h>

enum { ENGINE_LINE_MAX = 1 << 20 };

/* Bytes that came, cut into lines. */
struct engine_pipe {
    int fd; /* -1 at its end */
    struct buf bytes;
    size_t read; /* so many were handed out */
};

struct engine {
    pid_t pid;
    int to;
    struct engine_pipe out, error;
    void (*on_error)(void *owner, const char *line);
    void *owner;
};

bool engine_start(struct engine *engine, char *const *argv,
                  void (*on_error)(void *owner, const char *line), void *owner,
                  struct err *err) MUST_CHECK;

/* Close its input, give it some time to end, and then end it. */
void engine_end(struct engine *engine);

/* False if it has closed its input. */
bool engine_write(struct engine *engine, const char *bytes, size_t len);

/* The next line, without its end, good until the next call; NULL at the end. */
char *engine_line(struct engine *engine);

/*
 * Ask in plain GTP: one command, then all lines of the answer up to the empty
 * one, without '=' or '?', joined by line feeds.
 */
enum engine_answer { ENGINE_SAYS, ENGINE_REFUSES, ENGINE_GONE };

enum engine_answer engine_ask(struct engine *engine, const char *command,
                              struct buf *text);

#endif
