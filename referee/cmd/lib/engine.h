#ifndef REFEREE_ENGINE_H
#define REFEREE_ENGINE_H

/*
 * engine.h - run a program that gets questions on its standard input and
 * answers in lines. For commands that sit between two programs and wait for
 * both.
 *
 * Everything here blocks. While it waits for a line or for room to write, it
 * also reads the program's standard error and passes each line to the owner at
 * once. So the program never blocks because nobody reads its output.
 */

#include "base/buf.h"

#include <sys/types.h>

enum { ENGINE_LINE_MAX = 1 << 20 };

/* Received bytes, split into lines. */
struct engine_pipe {
    int fd; /* -1 at end of file */
    struct buf bytes;
    size_t read; /* bytes already returned */
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

/* Close its input, give it time to end, then kill it. */
void engine_end(struct engine *engine);

/* False if the program has closed its input. */
bool engine_write(struct engine *engine, const char *bytes, size_t len);

/*
 * The next line, without its line end, valid until the next call; NULL at the
 * end.
 */
char *engine_line(struct engine *engine);

/*
 * Send one plain GTP command. The answer is every line up to the empty one,
 * without '=' or '?', joined by line feeds.
 */
enum engine_answer { ENGINE_SAYS, ENGINE_REFUSES, ENGINE_GONE };

enum engine_answer engine_ask(struct engine *engine, const char *command,
                              struct buf *text);

#endif
