/*
 * /api/...: ladders, bots and games as JSON, records as text.
 *
 * Anyone who can reach the port may ask, so answers contain only what a
 * spectator may know. For a running game, and for a finished game whose deal
 * others still play, that is what the watchers were told. Requests must not
 * hold up the games. A request that takes too many steps is refused, and so is
 * a client that has used its share of the time (shares.h).
 */

#include "daemon/api.h"

#include "base/text.h"
#include "web/rules.h"

#include <event2/http.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    WORDS_MAX = 4,      /* of a path */
    STEPS_MAX = 200000, /* of SQLite for one answer: about 20 ms */
};

int answer_json(struct buf *out, json_t *json)
{
    control_answer(out, json);
    buf_char(out, '\n');
    return HTTP_OK;
}

int answer_error(struct buf *out, int code, const char *fmt, ...)
{
    struct err err;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, ap);
    va_end(ap);
    make_plain(err.text); /* it quotes what was asked */
    answer_json(out, json_pack("{s:s}", "error", err.text));
    return code;
}

int no_index(struct buf *out, const struct err *err)
{
    return answer_error(out, HTTP_SERVUNAVAIL, "%s", err->text);
}

int bad_request(struct buf *out, const struct err *err)
{
    return answer_error(out, HTTP_BADREQUEST, "%s", err->text);
}

int no_game(struct buf *out, const char *id)
{
    return answer_error(out, HTTP_NOTFOUND, "there is no game %.70s", id);
}

static int on_play(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    return ask->body ? play_sit(s, ask, word, out)
                     : answer_json(out, play_json(s));
}

/* Leave out what only the organiser should know. */
static int on_workers(struct server *s, struct http_ask *ask,
                      const char *const *word, struct buf *out)
{
    json_t *list = json_deep_copy(away_workers(s->away));
    json_t *worker;
    size_t i;

    if (!list)
        list = json_array();
    json_array_foreach(list, i, worker)
    {
        json_object_del(worker, "host");
        json_object_del(worker, "last_failure");
        json_object_del(worker, "blocked");
    }
    return answer_json(out, json_pack("{s:o}", "workers", list));
}

static int on_example(struct server *s, struct http_ask *ask,
                      const char *const *word, struct buf *out)
{
    const struct game *game = game_find(word[1]);
    json_t *document = game ? rules_example(game) : NULL;

    return document ? answer_json(out, document)
                    : answer_error(out, HTTP_NOTFOUND,
                                   "there is no game \"%.40s\"", word[1]);
}

/* "*" is any word. */
static const struct api_route {
    const char *word[WORDS_MAX];
    api_answer *answer;
    enum { GET = 1, POST = 2 } methods;
} routes[] = {
    {{"ladders"}, api_get_ladders, GET},
    {{"ladders", "*"}, api_get_ladder, GET},
    {{"ladders", "*", "games"}, api_get_ladder_games, GET},
    {{"ladders", "*", "head"}, api_get_ladder_head, GET},
    {{"bots"}, api_get_bots, GET},
    {{"bots", "*"}, api_get_bot, GET},
    {{"bots", "*", "submissions"}, api_submissions, GET},
    {{"games"}, api_get_games, GET},
    {{"games", "*"}, api_get_game, GET},
    {{"games", "*", "record"}, api_get_record, GET},
    {{"games", "*", "steps"}, api_get_steps, GET},
    {{"games", "*", "stream"}, api_get_stream, GET},
    {{"live"}, api_get_live, GET},
    {{"workers"}, on_workers, GET},
    {{"examples", "*"}, on_example, GET},
    {{"tournaments"}, api_get_tournaments, GET},
    {{"tournaments", "*"}, api_get_tournament, GET},
    {{"tournaments", "*", "*", "steps"}, api_get_match_steps, GET},
    {{"tournaments", "*", "*", "record"}, api_get_match_record, GET},
    {{"owner", "*"}, owner_games, GET},
    {{"owner", "*", "submissions"}, owner_submissions, GET},
    {{"owner", "*", "*", "log"}, owner_log, GET},
    {{"owner", "*", "*", "steps"}, owner_steps, GET},
    {{"play"}, on_play, GET | POST},
    {{"play", "*", "stream"}, play_stream, GET},
    {{"play", "*", "moves"}, play_moves, GET},
    {{"play", "*", "move"}, play_move, POST},
    {{"play", "*", "leave"}, play_leave, POST},
    {{"play", "*", "hint"}, play_hint, POST},
};

enum { ROUTES = sizeof routes / sizeof *routes };

