#ifndef REFEREE_CMD_LIB_CONTROL_CLIENT_H
#define REFEREE_CMD_LIB_CONTROL_CLIENT_H

/*
 * control_client.h - give a running daemon an order, as daemon/control.h has
 * it, and show the answer.
 */

#include "base/buf.h"
#include "cmd/cmd.h"

#include <jansson.h>

/* From the command line. */
struct control_args {
    const char *control, *config;
    bool as_json;
};

#define ORDER_USE "[--control PATH | --config FILE] [--json]"

#define ORDER_OPTS(args)                                                       \
    {"control",                                                                \
     "PATH",                                                                   \
     "the server's control socket (default data/control)",                     \
     OPT_TEXT,                                                                 \
     &(args).control,                                                          \
     0,                                                                        \
     0},                                                                       \
        {"config", "FILE",         "the server's referee.ini, which names it", \
         OPT_TEXT, &(args).config, 0,                                          \
         0},                                                                   \
    {                                                                          \
        "json", NULL, "print the server's answer unchanged", OPT_FLAG,         \
            &(args).as_json, 0, 0                                              \
    }

typedef void show_answer(const json_t *answer, struct buf *out);

/* Give it, about a bot if `name` is not NULL, and show the answer: as it is, or
 * what `shown` makes of it. Returns the exit code. */
int control_call(const struct control_args *args, const char *verb,
                 const char *name, show_answer *shown);

/* One without arguments; those that are there are refused. */
int control_alone(const struct control_args *args, const char *verb, int argc,
                  char **argv, show_answer *shown);

#endif
