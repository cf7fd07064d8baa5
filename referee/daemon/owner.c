/*
 * What only the owner of a bot may see: /api/owner/...
 *
 * The owner sends the bot's token in the header Referee-Token. For the bot's
 * own finished games, it shows what the bot wrote to standard error, and the
 * game as its seat saw it, with its notes and refused moves. The bot itself was
 * told all of this, so it does not matter whether others still play the same
 * deal.
 */

#include "base/text.h"
#include "daemon/api.h"
#include "store/disk.h"
#include "store/find.h"
#include "web/steps.h"

#include <event2/http.h>
#include <string.h>

enum { GAMES_SHOWN = 30, LOOK = 300, LOG_SHOWN = 256 << 10 };

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

bool is_owner(struct server *s, struct http_ask *ask, const char *bot,
              struct err *why)
{
    ask->is_private = true;
    if (!ask->token)
        return fail(why, "the header Referee-Token is missing");
    if (doors_know_token(s->doors, ask->address, bot, ask->token, why))
        return true;
    s->metrics.http.refused[HTTP_KEY]++;
    return false;
}

/* Its seat, from 1; 0 if it was not in the game. */
static int seat_of(const json_t *game, const char *bot)
{
    const json_t *seat;
    size_t i;

    json_array_foreach(json_object_get(game, "seats"), i, seat)
    {
        if (strcmp(text_in(seat, "bot"), bot) == 0)
            return (int)i + 1;
    }
    return 0;
}

/* Logs. */

static bool log_path(struct server *s, const json_t *game, const char *bot,
                     char path[DISK_PATH_MAX])
{
    struct err err;

    return archive_log_path(s->archive, text_in(game, "ladder"),
                            text_in(game, "start"), text_in(game, "id"), bot,
                            path, DISK_PATH_MAX, &err);
}

/*
 * Its size in bytes, or -1 if there is none: a network bot keeps its own log.
 */
static long long log_size(struct server *s, const json_t *game, const char *bot)
{
    char path[DISK_PATH_MAX];

    return log_path(s, game, bot, path) ? disk_size(path) : -1;
}

/* Its end, where an error usually stands. */
static json_t *log_json(struct server *s, const json_t *game, const char *bot)
{
    long long size = log_size(s, game, bot);
    long long from = size > LOG_SHOWN ? size - LOG_SHOWN : 0;
    char path[DISK_PATH_MAX];
    struct buf text;
    struct err err;
    json_t *json;

    buf_init(&text, LOG_SHOWN + 1);
    if (size > 0 && log_path(s, game, bot, path) &&
        !disk_read_part(path, from, LOG_SHOWN, &text, &err))
        buf_reset(&text);
    json = json_pack("{s:s, s:I, s:b, s:o}", "bot", bot, "bytes",
                     (json_int_t)(size < 0 ? 0 : size), "cut", from > 0, "log",
                     size < 0 ? json_null()
                              : text_json(text.text ? text.text : ""));
    buf_release(&text);
    return json;
}

/* What is asked. */

static json_t *games_on(struct server *s, const char *ladder, const char *bot,
                        struct err *err)
{
    const struct find find = {.ladder = ladder,
                              .bot = bot,
                              .opponent = "",
                              .fault = "",
                              .before = "",
                              .limit = GAMES_SHOWN,
                              .look = LOOK};
    char next[SUMMARY_WORD_MAX + 1];

    return find_games(archive_index(s->archive), &find, next, err);
}

static void add_games(struct server *s, json_t *list, json_t *games,
                      const char *bot)
{
    json_t *game;
    size_t i;

    json_array_foreach(games, i, game)
    {
        long long size = log_size(s, game, bot);

        json_object_set_new(game, "seat", json_integer(seat_of(game, bot)));
        json_object_set_new(game, "log",
                            size < 0 ? json_null() : json_integer(size));
        json_array_append(list, game);
    }
}

int owner_games(struct server *s, struct http_ask *ask, const char *const *word,
                struct buf *out)
{
    const char *bot = word[1];
    const struct lobby_ladder *l;
    struct err err;
    json_t *list;

    if (!is_owner(s, ask, bot, &err))
        return answer_error(out, HTTP_FORBIDDEN, "%s", err.text);
    list = json_array();
    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)) != NULL; i++) {
        json_t *games = games_on(s, l->name, bot, &err);

        add_games(s, list, games, bot);
        json_decref(games);
    }
    return answer_json(out, json_pack("{s:s, s:o}", "bot", bot, "games", list));
}

/* A finished game of the bot. If NULL, the answer has been written. */
static json_t *own_game(struct server *s, struct http_ask *ask, const char *bot,
                        const char *id, int *code, struct buf *out)
{
    struct err err;
    json_t *game;

    if (!is_owner(s, ask, bot, &err)) {
        *code = answer_error(out, HTTP_FORBIDDEN, "%s", err.text);
        return NULL;
    }
    game = report_game(archive_index(s->archive), id, &err);
    if (json_is_object(game) && seat_of(game, bot) > 0)
        return game;
    json_decref(game);
    *code =
        answer_error(out, HTTP_NOTFOUND,
                     "there is no game %.70s of %.40s that is over", id, bot);
    return NULL;
}

int owner_log(struct server *s, struct http_ask *ask, const char *const *word,
              struct buf *out)
{
    int code = HTTP_OK;
    json_t *game = own_game(s, ask, word[1], word[2], &code, out);

    if (!game)
        return code;
    answer_json(out, log_json(s, game, word[1]));
    json_decref(game);
    return HTTP_OK;
}

int owner_steps(struct server *s, struct http_ask *ask, const char *const *word,
                struct buf *out)
{
    int code = HTTP_OK;
    json_t *game = own_game(s, ask, word[1], word[2], &code, out);
    json_t *document;
    struct err err;

    if (!game)
        return code;
    if (api_steps(s, word[2], seat_of(game, word[1]) - 1, &document, &err))
        answer_json(out, document);
    else
        code = answer_error(out, HTTP_SERVUNAVAIL, "%s", err.text);
    json_decref(game);
    return code;
}
