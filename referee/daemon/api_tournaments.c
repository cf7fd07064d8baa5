/* /api/tournaments: tournaments that other processes play or have played. */

#include "daemon/api.h"
#include "match/watch.h"
#include "web/steps.h"

#include <event2/http.h>

int api_get_tournaments(struct server *s, struct http_ask *ask,
                        const char *const *word, struct buf *out)
{
    json_t *list = tournaments_list(config_of(s)->tournaments), *one;
    size_t i;

    json_array_foreach(list, i, one)
    {
        json_object_del(one, "pairings");
    }
    return answer_json(out, json_pack("{s:o}", "tournaments", list));
}

int api_get_tournament(struct server *s, struct http_ask *ask,
                       const char *const *word, struct buf *out)
{
    json_t *one =
        tournament_named(&s->tournaments, config_of(s)->tournaments, word[1]);

    return one ? answer_json(out, one)
               : answer_error(out, HTTP_NOTFOUND,
                              "there is no tournament \"%.60s\"", word[1]);
}

/* While the tournament runs, a deal may be played again. */
static bool is_tournament_over(struct server *s, const char *name)
{
    json_t *one =
        tournament_named(&s->tournaments, config_of(s)->tournaments, name);
    bool over = json_is_true(json_object_get(one, "finished"));

    json_decref(one);
    return over;
}

static int read_match(struct server *s, const char *const *word,
                      struct buf *bytes, struct buf *out)
{
    struct err err = {0};

    if (tournament_record(&s->tournaments, config_of(s)->tournaments, word[1],
                          word[2], bytes, &err))
        return HTTP_OK;
    return answer_error(out, err.passes ? HTTP_SERVUNAVAIL : HTTP_NOTFOUND,
                        "%s", err.text);
}

int api_get_match_steps(struct server *s, struct http_ask *ask,
                        const char *const *word, struct buf *out)
{
    struct steps steps;
    struct buf bytes;
    struct err err;
    json_t *document;
    int viewer, code;

    if (!api_audience(ask, &viewer, &err))
        return bad_request(out, &err);
    if (viewer != AUDIENCE_PUBLIC && !is_tournament_over(s, word[1]))
        return answer_error(out, HTTP_BADREQUEST,
                            "the tournament is under way: only seat=public "
                            "may be asked for");
    buf_init(&bytes, RECORD_FILE_MAX);
    steps_init(&steps, viewer);
    code = read_match(s, word, &bytes, out);
    if (code == HTTP_OK &&
        !steps_read(&steps, word[2], 0, bytes.text, bytes.len, &document, &err))
        code = answer_error(out, HTTP_NOTFOUND, "%s", err.text);
    else if (code == HTTP_OK)
        code = answer_json(out, document);
    steps_release(&steps);
    buf_release(&bytes);
    return code;
}

int api_get_match_record(struct server *s, struct http_ask *ask,
                         const char *const *word, struct buf *out)
{
    struct buf bytes;
    struct err err;
    int code;

    buf_init(&bytes, RECORD_FILE_MAX);
    code = read_match(s, word, &bytes, out);
    if (code == HTTP_OK && is_tournament_over(s, word[1])) {
        buf_put(out, bytes.text, bytes.len);
    } else if (code == HTTP_OK &&
               !watch_write(word[2], bytes.text, bytes.len, out, &err)) {
        buf_reset(out);
        code = answer_error(out, HTTP_NOTFOUND, "%s", err.text);
    }
    if (code == HTTP_OK)
        ask->type = http_plain_type;
    buf_release(&bytes);
    return code;
}