/* Cut "a/b/c" into words; 0 if there are too many, or an empty one. */
static int split(char *path, const char **word)
{
    int count = 0;

    for (char *at = path; count < WORDS_MAX; at++) {
        word[count++] = at;
        at += strcspn(at, "/");
        if (at == word[count - 1])
            return 0;
        if (*at == '\0')
            return count;
        *at = '\0';
    }
    return 0;
}

static bool fits(const struct api_route *route, const char *const *word,
                 int count)
{
    int i;

    for (i = 0; i < count; i++)
        if (!route->word[i] || (strcmp(route->word[i], "*") != 0 &&
                                strcmp(route->word[i], word[i]) != 0))
            return false;
    return i == WORDS_MAX || !route->word[i];
}

static const struct api_route *find_route(const char *const *word, int count)
{
    for (int i = 0; i < ROUTES && count > 0; i++)
        if (fits(&routes[i], word, count))
            return &routes[i];
    return NULL;
}

static int answer(struct server *s, struct http_ask *ask, struct buf *out)
{
    const char *word[WORDS_MAX];
    char path[512];
    const struct api_route *route;
    size_t len = strlen(ask->path);

    if (len >= sizeof path)
        return answer_error(out, HTTP_NOTFOUND, "there is nothing here");
    memcpy(path, ask->path, len + 1);
    route = find_route(word, split(path, word));
    if (!route)
        return answer_error(out, HTTP_NOTFOUND,
                            "there is nothing here; try /api/ladders, "
                            "/api/bots or /api/games");
    if (!(route->methods & (ask->body ? POST : GET)))
        return HTTP_BADMETHOD;
    return route->answer(s, ask, word, out);
}

/* Its CPU time, without that of others on this machine. */
static int64_t work_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool may_be_kept(const struct http_ask *ask)
{
    return !ask->body && !ask->key && !ask->token;
}

static bool answer_kept(struct server *s, struct http_ask *ask, bool old,
                        struct buf *out, int *code)
{
    const struct kept_answer *kept =
        may_be_kept(ask) ? kept_find(&s->kept, ask->target, old, now_us())
                         : NULL;

    if (!kept)
        return false;
    buf_put(out, kept->text.text, kept->text.len);
    ask->type = kept->type;
    *code = kept->code;
    s->metrics.http.kept++;
    return true;
}

/* No time is left for it: give a recent answer, or an excuse. */
static int excuse(struct server *s, struct http_ask *ask, const char *text,
                  enum http_refusal why, struct buf *out)
{
    int code;

    buf_reset(out);
    if (answer_kept(s, ask, true, out, &code))
        return code;
    s->metrics.http.refused[why]++;
    return answer_error(out, HTTP_SERVUNAVAIL, "%s", text);
}

typedef int maker(struct server *s, struct http_ask *ask, struct buf *out);

static int make_answer(struct server *s, struct http_ask *ask, maker *make,
                       struct buf *out)
{
    int64_t start = work_us();
    int code;

    index_budget(archive_index(s->archive), STEPS_MAX);
    code = make(s, ask, out);
    if (index_is_late(archive_index(s->archive)))
        code = excuse(s, ask, "busy: that takes too long; ask for less",
                      HTTP_TOO_LONG, out);
    else if (code == HTTP_OK && !ask->is_private && !ask->is_stream &&
             may_be_kept(ask))
        kept_add(&s->kept, ask->target, code, ask->type, out, work_us() - start,
                 now_us());
    index_budget(archive_index(s->archive), 0);
    return code;
}

/* Answer within the share of the client. */
static int within_share(struct server *s, struct http_ask *ask, maker *make,
                        struct buf *out)
{
    int64_t start = now_us();
    struct share *share;
    int code;

    if (s->phase == SERVER_STARTING)
        return answer_error(out, HTTP_SERVUNAVAIL, "starting; ask again soon");
    if (answer_kept(s, ask, false, out, &code))
        return code;
    share = shares_admit(&s->shares, ask->address, start,
                         s->loop.tables > 0 ? s->loop.asked_us : 0);
    if (!share)
        return excuse(s, ask, "busy; ask again in a second", HTTP_BUSY, out);
    code = make_answer(s, ask, make, out);
    shares_charge(&s->shares, share, now_us() - start);
    return code;
}

int server_api(void *owner, struct http_ask *ask, struct buf *out)
{
    return within_share(owner, ask, answer, out);
}

/* Scripts and style sheets cost nothing, because the browser caches them. */
int server_page(void *owner, struct http_ask *ask, struct buf *out)
{
    int code;

    if (site_is_file(ask->path))
        return site_answer(owner, ask, out);
    code = within_share(owner, ask, site_answer, out);
    if (out->len > 0 && *out->text == '{') /* an error, as for programs */
        site_excuse(owner, code, out);
    return code;
}
