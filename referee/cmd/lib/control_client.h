#ifndef REFEREE_CMD_LIB_CONTROL_CLIENT_H
#define REFEREE_CMD_LIB_CONTROL_CLIENT_H

/*
 * control_client.h - send an order to a running daemon (see daemon/control.h)
 * and show the answer.
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

/* Send the order, about a bot if `name` is not NULL, and show the answer
 * unchanged, or as `shown` formats it. Returns the exit code. */
int control_call(const struct control_args *args, const char *verb,
                 const char *name, show_answer *shown);

/* An order without arguments; any that are given are refused. */
int control_alone(const struct control_args *args, const char *verb, int argc,
                  char **argv, show_answer *shown);

#endif
