/* referee strike, retire, ban - send a daemon orders about a bot. */

#include "store/orders.h"
#include "base/text.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/control_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct control_args args;
static const char *why, *ladder, *version;
static bool undo;

static const struct opt ban_opts[] = {
    {"why", "TEXT",
     "the reason, which is logged and shown to the bot's "
     "owner",
     OPT_TEXT, &why, 0, 0},
    {"undo", NULL, "reverse the order", OPT_FLAG, &undo, 0, 0},
    ORDER_OPTS(args),
    {0},
};

static const struct opt opts[] = {
    {"why", "TEXT",
     "the reason, which is logged and shown to the bot's "
     "owner",
     OPT_TEXT, &why, 0, 0},
    {"ladder", "NAME", "only on this ladder (default: all)", OPT_TEXT, &ladder,
     0, 0},
    {"version", "TEXT", "only this version (default: all)", OPT_TEXT, &version,
     0, 0},
    {"undo", NULL, "reverse the order", OPT_FLAG, &undo, 0, 0},
    ORDER_OPTS(args),
    {0},
};

static void copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    return text ? text : "";
}

static void show(const json_t *answer, struct buf *out)
{
    static const struct {
        const char *done, *undone;
    } words[ORDER_ABOUT_BOTS] = {
        [ORDER_STRIKE] = {"is struck: its games do not count, and it plays "
                          "no more",
                          "is no longer struck: its games count, and it "
                          "plays again"},
        [ORDER_RETIRE] = {"is retired: it plays no more, and its games count",
                          "is no longer retired: it plays again"},
        [ORDER_BAN] = {"is banned: it plays no more and cannot log in",
                       "is no longer banned"},
    };
    struct order order;
    struct err err;

    if (!order_parse(answer, &order, &err) || order.kind >= ORDER_ABOUT_BOTS)
        return;
    buf_add(out, "%s%s%s%s%s %s\n", order.name,
            order.version[0] ? ", version " : "", order.version,
            order.ladder[0] ? ", on " : "", text_of(answer, "ladder"),
            order.undo ? words[order.kind].undone : words[order.kind].done);
}

static int give(enum order_kind kind, int argc, char **argv)
{
    struct order order = {.kind = kind, .undo = undo};
    const char *word = order_word(kind);
    json_t *json;
    char *text;
    int code;

    if (argc != 1)
        return complain("%s takes one name: referee %s NAME --why TEXT", word,
                        word);
    if (!is_bot_name(argv[0]))
        return complain("%s: \"%.40s\" is not the name of a bot", word,
                        argv[0]);
    if (!why && !undo)
        return complain("%s: the reason is missing; add --why TEXT", word);
    if (why && strlen(why) > ORDER_WHY_MAX)
        return complain("%s: the reason has %zu bytes; at most %d are "
                        "allowed",
                        word, strlen(why), ORDER_WHY_MAX);
    copy(order.name, sizeof order.name, argv[0]);
    copy(order.ladder, sizeof order.ladder, ladder);
    copy(order.version, sizeof order.version, version);
    copy(order.why, sizeof order.why, why);
    json = order_json(&order);
    text = json ? json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    if (text)
        code = control_call(&args, "order", text, show);
    else
        code = complain("%s: the reason is not UTF-8", word);
    free(text);
    json_decref(json);
    return code;
}

static int run_strike(int argc, char **argv)
{
    return give(ORDER_STRIKE, argc, argv);
}

static int run_retire(int argc, char **argv)
{
    return give(ORDER_RETIRE, argc, argv);
}

static int run_ban(int argc, char **argv)
{
    return give(ORDER_BAN, argc, argv);
}

#define USE "NAME --why TEXT [OPTION...]"

const struct subcommand cmd_strike = {
    .name = "strike",
    .args = USE,
    .about = "remove a bot, and discount its games",
    .more =
        "The bot plays no more, and its games do not count for anybody:\n"
        "not in ratings, standings or meetings. The records do not\n"
        "change, and --undo makes the games count again. The server\n"
        "keeps the order across restarts, and \"referee log\" shows it.\n"
        "\n"
        "Examples:\n"
        "  referee strike anna --why \"a copy of bob's bot\"\n"
        "  referee strike anna --ladder rondo --version 1.2 --why \"it read "
        "the clock of others\"\n"
        "  referee strike anna --undo --why \"it was not a copy\"",
    .opts = opts,
    .run = run_strike,
};

const struct subcommand cmd_retire = {
    .name = "retire",
    .args = USE,
    .about = "remove a bot; its games still count",
    .more =
        "Its games still count, and running games continue. --undo lets it\n"
        "play again.",
    .opts = opts,
    .run = run_retire,
};

const struct subcommand cmd_ban = {
    .name = "ban",
    .args = USE,
    .about = "ban a bot from the server",
    .more = "A network bot loses its connections and cannot log in; a local "
            "bot\n"
            "is no longer started. Its games still count; if they should not, "
            "use\n"
            "\"referee strike\". --undo lifts the ban.",
    .opts = ban_opts,
    .run = run_ban,
};
