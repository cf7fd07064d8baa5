/* referee pause, resume, stop, kick, reload - send orders to a daemon. */

#include "base/text.h"
#include "cmd/lib/control_client.h"

static struct control_args args;

/* One function for each answer. */

static void show_state(const json_t *answer, struct buf *out)
{
    const char *state = json_string_value(json_object_get(answer, "state"));
    long long n = json_integer_value(json_object_get(answer, "running"));

    buf_add(out, "%s; %lld game%s running\n", state ? state : "?", n,
            n == 1 ? " is" : "s are");
}

static void show_kicked(const json_t *answer, struct buf *out)
{
    long long n = json_integer_value(json_object_get(answer, "kicked"));

    buf_add(out, "%lld connection%s closed\n", n, n == 1 ? "" : "s");
}

static void show_reloaded(const json_t *answer, struct buf *out)
{
    const json_t *changes = json_object_get(answer, "changes");
    size_t count = json_array_size(changes);

    buf_add(out, "the configuration has been read again: %zu change%s\n", count,
            count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        buf_add(out, "  %s\n", json_string_value(json_array_get(changes, i)));
    if (json_is_true(json_object_get(answer, "needs_restart")))
        buf_str(out, "changes of listeners, control, http and data need a "
                     "restart\n");
}

static int run_pause(int argc, char **argv)
{
    return control_alone(&args, "pause", argc, argv, show_state);
}

static int run_resume(int argc, char **argv)
{
    return control_alone(&args, "resume", argc, argv, show_state);
}

static int run_stop(int argc, char **argv)
{
    return control_alone(&args, "stop", argc, argv, show_state);
}

static int run_reload(int argc, char **argv)
{
    return control_alone(&args, "reload", argc, argv, show_reloaded);
}

static int run_kick(int argc, char **argv)
{
    if (argc != 1)
        return complain("kick takes one name, not %d", argc);
    if (!*argv[0] || !is_word(argv[0]))
        return complain("kick: \"%.40s\" is not the name of a bot", argv[0]);
    return control_call(&args, "kick", argv[0], show_kicked);
}

static const struct opt opts[] = {
    ORDER_OPTS(args),
    {0},
};

const struct subcommand cmd_pause = {
    .name = "pause",
    .args = ORDER_USE,
    .about = "stop a server from starting new games",
    .more = "Running games continue. \"referee resume\" ends the pause.",
    .opts = opts,
    .run = run_pause,
};

const struct subcommand cmd_resume = {
    .name = "resume",
    .args = ORDER_USE,
    .about = "let a server start games again",
    .opts = opts,
    .run = run_resume,
};

const struct subcommand cmd_stop = {
    .name = "stop",
    .args = ORDER_USE,
    .about = "stop a server",
    .more = "No new games start. The server exits when the last game is over, "
            "or\n"
            "when its stop-limit expires. The command does not wait for that.",
    .opts = opts,
    .run = run_stop,
};

const struct subcommand cmd_kick = {
    .name = "kick",
    .args = "NAME " ORDER_USE,
    .about = "close all connections of a bot",
    .opts = opts,
    .run = run_kick,
};

const struct subcommand cmd_reload = {
    .name = "reload",
    .args = ORDER_USE,
    .about = "make a server read its configuration again",
    .more = "New bots and ladders join; removed ones finish their games. If "
            "the\n"
            "new configuration has a mistake, the old one stays, and the "
            "server's\n"
            "log says why.",
    .opts = opts,
    .run = run_reload,
};
